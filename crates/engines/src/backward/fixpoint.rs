//! The abstract fixpoint: the least set of abstract states that holds the unsafe ones and, with a
//! state, the abstraction of its predecessors. Levels are computed one after another, as ARMC did.

use cfa::LocId;
use rustc_hash::FxHashMap;

use super::alpha::Predicates;
use super::atom::{AtomId, Atoms};
use super::bits::Bits;
use super::order::Alpha;
use super::pre::Pre;
use super::system::TransitionSystem;
use run::Unknown;

/// How many abstract states one iteration may have.
const MAX_STATES: usize = 200_000;

/// A set of states at a location: those that satisfy a conjunction.
#[derive(Clone, Debug)]
pub struct State {
    /// The step at which it was found; zero for an unsafe one.
    pub level: u32,
    /// Where.
    pub location: LocId,
    /// The conjunction.
    pub conjunction: Vec<AtomId>,
    /// The command that leads on, and the state that it leads to; none in an unsafe state.
    pub next: Option<(usize, usize)>,
    /// Whether a state that was found later has all of this one's.
    pub covered: bool,
    /// The unsafe states that this one is, if it is.
    pub error: Option<usize>,
}

/// A fixpoint, or the part of it up to the level that reached the start.
#[derive(Clone, Debug, Default)]
pub struct Fixpoint {
    /// The states, in the order in which they were found.
    pub states: Vec<State>,
    /// The number of steps that found something new.
    pub steps: u32,
    /// The first state at the start.
    pub init: Option<usize>,
}

impl Fixpoint {
    /// The path from a state to an unsafe one: states and the commands between them.
    #[must_use]
    pub fn path(&self, from: usize) -> Vec<usize> {
        let mut path = vec![from];
        let mut here = from;
        while let Some((_, next)) = self.states[here].next {
            path.push(next);
            here = next;
        }
        path
    }

    /// The atoms in the states, each once, in the order of their ids.
    #[must_use]
    pub fn atoms(&self) -> Vec<AtomId> {
        let mut atoms: Vec<AtomId> =
            self.states.iter().flat_map(|state| state.conjunction.iter().copied()).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }
}

/// What the iterations of a run share.
pub struct Engine<'a> {
    /// The system.
    pub system: &'a TransitionSystem,
    /// Its atoms.
    pub atoms: Atoms,
    /// The predecessor operator.
    pub pre: Pre<'a>,
    /// The abstraction function.
    pub alpha: Alpha,
    /// Whether a fixpoint goes on when it has reached the start.
    pub whole: bool,
    /// What may be spent, and whoever looks on.
    pub run: &'a run::Run<'a>,
}

/// The numbers of a state's atoms beside the state's own index.
type Known = Vec<(Bits, usize)>;

impl Engine<'_> {
    /// The states that violate the property.
    pub fn unsafe_states(&self) -> Vec<State> {
        let errors = self.system.errors.iter().enumerate();
        errors
            .map(|(index, error)| State {
                level: 0,
                location: error.location,
                conjunction: error.conjunction.clone(),
                next: None,
                covered: false,
                error: Some(index),
            })
            .collect()
    }

    /// Iterates the abstract predecessor operator until nothing is new, or until the start is
    /// reached.
    pub fn fixpoint(&mut self, predicates: &mut Predicates) -> Result<Fixpoint, Unknown> {
        let mut result = Fixpoint::default();
        let mut known: FxHashMap<LocId, Known> = FxHashMap::default();
        for state in self.unsafe_states() {
            let atoms = &self.atoms;
            let own: Bits =
                state.conjunction.iter().map(|atom| predicates.number(atoms, *atom)).collect();
            if state.location == self.system.init {
                result.init.get_or_insert(result.states.len());
            }
            known.entry(state.location).or_default().push((own, result.states.len()));
            result.states.push(state);
        }
        // Unsafe states need not be over the predicates, so what covers by them is asked apart.
        let extra: FxHashMap<LocId, Bits> = known
            .iter()
            .map(|(location, known)| {
                (
                    *location,
                    known.iter().flat_map(|(own, _)| own.iter().collect::<Vec<_>>()).collect(),
                )
            })
            .collect();
        let mut memo: FxHashMap<(LocId, Vec<AtomId>), Option<Bits>> = FxHashMap::default();
        let mut frontier = 0..result.states.len();
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
                let rules = self.system.into.get(&result.states[index].location);
                for rule in rules.into_iter().flatten() {
                    let location = self.system.rules[*rule].source;
                    let mask = predicates.at(location);
                    let conjunction = &result.states[index].conjunction;
                    for conjunction in self.pre.of(&mut self.atoms, *rule, conjunction) {
                        let key = (location, conjunction);
                        if !memo.contains_key(&key) {
                            let mut wanted = mask.clone();
                            for number in extra.get(&location).into_iter().flat_map(Bits::iter) {
                                wanted.insert(number);
                            }
                            let found = predicates.implied(
                                &self.atoms,
                                self.alpha,
                                &key.1,
                                &wanted,
                                &self.run.budget,
                            )?;
                            memo.insert(key.clone(), found);
                        }
                        let Some(implied) = &memo[&key] else { continue };
                        let here = known.entry(location).or_default();
                        if here.iter().any(|(own, _)| own.is_subset(implied)) {
                            continue;
                        }
                        let own = implied.intersection(&mask);
                        for (other, covered) in &*here {
                            if own.is_subset(other) {
                                result.states[*covered].covered = true;
                            }
                        }
                        here.retain(|(_, index)| !result.states[*index].covered);
                        let new = result.states.len();
                        if new >= MAX_STATES {
                            return Err(Unknown::Exhausted(format!(
                                "an abstract fixpoint of more than {MAX_STATES} states"
                            )));
                        }
                        result.states.push(State {
                            level,
                            location,
                            conjunction: predicates.atoms(&own),
                            next: Some((*rule, index)),
                            covered: false,
                            error: None,
                        });
                        here.push((own, new));
                        if location == self.system.init {
                            result.init.get_or_insert(new);
                        }
                    }
                }
            }
            frontier = end..result.states.len();
            if !frontier.is_empty() {
                result.steps = level;
            }
        }
        Ok(result)
    }
}
