//! The value of a term in a state, as far as it is known.

use std::rc::Rc;

use cfa::ObjectKind;
use smallvec::SmallVec;
use term::{Bv, Environment, Op, TermId, Value, Var, View, apply};

use crate::value::Values;
use crate::value::cell::{Abstract, Cell, Cells};
use crate::value::code::{Line, compile};
use crate::value::layout::{Layout, Slot};
use crate::value::object::{Aspect, Name, NameId, ObjectSite};
use crate::value::sign;
use crate::value::state::Work;
use crate::value::tree::{Forest, UNKNOWN};

/// How many parts of a term are looked at from the root down before its code is run instead.
const LAZY_STEPS: u32 = 96;

/// The known values of a state, for the compiled evaluator.
struct StateValues<'a> {
    forest: &'a Forest,
    cells: &'a Cells,
    layout: &'a Layout,
    work: &'a Work,
}

impl Environment for StateValues<'_> {
    fn get(&self, var: Var) -> Option<&Value> {
        let id = match self.layout.slot(var) {
            Slot::Global(index) => {
                self.forest.get(self.work.globals, self.layout.global_height, index)
            }
            Slot::Local(index) => {
                let height = self.layout.local_height(self.work.function);
                self.forest.get(self.work.locals, height, index)
            }
            Slot::Address(_) => UNKNOWN,
        };
        match self.cells.get(id) {
            Some(Cell::Value(value)) => Some(value),
            _ => None,
        }
    }
}

impl Values<'_> {
    /// The value of a term.
    pub(crate) fn eval(&mut self, work: &Work, term: TermId) -> Abstract {
        let terms = &self.program.terms;
        match terms.view(term) {
            View::Const(value) => return Abstract::Known(value.clone()),
            View::Var(var) => return self.eval_variable(work, var),
            View::App(..) => {}
        }
        let mut fuel = LAZY_STEPS;
        if let Some(value) = self.eval_lazily(work, term, &mut fuel) {
            return value;
        }
        let known =
            StateValues { forest: &self.forest, cells: &self.cells, layout: &self.layout, work };
        if let Ok(value) = self.evaluator.eval(terms, term, &known) {
            return Abstract::Known(value);
        }
        let code = Rc::clone(self.code.entry(term).or_insert_with(|| compile(terms, term)));
        let mut values: Vec<Abstract> = Vec::with_capacity(code.len());
        for line in code.iter() {
            let value = match line {
                Line::Constant(value) => Abstract::Known(value.clone()),
                Line::Variable(var) => self.eval_variable(work, *var),
                Line::Apply(op, arguments) => {
                    let arguments: SmallVec<[&Abstract; 3]> =
                        arguments.iter().map(|at| &values[*at as usize]).collect();
                    self.apply(work, *op, &arguments)
                }
            };
            values.push(value);
        }
        values.pop().unwrap_or(Abstract::Unknown)
    }

    /// The value of a term, from the root down, without what does not matter: most conditions are
    /// decided by one of their parts. `None` if that takes too many steps, as it may where parts
    /// are shared.
    fn eval_lazily(&mut self, work: &Work, term: TermId, fuel: &mut u32) -> Option<Abstract> {
        *fuel = fuel.checked_sub(1)?;
        let terms = &self.program.terms;
        let (op, arguments) = match terms.view(term) {
            View::Const(value) => return Some(Abstract::Known(value.clone())),
            View::Var(var) => return Some(self.eval_variable(work, var)),
            View::App(op, arguments) => (op, arguments),
        };
        match (op, arguments) {
            (Op::And | Op::Or, parts) => {
                let decisive = op == Op::Or;
                let mut open = false;
                for part in parts {
                    match self.eval_lazily(work, *part, fuel)?.truth() {
                        Some(truth) if truth == decisive => {
                            return Some(Abstract::Known(Value::Bool(decisive)));
                        }
                        Some(_) => {}
                        None => open = true,
                    }
                }
                let all = Abstract::Known(Value::Bool(!decisive));
                Some(if open { Abstract::Unknown } else { all })
            }
            (Op::Ite, [condition, then, other]) => {
                match self.eval_lazily(work, *condition, fuel)?.truth() {
                    Some(true) => self.eval_lazily(work, *then, fuel),
                    Some(false) => self.eval_lazily(work, *other, fuel),
                    None => {
                        let then = self.eval_lazily(work, *then, fuel)?;
                        let other = self.eval_lazily(work, *other, fuel)?;
                        Some(if then == other { then } else { Abstract::Unknown })
                    }
                }
            }
            (_, [only]) => {
                let value = self.eval_lazily(work, *only, fuel)?;
                Some(self.apply(work, op, &[&value]))
            }
            (_, [left, right]) => {
                let first = self.eval_lazily(work, *left, fuel)?;
                let second = self.eval_lazily(work, *right, fuel)?;
                if first.is_open()
                    && second.is_open()
                    && let Some(truth) = self.compare_distances(work, op, *left, *right)
                {
                    return Some(Abstract::Known(Value::Bool(truth)));
                }
                Some(self.apply(work, op, &[&first, &second]))
            }
            (_, [first, second, third]) => {
                let first = self.eval_lazily(work, *first, fuel)?;
                let second = self.eval_lazily(work, *second, fuel)?;
                let third = self.eval_lazily(work, *third, fuel)?;
                Some(self.apply(work, op, &[&first, &second, &third]))
            }
            _ => None,
        }
    }

    fn eval_variable(&mut self, work: &Work, var: Var) -> Abstract {
        if let Slot::Address(object) = self.layout.slot(var) {
            let site = ObjectSite::Initial(object);
            return Abstract::Pointer(
                self.names.id(Name { site, activation: None, number: 0 }),
                Some(0),
            );
        }
        self.value_of(work, var)
    }

    pub(crate) fn abstract_of(&self, cell: Option<&Cell>) -> Abstract {
        match cell {
            Some(Cell::Value(value)) => Abstract::Known(value.clone()),
            Some(Cell::Pointer(object, offset)) => Abstract::Pointer(*object, *offset),
            Some(Cell::Signs(signs)) => Abstract::Signs(*signs),
            _ => Abstract::Unknown,
        }
    }

    /// The id of a value, for a state to hold.
    pub(crate) fn cell_of(&mut self, value: Abstract) -> u32 {
        match value {
            Abstract::Known(value) => self.cells.id(Cell::Value(value)),
            Abstract::Pointer(object, offset) => self.cells.id(Cell::Pointer(object, offset)),
            Abstract::Signs(signs) => self.cells.id(Cell::Signs(signs)),
            Abstract::Unknown => UNKNOWN,
        }
    }

    /// What an operator makes of two values.
    pub(crate) fn combine(&self, work: &Work, op: Op, a: &Abstract, b: &Abstract) -> Abstract {
        self.apply(work, op, &[a, b])
    }

    /// Whether every value that equals this value is the same number, or an address in the same object.
    pub(crate) fn is_certain(&self, work: &Work, value: &Abstract) -> bool {
        match value {
            Abstract::Known(_) => true,
            Abstract::Pointer(object, Some(offset)) => {
                self.is_alive(work, *object) && self.is_within(work, *object, *offset, false)
            }
            Abstract::Pointer(_, None) | Abstract::Signs(_) | Abstract::Unknown => false,
        }
    }

    fn apply(&self, work: &Work, op: Op, arguments: &[&Abstract]) -> Abstract {
        match arguments {
            [Abstract::Unknown] => return Abstract::Unknown,
            [Abstract::Signs(signs)] => return sign::image(op, *signs),
            [Abstract::Known(value)] => return Abstract::Known(apply(op, &[value])),
            [Abstract::Known(left), Abstract::Known(right)] => {
                return Abstract::Known(apply(op, &[left, right]));
            }
            _ => {}
        }
        if arguments.iter().all(|argument| matches!(argument, Abstract::Known(_))) {
            let values: SmallVec<[&Value; 3]> =
                arguments.iter().filter_map(|argument| argument.value()).collect();
            return Abstract::Known(apply(op, &values));
        }
        let truth = |value: bool| Abstract::Known(Value::Bool(value));
        match (op, arguments) {
            (Op::And, all) if all.iter().any(|each| each.truth() == Some(false)) => truth(false),
            (Op::Or, all) if all.iter().any(|each| each.truth() == Some(true)) => truth(true),
            (Op::Ite, [condition, then, other]) => match condition.truth() {
                Some(true) => (*then).clone(),
                Some(false) => (*other).clone(),
                None if then == other => (*then).clone(),
                None => Abstract::Unknown,
            },
            (
                Op::BvAnd | Op::BvMul,
                [Abstract::Known(Value::Bv(bits)), _] | [_, Abstract::Known(Value::Bv(bits))],
            ) if bits.is_zero() => Abstract::Known(Value::Bv(bits.clone())),
            (
                Op::BvOr,
                [Abstract::Known(Value::Bv(bits)), _] | [_, Abstract::Known(Value::Bv(bits))],
            ) if bits.is_ones() => Abstract::Known(Value::Bv(bits.clone())),
            (
                Op::BvAdd,
                [Abstract::Pointer(object, offset), other]
                | [other, Abstract::Pointer(object, offset)],
            ) => self.moved(*object, *offset, other, false),
            (Op::BvSub, [Abstract::Pointer(a, x), Abstract::Pointer(b, y)]) => match (x, y) {
                (Some(x), Some(y)) if a == b => {
                    let width = self.program.cfa.address_width;
                    Abstract::Known(Value::Bv(Bv::new(width, u128::from(x.wrapping_sub(*y)))))
                }
                _ => Abstract::Unknown,
            },
            // Only a known number is subtracted: an unknown number may be an address, and the difference of two
            // addresses is no address.
            (Op::BvSub, [Abstract::Pointer(object, offset), by @ Abstract::Known(_)]) => {
                self.moved(*object, *offset, by, true)
            }
            (Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) => {
                let found = self.compare(work, op, a, b).or_else(|| sign::compare(op, a, b));
                found.map_or(Abstract::Unknown, truth)
            }
            _ => Abstract::Unknown,
        }
    }

    /// A pointer moved by a number. A pointer plus something unknown points into its object or
    /// nowhere; the sum of two pointers is no pointer.
    fn moved(&self, object: NameId, offset: Option<u64>, by: &Abstract, back: bool) -> Abstract {
        let width = self.program.cfa.address_width;
        match (offset, by) {
            (_, Abstract::Pointer(..)) => Abstract::Unknown,
            (Some(offset), Abstract::Known(Value::Bv(by))) => {
                let Some(by) = by.to_u64() else { return Abstract::Unknown };
                let sum = if back { offset.wrapping_sub(by) } else { offset.wrapping_add(by) };
                let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
                Abstract::Pointer(object, Some(sum & mask))
            }
            _ => Abstract::Pointer(object, None),
        }
    }

    /// What a comparison of addresses gives, if the objects decide it.
    fn compare(&self, work: &Work, op: Op, a: &Abstract, b: &Abstract) -> Option<bool> {
        if !matches!(op, Op::Eq | Op::BvUlt | Op::BvUle) {
            return None;
        }
        match (a, b) {
            (Abstract::Pointer(x, Some(i)), Abstract::Pointer(y, Some(j))) if x == y => match op {
                Op::Eq => Some(i == j),
                // Offsets that are inside or just past the end do not wrap, and keep the order.
                _ if self.is_within(work, *x, *i, true) && self.is_within(work, *y, *j, true) => {
                    Some(if op == Op::BvUlt { i < j } else { i <= j })
                }
                _ => None,
            },
            (Abstract::Pointer(x, Some(i)), Abstract::Pointer(y, Some(j)))
                if op == Op::Eq
                    && x != y
                    && self.is_alive(work, *x)
                    && self.is_alive(work, *y)
                    && self.is_within(work, *x, *i, false)
                    && self.is_within(work, *y, *j, false) =>
            {
                Some(false)
            }
            // No object has the address zero, or ends at the end of all addresses.
            (Abstract::Pointer(x, Some(i)), Abstract::Known(Value::Bv(zero)))
                if zero.is_zero() && self.is_within(work, *x, *i, true) =>
            {
                Some(false)
            }
            (Abstract::Known(Value::Bv(zero)), Abstract::Pointer(y, Some(j)))
                if zero.is_zero() && self.is_within(work, *y, *j, true) =>
            {
                Some(op != Op::Eq)
            }
            _ => None,
        }
    }

    /// Whether an offset is surely inside an object, or just past its end if `end` allows that.
    fn is_within(&self, work: &Work, object: NameId, offset: u64, end: bool) -> bool {
        match self.size(work, object) {
            Some(size) => offset < size.max(1) || (end && offset == size),
            // The base itself is inside whatever the size.
            None => offset == 0,
        }
    }

    pub(crate) fn life(&self, work: &Work, object: NameId) -> Option<&Cell> {
        self.cells.get(self.get_aspect(work, object, Aspect::Life))
    }

    fn is_alive(&self, work: &Work, object: NameId) -> bool {
        match self.names.name(object).site {
            ObjectSite::Initial(_) => true,
            ObjectSite::Alloc(..) => matches!(self.life(work, object), Some(Cell::Alive(_))),
        }
    }

    /// Whether an object has surely ended.
    pub(crate) fn has_ended(&self, work: &Work, object: NameId) -> bool {
        matches!(self.life(work, object), Some(Cell::Ended))
    }

    /// The number of bytes of an object.
    pub(crate) fn size(&self, work: &Work, object: NameId) -> Option<u64> {
        match self.names.name(object).site {
            ObjectSite::Initial(id) => {
                let known = &self.program.cfa.objects[id];
                Some(if matches!(known.kind, ObjectKind::Code(_)) { 1 } else { known.size })
            }
            ObjectSite::Alloc(..) => match self.life(work, object) {
                Some(Cell::Alive(size)) => *size,
                _ => None,
            },
        }
    }
}
