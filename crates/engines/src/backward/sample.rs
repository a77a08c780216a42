//! A point, and whether atoms hold there. Most questions about implications are answered by a point
//! where the conjunction holds and the atom does not, so this has to be fast: machine integers where
//! they are enough.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::atom::{Atom, AtomId, Atoms};

/// A number for each place; places beyond are zero.
pub(super) struct Sample {
    exact: Vec<BigRational>,
    /// The numbers of `exact` as numerators over one denominator, if all fit.
    small: Option<(Vec<i64>, i64)>,
}

impl Sample {
    pub(super) fn new(exact: Vec<BigRational>) -> Self {
        let denom = exact.iter().fold(BigInt::one(), |denom, value| denom.lcm(value.denom()));
        let scaled = |value: &BigRational| (value.numer() * (&denom / value.denom())).to_i64();
        let small = exact.iter().map(scaled).collect::<Option<Vec<i64>>>();
        let small = small.and_then(|numers| Some((numers, denom.to_i64()?)));
        Self { exact, small }
    }

    /// Whether an atom holds here.
    pub(super) fn satisfies(&self, atoms: &Atoms, id: AtomId) -> bool {
        self.quickly(atoms, id).unwrap_or_else(|| self.exactly(atoms, atoms.atom(id)))
    }

    fn quickly(&self, atoms: &Atoms, id: AtomId) -> Option<bool> {
        let (numers, denom) = self.small.as_ref()?;
        let atom = atoms.small(id)?;
        let mut sum: i128 = 0;
        for (place, factor) in &*atom.terms {
            let Some(value) = numers.get(*place as usize) else { continue };
            sum = sum.checked_add(i128::from(*factor) * i128::from(*value))?;
        }
        let left = sum.checked_mul(i128::from(atom.denom))?;
        let right = i128::from(atom.numer) * i128::from(*denom);
        Some(atoms.atom(id).relation.holds(left.cmp(&right)))
    }

    fn exactly(&self, atoms: &Atoms, atom: &Atom) -> bool {
        let mut sum = BigRational::zero();
        for (place, factor) in atoms.form(atom.form) {
            if let Some(value) = self.exact.get(*place as usize) {
                sum += value * factor;
            }
        }
        atom.relation.holds(sum.cmp(&atom.constant))
    }
}

#[cfg(test)]
mod tests {
    use super::super::atom::{Literal, Relation};
    use super::super::linear::Linear;
    use super::*;

    #[test]
    fn small_and_great_numbers_compare_alike() {
        let mut atoms = Atoms::new(vec![false; 2]);
        let rational = |a: i64, b: i64| BigRational::new(a.into(), b.into());
        let mut sum = Linear::unknown(0).plus(&rational(-3, 1), &Linear::unknown(1));
        sum.constant = rational(-7, 2);
        for relation in [Relation::Le, Relation::Lt, Relation::Eq, Relation::Ne] {
            let Literal::Atom(id) = atoms.literal(&sum, relation) else { panic!("an atom") };
            for (x, y) in [(7, 2), (1, 3), (i64::MAX, 1), (i64::MIN, i64::MAX)] {
                let exact = vec![rational(x, 2), rational(y, 5)];
                let sample = Sample::new(exact);
                assert_eq!(sample.satisfies(&atoms, id), sample.exactly(&atoms, atoms.atom(id)));
            }
        }
    }
}
