% Berkeley: I invalid, E owned exclusively, N owned and shared, U unowned.
% Each variable counts the caches in one state, for any number of them.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, I, E, N, U), p(run, I, Ep, Np, Up), {I >= 1, Ep = 0, Np = 0, Up = 0}, 1).
r(p(run, I, E, N, U), p(run, I, E, N, U), {E >= 1}, 2).
r(p(run, I, E, N, U), p(run, I, E, N, U), {N >= 1}, 3).
r(p(run, I, E, N, U), p(run, I, E, N, U), {U >= 1}, 4).
r(p(run, I, E, N, U), p(run, Ip, Ep, Np, Up), {I >= 1, Ip = I-1, Ep = 0, Np = N+E, Up = U+1}, 5).
r(p(run, I, E, N, U), p(run, Ip, Ep, Np, Up), {N >= 1, Ip = I+N+U-1, Ep = E+1, Np = 0, Up = 0}, 6).
r(p(run, I, E, N, U), p(run, Ip, Ep, Np, Up), {U >= 1, Ip = I+N+U-1, Ep = E+1, Np = 0, Up = 0}, 7).
r(p(run, I, E, N, U), p(run, Ip, Ep, Np, Up), {I >= 1, Ip = I+E+N+U-1, Ep = 1, Np = 0, Up = 0}, 8).
r(p(run, I, E, N, U), p(run, Ip, E, N, Up), {U >= 1, Ip = I+1, Up = U-1}, 9).
r(p(run, I, E, N, U), p(run, Ip, Ep, N, U), {E >= 1, Ip = I+1, Ep = E-1}, 10).

s(0, p(run, I, E, N, U), {E >= 1, N+U >= 1}, 1, (0,0)).
s(0, p(run, I, E, N, U), {E >= 2}, 2, (0,0)).

b(p(run, _, _, _, _), {}, 1).
