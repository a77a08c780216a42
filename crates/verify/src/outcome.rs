//! What came of a run, as data.

use std::sync::Arc;
use std::time::Duration;

use cfa::LocId;
use domains::Precision;
use engines::backward;
use run::{Bound, Graph, Invariants, Unknown, Verdict};
use term::Var;

use crate::evidence::{Evidence, Made};
use crate::journal::StageReport;
use crate::statistics::Statistics;

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// Whether everything was proved but for a part of the property that no analysis decides: then the verdict is
    /// UNKNOWN.
    pub is_proved_in_part: bool,
    /// How long it took.
    pub time: Duration,
    /// What each stage answered, found and spent, in order. If there is an answer, the last stage
    /// gave it.
    pub stages: Vec<StageReport>,
    /// What holds whenever a location is passed, where an analysis found it out.
    pub invariants: Arc<Invariants>,
    /// The graph of the last exploration.
    pub graph: Option<Arc<Graph>>,
    /// The graphs of the explorations before it: each has analysed something that the others may not.
    pub earlier_graphs: Vec<Arc<Graph>>,
    /// The program that was analysed, with the way back to the given program, if passes have made it. The graphs are
    /// about the program that was analysed.
    pub rewritten: Option<Arc<passes::Rewritten>>,
    /// How far bounded model checking followed executions, if it ran.
    pub bound: Option<Bound>,
    /// The heads of the loops that were analysed as one step each, in order.
    pub summarized: Vec<LocId>,
    /// What the last exploration spent, if it answered or nothing did.
    pub statistics: Option<Statistics>,
    /// What was tracked at the end, where that was refined.
    pub precision: Option<Precision>,
    /// Variables that product abstraction left to predicates, of the program that was analysed.
    pub dropouts: Vec<Var>,
    /// A proof about programs that passes have made in a stage, or by claims about functions, for the proof checker.
    pub evidence: Option<Arc<Evidence>>,
    /// What another check of the proof found, if one was asked for.
    pub certification: Option<Certification>,
    /// What the backward analysis found, if it ran.
    pub backward: Option<Box<backward::Report>>,
}

impl Outcome {
    /// The outcome of a run that has found nothing out, for this reason.
    #[must_use]
    pub fn unknown(why: Unknown) -> Self {
        Self {
            verdict: Verdict::Unknown(why),
            is_proved_in_part: false,
            time: Duration::ZERO,
            stages: Vec::new(),
            invariants: Arc::default(),
            graph: None,
            earlier_graphs: Vec::new(),
            rewritten: None,
            bound: None,
            summarized: Vec::new(),
            statistics: None,
            precision: None,
            dropouts: Vec::new(),
            evidence: None,
            certification: None,
            backward: None,
        }
    }
}

/// What another check of a proof found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certification {
    /// What came of it, and what it took.
    pub outcome: certify::Checked,
    /// What passes have made that was checked in place of the given program: these are trusted.
    pub trusted: Option<Made>,
    /// How long it took.
    pub time: Duration,
}
