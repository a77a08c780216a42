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

impl Line<'_> {
    /// Whether nothing but its coverage is said of the line.
    fn is_quiet(&self) -> bool {
        let Self { covered: _, checks, invariants, error, unknown } = self;
        checks.is_empty() && invariants.is_empty() && error.is_none() && unknown.is_none()
    }
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
            "<p class=\"legend\"><span class=\"covered\">covered by executions that end, with their number</span> \
             <span class=\"missed\">seen by the analysis, not covered: 0</span> <span class=\"unseen\">not seen by \
             the analysis: –</span></p>\n",
        );
    }
    let notes = notes(document);
    let excerpts = document.sources.iter().flat_map(|source| &source.excerpts);
    let is_long = excerpts.map(|it| it.text.lines().count()).sum::<usize>() > MOST_ROWS;
    for (index, source) in document.sources.iter().enumerate() {
        let is_covered = document.covered.iter().any(|file| file.file == source.file);
        file(&mut page, index, source, &notes, (is_covered, is_long));
    }
    page
}

/// If the page has more lines than this, lines of which nothing is said have no rows of their own at first: browsers
/// take long to open a page with so many elements. A script makes rows of these lines when the reader scrolls near
/// them.
const MOST_ROWS: usize = 2000;

/// How many such lines one element stands for, at least and at most.
const STRETCH: std::ops::RangeInclusive<usize> = 8..=200;

/// A file with more lines than this has numbers of five digits and more, which need a wider column.
const MOST_NARROW: u32 = 9999;

/// The frame for the steps of an execution, which a script fills.
const PLAYER: &str = "\
<div id=\"player\" hidden>
<div class=\"tools\" role=\"toolbar\" aria-label=\"Steps of the execution\">
<label class=\"pick\">Execution <select id=\"path\"></select></label>
<button type=\"button\" data-go=\"first\">First</button>
<button type=\"button\" data-go=\"back\"><span aria-hidden=\"true\">◀</span> Back</button>
<button type=\"button\" data-go=\"on\">Next <span aria-hidden=\"true\">▶</span></button>
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

fn file(
    page: &mut String,
    index: usize,
    source: &Source,
    notes: &Notes<'_>,
    (is_covered, is_long): (bool, bool),
) {
    // A line without a statement has an empty cell in this column.
    let count = if is_covered { "<span class=\"count\"></span>" } else { "" };
    let class = if source.lines > MOST_NARROW { "code wide" } else { "code" };
    let _ = writeln!(
        page,
        "<h3 id=\"f{index}\">{}</h3>\n<div class=\"{class}\" tabindex=\"0\" role=\"region\" aria-labelledby=\"f{index}\">",
        text(&source.file)
    );
    let mut next = 1;
    for excerpt in &source.excerpts {
        if excerpt.first > next {
            gap(page, next, excerpt.first - 1);
        }
        next = excerpt.first;
        let known = |number: u32| notes.get(&(&*source.file, number));
        let lines: Vec<&str> = excerpt.text.lines().collect();
        let mut rest = &lines[..];
        while let Some((line, others)) = rest.split_first() {
            let ahead = (next..).take(rest.len().min(*STRETCH.end()));
            let is_quiet = |number: &u32| known(*number).is_none_or(Line::is_quiet);
            let quiet = ahead.take_while(is_quiet).count();
            if is_long && STRETCH.contains(&quiet) {
                let covered = |number: u32| known(number).and_then(|known| known.covered);
                let counts = is_covered.then_some(&covered as &dyn Fn(u32) -> _);
                stretch(page, (index, next), &rest[..quiet], counts);
                rest = &rest[quiet..];
                next += quiet as u32;
            } else {
                row(page, (index, next, count), line, known(next));
                rest = others;
                next += 1;
            }
        }
    }
    if next <= source.lines && next > 1 && source.lines - next > 1 {
        gap(page, next, source.lines);
    }
    page.push_str("</div>\n");
}

/// Lines that are left out.
fn gap(page: &mut String, first: u32, last: u32) {
    let _ = writeln!(
        page,
        "<div class=\"gap\" data-first=\"{first}\" data-last=\"{last}\">… lines {first} to {last}</div>"
    );
}

/// How often a line is covered, in a column of its own.
fn times((times, seen): (u32, bool)) -> String {
    if times == 0 && !seen { UNSEEN.to_owned() } else { times.to_string() }
}

/// What stands for the number of executions that cover a line which the analysis has not seen.
const UNSEEN: &str = "–";

fn class((times, seen): (u32, bool)) -> &'static str {
    match (times, seen) {
        (0, false) => "unseen",
        (0, true) => "missed",
        _ => "covered",
    }
}

/// Lines of a file as one element, which a script takes apart: a column for their numbers, one for how often they are covered
/// if that is known of others, and one for their texts.
fn stretch(
    page: &mut String,
    (file, first): (usize, u32),
    lines: &[&str],
    covered: Option<&dyn Fn(u32) -> Option<(u32, bool)>>,
) {
    let column = |text: &dyn Fn(u32) -> String| {
        let rows: Vec<String> = (first..).take(lines.len()).map(text).collect();
        rows.join("\n")
    };
    let numbers = column(&|number| number.to_string());
    let counts = covered.map_or_else(String::new, |covered| {
        let counts = column(&|number| covered(number).map_or_else(String::new, times));
        format!("<pre class=\"count\">\n{counts}</pre>")
    });
    let _ = writeln!(
        page,
        "<div class=\"stretch\" data-file=\"{file}\" data-first=\"{first}\" data-lines=\"{}\">\
         <pre class=\"number\">{numbers}</pre>{counts}<pre>\n{}</pre></div>",
        lines.len(),
        text(&lines.join("\n"))
    );
}

/// A line of a file with its number, and with a column for how often it is covered if the others have one.
fn row(
    page: &mut String,
    (file, number, count): (usize, u32, &str),
    line: &str,
    known: Option<&Line<'_>>,
) {
    let (class, count) = match known.and_then(|known| known.covered) {
        Some(covered) => {
            let count = format!("<span class=\"count\">{}</span>", times(covered));
            (format!("line {}", class(covered)), count)
        }
        None => ("line".to_owned(), count.to_owned()),
    };
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
