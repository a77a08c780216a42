//! Linear constraints, and certificates that some have no common solution.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::{Sum, Unknown};

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
}

/// Why constraints have no common solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Tags of constraints, ascending, with multipliers. If `integer` is false, the constraints times the multipliers
    /// add up to `0 <= c` with a negative `c`, or to `0 < 0`; multipliers of inequalities are positive. If `integer` is
    /// true, all multipliers are one and mean nothing: the constraints with these tags have no common solution in which
    /// the integer variables are integers.
    pub farkas: Vec<(u32, BigRational)>,
    /// Whether integrality was needed.
    pub integer: bool,
}

impl Certificate {
    /// The tags of the constraints that have no common solution, ascending.
    pub fn tags(&self) -> impl Iterator<Item = u32> + '_ {
        self.farkas.iter().map(|(tag, _)| *tag)
    }

    /// Whether the weighted sum of the constraints is false, given the constraint of each tag. This re-checks a
    /// certificate over the rationals; a certificate over the integers is not checked in this way, and the answer is
    /// false.
    pub fn holds<'a>(&self, mut constraint: impl FnMut(u32) -> Option<&'a Constraint>) -> bool {
        if self.integer {
            return false;
        }
        // The sum says `total <= 0`, or `total < 0` if it is strict.
        let (mut total, mut strict) = (Sum::<Unknown>::default(), false);
        for (tag, multiplier) in &self.farkas {
            let Some(constraint) = constraint(*tag) else { return false };
            if constraint.relation != Relation::Equal && multiplier.is_negative() {
                return false;
            }
            strict |= constraint.relation == Relation::Less && multiplier.is_positive();
            for (factor, unknown) in &constraint.terms {
                total.add_unknown(&(factor * multiplier), *unknown);
            }
            total.constant -= &constraint.constant * multiplier;
        }
        total.as_number().is_some_and(|rest| rest.is_positive() || strict && rest.is_zero())
    }
}
