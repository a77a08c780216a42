//! Fewer and shorter conjunctions for the same states, so that people can read an invariant.

use num_rational::BigRational;
use num_traits::One;

use super::atom::{AtomId, Atoms, Literal, Relation};
use super::entail::Context;
use run::{Budget, Unknown};

/// How many atoms are simplified at most; nobody reads an invariant with more atoms.
const MAX_ATOMS: usize = 400;

/// How many cases are looked at in all to see that some conjunctions together have all solutions of another one. The
/// proof is checked within the same time, so little of it may be spent here.
const MAX_CASES: usize = 200;

/// Simpler conjunctions, whose disjunction holds for the same valuations as that of the given ones. None of the given
/// conjunctions is below another one. Conjuncts that the rest or other conjunctions make needless are left out, and one
/// conjunct takes the place of two about the same sum.
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
    let (mut states, mut cases) = (states, MAX_CASES);
    shorten(atoms, &mut states, limits, &mut cases)?;
    let count = states.len();
    while join(atoms, &mut states) {}
    if states.len() < count {
        shorten(atoms, &mut states, limits, &mut cases)?;
    }
    Ok(states)
}

/// Drops conjunctions and conjuncts that the rest makes needless, and puts one conjunct in place of two.
fn shorten(
    atoms: &mut Atoms,
    states: &mut Vec<Vec<AtomId>>,
    limits: &Budget,
    cases: &mut usize,
) -> Result<(), Unknown> {
    absorb(atoms, states, limits, cases)?;
    for index in 0..states.len() {
        let mut at = states[index].len();
        while let Some(next) = at.checked_sub(1) {
            at = next;
            if is_needless(atoms, states, (index, at), limits, cases)? {
                states[index].remove(at);
            }
        }
        tighten(atoms, &mut states[index]);
    }
    absorb(atoms, states, limits, cases)
}

/// Whether a conjunction may do without one of its conjuncts: the states that only this conjunct excludes do not
/// exist, or are in the other conjunctions.
fn is_needless(
    atoms: &mut Atoms,
    states: &[Vec<AtomId>],
    (index, at): (usize, usize),
    limits: &Budget,
    cases: &mut usize,
) -> Result<bool, Unknown> {
    let mut excluded = states[index].clone();
    let atom = excluded.remove(at);
    match negation(atoms, atom) {
        Literal::Atom(negation) => excluded.push(negation),
        Literal::False => return Ok(true),
        Literal::True => {}
    }
    let others: Vec<&[AtomId]> = others(states, index);
    is_within(atoms, &excluded, &others, limits, cases)
}

fn others(states: &[Vec<AtomId>], index: usize) -> Vec<&[AtomId]> {
    let others = states.iter().enumerate().filter(|(other, _)| *other != index);
    others.map(|(_, state)| &state[..]).collect()
}

fn negation(atoms: &mut Atoms, atom: AtomId) -> Literal {
    let (difference, negated) = (atoms.difference(atom), atoms.atom(atom).relation.negated());
    atoms.literal(&difference, negated)
}

/// Whether every solution of a conjunction is a solution of one of the others; false if this takes more than `cases`
/// cases.
fn is_within(
    atoms: &mut Atoms,
    inner: &[AtomId],
    others: &[&[AtomId]],
    limits: &Budget,
    cases: &mut usize,
) -> Result<bool, Unknown> {
    let mut context = Context::new(atoms, inner, limits)?;
    if !context.is_satisfiable() {
        return Ok(true);
    }
    for other in others {
        if implies_all(&mut context, other)? {
            return Ok(true);
        }
    }
    let Some((first, rest)) = others.split_first() else { return Ok(false) };
    // A solution that is not in the first conjunction violates one of its conjuncts, and must be in the rest.
    for atom in *first {
        let Some(left) = cases.checked_sub(1) else { return Ok(false) };
        *cases = left;
        let mut outside = inner.to_vec();
        match negation(atoms, *atom) {
            Literal::Atom(negation) => outside.push(negation),
            Literal::False => continue,
            Literal::True => {}
        }
        if !is_within(atoms, &outside, rest, limits, cases)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn implies_all(context: &mut Context<'_>, conjunction: &[AtomId]) -> Result<bool, Unknown> {
    for atom in conjunction {
        if !context.implies(*atom)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Drops conjunctions that are below the others, and those without a solution.
fn absorb(
    atoms: &mut Atoms,
    states: &mut Vec<Vec<AtomId>>,
    limits: &Budget,
    cases: &mut usize,
) -> Result<(), Unknown> {
    let mut index = 0;
    while index < states.len() {
        let others = others(states, index);
        if is_within(atoms, &states[index], &others, limits, cases)? {
            states.remove(index);
        } else {
            index += 1;
        }
    }
    Ok(())
}

/// How the two sides of an atom may stand to each other: a bit for less, one for equal, one for greater.
const fn orders(relation: Relation) -> u8 {
    match relation {
        Relation::Lt => 1,
        Relation::Eq => 2,
        Relation::Le => 3,
        Relation::Gt => 4,
        Relation::Ne => 5,
        Relation::Ge => 6,
    }
}

/// The comparisons of a sum with a number that an atom stands for. For integers there may be two, such as `x <= 3` and
/// `x < 4`.
fn comparisons(atoms: &Atoms, atom: AtomId) -> Vec<(BigRational, u8)> {
    let known = atoms.atom(atom);
    let mut all = vec![(known.constant.clone(), orders(known.relation))];
    if atoms.is_integral(atom) {
        let one = BigRational::one();
        match known.relation {
            Relation::Le => all.push((&known.constant + one, orders(Relation::Lt))),
            Relation::Ge => all.push((&known.constant - one, orders(Relation::Gt))),
            _ => {}
        }
    }
    all
}

/// Two atoms about the same sum and the same number as one: both of them, or either.
fn combined(
    atoms: &mut Atoms,
    (one, other): (AtomId, AtomId),
    combine: fn(u8, u8) -> u8,
) -> Option<Literal> {
    if atoms.atom(one).form != atoms.atom(other).form {
        return None;
    }
    let (first, second) = (comparisons(atoms, one), comparisons(atoms, other));
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
    let ((number, a), (_, b)) = pairs.into_iter().find(|((a, _), (b, _))| a == b)?;
    let relation = match combine(*a, *b) {
        0 => return Some(Literal::False),
        1 => Relation::Lt,
        2 => Relation::Eq,
        3 => Relation::Le,
        4 => Relation::Gt,
        5 => Relation::Ne,
        6 => Relation::Ge,
        _ => return Some(Literal::True),
    };
    let mut difference = atoms.difference(one);
    difference.constant = -number.clone();
    Some(atoms.literal(&difference, relation))
}

/// Puts one conjunct in place of two: `x >= 0 && x != 0` is `x > 0`.
fn tighten(atoms: &mut Atoms, state: &mut Vec<AtomId>) {
    let mut first = 0;
    while first < state.len() {
        let pair = (first + 1..state.len()).find_map(|second| {
            match combined(atoms, (state[first], state[second]), |a, b| a & b)? {
                Literal::Atom(both) => Some((second, both)),
                Literal::True | Literal::False => None,
            }
        });
        match pair {
            Some((second, both)) => {
                state[first] = both;
                state.remove(second);
            }
            None => first += 1,
        }
    }
}

/// Puts one conjunction in place of two that differ in one conjunct: `x < 0 || x == 0` is `x <= 0`. Says whether there
/// were two such conjunctions.
fn join(atoms: &mut Atoms, states: &mut Vec<Vec<AtomId>>) -> bool {
    for first in 0..states.len() {
        for second in first + 1..states.len() {
            let [one, other] = [first, second].map(|index| &states[index]);
            let only = |own: &[AtomId], other: &[AtomId]| -> Vec<AtomId> {
                own.iter().filter(|atom| !other.contains(atom)).copied().collect()
            };
            let (&[a], &[b]) = (&only(one, other)[..], &only(other, one)[..]) else { continue };
            let joined = match combined(atoms, (a, b), |a, b| a | b) {
                Some(Literal::Atom(either)) => Some(either),
                Some(Literal::True) => None,
                Some(Literal::False) | None => continue,
            };
            let mut state = states[first].clone();
            state.retain(|atom| *atom != a);
            state.extend(joined);
            states[first] = state;
            states.remove(second);
            return true;
        }
    }
    false
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
                sum.add(&rational(*factor), &Linear::unknown(place));
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
                proptest::collection::vec(([-1i64..=1, -1i64..=1], 0u8..6, -2i64..=2), 0..4), 0..5),
            integers in any::<bool>(),
        ) {
            let mut atoms = Atoms::new(vec![integers; 2]);
            let states: Vec<Vec<AtomId>> =
                raw.iter().map(|state| intern(&mut atoms, state)).collect();
            let found = simplify(&mut atoms, states.clone(), &Budget::default()).expect("no limit");
            prop_assert!(found.len() <= states.len());
            // Places are in halves, and integers are even then.
            let step = if integers { 2 } else { 1 };
            for point in (-8..=8).flat_map(|x| (-8..=8).map(move |y| [x, y])) {
                if point.iter().all(|half| half % step == 0) {
                    prop_assert_eq!(holds(&atoms, &states, point), holds(&atoms, &found, point));
                }
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
    /// Two atoms about one sum are one, within a conjunction and across two of them.
    #[test]
    fn comparisons_with_the_same_number_are_one() {
        for integers in [false, true] {
            let mut atoms = Atoms::new(vec![integers; 2]);
            let mut simple = |raw: &[&[Raw]]| {
                let states = raw.iter().map(|state| intern(&mut atoms, state)).collect();
                let found = simplify(&mut atoms, states, &Budget::default()).expect("no limit");
                let names = ["x".into(), "y".into()];
                let each = |state: &Vec<AtomId>| {
                    state
                        .iter()
                        .map(|atom| atoms.show(*atom, &names))
                        .collect::<Vec<_>>()
                        .join(" && ")
                };
                found.iter().map(each).collect::<Vec<_>>().join(" || ")
            };
            let [le, lt, ge, eq, ne] = [0, 1, 2, 4, 5].map(|relation| ([1, 0], relation, 0));
            let y = ([0, 1], 4, 1);
            let above = if integers { "x >= 1" } else { "x > 0" };
            assert_eq!(simple(&[&[ge, ne]]), above);
            assert_eq!(simple(&[&[ge, le]]), "x == 0");
            assert_eq!(simple(&[&[lt, y], &[y, eq]]), "y == 1 && x <= 0");
            // Neither of the two others has all of the first, but both together have.
            assert_eq!(simple(&[&[y], &[le], &[ge]]), "");
        }
    }
}
