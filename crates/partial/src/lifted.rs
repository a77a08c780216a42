//! An automaton over a rewritten program, read over the original.

use cfa::{Cfa, EdgeId, LocId, Program};
use passes::Back;
use run::Step;
use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, StateId, States};

/// How deep calls are followed within a call that was left out. A deeper one counts as not analysed.
const MAX_DEPTH: u32 = 64;

/// So many steps that a pass has added may follow each other.
const MAX_ADDED: u32 = 8;

/// An automaton that reads steps of the original, where an inner one reads those of a program that
/// passes have made from it.
///
/// Steps that passes have added are taken when the next step of the original needs them. The inner
/// automaton does not move while the original is in what was left out: in a call of which nothing was
/// kept, or on one of several ways to a location where they meet. A step of the original that was left
/// out otherwise is one that no execution takes, or that leads to no error.
pub struct Lifted<'p, A> {
    inner: A,
    original: &'p Cfa,
    rewritten: &'p Cfa,
    back: &'p Back,
    /// The calls of the rewritten program that each call of the original has become.
    calls: FxHashMap<EdgeId, Vec<EdgeId>>,
    states: States<Lift>,
}

/// A state of the inner automaton, and where both programs are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Lift {
    inner: StateId,
    /// The location of the rewritten program.
    place: LocId,
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

/// What reading a step comes to.
#[derive(Default)]
struct Read {
    /// Where the inner automaton has got to, at which location, and by which edge.
    found: Vec<(StateId, LocId, Option<EdgeId>)>,
    /// Whether the rewritten program has the step at all.
    any: bool,
    /// Whether a step that a pass has added was not analysed.
    failed: bool,
}

impl<'p, A: Automaton> Lifted<'p, A> {
    /// Reads steps of the original for an automaton over the rewritten program.
    pub fn new(inner: A, original: &'p Program, rewritten: &'p Program, back: &'p Back) -> Self {
        let mut calls: FxHashMap<EdgeId, Vec<EdgeId>> = FxHashMap::default();
        for (id, edge) in rewritten.cfa.edges.entries() {
            if let (Some([only]), Some(_)) = (back.edge(id), edge.callee()) {
                calls.entry(*only).or_default().push(id);
            }
        }
        let (original, rewritten) = (&original.cfa, &rewritten.cfa);
        Self { inner, original, rewritten, back, calls, states: States::default() }
    }

    fn state(&mut self, inner: StateId, place: LocId, away: Away) -> StateId {
        if inner.is_final() { inner } else { self.states.id(Lift { inner, place, away }) }
    }

    /// Finds the counterparts of a step from a location of the rewritten program.
    fn read(&mut self, inner: StateId, place: LocId, step: Step, added: u32, read: &mut Read) {
        let function = self.rewritten.locations[place].function;
        if let Step::Return(call) = step
            && self.rewritten.functions[function].exit == place
        {
            for image in self.calls.get(&call).cloned().unwrap_or_default() {
                if let Some(after) = self.inner.step(inner, place, Step::Return(image)) {
                    read.any = true;
                    read.found.push((after, self.rewritten.edges[image].target, None));
                }
            }
            return;
        }
        for id in self.rewritten.locations[place].edges.clone() {
            let edge = &self.rewritten.edges[id];
            match (self.back.edge(id), step) {
                (Some([only]), Step::Edge(wanted)) if *only == wanted => {
                    read.any = true;
                    let Some(after) = self.inner.step(inner, place, Step::Edge(id)) else {
                        continue;
                    };
                    let callee = edge.callee();
                    let to = callee.map_or(edge.target, |f| self.rewritten.functions[f].entry);
                    read.found.push((after, to, Some(id)));
                }
                (Some([]), _) if added < MAX_ADDED => {
                    match self.inner.step(inner, place, Step::Edge(id)) {
                        Some(StateId::FALSE) => read.failed = true,
                        Some(StateId::TRUE) => read.any = true,
                        None => {}
                        Some(after) => self.read(after, edge.target, step, added + 1, read),
                    }
                }
                _ => {}
            }
        }
    }

    /// A step from a place that both programs have.
    fn together(&mut self, inner: StateId, place: LocId, step: Step) -> Option<StateId> {
        let mut read = Read::default();
        self.read(inner, place, step, 0, &mut read);
        if read.any || read.failed {
            let live: Vec<_> = read.found.iter().filter(|(to, ..)| *to != StateId::TRUE).collect();
            return Some(match live[..] {
                // Added steps before this one are only looked at: that of another way may fail.
                [] if read.failed => StateId::FALSE,
                [] => StateId::TRUE,
                [&(after, to, by)] => {
                    let away = self.entered(step, by);
                    self.state(after, to, away)
                }
                // The inner automaton may be in one of several states, and nobody knows in which.
                _ => StateId::FALSE,
            });
        }
        if matches!(step, Step::Return(_)) {
            return None;
        }
        self.several(inner, place, step)
    }

    /// Whether a step has led into a call that was left out.
    fn entered(&self, step: Step, by: Option<EdgeId>) -> Away {
        match (step, by) {
            (Step::Edge(edge), Some(image))
                if self.original.edges[edge].callee().is_some()
                    && self.rewritten.edges[image].callee().is_none() =>
            {
                Away::Call { call: edge, depth: 0 }
            }
            _ => Away::No,
        }
    }

    /// A step on one of several ways that have become one edge, or one that was left out.
    fn several(&mut self, inner: StateId, place: LocId, step: Step) -> Option<StateId> {
        let Step::Edge(edge) = step else { return Some(StateId::TRUE) };
        let several = |edge: &&EdgeId| self.back.edge(**edge).is_none();
        let Some(way) = self.rewritten.locations[place].edges.iter().find(several).copied() else {
            return Some(StateId::TRUE);
        };
        let after = self.inner.step(inner, place, Step::Edge(way))?;
        let target = self.rewritten.edges[way].target;
        let Some(join) = self.back.location(target) else { return Some(StateId::FALSE) };
        let join = join.location;
        let away = match self.original.edges[edge].callee() {
            Some(_) => Away::Until { join, depth: 1 },
            None if self.original.edges[edge].target == join => Away::No,
            None => Away::Until { join, depth: 0 },
        };
        Some(self.state(after, target, away))
    }

    /// A step in what was left out.
    fn apart(&mut self, lift: Lift, step: Step) -> Option<StateId> {
        let (edge, change) = match step {
            Step::Edge(edge) => (edge, i64::from(self.original.edges[edge].callee().is_some())),
            Step::Return(call) => (call, -1),
        };
        let deeper = |depth: u32| u32::try_from(i64::from(depth) + change).ok();
        let away = match lift.away {
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
        Some(self.state(lift.inner, lift.place, away))
    }
}

impl<A: Automaton> Automaton for Lifted<'_, A> {
    fn initial(&mut self) -> StateId {
        let inner = self.inner.initial();
        match self.rewritten.start {
            Some(start) => self.state(inner, self.rewritten.functions[start].entry, Away::No),
            None => StateId::TRUE,
        }
    }

    fn step(&mut self, from: StateId, _at: LocId, step: Step) -> Option<StateId> {
        let Some(lift) = self.states.get(from).copied() else { return Some(from) };
        match lift.away {
            Away::No => self.together(lift.inner, lift.place, step),
            _ => self.apart(lift, step),
        }
    }
}
