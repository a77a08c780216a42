//! Values as they stand in files of inputs, before it is known which sort is due.

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, Zero};
use term::{ArrayValue, Bv, Float, Format, Rounding, Sort, Terms, Value};

/// The greatest power of ten that a number may be scaled by.
const GREATEST_POWER: i64 = 10_000;

/// The deepest nesting of arrays.
const DEEPEST: usize = 64;

/// A value without a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Literal {
    /// `true`, `false`
    Bool(bool),
    /// `12`, `-3`, and with `bits` set `0x1f` or `0b101`, which for a float is its encoding.
    Integer { number: BigInt, bits: bool },
    /// `1.5`, `2e10`, `1/3`; the text is kept for floats, which round once.
    Real { number: BigRational, text: String },
    /// `nan`
    Nan,
    /// `inf`, `-inf`
    Infinity { negative: bool },
    /// `[0 -> 5, _ -> 7]`
    Array { entries: Vec<(Literal, Literal)>, default: Box<Literal> },
}

impl Literal {
    /// Reads a value that takes up the whole text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut rest = text.trim();
        let literal = parse_literal(&mut rest, 0)?;
        if rest.trim().is_empty() {
            Ok(literal)
        } else {
            Err(format!("`{}` follows the value", rest.trim()))
        }
    }

    /// The value of the given sort that the literal stands for.
    pub(crate) fn value(&self, terms: &Terms, sort: Sort) -> Result<Value, String> {
        let unfit = || format!("a value of sort {} is due", terms.display_sort(sort));
        match (sort, self) {
            (Sort::Bool, Literal::Bool(value)) => Ok(Value::Bool(*value)),
            (Sort::Bool, Literal::Integer { number, .. }) if number.is_zero() => {
                Ok(Value::Bool(false))
            }
            (Sort::Bool, Literal::Integer { number, .. }) if number.is_one() => {
                Ok(Value::Bool(true))
            }
            (Sort::Int, Literal::Integer { number, .. }) => Ok(Value::Int(number.clone())),
            (Sort::Rat, Literal::Integer { number, .. }) => {
                Ok(Value::Rat(BigRational::from_integer(number.clone())))
            }
            (Sort::Rat, Literal::Real { number, .. }) => Ok(Value::Rat(number.clone())),
            (Sort::Bv(width), Literal::Bool(value)) => {
                Ok(Value::Bv(Bv::new(width, u128::from(*value))))
            }
            (Sort::Bv(width), Literal::Integer { number, .. }) => {
                bit_vector(width, number).map(Value::Bv)
            }
            (Sort::Float(format), literal) => {
                literal.float(format).map(Value::Float).ok_or_else(unfit)
            }
            (Sort::Array(array), Literal::Array { entries, default }) => {
                let (index, element) = terms.array_parts(array);
                let mut map = ArrayValue::new(array, default.value(terms, element)?);
                for (at, value) in entries {
                    map.set(at.value(terms, index)?, value.value(terms, element)?);
                }
                Ok(Value::Array(Box::new(map)))
            }
            _ => Err(unfit()),
        }
    }

    fn float(&self, format: Format) -> Option<Float> {
        Some(match self {
            Literal::Nan => Float::nan(format),
            Literal::Infinity { negative } => Float::infinity(format, *negative),
            Literal::Integer { number, bits: true } => {
                let bits = u128::try_from(number.clone()).ok()?;
                let all = u128::MAX >> (128 - format.width());
                (bits <= all).then(|| Float::from_bits(format, bits))?
            }
            Literal::Integer { number, bits: false } => decimal(format, &number.to_string())?,
            Literal::Real { text, .. } => match text.split_once('/') {
                Some((above, below)) => {
                    decimal(format, above)?.div(Rounding::NearestEven, decimal(format, below)?)
                }
                None => decimal(format, text)?,
            },
            Literal::Bool(_) | Literal::Array { .. } => return None,
        })
    }
}

/// The nearest float. Formats wider than `double` get the nearest `double`; other values of these formats can be
/// written as bits.
fn decimal(format: Format, text: &str) -> Option<Float> {
    let text = text.trim();
    match format {
        Format::Single => text.parse().ok().map(Float::from_f32),
        _ => text
            .parse()
            .ok()
            .map(|value| Float::from_f64(value).convert(Rounding::NearestEven, format)),
    }
}

fn bit_vector(width: u32, number: &BigInt) -> Result<Bv, String> {
    let magnitude = number.magnitude();
    let fits = match number.sign() {
        Sign::Minus => *magnitude <= BigUint::one() << (width - 1),
        _ => magnitude.bits() <= u64::from(width),
    };
    if fits {
        Ok(Bv::from_bigint(width, number))
    } else {
        Err(format!("{number} does not fit in {width} bits"))
    }
}

fn parse_literal(rest: &mut &str, depth: usize) -> Result<Literal, String> {
    *rest = rest.trim_start();
    if rest.starts_with('[') {
        return parse_array(rest, depth);
    }
    let word_end =
        |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '/' | '_'));
    let mut end = rest.find(word_end).unwrap_or(rest.len());
    // An arrow may follow without a blank.
    if let Some(arrow) = rest[..end].find("->") {
        end = arrow;
    }
    if rest[end..].starts_with('>') && rest[..end].ends_with('-') {
        end -= 1;
    }
    let (word, after) = rest.split_at(end);
    *rest = after;
    parse_word(word)
}

fn parse_array(rest: &mut &str, depth: usize) -> Result<Literal, String> {
    if depth > DEEPEST {
        return Err("arrays are nested too deeply".to_owned());
    }
    *rest = &rest[1..];
    let mut entries = Vec::new();
    loop {
        *rest = rest.trim_start();
        let index = match rest.strip_prefix('_') {
            Some(after) => {
                *rest = after;
                None
            }
            None => Some(parse_literal(rest, depth + 1)?),
        };
        *rest = rest.trim_start().strip_prefix("->").ok_or("`->` expected in an array")?;
        let element = parse_literal(rest, depth + 1)?;
        *rest = rest.trim_start();
        let Some(index) = index else {
            *rest = rest.strip_prefix(']').ok_or("`]` expected after the default of an array")?;
            return Ok(Literal::Array { entries, default: Box::new(element) });
        };
        entries.push((index, element));
        *rest = rest
            .strip_prefix(',')
            .ok_or("`,` expected in an array, which ends with `_ -> default]`")?;
    }
}

fn parse_word(word: &str) -> Result<Literal, String> {
    let (negative, magnitude) = match word.as_bytes().first() {
        Some(b'-') => (true, &word[1..]),
        Some(b'+') => (false, &word[1..]),
        _ => (false, word),
    };
    match magnitude {
        "" => return Err("a value expected".to_owned()),
        "true" | "false" if magnitude == word => return Ok(Literal::Bool(word == "true")),
        "nan" | "NaN" => return Ok(Literal::Nan),
        "inf" | "infinity" => return Ok(Literal::Infinity { negative }),
        _ => {}
    }
    parse_number(word, negative, magnitude).ok_or_else(|| format!("`{word}` is not a value"))
}

fn parse_number(word: &str, negative: bool, magnitude: &str) -> Option<Literal> {
    let signed = |number: BigUint| {
        BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, number)
    };
    let digits = |text: &str, radix: u32| {
        let digits = !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
        digits.then(|| BigUint::parse_bytes(text.as_bytes(), radix)).flatten()
    };
    for (prefix, radix) in [("0x", 16), ("0X", 16), ("0b", 2), ("0B", 2)] {
        if let Some(text) = magnitude.strip_prefix(prefix) {
            return digits(text, radix)
                .map(|number| Literal::Integer { number: signed(number), bits: true });
        }
    }
    if let Some(number) = digits(magnitude, 10) {
        return Some(Literal::Integer { number: signed(number), bits: false });
    }
    let text = word.to_owned();
    if let Some((above, below)) = magnitude.split_once('/') {
        let (above, below) = (digits(above, 10)?, digits(below, 10)?);
        let number =
            (!below.is_zero()).then(|| BigRational::new(signed(above), BigInt::from(below)))?;
        return Some(Literal::Real { number, text });
    }
    let (digits_text, power) = match magnitude.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, power.parse::<i64>().ok()?),
        None => (magnitude, 0),
    };
    let (whole, fraction) = digits_text.split_once('.').unwrap_or((digits_text, ""));
    let number = digits(&format!("{whole}{fraction}"), 10)?;
    let power = power - fraction.len() as i64;
    if power.abs() > GREATEST_POWER {
        return None;
    }
    let scale = BigInt::from(10).pow(power.unsigned_abs() as u32);
    let number = signed(number);
    let number = if power >= 0 {
        BigRational::from_integer(number * scale)
    } else {
        BigRational::new(number, scale)
    };
    Some(Literal::Real { number, text })
}
