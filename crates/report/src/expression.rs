//! A formula as a C expression that means the same: wherever C would convert or overflow
//! otherwise than the formula, a cast says so. What cannot be said is refused.

use cfa::{Cfa, Reading};
use term::{Op, Sort, TermId, Terms, Value, Var, View};

/// Writes formulas.
#[derive(Clone, Copy)]
pub(crate) struct Writer<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) cfa: &'a Cfa,
    /// Results that fit their width as signed numbers.
    pub(crate) exact: &'a [TermId],
    /// Whether a member of a structure may be a bit-field.
    pub(crate) may_be_bits: &'a dyn Fn(Var) -> bool,
}

/// A type of C that arithmetic is done in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Type {
    /// 64 bits rather than 32.
    wide: bool,
    signed: bool,
}

impl Type {
    fn name(self) -> &'static str {
        name(if self.wide { 64 } else { 32 }, self.signed)
    }
}

fn name(width: u32, signed: bool) -> &'static str {
    match (width, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (_, true) => "long long",
        (_, false) => "unsigned long long",
    }
}

/// How tightly operators bind, as C has it.
const ATOM: u8 = 15;
const UNARY: u8 = 14;
const PRODUCT: u8 = 13;
const SUM: u8 = 12;
const ORDER: u8 = 10;
const EQUALITY: u8 = 9;
const BIT_AND: u8 = 8;
const BIT_XOR: u8 = 7;
const BIT_OR: u8 = 6;
const AND: u8 = 5;
const OR: u8 = 4;

/// A number whose value in C is that of the term; whether the term is read as signed or unsigned is up to the caller.
struct Number {
    text: String,
    level: u8,
    ty: Type,
    constant: Option<i128>,
}

impl Number {
    fn constant(value: i128, ty: Type) -> Self {
        let (text, level) = match value {
            // The literal needs no suffix: the other operand decides the type.
            0..=0x7fff_ffff => (value.to_string(), ATOM),
            _ if !ty.signed => (format!("{value}{}", if ty.wide { "ULL" } else { "U" }), ATOM),
            // The least numbers have no literals.
            -0x8000_0000 => ("(-2147483647 - 1)".to_owned(), ATOM),
            -0x8000_0000_0000_0000 => ("(-9223372036854775807LL - 1)".to_owned(), ATOM),
            -0x7fff_ffff..=-1 => (value.to_string(), UNARY),
            _ if value < 0 => (format!("{value}LL"), UNARY),
            _ => (format!("{value}LL"), ATOM),
        };
        Self { text, level, ty, constant: Some(value) }
    }

    /// The text, in parentheses unless its operator binds at least as tightly as `level`.
    fn at(&self, level: u8) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    fn cast(&self, name: &str, ty: Type) -> Self {
        let text = format!("({name}){}", self.at(UNARY));
        Self { text, level: UNARY, ty, constant: None }
    }

    /// The same value in a type that can hold it, or its remainder in an unsigned one.
    fn to(self, ty: Type) -> Self {
        match self.constant {
            _ if self.ty == ty => self,
            Some(value) if ty.signed => Self::constant(value, ty),
            Some(value) => {
                let modulus = 1_i128 << if ty.wide { 64 } else { 32 };
                Self::constant(value.rem_euclid(modulus), ty)
            }
            None => self.cast(ty.name(), ty),
        }
    }
}

impl Writer<'_> {
    /// The formula as an expression.
    pub(crate) fn formula(self, formula: TermId) -> Option<String> {
        self.condition(formula, true).map(|(text, _)| text)
    }

    /// A formula if it `holds`, and its negation otherwise.
    fn condition(self, term: TermId, holds: bool) -> Option<(String, u8)> {
        match self.terms.view(term) {
            View::Const(value) => {
                let truth = value.as_bool()? == holds;
                Some((u8::from(truth).to_string(), ATOM))
            }
            View::Var(var) => {
                let name = self.name(var)?.to_owned();
                Some(if holds { (name, ATOM) } else { (format!("!{name}"), UNARY) })
            }
            View::App(Op::Not, &[inner]) => self.condition(inner, !holds),
            View::App(op @ (Op::And | Op::Or), parts) => {
                let (word, level) =
                    if (op == Op::And) == holds { (" && ", AND) } else { (" || ", OR) };
                let mut texts = Vec::with_capacity(parts.len());
                for part in self.in_order(parts) {
                    let (text, inner) = self.condition(part, holds)?;
                    texts.push(if inner > level { text } else { format!("({text})") });
                }
                Some((texts.join(word), level))
            }
            View::App(op, &[a, b]) => {
                let (signed, word, opposite) = match op {
                    Op::Eq => (self.equality_is_signed(a, b), "==", "!="),
                    Op::BvSlt => (true, "<", ">="),
                    Op::BvSle => (true, "<=", ">"),
                    Op::BvUlt => (false, "<", ">="),
                    Op::BvUle => (false, "<=", ">"),
                    _ => return None,
                };
                self.comparison((a, b), signed, if holds { word } else { opposite })
            }
            View::App(..) => None,
        }
    }

    /// The parts of a formula in the order in which people list them: if each compares the same thing with a number
    /// in the same way, as in `x == 1 || x == 2 || x == 5`, by these numbers.
    fn in_order(self, parts: &[TermId]) -> Vec<TermId> {
        let compared = |part: &TermId| {
            let (op, sides, is_opposite) = match self.terms.view(*part) {
                View::App(Op::Not, &[inner]) => match self.terms.view(inner) {
                    View::App(op, &[a, b]) => (op, (a, b), true),
                    _ => return None,
                },
                View::App(op, &[a, b]) => (op, (a, b), false),
                _ => return None,
            };
            let (thing, number) = match (self.terms.view(sides.0), self.terms.view(sides.1)) {
                (View::Const(number), _) => (sides.1, number),
                (_, View::Const(number)) => (sides.0, number),
                _ => return None,
            };
            let bits = number.as_bv().filter(|_| op == Op::Eq)?;
            let value = match self.equality_is_signed(thing, thing) {
                true => bits.to_i128()?,
                false => i128::try_from(bits.to_u128()?).ok()?,
            };
            Some(((thing, is_opposite), value))
        };
        let mut parts = parts.to_vec();
        let keys: Option<Vec<_>> = parts.iter().map(compared).collect();
        if let Some([first, rest @ ..]) = keys.as_deref()
            && rest.iter().all(|other| other.0 == first.0)
        {
            parts.sort_by_key(|part| compared(part).map(|(_, value)| value));
        }
        parts
    }

    /// Whether two sides are best compared as signed numbers: if all in them is signed anyway.
    fn equality_is_signed(self, a: TermId, b: TermId) -> bool {
        self.terms.post_order(&[a, b]).into_iter().all(|term| match self.terms.view(term) {
            View::Var(var) => self.reading(var) == Some(Reading::Signed),
            View::App(Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg, _) => {
                self.exact.contains(&term)
            }
            _ => true,
        })
    }

    fn comparison(
        self,
        (a, b): (TermId, TermId),
        signed: bool,
        word: &str,
    ) -> Option<(String, u8)> {
        let width = self.width(a)?;
        let (mut a, mut b) = (self.number(a, signed)?, self.number(b, signed)?);
        if a.ty.signed != b.ty.signed {
            let ty = Type { wide: width == 64, signed };
            (a, b) = (a.to(ty), b.to(ty));
        }
        // `5 <= x` is read better as `x >= 5`.
        let mut word = word;
        if a.constant.is_some() && b.constant.is_none() {
            std::mem::swap(&mut a, &mut b);
            word = match word {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                ">=" => "<=",
                other => other,
            };
        }
        let level = if matches!(word, "==" | "!=") { EQUALITY } else { ORDER };
        Some((format!("{} {word} {}", a.at(SUM), b.at(SUM)), level))
    }

    /// The width of a number, if C has a type of this width.
    fn width(self, term: TermId) -> Option<u32> {
        match self.terms.sort(term) {
            Sort::Bv(width @ (8 | 16 | 32 | 64)) => Some(width),
            _ => None,
        }
    }

    fn reading(self, var: Var) -> Option<Reading> {
        self.cfa.variables.get(var).map(|known| known.reading)
    }

    fn number(self, term: TermId, signed: bool) -> Option<Number> {
        let width = self.width(term)?;
        // What is narrower than an `int` is promoted to one, which holds all its values.
        let ty = Type { wide: width == 64, signed: signed || width < 32 };
        match self.terms.view(term) {
            View::Const(value) => {
                let Value::Bv(bits) = value else { return None };
                let value =
                    if signed { bits.to_i128()? } else { i128::try_from(bits.to_u128()?).ok()? };
                Some(Number::constant(value, ty))
            }
            View::Var(var) => {
                let text = self.name(var)?.to_owned();
                let matches = match self.reading(var)? {
                    Reading::Signed => signed,
                    Reading::Plain => !signed,
                    // Addresses differ from run to run.
                    Reading::Address => return None,
                };
                // A bit-field may be promoted to another type than the one it is declared with.
                let is_whole = !text.contains('.') || !(self.may_be_bits)(var);
                let plain = matches && (width < 32 || is_whole);
                let number = Number { text, level: ATOM, ty, constant: None };
                Some(if plain { number } else { number.cast(name(width, signed), ty) })
            }
            View::App(op, arguments) => self.application(term, op, arguments, signed, ty),
        }
    }

    fn name(&self, var: Var) -> Option<&str> {
        self.cfa.variables.get(var)?.source_name.as_deref()
    }

    fn application(
        self,
        term: TermId,
        op: Op,
        arguments: &[TermId],
        signed: bool,
        ty: Type,
    ) -> Option<Number> {
        let width = self.width(term)?;
        match (op, arguments) {
            (Op::BvAdd | Op::BvSub | Op::BvMul, &[a, b]) => {
                let exact = signed && self.exact.contains(&term);
                let done_in = Type { wide: ty.wide, signed: exact };
                let (a, b) =
                    (self.number(a, exact)?.to(done_in), self.number(b, exact)?.to(done_in));
                let number = arithmetic(op, &a, b, done_in);
                Some(if exact { number } else { cut(number, width, signed, ty) })
            }
            (Op::BvNeg, &[a]) => {
                let exact = signed && self.exact.contains(&term);
                let done_in = Type { wide: ty.wide, signed: exact };
                let a = self.number(a, exact)?.to(done_in);
                let text = format!("-{}", a.at(ATOM));
                let number = Number { text, level: UNARY, ty: done_in, constant: None };
                Some(if exact { number } else { cut(number, width, signed, ty) })
            }
            (Op::BvNot, &[a]) if signed || width >= 32 => {
                let text = format!("~{}", self.number(a, signed)?.to(ty).at(ATOM));
                Some(Number { text, level: UNARY, ty, constant: None })
            }
            (Op::BvAnd | Op::BvOr | Op::BvXor, &[a, b]) => {
                let (word, level) = match op {
                    Op::BvAnd => ("&", BIT_AND),
                    Op::BvOr => ("|", BIT_OR),
                    _ => ("^", BIT_XOR),
                };
                let (a, b) = (self.number(a, signed)?.to(ty), self.number(b, signed)?.to(ty));
                let text = format!("{} {word} {}", a.at(UNARY), b.at(UNARY));
                Some(Number { text, level, ty, constant: None })
            }
            (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem, &[a, b]) => {
                let read_signed = matches!(op, Op::BvSdiv | Op::BvSrem);
                let done_in = Type { wide: ty.wide, signed: read_signed || width < 32 };
                let (a, b) = (self.number(a, read_signed)?, self.number(b, read_signed)?);
                // C does not define division by zero, nor by -1 for every dividend, so the divisor must be another
                // constant.
                b.constant.filter(|divisor| !matches!(divisor, 0 | -1))?;
                let (a, b) = (a.to(done_in), b.to(done_in));
                let word = if matches!(op, Op::BvUdiv | Op::BvSdiv) { "/" } else { "%" };
                let text = format!("{} {word} {}", a.at(PRODUCT), b.at(UNARY));
                let number = Number { text, level: PRODUCT, ty: done_in, constant: None };
                Some(if read_signed == signed { number } else { cut(number, width, signed, ty) })
            }
            // A number that was extended by zeros is not negative, so it is the same signed or unsigned.
            (Op::BvZeroExtend(_), &[a]) => self.number(a, false),
            (Op::BvSignExtend(_), &[a]) => {
                let number = self.number(a, true)?;
                Some(if signed { number } else { cut(number, width, false, ty) })
            }
            (Op::BvExtract { low: 0, .. }, &[a]) => {
                Some(cut(self.number(a, false)?, width, signed, ty))
            }
            _ => None,
        }
    }
}

/// The low bits of a number, read as asked for.
fn cut(number: Number, width: u32, signed: bool, ty: Type) -> Number {
    if width >= 32 && number.ty == ty && number.constant.is_none() {
        return number;
    }
    number.cast(name(width, signed), ty)
}

fn arithmetic(op: Op, a: &Number, b: Number, ty: Type) -> Number {
    let modulus = 1_i128 << if ty.wide { 64 } else { 32 };
    let negative = |value: i128| if ty.signed { value } else { value - modulus };
    let (word, level, b) = match (op, b.constant.map(negative)) {
        (Op::BvMul, _) => ("*", PRODUCT, b),
        // Adding the greatest number is subtracting one.
        (Op::BvAdd, Some(value)) if (-0x7fff_ffff..0).contains(&value) => {
            ("-", SUM, Number::constant(-value, ty))
        }
        (Op::BvAdd, _) => ("+", SUM, b),
        _ => ("-", SUM, b),
    };
    let text = format!("{} {word} {}", a.at(level), b.at(level + 1));
    Number { text, level, ty, constant: None }
}

#[cfg(test)]
mod tests;
