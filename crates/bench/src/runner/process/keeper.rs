//! What all runs of a batch share while they are watched.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cgroup::Cgroups;

/// What the runs of a batch share.
#[derive(Debug, Default)]
pub struct Keeper {
    /// What the marks of its runs begin with.
    pub mark: String,
    /// Control groups, where they are to be had.
    pub cgroups: Option<Cgroups>,
    /// Whether this process starts nothing but runs: then each child of it belongs to one of them.
    pub sole: bool,
    leaders: Mutex<BTreeSet<i32>>,
}

impl Keeper {
    /// A keeper of runs whose marks begin with `mark`.
    #[must_use]
    pub fn new(mark: String, cgroups: Option<Cgroups>, sole: bool) -> Self {
        Self { mark, cgroups, sole, ..Self::default() }
    }

    /// The leaders of runs. While they are looked at, no other is started.
    pub(super) fn leaders(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.leaders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
