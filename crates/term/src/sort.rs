//! The sorts of terms, the formats of floats, the ways to round.

use base::define_id;

define_id!(
    /// An array sort: a pair of index sort and element sort, interned in a table of terms.
    pub struct ArraySort, "a"
);

/// The widest bit-vector that parsers and [`crate::Terms::try_app`] accept.
///
/// No program needs wider bit-vectors, and a few characters of hostile input must not cost gigabytes.
pub const MAX_WIDTH: u32 = 1 << 20;

/// The kind of a value or term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Rational numbers; `Real` in the text form.
    Rat,
    /// Bit-vectors of a width from 1 to [`MAX_WIDTH`].
    Bv(u32),
    /// IEEE floats, with a single NaN.
    Float(Format),
    /// Total maps from an index sort, which is not itself an array sort, to an element sort.
    Array(ArraySort),
}

impl Sort {
    /// The width, if this is a bit-vector sort.
    #[must_use]
    pub fn bv_width(self) -> Option<u32> {
        match self {
            Sort::Bv(width) => Some(width),
            _ => None,
        }
    }
}

/// A binary floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// IEEE binary16.
    Half,
    /// IEEE binary32, C's `float`.
    Single,
    /// IEEE binary64, C's `double`.
    Double,
    /// The 80-bit format of the x87 with an explicit leading bit, C's `long double` on x86.
    X87,
    /// IEEE binary128.
    Quad,
}

impl Format {
    /// Every format, from narrow to wide.
    pub const ALL: [Format; 5] =
        [Format::Half, Format::Single, Format::Double, Format::X87, Format::Quad];

    /// How many bits a value takes in storage, without padding.
    #[must_use]
    pub const fn width(self) -> u32 {
        match self {
            Format::Half => 16,
            Format::Single => 32,
            Format::Double => 64,
            Format::X87 => 80,
            Format::Quad => 128,
        }
    }

    /// Bits of the exponent, SMT-LIB's `eb`.
    #[must_use]
    pub const fn exponent_bits(self) -> u32 {
        match self {
            Format::Half => 5,
            Format::Single => 8,
            Format::Double => 11,
            Format::X87 | Format::Quad => 15,
        }
    }

    /// Bits of the significand with the leading one, stored or not: SMT-LIB's `sb`.
    #[must_use]
    pub const fn significand_bits(self) -> u32 {
        match self {
            Format::Half => 11,
            Format::Single => 24,
            Format::Double => 53,
            Format::X87 => 64,
            Format::Quad => 113,
        }
    }

    /// The format with these parameters, if there is such a format here.
    #[must_use]
    pub fn from_parts(exponent_bits: u32, significand_bits: u32) -> Option<Format> {
        Format::ALL.into_iter().find(|format| {
            format.exponent_bits() == exponent_bits && format.significand_bits() == significand_bits
        })
    }
}

/// Which neighbour an inexact result becomes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    /// The nearest float, and if two are equally near, the float with an even significand (`RNE`).
    NearestEven,
    /// The nearest float, and if two are equally near, the float further from zero (`RNA`).
    NearestAway,
    /// The neighbour above (`RTP`).
    TowardPositive,
    /// The neighbour below (`RTN`).
    TowardNegative,
    /// The neighbour nearer to zero (`RTZ`).
    TowardZero,
}

impl Rounding {
    /// Every mode.
    pub const ALL: [Rounding; 5] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::TowardPositive,
        Rounding::TowardNegative,
        Rounding::TowardZero,
    ];

    /// SMT-LIB's short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::TowardPositive => "RTP",
            Rounding::TowardNegative => "RTN",
            Rounding::TowardZero => "RTZ",
        }
    }

    /// The mode of one of SMT-LIB's names, short or long.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Rounding> {
        Some(match name {
            "RNE" | "roundNearestTiesToEven" => Rounding::NearestEven,
            "RNA" | "roundNearestTiesToAway" => Rounding::NearestAway,
            "RTP" | "roundTowardPositive" => Rounding::TowardPositive,
            "RTN" | "roundTowardNegative" => Rounding::TowardNegative,
            "RTZ" | "roundTowardZero" => Rounding::TowardZero,
            _ => return None,
        })
    }
}
