//! What is made of the results of a batch.

#![allow(missing_docs)]

use proviso_bench::results::{self, Change, Changes, Earlier, Score, points};
use proviso_bench::runner::{Record, Settings, Status};

fn record(task: &str, column: &str, expected: Option<bool>, verdict: Option<bool>) -> Record {
    Record {
        task: task.to_owned(),
        category: task.split('/').next().unwrap_or_default().to_owned(),
        expected,
        configuration: column.to_owned(),
        status: if verdict.is_some() { Status::Answered } else { Status::Unknown },
        verdict,
        reason: if verdict.is_some() { String::new() } else { "too hard: f at a.c:1".to_owned() },
        cpu_seconds: 2.0,
        wall_seconds: 2.5,
        peak_bytes: Some(20_000_000),
        refinements: None,
        states: None,
        violated: None,
        inputs: None,
        worth: None,
    }
}

fn settings() -> Settings {
    Settings { suite: "batch".to_owned(), time_seconds: 60.0, ..Settings::default() }
}

/// Three tasks, two columns.
fn records() -> Vec<Record> {
    let (yes, no) = (Some(true), Some(false));
    vec![
        record("loops/a.yml", "one", yes, yes),
        record("loops/a.yml", "two", yes, no),
        record("loops/b.yml", "one", no, no),
        record("loops/b.yml", "two", no, None),
        record("lists/c.yml", "one", None, yes),
        Record {
            status: Status::TimeLimit,
            verdict: Some(true),
            reason: "time limit; answered late".to_owned(),
            ..record("lists/c.yml", "two", no, yes)
        },
    ]
}

fn page(name: &str, records: &[Record], earlier: Option<&Earlier>) -> String {
    let order = ["one", "two"].map(str::to_owned);
    let files = results::files(&settings(), records, &order, earlier);
    files.into_iter().find(|(own, _)| own == name).map(|(_, text)| text).expect(name)
}

/// SV-COMP's schema. A late answer gives no points, even if it is wrong.
#[test]
fn points_are_those_of_the_competition() {
    let (yes, no) = (Some(true), Some(false));
    let of = |expected, verdict| points(&record("a", "one", expected, verdict));
    assert_eq!(
        [of(yes, yes), of(no, no), of(no, yes), of(yes, no)].map(Option::unwrap),
        [2, 1, -32, -16]
    );
    assert_eq!((of(yes, None), of(None, yes)), (Some(0), None));
    let late = Record { status: Status::TimeLimit, ..record("a", "one", no, yes) };
    assert_eq!(points(&late), Some(0));
    // The property does not hold, but another part of it than was said.
    let part = Some(("valid-deref".to_owned(), "valid-free".to_owned()));
    let other = Record { violated: part, ..record("a", "one", no, no) };
    assert_eq!((other.is_wrong(), points(&other)), (true, Some(-16)));
    let score = Score::of(&records());
    assert_eq!((score.points, score.tried, score.solved(), score.wrong()), (2 + 1 - 16, 6, 3, 2));
    assert_eq!((score.right_true, score.right_false, score.unjudged, score.unknown), (1, 1, 1, 1));
}

#[test]
fn tables_are_about_columns_families_and_reasons() {
    let text = page("tables.md", &records(), None);
    for line in [
        "- WRONG VERDICT: loops/a.yml: two says FALSE, expected is TRUE",
        "- DISAGREEMENT: loops/a.yml: TRUE by one; FALSE by two",
        "| one | 3 | 3 | 1 | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 6.0 s | 20 MB |",
        "| two | -16 | 3 | 0 | 0 | 2 | 0 | 1 | 0 | 0 | 0 | 6.0 s | 20 MB |",
        "| loops | one | 3 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 4.0 s | 20 MB |",
        "| one | two | 0 | 3 | 0 | – |",
        "| unknown: too hard | 0 | 1 |",
        "| time limit | 0 | 1 |",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    // What is wrong comes first.
    assert!(text.find("## Wrong answers") < text.find("## Scores"), "{text}");
    let html = page("index.html", &records(), None);
    assert!(html.contains("<td class=\"n bad\">FALSE 2.0 s</td>"), "{html}");
    assert!(html.matches("<svg").count() >= 3 && !html.contains("src="), "{html}");
}

#[test]
fn the_order_of_results_does_not_matter() {
    let mut turned = records();
    turned.reverse();
    let order = ["one".to_owned()];
    assert_eq!(
        results::files(&settings(), &turned, &order, None),
        results::files(&settings(), &records(), &order, None)
    );
    assert!(!results::files(&settings(), &[], &order, None).is_empty());
}

#[test]
fn regressions_come_first() {
    let (yes, no) = (Some(true), Some(false));
    let before = [
        record("a", "one", yes, None),
        record("b", "one", yes, yes),
        record("c", "one", yes, yes),
        record("d", "one", yes, yes),
        record("e", "one", yes, no),
        record("f", "one", yes, yes),
    ];
    let now = [
        record("a", "one", yes, yes),
        record("b", "one", yes, None),
        Record { cpu_seconds: 4.5, ..record("c", "one", yes, yes) },
        record("d", "one", yes, no),
        record("e", "one", yes, None),
        // Slower, but by less than a factor of two.
        Record { cpu_seconds: 3.5, ..record("f", "one", yes, yes) },
        record("g", "one", yes, None),
    ];
    let changes = Changes::of(&before, &now);
    let kinds: Vec<(Change, &str)> =
        changes.list.iter().map(|(change, _, now)| (*change, now.task.as_str())).collect();
    let known = [
        (Change::Wrong, "d"),
        (Change::Lost, "b"),
        (Change::Slower, "c"),
        (Change::Righted, "e"),
        (Change::Won, "a"),
    ];
    assert_eq!(kinds, known);
    assert_eq!((changes.common, changes.regressions()), (6, 3));
    let earlier =
        Earlier { name: "old".to_owned(), settings: settings(), records: before.to_vec() };
    let text = page("tables.md", &now, Some(&earlier));
    assert!(
        text.contains("6 results are compared with those in old (6 of the 6 there)."),
        "{text}"
    );
    assert!(text.contains("| slower | one | c | TRUE 2.0 s | TRUE 4.5 s |"), "{text}");
    assert!(text.contains("| one | -8 | -10 | 4 | 3 | 0 | 1 | 1 | 1 | 1 | 1 | 0 |"), "{text}");
}

/// Nobody knows which of two answers is right; that they differ matters most, and whether the program is the same.
#[test]
fn another_answer_is_a_regression_even_if_nothing_is_expected() {
    let inputs = |text: &str| Some(text.to_owned());
    let before = [
        record("a", "one", Some(true), Some(true)),
        Record { inputs: inputs("1"), ..record("b", "one", None, Some(true)) },
        Record { inputs: inputs("1"), ..record("c", "one", None, Some(true)) },
    ];
    let now = [
        record("a", "one", Some(true), Some(false)),
        Record { inputs: inputs("1"), ..record("b", "one", None, Some(false)) },
        Record { inputs: inputs("2"), ..record("c", "one", None, Some(false)) },
    ];
    let changes = Changes::of(&before, &now);
    let kinds: Vec<(Change, &str)> =
        changes.list.iter().map(|(change, _, now)| (*change, now.task.as_str())).collect();
    assert_eq!(kinds, [(Change::Contrary, "b"), (Change::Contrary, "c"), (Change::Wrong, "a")]);
    assert_eq!((changes.regressions(), changes.others), (3, 1));
    let earlier =
        Earlier { name: "old".to_owned(), settings: settings(), records: before.to_vec() };
    let text = page("tables.md", &now, Some(&earlier));
    assert!(text.contains("| another answer | one | b | TRUE 2.0 s | FALSE 2.0 s |"), "{text}");
    assert!(text.contains("| another answer (the program is another) | one | c |"), "{text}");
    assert!(text.contains("1 of them are about programs that have changed since."), "{text}");
}

#[test]
fn names_are_no_tags_and_what_was_not_measured_is_not_zero() {
    let name = "loops/<b>a</b>\u{1b}[31m.yml";
    let records = [Record { peak_bytes: None, ..record(name, "one", Some(true), Some(false)) }];
    let text = page("tables.md", &records, None);
    assert!(text.contains("loops/&lt;b>a&lt;/b>") && !text.contains("<b>"), "{text}");
    assert!(text.contains("| 2.0 s | – |"), "{text}");
    let html = page("index.html", &records, None);
    assert!(!html.contains('\u{1b}') && !html.contains("<b>"), "{html}");
}
