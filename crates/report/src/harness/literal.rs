//! Values as C writes them.

use term::{Format, Value};

/// A value with its C type.
pub(super) struct Scalar {
    /// The type.
    pub(super) ty: &'static str,
    /// The type in which tables hold it: that of its bits if it is a float.
    pub(super) stored: &'static str,
    /// What follows the name in a declaration of a table entry.
    pub(super) suffix: &'static str,
    literal: String,
}

impl Scalar {
    /// A value that a function of this name returned, or of which only the width is known. `longs`
    /// is the width of `long` and of pointers.
    pub(super) fn of(name: Option<&str>, value: &Value, longs: u32) -> Self {
        match value {
            Value::Bool(value) => Self::integer("_Bool", u128::from(*value), 1),
            Value::Bv(bits) => {
                let width = bits.width();
                let number = bits.to_u128().unwrap_or(0);
                let named = name.and_then(|name| type_of(name, longs));
                match named.filter(|(_, known)| *known == width) {
                    Some((ty, _)) => Self::integer(ty, number, width),
                    None => Self::integer(by_width(width), number, width),
                }
            }
            Value::Float(float) => {
                let bits = float.bits();
                let (ty, stored) = match float.format() {
                    Format::Single => ("float", "unsigned int"),
                    Format::Double => ("double", "unsigned long long"),
                    _ => ("long double", "unsigned long long"),
                };
                if ty == "long double" {
                    let literal =
                        format!("{{ {:#x}ull, {:#x}ull }}", bits as u64, (bits >> 64) as u64);
                    return Self { ty, stored, suffix: "[2]", literal };
                }
                let ending = if ty == "double" { "ull" } else { "u" };
                Self { ty, stored, suffix: "", literal: format!("{bits:#x}{ending}") }
            }
            // Mathematical values are no values of C.
            Value::Int(_) | Value::Rat(_) | Value::Array(_) => Self::integer("int", 0, 32),
        }
    }

    fn integer(ty: &'static str, bits: u128, width: u32) -> Self {
        Self { ty, stored: ty, suffix: "", literal: integer(ty, bits, width) }
    }

    /// The value in the initialiser of a variable or a table.
    pub(super) fn initialiser(&self) -> String {
        self.literal.clone()
    }

    /// The statement that takes the next value from a table.
    pub(super) fn take(&self) -> &'static str {
        if self.ty == self.stored {
            "result = values[next++]"
        } else {
            "__builtin_memcpy(&result, &values[next++], sizeof result)"
        }
    }
}

/// The type that a function of SV-COMP's conventions, or of the library, returns.
fn type_of(name: &str, longs: u32) -> Option<(&'static str, u32)> {
    let kind = name.strip_prefix("__VERIFIER_nondet_").unwrap_or(name);
    Some(match kind {
        "bool" | "_Bool" => ("_Bool", 8),
        "char" => ("char", 8),
        "uchar" | "u8" => ("unsigned char", 8),
        "short" => ("short", 16),
        "ushort" | "u16" => ("unsigned short", 16),
        "int" | "nondet_int" | "rand" | "getchar" | "getc" | "fgetc" => ("int", 32),
        "uint" | "unsigned" | "u32" | "unsigned_int" => ("unsigned int", 32),
        "long" | "random" | "lrand48" | "time" | "clock" => ("long", longs),
        "ulong" | "size_t" | "sector_t" => ("unsigned long", longs),
        "pointer" | "pchar" => ("void *", longs),
        "longlong" | "loff_t" => ("long long", 64),
        "ulonglong" => ("unsigned long long", 64),
        _ => return None,
    })
}

/// A type for values of which only the width is known. A register holds it in the same way.
fn by_width(width: u32) -> &'static str {
    match width {
        0..=8 => "unsigned char",
        9..=16 => "unsigned short",
        17..=32 => "unsigned int",
        33..=64 => "unsigned long long",
        _ => "unsigned __int128",
    }
}

fn integer(ty: &str, bits: u128, width: u32) -> String {
    if ty == "void *" {
        return format!("(void *){bits:#x}ul");
    }
    if width > 64 {
        return format!(
            "(unsigned __int128){:#x}ull << 64 | {:#x}ull",
            (bits >> 64) as u64,
            bits as u64
        );
    }
    if ty.starts_with("unsigned") || ty == "_Bool" {
        let ending = if width > 32 { "ull" } else { "u" };
        return format!("{bits}{ending}");
    }
    let signed = ((bits << (128 - width)) as i128) >> (128 - width);
    let ending = if width > 32 { "ll" } else { "" };
    // The smallest number cannot be written as a literal with a sign.
    if width >= 32 && signed == -(1_i128 << (width - 1)) {
        return format!("{}{ending} - 1", signed + 1);
    }
    format!("{signed}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Bv;

    #[test]
    fn values_are_written_in_their_type() {
        let written = |name: &str, width: u32, bits: u128, longs: u32| {
            let scalar = Scalar::of(Some(name), &Value::Bv(Bv::new(width, bits)), longs);
            format!("{} {}", scalar.ty, scalar.initialiser())
        };
        assert_eq!(written("__VERIFIER_nondet_int", 32, 0xffff_fffb, 64), "int -5");
        assert_eq!(written("__VERIFIER_nondet_int", 32, 1 << 31, 64), "int -2147483647 - 1");
        assert_eq!(written("__VERIFIER_nondet_uint", 32, 1 << 31, 64), "unsigned int 2147483648u");
        assert_eq!(written("__VERIFIER_nondet_ulong", 32, 7, 32), "unsigned long 7u");
        assert_eq!(written("__VERIFIER_nondet_bool", 8, 1, 32), "_Bool 1u");
        // Declared with another type than its name says: the width decides.
        assert_eq!(written("__VERIFIER_nondet_bool", 32, 1, 32), "unsigned int 1u");
        assert_eq!(written("foo", 64, 3, 32), "unsigned long long 3ull");
    }
}
