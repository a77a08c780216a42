//! Limits and interrupts: a run that does not end by itself is ended, with everything that is
//! known by then.

use std::process;
use std::sync::Arc;

use verify::{Budget, Exceeded, Journal, Unknown, Watch};

use crate::arguments::Stats;
use crate::exit::Exit;
use crate::output;

/// Has a budget watched, and interrupts cancel it. A second interrupt ends the process at once.
pub fn watch(budget: &Budget, journal: &Arc<Journal>, stats: Option<Stats>) -> Watch {
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
