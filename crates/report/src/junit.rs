//! The result of a run as JUnit's XML, which servers of continuous integration show: a check of the program is a
//! test case.

use std::fmt::Write as _;

use crate::proviso::document::Check;
use crate::result::document::Document;

/// The document as JUnit's XML. A check that is proved has passed, one that is violated has failed, with the
/// execution as the text of the failure. What is open is an error of a run without an answer, and was skipped
/// where a violation ended the run. The last line is a comment with the verdict.
#[must_use]
pub fn junit(document: &Document) -> String {
    let cases = cases(document);
    let count = |outcome: &str| cases.iter().filter(|case| case.outcome == outcome).count();
    let time = document.statistics.get("time_seconds").and_then(serde_json::Value::as_f64);
    let time = time.unwrap_or_default();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{time:.3}\"",
        cases.len(),
        count("failure"),
        count("error"),
    );
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {counts}>\n  <testsuite \
         name=\"{}\" {counts} skipped=\"{}\">\n",
        attribute(&document.tool.name),
        attribute(&document.proviso.files.join(" ")),
        count("skipped"),
    );
    property(&mut text, document);
    for case in &cases {
        case.write(&mut text);
    }
    let _ = writeln!(text, "  </testsuite>\n</testsuites>");
    let _ = writeln!(text, "<!-- {} -->", commented(&document.result));
    text
}

/// What else is known of the run.
fn property(text: &mut String, document: &Document) {
    text.push_str("    <properties>\n");
    for (name, value) in [
        ("verdict", &document.proviso.verdict),
        ("reason", &document.proviso.reason),
        ("property", &document.property),
        ("version", &document.tool.version),
    ] {
        let value = attribute(value);
        let _ = writeln!(text, "      <property name=\"{name}\" value=\"{value}\"/>");
    }
    text.push_str("    </properties>\n");
}

/// A test case.
struct Case {
    class: String,
    name: String,
    place: Option<(String, u32)>,
    /// `failure`, `error` or `skipped`; empty if it has passed.
    outcome: &'static str,
    kind: String,
    message: String,
    text: String,
}

impl Case {
    fn write(&self, text: &mut String) {
        let place = self.place.as_ref().map_or_else(String::new, |(file, line)| {
            format!(" file=\"{}\" line=\"{line}\"", attribute(file))
        });
        let _ = write!(
            text,
            "    <testcase classname=\"{}\" name=\"{}\"{place} time=\"0\"",
            attribute(&self.class),
            attribute(&self.name)
        );
        if self.outcome.is_empty() {
            text.push_str("/>\n");
            return;
        }
        let outcome = self.outcome;
        let message = attribute(&self.message);
        let kind = match outcome {
            "skipped" => String::new(),
            _ => format!(" type=\"{}\"", attribute(&self.kind)),
        };
        let _ = writeln!(
            text,
            ">\n      <{outcome} message=\"{message}\"{kind}>{}</{outcome}>\n    </testcase>",
            escaped(&self.text)
        );
    }
}

fn cases(document: &Document) -> Vec<Case> {
    let checks = &document.proviso.checks;
    let mut cases: Vec<Case> = checks.iter().map(|check| case(document, check)).collect();
    // Names of test cases tell them apart.
    for at in 1..cases.len() {
        let before = cases[..at].iter().filter(|case| is_alike(case, &cases[at])).count();
        if before > 0 {
            cases[at].name = format!("{} ({})", cases[at].name, before + 1);
        }
    }
    let has_failed = cases.iter().any(|case| case.outcome == "failure");
    let has_error = cases.iter().any(|case| case.outcome == "error");
    let is_told = match (&document.counterexample, &document.unknown) {
        (Some(_), _) => has_failed,
        (None, Some(_)) => has_error,
        (None, None) => true,
    };
    // The verdict is about all of the program, and must not look better than it is.
    if !is_told || cases.is_empty() {
        cases.push(whole(document));
    }
    cases
}

fn is_alike(one: &Case, other: &Case) -> bool {
    one.class == other.class
        && (one.name == other.name || one.name.starts_with(&format!("{} (", other.name)))
}

fn case(document: &Document, check: &Check) -> Case {
    let place = check.at.as_ref().map(|at| (at.file.clone(), at.line));
    let file = place.as_ref().map_or_else(|| document.proviso.files.join(" "), |at| at.0.clone());
    let line = place.as_ref().map_or_else(String::new, |(_, line)| format!("line {line}: "));
    let case = Case {
        class: file,
        name: format!("{line}{}", check.text),
        place,
        outcome: "",
        kind: check.property.clone(),
        message: String::new(),
        text: String::new(),
    };
    match &*check.status {
        "proved" => case,
        "violated" => {
            Case { outcome: "failure", message: error(document), text: way(document), ..case }
        }
        _ => {
            let why = match check.reason.is_empty() {
                true if document.unknown.is_none() => "not decided: a violation ended the run",
                true => &document.proviso.reason,
                false => &check.reason,
            };
            let outcome = if document.unknown.is_some() { "error" } else { "skipped" };
            Case { outcome, message: why.to_owned(), ..case }
        }
    }
}

/// A case for the verdict itself.
fn whole(document: &Document) -> Case {
    let outcome = match &*document.proviso.verdict {
        "TRUE" => "",
        "FALSE" => "failure",
        _ => "error",
    };
    Case {
        class: document.proviso.files.join(" "),
        name: match document.property.is_empty() {
            true => "verification".to_owned(),
            false => document.property.clone(),
        },
        place: None,
        outcome,
        kind: document
            .unknown
            .as_ref()
            .map_or_else(|| document.property.clone(), |why| why.name.clone()),
        message: match outcome {
            "failure" => error(document),
            _ => document.proviso.reason.clone(),
        },
        text: way(document),
    }
}

fn error(document: &Document) -> String {
    document.counterexample.as_ref().map_or_else(String::new, |found| found.error.clone())
}

/// The inputs and steps of the execution, a line for each.
fn way(document: &Document) -> String {
    let Some(found) = &document.counterexample else { return String::new() };
    let mut text = String::new();
    for input in &found.inputs {
        let _ = writeln!(text, "input {input}");
    }
    for step in &found.steps {
        let place =
            step.at.as_ref().map_or_else(String::new, |at| format!("{}:{}: ", at.file, at.line));
        let values: Vec<&str> = step.values.iter().map(|value| &*value.text).collect();
        let values =
            if values.is_empty() { String::new() } else { format!("  [{}]", values.join(", ")) };
        let _ = writeln!(text, "{place}{}{values}", step.code);
    }
    let _ = writeln!(text, "Error: {}", found.error);
    text
}

/// Text such that XML can have it: characters that XML does not know are written out.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in base::plain(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The same for the value of an attribute, which is read as one line otherwise.
fn attribute(text: &str) -> String {
    escaped(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text such that a comment can have it.
fn commented(text: &str) -> String {
    let mut commented = escaped(text);
    while commented.contains("--") {
        commented = commented.replace("--", "- -");
    }
    commented
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_comment_or_a_text_early() {
        assert_eq!(commented("a---->b"), "a- - - -&gt;b");
        assert_eq!(escaped("]]>\u{1b}[0m\u{ffff}\"&"), "]]&gt;\\u001b[0m\u{fffd}&quot;&amp;");
    }
}
