//! Choices that a command makes are existentially quantified: this takes them away.
//!
//! Equations are solved and bounds combined (Fourier and Motzkin), which is exact over the
//! rationals. A disequality on a choice, and combinations that would be too many, are dropped: the
//! result has more states then, never fewer.

use num_rational::BigRational;
use num_traits::{One, Signed};

use super::atom::{AtomId, Atoms, Literal, Relation};
use super::linear::{Linear, Place};

/// How many pairs of bounds are combined for one choice.
const MAX_PAIRS: usize = 256;

/// A conjunction without the places from `first` on; `None` if it is seen to be false. With
/// `syntactic` what is seen to be false is left out instead.
pub fn project(
    atoms: &mut Atoms,
    conjunction: &[AtomId],
    first: Place,
    syntactic: bool,
) -> Option<Vec<AtomId>> {
    let is_choice = |atoms: &Atoms, id: AtomId| atoms.places(id).any(|place| place >= first);
    let (choices, mut result): (Vec<AtomId>, Vec<AtomId>) =
        conjunction.iter().partition(|id| is_choice(atoms, **id));
    let mut rows: Vec<(Linear, Relation)> =
        choices.iter().map(|id| (atoms.difference(*id), atoms.atom(*id).relation)).collect();
    while let Some(place) = rows.iter().find_map(|(row, _)| row.factors.keys().next_back()).copied()
    {
        if place < first {
            break;
        }
        rows = eliminate(rows, place);
        let mut rest = Vec::new();
        for (row, relation) in rows {
            if row.factors.keys().next_back().is_some_and(|last| *last >= first) {
                rest.push((row, relation));
                continue;
            }
            match atoms.literal(&row, relation) {
                Literal::True => {}
                Literal::False if syntactic => {}
                Literal::False => return None,
                Literal::Atom(id) => result.push(id),
            }
        }
        rows = rest;
    }
    result.sort_unstable();
    result.dedup();
    Some(result)
}

/// Takes one place away.
fn eliminate(rows: Vec<(Linear, Relation)>, place: Place) -> Vec<(Linear, Relation)> {
    let (with, mut without): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(row, _)| row.factors.contains_key(&place));
    if let Some(index) = with.iter().position(|(_, relation)| *relation == Relation::Eq) {
        let factor = with[index].0.factors[&place].clone();
        let mut solved = with[index].0.times(&-factor.recip());
        solved.factors.remove(&place);
        for (other, (row, relation)) in with.iter().enumerate() {
            if other != index {
                let image = |each: Place| (each == place).then_some(&solved);
                without.push((row.substitute(image), *relation));
            }
        }
        return without;
    }
    // Each bound as `place <= expression` or `place >= expression`.
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for (row, relation) in &with {
        let factor = &row.factors[&place];
        let mut bound = row.times(&-factor.recip());
        bound.factors.remove(&place);
        let strict = matches!(relation, Relation::Lt | Relation::Gt);
        let upper = matches!(relation, Relation::Le | Relation::Lt) == factor.is_positive();
        match relation {
            Relation::Ne => {}
            _ if upper => above.push((bound, strict)),
            _ => below.push((bound, strict)),
        }
    }
    if above.len() * below.len() <= MAX_PAIRS {
        for (lower, strict) in &below {
            for (upper, also_strict) in &above {
                let difference = lower.clone().plus(&-BigRational::one(), upper);
                let strict = *strict || *also_strict;
                without.push((difference, if strict { Relation::Lt } else { Relation::Le }));
            }
        }
    }
    without
}
