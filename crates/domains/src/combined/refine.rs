//! Refinement of values and predicates: the former are preferred.

use cpa::{Arg, Path, Refinement, Refiner};
use engines::{Counterexample, Unknown};

use crate::combined::Both;
use crate::predicate;
use crate::value::Preference;

/// Refines values where they explain why a path cannot be taken, and predicates where they do not.
pub struct Refine<'a> {
    /// Refines predicates, and checks paths exactly.
    pub predicates: predicate::Refine<'a>,
    /// Why the run must end now, if it must.
    pub halt: &'a dyn Fn() -> Option<Unknown>,
    /// Which infeasible prefix values are interpolated for.
    pub preference: Preference,
    /// How many refinements values were enough for.
    pub by_values: u64,
}

impl Refine<'_> {
    /// Tracks values that exclude a path. Gives whether there is something new to track.
    fn by_values(
        &mut self,
        both: &mut Both<'_>,
        arg: &Arg<Both<'_>>,
        path: &Path,
    ) -> Result<bool, Unknown> {
        let stacks = &arg.places.stacks;
        let prefixes = both.values.prefixes(stacks, path, false);
        let mut found = Vec::new();
        for prefix in &prefixes {
            let halt = self.halt;
            match both.values.interpolate(stacks, path, prefix, &|| halt().is_some()) {
                // What was left to the predicates is not taken back.
                Some(list) if list.tracked().iter().all(|each| !both.is_dropped(*each)) => {
                    found.push(list);
                }
                Some(_) => {}
                None => return Err(halt().unwrap_or(Unknown::Interrupted)),
            }
        }
        let Some(chosen) = both.values.prefer(self.preference, found) else { return Ok(false) };
        let mut new = false;
        for (node, needed) in chosen.needed.iter().enumerate() {
            for what in needed {
                new |= both.values.track(path.places[node].location, *what);
            }
        }
        Ok(new)
    }
}

impl<'p> Refiner<Both<'p>> for Refine<'_> {
    type Evidence = Box<Counterexample>;

    // The path is chosen anew among the blocks that lead to the target.
    fn wants_detours(&self) -> bool {
        false
    }

    fn refine(
        &mut self,
        both: &mut Both<'p>,
        arg: &Arg<Both<'p>>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, Unknown> {
        let states: Vec<predicate::State> =
            path.nodes.iter().map(|node| arg.node(*node).state.1).collect();
        if let Some(target) = states.last()
            && let Some(taken) = both.predicates.concrete(*target, path)?
            && self.by_values(both, arg, &taken)?
        {
            self.by_values += 1;
            return Ok(Refinement::Spurious { keep: None });
        }
        self.predicates.exclude(&mut both.predicates, &states, path)
    }
}
