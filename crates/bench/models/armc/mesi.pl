% MESI: I invalid, M modified, E exclusive, S shared.
% Each variable counts the caches in one state, for any number of them.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, I, M, E, S), p(run, I, Mp, Ep, Sp), {I >= 1, Mp = 0, Ep = 0, Sp = 0}, 1).
r(p(run, I, M, E, S), p(run, I, M, E, S), {M >= 1}, 2).
r(p(run, I, M, E, S), p(run, I, M, E, S), {E >= 1}, 3).
r(p(run, I, M, E, S), p(run, I, M, E, S), {S >= 1}, 4).
r(p(run, I, M, E, S), p(run, Ip, Mp, Ep, Sp), {I >= 1, Ip = I-1, Mp = 0, Ep = 0, Sp = S+E+M+1}, 5).
r(p(run, I, M, E, S), p(run, I, Mp, Ep, S), {E >= 1, Mp = M+1, Ep = E-1}, 6).
r(p(run, I, M, E, S), p(run, Ip, Mp, Ep, Sp), {S >= 1, Ip = I+M+E+S-1, Mp = 0, Ep = 1, Sp = 0}, 7).
r(p(run, I, M, E, S), p(run, Ip, Mp, Ep, Sp), {I >= 1, Ip = I+M+E+S-1, Mp = 0, Ep = 1, Sp = 0}, 8).
r(p(run, I, M, E, S), p(run, Ip, Mp, E, S), {M >= 1, Ip = I+1, Mp = M-1}, 9).

s(0, p(run, I, M, E, S), {M >= 2}, 1, (0,0)).
s(0, p(run, I, M, E, S), {M >= 1, S >= 1}, 2, (0,0)).
s(0, p(run, I, M, E, S), {M >= 1, E >= 1}, 3, (0,0)).

b(p(run, _, _, _, _), {}, 1).
