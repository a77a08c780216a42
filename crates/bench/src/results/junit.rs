//! The results of a batch as JUnit's XML: a column is a suite, a task is a case.

use report::junit::{Case, Outcome, Suite, Told, document};

use super::batch::BatchResults;
use crate::runner::{Record, Status};

/// The results as JUnit's XML. A wrong answer is a failure, a crash an error; a task without an answer was skipped.
pub(super) fn junit(results: &BatchResults<'_>) -> String {
    let suite = |column: &&str| {
        let records: Vec<&Record> = results.column(column).collect();
        Suite {
            name: (*column).to_owned(),
            properties: Vec::new(),
            seconds: records.iter().map(|record| record.wall_seconds).sum(),
            cases: records.into_iter().map(case).collect(),
        }
    };
    document("proviso bench", &results.columns.iter().map(suite).collect::<Vec<_>>())
}

fn case(record: &Record) -> Case {
    let word = |holds: Option<bool>| match holds {
        Some(true) => "true",
        Some(false) => "false",
        None => "unknown",
    };
    let why = match record.reason.is_empty() {
        true => record.status.name().to_owned(),
        false => record.reason.clone(),
    };
    let outcome = match record.status {
        _ if record.is_wrong() => {
            let (said, right) = match &record.violated {
                Some((said, right)) => (format!("false({said})"), format!("false({right})")),
                None => (word(record.verdict).to_owned(), word(record.expected).to_owned()),
            };
            let message = format!("the answer is {said}, and {right} is right");
            Outcome::Failure(Told { kind: "wrong".to_owned(), message, text: String::new() })
        }
        Status::Answered => Outcome::Passed,
        Status::Error => {
            Outcome::Error(Told { kind: "error".to_owned(), message: why, text: String::new() })
        }
        _ => Outcome::Skipped(why),
    };
    Case {
        class: record.category.clone(),
        name: record.task.clone(),
        place: None,
        seconds: record.wall_seconds,
        outcome,
    }
}
