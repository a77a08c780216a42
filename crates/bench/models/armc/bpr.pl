% The example of Ball, Podelski and Rajamani: two loops, and an error behind the second.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, X, Y, Z), p(l1, X, Y, Z), {}, 1).
r(p(l1, X, Y, Z), p(l2, Xp, Y, Z), {Xp = 0}, 2).
r(p(l2, X, Y, Z), p(l2, Xp, Y, Z), {X >= 0, Xp = X+1}, 3).
r(p(l2, X, Y, Z), p(l3, X, Y, Z), {X < 0}, 4).
r(p(l3, X, Y, Z), p(l4, X, Y, Z), {Y =:= 25}, 5).
r(p(l4, X, Y, Z), p(l5, X, Y, Z), {Y =\= 25}, 6).
r(p(l5, X, Y, Z), p(l6, X, Y, Zp), {Zp = -1}, 7).
r(p(l6, X, Y, Z), p(l6, X, Y, Zp), {Z =\= 0, Zp = Z-1}, 8).
r(p(l6, X, Y, Z), p(err, X, Y, Zp), {Z =:= 0}, 9).

s(0, p(err, X, Y, Z), {}, 1, (0,0)).

b(p(l1, _, _, _), {}, 1).
b(p(l2, _, _, _), {}, 2).
b(p(l3, _, _, _), {}, 3).
b(p(l4, _, _, _), {}, 4).
b(p(l5, _, _, _), {}, 5).
b(p(l6, _, _, _), {}, 6).
b(p(err, _, _, _), {}, 7).
