//! Refinement of the precision: from a path to a violation to an execution, or to what must be
//! tracked so that the path is not found again.

use cfa::EdgeId;
use cpa::{Arg, Path, Refinement, Refiner};
use run::{Budget, Counterexample, Feasibility, Notes, Unknown};
use rustc_hash::FxHashSet;
use term::Var;

use crate::exact::{Exact, Finding};
use crate::precision::line_of;
use crate::value::Values;
use crate::value::prefix::{Preference, counters};

/// Refines explicit values by interpolation. Paths that interpolation cannot exclude are checked bit-precisely.
pub struct Refine<'a> {
    /// The bit-precise check of paths that values do not exclude.
    pub exact: Exact<'a>,
    /// What a refinement may use.
    pub budget: &'a Budget,
    /// Which infeasible prefix is looked at.
    pub preference: Preference,
    /// What was found out about the last path, if somebody wants to know.
    pub notes: Option<Notes>,
    counters: Option<FxHashSet<Var>>,
}

impl<'a> Refine<'a> {
    /// Refines with a check of paths.
    pub fn new(
        check: &'a mut dyn FnMut(&[EdgeId]) -> Feasibility,
        budget: &'a Budget,
        preference: Preference,
    ) -> Self {
        Self { exact: Exact::new(check), budget, preference, notes: None, counters: None }
    }

    /// Looks at a path that explicit values do not exclude.
    fn check(&mut self, path: &Path) -> Result<Refinement<Box<Counterexample>>, Unknown> {
        let edges = path.steps.iter().filter_map(|step| step.edge()).collect();
        self.exact.look(path, edges)
    }
}

impl<'p> Refiner<Values<'p>> for Refine<'_> {
    type Evidence = Box<Counterexample>;

    fn notes(&mut self) -> Notes {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    // Beyer & Löwe 2012, Alg. 4, on the prefix that is preferred.
    fn refine(
        &mut self,
        values: &mut Values<'p>,
        arg: &Arg<Values<'p>>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, Unknown> {
        if values.precision.is_none() {
            return self.check(path);
        }
        let stacks = &arg.places.stacks;
        let prefixes = values.prefixes_for(stacks, path, self.preference);
        if prefixes.is_empty() {
            return self.check(path);
        }
        let mut found = Vec::with_capacity(prefixes.len());
        for prefix in &prefixes {
            found.push(values.interpolate(stacks, path, prefix, self.budget)?);
        }
        let program = values.program;
        let counters = self.counters.get_or_insert_with(|| counters(&program.cfa, &program.terms));
        let Some(chosen) = self.preference.pick(found, counters) else { return self.check(path) };
        if let Some(notes) = &mut self.notes {
            values.note_interpolants(stacks, path, &chosen, notes);
        }
        for (node, needed) in chosen.needed.iter().enumerate() {
            for what in needed {
                let location = path.places[node].location;
                if values.track(location, *what)
                    && let Some(notes) = &mut self.notes
                {
                    notes.learned.push((location, line_of(values.program, *what)));
                }
            }
        }
        // The first node whose state does not know what the interpolant there says. The node may have been found before
        // the variables of the interpolant were tracked, so that nothing new was learned now.
        let nodes = path.nodes.iter().zip(&chosen.states);
        let lacking = nodes.enumerate().find_map(|(index, (node, interpolant))| {
            (!values.leq(arg.node(*node).state, *interpolant)).then_some(index)
        });
        match lacking {
            Some(node) => Ok(Refinement::Spurious { keep: node.checked_sub(1) }),
            None => Ok(self.exact.unresolved(Finding::NoProgress)),
        }
    }
}
