//! A report on each stage of a run that has ended so far; other threads can read the reports when the run
//! is stopped.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use passes::Rewritten;
use run::{Bound, Counts, Graph, Unknown};

/// What a stage of a run answered, found and spent: enough to tell about it, and small enough to
/// keep whatever happens to the rest.
#[derive(Clone, Debug)]
pub struct StageReport {
    /// The name of the stage.
    pub name: &'static str,
    /// Why the stage has no answer; none if it has one.
    pub unknown: Option<Unknown>,
    /// Whether the answer of the stage is a violation.
    pub is_violation: bool,
    /// How long the stage took on the clock.
    pub time: Duration,
    /// How much processor time the stage took.
    pub cpu: Duration,
    /// How many invariants the stage proved.
    pub invariants: usize,
    /// The nodes of its graph, if the stage explored.
    pub graph: Option<Counts>,
    /// How often the stage refined its precision, if it explored.
    pub refinements: Option<u64>,
    /// How far the stage followed executions, if it unrolled the program.
    pub bound: Option<Bound>,
}

/// The reports of the stages that have ended. Another thread reads them if the run does not end by itself.
#[derive(Debug, Default)]
pub struct Journal {
    stages: Mutex<Vec<StageReport>>,
    graphs: Mutex<Vec<Arc<Graph>>>,
    rewritten: Mutex<Option<Arc<Rewritten>>>,
}

impl Journal {
    /// The stages that have ended so far.
    #[must_use]
    pub fn stages(&self) -> Vec<StageReport> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The program that is analysed, if passes have made it.
    #[must_use]
    pub fn rewritten(&self) -> Option<Arc<Rewritten>> {
        self.rewritten.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The graphs of the stages that have ended so far, on the program that is analysed; those that are
    /// too large to be kept are left out.
    #[must_use]
    pub fn graphs(&self) -> Vec<Arc<Graph>> {
        self.graphs.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on another program is analysed. The places that reports of earlier stages name mean nothing in this
    /// program, so they are taken out.
    pub(crate) fn analyses(&self, rewritten: Option<Arc<Rewritten>>) {
        for stage in &mut *self.stages.lock().unwrap_or_else(PoisonError::into_inner) {
            stage.bound = None;
            if let Some(Unknown::Unsupported { edge, .. }) = &mut stage.unknown {
                *edge = None;
            }
        }
        *self.rewritten.lock().unwrap_or_else(PoisonError::into_inner) = rewritten;
        self.graphs.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Puts the stage that answered behind the stages of other lanes that have ended later.
    pub(crate) fn put_answer_last(&self) {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        stages.sort_by_key(|stage| stage.unknown.is_none());
    }

    /// A stage has ended.
    pub(crate) fn add(&self, report: StageReport, graph: Option<&Arc<Graph>>) {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner).push(report);
        let small = graph.filter(|graph| graph.nodes.len() <= MAX_KEPT_NODES);
        self.graphs.lock().unwrap_or_else(PoisonError::into_inner).extend(small.cloned());
    }
}

/// A graph with more nodes takes memory that later stages need.
const MAX_KEPT_NODES: usize = 500_000;
