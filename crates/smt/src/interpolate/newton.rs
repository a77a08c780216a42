//! Interpolants by weakest preconditions over the unsatisfiable core.
//!
//! Backwards through the blocks, the constraints of the core are rewritten in the symbols that are there before each
//! block. Together, the rewritten constraints cannot hold after the blocks before, so the negation of their conjunction
//! is the interpolant. Definitions that no constraint of the core depends on do not occur in this formula, which is why
//! a counter of a loop that does not matter is not mentioned.

use term::TermId;

use super::work::{Interpolants, Work, local_values, substitute};
use crate::{Cores, Models};

pub(super) fn interpolants<S: Models + Cores>(work: &mut Work<'_, S>) -> Interpolants {
    let mut found = Vec::new();
    // What must hold at the cut for the error to be reached.
    let mut needed: Vec<TermId> = Vec::new();
    for cut in (1..work.blocks.len()).rev() {
        needed.extend_from_slice(&work.blocks[cut].constraints);
        let own = local_values(work.terms, &work.blocks[cut]);
        for each in &mut needed {
            work.look()?;
            *each = substitute(work.terms, *each, &own);
        }
        needed.sort_unstable();
        needed.dedup();
        needed.retain(|each| !work.terms.is_true(*each));
        needed = work.without_local_symbols(needed, cut)?;
        let all = work.terms.and(&needed);
        found.push(work.terms.not(all));
    }
    found.reverse();
    Ok(found)
}
