//! Linear sums of unknowns over the rationals.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// `constant + sum of factor * unknown`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum<K: Ord> {
    /// The factors, none of them zero.
    pub factors: BTreeMap<K, BigRational>,
    /// What is added to the sum.
    pub constant: BigRational,
}

impl<K: Ord> Default for Sum<K> {
    fn default() -> Self {
        Self::number(BigRational::zero())
    }
}

impl<K: Ord> Sum<K> {
    /// The sum that is a number.
    #[must_use]
    pub fn number(constant: BigRational) -> Self {
        Self { factors: BTreeMap::new(), constant }
    }

    /// The number that the sum is, if it has no unknowns.
    #[must_use]
    pub fn as_number(&self) -> Option<&BigRational> {
        self.factors.is_empty().then_some(&self.constant)
    }
}

impl<K: Ord + Copy> Sum<K> {
    /// The sum that is an unknown.
    #[must_use]
    pub fn unknown(unknown: K) -> Self {
        let factors = BTreeMap::from([(unknown, BigRational::one())]);
        Self { factors, constant: BigRational::zero() }
    }

    /// Whether the sum is this unknown and nothing else.
    #[must_use]
    pub fn is_unknown(&self, unknown: K) -> bool {
        self.constant.is_zero()
            && self.factors.len() == 1
            && self.factors.get(&unknown).is_some_and(One::is_one)
    }

    /// Adds a multiple of an unknown.
    pub fn add_unknown(&mut self, factor: &BigRational, unknown: K) {
        let sum = self.factors.entry(unknown).or_insert_with(BigRational::zero);
        *sum += factor;
        if sum.is_zero() {
            self.factors.remove(&unknown);
        }
    }

    /// Adds a multiple of another sum.
    pub fn add(&mut self, factor: &BigRational, other: &Self) {
        if factor.is_zero() {
            return;
        }
        for (unknown, each) in &other.factors {
            self.add_unknown(&(factor * each), *unknown);
        }
        self.constant += factor * &other.constant;
    }

    /// The sum with a multiple of another sum.
    #[must_use]
    pub fn plus(mut self, factor: &BigRational, other: &Self) -> Self {
        self.add(factor, other);
        self
    }

    /// A multiple of the sum.
    #[must_use]
    pub fn times(&self, factor: &BigRational) -> Self {
        if factor.is_zero() {
            return Self::default();
        }
        let factors = self.factors.iter().map(|(unknown, each)| (*unknown, each * factor));
        Self { factors: factors.collect(), constant: &self.constant * factor }
    }

    /// The sum with unknowns replaced, all at once.
    #[must_use]
    pub fn substitute<'a>(&self, mut image: impl FnMut(K) -> Option<&'a Self>) -> Self
    where
        K: 'a,
    {
        let mut result = Self::number(self.constant.clone());
        for (unknown, factor) in &self.factors {
            match image(*unknown) {
                Some(image) => result.add(factor, image),
                None => result.add_unknown(factor, *unknown),
            }
        }
        result
    }

    /// The positive multiple whose factors are coprime integers; a number stays as it is.
    #[must_use]
    pub fn coprime(&self) -> Self {
        coprime(self.factors.values()).map_or_else(|| self.clone(), |scale| self.times(&scale))
    }

    /// The factors of the multiple in which they are coprime integers and the first one is positive, and the number
    /// that makes this multiple; `None` if the sum has no unknowns.
    #[must_use]
    pub fn primitive(&self) -> Option<(Vec<(K, BigInt)>, BigRational)> {
        primitive(self.factors.iter().map(|(unknown, factor)| (*unknown, factor)))
    }
}

/// [`Sum::primitive`], of factors that are not in a [`Sum`].
pub(crate) fn primitive<'a, K>(
    factors: impl Iterator<Item = (K, &'a BigRational)> + Clone,
) -> Option<(Vec<(K, BigInt)>, BigRational)> {
    let (_, first) = factors.clone().next()?;
    let mut scale = coprime(factors.clone().map(|(_, factor)| factor))?;
    if first.is_negative() {
        scale = -scale;
    }
    let whole = factors.map(|(unknown, factor)| (unknown, (factor * &scale).to_integer()));
    Some((whole.collect(), scale))
}

/// The positive number that makes factors coprime integers; `None` if none of them differs from zero.
fn coprime<'a>(factors: impl Iterator<Item = &'a BigRational>) -> Option<BigRational> {
    let (mut gcd, mut lcm) = (BigInt::zero(), BigInt::one());
    for factor in factors {
        gcd = gcd.gcd(factor.numer());
        lcm = lcm.lcm(factor.denom());
    }
    (!gcd.is_zero()).then(|| BigRational::new(lcm, gcd))
}
