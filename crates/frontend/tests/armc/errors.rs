//! Messages, and input that is no model at all.

use proviso_frontend::armc::load;

use crate::render::{Numbers, loaded, messages};

#[test]
fn facts_are_checked() {
    let rest = "\nstart(a). error(e). r(p(a,X), p(e,X), {}, 1).";
    let cases: [(&str, &[&str]); 31] = [
        (
            "foo(1). foo(2). bar.",
            &[
                "1:1 warning: facts `foo/1` are not known and are skipped",
                "1:17 warning: facts `bar/0` are not known and are skipped",
            ],
        ),
        ("refinement(inter). cutpoint(pc(x)). strengthening(x, y).", &[]),
        (":- initialization(main).", &["1:4 warning: this directive is skipped"]),
        ("a :- b.", &["1:1 only facts can be read, not rules"]),
        ("X.", &["1:1 a fact is an atom or a functor"]),
        ("r(1).", &["1:1 `r` does not have 1 arguments"]),
        ("start(X).", &["1:7 the location must not be a variable"]),
        ("start(pc(f(X))).", &["1:7 a label has no variables in it"]),
        ("r(p(L,X), p(e,X), {}, 2).", &["1:3 the location must not be a variable"]),
        ("r(a, p(e,X), {}, 2).", &["1:3 expected a state"]),
        (
            "r(p(a,X,Y), p(e,X), {}, 2).",
            &[
                "1:13 this state has 1 variables, the first one has 2",
                "2:23 this state has 1 variables, the first one has 2",
                "2:31 this state has 1 variables, the first one has 2",
            ],
        ),
        (
            "r(p(a,X), p(e,X), {X > foo}, 2).",
            &["1:24 expected a number or a constraint, found an atom"],
        ),
        ("r(p(a,X), p(e,X), {X + 1}, 2).", &["1:20 expected a constraint"]),
        ("r(p(a,X), p(e,X), {X <= 1}, 2).", &["1:20 `<=` is not known; write `=<`"]),
        (
            "r(p(a,X), p(e,X), {X > foo(1)}, 2).",
            &["1:24 `foo/1` is no operation on such arguments"],
        ),
        ("r(p(a,X), p(e,X), {X > 1/0}, 2).", &["1:24 division by zero"]),
        ("r(p(a,X), p(e,Y), {Y = (X > 1)}, 2).", &["1:25 expected a number"]),
        ("r(p(a,X), p(e,X), [X > 1|T], 2).", &["1:19 this list has no end"]),
        ("r(p(a,X), p(e,X), {}, 2", &["2:1 expected `)`, found `start`"]),
        ("r(p(a,X) p(e,X), {}, 2).", &["1:10 expected `)`, found `p`"]),
        ("r(p(a,X), p(e,X), {X = }, 2).", &["1:24 expected a term, found `}`"]),
        ("x y.", &["1:3 expected an operator or the full stop that ends the clause, found `y`"]),
        (
            "x = y = z.",
            &["1:7 expected an operator or the full stop that ends the clause, found `=`"],
        ),
        ("foo('abc", &["1:5 this quote is not closed on its line"]),
        ("foo(\"abc", &["1:5 this quote is not closed on its line"]),
        ("foo(1e1001).", &["1:5 the exponent of this number is too large"]),
        (&format!("foo({}).", "7".repeat(100_000)), &["1:5 this number has too many digits"]),
        ("foo(\u{fc}).", &["1:5 this character has no meaning here"]),
        (
            "b(p(a,X), {}, 1).",
            &["1:1 warning: facts b/3 are skipped: start/1 says where executions start"],
        ),
        (
            "s(0, p(e,X,Y), {X > Y}, 1, (0,0)).",
            &["1:6 this state has 2 variables, the first one has 1"],
        ),
        (
            "s(0, p(e,X), {X > foo}, 1, (0,0)).",
            &["1:19 expected a number or a constraint, found an atom"],
        ),
    ];
    for (text, expected) in cases {
        let mut found = messages(&loaded(format!("{text}{rest}"), load));
        // A clause without its end swallows what follows.
        found.retain(|message| {
            !message.starts_with("there is no") && !message.starts_with("nothing")
        });
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_program_must_start_and_can_fail() {
    let cases: [(&str, &[&str]); 6] = [
        ("", &["there is no transition, no fact r/4 or r/5"]),
        ("% nothing", &["there is no transition, no fact r/4 or r/5"]),
        ("error(b). r(p(a,X), p(b,X), {}, 1).", &["nothing says where executions start"]),
        ("start(a). r(p(a,X), p(b,X), {}, 1).", &["warning: nothing says which states are errors"]),
        (
            "error(b). r(p(a,X), p(b,X), {}, 1). b(a,{},1). b(b,{},2).",
            &["no state is initial: facts b/3 cover every location"],
        ),
        (
            "error(b). r(p(a,X), p(b,X), {}, 1). b(p(a,X),{X = Y},1). b(b,{},2).",
            &["1:51 this variable is not in the state"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(messages(&loaded(text, load)), expected, "{text}");
    }
}

#[test]
fn several_errors_are_reported_at_once() {
    let text = "start(a). error(b). r(p(a,X), p(b,X), {X > a}, 1).\nfoo(.\nstart(Y).\n";
    let expected = [
        "2:5 expected a term, found the end of the clause",
        "3:7 the location must not be a variable",
        "1:44 expected a number or a constraint, found an atom",
    ];
    assert_eq!(messages(&loaded(text, load)), expected);
    assert_eq!(messages(&loaded("foo(. ".repeat(50), load)).len(), 20);
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("- ", ""), ("\\+ ", "")]
    {
        let text = format!("foo({}x{}).", open.repeat(100_000), close.repeat(100_000));
        let found = messages(&loaded(text, load));
        assert!(found[0].ends_with("nested more than 1000 levels deep"), "{open}: {found:?}");
    }
    let text = format!("foo(a{}).", "^a".repeat(100_000));
    let _ = loaded(text, load);
}

#[test]
fn long_chains_are_read() {
    let sum = vec!["X"; 20_000].join(" + ");
    let all = vec!["X > 1"; 20_000].join(", ");
    let label = vec!["a"; 20_000].join("-");
    let text = format!("start(a). error(e). r(p(a,X), p(e,X), {{{sum} > 1, {all}}}, 1).");
    assert_eq!(messages(&loaded(text, load)), [""; 0]);
    let found = messages(&loaded(format!("start({label})."), load));
    assert_eq!(found[0], "1:7 this label is too long");
}

#[test]
fn any_bytes_give_messages_and_no_panic() {
    for text in [&b"\0"[..], b"\xff\xfe", b"r(\0).", b"/*", b"'", b"0x", b"1.", b".", b"p(a"] {
        assert!(loaded(text, load).diagnostics.has_errors(), "{text:?}");
    }
    let mut numbers = Numbers::new(1);
    for _ in 0..300 {
        let length = numbers.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| numbers.below(256) as u8).collect();
        let _ = loaded(&bytes, load);
    }
}

#[test]
fn mutated_models_give_no_panic() {
    let model = ":- multifile r/5.
        var2names(p(pc(_), data(A, B)), [(A, 'x'), (B, 'y')]).
        globals(p(pc(_), data(A, B)), [(A, x)], [A = 0]).
        start(pc(m-0-1)). error(pc(m-2-1)). b(p(q,_,_), {}, 1). b(p(q,X,Y), {X = 1}, 2).
        r(p(pc(m-0-1), data(A, B)), p(pc(m-1-1), data(Ap, Bp)), [A > 0], [Ap = B, Bp = A], 1).
        r(p(pc(m-1-1), data(A, B)), p(pc(m-2-1), data(Ap, _)), [(A >= 1+ 0)], [Ap >= A + N, N < 1.5e1], 2).
        r(p(q, 0, B), p(q, B + 1, B), {B =\\= 2 ; B = 3}, 3). % text
        s(0, p(q, X, Y), {X = 2 * N, Y =< -N}, 1, (0, 0)). /* more */
        stmtsrc(1, 'it''s'). implicit_updates.";
    assert!(!loaded(model, load).diagnostics.has_errors());
    let pieces = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        ". ",
        "|",
        "'",
        "\"",
        "_",
        "X",
        "1.0e",
        "=",
        ":-",
        "\\+",
        ";",
        "/0",
        "*",
        "99999999999999999999",
        "data(",
        "p(",
        "\0",
        "\u{fc}",
        "/*",
        "%",
        " - ",
    ];
    let mut numbers = Numbers::new(3);
    for _ in 0..4000 {
        let bytes = numbers.mutate(model.as_bytes(), &pieces);
        let _ = loaded(&bytes, load);
    }
}
