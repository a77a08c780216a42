//! Takes away the choices that a command makes: they are existentially quantified.
//!
//! Equations are solved and bounds combined (Fourier and Motzkin), which is exact over the
//! rationals. A disequality on a choice that has little room is split into its two sides, so that
//! the result is a disjunction. Where there would be too many cases or too many combinations of
//! bounds, some are dropped: the result has more states then, never fewer, and says so.

use num_rational::BigRational;
use num_traits::{One, Signed};

use super::atom::{AtomId, Atoms, Literal, Relation};
use super::linear::{Linear, PlaceNumber};

/// How many pairs of bounds are combined for one choice.
const MAX_PAIRS: usize = 256;

/// How many cases the disequalities of one conjunction are split into.
const MAX_CASES: usize = 16;

/// Expressions compared with zero.
type Rows = Vec<(Linear, Relation)>;

/// A conjunction without its choices.
#[derive(Default)]
pub struct Projection {
    /// The cases of the result; none if the conjunction is seen to be false.
    pub cases: Vec<Vec<AtomId>>,
    /// Whether something was dropped, so that the result may have states that the conjunction has not.
    pub dropped: bool,
}

/// A conjunction without the places from `first` on. With `syntactic`, an atom that is seen to be false is left out
/// and does not make its case false.
pub fn project(
    atoms: &mut Atoms,
    conjunction: &[AtomId],
    first: PlaceNumber,
    syntactic: bool,
) -> Projection {
    let is_choice = |atoms: &Atoms, id: AtomId| atoms.places(id).any(|place| place >= first);
    let (choices, others): (Vec<AtomId>, Vec<AtomId>) =
        conjunction.iter().partition(|id| is_choice(atoms, **id));
    let rows = choices.iter().map(|id| (atoms.difference(*id), atoms.atom(*id).relation)).collect();
    let mut projection = Projection::default();
    let mut open: Vec<(Rows, Vec<AtomId>)> = vec![(rows, others)];
    while let Some((rows, mut result)) = open.pop() {
        let place = rows.iter().find_map(|(row, _)| row.factors.keys().next_back());
        let Some(place) = place.copied() else {
            result.sort_unstable();
            result.dedup();
            if !projection.cases.contains(&result) {
                projection.cases.push(result);
            }
            continue;
        };
        if let Some(index) = disequality_without_room(&rows, place) {
            if open.len() + projection.cases.len() < MAX_CASES {
                // The side with `<` is looked at first, since it is pushed last.
                for relation in [Relation::Gt, Relation::Lt] {
                    open.extend(
                        side(atoms, &rows, index, relation).map(|rows| (rows, result.clone())),
                    );
                }
                continue;
            }
            projection.dropped = true;
        }
        let mut rest = Vec::new();
        let mut possible = true;
        for (row, relation) in eliminate(rows, place, &mut projection.dropped) {
            if row.factors.keys().next_back().is_some_and(|last| *last >= first) {
                rest.push((row, relation));
                continue;
            }
            match atoms.literal(&row, relation) {
                Literal::True => {}
                Literal::False => possible &= syntactic,
                Literal::Atom(id) => result.push(id),
            }
        }
        if possible {
            open.push((rest, result));
        }
    }
    projection
}

/// A disequality about a place that has both a lower and an upper bound so near to each other, or at an
/// unknown distance, that the disequalities may leave nothing between them.
fn disequality_without_room(rows: &Rows, place: PlaceNumber) -> Option<usize> {
    let has = |row: &Linear| row.factors.contains_key(&place);
    if rows.iter().any(|(row, relation)| has(row) && *relation == Relation::Eq) {
        return None;
    }
    let differ = |(row, relation): &(Linear, Relation)| has(row) && *relation == Relation::Ne;
    let index = rows.iter().position(differ)?;
    let count = BigRational::from_integer(rows.iter().filter(|row| differ(row)).count().into());
    let (below, above) = bounds(rows, place);
    let mut pairs = below.iter().flat_map(|below| above.iter().map(move |above| (below, above)));
    let is_tight = |((lower, _), (upper, _)): (&Bound, &Bound)| {
        let room = upper.clone().plus(&-BigRational::one(), lower);
        room.as_number().is_none_or(|room| *room <= count)
    };
    pairs.any(is_tight).then_some(index)
}

/// The rows with one side of a disequality in its place; `None` if that side is seen to be false.
fn side(atoms: &mut Atoms, rows: &Rows, index: usize, relation: Relation) -> Option<Rows> {
    let mut rows = rows.clone();
    // For integers, the canonical form makes `<` and `>` a `<=` or `>=` with another number.
    match atoms.literal(&rows[index].0, relation) {
        Literal::True => drop(rows.remove(index)),
        Literal::False => return None,
        Literal::Atom(id) => rows[index] = (atoms.difference(id), atoms.atom(id).relation),
    }
    Some(rows)
}

/// Takes one place away.
fn eliminate(rows: Rows, place: PlaceNumber, dropped: &mut bool) -> Rows {
    let (with, mut without): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(row, _)| row.factors.contains_key(&place));
    if let Some(index) = with.iter().position(|(_, relation)| *relation == Relation::Eq) {
        let factor = with[index].0.factors[&place].clone();
        let mut solved = with[index].0.times(&-factor.recip());
        solved.factors.remove(&place);
        for (other, (row, relation)) in with.iter().enumerate() {
            if other != index {
                let image = |each: PlaceNumber| (each == place).then_some(&solved);
                without.push((row.substitute(image), *relation));
            }
        }
        return without;
    }
    let (below, above) = bounds(&with, place);
    if above.len() * below.len() > MAX_PAIRS {
        *dropped = true;
        return without;
    }
    for (lower, strict) in &below {
        for (upper, also_strict) in &above {
            let difference = lower.clone().plus(&-BigRational::one(), upper);
            let strict = *strict || *also_strict;
            without.push((difference, if strict { Relation::Lt } else { Relation::Le }));
        }
    }
    without
}

/// A bound of a place, and whether the place is never equal to it.
type Bound = (Linear, bool);

/// The lower and the upper bounds of a place.
fn bounds(rows: &Rows, place: PlaceNumber) -> (Vec<Bound>, Vec<Bound>) {
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for (row, relation) in rows {
        let Some(factor) = row.factors.get(&place) else { continue };
        let mut bound = row.times(&-factor.recip());
        bound.factors.remove(&place);
        let strict = matches!(relation, Relation::Lt | Relation::Gt);
        let upper = matches!(relation, Relation::Le | Relation::Lt) == factor.is_positive();
        match relation {
            Relation::Eq | Relation::Ne => {}
            _ if upper => above.push((bound, strict)),
            _ => below.push((bound, strict)),
        }
    }
    (below, above)
}
