//! Verification coverage (Castaño 2018, Def. 17 and Alg. 3): the lines and branches that safe
//! executions which end exercise within what was analysed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use base::{FileId, Span};
use cfa::{EdgeId, LocId, Op, Program};
use interp::Drawn;
use run::{Budget, Counterexample, Step};
use rustc_hash::FxHashSet;

use crate::automaton::{Automaton, Everything, StateId, States};
use crate::product::{Fate, Goal, Target, TargetKind, product};
use crate::search::Search;
use crate::trace::{Followed, Trace, follow, limits};
use crate::ways::origin;

/// A line of the source.
pub type Line = (FileId, u32);

/// Which lines and branches were covered.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The lines with a statement, and how many executions cover each.
    pub lines: BTreeMap<Line, u32>,
    /// The branches, which are edges with a condition, and how many executions cover each.
    pub branches: BTreeMap<EdgeId, u32>,
    /// The lines of the steps that the analysis has seen: no execution covers others.
    pub seen: BTreeSet<Line>,
    /// The decisions of executions that together cover all of these lines and branches.
    pub tests: Vec<Vec<Drawn>>,
    /// Whether nothing else can be covered.
    pub exact: bool,
    /// An error that was met on the way.
    pub violation: Option<Counterexample>,
}

/// Executions that end.
const ENDS: Goal = Goal { on_true: Fate::Free, on_false: Fate::Cut, at_end: true, errors: false };

/// How long executions with known beginnings are run before any is searched for.
const FIRST_RUNS: Duration = Duration::from_millis(100);

/// How many locations a product may have.
const MAX_LOCATIONS: usize = 400_000;

impl Coverage {
    /// How many lines executions cover.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.lines.values().filter(|count| **count > 0).count()
    }

    /// How many branches executions cover.
    #[must_use]
    pub fn covered_branches(&self) -> usize {
        self.branches.values().filter(|count| **count > 0).count()
    }

    /// Nothing is covered yet.
    #[must_use]
    pub fn none(program: &Program) -> Self {
        let mut coverage = Self::default();
        for (id, edge) in program.cfa.edges.entries() {
            let Some(line) = line(program, id) else { continue };
            coverage.lines.insert(line, 0);
            let decides = matches!(edge.ops.first(), Some(Op::Assume(_)));
            if decides && !program.cfa.is_check(id) {
                coverage.branches.insert(id, 0);
            }
        }
        // A step into an error may have the line of the decision before it.
        for error in program.cfa.errors() {
            let location = &program.cfa.locations[error];
            let line = location.span.filter(|_| location.fault.is_none());
            if let Some(line) = line.and_then(|span| own_line(program, span)) {
                coverage.lines.entry(line).or_insert(0);
            }
        }
        // In the model no execution reaches the code that was cut off, but its lines are lines of the program. A span
        // of a whole function stands for no line of its own.
        let is_function = |span| program.cfa.functions.iter().any(|known| known.span == Some(span));
        for cut in program.cfa.cut_off.iter().filter(|cut| !is_function(cut.span)) {
            coverage.lines.extend(own_line(program, cut.span).map(|line| (line, 0)));
        }
        coverage
    }

    /// Looks for executions until nothing is left to cover, or the budget is used up. Executions that
    /// begin with some traces are tried first.
    pub fn of(search: &Search<'_>, automaton: &mut dyn Automaton, traces: &[Trace]) -> Self {
        Self::measured(search, automaton, traces, false)
    }

    /// Looks for executions as [`Self::of`] does, among all executions of a program of which some violate the property.
    #[must_use]
    pub fn beside_violations(search: &Search<'_>) -> Self {
        Self::measured(search, &mut Everything, &[], true)
    }

    fn measured(
        search: &Search<'_>,
        automaton: &mut dyn Automaton,
        traces: &[Trace],
        is_violated: bool,
    ) -> Self {
        let program = search.program;
        let mut coverage = Self::none(program);
        // Until the product shows which lines the analysis has seen, every line may be covered.
        coverage.seen = coverage.lines.keys().copied().collect();
        let zeros: &[Drawn] = &[];
        let begun = traces.iter().map(|trace| &trace.drawn[..]);
        // A few runs cost little, and may be all that the budget allows.
        let runs = Budget::within(FIRST_RUNS);
        for drawn in std::iter::once(zeros).chain(begun) {
            let config = limits(0, &runs);
            let remaining = coverage.remaining(program);
            let mut covering = Covering::new(automaton, &remaining);
            let target = end(program);
            match follow(program, &mut covering, drawn, target, &config) {
                Followed::Trace(trace, None) => coverage.add(program, automaton, trace),
                Followed::Trace(_, Some(error)) | Followed::Violation(error) => {
                    coverage.violation = Some(error);
                    if !is_violated {
                        return coverage;
                    }
                }
                Followed::Nothing => {}
            }
        }
        let part = search.budget.share(0.4);
        coverage.seen = seen(&Search { budget: &part, ..search.clone() }, automaton);
        coverage.search(search, automaton);
        coverage
    }

    /// Alg. 3: asks for an execution that covers something new, again and again.
    fn search(&mut self, search: &Search<'_>, automaton: &mut dyn Automaton) {
        let search = Search { most: Some(1), ..search.clone() };
        while search.budget.exceeded().is_none() {
            let remaining = self.remaining(search.program);
            if remaining.is_empty() {
                self.exact = true;
                return;
            }
            let before = self.tests.len();
            let mut found = None;
            let mut covering = Covering::new(automaton, &remaining);
            let mut keep = |trace: Trace| found = Some(trace);
            let mut known = BTreeSet::new();
            let searched = search.find(&mut covering, None, ENDS, &mut known, &mut keep);
            if searched.violation.is_some() {
                self.violation = searched.violation;
                return;
            }
            match found {
                Some(trace) => self.add(search.program, automaton, trace),
                None => {
                    // If the start function is called again, its exit is not searched for, so the result is not
                    // exact.
                    self.exact = searched.complete && !starts_again(search.program);
                    return;
                }
            }
            if self.tests.len() == before {
                // The search would find an execution that covers nothing new again and again.
                return;
            }
        }
    }

    /// The edges that are not covered, or whose lines are not, and that the analysis has seen.
    fn remaining(&self, program: &Program) -> FxHashSet<EdgeId> {
        let open = |id: &EdgeId| {
            let Some(line) = line(program, *id) else { return false };
            self.seen.contains(&line)
                && (self.lines.get(&line) == Some(&0) || self.branches.get(id) == Some(&0))
        };
        program.cfa.edges.ids().filter(open).collect()
    }

    /// Counts what an execution covers, if that is anything new.
    fn add(&mut self, program: &Program, automaton: &mut dyn Automaton, trace: Trace) {
        let mut lines = BTreeSet::new();
        let mut branches = BTreeSet::new();
        let mut state = automaton.initial();
        for step in &trace.steps {
            if !state.is_final() {
                let next = automaton.step(state, origin(program, *step), *step);
                state = next.unwrap_or(StateId::FALSE);
            }
            if state == StateId::FALSE {
                break;
            }
            let Some(edge) = step.edge() else { continue };
            lines.extend(line(program, edge));
            if self.branches.contains_key(&edge) {
                branches.insert(edge);
            }
        }
        let new_line = lines.iter().any(|line| self.lines.get(line) == Some(&0));
        let new_branch = branches.iter().any(|edge| self.branches.get(edge) == Some(&0));
        if !new_line && !new_branch {
            return;
        }
        for line in lines {
            *self.lines.entry(line).or_default() += 1;
        }
        for edge in branches {
            *self.branches.entry(edge).or_default() += 1;
        }
        self.tests.push(trace.drawn);
    }
}

fn starts_again(program: &Program) -> bool {
    let start = program.cfa.start;
    start.is_some_and(|start| program.cfa.edges.iter().any(|edge| edge.callee() == Some(start)))
}

/// The target of executions that end: the exit of the start function.
pub(crate) fn end(program: &Program) -> Target {
    let exit = program.cfa.start.map(|start| program.cfa.functions[start].exit);
    Target { kind: TargetKind::End, location: exit.unwrap_or(base::Id::from_index(0)) }
}

/// The line of a place of the program itself, and not of a model of the library.
fn own_line(program: &Program, span: Span) -> Option<Line> {
    let own = !program.sources.is_borrowed(span.file);
    own.then(|| (span.file, program.sources.position(span).line))
}

/// The line of an edge. Edges of the code that surrounds the program, and of the library, have no line.
fn line(program: &Program, edge: EdgeId) -> Option<Line> {
    let cfa = &program.cfa;
    let function = cfa.locations[cfa.edges[edge].source].function;
    if cfa.functions[function].name.starts_with('@') {
        return None;
    }
    own_line(program, cfa.edges[edge].span?)
}

/// The lines of the steps that were analysed: executions cover no other lines within what was analysed.
fn seen(search: &Search<'_>, automaton: &mut dyn Automaton) -> BTreeSet<Line> {
    let program = search.program;
    let goal = Goal { at_end: false, ..ENDS };
    let made = product(program, automaton, goal, MAX_LOCATIONS, search.budget);
    let Ok(made) = made else {
        return program.cfa.edges.ids().filter_map(|edge| line(program, edge)).collect();
    };
    let edges = made.rewritten.program.cfa.edges.ids();
    let edges = edges.flat_map(|edge| made.rewritten.back.edge(edge).unwrap_or_default());
    let mut seen: BTreeSet<Line> = edges.filter_map(|edge| line(program, *edge)).collect();
    // A step into an error is not in the product, but its line was analysed.
    for edge in &program.cfa.edges {
        if program.cfa.locations[edge.target].error && made.analysed.contains(&edge.source) {
            let error = &program.cfa.locations[edge.target];
            let asserted = error.span.filter(|_| error.fault.is_none());
            let spans = edge.span.into_iter().chain(asserted);
            seen.extend(spans.filter_map(|span| own_line(program, span)));
        }
    }
    seen
}

/// An automaton that is in [`StateId::TRUE`] once a step that is wanted was taken and analysed, and in
/// [`StateId::FALSE`] once no such step can come.
struct Covering<'a> {
    inner: &'a mut dyn Automaton,
    wanted: &'a FxHashSet<EdgeId>,
    /// A state of the other automaton. The state `TRUE` of the other automaton is not final here: a wanted step may
    /// still follow.
    states: States<StateId>,
}

impl<'a> Covering<'a> {
    fn new(inner: &'a mut dyn Automaton, wanted: &'a FxHashSet<EdgeId>) -> Self {
        Self { inner, wanted, states: States::default() }
    }
}

impl Automaton for Covering<'_> {
    fn initial(&mut self) -> StateId {
        match self.inner.initial() {
            StateId::FALSE => StateId::FALSE,
            state => self.states.id(state),
        }
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let Some(inner) = self.states.get(from).copied() else { return Some(from) };
        let next = if inner.is_final() { inner } else { self.inner.step(inner, at, step)? };
        Some(match (next, step) {
            (StateId::FALSE, _) => StateId::FALSE,
            (_, Step::Edge(edge)) if self.wanted.contains(&edge) => StateId::TRUE,
            (next, _) => self.states.id(next),
        })
    }
}
