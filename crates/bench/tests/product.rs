//! The tables and pictures of the suite product, from results that do not change.

#![allow(missing_docs)]

use proviso_bench::product;
use proviso_bench::runner::{Record, Settings, Verdicts};

fn settings() -> Settings {
    Settings {
        suite: "product".to_owned(),
        version: "0.1.0".to_owned(),
        build: "0123456789abcdef".to_owned(),
        time_seconds: 20.0,
        memory_bytes: 4_000_000_000,
        options: vec!["--traversal=dfs".to_owned(), "--prune=lazy".to_owned()],
        ..Settings::default()
    }
}

fn records() -> Vec<Record> {
    let lines = include_str!("data/product.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("a record")).collect()
}

fn file(records: &[Record], name: &str) -> String {
    let files = product::files(&settings(), records);
    files.into_iter().find(|(known, _)| known == name).expect("a file of this name").1
}

#[test]
fn the_configurations_are_those_of_the_report() {
    let lines: Vec<String> = product::configurations(false)
        .iter()
        .map(|known| format!("{}: {}", known.name, known.arguments.join(" ")))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
    assert_eq!(lines.len(), 14);
    assert_eq!(product::configurations(true).len(), 14 + 2 * 4);
}

#[test]
fn tables() {
    insta::assert_snapshot!(file(&records(), "tables.md"));
}

#[test]
fn heat_map() {
    insta::assert_snapshot!(file(&records(), "heatmap-best.svg"));
}

#[test]
fn quantile_plot() {
    insta::assert_snapshot!(file(&records(), "quantile-state.svg"));
}

#[test]
fn there_is_a_file_for_each_picture_of_the_report() {
    let files = product::files(&settings(), &records());
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let groups = ["state", "path", "arg", "best", "all"];
    let pictures =
        groups.iter().flat_map(|key| [format!("heatmap-{key}.svg"), format!("quantile-{key}.svg")]);
    let expected: Vec<String> = std::iter::once("tables.md".to_owned()).chain(pictures).collect();
    assert_eq!(names, expected);
}

/// Threads end in any order.
#[test]
fn the_order_of_results_does_not_matter() {
    let mut turned = records();
    turned.reverse();
    assert_eq!(product::files(&settings(), &turned), product::files(&settings(), &records()));
}

/// A wrong answer is not solved, and is the first thing that the page says.
#[test]
fn contradictions_are_found() {
    let verdicts = Verdicts::of(&records());
    assert_eq!(verdicts.wrong, ["locks/two.cfa: PROD2_PATH_02 says FALSE, expected is TRUE"]);
    assert_eq!(verdicts.disagreements.len(), 2, "{:?}", verdicts.disagreements);
    assert!(
        verdicts.disagreements[1].starts_with("plc/door.theta: TRUE by EXPL")
            || verdicts.disagreements[1].starts_with("plc/door.theta: TRUE by PRED")
    );
    let rows = product::rank(&records(), &["PROD2_PATH_02".to_owned()]);
    assert_eq!((rows[0].tried, rows[0].wrong), (7, 1));
    let sum =
        rows[0].solved + rows[0].wrong + rows[0].timeouts + rows[0].out_of_memory + rows[0].other;
    assert_eq!(sum, 7);
    let page = file(&records(), "tables.md");
    assert!(page.lines().nth(2).is_some_and(|line| line.contains("wrong")), "{page}");
    let right: Vec<Record> = records().into_iter().filter(|r| r.task == "locks/one.cfa").collect();
    assert!(Verdicts::of(&right).is_fine());
}

/// What is there after an interrupt is shown, with a warning.
#[test]
fn parts_of_results_are_shown_as_parts() {
    let some: Vec<Record> = records()
        .into_iter()
        .filter(|r| r.configuration != "PRED" || r.category != "eca")
        .collect();
    let page = file(&some, "tables.md");
    assert!(page.contains("**Not complete:** PRED was tried on 5."), "{page}");
    assert!(!file(&records(), "tables.md").contains("Not complete"));
    let files = product::files(&settings(), &[]);
    assert!(files.iter().any(|(name, _)| name == "tables.md"));
}

/// What the report does not have is there once, in whatever ways its configurations are done.
#[test]
fn further_strategies_are_there_in_all_ways() {
    for (ours, letter) in [(true, false), (false, true), (true, true)] {
        let further = product::configurations_as(ours, letter, true);
        let names = further.iter().map(|configuration| configuration.name.as_str());
        let lazy: Vec<&str> = names.filter(|name| name.contains("_LAZY_")).collect();
        let known = ["PROD2_LAZY_01", "PROD2_LAZY_02", "PROD2_LAZY_08", "PROD2_LAZY_32"];
        assert_eq!(lazy, known, "{ours} {letter}");
        let plain = product::configurations_as(ours, letter, false);
        assert_eq!(plain.len() + 8, further.len());
    }
}

#[test]
fn further_strategies_have_tables_of_their_own() {
    let mut records = records();
    let own: Vec<Record> = records.iter().filter(|r| r.configuration == "EXPL").cloned().collect();
    let named = own.into_iter().map(|r| Record { configuration: "PROD2_LAZY_08".to_owned(), ..r });
    records.extend(named.collect::<Vec<_>>());
    let page = file(&records, "tables.md");
    assert!(page.contains("\n## different limits for LAZY\n"), "{page}");
    assert!(file(&records, "heatmap-lazy.svg").contains("PROD2_LAZY_08"));
}
