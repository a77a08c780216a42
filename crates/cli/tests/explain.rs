//! `proviso explain`.

#![allow(missing_docs)]

mod common;

use common::Folder;

const DONE: i32 = 0;
const USAGE: i32 = 64;

/// The names in a list, which are what stands before two spaces.
fn names(list: &str) -> Vec<&str> {
    let rows = list.lines().filter_map(|line| line.strip_prefix("  "));
    let rows = rows.filter(|row| !row.starts_with(' '));
    rows.filter_map(|row| row.split_once("  ")).map(|(name, _)| name).collect()
}

#[test]
fn every_word_of_the_list_is_explained() {
    let folder = Folder::new();
    let list = folder.run(&["explain"]);
    assert_eq!((list.code, list.err.as_str()), (DONE, ""));
    assert!(list.out.lines().all(|line| line.chars().count() <= 90), "{}", list.out);
    let names = names(&list.out);
    for name in verify::Unknown::NAMES {
        assert!(names.contains(&name), "{name} is missing: {}", list.out);
    }
    for name in verify::Engine::NAMES {
        let done = folder.run(&["explain", name]);
        assert_eq!((done.code, done.err.as_str()), (DONE, ""), "{name}");
    }
    for name in ["unreach-call", "valid-deref", "proved", "open", "not reached", "assumption", "k"]
    {
        assert!(names.contains(&name), "{name} is missing: {}", list.out);
    }
    for name in names {
        let done = folder.run(&["explain", name]);
        assert_eq!((done.code, done.err.as_str()), (DONE, ""), "{name}");
        assert!(done.out.starts_with(&format!("{name} (")), "{}", done.out);
        for part in ["\nWhat it means\n", "\nWhy it happens\n", "\nWhat to do\n", "\nFor example\n"]
        {
            assert!(done.out.contains(part), "{name}: {}", done.out);
        }
        assert!(done.out.lines().all(|line| line.chars().count() <= 90), "{}", done.out);
    }
}

#[test]
fn an_explanation_reads_like_this() {
    let done = Folder::new().run(&["explain", "div"]);
    let expected = "\
div (a kind of FALSE)

What it means
  An execution divides an integer by zero, or takes a remainder by zero.

Why it happens
  The divisor is an input, a count that may be zero, or a difference of equal numbers.

What to do
  Compare the divisor with zero before the division, or assume that it is not zero where
  the caller promises that.

For example
  proviso check program.c --check div
";
    assert_eq!(done.out, expected);
}

#[test]
fn the_last_line_of_a_run_can_be_asked_about() {
    let folder = Folder::new();
    let expected = folder.run(&["explain", "time limit"]).out;
    for words in [
        &["time", "limit"][..],
        &["Time-Limit"],
        &["UNKNOWN (time limit)"],
        &["Verification result: UNKNOWN (time limit)"],
    ] {
        let words: Vec<&str> = ["explain"].iter().chain(words).copied().collect();
        assert_eq!(folder.run(&words).out, expected, "{words:?}");
    }
    let done = folder.run(&["explain", "UNKNOWN (unsupported: processes at fork.c:12:12)"]);
    assert!(done.out.starts_with("unsupported (a reason of UNKNOWN)\n"), "{}", done.out);
}

#[test]
fn an_unknown_word_is_answered_with_the_nearest_ones() {
    let folder = Folder::new();
    for (word, near) in [
        ("timelimt", "`time limit`"),
        ("singed overflow", "`no-overflow`"),
        ("valid-memsefty", "`valid-memsafety`"),
        ("unsuported", "`unsupported`"),
        // Nothing is like this word, so none is named.
        ("wisteria", "tip: `proviso explain` lists all words"),
    ] {
        let done = folder.run(&["explain", word]);
        assert_eq!((done.code, done.out.as_str()), (USAGE, ""), "{word}");
        assert!(done.err.starts_with(&format!("error: there is no explanation of `{word}`\n")));
        assert!(done.err.contains(near), "{word}: {}", done.err);
    }
    let done = folder.run(&["explain", "\u{1b}[31mred"]);
    assert_eq!(done.code, USAGE);
    assert!(!done.err.contains('\u{1b}'), "{}", done.err);
}

/// Checks have other names on the command line than in answers.
#[test]
fn a_check_can_be_asked_about_by_its_name_on_the_command_line() {
    let folder = Folder::new();
    for (check, name) in [("leak", "valid-memcleanup"), ("overflow", "no-overflow")] {
        let done = folder.run(&["explain", check]);
        assert!(done.out.starts_with(&format!("{name} (a kind of FALSE)\n")), "{}", done.out);
    }
}

/// The commands of the examples are those of this program.
#[test]
fn the_examples_are_commands() {
    let folder = Folder::new();
    let list = folder.run(&["explain"]).out;
    for name in names(&list) {
        let text = folder.run(&["explain", name]).out;
        let (_, examples) = text.split_once("\nFor example\n").expect("examples");
        for line in examples.lines() {
            let words = line.trim().strip_prefix("proviso ").expect("a command of this program");
            let words = words.split_ascii_whitespace().map(|word| word.trim_matches('"'));
            let words: Vec<&str> = words.collect();
            // A file that does not exist is noticed after the command line has been read.
            let done = folder.run(&words);
            assert_ne!(done.code, USAGE, "{line}: {}", done.err);
        }
    }
}

/// Words that stand in answers and in the guide, and that the table has under another name.
#[test]
fn other_words_for_the_same_are_known() {
    let folder = Folder::new();
    for (word, name) in [
        ("k-induction", "k"),
        ("0-inductive", "k"),
        ("12-inductive", "k"),
        ("frontier", "not explored"),
        ("frontier trace", "not explored"),
        ("cone", "safe cone"),
        ("iterations", "round"),
        ("inputs", "counterexample"),
        ("precision", "refinement"),
        ("not certified", "certified"),
        ("bmc", "bounded model checking"),
        ("abstract states", "abstract state"),
        ("processes", "unsupported"),
        ("summarised", "summarised"),
        ("heap#1", "counterexample"),
        ("(returned)", "counterexample"),
        ("(again)", "counterexample"),
        ("(input)", "counterexample"),
        ("covered", "covered"),
        ("targets", "covered"),
        ("Coverage", "coverage"),
        ("seen", "coverage"),
        ("(gone)", "counterexample"),
        ("besides those that are left out", "counterexample"),
        ("obligation", "certified"),
        ("obligations", "certified"),
        ("deeper recursion", "deeper recursion"),
        ("could not be decided", "could not be decided"),
        ("whether it can fail could not be decided", "could not be decided"),
        ("many rounds at once", "bounded model checking with many rounds at once"),
        ("answered", "answered"),
        ("confirmed", "confirmed"),
        ("not confirmed", "confirmed"),
        ("left aside", "confirmed"),
        ("LP64", "data model"),
        ("havoc", "havoc"),
        ("predicate", "predicate abstraction"),
        ("backward", "backward analysis"),
        ("k-induction with facts about rounds", "facts about rounds"),
        ("k-induction with summaries of loops", "summarised"),
        ("arrays by one element", "arrays by one element"),
        ("many objects by one of them", "many objects by one of them"),
        ("contracts of functions", "contracts of functions"),
        ("signed overflow", "no-overflow"),
        ("unsigned overflow", "unsigned-overflow"),
        ("use after free", "valid-deref"),
        ("access out of bounds", "valid-deref"),
        ("access through a null pointer", "valid-deref"),
        ("use of an object after its end", "valid-deref"),
        ("write to a constant", "valid-deref"),
        ("invalid call", "valid-deref"),
        ("invalid array length", "valid-deref"),
        ("invalid memory access", "valid-deref"),
        ("null pointer", "valid-deref"),
        ("out of bounds", "valid-deref"),
        ("invalid pointer", "valid-deref"),
        ("write to read-only memory", "valid-deref"),
        ("access to the code of a function", "valid-deref"),
        ("double free", "valid-free"),
        ("Double-Free", "valid-free"),
        ("Error: double free at a.c:12:5: heap#1 was freed at line 10", "valid-free"),
        ("invalid free", "valid-free"),
        ("memory is not freed at the end", "valid-memcleanup"),
        ("memory is lost", "valid-memtrack"),
        ("division by zero", "div"),
        ("invalid shift", "shift"),
        ("conversion to another value", "conversion"),
        ("use of an uninitialised value", "uninitialised"),
        ("use of an uninitialized value", "uninitialised"),
        ("assertion failed", "unreach-call"),
        ("assertion `x > 0` failed at a.c:3:5 (x = 0)", "unreach-call"),
        ("reach_error() is called", "unreach-call"),
        ("the label ERROR is reached", "unreach-label"),
        ("unreachable code reached", "unreachable code reached"),
        ("intervals", "intervals"),
        ("interval", "intervals"),
        ("cut off", "cut off"),
        ("assumption automaton", "assumption automaton"),
        ("assumption.spc", "assumption automaton"),
        ("automaton", "assumption automaton"),
        ("Nothing to verify", "Nothing to verify"),
        (
            "Nothing to verify: no assert, error call or fault that is checked can be reached.",
            "Nothing to verify",
        ),
        ("loop taken as one step", "summarised"),
        ("later rounds", "round"),
        ("note", "note"),
        ("inline assembly", "inline assembly"),
        ("Error", "Error"),
        ("Error:", "Error"),
    ] {
        let done = folder.run(&["explain", word]);
        assert_eq!((done.code, done.err.as_str()), (DONE, ""), "{word}");
        assert!(done.out.starts_with(&format!("{name} (")), "{word}: {}", done.out);
    }
}
