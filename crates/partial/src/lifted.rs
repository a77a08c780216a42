//! An automaton over a rewritten program, read over the original.

use base::IndexVec;
use cfa::{Cfa, EdgeId, LocId, Program};
use passes::Back;
use run::Step;
use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, StateId, States};

/// How deep calls are followed within a call that was left out. A deeper one counts as not analysed.
const MAX_DEPTH: u32 = 64;

/// An automaton that reads steps of the original, where an inner one reads those of a program that
/// passes have made from it by leaving things out.
///
/// The inner automaton does not move while the original is in what was left out: in a call of which
/// nothing was kept, or on one of several ways to a location where they meet. A step of the original
/// that was left out otherwise is one that no execution takes, or that leads to no error.
pub struct Lifted<'p, A> {
    inner: A,
    original: &'p Cfa,
    rewritten: &'p Cfa,
    back: &'p Back,
    /// The edge of the rewritten program that each edge of the original has become.
    images: FxHashMap<EdgeId, EdgeId>,
    /// The location of the rewritten program that each location of the original has become.
    places: IndexVec<LocId, Option<LocId>>,
    states: States<Lift>,
}

/// A state of the inner automaton, and where the original is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Lift {
    inner: StateId,
    away: Away,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Away {
    /// Both programs are at the same place.
    No,
    /// In a call that was left out, with so many more calls on top of it.
    Call { call: EdgeId, depth: u32 },
    /// On one of several ways to a location of the original, with so many calls on top.
    Until { join: LocId, depth: u32 },
}

impl<'p, A: Automaton> Lifted<'p, A> {
    /// Reads steps of the original for an automaton over the rewritten program.
    pub fn new(inner: A, original: &'p Program, rewritten: &'p Program, back: &'p Back) -> Self {
        let mut images = FxHashMap::default();
        for edge in rewritten.cfa.edges.ids() {
            if let Some([only]) = back.edge(edge) {
                images.insert(*only, edge);
            }
        }
        let mut places = IndexVec::filled(None, original.cfa.locations.len());
        for location in rewritten.cfa.locations.ids() {
            if let Some(origin) = back.location(location) {
                places[origin.location] = Some(location);
            }
        }
        let (original, rewritten) = (&original.cfa, &rewritten.cfa);
        Self { inner, original, rewritten, back, images, places, states: States::default() }
    }

    fn state(&mut self, inner: StateId, away: Away) -> StateId {
        if inner.is_final() { inner } else { self.states.id(Lift { inner, away }) }
    }

    /// A step from a place that both programs have.
    fn together(&mut self, inner: StateId, at: LocId, step: Step) -> Option<StateId> {
        let here = self.places[at];
        let (edge, is_return) = match step {
            Step::Edge(edge) => (edge, false),
            Step::Return(call) => (call, true),
        };
        if let Some(image) = self.images.get(&edge).copied() {
            let read = if is_return { Step::Return(image) } else { Step::Edge(image) };
            let after = self.inner.step(inner, here?, read)?;
            let was_call = self.original.edges[edge].callee().is_some();
            let is_call = self.rewritten.edges[image].callee().is_some();
            let away = match (was_call && !is_return, is_call) {
                (true, false) => Away::Call { call: edge, depth: 0 },
                _ => Away::No,
            };
            return Some(self.state(after, away));
        }
        let several = |edge: &&EdgeId| self.back.edge(**edge).is_none();
        let ways = here.map(|here| &self.rewritten.locations[here].edges);
        let Some(way) = ways.and_then(|ways| ways.iter().find(several)).copied() else {
            return Some(StateId::TRUE);
        };
        let after = self.inner.step(inner, here?, Step::Edge(way))?;
        let Some(join) = self.back.location(self.rewritten.edges[way].target) else {
            return Some(StateId::FALSE);
        };
        let join = join.location;
        let away = match self.original.edges[edge].callee() {
            Some(_) => Away::Until { join, depth: 1 },
            None if self.original.edges[edge].target == join => Away::No,
            None => Away::Until { join, depth: 0 },
        };
        Some(self.state(after, away))
    }

    /// A step in what was left out.
    fn apart(&mut self, inner: StateId, away: Away, step: Step) -> Option<StateId> {
        let (edge, change) = match step {
            Step::Edge(edge) => (edge, i64::from(self.original.edges[edge].callee().is_some())),
            Step::Return(call) => (call, -1),
        };
        let deeper = |depth: u32| u32::try_from(i64::from(depth) + change).ok();
        let away = match away {
            Away::No => Away::No,
            Away::Call { call, depth } => match deeper(depth) {
                Some(depth) => Away::Call { call, depth },
                None if edge == call => Away::No,
                None => return None,
            },
            Away::Until { join, depth } => {
                let depth = deeper(depth)?;
                let stays = change > 0 || self.original.edges[edge].target != join;
                if depth > 0 || stays { Away::Until { join, depth } } else { Away::No }
            }
        };
        if let Away::Call { depth, .. } | Away::Until { depth, .. } = away
            && depth > MAX_DEPTH
        {
            return Some(StateId::FALSE);
        }
        Some(self.state(inner, away))
    }
}

impl<A: Automaton> Automaton for Lifted<'_, A> {
    fn initial(&mut self) -> StateId {
        let inner = self.inner.initial();
        self.state(inner, Away::No)
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let Some(Lift { inner, away }) = self.states.get(from).copied() else {
            return Some(from);
        };
        match away {
            Away::No => self.together(inner, at, step),
            away => self.apart(inner, away, step),
        }
    }
}
