% Two producers and two consumers with a buffer of S places, of which A are free:
% never are more items in it than places.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, P1, P2, C1, C2, A, S), p(run, P1p, P2p, C1p, C2p, Ap, S), {S >= 1, P1p = 0, P2p = 0, C1p = 0, C2p = 0, Ap = S}, 1).
r(p(run, P1, P2, C1, C2, A, S), p(run, P1p, P2, C1, C2, Ap, S), {A >= 1, P1p = P1+1, Ap = A-1}, 2).
r(p(run, P1, P2, C1, C2, A, S), p(run, P1, P2p, C1, C2, Ap, S), {A >= 1, P2p = P2+1, Ap = A-1}, 3).
r(p(run, P1, P2, C1, C2, A, S), p(run, P1, P2, C1p, C2, Ap, S), {A =< S-1, C1p = C1+1, Ap = A+1}, 4).
r(p(run, P1, P2, C1, C2, A, S), p(run, P1, P2, C1, C2p, Ap, S), {A =< S-1, C2p = C2+1, Ap = A+1}, 5).

s(0, p(run, P1, P2, C1, C2, A, S), {A =< -1}, 1, (0,0)).

b(p(run, _, _, _, _, _, _), {}, 1).
