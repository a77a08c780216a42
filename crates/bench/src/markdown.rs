//! Pages written as Markdown: what these pages share, and how text of others, such as names of tasks and reasons of
//! tools, is put into them.

use std::fmt::Write as _;

use crate::runner::Verdicts;

/// A line in which nothing is a tag, and in which each character does nothing but be shown.
pub(crate) fn line(text: &str) -> String {
    base::plain_line(&text.replace('\n', " ")).replace('&', "&amp;").replace('<', "&lt;")
}

/// A text in a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    line(text).replace('|', "\\|")
}

/// The paragraph that a page begins with if answers are wrong or contradict each other; empty otherwise.
pub(crate) fn contradictions(verdicts: &Verdicts) -> String {
    let mut text = String::new();
    if !verdicts.is_fine() {
        text += "**Some answers are wrong.**\n\n";
        for found in verdicts.to_string().lines() {
            let _ = writeln!(text, "- {}", line(found));
        }
        text.push('\n');
    }
    text
}
