//! Linear sums of unknowns.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// An unknown number of an instance: a variable, a read of an array, or a name for the value of a term.
pub(crate) type Name = u32;

/// Factors of unknowns, by ascending name and without zeros, plus a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    pub factors: Vec<(Name, BigRational)>,
    pub constant: BigRational,
}

impl Sum {
    pub fn number(constant: BigRational) -> Sum {
        Sum { factors: Vec::new(), constant }
    }

    pub fn unknown(name: Name) -> Sum {
        Sum { factors: vec![(name, BigRational::one())], constant: BigRational::zero() }
    }

    /// The value of a sum without unknowns.
    pub fn known(&self) -> Option<&BigRational> {
        self.factors.is_empty().then_some(&self.constant)
    }

    /// `self + factor * other`.
    pub fn plus(&self, factor: &BigRational, other: &Sum) -> Sum {
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
                // A left term without a right one is the second case.
                (_, None) => break,
            }
        }
        Sum { factors, constant: &self.constant + factor * &other.constant }
    }

    pub fn minus(&self, other: &Sum) -> Sum {
        self.plus(&-BigRational::one(), other)
    }

    pub fn scaled(&self, factor: &BigRational) -> Sum {
        Sum::number(BigRational::zero()).plus(factor, self)
    }

    /// The coprime integer factors with a positive first one, and the number by which they are to
    /// be multiplied; for a sum with unknowns.
    pub fn primitive(&self) -> (Vec<(Name, BigInt)>, BigRational) {
        let (mut numer, mut denom) = (BigInt::zero(), BigInt::one());
        for (_, factor) in &self.factors {
            numer = numer.gcd(factor.numer());
            denom = denom.lcm(factor.denom());
        }
        let mut scale = BigRational::new(numer, denom);
        if self.factors.first().is_some_and(|(_, factor)| factor.is_negative()) {
            scale = -scale;
        }
        let whole = |(name, factor): &(Name, BigRational)| (*name, (factor / &scale).to_integer());
        (self.factors.iter().map(whole).collect(), scale)
    }
}
