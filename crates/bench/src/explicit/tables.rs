//! Tables I-III, with the paper's figures beside.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::paper::{CATEGORIES, Figures, OTHERS, TABLES, Table};
use super::{LETTER, category, of, ways};
use crate::markdown;
use crate::runner::{Record, Settings, Status, Verdicts};

/// The points of a result in SV-COMP'12: 2 for a right TRUE, 1 for a right FALSE, and for a wrong answer twice the
/// points of this answer are taken away.
#[must_use]
pub fn points(record: &Record) -> i64 {
    match (record.status, record.verdict, record.is_wrong()) {
        (Status::Answered, Some(true), false) if record.expected.is_some() => 2,
        (Status::Answered, Some(false), false) if record.expected.is_some() => 1,
        (Status::Answered, Some(true), true) => -4,
        (Status::Answered, Some(false), true) => -2,
        _ => 0,
    }
}

/// What came of a configuration on a category.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cell {
    /// Points of SV-COMP'12.
    pub points: i64,
    /// Right answers in time.
    pub solved: usize,
    /// Processor time for these, in seconds.
    pub seconds: f64,
}

impl Cell {
    fn of(records: &[Record], configuration: &str, wanted: Option<&str>) -> Self {
        let own = of(records, configuration).filter(|record| {
            let own = category(&record.category);
            wanted.map_or(own.is_some(), |wanted| own == Some(wanted))
        });
        own.fold(Self::default(), |cell, record| {
            let solved = record.is_solved();
            Self {
                points: cell.points + points(record),
                solved: cell.solved + usize::from(solved),
                seconds: cell.seconds + if solved { record.cpu_seconds } else { 0.0 },
            }
        })
    }
}

/// The tables. Contradictions come first.
#[must_use]
pub fn table(settings: &Settings, records: &[Record]) -> String {
    let verdicts = Verdicts::of(records);
    let mut text = "# Explicit values with refinement and interpolation\n\n".to_owned();
    text += &markdown::contradictions(&verdicts);
    let _ = writeln!(
        text,
        "Beyer & Löwe 2012, Tables I-III: points of SV-COMP'12 (a right TRUE 2, a right FALSE 1, a wrong TRUE -4, a \
         wrong FALSE -2), solved tasks, and seconds of processor time for these, within {} s and {} MB. In brackets \
         the paper's figures: it has other tasks of these categories, on the machines of SV-COMP'12. {LETTER}: to the \
         letter of the paper (`--profile explicit`). Proviso {}, build {}.\n",
        settings.time_seconds,
        settings.memory_bytes / 1_000_000,
        settings.version,
        settings.short_build()
    );
    text += "| Category | Tasks | Families |\n| --- | ---: | --- |\n";
    for name in CATEGORIES {
        let own = || records.iter().filter(|record| category(&record.category) == Some(name));
        let tasks: BTreeSet<&str> = own().map(|record| record.task.as_str()).collect();
        let families: BTreeSet<&str> = own().map(|record| record.category.as_str()).collect();
        let families: Vec<String> = families.into_iter().map(markdown::cell).collect();
        let _ = writeln!(text, "| {name} | {} | {} |", tasks.len(), families.join(", "));
    }
    for (number, table) in (3..).zip(&TABLES) {
        one(&mut text, table, records);
        let _ = writeln!(text, "\n![Fig. {number}](figure-{number}.svg)");
    }
    differences(&mut text, records);
    text
}

fn paper(name: &str, row: usize) -> Figures {
    let (_, figures) = OTHERS.iter().find(|(known, _)| *known == name)?;
    figures[row]
}

fn one(text: &mut String, table: &Table, records: &[Record]) {
    let columns = ways(records, table.configurations);
    let _ = writeln!(text, "\n## {}\n", table.heading);
    let heads = columns.iter().map(String::as_str).chain(table.others.iter().copied());
    let heads: Vec<String> = heads.map(|name| format!("{name}: points / solved / s")).collect();
    let _ = writeln!(text, "| Category | {} |", heads.join(" | "));
    let _ = writeln!(text, "| --- |{}", " ---: |".repeat(heads.len()));
    let rows = CATEGORIES.into_iter().map(Some).chain([None]);
    for (row, name) in rows.enumerate() {
        let mut cells = Vec::new();
        for column in &columns {
            let Cell { points, solved, seconds } = Cell::of(records, column, name);
            let plain = column.strip_suffix(LETTER).unwrap_or(column);
            let theirs = written(paper(plain, row));
            cells.push(format!("{points} / {solved} / {seconds:.1} ({theirs})"));
        }
        cells.extend(table.others.iter().map(|other| format!("({})", written(paper(other, row)))));
        let _ = writeln!(text, "| {} | {} |", name.unwrap_or("Overall"), cells.join(" | "));
    }
}

fn written(figures: Figures) -> String {
    figures.map_or_else(
        || "–".to_owned(),
        |(points, solved, seconds)| format!("{points} / {solved} / {seconds}"),
    )
}

/// What the paper claims of its columns, and whether it is so here.
fn differences(text: &mut String, records: &[Record]) {
    let claims = [
        ("EXPLitp", "EXPL", "refinement in place of tracking everything (Table I)"),
        ("EXPLitp-PRED", "EXPLitp", "predicates beside refined values (Table II)"),
        ("EXPLitp-PRED", "PRED", "refined values beside predicates (Table II)"),
        ("EXPLitp-PRED", "EXPL-PRED", "refinement of both (Table II)"),
        ("EXPL-PRED", "PRED", "values of everything beside predicates (Table II)"),
    ];
    *text += "\n## What the paper concludes\n\n| Better | than | by | in the paper | here |\n\
              | --- | --- | --- | ---: | ---: |\n";
    for suffix in [LETTER, ""] {
        for (better, worse, why) in claims {
            let named = |name: &str| match name {
                "EXPL" => name.to_owned(),
                name => format!("{name}{suffix}"),
            };
            let (first, second) = (named(better), named(worse));
            if [&first, &second].iter().any(|name| of(records, name).next().is_none()) {
                continue;
            }
            let theirs = paper(better, 5).zip(paper(worse, 5));
            let theirs = theirs.map_or(0, |(better, worse)| better.0 - worse.0);
            let ours =
                Cell::of(records, &first, None).points - Cell::of(records, &second, None).points;
            let _ = writeln!(text, "| {first} | {second} | {why} | {theirs:+} | {ours:+} |");
        }
    }
    *text += "\nThe difference is in points. The paper can have a path to an error confirmed bit by bit (§III-F); this \
              program always does so and replays it, and what it can neither confirm nor exclude ends as unknown.\n";
    for configuration in ways(records, &super::CONFIGURATIONS.map(|(name, _)| name)) {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        let open = of(records, &configuration).filter(|record| !record.is_solved());
        for record in open {
            let reason = record.reason.split(':').next().unwrap_or_default();
            match counts.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, count)) => *count += 1,
                None => counts.push((reason, 1)),
            }
        }
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let told: Vec<String> = counts
            .iter()
            .map(|(reason, count)| format!("{count} {}", markdown::line(reason)))
            .collect();
        if !told.is_empty() {
            let _ = writeln!(text, "\nNot solved by {configuration}: {}.", told.join(", "));
        }
    }
}
