//! Propagation: the facts of all terms of a check, and what follows from them.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use term::{Op, Terms, View};

use super::equal::Equalities;
use super::fact::Fact;
use super::graph::{Graph, Node};
use super::reason::{EventId, NONE, Reason};
use super::trail::{Origin, Trail};
use run::Budget;

/// A term has no value left; the reasons are what that rests on.
pub(super) struct Conflict(pub Vec<Reason>);

/// Why propagation stopped before its end.
pub(super) enum Stop {
    Conflict(Conflict),
    /// The steps that were allowed are used up, or the limits of the whole check are exceeded.
    Budget,
}

impl From<Conflict> for Stop {
    fn from(conflict: Conflict) -> Self {
        Stop::Conflict(conflict)
    }
}

/// A term is refined at most this often, unless it becomes a constant: `x < y` and `y < x` would
/// otherwise push each other up one by one.
const MAX_UPDATES: u8 = 24;

/// How many steps are made between two looks at the limits.
const STEPS_PER_LOOK: u32 = 1024;

/// What is known of all terms of a check.
pub(super) struct Propagation<'a> {
    pub terms: &'a Terms,
    pub graph: &'a Graph,
    pub facts: Vec<Fact>,
    /// The event of each node's present fact.
    pub last: Vec<EventId>,
    pub trail: Trail,
    pub equalities: Equalities,
    /// Pairs of congruent terms, whose facts are to be the same.
    twins: FxHashMap<Node, Vec<Node>>,
    updates: Vec<u8>,
    /// For junctions, how many arguments have no truth value yet.
    pub undecided: Vec<u32>,
    queue: VecDeque<Node>,
    queued: Vec<bool>,
    pub steps: usize,
    /// The limits of the check, looked at now and then, since a step may be a long one.
    limits: &'a Budget,
    looks: u32,
    /// What was known before each event; `None` unless a search may take events back.
    pub undo: Option<Vec<(Node, Fact, EventId, u8)>>,
}

impl<'a> Propagation<'a> {
    /// The start of propagation: nothing is known but constants, and every rule is still to be tried.
    pub fn new(terms: &'a Terms, graph: &'a Graph, steps: usize, limits: &'a Budget) -> Self {
        let nodes = graph.len();
        let mut facts = Vec::with_capacity(nodes);
        let mut undecided = Vec::with_capacity(nodes);
        let mut queue = VecDeque::with_capacity(nodes);
        let mut queued = Vec::with_capacity(nodes);
        for (node, &term) in graph.terms.iter().enumerate() {
            facts.push(match terms.view(term) {
                View::Const(value) => Fact::constant(value),
                _ => Fact::top(terms.sort(term)),
            });
            let args = graph.args(node as Node);
            let open = args.iter().filter(|arg| facts[**arg as usize].truth().is_none());
            undecided.push(match graph.ops[node] {
                Some(Op::And | Op::Or) => open.count() as u32,
                _ => 0,
            });
            queued.push(graph.ops[node].is_some());
            if graph.ops[node].is_some() {
                queue.push_back(node as Node);
            }
        }
        Self {
            terms,
            graph,
            facts,
            last: vec![NONE; nodes],
            trail: Trail::default(),
            equalities: Equalities::new(nodes),
            twins: FxHashMap::default(),
            updates: vec![0; nodes],
            undecided,
            queue,
            queued,
            steps,
            limits,
            looks: 0,
            undo: None,
        }
    }

    pub fn fact(&self, node: Node) -> &Fact {
        &self.facts[node as usize]
    }

    pub fn event(&self, node: Node) -> Reason {
        Reason::Event(self.last[node as usize])
    }

    pub fn truth(&self, node: Node) -> Option<bool> {
        self.fact(node).truth()
    }

    /// The assumptions behind some reasons.
    pub fn assumptions(&self, why: &[Reason]) -> Vec<u32> {
        self.trail.explain(self.graph, &self.equalities, why).assumptions
    }

    /// Applies rules until nothing more follows.
    pub fn run(&mut self) -> Result<(), Stop> {
        while let Some(node) = self.queue.pop_front() {
            self.queued[node as usize] = false;
            let cost = 1 + self.graph.args(node).len().min(8);
            if self.steps < cost || self.is_over() {
                return Err(Stop::Budget);
            }
            self.steps -= cost;
            self.process(node)?;
        }
        Ok(())
    }

    /// Whether the limits are exceeded, looked at now and then.
    pub fn is_over(&mut self) -> bool {
        self.looks += 1;
        self.looks.is_multiple_of(STEPS_PER_LOOK) && self.limits.exceeded().is_some()
    }

    /// Forgets what is still to be tried, after a conflict.
    pub fn clear(&mut self) {
        for node in self.queue.drain(..) {
            self.queued[node as usize] = false;
        }
    }

    pub fn clear_updates(&mut self) {
        self.updates.fill(0);
    }

    pub fn enqueue(&mut self, node: Node) {
        let queued = &mut self.queued[node as usize];
        if !*queued {
            *queued = true;
            self.queue.push_back(node);
        }
    }

    fn process(&mut self, node: Node) -> Result<(), Conflict> {
        let graph = self.graph;
        let args = graph.args(node);
        match graph.ops[node as usize] {
            None => {}
            Some(Op::Not) => self.not(node, args[0])?,
            Some(op @ (Op::And | Op::Or)) => self.junction(node, op == Op::And)?,
            Some(Op::Ite) => self.choice(node, args)?,
            Some(Op::Eq) => self.equation(node, args[0], args[1])?,
            // No rule looks at a map itself; reads have rules.
            Some(Op::Store | Op::ConstArray(_)) => {}
            Some(op) => self.operation(node, op, args)?,
        }
        if !self.twins.is_empty()
            && let Some(twins) = self.twins.get(&node)
        {
            for twin in twins.clone() {
                let fact = self.fact(node).clone();
                let why = [self.event(node), Reason::Equal(node, twin)];
                self.learn(twin, fact, &why, false)?;
            }
        }
        Ok(())
    }

    /// Takes in a further fact about a term. `own` says that the earlier fact about the term is among the reasons.
    pub fn learn(
        &mut self,
        node: Node,
        fact: Fact,
        why: &[Reason],
        own: bool,
    ) -> Result<(), Conflict> {
        let old = self.fact(node);
        let Some(met) = old.meet(&fact) else {
            let mut why = why.to_vec();
            why.push(self.event(node));
            return Err(Conflict(why));
        };
        if met == *old {
            return Ok(());
        }
        if self.updates[node as usize] >= MAX_UPDATES && !met.is_constant() {
            return Ok(());
        }
        // The earlier fact is no reason if the new fact says as much without it.
        let own = own || !says_as_much(&fact, &met);
        let previous = own.then(|| self.event(node));
        let event = self.trail.push(Origin::Given, why.iter().copied().chain(previous));
        self.set(node, met, event);
        Ok(())
    }

    /// Makes a formula true because it is asserted or assumed.
    pub fn suppose(&mut self, node: Node, fact: Fact, origin: Origin) -> Result<(), Conflict> {
        let Some(met) = self.fact(node).meet(&fact) else {
            let event = self.trail.push(origin, std::iter::empty());
            return Err(Conflict(vec![Reason::Event(event), self.event(node)]));
        };
        if met != *self.fact(node) {
            let previous = (!says_as_much(&fact, &met)).then(|| self.event(node));
            let event = self.trail.push(origin, previous.into_iter());
            self.set(node, met, event);
        }
        Ok(())
    }

    fn set(&mut self, node: Node, fact: Fact, event: EventId) {
        let at = node as usize;
        let settled = fact.truth().is_some();
        let old = std::mem::replace(&mut self.facts[at], fact);
        if let Some(undo) = &mut self.undo {
            undo.push((node, old, self.last[at], self.updates[at]));
        }
        self.last[at] = event;
        self.updates[at] = self.updates[at].saturating_add(1);
        self.enqueue(node);
        let graph = self.graph;
        for parent in graph.parents(node) {
            if settled && matches!(graph.ops[*parent as usize], Some(Op::And | Op::Or)) {
                self.settle(*parent, node);
            } else {
                self.enqueue(*parent);
            }
        }
    }

    /// Takes in that an argument of a junction has a truth value now. The junction is looked at only if that can
    /// matter, so that a wide one is not scanned again and again.
    fn settle(&mut self, junction: Node, arg: Node) {
        let at = junction as usize;
        self.undecided[at] = self.undecided[at].saturating_sub(1);
        let neutral = self.graph.ops[at] == Some(Op::And);
        let matters = self.truth(arg) != Some(neutral)
            || self.undecided[at] == 0
            || (self.undecided[at] == 1 && self.truth(junction).is_some());
        if matters {
            self.enqueue(junction);
        }
    }

    /// Takes back everything up to a mark of the undo log.
    pub fn take_back(&mut self, mark: usize, events: usize) {
        self.clear();
        let graph = self.graph;
        let Some(undo) = &mut self.undo else { return };
        for (node, fact, event, updates) in undo.drain(mark..).rev() {
            let at = node as usize;
            if self.facts[at].truth().is_some() && fact.truth().is_none() {
                for parent in graph.parents(node) {
                    if matches!(graph.ops[*parent as usize], Some(Op::And | Op::Or)) {
                        self.undecided[*parent as usize] += 1;
                    }
                }
            }
            self.facts[at] = fact;
            self.last[at] = event;
            self.updates[at] = updates;
        }
        self.trail.truncate(events);
    }

    /// Takes in that two terms are equal since an event. Only the outermost level learns equalities: they are not taken
    /// back.
    pub fn equal(&mut self, a: Node, b: Node, why: EventId) {
        if self.undo.is_some() || self.equalities.same(a, b) {
            return;
        }
        let (mut touched, mut congruent) = (Vec::new(), Vec::new());
        let looked = self.equalities.merge(self.graph, (a, b), why, &mut touched, &mut congruent);
        self.steps = self.steps.saturating_sub(looked);
        let graph = self.graph;
        for node in touched {
            for parent in graph.parents(node) {
                self.enqueue(*parent);
            }
        }
        for (a, b) in congruent {
            for (one, other) in [(a, b), (b, a)] {
                self.twins.entry(one).or_default().push(other);
                self.enqueue(one);
            }
        }
    }
}

/// Whether a fact alone, once its components have learned from each other, is as narrow as another fact.
fn says_as_much(fact: &Fact, met: &Fact) -> bool {
    match fact {
        Fact::Word(word) => match (word.clone().reduce(), met) {
            (Some(word), Fact::Word(met)) => word == *met,
            _ => false,
        },
        _ => fact == met,
    }
}
