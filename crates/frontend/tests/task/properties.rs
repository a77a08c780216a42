//! `.prp` files.

use base::SourceMap;
use proviso_frontend::task::{Coverage, Property, PropertyKind};

fn parse(text: impl AsRef<[u8]>) -> Result<Property, Vec<String>> {
    let mut sources = SourceMap::new();
    let file = sources.add("p.prp", text.as_ref().to_vec()).expect("a short text");
    Property::parse(&sources, file).map_err(|diagnostics| {
        let line = |diagnostic: &base::Diagnostic| {
            let at = sources.position(diagnostic.span.expect("a place"));
            format!("{}:{} {}", at.line, at.column, diagnostic.message)
        };
        diagnostics.iter().map(line).collect()
    })
}

#[test]
fn every_property_of_the_competition_is_known() {
    let check = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )\n\n");
    let cases = [
        (check("G ! call(reach_error())"), "unreach-call"),
        (check("G ! call(__VERIFIER_error())"), "unreach-call"),
        (check("G ! label(ERROR)"), "unreach-label"),
        (check("G assert"), "assert"),
        (check("G ! overflow"), "no-overflow"),
        (check("G valid-free"), "valid-free"),
        (check("G valid-deref"), "valid-deref"),
        (check("G valid-memtrack"), "valid-memtrack"),
        (check("G valid-memcleanup"), "valid-memcleanup"),
        (check("F end"), "termination"),
        (check("G ! data-race"), "no-data-race"),
        (check("G ! deadlock"), "no-deadlock"),
        (check("G def-behavior"), "def-behavior"),
        (
            check("G valid-free") + &check("G valid-deref") + &check("G valid-memtrack"),
            "valid-memsafety",
        ),
        (
            "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )".to_owned(),
            "coverage-error-call",
        ),
        ("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_owned(), "coverage-branches"),
        (
            "COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )".to_owned(),
            "coverage-conditions",
        ),
        (
            "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )".to_owned(),
            "coverage-statements",
        ),
    ];
    for (text, name) in cases {
        let property = parse(&text).unwrap_or_else(|messages| panic!("{text}: {messages:?}"));
        assert_eq!(property.name(), name);
        assert_eq!(property.entry, "main");
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(property.text, lines.join(" "));
    }
}

#[test]
fn the_parts_of_a_property_are_kept() {
    let property = parse("CHECK(init(run()),LTL(G!call(fail)))").unwrap();
    assert_eq!(property.entry, "run");
    assert_eq!(property.kind, PropertyKind::UnreachCall { functions: vec!["fail".to_owned()] });
    let text = "// two functions\nCHECK( init(main()), LTL(G ! call(a())) )\n\
                CHECK( init(main()), LTL(G ! call(b())) )";
    let property = parse(text).unwrap();
    assert!(property.is_error_function("a") && property.is_error_function("b"));
    assert!(!property.is_error_function("reach_error"));
    let property = parse("COVER( init(main()), FQL(COVER EDGES(@CALL(f))) )").unwrap();
    assert_eq!(property.kind, PropertyKind::Coverage(Coverage::Call("f".to_owned())));
}

/// The text is one line, in which a comment would take in what follows it.
#[test]
fn the_text_of_a_property_has_no_comments() {
    let text = "# one\nCHECK( init(main()), // two\n  LTL(G ! call(f())) ) # three\n";
    let property = parse(text).unwrap();
    assert_eq!(property.text, "CHECK( init(main()), LTL(G ! call(f())) )");
    assert_eq!(parse(&property.text), Ok(property));
}

#[test]
fn errors_are_what_the_property_says() {
    let given = parse("CHECK( init(main()), LTL(G ! call(reach_error())) )").unwrap();
    assert!(given.is_error_function("reach_error"));
    assert!(!given.is_error_function("__assert_fail"));
    assert!(!given.is_error_label("ERROR"));
    let label = parse("CHECK( init(main()), LTL(G ! label(BAD)) )").unwrap();
    assert!(label.is_error_label("BAD") && !label.is_error_label("ERROR"));
    assert!(!label.is_error_function("reach_error"));
    let overflow = parse("CHECK( init(main()), LTL(G ! overflow) )").unwrap();
    assert!(!overflow.is_reachability() && !overflow.is_error_function("reach_error"));
    let default = Property::default();
    assert_eq!((default.name(), default.entry.as_str()), ("unreach-call", "main"));
    for function in ["reach_error", "__VERIFIER_error", "__assert_fail", "__assert_rtn"] {
        assert!(default.is_error_function(function));
    }
    assert!(!default.is_error_label("ERROR"));
    assert!(!default.is_error_function("abort") && default.is_default() && !given.is_default());
}

#[test]
fn wrong_text_is_pointed_at() {
    let cases = [
        ("", "1:1 expected `CHECK` or `COVER`, found the end of the text"),
        ("\nfoo", "2:1 expected `CHECK` or `COVER`, found `foo`"),
        (
            "CHECK( init(main()), LTL(G ! call(reach_error())) ",
            "1:51 expected `)`, found the end of the text",
        ),
        ("CHECK( init(main), LTL(F end) )", "1:17 expected `(`, found `)`"),
        (
            "CHECK( init(main()), LTL(G ! happy) )",
            "1:30 expected `call`, `label`, `overflow` or another event, found `happy`",
        ),
        (
            "CHECK( init(main()), LTL(G valid) )",
            "1:28 expected `!`, `valid-deref` or another property, found `valid`",
        ),
        ("CHECK( init(main()), LTL(X) )", "1:26 expected `G`, found `X`"),
        (
            "COVER( init(main()), FQL(COVER EDGES(@X)) )",
            "1:39 expected `DECISIONEDGE`, `CALL` or another goal, found `X`",
        ),
        (
            "CHECK( init(main()), LTL(G ! call(\u{fc})) )",
            "1:35 expected a function, found `\u{fc}`",
        ),
        (
            "CHECK( init(main()), LTL(F end) ) CHECK( init(main()), LTL(G ! overflow) )",
            "1:35 statements of different kinds cannot be checked together",
        ),
        (
            "CHECK( init(main()), LTL(F end) ) CHECK( init(f()), LTL(F end) )",
            "1:35 executions cannot start in `main` and `f`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).unwrap_err(), [expected], "{text}");
    }
}

#[test]
fn any_bytes_give_no_panic() {
    let text = b"CHECK( init(main()), LTL(G ! call(reach_error())) )";
    for cut in 0..text.len() {
        let _ = parse(&text[..cut]);
        for byte in [0, b'(', b')', 0xff, 0xc3, b'!', b' '] {
            let mut changed = text.to_vec();
            changed[cut] = byte;
            let _ = parse(&changed);
        }
    }
    let _ = parse("(".repeat(100_000));
}
