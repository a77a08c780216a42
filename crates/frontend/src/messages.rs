//! Messages about a text, of which only the first are kept.

use base::{Diagnostic, Diagnostics, Severity, Span};

/// Errors beyond this number are hardly worth reading.
const MAX_ERRORS: usize = 20;
/// Warnings beyond this number are hardly worth reading.
const MAX_WARNINGS: usize = 100;

/// The messages about a text so far.
#[derive(Default)]
pub(crate) struct Messages {
    pub(crate) diagnostics: Diagnostics,
}

impl Messages {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let severity = diagnostic.severity;
        let same = self.diagnostics.iter().filter(|each| each.severity == severity).count();
        let most = if severity == Severity::Error { MAX_ERRORS } else { MAX_WARNINGS };
        if same < most {
            self.diagnostics.push(diagnostic);
        }
    }

    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }
}
