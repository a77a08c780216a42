//! The places that linear expressions of a command are about: those of the state, and choices.

use rustc_hash::FxHashMap;

use super::linear::{Linear, PlaceNumber};

/// How many choices one command can make.
const MAX_CHOICES: u32 = 64;

/// How many numbers are set apart for choices. Choices of rationals are at even distances behind the state,
/// choices of integers at odd ones.
pub(super) const CHOICES: u32 = 2 * MAX_CHOICES;

/// The places of a command in the making.
#[derive(Clone)]
pub(super) struct Places<'a> {
    /// The widths of those places of the state that hold words.
    state: &'a [Option<u32>],
    choices: u32,
    /// The widths of those choices that are words.
    widths: FxHashMap<PlaceNumber, u32>,
}

impl<'a> Places<'a> {
    pub(super) fn new(state: &'a [Option<u32>]) -> Self {
        Self { state, choices: 0, widths: FxHashMap::default() }
    }

    /// The width of the word at a place, if it holds one.
    pub(super) fn width(&self, place: PlaceNumber) -> Option<u32> {
        match self.state.get(place as usize) {
            Some(width) => *width,
            None => self.widths.get(&place).copied(),
        }
    }

    /// Whether the command chooses anything.
    pub(super) fn has_choices(&self) -> bool {
        self.choices > 0
    }

    /// A choice of an integer.
    pub(super) fn integer(&mut self) -> Result<PlaceNumber, String> {
        self.choice(1)
    }

    /// A choice of a rational.
    pub(super) fn rational(&mut self) -> Result<PlaceNumber, String> {
        self.choice(0)
    }

    fn choice(&mut self, distance: PlaceNumber) -> Result<PlaceNumber, String> {
        if self.choices == MAX_CHOICES {
            return Err("an edge with too many choices".to_owned());
        }
        // There are fewer than 2^32 places, since the ids of variables have 32 bits.
        let place = self.state.len() as PlaceNumber + 2 * self.choices + distance;
        self.choices += 1;
        Ok(place)
    }

    /// Notes that a choice is a word of a width.
    pub(super) fn set_width(&mut self, choice: &Linear, width: u32) {
        for place in choice.factors.keys().filter(|place| **place as usize >= self.state.len()) {
            self.widths.insert(*place, width);
        }
    }
}
