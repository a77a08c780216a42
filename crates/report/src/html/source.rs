//! The source, with what is known of each line beside it, and the steps of executions.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::details;
use super::text::text;
use crate::result::document::{Document, Source};

/// What is known of a line.
#[derive(Default)]
struct Line<'d> {
    /// How many executions pass it, and whether the analysis has seen it.
    covered: Option<(u32, bool)>,
    /// Checks with their status.
    checks: Vec<(&'d str, &'d str)>,
    invariants: Vec<&'d str>,
    /// What is reached here.
    error: Option<&'d str>,
    /// What is not modelled here.
    unknown: Option<&'d str>,
}

/// The source of a document with the steps of its executions.
pub(super) fn section(document: &Document) -> String {
    if document.sources.iter().all(|source| source.excerpts.is_empty()) {
        return String::new();
    }
    let mut page = String::from(PLAYER);
    let has_coverage = !document.covered.is_empty();
    if has_coverage {
        page.push_str(
            "<p class=\"legend\"><span class=\"covered\">covered by executions that end</span> <span class=\"missed\">\
             seen by the analysis, not covered</span> <span class=\"unseen\">not seen by the analysis</span></p>\n",
        );
    }
    let notes = notes(document);
    for (index, source) in document.sources.iter().enumerate() {
        let is_covered = document.covered.iter().any(|file| file.file == source.file);
        file(&mut page, index, source, &notes, is_covered);
    }
    page
}

/// The frame for the steps of an execution, which a script fills.
const PLAYER: &str = "\
<div id=\"player\" hidden>
<div class=\"tools\" role=\"toolbar\" aria-label=\"Steps of the execution\">
<label class=\"pick\">Execution <select id=\"path\"></select></label>
<button type=\"button\" data-go=\"first\">First</button>
<button type=\"button\" data-go=\"back\">◀ Back</button>
<button type=\"button\" data-go=\"on\">Next ▶</button>
<button type=\"button\" data-go=\"last\">Last</button>
<span id=\"where\" role=\"status\"></span>
<span class=\"hint keys\">Keys: ← →, Home, End</span>
</div>
<div class=\"split\">
<ol id=\"steps\" aria-label=\"Steps\" tabindex=\"0\"></ol>
<div id=\"values\" aria-label=\"Values\" role=\"region\" tabindex=\"0\"></div>
</div>
</div>
";

type Notes<'d> = BTreeMap<(&'d str, u32), Line<'d>>;

fn notes(document: &Document) -> Notes<'_> {
    let mut notes: Notes<'_> = BTreeMap::new();
    for file in &document.covered {
        for line in &file.lines {
            let known = notes.entry((&file.file, line.line)).or_default();
            known.covered = Some((line.count, line.seen));
        }
    }
    for check in &document.proviso.checks {
        let Some(at) = &check.at else { continue };
        let known = notes.entry((&at.file, at.line)).or_default();
        let new = (&*check.status, &*check.text);
        if !known.checks.contains(&new) {
            known.checks.push(new);
        }
    }
    for invariant in &document.invariants {
        let Some(at) = &invariant.at else { continue };
        notes.entry((&at.file, at.line)).or_default().invariants.push(&invariant.expression);
    }
    if let Some((found, at)) =
        document.counterexample.as_ref().and_then(|found| Some((found, found.at.as_ref()?)))
    {
        notes.entry((&at.file, at.line)).or_default().error = Some(&found.error);
    }
    if let Some((unknown, at)) =
        document.unknown.as_ref().and_then(|unknown| Some((unknown, unknown.at.as_ref()?)))
    {
        notes.entry((&at.file, at.line)).or_default().unknown = Some(&unknown.detail);
    }
    notes
}

fn file(page: &mut String, index: usize, source: &Source, notes: &Notes<'_>, is_covered: bool) {
    // Lines without a statement have the column, too.
    let count = if is_covered { "<span class=\"count\"></span>" } else { "" };
    let _ = writeln!(
        page,
        "<h3 id=\"f{index}\">{}</h3>\n<div class=\"code\" tabindex=\"0\" role=\"region\" aria-labelledby=\"f{index}\">",
        text(&source.file)
    );
    let mut next = 1;
    for excerpt in &source.excerpts {
        if excerpt.first > next {
            let _ =
                writeln!(page, "<div class=\"gap\">… lines {next} to {}</div>", excerpt.first - 1);
        }
        next = excerpt.first;
        for line in excerpt.text.lines() {
            row(page, (index, next, count), line, notes.get(&(&*source.file, next)));
            next += 1;
        }
    }
    if next <= source.lines && next > 1 && source.lines - next > 1 {
        let _ = writeln!(page, "<div class=\"gap\">… lines {next} to {}</div>", source.lines);
    }
    page.push_str("</div>\n");
}

/// A line of a file with its number, and with a column for how often it is covered if the others have one.
fn row(
    page: &mut String,
    (file, number, count): (usize, u32, &str),
    line: &str,
    known: Option<&Line<'_>>,
) {
    let mut class = String::from("line");
    let mut count = count.to_owned();
    if let Some((times, seen)) = known.and_then(|known| known.covered) {
        let (name, words) = match (times, seen) {
            (0, false) => ("unseen", "not seen by the analysis".to_owned()),
            (0, true) => ("missed", "not covered".to_owned()),
            (1, _) => ("covered", "covered by 1 execution".to_owned()),
            (times, _) => ("covered", format!("covered by {times} executions")),
        };
        class = format!("{class} {name}");
        count = format!("<span class=\"count\" title=\"{words}\">{times}</span>");
    }
    let _ = write!(
        page,
        "<div class=\"{class}\" id=\"f{file}-{number}\"><span class=\"text\"><span class=\"number\">{number}</span>{count}\
         <code>{}</code></span>",
        text(line)
    );
    if let Some(known) = known {
        note(page, known);
    }
    page.push_str("</div>\n");
}

fn note(page: &mut String, known: &Line<'_>) {
    let mut notes = String::new();
    for (status, check) in &known.checks {
        let class = details::class(status);
        let _ = write!(
            notes,
            "<span class=\"status {class}\" title=\"{}\">{}</span>",
            text(check),
            text(status)
        );
    }
    for invariant in &known.invariants {
        let _ = write!(notes, "<span class=\"invariant\">invariant: {}</span>", text(invariant));
    }
    if let Some(error) = known.error {
        let _ = write!(notes, "<span class=\"error\">{}</span>", text(error));
    }
    if let Some(unknown) = known.unknown {
        let _ = write!(notes, "<span class=\"status open\">{}</span>", text(unknown));
    }
    if !notes.is_empty() {
        let _ = write!(page, "<span class=\"notes\">{notes}</span>");
    }
}
