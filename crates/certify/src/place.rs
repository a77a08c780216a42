//! Call stacks, and an order of places in which executions pass them between two cuts.

use base::IndexVec;
use cfa::{Cfa, EdgeId, FuncId, LocId, Loops, Reach};
use run::{Place, StackId, Stacks};

/// Where a place stands in the order in which a walk (from one cut to the next) passes places. The places of a callee
/// come after the call and before the return.
pub(crate) type Key = Vec<(u32, u32)>;

/// The stacks, and what the shape of the program says.
pub(crate) struct Map<'p> {
    cfa: &'p Cfa,
    stacks: Stacks,
    /// For each stack, the beginning of the keys of its places: where its calls stand in this order.
    keys: IndexVec<StackId, Key>,
    rank: IndexVec<LocId, u32>,
    /// Where a walk ends: every cycle within a function passes one of these.
    cuts: IndexVec<LocId, bool>,
    loops: Loops,
    reach: Reach,
    /// The function of the first activation: the one that the program starts with, or one that is looked at by itself.
    pub(crate) root: Option<FuncId>,
}

impl<'p> Map<'p> {
    /// `claimed` are the locations of entries. Where walks go through loops `by_rounds`, every edge but
    /// those that return to the head of a loop goes forward.
    pub(crate) fn new(cfa: &'p Cfa, claimed: impl Iterator<Item = LocId>, by_rounds: bool) -> Self {
        let loops = Loops::of(cfa);
        let mut cuts = IndexVec::filled(false, cfa.locations.len());
        if !by_rounds {
            for at in loops.loops.iter().map(|each| each.head).chain(claimed) {
                cuts[at] = true;
            }
        }
        let rank = arrange(cfa, &mut cuts);
        let keys = IndexVec::filled(Key::new(), 1);
        Self {
            cfa,
            stacks: Stacks::default(),
            keys,
            rank,
            cuts,
            loops,
            reach: Reach::of(cfa),
            root: cfa.start,
        }
    }

    pub(crate) fn empty(&self) -> StackId {
        self.stacks.empty()
    }

    pub(crate) fn push(&mut self, stack: StackId, call: EdgeId) -> StackId {
        let pushed = self.stacks.push(stack, call);
        if self.keys.get(pushed).is_none() {
            let mut key = self.keys[stack].clone();
            key.push((self.rank[self.cfa.edges[call].source], number(call)));
            self.keys.push(key);
        }
        pushed
    }

    pub(crate) fn pop(&self, stack: StackId) -> Option<(EdgeId, StackId)> {
        self.stacks.pop(stack)
    }

    /// The number of activations: that of the entry function, and one for each call.
    pub(crate) fn depth(&self, stack: StackId) -> u32 {
        self.stacks.depth(stack) + 1
    }

    /// The stack as it was when the activation at a depth was the topmost.
    pub(crate) fn at_depth(&self, stack: StackId, depth: u32) -> StackId {
        let mut at = stack;
        while self.depth(at) > depth
            && let Some((_, below)) = self.pop(at)
        {
            at = below;
        }
        at
    }

    /// The function of the activation at a depth.
    pub(crate) fn function(&self, stack: StackId, depth: u32) -> Option<FuncId> {
        if depth == 0 || depth > self.depth(stack) {
            return None;
        }
        match self.pop(self.at_depth(stack, depth)) {
            Some((call, _)) => self.cfa.edges[call].callee(),
            None => self.root,
        }
    }

    /// Whether an activation of a function is on the stack.
    pub(crate) fn is_active(&self, stack: StackId, function: FuncId) -> bool {
        let mut at = stack;
        while let Some((call, below)) = self.pop(at) {
            if self.cfa.edges[call].callee() == Some(function) {
                return true;
            }
            at = below;
        }
        self.root == Some(function)
    }

    /// The stack of these calls, if each call is made in the function that the call before it enters.
    pub(crate) fn of_calls(&mut self, calls: &[EdgeId]) -> Option<StackId> {
        let mut stack = self.empty();
        for call in calls {
            let edge = self.cfa.edges.get(*call)?;
            edge.callee()?;
            let caller = self.cfa.locations[edge.source].function;
            if self.function(stack, self.depth(stack)) != Some(caller) {
                return None;
            }
            stack = self.push(stack, *call);
        }
        Some(stack)
    }

    pub(crate) fn key(&self, place: Place) -> Key {
        let mut key = self.keys[place.stack].clone();
        key.push((self.rank[place.location], 0));
        key
    }

    pub(crate) fn is_cut(&self, location: LocId) -> bool {
        self.cuts[location]
    }

    /// Whether a location is the head of a loop, where a certificate must say something.
    pub(crate) fn is_head(&self, location: LocId) -> bool {
        self.loops.head(location)
    }

    /// Whether a location is in the loop with this head.
    pub(crate) fn is_in_loop(&self, head: LocId, location: LocId) -> bool {
        self.loops.headed(head).is_some_and(|id| self.loops.contains(id, location))
    }

    /// Whether a location is in a loop into which there are other ways than through its head.
    pub(crate) fn is_tangled(&self, location: LocId) -> bool {
        let mut around = self.loops.innermost(location);
        while let Some(id) = around {
            if !self.loops.loops[id].reducible {
                return true;
            }
            around = self.loops.loops[id].parent;
        }
        false
    }

    /// Whether a path leads from the start of the program to a location, by the shape of the program.
    pub(crate) fn is_reachable(&self, location: LocId) -> bool {
        self.reach.reachable(location)
    }

    /// Whether executions from a location can meet an error or something that is not modelled.
    pub(crate) fn is_followed(&self, location: LocId) -> bool {
        self.reach.is_followed(location)
    }
}

/// The number of a call in a key. Calls are told apart by their edges; zero is for steps that are no calls.
fn number(call: EdgeId) -> u32 {
    // Ids are `u32` inside, and there are never that many.
    base::Id::index(call) as u32 + 1
}

/// An order in which every edge goes forward, except for those that lead to cuts. A location that closes
/// a cycle without a cut becomes a cut.
fn arrange(cfa: &Cfa, cuts: &mut IndexVec<LocId, bool>) -> IndexVec<LocId, u32> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Active,
        Done,
    }
    let mut seen = IndexVec::filled(Seen::Not, cfa.locations.len());
    let mut finished = Vec::with_capacity(cfa.locations.len());
    // From the entries first, so that what closes a cycle is the head of its loop.
    let entries = cfa.functions.iter().map(|function| function.entry);
    for root in entries.chain(cfa.locations.ids()) {
        if seen[root] != Seen::Not {
            continue;
        }
        seen[root] = Seen::Active;
        let mut way = vec![(root, 0)];
        while let Some((here, next)) = way.last_mut() {
            let here = *here;
            let Some(edge) = cfa.locations[here].edges.get(*next) else {
                seen[here] = Seen::Done;
                finished.push(here);
                way.pop();
                continue;
            };
            *next += 1;
            let target = cfa.edges[*edge].target;
            if cuts[target] {
                continue;
            }
            match seen[target] {
                Seen::Active => cuts[target] = true,
                Seen::Done => {}
                Seen::Not => {
                    seen[target] = Seen::Active;
                    way.push((target, 0));
                }
            }
        }
    }
    let mut rank = IndexVec::filled(0, cfa.locations.len());
    for (number, at) in (0..).zip(finished.into_iter().rev()) {
        rank[at] = number;
    }
    rank
}
