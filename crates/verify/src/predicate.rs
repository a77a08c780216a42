//! Forward exploration with predicates.

use cfa::{EdgeId, Program};
use cpa::Traversal;
use domains::predicate::{Abstraction, Options, Pieces, Predicates, Refine, Style};
use engines::path::Feasibility;
use engines::{Budget, NewSolver, path};

use crate::forward::{Clock, Forward, Forwarded, Run, unresolved};

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
    let asked = Options { abstraction, ..settings.options };
    let mut predicates = Predicates::new(program, asked, solver(), budget.clone());
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
        |predicates, arg, relevant| predicates.invariants(arg, relevant, &|state| *state),
    );
    done.statistics.tracked = Some(predicates.predicates());
    done.statistics.queries = Some(predicates.queries());
    done.statistics.checks = refine.exact.checked;
    done.statistics.checked_for(&clock);
    done
}
