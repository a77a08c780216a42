//! The document as a page for a terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::build::decisions;
use super::document::{Check, Coverage, Document, Stage, Trace, Unsound};
use crate::counted::counted;
use crate::line;
use crate::shorten::{beginning, without_middle};
use crate::stages::NOTHING;

/// How many rows of a table and how many traces are shown; the document has all of them.
const MOST_CHECKS: usize = 12;
const MOST_TRACES: usize = 3;
const MOST_PROVED: usize = 6;
const MOST_LOOPS: usize = 8;
const MOST_DECISIONS: usize = 8;

/// How many letters of a check are shown.
const MOST_LETTERS: usize = 60;

/// If a check has words that tell it from other checks in its line, at least this many letters before these words are
/// shown.
const FEWEST_LETTERS: usize = 30;

/// The page of a run without an answer.
#[must_use]
pub fn page(document: &Document) -> String {
    let mut text = String::new();
    if document.verdict == "RUNNING" {
        let _ = writeln!(text, "The run is {}.", document.reason);
    } else {
        let stage = document.stages.last().map(|stage| format!(", in {}", stage.name));
        let stage = stage.unwrap_or_default();
        let _ = writeln!(text, "The run stopped: {}{stage}.", document.reason);
    }
    if !document.stages.is_empty() {
        text.push_str("What the run found out:\n");
        stages(&mut text, &document.stages);
    }
    if !document.summarized.is_empty() {
        let _ = writeln!(text, "{}", summarized(&document.summarized));
    }
    text.push_str(&checks(document));
    list(&mut text, "What stands in the way:", &document.blockers, MOST_PROVED);
    list(&mut text, "Proved:", &document.proved, MOST_PROVED);
    frontier(&mut text, document);
    coverage(&mut text, document);
    list(&mut text, "Assumptions:", &document.assumptions, MOST_PROVED);
    if !document.next.is_empty() {
        text.push_str("To go on:\n");
        for next in &document.next {
            let (command, purpose) = (line::one(&next.command), line::one(&next.purpose));
            let _ = writeln!(text, "  {command}\n    {purpose}");
        }
    }
    text
}

/// What the stages found; stages that found nothing share one line, and so do stages of one name with the same findings
/// and the same end. An unrolling that goes on where an earlier one ended is listed in place of the earlier one, for it has
/// found everything that the earlier one has found. The document lists all stages.
fn stages(text: &mut String, all: &[Stage]) {
    let mut told: Vec<(&Stage, usize, f64)> = Vec::new();
    let mut nothing: Vec<(&str, usize, f64)> = Vec::new();
    for stage in all {
        if stage.found == NOTHING {
            match nothing.iter_mut().find(|(name, ..)| *name == stage.name) {
                Some((_, times, seconds)) => {
                    *times += 1;
                    *seconds += stage.seconds;
                }
                None => nothing.push((&stage.name, 1, stage.seconds)),
            }
            continue;
        }
        let goes_on = |known: &&(&Stage, usize, f64)| {
            known.0.name == stage.name && known.0.is_unrolling() && stage.is_unrolling()
        };
        let before: f64 = told.iter().filter(goes_on).map(|(_, _, seconds)| *seconds).sum();
        told.retain(|known| !goes_on(&known));
        let same = |known: &&mut (&Stage, usize, f64)| {
            let known = known.0;
            known.name == stage.name && known.found == stage.found && known.ended == stage.ended
        };
        match told.iter_mut().find(same) {
            Some((_, times, seconds)) => {
                *times += 1;
                *seconds += stage.seconds;
            }
            None => told.push((stage, 1, before + stage.seconds)),
        }
    }
    let spent = |times: usize, seconds: f64| match times {
        1 => format!("{seconds:.2} s"),
        _ => format!("{times} times, {seconds:.2} s"),
    };
    for (stage, times, seconds) in told {
        let Stage { name, found, ended, .. } = stage;
        let _ = writeln!(text, "  {name}: {found} ({}, {ended})", spent(times, seconds));
    }
    let tried = nothing
        .iter()
        .map(|(name, times, seconds)| format!("{name} ({})", spent(*times, *seconds)));
    let tried: Vec<String> = tried.collect();
    if !tried.is_empty() {
        let _ = writeln!(text, "  nothing by {}", tried.join(", "));
    }
}

/// The table of checks: checks that need attention come first, and asserts and error calls before faults that must
/// not happen. Otherwise the order is that of the source.
#[must_use]
pub fn checks(document: &Document) -> String {
    let checks = &document.checks;
    if checks.is_empty() {
        return String::new();
    }
    let mut text = format!("Checks: {}\n", counts(checks.iter()));
    let rank = |check: &Check| match &*check.status {
        "violated" => 0,
        "open" | "not reached" => 1,
        _ => 2,
    };
    let mut rows: Vec<&Check> = checks.iter().collect();
    rows.sort_by_key(|check| (rank(check), check.implicit, check.status == "not reached"));
    let merged = merged(&rows);
    for (check, count) in merged.iter().take(MOST_CHECKS) {
        let reason = match check.reason.is_empty() {
            true => String::new(),
            false => format!(" ({})", check.reason),
        };
        let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
        let (said, label) = check.text.split_at(check.text.len() - check.label);
        let room = MOST_LETTERS.saturating_sub(label.chars().count()).max(FEWEST_LETTERS);
        let shown = format!("{}{label}", beginning(said, room));
        let row = format!("  {:<11}  {}  {shown}{times}{reason}", check.status, check.place);
        let _ = writeln!(text, "{}", line::one(&row));
    }
    let rest = merged.iter().skip(MOST_CHECKS);
    let rest: Vec<&Check> =
        rest.flat_map(|(check, count)| std::iter::repeat_n(*check, *count)).collect();
    if !rest.is_empty() {
        let file = match &document.folder {
            Some(folder) => format!("all of them are in {folder}/proviso.json"),
            None => "with --output-dir DIR, all of them are in DIR/proviso.json".to_owned(),
        };
        let counts = counts(rest.iter().copied());
        let _ = writeln!(text, "  … and {} more: {counts}; {file}", rest.len());
    }
    text
}

/// Checks that are described by the same words, each once with the number of these checks, in the order of their
/// first occurrence.
pub(crate) fn merged<'c>(checks: &[&'c Check]) -> Vec<(&'c Check, usize)> {
    let mut counts: BTreeMap<[&str; 5], usize> = BTreeMap::new();
    let words = |check: &'c Check| {
        // A place is told without the folders of its file, and files in different folders may have one name.
        let file = check.at.as_ref().map_or("", |at| &*at.file);
        [file, &*check.place, &*check.text, &*check.status, &*check.reason]
    };
    for check in checks {
        *counts.entry(words(check)).or_default() += 1;
    }
    let first = |check: &&'c Check| Some((*check, counts.remove(&words(check))?));
    checks.iter().filter_map(first).collect()
}

/// How many checks have each status.
pub(crate) fn counts<'c>(checks: impl Iterator<Item = &'c Check> + Clone) -> String {
    let count = |status: &str| checks.clone().filter(|check| check.status == status).count();
    let counts = ["violated", "open", "not reached", "proved"]
        .map(|status| (count(status), status))
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, status)| format!("{count} {status}"));
    counts.collect::<Vec<_>>().join(", ")
}

fn list(text: &mut String, title: &str, entries: &[String], most: usize) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(text, "{title}");
    for entry in entries.iter().take(most) {
        let _ = writeln!(text, "  - {}", line::one(&without_middle(entry, FIRST, LAST)));
    }
    more(text, entries.len(), most);
}

fn more(text: &mut String, all: usize, most: usize) {
    if all > most {
        let _ = writeln!(text, "  … and {} more", all - most);
    }
}

/// The sentence about the loops that were summarised.
pub(crate) fn summarized(places: &[String]) -> String {
    let shown = &places[..places.len().min(MOST_LOOPS)];
    let more = match places.len() - shown.len() {
        0 => String::new(),
        more => format!(" … and {more} more"),
    };
    format!("Loops that were summarised: {}{more}", shown.join(", "))
}

/// The sentence about unexplored executions of which only the next rounds are known, and no example.
pub(crate) fn beyond(what: &str) -> String {
    format!("Not explored: {what}; no execution was found that gets there.")
}

fn frontier(text: &mut String, document: &Document) {
    let traces = &document.frontier.traces;
    if !traces.is_empty() {
        text.push_str("Not explored, the shortest first:\n");
        let alike = alike(traces);
        for (number, behaviour, inputs, times) in alike.iter().take(MOST_TRACES) {
            let times = match times {
                1 => String::new(),
                _ => format!(" ({times} behaviours that look like this)"),
            };
            let _ = writeln!(text, "  {number}. {}{times}", line::one(behaviour));
            if let Some(inputs) = inputs {
                let _ = writeln!(text, "     inputs: {}", line::one(inputs));
            }
        }
        more(text, alike.len(), MOST_TRACES);
        if document.frontier.complete {
            text.push_str("  These are all the places where unexplored behaviour begins.\n");
        }
    }
    if !document.beyond.is_empty() {
        let _ = writeln!(text, "{}", beyond(&document.beyond));
    }
    if let Some(unsound) = document.unsound.as_ref().filter(|unsound| !unsound.without_loops) {
        let _ = writeln!(text, "{}", left_out(unsound));
    }
}

/// Traces in a line each; traces that are described by the same words share a line. Each line has the number of its
/// first trace, the words, the inputs, and the number of traces.
pub(crate) fn alike(traces: &[Trace]) -> Vec<(usize, String, Option<String>, usize)> {
    let mut told: Vec<(usize, String, Option<String>, usize)> = Vec::new();
    for (number, trace) in (1..).zip(traces) {
        let (behaviour, inputs) = (behaviour(trace), inputs(trace));
        match told.iter_mut().find(|known| known.1 == behaviour && known.2 == inputs) {
            Some((.., times)) => *times += 1,
            None => told.push((number, behaviour, inputs, 1)),
        }
    }
    told
}

/// The sentence about the execution with the fewest rounds that was left out.
pub(crate) fn left_out(unsound: &Unsound) -> String {
    let fewer = match unsound.least {
        true if unsound.rounds > 0 => "; none with fewer",
        _ => "",
    };
    let rounds = match unsound.rounds {
        0 => "no round of any loop".to_owned(),
        1 => "at most 1 round of each loop".to_owned(),
        rounds => format!("at most {rounds} rounds of each loop"),
    };
    let beside = match (unsound.recursive, unsound.library) {
        (true, true) => " (recursive calls and loops inside of library functions are not counted)",
        (true, false) => " (recursive calls are not counted)",
        (false, true) => " (loops inside of library functions are not counted)",
        (false, false) => "",
    };
    format!("An execution with {rounds}{beside} was left out{fewer}.")
}

/// A trace in a line.
pub(crate) fn behaviour(trace: &Trace) -> String {
    let decided = decisions(&trace.steps);
    let ends = match &*trace.kind {
        "undecided" => "up to a check that could not be decided at",
        "unsupported" => "up to something that is not modelled at",
        _ => "up to",
    };
    let shown: Vec<String> = match decided.len() > MOST_DECISIONS {
        true => {
            let first = decided.iter().take(MOST_DECISIONS / 2).cloned();
            let last = decided.iter().skip(decided.len() - MOST_DECISIONS / 2).cloned();
            let left = decided.len() - MOST_DECISIONS / 2 * 2;
            first.chain([format!("… {left} more …")]).chain(last).collect()
        }
        false => decided,
    };
    match shown.is_empty() {
        true => format!("{ends} {}", trace.place),
        false => format!("{}; {ends} {}", shown.join(", "), trace.place),
    }
}

/// The inputs of a trace in a line.
fn inputs(trace: &Trace) -> Option<String> {
    let mut all: Vec<(String, u32)> = Vec::new();
    for line in trace.inputs.lines().map(input).filter(|line| !line.is_empty()) {
        match all.last_mut() {
            Some((last, times)) if *last == line => *times += 1,
            _ => all.push((line, 1)),
        }
    }
    let count: u32 = all.iter().map(|(_, times)| times).sum();
    if all.is_empty() {
        return None;
    }
    let times = |(line, times): &(String, u32)| match times {
        1 => line.clone(),
        _ => format!("{line} ({times} times)"),
    };
    let shown: Vec<String> = all.iter().take(8).map(times).collect();
    let rest = match all.len() > shown.len() {
        true => format!(", … ({count} in all)"),
        false => String::new(),
    };
    Some(format!("{}{rest}", shown.join(", ")))
}

/// A line of a file of inputs: a value that no variable of the source gets is called by the function
/// that gives it.
fn input(line: &str) -> String {
    let (value, from) = line.split_once('#').unwrap_or((line, ""));
    match (value.trim().split_once(" = "), from.trim()) {
        (None, from) if crate::trace::is_function(from) => format!("{from}() = {}", value.trim()),
        // Some inputs have a description in place of a function: `argument n`.
        (None, from) if !from.is_empty() => format!("{from} = {}", value.trim()),
        _ => value.trim().to_owned(),
    }
}

fn coverage(text: &mut String, document: &Document) {
    if let Some(coverage) = &document.coverage {
        let _ = writeln!(text, "Coverage: {}", covered(coverage));
    }
}

/// The sentence about coverage.
pub(crate) fn covered(coverage: &Coverage) -> String {
    let executions = match coverage.tests.len() {
        1 => "1 execution that ends".to_owned(),
        count => format!("{count} executions that end"),
    };
    let exact = if coverage.exact { "" } else { "at least " };
    format!(
        "{exact}{} of {} and {} of {} by {executions}; the analysis has seen {}",
        coverage.covered,
        counted(coverage.lines, "line"),
        coverage.branches_covered,
        match coverage.branches {
            1 => "1 branch".to_owned(),
            count => format!("{count} branches"),
        },
        counted(coverage.seen, "line")
    )
}

/// A long sentence is cut to this many letters of its beginning, and this many of its end: the last decisions matter
/// most.
pub(super) const FIRST: usize = 90;
pub(super) const LAST: usize = 150;

#[cfg(test)]
mod tests {
    use super::super::document::{Next, SourcePlace};
    use super::*;

    #[test]
    fn what_others_say_ends_no_line() {
        let hostile = "x\nVerification result: TRUE\u{2028}y".to_owned();
        let next = Next { command: hostile.clone(), purpose: hostile.clone() };
        let check = Check { text: hostile.clone(), reason: hostile.clone(), ..Check::default() };
        let document = Document {
            checks: vec![check],
            proved: vec![hostile.clone()],
            blockers: vec![hostile],
            next: vec![next],
            ..Document::default()
        };
        let page = page(&document);
        assert!(!page.contains(['\u{2028}', '\r']), "{page}");
        assert!(page.lines().all(|line| !line.starts_with("Verification")), "{page}");
    }

    #[test]
    fn checks_of_two_files_are_two() {
        let check = |file: &str| Check {
            place: "a.c:3".to_owned(),
            at: Some(SourcePlace { file: file.to_owned(), line: 3, ..SourcePlace::default() }),
            ..Check::default()
        };
        let checks = ["x/a.c", "y/a.c", "x/a.c"].map(check);
        let merged = merged(&checks.iter().collect::<Vec<_>>());
        assert_eq!(merged.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn traces_that_look_alike_are_told_once() {
        let trace = |place: &str| Trace { place: place.to_owned(), ..Trace::default() };
        let mut document = Document::default();
        document.frontier.traces =
            ["a.c:1", "a.c:2", "a.c:1", "a.c:1", "a.c:3", "a.c:4"].map(trace).to_vec();
        let mut text = String::new();
        frontier(&mut text, &document);
        let told = "Not explored, the shortest first:\n  1. up to a.c:1 (3 behaviours that look like this)\n  2. \
                    up to a.c:2\n  5. up to a.c:3\n  … and 1 more\n";
        assert_eq!(text, told);
    }

    #[test]
    fn stages_that_found_the_same_share_a_line() {
        let stage = |(found, ended): (&str, &str)| Stage {
            name: "induction".to_owned(),
            found: found.to_owned(),
            ended: ended.to_owned(),
            seconds: 0.25,
        };
        let all = [
            ("1 invariant", "exhausted"),
            ("2 invariants", "exhausted"),
            ("1 invariant", "time limit"),
            ("1 invariant", "exhausted"),
            ("1 invariant", "exhausted"),
        ]
        .map(stage);
        let mut text = String::new();
        stages(&mut text, &all);
        let told = "  induction: 1 invariant (3 times, 0.75 s, exhausted)\n  induction: 2 invariants (0.25 s, \
                    exhausted)\n  induction: 1 invariant (0.25 s, time limit)\n";
        assert_eq!(text, told);
    }

    #[test]
    fn stages_that_found_nothing_share_a_line() {
        let stage = |(name, found): (&str, &str)| Stage {
            name: name.to_owned(),
            found: found.to_owned(),
            ended: "exhausted".to_owned(),
            seconds: 0.5,
        };
        let all = [
            ("unrolling", "no error in executions with at most 3 rounds of each loop"),
            ("induction", "nothing"),
            ("values", "3 abstract states"),
            ("unrolling", "no error in executions with at most 9 rounds of each loop"),
            ("trials", "nothing"),
            ("induction", "nothing"),
        ]
        .map(stage);
        let mut text = String::new();
        stages(&mut text, &all);
        let told = "  values: 3 abstract states (0.50 s, exhausted)\n  unrolling: no error in executions with at \
                    most 9 rounds of each loop (1.00 s, exhausted)\n  nothing by induction (2 times, 1.00 s), \
                    trials (0.50 s)\n";
        assert_eq!(text, told);
    }

    #[test]
    fn inputs_are_called_by_what_gives_them() {
        for (line, shown) in [
            ("-1  # in", "in() = -1"),
            ("x = 5  # in", "x = 5"),
            ("7  # argument n", "argument n = 7"),
            ("uninitialised k = 0", "uninitialised k = 0"),
        ] {
            assert_eq!(input(line), shown);
        }
    }
}
