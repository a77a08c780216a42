//! What came of each configuration, and which is the best.

use crate::runner::{Record, Status};

/// What came of a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The name of the configuration.
    pub configuration: String,
    /// How many models were tried.
    pub tried: usize,
    /// How many were answered in time, and not wrongly.
    pub solved: usize,
    /// Processor time for the solved models, in milliseconds.
    pub milliseconds: u128,
    /// How many answers are known to be wrong, in time or not.
    pub wrong: usize,
    /// How many runs took too long.
    pub timeouts: usize,
    /// How many runs used too much memory.
    pub out_of_memory: usize,
    /// How many runs ended without an answer for other reasons.
    pub other: usize,
}

impl Row {
    fn of(records: &[Record], configuration: &str) -> Self {
        let own = || records.iter().filter(|record| record.configuration == configuration);
        let ended = |status| own().filter(|r| r.status == status && !r.is_wrong()).count();
        let microseconds = own().filter(|record| record.is_solved());
        let microseconds: u128 = microseconds.map(|record| whole(record.cpu_seconds * 1e6)).sum();
        let (tried, solved) = (own().count(), own().filter(|record| record.is_solved()).count());
        let wrong = own().filter(|record| record.is_wrong()).count();
        let (timeouts, out_of_memory) = (ended(Status::TimeLimit), ended(Status::MemoryLimit));
        Self {
            configuration: configuration.to_owned(),
            tried,
            solved,
            milliseconds: (microseconds + 500) / 1000,
            wrong,
            timeouts,
            out_of_memory,
            other: tried - solved - wrong - timeouts - out_of_memory,
        }
    }
}

/// Rounds a time, which is not negative; the cast limits a time that is too great for the type.
fn whole(number: f64) -> u128 {
    number.round() as u128
}

/// The configurations from best to worst: more solved, then in less time, then by name.
#[must_use]
pub fn rank(records: &[Record], configurations: &[String]) -> Vec<Row> {
    let mut rows: Vec<Row> = configurations.iter().map(|name| Row::of(records, name)).collect();
    rows.sort_by(|a, b| {
        let by_solved = b.solved.cmp(&a.solved);
        by_solved
            .then(a.milliseconds.cmp(&b.milliseconds))
            .then(a.configuration.cmp(&b.configuration))
    });
    rows
}
