//! Addresses: into which object an address points, and at which offset.
//!
//! An address is a bit-vector, and the base of each object a symbol. Along the ways of a program most
//! addresses are a base plus an offset, or a choice between such sums, and are taken apart here, so that
//! the bases vanish from the formula. An address that cannot be taken apart may point into any object.

use std::collections::VecDeque;
use std::rc::Rc;

use cfa::StorageKind;
use run::{Budget, Exceeded};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, TermId, Terms, Value, Var, View};

use crate::execute::Executor;
use crate::ids::ObjectIndex;
use crate::parts::{Bases, Origin, Parts, Target};
use crate::state::State;

/// A part of an address that has not been taken apart yet.
struct Missing(TermId);

/// No object is at a lower address, as in the interpreter.
const LOWEST: u128 = 0x1000;

/// How many cases an address is split into, at most.
const MAX_CASES: usize = 64;

impl Executor<'_> {
    /// Takes an address apart. The results for all its parts are kept: addresses along a way are
    /// made from each other, and share nearly everything.
    pub(crate) fn parts(&mut self, terms: &mut Terms, address: TermId) -> Rc<Parts> {
        let mut todo = vec![address];
        while let Some(at) = todo.last().copied() {
            if self.addresses.contains_key(&at) {
                todo.pop();
                continue;
            }
            match self.split(terms, at) {
                Ok(parts) => _ = self.addresses.insert(at, Rc::new(parts)),
                Err(Missing(part)) => todo.push(part),
            }
        }
        Rc::clone(&self.addresses[&address])
    }

    /// A part of an address, taken apart before.
    fn known(&self, part: TermId) -> Result<Rc<Parts>, Missing> {
        self.addresses.get(&part).cloned().ok_or(Missing(part))
    }

    /// Takes an address apart whose parts are known, or names a part that is not known.
    fn split(&mut self, terms: &mut Terms, address: TermId) -> Result<Parts, Missing> {
        let truth = terms.bool(true);
        let plain = Parts { targets: Vec::new(), plain: vec![(truth, address)] };
        let width = self.cfa.address_width;
        Ok(match terms.view(address) {
            View::Var(var) => match (self.objects.at(var), self.definitions.get(&var)) {
                (Some(object), _) => {
                    let offset = terms.bv(width, 0);
                    let target = Target { condition: truth, object, offset };
                    Parts { targets: vec![target], plain: Vec::new() }
                }
                (None, Some(value)) => {
                    let parts = self.known(*value)?;
                    if parts.targets.is_empty() { plain } else { (*parts).clone() }
                }
                (None, None) => plain,
            },
            View::App(Op::BvAdd, &[a, b]) => {
                let left = self.known(a)?;
                let (based, other) =
                    if left.targets.is_empty() { (self.known(b)?, a) } else { (left, b) };
                if based.targets.is_empty() {
                    return Ok(plain);
                }
                moved(terms, &based, |terms, from| terms.bv_add(from, other))
            }
            View::App(Op::BvSub, &[a, b]) => {
                let based = self.known(a)?;
                // The difference of two addresses is no address, and a term that is not evidently a number may be an
                // address.
                if based.targets.is_empty() || !is_number(terms, b) {
                    return Ok(plain);
                }
                moved(terms, &based, |terms, from| terms.bv_sub(from, b))
            }
            View::App(Op::Ite, &[condition, a, b]) => {
                let (then, other) = (self.known(a)?, self.known(b)?);
                if then.targets.is_empty() && other.targets.is_empty() {
                    return Ok(plain);
                }
                let opposite = terms.not(condition);
                let mut parts = Parts::default();
                add_under(terms, &mut parts, condition, &then);
                add_under(terms, &mut parts, opposite, &other);
                if parts.targets.len() + parts.plain.len() > MAX_CASES { plain } else { parts }
            }
            _ => plain,
        })
    }

    /// Every object that an address may point into in a state, with conditions of which at most
    /// one holds, and whether the address is one of unknown origin.
    pub(crate) fn targets(
        &mut self,
        terms: &mut Terms,
        state: &State,
        address: TermId,
    ) -> (Vec<Target>, bool) {
        let parts = self.parts(terms, address);
        let mut found: Vec<Target> = Vec::new();
        for target in &parts.targets {
            add(terms, &mut found, *target);
        }
        let mut foreign = false;
        for &(condition, rest) in &parts.plain {
            if terms.is_false(condition) {
                continue;
            }
            let bases = match self.region {
                // Numbers are no addresses: nothing is known to be there.
                None if terms.value(rest).is_some() => continue,
                None => Bases::Any,
                Some(region) => {
                    let Origin { bases, outside } = self.origin(terms, rest);
                    if outside || terms.value(rest).is_some() {
                        let (within, offset) = match bases {
                            Bases::None => self.placed(terms, rest),
                            _ => (self.in_region(terms, rest, 1), rest),
                        };
                        let condition = terms.and2(condition, within);
                        add(terms, &mut found, Target { condition, object: region, offset });
                    }
                    bases
                }
            };
            foreign |= match self.region {
                Some(_) => bases == Bases::Any,
                None => self.is_foreign(terms, rest),
            };
            for (object, known) in state.memory.begun() {
                if terms.is_false(known.alive)
                    || Some(object) == self.region
                    || !bases.may_be(object)
                {
                    continue;
                }
                let offset = terms.bv_sub(rest, self.objects.table[object].base);
                let inside = terms.bv_ult(offset, self.objects.table[object].size);
                let here = terms.and(&[condition, known.alive, inside]);
                add(terms, &mut found, Target { condition: here, object, offset });
            }
        }
        (found, foreign)
    }

    /// Where an address in the memory outside is, and the condition for that. Without a guess it is the address itself,
    /// on no condition; with a guess it is the guessed address, on the condition that the guess is right.
    fn placed(&mut self, terms: &mut Terms, address: TermId) -> (TermId, TermId) {
        self.note_root(terms, address);
        let (root, by) = Self::root(terms, address);
        match self.guessed(terms, root) {
            Some(guess) => {
                let by = terms.bv(self.cfa.address_width, u128::from(by));
                (terms.eq(root, guess), terms.bv_add(guess, by))
            }
            None => (terms.bool(true), address),
        }
    }

    /// Whether `length` bytes at an address are in the memory outside.
    pub(crate) fn in_region(&self, terms: &mut Terms, address: TermId, length: u64) -> TermId {
        let Some(outside) = self.cfa.outside else { return terms.bool(false) };
        let width = self.cfa.address_width;
        let Some(last) = outside.to.checked_sub(length).filter(|last| *last >= outside.from) else {
            return terms.bool(false);
        };
        let first = terms.bv(width, u128::from(outside.from));
        let last = terms.bv(width, u128::from(last));
        let (above, below) = (terms.bv_ule(first, address), terms.bv_ule(address, last));
        terms.and2(above, below)
    }

    /// The addresses that a value may be computed from, seen through the definitions of the symbols of a path. Terms
    /// that only decide between values do not count: conditions, and indices at which arrays are read.
    pub(crate) fn origin(&mut self, terms: &Terms, value: TermId) -> Origin {
        if let Some(known) = self.origins.get(&value) {
            return known.clone();
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut todo = vec![value];
        let mut origin = Origin { bases: Bases::None, outside: false };
        while let Some(at) = todo.pop() {
            if !seen.insert(at) {
                continue;
            }
            match terms.view(at) {
                View::Var(var) => match (self.objects.at(var), self.definitions.get(&var)) {
                    (Some(object), _) => found.push(object),
                    (None, Some(value)) => todo.push(*value),
                    (None, None) if self.forgotten.contains(&var) => {
                        origin = Origin { bases: Bases::Any, outside: true };
                        break;
                    }
                    (None, None) => origin.outside = true,
                },
                View::App(Op::Ite, &[_, a, b]) => todo.extend([a, b]),
                View::App(Op::Select, &[array, _]) => todo.push(array),
                View::App(Op::Store, &[array, _, element]) => todo.extend([array, element]),
                View::App(_, args) => todo.extend(args),
                View::Const(_) => {}
            }
        }
        if origin.bases == Bases::None && !found.is_empty() {
            found.sort_unstable();
            origin.bases = Bases::Of(found.into());
        }
        self.origins.insert(value, origin.clone());
        origin
    }

    /// Whether a term depends on a value that comes from outside the program.
    fn is_foreign(&mut self, terms: &Terms, term: TermId) -> bool {
        // Whether a symbol is foreign is known as soon as there is the symbol, and does not change.
        let Self { foreign, outside, .. } = self;
        mentions(terms, term, outside, &mut |var| foreign.contains(&var))
    }

    /// A condition with comparisons of addresses decided as far as the objects decide them.
    pub(crate) fn compare(&mut self, terms: &mut Terms, condition: TermId) -> TermId {
        if self.objects.table.is_empty() || !self.mentions_base(terms, condition) {
            return condition;
        }
        if let Some(known) = self.comparisons.get(&condition) {
            return *known;
        }
        for term in self.not_compared(terms, condition) {
            if terms.sort(term) != Sort::Bool {
                self.comparisons.insert(term, term);
                continue;
            }
            let View::App(op, args) = terms.view(term) else { continue };
            let args = args.to_vec();
            let result = match op {
                Op::Eq if terms.sort(args[0]) == Sort::Bv(self.cfa.address_width) => {
                    self.compare_parts(terms, op, args[0], args[1])
                }
                Op::BvUlt | Op::BvUle
                    if terms.sort(args[0]) == Sort::Bv(self.cfa.address_width) =>
                {
                    self.compare_parts(terms, op, args[0], args[1])
                }
                _ => None,
            };
            let result = result.unwrap_or_else(|| {
                let known = |arg: &TermId| self.comparisons.get(arg).copied().unwrap_or(*arg);
                let new: Vec<TermId> = args.iter().map(known).collect();
                if new == args { term } else { terms.app(op, &new) }
            });
            self.comparisons.insert(term, result);
        }
        self.comparisons.get(&condition).copied().unwrap_or(condition)
    }

    /// The parts of a condition that have not been looked at for comparisons of addresses, arguments before the terms
    /// that they are in.
    fn not_compared(&self, terms: &Terms, condition: TermId) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut todo = vec![(condition, false)];
        while let Some((term, done)) = todo.pop() {
            if done {
                order.push(term);
            } else if let View::App(_, args) = terms.view(term)
                && !self.comparisons.contains_key(&term)
                && seen.insert(term)
            {
                todo.push((term, true));
                todo.extend(args.iter().rev().map(|arg| (*arg, false)));
            }
        }
        order
    }

    fn compare_parts(&mut self, terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let (left, right) = (self.parts(terms, a), self.parts(terms, b));
        if left.targets.is_empty() && right.targets.is_empty() {
            return None;
        }
        let cases =
            (left.targets.len() + left.plain.len()) * (right.targets.len() + right.plain.len());
        if cases > MAX_CASES {
            return None;
        }
        let sides = |parts: &Parts| -> Vec<(TermId, Option<ObjectIndex>, TermId)> {
            let targets =
                parts.targets.iter().map(|each| (each.condition, Some(each.object), each.offset));
            let plain = parts.plain.iter().map(|(condition, rest)| (*condition, None, *rest));
            targets.chain(plain).collect()
        };
        let mut result = terms.bool(false);
        for (p, a_object, a_rest) in sides(&left) {
            for (q, b_object, b_rest) in sides(&right) {
                let when = terms.and2(p, q);
                if terms.is_false(when) {
                    continue;
                }
                let holds = self.compare_one(terms, op, (a_object, a_rest), (b_object, b_rest));
                let both = terms.and2(when, holds);
                result = terms.or2(result, both);
            }
        }
        Some(result)
    }

    fn compare_one(
        &mut self,
        terms: &mut Terms,
        op: Op,
        a: (Option<ObjectIndex>, TermId),
        b: (Option<ObjectIndex>, TermId),
    ) -> TermId {
        match (a.0, b.0) {
            // Offsets that are inside or just past the end do not wrap, and keep the order.
            (Some(x), Some(y))
                if x == y
                    && (op == Op::Eq
                        || (self.is_within(terms, x, a.1, true)
                            && self.is_within(terms, y, b.1, true))) =>
            {
                terms.app(op, &[a.1, b.1])
            }
            (Some(x), Some(y))
                if op == Op::Eq
                    && self.together(x, y).is_some_and(|alive| terms.is_true(alive))
                    && self.is_within(terms, x, a.1, false)
                    && self.is_within(terms, y, b.1, false) =>
            {
                terms.bool(false)
            }
            // No object has the address zero, or ends at the end of all addresses.
            (Some(x), None) if is_zero(terms, b.1) && self.is_within(terms, x, a.1, true) => {
                terms.bool(false)
            }
            (None, Some(y)) if is_zero(terms, a.1) && self.is_within(terms, y, b.1, true) => {
                terms.bool(op != Op::Eq)
            }
            (Some(x), None) if op == Op::Eq && self.is_no_function(terms, x, b.1) => {
                terms.bool(false)
            }
            (None, Some(y)) if op == Op::Eq && self.is_no_function(terms, y, a.1) => {
                terms.bool(false)
            }
            _ => {
                let a = self.whole(terms, a);
                let b = self.whole(terms, b);
                terms.app(op, &[a, b])
            }
        }
    }

    /// Whether an object is a function, and a value is assumed not to be the address of a function because it comes
    /// from outside.
    fn is_no_function(&mut self, terms: &Terms, object: ObjectIndex, value: TermId) -> bool {
        self.region.is_some()
            && self.objects.table[object].kind == StorageKind::Code
            && terms.value(value).is_none()
            && self.origin(terms, value).bases == Bases::None
    }

    fn whole(&self, terms: &mut Terms, side: (Option<ObjectIndex>, TermId)) -> TermId {
        match side.0 {
            Some(object) => terms.bv_add(self.objects.table[object].base, side.1),
            None => side.1,
        }
    }

    /// Whether an offset is surely inside an object, or just past its end if `end` allows that.
    fn is_within(&self, terms: &Terms, object: ObjectIndex, offset: TermId, end: bool) -> bool {
        let (Some(offset), Some(bytes)) = (terms.number(offset), self.objects.bytes(object)) else {
            // The base itself is inside whatever the size.
            return terms.number(offset) == Some(0);
        };
        offset < bytes.max(1) || (end && offset == bytes)
    }

    /// Whether the base of an object is in a term.
    fn mentions_base(&mut self, terms: &Terms, term: TermId) -> bool {
        let Self { objects, based, .. } = self;
        mentions(terms, term, based, &mut |var| objects.at(var).is_some())
    }

    /// The objects whose bases are in a term, in the order of their symbols. What is in `seen` is
    /// not looked at again.
    pub(crate) fn bases(
        &mut self,
        terms: &Terms,
        term: TermId,
        seen: &mut FxHashSet<TermId>,
    ) -> Vec<ObjectIndex> {
        let mut vars = Vec::new();
        let mut todo = vec![term];
        while let Some(at) = todo.pop() {
            if !self.mentions_base(terms, at) || !seen.insert(at) {
                continue;
            }
            match terms.view(at) {
                View::Var(var) => vars.push(var),
                View::App(_, args) => todo.extend(args),
                View::Const(_) => {}
            }
        }
        vars.sort_unstable();
        vars.into_iter().filter_map(|var| self.objects.at(var)).collect()
    }

    /// What is known of the addresses of objects in formulas: no object is at zero, no object wraps, all are aligned,
    /// and objects that are alive at the same time do not overlap.
    ///
    /// # Errors
    /// If a limit is passed: every object is compared with every other.
    pub fn facts(
        &mut self,
        terms: &mut Terms,
        formulas: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<TermId>, Exceeded> {
        let width = self.cfa.address_width;
        let mut used = Vec::new();
        let mut facts = Vec::new();
        let mut todo: VecDeque<TermId> = formulas.iter().copied().collect();
        let mut seen = FxHashSet::default();
        // Sizes and conditions of life may mention further objects.
        while let Some(formula) = todo.pop_front() {
            for object in self.bases(terms, formula, &mut seen) {
                budget.check()?;
                let own = self.own_facts(terms, object, width);
                for fact in own {
                    facts.push(fact);
                    todo.push_back(fact);
                }
                for other in used.clone() {
                    if let Some(fact) = self.disjoint(terms, object, other, width) {
                        facts.push(fact);
                        todo.push_back(fact);
                    }
                }
                used.push(object);
            }
        }
        Ok(facts)
    }

    fn own_facts(&mut self, terms: &mut Terms, object: ObjectIndex, width: u32) -> Vec<TermId> {
        let known = &self.objects.table[object];
        let (base, size, align) = (known.base, known.size, known.align);
        let zero = terms.bv(width, 0);
        // No object is near zero, so a member of an object at the null pointer is not in another object.
        let mut facts = vec![match width {
            0..16 => terms.ne(base, zero),
            _ => {
                let lowest = terms.bv(width, LOWEST);
                terms.bv_ule(lowest, base)
            }
        }];
        // base < -size: the object and the address after it do not wrap. Nothing is said of an object that would take
        // half of all addresses.
        let fits = match self.cfa.outside {
            None => {
                let last = terms.bv_neg(size);
                terms.bv_ult(base, last)
            }
            // The memory outside is above all objects, with an address between them.
            Some(outside) => {
                let end = terms.bv(width, u128::from(outside.from));
                let last = terms.bv_sub(end, size);
                terms.bv_ult(base, last)
            }
        };
        let empty = terms.eq(size, zero);
        let huge = terms.bv_slt(size, zero);
        facts.push(terms.or(&[empty, huge, fits]));
        if align > 1 {
            let mask = terms.bv(width, u128::from(align - 1));
            let low = terms.bv_and(base, mask);
            facts.push(terms.eq(low, zero));
        }
        facts
    }

    fn disjoint(
        &mut self,
        terms: &mut Terms,
        a: ObjectIndex,
        b: ObjectIndex,
        width: u32,
    ) -> Option<TermId> {
        let (early, late) = if a < b { (a, b) } else { (b, a) };
        let alive = self.together(early, late)?;
        let one = terms.bv(width, 1);
        let mut ends = |object: ObjectIndex| {
            let known = &self.objects.table[object];
            let (base, size) = (known.base, known.size);
            let zero = terms.bv(width, 0);
            let empty = terms.eq(size, zero);
            let room = terms.ite(empty, one, size);
            (base, terms.bv_add(base, room))
        };
        let (early_base, early_end) = ends(early);
        let (late_base, late_end) = ends(late);
        let below = terms.bv_ule(early_end, late_base);
        let above = terms.bv_ule(late_end, early_base);
        let huge = [early, late].map(|object| {
            let zero = terms.bv(width, 0);
            terms.bv_slt(self.objects.table[object].size, zero)
        });
        let apart = terms.or(&[below, above, huge[0], huge[1]]);
        let fact = terms.implies(alive, apart);
        (!terms.is_true(fact)).then_some(fact)
    }
}

/// Whether a symbol of some kind is in a term; `known` keeps the answers for all its parts.
fn mentions(
    terms: &Terms,
    term: TermId,
    known: &mut FxHashMap<TermId, bool>,
    wanted: &mut dyn FnMut(Var) -> bool,
) -> bool {
    let mut todo = vec![term];
    while let Some(at) = todo.last().copied() {
        if known.contains_key(&at) {
            todo.pop();
            continue;
        }
        let args = match terms.view(at) {
            View::Var(var) => {
                known.insert(at, wanted(var));
                continue;
            }
            View::Const(_) => {
                known.insert(at, false);
                continue;
            }
            View::App(_, args) => args,
        };
        let open = todo.len();
        todo.extend(args.iter().filter(|arg| !known.contains_key(arg)));
        if todo.len() == open {
            let any = args.iter().any(|arg| known[arg]);
            known.insert(at, any);
            todo.pop();
        }
    }
    known[&term]
}

/// Whether a term is a number by the way it is computed, so that it is no address.
fn is_number(terms: &Terms, term: TermId) -> bool {
    let mut todo = vec![term];
    let mut seen = FxHashSet::default();
    while let Some(term) = todo.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.view(term) {
            View::Const(_) => {}
            View::App(
                Op::BvMul
                | Op::BvShl
                | Op::BvZeroExtend(_)
                | Op::BvSignExtend(_)
                | Op::BvUdiv
                | Op::BvSdiv,
                _,
            ) => {}
            View::App(Op::BvNeg, [inner]) => todo.push(*inner),
            View::App(Op::BvAdd, [a, b]) => todo.extend([*a, *b]),
            View::App(Op::Ite, [_, a, b]) => todo.extend([*a, *b]),
            View::App(..) | View::Var(_) => return false,
        }
    }
    true
}

fn is_zero(terms: &Terms, term: TermId) -> bool {
    matches!(terms.value(term), Some(Value::Bv(bits)) if bits.is_zero())
}

/// The parts with every offset and rest changed.
fn moved(terms: &mut Terms, parts: &Parts, change: impl Fn(&mut Terms, TermId) -> TermId) -> Parts {
    let target =
        |each: &Target, terms: &mut Terms| Target { offset: change(terms, each.offset), ..*each };
    let targets = parts.targets.iter().map(|each| target(each, terms)).collect();
    let plain = parts.plain.iter();
    let plain = plain.map(|(condition, rest)| (*condition, change(terms, *rest))).collect();
    Parts { targets, plain }
}

/// Adds the cases of some parts under a further condition.
fn add_under(terms: &mut Terms, parts: &mut Parts, condition: TermId, from: &Parts) {
    for each in &from.targets {
        let condition = terms.and2(condition, each.condition);
        add(terms, &mut parts.targets, Target { condition, ..*each });
    }
    for (inner, rest) in &from.plain {
        let condition = terms.and2(condition, *inner);
        if !terms.is_false(condition) {
            parts.plain.push((condition, *rest));
        }
    }
}

/// Adds a target; one object is listed once, with a choice of offsets.
fn add(terms: &mut Terms, targets: &mut Vec<Target>, new: Target) {
    if terms.is_false(new.condition) {
        return;
    }
    match targets.iter_mut().find(|each| each.object == new.object) {
        Some(each) => {
            each.offset = terms.ite(each.condition, each.offset, new.offset);
            each.condition = terms.or2(each.condition, new.condition);
        }
        None => targets.push(new),
    }
}
