//! Many frontier traces: not only one trace for each location where traces end.
//!
//! The traces that are known make a tree. An automaton that follows the tree beside another one takes
//! the ends of known traces for analysed, so that a search over it finds a trace that is not in the tree.

use std::collections::BTreeSet;

use cfa::{LocId, Program};
use run::{Counterexample, Step};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::{Automaton, StateId, States};
use crate::product::{Goal, TargetKind};
use crate::search::Search;
use crate::trace::Trace;

/// What came of looking for more traces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Enumerated {
    /// Whether all frontier traces are known now.
    pub(crate) complete: bool,
    /// An error that was met on the way.
    pub(crate) violation: Option<Counterexample>,
}

/// Looks for further frontier traces, until the given number of traces is known.
pub(crate) fn enumerate(
    search: &Search<'_>,
    automaton: &mut dyn Automaton,
    traces: &mut Vec<Trace>,
    most: usize,
    tell: &mut dyn FnMut(&Trace),
) -> Enumerated {
    let mut tree = Tree::default();
    for trace in &*traces {
        tree.add(trace);
    }
    let search = Search { most: Some(1), ..search.clone() };
    while traces.len() < most {
        let mut others = Others {
            inner: automaton,
            program: search.program,
            tree: &tree,
            states: States::default(),
        };
        let mut found = None;
        let mut keep = |trace: Trace| found = Some(trace);
        let searched =
            search.find(&mut others, None, Goal::FRONTIER, &mut BTreeSet::new(), &mut keep);
        if let Some(trace) = found.filter(|trace| tree.add(trace)) {
            tell(&trace);
            traces.push(trace);
        } else {
            return Enumerated { complete: searched.complete, violation: searched.violation };
        }
        if searched.violation.is_some() {
            return Enumerated { complete: false, violation: searched.violation };
        }
    }
    Enumerated::default()
}

/// Traces as a tree. A node is the number of the trace that leads to it; the root is 0.
#[derive(Default)]
struct Tree {
    next: FxHashMap<(u32, Step), u32>,
    /// Nodes where traces end.
    ends: FxHashSet<u32>,
    /// Nodes where traces end in front of a check that no analysis could decide.
    undecided: FxHashSet<u32>,
}

impl Tree {
    /// Adds a trace. Says whether it is new.
    fn add(&mut self, trace: &Trace) -> bool {
        let mut node = 0;
        for step in &trace.steps {
            // Memory ends before there are more nodes than a `u32` counts.
            let fresh = self.next.len() as u32 + 1;
            node = *self.next.entry((node, *step)).or_insert(fresh);
        }
        match trace.kind {
            TargetKind::Undecided => self.undecided.insert(node),
            _ => self.ends.insert(node),
        }
    }
}

/// An automaton that says the same as another automaton, but calls the traces of a tree analysed.
struct Others<'a> {
    inner: &'a mut dyn Automaton,
    program: &'a Program,
    tree: &'a Tree,
    /// A state of the other automaton, and the node of the tree; no node if the execution has left the tree.
    states: States<(StateId, Option<u32>)>,
}

impl Others<'_> {
    fn state(&mut self, inner: StateId, node: Option<u32>) -> StateId {
        if node.is_some_and(|node| self.tree.ends.contains(&node)) {
            return StateId::TRUE;
        }
        if inner.is_final() { inner } else { self.states.id((inner, node)) }
    }

    /// Whether a step leads to an error.
    fn fails(&self, step: Step) -> bool {
        let cfa = &self.program.cfa;
        let target = match step {
            Step::Edge(edge) => match cfa.edges[edge].callee() {
                Some(callee) => cfa.functions[callee].entry,
                None => cfa.edges[edge].target,
            },
            Step::Return(call) => cfa.edges[call].target,
        };
        cfa.locations[target].error
    }
}

impl Automaton for Others<'_> {
    fn initial(&mut self) -> StateId {
        let inner = self.inner.initial();
        self.state(inner, Some(0))
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let Some((inner, node)) = self.states.get(from).copied() else { return Some(from) };
        let next = self.inner.step(inner, at, step)?;
        if node.is_some_and(|node| self.tree.undecided.contains(&node)) && self.fails(step) {
            return Some(StateId::TRUE);
        }
        let node = node.and_then(|node| self.tree.next.get(&(node, step)).copied());
        Some(self.state(next, node))
    }
}
