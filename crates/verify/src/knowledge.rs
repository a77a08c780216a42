//! The facts that stages have found so far, which later stages use, and the answer of the run that
//! follows from all stages.

use std::sync::Arc;

use engines::bounded::Bounded;
use run::{Budget, Graph, Invariants, Unknown, Verdict};

use crate::findings::Findings;
use crate::journal::Journal;
use crate::outcome::Outcome;
use crate::value_analysis::Unfinished;

/// What is known of a program so far: what later stages are told or take up, and how each stage ended. Every stage adds
/// what it finds.
#[derive(Default)]
pub(crate) struct Knowledge<'p> {
    /// The unrolling, which a later stage takes up where the earlier one ended.
    pub(crate) unrolling: Option<Bounded<'p>>,
    /// The exploration with the values of everything, where a later stage is to take it up.
    pub(crate) values: Option<Unfinished<'p>>,
    /// What intervals know at the heads of loops, if they know anything that k-induction may be told.
    pub(crate) ranges: Option<Arc<Invariants>>,
    /// What the stages found, the last one last.
    pub(crate) found: Vec<Findings>,
}

impl Knowledge<'_> {
    /// Adds what a stage found.
    pub(crate) fn learn(&mut self, findings: Findings) {
        // The outcome has only the newest graph and the newest invariants of these findings, and the tables behind
        // older ones are large.
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
        // What unrolling leaves open says more than that no proof was found, and a contradiction more than both.
        let is_contradiction = matches!(found.verdict, Verdict::Unknown(Unknown::Refuted(_)));
        if found.bound.is_some() || reason.is_none() || is_contradiction {
            reason = Some(found.verdict.clone());
        }
        outcome.verdict = found.verdict;
        if answers || !found.invariants.list.is_empty() {
            outcome.invariants = found.invariants;
        }
        // Statistics and graph of an exploration say nothing of an answer by another stage. Findings without a graph do
        // not replace an earlier graph while no stage has answered.
        let has_more = found.graph.is_some() || outcome.graph.is_none();
        if answers || (found.statistics.is_some() && has_more) {
            outcome.statistics = found.statistics;
            outcome.graph = found.graph;
            outcome.dropouts = found.dropouts;
        }
        outcome.precision = found.precision.or(outcome.precision);
        outcome.bound = found.bound.or(outcome.bound);
        outcome.backward = found.backward;
        outcome.evidence = found.evidence;
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
