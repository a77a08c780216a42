//! What is known of a bit-vector: an unsigned interval, a signed interval and known bits.

use term::Bv;

use super::narrow::{Narrow, ROUNDS};

/// A set of bit-vectors of one width: the vectors that are in both intervals and have the known bits.
///
/// A value of this type is never known to be empty; [`Word::reduce`] finds out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Word {
    /// The least and the greatest unsigned number.
    pub low: Bv,
    pub high: Bv,
    /// The least and the greatest signed number.
    pub least: Bv,
    pub greatest: Bv,
    /// Bits that are set in every value, and bits that are set in some value.
    pub must: Bv,
    pub may: Bv,
}

/// A number of at most 64 bits.
fn bits(bv: &Bv) -> Option<u64> {
    bv.to_u128().and_then(|bits| u64::try_from(bits).ok())
}

impl Narrow {
    /// The same set on plain numbers; `None` if the word has more than 64 bits.
    pub fn of(word: &Word) -> Option<Self> {
        let width = word.width();
        if width > 64 {
            return None;
        }
        let unused = 64 - width;
        let signed = |bv: &Bv| Some(((bits(bv)? << unused) as i64) >> unused);
        Some(Self {
            width,
            low: bits(&word.low)?,
            high: bits(&word.high)?,
            least: signed(&word.least)?,
            greatest: signed(&word.greatest)?,
            must: bits(&word.must)?,
            may: bits(&word.may)?,
        })
    }

    pub fn word(self) -> Word {
        let unsigned = |number: u64| Bv::new(self.width, u128::from(number));
        let signed = |number: i64| Bv::from_signed(self.width, i128::from(number));
        Word {
            low: unsigned(self.low),
            high: unsigned(self.high),
            least: signed(self.least),
            greatest: signed(self.greatest),
            must: unsigned(self.must),
            may: unsigned(self.may),
        }
    }
}

impl Word {
    /// Every bit-vector of a width.
    pub fn top(width: u32) -> Word {
        Word {
            low: Bv::zero(width),
            high: Bv::ones(width),
            least: Bv::signed_min(width),
            greatest: Bv::signed_max(width),
            must: Bv::zero(width),
            may: Bv::ones(width),
        }
    }

    pub fn constant(value: Bv) -> Word {
        Word {
            low: value.clone(),
            high: value.clone(),
            least: value.clone(),
            greatest: value.clone(),
            must: value.clone(),
            may: value,
        }
    }

    pub fn width(&self) -> u32 {
        self.low.width()
    }

    /// The only value, if there is one.
    pub fn value(&self) -> Option<&Bv> {
        (self.low == self.high).then_some(&self.low)
    }

    /// This set, narrowed to a further unsigned interval.
    pub fn unsigned(mut self, low: Bv, high: Bv) -> Word {
        self.low = self.low.max(low);
        self.high = self.high.min(high);
        self
    }

    /// This set, narrowed to a further signed interval.
    pub fn signed(mut self, least: Bv, greatest: Bv) -> Word {
        self.least = signed_max(self.least, least);
        self.greatest = signed_min(self.greatest, greatest);
        self
    }

    /// This set, narrowed by further known bits.
    pub fn bits(mut self, must: &Bv, may: &Bv) -> Word {
        self.must = self.must.or(must);
        self.may = self.may.and(may);
        self
    }

    pub fn contains(&self, value: &Bv) -> bool {
        self.low <= *value
            && *value <= self.high
            && self.least.sle(value)
            && value.sle(&self.greatest)
            && self.must.or(value) == *value
            && self.may.and(value) == *value
    }

    /// The bits that have the same value in all vectors of the set.
    pub fn known(&self) -> Bv {
        self.must.or(&self.may.not())
    }

    /// The least set of this type that has the values of both.
    pub fn join(&self, other: &Word) -> Word {
        Word {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
            least: signed_min(self.least.clone(), other.least.clone()),
            greatest: signed_max(self.greatest.clone(), other.greatest.clone()),
            must: self.must.and(&other.must),
            may: self.may.or(&other.may),
        }
    }

    /// A set with the values of a greater one. Ends of the greater set that differ from those of this set are moved
    /// outwards: `lower` and `upper` say how far, for unsigned numbers and for signed ones.
    pub fn widened(
        &self,
        greater: &Word,
        lower: &dyn Fn(&Bv, bool) -> Bv,
        upper: &dyn Fn(&Bv, bool) -> Bv,
    ) -> Word {
        let width = self.width();
        let end = |old: &Bv, new: &Bv, outwards: &dyn Fn(&Bv, bool) -> Bv, signed: bool| {
            if old == new { new.clone() } else { outwards(new, signed) }
        };
        let word = Word::top(width)
            .unsigned(
                end(&self.low, &greater.low, lower, false),
                end(&self.high, &greater.high, upper, false),
            )
            .signed(
                end(&self.least, &greater.least, lower, true),
                end(&self.greatest, &greater.greatest, upper, true),
            );
        if self.must == greater.must && self.may == greater.may {
            return word.bits(&greater.must, &greater.may);
        }
        word
    }

    /// The common values; `None` if there are none.
    pub fn meet(&self, other: &Word) -> Option<Word> {
        if let (Some(one), Some(other)) = (Narrow::of(self), Narrow::of(other)) {
            return one.meet(other).map(Narrow::word);
        }
        self.clone()
            .unsigned(other.low.clone(), other.high.clone())
            .signed(other.least.clone(), other.greatest.clone())
            .bits(&other.must, &other.may)
            .reduce()
    }

    /// Lets every component learn from the others; `None` if no value is left.
    pub fn reduce(self) -> Option<Word> {
        match Narrow::of(&self) {
            Some(narrow) => narrow.reduce().map(Narrow::word),
            None => self.reduce_wide(),
        }
    }

    /// As [`Self::reduce`], for words of any width.
    pub fn reduce_wide(mut self) -> Option<Word> {
        for _ in 0..ROUNDS {
            let from_bits = self.bits_to_interval()?;
            let from_signs = self.exchange_signs()?;
            let to_bits = self.interval_to_bits();
            if !(from_bits || from_signs || to_bits) {
                break;
            }
        }
        (self.must.and(&self.may) == self.must).then_some(self)
    }

    /// Moves the unsigned ends to values with the known bits.
    fn bits_to_interval(&mut self) -> Option<bool> {
        let low = at_least(&self.low, &self.must, &self.may)?;
        // Flipping every bit turns the order round.
        let high = at_least(&self.high.not(), &self.may.not(), &self.must.not())?.not();
        if low > high {
            return None;
        }
        let changed = low != self.low || high != self.high;
        self.low = low;
        self.high = high;
        Some(changed)
    }

    /// The bits above the first bit in which the unsigned ends differ are known: they are those of the ends.
    fn interval_to_bits(&mut self) -> bool {
        let below = mask(self.width(), bit_length(&self.low.xor(&self.high)));
        let must = self.must.or(&self.low.and(&below.not()));
        let may = self.may.and(&self.low.or(&below));
        let changed = must != self.must || may != self.may;
        self.must = must;
        self.may = may;
        changed
    }

    fn exchange_signs(&mut self) -> Option<bool> {
        let Word { low, high, least, greatest, .. } = self;
        let mut changed = false;
        let mut to = |place: &mut Bv, value: &Bv, better: bool| {
            if better {
                *place = value.clone();
                changed = true;
            }
        };
        if low.sign() == high.sign() {
            let (up, down) = (least.slt(low), high.slt(greatest));
            to(least, low, up);
            to(greatest, high, down);
        } else {
            // As signed numbers: all up to `high`, and all from `low` on.
            let (up, down) =
                (high.slt(least) && least.slt(low), greatest.slt(low) && high.slt(greatest));
            to(least, low, up);
            to(greatest, high, down);
        }
        if !least.sle(greatest) {
            return None;
        }
        if least.sign() == greatest.sign() {
            let (up, down) = (low < least, greatest < high);
            to(low, least, up);
            to(high, greatest, down);
        } else {
            // As unsigned numbers: all up to `greatest`, and all from `least` on.
            let (up, down) = (greatest < low && low < least, high < least && greatest < high);
            to(low, least, up);
            to(high, greatest, down);
        }
        (low <= high).then_some(changed)
    }
}

pub(super) fn signed_max(a: Bv, b: Bv) -> Bv {
    if a.slt(&b) { b } else { a }
}

pub(super) fn signed_min(a: Bv, b: Bv) -> Bv {
    if a.slt(&b) { a } else { b }
}

/// The position after the highest bit that is set.
pub(super) fn bit_length(bits: &Bv) -> u32 {
    match bits.to_u128() {
        Some(bits) => u128::BITS - bits.leading_zeros(),
        // Widths are far below the greatest `u32`.
        None => u32::try_from(bits.to_biguint().bits()).unwrap_or(u32::MAX),
    }
}

/// The lowest `count` bits.
pub(super) fn mask(width: u32, count: u32) -> Bv {
    if count >= width {
        Bv::ones(width)
    } else if width <= 128 {
        Bv::new(width, (1 << count) - 1)
    } else {
        Bv::ones(width).lshr(&Bv::new(width, u128::from(width - count)))
    }
}

/// The least number from `low` on whose bits are as given, or a lesser number that is still at least `low`; `None` if
/// there is no number with these bits.
fn at_least(low: &Bv, must: &Bv, may: &Bv) -> Option<Bv> {
    let wrong = low.and(&may.not()).or(&low.not().and(must));
    if wrong.is_zero() {
        return Some(low.clone());
    }
    let width = low.width();
    let (Some(bits), Some(must_bits), Some(may_bits), Some(wrong)) =
        (low.to_u128(), must.to_u128(), may.to_u128(), wrong.to_u128())
    else {
        return Some(low.clone().max(must.clone()));
    };
    if width > 128 {
        return Some(low.clone().max(must.clone()));
    }
    let highest = u128::BITS - 1 - wrong.leading_zeros();
    let raised = if bits >> highest & 1 == 0 {
        // The highest wrong bit becomes set, which makes the number greater whatever is below.
        highest
    } else {
        // The highest wrong bit becomes clear, so a clear bit above it has to become set.
        let above = !bits & may_bits & !(u128::MAX >> (127 - highest));
        if above == 0 {
            return None;
        }
        above.trailing_zeros()
    };
    let below = (1_u128 << raised) - 1;
    Some(Bv::new(width, (bits | 1 << raised) & !below | must_bits & below))
}
