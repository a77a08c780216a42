//! What all runs of a batch share while they are watched.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cgroup::Cgroups;

/// What the runs of a batch share.
#[derive(Debug, Default)]
pub struct Keeper {
    /// The beginning of the marks of all runs of the batch.
    pub mark: String,
    /// Control groups, where they are to be had.
    pub cgroups: Option<Cgroups>,
    /// Whether this process starts nothing but runs: then each child of this process belongs to a run.
    pub sole: bool,
    leaders: Mutex<BTreeSet<i32>>,
}

impl Keeper {
    /// A keeper of runs whose marks begin with `mark`.
    #[must_use]
    pub fn new(mark: String, cgroups: Option<Cgroups>, sole: bool) -> Self {
        Self { mark, cgroups, sole, ..Self::default() }
    }

    /// The leaders of runs. While the guard is held, no other leader is started.
    pub(super) fn leaders(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.leaders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
