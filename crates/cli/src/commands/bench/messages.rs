//! What a batch and a suite say while they run.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bench::runner::{Missed, Record};

use crate::exit::Exit;
use crate::output;

/// How often a batch says how far it is if nobody watches each run.
const SEEN: Duration = Duration::from_secs(60);

/// Says what is wrong with the command line, or with a file that it names.
pub(super) fn usage(message: &str) -> Exit {
    output::tell(&format!("error: {message}"));
    Exit::Usage
}

/// Says why runs are missing, if some are.
pub(super) fn tell_end(ended: &Result<(), Missed>) {
    match ended {
        Err(Missed::Interrupted) => output::tell("interrupted; --resume goes on"),
        Err(Missed::System(error)) => output::tell(&format!("error: {error}")),
        Ok(()) => {}
    }
}

/// What came of a run, in a line.
pub(super) fn line(count: usize, missing: usize, record: &Record) -> String {
    let said = match record.verdict {
        Some(true) => "TRUE",
        Some(false) => "FALSE",
        None => record.status.name(),
    };
    let wrong = if record.is_wrong() { " WRONG" } else { "" };
    format!(
        "[{count}/{missing}] {} {}: {said}{wrong} {:.2} s",
        record.task, record.configuration, record.cpu_seconds
    )
}

/// How far a batch is, and how long the rest takes.
pub(super) struct Progress {
    missing: usize,
    start: Instant,
    watched: bool,
    told: Mutex<Instant>,
}

impl Progress {
    pub fn new(missing: usize) -> Self {
        let start = Instant::now();
        Self { missing, start, watched: io::stderr().is_terminal(), told: Mutex::new(start) }
    }

    /// Tells of a result: on a terminal of each result, elsewhere of wrong results and of one other result in a
    /// minute.
    pub fn tell(&self, count: usize, record: &Record) {
        let mut told = self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let due = told.elapsed() > SEEN;
        if self.watched || due || record.is_wrong() {
            *told = Instant::now();
            let left = self.start.elapsed().mul_f64((self.missing - count) as f64 / count as f64);
            output::tell(&format!("{}, {} left", line(count, self.missing, record), clock(left)));
        }
    }
}

/// A time on the clock in few letters.
fn clock(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds @ 100..=5999 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}
