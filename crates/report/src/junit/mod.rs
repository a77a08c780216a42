//! JUnit's XML, which servers of continuous integration show.

mod result;

use std::fmt::Write as _;

use base::markup;

pub use result::junit;

/// Test cases that belong together.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// What else is known of it: names with values.
    pub properties: Vec<(&'static str, String)>,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The cases.
    pub cases: Vec<Case>,
}

/// A test case.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// What it belongs to, such as a file.
    pub class: String,
    /// Its name.
    pub name: String,
    /// File and line, if it has a place.
    pub place: Option<(String, u32)>,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a test case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Outcome {
    /// It has passed.
    #[default]
    Passed,
    /// It was not looked at, for this reason.
    Skipped(String),
    /// It has failed.
    Failure(Told),
    /// It could not be decided.
    Error(Told),
}

/// What is said of a case that has not passed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// Of which kind it is.
    pub kind: String,
    /// A sentence.
    pub message: String,
    /// All that is known.
    pub text: String,
}

/// Suites as a document.
#[must_use]
pub fn document(name: &str, suites: &[Suite]) -> String {
    let all = || suites.iter().flat_map(|suite| &suite.cases);
    let seconds = suites.iter().map(|suite| suite.seconds).sum();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
        attribute(name),
        counts(all(), seconds)
    );
    for suite in suites {
        let skipped = |case: &&Case| matches!(case.outcome, Outcome::Skipped(_));
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" {} skipped=\"{}\">",
            attribute(&suite.name),
            counts(suite.cases.iter(), suite.seconds),
            suite.cases.iter().filter(skipped).count()
        );
        if !suite.properties.is_empty() {
            text.push_str("    <properties>\n");
            for (name, value) in &suite.properties {
                let value = attribute(value);
                let _ = writeln!(text, "      <property name=\"{name}\" value=\"{value}\"/>");
            }
            text.push_str("    </properties>\n");
        }
        for case in &suite.cases {
            case.write(&mut text);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn counts<'c>(cases: impl Iterator<Item = &'c Case> + Clone, seconds: f64) -> String {
    let failures = cases.clone().filter(|case| matches!(case.outcome, Outcome::Failure(_)));
    let errors = cases.clone().filter(|case| matches!(case.outcome, Outcome::Error(_)));
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{seconds:.3}\"",
        cases.clone().count(),
        failures.count(),
        errors.count()
    )
}

impl Case {
    fn write(&self, text: &mut String) {
        let place = self.place.as_ref().map_or_else(String::new, |(file, line)| {
            format!(" file=\"{}\" line=\"{line}\"", attribute(file))
        });
        let _ = write!(
            text,
            "    <testcase classname=\"{}\" name=\"{}\"{place} time=\"{:.3}\"",
            attribute(&self.class),
            attribute(&self.name),
            self.seconds
        );
        let (name, told) = match &self.outcome {
            Outcome::Passed => {
                text.push_str("/>\n");
                return;
            }
            Outcome::Skipped(why) => {
                let why = attribute(why);
                let _ = writeln!(text, ">\n      <skipped message=\"{why}\"/>\n    </testcase>");
                return;
            }
            Outcome::Failure(told) => ("failure", told),
            Outcome::Error(told) => ("error", told),
        };
        let _ = writeln!(
            text,
            ">\n      <{name} message=\"{}\" type=\"{}\">{}</{name}>\n    </testcase>",
            attribute(&told.message),
            attribute(&told.kind),
            markup(&told.text)
        );
    }
}

/// Text for an attribute: XML would read an end of a line there as a blank, so it is escaped.
fn attribute(text: &str) -> String {
    markup(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text for a comment.
fn commented(text: &str) -> String {
    let mut commented = markup(text);
    while commented.contains("--") {
        commented = commented.replace("--", "- -");
    }
    commented
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_comment_early() {
        assert_eq!(commented("a---->b"), "a- - - -&gt;b");
    }
}
