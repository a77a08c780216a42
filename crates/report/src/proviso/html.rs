//! The document as a page for a browser, in one file.

use std::fmt::Write as _;

use base::markup;

use super::document::{Check, Document, Trace};
use super::page::{FIRST, LAST, behaviour, beyond, covered, left_out, merged, summarized};

use crate::shorten::without_middle;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:auto;padding:1rem}\
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.3rem;\
text-align:left;vertical-align:top;overflow-wrap:anywhere}code,pre{font:14px/1.4 ui-monospace,monospace}\
pre{overflow-x:auto;background:#f5f5f5;padding:.5rem}.open{color:#a50}.violated{color:#b00}\
.proved{color:#070}@media print{pre{overflow:visible;white-space:pre-wrap;overflow-wrap:anywhere}}\
@media screen and (prefers-color-scheme:dark){body{background:#111;color:#ddd}\
pre{background:#222}.open{color:#fb6}.proved{color:#7d7}.violated{color:#f77}}";

/// The page of a document.
#[must_use]
pub fn html(document: &Document) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{0}: {1}</title><style>{STYLE}</style></head><body>\n<h1>{1}</h1>\n<p>{2}: {3}</p>\n",
        markup(&document.files.join(" ")),
        markup(&document.verdict),
        markup(&document.files.join(" ")),
        markup(&document.reason),
    );
    if !document.stages.is_empty() {
        page.push_str(
            "<h2>What each stage found</h2>\n<table><tr><th>stage<th>found<th>ended<th>s\n",
        );
        for stage in &document.stages {
            let _ = writeln!(
                page,
                "<tr><td>{}<td>{}<td>{}<td>{:.2}",
                markup(&stage.name),
                markup(&stage.found),
                markup(&stage.ended),
                stage.seconds
            );
        }
        page.push_str("</table>\n");
    }
    if !document.checks.is_empty() {
        page.push_str("<h2>Checks</h2>\n<table><tr><th>place<th>check<th>status<th>why\n");
        let checks: Vec<&Check> = document.checks.iter().collect();
        for (check, count) in merged(&checks) {
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            let class = check.status.split(' ').next().unwrap_or_default();
            let _ = writeln!(
                page,
                "<tr><td>{}<td><code>{}</code>{times}<td class=\"{class}\">{}<td>{}",
                markup(&check.place),
                markup(&check.text),
                markup(&check.status),
                markup(&check.reason)
            );
        }
        page.push_str("</table>\n");
    }
    if !document.summarized.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", markup(&summarized(&document.summarized)));
    }
    list(&mut page, "What stands in the way", &document.blockers);
    list(&mut page, "Proved", &document.proved);
    traces(&mut page, "Not explored", &document.frontier.traces);
    if !document.beyond.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", markup(&beyond(&document.beyond)));
    }
    traces(&mut page, "Safe cones", &document.cones.traces);
    if let Some(unsound) = document.unsound.as_ref().filter(|unsound| !unsound.without_loops) {
        let _ = writeln!(page, "<p>{}</p>", left_out(unsound));
    }
    if let Some(coverage) = &document.coverage {
        let _ = writeln!(page, "<h2>Coverage</h2>\n<p>{}.</p>", covered(coverage));
    }
    list(&mut page, "Assumptions", &document.assumptions);
    if !document.next.is_empty() {
        page.push_str("<h2>To go on</h2>\n");
        for next in &document.next {
            let _ = writeln!(
                page,
                "<p>{}</p><pre>{}</pre>",
                markup(&next.purpose),
                markup(&next.command)
            );
        }
    }
    page.push_str("</body></html>\n");
    page
}

fn list(page: &mut String, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let _ = write!(page, "<h2>{title}</h2>\n<ul>");
    for entry in entries {
        let _ = writeln!(page, "<li>{}", markup(entry));
    }
    page.push_str("</ul>\n");
}

fn traces(page: &mut String, title: &str, traces: &[Trace]) {
    if traces.is_empty() {
        return;
    }
    let _ = writeln!(page, "<h2>{title}</h2>");
    // Traces that look alike here differ in steps that the source does not show, or not at all.
    let mut told: Vec<(&Trace, usize)> = Vec::new();
    for trace in traces {
        let is_alike = |known: &&mut (&Trace, usize)| {
            known.0.kind == trace.kind
                && known.0.inputs == trace.inputs
                && known.0.steps.len() == trace.steps.len()
                && known.0.steps == trace.steps
        };
        match told.iter_mut().find(is_alike) {
            Some((_, count)) => *count += 1,
            None => told.push((trace, 1)),
        }
    }
    for (trace, count) in told {
        let times = if count > 1 {
            format!("; {count} behaviours that look like this")
        } else {
            String::new()
        };
        let _ = write!(
            page,
            "<details><summary>{} ({} steps{times})</summary><pre>",
            markup(&without_middle(&behaviour(trace), FIRST, LAST)),
            trace.steps.len(),
        );
        for step in &trace.steps {
            let line = step.line.map_or_else(String::new, |line| line.to_string());
            let indent = "  ".repeat(step.depth.saturating_sub(1) as usize);
            let _ = writeln!(page, "{line:>6}  {indent}{}", markup(&step.text));
        }
        let _ =
            writeln!(page, "</pre><p>Inputs:</p><pre>{}</pre></details>", markup(&trace.inputs));
    }
}
