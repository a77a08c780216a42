% The ticket protocol for two processes: T is the next ticket, S the one that is served,
% A and B are the tickets that the processes hold.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, T, S, A, B), p(tt, Tp, Sp, Ap, Bp), {Tp = 0, Sp = 0, Ap = 0, Bp = 0}, 1).
r(p(tt, T, S, A, B), p(wt, Tp, S, Ap, B), {Tp = T+1, Ap = T}, 2).
r(p(wt, T, S, A, B), p(ut, T, S, A, B), {A =< S}, 3).
r(p(ut, T, S, A, B), p(tt, T, Sp, A, B), {Sp = S+1}, 4).
r(p(tw, T, S, A, B), p(ww, Tp, S, Ap, B), {Tp = T+1, Ap = T}, 5).
r(p(ww, T, S, A, B), p(uw, T, S, A, B), {A =< S}, 6).
r(p(uw, T, S, A, B), p(tw, T, Sp, A, B), {Sp = S+1}, 7).
r(p(tu, T, S, A, B), p(wu, Tp, S, Ap, B), {Tp = T+1, Ap = T}, 8).
r(p(wu, T, S, A, B), p(uu, T, S, A, B), {A =< S}, 9).
r(p(uu, T, S, A, B), p(tu, T, Sp, A, B), {Sp = S+1}, 10).
r(p(tt, T, S, A, B), p(tw, Tp, S, A, Bp), {Tp = T+1, Bp = T}, 11).
r(p(tw, T, S, A, B), p(tu, T, S, A, B), {B =< S}, 12).
r(p(tu, T, S, A, B), p(tt, T, Sp, A, B), {Sp = S+1}, 13).
r(p(wt, T, S, A, B), p(ww, Tp, S, A, Bp), {Tp = T+1, Bp = T}, 14).
r(p(ww, T, S, A, B), p(wu, T, S, A, B), {B =< S}, 15).
r(p(wu, T, S, A, B), p(wt, T, Sp, A, B), {Sp = S+1}, 16).
r(p(ut, T, S, A, B), p(uw, Tp, S, A, Bp), {Tp = T+1, Bp = T}, 17).
r(p(uw, T, S, A, B), p(uu, T, S, A, B), {B =< S}, 18).
r(p(uu, T, S, A, B), p(ut, T, Sp, A, B), {Sp = S+1}, 19).

s(0, p(uu, T, S, A, B), {}, 1, (0,0)).

b(p(tt, _, _, _, _), {}, 1).
b(p(tw, _, _, _, _), {}, 2).
b(p(tu, _, _, _, _), {}, 3).
b(p(wt, _, _, _, _), {}, 4).
b(p(ww, _, _, _, _), {}, 5).
b(p(wu, _, _, _, _), {}, 6).
b(p(ut, _, _, _, _), {}, 7).
b(p(uw, _, _, _, _), {}, 8).
b(p(uu, _, _, _, _), {}, 9).
