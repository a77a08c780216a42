//! The verdict with its reasons, and what else is known of a run: stages, assumptions, figures, configuration.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::proviso::items;
use super::text::text;
use crate::line;
use crate::proviso::document::Check;
use crate::proviso::{counts, merged, summarized};
use crate::result::document::{Counterexample, Document, Step};
use crate::source::file_name;

/// The fragment of the list of assumptions.
const ASSUMPTIONS: &str = "assumptions";

/// How much was taken for granted, with the way to the list.
pub(super) fn assumed(document: &Document) -> String {
    let words = match document.proviso.assumptions.len() {
        0 => return String::new(),
        1 => "1 assumption".to_owned(),
        count => format!("{count} assumptions"),
    };
    let what = match &*document.proviso.verdict {
        "TRUE" | "FALSE" => "This answer",
        _ => "What is known",
    };
    format!(" {what} rests on <a href=\"#{ASSUMPTIONS}\">{words}</a>.")
}

/// This many rows of checks are shown at once; further rows can be unfolded.
const ROWS: usize = 200;

/// Why the verdict is what it is, and what was checked.
pub(super) fn summary(document: &Document) -> String {
    let proviso = &document.proviso;
    let mut page = String::new();
    match &document.counterexample {
        Some(found) => {
            let _ = writeln!(page, "<p class=\"error\">{}</p>", text(&found.error));
            if let Some(hint) = &found.hint {
                let _ = writeln!(page, "<p>Hint: {}</p>", text(hint));
            }
            page.push_str(
                "<p><button type=\"button\" class=\"walk\" data-path=\"counterexample\">Step through the \
                 execution</button></p>\n",
            );
            inputs(&mut page, &found.inputs);
            steps(&mut page, document, found);
        }
        None if proviso.verdict == "UNKNOWN" => {
            let _ = writeln!(
                page,
                "<p>The run stopped: {}. What is known nevertheless, and how to go on, is told under \
                 <a href=\"#proviso\">Proviso</a>.</p>",
                text(&proviso.reason)
            );
            if let Some(next) = proviso.next.first() {
                page.push_str("<h3>To go on</h3>\n<dl class=\"next\">\n");
                super::proviso::advice(&mut page, next);
                page.push_str("</dl>\n");
            }
        }
        None => {
            let _ = writeln!(page, "<p>{}</p>", text(&proviso.reason));
        }
    }
    if !proviso.summarized.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", text(&summarized(&proviso.summarized)));
    }
    if let Some(certified) = &document.certification {
        let _ = writeln!(page, "<p>{}</p>", text(certified));
    }
    checks(&mut page, document);
    if !document.invariants.is_empty() {
        page.push_str("<h3>Invariants</h3>\n");
        if proviso.verdict == "TRUE" && !proviso.summarized.is_empty() {
            page.push_str(
                "<p>Some loops were taken as one step, and such a loop has no invariants. So invariants were looked for once \
                 more after the proof, and there may be more here than the list of stages says.</p>\n",
            );
        }
        page.push_str(
            "<table><thead><tr><th scope=\"col\">Place</th><th scope=\"col\">Function\
                       </th><th scope=\"col\">What holds there</th></tr></thead><tbody>\n",
        );
        for invariant in &document.invariants {
            let place = invariant.at.as_ref();
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td>{}</td><td><code>{}</code></td></tr>",
                place.map_or_else(String::new, |at| {
                    format!("{}, column {}", link(document, &at.file, at.line), at.column)
                }),
                text(&invariant.function),
                text(&invariant.expression)
            );
        }
        page.push_str("</tbody></table>\n");
    }
    page
}

fn inputs(page: &mut String, inputs: &[String]) {
    if inputs.is_empty() {
        page.push_str("<p>It needs no inputs.</p>\n");
        return;
    }
    page.push_str("<h3>Inputs, in this order</h3>\n<ol class=\"inputs\">\n");
    for input in inputs {
        let _ = writeln!(page, "<li><code>{}</code></li>", text(input));
    }
    page.push_str("</ol>\n");
}

/// The steps of the execution as text, for paper and for browsers without scripts: others step through it.
fn steps(page: &mut String, document: &Document, found: &Counterexample) {
    let place = |step: &Step| match &step.at {
        Some(at) if document.sources.len() > 1 => format!("{}:{}", file_name(&at.file), at.line),
        Some(at) => at.line.to_string(),
        None => String::new(),
    };
    let places: Vec<String> = found.steps.iter().map(place).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or_default();
    let mut lines = String::new();
    for (step, place) in found.steps.iter().zip(&places) {
        let indent = "  ".repeat(step.depth.min(12));
        let told: Vec<&str> = step.values.iter().map(|value| &*value.text).collect();
        let told = match told.is_empty() {
            true => String::new(),
            false => format!("  [{}]", told.join(", ")),
        };
        let _ = writeln!(
            lines,
            "{place:>width$}  {indent}{}",
            line::one(&format!("{}{told}", step.code))
        );
    }
    let _ = writeln!(
        page,
        "<div class=\"paper\"><h3>Steps, with their lines and what they change</h3>\n<pre>{}</pre></div>",
        text(&lines)
    );
}

/// A place, which leads to the line of the source if that is shown.
fn link(document: &Document, file: &str, line: u32) -> String {
    let index = document.sources.iter().position(|source| source.file == file);
    // If there is only one file, its name is left out.
    let (class, place) = match index {
        Some(_) if document.sources.len() == 1 => (" class=\"alone\"", format!("line {line}")),
        _ => ("", format!("{}:{line}", text(file_name(file)))),
    };
    let title = text(&format!("{file}:{line}"));
    match index {
        Some(index) => format!("<a{class} href=\"#f{index}-{line}\" title=\"{title}\">{place}</a>"),
        None => format!("<span title=\"{title}\">{place}</span>"),
    }
}

fn checks(page: &mut String, document: &Document) {
    let rank = |check: &Check| match &*check.status {
        "violated" => 0,
        "open" | "not reached" => 1,
        _ => 2,
    };
    let mut rows: Vec<&Check> = document.proviso.checks.iter().collect();
    if rows.is_empty() {
        return;
    }
    rows.sort_by_key(|check| (rank(check), check.implicit));
    let rows = merged(&rows);
    let _ =
        writeln!(page, "<h3>Checks</h3>\n<p>{}</p>", text(&counts(document.proviso.checks.iter())));
    let (first, others) = rows.split_at(rows.len().min(ROWS));
    table(page, document, first);
    if !others.is_empty() {
        let _ = writeln!(page, "<details><summary>{} more</summary>", others.len());
        table(page, document, others);
        page.push_str("</details>\n");
    }
}

fn table(page: &mut String, document: &Document, rows: &[(&Check, usize)]) {
    let has_reasons = rows.iter().any(|(check, _)| !check.reason.is_empty());
    let why = if has_reasons { "<th scope=\"col\">Why</th>" } else { "" };
    let _ = writeln!(
        page,
        "<table class=\"checks\"><thead><tr><th scope=\"col\">Status</th><th scope=\"col\">Place</th>\
         <th scope=\"col\">Check</th>{why}</tr></thead><tbody>",
    );
    for (check, count) in rows {
        let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
        let place = match &check.at {
            Some(at) => link(document, &at.file, at.line),
            None => text(&check.place),
        };
        let _ = writeln!(
            page,
            "<tr class=\"{0}\"><td><span class=\"status {0}\">{1}</span></td><td>{place}</td><td><code>{2}</code>{times}\
             </td>{3}</tr>",
            class(&check.status),
            text(&check.status),
            text(&check.text),
            if has_reasons { format!("<td>{}</td>", text(&check.reason)) } else { String::new() }
        );
    }
    page.push_str("</tbody></table>\n");
}

/// The class of a status.
pub(super) fn class(status: &str) -> &'static str {
    match status {
        "proved" => "proved",
        "violated" => "violated",
        _ => "open",
    }
}

/// Stages, assumptions, figures and configuration.
pub(super) fn section(document: &Document) -> String {
    let mut page = String::new();
    let proviso = &document.proviso;
    if !proviso.stages.is_empty() {
        page.push_str(
            "<h3>Stages</h3>\n<table class=\"stages\"><thead><tr><th scope=\"col\">Stage</th><th scope=\"col\">Found</th><th \
             scope=\"col\">Ended</th><th scope=\"col\">Seconds</th></tr></thead><tbody>\n",
        );
        for stage in &proviso.stages {
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"figure\">{:.2}</td></tr>",
                text(&stage.name),
                text(&stage.found),
                text(&stage.ended),
                stage.seconds
            );
        }
        page.push_str("</tbody></table>\n");
    }
    match proviso.assumptions.is_empty() {
        true => page.push_str("<h3>Assumptions</h3>\n<p>Nothing was taken for granted.</p>\n"),
        false => {
            let title = format!("<h3 id=\"{ASSUMPTIONS}\" tabindex=\"-1\">Assumptions</h3>\n");
            page.push_str(&title);
            items(&mut page, &proviso.assumptions);
        }
    }
    pairs(&mut page, "Configuration", &document.configuration);
    pairs(&mut page, "Statistics", &document.statistics);
    if !document.specification.is_empty() {
        let _ = writeln!(
            page,
            "<h3>Specification</h3>\n<pre tabindex=\"0\">{}</pre>",
            text(&document.specification)
        );
    }
    page
}

/// Names with their values. A list or an object is left out: it is elsewhere on the page.
fn pairs(page: &mut String, title: &str, entries: &Map<String, Value>) {
    let value = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(list) => {
            let words: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            words.filter(|words| !words.is_empty()).map(|words| words.join(" "))
        }
        Value::Object(_) | Value::Null => None,
        other => Some(other.to_string()),
    };
    let shown: Vec<(&String, String)> =
        entries.iter().filter_map(|(name, known)| Some((name, value(known)?))).collect();
    if shown.is_empty() {
        return;
    }
    let _ = writeln!(page, "<h3>{title}</h3>\n<dl class=\"pairs\">");
    for (name, value) in shown {
        let _ = writeln!(
            page,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            text(&name.replace('_', " ")),
            text(&value)
        );
    }
    page.push_str("</dl>\n");
}
