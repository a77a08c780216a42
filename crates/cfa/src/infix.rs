//! Terms and operations as people write them: `x + 1`, `a <u b`, `(int64)x`.
//!
//! The text is not meant to be read back. Bit-vectors do not know whether they are signed, so the operators say it:
//! those for unsigned numbers have a `u` behind them. A constant is shown in the way in which the operand beside it is
//! read: as a signed number, for example.

mod operation;

use std::fmt::{self, Display};

use rustc_hash::FxHashMap;
use term::{Bv, Float, Format, Op as Operator, Rounding, Sort, TermId, Terms, Value, Var, View};

use crate::{Cfa, Program, Reading};

/// How many bytes are shown at most if nothing else is said: a term that shares its parts may
/// be exponentially long when it is written out.
const LIMIT: usize = 4000;

/// How far down a term is looked at to find out how it is read.
const LOOK: u32 = 4;

/// Shows terms and operations of a program in infix notation.
#[derive(Clone, Copy)]
pub struct Infix<'a> {
    terms: &'a Terms,
    cfa: &'a Cfa,
    limit: usize,
    source_names: bool,
    /// Symbols that stand for variables.
    symbols: Option<&'a FxHashMap<Var, Var>>,
}

impl<'a> Infix<'a> {
    /// For the terms of a program, with variables by their unique names.
    #[must_use]
    pub fn new(program: &'a Program) -> Self {
        Self::grown(&program.terms, &program.cfa)
    }

    /// For a table of terms that has grown out of that of a program.
    #[must_use]
    pub fn grown(terms: &'a Terms, cfa: &'a Cfa) -> Self {
        Self { terms, cfa, limit: LIMIT, source_names: false, symbols: None }
    }

    /// Shows symbols as the variables that they stand for.
    #[must_use]
    pub fn with_symbols(self, symbols: &'a FxHashMap<Var, Var>) -> Self {
        Self { symbols: Some(symbols), ..self }
    }

    /// Cuts what is longer than some `limit` bytes, and shows so by `…`.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// Shows variables by the names that they have in the source, where they have one. Different
    /// variables may then look the same.
    #[must_use]
    pub fn with_source_names(self) -> Self {
        Self { source_names: true, ..self }
    }

    /// A term.
    #[must_use]
    pub fn term(self, term: TermId) -> impl Display + 'a {
        Shown {
            limit: self.limit,
            write: move |out: &mut dyn fmt::Write| write_term(out, self, term, Reading::Plain),
        }
    }

    /// The name of a variable.
    #[must_use]
    pub fn name(self, var: Var) -> &'a str {
        let var = self.variable(var);
        let known = self.cfa.variables.get(var);
        let source = known.and_then(|variable| variable.source_name.as_deref());
        source.filter(|_| self.source_names).unwrap_or_else(|| self.terms.var_name(var))
    }

    /// A value, shown in the way in which the variable that holds it is read.
    #[must_use]
    pub fn value(self, value: &Value, var: Option<Var>) -> String {
        let reading = var.map_or(Reading::Plain, |var| self.reading_of_var(var));
        let mut text = String::new();
        // Writing to a text does not fail.
        let _ = write_value(&mut text, value, reading, level::ANY);
        text
    }

    /// The variable that a symbol stands for.
    fn variable(self, symbol: Var) -> Var {
        self.symbols.and_then(|symbols| symbols.get(&symbol)).copied().unwrap_or(symbol)
    }

    fn reading_of_var(self, var: Var) -> Reading {
        let known = self.cfa.variables.get(self.variable(var));
        known.map_or(Reading::Plain, |variable| variable.reading)
    }

    /// How a term's value is read, as far as can be seen.
    fn reading(self, term: TermId, look: u32) -> Reading {
        match self.terms.view(term) {
            View::Var(var) => self.reading_of_var(var),
            View::Const(_) => Reading::Plain,
            View::App(op, arguments) => match op {
                Operator::BvSdiv | Operator::BvSrem | Operator::BvSmod | Operator::BvAshr => {
                    Reading::Signed
                }
                Operator::BvSignExtend(_) | Operator::FpToSignedBv(..) => Reading::Signed,
                Operator::BvNeg
                | Operator::BvNot
                | Operator::BvAdd
                | Operator::BvSub
                | Operator::BvMul
                | Operator::BvAnd
                | Operator::BvOr
                | Operator::BvXor
                    if look > 0 =>
                {
                    self.common_reading(arguments, look)
                }
                Operator::BvShl if look > 0 => self.common_reading(&arguments[..1], look),
                Operator::Ite if look > 0 => self.common_reading(&arguments[1..], look),
                _ => Reading::Plain,
            },
        }
    }

    fn common_reading(self, arguments: &[TermId], look: u32) -> Reading {
        let mut readings =
            arguments.iter().take(4).map(|argument| self.reading(*argument, look - 1));
        readings.find(|reading| *reading != Reading::Plain).unwrap_or(Reading::Plain)
    }
}

/// A text that is cut off behind `limit` bytes.
struct Shown<F> {
    limit: usize,
    write: F,
}

impl<F: Fn(&mut dyn fmt::Write) -> fmt::Result> Display for Shown<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Limited { f, left: self.limit, cut: false };
        let result = (self.write)(&mut writer);
        if writer.cut { f.write_str("…") } else { result }
    }
}

/// Passes on a number of bytes and then fails.
struct Limited<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    left: usize,
    cut: bool,
}

impl fmt::Write for Limited<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() <= self.left {
            self.left -= text.len();
            return self.f.write_str(text);
        }
        let end = (0..=self.left).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.left = 0;
        self.cut = true;
        self.f.write_str(&text[..end])?;
        Err(fmt::Error)
    }
}

/// How tightly operators bind; as in C.
mod level {
    pub(super) const ANY: u8 = 0;
    pub(super) const CONDITIONAL: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const BIT_OR: u8 = 4;
    pub(super) const BIT_XOR: u8 = 5;
    pub(super) const BIT_AND: u8 = 6;
    pub(super) const EQUAL: u8 = 7;
    pub(super) const COMPARE: u8 = 8;
    pub(super) const SHIFT: u8 = 9;
    pub(super) const SUM: u8 = 10;
    pub(super) const PRODUCT: u8 = 11;
    pub(super) const UNARY: u8 = 12;
    pub(super) const POSTFIX: u8 = 13;
}

/// What is still to be written; the piece to write next is the last one.
enum Piece {
    Text(&'static str),
    Owned(String),
    Term(TermId, u8, Reading),
}

struct Writer<'a> {
    infix: Infix<'a>,
    stack: Vec<Piece>,
}

fn write_term(
    out: &mut dyn fmt::Write,
    infix: Infix<'_>,
    term: TermId,
    reading: Reading,
) -> fmt::Result {
    let mut writer = Writer { infix, stack: vec![Piece::Term(term, level::ANY, reading)] };
    while let Some(piece) = writer.stack.pop() {
        match piece {
            Piece::Text(text) => out.write_str(text)?,
            Piece::Owned(text) => out.write_str(&text)?,
            Piece::Term(term, around, reading) => match infix.terms.view(term) {
                View::Var(var) => out.write_str(infix.name(var))?,
                View::Const(value) => write_value(out, value, reading, around)?,
                View::App(op, arguments) => writer.app(op, arguments, around, reading),
            },
        }
    }
    Ok(())
}

/// A value as people write it.
fn write_value(
    out: &mut dyn fmt::Write,
    value: &Value,
    reading: Reading,
    around: u8,
) -> fmt::Result {
    let text = match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Rat(value) if around > level::PRODUCT => format!("({value})"),
        Value::Rat(value) => value.to_string(),
        Value::Bv(value) => bits(value, reading),
        Value::Float(value) => float(*value),
        Value::Array(_) => value.to_string(),
    };
    // A minus sign binds like an operator.
    if text.starts_with('-') && around > level::UNARY {
        write!(out, "({text})")
    } else {
        out.write_str(&text)
    }
}

fn bits(value: &Bv, reading: Reading) -> String {
    match reading {
        Reading::Plain => value.to_bigint_unsigned().to_string(),
        Reading::Signed => value.to_bigint_signed().to_string(),
        Reading::Address if value.is_zero() => "0".to_owned(),
        Reading::Address => format!("0x{}", value.to_biguint().to_str_radix(16)),
    }
}

fn float(value: Float) -> String {
    // The shortest decimal that means the same; wider formats are shown as the nearest double.
    let text = match value.format() {
        Format::Half | Format::Single => format!("{:?}", value.to_f32()),
        Format::Double | Format::X87 | Format::Quad => format!("{:?}", value.to_f64()),
    };
    if value.format() == Format::Single { text + "f" } else { text }
}

impl Writer<'_> {
    /// Puts the pieces of an application on the stack.
    fn app(&mut self, op: Operator, arguments: &[TermId], around: u8, reading: Reading) {
        use Operator as O;
        match (op, arguments) {
            (O::Not, [inner]) => self.negation(*inner, around),
            (O::And, [_, _, ..]) => self.chain(" && ", level::AND, arguments, around),
            (O::Or, [_, _, ..]) => self.chain(" || ", level::OR, arguments, around),
            (O::Ite, [condition, then, other]) => {
                let pieces = [
                    Piece::Term(*condition, level::CONDITIONAL + 1, Reading::Plain),
                    Piece::Text(" ? "),
                    Piece::Term(*then, level::CONDITIONAL + 1, reading),
                    Piece::Text(" : "),
                    Piece::Term(*other, level::CONDITIONAL, reading),
                ];
                self.push(level::CONDITIONAL, around, pieces);
            }
            (O::BvAdd | O::Add, [left, right]) => self.sum(*left, *right, around, reading),
            (O::Select, [array, index]) => {
                let pieces = [
                    Piece::Term(*array, level::POSTFIX, Reading::Plain),
                    Piece::Text("["),
                    Piece::Term(*index, level::ANY, Reading::Signed),
                    Piece::Text("]"),
                ];
                self.push(level::POSTFIX, around, pieces);
            }
            (O::Store, [array, index, element]) => {
                let pieces = [
                    Piece::Term(*array, level::POSTFIX, Reading::Plain),
                    Piece::Text("["),
                    Piece::Term(*index, level::ANY, Reading::Signed),
                    Piece::Text(" := "),
                    Piece::Term(*element, level::ANY, Reading::Plain),
                    Piece::Text("]"),
                ];
                self.push(level::POSTFIX, around, pieces);
            }
            (O::BvExtract { high, low }, [inner]) if low > 0 => {
                let range = Piece::Owned(format!("[{high}:{low}]"));
                let inner = Piece::Term(*inner, level::POSTFIX, Reading::Plain);
                self.push(level::POSTFIX, around, [inner, range]);
            }
            // Identity of floats is not their equality.
            (O::Eq, [left, right]) if self.is_float(*left) => {
                self.binary(op, " === ", level::EQUAL, *left, *right, around, reading);
            }
            // `10 <= x` reads better the other way round.
            (_, [left, right]) if self.is_constant(*left) && turned(op).is_some() => {
                let symbol = turned(op).unwrap_or(" ? ");
                self.binary(op, symbol, level::COMPARE, *right, *left, around, reading);
            }
            (_, [left, right]) if infix_symbol(op).is_some() => {
                // Just looked up.
                let (symbol, binds) = infix_symbol(op).unwrap_or((" ? ", level::ANY));
                self.binary(op, symbol, binds, *left, *right, around, reading);
            }
            (_, [inner]) if prefix(op).is_some() => {
                let prefix = prefix(op).unwrap_or_default();
                let reading = match op {
                    O::BvNeg | O::BvNot => reading,
                    O::BvSignExtend(_) | O::FpFromSignedBv(..) => Reading::Signed,
                    _ => Reading::Plain,
                };
                let pieces = [Piece::Owned(prefix), Piece::Term(*inner, level::UNARY, reading)];
                self.push(level::UNARY, around, pieces);
            }
            _ => self.function(op, arguments),
        }
    }

    fn is_constant(&self, term: TermId) -> bool {
        self.infix.terms.value(term).is_some()
    }

    fn is_float(&self, term: TermId) -> bool {
        matches!(self.infix.terms.sort(term), Sort::Float(_))
    }

    fn push<const N: usize>(&mut self, binds: u8, around: u8, pieces: [Piece; N]) {
        let parentheses = binds < around;
        if parentheses {
            self.stack.push(Piece::Text(")"));
        }
        self.stack.extend(pieces.into_iter().rev());
        if parentheses {
            self.stack.push(Piece::Text("("));
        }
    }

    fn negation(&mut self, inner: TermId, around: u8) {
        use Operator as O;
        let terms = self.infix.terms;
        if let View::App(op, [left, right]) = terms.view(inner) {
            let flipped = match op {
                O::Eq if self.is_float(*left) => Some((" !== ", level::EQUAL)),
                O::Eq => Some((" != ", level::EQUAL)),
                O::FpEq => Some((" != ", level::EQUAL)),
                O::Lt | O::BvSlt => Some((" >= ", level::COMPARE)),
                O::Le | O::BvSle => Some((" > ", level::COMPARE)),
                O::BvUlt => Some((" >=u ", level::COMPARE)),
                O::BvUle => Some((" >u ", level::COMPARE)),
                _ => None,
            };
            if let Some((symbol, binds)) = flipped {
                return self.binary(op, symbol, binds, *left, *right, around, Reading::Plain);
            }
        }
        let pieces = [Piece::Text("!"), Piece::Term(inner, level::UNARY, Reading::Plain)];
        self.push(level::UNARY, around, pieces);
    }

    fn chain(&mut self, symbol: &'static str, binds: u8, arguments: &[TermId], around: u8) {
        let parentheses = binds < around;
        if parentheses {
            self.stack.push(Piece::Text(")"));
        }
        for (index, argument) in arguments.iter().enumerate().rev() {
            self.stack.push(Piece::Term(*argument, binds + 1, Reading::Plain));
            if index > 0 {
                self.stack.push(Piece::Text(symbol));
            }
        }
        if parentheses {
            self.stack.push(Piece::Text("("));
        }
    }

    /// A sum, or a difference if a negative constant is added.
    fn sum(&mut self, left: TermId, right: TermId, around: u8, reading: Reading) {
        let terms = self.infix.terms;
        let reading = self.reading_of_arguments(Operator::BvAdd, left, right, reading);
        for (variable, constant) in [(left, right), (right, left)] {
            let positive = match terms.value(constant) {
                Some(Value::Bv(value)) if value.sign() && reading != Reading::Plain => {
                    bits(&value.neg(), reading)
                }
                Some(Value::Int(value)) => match value.to_string().strip_prefix('-') {
                    Some(positive) => positive.to_owned(),
                    None => continue,
                },
                _ => continue,
            };
            let pieces = [
                Piece::Term(variable, level::SUM, reading),
                Piece::Text(" - "),
                // The least number is its own negative.
                Piece::Owned(positive.trim_start_matches('-').to_owned()),
            ];
            return self.push(level::SUM, around, pieces);
        }
        self.binary(Operator::BvAdd, " + ", level::SUM, left, right, around, reading);
    }

    #[expect(clippy::too_many_arguments, reason = "an operator, its two sides, what is around")]
    fn binary(
        &mut self,
        op: Operator,
        symbol: &'static str,
        binds: u8,
        left: TermId,
        right: TermId,
        around: u8,
        reading: Reading,
    ) {
        let reading = self.reading_of_arguments(op, left, right, reading);
        let shift = matches!(op, Operator::BvShl | Operator::BvLshr | Operator::BvAshr);
        let pieces = [
            Piece::Term(left, binds, reading),
            Piece::Text(symbol),
            Piece::Term(right, binds + 1, if shift { Reading::Plain } else { reading }),
        ];
        self.push(binds, around, pieces);
    }

    /// How the constants on either side of an operator are read.
    fn reading_of_arguments(
        &self,
        op: Operator,
        left: TermId,
        right: TermId,
        around: Reading,
    ) -> Reading {
        use Operator as O;
        match op {
            O::BvSlt | O::BvSle | O::BvSdiv | O::BvSrem | O::BvSmod | O::BvAshr => Reading::Signed,
            O::BvUdiv | O::BvUrem | O::BvLshr => Reading::Plain,
            _ => match self.infix.common_reading(&[left, right], LOOK) {
                // An unsigned comparison says how its numbers are read, if they are numbers.
                Reading::Signed if matches!(op, O::BvUlt | O::BvUle) => Reading::Plain,
                Reading::Plain if !matches!(op, O::Eq | O::BvUlt | O::BvUle) => around,
                reading => reading,
            },
        }
    }

    /// An application in the notation for functions.
    fn function(&mut self, op: Operator, arguments: &[TermId]) {
        self.stack.push(Piece::Text(")"));
        for (index, argument) in arguments.iter().enumerate().rev() {
            self.stack.push(Piece::Term(*argument, level::ANY, Reading::Plain));
            if index > 0 {
                self.stack.push(Piece::Text(", "));
            }
        }
        self.stack.push(Piece::Owned(function_name(op) + "("));
    }
}

/// The symbol of a comparison whose sides change places.
fn turned(op: Operator) -> Option<&'static str> {
    use Operator as O;
    Some(match op {
        O::Le | O::BvSle | O::FpLe => " >= ",
        O::Lt | O::BvSlt | O::FpLt => " > ",
        O::BvUle => " >=u ",
        O::BvUlt => " >u ",
        _ => return None,
    })
}

/// The symbol of an operator with two arguments that is written between them.
fn infix_symbol(op: Operator) -> Option<(&'static str, u8)> {
    use Operator as O;
    const NEAREST: Rounding = Rounding::NearestEven;
    Some(match op {
        O::Eq | O::FpEq => (" == ", level::EQUAL),
        O::Sub | O::BvSub | O::FpSub(NEAREST) => (" - ", level::SUM),
        O::FpAdd(NEAREST) => (" + ", level::SUM),
        O::Mul | O::BvMul | O::FpMul(NEAREST) => (" * ", level::PRODUCT),
        O::Div | O::BvSdiv | O::FpDiv(NEAREST) => (" / ", level::PRODUCT),
        O::IntDiv => (" div ", level::PRODUCT),
        O::IntMod => (" mod ", level::PRODUCT),
        O::IntRem => (" rem ", level::PRODUCT),
        O::BvUdiv => (" /u ", level::PRODUCT),
        O::BvSrem => (" % ", level::PRODUCT),
        O::BvUrem => (" %u ", level::PRODUCT),
        O::Le | O::BvSle | O::FpLe => (" <= ", level::COMPARE),
        O::Lt | O::BvSlt | O::FpLt => (" < ", level::COMPARE),
        O::BvUle => (" <=u ", level::COMPARE),
        O::BvUlt => (" <u ", level::COMPARE),
        O::BvAnd => (" & ", level::BIT_AND),
        O::BvOr => (" | ", level::BIT_OR),
        O::BvXor => (" ^ ", level::BIT_XOR),
        O::BvShl => (" << ", level::SHIFT),
        O::BvAshr => (" >> ", level::SHIFT),
        O::BvLshr => (" >>u ", level::SHIFT),
        _ => return None,
    })
}

/// What is written before the only argument of an operator.
fn prefix(op: Operator) -> Option<String> {
    use Operator as O;
    const ZERO: Rounding = Rounding::TowardZero;
    const NEAREST: Rounding = Rounding::NearestEven;
    Some(match op {
        O::Neg | O::BvNeg | O::FpNeg => "-".to_owned(),
        O::BvNot => "~".to_owned(),
        O::BvExtract { high, .. } => format!("(uint{})", high + 1),
        O::BvZeroExtend(width) | O::FpToUnsignedBv(ZERO, width) => format!("(uint{width})"),
        O::BvSignExtend(width) | O::FpToSignedBv(ZERO, width) => format!("(int{width})"),
        O::IntToBv(width) => format!("(int{width})"),
        O::ToRat => "(rat)".to_owned(),
        O::FpToFp(NEAREST, format) | O::FpFromSignedBv(NEAREST, format) => {
            format!("({})", format_name(format))
        }
        O::FpFromUnsignedBv(NEAREST, format) => format!("({})(unsigned)", format_name(format)),
        _ => return None,
    })
}

const fn format_name(format: Format) -> &'static str {
    match format {
        Format::Half => "half",
        Format::Single => "float",
        Format::Double => "double",
        Format::X87 => "long double",
        Format::Quad => "quad",
    }
}

/// The name of an operator that is written like a function.
fn function_name(op: Operator) -> String {
    use Operator as O;
    let rounded =
        |name: &str, rounding: Rounding| format!("{name}_{}", rounding.name().to_lowercase());
    let name = match op {
        // Conjunctions and disjunctions of fewer than two terms, if they are left as they are.
        O::And => "all",
        O::Or => "any",
        O::ToInt => "floor",
        O::BvSmod => "mod",
        O::BvConcat => "concat",
        O::BvUaddOverflow => "uadd_overflows",
        O::BvSaddOverflow => "add_overflows",
        O::BvUsubOverflow => "usub_overflows",
        O::BvSsubOverflow => "sub_overflows",
        O::BvUmulOverflow => "umul_overflows",
        O::BvSmulOverflow => "mul_overflows",
        O::BvToIntUnsigned => "unsigned",
        O::BvToIntSigned => "signed",
        O::FpSqrt(Rounding::NearestEven) => "sqrt",
        O::FpFma(Rounding::NearestEven) => "fma",
        O::FpAdd(rounding) => return rounded("add", rounding),
        O::FpSub(rounding) => return rounded("sub", rounding),
        O::FpMul(rounding) => return rounded("mul", rounding),
        O::FpDiv(rounding) => return rounded("div", rounding),
        O::FpFma(rounding) => return rounded("fma", rounding),
        O::FpSqrt(rounding) => return rounded("sqrt", rounding),
        O::FpRound(Rounding::TowardPositive) => "ceil",
        O::FpRound(Rounding::TowardNegative) => "floor",
        O::FpRound(Rounding::TowardZero) => "trunc",
        O::FpRound(Rounding::NearestAway) => "round",
        O::FpRound(Rounding::NearestEven) => "roundeven",
        O::FpRem => "remainder",
        O::FpFmod => "fmod",
        O::FpAbs => "fabs",
        O::FpMin => "fmin",
        O::FpMax => "fmax",
        O::FpIsNan => "isnan",
        O::FpIsInfinite => "isinf",
        O::FpIsZero => "iszero",
        O::FpIsNormal => "isnormal",
        O::FpIsSubnormal => "issubnormal",
        O::FpIsNegative => "isnegative",
        O::FpIsPositive => "ispositive",
        O::FpToFp(rounding, format)
        | O::FpFromSignedBv(rounding, format)
        | O::FpFromUnsignedBv(rounding, format) => {
            return rounded(&format!("to_{}", format_name(format).replace(' ', "_")), rounding);
        }
        O::FpToSignedBv(rounding, width) => return rounded(&format!("to_int{width}"), rounding),
        O::FpToUnsignedBv(rounding, width) => return rounded(&format!("to_uint{width}"), rounding),
        O::FpFromBits(_) => "float_of_bits",
        O::FpToBits => "bits",
        O::ConstArray(_) => "everywhere",
        // Operators that are written otherwise, applied to a number of arguments that they do
        // not have.
        _ => return format!("{op:?}"),
    };
    name.to_owned()
}
