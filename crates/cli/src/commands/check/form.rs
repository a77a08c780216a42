//! The result of a run in the form that was asked for.

use report::proviso::document::Document as Proviso;
use report::result::document::Document;
use verify::Unknown;

use crate::arguments::{Form, VERSION};
use crate::exit::Exit;
use crate::output;

/// The text of a document in a form. The form for people has the verdict alone.
pub fn text(document: &Document, form: Form) -> String {
    match form {
        Form::Text => format!("{}\n", document.result),
        Form::Json => report::result::json(document),
        Form::Sarif => report::sarif(document),
        Form::Junit => report::junit::junit(document),
        Form::Html => report::html(document),
    }
}

/// The result of a run that was ended from outside, with what is known of it.
pub fn ended(known: Option<Proviso>, reason: &str, exit: Exit) -> Document {
    let bare = report::result::bare(VERSION, reason, exit.code());
    let proviso = match known {
        None => bare.proviso,
        Some(known) => {
            Proviso { verdict: bare.proviso.verdict, reason: reason.to_owned(), ..known }
        }
    };
    Document { proviso, ..bare }
}

/// What is said of a command that ends without having said its answer: a line, in the form that was asked for.
pub fn last_words(form: Form, line: &str, exit: Exit) -> String {
    if form == Form::Text {
        return line.to_owned();
    }
    text(&ended(None, reason(line), exit), form)
}

/// The reason of UNKNOWN that a last line has.
pub fn reason(line: &str) -> &'static str {
    let is_it = |name: &&&str| line.contains(&format!("({name})"));
    Unknown::NAMES.iter().find(is_it).copied().unwrap_or_default()
}

/// Tells the verdict on standard error, if standard output is for programs.
pub fn tell(form: Form, line: &str) {
    if form != Form::Text {
        output::note(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_have_the_form_that_was_asked_for() {
        let line = "Verification result: UNKNOWN (internal error)\n";
        assert_eq!(last_words(Form::Text, line, Exit::Internal), line);
        let json = last_words(Form::Json, line, Exit::Internal);
        let document: Document = serde_json::from_str(&json).expect("a document");
        assert_eq!((document.exit_code, document.result.as_str()), (70, line.trim_end()));
        assert_eq!(document.unknown.map(|unknown| unknown.name).as_deref(), Some("internal error"));
        for form in [Form::Json, Form::Sarif, Form::Junit, Form::Html] {
            let text = last_words(form, line, Exit::Internal);
            let last = text.lines().last().unwrap_or_default();
            assert!(last.contains(line.trim_end()), "{form:?}: {last}");
        }
    }
}
