//! Propagation of constants: variables that have one value at a location whenever executions pass
//! it are replaced by this value there, and edges that cannot be taken are left out.
//!
//! One state for each location says which variables have which values (Kildall 1973); a function
//! starts with what all its calls agree on. Memory is not followed.

use std::collections::BTreeSet;
use std::rc::Rc;

use base::{Id as _, IndexVec};
use cfa::{Calls, Cfa, EdgeId, FuncId, LocId, Op, Program, Scope};
use domains::trees::{Forest, Tree, height};
use term::{Op as Operator, TermId, Terms, Value, Var, View};

use crate::Rewritten;
use crate::draft::{Draft, Revised};
use crate::reads::Reads;

/// How often a location is looked at, on average, before the pass gives up.
const MOST_VISITS: usize = 24;

/// How many global variables that a function changes are told apart from those that it does not change.
const MOST_CHANGED: usize = 64;

/// The longest integer, in bits, that is taken for a constant.
const LONGEST_INTEGER: u64 = 4096;

/// The program with constants in place. It has the same executions.
#[must_use]
pub fn constants(program: &Program) -> Rewritten {
    let mut run = Propagation::of(program);
    if !run.iterate() {
        return Rewritten::unchanged(program);
    }
    let mut edges: IndexVec<EdgeId, Option<Revised>> =
        program.cfa.edges.iter().map(|_| None).collect();
    for (edge, known) in program.cfa.edges.entries() {
        if let Some(state) = run.states[known.source] {
            edges[edge] = run.revise(edge, state);
        }
    }
    let mut draft = Draft::of(program, run.terms);
    draft.edges = edges;
    draft.finish()
}

/// The values of variables: of the global ones, and of those of the function that is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    globals: Tree,
    locals: Tree,
}

struct Propagation<'a> {
    cfa: &'a Cfa,
    terms: Terms,
    reads: Reads,
    forest: Forest,
    /// The place of each variable in its tree.
    index: IndexVec<Var, u32>,
    /// How high trees of global and of local variables are.
    heights: [u32; 2],
    states: IndexVec<LocId, Option<State>>,
    calls: Calls,
    /// The global variables that a function or one that it calls may change; `None` if they are
    /// many.
    changed: IndexVec<FuncId, Option<Rc<[Var]>>>,
    /// The order in which locations are looked at.
    rank: IndexVec<LocId, u32>,
    waiting: BTreeSet<(u32, LocId)>,
}

impl<'a> Propagation<'a> {
    fn of(program: &'a Program) -> Self {
        let cfa = &program.cfa;
        let calls = Calls::of(cfa);
        let mut counts: IndexVec<FuncId, u32> = IndexVec::filled(0, cfa.functions.len());
        let mut globals = 0;
        let index = cfa.variables.iter().map(|variable| {
            let count = match variable.scope {
                Scope::Local(function) => &mut counts[function],
                Scope::Global | Scope::Address(_) => &mut globals,
            };
            *count += 1;
            *count - 1
        });
        let index = index.collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        Self {
            cfa,
            terms: program.terms.clone(),
            reads: Reads::default(),
            forest: Forest::default(),
            index,
            heights: [height(globals as usize), height(most as usize)],
            states: IndexVec::filled(None, cfa.locations.len()),
            changed: changed(cfa, &calls),
            rank: ranks(cfa, &calls),
            calls,
            waiting: BTreeSet::new(),
        }
    }

    /// Finds the states of all locations. False if that takes too long.
    fn iterate(&mut self) -> bool {
        let Some(start) = self.cfa.start else { return true };
        let nothing = State { globals: Tree::EMPTY, locals: Tree::EMPTY };
        self.reach(self.cfa.functions[start].entry, nothing);
        let mut left = MOST_VISITS * self.cfa.locations.len();
        while let Some((_, at)) = self.waiting.pop_first() {
            let Some(state) = self.states[at] else { continue };
            left = match left.checked_sub(1) {
                Some(left) => left,
                None => return false,
            };
            for edge in self.cfa.locations[at].edges.clone() {
                let known = &self.cfa.edges[edge];
                match known.ops.first() {
                    Some(Op::Call { callee, arguments, results }) => {
                        self.call(state, *callee, arguments);
                        self.give_back(state, *callee, results, known.target);
                    }
                    _ => {
                        if let Some(after) = self.take(edge, state) {
                            self.reach(known.target, after);
                        }
                    }
                }
            }
            let function = self.cfa.locations[at].function;
            if at == self.cfa.functions[function].exit {
                for site in self.calls.sites(function).to_vec() {
                    self.wait(self.cfa.edges[site].source);
                }
            }
        }
        true
    }

    fn wait(&mut self, at: LocId) {
        self.waiting.insert((self.rank[at], at));
    }

    /// Adds executions to those that pass a location.
    fn reach(&mut self, at: LocId, state: State) {
        let joined = match self.states[at] {
            None => state,
            Some(known) => State {
                globals: self.forest.join(known.globals, state.globals),
                locals: self.forest.join(known.locals, state.locals),
            },
        };
        if self.states[at] != Some(joined) {
            self.states[at] = Some(joined);
            self.wait(at);
        }
    }

    fn call(&mut self, state: State, callee: FuncId, arguments: &[TermId]) {
        let function = &self.cfa.functions[callee];
        let mut inner = State { globals: state.globals, locals: Tree::EMPTY };
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let value = self.fold(*argument, state);
            self.assign(&mut inner, *parameter, Some(value));
        }
        self.reach(function.entry, inner);
    }

    /// Goes on behind a call, if the callee is known to return.
    fn give_back(&mut self, state: State, callee: FuncId, results: &[Var], target: LocId) {
        let function = &self.cfa.functions[callee];
        let Some(inner) = self.states[function.exit] else { return };
        let mut after = state;
        match self.changed[callee].clone() {
            Some(changed) => {
                for var in changed.iter() {
                    let value = self.value(inner, *var);
                    self.assign(&mut after, *var, value);
                }
            }
            // Too many variables change to be told apart: all globals get what all calls agree on, even those that the
            // callee leaves alone.
            None => after.globals = inner.globals,
        }
        for (var, result) in results.iter().zip(&function.results) {
            let value = self.value(inner, *result);
            self.assign(&mut after, *var, value);
        }
        self.reach(target, after);
    }

    /// The constant that a variable has.
    fn value(&self, state: State, var: Var) -> Option<TermId> {
        let (tree, height) = match self.cfa.variables.get(var)?.scope {
            Scope::Global => (state.globals, self.heights[0]),
            Scope::Local(_) => (state.locals, self.heights[1]),
            Scope::Address(_) => return None,
        };
        let known = self.forest.get(tree, height, self.index[var]);
        known.checked_sub(1).map(|index| TermId::from_index(index as usize))
    }

    /// Gives a variable a value, or forgets the value that it has if there is no new value or if the new value is not a
    /// constant.
    fn assign(&mut self, state: &mut State, var: Var, value: Option<TermId>) {
        let (tree, height) = match self.cfa.variables[var].scope {
            Scope::Global => (&mut state.globals, self.heights[0]),
            Scope::Local(_) => (&mut state.locals, self.heights[1]),
            Scope::Address(_) => return,
        };
        let constant = value.filter(|value| is_constant(&self.terms, *value));
        // The index is that of a `u32`, and there are fewer terms than that by one at least.
        let entry = constant.map_or(0, |constant| constant.index() as u32 + 1);
        *tree = self.forest.set(*tree, height, self.index[var], entry);
    }

    /// A term with the constants in place.
    fn fold(&mut self, term: TermId, state: State) -> TermId {
        let mut known: Vec<(Var, TermId)> = Vec::new();
        for var in self.reads.of(&self.terms, term).to_vec() {
            known.extend(self.value(state, var).map(|value| (var, value)));
        }
        if known.is_empty() {
            return term;
        }
        self.terms.substitute(term, &mut |var| {
            let place = known.binary_search_by_key(&var, |pair| pair.0).ok()?;
            Some(known[place].1)
        })
    }

    /// What is known after an edge that is no call; `None` if no execution gets to its end.
    fn take(&mut self, edge: EdgeId, mut state: State) -> Option<State> {
        for op in &self.cfa.edges[edge].ops {
            self.perform(op, &mut state)?;
        }
        Some(state)
    }

    /// What is known after an operation that is no call; `None` if no execution goes on.
    fn perform(&mut self, op: &Op, state: &mut State) -> Option<()> {
        match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => {
                let condition = self.fold(*condition, *state);
                if self.terms.is_false(condition) {
                    return None;
                }
                self.learn(condition, state);
            }
            Op::Assign { var, value } => {
                let value = self.fold(*value, *state);
                self.assign(state, *var, Some(value));
            }
            Op::HavocReachable { .. } => state.globals = Tree::EMPTY,
            Op::Exit(_) | Op::Abort | Op::Unsupported(_) => return None,
            op => {
                for var in op.assigned() {
                    self.assign(state, *var, None);
                }
            }
        }
        Some(())
    }

    /// What a condition that holds says of variables.
    fn learn(&mut self, condition: TermId, state: &mut State) {
        let (var, value) = match self.terms.view(condition) {
            View::Var(var) => (var, self.terms.bool(true)),
            View::App(Operator::Not, [negated]) => match self.terms.view(*negated) {
                View::Var(var) => (var, self.terms.bool(false)),
                _ => return,
            },
            View::App(Operator::Eq, [a, b]) => match (self.terms.view(*a), self.terms.view(*b)) {
                (View::Var(var), View::Const(_)) => (var, *b),
                (View::Const(_), View::Var(var)) => (var, *a),
                _ => return,
            },
            View::App(Operator::And, parts) => {
                let parts = parts.to_vec();
                parts.into_iter().for_each(|part| self.learn(part, state));
                return;
            }
            _ => return,
        };
        self.assign(state, var, Some(value));
    }

    /// An edge with the constants in place; `None` if it cannot be taken.
    fn revise(&mut self, edge: EdgeId, mut state: State) -> Option<Revised> {
        let known = &self.cfa.edges[edge];
        let mut ops = Vec::with_capacity(known.ops.len());
        for (number, op) in (0..).zip(&known.ops) {
            let mut folded = op.clone();
            for term in folded.terms_mut() {
                *term = self.fold(*term, state);
            }
            let holds = match folded {
                Op::Assume(holds) | Op::Check { holds, .. } => self.terms.value(holds).cloned(),
                _ => None,
            };
            match (&folded, holds) {
                (_, Some(Value::Bool(true))) => {}
                (Op::Assume(_), Some(Value::Bool(false))) => return None,
                (_, Some(_)) => {
                    // No execution goes on here, and the shape of the program is to say so.
                    ops.extend([(folded, Some(number)), (Op::Abort, None)]);
                    break;
                }
                _ => ops.push((folded, Some(number))),
            }
            let is_call = matches!(op, Op::Call { .. });
            if !is_call && self.perform(op, &mut state).is_none() {
                break;
            }
        }
        Some(Revised { target: known.target, ops, several: false })
    }
}

/// Whether a term is a constant that is worth to be put in place.
fn is_constant(terms: &Terms, term: TermId) -> bool {
    match terms.value(term) {
        Some(Value::Int(number)) => number.bits() <= LONGEST_INTEGER,
        Some(Value::Rat(number)) => {
            number.numer().bits() + number.denom().bits() <= LONGEST_INTEGER
        }
        Some(Value::Array(_)) | None => false,
        Some(Value::Bool(_) | Value::Bv(_) | Value::Float(_)) => true,
    }
}

/// The global variables that each function or one that it calls may change; `None` if they are many.
fn changed(cfa: &Cfa, calls: &Calls) -> IndexVec<FuncId, Option<Rc<[Var]>>> {
    let count = cfa.functions.len();
    let mut own: IndexVec<FuncId, BTreeSet<Var>> = IndexVec::filled(BTreeSet::new(), count);
    let mut many: IndexVec<FuncId, bool> = IndexVec::filled(false, count);
    for edge in &cfa.edges {
        let function = cfa.locations[edge.source].function;
        for op in &edge.ops {
            let is_global = |var: &&Var| cfa.variables[**var].scope == Scope::Global;
            own[function].extend(op.assigned().iter().filter(is_global));
            many[function] |= matches!(op, Op::HavocReachable { .. });
        }
    }
    let mut changed: IndexVec<FuncId, Option<Rc<[Var]>>> = IndexVec::filled(None, count);
    for (number, group) in calls.components().iter().enumerate() {
        let mut vars: BTreeSet<Var> = BTreeSet::new();
        let mut is_many = false;
        for function in group {
            vars.append(&mut own[*function]);
            is_many |= many[*function];
            for callee in calls.callees(*function) {
                match &changed[*callee] {
                    // This callee is in the group of functions whose list is being made.
                    _ if calls.component(*callee) == number => {}
                    Some(list) => vars.extend(list.iter()),
                    None => is_many = true,
                }
            }
            is_many |= vars.len() > MOST_CHANGED;
        }
        if !is_many {
            let list: Rc<[Var]> = vars.into_iter().collect();
            group.iter().for_each(|function| changed[*function] = Some(list.clone()));
        }
    }
    changed
}

/// An order in which what leads to a location mostly comes before it: callers before callees, and
/// within a function the order of control flow.
fn ranks(cfa: &Cfa, calls: &Calls) -> IndexVec<LocId, u32> {
    let mut rank = IndexVec::filled(u32::MAX, cfa.locations.len());
    let mut seen = IndexVec::filled(false, cfa.locations.len());
    let mut order: Vec<LocId> = Vec::with_capacity(cfa.locations.len());
    // The reverse of the order in which the search leaves locations, callees first.
    for function in calls.components().iter().flatten() {
        let entry = cfa.functions[*function].entry;
        let mut stack = vec![(entry, 0)];
        seen[entry] = true;
        while let Some((at, next)) = stack.last_mut() {
            let Some(edge) = cfa.locations[*at].edges.get(*next) else {
                order.push(*at);
                stack.pop();
                continue;
            };
            *next += 1;
            let target = cfa.edges[*edge].target;
            if !std::mem::replace(&mut seen[target], true) {
                stack.push((target, 0));
            }
        }
    }
    for (number, at) in (0..).zip(order.iter().rev()) {
        rank[*at] = number;
    }
    rank
}
