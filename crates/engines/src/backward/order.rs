//! The orders on conjunctions and on disjunctions of them: `≤_1`, `≤_2`, `≤_3` (thesis, §4.2.1).

use super::atom::{AtomId, Atoms};
use super::entail::Context;
use run::Unknown;

/// Which order, and with it which abstraction function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Alpha {
    /// Each conjunct on the right is also a conjunct on the left.
    One,
    /// Each conjunct on the right is implied by a single conjunct on the left.
    Two,
    /// Each conjunct on the right is implied by the left side as a whole.
    #[default]
    Three,
}

impl Alpha {
    /// All orders, from the coarsest to the finest.
    pub const ALL: [Self; 3] = [Alpha::One, Alpha::Two, Alpha::Three];

    /// 1, 2 or 3.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Alpha::One => 1,
            Alpha::Two => 2,
            Alpha::Three => 3,
        }
    }
}

/// `left ≤_k right` for conjunctions.
pub fn conjunction_leq(
    atoms: &Atoms,
    alpha: Alpha,
    left: &[AtomId],
    right: &[AtomId],
    limits: &run::Budget,
) -> Result<bool, Unknown> {
    match alpha {
        Alpha::One => Ok(right.iter().all(|each| left.contains(each))),
        Alpha::Two => {
            let implied = |each: &AtomId| left.iter().any(|atom| atoms.implies(*atom, *each));
            Ok(right.iter().all(implied))
        }
        Alpha::Three => {
            let mut context = Context::new(atoms, left, limits)?;
            for each in right {
                if !context.implies(*each)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// `left ≤_k right` for disjunctions, by local subsumption: each disjunct on the left is below one
/// on the right.
pub fn leq(
    atoms: &Atoms,
    alpha: Alpha,
    left: &[Vec<AtomId>],
    right: &[Vec<AtomId>],
    limits: &run::Budget,
) -> Result<bool, Unknown> {
    for each in left {
        let mut below = false;
        for other in right {
            if conjunction_leq(atoms, alpha, each, other, limits)? {
                below = true;
                break;
            }
        }
        if !below {
            return Ok(false);
        }
    }
    Ok(true)
}
