//! What floats need of words beyond the operators on bit-vectors.

use rustsat::types::Lit;

use crate::gates::Gates;
use crate::words::Word;

/// A word in two's complement in at least as many bits.
pub(super) fn sign_extended(word: &[Lit], width: usize) -> Word {
    debug_assert!(word.len() <= width, "no bit is lost");
    let mut word = word.to_vec();
    let sign = word[word.len() - 1];
    word.resize(width, sign);
    word
}

/// A word without sign in at least as many bits.
pub(super) fn zero_extended(gates: &Gates, word: &[Lit], width: usize) -> Word {
    debug_assert!(word.len() <= width, "no bit is lost");
    let mut word = word.to_vec();
    word.resize(width, gates.constant(false));
    word
}

/// A significand with zeros below, in a total width.
pub(super) fn filled_below(gates: &Gates, word: &[Lit], width: usize) -> Word {
    let mut filled = vec![gates.constant(false); width - word.len()];
    filled.extend(word);
    filled
}

impl Gates {
    /// A constant in two's complement.
    pub fn integer(&self, width: usize, number: i64) -> Word {
        self.word(width as u32, |at| number >> at.min(63) & 1 == 1)
    }

    /// How many zeros there are above the highest bit that is set, in just enough bits. For a word that is zero, the
    /// number says nothing.
    pub fn leading_zeros(&mut self, word: &[Lit]) -> Word {
        // Set bits below the word do not change the number, unless the word is zero.
        let mut padded = vec![self.constant(true); word.len().next_power_of_two() - word.len()];
        padded.extend(word);
        self.zeros(&padded).1
    }

    /// Whether none of 2^k bits is set, and the number of zeros above the highest bit that is set, in k bits.
    fn zeros(&mut self, word: &[Lit]) -> (Lit, Word) {
        if let [bit] = word {
            return (!*bit, Word::new());
        }
        let (low, high) = word.split_at(word.len() / 2);
        let (none_low, count_low) = self.zeros(low);
        let (none_high, count_high) = self.zeros(high);
        let mut count = self.ite_word(none_high, &count_low, &count_high);
        count.push(none_high);
        (self.and(none_low, none_high), count)
    }

    /// A shift towards lower bits, and whether a bit that was set was lost.
    pub fn shift_down(&mut self, word: &[Lit], distance: &[Lit]) -> (Word, Lit) {
        let width = word.len();
        let no = self.constant(false);
        let any = self.or_all(word);
        let mut word = word.to_vec();
        let (mut lost, mut past) = (Vec::new(), Vec::new());
        for (stage, bit) in distance.iter().enumerate() {
            let step = 1_usize.checked_shl(stage as u32).filter(|step| *step < width);
            let Some(step) = step else {
                past.push(*bit);
                continue;
            };
            let dropped = self.or_all(&word[..step]);
            lost.push(self.and(*bit, dropped));
            let mut moved = word[step..].to_vec();
            moved.resize(width, no);
            word = self.ite_word(*bit, &moved, &word);
        }
        let past = self.or_all(&past);
        lost.push(self.and(past, any));
        let word = word.iter().map(|bit| self.and(*bit, !past)).collect();
        (word, self.or_all(&lost))
    }

    /// The difference of words without sign, and whether it is not negative.
    pub fn difference(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
        let (b, one) = (self.not_word(b), self.constant(true));
        self.add_with(a, &b, one)
    }
}
