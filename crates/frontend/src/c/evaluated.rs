//! Evaluating the lengths of arrays where an execution gets to them.

use cfa::{Fault, Op};
use rucc_sema::ExprId;
use rucc_types::{TypeId, VlaId};
use term::TermId;

use super::facts::Effect;
use super::function::Lower;
use super::shape::Shape;

impl Lower<'_, '_> {
    /// The number of elements of a variable-length array, as wide as an address.
    pub fn length(&mut self, id: VlaId) -> TermId {
        let expr = self.unit.tast.vla_size(id);
        let Some(shape) = self.unit.shape(self.unit.tast[expr].ty) else {
            self.unsupported("this array length");
            return self.address_constant(0);
        };
        let value = self.value(expr);
        let width = self.link.width();
        self.resize(value, width, shape.signed())
    }

    /// Evaluates one length. A negative length is undefined; a length of zero is GNU C's empty array.
    fn fix_length(&mut self, expr: ExprId, is_object: bool) {
        // A type that was named before (`typedef`, `typeof`) keeps its length.
        if self.lengths.contains_key(&expr) {
            return;
        }
        let Some(shape @ Shape::Int { width, .. }) = self.unit.shape(self.unit.tast[expr].ty)
        else {
            return self.unsupported("this array length");
        };
        let value = self.value(expr);
        if is_object && shape.signed() {
            let zero = self.bv(width, 0);
            let fits = self.terms().bv_sle(zero, value);
            self.check(fits, Fault::InvalidLength);
        }
        let var = self.temporary(shape.sort());
        self.emit(Op::Assign { var, value });
        self.lengths.insert(expr, var);
    }

    /// Evaluates the lengths in a type whose declaration has been reached, once.
    pub fn fix_lengths(&mut self, ty: TypeId, is_object: bool) {
        for expr in self.unit.lengths(ty) {
            self.fix_length(expr, is_object);
        }
    }

    /// Evaluates the lengths of members of structures that a statement declares.
    pub fn fix_member_lengths(&mut self, statement: rucc_sema::StmtId) {
        let span = self.unit.tast.stmt_span(statement);
        let unit = self.unit.clone();
        for expr in unit.member_lengths.get(&(span.lo, span.hi)).into_iter().flatten() {
            self.fix_length(*expr, false);
        }
    }

    /// Evaluates the lengths in a type that an expression names, if an evaluation does something. Other lengths have
    /// the same value wherever the expression uses the type.
    pub fn fix_named_lengths(&mut self, ty: TypeId) {
        let lengths = self.unit.lengths(ty);
        if lengths.iter().any(|expr| self.facts.effect(&self.unit, *expr) == Effect::Changes) {
            self.fix_lengths(ty, false);
        }
    }
}
