//! What an exploration spent, as data.

use std::time::Duration;

use domains::predicate::Abstraction;

/// What an exploration with an abstract domain spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// What happened to the abstract reachability graph.
    pub graph: cpa::Statistics,
    /// How many nodes the graph has at the end.
    pub nodes: usize,
    /// How many nodes the trees have that states are made of.
    pub trees: usize,
    /// How many variables and stretches of memory have values that are tracked; all if there is no
    /// precision.
    pub variables: Option<usize>,
    /// How many predicates there are, if the domain has any.
    pub predicates: Option<usize>,
    /// The abstraction that was asked for and the one at the end, where predicates have one.
    pub abstraction: Option<(Abstraction, Abstraction)>,
    /// How many paths were checked bit-precisely, each by one query to a solver.
    pub checks: u64,
    /// What predicate abstraction asked the solver.
    pub queries: Option<domains::predicate::Queries>,
    /// How many variables product abstraction left to predicates.
    pub dropouts: Option<usize>,
    /// Time that went into bit-precise checks of paths.
    pub checking: Duration,
    /// Time that went into refinements, without the checks of paths.
    pub refining: Duration,
    /// Time that went into exploration.
    pub exploring: Duration,
}

impl Statistics {
    /// Takes the time of exact checks out of the time of the refinements that ask for them.
    pub(crate) fn checked_for(&mut self, checking: Duration) {
        self.checking = checking;
        self.refining = self.refining.saturating_sub(checking);
    }
}
