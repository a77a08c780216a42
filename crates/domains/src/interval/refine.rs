//! What happens to a path to an error that intervals do not exclude. Intervals have no precision that
//! could grow.

use cfa::EdgeId;
use cpa::{Arg, Path, Refinement, Refiner};
use run::{Counterexample, Feasibility, Unknown};

use super::Intervals;
use crate::exact::{Exact, Finding};

/// Checks the paths that intervals do not exclude bit-precisely, or leaves all of them as they are.
pub struct Refine<'a> {
    /// The bit-precise check of paths.
    pub exact: Exact<'a>,
    /// Whether paths are checked. Otherwise every path stays as it is.
    looks: bool,
}

impl<'a> Refine<'a> {
    /// Checks every path.
    pub fn new(check: &'a mut dyn FnMut(&[EdgeId]) -> Feasibility) -> Self {
        Self { exact: Exact::new(check), looks: true }
    }

    /// Checks no path: another analysis looks for errors.
    #[must_use]
    pub fn only_proves(self) -> Self {
        Self { looks: false, ..self }
    }
}

impl<'p> Refiner<Intervals<'p>> for Refine<'_> {
    type Evidence = Box<Counterexample>;

    fn wants_detours(&self) -> bool {
        self.looks
    }

    fn refine(
        &mut self,
        _: &mut Intervals<'p>,
        _: &Arg<Intervals<'p>>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, Unknown> {
        if !self.looks {
            return Ok(self.exact.unresolved(Finding::Inexpressible));
        }
        let edges = path.steps.iter().filter_map(|step| step.edge()).collect();
        self.exact.look(path, edges)
    }
}
