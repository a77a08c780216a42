//! What passes make of a program before it is analysed.

use cfa::{LocId, Program};
use passes::{Rewritten, Summarized};

use crate::Config;

/// A program that passes have made.
pub(crate) struct Prepared {
    pub(crate) rewritten: Rewritten,
    /// The heads of loops of the original that have become one step, in order.
    pub(crate) summarized: Vec<LocId>,
}

/// The program that is analysed, unless it is the one that was given.
pub(crate) fn rewritten(program: &Program, config: &Config) -> Option<Prepared> {
    let simple = config.simplify.then(|| passes::simplify(program));
    let before = simple.as_ref().map_or(program, |simple| &simple.program);
    let Some(found) = config.summarize.then(|| passes::summarize(before)).flatten() else {
        return simple.map(|rewritten| Prepared { rewritten, summarized: Vec::new() });
    };
    let Summarized { rewritten, heads } = found;
    let Some(simple) = simple else { return Some(Prepared { rewritten, summarized: heads }) };
    let origins = heads.iter().filter_map(|head| simple.back.location(*head));
    let summarized = origins.map(|origin| origin.location).collect();
    let back = simple.back.then(&rewritten.back);
    let rewritten = Rewritten { program: rewritten.program, back };
    // Numbers of rounds and what comes of them may be constants now.
    Some(Prepared { rewritten: rewritten.then(passes::simplify), summarized })
}
