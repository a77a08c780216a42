//! Linear sums of unknowns.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::linear;

/// An unknown number of an instance: a variable, a read of an array, or a name for the value of a term.
pub(crate) type Name = u32;

/// Factors of unknowns, by ascending name and without zeros, plus a constant. This is not a [`linear::Sum`] because
/// each operation of a term makes a new sum from two old ones, and two sorted lists are merged in one pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SortedSum {
    pub factors: Vec<(Name, BigRational)>,
    pub constant: BigRational,
}

impl SortedSum {
    pub fn number(constant: BigRational) -> SortedSum {
        SortedSum { factors: Vec::new(), constant }
    }

    pub fn unknown(name: Name) -> SortedSum {
        SortedSum { factors: vec![(name, BigRational::one())], constant: BigRational::zero() }
    }

    /// The number that the sum is, if it has no unknowns.
    pub fn as_number(&self) -> Option<&BigRational> {
        self.factors.is_empty().then_some(&self.constant)
    }

    /// `self + factor * other`.
    pub fn plus(&self, factor: &BigRational, other: &SortedSum) -> SortedSum {
        if factor.is_zero() {
            return self.clone();
        }
        let mut factors = Vec::with_capacity(self.factors.len() + other.factors.len());
        let (mut left, mut right) =
            (self.factors.iter().peekable(), other.factors.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    let total = &a.1 + factor * &b.1;
                    if !total.is_zero() {
                        factors.push((a.0, total));
                    }
                    left.next();
                    right.next();
                }
                (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                    factors.push((*a).clone());
                    left.next();
                }
                (_, Some(b)) => {
                    factors.push((b.0, factor * &b.1));
                    right.next();
                }
                // If only the left sum has a term left, the first case has taken it.
                (_, None) => break,
            }
        }
        SortedSum { factors, constant: &self.constant + factor * &other.constant }
    }

    pub fn minus(&self, other: &SortedSum) -> SortedSum {
        self.plus(&-BigRational::one(), other)
    }

    pub fn times(&self, factor: &BigRational) -> SortedSum {
        SortedSum::number(BigRational::zero()).plus(factor, self)
    }

    /// The factors of the multiple in which they are coprime integers and the first one is positive, and the number
    /// that makes this multiple; `None` for a sum without unknowns.
    pub fn primitive(&self) -> Option<(Vec<(Name, BigInt)>, BigRational)> {
        linear::primitive(self.factors.iter().map(|(name, factor)| (*name, factor)))
    }
}
