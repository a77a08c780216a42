//! `--analysis backward` in the words of ARMC's files: rule ids, labels, paths by number, each iteration.

#![allow(missing_docs)]

mod common;

use common::Folder;
use serde_json::Value;

/// Rules that are numbered as nobody would count them.
const LOOP: &str = "\
r(p(init, X, Y), p(head, Xp, Yp), {Xp = 0, Yp = 0}, 7).
r(p(head, X, Y), p(head, Xp, Yp), {X < 10, Xp = X+1, Yp = Y+1}, 11).
r(p(head, X, Y), p(done, X, Y), {X >= 10}, 23).
s(0, p(done, X, Y), {Y < 0}, 4, (0,0)).
b(p(head, _, _), {}, 1).
b(p(done, _, _), {}, 2).
";

fn check(folder: &Folder, more: &str) -> common::Done {
    let line = format!("check loop.pl --analysis backward {more}");
    folder.run(&line.split_ascii_whitespace().collect::<Vec<_>>())
}

fn folder() -> Folder {
    Folder::new().with("loop.pl", LOOP)
}

#[test]
fn rules_and_unsafe_states_have_the_numbers_of_the_file() {
    let done = check(&folder(), "--print all");
    assert_eq!(done.last_line(), "Verification result: TRUE", "{}", done.err);
    for part in ["done: Y < 0 [unsafe 4]", "[command 23 to state 1]", "Predicates: ", "R = "] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    let shown = done.out.contains("command 1 ") || done.out.contains("command 3 ");
    assert!(!shown, "numbers of our own: {}", done.out);
}

#[test]
fn figures_are_in_the_statistics() {
    let done = check(&folder(), "--stats=json");
    let line = done.err.lines().find(|line| line.starts_with('{')).expect("statistics");
    let spent: Value = serde_json::from_str(line).expect("an object");
    assert_eq!((&spent["C"], &spent["V"]), (&Value::from(3), &Value::from(2)));
    for letter in ["R", "I", "P", "G"] {
        assert!(spent[letter].is_u64(), "{letter}: {line}");
    }
}

#[test]
fn each_iteration_and_a_path_can_be_seen() {
    let done = check(&folder(), "--print iterations --print-path 2,99 --print-concrete-path 1");
    assert!(done.out.contains("Iteration 0, new predicates: 0\n"), "{}", done.out);
    assert!(done.out.contains("The abstract fixpoint does not reach the start"), "{}", done.out);
    assert!(
        done.out.contains("Path from the abstract state 2:\n  2 (step 1) head: "),
        "{}",
        done.out
    );
    assert!(
        done.out.contains("Path from the concrete state 1:\n  1 (step 0) done: Y < 0 [unsafe 4]")
    );
    assert!(done.err.contains("warning: there is no abstract state 99"), "{}", done.err);
}

#[test]
fn the_figure_of_the_thesis_is_followed_to_the_letter() {
    // The unsafe states have the only predicate that is needed, so that no refinement is.
    let done = check(&folder(), "--profile method1 --print stats");
    assert!(done.out.contains("R = 0 (refinements)"), "{}", done.out);
    assert_eq!(done.last_line(), "Verification result: TRUE");
    let done = check(&folder(), "--print stats");
    assert!(done.out.contains("R = 1 (refinements)"), "{}", done.out);
    let idle = folder().run(&["check", "loop.pl", "--analysis", "bmc", "--profile", "method1"]);
    assert!(
        idle.err.contains("--profile method1 has no effect with --analysis bmc"),
        "{}",
        idle.err
    );
}

#[test]
fn a_counterexample_names_rules_and_labels() {
    let folder = Folder::new().with("loop.pl", LOOP.replace("{Y < 0}", "{Y > 9}"));
    let done = check(&folder, "");
    assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{}", done.out);
    assert!(done.out.contains("rule 7: init -> head"), "{}", done.out);
    assert!(done.out.contains("rule 23: head -> done"), "{}", done.out);
    assert!(done.out.contains("Error: unsafe 4 is reached at loop.pl:4:1"), "{}", done.out);
}

/// The last steps of what is told: a line for each fixpoint that reaches the start.
#[test]
fn each_refinement_is_a_line_of_the_log() {
    for (unsafe_, verdict, results) in
        [("{Y < 0}", "TRUE", &["excluded"][..]), ("{Y > 9}", "FALSE (unreach-call)", &["feasible"])]
    {
        let folder = Folder::new().with("loop.pl", LOOP.replace("{Y < 0}", unsafe_));
        let done = check(&folder, "--log log.jsonl --stats=json -v");
        assert_eq!(done.last_line(), format!("Verification result: {verdict}"));
        assert!(!done.err.contains("no effect"), "{}", done.err);
        let text = folder.read("log.jsonl");
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
        let spent = done.err.lines().find(|line| line.starts_with('{')).expect("statistics");
        let spent: Value = serde_json::from_str(spent).expect("an object");
        assert_eq!(lines.len() as u64, spent["R"], "{text}");
        let last = lines.last().expect("a line");
        let said: Vec<&Value> = lines.iter().map(|line| &line["result"]).collect();
        assert_eq!(said.last(), Some(&&Value::from(results[0])), "{text}");
        let path = last["path"].as_array().expect("a path");
        let places: Vec<&str> = path.iter().filter_map(|node| node["location"].as_str()).collect();
        assert_eq!((places.first(), places.last()), (Some(&"init"), Some(&"done")), "{text}");
        assert!(path[1]["by"].as_str().is_some_and(|by| by.starts_with("rule 7: ")), "{text}");
        let learned = lines[0]["learned"].as_array().expect("a list");
        let what = if verdict == "TRUE" { "Y < 0" } else { "Y > 9" };
        assert!(
            learned.iter().any(|new| new["what"] == what && new["location"] == "done"),
            "{text}"
        );
        assert!(done.err.contains("path 1, ") && done.err.contains(&format!("learned {what} at ")));
    }
    let done = check(&folder(), "--arg g.dot");
    assert!(done.err.contains("--arg has no effect with --analysis backward"), "{}", done.err);
}

#[test]
fn invariants_are_short() {
    let done = check(&folder(), "");
    let told: Vec<&str> = done.out.lines().filter(|line| line.starts_with("invariant: ")).collect();
    assert_eq!(told, ["invariant: loop.pl:1:20: Y >= 0"], "{}", done.out);
    // Two unsafe states, one beside the other: what is neither is said by one comparison.
    let two =
        LOOP.replace("s(0, p(done", "s(0, p(done, X, Y), {Y = 0, X = -1}, 5, (0,0)).\ns(0, p(done");
    let two = two.replace("{Y < 0}", "{Y < 0, X = -1}");
    let done = check(&Folder::new().with("loop.pl", two), "--atomics local");
    assert!(done.out.contains("Verification result: TRUE"), "{}", done.out);
    assert!(!done.out.contains("Y != 0"), "{}", done.out);
}
