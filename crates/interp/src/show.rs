//! Values as people write them.

use cfa::{Choice, Op, Program, Reading};
use num_traits::One;
use run::Origin;
use term::{ArrayValue, Bv, Float, Format, Rounding, Value, Var, View};

/// How a chosen value is written: as the name of the function that gave the value says, or else as the variable that
/// gets the value is written.
#[must_use]
pub fn reading(program: &Program, origin: Origin) -> Reading {
    let kind = match origin.choice(program) {
        Choice::Input(name) => {
            if let Some(reading) = library(name) {
                return reading;
            }
            let short = name.strip_prefix("__VERIFIER_");
            short.unwrap_or(name).strip_prefix("nondet_").unwrap_or("")
        }
        _ => "",
    };
    match kind {
        "char" | "short" | "int" | "long" | "longlong" | "loff_t" => Reading::Signed,
        "bool" | "uchar" | "ushort" | "uint" | "unsigned" | "ulong" | "ulonglong" | "u32"
        | "size_t" | "sector_t" => Reading::Plain,
        _ => receiver(program, origin)
            .map_or_else(|| origin.reading(program), |var| program.cfa.variables[var].reading),
    }
}

/// How an input of a function of the C library is read: what a conversion of `scanf` stores as the
/// conversion says, and counts, characters and lengths with `EOF` as -1.
fn library(input: &str) -> Option<Reading> {
    if let Some((_, conversion)) = input.split_once(" %") {
        return match conversion.chars().last()? {
            'd' | 'i' => Some(Reading::Signed),
            'u' | 'o' | 'x' | 'X' => Some(Reading::Plain),
            _ => None,
        };
    }
    let is_signed = input.ends_with(" byte")
        || input.ends_with(" length")
        || matches!(
            input,
            "scanf"
                | "fscanf"
                | "getchar"
                | "getc"
                | "fgetc"
                | "_IO_getc"
                | "getchar_unlocked"
                | "getc_unlocked"
        );
    is_signed.then_some(Reading::Signed)
}

/// The variable that a later operation of the edge assigns the chosen value to, unchanged: such a variable has a type
/// in the source, but the variable that holds the value in between has none.
fn receiver(program: &Program, origin: Origin) -> Option<Var> {
    let Origin::Havoc(site) = origin else { return None };
    let held = origin.variable(program)?;
    let behind = program.cfa.edges[site.edge].ops.iter().skip(site.op as usize + 1);
    behind.into_iter().find_map(|op| match op {
        Op::Assign { var, value } => match program.terms.view(*value) {
            View::Var(from) if from == held => Some(*var),
            _ => None,
        },
        _ => None,
    })
}

/// A value as text that [`crate::parse_inputs`] reads back: `-3`, `0x1f` for addresses, `true`,
/// `1.5`, `1/3`, `nan`, `[0 -> 5, _ -> 0]`. Floats that no `double`
/// is equal to are written as the bits that encode them.
#[must_use]
pub fn show(value: &Value, reading: Reading) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Rat(value) if value.denom().is_one() => value.numer().to_string(),
        Value::Rat(value) => format!("{}/{}", value.numer(), value.denom()),
        Value::Bv(bits) => show_bits(bits, reading),
        Value::Float(float) => show_float(*float),
        Value::Array(array) => show_array(array, reading),
    }
}

fn show_bits(bits: &Bv, reading: Reading) -> String {
    match reading {
        Reading::Plain => bits.to_biguint().to_string(),
        Reading::Signed => bits.to_bigint_signed().to_string(),
        Reading::Address => format!("0x{}", bits.to_biguint().to_str_radix(16)),
    }
}

fn show_float(float: Float) -> String {
    if float.is_nan() {
        return "nan".to_owned();
    }
    match float.format() {
        // Rust prints the shortest digits that give the same number back.
        Format::Single => format!("{:?}", float.to_f32()),
        Format::Double => format!("{:?}", float.to_f64()),
        format => {
            let nearest = float.convert(Rounding::NearestEven, Format::Double);
            let back = nearest.convert(Rounding::NearestEven, format);
            match back.bits() == float.bits() {
                true => format!("{:?}", nearest.to_f64()),
                false => format!("{:#x}", float.bits()),
            }
        }
    }
}

fn show_array(array: &ArrayValue, reading: Reading) -> String {
    let mut text = String::from("[");
    for (index, element) in &array.entries {
        text.push_str(&format!("{} -> {}, ", show(index, reading), show(element, reading)));
    }
    text.push_str(&format!("_ -> {}]", show(&array.default, reading)));
    text
}
