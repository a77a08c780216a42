//! C's arithmetic types under both data models, as far as the generator must know them to stay
//! clear of undefined behaviour: widths for shift counts, signedness for divisions.

use base::Random;

/// A data model. The generated programs must be free of undefined behaviour under both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// 32-bit `int`, `long` and pointers.
    Ilp32,
    /// 64-bit `long` and pointers.
    Lp64,
}

/// Both models, in the order in which `Both` holds their types.
pub const MODELS: [Model; 2] = [Model::Ilp32, Model::Lp64];

/// An integer type.
#[allow(clippy::enum_variant_names, reason = "the variants are called what C calls them")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Int {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
}

/// The type of one expression under each of `MODELS`.
pub type Both = [Int; 2];

/// Every integer type that both models have.
pub const INTS: [Int; 12] = [
    Int::Bool,
    Int::Char,
    Int::SChar,
    Int::UChar,
    Int::Short,
    Int::UShort,
    Int::Int,
    Int::UInt,
    Int::Long,
    Int::ULong,
    Int::LLong,
    Int::ULLong,
];

impl Int {
    /// How the type is written in C.
    pub fn name(self) -> &'static str {
        match self {
            Int::Bool => "_Bool",
            Int::Char => "char",
            Int::SChar => "signed char",
            Int::UChar => "unsigned char",
            Int::Short => "short",
            Int::UShort => "unsigned short",
            Int::Int => "int",
            Int::UInt => "unsigned int",
            Int::Long => "long",
            Int::ULong => "unsigned long",
            Int::LLong => "long long",
            Int::ULLong => "unsigned long long",
        }
    }

    /// The number of value bits and the sign bit.
    pub fn bits(self, model: Model) -> u32 {
        match self {
            Int::Bool => 1,
            Int::Char | Int::SChar | Int::UChar => 8,
            Int::Short | Int::UShort => 16,
            Int::Int | Int::UInt => 32,
            Int::Long | Int::ULong => match model {
                Model::Ilp32 => 32,
                Model::Lp64 => 64,
            },
            Int::LLong | Int::ULLong => 64,
        }
    }

    /// Plain `char` is signed on x86.
    pub fn signed(self) -> bool {
        matches!(self, Int::Char | Int::SChar | Int::Short | Int::Int | Int::Long | Int::LLong)
    }

    fn rank(self) -> u32 {
        match self {
            Int::Bool => 0,
            Int::Char | Int::SChar | Int::UChar => 1,
            Int::Short | Int::UShort => 2,
            Int::Int | Int::UInt => 3,
            Int::Long | Int::ULong => 4,
            Int::LLong | Int::ULLong => 5,
        }
    }

    fn unsigned(self) -> Int {
        match self {
            Int::Int => Int::UInt,
            Int::Long => Int::ULong,
            Int::LLong => Int::ULLong,
            other => other,
        }
    }

    /// The integer promotions (C11 6.3.1.1).
    pub fn promoted(self) -> Int {
        if self.rank() < Int::Int.rank() { Int::Int } else { self }
    }

    /// The usual arithmetic conversions (C11 6.3.1.8).
    pub fn usual(self, other: Int, model: Model) -> Int {
        let (a, b) = (self.promoted(), other.promoted());
        if a == b {
            return a;
        }
        if a.signed() == b.signed() {
            return if a.rank() > b.rank() { a } else { b };
        }
        let (s, u) = if a.signed() { (a, b) } else { (b, a) };
        if u.rank() >= s.rank() {
            u
        } else if s.bits(model) > u.bits(model) {
            s
        } else {
            s.unsigned()
        }
    }

    /// A random type; small and wide ones are equally likely.
    pub fn any(rng: &mut Random) -> Int {
        rng.pick(&INTS)
    }

    /// The bounds between which a floating value converts to the type under both models,
    /// themselves excluded.
    pub fn float_bounds(self) -> (&'static str, &'static str) {
        match self {
            Int::Bool => ("-1e30", "1e30"),
            Int::Char | Int::SChar => ("-128.5", "127.5"),
            Int::UChar => ("-0.5", "255.5"),
            Int::Short => ("-32768.5", "32767.5"),
            Int::UShort => ("-0.75", "65535.5"),
            Int::Int | Int::Long => ("-2147483000.0", "2147483000.0"),
            Int::UInt | Int::ULong => ("-0.25", "4294967000.0"),
            Int::LLong => ("-9.2e18", "9.2e18"),
            Int::ULLong => ("-0.5", "1.84e19"),
        }
    }
}

/// A real floating type.
#[allow(clippy::enum_variant_names, reason = "the variants are called what C calls them")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Float {
    Float,
    Double,
    LongDouble,
}

impl Float {
    /// How the type is written in C.
    pub fn name(self) -> &'static str {
        match self {
            Float::Float => "float",
            Float::Double => "double",
            Float::LongDouble => "long double",
        }
    }

    /// The suffix of its constants.
    pub fn suffix(self) -> &'static str {
        match self {
            Float::Float => "f",
            Float::Double => "",
            Float::LongDouble => "L",
        }
    }
}

/// The same type under both models.
pub fn same(ty: Int) -> Both {
    [ty, ty]
}

/// The usual arithmetic conversions under both models.
pub fn usual(a: Both, b: Both) -> Both {
    [a[0].usual(b[0], Model::Ilp32), a[1].usual(b[1], Model::Lp64)]
}

/// The integer promotions under both models.
pub fn promoted(a: Both) -> Both {
    [a[0].promoted(), a[1].promoted()]
}

/// The type of an integer constant (C11 6.4.4.1): the first of its list that can hold it.
pub fn constant_type(value: u64, decimal: bool, suffix: &str) -> Both {
    let unsigned = suffix.contains(['u', 'U']);
    let longs = suffix.to_ascii_lowercase().matches('l').count();
    MODELS.map(|model| {
        [Int::Int, Int::UInt, Int::Long, Int::ULong, Int::LLong, Int::ULLong]
            .into_iter()
            .filter(|ty| ty.rank() as usize >= longs + 3)
            .filter(|ty| if unsigned { !ty.signed() } else { ty.signed() || !decimal })
            .find(|ty| {
                let bits = ty.bits(model) - u32::from(ty.signed());
                bits == 64 || value >> bits == 0
            })
            .unwrap_or(Int::ULLong)
    })
}

/// A mask that brings any shift count into range for a left operand of type `ty`.
pub fn shift_mask(ty: Both) -> String {
    let bits = [ty[0].promoted().bits(Model::Ilp32), ty[1].promoted().bits(Model::Lp64)];
    if bits[0] == bits[1] {
        (bits[0] - 1).to_string()
    } else {
        "(int)(sizeof(long) * 8 - 1)".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsigned_int_and_long_meet_differently_under_the_models() {
        assert_eq!(usual(same(Int::UInt), same(Int::Long)), [Int::ULong, Int::Long]);
        assert_eq!(usual(same(Int::UShort), same(Int::Char)), same(Int::Int));
        assert_eq!(usual(same(Int::ULong), same(Int::LLong)), [Int::LLong, Int::ULLong]);
    }

    #[test]
    fn constants_take_the_first_type_that_holds_them() {
        assert_eq!(constant_type(0x8000_0000, true, ""), [Int::LLong, Int::Long]);
        assert_eq!(constant_type(0x8000_0000, false, ""), same(Int::UInt));
        assert_eq!(constant_type(0x1_0000_0000, false, ""), [Int::LLong, Int::Long]);
        assert_eq!(constant_type(u64::MAX, false, "l"), [Int::ULLong, Int::ULong]);
        assert_eq!(constant_type(1, true, "ull"), same(Int::ULLong));
    }
}
