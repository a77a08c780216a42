//! Each operator in SMT-LIB 2.6. An operator that the standard lacks, whose value the standard leaves open, or in which
//! solvers differ is written by its definition; an operator without such a definition is refused.

use term::{Float, Format, Op, Rounding, Sort, TermId, Terms, Value};

use super::Missing;

/// Features in which solvers differ.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Dialect {
    /// Division of bit-vectors by zero is written out: some solvers are older than its present meaning in SMT-LIB.
    pub guard_division: bool,
    /// Operators that SMT-LIB lacks keep their own names, for files that only Proviso reads back.
    pub own_names: bool,
}

/// The text of an operator applied to arguments whose texts are given. The text of an argument may occur several times
/// in the result.
pub(crate) fn apply(
    terms: &Terms,
    dialect: Dialect,
    op: Op,
    args: &[TermId],
    parts: &[&str],
) -> Result<String, Missing> {
    let all = parts.join(" ");
    let sort = args.first().map(|arg| terms.sort(*arg));
    let width = sort.and_then(Sort::bv_width).unwrap_or(1);
    Ok(match op {
        Op::And | Op::Or => match (parts, op) {
            ([], Op::And) => "true".to_owned(),
            ([], _) => "false".to_owned(),
            ([one], _) => (*one).to_owned(),
            (_, Op::And) => format!("(and {all})"),
            _ => format!("(or {all})"),
        },
        Op::Div | Op::IntDiv | Op::IntMod | Op::IntRem => division(terms, op, args[1], parts),
        Op::BvUdiv | Op::BvSdiv | Op::BvUrem | Op::BvSrem | Op::BvSmod
            if dialect.guard_division && may_be_zero(terms, args[1]) =>
        {
            word_division(op, width, parts)
        }
        Op::BvUaddOverflow
        | Op::BvSaddOverflow
        | Op::BvUsubOverflow
        | Op::BvSsubOverflow
        | Op::BvUmulOverflow
        | Op::BvSmulOverflow => overflow(op, width, parts[0], parts[1]),
        Op::BvToIntSigned => {
            let a = parts[0];
            let two_to_width = num_bigint::BigUint::from(1_u8) << width;
            let top = width - 1;
            format!("(- (bv2nat {a}) (ite (= ((_ extract {top} {top}) {a}) #b1) {two_to_width} 0))")
        }
        Op::FpRem if !dialect.own_names => return Err("the remainder of floats".to_owned()),
        Op::FpFmod if !dialect.own_names => return Err("fmod".to_owned()),
        Op::FpMin | Op::FpMax => {
            let (a, b) = (parts[0], parts[1]);
            let (name, junction) =
                if op == Op::FpMin { ("fp.min", "or") } else { ("fp.max", "and") };
            let Some(Sort::Float(format)) = sort else { return Err("a float".to_owned()) };
            let (minus, plus) = (Float::zero(format, true), Float::zero(format, false));
            format!(
                "(ite (and (fp.isZero {a}) (fp.isZero {b})) (ite ({junction} (fp.isNegative {a}) (fp.isNegative {b})) {minus} {plus}) ({name} {a} {b}))"
            )
        }
        Op::FpToSignedBv(rounding, to) | Op::FpToUnsignedBv(rounding, to) => {
            let Some(Sort::Float(format)) = sort else { return Err("a float".to_owned()) };
            let signed = matches!(op, Op::FpToSignedBv(..));
            to_integer(format, rounding, signed, to, parts[0])
        }
        Op::FpFromBits(Format::X87) => from_x87_bits(parts[0]),
        // The bits of a float need new symbols, which the writer declares.
        Op::FpToBits => return Err("the encoding of a float".to_owned()),
        _ => format!("({} {all})", terms.operator(op, args)),
    })
}

/// Zero of a width, in binary.
pub(crate) fn zeros(width: u32) -> String {
    format!("#b{}", "0".repeat(width as usize))
}

fn may_be_zero(terms: &Terms, divisor: TermId) -> bool {
    match terms.value(divisor) {
        Some(Value::Bv(bits)) => bits.is_zero(),
        Some(Value::Int(number)) => num_traits::Zero::is_zero(number),
        Some(Value::Rat(number)) => num_traits::Zero::is_zero(number),
        _ => true,
    }
}

/// Division of numbers: a quotient by zero is zero, and a remainder by zero is the dividend.
fn division(terms: &Terms, op: Op, divisor: TermId, parts: &[&str]) -> String {
    let (a, b) = (parts[0], parts[1]);
    let name = match op {
        Op::Div => "/",
        Op::IntDiv => "div",
        _ => "mod",
    };
    let mut text = format!("({name} {a} {b})");
    if may_be_zero(terms, divisor) {
        let (zero, result) = match op {
            Op::Div => ("0.0", "0.0"),
            Op::IntDiv => ("0", "0"),
            _ => ("0", a),
        };
        text = format!("(ite (= {b} {zero}) {result} {text})");
    }
    if op == Op::IntRem {
        text = format!("(ite (< {b} 0) (- {text}) {text})");
    }
    text
}

fn word_division(op: Op, width: u32, parts: &[&str]) -> String {
    let (a, b) = (parts[0], parts[1]);
    let zero = zeros(width);
    let ones = format!("#b{}", "1".repeat(width as usize));
    let (name, result) = match op {
        Op::BvUdiv => ("bvudiv", ones),
        Op::BvSdiv => {
            let top = width - 1;
            let one = format!("#b{}1", "0".repeat(top as usize));
            ("bvsdiv", format!("(ite (= ((_ extract {top} {top}) {a}) #b1) {one} {ones})"))
        }
        Op::BvUrem => ("bvurem", a.to_owned()),
        Op::BvSrem => ("bvsrem", a.to_owned()),
        _ => ("bvsmod", a.to_owned()),
    };
    format!("(ite (= {b} {zero}) {result} ({name} {a} {b}))")
}

/// Overflow predicates: the result in a wider word differs from the extended result.
fn overflow(op: Op, width: u32, a: &str, b: &str) -> String {
    let (name, extend, by) = match op {
        Op::BvUaddOverflow => return format!("(bvult (bvadd {a} {b}) {a})"),
        Op::BvUsubOverflow => return format!("(bvult {a} {b})"),
        Op::BvSaddOverflow => ("bvadd", "sign_extend", 1),
        Op::BvSsubOverflow => ("bvsub", "sign_extend", 1),
        Op::BvSmulOverflow => ("bvmul", "sign_extend", width),
        _ => ("bvmul", "zero_extend", width),
    };
    let extend = format!("(_ {extend} {by})");
    format!("(not (= ({name} ({extend} {a}) ({extend} {b})) ({extend} ({name} {a} {b}))))")
}

/// A float as an integer; only the highest bit is set if the float does not fit. The float is rounded first, so that
/// what is converted is an integer within the range; zero is left out of the conversion.
fn to_integer(format: Format, rounding: Rounding, signed: bool, width: u32, a: &str) -> String {
    let rounded = format!("(fp.roundToIntegral {} {a})", rounding.name());
    let greatest = (1_u32 << (format.exponent_bits() - 1)) - 1;
    let finite = format!("(not (or (fp.isNaN {rounded}) (fp.isInfinite {rounded})))");
    // The least power of two that is too great, if the format has it.
    let power = if signed { width - 1 } else { width };
    let power_of_two =
        |negative: bool| Float::from_parts(format, negative, u128::from(greatest + power), 0);
    let fits_below = if power <= greatest {
        format!("(fp.lt {rounded} {})", power_of_two(false))
    } else {
        finite
    };
    let low = match signed {
        true if power <= greatest => Some(power_of_two(true)),
        true => None,
        false => Some(Float::zero(format, false)),
    };
    let fits = match low {
        Some(low) => format!("(and (fp.leq {low} {rounded}) {fits_below})"),
        None => fits_below,
    };
    let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    let (zero, least) = (zeros(width), format!("#b1{}", "0".repeat(width as usize - 1)));
    format!(
        "(ite {fits} (ite (fp.isZero {rounded}) {zero} ((_ {name} {width}) RTZ {rounded})) {least})"
    )
}

/// The x87's 80 bits hold the leading bit. If this bit is clear and the exponent is not zero, the 80 bits encode
/// nothing and count as NaN; if it is set and the exponent is zero, the exponent counts as one.
fn from_x87_bits(a: &str) -> String {
    let sign_exponent = format!("((_ extract 79 64) {a})");
    let fraction = format!("((_ extract 62 0) {a})");
    let sign = format!("((_ extract 79 79) {a})");
    let one = format!("#b{}1", "0".repeat(14));
    let (zero, nan) = (zeros(15), Float::nan(Format::X87));
    let plain = format!("((_ to_fp 15 64) (concat {sign_exponent} {fraction}))");
    let least = format!("((_ to_fp 15 64) (concat (concat {sign} {one}) {fraction}))");
    format!(
        "(ite (= ((_ extract 78 64) {a}) {zero}) (ite (= ((_ extract 63 63) {a}) #b1) {least} {plain}) (ite (= ((_ extract 63 63) {a}) #b1) {plain} {nan}))"
    )
}
