//! Forward exploration with predicates, alone or beside explicit values.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cfa::{EdgeId, LocId, Program, Reach};
use cpa::{Arg, Cpa, Ended, Path, Plan, Refinement, Refiner, Traversal};
use domains::combined::{self, Both};
use domains::predicate::{Abstraction, Finding, Options, Pieces, Predicates, Refine, Style};
use domains::value::{Precision, Values};
use engines::{Budget, Counterexample, Invariants, NewSolver, Proof, Unknown, Verdict, path};

use crate::forward::{Forward, Forwarded};
use crate::statistics::Statistics;

/// How predicates are found and asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Predicate {
    /// Which combinations of them a state can be; if nothing is said, what has proved best.
    pub abstraction: Option<Abstraction>,
    /// How they are asked about, apart from that.
    pub options: Options,
    /// Which interpolants are wanted.
    pub style: Style,
    /// What becomes of them.
    pub pieces: Pieces,
    /// Beside explicit values: how many values a variable may have at one place before it is left
    /// to the predicates.
    pub value_limit: Option<usize>,
}

/// Explores with predicates, those that refinement asks for; if wanted, beside explicit values.
pub(crate) fn predicate(
    program: &Program,
    options: &Forward,
    beside_values: bool,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> Forwarded {
    let settings = options.predicate;
    // Values tell cases apart already; without them, a state for each case does.
    let best = if beside_values { Abstraction::Boolean } else { Abstraction::Split };
    let abstraction = settings.abstraction.unwrap_or(best);
    let asked = Options { abstraction, ..settings.options };
    let mut predicates = Predicates::new(program, asked, solver(), budget.clone());
    let checking = Cell::new(Duration::ZERO);
    let mut check = |edges: &[EdgeId]| {
        let start = Instant::now();
        let feasibility = path::check(program, edges, solver, budget);
        checking.set(checking.get() + start.elapsed());
        feasibility
    };
    let halt = || budget.exceeded();
    let refine = Refine::new(&mut check, settings.style, settings.pieces);
    let run = Run { program, options, halt: &halt };
    let mut done;
    if beside_values {
        let precision = options.precision.clone().unwrap_or_else(|| Precision::new(options.scope));
        let values = Values::new(program, Some(precision));
        let mut both = Both::new(values, predicates, settings.value_limit);
        let mut refine = combined::Refine {
            predicates: refine,
            halt: &halt,
            preference: options.preference,
            by_values: 0,
        };
        done = run.explore(
            &mut both,
            &mut refine,
            |refine| &refine.predicates,
            |both, arg, relevant| both.predicates.invariants(arg, relevant, &|state| state.1),
        );
        let statistics = &mut done.statistics;
        statistics.trees = both.values.nodes();
        let tracked = both.values.precision().map_or(0, |precision| precision.tracked().len());
        statistics.tracked = Some(tracked + both.predicates.predicates());
        statistics.queries = Some(both.predicates.queries());
        done.precision = both.values.precision().cloned();
    } else {
        let mut refine = refine;
        done = run.explore(
            &mut predicates,
            &mut refine,
            |refine| refine,
            |predicates, arg, relevant| predicates.invariants(arg, relevant, &|state| *state),
        );
        done.statistics.tracked = Some(predicates.predicates());
        done.statistics.queries = Some(predicates.queries());
    }
    done.statistics.checking = checking.get();
    done.statistics.refining = done.statistics.refining.saturating_sub(checking.get());
    done
}

/// What all explorations have in common.
struct Run<'a> {
    program: &'a Program,
    options: &'a Forward,
    halt: &'a dyn Fn() -> Option<Unknown>,
}

impl Run<'_> {
    fn explore<'c, C, R>(
        &self,
        cpa: &mut C,
        refine: &mut R,
        predicates: impl Fn(&R) -> &Refine<'c>,
        known: impl Fn(&mut C, &Arg<C>, &dyn Fn(LocId) -> bool) -> Invariants,
    ) -> Forwarded
    where
        C: Cpa<Halt = Unknown>,
        R: Refiner<C, Evidence = Box<Counterexample>>,
    {
        let cfa = &self.program.cfa;
        let reach = Reach::of(cfa);
        let mut statistics = Statistics::default();
        let start = Instant::now();
        // Ways through a block meet only if they are explored in the order of control flow.
        let traversal = Traversal::ReversePostOrder;
        let plan = Plan { cfa, reach: &reach, traversal, halt: self.halt };
        let mut timed = Timed { inner: refine, spent: Duration::ZERO };
        let prune = self.options.prune;
        let (ended, arg) = cpa::cegar(cpa, &mut timed, &plan, prune, &mut statistics.graph);
        statistics.nodes = arg.len();
        statistics.refining = timed.spent;
        statistics.exploring = start.elapsed().saturating_sub(timed.spent);
        let refine = predicates(timed.inner);
        statistics.checks = refine.checked;
        let verdict = match ended {
            Ended::Safe if !reach.error_reachable() && reach.inconclusive().is_empty() => {
                Verdict::Safe(Proof::NoPath)
            }
            Ended::Safe => Verdict::Safe(Proof::Explored { nodes: arg.len() }),
            Ended::Unsafe(found) => Verdict::Unsafe(found),
            Ended::Halted(why) => Verdict::Unknown(why),
            Ended::Unresolved => Verdict::Unknown(unresolved(&refine.findings)),
        };
        let invariants = match verdict {
            Verdict::Safe(_) => known(cpa, &arg, &|location| reach.relevant(location)),
            _ => Invariants::default(),
        };
        Forwarded { verdict, statistics, precision: None, invariants: Arc::new(invariants) }
    }
}

/// Why a program whose graph is closed is not called safe.
fn unresolved(findings: &[Finding]) -> Unknown {
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
        Unknown::Exhausted(format!("predicates cannot exclude {what} that no execution takes"))
    })
}

/// A refiner with a clock.
struct Timed<'r, R> {
    inner: &'r mut R,
    spent: Duration,
}

impl<C: Cpa, R: Refiner<C>> Refiner<C> for Timed<'_, R> {
    type Evidence = R::Evidence;

    fn refine(
        &mut self,
        cpa: &mut C,
        arg: &Arg<C>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, C::Halt> {
        let start = Instant::now();
        let refined = self.inner.refine(cpa, arg, path);
        self.spent += start.elapsed();
        refined
    }
}
