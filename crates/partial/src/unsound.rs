//! k-unsoundness (Castaño 2018, Def. 5): whether executions with few rounds of each loop were left
//! out.

use std::collections::BTreeSet;

use cfa::{LocId, Loops, Program};
use run::Step;

use crate::automaton::{Automaton, StateId, States};
use crate::product::Goal;
use crate::search::Search;
use crate::trace::Trace;

/// An execution that was not analysed though it makes few rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsound {
    /// The execution makes at most this many rounds of each loop.
    pub rounds: u32,
    /// The execution.
    pub trace: Trace,
    /// Whether no execution with fewer rounds was left out.
    pub least: bool,
}

/// How many rounds of a loop of the program itself a trace makes at most: a round is a body that is entered, counted
/// anew whenever the loop is entered from outside. Loops inside of models of the library are not counted, for they
/// are not in the program's text.
#[must_use]
pub fn rounds(program: &Program, steps: &[Step]) -> u32 {
    count(&Counter::of_own(program), steps)
}

/// How many rounds of a loop with one of some heads a trace makes at most, inside of models of the library or not.
pub(crate) fn rounds_of(program: &Program, heads: &BTreeSet<LocId>, steps: &[Step]) -> u32 {
    count(&Counter { only: Some(heads), ..Counter::of_all(program) }, steps)
}

/// For each trace, how many rounds of the innermost loop that the trace ends in have begun since that loop was
/// entered; zero outside of loops.
#[must_use]
pub fn last_rounds(program: &Program, traces: &[Trace]) -> Vec<u32> {
    let counter = Counter::of_all(program);
    let last = |trace: &Trace| {
        let mut state = Rounds::default();
        for step in &trace.steps {
            counter.step(&mut state, *step);
        }
        let innermost = state.frames.last().and_then(|frame| frame.last());
        innermost.map_or(0, |(_, rounds)| *rounds)
    };
    traces.iter().map(last).collect()
}

fn count(counter: &Counter<'_>, steps: &[Step]) -> u32 {
    let mut state = Rounds::default();
    for step in steps {
        counter.step(&mut state, *step);
    }
    state.most
}

/// Rounds of the loops that a trace is in.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Rounds {
    /// For each activation, the loops that control is in, with their rounds.
    frames: Vec<Vec<(u32, u32)>>,
    most: u32,
}

/// Counts rounds along steps.
struct Counter<'p> {
    program: &'p Program,
    loops: Loops,
    /// Whether loops inside of models of the library count.
    all: bool,
    /// The heads of the loops that count, if these are not all.
    only: Option<&'p BTreeSet<LocId>>,
}

impl<'p> Counter<'p> {
    fn of_all(program: &'p Program) -> Self {
        Self { program, loops: Loops::of(&program.cfa), all: true, only: None }
    }

    fn of_own(program: &'p Program) -> Self {
        Self { all: false, ..Self::of_all(program) }
    }

    /// Whether rounds of a loop with this head count.
    fn counts(&self, head: LocId) -> bool {
        if self.only.is_some_and(|only| !only.contains(&head)) {
            return false;
        }
        let at = &self.program.cfa.locations[head];
        let next = at.edges.iter().find_map(|edge| self.program.cfa.edges[*edge].span);
        let span = at.span.or(next);
        self.all || !span.is_some_and(|span| self.program.sources.is_borrowed(span.file))
    }

    fn step(&self, to: &mut Rounds, step: Step) {
        if to.frames.is_empty() {
            to.frames.push(Vec::new());
        }
        let cfa = &self.program.cfa;
        let edge = match step {
            Step::Edge(edge) if cfa.edges[edge].callee().is_some() => {
                to.frames.push(Vec::new());
                return;
            }
            Step::Edge(edge) => edge,
            Step::Return(call) => {
                to.frames.pop();
                call
            }
        };
        if to.frames.is_empty() {
            to.frames.push(Vec::new());
        }
        let (source, target) = (cfa.edges[edge].source, cfa.edges[edge].target);
        let Some(frame) = to.frames.last_mut() else { return };
        frame.retain(|(id, _)| self.loops.contains(base::Id::from_index(*id as usize), target));
        let around = self.loops.innermost(target);
        let mut missing = Vec::new();
        let mut at = around;
        while let Some(id) = at {
            // The cast is exact: ids are `u32`.
            let number = base::Id::index(id) as u32;
            if frame.iter().any(|(known, _)| *known == number) {
                break;
            }
            missing.push((number, 0));
            at = self.loops.loops[id].parent;
        }
        frame.extend(missing.into_iter().rev());
        // The step that leaves a head and stays in its loop enters the body.
        for (id, rounds) in frame.iter_mut() {
            let known = &self.loops.loops[base::Id::from_index(*id as usize)];
            if known.head == source
                && self.counts(known.head)
                && self.loops.contains(base::Id::from_index(*id as usize), source)
            {
                *rounds = rounds.saturating_add(1);
                to.most = to.most.max(*rounds);
            }
        }
    }
}

/// The frontier trace with the fewest rounds. The function searches for traces with fewer rounds than the known ones.
pub(crate) fn least(
    search: &Search<'_>,
    automaton: &mut dyn Automaton,
    judge: &mut dyn Automaton,
    frontier: &[Trace],
) -> Option<Unsound> {
    let with_rounds = frontier.iter().map(|trace| (rounds(search.program, &trace.steps), trace));
    let (mut best, trace) = with_rounds.min_by_key(|(rounds, _)| *rounds)?;
    let mut trace = trace.clone();
    let mut below = 0;
    while below < best {
        let mut found = None;
        let mut within = Within {
            inner: automaton,
            counter: Counter::of_own(search.program),
            most: below,
            states: States::default(),
        };
        let mut known = BTreeSet::new();
        let mut keep = |trace: Trace| {
            found.get_or_insert(trace);
        };
        let search = Search { most: Some(1), ..search.clone() };
        let searched = search.find(&mut within, Some(judge), Goal::FRONTIER, &mut known, &mut keep);
        match found {
            Some(shorter) => {
                best = rounds(search.program, &shorter.steps).min(below);
                trace = shorter;
            }
            None if searched.complete => below += 1,
            None => return Some(Unsound { rounds: best, trace, least: false }),
        }
    }
    Some(Unsound { rounds: best, trace, least: true })
}

/// An automaton that cuts executions with more rounds than are wanted.
struct Within<'a> {
    inner: &'a mut dyn Automaton,
    counter: Counter<'a>,
    most: u32,
    states: States<(StateId, Rounds)>,
}

impl Within<'_> {
    fn state(&mut self, inner: StateId, rounds: Rounds) -> StateId {
        if rounds.most > self.most {
            return StateId::TRUE;
        }
        if inner.is_final() { inner } else { self.states.id((inner, rounds)) }
    }
}

impl Automaton for Within<'_> {
    fn initial(&mut self) -> StateId {
        let inner = self.inner.initial();
        self.state(inner, Rounds::default())
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let Some((inner, mut rounds)) = self.states.get(from).cloned() else { return Some(from) };
        let next = self.inner.step(inner, at, step)?;
        self.counter.step(&mut rounds, step);
        Some(self.state(next, rounds))
    }
}
