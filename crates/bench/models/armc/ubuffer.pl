% A producer and a consumer with an unbounded buffer that holds B items: it never gives what
% it does not have. H items are in the producer's hands, X were sent, Y were received.
% A location says who is idle and who is busy.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, X, Y, B, H), p(ii, Xp, Yp, Bp, Hp), {Xp = 0, Yp = 0, Bp = 0, Hp = 0}, 1).
r(p(ii, X, Y, B, H), p(bi, X, Y, B, Hp), {Hp = H+1}, 2).
r(p(bi, X, Y, B, H), p(ii, Xp, Y, Bp, Hp), {H >= 1, Xp = X+1, Bp = B+1, Hp = H-1}, 3).
r(p(ib, X, Y, B, H), p(bb, X, Y, B, Hp), {Hp = H+1}, 4).
r(p(bb, X, Y, B, H), p(ib, Xp, Y, Bp, Hp), {H >= 1, Xp = X+1, Bp = B+1, Hp = H-1}, 5).
r(p(ii, X, Y, B, H), p(ib, X, Y, Bp, H), {B >= 1, Bp = B-1}, 6).
r(p(ib, X, Y, B, H), p(ii, X, Yp, B, H), {Yp = Y+1}, 7).
r(p(bi, X, Y, B, H), p(bb, X, Y, Bp, H), {B >= 1, Bp = B-1}, 8).
r(p(bb, X, Y, B, H), p(bi, X, Yp, B, H), {Yp = Y+1}, 9).

s(0, p(ii, X, Y, B, H), {B =< -1}, 1, (0,0)).
s(0, p(ib, X, Y, B, H), {B =< -1}, 2, (0,0)).
s(0, p(bi, X, Y, B, H), {B =< -1}, 3, (0,0)).
s(0, p(bb, X, Y, B, H), {B =< -1}, 4, (0,0)).

b(p(ii, _, _, _, _), {}, 1).
b(p(ib, _, _, _, _), {}, 2).
b(p(bi, _, _, _, _), {}, 3).
b(p(bb, _, _, _, _), {}, 4).
