//! The tables of the suite on partial results.

#![allow(missing_docs)]

use proviso_bench::partial::{self, Count, ROWS, SHARES};
use proviso_bench::runner::{Covered, Record, Searched, Settings, Status, Task, Worth};
use report::proviso::document::{Coverage, Document, Stage, Trace, Traces, Unsound};

fn settings() -> Settings {
    Settings {
        suite: "partial".to_owned(),
        version: "1".to_owned(),
        build: "0123456789abcdef".to_owned(),
        time_seconds: 10.0,
        memory_bytes: 4_096_000_000,
        options: vec!["--solver=builtin".to_owned()],
        ..Settings::default()
    }
}

fn record(task: &str, analysis: &str, verdict: Option<bool>, worth: Option<Worth>) -> Record {
    Record {
        task: format!("systemc/{task}"),
        category: "systemc".to_owned(),
        expected: Some(true),
        configuration: analysis.to_owned(),
        status: if verdict.is_some() { Status::Answered } else { Status::TimeLimit },
        verdict,
        reason: if verdict.is_some() { String::new() } else { "time limit".to_owned() },
        cpu_seconds: 9.75,
        wall_seconds: 10.0,
        peak_bytes: None,
        refinements: None,
        states: None,
        violated: None,
        inputs: None,
        worth,
    }
}

/// A report with two frontier traces, the first of them after so many seconds.
fn worth(first: Option<f64>, complete: bool) -> Worth {
    Worth {
        verified: false,
        verification_seconds: 9.0,
        frontier: Searched { traces: 2, complete, first, seconds: 0.5 },
        undecided: 1,
        cones: Searched { traces: 0, complete: !complete, first: None, seconds: 0.25 },
        rounds: Some(2),
        coverage: Some(Covered { lines: 20, over: 18, under: 12, executions: 3 }),
    }
}

fn records() -> Vec<Record> {
    let answered = Some(Worth { verified: true, ..Worth::default() });
    let searched = Searched::default();
    let nothing = Worth {
        frontier: searched,
        undecided: 0,
        rounds: None,
        coverage: None,
        ..worth(None, false)
    };
    let refused = Record {
        status: Status::Input,
        reason: "error: no semicolon".to_owned(),
        ..record("c.c", "value-itp", None, None)
    };
    vec![
        record("token_ring.03.cil-1.c", "predicate", None, Some(worth(Some(0.25), true))),
        record("token_ring.03.cil-1.c", "value-itp", Some(true), answered.clone()),
        record("token_ring.030.c", "predicate", None, Some(worth(Some(0.95), false))),
        record("kundu.cil.c", "predicate", Some(true), answered),
        record("b.c", "predicate", None, Some(nothing)),
        record("a.c", "predicate", Some(false), Some(worth(Some(0.5), false))),
        record("a.c", "value-itp", None, Some(worth(Some(0.9), true))),
        record("kundu.cil.c", "value-itp", None, None),
        refused,
    ]
}

#[test]
fn inconclusive_runs_are_compared() {
    let records = records();
    let text = partial::table(&settings(), &records);
    let reversed: Vec<Record> = records.iter().rev().cloned().collect();
    assert_eq!(partial::table(&settings(), &reversed), text, "the order of runs does not show");
    assert_eq!(partial::csv(&reversed), partial::csv(&records));
    insta::assert_snapshot!("tables", text);
    insta::assert_snapshot!("reports", partial::csv(&records));
}

#[test]
fn a_busy_machine_is_told() {
    let mut records = records();
    assert!(!partial::table(&settings(), &records).contains("Busy machine"));
    for record in &mut records {
        record.cpu_seconds = 4.0;
    }
    let told = "**Busy machine:** runs had a processor for 40 % of their time.";
    assert!(partial::table(&settings(), &records).contains(told));
    assert!(!partial::table(&settings(), &[]).contains("Busy machine"));
}

#[test]
fn runs_are_counted() {
    let count = Count::of(&records());
    assert_eq!(count, Count { answered: 2, inconclusive: 6, early: 3, failed: 1 });
}

#[test]
fn figures_are_those_of_the_report() {
    let trace = |kind: &str| Trace { kind: kind.to_owned(), ..Trace::default() };
    let stage =
        |ended: &str, seconds| Stage { ended: ended.to_owned(), seconds, ..Stage::default() };
    let mut document = Document {
        stages: vec![stage("exhausted", 1.5), stage("time limit", 2.0)],
        frontier: Traces {
            complete: true,
            first: Some(0.125),
            seconds: 0.5,
            traces: vec![trace("frontier"), trace("undecided"), trace("unsupported")],
        },
        cones: Traces { traces: vec![trace("cone")], ..Traces::default() },
        unsound: Some(Unsound { rounds: 2, ..Unsound::default() }),
        coverage: Some(Coverage {
            lines: 9,
            covered: 4,
            seen: 7,
            tests: vec![String::new(); 2],
            ..Coverage::default()
        }),
        ..Document::default()
    };
    let expected = Worth {
        verified: false,
        verification_seconds: 3.5,
        frontier: Searched { traces: 3, complete: true, first: Some(0.125), seconds: 0.5 },
        undecided: 1,
        cones: Searched { traces: 1, ..Searched::default() },
        rounds: Some(2),
        coverage: Some(Covered { lines: 9, over: 7, under: 4, executions: 2 }),
    };
    assert_eq!(Worth::of(&document), expected);
    document.stages.push(stage("answered", 0.0));
    assert!(Worth::of(&document).verified);
}

#[test]
fn a_sample_is_even() {
    let task = |index: usize| Task {
        name: index.to_string(),
        file: "a.c".into(),
        category: "systemc".to_owned(),
        expected: None,
        ..Task::default()
    };
    let tasks: Vec<Task> = (0..10).map(task).collect();
    let names = |count| -> Vec<String> {
        partial::sample(&tasks, count).into_iter().map(|task| task.name).collect()
    };
    assert_eq!(names(4), ["0", "2", "5", "7"]);
    assert_eq!(names(1), ["0"]);
    assert_eq!(names(99).len(), 10);
}

#[test]
fn tasks_are_systemc_and_drivers() {
    for name in ["systemc", "ldv-linux-3.14", "ntdrivers", "ntdrivers-simplified"] {
        assert!(partial::is_wanted(name), "{name}");
    }
    for name in ["loops", "systemc2", "ssh"] {
        assert!(!partial::is_wanted(name), "{name}");
    }
}

/// Each share of Tables 3.1-3.4 is of all inconclusive tasks of its analysis, and none grew when the
/// time was cut to 450 s (Table 3.5).
#[test]
fn shares_of_the_thesis_agree() {
    for share in &SHARES {
        assert_eq!(share.of, if share.analysis == "predicate" { 16 } else { 9 });
        for (full, within) in share.full.into_iter().zip(share.within) {
            let percent = 100.0 * full as f64 / share.of as f64;
            assert!(within <= percent + 0.01, "{share:?}");
        }
    }
    assert!(ROWS.iter().all(|row| row.is_of(&format!("systemc/{}.cil.c", row.task))));
}
