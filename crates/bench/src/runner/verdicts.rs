//! Answers that cannot all be right.

use std::collections::BTreeMap;
use std::fmt;

use super::Record;

/// Answers that contradict what is known, or each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdicts {
    /// Each answer that is not the expected one.
    pub wrong: Vec<String>,
    /// Each model that some configurations call safe and others unsafe.
    pub disagreements: Vec<String>,
}

impl Verdicts {
    /// Looks at all answers, also at those that came too late to count.
    #[must_use]
    pub fn of(records: &[Record]) -> Self {
        let mut wrong = Vec::new();
        let mut said: BTreeMap<&str, [Vec<&str>; 2]> = BTreeMap::new();
        for record in records {
            let Some(verdict) = record.verdict else { continue };
            if record.is_wrong() {
                let (task, way) = (&record.task, &record.configuration);
                let (found, right) = match &record.violated {
                    Some((said, right)) if record.expected == Some(verdict) => {
                        (format!("FALSE ({said})"), format!("FALSE ({right})"))
                    }
                    _ => (name(verdict).to_owned(), name(!verdict).to_owned()),
                };
                wrong.push(format!("{task}: {way} says {found}, expected is {right}"));
            }
            said.entry(&record.task).or_default()[usize::from(verdict)].push(&record.configuration);
        }
        wrong.sort();
        let mut disagreements = Vec::new();
        for (task, [no, yes]) in &mut said {
            if !no.is_empty() && !yes.is_empty() {
                no.sort_unstable();
                yes.sort_unstable();
                let (no, yes) = (no.join(", "), yes.join(", "));
                disagreements.push(format!("{task}: TRUE by {yes}; FALSE by {no}"));
            }
        }
        Self { wrong, disagreements }
    }

    /// Whether nothing is contradicted.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        self.wrong.is_empty() && self.disagreements.is_empty()
    }
}

fn name(verdict: bool) -> &'static str {
    if verdict { "TRUE" } else { "FALSE" }
}

impl fmt::Display for Verdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.wrong {
            writeln!(f, "WRONG VERDICT: {line}")?;
        }
        for line in &self.disagreements {
            writeln!(f, "DISAGREEMENT: {line}")?;
        }
        Ok(())
    }
}
