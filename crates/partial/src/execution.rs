//! Execution reports (Castaño 2018, Def. 4): safe cones and frontier traces of a run, all of them
//! feasible.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::{Duration, Instant};

use interp::{Config, Drawn, Inputs, Listed};
use run::{Budget, Counterexample, NodeId};
use smt::NewSolver;
use verify::Analysis;

use crate::analysed::Analysed;
use crate::automaton::{Automaton, Everything, StateId};
use crate::chance::Compared;
use crate::cones::Cones;
use crate::coverage::end;
use crate::enumerate::{Enumerated, enumerate};
use crate::paths::to_pending;
use crate::product::{Goal, Target, TargetKind, decisive};
use crate::search::{Search, Searched};
use crate::trace::{Followed, Trace, follow, follow_to_frontier, limits};
use crate::unsound::{self, Unsound};

/// Safe cones and frontier traces, one of each for every location where such traces end.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// Safe cones, as short as can be: whatever follows was analysed.
    pub cones: Vec<Trace>,
    /// Frontier traces: the last step of each was not analysed.
    pub frontier: Vec<Trace>,
    /// Whether every location where a safe cone ends has one.
    pub all_cones: bool,
    /// Whether every location where a frontier trace ends has one.
    pub all_frontier: bool,
    /// How long the search for frontier traces took.
    pub frontier_search: Took,
    /// How long the search for safe cones took.
    pub cone_search: Took,
    /// The least number of rounds of each loop with which an execution was not analysed.
    pub unsound: Option<Unsound>,
    /// An error that was met on the way.
    pub violation: Option<Counterexample>,
    /// Whether not a single step was analysed.
    pub nothing: bool,
    /// Whether the frontier is empty after a complete search, so that all executions were analysed.
    pub everything: bool,
    /// Whether executions are known that end, and all of them make more rounds than were followed.
    pub ends_later: bool,
}

/// How long a search took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Took {
    /// The time until the first trace was found, or until an execution was found that violates the property (it was
    /// not analysed either).
    pub first: Option<Duration>,
    /// The time of the whole search.
    pub time: Duration,
}

/// How a report is made.
#[derive(Clone)]
pub struct Options<'a> {
    /// The engine that searches for traces.
    pub analysis: Analysis,
    /// Makes a solver.
    pub solver: NewSolver<'a>,
    /// What the report may use.
    pub budget: Budget,
    /// How many traces are looked for; if none, one for each location.
    pub most: Option<usize>,
}

/// How long executions with known decisions are run to see how many rounds they make.
const KNOWN_RUNS: Duration = Duration::from_millis(50);

/// The number of steps that an execution which an analysis has kept as an example is expected to have.
const EXAMPLE_STEPS: u64 = 1_000_000;

/// Executions with random inputs, one for each seed, each followed for `steps` steps at most.
struct Chances {
    seeds: Range<u64>,
    steps: u64,
    /// Whether inputs are mostly values that the program compares them with.
    compared: bool,
}

impl Chances {
    const fn any(seeds: Range<u64>, steps: u64) -> Self {
        Self { seeds, steps, compared: false }
    }

    const fn compared(seeds: Range<u64>, steps: u64) -> Self {
        Self { seeds, steps, compared: true }
    }
}

/// Runs that are tried first, for they take no time: most end soon, or come to where all that can follow was
/// analysed.
const FEW: [Chances; 2] = [Chances::any(0..12, 10_000), Chances::compared(0..6, 10_000)];

/// Runs that are tried before a product is made, if nothing is found yet.
const SOME: [Chances; 2] = [Chances::compared(6..40, 20_000), Chances::any(12..200, 10_000)];

/// Runs that are tried when a search finds nothing: some stay within what was analysed for long, and
/// some inputs are rare.
const MANY: [Chances; 4] = [
    Chances::compared(0..4, 200_000),
    Chances::any(0..4, 1_000_000),
    Chances::compared(40..400, 10_000),
    Chances::any(200..5_000, 10_000),
];

/// After this many different traces, no more are looked for by chance.
const ENOUGH: usize = 4;

/// Up to this many of the nearest nodes are looked at with only one node for each location.
const NEAR: usize = 8;

/// For this many of the nearest nodes, an execution along the node's own path is looked for before a product is made.
const PATHS: usize = 6;

/// How many of the nearest nodes are looked at, and which part of the remaining time is for them. Few nodes make a
/// small product, but it may be that no execution takes the paths to these few nodes.
const STEPS: [(usize, f64); 5] =
    [(1, 0.35), (NEAR, 0.35), (64, 0.4), (512, 0.5), (usize::MAX, 1.0)];

impl Execution {
    /// Makes the report of what was analysed. Each trace is told of as soon as it is found.
    pub fn of(
        analysed: &Analysed<'_>,
        options: &Options<'_>,
        tell: &mut dyn FnMut(&Trace),
    ) -> Self {
        let start = Instant::now();
        let mut report = Self::default();
        let mut automaton = analysed.automaton();
        match automaton.initial() {
            StateId::FALSE => {
                report.nothing = true;
                return report;
            }
            StateId::TRUE => {
                (report.everything, report.all_frontier) = (true, true);
                return report;
            }
            _ => {}
        }
        let mut known = BTreeSet::new();
        report.find_frontier(analysed, options, &mut *automaton, &mut known, start, tell);
        report.frontier_search.time = start.elapsed();
        report.drop_followed(analysed);
        if report.violation.is_some() {
            return report;
        }
        // If traces were left out above, then the search was not complete, and there may be other executions that
        // were not analysed.
        if report.frontier.is_empty() && report.all_frontier {
            report.everything = true;
            return report;
        }
        let part = |share| options.budget.share(share);
        let begun = Instant::now();
        report.find_cones(analysed, options, &mut *automaton, &part(0.75), tell);
        report.cone_search.time = begun.elapsed();
        report.ends_later = report.cones.is_empty() && report.known_to_end_later(analysed);
        if report.violation.is_none() {
            let search = Search {
                program: analysed.program,
                analysis: options.analysis,
                solver: options.solver,
                budget: &options.budget,
                most: None,
            };
            let mut judge = analysed.automaton();
            report.unsound =
                unsound::least(&search, &mut *automaton, &mut *judge, &report.frontier);
            report.add_unsound(tell);
        }
        report
    }

    /// The execution with the fewest rounds is a frontier trace, too. It may be shorter than the known trace with the
    /// same target.
    fn add_unsound(&mut self, tell: &mut dyn FnMut(&Trace)) {
        let Some(Unsound { trace, .. }) = &self.unsound else { return };
        match self.frontier.iter_mut().find(|other| other.target() == trace.target()) {
            Some(other) if other.steps.len() > trace.steps.len() => other.clone_from(trace),
            Some(_) => {}
            None => {
                tell(trace);
                self.frontier.push(trace.clone());
            }
        }
        self.frontier.sort_by_key(|trace| (trace.steps.len(), trace.location));
    }

    /// Whether executions end with the decisions that are known, and all of them make more rounds than were followed.
    fn known_to_end_later(&self, analysed: &Analysed<'_>) -> bool {
        let Some(most) = analysed.rounds else { return false };
        let program = analysed.program;
        let bounded = analysed.bounded();
        let budget = Budget::within(KNOWN_RUNS);
        let zeros: &[Drawn] = &[];
        let known = self.frontier.iter().take(NEAR).map(|trace| &trace.drawn[..]);
        let ends = std::iter::once(zeros).chain(known).filter_map(|drawn| {
            let config = limits(0, &budget);
            match follow(program, &mut Everything, drawn, end(program), &config) {
                Followed::Trace(trace, None) => {
                    Some(unsound::rounds_of(program, &bounded, &trace.steps))
                }
                _ => None,
            }
        });
        ends.min().is_some_and(|least| least > most)
    }

    /// Whether it is known that no execution ends within what was analysed, so that each of them leaves it.
    #[must_use]
    pub fn is_without_end(&self) -> bool {
        self.all_cones && self.cones.is_empty()
    }

    fn find_frontier(
        &mut self,
        analysed: &Analysed<'_>,
        options: &Options<'_>,
        automaton: &mut dyn Automaton,
        known: &mut BTreeSet<Target>,
        start: Instant,
        tell: &mut dyn FnMut(&Trace),
    ) {
        let whole = options.budget.share(0.55);
        let (mut chance, pending) =
            self.find_at_once(analysed, (options.solver, &whole), automaton, known, start, tell);
        if self.violation.is_some() {
            return;
        }
        // Pending nodes near the start need only a small product; a product for the whole graph may be large. As long
        // as no trace is known, the search may take more time: a first trace tells more than anything else.
        let whole = if chance.is_empty() && self.frontier.is_empty() {
            options.budget.share(0.7)
        } else {
            whole
        };
        for (most, share) in STEPS {
            if most < usize::MAX && pending.is_empty() {
                continue;
            }
            let budget = whole.share(share);
            let search = Search {
                program: analysed.program,
                analysis: options.analysis,
                solver: options.solver,
                budget: &budget,
                most: options.most,
            };
            let Self { frontier, frontier_search: took, .. } = self;
            let mut found = |trace: Trace| {
                took.first.get_or_insert_with(|| start.elapsed());
                tell(&trace);
                frontier.push(trace);
            };
            let searched = if most == usize::MAX {
                search.find(automaton, None, Goal::FRONTIER, known, &mut found)
            } else {
                let nearest = analysed.first(&pending, most, most <= NEAR);
                let mut guide = analysed.towards(&|id| nearest.contains(&id));
                search.find(&mut *guide, Some(automaton), Goal::FRONTIER, known, &mut found)
            };
            let Searched { complete, violation } = searched;
            self.all_frontier = complete && most == usize::MAX;
            if violation.is_some() {
                self.frontier_search.first.get_or_insert_with(|| start.elapsed());
                self.violation = violation;
                return;
            }
        }
        if self.frontier.is_empty() && chance.is_empty() && !self.all_frontier {
            self.take_chances(
                analysed,
                automaton,
                (&MANY, &options.budget),
                &mut chance,
                start,
                tell,
            );
        }
        // For the targets in `known`, the search has found traces that are shorter than the traces found by chance.
        let others = chance.into_iter().filter(|trace| !known.contains(&trace.target()));
        self.frontier.extend(others);
        self.frontier.sort_by_key(|trace| (trace.steps.len(), trace.location));
    }

    /// Frontier traces that are found without a product: an example that is known, executions by chance, and paths to
    /// the nearest pending nodes. Gives the traces for which a search of a product may find shorter ones, and the
    /// pending nodes.
    fn find_at_once(
        &mut self,
        analysed: &Analysed<'_>,
        (solver, whole): (NewSolver<'_>, &Budget),
        automaton: &mut dyn Automaton,
        known: &mut BTreeSet<Target>,
        start: Instant,
        tell: &mut dyn FnMut(&Trace),
    ) -> (Vec<Trace>, Vec<NodeId>) {
        let mut chance = Vec::new();
        self.take_example(analysed, automaton, known, whole, start, tell);
        if self.violation.is_none() {
            let few = (&FEW[..], &whole.share(0.2));
            self.take_chances(analysed, automaton, few, &mut chance, start, tell);
        }
        if self.violation.is_some() {
            return (chance, Vec::new());
        }
        let pending = analysed.nearest();
        if chance.is_empty() && self.frontier.is_empty() {
            let nearest = analysed.first(&pending, PATHS, true);
            let paths = (&nearest, solver, &whole.share(0.4));
            self.take_paths(analysed, automaton, paths, &mut chance, start, tell);
        }
        if chance.is_empty() && self.frontier.is_empty() && self.violation.is_none() {
            let some = (&SOME[..], &whole.share(0.3));
            self.take_chances(analysed, automaton, some, &mut chance, start, tell);
        }
        (chance, pending)
    }

    /// Frontier traces of executions with random inputs. Most executions soon leave what was analysed,
    /// and to run a program takes less than to look for a path.
    fn take_chances(
        &mut self,
        analysed: &Analysed<'_>,
        automaton: &mut dyn Automaton,
        (runs, budget): (&[Chances], &Budget),
        traces: &mut Vec<Trace>,
        start: Instant,
        tell: &mut dyn FnMut(&Trace),
    ) {
        let program = analysed.program;
        let decisive = decisive(program);
        let compared = Compared::of(program);
        let runs = runs.iter().filter(|runs| !runs.compared || !compared.is_empty());
        let each = runs.flat_map(|runs| runs.seeds.clone().map(move |seed| (seed, runs)));
        for (seed, runs) in each {
            if budget.exceeded().is_some() || traces.len() >= ENOUGH {
                break;
            }
            let (mut any, mut known);
            let inputs: &mut dyn Inputs = if runs.compared {
                known = compared.sequence(seed);
                &mut known
            } else {
                any = match seed.is_multiple_of(2) {
                    true => interp::RandomInputs::new(seed),
                    false => interp::RandomInputs::with_zeros(seed),
                };
                &mut any
            };
            let max_steps = runs.steps;
            let config = Config { max_steps, budget: Some(budget), ..Config::default() };
            let followed = follow_to_frontier(program, automaton, inputs, &decisive, &config);
            self.keep(followed, traces, start, tell);
            if self.violation.is_some() {
                break;
            }
        }
    }

    /// A frontier trace of an execution along the path on which the exploration has found a pending node. The first
    /// trace ends the search; the search of a product finds the other traces.
    fn take_paths(
        &mut self,
        analysed: &Analysed<'_>,
        automaton: &mut dyn Automaton,
        (nodes, solver, budget): (&BTreeSet<NodeId>, NewSolver<'_>, &Budget),
        traces: &mut Vec<Trace>,
        start: Instant,
        tell: &mut dyn FnMut(&Trace),
    ) {
        let program = analysed.program;
        let decisive = decisive(program);
        for node in nodes {
            // A single hard formula must leave time for the other nodes.
            let part = budget.share(0.4);
            let Some(drawn) = to_pending(analysed, *node, solver, &part) else { continue };
            let config = limits(drawn.len() as u64, &part);
            let mut inputs = Listed::replay(program, &drawn);
            let followed = follow_to_frontier(program, automaton, &mut inputs, &decisive, &config);
            self.keep(followed, traces, start, tell);
            if self.violation.is_some() || !traces.is_empty() {
                break;
            }
        }
    }

    /// Keeps the result of following an execution: of traces with the same target, the shortest.
    fn keep(
        &mut self,
        followed: Followed,
        traces: &mut Vec<Trace>,
        start: Instant,
        tell: &mut dyn FnMut(&Trace),
    ) {
        match followed {
            Followed::Trace(trace, violation) => {
                self.frontier_search.first.get_or_insert_with(|| start.elapsed());
                match traces.iter_mut().find(|other| other.target() == trace.target()) {
                    Some(other) if other.steps.len() > trace.steps.len() => *other = trace,
                    Some(_) => {}
                    None => {
                        tell(&trace);
                        traces.push(trace);
                    }
                }
                self.violation = violation;
            }
            Followed::Violation(error) => {
                self.frontier_search.first.get_or_insert_with(|| start.elapsed());
                self.violation = Some(error);
            }
            Followed::Nothing => {}
        }
    }

    /// The execution that bounded model checking has kept as an example is a frontier trace, or begins with one,
    /// unless another analysis has analysed the execution.
    fn take_example(
        &mut self,
        analysed: &Analysed<'_>,
        automaton: &mut dyn Automaton,
        known: &mut BTreeSet<Target>,
        budget: &Budget,
        start: Instant,
        tell: &mut dyn FnMut(&Trace),
    ) {
        if analysed.example.is_empty() {
            return;
        }
        let location = base::Id::from_index(0);
        let target = Target { kind: TargetKind::Frontier, location };
        let config = limits(EXAMPLE_STEPS, budget);
        match follow(analysed.program, automaton, analysed.example, target, &config) {
            Followed::Trace(trace, violation) => {
                known.insert(trace.target());
                self.frontier_search.first = Some(start.elapsed());
                tell(&trace);
                self.frontier.push(trace);
                self.violation = violation;
            }
            Followed::Violation(error) => {
                self.frontier_search.first = Some(start.elapsed());
                self.violation = Some(error);
            }
            Followed::Nothing => {}
        }
    }

    /// Leaves out traces that bounded model checking has followed, though the automaton could not say so
    /// because loops have become one step each.
    fn drop_followed(&mut self, analysed: &Analysed<'_>) {
        // After an earlier run, the number of rounds is about the rest of the program, which is another program.
        let is_first = analysed.before.is_none();
        let is_summarized = !analysed.summarized.is_empty();
        let Some(most) = analysed.rounds.filter(|_| is_summarized && is_first) else { return };
        let program = analysed.program;
        if cfa::Calls::of(&program.cfa).any_recursive() {
            return;
        }
        let before = self.frontier.len();
        let bounded = analysed.bounded();
        self.frontier.retain(|trace| unsound::rounds_of(program, &bounded, &trace.steps) > most);
        self.all_frontier &= self.frontier.len() == before;
    }

    fn find_cones(
        &mut self,
        analysed: &Analysed<'_>,
        options: &Options<'_>,
        automaton: &mut dyn Automaton,
        budget: &Budget,
        tell: &mut dyn FnMut(&Trace),
    ) {
        let half = budget.share(0.6);
        let search = Search {
            program: analysed.program,
            analysis: options.analysis,
            solver: options.solver,
            budget: &half,
            most: None,
        };
        let mut judge = analysed.automaton();
        let cones = Cones::of(automaton, &mut *judge, &search, &self.frontier);
        let mut pruned = cones.over(automaton);
        let mut known = BTreeSet::new();
        let search = Search { budget, ..search };
        let begun = Instant::now();
        let mut found = |trace: Trace| {
            self.cone_search.first.get_or_insert_with(|| begun.elapsed());
            tell(&trace);
            self.cones.push(trace);
        };
        let searched = search.find(&mut pruned, None, Goal::CONES, &mut known, &mut found);
        self.all_cones = searched.complete;
        self.violation = searched.violation;
        self.cones.sort_by_key(|trace| (trace.steps.len(), trace.location));
    }

    /// Adds frontier traces that end at the same locations as known traces, until the given number of traces is
    /// known. `tell` is called with each trace as soon as it is found. Says whether all frontier traces are known.
    /// Example 3 of the thesis has 16 traces that end in one location.
    pub fn enumerate(
        &mut self,
        analysed: &Analysed<'_>,
        options: &Options<'_>,
        most: usize,
        tell: &mut dyn FnMut(&Trace),
    ) -> bool {
        if self.nothing || self.everything || self.violation.is_some() {
            return !self.nothing && self.violation.is_none();
        }
        let search = Search {
            program: analysed.program,
            analysis: options.analysis,
            solver: options.solver,
            budget: &options.budget,
            most: None,
        };
        let mut automaton = analysed.automaton();
        let Enumerated { complete, violation } =
            enumerate(&search, &mut *automaton, &mut self.frontier, most, tell);
        self.violation = violation;
        self.frontier.sort_by_key(|trace| (trace.steps.len(), trace.location));
        complete
    }

    /// The frontier traces that end in front of a check that no analysis could decide.
    pub fn undecided(&self) -> impl Iterator<Item = &Trace> {
        self.frontier.iter().filter(|trace| trace.kind == TargetKind::Undecided)
    }
}
