% Dragon: I invalid, E exclusive, C shared and clean, M shared and modified, D dirty.
% Each variable counts the caches in one state, for any number of them.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, I, E, C, M, D), p(run, I, Ep, Cp, Mp, Dp), {I >= 1, Ep = 0, Cp = 0, Mp = 0, Dp = 0}, 1).
r(p(run, I, E, C, M, D), p(run, I, E, C, M, D), {E >= 1}, 2).
r(p(run, I, E, C, M, D), p(run, I, E, C, M, D), {C+M >= 2}, 3).
r(p(run, I, E, C, M, D), p(run, I, E, C, M, D), {D >= 1}, 4).
r(p(run, I, E, C, M, D), p(run, Ip, Ep, C, M, D), {I >= 1, E = 0, C = 0, M = 0, D = 0, Ip = I-1, Ep = E+1}, 5).
r(p(run, I, E, C, M, D), p(run, Ip, Ep, Cp, Mp, Dp), {I >= 1, E+C+M+D >= 1, Ip = I-1, Ep = 0, Cp = C+E+1, Mp = M+D, Dp = 0}, 6).
r(p(run, I, E, C, M, D), p(run, I, Ep, C, M, Dp), {E >= 1, Ep = E-1, Dp = D+1}, 7).
r(p(run, I, E, C, M, D), p(run, I, E, Cp, M, Dp), {C = 1, M = 0, Cp = 0, Dp = D+1}, 8).
r(p(run, I, E, C, M, D), p(run, I, E, C, Mp, Dp), {C = 0, M = 1, Mp = 0, Dp = D+1}, 9).
r(p(run, I, E, C, M, D), p(run, I, E, Cp, Mp, D), {C+M >= 2, C >= 1, Cp = C+M-1, Mp = 1}, 10).
r(p(run, I, E, C, M, D), p(run, Ip, E, C, M, Dp), {I >= 1, E = 0, C = 0, M = 0, D = 0, Ip = I-1, Dp = D+1}, 11).
r(p(run, I, E, C, M, D), p(run, Ip, Ep, Cp, Mp, Dp), {I >= 1, E+C+M+D >= 1, Ip = I-1, Ep = 0, Cp = C+E+M+D, Mp = 1, Dp = 0}, 12).
r(p(run, I, E, C, M, D), p(run, Ip, E, C, M, Dp), {D >= 1, Ip = I+1, Dp = D-1}, 13).
r(p(run, I, E, C, M, D), p(run, Ip, E, Cp, M, D), {C >= 1, Ip = I+1, Cp = C-1}, 14).
r(p(run, I, E, C, M, D), p(run, Ip, Ep, C, M, D), {E >= 1, Ip = I+1, Ep = E-1}, 15).

s(0, p(run, I, E, C, M, D), {D >= 1, E >= 1}, 1, (0,0)).
s(0, p(run, I, E, C, M, D), {D >= 1, C >= 1}, 2, (0,0)).
s(0, p(run, I, E, C, M, D), {D >= 1, M >= 1}, 3, (0,0)).
s(0, p(run, I, E, C, M, D), {E >= 1, C >= 1}, 4, (0,0)).
s(0, p(run, I, E, C, M, D), {E >= 1, M >= 1}, 5, (0,0)).
s(0, p(run, I, E, C, M, D), {D >= 2}, 6, (0,0)).
s(0, p(run, I, E, C, M, D), {E >= 2}, 7, (0,0)).

b(p(run, _, _, _, _, _), {}, 1).
