//! Watches the memory of the process, and ends the run when it is too much.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often the meter looks.
const PERIOD: Duration = Duration::from_millis(20);

/// A thread that looks at the memory of the process until it is dropped.
pub(crate) struct Meter {
    exceeded: Arc<AtomicBool>,
    done: Arc<AtomicBool>,
}

impl Meter {
    /// Sets the flag when the process uses more than the limit.
    pub(crate) fn start(limit: Option<u64>, stop: Arc<AtomicBool>) -> Self {
        let exceeded = Arc::new(AtomicBool::new(false));
        let done = Arc::new(AtomicBool::new(false));
        let meter = Self { exceeded: Arc::clone(&exceeded), done: Arc::clone(&done) };
        let Some(limit) = limit else { return meter };
        let watch = move || {
            while !done.load(Ordering::Relaxed) {
                if resident().is_some_and(|bytes| bytes > limit) {
                    exceeded.store(true, Ordering::Relaxed);
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
                thread::park_timeout(PERIOD);
            }
        };
        // Where no thread can be had, the limits inside the solver remain.
        let _ = thread::Builder::new().name("meter".to_owned()).spawn(watch);
        meter
    }

    /// Whether the limit was exceeded.
    pub(crate) fn exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Relaxed)
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// How many bytes of the process are in memory, where the system tells.
fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// How many bytes of the process were in memory at most, where the system tells.
#[must_use]
pub fn peak() -> Option<u64> {
    status("VmHWM:")
}

fn status(key: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
