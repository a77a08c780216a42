//! Limits and interrupts: a run that does not end by itself is ended, with everything that is
//! known by then.

use std::process;
use std::sync::Arc;
use std::time::Instant;

use verify::{Budget, Exceeded, Journal, Limits, Unknown, Watch};

use crate::arguments::{Check, Stats};
use crate::exit::Exit;
use crate::output;

/// The limits of a run at work: they are watched over until this is dropped.
pub struct Limited {
    /// What the run may use.
    pub budget: Budget,
    /// What its stages have found.
    pub journal: Arc<Journal>,
    _watch: Watch,
}

impl Limited {
    /// Sets the limits that the command line states, for a process that started at a moment.
    pub fn new(arguments: &Check, start: Instant) -> Self {
        let limits = Limits {
            time: Some(arguments.timelimit),
            cpu: arguments.cputimelimit,
            memory: Some(memory(arguments.memlimit)),
        };
        let budget = Budget::new(limits, start);
        let journal = Arc::<Journal>::default();
        let _watch = watch(&budget, &journal, arguments.stats);
        Self { budget, journal, _watch }
    }
}

/// The memory that a run may use, given what the user allows. Where the system limits the addresses of
/// a process, stacks and reserves of the allocator take their part of them, and a table that grows
/// is there twice.
fn memory(allowed: u64) -> u64 {
    verify::room().map_or(allowed, |room| allowed.min(room / 3))
}

/// Has a budget watched, and interrupts cancel it. A second interrupt ends the process at once.
fn watch(budget: &Budget, journal: &Arc<Journal>, stats: Option<Stats>) -> Watch {
    let (interrupted, noted) = (budget.clone(), Arc::clone(journal));
    // Without a handler an interrupt ends the process as usual.
    let _ = ctrlc::set_handler(move || {
        if interrupted.cancel_again() {
            end(Exceeded::Interrupted, &noted, stats);
        }
    });
    let noted = Arc::clone(journal);
    Watch::start(budget, move |limit| end(limit, &noted, stats))
}

/// Ends the process with the last line printed, unless another thread is about to print it.
fn end(limit: Exceeded, journal: &Journal, stats: Option<Stats>) {
    let stages = journal.stages();
    let known = report::stages(&stages);
    let reason = Unknown::from(limit).name();
    let first = output::try_conclude(&format!("{known}Verification result: UNKNOWN ({reason})\n"));
    if first {
        // A loop that forgot to look at its budget is to be found by this.
        match stats {
            Some(Stats::Text) => output::tell(report::overrun(&stages, verify::peak()).trim_end()),
            Some(Stats::Json) => output::tell(&report::overrun_json(&stages, verify::peak())),
            None => {}
        }
        #[expect(clippy::exit, reason = "the thread that works does not listen")]
        process::exit(Exit::Unknown.code());
    }
}
