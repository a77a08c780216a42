//! What another check of a proof found, in a line.

use verify::{Certified, Outcome};

/// Whether a proof was certified, and if not, why; nothing if nobody asked.
#[must_use]
pub fn certification(outcome: &Outcome) -> Option<String> {
    let checked = outcome.certification.as_ref()?;
    let plural = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    Some(match &checked.outcome.certified {
        Certified::Holds => format!(
            "certified: {}, {}, {} ms\n",
            plural(checked.outcome.invariants, "invariant"),
            plural(checked.outcome.obligations, "obligation"),
            checked.time.as_millis()
        ),
        Certified::Open(why) | Certified::Refuted(why) => format!("not certified: {why}\n"),
    })
}
