//! What engines find out, and what is known of a program after some of them have run.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domains::Precision;
use engines::backward;
use engines::bounded::Bounded;
use passes::Rewritten;
use run::{Bound, Budget, Counts, Graph, Invariants, Unknown, Verdict};
use term::Var;

use crate::Outcome;
use crate::statistics::Statistics;
use crate::value_analysis::Unfinished;

/// What an engine found out, whatever it answered.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The answer.
    pub verdict: Verdict,
    /// What holds whenever executions pass a location, as far as it was proved.
    pub invariants: Arc<Invariants>,
    /// The graph of an exploration, however it ended.
    pub graph: Option<Arc<Graph>>,
    /// What an exploration tracked at the end.
    pub precision: Option<Precision>,
    /// Variables that product abstraction left to predicates.
    pub dropouts: Vec<Var>,
    /// How far bounded model checking followed executions.
    pub bound: Option<Bound>,
    /// Atoms, fixpoint and figures of the backward analysis.
    pub backward: Option<Box<backward::Report>>,
    /// What an exploration spent.
    pub statistics: Option<Statistics>,
}

impl Findings {
    /// Whether the engine has answered.
    pub(crate) const fn answers(&self) -> bool {
        matches!(self.verdict, Verdict::Safe(_) | Verdict::Unsafe(_))
    }

    /// A verdict, and nothing else yet.
    #[must_use]
    pub fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            invariants: Arc::default(),
            graph: None,
            precision: None,
            dropouts: Vec::new(),
            bound: None,
            backward: None,
            statistics: None,
        }
    }
}

/// What a stage of a run answered, found and spent: enough to tell about it, and small enough to
/// keep whatever happens to the rest.
#[derive(Clone, Debug)]
pub struct StageReport {
    /// The name of the stage.
    pub name: &'static str,
    /// Why the stage has no answer; none if it has one.
    pub unknown: Option<Unknown>,
    /// How long the stage took on the clock.
    pub time: Duration,
    /// How much processor time it took.
    pub cpu: Duration,
    /// How many invariants it proved.
    pub invariants: usize,
    /// The nodes of its graph, if it explored.
    pub graph: Option<Counts>,
    /// How often it refined its precision, if it explored.
    pub refinements: Option<u64>,
    /// How far it followed executions, if it unrolled the program.
    pub bound: Option<Bound>,
}

/// The reports of the stages that have ended, for whoever looks on from another thread: what is
/// known of a run that does not end by itself.
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

    /// Another program is analysed from now on. What earlier stages have said of places means nothing there.
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

    /// Has the stage that answered be the last one, where others side by side with it have ended later.
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

/// What is known of a program so far. Every stage is told, and adds what it finds.
#[derive(Default)]
pub(crate) struct Knowledge<'p> {
    /// The unrolling, which a later stage takes up where the earlier one ended.
    pub(crate) unrolling: Option<Bounded<'p>>,
    /// The exploration with the values of everything, where a later stage is to take it up.
    pub(crate) values: Option<Unfinished<'p>>,
    /// What the stages found, the last one last.
    pub(crate) found: Vec<Findings>,
}

impl Knowledge<'_> {
    /// Adds what a stage found.
    pub(crate) fn learn(&mut self, findings: Findings) {
        // Only the newest graph and invariants are told of here, and the tables behind them are large.
        for earlier in &mut self.found {
            if findings.graph.is_some() {
                earlier.graph = None;
            }
            if !findings.invariants.list.is_empty() {
                earlier.invariants = Arc::default();
            }
        }
        self.found.push(findings);
    }

    /// Whether the stage before ran out of time or memory.
    pub(crate) fn ran_into_limit(&self) -> bool {
        let last = self.found.last().map(|found| &found.verdict);
        matches!(last, Some(Verdict::Unknown(Unknown::TimeLimit | Unknown::MemoryLimit)))
    }

    /// Whether every execution was followed as far as it can be, so that unrolling the program
    /// further changes nothing.
    pub(crate) fn is_unrolled(&self) -> bool {
        self.found.iter().any(|found| {
            let done = found.bound.as_ref().is_some_and(|bound| bound.frontier.is_empty());
            let why = matches!(
                found.verdict,
                Verdict::Unknown(Unknown::NotReplayed(_) | Unknown::Unsupported { .. })
            );
            done && why
        })
    }
}

/// Puts together what all stages found.
pub(crate) fn conclude(found: Vec<Findings>, budget: &Budget, journal: &Journal) -> Outcome {
    let none = Unknown::Exhausted("there is no stage to run".to_owned());
    let mut outcome = Outcome { stages: journal.stages(), ..Outcome::unknown(none) };
    let mut reason = None;
    for found in found {
        let answers = !matches!(found.verdict, Verdict::Unknown(_));
        // What unrolling leaves open says more than that no proof was found.
        if found.bound.is_some() || reason.is_none() {
            reason = Some(found.verdict.clone());
        }
        outcome.verdict = found.verdict;
        if answers || !found.invariants.list.is_empty() {
            outcome.invariants = found.invariants;
        }
        // Statistics and graph of an exploration say nothing of an answer by another stage. One without a graph takes
        // none away that may be drawn where nothing has answered.
        let has_more = found.graph.is_some() || outcome.graph.is_none();
        if answers || (found.statistics.is_some() && has_more) {
            outcome.statistics = found.statistics;
            outcome.graph = found.graph;
            outcome.dropouts = found.dropouts;
        }
        outcome.precision = found.precision.or(outcome.precision);
        outcome.bound = found.bound.or(outcome.bound);
        outcome.backward = found.backward;
    }
    let is_last =
        |graph: &Arc<Graph>| outcome.graph.as_ref().is_some_and(|last| Arc::ptr_eq(graph, last));
    outcome.earlier_graphs.extend(journal.graphs().into_iter().filter(|graph| !is_last(graph)));
    if let Verdict::Unknown(_) = outcome.verdict {
        // The limit that ended the run is the reason, whatever its last stage says.
        outcome.verdict = match (budget.exceeded(), reason) {
            // Stages that contradict each other are a fault, whatever else there is to say.
            (_, Some(reason @ Verdict::Unknown(Unknown::Refuted(_)))) => reason,
            (Some(limit), _) => Verdict::Unknown(limit.into()),
            (None, Some(reason)) => reason,
            (None, None) => outcome.verdict,
        };
    }
    outcome
}
