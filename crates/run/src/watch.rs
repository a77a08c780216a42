//! The watchdog: a thread that reads what the process uses, and that ends a run whose loops forgot
//! to look at their budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::budget::{Budget, Exceeded};

/// How often the gauges are read. A process that fills memory at 2 GB/s grows by 10 MB meanwhile.
const PERIOD: Duration = Duration::from_millis(5);

/// A run has at least so long to end by itself after a limit was passed.
const GRACE: Duration = Duration::from_millis(500);

/// And so much of the time that it had.
const GRACE_SHARE: f64 = 0.06;

/// A process that has grown past its limit by this part of the limit is ended at once.
const OVERSIZE: f64 = 0.08;

/// A thread that keeps the readings of a budget fresh until it is dropped.
pub struct Watch {
    done: Arc<AtomicBool>,
}

impl Watch {
    /// Starts to watch over a budget. If the run goes on although a limit is long passed,
    /// `overrun` is called once, from the thread of the watchdog, with that limit: it ends the
    /// process.
    #[must_use]
    pub fn start(budget: &Budget, overrun: impl FnOnce(Exceeded) + Send + 'static) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let (budget, ended) = (budget.clone(), Arc::clone(&done));
        read(&budget);
        // Where no thread can be had, whoever looks at the clock still does so.
        let _ = thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || watch(&budget, &ended, overrun));
        Self { done }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

fn watch(budget: &Budget, done: &AtomicBool, overrun: impl FnOnce(Exceeded)) {
    let start = Instant::now();
    let mut since: Option<(Instant, Exceeded)> = None;
    while !done.load(Ordering::Relaxed) {
        read(budget);
        // The first limit that was passed is the reason, even if others follow.
        let now = Instant::now();
        if since.is_none() {
            since = budget.exceeded().map(|limit| (now, limit));
        }
        if let Some((passed, limit)) = since {
            let grace = GRACE + passed.saturating_duration_since(start).mul_f64(GRACE_SHARE);
            let late = now.saturating_duration_since(passed) > grace;
            if late || is_oversize(budget) {
                if !done.load(Ordering::Relaxed) {
                    overrun(limit);
                }
                return;
            }
        }
        thread::park_timeout(PERIOD);
    }
}

fn is_oversize(budget: &Budget) -> bool {
    let Some(most) = budget.memory() else { return false };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let beyond = (most as f64 * OVERSIZE) as u64;
    budget.gauge.resident.load(Ordering::Relaxed) > most.saturating_add(beyond)
}

/// Reads the gauges, where the system tells.
fn read(budget: &Budget) {
    if let Some(bytes) = resident() {
        budget.gauge.resident.store(bytes, Ordering::Relaxed);
    }
    let cpu = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    if let Ok(cpu) = Duration::try_from(cpu) {
        let nanoseconds = u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX);
        budget.gauge.cpu.store(nanoseconds, Ordering::Relaxed);
    }
}

/// How many bytes of the process are in memory.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
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

    #[test]
    fn a_process_that_is_too_large_is_ended() {
        let (tell, told) = mpsc::channel();
        let limits = Limits { memory: Some(1), ..Limits::default() };
        let budget = Budget::new(limits, Instant::now());
        let _watch = Watch::start(&budget, move |limit| tell.send(limit).expect("a listener"));
        assert_eq!(told.recv(), Ok(Exceeded::Memory));
    }
}
