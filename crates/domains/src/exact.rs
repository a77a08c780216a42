//! The exact check of a path that a domain does not exclude, and its result.

use cfa::EdgeId;
use cpa::{Path, Refinement};
use run::{Counterexample, Feasibility, Replayed, Unknown};

/// Why a path to a target stays in the graph.
#[derive(Clone, Debug)]
pub enum Finding {
    /// No execution takes the path, and the domain cannot tell why.
    Inexpressible,
    /// What was learned does not keep the path from being found.
    NoProgress,
    /// It is not known whether an execution takes the path, or what comes of such an execution.
    Open(Unknown),
}

/// The bit-precise check of paths, and the reasons for which paths stay in the graph.
pub struct Exact<'a> {
    /// Whether an execution takes a path.
    check: &'a mut dyn FnMut(&[EdgeId]) -> Feasibility,
    /// For each path that stays in the graph, why it stays.
    pub findings: Vec<Finding>,
    /// How many paths were checked.
    pub checked: u64,
}

impl<'a> Exact<'a> {
    /// Nothing is checked yet.
    pub fn new(check: &'a mut dyn FnMut(&[EdgeId]) -> Feasibility) -> Self {
        Self { check, findings: Vec::new(), checked: 0 }
    }

    /// Checks a path with these edges. If the path ends in something that is not modelled, this is met by the last
    /// edge, and only the edges before it are checked.
    pub(crate) fn look(
        &mut self,
        path: &Path,
        mut edges: Vec<EdgeId>,
    ) -> Result<Refinement<Box<Counterexample>>, Unknown> {
        let last = match path.unsupported {
            Some(_) => edges.pop(),
            None => None,
        };
        self.checked += 1;
        let finding = match ((self.check)(&edges), &path.unsupported) {
            (Feasibility::Feasible(Replayed::Error(found)), _) => {
                return Ok(Refinement::Feasible(Box::new(found)));
            }
            (Feasibility::Infeasible, _) => Finding::Inexpressible,
            (Feasibility::Unknown(why), _)
                if matches!(
                    why,
                    Unknown::TimeLimit | Unknown::MemoryLimit | Unknown::Interrupted
                ) =>
            {
                return Err(why);
            }
            (_, Some(reason)) => {
                Finding::Open(Unknown::Unsupported { reason: reason.clone(), edge: last })
            }
            (Feasibility::Feasible(Replayed::Not(why)), None) => {
                Finding::Open(Unknown::NotReplayed(why))
            }
            (Feasibility::Unknown(why), None) => Finding::Open(why),
        };
        Ok(self.unresolved(finding))
    }

    /// Notes why a path stays in the graph.
    pub(crate) fn unresolved<E>(&mut self, finding: Finding) -> Refinement<E> {
        self.findings.push(finding);
        Refinement::Unresolved
    }
}
