//! Messages about the input, each pointing at the place that it is about.

use std::fmt::Write as _;

use crate::{SourceMap, Span, plain_line};

/// How bad a problem with the input is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; the input is accepted.
    Warning,
    /// The input is refused.
    Error,
}

/// One message about the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad the problem is.
    pub severity: Severity,
    /// What is wrong, in a phrase without a full stop.
    pub message: String,
    /// The place that the message is about, if there is one.
    pub span: Option<Span>,
    /// What to do about the problem.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error about a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), span: Some(span), hint: None }
    }

    /// An error about the input as a whole.
    pub fn error_without_place(message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), span: None, hint: None }
    }

    /// A warning about a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, message: message.into(), span: Some(span), hint: None }
    }

    /// This message, with a hint what to do about the problem.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The message as text: what, `file:line:column`, the line with a caret, the hint.
    #[must_use]
    pub fn render(&self, sources: &SourceMap) -> String {
        let word = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let mut text = format!("{word}: {}", self.message);
        if let Some(span) = self.span {
            let _ = write!(text, "\n  --> {}", sources.describe(span));
            if let Some(excerpt) = Excerpt::around(sources, span) {
                excerpt.write(&mut text);
            }
        }
        if let Some(hint) = &self.hint {
            let _ = write!(text, "\n   = help: {hint}");
        }
        text
    }
}

/// How many bytes of a line are shown; preprocessed files have lines of many thousands.
const SHOWN: usize = 120;

/// The line in which a span starts, cut to a readable length around the span.
struct Excerpt {
    line: u32,
    before: String,
    marked: String,
    after: String,
}

impl Excerpt {
    fn around(sources: &SourceMap, span: Span) -> Option<Self> {
        let at = sources.position(span);
        let (start, line) = sources.line(span.file, at.line)?;
        let first = ((span.start - start) as usize).min(line.len());
        let from = if line.len() > SHOWN { first.saturating_sub(SHOWN / 2) } else { 0 };
        let to = line.len().min(from + SHOWN);
        let last = (span.end.max(span.start) - start) as usize;
        let last = last.clamp(first, to);
        // Control characters are written out and tabulators are single blanks, so that the caret stands below the
        // marked text.
        let printable = |bytes: &[u8]| -> String {
            plain_line(&String::from_utf8_lossy(bytes).replace('\t', " ")).into_owned()
        };
        Some(Self {
            line: at.line,
            before: printable(&line[from..first]),
            marked: printable(&line[first..last]),
            after: printable(&line[last..to]),
        })
    }

    fn write(&self, text: &mut String) {
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let indent = " ".repeat(self.before.chars().count());
        let carets = "^".repeat(self.marked.chars().count().max(1));
        let shown = format!("{}{}{}", self.before, self.marked, self.after);
        let _ = write!(text, "\n{margin} |\n{number} | {}", shown.trim_end());
        let _ = write!(text, "\n{margin} | {indent}{carets}");
    }
}

/// Messages in the order in which they were found.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
}

impl Diagnostics {
    /// An empty list of messages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.items.push(diagnostic);
    }

    /// Whether a message refuses the input.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.items.iter().any(|item| item.severity == Severity::Error)
    }

    /// The messages.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.items.iter()
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_what_it_means() {
        let mut sources = SourceMap::new();
        let text = "a\tb\u{1b}\u{2028}c\u{202e} d\n";
        let file = sources.add("a.c", text.as_bytes()).expect("a short file");
        let at = text.find('c').expect("it is there") as u32;
        let told = Diagnostic::error(Span::new(file, at, at + 4), "wrong").render(&sources);
        let lines: Vec<&str> = told.lines().collect();
        let expected = [r"1 | a b\u001b\u2028c\u202e d", "  |                ^^^^^^^"];
        assert_eq!(lines[3..], expected, "{told}");
    }
}
