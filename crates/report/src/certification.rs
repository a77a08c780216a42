//! What another check of a proof found, in a line.

use verify::{Certification, Certified, Outcome, Proof, Verdict};

use crate::counted::counted;

/// Whether a proof was certified, and if not, why; nothing if nobody asked.
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

/// What was checked of a proof that is right. Where no path leads to an error there is nothing, and where paths do, each
/// may have a condition that is plainly false.
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

/// What was checked in place of the given program, if something was. That no error was lost when it was made is
/// trusted.
pub(crate) fn trusted(checked: &Certification) -> Option<String> {
    let is_right = checked.outcome.certified == Certified::Holds;
    let made = checked.trusted.filter(|_| is_right)?;
    Some(format!("the program with {}", made.words()))
}
