//! The automaton of an unrolling: every execution with a limited number of rounds of each loop was analysed.

use cfa::{Cfa, EdgeId, FuncId, LocId, Order, Reach};
use run::Step;

use crate::automaton::{Automaton, StateId, States};

/// The assumption automaton of bounded model checking that has followed all executions within a limit on the rounds
/// of each loop and on the activations of each function at a time. Its states are the places of the unrolled program.
pub struct Rounds<'p> {
    cfa: &'p Cfa,
    order: Order,
    reach: Reach,
    rounds: u32,
    /// The edges after which nothing was followed.
    cuts: Vec<EdgeId>,
    states: States<Spot>,
}

/// A place of the unrolled program. Activations below the last one are told by the place of their
/// call, so that a deep recursion costs no more than a shallow one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Spot {
    location: LocId,
    function: FuncId,
    /// The state in which the function was called, and the edge of the call.
    caller: Option<(StateId, EdgeId)>,
    /// How many activations of the function there are at a time.
    active: u32,
    /// The rounds of the loops that the location is in.
    trail: Vec<u32>,
}

impl<'p> Rounds<'p> {
    /// The automaton for this many rounds, if no execution was followed after the edges `cuts`, which are sorted.
    #[must_use]
    pub fn new(cfa: &'p Cfa, rounds: u32, cuts: &[EdgeId]) -> Self {
        let (order, reach) = (Order::of(cfa), Reach::of(cfa));
        Self { cfa, order, reach, rounds, cuts: cuts.to_vec(), states: States::default() }
    }

    fn state(&mut self, spot: Spot) -> StateId {
        // Bounded model checking does not follow executions that cannot reach an error.
        if !self.reach.is_followed(spot.location) {
            return StateId::TRUE;
        }
        if cfa::round(&spot.trail, 0) > self.rounds || spot.active > self.rounds {
            return StateId::FALSE;
        }
        self.states.id(spot)
    }

    fn enter(&mut self, function: FuncId, caller: Option<(StateId, EdgeId)>) -> StateId {
        let location = self.cfa.functions[function].entry;
        let active = 1 + self.active(function, caller);
        let mut trail = Vec::new();
        self.order.enter(&mut trail, location);
        self.state(Spot { location, function, caller, active, trail })
    }

    /// How many activations of a function there are at the place of a call.
    fn active(&self, function: FuncId, mut caller: Option<(StateId, EdgeId)>) -> u32 {
        while let Some(spot) = caller.and_then(|(state, _)| self.states.get(state)) {
            if spot.function == function {
                return spot.active;
            }
            caller = spot.caller;
        }
        0
    }

    fn go(&mut self, from: StateId, edge: EdgeId) -> Option<StateId> {
        let mut spot = self.states.get(from)?.clone();
        let edge = &self.cfa.edges[edge];
        self.order.go(&mut spot.trail, 0, edge.source, edge.target);
        spot.location = edge.target;
        Some(self.state(spot))
    }
}

impl Automaton for Rounds<'_> {
    fn initial(&mut self) -> StateId {
        self.cfa.start.map_or(StateId::TRUE, |start| self.enter(start, None))
    }

    fn step(&mut self, from: StateId, _at: LocId, step: Step) -> Option<StateId> {
        let Some(spot) = self.states.get(from) else { return Some(from) };
        match step {
            Step::Edge(edge) if self.cuts.binary_search(&edge).is_ok() => Some(StateId::FALSE),
            Step::Edge(edge) => match self.cfa.edges[edge].callee() {
                Some(callee) => Some(self.enter(callee, Some((from, edge)))),
                None => self.go(from, edge),
            },
            Step::Return(call) => match spot.caller {
                Some((state, edge)) if edge == call => self.go(state, call),
                _ => None,
            },
        }
    }
}
