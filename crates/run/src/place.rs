//! Places: a location and the calls that lead to it.

use base::{Id as _, IndexVec};
use cfa::{Cfa, EdgeId, FuncId, LocId};
use rustc_hash::FxHashMap;

base::define_id!(
    /// A call stack: the edges of the calls that have not returned.
    pub struct StackId, "stack"
);
base::define_id!(
    /// A location with a call stack.
    pub struct PlaceId, "place"
);

/// All call stacks that were met, each once.
#[derive(Clone, Debug)]
pub struct Stacks {
    frames: IndexVec<StackId, Option<(EdgeId, StackId)>>,
    depths: IndexVec<StackId, u32>,
    known: FxHashMap<(EdgeId, StackId), StackId>,
}

impl Default for Stacks {
    fn default() -> Self {
        let mut stacks =
            Self { frames: IndexVec::new(), depths: IndexVec::new(), known: FxHashMap::default() };
        stacks.frames.push(None);
        stacks.depths.push(0);
        stacks
    }
}

impl Stacks {
    /// The stack without calls.
    pub const EMPTY: usize = 0;

    /// The stack without calls.
    #[must_use]
    pub fn empty(&self) -> StackId {
        StackId::from_index(Self::EMPTY)
    }

    /// The stack with another call on top.
    pub fn push(&mut self, stack: StackId, call: EdgeId) -> StackId {
        if let Some(known) = self.known.get(&(call, stack)) {
            return *known;
        }
        let depth = self.depths[stack] + 1;
        let new = self.frames.push(Some((call, stack)));
        self.depths.push(depth);
        self.known.insert((call, stack), new);
        new
    }

    /// The call on top, and the stack below it.
    #[must_use]
    pub fn pop(&self, stack: StackId) -> Option<(EdgeId, StackId)> {
        self.frames[stack]
    }

    /// The calls of a stack, the first one first.
    #[must_use]
    pub fn calls(&self, mut stack: StackId) -> Vec<EdgeId> {
        let mut calls = Vec::new();
        while let Some((call, below)) = self.pop(stack) {
            calls.push(call);
            stack = below;
        }
        calls.reverse();
        calls
    }

    /// How many calls have not returned.
    #[must_use]
    pub fn depth(&self, stack: StackId) -> u32 {
        self.depths[stack]
    }

    /// The functions that are active at a place; the function that control is in comes first.
    pub fn functions<'a>(
        &'a self,
        cfa: &'a Cfa,
        location: LocId,
        stack: StackId,
    ) -> impl Iterator<Item = FuncId> + 'a {
        let mut at = stack;
        let callers = std::iter::from_fn(move || {
            let (call, below) = self.pop(at)?;
            at = below;
            Some(cfa.locations[cfa.edges[call].source].function)
        });
        std::iter::once(cfa.locations[location].function).chain(callers)
    }
}

/// A location and a call stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Where control is.
    pub location: LocId,
    /// The calls that have not returned.
    pub stack: StackId,
}

/// A step of an execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// An edge. The edge of a call leads to the entry of the callee.
    Edge(EdgeId),
    /// The return from the call of this edge.
    Return(EdgeId),
}

impl Step {
    /// The edge of the program that is taken here; a return takes none.
    #[must_use]
    pub const fn edge(self) -> Option<EdgeId> {
        match self {
            Step::Edge(edge) => Some(edge),
            Step::Return(_) => None,
        }
    }
}

/// All places that were met, each once.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The call stacks.
    pub stacks: Stacks,
    table: IndexVec<PlaceId, Place>,
    known: FxHashMap<Place, PlaceId>,
}

impl Places {
    /// The id of a place.
    pub fn id(&mut self, place: Place) -> PlaceId {
        *self.known.entry(place).or_insert_with(|| self.table.push(place))
    }

    /// The place of an id.
    #[must_use]
    pub fn get(&self, id: PlaceId) -> Place {
        self.table[id]
    }

    /// The steps that lead on from a place, and where they lead.
    pub fn steps(&mut self, cfa: &Cfa, from: Place, found: &mut Vec<(Step, Place)>) {
        let here = &cfa.locations[from.location];
        if cfa.functions[here.function].exit == from.location {
            if let Some((call, stack)) = self.stacks.pop(from.stack) {
                let location = cfa.edges[call].target;
                found.push((Step::Return(call), Place { location, stack }));
            }
            return;
        }
        for id in &here.edges {
            let edge = &cfa.edges[*id];
            let place = match edge.callee() {
                Some(callee) => Place {
                    location: cfa.functions[callee].entry,
                    stack: self.stacks.push(from.stack, *id),
                },
                None => Place { location: edge.target, stack: from.stack },
            };
            found.push((Step::Edge(*id), place));
        }
    }
}
