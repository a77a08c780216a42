//! Forward exploration with an abstract domain: what all domains have in common.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cfa::{EdgeId, Loops, Program};
use cpa::{Arg, Cegar, Counter, Cpa, Ended, Path, Paused, Plan, Refinement, Refiner, Traversal};
use domains::{Explain, Finding};
use engines::path::Paths;
use run::{
    Budget, Came, Counterexample, Feasibility, Lesson, NodeId, Notes, Proof, Run, Unknown, Verdict,
};
use smt::NewSolver;

use crate::findings::Findings;
use crate::options::Forward;
use crate::statistics::Statistics;

/// An exploration of a program that is about to begin.
pub(crate) struct Exploration<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Forward,
    pub(crate) traversal: Traversal,
    /// Whether a graph also tells what holds at the heads of loops if it has errors that were not resolved.
    pub(crate) tells_unresolved: bool,
    pub(crate) run: &'a Run<'a>,
}

impl Exploration<'_> {
    /// Explores and refines. The caller puts into words what stays unresolved. The analysis is
    /// given back with what was found, for its statistics and its precision.
    pub(crate) fn explore<C, R>(
        &self,
        cpa: C,
        refine: &mut R,
        unresolved: impl Fn(&R) -> Unknown,
    ) -> (Findings, C)
    where
        C: Explain + Cpa<Halt = Unknown>,
        R: Refiner<C, Evidence = Box<Counterexample>>,
    {
        self.explore_in_parts(cpa, refine, unresolved, None)
    }

    /// Explores and refines, going on where an earlier exploration was paused, if there is one. With `kept`, an
    /// exploration that runs out of its time is paused and put there, as long as the exploration may still answer.
    pub(crate) fn explore_in_parts<C, R>(
        &self,
        mut cpa: C,
        refine: &mut R,
        unresolved: impl Fn(&R) -> Unknown,
        mut kept: Option<&mut Option<Paused<C>>>,
    ) -> (Findings, C)
    where
        C: Explain + Cpa<Halt = Unknown>,
        R: Refiner<C, Evidence = Box<Counterexample>>,
    {
        let cfa = &self.program.cfa;
        let budget = &self.run.budget;
        let reach = cfa::Reach::of(cfa);
        let start = Instant::now();
        let counter = Counter::new(self.run.events);
        let halt = || {
            let added = counter.sums().added;
            let many = self.options.nodes.is_some_and(|most| added > most);
            let why = || Unknown::Exhausted(format!("{added} abstract states"));
            budget.exceeded().map(Unknown::from).or_else(|| many.then(why))
        };
        let plan = Plan { cfa, reach: &reach, traversal: self.traversal, halt: &halt };
        let (program, run) = (self.program, self.run);
        let mut timed =
            Timed { inner: refine, clock: Clock::default(), program, run, excluded: None };
        let prune = self.options.prune;
        let mut search = match kept.as_mut().and_then(|kept| kept.take()) {
            Some(paused) => Cegar::resume(paused, &plan, prune, &counter),
            None => Cegar::new(&plan, prune, &counter),
        };
        let ended = search.search(&mut cpa, &mut timed);
        let refining = timed.clock.spent();
        let statistics = Statistics {
            graph: counter.sums(),
            nodes: search.arg().len(),
            refining,
            exploring: start.elapsed().saturating_sub(refining),
            ..Statistics::default()
        };
        if let (Some(kept), Ended::Halted(why @ Unknown::TimeLimit)) = (kept, &ended)
            && search.arg().unresolved.is_empty()
        {
            let mut findings = Findings::new(Verdict::Unknown(why.clone()));
            findings.statistics = Some(statistics);
            *kept = Some(search.pause());
            return (findings, cpa);
        }
        let unresolved = || unresolved(timed.inner);
        let mut findings = self.told(&cpa, search.into_arg(), ended, &reach, unresolved);
        findings.statistics = Some(statistics);
        (findings, cpa)
    }

    /// What a search that has ended found.
    fn told<C>(
        &self,
        cpa: &C,
        arg: Arg<C>,
        ended: Ended<Box<Counterexample>, Unknown>,
        reach: &cfa::Reach,
        unresolved: impl FnOnce() -> Unknown,
    ) -> Findings
    where
        C: Explain + Cpa<Halt = Unknown>,
    {
        let cfa = &self.program.cfa;
        let budget = &self.run.budget;
        // The states of a graph that is not closed prove nothing, and there may be millions of them. Errors do not
        // keep a graph from being closed, since executions end at an error; an operation that is not modelled does,
        // since nobody knows how executions go on behind it.
        let told = self.tells_unresolved
            && matches!(ended, Ended::Unresolved)
            && arg.unresolved.iter().all(|target| target.unsupported.is_none());
        let closed = told || matches!(ended, Ended::Safe);
        let verdict = match ended {
            Ended::Safe if !reach.error_reachable() && reach.inconclusive().is_empty() => {
                Verdict::Safe(Proof::NoPath)
            }
            Ended::Safe => Verdict::Safe(Proof::Explored { nodes: arg.len() }),
            Ended::Unsafe(found) => Verdict::Unsafe(found),
            Ended::Halted(why) => Verdict::Unknown(why),
            Ended::Unresolved => Verdict::Unknown(unresolved()),
        };
        let interrupted = matches!(verdict, Verdict::Unknown(Unknown::Interrupted));
        let mut findings = Findings::new(verdict);
        let told = self.options.told;
        let until = told.until(budget.deadline(), interrupted);
        let lines = domains::lines(cpa, cfa, &arg, told.nodes, until);
        let mut graph = if closed {
            let loops = Loops::of(cfa);
            domains::graph(cpa, cfa, &arg, &|at| loops.head(at), budget)
        } else if interrupted || budget.leaves_memory() {
            // Freeing millions of states would take the time that is left for the report, and the process is about to
            // end.
            let graph = arg.to_graph();
            std::mem::forget(arg);
            graph
        } else {
            arg.into_graph()
        };
        if closed {
            let relevant = |location| reach.relevant(location);
            findings.invariants = Arc::new(domains::invariants(self.program, &graph, &relevant));
        }
        graph.lines = lines;
        findings.graph = Some(Arc::new(graph));
        findings
    }
}

/// Why a program whose graph is closed is not called safe.
pub(crate) fn unresolved(domain: &str, findings: &[Finding]) -> Unknown {
    let open = findings.iter().find_map(|finding| match finding {
        Finding::Open(why) => Some(why.clone()),
        Finding::Inexpressible | Finding::NoProgress => None,
    });
    open.unwrap_or_else(|| {
        let paths = findings.len();
        let what = if paths == 1 {
            "a path to an error".to_owned()
        } else {
            format!("{paths} paths to errors")
        };
        Unknown::Exhausted(format!("{domain} cannot exclude {what} that no execution takes"))
    })
}

/// Adds up the time that something takes.
#[derive(Default)]
struct Clock {
    spent: Cell<Duration>,
}

impl Clock {
    fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.spent.set(self.spent.get() + start.elapsed());
        result
    }

    fn spent(&self) -> Duration {
        self.spent.get()
    }
}

/// Checks whether executions take paths, and adds up the time that this takes.
pub(crate) struct PathCheck<'a> {
    paths: Paths<'a>,
    solver: NewSolver<'a>,
    budget: &'a Budget,
    clock: Clock,
}

impl<'a> PathCheck<'a> {
    pub(crate) fn of(program: &'a Program, solver: NewSolver<'a>, budget: &'a Budget) -> Self {
        Self { paths: Paths::of(program), solver, budget, clock: Clock::default() }
    }

    /// Whether an execution takes a path from the start of the program, exactly.
    pub(crate) fn check(&self, edges: &[EdgeId]) -> Feasibility {
        self.clock.time(|| self.paths.check(edges, self.solver, self.budget))
    }

    pub(crate) fn spent(&self) -> Duration {
        self.clock.spent()
    }
}

/// A refiner with a clock, which also passes each lesson on if an observer of the run wants lessons.
struct Timed<'r, R> {
    inner: &'r mut R,
    clock: Clock,
    program: &'r Program,
    run: &'r Run<'r>,
    /// The lesson of the path that was excluded last, until it is known which part of the graph was cut off.
    excluded: Option<Lesson>,
}

impl<C: Cpa, R: Refiner<C>> Refiner<C> for Timed<'_, R> {
    type Evidence = R::Evidence;

    fn wants_detours(&self) -> bool {
        self.inner.wants_detours()
    }

    fn traversal(&self) -> Option<Traversal> {
        self.inner.traversal()
    }

    fn notes(&mut self) -> Notes {
        self.inner.notes()
    }

    fn has_cut(&mut self, below: Option<NodeId>, removed: usize) {
        if let Some(lesson) = self.excluded.take() {
            let lesson = Lesson { root: below, removed, ..lesson };
            self.run.events.lesson(self.program, &lesson);
        }
    }

    fn refine(
        &mut self,
        cpa: &mut C,
        arg: &Arg<C>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, C::Halt> {
        let inner = &mut *self.inner;
        let refinement = self.clock.time(|| inner.refine(cpa, arg, path))?;
        if self.run.events.wants_lessons() {
            let came = match &refinement {
                Refinement::Feasible(_) => Came::Feasible,
                Refinement::Spurious { .. } => Came::Excluded,
                Refinement::Unresolved => Came::Unresolved,
            };
            let places = path.places.iter().map(|place| place.location);
            let lesson = Lesson {
                nodes: path.nodes.iter().copied().zip(places).collect(),
                steps: path.steps.clone(),
                came,
                notes: self.inner.notes(),
                root: None,
                removed: 0,
            };
            match came {
                Came::Excluded => self.excluded = Some(lesson),
                Came::Feasible | Came::Unresolved => self.run.events.lesson(self.program, &lesson),
            }
        }
        Ok(refinement)
    }
}
