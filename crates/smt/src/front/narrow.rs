//! [`super::word::Word`] for widths up to 64, on plain numbers: almost all words of programs are that narrow, and
//! most of the time in front of SAT goes into narrowing them.

/// A set of values as [`super::word::Word`] describes it, with bits past the width clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Narrow {
    pub(super) width: u32,
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) least: i64,
    pub(super) greatest: i64,
    pub(super) must: u64,
    pub(super) may: u64,
}

/// How many rounds there are at most in which the components learn from each other; what they have not learned then is
/// missing, but nothing is wrong.
pub(super) const ROUNDS: usize = 4;

impl Narrow {
    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// The signed reading of a number of this width.
    fn signed(self, number: u64) -> i64 {
        let unused = 64 - self.width;
        ((number << unused) as i64) >> unused
    }

    fn unsigned(self, number: i64) -> u64 {
        number as u64 & self.mask()
    }

    /// The common values; `None` if there are none.
    pub fn meet(self, other: Self) -> Option<Self> {
        Self {
            width: self.width,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            least: self.least.max(other.least),
            greatest: self.greatest.min(other.greatest),
            must: self.must | other.must,
            may: self.may & other.may,
        }
        .reduce()
    }

    /// See [`Word::reduce`].
    pub fn reduce(mut self) -> Option<Self> {
        for _ in 0..ROUNDS {
            let before = self;
            self.bits_to_interval()?;
            self.exchange_signs()?;
            self.interval_to_bits();
            if self == before {
                break;
            }
        }
        (self.must & self.may == self.must).then_some(self)
    }

    fn bits_to_interval(&mut self) -> Option<()> {
        let mask = self.mask();
        let low = at_least(self.low, self.must, self.may)?;
        // Flipping every bit turns the order round.
        let flip = |number: u64| !number & mask;
        let high = flip(at_least(flip(self.high), flip(self.may), flip(self.must))?);
        self.low = low;
        self.high = high;
        (low <= high).then_some(())
    }

    fn interval_to_bits(&mut self) {
        let differing = self.low ^ self.high;
        let below = u64::MAX.checked_shr(differing.leading_zeros()).unwrap_or(0);
        self.must |= self.low & !below;
        self.may &= self.low | below;
    }

    fn exchange_signs(&mut self) -> Option<()> {
        let (low, high) = (self.signed(self.low), self.signed(self.high));
        if (low < 0) == (high < 0) {
            self.least = self.least.max(low);
            self.greatest = self.greatest.min(high);
        } else {
            // As signed numbers: all up to `high`, and all from `low` on.
            let (up, down) = (
                high < self.least && self.least < low,
                self.greatest < low && high < self.greatest,
            );
            if up {
                self.least = low;
            }
            if down {
                self.greatest = high;
            }
        }
        if self.least > self.greatest {
            return None;
        }
        let (least, greatest) = (self.unsigned(self.least), self.unsigned(self.greatest));
        if (self.least < 0) == (self.greatest < 0) {
            self.low = self.low.max(least);
            self.high = self.high.min(greatest);
        } else {
            // As unsigned numbers: all up to `greatest`, and all from `least` on.
            let (up, down) = (
                greatest < self.low && self.low < least,
                self.high < least && greatest < self.high,
            );
            if up {
                self.low = least;
            }
            if down {
                self.high = greatest;
            }
        }
        (self.low <= self.high).then_some(())
    }
}

/// The least number from `low` on whose bits are as given; `None` if there is no such number.
fn at_least(low: u64, must: u64, may: u64) -> Option<u64> {
    let wrong = (low & !may) | (!low & must);
    if wrong == 0 {
        return Some(low);
    }
    let highest = 63 - wrong.leading_zeros();
    let raised = if low >> highest & 1 == 0 {
        // The highest wrong bit becomes set, which makes the number greater whatever is below.
        highest
    } else {
        // The highest wrong bit becomes clear, so a clear bit above it has to become set.
        let above = !low & may & !(u64::MAX >> (63 - highest));
        if above == 0 {
            return None;
        }
        above.trailing_zeros()
    };
    let below = (1_u64 << raised) - 1;
    Some((low | 1 << raised) & !below | must & below)
}
