//! Rounds of loops that the interpreter took at once.

use std::collections::BTreeMap;

use cfa::{LocId, Loops, Program};

use crate::counted::counted;

/// At most this many loops are named.
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

/// Whether loops with these heads have other loops in them.
fn are_nested(program: &Program, mut heads: impl Iterator<Item = LocId>) -> bool {
    let loops = Loops::of(&program.cfa);
    heads.any(|head| {
        let body = loops.headed(head).map(|id| loops.body(id)).unwrap_or_default();
        body.iter().any(|at| *at != head && loops.head(*at))
    })
}

/// `9990 rounds of the loop at a.c:5 were taken at once, by an exact summary`, if there were any. The rounds are
/// given by the heads of the loops, and `participle` says what was done with them. If such a round contains rounds of
/// an inner loop, these are not counted.
#[must_use]
pub fn passed(
    program: &Program,
    rounds: &BTreeMap<LocId, u64>,
    participle: &str,
) -> Option<String> {
    let mut named = rounds.iter().map(|(head, count)| (place(program, *head), *count));
    let (first, count) = named.next()?;
    let nested = match are_nested(program, rounds.keys().copied()) {
        true => "; the rounds of loops inside these rounds are not counted",
        false => "",
    };
    if rounds.len() == 1 {
        let count = counted(count, "round");
        let summary = format!("of the loop at {first} were {participle} at once");
        return Some(format!("{count} {summary}, by an exact summary{nested}"));
    }
    let all = rounds.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
    let each = |(place, count): (String, u64)| format!("{count} of the loop at {place}");
    let mut texts = vec![each((first, count))];
    texts.extend(named.take(NAMED - 1).map(each));
    if rounds.len() > NAMED {
        texts.push(format!("and those of {}", counted(rounds.len() - NAMED, "other loop")));
    }
    let all = counted(all, "round");
    let texts = texts.join(", ");
    Some(format!("{all} of loops were {participle} at once, by exact summaries: {texts}{nested}"))
}
