//! Polynomials in the number of a round, exact modulo a power of two. Those of integers and rationals are
//! lines with constant steps, so that their values are linear terms.

use term::{Bv, Sort, TermId, Terms};

use super::numbers::{self, number};

/// Polynomials of a higher degree are given up.
const MOST_DEGREE: usize = 3;

/// A number for each round: the sum over `k` of `coefficients[k] * C(round, k)`, wrapping if it is a
/// bit-vector.
///
/// In this basis of binomial coefficients (Newton's) sums over rounds and steps to the next round
/// need no division, so that all coefficients may be arbitrary terms that no round changes.
#[derive(Clone, Debug)]
pub(super) struct Poly {
    sort: Sort,
    /// The coefficients, beginning with the constant; the last one is not zero unless it is the only one.
    coefficients: Vec<TermId>,
}

impl Poly {
    /// The polynomial that has this value in every round.
    pub(super) fn constant(terms: &Terms, value: TermId) -> Self {
        Self { sort: terms.sort(value), coefficients: vec![value] }
    }

    fn new(terms: &mut Terms, sort: Sort, mut coefficients: Vec<TermId>) -> Option<Self> {
        let zero = number(terms, sort, 0);
        while coefficients.len() > 1 && coefficients.last() == Some(&zero) {
            coefficients.pop();
        }
        let is_known = match coefficients[..] {
            [_, step] => !numbers::is_whole(sort) || numbers::is_chosen(terms, step, 0),
            _ => !numbers::is_whole(sort) || coefficients.len() == 1,
        };
        (is_known && coefficients.len() <= MOST_DEGREE + 1).then_some(Self { sort, coefficients })
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
            [value] => Some((value, number(terms, self.sort, 0))),
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
        self.coefficients.get(degree).copied().unwrap_or_else(|| number(terms, self.sort, 0))
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
        Self::new(terms, self.sort, joined)
    }

    /// The polynomial whose coefficients are made from those of this one, of this sort.
    pub(super) fn map(
        &self,
        terms: &mut Terms,
        sort: Sort,
        mut change: impl FnMut(&mut Terms, TermId) -> TermId,
    ) -> Option<Self> {
        let changed = self.coefficients.iter().map(|term| change(terms, *term)).collect();
        Self::new(terms, sort, changed)
    }

    /// The product, by `C(x, m) * C(x, n)`, the sum over `k` of the ways to put `m + n - k` things
    /// into boxes of `k`, `m - k` and `n - k`, times `C(x, m + n - k)`.
    pub(super) fn product(&self, other: &Self, terms: &mut Terms) -> Option<Self> {
        let degree = self.coefficients.len() + other.coefficients.len() - 2;
        if degree > MOST_DEGREE {
            return None;
        }
        let mut sums = vec![number(terms, self.sort, 0); degree + 1];
        for (m, a) in self.coefficients.iter().enumerate() {
            for (n, b) in other.coefficients.iter().enumerate() {
                let both = numbers::mul(terms, *a, *b);
                for k in 0..=m.min(n) {
                    let top = m + n - k;
                    let ways =
                        factorial(top) / (factorial(k) * factorial(m - k) * factorial(n - k));
                    // A small number: factorials of degrees.
                    let ways = number(terms, self.sort, ways as i64);
                    let part = numbers::mul(terms, both, ways);
                    sums[top] = numbers::add(terms, sums[top], part);
                }
            }
        }
        Self::new(terms, self.sort, sums)
    }

    /// `start` plus the values of this polynomial in all rounds before the given one.
    pub(super) fn summed(&self, terms: &mut Terms, start: TermId) -> Option<Self> {
        let mut coefficients = vec![start];
        coefficients.extend_from_slice(&self.coefficients);
        Self::new(terms, self.sort, coefficients)
    }

    /// The value after a number of rounds: the number is an unsigned bit-vector of any width, or an integer if this is
    /// no polynomial of bit-vectors.
    pub(super) fn at(&self, terms: &mut Terms, rounds: TermId) -> TermId {
        let mut sum = self.coefficients[0];
        let Sort::Bv(width) = self.sort else {
            if let Some(step) = self.coefficients.get(1) {
                let way = numbers::times(terms, *step, rounds);
                sum = terms.add(sum, way);
            }
            return sum;
        };
        for (degree, coefficient) in self.coefficients.iter().enumerate().skip(1) {
            let ways = binomial(terms, rounds, degree, width);
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
            let line = Poly::constant(&terms, three).summed(&mut terms, five).expect("degree one");
            let square = line.product(&line, &mut terms).expect("degree two");
            let sum = square.summed(&mut terms, three).expect("degree three");
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
