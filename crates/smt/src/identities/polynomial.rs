//! Polynomials over words of one width, with coefficients modulo a power of two.

use std::collections::BTreeMap;

use term::TermId;

/// A product of terms, in ascending order; a power has its term several times, and the product 1 has no terms.
pub(super) type Monomial = Vec<TermId>;

/// A sum of monomials with coefficients that are not zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Polynomial {
    width: u32,
    sum: BTreeMap<Monomial, u64>,
}

/// The most monomials of a polynomial, and the highest degree: larger polynomials are not worth their time.
const MOST_MONOMIALS: usize = 120;
const HIGHEST_DEGREE: usize = 12;

impl Polynomial {
    pub fn constant(width: u32, number: u64) -> Self {
        let mut zero = Self { width, sum: BTreeMap::new() };
        zero.add_monomial(Monomial::new(), number);
        zero
    }

    pub fn term(width: u32, term: TermId) -> Self {
        Self { width, sum: BTreeMap::from([(vec![term], 1)]) }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn is_zero(&self) -> bool {
        self.sum.is_empty()
    }

    pub fn monomials(&self) -> impl Iterator<Item = &Monomial> {
        self.sum.keys()
    }

    /// The last monomial in the order of monomials, with its coefficient.
    pub fn leading(&self) -> Option<(&Monomial, u64)> {
        self.sum.last_key_value().map(|(monomial, number)| (monomial, *number))
    }

    /// Adds `factor` times `monomial` times another polynomial.
    pub fn add(&mut self, factor: u64, monomial: &[TermId], other: &Self) {
        for (of_other, number) in &other.sum {
            self.add_monomial(times(of_other, monomial), number.wrapping_mul(factor));
        }
    }

    /// The product, if it is not too large.
    pub fn product(&self, other: &Self) -> Option<Self> {
        let mut product = Self { width: self.width, sum: BTreeMap::new() };
        if self.sum.len() * other.sum.len() > 4 * MOST_MONOMIALS {
            return None;
        }
        for (monomial, number) in &other.sum {
            product.add(*number, monomial, self);
        }
        product.is_small().then_some(product)
    }

    pub fn is_small(&self) -> bool {
        self.sum.len() <= MOST_MONOMIALS
            && self.sum.keys().all(|monomial| monomial.len() <= HIGHEST_DEGREE)
    }

    /// The polynomial with another one in place of a term, if it is not too large.
    pub fn with(&self, old: TermId, new: &Self) -> Option<Self> {
        let mut result = Self::constant(self.width, 0);
        for (monomial, number) in &self.sum {
            let (replaced, kept): (Monomial, Monomial) =
                monomial.iter().partition(|term| **term == old);
            let mut product = Self::constant(self.width, 1);
            for _ in replaced {
                product = product.product(new)?;
            }
            result.add(*number, &kept, &product);
        }
        result.is_small().then_some(result)
    }

    fn add_monomial(&mut self, monomial: Monomial, number: u64) {
        let mask = u64::MAX >> (64 - self.width);
        let entry = self.sum.entry(monomial);
        let sum = match &entry {
            std::collections::btree_map::Entry::Occupied(known) => known.get().wrapping_add(number),
            std::collections::btree_map::Entry::Vacant(_) => number,
        } & mask;
        if sum != 0 {
            entry.insert_entry(sum);
        } else if let std::collections::btree_map::Entry::Occupied(known) = entry {
            known.remove();
        }
    }
}

/// The product of two monomials.
fn times(a: &[TermId], b: &[TermId]) -> Monomial {
    let mut product = [a, b].concat();
    product.sort_unstable();
    product
}

/// The monomial that times `part` is `whole`, if there is one.
pub(super) fn quotient(whole: &[TermId], part: &[TermId]) -> Option<Monomial> {
    let mut rest = Monomial::new();
    let mut part = part.iter().peekable();
    for term in whole {
        if part.next_if_eq(&term).is_none() {
            rest.push(*term);
        }
    }
    part.peek().is_none().then_some(rest)
}

/// The number that times `b` is `a` modulo any power of two up to 2^64, if there is such a number: `b` must not be
/// divisible by a greater power of two than `a`.
pub(super) fn ratio(a: u64, b: u64) -> Option<u64> {
    let (of_a, of_b) = (a.trailing_zeros(), b.trailing_zeros());
    if b == 0 || of_b > of_a {
        return None;
    }
    let odd = b >> of_b;
    // Newton's iteration doubles the number of right bits; the odd number itself is right in its lowest three bits.
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some((a >> of_b).wrapping_mul(inverse))
}
