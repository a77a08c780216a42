//! The models of Rybalchenko's thesis: §5.2.1 and appendix A.

use proviso_frontend::armc::load;

use crate::render::{loaded, messages, program, variables};

/// §5.2.1, with primes written as `p`.
#[test]
fn the_example_of_the_manual() {
    let text = "
        :- multifile s/5.
        :- multifile r/4.
        :- multifile b/3.
        r(p(init, X), p(plus, Xp), {Xp = 0}, 1).
        r(p(plus, X), p(plus, Xp), {X < 3, Xp = X + 1}, 2).
        r(p(plus, X), p(error, X), {X >= 3}, 3).
        b(plus, {}, 1).
        b(error, {}, 2).
        s(0, p(error, X), {}, 1, (0,0)).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    assert_eq!(variables(&model.program), ["X : Real"]);
    let expected = "\
main: entry init, exit L1, errors [error]
init -> plus: X := 0.0
plus -> plus: assume (< X 3.0); X := (+ X 1.0)
plus -> error: assume (<= 3.0 X)
";
    assert_eq!(program(&model.program), expected);
}

/// A.1: labels are numbers, `:=` is an equation on either side, and Z is open in the last step.
#[test]
fn bpr() {
    let text = "
        :- multifile s/5.
        :- multifile r/4.
        :- multifile b/3.
        r(p(init,X,Y,Z), p(11,X,Y,Z), {}, 10).
        r(p(11,X,Y,Z), p(12,X1,Y,Z), {X1:= 0}, 1). % C1
        r(p(12,X,Y,Z), p(12,X1,Y,Z), {X>= 0,X1=X+1}, 2). % C2
        r(p(12,X,Y,Z), p(13,X,Y,Z), {X<0}, 3). % C3
        r(p(13,X,Y,Z), p(14,X,Y,Z), {Y:= 25}, 4). % C4
        r(p(14,X,Y,Z), p(15,X,Y,Z), {Y=\\= 25}, 5). % C5
        r(p(15,X,Y,Z), p(16,X,Y,Z1), {Z1:= -1}, 6). % C6
        r(p(16,X,Y,Z), p(16,X,Y,Z1), {Z=\\= 0,Z1=Z-1}, 7). % C7
        r(p(16,X,Y,Z), p(err,X,Y,Z1), {Z:= 0}, 8). % C8
        s(0, p(err,X,Y,Z), {}, 1, (0,0)).
        b(p(11, _, _, _), {}, 0).
        b(p(12, _, _, _), {}, 1).
        b(p(13, _, _, _), {}, 2).
        b(p(14, _, _, _), {}, 3).
        b(p(15, _, _, _), {}, 4).
        b(p(16, _, _, _), {}, 5).
        b(p(17, _, _, _), {}, 6).
        b(p(18, _, _, _), {}, 7).
        b(p(err, _, _, _), {}, 8).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let expected = "\
main: entry init, exit L1, errors [err]
init -> 11: 
11 -> 12: X := 0.0
12 -> 12: assume (<= 0.0 X); X := (+ X 1.0)
12 -> 13: assume (< X 0.0)
13 -> 14: assume (= Y 25.0)
14 -> 15: assume (not (= Y 25.0))
15 -> 16: Z := (- 1.0)
16 -> 16: assume (not (= Z 0.0)); Z := (+ Z (- 1.0))
16 -> err: assume (= Z 0.0); havoc Z
";
    assert_eq!(program(&model.program), expected);
}

/// A.2: unsafe states are constrained, so each leads to an error location of its own.
#[test]
fn insertion_sort() {
    let text = "
        :- multifile s/5.
        :- multifile r/4.
        :- multifile b/3.
        r(p(init,K,N,I),    p(for,K1,N,I),    {K1= 1.0},  1).
        r(p(for,K,N,I),     p(entryA1,K,N,I), {K=<N-1.0}, 2).
        r(p(entryA1,K,N,I), p(while,K,N,I1),  {I1=K-1.0}, 3).
        r(p(while,K,N,I),   p(entryA2,K,N,I), {I>= 0.0},  5).
        r(p(entryA2,K,N,I), p(while,K,N,I1),  {I1=I-1.0}, 6).
        r(p(while,K,N,I),   p(entryA3,K,N,I), {I=< -1.0}, 7).
        r(p(entryA3,K,N,I), p(for,K1,N,I),    {K1=K+1.0}, 8).
        r(p(for,K,N,I),     p(end,K,N,I),     {K>=N},     9).
        s(0, p(entryA1,K,N,I), {K>=N},      1, (0,0)).
        s(0, p(entryA1,K,N,I), {K=< -1.0},  2, (0,0)).
        s(0, p(entryA3,K,N,I), {I>=N-1.0},  3, (0,0)).
        s(0, p(entryA3,K,N,I), {I=< -2.0},  4, (0,0)).
        s(0, p(entryA2,K,N,I), {I=< -1.0},  5, (0,0)).
        s(0, p(entryA2,K,N,I), {I=< -2.0},  6, (0,0)).
        s(0, p(entryA2,K,N,I), {I>=N-1.0},  7, (0,0)).
        s(0, p(entryA2,K,N,I), {I>=N},      8, (0,0)).
        b(p(for,_,_,_), {}, 2).
        b(p(entryA1,_,_,_), {}, 3).
        b(p(while,_,_,_), {}, 4).
        b(p(entryA2,_,_,_), {}, 5).
        b(p(entryA3,_,_,_), {}, 6).
        b(p(end,_,_,_), {}, 7).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let text = program(&model.program);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 8 + 8);
    assert_eq!(
        lines[0],
        "main: entry init, exit L1, errors [unsafe 1, unsafe 2, unsafe 3, unsafe 4, unsafe 5, \
         unsafe 6, unsafe 7, unsafe 8]"
    );
    assert_eq!(lines[1], "init -> for: K := 1.0");
    assert_eq!(lines[3], "entryA1 -> while: I := (+ K (- 1.0))");
    assert_eq!(lines[9], "entryA1 -> unsafe 1: assume (<= N K)");
    assert_eq!(lines[16], "entryA2 -> unsafe 8: assume (<= N I)");
}

/// A.3: N is in neither state, Ep is open, and the facts b/3 lack a variable as printed.
#[test]
fn coffee_machine() {
    let text = "
        :- multifile s/5.
        :- multifile r/4.
        :- multifile b/3.
        r(p(init, C1, C2, E, W, Paid, Price),
          p(pay, C1, C2, Ep, W, Paid, Price),
          {}, 1). % from init to pay
        r(p(pay, C1, C2, E, W, Paid, Price),
          p(pay, C1, C2, Ep, W, Paidp, Price),
          {Paid < Price, Paidp := Paid + N, N >= 0}, 2).
        r(p(pay, C1, C2, E, W, Paid, Price),
          p(button, C1, C2p, Ep, Wp, Paid, Price),
          {Paid >= Price, C2p:=0, Ep:=0, Wp:=0}, 3).
        r(p(button, C1, C2, E, W, Paid, Price),
          p(cup, C1p, C2, Ep, W, Paid, Price),
          {C2 < 15, E > 0, C1p:=0, Ep:=0}, 4).
        r(p(cup, C1, C2, E, W, Paid, Price),
          p(coffee, C1, C2, Ep, W, Paid, Price),
          {C1 >= 2, C2 < 15, E > 0, Ep:=0}, 5).
        r(p(init, C1, C2, E, W, Paid, Price),
          p(init, C1p, C2p, Ep, Wp, Paid, Price),
          {C1p:=C1+1, C2p:=C2+1, Ep:=E+1, Wp:=W+1}, 10).
        s(0, p(coffee, C1, C2, E, W, Paid, Price), {W =< 15}, 1, (0,0)).
        b(p(pay,_,_,_,_,_), {}, 2).
        b(p(button,_,_,_,_,_), {}, 3).
        b(p(cup,_,_,_,_,_), {}, 4).
        b(p(coffee,_,_,_,_,_), {}, 5).";
    let model = loaded(text, load);
    let found = messages(&model);
    assert_eq!(found.len(), 4);
    assert_eq!(found[0], "24:11 warning: this state has 5 variables, the first one has 6");
    assert_eq!(
        variables(&model.program),
        [
            "C1 : Real",
            "C2 : Real",
            "E : Real",
            "W : Real",
            "Paid : Real",
            "Price : Real",
            "N : Real"
        ]
    );
    let expected = "\
main: entry init, exit L1, errors [unsafe 1]
init -> pay: havoc E
pay -> pay: assume (< Paid Price); havoc N; assume (<= 0.0 N); Paid := (+ Paid N); havoc E
pay -> button: assume (<= Price Paid); C2 := 0.0; E := 0.0; W := 0.0
button -> cup: assume (< C2 15.0); assume (< 0.0 E); C1 := 0.0; E := 0.0
cup -> coffee: assume (<= 2.0 C1); assume (< C2 15.0); assume (< 0.0 E); E := 0.0
init -> init: C1 := (+ C1 1.0); C2 := (+ C2 1.0); E := (+ E 1.0); W := (+ W 1.0)
coffee -> unsafe 1: assume (<= W 15.0)
";
    assert_eq!(program(&model.program), expected);
}

/// A.4 as printed: 41 rules, and no b/3 for the unsafe location.
#[test]
fn fischer() {
    let mut text = ":- multifile s/5.\n:- multifile r/4.\n:- multifile b/3.\n".to_owned();
    text += "r(p(init,A,B,K), p(aa,A1,B1,K1), {K1= 0.0,A1= 0.0,B1= 0.0}, 0).\n";
    // Each block of the appendix is one step of one process, for every place of the other.
    let steps = [
        ("a", "b", "K= 0.0, T1= 0.0", "T1", "K"),
        ("b", "c", "T=< 1.0, T1= 0.0, K1= ID", "T1", "K1"),
        ("c", "s", "T>= 2.0, K= ID", "T", "K"),
        ("c", "a", "K=\\= ID", "T", "K"),
        ("s", "a", "K1= 0.0", "T", "K1"),
    ];
    let mut number = 10;
    for process in ["A", "B"] {
        for (from, to, action, clock, lock) in steps {
            for other in ["a", "b", "c", "s"] {
                number += 1;
                let id = if process == "A" { "1.0" } else { "2.0" };
                let action = action.replace("ID", id).replace('T', process);
                let clock = clock.replace('T', process);
                let rule = if process == "A" {
                    format!("r(p({from}{other},A,B,K), p({to}{other},{clock},B,{lock})")
                } else {
                    format!("r(p({other}{from},A,B,K), p({other}{to},A,{clock},{lock})")
                };
                text += &format!("{rule}, {{{action}}}, {number}).\n");
            }
        }
    }
    text += "s(0, p(ss,A,B,K), {}, 1, (0,0)).\n";
    let places =
        ["aa", "ba", "ab", "bb", "ac", "bc", "as", "bs", "ca", "cb", "cc", "cs", "sa", "sb", "sc"];
    for (index, place) in places.iter().enumerate() {
        text += &format!("b(p({place},_,_,_), {{}}, {}).\n", index + 2);
    }
    let model = loaded(&text, load);
    let expected = "the location ss is unsafe and no b/3 says that it is not initial; it is taken \
                    as not initial";
    assert_eq!(messages(&model), [format!("45:1 warning: {expected}")]);
    assert_eq!(model.program.cfa.assumptions[0].text, expected);
    let text = program(&model.program);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 41 + 1);
    assert_eq!(lines[0], "main: entry init, exit L1, errors [unsafe 1]");
    // Transitions leave the unsafe location, so another one stands for the error.
    assert_eq!(lines[42], "ss -> unsafe 1: ");
    assert_eq!(lines[1], "init -> aa: A := 0.0; B := 0.0; K := 0.0");
    assert_eq!(lines[2], "aa -> ba: assume (= K 0.0); A := 0.0");
    assert_eq!(lines[6], "ba -> ca: assume (<= A 1.0); A := 0.0; K := 1.0");
    assert_eq!(lines[14], "ca -> aa: assume (not (= K 1.0))");
}
