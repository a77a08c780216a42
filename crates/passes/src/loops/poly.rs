//! Polynomials in the number of a round, exact modulo a power of two.

use term::{Bv, TermId, Terms};

/// Polynomials of a higher degree are given up.
const MOST_DEGREE: usize = 3;

/// A bit-vector for each round: the sum over `k` of `coefficients[k] * C(round, k)`, wrapping.
///
/// In this basis of binomial coefficients (Newton's) sums over rounds and steps to the next round
/// need no division, so that all coefficients may be arbitrary terms that no round changes.
#[derive(Clone, Debug)]
pub(super) struct Poly {
    width: u32,
    /// From the constant one on; the last one is not zero unless it is the only one.
    coefficients: Vec<TermId>,
}

impl Poly {
    /// The same value in every round.
    pub(super) fn constant(terms: &Terms, value: TermId) -> Self {
        Self { width: terms.width(value), coefficients: vec![value] }
    }

    fn new(terms: &Terms, width: u32, mut coefficients: Vec<TermId>) -> Option<Self> {
        let is_zero = |term: &TermId| {
            terms.value(*term).and_then(term::Value::as_bv).is_some_and(Bv::is_zero)
        };
        while coefficients.len() > 1 && coefficients.last().is_some_and(is_zero) {
            coefficients.pop();
        }
        (coefficients.len() <= MOST_DEGREE + 1).then_some(Self { width, coefficients })
    }

    /// The value before the first round, if this is the same in all rounds.
    pub(super) fn as_constant(&self) -> Option<TermId> {
        match self.coefficients[..] {
            [value] => Some(value),
            _ => None,
        }
    }

    /// The first value, and what each round adds to it, if every round adds the same.
    pub(super) fn as_affine(&self, terms: &mut Terms) -> Option<(TermId, TermId)> {
        match self.coefficients[..] {
            [value] => Some((value, terms.bv(self.width, 0))),
            [value, step] => Some((value, step)),
            _ => None,
        }
    }

    /// The first value, the first step, and what each round adds to the step, which is not zero.
    pub(super) fn as_quadratic(&self) -> Option<(TermId, TermId, TermId)> {
        match self.coefficients[..] {
            [value, step, more] => Some((value, step, more)),
            _ => None,
        }
    }

    fn coefficient(&self, terms: &mut Terms, degree: usize) -> TermId {
        self.coefficients.get(degree).copied().unwrap_or_else(|| terms.bv(self.width, 0))
    }

    /// The polynomial whose coefficients are made from those of two others.
    pub(super) fn zip(
        &self,
        other: &Self,
        terms: &mut Terms,
        mut join: impl FnMut(&mut Terms, TermId, TermId) -> TermId,
    ) -> Option<Self> {
        let length = self.coefficients.len().max(other.coefficients.len());
        let mut joined = Vec::with_capacity(length);
        for degree in 0..length {
            let (a, b) = (self.coefficient(terms, degree), other.coefficient(terms, degree));
            joined.push(join(terms, a, b));
        }
        Self::new(terms, self.width, joined)
    }

    /// The polynomial whose coefficients are made from those of this one, of this width.
    pub(super) fn map(
        &self,
        terms: &mut Terms,
        width: u32,
        mut change: impl FnMut(&mut Terms, TermId) -> TermId,
    ) -> Option<Self> {
        let changed = self.coefficients.iter().map(|term| change(terms, *term)).collect();
        Self::new(terms, width, changed)
    }

    /// The product, by `C(x, m) * C(x, n)`, the sum over `k` of the ways to put `m + n - k` things
    /// into boxes of `k`, `m - k` and `n - k`, times `C(x, m + n - k)`.
    pub(super) fn product(&self, other: &Self, terms: &mut Terms) -> Option<Self> {
        let degree = self.coefficients.len() + other.coefficients.len() - 2;
        if degree > MOST_DEGREE {
            return None;
        }
        let mut sums = vec![terms.bv(self.width, 0); degree + 1];
        for (m, a) in self.coefficients.iter().enumerate() {
            for (n, b) in other.coefficients.iter().enumerate() {
                let both = terms.bv_mul(*a, *b);
                for k in 0..=m.min(n) {
                    let top = m + n - k;
                    let ways =
                        factorial(top) / (factorial(k) * factorial(m - k) * factorial(n - k));
                    let ways = terms.bv_value(wide(self.width, ways));
                    let part = terms.bv_mul(both, ways);
                    sums[top] = terms.bv_add(sums[top], part);
                }
            }
        }
        Self::new(terms, self.width, sums)
    }

    /// `start` plus the values of this polynomial in all rounds before the given one.
    pub(super) fn summed(&self, terms: &Terms, start: TermId) -> Option<Self> {
        let mut coefficients = vec![start];
        coefficients.extend_from_slice(&self.coefficients);
        Self::new(terms, self.width, coefficients)
    }

    /// The value after so many rounds; the number is an unsigned bit-vector of any width.
    pub(super) fn at(&self, terms: &mut Terms, rounds: TermId) -> TermId {
        let mut sum = self.coefficients[0];
        for (degree, coefficient) in self.coefficients.iter().enumerate().skip(1) {
            let ways = binomial(terms, rounds, degree, self.width);
            let part = terms.bv_mul(*coefficient, ways);
            sum = terms.bv_add(sum, part);
        }
        sum
    }
}

/// A small number as a bit-vector, wrapping.
fn wide(width: u32, number: u64) -> Bv {
    Bv::from_biguint(width, &number.into())
}

fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

/// `C(rounds, k)`, wrapping to a width. The product of `k` numbers that follow each other is divided
/// by `k!`: its powers of two are shifted out of a product that has as many more bits, and what is
/// left of it is odd and has an inverse.
fn binomial(terms: &mut Terms, rounds: TermId, k: usize, width: u32) -> TermId {
    let shift = factorial(k).trailing_zeros();
    let odd = factorial(k) >> shift;
    let rounds = resized(terms, rounds, width + shift);
    let mut product = rounds;
    for below in 1..k {
        let below = terms.bv_value(wide(width + shift, below as u64));
        let factor = terms.bv_sub(rounds, below);
        product = terms.bv_mul(product, factor);
    }
    let quotient = terms.bv_extract(width + shift - 1, shift, product);
    let inverse = terms.bv_value(inverse(width, &wide(width, odd)));
    terms.bv_mul(quotient, inverse)
}

/// An unsigned number with another width: cut off, or filled with zeros.
pub(super) fn resized(terms: &mut Terms, number: TermId, width: u32) -> TermId {
    if terms.width(number) > width {
        terms.bv_extract(width - 1, 0, number)
    } else {
        terms.bv_zero_extend(width, number)
    }
}

/// The inverse of an odd number modulo a power of two, by Newton's iteration: each round doubles the
/// number of bits that are right, three at the start.
pub(super) fn inverse(width: u32, odd: &Bv) -> Bv {
    let two = wide(width, 2);
    let mut inverse = odd.clone();
    let mut right = 3;
    while right < width {
        let error = two.sub(&odd.mul(&inverse));
        inverse = inverse.mul(&error);
        right *= 2;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for width in [1, 2, 3, 8, 31, 32, 64, 65, 128] {
            for odd in [1, 3, 5, 7, 255, 0x1234_5679] {
                let odd = wide(width, odd);
                assert!(odd.mul(&inverse(width, &odd)).is_one(), "{odd:?}");
            }
        }
    }

    #[test]
    fn values_are_those_of_the_sums() {
        let mut terms = Terms::new();
        for width in [3, 8, 32] {
            let three = terms.bv_value(wide(width, 3));
            let five = terms.bv_value(wide(width, 5));
            let line = Poly::constant(&terms, three).summed(&terms, five).expect("degree one");
            let square = line.product(&line, &mut terms).expect("degree two");
            let sum = square.summed(&terms, three).expect("degree three");
            let mut expected: u64 = 3;
            for round in 0..300_u64 {
                let count = terms.bv(40, u128::from(round));
                let at = sum.at(&mut terms, count);
                let wanted = terms.bv_value(wide(width, expected));
                assert_eq!(at, wanted, "round {round}, width {width}");
                expected += (5 + 3 * round).pow(2);
            }
            assert!(sum.product(&line, &mut terms).is_none(), "too high a degree");
        }
    }
}
