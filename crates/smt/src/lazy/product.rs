//! Lemmas about products: greater factors have greater products.

use num_bigint::BigUint;
use rustsat::types::Lit;

use super::lemmas::{lowered, most, raised};
use super::operations::{LazyKind, Operation};
use crate::gates::Gates;
use crate::words::Word;

impl Gates {
    /// The product of two words in as many bits as both have, which is left open.
    pub fn open_product(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        // The operands are put in order, so that `a * b` and `b * a` are the same operation.
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let product = self.open(LazyKind::Product, a, b, a.len() + b.len());
        let odd = self.and(a[0], b[0]);
        self.sat.clause(&[!product[0], odd]);
        self.sat.clause(&[product[0], !odd]);
        product
    }

    pub(super) fn refute_product(
        &mut self,
        operation: &Operation,
        a: &BigUint,
        b: &BigUint,
        found: &BigUint,
        right: &BigUint,
    ) {
        let Operation { a: x, b: y, result, .. } = operation;
        let one = self.refute_by_size(x, y, result, [a, b, found]);
        let other = self.refute_by_size(y, x, result, [b, a, found]);
        if one || other {
            return;
        }
        self.say_value(operation, a, b, right);
        if found > right {
            // If factors are at most `a` and `b`, their product is at most `a * b`. So `a` and `b` are raised as far as
            // their product stays below the product that was found.
            let fits = |a: &BigUint, b: &BigUint| a * b < *found;
            let bits = most(x.len().min(y.len()) as u64, |k| fits(&raised(a, k), &raised(b, k)));
            let (a, b) = (raised(a, bits), raised(b, bits));
            let a = raised(&a, most(x.len() as u64, |k| fits(&raised(&a, k), &b)));
            let b = raised(&b, most(y.len() as u64, |k| fits(&a, &raised(&b, k))));
            let (is_a, is_b) = (self.is_at_most(x, &a), self.is_at_most(y, &b));
            let bound = self.is_at_most(result, &(a * b));
            self.sat.clause(&[!is_a, !is_b, bound]);
        } else {
            let fits = |a: &BigUint, b: &BigUint| a * b > *found;
            let bits = most(x.len().min(y.len()) as u64, |k| fits(&lowered(a, k), &lowered(b, k)));
            let (a, b) = (lowered(a, bits), lowered(b, bits));
            let a = lowered(&a, most(x.len() as u64, |k| fits(&lowered(&a, k), &b)));
            let b = lowered(&b, most(y.len() as u64, |k| fits(&a, &lowered(&b, k))));
            let (is_a, is_b) = (self.is_at_least(x, &a), self.is_at_least(y, &b));
            let bound = self.is_at_least(result, &(a * b));
            self.sat.clause(&[!is_a, !is_b, bound]);
        }
    }

    /// Refutes a product that does not lie between two products of the second factor: those with the powers of two next
    /// to the first factor, below and above.
    fn refute_by_size(
        &mut self,
        x: &[Lit],
        y: &[Lit],
        result: &[Lit],
        [a, b, found]: [&BigUint; 3],
    ) -> bool {
        let size = a.bits();
        let mut refuted = false;
        if size == 0 {
            // A product is zero if the first factor is.
            if *found != BigUint::ZERO {
                let some = self.or_all(x);
                for bit in result {
                    self.sat.clause(&[some, !*bit]);
                }
                refuted = true;
            }
            return refuted;
        }
        if *found < b << (size - 1) {
            let large = self.or_all(&x[size as usize - 1..]);
            let least = self.shifted(y, size as usize - 1, result.len());
            let bound = !self.less(result, &least);
            self.sat.clause(&[!large, bound]);
            refuted = true;
        }
        if *found > b << size {
            let large = self.or_all(&x[size as usize..]);
            let greatest = self.shifted(y, size as usize, result.len());
            let bound = !self.less(&greatest, result);
            self.sat.clause(&[large, bound]);
            refuted = true;
        }
        refuted
    }

    /// A word moved up by some bits, with zeros above and below.
    pub(super) fn shifted(&self, word: &[Lit], by: usize, width: usize) -> Word {
        let mut shifted = vec![self.constant(false); by];
        shifted.extend(word);
        shifted.resize(width, self.constant(false));
        shifted
    }
}
