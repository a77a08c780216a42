% Fischer's protocol for two processes with clocks A and B: K says whose turn it is.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, A, B, K), p(aa, Ap, Bp, Kp), {Ap = 0, Bp = 0, Kp = 0}, 1).
r(p(aa, A, B, K), p(ba, Ap, B, K), {K = 0, Ap = 0}, 2).
r(p(ab, A, B, K), p(bb, Ap, B, K), {K = 0, Ap = 0}, 3).
r(p(ac, A, B, K), p(bc, Ap, B, K), {K = 0, Ap = 0}, 4).
r(p(as, A, B, K), p(bs, Ap, B, K), {K = 0, Ap = 0}, 5).
r(p(ba, A, B, K), p(ca, Ap, B, Kp), {A =< 1, Ap = 0, Kp = 1}, 6).
r(p(bb, A, B, K), p(cb, Ap, B, Kp), {A =< 1, Ap = 0, Kp = 1}, 7).
r(p(bc, A, B, K), p(cc, Ap, B, Kp), {A =< 1, Ap = 0, Kp = 1}, 8).
r(p(bs, A, B, K), p(cs, Ap, B, Kp), {A =< 1, Ap = 0, Kp = 1}, 9).
r(p(ca, A, B, K), p(sa, A, B, K), {A >= 2, K = 1}, 10).
r(p(cb, A, B, K), p(sb, A, B, K), {A >= 2, K = 1}, 11).
r(p(cc, A, B, K), p(sc, A, B, K), {A >= 2, K = 1}, 12).
r(p(cs, A, B, K), p(ss, A, B, K), {A >= 2, K = 1}, 13).
r(p(ca, A, B, K), p(aa, A, B, K), {K =\= 1}, 14).
r(p(cb, A, B, K), p(ab, A, B, K), {K =\= 1}, 15).
r(p(cc, A, B, K), p(ac, A, B, K), {K =\= 1}, 16).
r(p(cs, A, B, K), p(as, A, B, K), {K =\= 1}, 17).
r(p(sa, A, B, K), p(aa, A, B, Kp), {Kp = 0}, 18).
r(p(sb, A, B, K), p(ab, A, B, Kp), {Kp = 0}, 19).
r(p(sc, A, B, K), p(ac, A, B, Kp), {Kp = 0}, 20).
r(p(ss, A, B, K), p(as, A, B, Kp), {Kp = 0}, 21).
r(p(aa, A, B, K), p(ab, A, Bp, K), {K = 0, Bp = 0}, 22).
r(p(ba, A, B, K), p(bb, A, Bp, K), {K = 0, Bp = 0}, 23).
r(p(ca, A, B, K), p(cb, A, Bp, K), {K = 0, Bp = 0}, 24).
r(p(sa, A, B, K), p(sb, A, Bp, K), {K = 0, Bp = 0}, 25).
r(p(ab, A, B, K), p(ac, A, Bp, Kp), {B =< 1, Bp = 0, Kp = 2}, 26).
r(p(bb, A, B, K), p(bc, A, Bp, Kp), {B =< 1, Bp = 0, Kp = 2}, 27).
r(p(cb, A, B, K), p(cc, A, Bp, Kp), {B =< 1, Bp = 0, Kp = 2}, 28).
r(p(sb, A, B, K), p(sc, A, Bp, Kp), {B =< 1, Bp = 0, Kp = 2}, 29).
r(p(ac, A, B, K), p(as, A, B, K), {B >= 2, K = 2}, 30).
r(p(bc, A, B, K), p(bs, A, B, K), {B >= 2, K = 2}, 31).
r(p(cc, A, B, K), p(cs, A, B, K), {B >= 2, K = 2}, 32).
r(p(sc, A, B, K), p(ss, A, B, K), {B >= 2, K = 2}, 33).
r(p(ac, A, B, K), p(aa, A, B, K), {K =\= 2}, 34).
r(p(bc, A, B, K), p(ba, A, B, K), {K =\= 2}, 35).
r(p(cc, A, B, K), p(ca, A, B, K), {K =\= 2}, 36).
r(p(sc, A, B, K), p(sa, A, B, K), {K =\= 2}, 37).
r(p(as, A, B, K), p(aa, A, B, Kp), {Kp = 0}, 38).
r(p(bs, A, B, K), p(ba, A, B, Kp), {Kp = 0}, 39).
r(p(cs, A, B, K), p(ca, A, B, Kp), {Kp = 0}, 40).
r(p(ss, A, B, K), p(sa, A, B, Kp), {Kp = 0}, 41).

s(0, p(ss, A, B, K), {}, 1, (0,0)).

b(p(aa, _, _, _), {}, 1).
b(p(ab, _, _, _), {}, 2).
b(p(ac, _, _, _), {}, 3).
b(p(as, _, _, _), {}, 4).
b(p(ba, _, _, _), {}, 5).
b(p(bb, _, _, _), {}, 6).
b(p(bc, _, _, _), {}, 7).
b(p(bs, _, _, _), {}, 8).
b(p(ca, _, _, _), {}, 9).
b(p(cb, _, _, _), {}, 10).
b(p(cc, _, _, _), {}, 11).
b(p(cs, _, _, _), {}, 12).
b(p(sa, _, _, _), {}, 13).
b(p(sb, _, _, _), {}, 14).
b(p(sc, _, _, _), {}, 15).
b(p(ss, _, _, _), {}, 16).
