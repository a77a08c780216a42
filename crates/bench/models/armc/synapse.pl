% Synapse N+1: I invalid, V valid, D dirty.
% Each variable counts the caches in one state, for any number of them.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, I, V, D), p(run, I, Vp, Dp), {I >= 1, Vp = 0, Dp = 0}, 1).
r(p(run, I, V, D), p(run, I, V, D), {V >= 1}, 2).
r(p(run, I, V, D), p(run, Ip, Vp, Dp), {I >= 1, Ip = I+D-1, Vp = V+1, Dp = 0}, 3).
r(p(run, I, V, D), p(run, Ip, Vp, D), {V >= 1, Ip = I+1, Vp = V-1}, 4).
r(p(run, I, V, D), p(run, Ip, Vp, Dp), {V >= 1, Ip = I+V+D-1, Vp = 0, Dp = 1}, 5).
r(p(run, I, V, D), p(run, Ip, Vp, Dp), {I >= 1, Ip = I+V+D-1, Vp = 0, Dp = 1}, 6).

s(0, p(run, I, V, D), {D >= 2}, 1, (0,0)).
s(0, p(run, I, V, D), {D >= 1, V >= 1}, 2, (0,0)).

b(p(run, _, _, _), {}, 1).
