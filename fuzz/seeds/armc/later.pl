% the later form
start(pc(entry)).
error(pc(bad)).
cutpoint(pc(loop)).
var2names(p(pc(_), data(A, B)), [(A, 'x'), (B, "y z")]).
r(p(pc(entry), data(A, B)), p(pc(loop), data(AP, BP)), [], [AP = 0, BP = B], 1).
r(p(pc(loop), data(A, B)), p(pc(loop), data(AP, BP)), [A < 10, A + B =< 3.5], [AP = A + 1, BP = -(B) * 2], 2).
r(p(pc(loop), data(A, B)), p(pc(bad), data(A, B)), [A > 10, A =:= B], [], 3).
