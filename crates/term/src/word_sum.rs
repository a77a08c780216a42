//! Terms as linear sums of words.

use std::collections::BTreeMap;

use crate::{Op, TermId, Terms, View};

/// A constant and multiples of terms, all modulo a power of two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordSum {
    /// How many bits the words have: at most 64.
    width: u32,
    /// What is added to the terms, below the power of two.
    pub constant: u64,
    /// The factor of each term, below the power of two, and never zero.
    pub parts: BTreeMap<TermId, u64>,
}

impl WordSum {
    /// The sum that a term is: terms that are no sums themselves are its parts. `None` if the words have more than 64
    /// bits, or if the term is no word.
    #[must_use]
    pub fn of(terms: &Terms, term: TermId) -> Option<Self> {
        let width = terms.sort(term).bv_width().filter(|width| *width <= 64)?;
        let mut sum = Self { width, constant: 0, parts: BTreeMap::new() };
        sum.add(terms, 1, term);
        Some(sum)
    }

    /// The sum that is the difference of two terms of the same width, as [`WordSum::of`].
    #[must_use]
    pub fn difference(terms: &Terms, left: TermId, right: TermId) -> Option<Self> {
        let mut sum = Self::of(terms, left)?;
        sum.add(terms, u64::MAX, right);
        Some(sum)
    }

    /// Adds a multiple of a term of the same width.
    fn add(&mut self, terms: &Terms, factor: u64, term: TermId) {
        let mut waiting = vec![(term, factor)];
        while let Some((term, factor)) = waiting.pop() {
            if let Some(number) = terms.number(term) {
                self.constant = self.constant.wrapping_add(factor.wrapping_mul(number));
                continue;
            }
            match terms.view(term) {
                View::App(Op::BvAdd, args) => waiting.extend(args.iter().map(|arg| (*arg, factor))),
                View::App(Op::BvSub, [a, b]) => {
                    waiting.extend([(*a, factor), (*b, factor.wrapping_neg())]);
                }
                View::App(Op::BvNeg, [a]) => waiting.push((*a, factor.wrapping_neg())),
                View::App(Op::BvMul, [a, b]) => match (terms.number(*a), terms.number(*b)) {
                    (_, Some(number)) => waiting.push((*a, factor.wrapping_mul(number))),
                    (Some(number), _) => waiting.push((*b, factor.wrapping_mul(number))),
                    _ => self.add_part(factor, term),
                },
                _ => self.add_part(factor, term),
            }
        }
        let mask = u64::MAX >> (64 - self.width);
        self.constant &= mask;
        self.parts.retain(|_, factor| {
            *factor &= mask;
            *factor != 0
        });
    }

    fn add_part(&mut self, factor: u64, part: TermId) {
        let known = self.parts.entry(part).or_default();
        *known = known.wrapping_add(factor);
    }

    /// The constant or a factor, read as a signed number.
    #[must_use]
    pub fn signed(&self, number: u64) -> i64 {
        let unused = 64 - self.width;
        (number << unused).cast_signed() >> unused
    }
}
