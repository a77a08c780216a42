:- multifile r/4, s/5, b/3.
r(p(start, X, Y), p(l1, X1, Y), {X >= 0, X1 = X + 2 * Y - 1/3}, 1).
r(p(l1, X, Y), p(l1, X, Y1), {Y1 > Y, Y1 =< Y + Z, Y =\= 2}, 2).
r(p(l1, X, Y), p(bad, X, Y), {X < 0.5}, 3).
b(p(l1, _, _), {}, 0).
b(bad, {}, 1).
s(0, p(bad, X, Y), {Y > 1}, 1, (0, 0)).
