% Selection sort: the indices of all accesses to the array are within its bounds.
% I is the place to fill, J runs over the rest, M is the place of the least element so far.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, I, J, M, N), p(outer, Ip, J, M, N), {Ip = 0}, 1).
r(p(outer, I, J, M, N), p(inner, I, Jp, Mp, N), {I =< N-2, Jp = I+1, Mp = I}, 2).
r(p(inner, I, J, M, N), p(compare, I, J, M, N), {J =< N-1}, 3).
r(p(compare, I, J, M, N), p(inner, I, Jp, Mp, N), {Jp = J+1, Mp = J}, 4).
r(p(compare, I, J, M, N), p(inner, I, Jp, M, N), {Jp = J+1}, 5).
r(p(inner, I, J, M, N), p(swap, I, J, M, N), {J >= N}, 6).
r(p(swap, I, J, M, N), p(outer, Ip, J, M, N), {Ip = I+1}, 7).

s(0, p(compare, I, J, M, N), {J >= N}, 1, (0,0)).
s(0, p(compare, I, J, M, N), {J =< -1}, 2, (0,0)).
s(0, p(compare, I, J, M, N), {M >= N}, 3, (0,0)).
s(0, p(compare, I, J, M, N), {M =< -1}, 4, (0,0)).
s(0, p(swap, I, J, M, N), {I >= N}, 5, (0,0)).
s(0, p(swap, I, J, M, N), {I =< -1}, 6, (0,0)).
s(0, p(swap, I, J, M, N), {M >= N}, 7, (0,0)).
s(0, p(swap, I, J, M, N), {M =< -1}, 8, (0,0)).

b(p(outer, _, _, _, _), {}, 1).
b(p(inner, _, _, _, _), {}, 2).
b(p(compare, _, _, _, _), {}, 3).
b(p(swap, _, _, _, _), {}, 4).
