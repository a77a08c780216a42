//! Variables of which only the distance to another variable is known: `token = local + 3`, although the
//! value of neither variable is known.
//!
//! Variables whose distances are known form a class. The first of them in the order of `rank` is its
//! base: the base has no cell, and every other variable of the class has a cell that names the base and
//! the distance. So states that know the same are equal, and a variable by itself needs no cell. A base
//! is a global, or a variable of the same activation.

use cfa::FuncId;
use term::{Bv, Op, Sort, TermId, Value, Var, View, apply};

use crate::value::Values;
use crate::value::cell::{Abstract, Cell, Distance};
use crate::value::layout::Slot;
use crate::value::sign::is_zero;
use crate::value::state::Work;
use crate::value::tree::{Tree, UNKNOWN};

/// Larger distances are not kept. A loop that counts down from something unknown would otherwise have
/// a state for every round.
const FARTHEST: u128 = 32;

/// Terms that are nested deeper are not looked at.
const DEEPEST: u32 = 16;

/// What a function returns.
pub(crate) enum Returned {
    Value(Abstract),
    Distance(Distance),
}

/// The sum of two numbers of one sort.
fn sum(a: &Value, b: &Value) -> Value {
    apply(if matches!(a, Value::Int(_)) { Op::Add } else { Op::BvAdd }, &[a, b])
}

/// The difference of two numbers of one sort.
fn difference(a: &Value, b: &Value) -> Value {
    apply(if matches!(a, Value::Int(_)) { Op::Sub } else { Op::BvSub }, &[a, b])
}

/// Zero, of the sorts whose variables have distances.
fn zero(sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bv(width) => Some(Value::Bv(Bv::zero(width))),
        Sort::Int => Some(Value::Int(0.into())),
        _ => None,
    }
}

/// What undoes adding a number.
fn opposite(by: &Value) -> Value {
    apply(if matches!(by, Value::Int(_)) { Op::Neg } else { Op::BvNeg }, &[by])
}

fn is_near(by: &Value) -> bool {
    let near = |magnitude: Option<u128>| magnitude.is_some_and(|size| size <= FARTHEST);
    match by {
        Value::Bv(bits) => near(bits.to_u128()) || near(bits.neg().to_u128()),
        Value::Int(number) => near(number.magnitude().try_into().ok()),
        _ => false,
    }
}

impl Values<'_> {
    /// The order in which variables are taken for a base: globals first.
    fn rank(&self, var: Var) -> (bool, Var) {
        (!self.is_global(var), var)
    }

    fn is_global(&self, var: Var) -> bool {
        matches!(self.layout.slot(var), Slot::Global(_))
    }

    /// Whether a state knows any distances.
    fn has_distances(&self, work: &Work) -> bool {
        [work.globals, work.locals, work.below].iter().any(|tree| self.forest.is_marked(*tree))
    }

    /// The value of a variable from its base, if the base has got a value since the distance was noted.
    pub(crate) fn resolved(&self, work: &Work, distance: &Distance) -> Abstract {
        match self.variable(work, distance.base) {
            Some(Cell::Value(base)) => Abstract::Known(sum(base, &distance.by)),
            Some(Cell::Signs(signs)) if is_zero(&distance.by) => Abstract::Signs(*signs),
            _ => Abstract::Unknown,
        }
    }

    /// How far the value of a term is from that of a variable, where neither is known.
    pub(crate) fn distance(&self, work: &Work, term: TermId) -> Option<Distance> {
        self.distance_within(work, term, DEEPEST)
    }

    fn distance_within(&self, work: &Work, term: TermId, fuel: u32) -> Option<Distance> {
        let fuel = fuel.checked_sub(1)?;
        let terms = &self.program.terms;
        match terms.view(term) {
            View::Const(_) => None,
            View::Var(var) => self.distance_of(work, var),
            View::App(op @ (Op::BvAdd | Op::Add), [a, b]) => {
                let (moved, by) = match self.number(work, *b) {
                    Some(by) => (a, by),
                    None => (b, self.number(work, *a)?),
                };
                let distance = self.distance_within(work, *moved, fuel)?;
                Some(Distance { by: apply(op, &[&distance.by, &by]), ..distance })
            }
            View::App(op @ (Op::BvSub | Op::Sub), [a, b]) => {
                let by = self.number(work, *b)?;
                let distance = self.distance_within(work, *a, fuel)?;
                Some(Distance { by: apply(op, &[&distance.by, &by]), ..distance })
            }
            View::App(..) => None,
        }
    }

    /// The distance of a variable from its base.
    pub(crate) fn distance_of(&self, work: &Work, var: Var) -> Option<Distance> {
        match self.variable(work, var) {
            Some(Cell::Distance(distance)) => match self.resolved(work, distance) {
                Abstract::Unknown | Abstract::Signs(_) => Some(distance.clone()),
                _ => None,
            },
            Some(_) => None,
            None if matches!(self.layout.slot(var), Slot::Address(_)) => None,
            None => zero(self.program.terms.var_sort(var)).map(|by| Distance { base: var, by }),
        }
    }

    /// The value of a constant or of a variable.
    fn number(&self, work: &Work, term: TermId) -> Option<Value> {
        match self.program.terms.view(term) {
            View::Const(value @ (Value::Bv(_) | Value::Int(_))) => Some(value.clone()),
            View::Var(var) => match self.variable(work, var) {
                Some(Cell::Value(value @ (Value::Bv(_) | Value::Int(_)))) => Some(value.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a comparison of two terms gives that are not known, if their distance decides it.
    pub(crate) fn compare_distances(
        &self,
        work: &Work,
        op: Op,
        a: TermId,
        b: TermId,
    ) -> Option<bool> {
        if !matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
            || !self.has_distances(work)
        {
            return None;
        }
        let (a, b) = (self.distance(work, a)?, self.distance(work, b)?);
        match op {
            _ if a.base != b.base => None,
            Op::Eq => Some(a.by == b.by),
            // A sum may wrap, so that only equal numbers have an order.
            _ => (a.by == b.by).then_some(matches!(op, Op::BvUle | Op::BvSle)),
        }
    }

    /// Assigns a variable the value of a term that is not known.
    pub(crate) fn assign_distance(&mut self, work: &mut Work, var: Var, value: TermId) {
        match self.distance(work, value) {
            Some(distance) if distance.base == var => {
                // The distances of other variables were to the old value of this variable; to the new value, they are
                // less by the number that was added.
                let back = opposite(&distance.by);
                if !is_zero(&distance.by) {
                    self.set_variable(work, var, UNKNOWN);
                }
                self.rebase(work, var, Some(&Distance { base: var, by: back }));
            }
            Some(distance) => self.assign_at_distance(work, var, distance),
            None => self.assign(work, var, Abstract::Unknown),
        }
    }

    /// Assigns a variable a value at a known distance from a base, which is another variable.
    pub(crate) fn assign_at_distance(&mut self, work: &mut Work, var: Var, distance: Distance) {
        self.assign(work, var, Abstract::Unknown);
        self.relate(work, var, distance);
    }

    /// The cell of an argument, for a variable of the function that is called.
    pub(crate) fn passed(&mut self, work: &Work, argument: TermId) -> u32 {
        match self.eval(work, argument) {
            Abstract::Unknown => match self.distance(work, argument) {
                Some(distance) if self.is_global(distance.base) && is_near(&distance.by) => {
                    self.cells.id(Cell::Distance(distance))
                }
                _ => UNKNOWN,
            },
            value => self.cell_of(value),
        }
    }

    /// What a caller gets to know of a result. A variable of the function that ends cannot be a base.
    pub(crate) fn returned(&self, work: &Work, result: Var) -> Returned {
        match self.value_of(work, result) {
            Abstract::Unknown => match self.distance_of(work, result) {
                Some(distance) if self.is_global(distance.base) => Returned::Distance(distance),
                _ => Returned::Value(Abstract::Unknown),
            },
            value => Returned::Value(value),
        }
    }

    /// Learns that two terms that are not known are equal.
    pub(crate) fn equate(&mut self, work: &mut Work, a: TermId, b: TermId) {
        let (Some(a), Some(b)) = (self.distance(work, a), self.distance(work, b)) else { return };
        if a.base != b.base && a.by.sort() == b.by.sort() {
            let by = difference(&b.by, &a.by);
            self.relate(work, a.base, Distance { base: b.base, by });
        }
    }

    /// Learns how far a base is from another base.
    fn relate(&mut self, work: &mut Work, var: Var, distance: Distance) {
        let Distance { base, by } = distance;
        let sort = |var: Var| self.program.terms.var_sort(var);
        if var == base || sort(var) != sort(base) || !is_near(&by) {
            return;
        }
        let (above, below, by) = if self.rank(base) < self.rank(var) {
            (base, var, by)
        } else {
            (var, base, opposite(&by))
        };
        let distance = Distance { base: above, by };
        self.rebase(work, below, Some(&distance));
        let id = self.cells.id(Cell::Distance(distance));
        self.set_variable(work, below, id);
    }

    /// Detaches a variable that gets another value from the variables whose distance to it is known.
    pub(crate) fn detach(&mut self, work: &mut Work, var: Var) {
        if !self.has_distances(work) {
            return;
        }
        let mut first: Option<(Var, Value)> = None;
        for (member, by) in self.members(work, var) {
            if first.as_ref().is_none_or(|(known, _)| self.rank(member) < self.rank(*known)) {
                first = Some((member, by));
            }
        }
        let (known, signs) = match self.variable(work, var) {
            Some(Cell::Value(value)) => (Some(value.clone()), None),
            Some(Cell::Signs(signs)) => (None, Some(*signs)),
            _ => (None, None),
        };
        match (known, first) {
            // The base has a value, so the variables at a known distance from it have values, too.
            (Some(value), _) => {
                self.replace(work, var, &mut |by| Some(Cell::Value(sum(&value, by))))
            }
            (None, Some((member, by))) => {
                let back = opposite(&by);
                self.rebase(work, var, Some(&Distance { base: member, by: back }));
                let signs = signs.filter(|_| is_zero(&by));
                let id = signs.map_or(UNKNOWN, |signs| self.cells.id(Cell::Signs(signs)));
                self.set_variable(work, member, id);
            }
            (None, None) => self.rebase(work, var, None),
        }
    }

    /// Forgets all distances to globals, which are about to change.
    pub(crate) fn detach_globals(&mut self, work: &mut Work) {
        let (cells, layout) = (&self.cells, &self.layout);
        let mut change = |id: u32| match cells.get(id) {
            Some(Cell::Distance(Distance { base, .. }))
                if matches!(layout.slot(*base), Slot::Global(_)) =>
            {
                UNKNOWN
            }
            _ => id,
        };
        work.locals = self.forest.map_marked(work.locals, &mut change);
        work.below = self.forest.map_marked(work.below, &mut change);
    }

    /// Gives a value to a variable of which nothing was known, and so to all variables whose distance from it is known.
    pub(crate) fn settle(&mut self, work: &mut Work, var: Var, value: Abstract) {
        let base = self.distance_of(work, var).filter(|_| self.has_distances(work));
        let (Some(Distance { base, by }), Abstract::Known(number)) = (base, &value) else {
            let id = self.cell_of(value);
            return self.set_variable(work, var, id);
        };
        let first = difference(number, &by);
        self.replace(work, base, &mut |by| Some(Cell::Value(sum(&first, by))));
        let id = self.cell_of(Abstract::Known(first));
        self.set_variable(work, base, id);
    }

    /// The globals, and the variables of the activation where control is, that are related to a base.
    fn members(&self, work: &Work, base: Var) -> Vec<(Var, Value)> {
        let mut found = Vec::new();
        let mut look = |var: Var, id: u32| {
            if let Some(Cell::Distance(distance)) = self.cells.get(id)
                && distance.base == base
            {
                found.push((var, distance.by.clone()));
            }
        };
        if self.is_global(base) {
            let (vars, height) = (&self.layout.globals, self.layout.global_height);
            self.forest
                .each_marked(work.globals, height, &mut |at, id| look(vars[at as usize], id));
        }
        let vars = &self.program.cfa.functions[work.function].locals;
        let height = self.layout.local_height(work.function);
        self.forest.each_marked(work.locals, height, &mut |at, id| look(vars[at as usize], id));
        found
    }

    /// Relates the variables that are related to a base to another base, given the distance between the two bases.
    /// Without another base, nothing is known of these variables any more.
    fn rebase(&mut self, work: &mut Work, old: Var, new: Option<&Distance>) {
        let is_global = new.is_some_and(|new| self.is_global(new.base));
        let moved = |by: &Value| {
            let Distance { base, by: farther } = new?;
            let by = sum(by, farther);
            is_near(&by).then_some(Cell::Distance(Distance { base: *base, by }))
        };
        let below = work.below;
        self.replace(work, old, &mut { moved });
        // A variable of a caller cannot have a base among the variables of the functions that it calls.
        if !is_global && self.is_global(old) && new.is_some() {
            work.below = below;
            let mut gone = Work { globals: Tree::EMPTY, locals: Tree::EMPTY, ..*work };
            self.replace(&mut gone, old, &mut |_| None);
            work.below = gone.below;
        }
    }

    /// Replaces the cells of the variables that are related to a base; `cell` makes the new cell from the distance.
    fn replace(
        &mut self,
        work: &mut Work,
        base: Var,
        cell: &mut dyn FnMut(&Value) -> Option<Cell>,
    ) {
        let is_global = self.is_global(base);
        let cells = &mut self.cells;
        let mut change = |id: u32| {
            let by = match cells.get(id) {
                Some(Cell::Distance(distance)) if distance.base == base => distance.by.clone(),
                _ => return id,
            };
            cell(&by).map_or(UNKNOWN, |cell| cells.id(cell))
        };
        if is_global {
            work.globals = self.forest.map_marked(work.globals, &mut change);
            work.below = self.forest.map_marked(work.below, &mut change);
        }
        work.locals = self.forest.map_marked(work.locals, &mut change);
    }

    /// The state without bases that are not tracked: one of the variables that are related to such a base becomes the
    /// base in its place.
    pub(crate) fn leave_bases(
        &mut self,
        state: Tree,
        functions: &[FuncId],
        tracks: &dyn Fn(Var) -> bool,
    ) -> Tree {
        // The depth is of no concern to variables.
        let mut work = self.open(state, functions[0], 0);
        let mut bases = Vec::new();
        let mut note = |id: u32| {
            if let Some(Cell::Distance(distance)) = self.cells.get(id)
                && !tracks(distance.base)
            {
                bases.push(distance.base);
            }
        };
        self.forest.each_value(work.globals, &mut note);
        self.forest.each_value(work.locals, &mut note);
        bases.sort_unstable();
        bases.dedup();
        for base in bases {
            self.detach(&mut work, base);
        }
        let cells = &self.cells;
        work.below = self.forest.map_marked(work.below, &mut |id| match cells.get(id) {
            Some(Cell::Distance(distance)) if !tracks(distance.base) => UNKNOWN,
            _ => id,
        });
        self.close(&work)
    }

    /// Whether everything that a state knows follows from what another one knows.
    pub(crate) fn implies(&self, a: Tree, b: Tree) -> bool {
        let part = |tree, which| self.forest.child(tree, which);
        let globals = part(a, 0);
        let mut frames = (part(a, 1), part(b, 1));
        let mut all = self.implies_map((globals, Tree::EMPTY), part(b, 0), Slot::Global)
            && self.forest.leq(part(a, 2), part(b, 2));
        while all && frames.0 != frames.1 {
            all = self.implies_map((globals, part(frames.0, 0)), part(frames.1, 0), Slot::Local);
            frames = (part(frames.0, 1), part(frames.1, 1));
        }
        all
    }

    /// Whether what a map knows follows from what globals and the variables of an activation are.
    fn implies_map(
        &self,
        (globals, locals): (Tree, Tree),
        wanted: Tree,
        slot: impl Fn(u32) -> Slot,
    ) -> bool {
        let Some(height) = self.forest.height_of(wanted) else { return true };
        let get = |slot: Slot| {
            let (tree, index) = match slot {
                Slot::Global(index) => (globals, index),
                Slot::Local(index) => (locals, index),
                Slot::Address(_) => return UNKNOWN,
            };
            let height = self.forest.height_of(tree);
            height.map_or(UNKNOWN, |height| self.forest.get(tree, height, index))
        };
        // The base of a variable and its distance from this base. A variable with a value has a distance from zero, and
        // a variable of which nothing is known is its own base.
        let told = |slot: Slot| match self.cells.get(get(slot)) {
            Some(Cell::Distance(distance)) => {
                Some((Some(self.layout.slot(distance.base)), Some(distance.by.clone())))
            }
            Some(Cell::Value(value)) => Some((None, Some(value.clone()))),
            Some(_) => None,
            None => Some((Some(slot), None)),
        };
        let mut all = true;
        self.forest.each(wanted, height, &mut |index, id| {
            if !all || get(slot(index)) == id {
                return;
            }
            let Some(Cell::Distance(distance)) = self.cells.get(id) else {
                all = false;
                return;
            };
            let by = &distance.by;
            all = match (told(slot(index)), told(self.layout.slot(distance.base))) {
                (Some((a, far)), Some((b, near))) if a == b => {
                    let near = near.map_or_else(|| by.clone(), |near| sum(&near, by));
                    far.unwrap_or_else(|| difference(by, by)) == near
                }
                _ => false,
            };
        });
        all
    }
}
