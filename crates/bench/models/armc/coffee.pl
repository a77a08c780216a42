% A coffee machine as a timed automaton. The error is the coffee that is there within 15 seconds and
% was paid for: that it can be reached is what is wanted.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, C1, C2, E, W, Paid, Price), p(pay, C1, C2, Ep, W, Paid, Price), {}, 1).
r(p(pay, C1, C2, E, W, Paid, Price), p(pay, C1, C2, Ep, W, Paidp, Price), {Paid < Price, N >= 0, Paidp = Paid+N}, 2).
r(p(pay, C1, C2, E, W, Paid, Price), p(button, C1, C2p, Ep, Wp, Paid, Price), {Paid >= Price, C2p = 0, Ep = 0, Wp = 0}, 3).
r(p(button, C1, C2, E, W, Paid, Price), p(cup, C1p, C2, Ep, W, Paid, Price), {C2 < 15, E > 0, C1p = 0, Ep = 0}, 4).
r(p(cup, C1, C2, E, W, Paid, Price), p(coffee, C1, C2, Ep, W, Paid, Price), {C1 >= 2, C2 < 15, E > 0, Ep = 0}, 5).
r(p(init, C1, C2, E, W, Paid, Price), p(init, C1p, C2p, Ep, Wp, Paid, Price), {C1p = C1+1, C2p = C2+1, Ep = E+1, Wp = W+1}, 10).
r(p(pay, C1, C2, E, W, Paid, Price), p(pay, C1p, C2p, Ep, Wp, Paid, Price), {C1p = C1+1, C2p = C2+1, Ep = E+1, Wp = W+1}, 11).
r(p(button, C1, C2, E, W, Paid, Price), p(button, C1p, C2p, Ep, Wp, Paid, Price), {C1p = C1+1, C2p = C2+1, Ep = E+1, Wp = W+1}, 12).
r(p(cup, C1, C2, E, W, Paid, Price), p(cup, C1p, C2p, Ep, Wp, Paid, Price), {C1p = C1+1, C2p = C2+1, Ep = E+1, Wp = W+1}, 13).
r(p(coffee, C1, C2, E, W, Paid, Price), p(coffee, C1p, C2p, Ep, Wp, Paid, Price), {C1p = C1+1, C2p = C2+1, Ep = E+1, Wp = W+1}, 14).

s(0, p(coffee, C1, C2, E, W, Paid, Price), {W =< 15}, 1, (0,0)).

b(p(pay, _, _, _, _, _, _), {}, 1).
b(p(button, _, _, _, _, _, _), {}, 2).
b(p(cup, _, _, _, _, _, _), {}, 3).
b(p(coffee, _, _, _, _, _, _), {}, 4).
