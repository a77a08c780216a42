//! The result of a run as test cases: each check of the program is one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Case, Outcome, Suite, Told, commented, document};
use crate::line;
use crate::proviso::document::Check;
use crate::result::document::Document;

/// The document as JUnit's XML. A check that is proved has passed, one that is violated has failed, with the
/// execution as the text of the failure. What is open is an error of a run without an answer, and was skipped
/// where a violation ended the run. The last line is a comment with the verdict.
#[must_use]
pub fn junit(result: &Document) -> String {
    let proviso = &result.proviso;
    let time = result.statistics.get("time_seconds").and_then(serde_json::Value::as_f64);
    let suite = Suite {
        name: proviso.files.join(" "),
        properties: vec![
            ("verdict", proviso.verdict.clone()),
            ("reason", proviso.reason.clone()),
            ("property", result.property.clone()),
            ("version", result.tool.version.clone()),
        ],
        seconds: time.unwrap_or_default(),
        cases: cases(result),
    };
    let text = document(&result.tool.name, &[suite]);
    format!("{text}<!-- {} -->\n", commented(&result.result))
}

fn cases(result: &Document) -> Vec<Case> {
    let checks = &result.proviso.checks;
    let mut cases: Vec<Case> = checks.iter().map(|check| case(result, check)).collect();
    // Two test cases must not have the same name, since their names tell them apart.
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    for case in &mut cases {
        let count = known.entry((case.class.clone(), case.name.clone())).or_default();
        *count += 1;
        if *count > 1 {
            case.name = format!("{} (number {count})", case.name);
        }
    }
    let has = |is_it: fn(&Outcome) -> bool| cases.iter().any(|case| is_it(&case.outcome));
    let is_told = match (&result.counterexample, &result.unknown) {
        (Some(_), _) => has(|outcome| matches!(outcome, Outcome::Failure(_))),
        (None, Some(_)) => has(|outcome| matches!(outcome, Outcome::Error(_))),
        (None, None) => true,
    };
    // The verdict is about the whole program: if no case shows it, the document has a case for it.
    if !is_told || cases.is_empty() {
        cases.push(whole(result));
    }
    cases
}

fn case(result: &Document, check: &Check) -> Case {
    let place = check.at.as_ref().map(|at| (at.file.clone(), at.line));
    let line = place.as_ref().map_or_else(String::new, |(_, line)| format!("line {line}: "));
    let outcome = match &*check.status {
        "proved" => Outcome::Passed,
        "violated" => Outcome::Failure(violated(result, &check.property)),
        _ if result.unknown.is_none() => {
            let default = "not decided: a violation ended the run";
            Outcome::Skipped(or(&check.reason, default).to_owned())
        }
        _ => Outcome::Error(Told {
            kind: check.property.clone(),
            message: or(&check.reason, &result.proviso.reason).to_owned(),
            text: String::new(),
        }),
    };
    Case {
        class: place.as_ref().map_or_else(|| result.proviso.files.join(" "), |at| at.0.clone()),
        name: format!("{line}{}", check.text),
        place,
        seconds: 0.0,
        outcome,
    }
}

fn or<'t>(text: &'t str, default: &'t str) -> &'t str {
    if text.is_empty() { default } else { text }
}

/// A case for the verdict itself.
fn whole(result: &Document) -> Case {
    let outcome = match &*result.proviso.verdict {
        "TRUE" => Outcome::Passed,
        "FALSE" => Outcome::Failure(violated(result, &result.property)),
        _ => Outcome::Error(Told {
            kind: result.unknown.as_ref().map_or_else(String::new, |why| why.name.clone()),
            message: result.proviso.reason.clone(),
            text: String::new(),
        }),
    };
    Case {
        class: result.proviso.files.join(" "),
        name: or(&result.property, "verification").to_owned(),
        place: None,
        seconds: 0.0,
        outcome,
    }
}

/// The violation, with the inputs and steps of the execution, a line for each.
fn violated(result: &Document, property: &str) -> Told {
    let Some(found) = &result.counterexample else { return Told::default() };
    let mut text = String::new();
    for input in &found.inputs {
        let _ = writeln!(text, "input {}", line::one(input));
    }
    for step in &found.steps {
        let place = step.at.as_ref().map(|at| format!("{}:{}: ", at.file, at.line));
        let values: Vec<&str> = step.values.iter().map(|value| &*value.text).collect();
        let values = match values.is_empty() {
            true => String::new(),
            false => format!("  [{}]", values.join(", ")),
        };
        let told = format!("{}{}{values}", place.unwrap_or_default(), step.code);
        let _ = writeln!(text, "{}", line::one(&told));
    }
    let _ = writeln!(text, "Error: {}", line::one(&found.error));
    Told { kind: property.to_owned(), message: found.error.clone(), text }
}
