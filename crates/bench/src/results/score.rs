//! SV-COMP's scores.

use crate::runner::{Record, Status};

/// The points of a result in SV-COMP: 2 for a right TRUE, 1 for a right FALSE, -32 for a wrong TRUE, -16 for a wrong
/// FALSE, and 0 where there is no answer in time. `None` if the right answer is not known.
#[must_use]
pub fn points(record: &Record) -> Option<i64> {
    record.expected?;
    Some(match (record.verdict, record.is_wrong()) {
        _ if record.status != Status::Answered => 0,
        (Some(true), false) => 2,
        (Some(false), false) => 1,
        (Some(true), true) => -32,
        (Some(false), true) => -16,
        (None, _) => 0,
    })
}

/// What came of a column, or of a part of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Score {
    /// How many runs there were.
    pub tried: usize,
    /// SV-COMP's points.
    pub points: i64,
    /// Right answers that the property holds.
    pub right_true: usize,
    /// Right answers that the property does not hold.
    pub right_false: usize,
    /// Wrong answers that the property holds, in time or not.
    pub wrong_true: usize,
    /// Wrong answers that the property does not hold, in time or not.
    pub wrong_false: usize,
    /// Answers in time where the right answer is not known.
    pub unjudged: usize,
    /// Runs that ended by themselves without an answer.
    pub unknown: usize,
    /// Runs that took too long.
    pub timeouts: usize,
    /// Runs that used too much memory.
    pub out_of_memory: usize,
    /// Runs that failed, or refused the input.
    pub failed: usize,
    /// Processor time of all runs, in seconds.
    pub cpu_seconds: f64,
    /// The most memory that a run had, as far as its memory was seen.
    pub peak_bytes: Option<u64>,
}

impl Score {
    /// Counts results.
    pub fn of<'r>(records: impl IntoIterator<Item = &'r Record>) -> Self {
        let mut score = Self::default();
        for record in records {
            score.tried += 1;
            score.points += points(record).unwrap_or_default();
            score.cpu_seconds += record.cpu_seconds;
            score.peak_bytes = score.peak_bytes.max(record.peak_bytes);
            let count = match (record.status, record.verdict) {
                (_, Some(true)) if record.is_wrong() => &mut score.wrong_true,
                (_, Some(false)) if record.is_wrong() => &mut score.wrong_false,
                (Status::Answered, Some(_)) if record.expected.is_none() => &mut score.unjudged,
                (Status::Answered, Some(true)) => &mut score.right_true,
                (Status::Answered, Some(false)) => &mut score.right_false,
                (Status::TimeLimit, _) => &mut score.timeouts,
                (Status::MemoryLimit, _) => &mut score.out_of_memory,
                (Status::Unknown, _) => &mut score.unknown,
                (Status::Input | Status::Error | Status::Answered, _) => &mut score.failed,
            };
            *count += 1;
        }
        score
    }

    /// Answers in time that are not known to be wrong.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.right_true + self.right_false + self.unjudged
    }

    /// Answers that are wrong.
    #[must_use]
    pub fn wrong(&self) -> usize {
        self.wrong_true + self.wrong_false
    }
}
