//! Tables of inconclusive runs, beside those of the thesis.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::thesis::{ROWS, SHARES, TASKS, ThesisRow};
use super::{ANALYSES, Count, Ended, is_early};
use crate::markdown;
use crate::runner::{Record, Searched, Settings, Verdicts, Worth, quote};

/// On a machine that does nothing else, a run has a processor for at least this part of its time.
const IDLE: f64 = 0.8;

/// A run without an answer by the verification, and its report if it left one.
#[derive(Clone, Copy)]
struct Row<'r> {
    record: &'r Record,
    worth: Option<&'r Worth>,
}

impl Row<'_> {
    /// Whether the search after the verification met an error.
    fn met_bug(&self) -> bool {
        self.worth.is_some() && self.record.verdict == Some(false)
    }

    fn has(&self, what: impl Fn(&Worth) -> bool) -> bool {
        self.worth.is_some_and(what)
    }
}

/// The page. Contradictions come first. The order of the records does not matter.
#[must_use]
pub fn table(settings: &Settings, records: &[Record]) -> String {
    let verdicts = Verdicts::of(records);
    let mut text = "# Partial results\n\n".to_owned();
    text += &markdown::contradictions(&verdicts);
    let tasks: BTreeSet<&str> = records.iter().map(|record| record.task.as_str()).collect();
    let _ = writeln!(
        text,
        "Castaño 2018, Tables 3.1-3.5, 5.1 and 5.2, on {} tasks. A run is stopped after {} s on the \
         clock, the report included, or with {} MB of memory. The thesis has {TASKS} SystemC and driver \
         tasks, 12 GB, and 900 s for each of the verification, the frontier traces, the safe cones and \
         the coverage. Every run: `{}`. Proviso {}, build {}.",
        tasks.len(),
        settings.time_seconds,
        settings.memory_bytes / 1_000_000,
        settings.options.join(" "),
        settings.version,
        settings.short_build()
    );
    busy(&mut text, records);
    answers(&mut text, records);
    summary(&mut text, records);
    for analysis in ANALYSES {
        inconclusive(&mut text, analysis, &rows(records, analysis));
    }
    beside(&mut text, records);
    failed(&mut text, records);
    text
}

/// Says so if runs had to wait for a processor: the time limit is on the clock, so the results within the limit depend
/// on what else the machine does.
fn busy(text: &mut String, records: &[Record]) {
    let sum = |time: fn(&Record) -> f64| records.iter().map(time).sum::<f64>();
    let part = sum(|record| record.cpu_seconds) / sum(|record| record.wall_seconds);
    if part < IDLE {
        let _ = writeln!(
            text,
            "\n**Busy machine:** runs had a processor for {:.0} % of their time. With the machine to \
             themselves they find more.",
            100.0 * part
        );
    }
}

/// The inconclusive runs of an analysis, by task.
fn rows<'r>(records: &'r [Record], analysis: &str) -> Vec<Row<'r>> {
    let own = records.iter().filter(|record| record.configuration == analysis);
    let mut rows: Vec<Row<'r>> = own
        .filter_map(|record| match Ended::of(record) {
            Ended::Inconclusive(worth) => Some(Row { record, worth }),
            _ => None,
        })
        .collect();
    rows.sort_by_key(|row| row.record.task.as_str());
    rows
}

/// How many tasks were answered.
fn answers(text: &mut String, records: &[Record]) {
    *text += "\n## Answers\n\n\
              | Analysis | Tasks | Answered | Inconclusive | Failed | Thesis: tasks | Inconclusive |\n\
              | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for analysis in ANALYSES {
        let own = records.iter().filter(|record| record.configuration == analysis);
        let count = Count::of(own.clone());
        let thesis = SHARES.iter().find(|share| share.analysis == analysis);
        let thesis = thesis.map_or_else(String::new, |share| share.of.to_string());
        let _ = writeln!(
            text,
            "| {analysis} | {} | {} | {} | {} | {TASKS} | {thesis} |",
            own.count(),
            count.answered,
            count.inconclusive,
            count.failed
        );
    }
    *text += "\nA task is inconclusive if the verification ended without an answer; the search for traces \
              may still meet an error, which then is the answer FALSE. A run that came to its limits before it could write a report \
              is inconclusive, too, and has nothing.\n";
}

/// For each analysis: which part of the inconclusive tasks has a report, which all traces, which a bug, and so on.
fn summary(text: &mut String, records: &[Record]) {
    *text += "\n## Reports\n\n\
              | Analysis | Inconclusive tasks with | Here | Thesis, search by explicit values | \
              By predicates | Within 450 s | Table |\n\
              | --- | --- | ---: | ---: | ---: | ---: | --- |\n";
    for analysis in ANALYSES {
        let rows = rows(records, analysis);
        let part = |is_counted: &dyn Fn(&Row<'_>) -> bool| {
            share(rows.iter().filter(|row| is_counted(row)).count(), rows.len())
        };
        for known in SHARES.iter().filter(|share| share.analysis == analysis) {
            let (what, here) = match known.cones {
                false => {
                    ("all frontier traces", part(&|row| row.has(|worth| worth.frontier.complete)))
                }
                true => ("all safe cones", part(&|row| row.has(|worth| worth.cones.complete))),
            };
            let _ = writeln!(
                text,
                "| {analysis} | {what} | {here} | {} | {} | {:.2} %, {:.2} % | {}, 3.5 |",
                share(known.full[0], known.of),
                share(known.full[1], known.of),
                known.within[0],
                known.within[1],
                known.table
            );
        }
        let others = [
            ("a report", part(&|row| row.worth.is_some())),
            ("a frontier trace", part(&|row| row.has(|worth| frontier(worth) > 0))),
            (
                "a frontier or undecided trace",
                part(&|row| row.has(|worth| worth.frontier.traces > 0)),
            ),
            (
                "one of these, or a bug, within 10 % of the verification time",
                part(&|row| row.has(is_early)),
            ),
            ("a safe cone", part(&|row| row.has(|worth| worth.cones.traces > 0))),
            ("a covering execution", part(&|row| row.has(|worth| executions(worth) > 0))),
            ("a bug met by the report", part(&|row| row.met_bug())),
        ];
        for (what, here) in others {
            let _ = writeln!(text, "| {analysis} | {what} | {here} | | | | |");
        }
    }
}

fn executions(worth: &Worth) -> usize {
    worth.coverage.map_or(0, |coverage| coverage.executions)
}

fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => "–".to_owned(),
        _ => format!("{part} of {whole} ({:.0} %)", 100.0 * part as f64 / whole as f64),
    }
}

/// The inconclusive tasks of an analysis.
fn inconclusive(text: &mut String, analysis: &str, rows: &[Row<'_>]) {
    let numbers = if analysis == "predicate" { "3.2, 3.3 and 5.2" } else { "3.1, 3.4 and 5.1" };
    let _ = writeln!(text, "\n## Inconclusive with {analysis} (Tables {numbers})\n");
    if rows.is_empty() {
        *text += "None.\n";
        return;
    }
    *text += "| Task | Verification (s) | Frontier traces | Undecided | Full? | First (s) | Search (s) | \
              Safe cones | Full? | First (s) | Search (s) | k | Lines | Over | Under | Executions | \
              Bug |\n\
              | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | \
              ---: | ---: | ---: | --- |\n";
    for row in rows {
        let Some(worth) = row.worth else {
            let dashes = "| – ".repeat(16);
            let _ = writeln!(text, "| {} {dashes}|", markdown::cell(&row.record.task));
            continue;
        };
        let number =
            |value: Option<usize>| value.map_or("–".to_owned(), |value| value.to_string());
        let coverage = worth.coverage;
        let _ = writeln!(
            text,
            "| {} | {:.2} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            markdown::cell(&row.record.task),
            worth.verification_seconds,
            frontier(worth),
            worth.undecided,
            search(&worth.frontier),
            worth.cones.traces,
            search(&worth.cones),
            worth.rounds.map_or("–".to_owned(), |rounds| rounds.to_string()),
            number(coverage.map(|coverage| coverage.lines)),
            number(coverage.map(|coverage| coverage.over)),
            number(coverage.map(|coverage| coverage.under)),
            number(coverage.map(|coverage| coverage.executions)),
            yes(row.met_bug()),
        );
    }
}

/// How many frontier traces there are. Traces up to a check that could not be decided have no step that
/// was not analysed, so they are counted apart.
fn frontier(worth: &Worth) -> usize {
    worth.frontier.traces.saturating_sub(worth.undecided)
}

/// Whether a search found all traces, when it found the first one, and how long the search took.
fn search(found: &Searched) -> String {
    let first = found.first.map_or("–".to_owned(), |first| format!("{first:.2}"));
    format!("{} | {first} | {:.2}", yes(found.complete), found.seconds)
}

fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// The rows of the thesis that are known, each beside ours.
fn beside(text: &mut String, records: &[Record]) {
    *text += "\n## Rows of the thesis (Tables 3.3 and 5.2, predicates)\n\n\
              Under-approximations in parentheses are with the heuristic of the thesis. The thesis has \
              all traces that its searches find, also where several end in one place; here it is one for \
              each place.\n\n\
              | Thesis | Frontier, by explicit values | By predicates | Lines | Over | Under | Here | \
              Frontier | Full? | Lines | Over | Under |\n\
              | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- | ---: | ---: | ---: |\n";
    for known in &ROWS {
        let mut own: Vec<&Record> = records
            .iter()
            .filter(|record| record.configuration == "predicate" && known.is_of(&record.task))
            .collect();
        own.sort_by_key(|record| record.task.as_str());
        let ours: Vec<String> = own.into_iter().map(ours).collect();
        let ours = if ours.is_empty() { vec!["not tried | | | | |".to_owned()] } else { ours };
        let ThesisRow { task, traces, coverage } = known;
        for row in ours {
            let (traces, coverage) = (traces.join(" | "), coverage.join(" | "));
            let _ = writeln!(text, "| {task} | {traces} | {coverage} | {row} |");
        }
    }
}

/// The right half of a row beside one of the thesis.
fn ours(record: &Record) -> String {
    let task = markdown::cell(&record.task);
    match Ended::of(record) {
        Ended::Answered => format!("{task}: answered | | | |"),
        Ended::Failed => format!("{task}: failed | | | |"),
        Ended::Inconclusive(None) => format!("{task}: no report | | | |"),
        Ended::Inconclusive(Some(worth)) => {
            let coverage = worth.coverage.map_or(" | | ".to_owned(), |coverage| {
                format!("{} | {} | {}", coverage.lines, coverage.over, coverage.under)
            });
            let (traces, full) = (frontier(worth), yes(worth.frontier.complete));
            format!("{task} | {traces} | {full} | {coverage}")
        }
    }
}

/// The runs that refused the input or failed, and why.
fn failed(text: &mut String, records: &[Record]) {
    let own = records.iter().filter(|record| Ended::of(record) == Ended::Failed);
    let lines: BTreeSet<String> = own
        .map(|record| {
            let Record { task, configuration, status, reason, .. } = record;
            let reason = if reason.is_empty() { status.name() } else { reason };
            let line = format!("{task}, {configuration}: {reason}");
            format!("- {}\n", markdown::line(&line))
        })
        .collect();
    if !lines.is_empty() {
        *text += "\n## Failed\n\n";
        text.extend(lines);
    }
}

/// All reports for spreadsheets, a line for each run that left one.
#[must_use]
pub fn csv(records: &[Record]) -> String {
    let mut text =
        "task,category,configuration,inconclusive,verification_seconds,frontier,undecided,\
                    frontier_complete,frontier_first_seconds,frontier_seconds,cones,cones_complete,\
                    cones_first_seconds,cones_seconds,rounds,lines,over,under,executions,bug\n"
            .to_owned();
    let mut records: Vec<&Record> = records.iter().collect();
    records.sort_by_key(|record| (record.task.as_str(), record.configuration.as_str()));
    for record in records {
        let Some(worth) = &record.worth else { continue };
        let row = Row { record, worth: Some(worth) };
        let seconds =
            |time: Option<f64>| time.map_or_else(String::new, |time| format!("{time:.6}"));
        let count =
            |value: Option<usize>| value.map_or_else(String::new, |value| value.to_string());
        let coverage = worth.coverage;
        let mut fields = vec![
            record.task.clone(),
            record.category.clone(),
            record.configuration.clone(),
            (!worth.verified).to_string(),
            seconds(Some(worth.verification_seconds)),
            frontier(worth).to_string(),
            worth.undecided.to_string(),
        ];
        for (index, found) in [&worth.frontier, &worth.cones].into_iter().enumerate() {
            if index == 1 {
                fields.push(found.traces.to_string());
            }
            fields.push(found.complete.to_string());
            fields.extend([seconds(found.first), seconds(Some(found.seconds))]);
        }
        fields.extend([
            worth.rounds.map_or_else(String::new, |rounds| rounds.to_string()),
            count(coverage.map(|coverage| coverage.lines)),
            count(coverage.map(|coverage| coverage.over)),
            count(coverage.map(|coverage| coverage.under)),
            count(coverage.map(|coverage| coverage.executions)),
            (!worth.verified && row.met_bug()).to_string(),
        ]);
        let fields: Vec<String> = fields.iter().map(|field| quote(field)).collect();
        text += &(fields.join(",") + "\n");
    }
    text
}
