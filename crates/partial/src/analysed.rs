//! What a run has analysed, as an automaton over the program that was given.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::IndexVec;
use cfa::{EdgeId, LocId, Loops, Program};
use run::{Drawn, Graph, NodeId, Unknown, Verdict};

use crate::automaton::{Automaton, Everything, Nothing, StateId, Union};
use crate::lifted::Lifted;
use crate::nodes::{Memory, Nodes};
use crate::rounds::Rounds;
use crate::spc::{Foreign, Spc};

/// What is known of a run that has ended, or of several.
#[derive(Clone, Copy)]
pub struct Analysed<'a> {
    /// The program that was given.
    pub program: &'a Program,
    /// Whether everything was analysed: a proof was found that leaves a part of the property open.
    pub everything: bool,
    /// Whether every execution was followed up to something that is not modelled, however many rounds it makes.
    pub up_to_cuts: bool,
    /// The program that was analysed, if passes have made it.
    pub rewritten: Option<&'a passes::Rewritten>,
    /// What an exploration of that program has left behind.
    pub graph: Option<&'a Graph>,
    /// What earlier explorations of that program have left behind.
    pub earlier: &'a [Arc<Graph>],
    /// All executions with at most this many rounds of each loop were followed.
    pub rounds: Option<u32>,
    /// Edges of the analysed program behind which bounded model checking followed no execution.
    pub cuts: &'a [EdgeId],
    /// The heads of loops that have become one step each. It is not always clear which round of them an
    /// execution is in.
    pub summarized: &'a [LocId],
    /// The inputs and choices of an execution that makes more than `rounds` rounds, if one is known.
    pub example: &'a [Drawn],
    /// What an earlier run has analysed.
    pub before: Option<&'a Spc>,
    /// What was analysed besides in another form of the program.
    pub besides: Option<&'a Analysed<'a>>,
    /// A cache of facts about the nodes of the graphs, for several automata that are made from the same graphs.
    pub memory: Option<&'a Memory<'a>>,
}

impl<'a> Analysed<'a> {
    /// What a run with this outcome has analysed.
    #[must_use]
    pub fn of(program: &'a Program, outcome: &'a verify::Outcome) -> Self {
        if outcome.is_proved_in_part {
            return Self { everything: true, ..Self::nothing(program) };
        }
        let bound = outcome.bound.as_ref();
        let has_followed =
            bound.is_some_and(|bound| bound.rounds.is_some() && bound.frontier.is_empty());
        Self {
            program,
            everything: false,
            up_to_cuts: has_followed
                && matches!(outcome.verdict, Verdict::Unknown(Unknown::Unsupported { .. })),
            rewritten: outcome.rewritten.as_deref(),
            graph: outcome.graph.as_deref(),
            earlier: &outcome.earlier_graphs,
            rounds: outcome.bound.as_ref().and_then(|bound| bound.rounds),
            cuts: outcome.bound.as_ref().map_or(&[], |bound| &bound.cuts),
            summarized: &outcome.summarized,
            example: outcome.bound.as_ref().map_or(&[], |bound| &bound.example),
            before: None,
            besides: None,
            memory: None,
        }
    }

    /// A run in which nothing was analysed.
    #[must_use]
    pub fn nothing(program: &'a Program) -> Self {
        Self {
            program,
            everything: false,
            up_to_cuts: false,
            rewritten: None,
            graph: None,
            earlier: &[],
            rounds: None,
            cuts: &[],
            summarized: &[],
            example: &[],
            before: None,
            besides: None,
            memory: None,
        }
    }

    /// The heads of the loops that a bound on rounds limits.
    #[must_use]
    pub fn bounded(&self) -> BTreeSet<LocId> {
        bounded_loops(self.program, self.rewritten, self.summarized)
    }

    /// The automaton of everything that was analysed.
    #[must_use]
    pub fn automaton(&self) -> Box<dyn Automaton + 'a> {
        self.of_nodes(self.graph.map(|graph| self.nodes(graph)))
    }

    /// The automaton of everything that was analysed, with only some of the pending nodes of the graph counted as
    /// pending, and only on the paths on which they were found.
    #[must_use]
    pub fn towards(&self, wanted: &dyn Fn(NodeId) -> bool) -> Box<dyn Automaton + 'a> {
        self.of_nodes(self.graph.map(|graph| Nodes::towards(graph, wanted)))
    }

    /// The automaton of one of the graphs.
    fn nodes(&self, graph: &'a Graph) -> Nodes<'a> {
        match self.memory {
            Some(memory) => memory.nodes(graph),
            None => Nodes::new(graph),
        }
    }

    fn of_nodes(&self, nodes: Option<Nodes<'a>>) -> Box<dyn Automaton + 'a> {
        let both =
            |first, second| -> Box<dyn Automaton + 'a> { Box::new(Union::new(first, second)) };
        self.parts(nodes).into_iter().reduce(both).unwrap_or_else(|| Box::new(Nothing))
    }

    /// The automata of everything that was analysed, each by itself, those with few states first.
    #[must_use]
    pub fn each(&self) -> Vec<Box<dyn Automaton + 'a>> {
        let mut parts = self.parts(self.graph.map(|graph| self.nodes(graph)));
        parts.reverse();
        parts
    }

    fn parts(&self, nodes: Option<Nodes<'a>>) -> Vec<Box<dyn Automaton + 'a>> {
        if self.everything {
            return vec![Box::new(Everything)];
        }
        let earlier = self.earlier.iter().map(|graph| self.nodes(graph));
        let mut parts: Vec<_> =
            nodes.into_iter().chain(earlier).map(|nodes| self.lifted(nodes)).collect();
        if let Some(rounds) = self.rounds {
            let analysed = self.rewritten.map_or(self.program, |made| &made.program);
            parts.push(self.lifted(Rounds::new(&analysed.cfa, rounds, self.cuts)));
        }
        if let Some(before) = self.before {
            parts.push(Box::new(Foreign::new(before, self.program)));
        }
        if let Some(besides) = self.besides {
            parts.extend(besides.parts(besides.graph.map(|graph| besides.nodes(graph))));
        }
        parts
    }

    /// An automaton over the program that was analysed, over the one that was given.
    fn lifted(&self, automaton: impl Automaton + 'a) -> Box<dyn Automaton + 'a> {
        match self.rewritten {
            Some(made) => Box::new(Lifted::new(automaton, self.program, &made.program, &made.back)),
            None => Box::new(automaton),
        }
    }

    /// The pending nodes, the nearest first. A pending node is left out if bounded model checking has followed all
    /// executions that reach it, for such a node does not belong to the frontier.
    #[must_use]
    pub fn nearest(&self) -> Vec<NodeId> {
        let Some(graph) = self.graph else { return Vec::new() };
        let beyond = self.beyond_rounds(graph);
        let mut pending = Nodes::pending(graph);
        pending.retain(|id| beyond.as_ref().is_none_or(|beyond| beyond[*id]));
        pending
    }

    /// The first `most` of the nodes; if `different` is set, only the first node of each location.
    #[must_use]
    pub fn first(&self, nodes: &[NodeId], most: usize, different: bool) -> BTreeSet<NodeId> {
        let Some(graph) = self.graph else { return BTreeSet::new() };
        let mut seen: BTreeSet<LocId> = BTreeSet::new();
        let new = |id: &NodeId| seen.insert(graph.place(*id).location) || !different;
        nodes.iter().copied().filter(new).take(most).collect()
    }

    /// The nodes whose paths make more rounds than bounded model checking has followed.
    fn beyond_rounds(&self, graph: &Graph) -> Option<IndexVec<NodeId, bool>> {
        let rounds = self.rounds.filter(|_| graph.nodes.len() <= MAX_NODES)?;
        let analysed = self.rewritten.map_or(self.program, |made| &made.program);
        let mut automaton = Rounds::new(&analysed.cfa, rounds, self.cuts);
        let first = automaton.initial();
        let mut states = IndexVec::filled(first, graph.nodes.len());
        for (id, node) in graph.live() {
            // Parents are older than their children.
            let Some((parent, step)) = node.parent else { continue };
            let at = graph.place(parent).location;
            let state = states[parent];
            let next = if state.is_final() { Some(state) } else { automaton.step(state, at, step) };
            states[id] = next.unwrap_or(StateId::FALSE);
        }
        Some(states.iter().map(|state| *state == StateId::FALSE).collect())
    }
}

/// A graph with more nodes is not searched as a whole before the first trace is found.
const MAX_NODES: usize = 200_000;

/// The heads of the loops of a program whose rounds are bounded if those of a rewritten program are: all loops but
/// those that were summarised and of which the rewritten program has no loop left. A loop that stays beside its summary
/// is bounded.
#[must_use]
pub fn bounded_loops(
    program: &Program,
    rewritten: Option<&passes::Rewritten>,
    summarized: &[LocId],
) -> BTreeSet<LocId> {
    let loops = Loops::of(&program.cfa);
    let all: BTreeSet<LocId> = loops.loops.iter().map(|known| known.head).collect();
    let Some(made) = rewritten.filter(|_| !summarized.is_empty()) else { return all };
    let mut left = BTreeSet::new();
    for known in &Loops::of(&made.program.cfa).loops {
        // The loop of the rewritten program stems from a loop of the original around the origin of its head.
        let origin = made.back.location(known.head);
        let mut around = origin.and_then(|origin| loops.innermost(origin.location));
        if around.is_none() {
            return all;
        }
        while let Some(id) = around {
            left.insert(loops.loops[id].head);
            around = loops.loops[id].parent;
        }
    }
    all.into_iter().filter(|head| left.contains(head) || !summarized.contains(head)).collect()
}
