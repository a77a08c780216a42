//! What happens in a run: one closed stream of events that every engine emits.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cfa::{LocId, Program};

use crate::budget::Budget;
use crate::graph::{Graph, NodeId};
use crate::lesson::Lesson;

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A stage of the strategy begins; this is its name.
    Stage(&'static str),
    /// A node was added to the graph of an exploration.
    Added(NodeId),
    /// All successors of a node were computed.
    Expanded(NodeId),
    /// The first node is covered by the second.
    Covered(NodeId, NodeId),
    /// The state of a node was replaced by a merged one.
    Merged(NodeId),
    /// A target was reached.
    Target(NodeId),
    /// The precision of the analysis was refined.
    Refined,
    /// A node was cut off.
    Removed(NodeId),
    /// Bounded model checking begins to follow executions with at most this many rounds of each loop.
    Unrolling(u32),
    /// Every execution with at most this many rounds of each loop was followed, and none reaches an error.
    Unrolled(u32),
    /// k-induction begins with this `k`, the number of rounds before the step.
    Inducting(u32),
    /// Something was proved to hold whenever executions pass a location.
    Proved(LocId),
    /// The backward analysis begins another fixpoint, after this many refinements.
    Fixpoint(u32),
}

/// A listener for the events of a run. Engines hold a shared reference, so an observer counts in cells or atomics.
pub trait Observer {
    /// Called at every event.
    fn on(&self, event: Event);

    /// Whether the graph of an exploration as it is now is wanted. Engines call this now and then.
    fn wants_graph(&self) -> bool {
        false
    }

    /// Called with the graph after [`Observer::wants_graph`] has said that the graph is wanted.
    fn graph(&self, _graph: Graph) {}

    /// Whether [`Observer::lesson`] is to be called at every refinement.
    fn wants_lessons(&self) -> bool {
        false
    }

    /// Called at a refinement, with the program that is explored and what the refinement found out.
    fn lesson(&self, _program: &Program, _lesson: &Lesson) {}
}

/// The observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on(&self, _event: Event) {}
}

/// What a run, or a stage of it, works with: its budget and its observer.
#[derive(Clone)]
pub struct Run<'a> {
    /// What the run may use.
    pub budget: Budget,
    /// The observer that is called at every event.
    pub events: &'a dyn Observer,
}

impl Run<'static> {
    /// A run whose events no observer hears.
    #[must_use]
    pub fn unobserved(budget: Budget) -> Self {
        Self { budget, events: &Silent }
    }
}

impl Run<'_> {
    /// The same run with another budget.
    #[must_use]
    pub fn with(&self, budget: Budget) -> Self {
        Self { budget, events: self.events }
    }
}

/// How far a run is, to be read from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    stage: Mutex<&'static str>,
    rounds: AtomicU32,
    states: AtomicU64,
    refinements: AtomicU64,
    /// All executions with at most this many rounds have been followed, by any stage; zero if no stage has done so yet.
    followed: AtomicU32,
    wanted: AtomicBool,
    graph: Mutex<Option<Arc<Graph>>>,
    listener: OnceLock<Listener>,
}

/// The function to call at every refinement, with the stage, the program that is explored, and what was found out.
type Called = dyn Fn(&'static str, &Program, &Lesson) + Send + Sync;

/// A function that is called at every refinement of a run.
pub struct Listener(pub Box<Called>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl Progress {
    /// From now on, the listener is called at every refinement. Only the first listener counts, later ones are dropped.
    pub fn listen(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    /// The stage that runs; empty before the first one.
    #[must_use]
    pub fn stage(&self) -> &'static str {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rounds so far: of unrolling, of induction, or of refinement.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds.load(Ordering::Relaxed)
    }

    /// How many rounds of each loop have been followed to their ends so far, by any stage.
    #[must_use]
    pub fn followed(&self) -> Option<u32> {
        Some(self.followed.load(Ordering::Relaxed)).filter(|rounds| *rounds > 0)
    }

    /// Asks for the graph of the exploration that runs, which comes as soon as the next node is expanded.
    pub fn want_graph(&self) {
        self.wanted.store(true, Ordering::Relaxed);
    }

    /// The last graph of an exploration that came.
    #[must_use]
    pub fn latest_graph(&self) -> Option<Arc<Graph>> {
        self.graph.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many abstract states have been found, and how often the precision was refined.
    #[must_use]
    pub fn explored(&self) -> (u64, u64) {
        (self.states.load(Ordering::Relaxed), self.refinements.load(Ordering::Relaxed))
    }
}

impl Observer for Progress {
    fn on(&self, event: Event) {
        match event {
            Event::Stage(name) => {
                *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = name;
                self.rounds.store(0, Ordering::Relaxed);
                self.states.store(0, Ordering::Relaxed);
                self.refinements.store(0, Ordering::Relaxed);
            }
            Event::Added(_) => {
                self.states.fetch_add(1, Ordering::Relaxed);
            }
            Event::Refined => {
                self.refinements.fetch_add(1, Ordering::Relaxed);
            }
            Event::Unrolling(rounds) | Event::Inducting(rounds) | Event::Fixpoint(rounds) => {
                self.rounds.store(rounds, Ordering::Relaxed);
            }
            Event::Unrolled(rounds) => {
                self.followed.fetch_max(rounds, Ordering::Relaxed);
            }
            Event::Expanded(_)
            | Event::Covered(..)
            | Event::Merged(_)
            | Event::Target(_)
            | Event::Removed(_)
            | Event::Proved(_) => {}
        }
    }

    fn wants_graph(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    fn graph(&self, graph: Graph) {
        self.wanted.store(false, Ordering::Relaxed);
        *self.graph.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(graph));
    }

    fn wants_lessons(&self) -> bool {
        self.listener.get().is_some()
    }

    fn lesson(&self, program: &Program, lesson: &Lesson) {
        if let Some(Listener(told)) = self.listener.get() {
            told(self.stage(), program, lesson);
        }
    }
}

#[cfg(test)]
mod tests {
    use base::Id as _;

    use super::*;

    #[test]
    fn progress_is_that_of_the_stage_that_runs() {
        let progress = Progress::default();
        progress.on(Event::Stage("values"));
        progress.on(Event::Added(NodeId::from_index(0)));
        progress.on(Event::Added(NodeId::from_index(1)));
        progress.on(Event::Refined);
        assert_eq!((progress.stage(), progress.explored()), ("values", (2, 1)));
        progress.on(Event::Stage("unrolling"));
        progress.on(Event::Unrolling(7));
        assert_eq!((progress.rounds(), progress.explored()), (7, (0, 0)));
    }
}
