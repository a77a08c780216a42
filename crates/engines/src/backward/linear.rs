//! Linear expressions over the variables of a transition system.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

/// The number of a place of the state, or of a choice that a transition makes: places come first.
pub type PlaceNumber = u32;

/// `constant + sum of factor * place`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Linear {
    /// The factors, none of them zero.
    pub factors: BTreeMap<PlaceNumber, BigRational>,
    /// What is added to the sum.
    pub constant: BigRational,
}

impl Linear {
    /// A number.
    #[must_use]
    pub fn number(constant: BigRational) -> Self {
        Self { factors: BTreeMap::new(), constant }
    }

    /// A place.
    #[must_use]
    pub fn place(place: PlaceNumber) -> Self {
        let factors = BTreeMap::from([(place, BigRational::one())]);
        Self { factors, constant: BigRational::zero() }
    }

    /// Whether it is this place and nothing else.
    #[must_use]
    pub fn is_place(&self, place: PlaceNumber) -> bool {
        self.constant.is_zero()
            && self.factors.len() == 1
            && self.factors.get(&place).is_some_and(One::is_one)
    }

    /// The number that it is, if it has no places.
    #[must_use]
    pub fn as_number(&self) -> Option<&BigRational> {
        self.factors.is_empty().then_some(&self.constant)
    }

    /// Adds a multiple of another expression.
    pub fn add(&mut self, factor: &BigRational, other: &Self) {
        if factor.is_zero() {
            return;
        }
        for (place, each) in &other.factors {
            let sum = self.factors.entry(*place).or_insert_with(BigRational::zero);
            *sum += factor * each;
            if sum.is_zero() {
                self.factors.remove(place);
            }
        }
        self.constant += factor * &other.constant;
    }

    /// The sum with a multiple of another expression.
    #[must_use]
    pub fn plus(mut self, factor: &BigRational, other: &Self) -> Self {
        self.add(factor, other);
        self
    }

    /// A multiple.
    #[must_use]
    pub fn times(&self, factor: &BigRational) -> Self {
        Self::default().plus(factor, self)
    }

    /// The expression with places replaced, all at once.
    #[must_use]
    pub fn substitute<'a>(&self, mut image: impl FnMut(PlaceNumber) -> Option<&'a Self>) -> Self {
        let mut result = Self::number(self.constant.clone());
        for (place, factor) in &self.factors {
            match image(*place) {
                Some(image) => result.add(factor, image),
                None => result.add(factor, &Self::place(*place)),
            }
        }
        result
    }
}
