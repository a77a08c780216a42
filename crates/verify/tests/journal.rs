//! One journal for the runs on several programs.

#![allow(missing_docs)]

use proviso_verify::{Analysis, Config, Verdict, verify};

/// A program of so many loops, of which each may lead to an error.
fn program(loops: usize) -> cfa::Program {
    let body = "for (int i = 0; i != in(); i++) { if (i == 1000) reach_error(); }\n".repeat(loops);
    let text = format!(
        "extern int in(void); extern void reach_error(void);\nint main(void) {{\n{body}}}\n"
    );
    frontend::load_text("a.c", &text, &frontend::Options::default()).program
}

#[test]
fn what_stages_say_of_places_is_not_told_of_another_program() {
    let solver = || Box::new(smt::Builtin::new()) as Box<dyn smt::FullSolver>;
    let config =
        Config { analysis: Analysis::Bmc, unroll: Some(2), simplify: true, ..Config::default() };
    let first = verify(&program(9), &config, &solver);
    assert!(first.stages.iter().any(|stage| stage.bound.is_some()));
    let second = verify(&program(1), &config, &solver);
    assert!(matches!(second.verdict, Verdict::Unknown(_)));
    let bounds: Vec<bool> = second.stages.iter().map(|stage| stage.bound.is_some()).collect();
    assert_eq!(bounds, [false, true]);
}
