//! Bit-fields of enumerations, which rucc promotes otherwise than gcc.
//!
//! gcc promotes a bit-field by its width: to `int` if `int` has all its values. rucc promotes a bit-field of an
//! enumeration to the enumeration's own type, `unsigned int` for most. The value is the same, but the result of a
//! division, a comparison, or a conversion to a wider type of a value that would be negative in `int` may not be the
//! same. Expressions whose value or type depends on the promoted type are unsupported.

use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprId, ExprKind, Stmt, StmtId};
use rucc_types::{TypeId, TypeKind};

use super::function::Lower;
use super::shape::Shape;
use super::unit::Unit;

/// Why an expression that depends on the promoted type is not modelled.
const REASON: &str = "arithmetic on a bit-field of an enumeration";

impl Unit {
    /// The width of the bit-field whose value, in its own type, an expression has.
    pub fn bit_field_width(&self, expr: ExprId) -> Option<u32> {
        match self.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => {
                self.bit_field_width(operand)
            }
            ExprKind::Comma { rhs, .. } => self.bit_field_width(rhs),
            ExprKind::Assign { lhs, .. } => self.bit_field_width(lhs),
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                operand,
            } => self.bit_field_width(operand),
            ExprKind::StmtExpr(body) => self.bit_field_width(self.last_value(body)?),
            ExprKind::Member { base, field } => {
                let TypeKind::Record(id) = self.bare(self.tast[base].ty) else { return None };
                self.types.record_info(id).fields.get(field as usize)?.bits
            }
            _ => None,
        }
    }

    /// The expression that a statement expression has its value from.
    fn last_value(&self, body: StmtId) -> Option<ExprId> {
        match self.tast[body] {
            Stmt::Block(stmts) => self.last_value(*self.tast[stmts].last()?),
            Stmt::Label { body, .. } => self.last_value(body),
            Stmt::Expr(value) => Some(value),
            _ => None,
        }
    }

    /// The width of the bit-field of an enumeration whose value an expression has, and the
    /// enumeration's shape.
    fn enum_bit_field(&self, expr: ExprId) -> Option<(u32, Shape)> {
        let ty = self.tast[expr].ty;
        let is_enum = matches!(self.bare(ty), TypeKind::Enum(_));
        Some((self.bit_field_width(expr)?, self.shape(ty).filter(|_| is_enum)?))
    }

    /// Whether an expression is an `unsigned int` for rucc and an `int` for gcc. Its value is not
    /// negative.
    fn is_promoted_enum(&self, expr: ExprId) -> bool {
        let node = self.tast[expr];
        if !self.is_unsigned_int(node.ty) {
            return false;
        }
        match node.kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } => {
                self.enum_bit_field(operand).is_some_and(|(width, _)| width < 32)
            }
            ExprKind::Unary { op: UnaryOp::Plus, operand } => self.is_promoted_enum(operand),
            ExprKind::Comma { rhs, .. } => self.is_promoted_enum(rhs),
            ExprKind::StmtExpr(body) => {
                self.last_value(body).is_some_and(|last| self.is_promoted_enum(last))
            }
            ExprKind::Cond { then, otherwise, .. } => {
                let (left, right) = (self.is_promoted_enum(then), self.is_promoted_enum(otherwise));
                left && (right || self.was_signed(otherwise)) || right && self.was_signed(then)
            }
            _ => false,
        }
    }

    fn is_unsigned_int(&self, ty: TypeId) -> bool {
        matches!(self.shape(ty), Some(Shape::Int { width: 32, signed: false, .. }))
    }

    /// What an expression was converted from, if that is another type.
    fn unconverted(&self, expr: ExprId) -> Option<ExprId> {
        match self.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } => Some(operand),
            _ => None,
        }
    }

    /// Whether an operand of type `unsigned int` has been converted from a signed type.
    fn was_signed(&self, expr: ExprId) -> bool {
        let shape = |expr: ExprId| self.shape(self.tast[expr].ty);
        self.unconverted(expr).and_then(shape).is_some_and(Shape::signed)
    }

    /// Whether an operand, before its conversion, is a constant that is not negative.
    fn is_natural(&self, expr: ExprId) -> bool {
        let from = self.unconverted(expr).unwrap_or(expr);
        match self.tast[from].kind {
            ExprKind::Const(id) => matches!(self.tast[id], Const::Int(0..)),
            _ => false,
        }
    }
}

impl Lower<'_, '_> {
    /// Refuses operands of an operator whose result depends on their signs or whose type does.
    pub fn refuse_narrow_enum(&mut self, operand: ExprId, other: Option<ExprId>) {
        let mut operands = [Some(operand), other].into_iter().flatten();
        if operands.any(|expr| self.unit.is_promoted_enum(expr)) {
            self.unsupported(REASON);
        }
    }

    /// Refuses the arms of a conditional whose value is negative for gcc alone.
    pub fn refuse_narrow_enum_arms(&mut self, then: ExprId, otherwise: ExprId) {
        let unit = &self.unit;
        let mixed = |enumeration: ExprId, other: ExprId| {
            unit.is_promoted_enum(enumeration) && unit.was_signed(other) && !unit.is_natural(other)
        };
        if mixed(then, otherwise) || mixed(otherwise, then) {
            self.unsupported(REASON);
        }
    }

    /// Refuses a compound assignment whose result depends on signs. Operators on bits alone give
    /// the same bits.
    pub fn refuse_narrow_enum_assignment(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) {
        use BinaryOp::{Add, Div, Mul, Rem, Sub};
        self.refuse_long_enum(lhs);
        let is_narrow = self.unit.enum_bit_field(lhs).is_some_and(|(width, _)| width < 32);
        let other = self.unit.is_unsigned_int(self.unit.tast[rhs].ty);
        let is_mixed = is_narrow && (!other || self.unit.was_signed(rhs));
        let is_sensitive = matches!(op, Add | Sub | Mul | Div | Rem);
        if is_sensitive && (is_mixed || self.unit.is_promoted_enum(rhs)) {
            self.unsupported(REASON);
        }
    }

    /// Refuses the value of a bit-field of an enumeration that is longer than `int`: for gcc it
    /// has an integer type of its own width, for rucc the enumeration's.
    pub fn refuse_long_enum(&mut self, operand: ExprId) {
        if let Some((width, Shape::Int { width: whole @ 33.., .. })) =
            self.unit.enum_bit_field(operand)
            && width < whole
        {
            self.unsupported(REASON);
        }
    }
}
