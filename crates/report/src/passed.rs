//! Rounds of loops that the interpreter took at once.

use std::collections::BTreeMap;

use cfa::{LocId, Program};

use crate::trace::counted;

/// As many loops are named.
const NAMED: usize = 8;

/// File and line of a loop, or the number of its head if it is nowhere in the source.
fn place(program: &Program, head: LocId) -> String {
    match program.cfa.locations[head].span {
        Some(span) => {
            let line = program.sources.position(span).line;
            format!("{}:{line}", program.sources.name(span.file))
        }
        None => head.to_string(),
    }
}

/// `9990 rounds of the loop at a.c:5 were taken at once, by an exact summary`, if there were any. The
/// rounds are given by the heads of the loops; the participle says what was done with them.
#[must_use]
pub fn passed(
    program: &Program,
    rounds: &BTreeMap<LocId, u64>,
    participle: &str,
) -> Option<String> {
    let mut named = rounds.iter().map(|(head, count)| (place(program, *head), *count));
    let (first, count) = named.next()?;
    if rounds.len() == 1 {
        let count = counted(count, "round");
        let summary = format!("of the loop at {first} were {participle} at once");
        return Some(format!("{count} {summary}, by an exact summary"));
    }
    let all = rounds.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
    let each = |(place, count): (String, u64)| format!("{count} of the loop at {place}");
    let mut texts = vec![each((first, count))];
    texts.extend(named.take(NAMED - 1).map(each));
    if rounds.len() > NAMED {
        texts
            .push(format!("and those of {}", counted((rounds.len() - NAMED) as u64, "other loop")));
    }
    let all = counted(all, "round");
    let texts = texts.join(", ");
    Some(format!("{all} of loops were {participle} at once, by exact summaries: {texts}"))
}
