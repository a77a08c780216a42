//! `proviso solve` on files.

mod common;

use common::Folder;

const SAT: &str = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(declare-const |a b| Bool)\n\
                   (assert (and |a b| (= (bvadd x #x01) #x07)))\n(check-sat)\n";

#[test]
fn answers_are_lines() {
    let unsat = "(push 1)(assert (= #x01 x))(check-sat)(pop 1)(check-sat)";
    let folder = Folder::new().with("a.smt2", format!("{SAT}{unsat}"));
    let done = folder.run(&["solve", "a.smt2"]);
    assert_eq!((done.code, done.out.as_str()), (0, "sat\nunsat\nsat\n"), "{}", done.err);
}

#[test]
fn a_model_names_the_symbols() {
    let folder = Folder::new().with("a.smt2", SAT);
    let done = folder.run(&["solve", "--model", "a.smt2"]);
    let expected =
        "sat\n(\n  (define-fun x () (_ BitVec 8) #x06)\n  (define-fun |a b| () Bool true)\n)\n";
    assert_eq!((done.code, done.out.as_str()), (0, expected), "{}", done.err);
}

#[test]
fn recorded_queries_are_solved_again() {
    let folder = Folder::new().with("a.smt2", SAT);
    let done = folder.run(&["solve", "a.smt2", "--record-queries", "queries"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let done = folder.run(&["solve", "--model", "queries/000001.smt2"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("(define-fun |a b| () Bool true)"), "{}", done.out);
    // The folder cannot be made where a file is.
    let done = folder.run(&["solve", "a.smt2", "--record-queries", "a.smt2"]);
    assert_eq!(done.code, 64);
}

#[test]
fn what_is_not_known_is_said_with_its_reason() {
    let text = "(declare-const x (_ FloatingPoint 8 24))(declare-const y (_ FloatingPoint 8 24))\n\
                (assert (= (fp.fmod x y) (fp.fmod y x)))(assert (not (= x y)))(check-sat)";
    let folder = Folder::new().with("a.smt2", text);
    let done = folder.run(&["solve", "a.smt2", "--timelimit", "0s"]);
    assert_eq!((done.code, done.out.as_str()), (20, "unknown\n"), "{}", done.err);
    assert!(done.err.starts_with("unknown: "), "{}", done.err);
    let done = folder.run(&["solve", "a.smt2", "--solver", "no-such-solver"]);
    assert_eq!(done.code, 64);
    assert!(done.err.contains("no-such-solver"), "{}", done.err);
}

#[test]
fn a_wrong_status_is_noticed() {
    let folder = Folder::new().with("a.smt2", "(set-info :status unsat)(check-sat)");
    let done = folder.run(&["solve", "a.smt2"]);
    assert_eq!((done.code, done.out.as_str()), (0, "sat\n"));
    assert!(done.err.contains("warning: the file says otherwise"), "{}", done.err);
}

#[test]
fn unreadable_input_is_shown_at_its_place() {
    let folder = Folder::new()
        .with("a.smt2", "(declare-const x Bool)\n(assert (and x z))\n")
        .with("b.smt2", b"(assert \xff)");
    let done = folder.run(&["solve", "a.smt2"]);
    assert_eq!((done.code, done.out.as_str()), (65, ""));
    let expected = "error: unknown symbol `z`\n  --> a.smt2:2:16\n  |\n2 | (assert (and x z))\n  |                ^\n";
    assert_eq!(done.err, expected);
    assert_eq!(folder.run(&["solve", "b.smt2"]).code, 65);
    assert_eq!(folder.run(&["solve", "missing.smt2"]).code, 65);
}

#[test]
fn values_are_told_where_the_file_asks_for_them() {
    let text = "(set-option :produce-models true)(declare-const x (_ BitVec 8))(assert (= x #x05))\
        (get-model)(check-sat)(get-value (x (bvadd x\n  #x01)))(push 1)(declare-const y Bool)\
        (assert y)(check-sat)(get-model)(assert (not y))(get-value (y))(check-sat)(pop 1)\
        (check-sat)(get-model)(echo \"done\")";
    let folder = Folder::new().with("a.smt2", text);
    let done = folder.run(&["solve", "a.smt2"]);
    let x = "  (define-fun x () (_ BitVec 8) #x05)\n";
    let none = "(error \"there is no model: the last answer was not sat\")\n";
    let expected = format!(
        "{none}sat\n((x #x05)\n ((bvadd x #x01) #x06))\nsat\n(\n{x}  (define-fun y () Bool true)\n)\n\
         {none}unsat\nsat\n(\n{x})\ndone\n"
    );
    assert_eq!((done.code, done.out.as_str()), (0, expected.as_str()), "{}", done.err);
}
