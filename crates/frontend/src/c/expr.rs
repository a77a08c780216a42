//! Expressions: their values, and their effects in order: from left to right, but for assignments (`sides`).

use cfa::{AssumptionKind, Fault, Op};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_base::float::Float as CFloat;
use rucc_sema::{Base, Const, Conversion, ExprId, ExprKind};
use rucc_types::{TypeId, TypeKind};
use term::{Float, TermId};

use super::facts::Effect;
use super::function::Lower;
use super::shape::{Shape, TypeShape};
use super::storage::Lvalue;

impl Lower<'_, '_> {
    /// The effect of an expression; its value is dropped.
    pub fn effect(&mut self, expr: ExprId) {
        let node = self.unit.tast[expr];
        match node.kind {
            ExprKind::Convert { kind: Conversion::Void, operand } => return self.effect(operand),
            ExprKind::Cast(operand) if self.unit.kind(node.ty) == TypeShape::Void => {
                return self.effect(operand);
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                return self.effect(rhs);
            }
            // `(void)x;` only says that a variable is not used.
            ExprKind::Convert { kind: Conversion::Lvalue, operand }
                if self.is_followed(operand) =>
            {
                return;
            }
            // The old value is dropped.
            ExprKind::Unary { op: UnaryOp::PostInc, operand } => {
                return self.step_only(UnaryOp::PreInc, operand, node.ty);
            }
            ExprKind::Unary { op: UnaryOp::PostDec, operand } => {
                return self.step_only(UnaryOp::PreDec, operand, node.ty);
            }
            ExprKind::Cond { cond, then, otherwise }
                if self.unit.kind(node.ty) == TypeShape::Void =>
            {
                if self.shared_operand(cond, then).is_some() {
                    // `a ?: b`: the condition has evaluated `a`.
                    return self.either(cond, |_| {}, |lower| lower.effect(otherwise));
                }
                return self.either(
                    cond,
                    |lower| lower.effect(then),
                    |lower| lower.effect(otherwise),
                );
            }
            ExprKind::Call { callee, args } if self.link.shadows.is_some() => {
                let value = self.call_and(expr, callee, args, false);
                if let Some(value) = value {
                    self.body.drop_choice(&self.link.program.terms, value);
                }
                return;
            }
            ExprKind::Assign { op: None, lhs, rhs, .. } if self.copies_byte(lhs, rhs) => return,
            _ => {}
        }
        match self.unit.kind(node.ty) {
            TypeShape::Scalar(_) => {
                let value = self.value(expr);
                self.body.drop_choice(&self.link.program.terms, value);
            }
            TypeShape::Aggregate => {
                self.aggregate(expr);
            }
            _ => self.void(expr),
        }
    }

    /// Runs one of two pieces of code by a condition.
    pub fn either(
        &mut self,
        condition: ExprId,
        yes: impl FnOnce(&mut Self),
        no: impl FnOnce(&mut Self),
    ) {
        let (then, otherwise, join) = (self.body.label(), self.body.label(), self.body.label());
        self.branch(condition, then, otherwise);
        self.body.place_detached(then);
        yes(self);
        self.body.jump(join);
        self.body.place_detached(otherwise);
        no(self);
        self.body.place(join);
    }

    /// Evaluates an expression of type `void`.
    fn void(&mut self, expr: ExprId) {
        match self.unit.tast[expr].kind {
            ExprKind::Call { callee, args } => {
                self.call(expr, callee, args);
            }
            ExprKind::StmtExpr(stmt) => {
                if let Some(last) = self.statement_expression(stmt) {
                    self.effect(last);
                }
            }
            ExprKind::Unreachable => {
                let text = "what the program says is never reached is not reached: not checked";
                self.assume(AssumptionKind::Semantics, text.to_owned());
                let never = self.terms().bool(false);
                self.check(never, Fault::Unreachable);
            }
            ExprKind::Trap => self.body.end(Op::Abort),
            ExprKind::VaStart { .. } | ExprKind::VaEnd { .. } | ExprKind::VaCopy { .. } => {
                self.variadic(expr)
            }
            ExprKind::Atomic { .. } => {
                self.atomic(expr);
            }
            ExprKind::Prefetch { address, .. } => self.effect(address),
            // The value is read and dropped.
            ExprKind::Decl(_) => {}
            ExprKind::Unary { op: UnaryOp::Deref, operand }
            | ExprKind::Convert { kind: Conversion::Lvalue, operand } => self.effect(operand),
            ExprKind::Error => self.unsupported("an expression that was not understood"),
            ref other => {
                let what = describe(other);
                self.unsupported(what);
            }
        }
    }

    /// The value of a scalar expression.
    pub fn value(&mut self, expr: ExprId) -> TermId {
        let node = self.unit.tast[expr];
        let shape = match self.unit.kind(node.ty) {
            TypeShape::Scalar(shape) => shape,
            TypeShape::Unsupported(what) => return self.nothing(what, Shape::INT),
            _ => {
                self.effect(expr);
                return self.zero(Shape::INT);
            }
        };
        if let Some(length) = self.lengths.get(&expr) {
            let length = *length;
            return self.terms().var(length);
        }
        match node.kind {
            ExprKind::Const(id) => self.constant(self.unit.tast[id], shape),
            ExprKind::Convert { kind, operand } => self.conversion(kind, operand, node.ty, shape),
            ExprKind::Cast(operand) => {
                self.fix_named_lengths(node.ty);
                self.cast(operand, shape)
            }
            ExprKind::Unary { op, operand } => self.unary(op, operand, node.ty, shape),
            ExprKind::Binary { op, lhs, rhs } => self.binary(expr, op, lhs, rhs, node.ty, shape),
            ExprKind::Assign { op: None, lhs, rhs, .. } => self.assign(lhs, rhs, shape),
            ExprKind::Assign { op: Some(op), computation, lhs, rhs } => {
                self.compound(op, computation, lhs, rhs, shape)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                self.conditional(cond, then, otherwise, shape)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.value(rhs)
            }
            ExprKind::Call { callee, args } => match self.call(expr, callee, args) {
                Some(value) => value,
                None => self.unset(shape),
            },
            ExprKind::StmtExpr(stmt) => match self.statement_expression(stmt) {
                Some(last) => self.value(last),
                None => self.zero(shape),
            },
            ExprKind::VaArg { list } => {
                self.fix_named_lengths(node.ty);
                self.next_argument(list, node.ty, shape)
            }
            _ => self.builtin(expr, shape),
        }
    }

    /// The values of two operands, from left to right.
    pub fn pair(&mut self, left: ExprId, right: ExprId) -> (TermId, TermId) {
        let has_order = self.has_order(&[left, right]);
        let start = self.body.mark_here();
        let first = self.value(left);
        let first = self.keep(first, right);
        let middle = self.body.mark_here();
        // Where the right side changes nothing, it does not matter what the left value is made of.
        let changes = self.facts.effect(&self.unit, right) == Effect::Changes;
        let used = if changes { std::slice::from_ref(&first) } else { &[] };
        let parts = has_order.then(|| self.done_since(start, used));
        let second = self.value(right);
        if let Some(part) = parts {
            let parts = vec![part, self.done_since(middle, &[second])];
            self.note_order(parts);
        }
        (first, second)
    }

    /// A value that evaluating `later` must not change.
    pub fn keep(&mut self, value: TermId, later: ExprId) -> TermId {
        let changes = self.facts.effect(&self.unit, later) == Effect::Changes;
        if changes { self.snapshot(value) } else { value }
    }

    /// Whether an expression is a plain value, without reads of memory and effects.
    fn is_plain(&self, expr: ExprId) -> bool {
        self.facts.effect(&self.unit, expr) == Effect::Value
    }

    fn constant(&mut self, constant: Const, shape: Shape) -> TermId {
        match constant {
            Const::Int(number) => match shape {
                Shape::Int { width, .. } | Shape::Pointer { width } => {
                    self.bv(width, number as u128)
                }
                Shape::Float { .. } => self.nothing("an integer constant of floating type", shape),
            },
            Const::Float(number) => match shape {
                Shape::Float { format } => self.float_constant(number, format),
                _ => self.nothing("a floating constant of integer type", shape),
            },
            Const::Address(address) => {
                let base = match address.base {
                    Base::Decl(decl) => self.address_of_declaration(decl),
                    Base::Str(id) => {
                        let var = self.link.string(self.key.0, id);
                        self.terms().var(var)
                    }
                    Base::Absolute => self.address_constant(0),
                    Base::Label(_) => return self.nothing("the address of a label", shape),
                };
                let width = self.link.width();
                let offset = self.bv(width, address.offset as u128);
                let value = self.terms().bv_add(base, offset);
                self.convert(value, Shape::Pointer { width }, shape)
            }
            Const::Complex { .. } | Const::ComplexInt { .. } => {
                self.nothing("complex numbers", shape)
            }
            Const::Apart { .. } => self.nothing("the address of a label", shape),
        }
    }

    fn float_constant(&mut self, number: CFloat, format: term::Format) -> TermId {
        self.terms().float(Float::from_bits(format, number.to_bits()))
    }

    /// The address of an object or a function.
    fn address_of_declaration(&mut self, decl: rucc_sema::DeclId) -> TermId {
        if self.unit.tast[decl].kind == rucc_sema::DeclKind::Function {
            return self.function_address(decl);
        }
        match self.storage(decl) {
            super::storage::Storage::Memory(address) => self.terms().var(address),
            _ => {
                let pointer = Shape::Pointer { width: self.link.width() };
                self.nothing("the address of an object that has none", pointer)
            }
        }
    }

    fn conversion(
        &mut self,
        kind: Conversion,
        operand: ExprId,
        ty: TypeId,
        shape: Shape,
    ) -> TermId {
        match kind {
            Conversion::Lvalue => {
                let place = self.place(operand);
                self.read_lvalue(&place, self.unit.tast[operand].ty, shape)
            }
            Conversion::ArrayDecay => self.decay(operand),
            Conversion::FunctionDecay => match self.unit.tast[operand].kind {
                ExprKind::Decl(decl) => self.function_address(decl),
                ExprKind::Unary { op: UnaryOp::Deref, operand } => self.value(operand),
                _ => self.nothing("this function designator", shape),
            },
            Conversion::Arithmetic | Conversion::Pointer => {
                self.refuse_long_enum(operand);
                match self.unit.shape(self.unit.tast[operand].ty) {
                    Some(from) if self.facts.marked.conversion => {
                        let value = self.value(operand);
                        self.convert_silently(value, from, shape)
                    }
                    _ => self.cast(operand, shape),
                }
            }
            Conversion::NullPointer => {
                self.effect(operand);
                self.zero(shape)
            }
            Conversion::Bool => {
                let condition = self.condition(operand);
                self.zero_or_one(condition, shape)
            }
            Conversion::Void => {
                self.effect(operand);
                self.zero(shape)
            }
            Conversion::Broadcast => self.nothing("vector types", shape),
            Conversion::Hardbool => {
                let _ = ty;
                self.nothing("hardened Booleans", shape)
            }
        }
    }

    /// The address of an array's first element.
    fn decay(&mut self, array: ExprId) -> TermId {
        match self.unit.tast[array].kind {
            ExprKind::Str(id) => {
                let var = self.link.string(self.key.0, id);
                self.terms().var(var)
            }
            _ => {
                let place =
                    if self.is_rvalue(array) { self.aggregate(array) } else { self.place(array) };
                let ty = self.unit.tast[array].ty;
                self.in_memory(&place, ty)
            }
        }
    }

    fn is_rvalue(&self, expr: ExprId) -> bool {
        self.unit.tast[expr].category == rucc_sema::Category::Rvalue
    }

    fn cast(&mut self, operand: ExprId, shape: Shape) -> TermId {
        let from = self.unit.tast[operand].ty;
        match self.unit.kind(from) {
            TypeShape::Scalar(from) => {
                let value = self.value(operand);
                self.convert(value, from, shape)
            }
            TypeShape::Unsupported(what) => self.nothing(what, shape),
            _ => {
                self.effect(operand);
                self.nothing("this conversion", shape)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId, shape: Shape) -> TermId {
        match op {
            UnaryOp::Plus => self.value(operand),
            UnaryOp::Minus => {
                self.refuse_narrow_enum(operand, None);
                let value = self.value(operand);
                self.negate(value, shape)
            }
            UnaryOp::BitNot => {
                self.refuse_narrow_enum(operand, None);
                let value = self.value(operand);
                self.terms().bv_not(value)
            }
            UnaryOp::Not => {
                let condition = self.condition(operand);
                let negated = self.terms().not(condition);
                self.zero_or_one(negated, shape)
            }
            UnaryOp::AddrOf => self.address_of(operand),
            UnaryOp::Deref => {
                let address = self.value(operand);
                self.read(&Lvalue::Memory(address), shape)
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.step(op, operand, ty, shape)
            }
            UnaryOp::Real | UnaryOp::Imag => self.nothing("complex numbers", shape),
        }
    }

    /// `&operand`.
    fn address_of(&mut self, operand: ExprId) -> TermId {
        let node = self.unit.tast[operand];
        if let ExprKind::Decl(decl) = node.kind
            && self.unit.tast[decl].kind == rucc_sema::DeclKind::Function
        {
            return self.function_address(decl);
        }
        if let ExprKind::Str(id) = node.kind {
            let var = self.link.string(self.key.0, id);
            return self.terms().var(var);
        }
        match self.place(operand) {
            Lvalue::Memory(address) => address,
            other => {
                if self.unit.kind(node.ty) == TypeShape::Aggregate {
                    return self.in_memory(&other, node.ty);
                }
                let pointer = Shape::Pointer { width: self.link.width() };
                self.nothing("the address of an object that has none", pointer)
            }
        }
    }

    fn step_only(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId) {
        if let Some(shape) = self.unit.shape(ty) {
            self.step(op, operand, ty, shape);
        }
    }

    /// `++` and `--`.
    fn step(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId, shape: Shape) -> TermId {
        let place = self.place(operand);
        let old = self.read_lvalue(&place, self.unit.tast[operand].ty, shape);
        let post = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        let old = if post { self.snapshot(old) } else { old };
        let minus = matches!(op, UnaryOp::PreDec | UnaryOp::PostDec);
        let new = match shape {
            Shape::Pointer { .. } => {
                let one = self.bv(32, 1);
                self.pointer_offset(old, ty, (one, Shape::INT), minus)
            }
            _ if shape.is_bool() => {
                // `++` sets a `_Bool` and `--` flips it.
                if minus { self.terms().bv_not(old) } else { self.one(shape) }
            }
            _ => {
                let op = if minus { BinaryOp::Sub } else { BinaryOp::Add };
                // Types narrower than `int` are computed in `int`, where nothing overflows.
                let wide = match shape {
                    Shape::Int { width: ..=31, .. } => Shape::INT,
                    shape => shape,
                };
                let (left, one) = (self.convert(old, shape, wide), self.one(wide));
                let sum = self.arithmetic(op, left, (one, wide), wide);
                self.convert_silently(sum, wide, shape)
            }
        };
        let kept = self.write(&place, new, shape);
        if post { old } else { kept }
    }

    fn binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        ty: TypeId,
        shape: Shape,
    ) -> TermId {
        use BinaryOp::{Eq, Ge, Gt, Le, LogAnd, LogOr, Lt, Ne};
        if matches!(op, LogAnd | LogOr | Eq | Ne | Lt | Gt | Le | Ge) {
            let condition = self.condition(expr);
            return self.zero_or_one(condition, shape);
        }
        let (left_ty, right_ty) = (self.unit.tast[lhs].ty, self.unit.tast[rhs].ty);
        let (Some(left_shape), Some(right_shape)) =
            (self.unit.shape(left_ty), self.unit.shape(right_ty))
        else {
            return self.nothing("an operator on this type", shape);
        };
        self.refuse_narrow_enum(lhs, Some(rhs));
        let (left, right) = self.pair(lhs, rhs);
        match (left_shape, right_shape, op) {
            (Shape::Pointer { .. }, Shape::Pointer { .. }, BinaryOp::Sub) => {
                self.pointer_difference(left, right, left_ty, shape)
            }
            (Shape::Pointer { .. }, _, _) => {
                self.pointer_offset(left, ty, (right, right_shape), op == BinaryOp::Sub)
            }
            (_, Shape::Pointer { .. }, _) => {
                self.pointer_offset(right, ty, (left, left_shape), false)
            }
            _ => {
                debug_assert!(
                    left_shape == right_shape || matches!(op, BinaryOp::Shl | BinaryOp::Shr),
                    "operands have one type"
                );
                self.arithmetic(op, left, (right, right_shape), left_shape)
            }
        }
    }

    fn conditional(
        &mut self,
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
        shape: Shape,
    ) -> TermId {
        self.refuse_narrow_enum_arms(then, otherwise);
        if let Some(shared) = self.shared_operand(cond, then) {
            // GNU's `a ?: b` evaluates `a` once: as the condition and, converted, as the value.
            let (value, condition) = self.shared_value(shared);
            let value = self.keep(value, otherwise);
            let yes = |lower: &mut Self| lower.converted(value, shared, then);
            return self.select(condition, yes, otherwise, shape);
        }
        let condition = self.condition(cond);
        if self.is_plain(then) {
            let arm = |lower: &mut Self| lower.value(then);
            return self.select(condition, arm, otherwise, shape);
        }
        let result = self.temporary(shape.sort());
        let (yes, no, join) = (self.body.label(), self.body.label(), self.body.label());
        self.branch_on(condition, yes, no);
        for (label, arm) in [(yes, then), (no, otherwise)] {
            self.body.place_detached(label);
            let value = self.value(arm);
            self.emit(Op::Assign { var: result, value });
            self.body.jump(join);
        }
        self.body.place_detached(join);
        self.terms().var(result)
    }

    /// The operand that condition and second arm of `a ?: b` have in common. Both are that very
    /// node, perhaps under conversions.
    fn shared_operand(&self, cond: ExprId, then: ExprId) -> Option<ExprId> {
        let under = |at: ExprId| match self.unit.tast[at].kind {
            ExprKind::Convert { operand, .. } => Some(operand),
            _ => None,
        };
        let arms: Vec<_> = std::iter::successors(Some(then), |at| under(*at)).collect();
        std::iter::successors(Some(cond), |at| under(*at)).find(|at| arms.contains(at))
    }

    /// The value of the operand of `a ?: b`, and whether it is not zero.
    fn shared_value(&mut self, shared: ExprId) -> (TermId, TermId) {
        match self.unit.shape(self.unit.tast[shared].ty) {
            Some(shape) => {
                let value = self.value(shared);
                let condition = self.is_nonzero(value, shape);
                (value, condition)
            }
            None => {
                self.unsupported("a conditional of this type");
                (self.unset(Shape::INT), self.unset_condition())
            }
        }
    }

    /// The value of `to`, which is `value` of the expression `from` under conversions.
    fn converted(&mut self, value: TermId, from: ExprId, to: ExprId) -> TermId {
        let mut steps = Vec::new();
        let mut at = to;
        while at != from
            && let ExprKind::Convert { operand, .. } = self.unit.tast[at].kind
        {
            steps.push((operand, at));
            at = operand;
        }
        steps.into_iter().rev().fold(value, |value, (inner, outer)| {
            let shape = |expr: ExprId| self.unit.shape(self.unit.tast[expr].ty);
            match (shape(inner), shape(outer)) {
                (Some(from), Some(to)) => self.convert_silently(value, from, to),
                _ => self.nothing("a conditional of this type", Shape::INT),
            }
        })
    }

    /// `condition ? then : otherwise`, where `then` is plain.
    fn select(
        &mut self,
        condition: TermId,
        then: impl FnOnce(&mut Self) -> TermId,
        otherwise: ExprId,
        shape: Shape,
    ) -> TermId {
        if self.is_plain(otherwise) {
            let (yes, no) = (then(self), self.value(otherwise));
            return self.terms().ite(condition, yes, no);
        }
        let result = self.temporary(shape.sort());
        let (yes, no, join) = (self.body.label(), self.body.label(), self.body.label());
        self.branch_on(condition, yes, no);
        self.body.place_detached(yes);
        let value = then(self);
        self.emit(Op::Assign { var: result, value });
        self.body.jump(join);
        self.body.place_detached(no);
        let value = self.value(otherwise);
        self.emit(Op::Assign { var: result, value });
        self.body.place(join);
        self.terms().var(result)
    }

    /// The value of an expression of structure, union or array type, as the place where it is.
    pub fn aggregate(&mut self, expr: ExprId) -> Lvalue {
        let node = self.unit.tast[expr];
        match node.kind {
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => self.place(operand),
            ExprKind::Assign { op: None, lhs, rhs, .. } => self.assign_aggregate(lhs, rhs, node.ty),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.aggregate(rhs)
            }
            ExprKind::Call { callee, args } => match self.call(expr, callee, args) {
                Some(address) => Lvalue::Memory(address),
                None => Lvalue::Memory(self.scratch(node.ty)),
            },
            ExprKind::Cond { cond, then, otherwise } => {
                let target = self.scratch(node.ty);
                let to = Lvalue::Memory(target);
                let arm = |arm: ExprId, to: Lvalue| {
                    move |lower: &mut Self| {
                        let from = lower.aggregate(arm);
                        lower.copy(&to, &from, node.ty);
                    }
                };
                self.either(cond, arm(then, to.clone()), arm(otherwise, to.clone()));
                to
            }
            ExprKind::StmtExpr(stmt) => match self.statement_expression(stmt) {
                Some(last) => {
                    // The object may belong to the block, and the next evaluation of the block uses it again.
                    let from = self.aggregate(last);
                    let to = Lvalue::Memory(self.scratch(node.ty));
                    self.copy(&to, &from, node.ty);
                    to
                }
                None => Lvalue::Memory(self.scratch(node.ty)),
            },
            ExprKind::VaArg { list } => {
                let address = self.argument_address(list, node.ty);
                Lvalue::Memory(address)
            }
            ExprKind::Cast(operand) | ExprKind::Convert { operand, .. }
                if self.unit.kind(self.unit.tast[operand].ty) == TypeShape::Aggregate =>
            {
                self.aggregate(operand)
            }
            ExprKind::Decl(_)
            | ExprKind::Member { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::Unary { op: UnaryOp::Deref, .. }
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Str(_) => self.place(expr),
            ref other => {
                let what = describe(other);
                self.unsupported(what);
                Lvalue::Memory(self.scratch(node.ty))
            }
        }
    }

    /// The place of an lvalue.
    pub fn place(&mut self, expr: ExprId) -> Lvalue {
        let node = self.unit.tast[expr];
        match node.kind {
            ExprKind::Decl(decl) => {
                let storage = self.storage(decl);
                self.stored(&storage)
            }
            ExprKind::Str(id) => {
                let var = self.link.string(self.key.0, id);
                Lvalue::Memory(self.terms().var(var))
            }
            ExprKind::Member { base, field } => self.member(base, field),
            ExprKind::Subscript { base, index } => {
                let base_ty = self.unit.tast[base].ty;
                if !matches!(self.unit.shape(base_ty), Some(Shape::Pointer { .. })) {
                    self.unsupported("an element of a vector");
                    return Lvalue::Memory(self.address_constant(0));
                }
                let Some(shape) = self.unit.shape(self.unit.tast[index].ty) else {
                    self.unsupported("this subscript");
                    return Lvalue::Memory(self.address_constant(0));
                };
                let (pointer, index) = self.pair(base, index);
                Lvalue::Memory(self.pointer_offset(pointer, base_ty, (index, shape), false))
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand } => Lvalue::Memory(self.value(operand)),
            ExprKind::CompoundLiteral(decl) => {
                self.fix_named_lengths(self.unit.tast[decl].ty);
                let storage = self.storage(decl);
                let place = self.stored(&storage);
                if self.unit.tast[decl].duration == rucc_sema::StorageDuration::Automatic {
                    if let Some(var) = storage.object() {
                        self.scoped(decl, var);
                    }
                    let ty = self.unit.tast[decl].ty;
                    self.once(&storage, ty, |lower| lower.initialise(decl, &place));
                }
                place
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => self.place(operand),
            _ => match self.unit.kind(node.ty) {
                TypeShape::Aggregate => self.aggregate(expr),
                TypeShape::Scalar(shape) => {
                    let value = self.value(expr);
                    let var = self.temporary(shape.sort());
                    self.emit(Op::Assign { var, value });
                    Lvalue::Var(var)
                }
                _ => {
                    self.unsupported("this place");
                    Lvalue::Memory(self.address_constant(0))
                }
            },
        }
    }

    fn member(&mut self, base: ExprId, field: u32) -> Lvalue {
        let base_ty = self.unit.tast[base].ty;
        let TypeKind::Record(id) = self.unit.bare(base_ty) else {
            self.unsupported("a member of this type");
            return Lvalue::Memory(self.address_constant(0));
        };
        let place = if self.is_rvalue(base) { self.aggregate(base) } else { self.place(base) };
        let record = self.unit.types.record_info(id);
        let (reverse, variable) = (record.reverse, record.variable.is_some());
        let field = record.fields[field as usize];
        if self.is_rvalue(base) && matches!(self.unit.bare(field.ty), TypeKind::Array { .. }) {
            self.assume_dropped();
        }
        if reverse {
            self.unsupported("a structure in another byte order");
        }
        if variable {
            self.unsupported("a structure of variable size");
        }
        self.part(&place, field.offset, field.bit, field.bits)
    }
}

/// An expression that is not modelled, in words.
pub(super) fn describe(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::LabelAddr(_) => "the address of a label",
        ExprKind::Jump { .. } => "setjmp and longjmp",
        ExprKind::Complex { .. } => "complex numbers",
        ExprKind::Shuffle { .. }
        | ExprKind::ShuffleVector { .. }
        | ExprKind::ConvertVector { .. } => "vector types",
        ExprKind::Elementwise { .. } => "vector types",
        ExprKind::Apply { .. } | ExprKind::ApplyArgs => "__builtin_apply",
        ExprKind::FrameAddress { .. } => "the address of a frame",
        ExprKind::Error => "an expression that was not understood",
        _ => "this builtin",
    }
}
