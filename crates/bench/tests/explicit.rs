//! The suite of the paper on explicit values: its configurations, categories, points and tables.

#![allow(missing_docs)]

use proviso_bench::explicit::{CATEGORIES, category, configurations, points, table};
use proviso_bench::runner::{Record, Settings, Status};

fn record(family: &str, column: &str, expected: Option<bool>, verdict: Option<bool>) -> Record {
    Record {
        task: format!("{family}/a.c"),
        category: family.to_owned(),
        expected,
        configuration: column.to_owned(),
        status: if verdict.is_some() { Status::Answered } else { Status::TimeLimit },
        verdict,
        reason: if verdict.is_some() { String::new() } else { "time limit".to_owned() },
        cpu_seconds: 1.5,
        wall_seconds: 2.0,
        peak_bytes: None,
        refinements: None,
        states: None,
        violated: None,
        inputs: None,
        worth: None,
    }
}

#[test]
fn points_are_those_of_2012() {
    let (yes, no) = (Some(true), Some(false));
    let worth = |expected, verdict| points(&record("locks", "EXPL", expected, verdict));
    assert_eq!([worth(yes, yes), worth(no, no), worth(no, yes), worth(yes, no)], [2, 1, -4, -2]);
    assert_eq!([worth(yes, None), worth(None, yes)], [0, 0]);
    let late = Record { status: Status::TimeLimit, ..record("locks", "EXPL", no, yes) };
    assert_eq!(points(&late), 0);
}

#[test]
fn configurations_are_those_of_the_paper() {
    let told = |ours, letter| {
        let all = configurations(ours, letter).into_iter();
        all.map(|known| format!("{}: {}", known.name, known.arguments.join(" ")))
            .collect::<Vec<_>>()
    };
    let ours = [
        "EXPL: --analysis=value",
        "EXPLitp: --analysis=value-itp",
        "PRED: --analysis=predicate",
        "EXPL-PRED: --analysis=value+predicate",
        "EXPLitp-PRED: --analysis=value-itp+predicate",
    ];
    assert_eq!(told(true, false), ours);
    let letter = told(false, true);
    assert_eq!(letter.len(), 5);
    // What refines nothing is the same in both ways.
    let plain = letter.iter().filter(|line| !line.contains("--profile=explicit"));
    assert!(plain.eq(["EXPL: --analysis=value"]));
    assert_eq!(told(true, true).len(), 9);
}

#[test]
fn families_have_the_categories_of_2012() {
    let known = ["locks", "ntdrivers", "ldv-linux-3.0", "heap-manipulation", "systemc"];
    assert_eq!(known.map(category), CATEGORIES.map(Some));
    assert_eq!(category("recursive"), None);
}

#[test]
fn wrong_answers_come_first_and_cost_points() {
    let (yes, no) = (Some(true), Some(false));
    let records = [
        record("locks", "EXPL", yes, yes),
        record("systemc", "EXPL", no, yes),
        record("locks", "EXPLitp", yes, None),
        record("systemc", "EXPLitp", no, no),
    ];
    let page = table(&Settings::default(), &records);
    let wrong = page.find("**Some answers are wrong.**").expect("a warning");
    assert!(page.find("## Table I").is_some_and(|first| wrong < first), "{page}");
    let row = "| Overall | -2 / 1 / 1.5 (217 / 152 / 11000) | 1 / 1 / 1.5 (244 / 164 / 2500) |";
    assert!(page.lines().any(|line| line == row), "{page}");
    assert!(page.contains("Not solved by EXPLitp: 1 time limit."), "{page}");
}
