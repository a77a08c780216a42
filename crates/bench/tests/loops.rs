//! The table of the suite on loop summaries.

#![allow(missing_docs)]

use proviso_bench::loops::{self, PACKAGES};
use proviso_bench::runner::{Record, Settings, Status};

fn settings() -> Settings {
    Settings {
        suite: "loops".to_owned(),
        version: "1".to_owned(),
        build: "0123456789abcdef".to_owned(),
        time_seconds: 60.0,
        memory_bytes: 4_096_000_000,
        ..Settings::default()
    }
}

fn record(task: &str, category: &str, configuration: &str, verdict: Option<bool>) -> Record {
    Record {
        task: format!("{category}/{task}"),
        category: category.to_owned(),
        expected: Some(true),
        configuration: configuration.to_owned(),
        status: if verdict.is_some() { Status::Answered } else { Status::TimeLimit },
        verdict,
        reason: if verdict.is_some() { String::new() } else { "time limit".to_owned() },
        cpu_seconds: 0.25,
        wall_seconds: 0.25,
        peak_bytes: None,
        refinements: None,
        states: None,
        violated: None,
        inputs: None,
        worth: None,
    }
}

#[test]
fn packages_are_compared() {
    let records = [
        record("a.c", "loop-new", "OFF", None),
        record("a.c", "loop-new", "ALL", Some(true)),
        record("b.c", "loop-new", "OFF", Some(true)),
        record("b.c", "loop-new", "ALL", Some(true)),
        record("c.c", "systemc", "OFF", Some(true)),
        record("c.c", "systemc", "ALL", Some(false)),
    ];
    insta::assert_snapshot!(loops::table(&settings(), &records));
}

#[test]
fn the_packages_are_those_of_the_paper() {
    let files: u32 = PACKAGES.iter().map(|package| package.files).sum();
    assert_eq!((PACKAGES.len(), files), (18, 747));
    assert!(PACKAGES.iter().all(|package| package.cpachecker <= package.hyver));
}
