//! The operators, how tightly they bind, and what they mean.

use base::Span;
use term::{Op, Rounding, Sort, TermId};

use super::level::level;
use super::lexer::{Token, TokenKind};
use super::loader::Loader;
use super::small_float::HOST;
use super::types::{Type, Typed, Value};

/// An operator between two operands.
#[derive(Clone, Copy)]
pub(super) struct Infix {
    /// How tightly the operator binds.
    pub level: u8,
    /// Whether the right operand may be an operation of the same level.
    pub right: bool,
    /// Whether another operator of the same level may follow.
    pub chains: bool,
    /// Whether a rounding mode may follow the operator.
    pub rounds: bool,
}

/// The operator that a token is.
pub(super) fn infix(token: Token<'_>) -> Option<Infix> {
    if !matches!(token.kind, TokenKind::Word | TokenKind::Symbol) {
        return None;
    }
    let level = level(token.text)?;
    let right = matches!(level, 1 | 2 | 5);
    let chains = right || !matches!(level, 3 | 7 | 8);
    let rounds = token.kind == TokenKind::Word && token.text.starts_with("fp");
    Some(Infix { level, right, chains, rounds })
}

impl Loader<'_> {
    /// Applies an operator of the term table to arguments that have been checked.
    pub fn apply(&mut self, op: Op, arguments: &[TermId], ty: Type, span: Span) -> Value {
        match self.program.terms.try_app(op, arguments) {
            Ok(term) => Some(Typed { term, ty, span }),
            Err(error) => {
                self.error(span, error.message);
                None
            }
        }
    }

    /// The term of a truth value.
    pub fn bool(&mut self, value: Typed) -> Option<TermId> {
        if value.ty != Type::BOOL {
            self.mismatch(value, "bool");
            return None;
        }
        Some(value.term)
    }

    fn mismatch(&mut self, value: Typed, wanted: &str) {
        let found = value.ty.describe(&self.program.terms);
        self.error(value.span, format!("expected {wanted}, found {found}"));
    }

    /// A value as a term of the type `wanted`; integers become rationals where a rational is wanted.
    pub fn coerce(&mut self, value: Typed, wanted: Type) -> Option<TermId> {
        if value.ty == wanted {
            return Some(value.term);
        }
        if value.ty == Type::INT && wanted == Type::RAT {
            return Some(self.program.terms.to_rat(value.term));
        }
        let wanted = wanted.describe(&self.program.terms);
        self.mismatch(value, &wanted);
        None
    }

    /// Two values as terms of one type.
    pub fn unify(
        &mut self,
        operator: &str,
        left: Typed,
        right: Typed,
    ) -> Option<(TermId, TermId, Type)> {
        let ty = match (left.ty, right.ty) {
            (Type::INT, Type::RAT) => Type::RAT,
            (ty, _) => ty,
        };
        if right.ty == ty || (right.ty == Type::INT && ty == Type::RAT) {
            return Some((self.coerce(left, ty)?, self.coerce(right, ty)?, ty));
        }
        let (a, b) =
            (left.ty.describe(&self.program.terms), right.ty.describe(&self.program.terms));
        let message = format!("`{operator}` needs two operands of one type, found {a} and {b}");
        self.error(left.span.to(right.span), message);
        None
    }

    /// An operator between two operands.
    pub fn binary(&mut self, op: Token<'_>, mode: Rounding, left: Typed, right: Typed) -> Value {
        let span = left.span.to(right.span);
        match op.text {
            "iff" | "imply" | "xor" => self.logical(op.text, left, right, span),
            "=" | "/=" => self.equality(op.text, left, right, span),
            "<" | "<=" | ">" | ">=" => self.comparison(op, left, right, span),
            "+" | "-" | "*" | "/" | "div" | "mod" | "rem" => self.arithmetic(op, left, right, span),
            "++" => self.concatenation(left, right, span),
            text if text.starts_with("fp") => self.float_binary(op, mode, left, right, span),
            _ => self.bit_operation(op, left, right, span),
        }
    }

    fn logical(&mut self, op: &str, left: Typed, right: Typed, span: Span) -> Value {
        let (left, right) = (self.bool(left), self.bool(right));
        let (left, right) = (left?, right?);
        let terms = &mut self.program.terms;
        let term = match op {
            "iff" => terms.eq(left, right),
            "imply" => terms.implies(left, right),
            _ => terms.xor(left, right),
        };
        Some(Typed { term, ty: Type::BOOL, span })
    }

    fn equality(&mut self, op: &str, left: Typed, right: Typed, span: Span) -> Value {
        let (left, right, ty) = self.unify(op, left, right)?;
        let equal = if ty.is_float() { Op::FpEq } else { Op::Eq };
        let equal = self.apply(equal, &[left, right], Type::BOOL, span)?;
        if op == "=" { Some(equal) } else { self.apply(Op::Not, &[equal.term], Type::BOOL, span) }
    }

    fn comparison(&mut self, op: Token<'_>, left: Typed, right: Typed, span: Span) -> Value {
        let (a, b, ty) = self.unify(op.text, left, right)?;
        let (strict, weak) = match ty {
            Type::INT | Type::RAT => (Op::Lt, Op::Le),
            _ if ty.is_float() => (Op::FpLt, Op::FpLe),
            _ => return self.inapplicable(op, ty, "bvult, bvslt and their like"),
        };
        let (op, a, b) = match op.text {
            "<" => (strict, a, b),
            "<=" => (weak, a, b),
            ">" => (strict, b, a),
            _ => (weak, b, a),
        };
        self.apply(op, &[a, b], Type::BOOL, span)
    }

    fn arithmetic(&mut self, op: Token<'_>, left: Typed, right: Typed, span: Span) -> Value {
        let (a, b, ty) = self.unify(op.text, left, right)?;
        let found = match (ty, op.text) {
            (Type::INT | Type::RAT, "+") => Some(Op::Add),
            (Type::INT | Type::RAT, "-") => Some(Op::Sub),
            (Type::INT | Type::RAT, "*") => Some(Op::Mul),
            (Type::INT, "/" | "div") => Some(Op::IntDiv),
            (Type::INT, "mod") => Some(Op::IntMod),
            (Type::INT, "rem") => Some(Op::IntRem),
            (Type::RAT, "/") => Some(Op::Div),
            _ => None,
        };
        if let Some(op) = found {
            return self.apply(op, &[a, b], ty, span);
        }
        let mode = Rounding::NearestEven;
        let found = match op.text {
            "+" => Some(Op::FpAdd(mode)),
            "-" => Some(Op::FpSub(mode)),
            "*" => Some(Op::FpMul(mode)),
            "/" => Some(Op::FpDiv(mode)),
            _ => None,
        };
        match found {
            Some(op) if ty.is_float() => self.rounded(op, mode, &[a, b], ty, span),
            _ => self.inapplicable(op, ty, "bvadd, bvsub, bvmul, bvudiv, bvsdiv and their like"),
        }
    }

    /// Reports an operator that a type lacks.
    fn inapplicable(&mut self, op: Token<'_>, ty: Type, for_bits: &str) -> Value {
        let name = ty.describe(&self.program.terms);
        let message = format!("`{}` does not apply to {name}", op.text);
        if ty.width().is_some() {
            let hint = format!("bit-vectors have {for_bits}");
            self.error_with_hint(op.span, message, &hint);
        } else {
            self.error(op.span, message);
        }
        None
    }

    fn concatenation(&mut self, left: Typed, right: Typed, span: Span) -> Value {
        let (a, b) = (self.bit_width(left), self.bit_width(right));
        let width = a?.saturating_add(b?);
        self.apply(Op::BvConcat, &[left.term, right.term], Type::Sort(Sort::Bv(width)), span)
    }

    fn bit_width(&mut self, value: Typed) -> Option<u32> {
        if value.ty.width().is_none() {
            self.mismatch(value, "a bit-vector");
        }
        value.ty.width()
    }

    fn bit_operation(&mut self, op: Token<'_>, left: Typed, right: Typed, span: Span) -> Value {
        let widths = (self.bit_width(left), self.bit_width(right));
        let (width, _) = (widths.0?, widths.1?);
        let (a, b, ty) = self.unify(op.text, left, right)?;
        let found = match op.text {
            "bvadd" => Op::BvAdd,
            "bvsub" => Op::BvSub,
            "bvmul" => Op::BvMul,
            "bvudiv" => Op::BvUdiv,
            "bvsdiv" => Op::BvSdiv,
            "bvurem" => Op::BvUrem,
            "bvsrem" => Op::BvSrem,
            "bvsmod" => Op::BvSmod,
            "bvand" => Op::BvAnd,
            "bvor" => Op::BvOr,
            "bvxor" => Op::BvXor,
            "bvshl" => Op::BvShl,
            "bvlshr" => Op::BvLshr,
            "bvashr" => Op::BvAshr,
            "bvrol" | "bvror" => {
                let term = self.rotation(op.text == "bvrol", width, a, b);
                return Some(Typed { term, ty, span });
            }
            _ => return self.bit_comparison(op, a, b, span),
        };
        self.apply(found, &[a, b], ty, span)
    }

    fn bit_comparison(&mut self, op: Token<'_>, a: TermId, b: TermId, span: Span) -> Value {
        let (op, a, b) = match op.text {
            "bvult" => (Op::BvUlt, a, b),
            "bvule" => (Op::BvUle, a, b),
            "bvugt" => (Op::BvUlt, b, a),
            "bvuge" => (Op::BvUle, b, a),
            "bvslt" => (Op::BvSlt, a, b),
            "bvsle" => (Op::BvSle, a, b),
            "bvsgt" => (Op::BvSlt, b, a),
            "bvsge" => (Op::BvSle, b, a),
            _ => {
                self.error(op.span, format!("the operator `{}` is not known", op.text));
                return None;
            }
        };
        self.apply(op, &[a, b], Type::BOOL, span)
    }

    /// Rotation by an amount that counts modulo the width. The width itself always fits.
    fn rotation(&mut self, left: bool, width: u32, value: TermId, amount: TermId) -> TermId {
        let terms = &mut self.program.terms;
        let whole = terms.bv(width, u128::from(width));
        let amount = terms.app(Op::BvUrem, &[amount, whole]);
        let rest = terms.app(Op::BvSub, &[whole, amount]);
        let (up, down) = if left { (amount, rest) } else { (rest, amount) };
        let high = terms.app(Op::BvShl, &[value, up]);
        let low = terms.app(Op::BvLshr, &[value, down]);
        terms.app(Op::BvOr, &[high, low])
    }

    /// An operator before its operand.
    pub fn unary(&mut self, op: Token<'_>, operand: Typed) -> Value {
        let span = op.span.to(operand.span);
        let ty = operand.ty;
        let number = matches!(ty, Type::INT | Type::RAT);
        let found = match op.text {
            "+" if number || ty.is_float() => None,
            "-" if number => Some(Op::Neg),
            "-" if ty.is_float() => Some(Op::FpNeg),
            "+" | "-" => return self.inapplicable(op, ty, "bvneg and bvpos"),
            text => {
                self.bit_width(operand)?;
                match text {
                    "bvneg" => Some(Op::BvNeg),
                    "bvnot" => Some(Op::BvNot),
                    _ => None,
                }
            }
        };
        match found {
            Some(op) => self.apply(op, &[operand.term], ty, span),
            None => Some(Typed { span, ..operand }),
        }
    }

    /// Zero or sign extension to a width.
    pub fn extend(&mut self, op: Token<'_>, value: Typed, width: u32, end: Span) -> Value {
        let old = self.bit_width(value)?;
        let span = value.span.to(end);
        if width < old {
            self.error(span, format!("bv[{old}] cannot be extended to bv[{width}]"));
            return None;
        }
        let zero = op.text == "bv_zero_extend";
        let op = if zero { Op::BvZeroExtend(width) } else { Op::BvSignExtend(width) };
        self.apply(op, &[value.term], Type::Sort(Sort::Bv(width)), span)
    }

    /// The bits from `from` up to but without `until`.
    pub fn slice(
        &mut self,
        value: Typed,
        until: Option<u32>,
        from: Option<u32>,
        end: Span,
    ) -> Value {
        let width = self.bit_width(value)?;
        let span = value.span.to(end);
        match (until, from) {
            (Some(until), Some(from)) if from < until && until <= width => {
                let op = Op::BvExtract { high: until - 1, low: from };
                self.apply(op, &[value.term], Type::Sort(Sort::Bv(until - from)), span)
            }
            _ => {
                let hint = "x[until:from] has the bits from `from` up to `until` - 1";
                self.error_with_hint(span, format!("bv[{width}] has no such bits"), hint);
                None
            }
        }
    }

    fn array_parts(&mut self, array: Typed) -> Option<(Sort, Sort)> {
        if let Type::Sort(Sort::Array(sort)) = array.ty {
            return Some(self.program.terms.array_parts(sort));
        }
        self.mismatch(array, "an array");
        None
    }

    /// An element of an array.
    pub fn read(&mut self, array: Typed, index: Typed, end: Span) -> Value {
        let (at, element) = self.array_parts(array)?;
        let index = self.coerce(index, Type::Sort(at))?;
        let span = array.span.to(end);
        self.apply(Op::Select, &[array.term, index], Type::Sort(element), span)
    }

    /// An array with an element changed.
    pub fn write(&mut self, array: Typed, index: Typed, element: Typed, end: Span) -> Value {
        let (at, sort) = self.array_parts(array)?;
        let index = self.coerce(index, Type::Sort(at));
        let element = self.coerce(element, Type::Sort(sort));
        let span = array.span.to(end);
        self.apply(Op::Store, &[array.term, index?, element?], array.ty, span)
    }

    /// An operation on floats. The result is rounded once more if the type is a small float.
    fn rounded(
        &mut self,
        op: Op,
        mode: Rounding,
        arguments: &[TermId],
        ty: Type,
        span: Span,
    ) -> Value {
        let value = self.apply(op, arguments, ty, span)?;
        let Type::Small(small) = ty else { return Some(value) };
        let term = small.round(&mut self.program.terms, mode, value.term);
        Some(Typed { term, ..value })
    }

    fn is_float(&mut self, value: Typed) -> bool {
        let float = value.ty.is_float();
        if !float {
            self.mismatch(value, "a float");
        }
        float
    }

    fn float_binary(
        &mut self,
        op: Token<'_>,
        mode: Rounding,
        left: Typed,
        right: Typed,
        span: Span,
    ) -> Value {
        if !(self.is_float(left) & self.is_float(right)) {
            return None;
        }
        let (a, b, ty) = self.unify(op.text, left, right)?;
        let found = match op.text {
            "fpadd" => Op::FpAdd(mode),
            "fpsub" => Op::FpSub(mode),
            "fpmul" => Op::FpMul(mode),
            "fpdiv" => Op::FpDiv(mode),
            // The results of these operations are exact, so they need no rounding.
            "fprem" => return self.apply(Op::FpRem, &[a, b], ty, span),
            "fpmin" => return self.apply(Op::FpMin, &[a, b], ty, span),
            _ => return self.apply(Op::FpMax, &[a, b], ty, span),
        };
        self.rounded(found, mode, &[a, b], ty, span)
    }

    /// An operator before a float that keeps its type or asks for a property.
    pub fn float_unary(&mut self, op: Token<'_>, mode: Rounding, operand: Typed) -> Value {
        if !self.is_float(operand) {
            return None;
        }
        let span = op.span.to(operand.span);
        let (ty, argument) = (operand.ty, [operand.term]);
        match op.text {
            "fpabs" => self.apply(Op::FpAbs, &argument, ty, span),
            "fpneg" => self.apply(Op::FpNeg, &argument, ty, span),
            "fpisnan" => self.apply(Op::FpIsNan, &argument, Type::BOOL, span),
            "fpisinfinite" => self.apply(Op::FpIsInfinite, &argument, Type::BOOL, span),
            "fproundtoint" => self.rounded(Op::FpRound(mode), mode, &argument, ty, span),
            "fpsqrt" => self.rounded(Op::FpSqrt(mode), mode, &argument, ty, span),
            _ => Some(Typed { span, ..operand }),
        }
    }

    /// `fptofp`, `fptobv` and `fpfrombv`.
    pub fn float_conversion(
        &mut self,
        op: Token<'_>,
        mode: Rounding,
        target: Type,
        signed: bool,
        operand: Typed,
    ) -> Value {
        let span = op.span.to(operand.span);
        if op.text == "fpfrombv" {
            self.bit_width(operand)?;
        } else if !self.is_float(operand) {
            return None;
        }
        // Rounding twice must not change the result, so the conversion to a double, which comes first, has to be exact.
        let exact = match operand.ty {
            Type::Sort(Sort::Float(format)) => format.significand_bits() <= HOST.significand_bits(),
            Type::Sort(Sort::Bv(width)) => width <= HOST.significand_bits(),
            _ => true,
        };
        if matches!(target, Type::Small(_)) && !exact {
            let (from, to) =
                (operand.ty.describe(&self.program.terms), target.describe(&self.program.terms));
            self.error(span, format!("the conversion from {from} to {to} is not supported"));
            return None;
        }
        let format = match target.sort() {
            Sort::Float(format) => format,
            Sort::Bv(width) => {
                let signed_op = Op::FpToSignedBv(mode, width);
                let op = if signed { signed_op } else { Op::FpToUnsignedBv(mode, width) };
                return self.apply(op, &[operand.term], target, span);
            }
            _ => return None,
        };
        let op = match (op.text, signed) {
            ("fpfrombv", true) => Op::FpFromSignedBv(mode, format),
            ("fpfrombv", false) => Op::FpFromUnsignedBv(mode, format),
            _ => Op::FpToFp(mode, format),
        };
        self.rounded(op, mode, &[operand.term], target, span)
    }
}
