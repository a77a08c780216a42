//! What a run was worth, as a part of the page.

use std::fmt::Write as _;

use super::text::text;
use crate::proviso::document::{Document, Next};
use crate::proviso::{alike, beyond, covered, left_out};

/// The proviso of a run without an answer; nothing if there is an answer.
pub(super) fn section(document: &Document) -> String {
    let mut page = String::new();
    if matches!(&*document.verdict, "TRUE" | "FALSE") {
        return page;
    }
    let _ = writeln!(page, "<p>The run stopped: {}.</p>", text(&document.reason));
    list(&mut page, "What stands in the way", &document.blockers);
    list(&mut page, "Proved", &document.proved);
    let frontier = &document.frontier.traces;
    if !frontier.is_empty() {
        page.push_str("<h3>Not explored, the shortest first</h3>\n<ol>");
        for (number, behaviour, inputs, times) in alike(frontier) {
            let _ = write!(page, "<li value=\"{number}\">{}", text(&behaviour));
            if times > 1 {
                let _ = write!(page, " ({times} behaviours that look like this)");
            }
            if let Some(inputs) = inputs {
                let _ = write!(page, "<div>inputs: <code>{}</code></div>", text(&inputs));
            }
            let _ = writeln!(
                page,
                " <button type=\"button\" class=\"walk\" data-path=\"frontier-{number}\">Step through it</button></li>"
            );
        }
        page.push_str("</ol>\n");
    }
    if !document.beyond.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", text(&beyond(&document.beyond)));
    }
    if let Some(unsound) = document.unsound.as_ref().filter(|unsound| !unsound.without_loops) {
        let _ = writeln!(page, "<p>{}</p>", text(&left_out(unsound)));
    }
    if let Some(coverage) = &document.coverage {
        let _ = writeln!(page, "<h3>Coverage</h3>\n<p>{}.</p>", text(&covered(coverage)));
    }
    if !document.next.is_empty() {
        page.push_str("<h3>To go on</h3>\n<dl class=\"next\">\n");
        for next in &document.next {
            advice(&mut page, next);
        }
        page.push_str("</dl>\n");
    }
    page
}

/// A command that may lead further, with its purpose.
pub(super) fn advice(page: &mut String, next: &Next) {
    let _ = writeln!(
        page,
        "<dt>{}</dt><dd><pre tabindex=\"0\">{}</pre></dd>",
        text(&next.purpose),
        text(&next.command)
    );
}

/// A list with a title, unless it is empty.
pub(super) fn list(page: &mut String, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(page, "<h3>{title}</h3>");
    items(page, entries);
}

/// The entries of a list.
pub(super) fn items(page: &mut String, entries: &[String]) {
    page.push_str("<ul>\n");
    for entry in entries {
        let _ = writeln!(page, "<li>{}</li>", text(entry));
    }
    page.push_str("</ul>\n");
}
