//! Safe cones that the automaton alone does not show: steps after which no execution gets to
//! anything that was not analysed.
//!
//! Unrolled programs join branches again, and the states of the automaton no longer show what was decided before a
//! join. So a search over executions is asked instead: is there an execution that takes the step and later a step
//! that was not analysed?

use std::collections::{BTreeSet, VecDeque};

use cfa::{LocId, Program};
use run::Step;
use rustc_hash::FxHashSet;

use crate::automaton::{Automaton, StateId, States};
use crate::product::Goal;
use crate::search::Search;
use crate::trace::Trace;
use crate::ways::{Ways, origin};

/// At most this many steps are asked about.
const MAX_QUESTIONS: usize = 48;

/// How many states are passed before the budget is looked at again.
const LOOK: usize = 64;

/// At most this many states are looked at.
const MAX_STATES: usize = 20_000;

/// Steps that begin safe cones, each with the state of the automaton before the step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cones {
    steps: FxHashSet<(StateId, Step)>,
}

impl Cones {
    /// Asks about the steps of branches, those near the start first. Steps on the frontier traces begin no cone, so
    /// nothing is asked about them.
    pub(crate) fn of(
        automaton: &mut dyn Automaton,
        judge: &mut dyn Automaton,
        search: &Search<'_>,
        frontier: &[Trace],
    ) -> Self {
        let mut cones = Self::default();
        let mut passed = FxHashSet::default();
        for trace in frontier {
            walk(search.program, automaton, &trace.steps, &mut |state, step| {
                passed.insert((state, step));
            });
        }
        let Some(start) = search.program.cfa.start else { return cones };
        let initial = automaton.initial();
        let ways = Ways::of(search.program);
        let mut seen = FxHashSet::default();
        let mut todo = VecDeque::from([(search.program.cfa.functions[start].entry, initial)]);
        let mut questions = 0;
        while let Some((at, state)) = todo.pop_front() {
            // Only further questions could find more cones.
            let is_done = questions >= MAX_QUESTIONS || seen.len() > MAX_STATES;
            if is_done || seen.len().is_multiple_of(LOOK) && search.budget.exceeded().is_some() {
                break;
            }
            if state.is_final() || !seen.insert((at, state)) {
                continue;
            }
            let steps = ways.from(at);
            let is_branch = steps.len() > 1 && !matches!(steps[0].0, Step::Return(_));
            for (step, to) in steps {
                let Some(after) = automaton.step(state, at, step) else { continue };
                if is_branch
                    && !after.is_final()
                    && !passed.contains(&(state, step))
                    && questions < MAX_QUESTIONS
                    && search.budget.exceeded().is_none()
                {
                    questions += 1;
                    if leads_nowhere(automaton, judge, search, (state, step)) {
                        cones.steps.insert((state, step));
                        continue;
                    }
                }
                todo.push_back((to, after));
            }
        }
        cones
    }

    /// An automaton that knows these cones. It must number its states as the one that was asked.
    pub(crate) fn over<'a>(&self, inner: &'a mut dyn Automaton) -> Pruned<'a> {
        Pruned { inner, cones: self.steps.clone() }
    }
}

/// Whether no execution takes a step from a state and later one that was not analysed.
fn leads_nowhere(
    automaton: &mut dyn Automaton,
    judge: &mut dyn Automaton,
    search: &Search<'_>,
    step: (StateId, Step),
) -> bool {
    let share = search.budget.share(0.25);
    let search = Search { budget: &share, most: Some(1), ..search.clone() };
    let mut passing = Passing { inner: automaton, step, states: States::default() };
    let mut found = false;
    let mut known = BTreeSet::new();
    let searched =
        search.find(&mut passing, Some(judge), Goal::FRONTIER, &mut known, &mut |_| found = true);
    searched.complete && !found
}

/// Goes along a trace, and tells of each step with the state before it.
fn walk(
    program: &Program,
    automaton: &mut dyn Automaton,
    steps: &[Step],
    tell: &mut dyn FnMut(StateId, Step),
) {
    let mut state = automaton.initial();
    for step in steps {
        if state.is_final() {
            return;
        }
        tell(state, *step);
        match automaton.step(state, origin(program, *step), *step) {
            Some(next) => state = next,
            None => return,
        }
    }
}

/// An automaton with further safe cones.
pub(crate) struct Pruned<'a> {
    inner: &'a mut dyn Automaton,
    cones: FxHashSet<(StateId, Step)>,
}

impl Automaton for Pruned<'_> {
    fn initial(&mut self) -> StateId {
        self.inner.initial()
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let next = self.inner.step(from, at, step)?;
        if self.cones.contains(&(from, step)) {
            return Some(StateId::TRUE);
        }
        Some(next)
    }
}

/// An automaton whose frontier is the part of another one's that is reached over a step.
struct Passing<'a> {
    inner: &'a mut dyn Automaton,
    step: (StateId, Step),
    /// A state of the other one, and whether the step was taken.
    states: States<(StateId, bool)>,
}

impl Passing<'_> {
    fn state(&mut self, inner: StateId, passed: bool) -> StateId {
        match (inner, passed) {
            (StateId::TRUE, _) | (StateId::FALSE, false) => StateId::TRUE,
            (StateId::FALSE, true) => StateId::FALSE,
            pair => self.states.id(pair),
        }
    }
}

impl Automaton for Passing<'_> {
    fn initial(&mut self) -> StateId {
        let inner = self.inner.initial();
        self.state(inner, false)
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let Some((inner, passed)) = self.states.get(from).copied() else { return Some(from) };
        let passed = passed || (inner, step) == self.step;
        let next = self.inner.step(inner, at, step)?;
        Some(self.state(next, passed))
    }
}
