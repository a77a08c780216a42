//! Refinement of values and predicates: the former are preferred.

use cpa::{Arg, Path, Refinement, Refiner, Traversal};
use run::{Budget, Counterexample, Notes, Unknown};
use rustc_hash::FxHashSet;
use term::Var;

use crate::exact::Finding;
use crate::precision::line_of;
use crate::predicate::{self, Blocks, Sifted};
use crate::product::{Product, Strategy};
use crate::value::{Interpolants, Preference, Tracked};

/// What is learned from a path that no execution takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// Variables to track, and predicates about variables that dropped out (Bajkai 2018, ch. 3). Predicates about other
    /// variables are learned only if nothing else is new.
    #[default]
    Dropouts,
    /// Values, if all variables whose values explain the path may be tracked; otherwise predicates (Beyer & Löwe 2012,
    /// §III-F).
    Preferred,
    /// Variables to track and predicates at once, from the same interpolants: all variables in them that
    /// have not dropped out, and those predicates that speak of a dropout (Bajkai 2018, ch. 3, to the
    /// letter). A path that this does not exclude stays.
    Report,
}

/// Refines values where they explain why a path cannot be taken, and predicates where they do not.
pub struct Refine<'a> {
    /// Refines predicates, and checks paths exactly.
    pub predicates: predicate::Refine<'a>,
    /// What a refinement may use.
    pub budget: &'a Budget,
    /// Which infeasible prefix values are interpolated for.
    pub preference: Preference,
    /// What is learned.
    pub rule: Rule,
    /// For how many refinements values were enough.
    pub by_values: u64,
    /// Where blocks end.
    pub blocks: Phases,
    /// The dropouts that have been noted.
    pub told: FxHashSet<Var>,
}

/// Where blocks end, and when that changes. While there are no predicates, single edges are best: every way through the
/// program is a way of the graph, as for explicit values alone. Predicates want larger blocks, whose ways meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Phases {
    /// The blocks that are used once there are predicates; `None` from then on.
    pub later: Option<Blocks>,
    /// Whether blocks are single edges now.
    pub single_edges: bool,
    /// The order in which nodes are expanded, if it follows the blocks.
    pub follow: bool,
}

impl Refine<'_> {
    /// The preferred interpolants of explicit values along a path, among those for which `helps` holds.
    fn interpolants(
        &self,
        product: &mut Product<'_>,
        arg: &Arg<Product<'_>>,
        path: &Path,
        helps: &dyn Fn(&Product<'_>, &Interpolants) -> bool,
    ) -> Result<Option<Interpolants>, Unknown> {
        let stacks = &arg.places.stacks;
        let prefixes = match self.preference {
            Preference::Whole => product.values.prefixes_for(stacks, path, self.preference),
            _ => product.values.prefixes(stacks, path, false),
        };
        let mut found = Vec::new();
        for prefix in &prefixes {
            let list = product.values.interpolate(stacks, path, prefix, self.budget)?;
            if helps(product, &list) {
                found.push(list);
                if self.preference == Preference::First {
                    break;
                }
            }
        }
        Ok(product.values.prefer(self.preference, found))
    }

    /// Tracks values that exclude a path, as far as they may be tracked. Gives how much of the
    /// graph's path stays if that helps.
    fn by_values(
        &mut self,
        product: &mut Product<'_>,
        arg: &Arg<Product<'_>>,
        path: &Path,
        taken: &Path,
    ) -> Result<Option<Refinement<Box<Counterexample>>>, Unknown> {
        let rule = self.rule;
        // If `taken` is not the path of the graph, the last state of the graph's path says for all nodes of `taken`
        // which variables are left to the predicates.
        let same = taken.steps == path.steps;
        let state = |node: usize| {
            let node = if same { path.nodes.get(node) } else { path.nodes.last() };
            node.map(|node| arg.node(*node).state)
        };
        let helps = |product: &Product<'_>, found: &Interpolants| {
            // Variables that have dropped out are not tracked again.
            let is_left = |what: &Tracked| !product.is_dropped(*what);
            let stays = |(node, needed): (usize, &Vec<Tracked>)| {
                let left = |what: &Tracked| {
                    state(node).is_some_and(|state| product.is_left_at(&state, *what))
                };
                !needed.iter().any(left)
            };
            match rule {
                Rule::Preferred => {
                    found.tracked().iter().all(is_left)
                        && found.needed.iter().enumerate().all(stays)
                }
                Rule::Dropouts => found.tracked().iter().any(is_left),
                Rule::Report => false,
            }
        };
        let chosen = self.interpolants(product, arg, taken, &helps)?;
        let Some(chosen) = chosen else { return Ok(None) };
        let stacks = &arg.places.stacks;
        let mut notes = self.predicates.notes.as_mut();
        if let Some(notes) = &mut notes {
            product.values.note_interpolants(stacks, taken, &chosen, notes);
        }
        let (mut new, mut whole) = (false, true);
        for (node, needed) in chosen.needed.iter().enumerate() {
            for what in needed {
                if product.is_dropped(*what) {
                    whole = false;
                } else if product.values.track(taken.places[node].location, *what) {
                    new = true;
                    if let Some(notes) = &mut notes {
                        let text = line_of(product.values.program(), *what);
                        notes.learned.push((taken.places[node].location, text));
                    }
                }
            }
        }
        let mut keep = None;
        if whole && same {
            // The first node whose state does not know what the interpolant there says.
            let nodes = path.nodes.iter().zip(&chosen.states);
            let lacking = nodes.enumerate().find_map(|(index, (node, interpolant))| {
                let values = arg.node(*node).state.values;
                (!product.values.leq(values, *interpolant)).then_some(index)
            });
            new |= lacking.is_some();
            keep = lacking.and_then(|index| index.checked_sub(1));
        }
        Ok(new.then_some(Refinement::Spurious { keep }))
    }
}

impl<'p> Refiner<Product<'p>> for Refine<'_> {
    type Evidence = Box<Counterexample>;

    // With larger blocks detours are not needed: the path is chosen anew among those that lead to the target.
    fn wants_detours(&self) -> bool {
        self.blocks.single_edges
    }

    fn notes(&mut self) -> Notes {
        self.predicates.notes()
    }

    fn traversal(&self) -> Option<Traversal> {
        let suits =
            if self.blocks.single_edges { Traversal::Dfs } else { Traversal::ReversePostOrder };
        self.blocks.follow.then_some(suits)
    }

    fn refine(
        &mut self,
        product: &mut Product<'p>,
        arg: &Arg<Product<'p>>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, Unknown> {
        let found = self.look_at(product, arg, path)?;
        if let Refinement::Spurious { .. } = found {
            product.begin();
        }
        Ok(found)
    }
}

impl Refine<'_> {
    /// Finds out whether an execution takes a path, and learns what excludes it if none does.
    fn look_at(
        &mut self,
        product: &mut Product<'_>,
        arg: &Arg<Product<'_>>,
        path: &Path,
    ) -> Result<Refinement<Box<Counterexample>>, Unknown> {
        if let Some(notes) = &mut self.predicates.notes {
            let mut dropouts = product.dropouts();
            let program = product.values.program();
            let left: FxHashSet<Var> = dropouts.iter().copied().collect();
            dropouts.retain(|var| !self.told.contains(var));
            let name = |var: Var| program.terms.var_name(var).to_owned();
            notes.dropouts = dropouts.into_iter().map(name).collect();
            self.told = left;
        }
        let states: Vec<predicate::State> =
            path.nodes.iter().map(|node| arg.node(*node).state.predicates).collect();
        if self.rule == Rule::Report {
            return self.by_predicates(product, &states, path);
        }
        let taken = product.predicates.concrete(&states, path)?;
        if let Some(taken) = &taken
            && let Some(excluded) = self.by_values(product, arg, path, taken)?
        {
            self.by_values += 1;
            return Ok(excluded);
        }
        let mut looked = self.by_predicates(product, &states, path)?;
        if let (Refinement::Unresolved, Some(taken)) = (&looked, &taken) {
            // Of the ways through a block only one was looked at, and predicates know nothing of
            // memory: values may exclude each way by itself.
            let last = self.predicates.exact.findings.last();
            let inexpressible = matches!(last, Some(Finding::Inexpressible));
            if self.by_dropouts(product, arg, taken)?
                || inexpressible && product.predicates.set_blocks(Blocks::Edge)
            {
                self.predicates.exact.findings.pop();
                looked = Refinement::Spurious { keep: None };
            }
        }
        self.blocks.single_edges = product.predicates.has_single_edges();
        Ok(looked)
    }

    /// Looks for predicates that exclude a path: those that the rule wants.
    fn by_predicates(
        &mut self,
        product: &mut Product<'_>,
        states: &[predicate::State],
        path: &Path,
    ) -> Result<Refinement<Box<Counterexample>>, Unknown> {
        let Product { values, predicates, dropouts, asked_again, strategy, .. } = product;
        let (rule, later) = (self.rule, self.blocks.later);
        let (mut wanted, mut grown) = (false, false);
        let mut replaced = Vec::new();
        let looked = self.predicates.exclude(predicates, states, path, &mut |location, vars| {
            let is_kept = rule == Rule::Preferred || vars.iter().any(|var| dropouts.contains(var));
            if is_kept && rule != Rule::Report {
                wanted = true;
                return if later.is_some() { Sifted::Later } else { Sifted::Kept };
            }
            let mut new = false;
            for var in vars.iter().filter(|var| !dropouts.contains(var)) {
                let tracked = values.track(location, Tracked::Variable(*var));
                if tracked {
                    replaced.push((location, line_of(values.program(), Tracked::Variable(*var))));
                }
                new |= tracked || *strategy == Strategy::Lazy && asked_again.insert(*var);
            }
            grown |= new;
            match (is_kept, new) {
                (true, _) => Sifted::Kept,
                (false, true) => Sifted::Replaced,
                (false, false) => Sifted::Ignored,
            }
        })?;
        if let Some(notes) = &mut self.predicates.notes {
            notes.learned.append(&mut replaced);
        }
        if rule == Rule::Report
            && grown
            && let Refinement::Spurious { .. } = looked
        {
            // An interpolant says where a predicate has to hold, but not where a variable gets the value from which
            // it follows. A node before the interpolant that stays was made without the variable, so that the same
            // path would be found again, with nothing new to be learned from it.
            return Ok(Refinement::Spurious { keep: None });
        }
        if let Some(blocks) = later
            && (wanted || predicates.predicates() > 0)
        {
            self.blocks.later = None;
            predicates.set_blocks(blocks);
            self.predicates.note_change("blocks: larger, since there are predicates");
            if let Refinement::Spurious { .. } = looked {
                return Ok(Refinement::Spurious { keep: None });
            }
        }
        Ok(looked)
    }

    /// Takes variables back that dropped out, if predicates cannot exclude a path and values of these variables could.
    /// Gives whether a variable was taken back.
    fn by_dropouts(
        &mut self,
        product: &mut Product<'_>,
        arg: &Arg<Product<'_>>,
        taken: &Path,
    ) -> Result<bool, Unknown> {
        let helps = |product: &Product<'_>, found: &Interpolants| {
            found.tracked().iter().any(|what| product.is_dropped(*what))
        };
        let Some(chosen) = self.interpolants(product, arg, taken, &helps)? else {
            return Ok(false);
        };
        let back = product.take_back(&chosen.tracked());
        if let Some(notes) = &mut self.predicates.notes {
            let terms = &product.values.program().terms;
            notes.taken_back.extend(back.iter().map(|var| terms.var_name(*var).to_owned()));
        }
        for (node, needed) in chosen.needed.iter().enumerate() {
            for what in needed {
                product.values.track(taken.places[node].location, *what);
            }
        }
        Ok(!back.is_empty())
    }
}
