//! How each fact came about, so that a contradiction can name the assumptions that it used.

use super::equal::{Equalities, Paths};
use super::graph::Graph;
use super::reason::{EventId, NONE, Reason};

/// Where a fact comes from, apart from earlier facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// From its reasons alone, or from what is asserted.
    Given,
    /// From the assumption with this number.
    Assumption(u32),
    /// From a decision of the search.
    Decision,
}

/// Something more became known of a term.
#[derive(Clone, Copy)]
struct Event {
    origin: Origin,
    /// Where the reasons of the event begin; they end where those of the next event begin.
    start: u32,
}

/// The events in order.
#[derive(Default)]
pub(super) struct Trail {
    events: Vec<Event>,
    reasons: Vec<Reason>,
}

/// What a contradiction rests on.
pub(super) struct Explanation {
    /// The assumptions, sorted.
    pub assumptions: Vec<u32>,
    /// The decisions, latest last.
    pub decisions: Vec<EventId>,
}

impl Trail {
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Adds an event.
    pub fn push(&mut self, origin: Origin, reasons: impl Iterator<Item = Reason>) -> EventId {
        let start = self.reasons.len() as u32;
        self.reasons.extend(reasons.filter(|reason| *reason != Reason::Event(NONE)));
        self.events.push(Event { origin, start });
        self.events.len() as u32 - 1
    }

    /// Forgets all events from one on.
    pub fn truncate(&mut self, len: usize) {
        if let Some(event) = self.events.get(len) {
            self.reasons.truncate(event.start as usize);
            self.events.truncate(len);
        }
    }

    fn reasons(&self, event: EventId) -> &[Reason] {
        let at = event as usize;
        let end = self.events.get(at + 1).map_or(self.reasons.len(), |next| next.start as usize);
        &self.reasons[self.events[at].start as usize..end]
    }

    /// All assumptions and decisions behind some reasons.
    pub fn explain(&self, graph: &Graph, equalities: &Equalities, why: &[Reason]) -> Explanation {
        let mut assumptions = Vec::new();
        let mut decisions = Vec::new();
        self.walk((graph, equalities), why, 0, |event| match self.events[event as usize].origin {
            Origin::Given => {}
            Origin::Assumption(number) => assumptions.push(number),
            Origin::Decision => decisions.push(event),
        });
        assumptions.sort_unstable();
        assumptions.dedup();
        decisions.sort_unstable();
        Explanation { assumptions, decisions }
    }

    /// The events before `border` on which some reasons rest directly.
    pub fn frontier(
        &self,
        graph: &Graph,
        equalities: &Equalities,
        why: &[Reason],
        border: EventId,
    ) -> Vec<Reason> {
        let mut frontier = Vec::new();
        self.walk((graph, equalities), why, border, |event| {
            if event < border {
                frontier.push(Reason::Event(event));
            }
        });
        frontier
    }

    /// Visits each event behind some reasons once; the reasons of events before `border` are not followed.
    fn walk(
        &self,
        (graph, equalities): (&Graph, &Equalities),
        why: &[Reason],
        border: EventId,
        mut visit: impl FnMut(EventId),
    ) {
        let mut seen = vec![false; self.events.len()];
        let mut stack = why.to_vec();
        let mut explained = rustc_hash::FxHashSet::default();
        let mut paths = Paths::new(graph, equalities);
        while let Some(reason) = stack.pop() {
            match reason {
                Reason::Event(NONE) => {}
                Reason::Event(event) => {
                    if !std::mem::replace(&mut seen[event as usize], true) {
                        visit(event);
                        if event >= border {
                            stack.extend(self.reasons(event));
                        }
                    }
                }
                Reason::Equal(a, b) => {
                    if a != b && explained.insert((a.min(b), a.max(b))) {
                        paths.explain(a, b, &mut stack);
                    }
                }
            }
        }
    }
}
