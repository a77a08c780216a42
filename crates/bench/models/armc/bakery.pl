% The bakery protocol for two processes: who waits takes a number above the other's.
% A location has the state of each process: thinks, waits, uses the resource.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, A, B), p(tt, Ap, Bp), {Ap = 0, Bp = 0}, 1).
r(p(tt, A, B), p(wt, Ap, B), {Ap = B+1}, 2).
r(p(wt, A, B), p(ut, A, B), {A < B}, 3).
r(p(wt, A, B), p(ut, A, B), {B = 0}, 4).
r(p(ut, A, B), p(tt, Ap, B), {Ap = 0}, 5).
r(p(tw, A, B), p(ww, Ap, B), {Ap = B+1}, 6).
r(p(ww, A, B), p(uw, A, B), {A < B}, 7).
r(p(ww, A, B), p(uw, A, B), {B = 0}, 8).
r(p(uw, A, B), p(tw, Ap, B), {Ap = 0}, 9).
r(p(tu, A, B), p(wu, Ap, B), {Ap = B+1}, 10).
r(p(wu, A, B), p(uu, A, B), {A < B}, 11).
r(p(wu, A, B), p(uu, A, B), {B = 0}, 12).
r(p(uu, A, B), p(tu, Ap, B), {Ap = 0}, 13).
r(p(tt, A, B), p(tw, A, Bp), {Bp = A+1}, 14).
r(p(tw, A, B), p(tu, A, B), {B < A}, 15).
r(p(tw, A, B), p(tu, A, B), {A = 0}, 16).
r(p(tu, A, B), p(tt, A, Bp), {Bp = 0}, 17).
r(p(wt, A, B), p(ww, A, Bp), {Bp = A+1}, 18).
r(p(ww, A, B), p(wu, A, B), {B < A}, 19).
r(p(ww, A, B), p(wu, A, B), {A = 0}, 20).
r(p(wu, A, B), p(wt, A, Bp), {Bp = 0}, 21).
r(p(ut, A, B), p(uw, A, Bp), {Bp = A+1}, 22).
r(p(uw, A, B), p(uu, A, B), {B < A}, 23).
r(p(uw, A, B), p(uu, A, B), {A = 0}, 24).
r(p(uu, A, B), p(ut, A, Bp), {Bp = 0}, 25).

s(0, p(uu, A, B), {}, 1, (0,0)).

b(p(tt, _, _), {}, 1).
b(p(tw, _, _), {}, 2).
b(p(tu, _, _), {}, 3).
b(p(wt, _, _), {}, 4).
b(p(ww, _, _), {}, 5).
b(p(wu, _, _), {}, 6).
b(p(ut, _, _), {}, 7).
b(p(uw, _, _), {}, 8).
b(p(uu, _, _), {}, 9).
