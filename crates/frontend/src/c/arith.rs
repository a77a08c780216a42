//! Arithmetic and comparison on scalars, after all conversions.

use cfa::{AssumptionKind, Check, Fault};
use rucc_ast::BinaryOp;
use rucc_types::{TypeId, TypeKind};
use term::{Float, Format, Rounding, TermId};

use super::function::Lower;
use super::shape::Shape;
use crate::{DataModel, Setting};

impl Lower<'_, '_> {
    /// `left op right` for two values of `shape`; the right operand of a shift has a shape of its own.
    pub fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: TermId,
        right: (TermId, Shape),
        shape: Shape,
    ) -> TermId {
        if let Shape::Float { .. } = shape {
            return self.float_arithmetic(op, left, right.0, shape);
        }
        let signed = shape.signed();
        let right_value = right.0;
        self.check_range(op, left, right_value, shape);
        match op {
            BinaryOp::Add => self.terms().bv_add(left, right_value),
            BinaryOp::Sub => self.terms().bv_sub(left, right_value),
            BinaryOp::Mul => self.terms().bv_mul(left, right_value),
            BinaryOp::Div | BinaryOp::Rem => self.division(op, left, right_value, shape),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, left, right, signed),
            BinaryOp::BitAnd => self.terms().bv_and(left, right_value),
            BinaryOp::BitOr => self.terms().bv_or(left, right_value),
            BinaryOp::BitXor => self.terms().bv_xor(left, right_value),
            _ => self.nothing("this operator", shape),
        }
    }

    fn float_arithmetic(
        &mut self,
        op: BinaryOp,
        left: TermId,
        right: TermId,
        shape: Shape,
    ) -> TermId {
        let is_constant =
            [left, right].into_iter().all(|operand| self.terms().value(operand).is_some());
        if self.link.model == DataModel::Ilp32 && !is_constant {
            let text = "floats are computed in the precision of their types, as with -mfpmath=sse";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
        if matches!(shape, Shape::Float { format: Format::Half }) && !is_constant {
            let text = "_Float16 is computed in its own precision, as with -fexcess-precision=16";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
        match op {
            BinaryOp::Add => self.rounded(|terms, rounding| terms.fp_add(rounding, left, right)),
            BinaryOp::Sub => self.rounded(|terms, rounding| terms.fp_sub(rounding, left, right)),
            BinaryOp::Mul => self.rounded(|terms, rounding| terms.fp_mul(rounding, left, right)),
            BinaryOp::Div => self.rounded(|terms, rounding| terms.fp_div(rounding, left, right)),
            _ => self.nothing("this operator on floats", shape),
        }
    }

    /// Division by zero, and of the smallest number by -1, trap.
    fn division(&mut self, op: BinaryOp, left: TermId, right: TermId, shape: Shape) -> TermId {
        let Shape::Int { width, signed, .. } = shape else {
            return self.nothing("a division", shape);
        };
        let zero = self.bv(width, 0);
        let nonzero = self.terms().ne(right, zero);
        self.check(nonzero, Fault::DivisionByZero);
        if signed {
            let (least, minus) = (self.bv(width, 1 << (width - 1)), self.bv(width, u128::MAX));
            let (fits, harmless) = (self.terms().ne(left, least), self.terms().ne(right, minus));
            let either = self.terms().or2(fits, harmless);
            self.check(either, Fault::SignedOverflow);
            let checks = self.link.options.checks();
            if !self.terms().is_true(either)
                && checks.has(Check::Div)
                && !checks.has(Check::Overflow)
            {
                let setting = self.link.options.wording.of(Setting::CheckOverflow);
                let text =
                    format!("no smallest number is divided by -1: checked by {setting} only");
                self.assume(AssumptionKind::Semantics, text);
            }
        }
        match (op, signed) {
            (BinaryOp::Div, true) => self.terms().bv_sdiv(left, right),
            (BinaryOp::Div, false) => self.terms().bv_udiv(left, right),
            (_, true) => self.terms().bv_srem(left, right),
            (_, false) => self.terms().bv_urem(left, right),
        }
    }

    /// The machine takes the distance of a shift modulo the width; in C a distance that is not below the width is
    /// undefined.
    fn shift(
        &mut self,
        op: BinaryOp,
        left: TermId,
        (distance, shape): (TermId, Shape),
        signed: bool,
    ) -> TermId {
        self.check_shift(op, left, (distance, shape), signed);
        let width = self.terms().width(left);
        let distance = self.resize(distance, width.max(8), shape.signed());
        let distance = if width.is_power_of_two() && width >= 8 {
            let mask = self.bv(width, u128::from(width - 1));
            self.terms().bv_and(distance, mask)
        } else {
            self.resize(distance, width, false)
        };
        match (op, signed) {
            (BinaryOp::Shl, _) => self.terms().bv_shl(left, distance),
            (_, true) => self.terms().bv_ashr(left, distance),
            (_, false) => self.terms().bv_lshr(left, distance),
        }
    }

    /// `-value`.
    pub fn negate(&mut self, value: TermId, shape: Shape) -> TermId {
        match shape {
            Shape::Float { .. } => self.terms().fp_neg(value),
            _ => {
                let zero = self.zero(shape);
                self.check_range(BinaryOp::Sub, zero, value, shape);
                self.terms().bv_neg(value)
            }
        }
    }

    /// The condition that a comparison holds.
    pub fn comparison(
        &mut self,
        op: BinaryOp,
        left: TermId,
        right: TermId,
        shape: Shape,
    ) -> TermId {
        let terms = &mut self.link.program.terms;
        match shape {
            Shape::Float { .. } => match op {
                BinaryOp::Lt => terms.fp_lt(left, right),
                BinaryOp::Gt => terms.fp_gt(left, right),
                BinaryOp::Le => terms.fp_le(left, right),
                BinaryOp::Ge => terms.fp_ge(left, right),
                BinaryOp::Eq => terms.fp_eq(left, right),
                _ => {
                    let equal = terms.fp_eq(left, right);
                    terms.not(equal)
                }
            },
            Shape::Int { signed: true, .. } => match op {
                BinaryOp::Lt => terms.bv_slt(left, right),
                BinaryOp::Gt => terms.bv_sgt(left, right),
                BinaryOp::Le => terms.bv_sle(left, right),
                BinaryOp::Ge => terms.bv_sge(left, right),
                BinaryOp::Eq => terms.eq(left, right),
                _ => terms.ne(left, right),
            },
            _ => match op {
                BinaryOp::Lt => terms.bv_ult(left, right),
                BinaryOp::Gt => terms.bv_ugt(left, right),
                BinaryOp::Le => terms.bv_ule(left, right),
                BinaryOp::Ge => terms.bv_uge(left, right),
                BinaryOp::Eq => terms.eq(left, right),
                _ => terms.ne(left, right),
            },
        }
    }

    /// `pointer + index` (or `-`), where `ty` is the pointer's type.
    pub fn pointer_offset(
        &mut self,
        pointer: TermId,
        ty: TypeId,
        index: (TermId, Shape),
        minus: bool,
    ) -> TermId {
        let element = rucc_types::pointee(&self.unit.types, ty);
        let width = self.link.width();
        let index = self.resize(index.0, width, index.1.signed());
        let size = match element {
            Some(element) => self.size_term(element),
            None => self.address_constant(1),
        };
        let bytes = self.terms().bv_mul(index, size);
        if minus {
            self.terms().bv_sub(pointer, bytes)
        } else {
            self.terms().bv_add(pointer, bytes)
        }
    }

    /// The distance of two pointers in elements, of the shape that the expression has.
    pub fn pointer_difference(
        &mut self,
        left: TermId,
        right: TermId,
        ty: TypeId,
        shape: Shape,
    ) -> TermId {
        let bytes = self.terms().bv_sub(left, right);
        let size = match rucc_types::pointee(&self.unit.types, ty) {
            Some(element) => self.size_term(element),
            None => self.address_constant(1),
        };
        let elements = self.terms().bv_sdiv(bytes, size);
        let width = self.link.width();
        self.convert(elements, Shape::Int { width, signed: true, bytes: width / 8 }, shape)
    }

    /// The size of a type, which may depend on the run.
    pub fn size_term(&mut self, ty: TypeId) -> TermId {
        if let Some(size) = self.unit.size(ty) {
            return self.address_constant(size);
        }
        if let TypeKind::Array { elem, len } = self.unit.bare(ty) {
            let element = self.size_term(elem);
            match len {
                rucc_types::ArrayLen::Variable(id) => {
                    let length = self.length(id);
                    return self.terms().bv_mul(length, element);
                }
                rucc_types::ArrayLen::Fixed(count) => {
                    let count = self.address_constant(count);
                    return self.terms().bv_mul(count, element);
                }
                _ => {}
            }
        }
        self.unsupported("a type of unknown size");
        self.address_constant(0)
    }

    /// The number 1 as a value of a shape, for `++` and `--`.
    pub fn one(&mut self, shape: Shape) -> TermId {
        match shape {
            Shape::Int { width, .. } | Shape::Pointer { width } => self.bv(width, 1),
            Shape::Float { format } => {
                let one = self.terms().float(Float::from_f64(1.0));
                self.terms().fp_to_fp(Rounding::NearestEven, format, one)
            }
        }
    }
}
