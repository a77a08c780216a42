//! An automaton over a rewritten program, read over the original.

use cfa::{Cfa, EdgeId, LocId, Loops, Program};
use passes::Back;
use run::Step;
use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, StateId, States};

/// How deep calls are followed within a call that was left out. A deeper one counts as not analysed.
const MAX_DEPTH: u32 = 64;

/// At most this many steps that a pass has added are taken one after the other.
const MAX_ADDED: u32 = 8;

/// At most this many places of the rewritten program may correspond to the place of the original. With more, an
/// execution counts as not analysed.
const MAX_ALTERNATIVES: usize = 64;

/// An automaton that reads steps of the original, where an inner one reads those of a program that
/// passes have made from it.
///
/// Steps that passes have added are taken when the next step of the original needs them. The inner
/// automaton does not move while the original is in what was left out: in a call of which nothing was
/// kept, on one of several ways to a location where they meet, or in a round of a loop whose rounds have
/// become one step. A step of the original that was left out otherwise is one that no execution takes,
/// or that leads to no error.
///
/// Where the original has counterparts at several places, all of them are kept. Nothing was analysed if
/// one of them says so, and everything was if all of them do.
pub struct Lifted<'p, A> {
    inner: A,
    original: &'p Cfa,
    loops: Loops,
    rewritten: &'p Cfa,
    back: &'p Back,
    /// The calls of the rewritten program that each call of the original has become.
    calls: FxHashMap<EdgeId, Vec<EdgeId>>,
    /// The edges from a location of the rewritten program that an edge of the original has become. There
    /// are locations with thousands of edges.
    images: FxHashMap<(LocId, EdgeId), Vec<EdgeId>>,
    /// The edges from a location of the rewritten program that are no image of a single edge.
    others: FxHashMap<LocId, Vec<EdgeId>>,
    /// The counterparts that are followed, and whether another counterpart is not followed any more because everything
    /// after it was analysed: if all that are followed turn out to be wrong, the other one was right.
    states: States<(Box<[Lift]>, bool)>,
}

/// A state of the inner automaton, and where both programs are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Lift {
    inner: StateId,
    /// The location of the rewritten program.
    place: LocId,
    away: Away,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Away {
    /// Both programs are at the same place.
    No,
    /// In a call that was left out, with `depth` further calls inside it.
    Call { call: EdgeId, depth: u32 },
    /// On one of several ways to a location of the original, with `depth` calls open.
    Until { join: LocId, depth: u32 },
    /// In a round of a loop that will be completed and that the rewritten program takes together with other rounds,
    /// with `depth` calls open.
    Round { head: LocId, depth: u32 },
}

/// The places where both programs may be after a step of one of them, and what is known of these places.
#[derive(Default)]
struct Read {
    /// The places where both programs may be.
    found: Vec<Lift>,
    /// Whether there is a counterpart after which everything was analysed.
    analysed: bool,
    /// Whether the step has a counterpart that was not analysed.
    failed: bool,
}

impl Read {
    fn add(&mut self, inner: StateId, place: LocId, away: Away) {
        match inner {
            StateId::TRUE => self.analysed = true,
            StateId::FALSE => self.failed = true,
            inner => self.found.push(Lift { inner, place, away }),
        }
    }
}

impl<'p, A: Automaton> Lifted<'p, A> {
    /// Reads steps of the original for an automaton over the rewritten program.
    pub fn new(inner: A, original: &'p Program, rewritten: &'p Program, back: &'p Back) -> Self {
        let mut calls: FxHashMap<EdgeId, Vec<EdgeId>> = FxHashMap::default();
        let mut images: FxHashMap<(LocId, EdgeId), Vec<EdgeId>> = FxHashMap::default();
        let mut others: FxHashMap<LocId, Vec<EdgeId>> = FxHashMap::default();
        for id in rewritten.cfa.locations.iter().flat_map(|location| location.edges.iter().copied())
        {
            let edge = &rewritten.cfa.edges[id];
            let Some([only]) = back.edge(id) else {
                others.entry(edge.source).or_default().push(id);
                continue;
            };
            images.entry((edge.source, *only)).or_default().push(id);
            if edge.callee().is_some() {
                calls.entry(*only).or_default().push(id);
            }
        }
        let loops = Loops::of(&original.cfa);
        let (original, rewritten) = (&original.cfa, &rewritten.cfa);
        let states = States::default();
        Self { inner, original, loops, rewritten, back, calls, images, others, states }
    }

    /// The edges from a location of the rewritten program that are no image of a single edge.
    fn others(&self, place: LocId) -> &[EdgeId] {
        self.others.get(&place).map_or(&[], Vec::as_slice)
    }

    fn state(&mut self, mut read: Read) -> Option<StateId> {
        if read.failed || read.found.len() > MAX_ALTERNATIVES {
            return Some(StateId::FALSE);
        }
        if read.found.is_empty() {
            return read.analysed.then_some(StateId::TRUE);
        }
        read.found.sort_unstable();
        read.found.dedup();
        Some(self.states.id((read.found.into(), read.analysed)))
    }

    /// Whether an edge stands for all rounds of a loop at the location of the original.
    fn is_summary(&self, edge: EdgeId, at: LocId) -> bool {
        let target = self.rewritten.edges[edge].target;
        let lands = self.back.location(target).map(|origin| origin.location);
        self.back.edge(edge).is_none() && lands == Some(at)
    }

    /// Finds the counterparts of a step from a place that both programs have, which is a location of the
    /// rewritten program.
    fn read(
        &mut self,
        inner: StateId,
        place: LocId,
        (at, step): (LocId, Step),
        added: u32,
        read: &mut Read,
    ) {
        let function = self.rewritten.locations[place].function;
        if let Step::Return(call) = step
            && self.rewritten.functions[function].exit == place
        {
            for image in self.calls.get(&call).cloned().unwrap_or_default() {
                if let Some(after) = self.inner.step(inner, place, Step::Return(image)) {
                    read.add(after, self.rewritten.edges[image].target, Away::No);
                }
            }
            return;
        }
        let (mut direct, mut goes_on) = (false, false);
        if let Step::Edge(wanted) = step {
            for id in self.images.get(&(place, wanted)).cloned().unwrap_or_default() {
                direct = true;
                let Some(after) = self.inner.step(inner, place, Step::Edge(id)) else { continue };
                let edge = &self.rewritten.edges[id];
                let callee = edge.callee();
                let to = callee.map_or(edge.target, |f| self.rewritten.functions[f].entry);
                let was_call = self.original.edges[wanted].callee().is_some();
                let away = match was_call && callee.is_none() {
                    true => Away::Call { call: wanted, depth: 0 },
                    false => Away::No,
                };
                read.add(after, to, away);
            }
        }
        for id in self.others(place).to_vec() {
            let is_added = matches!(self.back.edge(id), Some([])) || self.is_summary(id, at);
            if !is_added || added >= MAX_ADDED {
                continue;
            }
            goes_on = true;
            match self.inner.step(inner, place, Step::Edge(id)) {
                Some(StateId::FALSE) => read.failed = true,
                Some(StateId::TRUE) => read.analysed = true,
                None => {}
                Some(after) => {
                    let target = self.rewritten.edges[id].target;
                    self.read(after, target, (at, step), added + 1, read);
                }
            }
        }
        if self.others(place).iter().any(|id| self.is_summary(*id, at)) {
            self.begin_round(inner, place, at, step, read);
        }
        if let Step::Edge(edge) = step
            && !direct
        {
            self.several(inner, place, (at, edge), goes_on, read);
        }
    }

    /// Reads a step that may begin a round which is completed and which is part of a summary.
    fn begin_round(&self, inner: StateId, place: LocId, at: LocId, step: Step, read: &mut Read) {
        let (Step::Edge(edge), Some(around)) = (step, self.loops.headed(at)) else { return };
        let target = self.original.edges[edge].target;
        let away = match self.original.edges[edge].callee() {
            Some(_) => Away::Round { head: at, depth: 1 },
            None if target == at => Away::No,
            None if self.loops.contains(around, target) => Away::Round { head: at, depth: 0 },
            None => return,
        };
        read.add(inner, place, away);
    }

    /// A step on one of several ways that have become one edge, or one that was left out.
    fn several(
        &mut self,
        inner: StateId,
        place: LocId,
        (at, edge): (LocId, EdgeId),
        goes_on: bool,
        read: &mut Read,
    ) {
        let several =
            |edge: &&EdgeId| self.back.edge(**edge).is_none() && !self.is_summary(**edge, at);
        let Some(way) = self.others(place).iter().find(several).copied() else {
            read.analysed |= !goes_on;
            return;
        };
        let Some(after) = self.inner.step(inner, place, Step::Edge(way)) else { return };
        let target = self.rewritten.edges[way].target;
        let Some(join) = self.back.location(target) else {
            read.failed = true;
            return;
        };
        let join = join.location;
        let away = match self.original.edges[edge].callee() {
            Some(_) => Away::Until { join, depth: 1 },
            None if self.original.edges[edge].target == join => Away::No,
            None => Away::Until { join, depth: 0 },
        };
        read.add(after, target, away);
    }

    /// Reads a step of the original in code that was left out of the rewritten program.
    fn apart(&self, lift: Lift, step: Step, all: &mut Read) {
        let (edge, change) = match step {
            Step::Edge(edge) => (edge, i64::from(self.original.edges[edge].callee().is_some())),
            Step::Return(call) => (call, -1),
        };
        let target = self.original.edges[edge].target;
        let deeper = |depth: u32| u32::try_from(i64::from(depth) + change).ok();
        let away = match lift.away {
            Away::No => Away::No,
            Away::Call { call, depth } => match deeper(depth) {
                Some(depth) => Away::Call { call, depth },
                None if edge == call => Away::No,
                // This is another call than the one that was made.
                None => return,
            },
            Away::Until { join, depth } => match deeper(depth) {
                Some(0) if change <= 0 && target == join => Away::No,
                Some(depth) => Away::Until { join, depth },
                None => return,
            },
            Away::Round { head, depth } => match (deeper(depth), self.loops.headed(head)) {
                (Some(0), _) if change <= 0 && target == head => Away::No,
                (Some(0), Some(around)) if self.loops.contains(around, target) => {
                    Away::Round { head, depth: 0 }
                }
                (Some(depth), Some(_)) if depth > 0 => Away::Round { head, depth },
                // The step leaves the loop, so this round is not completed.
                _ => return,
            },
        };
        if let Away::Call { depth, .. } | Away::Until { depth, .. } | Away::Round { depth, .. } =
            away
            && depth > MAX_DEPTH
        {
            all.failed = true;
        }
        all.found.push(Lift { away, ..lift });
    }
}

impl<A: Automaton> Automaton for Lifted<'_, A> {
    fn initial(&mut self) -> StateId {
        let inner = self.inner.initial();
        let Some(start) = self.rewritten.start else { return StateId::TRUE };
        let mut read = Read::default();
        read.add(inner, self.rewritten.functions[start].entry, Away::No);
        self.state(read).unwrap_or(StateId::TRUE)
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let Some((lifts, analysed)) = self.states.get(from).cloned() else { return Some(from) };
        let mut all = Read { analysed, ..Read::default() };
        for lift in lifts.iter().copied() {
            match lift.away {
                Away::No => self.read(lift.inner, lift.place, (at, step), 0, &mut all),
                _ => self.apart(lift, step, &mut all),
            }
        }
        self.state(all)
    }
}
