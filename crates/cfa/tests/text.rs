//! The text form: what it looks like, that it reads back, that it refuses what it must.

extern crate proviso_cfa as cfa;

mod common;

use cfa::{Program, dot, json, print, text, validate};
use common::{Random, generator, read, refused, small};
use proptest::prelude::*;

/// Everything in a model except its terms and sources, for comparison.
fn parts(program: &Program) -> String {
    let cfa = &program.cfa;
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        cfa.locations,
        cfa.edges,
        cfa.functions,
        cfa.variables,
        cfa.objects,
        cfa.start,
        cfa.address_width,
        cfa.outside,
        cfa.assumptions
    )
}

proptest! {
    #![proptest_config(common::cases(400))]

    #[test]
    fn random_models_read_back_as_they_are(seed: u64) {
        let mut program = generator::model(seed);
        let violations = validate(&program);
        prop_assert!(violations.is_empty(), "{:?}", violations);
        let first = print(&program);
        prop_assert_eq!(&first, &print(&program));
        prop_assert_eq!(&first, &print(&generator::model(seed)));
        let again = read(&first);
        prop_assert_eq!(&first, &print(&again));
        program.canonicalise();
        prop_assert_eq!(parts(&program), parts(&again));
        let files = program.sources.files().skip(1).zip(again.sources.files().skip(1));
        for (old, new) in files {
            prop_assert_eq!(program.sources.name(old), again.sources.name(new));
            prop_assert_eq!(program.sources.text(old), again.sources.text(new));
        }
        // They only have to come to an end, and to say the same of equal models.
        prop_assert_eq!(dot(&program), dot(&again));
        prop_assert_eq!(json(&program), json(&again));
        prop_assert_eq!(text(&program).without_places().to_string(), text(&again).without_places().to_string());
    }

    #[test]
    fn broken_texts_are_refused_without_harm(seed: u64, changes in 1_usize..12) {
        let mut random = Random::new(seed);
        let mut bytes = print(&generator::model(seed % 64)).into_bytes();
        for _ in 0..changes {
            let at = random.below(bytes.len());
            match random.below(5) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, random.pick(b"(){}|\"\\;:=->@[]L09 \n\xffax,#")),
                2 => bytes[at] = random.next() as u8,
                3 => bytes.truncate(at.max(1)),
                _ => {
                    let end = (at + random.below(40)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    let to = random.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let mut sources = base::SourceMap::new();
        let file = sources.add("broken", bytes).unwrap();
        match cfa::parse(sources.clone(), file) {
            Ok(program) => prop_assert!(validate(&program).is_empty()),
            Err(diagnostics) => {
                prop_assert!(diagnostics.has_errors());
                diagnostics.iter().for_each(|one| drop(one.render(&sources)));
            }
        }
    }
}

#[test]
fn deep_nesting_is_no_harm() {
    let open = "(not ".repeat(200_000);
    let deep = format!("model 1\nfunction f() {{ entry L0 exit L1 L0 -> L1 {{ assume {open}");
    assert!(refused(deep.as_bytes()).contains("not closed"));
    let closed = format!("{deep}true{}}} }}", ")".repeat(200_000));
    assert_eq!(read(&closed).cfa.edges.len(), 1);
    let sort =
        format!("model 1 global x: {}Int{}", "(Array Int ".repeat(100_000), ")".repeat(100_000));
    assert!(refused(sort.as_bytes()).contains("deep"));
}

#[test]
fn large_numbers_are_no_harm() {
    for (text, message) in [
        ("model 1 function f() { entry L4000000000 exit L1 }", "1:47: there is no location L0"),
        ("model 1 function f() { entry L0 exit L99999999999 }", "1:38: expected a location"),
        ("model 1 global [4000000000] x: Int", "1:29: this is variable 4000000000, but"),
        ("model 1 global x: (_ BitVec 99999999)", "no such width"),
        ("model 1 address-width 4294967296", "1:23: a number that is too large"),
    ] {
        assert!(refused(text.as_bytes()).contains(message), "{}", refused(text.as_bytes()));
    }
}

#[test]
fn errors_have_places() {
    let f = "model 1\nglobal x: (_ BitVec 8)\nfunction f() {\n  entry L0 exit L1\n  ";
    let check = |rest: &str| refused(format!("{f}{rest}\n}}\n").as_bytes());
    insta::assert_snapshot!(refused(b""), @"1:1: expected `model`, found the end");
    insta::assert_snapshot!(refused(b"model 7"), @"1:7: a form that is not known; this program reads form 1");
    insta::assert_snapshot!(refused(b"model 1\n\n  globl"), @"3:3: expected address-width, outside, start, assumption, global, object, function or source");
    insta::assert_snapshot!(refused(b"model 1\nstart g"), @"2:7: no function is called g");
    insta::assert_snapshot!(refused(b"model 1\nglobal \xff"), @"2:8: a byte that is not UTF-8");
    insta::assert_snapshot!(refused(b"model 1\nassumption external \"no end\n"), @"2:21: a string without end");
    insta::assert_snapshot!(refused(b"model 1\nassumption wrong \"\""), @"2:12: expected a class of assumptions: `external`, `semantics`, `environment`");
    insta::assert_snapshot!(refused(b"model 1\nassumption external \"\" @3:1-2"), @"2:24: a place in a source that is not listed");
    insta::assert_snapshot!(check("L0 -> L1 { assume (bvult x y) }"), @"5:30: unknown symbol `y`");
    insta::assert_snapshot!(check("L0 -> L1 { assume x }"), @"5:3: a condition is not Boolean");
    insta::assert_snapshot!(check("L0 -> L1 { y := x }"), @"5:14: no variable is called y");
    insta::assert_snapshot!(check("L0 -> L1 { x := #x000 }"), @"5:3: an assignment between different sorts");
    insta::assert_snapshot!(check("L0 -> L1 { asume true }"), @"5:14: expected an operation");
    insta::assert_snapshot!(check("L0 -> L3"), @"5:9: there is no location L2, and so there cannot be this one");
    insta::assert_snapshot!(check("L0 -> { }"), @"5:9: expected a location such as `L0`, found `{`");
    insta::assert_snapshot!(check("L0 -> L1 { abort"), @"3:10: a function whose brace is not closed");
    insta::assert_snapshot!(check("[1] L0 -> L1"), @"5:7: this is edge 1, but there is no edge 0");
    insta::assert_snapshot!(check("local x: Bool"), @"5:9: a variable of this name is there already");
    insta::assert_snapshot!(check("L2: error\n  L2 -> L1"), @"5:3: an edge leaves an error location");
    insta::assert_snapshot!(check("L0 -> L1 { call f(x) }"), @"5:3: a call with 1 arguments of a function with 0 parameters");
    insta::assert_snapshot!(check("L0 -> L1 { load x from x }"), @"5:3: the program has no memory");
}

#[test]
fn names_of_edges_are_kept() {
    let written =
        "model 1 function f() { entry L0 exit L1 L0 -> L1 \"rule 7\" { assume true } L0 -> L1 }";
    let program = read(written);
    let again = read(&text(&program).to_string());
    for program in [&program, &again] {
        let names: Vec<Option<&str>> =
            program.cfa.edges.iter().map(|edge| edge.name.as_deref()).collect();
        assert_eq!(names, [Some("rule 7"), None]);
    }
}

#[test]
fn hand_written_texts_are_free_in_form() {
    let program = read(
        "model 1 ; a comment
        function g() { entry L2 exit L3 L2->L3 } ; not in order
        function |main|() { local y: Int entry L0 exit L1
            L0 -> L4 { y := (+ y 1) assume (< y 5) } L4 -> L1 }
        start main",
    );
    insta::assert_snapshot!(print(&program));
}

#[test]
fn sources_without_text_are_found_by_name() {
    let text = "model 1\nfunction f() @0:2-4 { entry L0 exit L1 }\nsource \"f.c\"\n";
    let mut sources = base::SourceMap::new();
    let model = sources.add("model", text.as_bytes().to_vec()).unwrap();
    let known = sources.add("f.c", b"\n\nvoid f() {}".to_vec()).unwrap();
    let program = cfa::parse(sources, model).ok().unwrap();
    let span = program.cfa.functions.iter().next().unwrap().span.unwrap();
    assert_eq!(span.file, known);
    assert_eq!(program.sources.describe(span), "f.c:3:1");
}

#[test]
fn text_of_a_small_program() {
    insta::assert_snapshot!(print(&small().program));
}

#[test]
fn text_without_places() {
    insta::assert_snapshot!(text(&small().program).without_places());
}

#[test]
fn dot_of_a_small_program() {
    insta::assert_snapshot!(dot(&small().program));
}

#[test]
fn json_of_a_small_program() {
    insta::assert_snapshot!(serde_json::to_string_pretty(&json(&small().program)).unwrap());
}
