//! The abstraction of `fixpoint`, forwards: the states after a command are abstracted by asking which predicates hold
//! after the command. A predicate holds after the command if it holds before with the update substituted, so nothing
//! has to be projected.

use cfa::LocId;
use rustc_hash::FxHashMap;

use super::alpha::Predicates;
use super::atom::{AtomId, Literal};
use super::bits::Bits;
use super::entail::Context;
use super::fixpoint::{Engine, Fixpoint, State};
use super::order::Alpha;
use run::Unknown;

impl Engine<'_> {
    /// Iterates the abstract successor operator from the start until nothing is new, or until an
    /// unsafe state is reached. In the result, `next` leads back, `init` is the state that meets
    /// an unsafe one, and levels count from the start.
    pub fn forward(&mut self, predicates: &mut Predicates) -> Result<Fixpoint, Unknown> {
        let mut result = Fixpoint::default();
        let init = self.system.init;
        result.states.push(State {
            level: 0,
            location: init,
            conjunction: vec![],
            next: None,
            covered: false,
            error: None,
        });
        let mut known: FxHashMap<LocId, Vec<(Bits, usize)>> = FxHashMap::default();
        known.entry(init).or_default().push((Bits::default(), 0));
        self.meets(&mut result, 0)?;
        let mut frontier = 0..1;
        let mut level = 0;
        while !frontier.is_empty() && (self.whole || result.init.is_none()) {
            level += 1;
            let end = result.states.len();
            for index in frontier.clone() {
                if let Some(why) = self.run.budget.exceeded() {
                    return Err(why.into());
                }
                if result.states[index].covered {
                    continue;
                }
                for rule in
                    self.system.from.get(&result.states[index].location).into_iter().flatten()
                {
                    let target = self.system.rules[*rule].target;
                    let before = &result.states[index].conjunction;
                    let Some(own) = self.after(predicates, *rule, before, target)? else {
                        continue;
                    };
                    let here = known.entry(target).or_default();
                    if here.iter().any(|(other, _)| other.is_subset(&own)) {
                        continue;
                    }
                    for (other, covered) in &*here {
                        if own.is_subset(other) {
                            result.states[*covered].covered = true;
                        }
                    }
                    here.retain(|(_, index)| !result.states[*index].covered);
                    let new = result.states.len();
                    here.push((own.clone(), new));
                    result.states.push(State {
                        level,
                        location: target,
                        conjunction: predicates.atoms(&own),
                        next: Some((*rule, index)),
                        covered: false,
                        error: None,
                    });
                    self.meets(&mut result, new)?;
                }
            }
            frontier = end..result.states.len();
            if !frontier.is_empty() {
                result.steps = level;
            }
        }
        Ok(result)
    }

    /// Notes whether some of the concrete states of an abstract state are unsafe.
    fn meets(&self, result: &mut Fixpoint, index: usize) -> Result<(), Unknown> {
        let state = &result.states[index];
        for (number, error) in self.system.errors.iter().enumerate() {
            if error.location != state.location {
                continue;
            }
            let both = [&*state.conjunction, &error.conjunction].concat();
            if Context::new(&self.atoms, &both, &self.run.budget)?.is_satisfiable() {
                result.init.get_or_insert(index);
                result.states[index].error = Some(number);
                break;
            }
        }
        Ok(())
    }

    /// The predicates that hold after a command, as `α_k` sees it; `None` if the command cannot be taken.
    fn after(
        &mut self,
        predicates: &Predicates,
        rule: usize,
        before: &[AtomId],
        target: LocId,
    ) -> Result<Option<Bits>, Unknown> {
        let both = [before, &self.system.rules[rule].guard].concat();
        // The images are made first: they may be new atoms, and the context below borrows the table of atoms.
        let wanted = predicates.at(target);
        let images: Vec<(usize, Literal)> = wanted
            .iter()
            .map(|number| (number, self.pre.image(&mut self.atoms, rule, predicates.atom(number))))
            .collect();
        let mut context = Context::new(&self.atoms, &both, &self.run.budget)?;
        if !context.is_satisfiable() {
            return Ok(None);
        }
        let mut own = Bits::default();
        for (number, image) in images {
            let holds = match image {
                Literal::True => true,
                Literal::False => false,
                Literal::Atom(image) => match self.alpha {
                    Alpha::One => both.contains(&image),
                    Alpha::Two => both.iter().any(|atom| self.atoms.implies(*atom, image)),
                    Alpha::Three => context.implies(image)?,
                },
            };
            if holds {
                own.insert(number);
            }
        }
        Ok(Some(own))
    }
}
