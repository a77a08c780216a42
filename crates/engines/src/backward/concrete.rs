//! The test for spuriousness: iterates the concrete `pre`, asks whether the start is reached, and
//! notices when the concrete fixpoint is there (`cfp_chk`).

use cfa::LocId;
use rustc_hash::FxHashMap;

use super::atom::AtomId;
use super::entail::Context;
use super::fixpoint::{Engine, Fixpoint, State};
use super::order::{Alpha, conjunction_leq};
use run::Unknown;

/// How many concrete states are looked at.
const MAX_STATES: usize = 20_000;

/// The concrete iteration so far.
#[derive(Default)]
pub struct Concrete {
    /// The states that are new at each step, and the step at which they were found.
    pub found: Fixpoint,
    /// The index of the first state that the last step has found.
    last: usize,
    level: u32,
    by_location: FxHashMap<LocId, Vec<usize>>,
    /// States at the start, which no later step leaves.
    pub starts: Vec<usize>,
    /// Whether the last step found nothing.
    pub complete: bool,
}

impl Concrete {
    /// Goes on until `steps` steps are done, the start is reached, or nothing is new.
    pub fn advance(&mut self, engine: &mut Engine<'_>, steps: u32) -> Result<(), Unknown> {
        if self.level == 0 && self.found.states.is_empty() {
            for state in engine.unsafe_states() {
                self.consider(engine, state)?;
            }
        }
        while self.level < steps && self.starts.is_empty() && !self.complete {
            self.level += 1;
            let frontier = self.last..self.found.states.len();
            self.last = frontier.end;
            for index in frontier {
                let state = &self.found.states[index];
                let conjunction = state.conjunction.clone();
                for rule in engine.system.into.get(&state.location).into_iter().flatten() {
                    let location = engine.system.rules[*rule].source;
                    for conjunction in engine.pre.of(&mut engine.atoms, *rule, &conjunction) {
                        let next = Some((*rule, index));
                        let (level, covered, error) = (self.level, false, None);
                        let state = State { level, location, conjunction, next, covered, error };
                        self.consider(engine, state)?;
                    }
                }
            }
            self.complete = self.last == self.found.states.len();
            if !self.complete {
                self.found.steps = self.level;
            }
        }
        Ok(())
    }

    /// Adds a state unless it is empty or not new.
    fn consider(&mut self, engine: &Engine<'_>, state: State) -> Result<(), Unknown> {
        if let Some(why) = engine.run.budget.exceeded() {
            return Err(why.into());
        }
        let conjunction: &[AtomId] = &state.conjunction;
        let mut context = Context::new(&engine.atoms, conjunction, &engine.run.budget)?;
        if !context.is_satisfiable() {
            return Ok(());
        }
        let known = self.by_location.entry(state.location).or_default();
        for index in &*known {
            let other = &self.found.states[*index].conjunction;
            let below = if engine.alpha == Alpha::Three {
                let mut all = true;
                for atom in other {
                    if !context.implies(*atom)? {
                        all = false;
                        break;
                    }
                }
                all
            } else {
                conjunction_leq(
                    &engine.atoms,
                    engine.alpha,
                    conjunction,
                    other,
                    &engine.run.budget,
                )?
            };
            if below {
                return Ok(());
            }
        }
        let index = self.found.states.len();
        if index >= MAX_STATES {
            let why = format!("the test for spuriousness met more than {MAX_STATES} states");
            return Err(Unknown::Exhausted(why));
        }
        known.push(index);
        if state.location == engine.system.init {
            self.starts.push(index);
            self.found.init.get_or_insert(index);
        }
        self.found.states.push(state);
        Ok(())
    }
}
