//! The findings of an engine: its answer, and facts that are worth keeping whatever the answer is.

use std::sync::Arc;

use domains::Precision;
use engines::backward;
use run::{Bound, Graph, Invariants, Verdict};
use term::Var;

use crate::evidence::Evidence;
use crate::statistics::Statistics;

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
    /// A proof about programs that passes have made in the stage, or by claims about functions, for the proof checker.
    pub evidence: Option<Arc<Evidence>>,
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
            evidence: None,
            statistics: None,
        }
    }
}
