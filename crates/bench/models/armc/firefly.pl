% Firefly: I invalid, E exclusive, S shared, D dirty.
% Each variable counts the caches in one state, for any number of them.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, I, E, S, D), p(run, I, Ep, Sp, Dp), {I >= 1, Ep = 0, Sp = 0, Dp = 0}, 1).
r(p(run, I, E, S, D), p(run, I, E, S, D), {E >= 1}, 2).
r(p(run, I, E, S, D), p(run, I, E, S, D), {S >= 2}, 3).
r(p(run, I, E, S, D), p(run, I, E, S, D), {D >= 1}, 4).
r(p(run, I, E, S, D), p(run, Ip, Ep, S, D), {I >= 1, E = 0, S = 0, D = 0, Ip = I-1, Ep = E+1}, 5).
r(p(run, I, E, S, D), p(run, Ip, E, Sp, Dp), {I >= 1, D >= 1, Ip = I-1, Sp = S+2, Dp = D-1}, 6).
r(p(run, I, E, S, D), p(run, Ip, Ep, Sp, D), {I >= 1, S+E >= 1, Ip = I-1, Ep = 0, Sp = S+E+1}, 7).
r(p(run, I, E, S, D), p(run, I, Ep, S, Dp), {E >= 1, Ep = E-1, Dp = D+1}, 8).
r(p(run, I, E, S, D), p(run, I, Ep, Sp, D), {S = 1, Ep = E+1, Sp = 0}, 9).
r(p(run, I, E, S, D), p(run, Ip, E, S, Dp), {I >= 1, E = 0, S = 0, D = 0, Ip = I-1, Dp = D+1}, 10).
r(p(run, I, E, S, D), p(run, Ip, E, Sp, Dp), {I >= 1, D >= 1, Ip = I-1, Sp = S+2, Dp = D-1}, 11).
r(p(run, I, E, S, D), p(run, Ip, Ep, Sp, D), {I >= 1, S+E >= 1, Ip = I-1, Ep = 0, Sp = S+E+1}, 12).
r(p(run, I, E, S, D), p(run, Ip, E, S, Dp), {D >= 1, Ip = I+1, Dp = D-1}, 13).
r(p(run, I, E, S, D), p(run, Ip, E, Sp, D), {S >= 1, Ip = I+1, Sp = S-1}, 14).
r(p(run, I, E, S, D), p(run, Ip, Ep, S, D), {E >= 1, Ip = I+1, Ep = E-1}, 15).

s(0, p(run, I, E, S, D), {D >= 1, S+E >= 1}, 1, (0,0)).
s(0, p(run, I, E, S, D), {E >= 2}, 2, (0,0)).
s(0, p(run, I, E, S, D), {D >= 2}, 3, (0,0)).

b(p(run, _, _, _, _), {}, 1).
