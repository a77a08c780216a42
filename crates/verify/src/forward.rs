//! Forward exploration with an abstract domain.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use certify::Certificate;
use cfa::{EdgeId, LocId, Loops, Program, Reach};
use cpa::{Arg, Cpa, Ended, Event, Observer, Path, Plan, Prune, Refinement, Refiner, Traversal};
use domains::value::{Precision, Preference, Refine, Scope, Values};
use domains::{Case, Finding};
use engines::{Budget, Counterexample, Invariants, NewSolver, Proof, Unknown, Verdict, path};

use crate::Statistics;
use crate::predicate::Predicate;
use crate::product::Product;

/// How an abstract domain is explored and refined.
#[derive(Clone, Debug, Default)]
pub struct Forward {
    /// The order in which nodes are expanded; if nothing is said, what suits the domain.
    pub traversal: Option<Traversal>,
    /// How much of the graph a refinement throws away.
    pub prune: Prune,
    /// How far what a refinement learns reaches.
    pub scope: Scope,
    /// Which infeasible prefix a refinement looks at.
    pub preference: Preference,
    /// What is tracked from the start.
    pub precision: Option<Precision>,
    /// End when so many nodes have been added.
    pub nodes: Option<u64>,
    /// How predicates are found and asked about.
    pub predicate: Predicate,
    /// Which variables product abstraction leaves to predicates.
    pub product: Product,
    /// How many values EXPLitp-PRED tracks of a variable.
    pub value_limit: Option<usize>,
    /// Whether what a proof rests on is wanted.
    pub certify: bool,
}

/// What came of an exploration.
pub(crate) struct Forwarded {
    pub(crate) verdict: Verdict,
    pub(crate) statistics: Statistics,
    pub(crate) precision: Option<Precision>,
    pub(crate) invariants: Arc<Invariants>,
    pub(crate) certificate: Option<Certificate>,
}

/// What a closed graph says.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) invariants: Invariants,
    pub(crate) certificate: Option<Certificate>,
}

/// Explores with explicit values: all of them, or those that refinement asks for.
pub(crate) fn value(
    program: &Program,
    options: &Forward,
    refined: bool,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> Forwarded {
    let precision =
        refined.then(|| options.precision.clone().unwrap_or_else(|| Precision::new(options.scope)));
    let mut values = Values::new(program, precision);
    let clock = Clock::default();
    let mut check = |edges: &[EdgeId]| clock.time(|| path::check(program, edges, solver, budget));
    let halt = || budget.exceeded();
    let mut refine = Refine::new(&mut check, &halt, options.preference);
    let run = Run { program, options, traversal: options.traversal.unwrap_or_default(), budget };
    let mut done = run.explore(
        &mut values,
        &mut refine,
        |refine| unresolved("explicit values", &refine.exact.findings),
        |values, arg, relevant| {
            let certificate = options.certify.then(|| {
                let mut certificate = Certificate::new(program.terms.clone());
                let loops = Loops::of(&program.cfa);
                domains::add_entries(
                    &mut certificate,
                    &program.cfa,
                    arg,
                    &|at| loops.head(at),
                    &mut |claim, state| values.claim(claim, *state),
                );
                certificate
            });
            let mut terms = program.terms.clone();
            let formula = terms.bool(true);
            let cases = domains::cases(&program.cfa, arg, relevant, &mut |state, function| Case {
                values: values.in_names(*state, function),
                formula,
            });
            let invariants = domains::invariants(program, terms, cases);
            Known { invariants, certificate }
        },
    );
    done.statistics.trees = values.nodes();
    done.statistics.tracked = values.precision().map(|precision| precision.tracked().len());
    done.statistics.checks = refine.exact.checked;
    done.statistics.checked_for(&clock);
    done.precision = values.precision().cloned();
    done
}

/// Adds up the time that something takes.
#[derive(Default)]
pub(crate) struct Clock {
    spent: Cell<Duration>,
}

impl Clock {
    pub(crate) fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.spent.set(self.spent.get() + start.elapsed());
        result
    }
}

impl Statistics {
    /// Tells the time of exact checks apart from that of the refinements that ask for them.
    pub(crate) fn checked_for(&mut self, clock: &Clock) {
        self.checking = clock.spent.get();
        self.refining = self.refining.saturating_sub(self.checking);
    }
}

/// What all explorations have in common.
pub(crate) struct Run<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Forward,
    pub(crate) traversal: Traversal,
    pub(crate) budget: &'a Budget,
}

impl Run<'_> {
    /// Explores and refines. The caller puts what stays unresolved into words, and says what is
    /// known at locations that matter once the graph is closed.
    pub(crate) fn explore<C, R>(
        &self,
        cpa: &mut C,
        refine: &mut R,
        unresolved: impl Fn(&R) -> Unknown,
        known: impl Fn(&mut C, &Arg<C>, &dyn Fn(LocId) -> bool) -> Known,
    ) -> Forwarded
    where
        C: Cpa<Halt = Unknown>,
        R: Refiner<C, Evidence = Box<Counterexample>>,
    {
        let cfa = &self.program.cfa;
        let reach = Reach::of(cfa);
        let start = Instant::now();
        let seen = Cell::new(cpa::Statistics::default());
        let halt = || {
            let so_far = seen.get();
            self.budget.progress.set_explored(so_far.added, so_far.refinements);
            let many = self.options.nodes.is_some_and(|most| so_far.added > most);
            let why = || Unknown::Exhausted(format!("{} abstract states", so_far.added));
            self.budget.exceeded().or_else(|| many.then(why))
        };
        let plan = Plan { cfa, reach: &reach, traversal: self.traversal, halt: &halt };
        let mut timed = Timed { inner: refine, clock: Clock::default() };
        let mut observer = Shared { statistics: &seen };
        let (ended, arg) = cpa::cegar(cpa, &mut timed, &plan, self.options.prune, &mut observer);
        let refining = timed.clock.spent.get();
        let statistics = Statistics {
            graph: seen.get(),
            nodes: arg.len(),
            refining,
            exploring: start.elapsed().saturating_sub(refining),
            ..Statistics::default()
        };
        let verdict = match ended {
            Ended::Safe if !reach.error_reachable() && reach.inconclusive().is_empty() => {
                Verdict::Safe(Proof::NoPath)
            }
            Ended::Safe => Verdict::Safe(Proof::Explored { nodes: arg.len() }),
            Ended::Unsafe(found) => Verdict::Unsafe(found),
            Ended::Halted(why) => Verdict::Unknown(why),
            Ended::Unresolved => Verdict::Unknown(unresolved(timed.inner)),
        };
        let Known { invariants, certificate } = match verdict {
            Verdict::Safe(_) => known(cpa, &arg, &|location| reach.relevant(location)),
            _ => Known::default(),
        };
        let invariants = Arc::new(invariants);
        Forwarded { verdict, statistics, precision: None, invariants, certificate }
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

/// Counts events where others can see the sums meanwhile.
struct Shared<'a> {
    statistics: &'a Cell<cpa::Statistics>,
}

impl Observer for Shared<'_> {
    fn on(&mut self, event: Event) {
        let mut statistics = self.statistics.get();
        statistics.count(event);
        self.statistics.set(statistics);
    }
}

/// A refiner with a clock.
struct Timed<'r, R> {
    inner: &'r mut R,
    clock: Clock,
}

impl<C: Cpa, R: Refiner<C>> Refiner<C> for Timed<'_, R> {
    type Evidence = R::Evidence;

    fn wants_detours(&self) -> bool {
        self.inner.wants_detours()
    }

    fn traversal(&self) -> Option<Traversal> {
        self.inner.traversal()
    }

    fn refine(
        &mut self,
        cpa: &mut C,
        arg: &Arg<C>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, C::Halt> {
        let inner = &mut *self.inner;
        self.clock.time(|| inner.refine(cpa, arg, path))
    }
}
