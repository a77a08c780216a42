% MOESI: I invalid, M modified, O owned, E exclusive, S shared.
% Each variable counts the caches in one state, for any number of them.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, I, M, O, E, S), p(run, I, Mp, Op, Ep, Sp), {I >= 1, Mp = 0, Op = 0, Ep = 0, Sp = 0}, 1).
r(p(run, I, M, O, E, S), p(run, I, M, O, E, S), {M >= 1}, 2).
r(p(run, I, M, O, E, S), p(run, I, M, O, E, S), {O >= 1}, 3).
r(p(run, I, M, O, E, S), p(run, I, M, O, E, S), {S >= 1}, 4).
r(p(run, I, M, O, E, S), p(run, Ip, Mp, Op, Ep, Sp), {I >= 1, Ip = I-1, Mp = 0, Op = O+M, Ep = 0, Sp = S+E+1}, 5).
r(p(run, I, M, O, E, S), p(run, I, Mp, O, Ep, S), {E >= 1, Mp = M+1, Ep = E-1}, 6).
r(p(run, I, M, O, E, S), p(run, Ip, Mp, Op, Ep, Sp), {S >= 1, Ip = I+M+O+E+S-1, Mp = 0, Op = 0, Ep = 1, Sp = 0}, 7).
r(p(run, I, M, O, E, S), p(run, Ip, Mp, Op, Ep, Sp), {O >= 1, Ip = I+M+O+E+S-1, Mp = 0, Op = 0, Ep = 1, Sp = 0}, 8).
r(p(run, I, M, O, E, S), p(run, Ip, Mp, Op, Ep, Sp), {I >= 1, Ip = I+M+O+E+S-1, Mp = 0, Op = 0, Ep = 1, Sp = 0}, 9).
r(p(run, I, M, O, E, S), p(run, Ip, Mp, O, E, S), {M >= 1, Ip = I+1, Mp = M-1}, 10).

s(0, p(run, I, M, O, E, S), {M >= 2}, 1, (0,0)).
s(0, p(run, I, M, O, E, S), {M >= 1, O+E+S >= 1}, 2, (0,0)).

b(p(run, _, _, _, _, _), {}, 1).
