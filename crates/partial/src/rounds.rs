//! The automaton of an unrolling: every execution with at most so many rounds of each loop.

use cfa::{Cfa, EdgeId, FuncId, LocId, Order, Reach};
use run::Step;

use crate::automaton::{Automaton, StateId, States};

/// The assumption automaton of bounded model checking that has followed all executions with at most
/// so many rounds of each loop and so many activations of each function at a time. Its states are the
/// places of the unrolled program.
pub struct Rounds<'p> {
    cfa: &'p Cfa,
    order: Order,
    reach: Reach,
    rounds: u32,
    states: States<Spot>,
}

/// A place of the unrolled program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Spot {
    location: LocId,
    frames: Vec<Frame>,
    trail: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Frame {
    function: FuncId,
    call: Option<EdgeId>,
    /// Where its part of the trail starts.
    start: usize,
}

impl<'p> Rounds<'p> {
    /// The automaton of so many rounds.
    #[must_use]
    pub fn new(cfa: &'p Cfa, rounds: u32) -> Self {
        let (order, reach) = (Order::of(cfa), Reach::of(cfa));
        Self { cfa, order, reach, rounds, states: States::default() }
    }

    fn state(&mut self, spot: Spot) -> StateId {
        // As bounded model checking does: what cannot lead to an error is not followed.
        if self.reach.inconclusive().is_empty() && !self.reach.relevant(spot.location) {
            return StateId::TRUE;
        }
        let Some(top) = spot.frames.last() else { return StateId::TRUE };
        let active = spot.frames.iter().filter(|frame| frame.function == top.function).count();
        if cfa::round(&spot.trail, top.start) > self.rounds || active > self.rounds as usize {
            return StateId::FALSE;
        }
        self.states.id(spot)
    }

    fn enter(&self, spot: &mut Spot, function: FuncId, call: Option<EdgeId>) {
        if let Some(call) = call {
            // The cast keeps calls apart: ids are `u32`.
            spot.trail.push(base::Id::index(call) as u32);
        }
        spot.frames.push(Frame { function, call, start: spot.trail.len() });
        spot.location = self.cfa.functions[function].entry;
        self.order.enter(&mut spot.trail, spot.location);
    }

    fn go(&self, spot: &mut Spot, edge: EdgeId) {
        let start = spot.frames.last().map_or(0, |frame| frame.start);
        let edge = &self.cfa.edges[edge];
        self.order.go(&mut spot.trail, start, edge.source, edge.target);
        spot.location = edge.target;
    }
}

impl Automaton for Rounds<'_> {
    fn initial(&mut self) -> StateId {
        let Some(start) = self.cfa.start else { return StateId::TRUE };
        let location = self.cfa.functions[start].entry;
        let mut spot = Spot { location, frames: Vec::new(), trail: Vec::new() };
        self.enter(&mut spot, start, None);
        self.state(spot)
    }

    fn step(&mut self, from: StateId, _at: LocId, step: Step) -> Option<StateId> {
        let Some(spot) = self.states.get(from) else { return Some(from) };
        let mut spot = spot.clone();
        match step {
            Step::Edge(edge) => match self.cfa.edges[edge].callee() {
                Some(callee) => self.enter(&mut spot, callee, Some(edge)),
                None => self.go(&mut spot, edge),
            },
            Step::Return(call) => {
                let frame = spot.frames.pop()?;
                if frame.call != Some(call) {
                    return None;
                }
                spot.trail.truncate(frame.start - 1);
                self.go(&mut spot, call);
            }
        }
        Some(self.state(spot))
    }
}
