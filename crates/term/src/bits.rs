//! Bit-vector values.

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};

use crate::word;

/// A bit-vector value: a width and that many bits.
///
/// Two vectors are equal if width and bits are. They are ordered by width, then as unsigned
/// numbers. Operations on two vectors take vectors of one width.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bv(Repr);

/// No bits past the width are ever set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    /// Widths up to 128.
    Small { width: u32, bits: u128 },
    /// Widths beyond.
    Large { width: u32, bits: Box<BigUint> },
}

/// An operation on two vectors of one width that gives a third.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $word:ident, $large:expr;)*) => { $(
        $(#[$doc])*
        #[must_use]
        pub fn $name(&self, other: &Bv) -> Bv {
            match (&self.0, &other.0) {
                (Repr::Small { width, bits: a }, Repr::Small { width: other, bits: b }) => {
                    assert_eq!(width, other, "operands of one width");
                    Bv(Repr::Small { width: *width, bits: word::$word(*width, *a, *b) })
                }
                _ => {
                    assert_eq!(self.width(), other.width(), "operands of one width");
                    let large: fn(&Bv, &Bv) -> Bv = $large;
                    large(self, other)
                }
            }
        }
    )* };
}

/// A question about two vectors of one width.
macro_rules! predicate {
    ($($(#[$doc:meta])* $name:ident = $word:ident, $large:expr;)*) => { $(
        $(#[$doc])*
        #[must_use]
        pub fn $name(&self, other: &Bv) -> bool {
            match (&self.0, &other.0) {
                (Repr::Small { width, bits: a }, Repr::Small { width: other, bits: b }) => {
                    assert_eq!(width, other, "operands of one width");
                    word::$word(*width, *a, *b)
                }
                _ => {
                    assert_eq!(self.width(), other.width(), "operands of one width");
                    let large: fn(&Bv, &Bv) -> bool = $large;
                    large(self, other)
                }
            }
        }
    )* };
}

impl Bv {
    /// The low `width` bits of a number.
    ///
    /// # Panics
    /// If the width is zero.
    #[must_use]
    pub fn new(width: u32, bits: u128) -> Bv {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 128 {
            Bv(Repr::Small { width, bits: bits & word::mask(width) })
        } else {
            Bv(Repr::Large { width, bits: Box::new(BigUint::from(bits)) })
        }
    }

    /// The low `width` bits of a number in two's complement.
    ///
    /// # Panics
    /// If the width is zero.
    #[must_use]
    pub fn from_signed(width: u32, number: i128) -> Bv {
        if width <= 128 {
            Bv::new(width, number as u128)
        } else {
            Bv::from_bigint(width, &BigInt::from(number))
        }
    }

    /// The low `width` bits of a number.
    ///
    /// # Panics
    /// If the width is zero.
    #[must_use]
    pub fn from_biguint(width: u32, number: &BigUint) -> Bv {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 128 {
            let mut digits = number.iter_u64_digits();
            let low = u128::from(digits.next().unwrap_or(0));
            let high = u128::from(digits.next().unwrap_or(0));
            Bv::new(width, high << 64 | low)
        } else if number.bits() <= u64::from(width) {
            Bv(Repr::Large { width, bits: Box::new(number.clone()) })
        } else {
            let mask = (BigUint::one() << width) - BigUint::one();
            Bv(Repr::Large { width, bits: Box::new(number & mask) })
        }
    }

    /// The low `width` bits of a number in two's complement.
    ///
    /// # Panics
    /// If the width is zero.
    #[must_use]
    pub fn from_bigint(width: u32, number: &BigInt) -> Bv {
        let magnitude = Bv::from_biguint(width, number.magnitude());
        if number.sign() == Sign::Minus { magnitude.neg() } else { magnitude }
    }

    /// All bits clear.
    ///
    /// # Panics
    /// If the width is zero.
    #[must_use]
    pub fn zero(width: u32) -> Bv {
        Bv::new(width, 0)
    }

    /// All bits set.
    ///
    /// # Panics
    /// If the width is zero.
    #[must_use]
    pub fn ones(width: u32) -> Bv {
        Bv::zero(width).not()
    }

    /// Only the highest bit set: the least signed number.
    ///
    /// # Panics
    /// If the width is zero.
    #[must_use]
    pub fn signed_min(width: u32) -> Bv {
        if width <= 128 {
            Bv::new(width, 1 << (width - 1))
        } else {
            Bv::from_biguint(width, &(BigUint::one() << (width - 1)))
        }
    }

    /// All but the highest bit set: the greatest signed number.
    ///
    /// # Panics
    /// If the width is zero.
    #[must_use]
    pub fn signed_max(width: u32) -> Bv {
        Bv::signed_min(width).not()
    }

    /// How many bits the vector has.
    #[must_use]
    pub fn width(&self) -> u32 {
        match self.0 {
            Repr::Small { width, .. } | Repr::Large { width, .. } => width,
        }
    }

    /// The unsigned reading, if it fits.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Repr::Small { bits, .. } => Some(*bits),
            Repr::Large { bits, .. } => bits.to_u128(),
        }
    }

    /// The unsigned reading, if it fits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|bits| u64::try_from(bits).ok())
    }

    /// The signed reading, if it fits.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small { width, bits } => Some(word::signed(*width, *bits)),
            Repr::Large { .. } => self.to_bigint_signed().to_i128(),
        }
    }

    /// The unsigned reading.
    #[must_use]
    pub fn to_biguint(&self) -> BigUint {
        match &self.0 {
            Repr::Small { bits, .. } => BigUint::from(*bits),
            Repr::Large { bits, .. } => (**bits).clone(),
        }
    }

    /// The unsigned reading.
    #[must_use]
    pub fn to_bigint_unsigned(&self) -> BigInt {
        BigInt::from(self.to_biguint())
    }

    /// The signed reading.
    #[must_use]
    pub fn to_bigint_signed(&self) -> BigInt {
        match &self.0 {
            Repr::Small { width, bits } => BigInt::from(word::signed(*width, *bits)),
            Repr::Large { width, bits } => {
                let unsigned = BigInt::from((**bits).clone());
                if self.sign() { unsigned - (BigInt::one() << *width) } else { unsigned }
            }
        }
    }

    /// Whether every bit is clear.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Small { bits, .. } => *bits == 0,
            Repr::Large { bits, .. } => bits.is_zero(),
        }
    }

    /// Whether the unsigned reading is one.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.to_u128() == Some(1)
    }

    /// Whether every bit is set.
    #[must_use]
    pub fn is_ones(&self) -> bool {
        match &self.0 {
            Repr::Small { width, bits } => *bits == word::mask(*width),
            Repr::Large { width, bits } => bits.count_ones() == u64::from(*width),
        }
    }

    /// Whether the highest bit is set.
    #[must_use]
    pub fn sign(&self) -> bool {
        self.bit(self.width() - 1)
    }

    /// Whether bit `index` is set, counted from the lowest; bits past the width are clear.
    #[must_use]
    pub fn bit(&self, index: u32) -> bool {
        match &self.0 {
            Repr::Small { bits, .. } => index < 128 && bits >> index & 1 == 1,
            Repr::Large { bits, .. } => bits.bit(u64::from(index)),
        }
    }

    /// Every bit flipped.
    #[must_use]
    pub fn not(&self) -> Bv {
        match &self.0 {
            Repr::Small { width, bits } => {
                Bv(Repr::Small { width: *width, bits: word::not(*width, *bits) })
            }
            Repr::Large { width, bits } => {
                let ones = (BigUint::one() << *width) - BigUint::one();
                Bv(Repr::Large { width: *width, bits: Box::new(ones - &**bits) })
            }
        }
    }

    /// Zero minus this vector, wrapping.
    #[must_use]
    pub fn neg(&self) -> Bv {
        match &self.0 {
            Repr::Small { width, bits } => {
                Bv(Repr::Small { width: *width, bits: word::neg(*width, *bits) })
            }
            Repr::Large { width, bits } => {
                Bv::from_biguint(*width, &((BigUint::one() << *width) - &**bits))
            }
        }
    }

    binary! {
        /// The sum, wrapping.
        add = add, |a, b| Bv::from_biguint(a.width(), &(a.to_biguint() + b.to_biguint()));
        /// The difference, wrapping.
        sub = sub, |a, b| a.add(&b.neg());
        /// The product, wrapping.
        mul = mul, |a, b| Bv::from_biguint(a.width(), &(a.to_biguint() * b.to_biguint()));
        /// The unsigned quotient; all ones if the divisor is zero.
        udiv = udiv, |a, b| if b.is_zero() { Bv::ones(a.width()) } else {
            Bv::from_biguint(a.width(), &(a.to_biguint() / b.to_biguint()))
        };
        /// The unsigned remainder; the dividend if the divisor is zero.
        urem = urem, |a, b| if b.is_zero() { a.clone() } else {
            Bv::from_biguint(a.width(), &(a.to_biguint() % b.to_biguint()))
        };
        /// The signed quotient, truncated; for a divisor of zero 1 if the dividend is negative
        /// and -1 otherwise. The least number divided by -1 is itself.
        sdiv = sdiv, |a, b| {
            let quotient = a.magnitude().udiv(&b.magnitude());
            if a.sign() == b.sign() { quotient } else { quotient.neg() }
        };
        /// The signed remainder with the sign of the dividend; the dividend if the divisor is
        /// zero.
        srem = srem, |a, b| {
            let rest = a.magnitude().urem(&b.magnitude());
            if a.sign() { rest.neg() } else { rest }
        };
        /// The signed remainder with the sign of the divisor; the dividend if the divisor is
        /// zero.
        smod = smod, |a, b| {
            let rest = a.srem(b);
            if !rest.is_zero() && !b.is_zero() && a.sign() != b.sign() { rest.add(b) } else { rest }
        };
        /// Bitwise and.
        and = and, |a, b| Bv::from_biguint(a.width(), &(a.to_biguint() & b.to_biguint()));
        /// Bitwise or.
        or = or, |a, b| Bv::from_biguint(a.width(), &(a.to_biguint() | b.to_biguint()));
        /// Bitwise exclusive or.
        xor = xor, |a, b| Bv::from_biguint(a.width(), &(a.to_biguint() ^ b.to_biguint()));
        /// Shifted left by the unsigned reading of the other vector; zero if that is the width or more.
        shl = shl, |a, b| match b.shift_below_width() {
            Some(by) => Bv::from_biguint(a.width(), &(a.to_biguint() << by)),
            None => Bv::zero(a.width()),
        };
        /// Shifted right by the unsigned reading of the other vector, filled with zeros.
        lshr = lshr, |a, b| match b.shift_below_width() {
            Some(by) => Bv::from_biguint(a.width(), &(a.to_biguint() >> by)),
            None => Bv::zero(a.width()),
        };
        /// Shifted right by the unsigned reading of the other vector, filled with the sign.
        ashr = ashr, |a, b| {
            let by = b.shift_below_width().unwrap_or(a.width() - 1);
            Bv::from_bigint(a.width(), &(a.to_bigint_signed() >> by))
        };
    }

    predicate! {
        /// Less than, unsigned.
        ult = ult, |a, b| a < b;
        /// At most, unsigned.
        ule = ule, |a, b| a <= b;
        /// Less than, signed.
        slt = slt, |a, b| a.to_bigint_signed() < b.to_bigint_signed();
        /// At most, signed.
        sle = sle, |a, b| a.to_bigint_signed() <= b.to_bigint_signed();
        /// Whether the unsigned sum does not fit.
        uadd_overflow = uadd_overflow, |a, b| a.add(b) < *a;
        /// Whether the signed sum does not fit.
        sadd_overflow = sadd_overflow, |a, b| !a.fits_signed(&(a.to_bigint_signed() + b.to_bigint_signed()));
        /// Whether the unsigned difference does not fit.
        usub_overflow = usub_overflow, |a, b| a < b;
        /// Whether the signed difference does not fit.
        ssub_overflow = ssub_overflow, |a, b| !a.fits_signed(&(a.to_bigint_signed() - b.to_bigint_signed()));
        /// Whether the unsigned product does not fit.
        umul_overflow = umul_overflow, |a, b| (a.to_biguint() * b.to_biguint()).bits() > u64::from(a.width());
        /// Whether the signed product does not fit.
        smul_overflow = smul_overflow, |a, b| !a.fits_signed(&(a.to_bigint_signed() * b.to_bigint_signed()));
    }

    /// The bits of this vector above those of `low`.
    #[must_use]
    pub fn concat(&self, low: &Bv) -> Bv {
        let width = self.width() + low.width();
        match (&self.0, &low.0) {
            (Repr::Small { bits: high, .. }, Repr::Small { width: by, bits: low })
                if width <= 128 =>
            {
                Bv(Repr::Small { width, bits: word::concat(*by, *high, *low) })
            }
            _ => Bv::from_biguint(width, &(self.to_biguint() << low.width() | low.to_biguint())),
        }
    }

    /// Bits `low` to `high`, both included.
    ///
    /// # Panics
    /// Unless `low <= high < self.width()`.
    #[must_use]
    pub fn extract(&self, high: u32, low: u32) -> Bv {
        assert!(low <= high && high < self.width(), "a slice of the vector");
        match &self.0 {
            Repr::Small { bits, .. } => {
                Bv(Repr::Small { width: high - low + 1, bits: word::extract(high, low, *bits) })
            }
            Repr::Large { bits, .. } => Bv::from_biguint(high - low + 1, &(&**bits >> low)),
        }
    }

    /// This vector, filled with zeros to a total width.
    ///
    /// # Panics
    /// If that width is less than the width of this vector.
    #[must_use]
    pub fn zero_extend(&self, to_width: u32) -> Bv {
        assert!(to_width >= self.width(), "an extension does not shorten");
        match &self.0 {
            Repr::Small { bits, .. } => Bv::new(to_width, *bits),
            Repr::Large { bits, .. } => Bv(Repr::Large { width: to_width, bits: bits.clone() }),
        }
    }

    /// This vector, filled with the sign to a total width.
    ///
    /// # Panics
    /// If that width is less than the width of this vector.
    #[must_use]
    pub fn sign_extend(&self, to_width: u32) -> Bv {
        assert!(to_width >= self.width(), "an extension does not shorten");
        match &self.0 {
            Repr::Small { width, bits } if to_width <= 128 => Bv(Repr::Small {
                width: to_width,
                bits: word::sign_extend(*width, to_width, *bits),
            }),
            _ => Bv::from_bigint(to_width, &self.to_bigint_signed()),
        }
    }

    fn magnitude(&self) -> Bv {
        if self.sign() { self.neg() } else { self.clone() }
    }

    fn fits_signed(&self, number: &BigInt) -> bool {
        Bv::from_bigint(self.width(), number).to_bigint_signed() == *number
    }

    fn shift_below_width(&self) -> Option<u32> {
        let by = u32::try_from(self.to_u128()?).ok()?;
        (by < self.width()).then_some(by)
    }
}

/// As SMT-LIB writes it: `#x1f` if the width is a multiple of four, `#b101` otherwise.
impl fmt::Display for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, digits) = if self.width().is_multiple_of(4) {
            ('x', self.width() / 4)
        } else {
            ('b', self.width())
        };
        let digits = digits as usize;
        match (&self.0, base) {
            (Repr::Small { bits, .. }, 'x') => write!(f, "#x{bits:0digits$x}"),
            (Repr::Small { bits, .. }, _) => write!(f, "#b{bits:0digits$b}"),
            (Repr::Large { bits, .. }, base) => {
                let text = bits.to_str_radix(if base == 'x' { 16 } else { 2 });
                // Format widths end at 65,535, bit-vectors do not.
                write!(f, "#{base}{}{text}", "0".repeat(digits.saturating_sub(text.len())))
            }
        }
    }
}

impl fmt::Debug for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
