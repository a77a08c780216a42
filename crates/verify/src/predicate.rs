//! Forward exploration with predicates, alone or beside explicit values.

use certify::Certificate;
use cfa::{EdgeId, Program};
use cpa::{Arg, Cpa, Traversal};
use domains::Claim;
use domains::combined::{self, Both};
use domains::predicate::{self, Abstraction, Options, Pieces, Predicates, Refine, Style};
use domains::value::{Precision, Values};
use engines::{Budget, NewSolver, path};

use crate::forward::{Clock, Forward, Forwarded, Known, Run, unresolved};

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
    let clock = Clock::default();
    let mut check = |edges: &[EdgeId]| clock.time(|| path::check(program, edges, solver, budget));
    let halt = || budget.exceeded();
    let mut refine = Refine::new(&mut check, settings.style, settings.pieces);
    // Ways through a block meet only if they are explored in the order of control flow.
    let run = Run { program, options, traversal: Traversal::ReversePostOrder, budget };
    let mut done;
    let checks;
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
            |refine| {
                unresolved("explicit values and predicates", &refine.predicates.exact.findings)
            },
            |both, arg, relevant| {
                let Both { values, predicates, .. } = both;
                let mut claim = |claim: &mut Claim<'_>, state: &combined::State| {
                    values.claim(claim, state.0);
                    predicates.claim(claim, state.1);
                };
                let certificate =
                    options.certify.then(|| certificate(program, predicates, arg, &mut claim));
                let invariants = both.predicates.invariants(arg, relevant, &|state| state.1);
                Known { invariants, certificate }
            },
        );
        checks = refine.predicates.exact.checked;
        let statistics = &mut done.statistics;
        statistics.trees = both.values.nodes();
        let tracked = both.values.precision().map_or(0, |precision| precision.tracked().len());
        statistics.tracked = Some(tracked + both.predicates.predicates());
        statistics.queries = Some(both.predicates.queries());
        done.precision = both.values.precision().cloned();
    } else {
        done = run.explore(
            &mut predicates,
            &mut refine,
            |refine| unresolved("predicates", &refine.exact.findings),
            |predicates, arg, relevant| {
                let mut claim = |claim: &mut Claim<'_>, state: &predicate::State| {
                    predicates.claim(claim, *state);
                };
                let certificate =
                    options.certify.then(|| certificate(program, predicates, arg, &mut claim));
                let invariants = predicates.invariants(arg, relevant, &|state| *state);
                Known { invariants, certificate }
            },
        );
        checks = refine.exact.checked;
        done.statistics.tracked = Some(predicates.predicates());
        done.statistics.queries = Some(predicates.queries());
    }
    done.statistics.checks = checks;
    done.statistics.checked_for(&clock);
    done
}

/// The states where blocks start, as claims.
fn certificate<C: Cpa>(
    program: &Program,
    predicates: &Predicates<'_>,
    arg: &Arg<C>,
    claim: &mut dyn FnMut(&mut Claim<'_>, &C::State),
) -> Certificate {
    let mut certificate = predicates.certificate();
    let is_cut = |at| predicates.ends_at(at);
    domains::add_entries(&mut certificate, &program.cfa, arg, &is_cut, claim);
    certificate
}
