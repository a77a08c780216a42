//! Conditions, and branching on them.

use cfa::Op;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprId, ExprKind};
use term::{Sort, TermId};

use super::body::Label;
use super::facts::Effect;
use super::function::Lower;
use super::shape::TypeShape;

impl Lower<'_, '_> {
    /// Whether a scalar expression is not zero, as a formula.
    pub fn condition(&mut self, expr: ExprId) -> TermId {
        let node = self.unit.tast[expr];
        match node.kind {
            ExprKind::Convert { kind: Conversion::Bool, operand } => self.condition(operand),
            ExprKind::Convert { kind: Conversion::Arithmetic, operand }
            | ExprKind::Cast(operand)
                if !self.facts.marked.conversion && self.widens(operand, expr) =>
            {
                self.condition(operand)
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                let condition = self.condition(operand);
                self.terms().not(condition)
            }
            ExprKind::Const(id) => match self.unit.tast[id] {
                Const::Int(number) => self.terms().bool(number != 0),
                _ => self.nonzero(expr),
            },
            ExprKind::Binary { op: op @ (BinaryOp::LogAnd | BinaryOp::LogOr), lhs, rhs } => {
                if self.facts.effect(&self.unit, rhs) == Effect::Value {
                    let (left, right) = (self.condition(lhs), self.condition(rhs));
                    return match op {
                        BinaryOp::LogAnd => self.terms().and2(left, right),
                        _ => self.terms().or2(left, right),
                    };
                }
                self.short_circuit(expr)
            }
            ExprKind::Binary { op, lhs, rhs } if is_comparison(op) => {
                let ty = self.unit.tast[lhs].ty;
                let Some(shape) = self.unit.shape(ty) else {
                    self.unsupported("a comparison of this type");
                    return self.unset_condition();
                };
                if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    self.refuse_narrow_enum(lhs, Some(rhs));
                }
                let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
                self.is_condition = is_equality && self.is_call_beside_zero(lhs, rhs);
                let (left, right) = self.pair(lhs, rhs);
                let right = match self.unit.shape(self.unit.tast[rhs].ty) {
                    Some(other) => self.convert(right, other, shape),
                    None => right,
                };
                self.comparison(op, left, right, shape)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.condition(rhs)
            }
            // No object is at the null pointer: `assert(x && "text")` is about `x`.
            ExprKind::Convert { kind: Conversion::ArrayDecay, operand }
                if matches!(self.unit.tast[operand].kind, ExprKind::Str(_)) =>
            {
                self.terms().bool(true)
            }
            ExprKind::Expect { value, hint, .. }
                if self.facts.effect(&self.unit, hint) != Effect::Changes =>
            {
                self.condition(value)
            }
            _ => self.nonzero(expr),
        }
    }

    /// A conversion to a wider type, or of a comparison's result, which keeps zero zero and
    /// everything else not zero.
    fn widens(&self, from: ExprId, to: ExprId) -> bool {
        use super::shape::Shape::Int;
        let shape = |expr: ExprId| self.unit.shape(self.unit.tast[expr].ty);
        matches!((shape(from), shape(to)), (Some(Int { width: a, .. }), Some(Int { width: b, .. })) if a <= b)
    }

    /// Whether a comparison asks if the value of a call is zero.
    fn is_call_beside_zero(&self, lhs: ExprId, rhs: ExprId) -> bool {
        let is_zero = match self.unit.tast[rhs].kind {
            ExprKind::Const(id) => matches!(self.unit.tast[id], Const::Int(0)),
            _ => false,
        };
        is_zero && matches!(self.unit.tast[lhs].kind, ExprKind::Call { .. })
    }

    fn nonzero(&mut self, expr: ExprId) -> TermId {
        match self.unit.kind(self.unit.tast[expr].ty) {
            TypeShape::Scalar(shape) => {
                self.is_condition = matches!(self.unit.tast[expr].kind, ExprKind::Call { .. });
                let value = self.value(expr);
                self.is_nonzero(value, shape)
            }
            TypeShape::Unsupported(what) => {
                self.unsupported(what);
                self.unset_condition()
            }
            _ => {
                self.effect(expr);
                self.unsupported("a condition of this type");
                self.unset_condition()
            }
        }
    }

    /// `&&` and `||` whose right side does something.
    fn short_circuit(&mut self, expr: ExprId) -> TermId {
        let result = self.temporary(Sort::Bool);
        let (yes, no, join) = (self.body.label(), self.body.label(), self.body.label());
        self.branch(expr, yes, no);
        for (label, answer) in [(yes, true), (no, false)] {
            self.body.place_detached(label);
            let value = self.terms().bool(answer);
            self.emit(Op::Assign { var: result, value });
            self.body.jump(join);
        }
        self.body.place_detached(join);
        self.terms().var(result)
    }

    /// Goes to `yes` or `no` by a condition; the cursor is nowhere afterwards.
    pub fn branch(&mut self, expr: ExprId, yes: Label, no: Label) {
        match self.unit.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Bool, operand } => self.branch(operand, yes, no),
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.branch(operand, no, yes),
            ExprKind::Binary { op: op @ (BinaryOp::LogAnd | BinaryOp::LogOr), lhs, rhs }
                if self.facts.effect(&self.unit, rhs) != Effect::Value =>
            {
                let middle = self.body.label();
                match op {
                    BinaryOp::LogAnd => self.branch(lhs, middle, no),
                    _ => self.branch(lhs, yes, middle),
                }
                self.body.place_detached(middle);
                self.branch(rhs, yes, no);
            }
            _ => {
                let condition = self.condition(expr);
                self.branch_on(condition, yes, no);
            }
        }
    }

    /// Branches on a formula.
    pub fn branch_on(&mut self, condition: TermId, yes: Label, no: Label) {
        self.body.branch(&mut self.link.program.terms, condition, yes, no);
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Gt | Le | Ge)
}
