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
    /// The step at which the state was found; zero for an unsafe state.
    pub level: u32,
    /// The location of the states.
    pub location: LocId,
    /// The conjunction.
    pub conjunction: Vec<AtomId>,
    /// The command that leads on, and the state that it leads to; none in an unsafe state.
    pub next: Option<(usize, usize)>,
    /// Whether a state that was found later stands for all concrete states that this one stands for.
    pub covered: bool,
    /// The number of the error in the system, if this is an unsafe state.
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
    /// The atoms of the system.
    pub atoms: Atoms,
    /// The predecessor operator.
    pub pre: Pre<'a>,
    /// The abstraction function.
    pub alpha: Alpha,
    /// Whether a fixpoint goes on when it has reached the start.
    pub whole: bool,
    /// The budget of the run, and the observer of its events.
    pub run: &'a run::Run<'a>,
}

/// A fixpoint while it grows.
struct Growing {
    fixpoint: Fixpoint,
    /// The states at each location that no other state covers: the numbers of the atoms of each state, and its index.
    known: FxHashMap<LocId, Vec<(Bits, usize)>>,
    /// Where executions start.
    start: LocId,
}

impl Growing {
    /// Adds a state with the numbers of its atoms.
    fn add(&mut self, state: State, own: Bits) {
        let new = self.fixpoint.states.len();
        if state.location == self.start {
            self.fixpoint.init.get_or_insert(new);
        }
        self.known.entry(state.location).or_default().push((own, new));
        self.fixpoint.states.push(state);
    }

    /// Whether a state at a location stands for all concrete states of which these atoms hold.
    fn has(&self, location: LocId, implied: &Bits) -> bool {
        let known = self.known.get(&location).into_iter().flatten();
        known.into_iter().any(|(own, _)| own.is_subset(implied))
    }

    /// Marks the states at a location as covered if a new state with these atoms stands for all of their concrete
    /// states.
    fn cover(&mut self, location: LocId, own: &Bits) {
        let states = &mut self.fixpoint.states;
        self.known.entry(location).or_default().retain(|(other, index)| {
            states[*index].covered |= own.is_subset(other);
            !states[*index].covered
        });
    }

    /// The numbers of all atoms of the states at each location.
    fn atoms(&self) -> FxHashMap<LocId, Bits> {
        let all = |known: &Vec<(Bits, usize)>| -> Bits {
            known.iter().flat_map(|(own, _)| own.iter().collect::<Vec<_>>()).collect()
        };
        self.known.iter().map(|(location, known)| (*location, all(known))).collect()
    }
}

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
        let mut growing = Growing {
            fixpoint: Fixpoint::default(),
            known: FxHashMap::default(),
            start: self.system.init,
        };
        for state in self.unsafe_states() {
            let numbers = state.conjunction.iter();
            let own = numbers.map(|atom| predicates.number(&self.atoms, *atom)).collect();
            growing.add(state, own);
        }
        // Atoms of unsafe states need not be predicates. They are asked about, too, so that unsafe states can cover
        // others.
        let extra = growing.atoms();
        let mut memo: FxHashMap<(LocId, Vec<AtomId>), Option<Bits>> = FxHashMap::default();
        let mut frontier = 0..growing.fixpoint.states.len();
        let mut level = 0;
        while !frontier.is_empty() && (self.whole || growing.fixpoint.init.is_none()) {
            level += 1;
            let end = growing.fixpoint.states.len();
            for index in frontier.clone() {
                if let Some(why) = self.run.budget.exceeded() {
                    return Err(why.into());
                }
                let state = &growing.fixpoint.states[index];
                if state.covered {
                    continue;
                }
                let rules = self.system.into.get(&state.location);
                for rule in rules.into_iter().flatten() {
                    let location = self.system.rules[*rule].source;
                    let mask = predicates.at(location);
                    let target = &growing.fixpoint.states[index].conjunction;
                    for conjunction in self.pre.of(&mut self.atoms, *rule, target) {
                        let key = (location, conjunction);
                        if !memo.contains_key(&key) {
                            let found =
                                self.implied(predicates, &key.1, &mask, extra.get(&location))?;
                            memo.insert(key.clone(), found);
                        }
                        let Some(implied) = &memo[&key] else { continue };
                        if growing.has(location, implied) {
                            continue;
                        }
                        let own = implied.intersection(&mask);
                        growing.cover(location, &own);
                        if growing.fixpoint.states.len() >= MAX_STATES {
                            return Err(Unknown::Exhausted(format!(
                                "an abstract fixpoint of more than {MAX_STATES} states"
                            )));
                        }
                        let state = State {
                            level,
                            location,
                            conjunction: predicates.atoms(&own),
                            next: Some((*rule, index)),
                            covered: false,
                            error: None,
                        };
                        growing.add(state, own);
                    }
                }
            }
            frontier = end..growing.fixpoint.states.len();
            if !frontier.is_empty() {
                growing.fixpoint.steps = level;
            }
        }
        Ok(growing.fixpoint)
    }

    /// Which atoms a conjunction implies: of the predicates in `mask`, and of the further atoms in `extra`. `None` if
    /// the conjunction has no solution.
    fn implied(
        &self,
        predicates: &mut Predicates,
        conjunction: &[AtomId],
        mask: &Bits,
        extra: Option<&Bits>,
    ) -> Result<Option<Bits>, Unknown> {
        let mut wanted = mask.clone();
        for number in extra.into_iter().flat_map(Bits::iter) {
            wanted.insert(number);
        }
        predicates.implied(&self.atoms, self.alpha, conjunction, &wanted, &self.run.budget)
    }
}
