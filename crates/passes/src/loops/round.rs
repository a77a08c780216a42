//! One round of a loop, executed with symbols.
//!
//! A round begins at the head of a loop and is complete when it is there again. Its effect is given by
//! terms over the values that variables have when the round begins. Ways through the round that meet
//! again are merged, each value by the condition that told the ways apart; functions that the round calls
//! are executed in place.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Cfa, EdgeId, FuncId, LocId, Loops, Op, Program, Scope};
use interp::Site;
use term::{TermId, Terms, Var};

use super::apart;
use super::loose::{Effects, Loose};

/// Loops and called functions with more locations than this are not looked at.
const MOST_PLACES: usize = 300;

/// How many operations a round may have, those of called functions included.
const MOST_OPS: usize = 2000;

/// How many terms the execution of a round may add.
const MOST_TERMS: usize = 20_000;

/// Locations with more edges than this are not looked at.
const MOST_EDGES: usize = 8;

/// How deep calls in a round may be nested.
const MOST_CALLS: usize = 8;

/// What a round does, over the values at its beginning.
pub(super) struct Round {
    /// The round is completed exactly if none of these conditions holds.
    pub(super) leaves: Vec<TermId>,
    /// The values of variables after a completed round, where it assigns them.
    pub(super) updates: BTreeMap<Var, TermId>,
    /// How many edges a round has, those of called functions included; the least number, if it is not always the same.
    pub(super) edges: u64,
    /// Whether executions may be stuck in a round: where none of the edges of a location can be taken.
    pub(super) stuck: bool,
}

impl Round {
    /// Executes a round of the loop with a head. `None` if it may do something that terms cannot
    /// say: touch memory, ask for inputs, choose between edges, call a function that loops.
    pub(super) fn of(
        program: &Program,
        loops: &Loops,
        head: LocId,
        terms: &mut Terms,
    ) -> Option<Self> {
        let id = loops.headed(head)?;
        let known = &loops.loops[id];
        let body = loops.body(id);
        let is_plain = |at: &LocId| loops.innermost(*at) == Some(id);
        if !known.reducible || body.len() > MOST_PLACES || !body.iter().all(is_plain) {
            return None;
        }
        Walker::new(program, head, terms, None).round(head, body)
    }

    /// A round of a loop whose rounds may do anything: symbols that are new in the table stand for whatever a round
    /// does not determine, and are given back. Every round of the loop that is completed does what the updates say, for
    /// some values of these symbols, and no condition to leave holds in it. `None` if the loop is too large or entered
    /// in its middle.
    pub(super) fn loosely<'l>(
        program: &Program,
        loops: &'l Loops,
        effects: &'l Effects,
        head: LocId,
        terms: &mut Terms,
    ) -> Option<(Self, Loose<'l>)> {
        let id = loops.headed(head)?;
        let known = &loops.loops[id];
        let body = loops.body(id);
        if !known.reducible || body.len() > MOST_PLACES {
            return None;
        }
        let mut walker = Walker::new(program, head, terms, Some(Loose::new(loops, effects, head)));
        let round = walker.round(head, body)?;
        let loose = walker.loose.take()?;
        Some((round, loose))
    }
}

/// Some of the ways to a location.
#[derive(Clone, Default)]
pub(super) struct State {
    /// What told these ways apart from others that complete the round: a conjunction, in order.
    pub(super) guard: BTreeSet<TermId>,
    /// The values of variables that were assigned.
    pub(super) values: BTreeMap<Var, TermId>,
    /// How many edges the shortest way has.
    edges: u64,
}

/// Executes a round with symbols.
pub(super) struct Walker<'a, 'l> {
    pub(super) program: &'a Program,
    pub(super) terms: &'a mut Terms,
    most_terms: usize,
    pub(super) leaves: Vec<TermId>,
    /// The function of the loop, and those that are being called.
    pub(super) functions: Vec<FuncId>,
    ops: usize,
    stuck: bool,
    /// Symbols for what a round does not determine, if it may do such things.
    pub(super) loose: Option<Loose<'l>>,
}

impl<'a, 'l> Walker<'a, 'l> {
    fn new(
        program: &'a Program,
        head: LocId,
        terms: &'a mut Terms,
        loose: Option<Loose<'l>>,
    ) -> Self {
        let functions = vec![program.cfa.locations[head].function];
        let most_terms = terms.len() + MOST_TERMS;
        let (leaves, stuck) = (Vec::new(), false);
        Self { program, terms, most_terms, leaves, functions, ops: 0, stuck, loose }
    }

    fn round(&mut self, head: LocId, body: &[LocId]) -> Option<Round> {
        let inside: BTreeSet<LocId> = body.iter().copied().collect();
        let end = self.region(head, head, &inside, State::default())?;
        let is_changed = |(var, value): &(Var, TermId)| self.terms.var(*var) != *value;
        let updates = end.values.into_iter().filter(is_changed).collect();
        let leaves = std::mem::take(&mut self.leaves);
        Some(Round { leaves, updates, edges: end.edges, stuck: self.stuck })
    }

    /// Executes all ways from one location to another, each passing locations in `inside` once at
    /// most. Whatever leads elsewhere leaves the round.
    fn region(
        &mut self,
        start: LocId,
        goal: LocId,
        inside: &BTreeSet<LocId>,
        state: State,
    ) -> Option<State> {
        let order = self.order(start, goal, inside)?;
        let mut arrived: BTreeMap<LocId, Vec<State>> = BTreeMap::from([(start, vec![state])]);
        let mut ended = Vec::new();
        for at in order {
            let Some(states) = arrived.remove(&at) else { continue };
            let state = self.merge(states)?;
            for (edge, skip, state) in self.leave(at, inside, state)? {
                let target = self.program.cfa.edges[edge].target;
                let state = self.take(edge, skip, state)?;
                if target == goal {
                    ended.push(state);
                } else {
                    arrived.entry(target).or_default().push(state);
                }
            }
        }
        self.merge(ended)
    }

    /// The locations on ways to the goal, each after those that lead to it. `None` if there is a
    /// cycle besides the one through the goal.
    fn order(&self, start: LocId, goal: LocId, inside: &BTreeSet<LocId>) -> Option<Vec<LocId>> {
        let cfa = &self.program.cfa;
        let nexts = |at: LocId| {
            let exits = self.loose.as_ref().and_then(|loose| loose.passed(cfa, at));
            let edges = exits.unwrap_or_else(|| cfa.locations[at].edges.to_vec());
            let targets = edges.into_iter().map(|edge| cfa.edges[edge].target);
            targets.filter(|target| inside.contains(target) && *target != goal)
        };
        let mut incoming: BTreeMap<LocId, usize> = BTreeMap::from([(start, 0)]);
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            for next in nexts(at) {
                *incoming.entry(next).or_insert_with(|| {
                    waiting.push(next);
                    0
                }) += 1;
            }
        }
        let mut order = Vec::new();
        let mut ready = vec![start];
        while let Some(at) = ready.pop() {
            order.push(at);
            for next in nexts(at) {
                let left = incoming.get_mut(&next)?;
                // A way back to the start is a cycle, too.
                *left = left.checked_sub(1)?;
                if *left == 0 {
                    ready.push(next);
                }
            }
        }
        (order.len() == incoming.len()).then_some(order)
    }

    /// The edges of a location that stay inside, each with the number of assumptions that need not be looked at again
    /// and the state of the executions that take it. Notes under which conditions executions leave the round.
    fn leave(
        &mut self,
        at: LocId,
        inside: &BTreeSet<LocId>,
        state: State,
    ) -> Option<Vec<(EdgeId, usize, State)>> {
        let cfa = &self.program.cfa;
        let location = &cfa.locations[at];
        if self.loose.as_ref().is_some_and(|loose| loose.passed(cfa, at).is_some()) {
            return self.pass_loop(at, inside, state);
        }
        if location.error && self.loose.is_none() {
            return None;
        }
        let stays = |edge: &EdgeId| {
            let known = &cfa.edges[*edge];
            inside.contains(&known.target) && !known.ops.iter().any(is_end)
        };
        match location.edges[..] {
            [edge] if stays(&edge) => Some(vec![(edge, 0, state)]),
            [edge, other] => {
                let (first, second) = (assumed(cfa, edge), assumed(cfa, other));
                let known = first.zip(second).filter(|(one, two)| {
                    self.terms.not(*one) == *two || self.terms.not(*two) == *one
                });
                let Some((one, _)) = known else {
                    return self.distinguish(&[edge, other], inside, state);
                };
                let one = self.value(&state, one)?;
                let two = self.terms.not(one);
                match (stays(&edge), stays(&other)) {
                    (true, true) => {
                        let mut elsewhere = state.clone();
                        elsewhere.guard.insert(two);
                        let mut state = state;
                        state.guard.insert(one);
                        Some(vec![(edge, 1, state), (other, 1, elsewhere)])
                    }
                    (true, false) => {
                        self.leaves(&state, two);
                        Some(vec![(edge, 1, state)])
                    }
                    (false, true) => {
                        self.leaves(&state, one);
                        Some(vec![(other, 1, state)])
                    }
                    (false, false) => {
                        let yes = self.terms.bool(true);
                        self.leaves(&state, yes);
                        Some(Vec::new())
                    }
                }
            }
            [_] | [] => {
                let yes = self.terms.bool(true);
                self.leaves(&state, yes);
                Some(Vec::new())
            }
            _ => self.distinguish(&location.edges, inside, state),
        }
    }

    /// Takes the edges of a location whose conditions are seen to exclude each other, and any of them
    /// otherwise, as far as a round may choose.
    fn distinguish(
        &mut self,
        edges: &[EdgeId],
        inside: &BTreeSet<LocId>,
        state: State,
    ) -> Option<Vec<(EdgeId, usize, State)>> {
        let cfa = &self.program.cfa;
        let conditions: Option<Vec<TermId>> =
            edges.iter().map(|edge| assumed(cfa, *edge)).collect();
        let conditions = conditions.filter(|conditions| {
            let mut pairs = conditions.iter().enumerate();
            let excludes = |(at, one): (usize, &TermId)| {
                conditions[..at].iter().all(|other| apart::exclude(self.terms, *one, *other))
            };
            conditions.len() <= MOST_EDGES && pairs.all(excludes)
        });
        let Some(conditions) = conditions else { return self.choose(edges, inside, &state) };
        self.stuck = true;
        let mut taken = Vec::new();
        let mut staying = Vec::new();
        for (edge, condition) in edges.iter().zip(conditions) {
            let known = &cfa.edges[*edge];
            if inside.contains(&known.target) && !known.ops.iter().any(is_end) {
                let holds = self.value(&state, condition)?;
                staying.push(holds);
                let mut state = state.clone();
                state.guard.insert(holds);
                taken.push((*edge, 1, state));
            }
        }
        // If there is only one way on, the round does not remember its condition.
        if let [(_, _, only)] = &mut taken[..] {
            only.guard.clone_from(&state.guard);
        }
        let stays = self.terms.or(&staying);
        let leaves = self.terms.not(stays);
        self.leaves(&state, leaves);
        Some(taken)
    }

    /// Notes that executions in a state leave the round under a condition. Executions that go on do not remember that
    /// the condition failed: it matters only to executions that never leave.
    fn leaves(&mut self, state: &State, condition: TermId) {
        let mut all: Vec<TermId> = state.guard.iter().copied().collect();
        all.push(condition);
        let leaves = self.terms.and(&all);
        if !self.terms.is_false(leaves) {
            self.leaves.push(leaves);
        }
    }

    fn take(&mut self, edge: EdgeId, skip: usize, mut state: State) -> Option<State> {
        let program = self.program;
        state.edges += 1;
        for (number, op) in program.cfa.edges[edge].ops.iter().enumerate().skip(skip) {
            self.ops += 1;
            if self.ops > MOST_OPS || self.terms.len() > self.most_terms {
                return None;
            }
            match op {
                Op::Assume(holds) | Op::Check { holds, .. } => {
                    let holds = self.value(&state, *holds)?;
                    let fails = self.terms.not(holds);
                    self.leaves(&state, fails);
                }
                Op::Assign { var, value } => {
                    let value = self.value(&state, *value)?;
                    state.values.insert(*var, value);
                }
                Op::Call { callee, arguments, results } if self.loose.is_some() => {
                    state = self.call_loosely(*callee, arguments, results, state);
                }
                Op::Call { callee, arguments, results } => {
                    state = self.call(*callee, arguments, results, state)?;
                }
                op => {
                    // Edges have fewer than 2^32 operations.
                    let site = Site { edge, op: number as u32 };
                    self.take_loosely(site, op, &mut state)?;
                }
            }
        }
        Some(state)
    }

    /// The value of a term in a state. `None` if it reads a local variable of a called function that
    /// was not assigned.
    fn value(&mut self, state: &State, term: TermId) -> Option<TermId> {
        let variables = &self.program.cfa.variables;
        let is_known = |var: &Var| {
            state.values.contains_key(var)
                || match variables.get(*var).map(|known| known.scope) {
                    Some(Scope::Local(function)) => function == self.functions[0],
                    // Symbols for what a round does not determine are no variables.
                    Some(Scope::Global | Scope::Address(_)) | None => true,
                }
        };
        if !self.terms.vars(term).iter().all(is_known) {
            return self.loose.is_some().then(|| self.symbol(self.terms.sort(term)));
        }
        Some(self.terms.substitute(term, &mut |var| state.values.get(&var).copied()))
    }

    pub(super) fn call(
        &mut self,
        callee: FuncId,
        arguments: &[TermId],
        results: &[Var],
        mut state: State,
    ) -> Option<State> {
        if self.functions.contains(&callee) || self.functions.len() > MOST_CALLS {
            return None;
        }
        let function = &self.program.cfa.functions[callee];
        let values: Option<Vec<TermId>> =
            arguments.iter().map(|argument| self.value(&state, *argument)).collect();
        state.values.extend(function.parameters.iter().copied().zip(values?));
        let inside = returning(self.program, callee)?;
        self.functions.push(callee);
        // The function tells the ways through it apart by itself.
        let guard = std::mem::take(&mut state.guard);
        let leaves = std::mem::take(&mut self.leaves);
        let mut state = self.region(function.entry, function.exit, &inside, state)?;
        self.functions.pop();
        let inner = std::mem::replace(&mut self.leaves, leaves);
        state.guard = guard;
        for leaves in inner {
            self.leaves(&state, leaves);
        }
        let returned: Option<Vec<TermId>> = function.results[..results.len()]
            .iter()
            .map(|result| state.values.get(result).copied())
            .collect();
        for local in &function.locals {
            state.values.remove(local);
        }
        state.values.extend(results.iter().copied().zip(returned?));
        Some(state)
    }

    /// The executions of several states of one location in one. `None` if there are none.
    fn merge(&mut self, states: Vec<State>) -> Option<State> {
        let mut states = states.into_iter();
        let mut merged = states.next()?;
        for state in states {
            merged = self.merge_two(merged, state);
        }
        Some(merged)
    }

    fn merge_two(&mut self, one: State, other: State) -> State {
        let common: BTreeSet<TermId> = one.guard.intersection(&other.guard).copied().collect();
        let rest = |guard: &BTreeSet<TermId>| guard.difference(&common).copied().collect();
        let (left, right): (Vec<TermId>, Vec<TermId>) = (rest(&one.guard), rest(&other.guard));
        let (left, right) = (self.terms.and(&left), self.terms.and(&right));
        let mut guard = common;
        if self.terms.not(left) != right && self.terms.not(right) != left {
            let either = self.terms.or2(left, right);
            if !self.terms.is_true(either) {
                guard.insert(either);
            }
        }
        let vars: BTreeSet<Var> = one.values.keys().chain(other.values.keys()).copied().collect();
        let mut values = BTreeMap::new();
        for var in vars {
            let is_shared = match self.program.cfa.variables[var].scope {
                Scope::Local(function) => function == self.functions[0],
                Scope::Global | Scope::Address(_) => true,
            };
            let before = is_shared.then(|| self.terms.var(var));
            let value = |state: &State| state.values.get(&var).copied().or(before);
            // A local variable that one of the ways leaves unassigned is not read afterwards.
            if let (Some(a), Some(b)) = (value(&one), value(&other)) {
                values.insert(var, self.terms.ite(left, a, b));
            }
        }
        State { guard, values, edges: one.edges.min(other.edges) }
    }
}

/// Whether an operation ends executions.
pub(super) fn is_end(op: &Op) -> bool {
    matches!(op, Op::Exit(_) | Op::Abort | Op::Unsupported(_))
}

/// The condition that an edge begins with.
fn assumed(cfa: &Cfa, edge: EdgeId) -> Option<TermId> {
    match cfa.edges[edge].ops.first() {
        Some(Op::Assume(condition)) => Some(*condition),
        _ => None,
    }
}

/// The locations of a function from which it may return. `None` if there are too many, or if one
/// of its loops is among them.
fn returning(program: &Program, function: FuncId) -> Option<BTreeSet<LocId>> {
    let cfa = &program.cfa;
    let known = &cfa.functions[function];
    let mut all: BTreeSet<LocId> = BTreeSet::from([known.entry]);
    let mut waiting = vec![known.entry];
    let mut edges: Vec<(LocId, LocId)> = Vec::new();
    while let Some(at) = waiting.pop() {
        if all.len() > MOST_PLACES {
            return None;
        }
        for edge in &cfa.locations[at].edges {
            let target = cfa.edges[*edge].target;
            edges.push((at, target));
            if all.insert(target) {
                waiting.push(target);
            }
        }
    }
    let mut returning = BTreeSet::from([known.exit]);
    loop {
        let before = returning.len();
        for (from, to) in edges.iter().rev() {
            if returning.contains(to) {
                returning.insert(*from);
            }
        }
        if returning.len() == before {
            return Some(returning);
        }
    }
}
