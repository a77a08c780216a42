//! Mathematical functions: those that IEEE arithmetic defines exactly are terms, the others
//! return an approximated value.

use cfa::{AssumptionKind, Choice};
use rucc_ast::BinaryOp;
use rucc_types::TypeId;
use term::{Format, Rounding, TermId};

use super::argument::{Argument, Modelled};
use super::facts::ONE_NAN;
use super::function::Lower;
use super::shape::Shape;

impl Lower<'_, '_> {
    /// Lowers the call of a mathematical function.
    pub fn mathematics(
        &mut self,
        name: &str,
        arguments: &[Argument],
        result_ty: TypeId,
    ) -> Modelled {
        let first = arguments.first()?;
        let Some(Shape::Float { format }) = first.shape else {
            return self.integers(name, arguments, result_ty);
        };
        let x = first.value;
        let y = arguments.get(1).map(|argument| argument.value);
        let result = self.unit.shape(result_ty);
        if let Some(value) = self.classification(name, x, format) {
            return Some(Some(value));
        }
        let base = base_name(name)?;
        if let Some(value) = self.in_rounding_mode(base, arguments, result) {
            return Some(Some(value));
        }
        let terms = &mut self.link.program.terms;
        let value = match (base, y) {
            ("fabs", _) => terms.fp_abs(x),
            ("floor", _) => terms.fp_round(Rounding::TowardNegative, x),
            ("ceil", _) => terms.fp_round(Rounding::TowardPositive, x),
            ("trunc", _) => terms.fp_round(Rounding::TowardZero, x),
            ("round", _) => terms.fp_round(Rounding::NearestAway, x),
            ("roundeven", _) => terms.fp_round(Rounding::NearestEven, x),
            ("fmin" | "fmax", Some(y)) => self.smaller_or_larger(base, x, y),
            ("fmod", Some(y)) => terms.fp_fmod(x, y),
            ("remainder" | "drem", Some(y)) => terms.fp_rem(x, y),
            ("copysign", Some(y)) => self.copy_sign(x, y, format),
            ("lround" | "llround", _) => {
                let Some(Shape::Int { width, .. }) = result else { return None };
                terms.fp_to_signed_bv(Rounding::NearestAway, width, x)
            }
            _ if TRANSCENDENTAL.contains(&base) => {
                return Some(self.arbitrary(result_ty, Choice::Approximated(name.into())));
            }
            _ => return None,
        };
        Some(Some(value))
    }

    /// Functions whose results depend on the rounding mode.
    fn in_rounding_mode(
        &mut self,
        base: &str,
        arguments: &[Argument],
        result: Option<Shape>,
    ) -> Option<TermId> {
        let value = |at: usize| arguments.get(at).map(|argument: &Argument| argument.value);
        let x = value(0)?;
        Some(match base {
            "sqrt" => self.rounded(|terms, rounding| terms.fp_sqrt(rounding, x)),
            "rint" | "nearbyint" => self.rounded(|terms, rounding| terms.fp_round(rounding, x)),
            "fdim" => {
                let y = value(1)?;
                let difference = self.rounded(|terms, rounding| terms.fp_sub(rounding, x, y));
                let zero = self.zero(arguments[0].shape?);
                let smaller = self.terms().fp_le(x, y);
                self.terms().ite(smaller, zero, difference)
            }
            "fma" => {
                let (y, z) = (value(1)?, value(2)?);
                self.rounded(|terms, rounding| terms.fp_fma(rounding, x, y, z))
            }
            "lrint" | "llrint" => {
                let Some(Shape::Int { width, .. }) = result else { return None };
                self.rounded(|terms, rounding| terms.fp_to_signed_bv(rounding, width, x))
            }
            _ => return None,
        })
    }

    /// The classification functions behind the macros of `math.h`.
    fn classification(&mut self, name: &str, x: TermId, format: Format) -> Option<TermId> {
        let plain = name.trim_start_matches("__");
        let plain =
            plain.strip_suffix(['f', 'l']).filter(|base| CLASSES.contains(base)).unwrap_or(plain);
        let terms = &mut self.link.program.terms;
        let condition = match plain {
            "isnan" => terms.fp_is_nan(x),
            "isinf" | "isinf_sign" => {
                let infinite = terms.fp_is_infinite(x);
                let negative = terms.fp_is_negative(x);
                let (one, minus, zero) =
                    (terms.bv(32, 1), terms.bv(32, u128::MAX), terms.bv(32, 0));
                let sign = terms.ite(negative, minus, one);
                return Some(terms.ite(infinite, sign, zero));
            }
            "finite" | "isfinite" => {
                let (nan, infinite) = (terms.fp_is_nan(x), terms.fp_is_infinite(x));
                let either = terms.or2(nan, infinite);
                terms.not(either)
            }
            "isnormal" => terms.fp_is_normal(x),
            "signbit" => self.sign_bit(x, format),
            "fpclassify" => {
                // The numbers of FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL and FP_NORMAL.
                let classes = [
                    (terms.fp_is_nan(x), 0),
                    (terms.fp_is_infinite(x), 1),
                    (terms.fp_is_zero(x), 2),
                    (terms.fp_is_subnormal(x), 3),
                ];
                let mut answer = terms.bv(32, 4);
                for (condition, class) in classes {
                    let class = terms.bv(32, class);
                    answer = terms.ite(condition, class, answer);
                }
                return Some(answer);
            }
            _ => return None,
        };
        Some(self.zero_or_one(condition, Shape::INT))
    }

    /// Whether the sign bit is set.
    pub fn sign_bit(&mut self, x: TermId, format: Format) -> TermId {
        let bits = self.terms().fp_to_bits(x);
        let top = format.width() - 1;
        let sign = self.terms().bv_extract(top, top, bits);
        let one = self.bv(1, 1);
        self.terms().eq(sign, one)
    }

    /// `fmin` and `fmax`, which give back a number if one of the two is a number.
    fn smaller_or_larger(&mut self, base: &str, x: TermId, y: TermId) -> TermId {
        let terms = self.terms();
        let are_known = terms.value(x).is_some() && terms.value(y).is_some();
        let value = if base == "fmin" { terms.fp_min(x, y) } else { terms.fp_max(x, y) };
        if !are_known {
            let text = "no NaN is a signaling one, of which fmin and fmax would make a NaN";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
        value
    }

    /// The magnitude of `x` with the sign of `y`.
    pub fn copy_sign(&mut self, x: TermId, y: TermId, format: Format) -> TermId {
        self.assume(AssumptionKind::Semantics, ONE_NAN.to_owned());
        let negative = self.sign_bit(y, format);
        let magnitude = self.terms().fp_abs(x);
        let negated = self.terms().fp_neg(magnitude);
        self.terms().ite(negative, negated, magnitude)
    }

    fn integers(&mut self, name: &str, arguments: &[Argument], result_ty: TypeId) -> Modelled {
        if !matches!(name, "abs" | "labs" | "llabs" | "imaxabs") {
            return None;
        }
        let shape = self.unit.shape(result_ty)?;
        let value = self.convert(arguments[0].value, arguments[0].shape?, shape);
        Some(Some(self.absolute(value, shape)))
    }

    /// `abs`, which leaves the smallest number as it is.
    pub fn absolute(&mut self, value: TermId, shape: Shape) -> TermId {
        let zero = self.zero(shape);
        let negative = self.terms().bv_slt(value, zero);
        self.check_range(BinaryOp::Sub, zero, value, shape);
        let negated = self.terms().bv_neg(value);
        self.terms().ite(negative, negated, value)
    }
}

const CLASSES: &[&str] =
    &["isnan", "isinf", "finite", "signbit", "fpclassify", "isnormal", "isfinite"];

/// Functions whose values no finite computation with IEEE operations gives.
const TRANSCENDENTAL: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "cbrt", "hypot",
    "erf", "erfc", "tgamma", "lgamma",
];

/// Whether a name is that of a mathematical function, none of which returns an `int`.
pub(super) fn is_known(name: &str) -> bool {
    base_name(name).is_some()
}

/// The name without the `f` or `l` of its type.
fn base_name(name: &str) -> Option<&str> {
    const EXACT: &[&str] = &[
        "fabs",
        "sqrt",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "roundeven",
        "fmin",
        "fmax",
        "fmod",
        "remainder",
        "drem",
        "fdim",
        "copysign",
        "fma",
        "lrint",
        "llrint",
        "lround",
        "llround",
    ];
    let known = |name: &&str| EXACT.contains(name) || TRANSCENDENTAL.contains(name);
    Some(name).filter(known).or_else(|| name.strip_suffix(['f', 'l']).filter(known))
}
