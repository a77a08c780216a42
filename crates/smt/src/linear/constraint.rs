//! Linear constraints, and certificates that some have no common solution.

use std::collections::BTreeMap;

use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::Unknown;

/// How the sum of a constraint compares with its constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// The sum is at most the constant.
    LessEqual,
    /// The sum is less than the constant.
    Less,
    /// The sum is the constant.
    Equal,
}

/// `sum of terms  relation  constant`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// Factors and variables. A variable may occur more than once; its factors add up.
    pub terms: Vec<(BigRational, Unknown)>,
    /// How the sum compares with the constant.
    pub relation: Relation,
    /// What the sum is compared with.
    pub constant: BigRational,
}

impl Constraint {
    /// Whether the constraint holds under an assignment.
    pub fn satisfied(&self, mut value: impl FnMut(Unknown) -> BigRational) -> bool {
        let mut sum = BigRational::zero();
        for (factor, unknown) in &self.terms {
            sum += factor * value(*unknown);
        }
        match self.relation {
            Relation::LessEqual => sum <= self.constant,
            Relation::Less => sum < self.constant,
            Relation::Equal => sum == self.constant,
        }
    }

    /// The strongest constraint on the same sum that has the same solutions, given that all its
    /// variables are integers: coprime integer factors, `<` turned into `<=`, the constant
    /// rounded. The result is equivalent over the integers but stronger over the rationals, so a
    /// caller that asserts it gets Farkas certificates where it would otherwise get bare cores. An
    /// equation that no integers satisfy becomes `0 = 1`.
    #[must_use]
    pub fn tightened(&self) -> Constraint {
        let sum = self.sum();
        let mut numer = num_bigint::BigInt::zero();
        let mut denom = num_bigint::BigInt::one();
        for factor in sum.values() {
            numer = numer.gcd(factor.numer());
            denom = denom.lcm(factor.denom());
        }
        if numer.is_zero() {
            return self.clone();
        }
        let scale = BigRational::new(denom, numer);
        let mut terms: Vec<_> = sum.into_iter().map(|(x, factor)| (factor * &scale, x)).collect();
        let bound = &self.constant * &scale;
        let (relation, constant) = match self.relation {
            Relation::LessEqual => (Relation::LessEqual, bound.floor()),
            Relation::Less => (Relation::LessEqual, bound.ceil() - BigRational::one()),
            Relation::Equal if bound.is_integer() => (Relation::Equal, bound),
            Relation::Equal => {
                terms.clear();
                (Relation::Equal, BigRational::one())
            }
        };
        Constraint { terms, relation, constant }
    }

    /// The factor of each variable, without zeros.
    fn sum(&self) -> BTreeMap<Unknown, BigRational> {
        let mut sum = BTreeMap::new();
        for (factor, unknown) in &self.terms {
            *sum.entry(*unknown).or_insert_with(BigRational::zero) += factor;
        }
        sum.retain(|_, factor| !factor.is_zero());
        sum
    }
}

/// Why constraints have no common solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Tags of constraints, ascending, with multipliers. If `integer` is false, the constraints
    /// times the multipliers add up to `0 <= c` with a negative `c`, or to `0 < 0`; multipliers of
    /// inequalities are positive. If `integer` is true, the multipliers are all one and mean
    /// nothing: the constraints of these tags have no common solution in which the integer
    /// variables are integers.
    pub farkas: Vec<(u32, BigRational)>,
    /// Whether integrality was needed.
    pub integer: bool,
}

impl Certificate {
    /// The tags of the constraints that have no common solution, ascending.
    pub fn tags(&self) -> impl Iterator<Item = u32> + '_ {
        self.farkas.iter().map(|(tag, _)| *tag)
    }

    /// Whether the weighted sum of the constraints is false, given the constraint of each tag.
    /// This re-checks a certificate over the rationals; one over the integers is not checked in
    /// this way, and the answer is false.
    pub fn holds<'a>(&self, mut constraint: impl FnMut(u32) -> Option<&'a Constraint>) -> bool {
        if self.integer {
            return false;
        }
        let mut total = Constraint {
            terms: Vec::new(),
            relation: Relation::LessEqual,
            constant: BigRational::zero(),
        };
        for (tag, multiplier) in &self.farkas {
            let Some(constraint) = constraint(*tag) else { return false };
            if constraint.relation != Relation::Equal && multiplier.is_negative() {
                return false;
            }
            if constraint.relation == Relation::Less && multiplier.is_positive() {
                total.relation = Relation::Less;
            }
            for (factor, unknown) in &constraint.terms {
                total.terms.push((factor * multiplier, *unknown));
            }
            total.constant += &constraint.constant * multiplier;
        }
        total.sum().is_empty() && !total.satisfied(|_| BigRational::zero())
    }
}
