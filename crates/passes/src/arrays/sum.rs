//! Addresses as sums.

use std::collections::BTreeMap;

use term::{Op, TermId, Terms, Value, View};

/// A constant and terms with factors, all modulo a power of two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sum {
    width: u32,
    pub(super) constant: u64,
    /// The factor of each term, none of which is zero.
    pub(super) parts: BTreeMap<TermId, u64>,
}

impl Sum {
    /// The sum that a term is. `None` if its words are too long.
    pub(super) fn of(terms: &Terms, term: TermId) -> Option<Self> {
        let width = terms.sort(term).bv_width().filter(|width| *width <= 64)?;
        let mut sum = Self { width, constant: 0, parts: BTreeMap::new() };
        let mut waiting = vec![(term, 1_u64)];
        while let Some((term, factor)) = waiting.pop() {
            match terms.view(term) {
                View::Const(value) => {
                    sum.constant = sum.constant.wrapping_add(factor.wrapping_mul(number(value)?));
                }
                View::App(Op::BvAdd, args) => waiting.extend(args.iter().map(|arg| (*arg, factor))),
                View::App(Op::BvSub, [a, b]) => {
                    waiting.extend([(*a, factor), (*b, factor.wrapping_neg())]);
                }
                View::App(Op::BvNeg, [a]) => waiting.push((*a, factor.wrapping_neg())),
                View::App(Op::BvMul, [a, b]) if terms.number(*b).is_some() => {
                    waiting.push((*a, factor.wrapping_mul(terms.number(*b)?)));
                }
                View::App(Op::BvMul, [a, b]) if terms.number(*a).is_some() => {
                    waiting.push((*b, factor.wrapping_mul(terms.number(*a)?)));
                }
                _ => {
                    let known = sum.parts.entry(term).or_default();
                    *known = known.wrapping_add(factor);
                }
            }
        }
        sum.constant &= sum.mask();
        let mask = sum.mask();
        sum.parts.retain(|_, factor| {
            *factor &= mask;
            *factor != 0
        });
        Some(sum)
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// A number of this width, read as a signed one.
    pub(super) fn signed(&self, number: u64) -> i64 {
        let unused = 64 - self.width;
        (number << unused).cast_signed() >> unused
    }

    /// The sum of terms with factors and a constant, as a term.
    pub(super) fn build(
        terms: &mut Terms,
        width: u32,
        parts: &[(TermId, i64)],
        constant: i64,
    ) -> TermId {
        let word = |terms: &mut Terms, number: i64| {
            let mask = u64::MAX >> (64 - width);
            terms.bv(width, u128::from(number.cast_unsigned() & mask))
        };
        let mut all = (constant != 0 || parts.is_empty()).then(|| word(terms, constant));
        for (part, factor) in parts {
            let product = if *factor == 1 {
                *part
            } else {
                let factor = word(terms, *factor);
                terms.bv_mul(*part, factor)
            };
            all = Some(all.map_or(product, |sum| terms.bv_add(product, sum)));
        }
        all.expect("a sum has a constant or a part")
    }
}

fn number(value: &Value) -> Option<u64> {
    value.as_bv().and_then(term::Bv::to_u64)
}
