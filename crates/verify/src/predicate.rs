//! Forward exploration with predicates.

use certify::Certificate;
use cfa::{EdgeId, Loops, Program};
use cpa::{Arg, Cpa, Traversal};
use domains::predicate::{self, Abstraction, Blocks, Options, Pieces, Predicates, Refine, Style};
use domains::{Case, Claim};
use engines::path::Feasibility;
use engines::{Budget, NewSolver, path};
use passes::Cells;

use crate::forward::{Clock, Forward, Forwarded, Known, Run, unresolved};

/// How predicates are found and asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Predicate {
    /// Which combinations of them a state can be; if nothing is said, what has proved best.
    pub abstraction: Option<Abstraction>,
    /// Where blocks end; if nothing is said, what has proved best.
    pub blocks: Option<Blocks>,
    /// Which interpolants are wanted.
    pub style: Style,
    /// What becomes of them.
    pub pieces: Pieces,
}

impl Predicate {
    /// Refines predicates with a check of paths.
    pub(crate) fn refine<'a>(
        self,
        check: &'a mut dyn FnMut(&[EdgeId]) -> Feasibility,
    ) -> Refine<'a> {
        Refine::new(check, self.style, self.pieces)
    }
}

/// Explores with predicates, those that refinement asks for.
pub(crate) fn predicate(
    program: &Program,
    options: &Forward,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> Forwarded {
    let settings = options.predicate;
    let abstraction = settings.abstraction.unwrap_or(Abstraction::Split);
    let blocks = settings.blocks.unwrap_or_default();
    let asked = Options { abstraction, blocks, scope: options.scope };
    let cells = Cells::of(program, &|| budget.exceeded().is_some());
    let seen = cells.as_ref().map_or(program, Cells::program);
    let mirrors = cells.as_ref().map(|cells| cells.mirrors().clone()).unwrap_or_default();
    let mut predicates =
        Predicates::new(seen, asked, solver(), budget.clone()).with_mirrors(mirrors);
    let clock = Clock::default();
    let mut check = |edges: &[EdgeId]| clock.time(|| path::check(program, edges, solver, budget));
    let mut refine = settings.refine(&mut check);
    // Ways through a block meet only if they are explored in the order of control flow.
    let traversal = options.traversal.unwrap_or(Traversal::ReversePostOrder);
    let run = Run { program, options, traversal, budget };
    let mut done = run.explore(
        &mut predicates,
        &mut refine,
        |refine| unresolved("predicates", &refine.exact.findings),
        |predicates, arg, relevant| {
            let mut claim = |claim: &mut Claim<'_>, state: &predicate::State| {
                predicates.claim(claim, *state);
            };
            let certificate = options
                .certify
                .then(|| certificate(program, cells.as_ref(), predicates, arg, &mut claim));
            let cases = domains::cases(&program.cfa, arg, relevant, &mut |state, function| Case {
                values: Vec::new(),
                formula: predicates.in_names(*state, function),
            });
            let invariants = domains::invariants(seen, predicates.terms().clone(), cases);
            Known { invariants, certificate }
        },
    );
    done.statistics.tracked = Some(predicates.predicates());
    done.statistics.queries = Some(predicates.queries());
    done.statistics.checks = refine.exact.checked;
    done.statistics.checked_for(&clock);
    done
}

/// The states at the heads of loops, where blocks start in any case, as claims. The checker goes
/// the ways between them by itself.
pub(crate) fn certificate<C: Cpa>(
    program: &Program,
    cells: Option<&Cells>,
    predicates: &Predicates<'_>,
    arg: &Arg<C>,
    claim: &mut dyn FnMut(&mut Claim<'_>, &C::State),
) -> Certificate {
    let mut certificate = predicates.certificate();
    let loops = Loops::of(&program.cfa);
    domains::add_entries(&mut certificate, &program.cfa, arg, &|at| loops.head(at), claim);
    if let Some(cells) = cells {
        cells.hide(&mut certificate);
    }
    certificate
}
