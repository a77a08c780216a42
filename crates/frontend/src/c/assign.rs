//! Assignments, and which of their sides is evaluated first.

use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Conversion, ExprId, ExprKind, Stmt, StmtId};
use rucc_types::{TypeId, TypeKind};
use term::TermId;

use super::body::Mark;
use super::facts::Effect;
use super::function::Lower;
use super::order::Part;
use super::shape::{Shape, TypeShape};
use super::storage::Lvalue;

impl Lower<'_, '_> {
    /// `lhs = rhs` of scalars.
    pub fn assign(&mut self, lhs: ExprId, rhs: ExprId, shape: Shape) -> TermId {
        let left_first = self.goes_to_place(lhs, rhs);
        let (place, value) = self.sides(lhs, rhs, left_first, None);
        self.write(&place, value, shape)
    }

    /// `lhs = rhs` of structures and unions. The bytes are copied when both places are known.
    pub fn assign_aggregate(&mut self, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Lvalue {
        let left_first = self.goes_to_place(lhs, rhs);
        let right = |lower: &mut Self, later: Option<ExprId>| {
            let from = lower.aggregate(rhs);
            match later {
                Some(later) => lower.keep_place(from, later),
                None => from,
            }
        };
        let part = |lower: &Self, since: Mark, from: &Lvalue| lower.whole_since(since, from);
        let (to, from) = self.in_order((lhs, rhs), left_first, None, right, part);
        self.copy(&to, &from, ty);
        to
    }

    /// The place on the left of an assignment and the value on its right. `old` is the shape of the old value of the
    /// place, if this value is read before the new one is written.
    fn sides(
        &mut self,
        lhs: ExprId,
        rhs: ExprId,
        left_first: bool,
        old: Option<Shape>,
    ) -> (Lvalue, TermId) {
        let right = |lower: &mut Self, later: Option<ExprId>| {
            let value = lower.value(rhs);
            match later {
                Some(later) => lower.keep(value, later),
                None => value,
            }
        };
        let part = |lower: &Self, since: Mark, value: &TermId| lower.done_since(since, &[*value]);
        self.in_order((lhs, rhs), left_first, old, right, part)
    }

    /// The place on the left of an assignment, and what `right` makes of its right side. C leaves the order of the two
    /// sides open. Compilers begin with a right side that has effects; `left_first` asks for the left side first.
    /// `right` is told which expression is evaluated after the right side, and `part` gives what the right side has
    /// done.
    pub fn in_order<T>(
        &mut self,
        (lhs, rhs): (ExprId, ExprId),
        left_first: bool,
        old: Option<Shape>,
        right: impl FnOnce(&mut Self, Option<ExprId>) -> T,
        part: impl FnOnce(&Self, Mark, &T) -> Part,
    ) -> (Lvalue, T) {
        let start = self.body.mark_here();
        let has_order = self.has_order(&[lhs, rhs]);
        if left_first || self.facts.effect(&self.unit, rhs) != Effect::Changes {
            let place = self.place(lhs);
            let place = self.keep_place(place, rhs);
            let middle = self.body.mark_here();
            let left = has_order.then(|| self.place_since(start, &place, old));
            let value = right(self, None);
            if let Some(left) = left {
                let parts = vec![left, part(self, middle, &value)];
                self.note_order(parts);
            }
            return (place, value);
        }
        let value = right(self, Some(lhs));
        let middle = self.body.mark_here();
        let first = has_order.then(|| part(self, start, &value));
        let place = self.place(lhs);
        if let Some(first) = first {
            let parts = vec![first, self.place_since(middle, &place, old)];
            self.note_order(parts);
        }
        (place, value)
    }

    /// Whether gcc computes the place that is assigned before it evaluates the right side. It does so where the right
    /// side can write to the place itself: where the right side is a call whose result is stored without a conversion,
    /// and for structures also where it is a compound literal or a conditional.
    fn goes_to_place(&self, lhs: ExprId, rhs: ExprId) -> bool {
        if self.unit.bit_field_width(lhs).is_some() {
            return false;
        }
        let is_aggregate = self.unit.kind(self.unit.tast[lhs].ty) == TypeShape::Aggregate;
        let mut at = rhs;
        let mut is_statement = false;
        loop {
            at = match self.unit.tast[at].kind {
                ExprKind::Call { .. } => return true,
                ExprKind::Cond { .. } => return is_aggregate,
                ExprKind::CompoundLiteral(_) => return is_aggregate && !is_statement,
                ExprKind::Convert { kind: Conversion::Lvalue, operand } => match is_aggregate {
                    true => operand,
                    false => return false,
                },
                ExprKind::Convert { operand, .. }
                | ExprKind::Cast(operand)
                | ExprKind::Unary { op: UnaryOp::Plus, operand }
                    if is_aggregate || self.stays_as_it_is(operand, at) =>
                {
                    operand
                }
                ExprKind::Comma { lhs, rhs }
                    if self.facts.effect(&self.unit, lhs) != Effect::Changes =>
                {
                    rhs
                }
                // `({ f(); })` is nothing but the call.
                ExprKind::StmtExpr(body) => {
                    is_statement = true;
                    match self.only_expression(body) {
                        Some(only) => only,
                        None => return false,
                    }
                }
                _ => return false,
            };
        }
    }

    /// The expression that a block consists of.
    fn only_expression(&self, block: StmtId) -> Option<ExprId> {
        let Stmt::Block(stmts) = self.unit.tast[block] else { return None };
        let [only] = self.unit.tast[stmts] else { return None };
        match self.unit.tast[only] {
            Stmt::Expr(only) => Some(only),
            _ => None,
        }
    }

    /// Whether a conversion only gives a value another type: a conversion between integers of one size and sign, or
    /// between pointers to objects.
    fn stays_as_it_is(&self, from: ExprId, to: ExprId) -> bool {
        let ty = |expr: ExprId| self.unit.tast[expr].ty;
        let is_code = |ty: TypeId| match self.unit.bare(ty) {
            TypeKind::Pointer(to) => matches!(self.unit.bare(to), TypeKind::Function(_)),
            _ => false,
        };
        let shapes = (self.unit.shape(ty(from)), self.unit.shape(ty(to)));
        shapes.0.is_some() && shapes.0 == shapes.1 && is_code(ty(from)) == is_code(ty(to))
    }

    /// A place that evaluating `later` must not move.
    pub fn keep_place(&mut self, place: Lvalue, later: ExprId) -> Lvalue {
        match place {
            Lvalue::Memory(address) => Lvalue::Memory(self.keep(address, later)),
            Lvalue::Bits { address, skip, bits } => {
                Lvalue::Bits { address: self.keep(address, later), skip, bits }
            }
            other => other,
        }
    }

    /// `lhs op= rhs`, computed in the computation type.
    pub fn compound(
        &mut self,
        op: BinaryOp,
        computation: TypeId,
        lhs: ExprId,
        rhs: ExprId,
        shape: Shape,
    ) -> TermId {
        let right_ty = self.unit.tast[rhs].ty;
        let Some(right_shape) = self.unit.shape(right_ty) else {
            return self.nothing("this assignment", shape);
        };
        self.refuse_narrow_enum_assignment(op, lhs, rhs);
        // The old value is read last.
        let (place, right) = self.sides(lhs, rhs, false, Some(shape));
        let left = self.read_lvalue(&place, self.unit.tast[lhs].ty, shape);
        let new = if let Shape::Pointer { .. } = shape {
            let ty = self.unit.tast[lhs].ty;
            self.pointer_offset(left, ty, (right, right_shape), op == BinaryOp::Sub)
        } else {
            let Some(wide) = self.unit.shape(computation) else {
                return self.nothing("this assignment", shape);
            };
            let left = self.convert_silently(left, shape, wide);
            let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
            let right =
                if is_shift { right } else { self.convert_silently(right, right_shape, wide) };
            let right_shape = if is_shift { right_shape } else { wide };
            let result = self.arithmetic(op, left, (right, right_shape), wide);
            self.convert_silently(result, wide, shape)
        };
        self.write(&place, new, shape)
    }
}
