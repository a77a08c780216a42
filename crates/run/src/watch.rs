//! The watchdog: a thread that reads what the process uses, and that ends a run whose loops forgot
//! to look at their budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::budget::{Budget, Exceeded};

/// How often the gauges are read. A process that fills memory at 2 GB/s grows by 10 MB meanwhile.
const PERIOD: Duration = Duration::from_millis(5);

/// How often the gauges are read when the process has more than `NEAR` of the memory that it may have.
const SHORT_PERIOD: Duration = Duration::from_millis(1);

/// The part of the memory limit beyond which the gauges are read more often.
const NEAR: f64 = 0.75;

/// The time that a run has at least to end by itself after a limit was passed.
const GRACE: Duration = Duration::from_millis(500);

/// In addition to [`GRACE`], this part of the time that the run had before the limit.
const GRACE_SHARE: f64 = 0.06;

/// The additional time that a run which was interrupted and has stopped gets to write its results. A user who does not
/// want to wait interrupts again.
const WRITING: Duration = Duration::from_secs(3);

/// A process that has grown to this multiple of its limit is ended at once.
const OVERSIZE: f64 = 1.06;

/// A process whose addresses are limited must be able to grow by this part of what it has in memory: a table that takes
/// a quarter of the memory needs twice its space when it grows.
const HEADROOM: f64 = 0.5;

/// A process that can grow by no more than this part of what it has in memory is ended at once.
const LEAST_HEADROOM: f64 = 0.1;

/// A thread that keeps the readings of a budget fresh until it is dropped.
pub struct Watch {
    signs: Arc<Signs>,
}

/// What a run tells the thread that watches over it.
#[derive(Default)]
struct Signs {
    /// The run has ended, and the thread that watches over it is to end, too.
    done: AtomicBool,
    /// The run has stopped, and its results are being written.
    writes: AtomicBool,
}

impl Watch {
    /// Starts to watch over a budget. If the run goes on although a limit is long passed,
    /// `overrun` is called once, from the thread of the watchdog, with that limit: it ends the
    /// process.
    #[must_use]
    pub fn start(budget: &Budget, overrun: impl FnOnce(Exceeded) + Send + 'static) -> Self {
        let signs = Arc::<Signs>::default();
        let (budget, seen) = (budget.clone(), Arc::clone(&signs));
        let addresses = addresses();
        read(&budget, addresses);
        // If the thread cannot be started, loops that look at the deadline of their budget still end in time.
        let _ = thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || watch(&budget, addresses, &seen, overrun));
        Self { signs }
    }

    /// Tells the watchdog that the run has stopped, and is writing its results: no loop has forgotten to look at its
    /// budget.
    pub fn writes(&self) {
        self.signs.writes.store(true, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.signs.done.store(true, Ordering::Relaxed);
    }
}

fn watch(budget: &Budget, addresses: Option<u64>, signs: &Signs, overrun: impl FnOnce(Exceeded)) {
    let done = &signs.done;
    let start = Instant::now();
    let mut since: Option<(Instant, Exceeded)> = None;
    while !done.load(Ordering::Relaxed) {
        let headroom = read(budget, addresses);
        // The first limit that was passed is the reason, even if others follow.
        let now = Instant::now();
        if since.is_none() {
            since = budget.exceeded().map(|limit| (now, limit));
        }
        if let Some((passed, limit)) = since {
            let grace = GRACE + passed.saturating_duration_since(start).mul_f64(GRACE_SHARE);
            let mut end = passed + grace;
            if limit == Exceeded::Interrupted && signs.writes.load(Ordering::Relaxed) {
                let latest = budget.deadline().map(|deadline| deadline + grace);
                end = latest.map_or(end + WRITING, |latest| latest.clamp(end, end + WRITING));
            }
            let late = now > end;
            if late || has_passed(budget, OVERSIZE) || headroom < LEAST_HEADROOM {
                if !done.load(Ordering::Relaxed) {
                    overrun(limit);
                }
                return;
            }
        }
        thread::park_timeout(if has_passed(budget, NEAR) { SHORT_PERIOD } else { PERIOD });
    }
}

/// Whether the process has more than a multiple of the memory that it may have.
fn has_passed(budget: &Budget, multiple: f64) -> bool {
    let Some(most) = budget.memory() else { return false };
    #[expect(clippy::cast_precision_loss, reason = "a rough part is enough")]
    let part = budget.gauge.resident.load(Ordering::Relaxed) as f64 / most.max(1) as f64;
    part > multiple
}

/// Reads the gauges, where the system tells. Gives how much the process can still grow, as a part of what it has in
/// memory; `addresses` is the number of bytes of addresses that it may take.
fn read(budget: &Budget, addresses: Option<u64>) -> f64 {
    let gauge = &budget.gauge;
    let mut headroom = f64::INFINITY;
    if let Some(Usage { size, resident }) = usage() {
        gauge.resident.store(resident, Ordering::Relaxed);
        if let Some(most) = addresses {
            #[expect(clippy::cast_precision_loss, reason = "a rough part is enough")]
            let part = most.saturating_sub(size) as f64 / resident.max(1) as f64;
            headroom = part;
            gauge.cramped.store(headroom < HEADROOM, Ordering::Relaxed);
        }
    }
    let cpu = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    if let Ok(cpu) = Duration::try_from(cpu) {
        let nanoseconds = u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX);
        gauge.cpu.store(nanoseconds, Ordering::Relaxed);
    }
    headroom
}

/// What a process takes, in bytes.
struct Usage {
    /// The addresses that the process has.
    size: u64,
    /// The bytes that are in memory.
    resident: u64,
}

fn usage() -> Option<Usage> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = text.split_ascii_whitespace().map(str::parse::<u64>);
    let mut next = || Some(pages.next()?.ok()? * rustix::param::page_size() as u64);
    Some(Usage { size: next()?, resident: next()? })
}

/// How many bytes of addresses the process may take, if the system limits them.
fn addresses() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

/// How many bytes of addresses the process may take besides those that it has, if the system limits its addresses. An
/// allocation beyond this number ends the process without a word.
#[must_use]
pub fn room() -> Option<u64> {
    Some(addresses()?.saturating_sub(usage()?.size))
}

/// How many bytes of the process were in memory at most, where the system tells.
#[must_use]
pub fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::budget::Limits;

    #[test]
    fn a_run_that_does_not_end_is_ended() {
        let (tell, told) = mpsc::channel();
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let budget = Budget::new(limits, Instant::now());
        let watch = Watch::start(&budget, move |limit| tell.send(limit).expect("a listener"));
        // However slow the machine is, the watchdog speaks at some time.
        assert_eq!(told.recv(), Ok(Exceeded::Time));
        drop(watch);
    }

    #[test]
    fn a_run_that_ends_is_left_alone() {
        let (tell, told) = mpsc::channel();
        let watch = Watch::start(&Budget::default(), move |limit| {
            let _ = tell.send(limit);
        });
        drop(watch);
        // The thread ends, and with it the only sender, which has sent nothing.
        assert!(told.recv().is_err());
    }

    /// The grace is over after half a second; the time to write is not over a second later, and is over at some time.
    #[test]
    fn a_run_that_was_interrupted_has_time_to_write() {
        let (tell, told) = mpsc::channel();
        let budget = Budget::default();
        budget.cancel();
        let watch = Watch::start(&budget, move |limit| tell.send(limit).expect("a listener"));
        watch.writes();
        let soon = told.recv_timeout(GRACE + Duration::from_secs(1));
        assert_eq!(soon, Err(mpsc::RecvTimeoutError::Timeout));
        assert_eq!(told.recv(), Ok(Exceeded::Interrupted));
    }

    #[test]
    fn a_process_that_cannot_grow_is_out_of_memory() {
        let budget = Budget::default();
        assert!(read(&budget, None).is_infinite());
        assert_eq!(budget.exceeded(), None);
        assert!(read(&budget, Some(u64::MAX)) > 1.0);
        assert_eq!(budget.exceeded(), None);
        assert!(read(&budget, Some(1)) < LEAST_HEADROOM);
        assert_eq!(budget.exceeded(), Some(Exceeded::Memory));
    }

    #[test]
    fn a_process_that_is_too_large_is_ended() {
        let (tell, told) = mpsc::channel();
        let limits = Limits { memory: Some(1), ..Limits::default() };
        let budget = Budget::new(limits, Instant::now());
        let _watch = Watch::start(&budget, move |limit| tell.send(limit).expect("a listener"));
        assert_eq!(told.recv(), Ok(Exceeded::Memory));
    }
}
