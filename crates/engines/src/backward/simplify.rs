//! Fewer and shorter conjunctions for the same states, so that people can read an invariant.

use super::atom::{AtomId, Atoms, Literal};
use super::entail::Context;
use run::{Budget, Unknown};

/// So many atoms are looked at; more of them nobody reads.
const MAX_ATOMS: usize = 400;

/// Conjunctions that hold for the same valuations as some others, none of which is below another one,
/// and without conjuncts that the rest or another conjunction makes needless.
///
/// # Errors
/// If a limit is passed.
pub(super) fn simplify(
    atoms: &mut Atoms,
    states: Vec<Vec<AtomId>>,
    limits: &Budget,
) -> Result<Vec<Vec<AtomId>>, Unknown> {
    if states.iter().map(Vec::len).sum::<usize>() > MAX_ATOMS {
        return Ok(states);
    }
    let mut states = states;
    absorb(atoms, &mut states, limits)?;
    for index in 0..states.len() {
        let mut at = states[index].len();
        while let Some(next) = at.checked_sub(1) {
            at = next;
            if is_needless(atoms, &states, (index, at), limits)? {
                states[index].remove(at);
            }
        }
    }
    absorb(atoms, &mut states, limits)?;
    Ok(states)
}

/// Whether a conjunction may do without one of its conjuncts: what that excludes has no solution, or is in
/// another conjunction.
fn is_needless(
    atoms: &mut Atoms,
    states: &[Vec<AtomId>],
    (index, at): (usize, usize),
    limits: &Budget,
) -> Result<bool, Unknown> {
    let mut excluded = states[index].clone();
    let atom = excluded.remove(at);
    let (difference, negated) = (atoms.difference(atom), atoms.atom(atom).relation.negated());
    match atoms.literal(&difference, negated) {
        Literal::Atom(negation) => excluded.push(negation),
        Literal::False => return Ok(true),
        Literal::True => {}
    }
    let mut context = Context::new(atoms, &excluded, limits)?;
    if !context.is_satisfiable() {
        return Ok(true);
    }
    for (_, other) in states.iter().enumerate().filter(|(other, _)| *other != index) {
        if implies_all(&mut context, other)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn implies_all(context: &mut Context<'_>, conjunction: &[AtomId]) -> Result<bool, Unknown> {
    for atom in conjunction {
        if !context.implies(*atom)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Drops conjunctions that are below another one, and those without a solution.
fn absorb(atoms: &Atoms, states: &mut Vec<Vec<AtomId>>, limits: &Budget) -> Result<(), Unknown> {
    let mut index = 0;
    while index < states.len() {
        let mut context = Context::new(atoms, &states[index], limits)?;
        let mut below = !context.is_satisfiable();
        for other in (0..states.len()).filter(|other| *other != index) {
            below = below || implies_all(&mut context, &states[other])?;
        }
        if below {
            states.remove(index);
        } else {
            index += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    use super::super::atom::Relation;
    use super::super::linear::Linear;
    use super::*;

    /// `a*x + b*y relation c`.
    type Raw = ([i64; 2], u8, i64);

    const RELATIONS: [Relation; 6] =
        [Relation::Le, Relation::Lt, Relation::Ge, Relation::Gt, Relation::Eq, Relation::Ne];

    fn rational(number: i64) -> BigRational {
        BigRational::from_integer(BigInt::from(number))
    }

    fn intern(atoms: &mut Atoms, raw: &[Raw]) -> Vec<AtomId> {
        let mut found = Vec::new();
        for (factors, relation, constant) in raw {
            let mut sum = Linear::number(rational(-constant));
            for (place, factor) in (0..).zip(factors) {
                sum.add(&rational(*factor), &Linear::place(place));
            }
            if let Literal::Atom(atom) = atoms.literal(&sum, RELATIONS[usize::from(*relation)]) {
                found.push(atom);
            }
        }
        found
    }

    /// Whether a state is in one of the conjunctions; places are in halves.
    fn holds(atoms: &Atoms, states: &[Vec<AtomId>], point: [i64; 2]) -> bool {
        let one = |id: &AtomId| {
            let atom = atoms.atom(*id);
            let mut sum = rational(0);
            for (place, factor) in atoms.form(atom.form) {
                sum += BigRational::new(factor * point[*place as usize], 2.into());
            }
            atom.relation.holds(sum.cmp(&atom.constant))
        };
        states.iter().any(|state| state.iter().all(one))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn the_same_states_are_meant(
            raw in proptest::collection::vec(
                proptest::collection::vec(([-1i64..=1, -1i64..=1], 0u8..6, -2i64..=2), 0..4), 0..5)
        ) {
            let mut atoms = Atoms::new(vec![false; 2]);
            let states: Vec<Vec<AtomId>> =
                raw.iter().map(|state| intern(&mut atoms, state)).collect();
            let found = simplify(&mut atoms, states.clone(), &Budget::default()).expect("no limit");
            prop_assert!(found.len() <= states.len());
            for point in (-7..=7).flat_map(|x| (-7..=7).map(move |y| [x, y])) {
                prop_assert_eq!(holds(&atoms, &states, point), holds(&atoms, &found, point));
            }
        }
    }

    #[test]
    fn what_is_said_twice_is_said_once() {
        let mut atoms = Atoms::new(vec![false; 2]);
        // x = 0 && x != 1 || x != 0 && x = 1 || x != 0 && x != 1 is always so.
        let [zero, one] = [0, 1].map(|number| ([1, 0], 4, number));
        let [not_zero, not_one] = [0, 1].map(|number| ([1, 0], 5, number));
        let states = [vec![zero, not_one], vec![not_zero, one], vec![not_zero, not_one]];
        let states: Vec<Vec<AtomId>> =
            states.iter().map(|state| intern(&mut atoms, state)).collect();
        let found = simplify(&mut atoms, states, &Budget::default()).expect("no limit");
        assert_eq!(found, [vec![]]);
    }
}
