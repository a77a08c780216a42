//! What a run may use. Budgets form a tree: a part of a budget never allows more than the whole,
//! and all parts share one cancellation and one gauge of what the process uses.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The limits of a whole run, as a user states them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Processor time of the process, over all its threads.
    pub cpu: Option<Duration>,
    /// Bytes of the process that are in memory.
    pub memory: Option<u64>,
}

/// Which limit is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exceeded {
    /// Time is up, on the clock or of the processor.
    Time,
    /// The memory that was granted is used up.
    Memory,
    /// The run was told to stop.
    Interrupted,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exceeded::Time => "time limit",
            Exceeded::Memory => "memory limit",
            Exceeded::Interrupted => "interrupted",
        })
    }
}

/// What the process uses, as it was last read, and whether somebody has asked the run to stop.
/// A [`crate::Watch`] keeps the readings fresh; without one they stay zero, and only the clock and
/// the cancellation end a run.
#[derive(Debug, Default)]
pub(crate) struct Gauge {
    pub(crate) stop: AtomicBool,
    pub(crate) resident: AtomicU64,
    /// Whether the system is about to refuse the process more memory.
    pub(crate) cramped: AtomicBool,
    /// In nanoseconds.
    pub(crate) cpu: AtomicU64,
}

/// What a run, or a part of it, may use. Cheap to clone; a clone is the same budget.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    /// The processor time of the process at which the run must end.
    cpu: Option<Duration>,
    memory: Option<u64>,
    conflicts: Option<u64>,
    /// Whether the limit of memory was passed. A process may shrink again; a caller that gave up because the budget was
    /// exceeded must not find the budget unexceeded a moment later.
    oversize: Arc<AtomicBool>,
    /// How many more calls of [`Budget::exceeded`] find the budget not exceeded, if these calls are counted.
    looks: Option<Arc<AtomicU64>>,
    /// Whether another run side by side with this one has come to an answer.
    beaten: Option<Arc<AtomicBool>>,
    /// From this moment on, large values need not be freed ([`Budget::leaves_memory`]).
    leaving: Option<Instant>,
    pub(crate) gauge: Arc<Gauge>,
}

impl Budget {
    /// The budget of a whole run that began at a moment.
    #[must_use]
    pub fn new(limits: Limits, start: Instant) -> Self {
        Self {
            // A deadline that the clock cannot express is left out.
            deadline: limits.time.and_then(|time| start.checked_add(time)),
            cpu: limits.cpu,
            memory: limits.memory,
            conflicts: None,
            oversize: Arc::default(),
            looks: None,
            beaten: None,
            leaving: None,
            gauge: Arc::default(),
        }
    }

    /// A budget with nothing but a limit on the clock, from now on.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self::new(Limits { time: Some(time), ..Limits::default() }, Instant::now())
    }

    /// A budget with nothing but a moment at which it ends, if there is one.
    #[must_use]
    pub fn until(deadline: Option<Instant>) -> Self {
        Self { deadline, ..Self::default() }
    }

    /// A budget that is found exceeded at the n-th look, for tests of what an interruption at any
    /// moment leaves behind: it ends a run at the same moment every time.
    #[must_use]
    pub fn for_looks(looks: u64) -> Self {
        Self { looks: Some(Arc::new(AtomicU64::new(looks))), ..Self::default() }
    }

    /// A budget with nothing but a limit on memory, in bytes.
    #[must_use]
    pub fn within_memory(bytes: u64) -> Self {
        Self { memory: Some(bytes), ..Self::default() }
    }

    /// A part of the time that is left, on the clock and of the processor.
    #[must_use]
    pub fn share(&self, part: f64) -> Self {
        let now = Instant::now();
        let deadline = self.deadline.map(|deadline| {
            let left = deadline.saturating_duration_since(now);
            now + left.mul_f64(part.clamp(0.0, 1.0))
        });
        let cpu = self.cpu.map(|cpu| {
            let used = self.used_cpu();
            used + cpu.saturating_sub(used).mul_f64(part.clamp(0.0, 1.0))
        });
        Self { deadline, cpu, ..self.clone() }
    }

    /// The same budget, ending at the latest after some time on the clock.
    #[must_use]
    pub fn at_most(&self, time: Duration) -> Self {
        let deadline = Instant::now().checked_add(time);
        let deadline = match (self.deadline, deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { deadline, ..self.clone() }
    }

    /// A part of the memory: the process may grow to this part of what the whole allows.
    #[must_use]
    pub fn share_of_memory(&self, part: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )]
        let memory = self.memory.map(|bytes| (bytes as f64 * part.clamp(0.0, 1.0)) as u64);
        Self { memory, oversize: Arc::default(), ..self.clone() }
    }

    /// The same budget with a limit on the conflicts of one call of a solver. Conflicts are
    /// counted, so that a run with only that limit is the same every time.
    #[must_use]
    pub fn with_conflicts(&self, conflicts: u64) -> Self {
        let conflicts = self.conflicts.map_or(conflicts, |most| most.min(conflicts));
        Self { conflicts: Some(conflicts), ..self.clone() }
    }

    /// How many conflicts one call of a solver may have.
    #[must_use]
    pub const fn conflicts(&self) -> Option<u64> {
        self.conflicts
    }

    /// How many bytes of the process may be in memory.
    #[must_use]
    pub const fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// When the run must end, if the clock limits it.
    #[must_use]
    pub const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Which limit is passed, if one is. This call is cheap enough for the inside of loops, though not for every single
    /// step of the smallest loops.
    #[must_use]
    pub fn exceeded(&self) -> Option<Exceeded> {
        let gauge = &*self.gauge;
        if let Some(looks) = &self.looks
            && looks
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                .is_ok_and(|left| left <= 1)
        {
            self.cancel();
        }
        if gauge.stop.load(Ordering::Relaxed) || self.is_beaten() {
            return Some(Exceeded::Interrupted);
        }
        if self.memory.is_some_and(|most| gauge.resident.load(Ordering::Relaxed) > most)
            || gauge.cramped.load(Ordering::Relaxed)
        {
            self.oversize.store(true, Ordering::Relaxed);
        }
        if self.oversize.load(Ordering::Relaxed) {
            return Some(Exceeded::Memory);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.cpu.is_some_and(|most| self.used_cpu() >= most)
        {
            return Some(Exceeded::Time);
        }
        None
    }

    /// Fails when a limit is passed, for loops that end with `?`.
    ///
    /// # Errors
    /// Says which limit.
    pub fn check(&self) -> Result<(), Exceeded> {
        self.exceeded().map_or(Ok(()), Err)
    }

    /// Asks the run, and every part of it, to stop.
    pub fn cancel(&self) {
        self.gauge.stop.store(true, Ordering::Relaxed);
    }

    /// Asks the run to stop, and says whether somebody had asked before.
    #[must_use]
    pub fn cancel_again(&self) -> bool {
        self.gauge.stop.swap(true, Ordering::Relaxed)
    }

    /// The same budget for runs side by side, where the answer of one run is enough.
    #[must_use]
    pub fn raced(&self) -> Self {
        Self { beaten: Some(Arc::default()), ..self.clone() }
    }

    /// Asks all runs side by side that share this budget to stop, since one has come to an answer.
    pub fn answer(&self) {
        if let Some(beaten) = &self.beaten {
            beaten.store(true, Ordering::Relaxed);
        }
    }

    /// Whether another run side by side with this one has come to an answer.
    #[must_use]
    pub fn is_beaten(&self) -> bool {
        self.beaten.as_ref().is_some_and(|beaten| beaten.load(Ordering::Relaxed))
    }

    /// The same budget with a moment, if there is one, from which on large values that are given up are left to the end
    /// of the process ([`Budget::leaves_memory`]). Parts of the budget inherit this moment.
    #[must_use]
    pub fn leaving_from(self, moment: Option<Instant>) -> Self {
        Self { leaving: moment, ..self }
    }

    /// Gives up a value that has become large. Once the time of a run is up, freeing the value may take longer than the
    /// time that is left; then the value is left to the end of the process ([`Budget::leaves_memory`]).
    pub fn abandon<T>(&self, value: T) {
        if self.leaves_memory() {
            std::mem::forget(value);
        }
    }

    /// Whether large values are left to the end of the process: the time of the budget is used up or the run was told
    /// to stop, the moment of [`Budget::leaving_from`] has come, and the process uses less than half of the memory that
    /// it may use.
    #[must_use]
    pub fn leaves_memory(&self) -> bool {
        let resident = self.gauge.resident.load(Ordering::Relaxed);
        let has_room = self.memory.is_some_and(|most| resident < most / 2);
        let has_come = self.leaving.is_some_and(|moment| Instant::now() >= moment);
        has_room
            && has_come
            && matches!(self.exceeded(), Some(Exceeded::Time | Exceeded::Interrupted))
    }

    /// The processor time of the process, as it was last read.
    #[must_use]
    pub fn used_cpu(&self) -> Duration {
        Duration::from_nanos(self.gauge.cpu.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_limits_nothing_is_exceeded_until_it_is_cancelled() {
        let whole = Budget::default();
        let part = whole.share(0.5).with_conflicts(7);
        assert_eq!((whole.exceeded(), part.exceeded()), (None, None));
        part.cancel();
        assert_eq!(whole.exceeded(), Some(Exceeded::Interrupted));
        assert!(whole.cancel_again());
    }

    #[test]
    fn what_is_large_is_left_once_time_is_up() {
        let limits = Limits { time: Some(Duration::ZERO), memory: Some(1000), ..Limits::default() };
        let value = Arc::new(());
        let now = Instant::now();
        let over = Budget::new(limits, now).leaving_from(Some(now));
        over.share(0.5).abandon(Arc::clone(&value));
        assert_eq!(Arc::strong_count(&value), 2, "it is left");
        over.gauge.resident.store(600, Ordering::Relaxed);
        over.abandon(Arc::clone(&value));
        Budget::new(limits, now).abandon(Arc::clone(&value));
        let later = now.checked_add(Duration::from_secs(3600));
        Budget::new(limits, now).leaving_from(later).abandon(Arc::clone(&value));
        Budget::within_memory(1000).leaving_from(Some(now)).abandon(Arc::clone(&value));
        assert_eq!(Arc::strong_count(&value), 2, "it is taken apart");
    }

    #[test]
    fn a_part_never_allows_more_than_the_whole() {
        let limits = Limits {
            time: Some(Duration::from_secs(3600)),
            cpu: Some(Duration::from_secs(100)),
            memory: Some(1000),
        };
        let whole = Budget::new(limits, Instant::now());
        let part = whole.share(2.0).at_most(Duration::from_secs(9999)).share_of_memory(0.5);
        assert!(part.deadline() <= whole.deadline());
        assert_eq!(part.memory(), Some(500));
        whole.gauge.resident.store(600, Ordering::Relaxed);
        assert_eq!((part.exceeded(), whole.exceeded()), (Some(Exceeded::Memory), None));
        whole.gauge.resident.store(0, Ordering::Relaxed);
        assert_eq!(part.exceeded(), Some(Exceeded::Memory), "though the process has shrunk");
        whole.gauge.cpu.store(60_000_000_000, Ordering::Relaxed);
        let half = whole.share(0.5);
        whole.gauge.cpu.store(81_000_000_000, Ordering::Relaxed);
        assert_eq!((half.exceeded(), whole.exceeded()), (Some(Exceeded::Time), None));
        assert_eq!(half.with_conflicts(9).with_conflicts(20).conflicts(), Some(9));
    }
}
