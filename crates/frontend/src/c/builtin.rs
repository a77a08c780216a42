//! GNU's builtins that are operators rather than calls.

use rucc_ast::BinaryOp;
use rucc_sema::{AtomicOp, BitCount, Classify, ExprId, ExprKind, OverflowOp, Rmw, Sign};
use term::TermId;

use super::expr::describe;
use super::function::Lower;
use super::shape::{Shape, TypeShape};
use super::storage::Lvalue;

impl Lower<'_, '_> {
    /// The value of a builtin of scalar type.
    pub fn builtin(&mut self, expr: ExprId, shape: Shape) -> TermId {
        let kind = self.unit.tast[expr].kind;
        match kind {
            ExprKind::Expect { value, hint, .. } => {
                let (value, _) = self.pair(value, hint);
                value
            }
            ExprKind::Abs { operand } => {
                let value = self.value(operand);
                self.absolute(value, shape)
            }
            ExprKind::ByteSwap { operand } => {
                let value = self.value(operand);
                self.swap_bytes(value)
            }
            ExprKind::BitCount { operand, count } => {
                let value = self.value(operand);
                self.count_bits(value, count, shape)
            }
            ExprKind::Classify { op, lhs, rhs } => self.classify(op, lhs, rhs, shape),
            ExprKind::FpClassify { value, answers } => self.fp_classify(value, answers),
            ExprKind::Sign { op, lhs, rhs } => self.sign(op, lhs, rhs),
            ExprKind::Overflow { op, at, args, stores } => {
                self.overflow(op, at, args, stores, shape)
            }
            ExprKind::Atomic { .. } => match self.atomic(expr) {
                Some(value) => value,
                None => self.zero(shape),
            },
            ExprKind::Alloca { size } => {
                let Some(from) = self.unit.shape(self.unit.tast[size].ty) else {
                    return self.zero(shape);
                };
                let size = self.value(size);
                let width = self.link.width();
                let size = self.resize(size, width, from.signed());
                self.allocate_on_stack(size)
            }
            // What gcc answers when it does not know.
            ExprKind::ConstantP { .. } => self.zero(shape),
            ExprKind::ObjectSize { kind, .. } => {
                let unknown = if kind & 2 == 0 { u128::MAX } else { 0 };
                let width = self.link.width();
                self.bv(width, unknown)
            }
            ExprKind::Decl(_) | ExprKind::Member { .. } | ExprKind::Subscript { .. } => {
                let place = self.place(expr);
                self.read(&place, shape)
            }
            ExprKind::CompoundLiteral(_) => {
                let place = self.place(expr);
                self.read(&place, shape)
            }
            ref other => {
                let what = describe(other);
                self.nothing(what, shape)
            }
        }
    }

    fn swap_bytes(&mut self, value: TermId) -> TermId {
        let width = self.terms().width(value);
        let mut swapped = self.terms().bv_extract(7, 0, value);
        for low in (8..width).step_by(8) {
            let byte = self.terms().bv_extract(low + 7, low, value);
            swapped = self.terms().bv_concat(swapped, byte);
        }
        swapped
    }

    fn count_bits(&mut self, value: TermId, count: BitCount, shape: Shape) -> TermId {
        let width = self.terms().width(value);
        let Shape::Int { width: answer, .. } = shape else {
            return self.nothing("this builtin", shape);
        };
        let number = |lower: &mut Self, number: u32| lower.bv(answer, u128::from(number));
        match count {
            BitCount::Ones | BitCount::Parity => {
                let mut sum = number(self, 0);
                for bit in 0..width {
                    let bit = self.terms().bv_extract(bit, bit, value);
                    let bit = self.terms().bv_zero_extend(answer, bit);
                    sum = self.terms().bv_add(sum, bit);
                }
                if count == BitCount::Parity {
                    let low = self.terms().bv_extract(0, 0, sum);
                    sum = self.terms().bv_zero_extend(answer, low);
                }
                sum
            }
            // `clz` and `ctz` of zero are undefined; here they give the width.
            BitCount::Leading => {
                self.first_bit((0..width).map(|up| (width - 1 - up, up)), value, width, answer)
            }
            BitCount::Trailing => {
                self.first_bit((0..width).map(|up| (up, up)), value, width, answer)
            }
            BitCount::FirstSet => {
                self.first_bit((0..width).map(|up| (up, up + 1)), value, 0, answer)
            }
            BitCount::RedundantSign => {
                let top = self.terms().bv_extract(width - 1, width - 1, value);
                let sign = self.terms().bv_sign_extend(width, top);
                let folded = self.terms().bv_xor(value, sign);
                let bits = (0..width - 1).map(|up| (width - 2 - up, up));
                self.first_bit(bits, folded, width - 1, answer)
            }
        }
    }

    /// The number that `order` gives with the first bit that is set, or `none` if no bit is set.
    fn first_bit(
        &mut self,
        order: impl DoubleEndedIterator<Item = (u32, u32)>,
        value: TermId,
        none: u32,
        width: u32,
    ) -> TermId {
        let mut answer = self.bv(width, u128::from(none));
        let one = self.bv(1, 1);
        for (bit, number) in order.rev() {
            let bit = self.terms().bv_extract(bit, bit, value);
            let set = self.terms().eq(bit, one);
            let number = self.bv(width, u128::from(number));
            answer = self.terms().ite(set, number, answer);
        }
        answer
    }

    fn classify(&mut self, op: Classify, lhs: ExprId, rhs: Option<ExprId>, shape: Shape) -> TermId {
        let Some(Shape::Float { format }) = self.unit.shape(self.unit.tast[lhs].ty) else {
            return self.nothing("this classification", shape);
        };
        let (x, y) = match rhs {
            Some(rhs) => self.pair(lhs, rhs),
            None => {
                let x = self.value(lhs);
                (x, x)
            }
        };
        let terms = &mut self.link.program.terms;
        let condition = match op {
            Classify::Unordered => {
                let (a, b) = (terms.fp_is_nan(x), terms.fp_is_nan(y));
                terms.or2(a, b)
            }
            Classify::LessGreater => {
                let (a, b) = (terms.fp_lt(x, y), terms.fp_gt(x, y));
                terms.or2(a, b)
            }
            Classify::Nan => terms.fp_is_nan(x),
            Classify::Infinite => terms.fp_is_infinite(x),
            Classify::Finite => {
                let (a, b) = (terms.fp_is_nan(x), terms.fp_is_infinite(x));
                let either = terms.or2(a, b);
                terms.not(either)
            }
            Classify::Normal => terms.fp_is_normal(x),
            Classify::SignBit => self.sign_bit(x, format),
            Classify::InfiniteSign => {
                let (infinite, negative) = (terms.fp_is_infinite(x), terms.fp_is_negative(x));
                let (one, minus, zero) =
                    (terms.bv(32, 1), terms.bv(32, u128::MAX), terms.bv(32, 0));
                let sign = terms.ite(negative, minus, one);
                return terms.ite(infinite, sign, zero);
            }
        };
        self.zero_or_one(condition, shape)
    }

    fn fp_classify(&mut self, value: ExprId, answers: rucc_sema::ExprList) -> TermId {
        let mut all = self.unit.tast[answers].to_vec();
        all.push(value);
        let all: Vec<TermId> = self.arguments(&all).iter().map(|argument| argument.value).collect();
        let [nan, infinite, normal, subnormal, zero, x] = all[..] else {
            return self.nothing("this classification", Shape::INT);
        };
        let terms = &mut self.link.program.terms;
        let cases = [
            (terms.fp_is_nan(x), nan),
            (terms.fp_is_infinite(x), infinite),
            (terms.fp_is_subnormal(x), subnormal),
            (terms.fp_is_zero(x), zero),
        ];
        cases
            .into_iter()
            .fold(normal, |other, (condition, answer)| terms.ite(condition, answer, other))
    }

    fn sign(&mut self, op: Sign, lhs: ExprId, rhs: Option<ExprId>) -> TermId {
        match (op, rhs) {
            (Sign::Of, Some(rhs)) => {
                let (x, y) = self.pair(lhs, rhs);
                match self.unit.shape(self.unit.tast[rhs].ty) {
                    Some(Shape::Float { format }) => self.copy_sign(x, y, format),
                    _ => self.nothing("this builtin", Shape::INT),
                }
            }
            _ => {
                let x = self.value(lhs);
                self.terms().fp_abs(x)
            }
        }
    }

    /// `__builtin_add_overflow` and its like: computes the exact result, in enough bits, and compares it with the value
    /// in the type that is to hold the result.
    fn overflow(
        &mut self,
        op: OverflowOp,
        at: rucc_types::TypeId,
        args: rucc_sema::ExprList,
        stores: bool,
        shape: Shape,
    ) -> TermId {
        let args = self.unit.tast[args].to_vec();
        let evaluated = self.arguments(&args);
        let [left, right, rest @ ..] = &evaluated[..] else {
            return self.nothing("this builtin", shape);
        };
        let target_ty = match (stores, rest.first()) {
            (true, Some(target)) => rucc_types::pointee(&self.unit.types, target.ty),
            // The third argument of the `_p` form stands for its type alone.
            (false, Some(target)) => Some(target.ty),
            (_, None) => Some(at),
        };
        let target = target_ty.and_then(|ty| self.unit.shape(ty));
        let (Some(Shape::Int { width: a, .. }), Some(Shape::Int { width: b, .. }), Some(target)) =
            (left.shape, right.shape, target)
        else {
            return self.nothing("this builtin", shape);
        };
        let Shape::Int { mut width, signed, .. } = target else {
            return self.nothing("this builtin", shape);
        };
        if let (false, Some(third)) = (stores, args.get(2)) {
            width = self.unit.bit_field_width(*third).unwrap_or(width);
        }
        let wide = (a + b + 2).max(width + 2);
        let x = self.resize(left.value, wide, left.shape.is_some_and(Shape::signed));
        let y = self.resize(right.value, wide, right.shape.is_some_and(Shape::signed));
        let exact = match op {
            OverflowOp::Add => self.terms().bv_add(x, y),
            OverflowOp::Sub => self.terms().bv_sub(x, y),
            OverflowOp::Mul => self.terms().bv_mul(x, y),
        };
        let kept = self.resize(exact, width, signed);
        let back = self.resize(kept, wide, signed);
        let overflows = self.terms().ne(back, exact);
        if let (true, Some(pointer)) = (stores, rest.first()) {
            let overflows = self.snapshot(overflows);
            self.write(&Lvalue::Memory(pointer.value), kept, target);
            return self.zero_or_one(overflows, shape);
        }
        self.zero_or_one(overflows, shape)
    }

    /// Atomic operations: there is one thread, so they are plain reads and writes.
    pub fn atomic(&mut self, expr: ExprId) -> Option<TermId> {
        let ExprKind::Atomic { op, args, .. } = self.unit.tast[expr].kind else { return None };
        let result = self.unit.shape(self.unit.tast[expr].ty);
        let args = self.unit.tast[args].to_vec();
        let evaluated = self.arguments(&args);
        let object = evaluated.first()?;
        let place = Lvalue::Memory(object.value);
        let pointee = rucc_types::pointee(&self.unit.types, object.ty);
        let shape = match pointee.map(|ty| self.unit.kind(ty)) {
            Some(TypeShape::Scalar(shape)) => shape,
            _ if op == AtomicOp::TestAndSet => Shape::Int { width: 8, signed: false, bytes: 1 },
            _ if matches!(op, AtomicOp::Fence | AtomicOp::SignalFence) => return None,
            _ => {
                self.unsupported("an atomic operation on this type");
                return result.map(|shape| self.unset(shape));
            }
        };
        let second = evaluated.get(1).copied();
        let third = evaluated.get(2).copied();
        let operand = |lower: &mut Self, argument: Option<super::argument::Argument>| match argument
        {
            Some(argument) => match argument.shape {
                Some(from) => lower.convert(argument.value, from, shape),
                None => lower.zero(shape),
            },
            None => lower.zero(shape),
        };
        match op {
            AtomicOp::Load => Some(self.read(&place, shape)),
            AtomicOp::Store => {
                let value = operand(self, second);
                self.write(&place, value, shape);
                None
            }
            AtomicOp::LoadInto => {
                let value = self.read(&place, shape);
                self.write(&Lvalue::Memory(second?.value), value, shape);
                None
            }
            AtomicOp::Fence | AtomicOp::SignalFence => None,
            AtomicOp::Exchange => {
                let old = self.read(&place, shape);
                let value = operand(self, second);
                self.write(&place, value, shape);
                Some(old)
            }
            AtomicOp::Fetch(rmw) | AtomicOp::Update(rmw) => {
                let old = self.read(&place, shape);
                let value = operand(self, second);
                let new = self.modify(rmw, old, value, shape);
                let new = self.snapshot(new);
                self.write(&place, new, shape);
                Some(if matches!(op, AtomicOp::Fetch(_)) { old } else { new })
            }
            AtomicOp::SwapBool | AtomicOp::SwapValue => {
                let old = self.read(&place, shape);
                let (expected, new) = (operand(self, second), operand(self, third));
                let same = self.terms().eq(old, expected);
                let kept = self.terms().ite(same, new, old);
                self.write(&place, kept, shape);
                match (op, result) {
                    (AtomicOp::SwapBool, Some(result)) => Some(self.zero_or_one(same, result)),
                    _ => Some(old),
                }
            }
            AtomicOp::TestAndSet => {
                let old = self.read(&place, shape);
                let one = self.one(shape);
                self.write(&place, one, shape);
                let was = self.is_nonzero(old, shape);
                result.map(|result| self.zero_or_one(was, result))
            }
            AtomicOp::CompareExchange | AtomicOp::ExchangeInto => {
                self.unsupported("this atomic operation");
                result.map(|shape| self.unset(shape))
            }
        }
    }

    fn modify(&mut self, rmw: Rmw, old: TermId, value: TermId, shape: Shape) -> TermId {
        match rmw {
            Rmw::Add => self.terms().bv_add(old, value),
            Rmw::Sub => self.terms().bv_sub(old, value),
            Rmw::And => self.terms().bv_and(old, value),
            Rmw::Or => self.terms().bv_or(old, value),
            Rmw::Xor => self.terms().bv_xor(old, value),
            Rmw::Nand => {
                let both = self.arithmetic(BinaryOp::BitAnd, old, (value, shape), shape);
                self.terms().bv_not(both)
            }
        }
    }
}
