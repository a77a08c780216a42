//! An execution that somebody describes by the edges that it takes on its way to an error. A description leaves much
//! open: the values of inputs and memory, and what happens between two of its edges. So executions with symbols in
//! place of values are followed from one edge of the description to the next, the shortest ways first, and the solver
//! is asked for values when one of them has reached an error.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use cfa::{EdgeId, Program};
use run::{Budget, Counterexample, Feasibility, Replayed};
use smt::{Answer, FullSolver, NewSolver};
use symbolic::{Executor, Guard, OutsideReading, State};
use term::{TermId, Terms};

use crate::path::Paths;

/// What is said of an execution.
#[derive(Clone, Debug, Default)]
pub struct Directions {
    /// The edges that lead on: an execution that has taken more of them is closer to the error.
    pub onwards: BTreeSet<EdgeId>,
    /// The edges that the execution does not take.
    pub never: BTreeSet<EdgeId>,
}

/// How many edges are taken with symbols, at most, in all executions together: each makes some kilobytes of terms.
const MOST_STEPS: u64 = 60_000;

/// How many paths to an error are checked exactly, at most.
const MOST_PATHS: u32 = 16;

/// How many edges an execution takes before other executions get their turn.
const TURN: u64 = 64;

/// After this many further conditions, an execution is given up if its conditions contradict each other.
const CONDITIONS: usize = 64;

/// How many conflicts the question may have whether conditions contradict each other.
const CONFLICTS: u64 = 2_000;

/// An execution that goes as directed and reaches an error, if one is found. The execution has been replayed.
///
/// If none is found, this says nothing: pointers from outside are guessed to be far from each other, an execution that
/// contradicts this guess is given up, and all executions are given up when they have taken too many edges.
#[must_use]
pub fn directed(
    program: &Program,
    directions: &Directions,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> Option<Counterexample> {
    let mut terms = program.terms.clone();
    let mut executor = Executor::new(&program.cfa, &mut terms);
    executor.keep_within(budget);
    executor.read_outside(OutsideReading::Guessed);
    let start = executor.start(&mut terms)?;
    let waiting = BinaryHeap::from([Waiting::at(start)]);
    let mut search = Search {
        program,
        directions,
        executor,
        terms,
        solver: solver(),
        budget,
        waiting,
        taken: Vec::new(),
        impossible: Vec::new(),
        steps: 0,
        made: 0,
    };
    let found = search.run(solver);
    let Search { executor, terms, solver, waiting, .. } = search;
    budget.abandon((executor, terms, solver, waiting));
    found
}

/// An execution with symbols that waits for its turn.
struct Waiting {
    /// How many edges that lead on the execution has taken.
    onwards: u32,
    /// How many edges the execution has taken since its last edge that leads on.
    since: u64,
    /// The number of the execution.
    number: u64,
    state: State,
    /// The last edge of the execution: its number in [`Search::taken`], counted from one; zero if no edge was taken.
    last: usize,
    /// How many conditions the execution had when they were last looked at for contradictions.
    checked: usize,
}

impl Waiting {
    fn at(state: State) -> Self {
        Self { onwards: 0, since: 0, number: 0, state, last: 0, checked: 0 }
    }

    /// Executions are taken up in this order, the greatest first.
    fn rank(&self) -> (u32, Reverse<u64>, Reverse<u64>) {
        (self.onwards, Reverse(self.since), Reverse(self.number))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

struct Search<'a> {
    program: &'a Program,
    directions: &'a Directions,
    executor: Executor<'a>,
    terms: Terms,
    solver: Box<dyn FullSolver>,
    budget: &'a Budget,
    waiting: BinaryHeap<Waiting>,
    /// The edges that were taken, each with the one before it, as in [`Waiting::last`].
    taken: Vec<(usize, EdgeId)>,
    /// Guards that no values satisfy.
    impossible: Vec<Guard>,
    steps: u64,
    /// How many executions were made.
    made: u64,
}

impl Search<'_> {
    fn run(&mut self, solver: NewSolver<'_>) -> Option<Counterexample> {
        let paths = Paths::of(self.program);
        let mut found = 0;
        while let Some(mut next) = self.waiting.pop() {
            if self.steps > MOST_STEPS || self.budget.exceeded().is_some() {
                return None;
            }
            if self.is_given_up(&mut next) {
                continue;
            }
            let Some((guard, last)) = self.go_on(next) else { continue };
            let answer = paths.check(&self.path(last), solver, self.budget);
            if let Feasibility::Feasible(Replayed::Error(found)) = answer {
                return Some(found);
            }
            found += 1;
            if found == MOST_PATHS {
                return None;
            }
            self.look_for_contradiction(guard);
        }
        None
    }

    /// Whether the conditions of an execution contradict each other, as far as that is known or asked now.
    fn is_given_up(&mut self, next: &mut Waiting) -> bool {
        let guard = next.state.guard;
        let length = self.executor.length(guard);
        let is_new = length >= next.checked + CONDITIONS;
        if is_new {
            next.checked = length;
            self.look_for_contradiction(guard);
        }
        let is_within = |known: &Guard| {
            let known_length = self.executor.length(*known);
            known_length <= length && self.executor.prefix(guard, known_length) == *known
        };
        self.impossible.iter().any(is_within)
    }

    /// Notes the first conditions of a guard that contradict each other, if they do.
    fn look_for_contradiction(&mut self, guard: Guard) {
        let mut conditions = self.executor.conditions(guard);
        conditions.reverse();
        let limits = self.budget.with_conflicts(CONFLICTS);
        if self.solver.check(&self.terms, &conditions, &limits) != Answer::Unsat {
            return;
        }
        let place = |formula: &TermId| conditions.iter().position(|condition| condition == formula);
        let last = self.solver.core().iter().filter_map(place).max();
        let length = last.map_or(conditions.len(), |last| last + 1);
        self.impossible.push(self.executor.prefix(guard, length));
    }

    /// Follows an execution for a turn, as long as only one edge can be taken. Gives its guard and its last edge if
    /// the execution has reached an error; otherwise the executions that it may become wait for their turn.
    fn go_on(&mut self, mut next: Waiting) -> Option<(Guard, usize)> {
        for _ in 0..TURN {
            if self.program.cfa.locations[next.state.location].error {
                return Some((next.state.guard, next.last));
            }
            let mut after = self.successors(next);
            if after.len() != 1 {
                self.waiting.extend(after);
                return None;
            }
            next = after.pop()?;
        }
        self.waiting.push(next);
        None
    }

    /// The executions that an execution may become by one edge, or when a function returns.
    fn successors(&mut self, from: Waiting) -> Vec<Waiting> {
        if self.executor.is_exit(&from.state) {
            let after = self.executor.leave(&mut self.terms, from.state);
            return after.map(|state| Waiting { state, ..from }).into_iter().collect();
        }
        let program = self.program;
        let mut after = Vec::new();
        for edge in &program.cfa.locations[from.state.location].edges {
            if self.directions.never.contains(edge) {
                continue;
            }
            self.steps += 1;
            let state = self.executor.take(&mut self.terms, from.state.clone(), *edge);
            let Some(state) = state else { continue };
            self.taken.push((from.last, *edge));
            self.made += 1;
            let is_onwards = self.directions.onwards.contains(edge);
            after.push(Waiting {
                onwards: from.onwards + u32::from(is_onwards),
                since: if is_onwards { 0 } else { from.since + 1 },
                number: self.made,
                state,
                last: self.taken.len(),
                checked: from.checked,
            });
        }
        after
    }

    /// The edges of an execution in their order, given its last edge as in [`Waiting::last`].
    fn path(&self, mut last: usize) -> Vec<EdgeId> {
        let mut edges = Vec::new();
        while let Some((before, edge)) = last.checked_sub(1).map(|at| self.taken[at]) {
            edges.push(edge);
            last = before;
        }
        edges.reverse();
        edges
    }
}
