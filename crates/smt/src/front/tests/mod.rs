//! Tests of the layer in front of SAT: every rule against all values of small vectors, facts
//! against models, answers against SAT, and the time it all takes.

mod answers;
mod facts;
mod floats;
mod rules;
mod speed;
mod world;

use base::Random;

/// A deterministic source of choices.
pub(super) struct Dice(pub Random);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides)
    }

    pub fn bits(&mut self) -> u128 {
        (0..8).fold(0, |bits, _| bits << 16 | self.roll(1 << 16) as u128)
    }
}
