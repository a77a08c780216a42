//! Circuits on bit-vectors. A word is its literals, the lowest bit first.

use rustsat::types::Lit;

use crate::gates::Gates;

/// A bit-vector as literals, the lowest bit first.
pub(crate) type Word = Vec<Lit>;

impl Gates {
    pub fn word(&self, width: u32, bit: impl Fn(u32) -> bool) -> Word {
        (0..width).map(|index| self.constant(bit(index))).collect()
    }

    pub fn fresh_word(&mut self, width: u32) -> Word {
        (0..width).map(|_| self.sat.fresh()).collect()
    }

    pub fn not_word(&self, a: &[Lit]) -> Word {
        a.iter().map(|bit| !*bit).collect()
    }

    pub fn zip(&mut self, a: &[Lit], b: &[Lit], gate: impl Fn(&mut Self, Lit, Lit) -> Lit) -> Word {
        a.iter().zip(b).map(|(a, b)| gate(self, *a, *b)).collect()
    }

    pub fn ite_word(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Word {
        self.zip(then, otherwise, |gates, a, b| gates.ite(condition, a, b))
    }

    /// `a + b + carry`, and the carry out.
    pub fn add_with(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let mut sum = Word::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let (bit, next) = self.full_adder(*a, *b, carry);
            sum.push(bit);
            carry = next;
        }
        (sum, carry)
    }

    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let zero = self.constant(false);
        self.add_with(a, b, zero).0
    }

    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (b, one) = (self.not_word(b), self.constant(true));
        self.add_with(a, &b, one).0
    }

    pub fn neg(&mut self, a: &[Lit]) -> Word {
        let zero = self.word(a.len() as u32, |_| false);
        self.sub(&zero, a)
    }

    /// The product, as wide as the factors. If its circuit would be large and none of its bits is cut off, the product
    /// is left open.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.trimmed(a), self.trimmed(b));
        if x.len() + y.len() > a.len() || !self.is_large(x, y) {
            return self.mul_now(a, b);
        }
        let mut product = self.open_product(x, y);
        product.resize(a.len(), self.constant(false));
        product
    }

    /// A word without its highest bits that are known to be zero.
    fn trimmed<'a>(&self, word: &'a [Lit]) -> &'a [Lit] {
        let zeros = word.iter().rev().take_while(|bit| self.known(**bit) == Some(false)).count();
        &word[..word.len() - zeros]
    }

    /// The product, as wide as the factors, by shifting and adding. The bits of the factor with more constant bits say
    /// which multiples of the other factor are added.
    pub fn mul_now(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let known = |word: &[Lit]| word.iter().filter(|bit| self.known(**bit).is_some()).count();
        let (a, b) = if known(a) > known(b) { (b, a) } else { (a, b) };
        let width = a.len();
        let mut product = self.word(width as u32, |_| false);
        for (shift, bit) in b.iter().enumerate() {
            if self.over().is_some() {
                break;
            }
            if self.known(*bit) == Some(false) {
                continue;
            }
            let row: Word = a[..width - shift].iter().map(|a| self.and(*a, *bit)).collect();
            let sum = self.add(&product[shift..], &row);
            product.splice(shift.., sum);
        }
        product
    }

    /// Quotient and remainder by restoring division. For a divisor of zero, the quotient is all ones and the remainder
    /// is the dividend, without further gates.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let zero = self.constant(false);
        let mut quotient = vec![zero; width];
        let mut rest: Word = Vec::with_capacity(width + 1);
        for step in (0..width).rev() {
            rest.insert(0, a[step]);
            if self.over().is_some() {
                continue;
            }
            // The remainder so far has at most as many bits as steps were made, so the remainder is less than the
            // divisor if a higher bit of the divisor is set.
            let wide = rest.len().min(width + 1);
            rest.truncate(wide);
            let mut divisor: Word = b[..wide.min(width)].to_vec();
            divisor.resize(wide, zero);
            let too_big = self.or_all(&b[wide.min(width)..]);
            let negated = self.not_word(&divisor);
            let one = self.constant(true);
            let (difference, no_borrow) = self.add_with(&rest, &negated, one);
            let fits = self.and(no_borrow, !too_big);
            quotient[step] = fits;
            rest = self.ite_word(fits, &difference, &rest);
        }
        rest.truncate(width);
        (quotient, rest)
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.zip(a, b, |gates, a, b| !gates.xor(a, b));
        self.and_all(&same)
    }

    /// `a < b` for words without sign: the subtraction borrows.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        for (a, b) in a.iter().zip(b) {
            less = self.majority(!*a, *b, less);
        }
        less
    }

    /// `a < b` in two's complement.
    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(top) = word.last_mut() {
                *top = !*top;
            }
            word
        };
        self.less(&flip(a), &flip(b))
    }

    /// A shift by a variable distance: towards higher bits, or towards lower bits with `fill` in the bits that become
    /// free.
    pub fn shift(&mut self, a: &[Lit], distance: &[Lit], up: bool, fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut past = Vec::new();
        for (stage, bit) in distance.iter().enumerate() {
            let step = 1_usize.checked_shl(stage as u32).filter(|step| *step < width);
            let Some(step) = step else {
                past.push(*bit);
                continue;
            };
            let moved: Word = (0..width)
                .map(|index| {
                    let from = if up { index.checked_sub(step) } else { index.checked_add(step) };
                    from.and_then(|from| word.get(from)).copied().unwrap_or(fill)
                })
                .collect();
            word = self.ite_word(*bit, &moved, &word);
        }
        let past = self.or_all(&past);
        let filled = vec![fill; width];
        self.ite_word(past, &filled, &word)
    }
}
