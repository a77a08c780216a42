//! What an operator of the text form builds, by name.

use num_rational::BigRational;
use num_traits::Zero;

use crate::names;
use crate::op::Op;
use crate::sort::{ArraySort, Format, MAX_WIDTH, Rounding, Sort};
use crate::table::{TermId, Terms};
use crate::value::Value;
use crate::{Bv, Float};

/// An operator as written.
#[derive(Clone, Copy)]
pub(crate) enum Head<'a> {
    /// `bvadd`.
    Plain(&'a str),
    /// `(_ extract 7 0)`.
    Indexed(&'a str, u32, Option<u32>),
    /// `(as const (Array …))`.
    ConstArray(ArraySort),
}

impl Head<'_> {
    /// Whether the first argument may be a rounding mode.
    pub(crate) fn takes_rounding(&self) -> bool {
        match self {
            Head::Plain(name) => names::rounded(name, Rounding::NearestEven).is_some(),
            Head::Indexed(name, ..) => {
                matches!(*name, "to_fp" | "to_fp_unsigned" | "fp.to_sbv" | "fp.to_ubv")
            }
            Head::ConstArray(_) => false,
        }
    }
}

/// Why an application is refused.
type Refusal = String;

impl Terms {
    /// The term for an operator and its arguments.
    pub(crate) fn apply_head(
        &mut self,
        head: Head<'_>,
        rounding: Option<Rounding>,
        args: &[TermId],
    ) -> Result<TermId, Refusal> {
        match (head, rounding) {
            (Head::ConstArray(sort), _) => self.checked(Op::ConstArray(sort), args),
            (Head::Plain(name), Some(rounding)) => match names::rounded(name, rounding) {
                Some(op) => self.checked(op, args),
                None => Err(format!("`{name}` takes no rounding mode")),
            },
            (Head::Plain(name), None) => self.apply_plain(name, args),
            (Head::Indexed(name, first, second), Some(rounding)) => {
                let op = match (name, second) {
                    ("fp.to_sbv", None) => Op::FpToSignedBv(rounding, first),
                    ("fp.to_ubv", None) => Op::FpToUnsignedBv(rounding, first),
                    ("to_fp_unsigned", Some(second)) => {
                        Op::FpFromUnsignedBv(rounding, format(first, second)?)
                    }
                    ("to_fp", Some(second)) => {
                        let format = format(first, second)?;
                        match args {
                            [arg] if matches!(self.sort(*arg), Sort::Bv(_)) => {
                                Op::FpFromSignedBv(rounding, format)
                            }
                            _ => Op::FpToFp(rounding, format),
                        }
                    }
                    _ => return Err(format!("unknown operator `{name}`")),
                };
                self.checked(op, args)
            }
            (Head::Indexed(name, first, second), None) => {
                self.apply_indexed(name, first, second, args)
            }
        }
    }

    /// Whether SMT-LIB leaves open what the operator gives for some values of the arguments.
    pub(crate) fn leaves_open(&self, head: Head<'_>, args: &[TermId]) -> bool {
        let may_be_zero = |arg: &TermId| match self.value(*arg) {
            Some(Value::Int(number)) => number.is_zero(),
            Some(Value::Rat(number)) => number.is_zero(),
            _ => true,
        };
        match head {
            Head::Plain("/" | "div" | "mod" | "rem") => args.iter().skip(1).any(may_be_zero),
            Head::Plain(name) => matches!(name, "fp.min" | "fp.max" | "fp.to_ieee_bv"),
            Head::Indexed(name, ..) => matches!(name, "fp.to_sbv" | "fp.to_ubv"),
            Head::ConstArray(_) => false,
        }
    }

    fn checked(&mut self, op: Op, args: &[TermId]) -> Result<TermId, Refusal> {
        self.try_app(op, args).map_err(|error| error.to_string())
    }

    fn apply_indexed(
        &mut self,
        name: &str,
        first: u32,
        second: Option<u32>,
        args: &[TermId],
    ) -> Result<TermId, Refusal> {
        let width = match args {
            [arg] => self.sort(*arg).bv_width(),
            _ => return Err(format!("`{name}` takes one argument")),
        };
        let op = match (name, first, second) {
            ("extract", high, Some(low)) => Op::BvExtract { high, low },
            ("zero_extend", by, None) => Op::BvZeroExtend(width.unwrap_or(0).saturating_add(by)),
            ("sign_extend", by, None) => Op::BvSignExtend(width.unwrap_or(0).saturating_add(by)),
            ("int2bv" | "int_to_bv", width, None) => Op::IntToBv(width),
            ("to_fp", 15, Some(64)) if width == Some(79) => return self.x87_of_bits(args[0]),
            ("to_fp", eb, Some(sb)) => Op::FpFromBits(format(eb, sb)?),
            ("repeat", times @ 1.., None) => {
                if u64::from(width.unwrap_or(1)) * u64::from(times) > u64::from(MAX_WIDTH) {
                    return Err("too wide a bit-vector".into());
                }
                return self.fold_left(Op::BvConcat, &vec![args[0]; times as usize]);
            }
            ("rotate_left" | "rotate_right", by, None) if let Some(width) = width => {
                let by =
                    if name == "rotate_left" { by % width } else { (width - by % width) % width };
                if by == 0 {
                    return Ok(args[0]);
                }
                let high = self.checked(Op::BvExtract { high: width - by - 1, low: 0 }, args)?;
                let low = self.checked(Op::BvExtract { high: width - 1, low: width - by }, args)?;
                return self.checked(Op::BvConcat, &[high, low]);
            }
            _ => return Err(format!("unknown operator `{name}`")),
        };
        self.checked(op, args)
    }

    fn apply_plain(&mut self, name: &str, args: &[TermId]) -> Result<TermId, Refusal> {
        if let Some(op) = plain(name) {
            return match op {
                Op::Add
                | Op::Mul
                | Op::BvAdd
                | Op::BvMul
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvConcat => self.fold_left(op, args),
                Op::Eq | Op::Le | Op::Lt | Op::FpEq | Op::FpLt | Op::FpLe => {
                    self.chain(op, args, false)
                }
                _ => self.checked(op, args),
            };
        }
        match (name, args) {
            (">", _) => self.chain(Op::Lt, args, true),
            (">=", _) => self.chain(Op::Le, args, true),
            ("fp.gt", _) => self.chain(Op::FpLt, args, true),
            ("fp.geq", _) => self.chain(Op::FpLe, args, true),
            ("bvugt", [a, b]) => self.checked(Op::BvUlt, &[*b, *a]),
            ("bvuge", [a, b]) => self.checked(Op::BvUle, &[*b, *a]),
            ("bvsgt", [a, b]) => self.checked(Op::BvSlt, &[*b, *a]),
            ("bvsge", [a, b]) => self.checked(Op::BvSle, &[*b, *a]),
            ("bvnand", _) => self.negated(Op::BvAnd, Op::BvNot, args),
            ("bvnor", _) => self.negated(Op::BvOr, Op::BvNot, args),
            ("bvxnor", _) => self.negated(Op::BvXor, Op::BvNot, args),
            ("bvcomp", _) => {
                let eq = self.checked(Op::Eq, args)?;
                let (one, zero) = (self.bv(1, 1), self.bv(1, 0));
                self.checked(Op::Ite, &[eq, one, zero])
            }
            ("distinct", _) => self.distinct(args),
            ("xor", [first, rest @ ..]) if !rest.is_empty() => {
                if self.sort(*first) != Sort::Bool {
                    return Err("`xor` takes truth values".into());
                }
                let mut result = *first;
                for arg in rest {
                    result = self.negated(Op::Eq, Op::Not, &[result, *arg])?;
                }
                Ok(result)
            }
            ("=>", [premises @ .., conclusion]) if !premises.is_empty() => {
                let mut result = *conclusion;
                for premise in premises.iter().rev() {
                    let not = self.checked(Op::Not, &[*premise])?;
                    result = self.checked(Op::Or, &[not, result])?;
                }
                Ok(result)
            }
            ("-", [a]) => self.checked(Op::Neg, &[*a]),
            ("-", _) => self.fold_left(Op::Sub, args),
            ("/", _) => {
                let args: Vec<TermId> = args.iter().map(|arg| self.as_rational(*arg)).collect();
                self.fold_left(Op::Div, &args)
            }
            ("fp", [sign, exponent, fraction]) => self.float_of_parts(*sign, *exponent, *fraction),
            _ => Err(format!("unknown operator `{name}`, or not for {} arguments", args.len())),
        }
    }

    /// An integer constant as a rational: solvers write `(/ 1 3)`.
    fn as_rational(&mut self, t: TermId) -> TermId {
        match self.value(t) {
            Some(Value::Int(number)) => {
                let number = BigRational::from_integer(number.clone());
                self.rat(number)
            }
            _ => t,
        }
    }

    fn negated(&mut self, op: Op, not: Op, args: &[TermId]) -> Result<TermId, Refusal> {
        let inner = self.checked(op, args)?;
        self.checked(not, &[inner])
    }

    fn fold_left(&mut self, op: Op, args: &[TermId]) -> Result<TermId, Refusal> {
        let [first, rest @ ..] = args else {
            return Err(format!("{op:?} takes arguments"));
        };
        if rest.is_empty() && !matches!(op, Op::BvConcat) {
            return self.checked(op, args);
        }
        rest.iter().try_fold(*first, |sum, arg| self.checked(op, &[sum, *arg]))
    }

    fn chain(&mut self, op: Op, args: &[TermId], flipped: bool) -> Result<TermId, Refusal> {
        if args.len() < 2 {
            return Err(format!("{op:?} takes two arguments or more"));
        }
        let links: Result<Vec<TermId>, Refusal> = args
            .windows(2)
            .map(|pair| {
                if flipped { self.checked(op, &[pair[1], pair[0]]) } else { self.checked(op, pair) }
            })
            .collect();
        self.checked(Op::And, &links?)
    }

    fn distinct(&mut self, args: &[TermId]) -> Result<TermId, Refusal> {
        if args.len() < 2 {
            return Err("`distinct` takes two arguments or more".into());
        }
        let mut parts = Vec::new();
        for (index, a) in args.iter().enumerate() {
            for b in &args[index + 1..] {
                parts.push(self.negated(Op::Eq, Op::Not, &[*a, *b])?);
            }
        }
        self.checked(Op::And, &parts)
    }

    /// The x87's format from the 79 bits that SMT-LIB has for this format; the encoding here has the leading bit, too.
    fn x87_of_bits(&mut self, bits: TermId) -> Result<TermId, Refusal> {
        let exponent = self.checked(Op::BvExtract { high: 77, low: 63 }, &[bits])?;
        let (zero, one, none) = (self.bv(15, 0), self.bv(1, 1), self.bv(1, 0));
        let small = self.checked(Op::Eq, &[exponent, zero])?;
        let leading = self.checked(Op::Ite, &[small, none, one])?;
        let top = self.checked(Op::BvExtract { high: 78, low: 63 }, &[bits])?;
        let fraction = self.checked(Op::BvExtract { high: 62, low: 0 }, &[bits])?;
        let low = self.checked(Op::BvConcat, &[leading, fraction])?;
        let stored = self.checked(Op::BvConcat, &[top, low])?;
        self.checked(Op::FpFromBits(Format::X87), &[stored])
    }

    /// `(fp sign exponent fraction)`, which stands for a value only if the parts are constant.
    fn float_of_parts(
        &mut self,
        sign: TermId,
        exponent: TermId,
        fraction: TermId,
    ) -> Result<TermId, Refusal> {
        let constant = |t: TermId| self.value(t).and_then(Value::as_bv);
        let (Some(sign), Some(exponent), Some(fraction)) =
            (constant(sign), constant(exponent), constant(fraction))
        else {
            return Err("`fp` takes three constant bit-vectors".into());
        };
        let format = format(exponent.width(), fraction.width().saturating_add(1))?;
        let parts: Option<(u128, u128)> = exponent.to_u128().zip(fraction.to_u128());
        match parts {
            Some((exponent, fraction)) if sign.width() == 1 => {
                let value = Float::from_parts(format, !Bv::is_zero(sign), exponent, fraction);
                Ok(self.float(value))
            }
            _ => Err("the sign of `fp` is one bit".into()),
        }
    }
}

fn format(eb: u32, sb: u32) -> Result<Format, Refusal> {
    Format::from_parts(eb, sb).ok_or_else(|| "no such floating-point format".into())
}

/// Operators that are written by their name alone, also by names that only other tools write.
fn plain(name: &str) -> Option<Op> {
    match name {
        "ubv_to_int" => Some(Op::BvToIntUnsigned),
        "fp.x87_from_bits" => Some(Op::FpFromBits(Format::X87)),
        "fp.x87_to_bits" => Some(Op::FpToBits),
        _ => names::plain(name),
    }
}
