//! What another check of a proof found, in a line.

use verify::{Certification, Certified, Outcome, Proof, Verdict};

use crate::counted::counted;

/// Whether a proof was certified, and if not, why; nothing if no certificate was asked for.
#[must_use]
pub fn certification(outcome: &Outcome) -> Option<String> {
    let checked = outcome.certification.as_ref()?;
    Some(match &checked.outcome.certified {
        Certified::Holds => {
            let no_path = matches!(outcome.verdict, Verdict::Safe(Proof::NoPath));
            format!("certified: {}\n", certified(checked, no_path))
        }
        Certified::Open(why) | Certified::Refuted(why) => format!("not certified: {why}\n"),
    })
}

/// What was checked of a proof that is right. Nothing has to be checked if no path leads to an error, or if every
/// path to an error has a condition that is plainly false.
fn certified(checked: &Certification, no_path: bool) -> String {
    let (text, comma) = match (checked.outcome.invariants, checked.outcome.obligations) {
        (0, 0) if no_path => {
            ("nothing is to be checked, since no path leads to an error".to_owned(), "")
        }
        (0, 0) => ("a condition that is plainly false is on every path to an error".to_owned(), ""),
        (invariants, obligations) => {
            let invariants = counted(invariants, "invariant");
            let obligations = counted(obligations, "obligation");
            (format!("{invariants}, {obligations}, {} ms", checked.time.as_millis()), ",")
        }
    };
    match trusted(checked) {
        Some(made) => format!("{text}{comma} of {made} (the passes that made it are trusted)"),
        None => text,
    }
}

/// The program that was checked in place of the given one, if one was. The passes that made this program are trusted
/// to keep all errors.
pub(crate) fn trusted(checked: &Certification) -> Option<String> {
    let is_right = checked.outcome.certified == Certified::Holds;
    let made = checked.trusted.filter(|_| is_right)?;
    Some(format!("the program with {}", made.words()))
}
