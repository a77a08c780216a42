//! The order of floats, and operators that choose by it.

use rustsat::types::Lit;

use super::encodings::Unit;
use super::shift::sign_extended;
use crate::words::Word;

impl Unit<'_> {
    /// Equality of values: NaN equals itself, and the two zeros differ.
    pub fn identical(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let plain = |unit: &mut Self, word| unit.integer(word).is_some_and(|x| !x.minus_zero);
        if plain(self, a) && plain(self, b) {
            return self.equals(a, b);
        }
        self.gates.equal(a, b)
    }

    pub fn equals(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        if let Some(result) = self.integer_equals(a, b) {
            return result;
        }
        let (x, y) = (self.parts(a), self.parts(b));
        let same = self.gates.equal(a, b);
        let zeros = self.gates.and(x.zero, y.zero);
        let equal = self.gates.or(same, zeros);
        self.gates.and_all(&[equal, !x.nan, !y.nan])
    }

    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        if let Some(result) = self.integer_less(a, b) {
            return result;
        }
        let (x, y) = (self.parts(a), self.parts(b));
        let before = self.before(a, b);
        let zeros = self.gates.and(x.zero, y.zero);
        self.gates.and_all(&[before, !zeros, !x.nan, !y.nan])
    }

    pub fn at_most(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        if let Some(after) = self.integer_less(b, a) {
            return !after;
        }
        let (x, y) = (self.parts(a), self.parts(b));
        let after = self.before(b, a);
        let zeros = self.gates.and(x.zero, y.zero);
        let within = self.gates.or(!after, zeros);
        self.gates.and_all(&[within, !x.nan, !y.nan])
    }

    /// The order of encodings that are not NaN, with the negative zero before the positive one.
    fn before(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let (minus, other) = (a[top], b[top]);
        let less = self.gates.less(&a[..top], &b[..top]);
        let same = self.gates.equal(&a[..top], &b[..top]);
        // If both numbers are negative, the one with the greater magnitude comes first.
        let greater = self.gates.and(!less, !same);
        let alike = self.gates.ite(minus, greater, less);
        let differ = self.gates.xor(minus, other);
        self.gates.ite(differ, minus, alike)
    }

    pub fn least(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let before = self.before(a, b);
        self.chosen(before, a, b)
    }

    pub fn greatest(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let before = self.before(b, a);
        self.chosen(before, a, b)
    }

    /// The first float if `wanted` is true, otherwise the second; but if one of the two is NaN, the other one.
    fn chosen(&mut self, wanted: Lit, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.parts(a), self.parts(b));
        let wanted = self.gates.or(wanted, y.nan);
        let first = self.gates.and(wanted, !x.nan);
        self.choose(first, a, b)
    }

    pub fn absolute(&mut self, a: &[Lit]) -> Word {
        let mut word = a.to_vec();
        word.pop();
        word.push(self.gates.constant(false));
        if let Some(integer) = self.integer(a) {
            let wide = sign_extended(&integer.number, integer.number.len() + 1);
            let number = self.magnitude(&wide);
            self.is_integer(&word, number, false);
        }
        word
    }

    pub fn negated(&mut self, a: &[Lit]) -> Word {
        let parts = self.parts(a);
        let mut word = a.to_vec();
        word.pop();
        word.push(self.gates.and(!parts.sign, !parts.nan));
        if let Some(integer) = self.integer(a) {
            let wide = sign_extended(&integer.number, integer.number.len() + 1);
            let number = self.gates.neg(&wide);
            self.is_integer(&word, number, true);
        }
        word
    }
}
