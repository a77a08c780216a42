//! How the runs of a batch or a suite are carried out: by this program, into a folder of results, until an
//! interrupt.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bench::runner::{Batch, Missed, Settings, Store, Task, build};
use report::counted;

use super::messages::{line, usage};
use crate::arguments::bench::Product;
use crate::exit::Exit;
use crate::output;

/// A batch that can be carried out.
pub(super) struct Prepared {
    pub batch: Batch,
    pub settings: Settings,
    /// The tool files, for those who carry out a part of the batch elsewhere.
    pub tools: Vec<PathBuf>,
}

/// What is measured.
pub(super) fn settings(
    suite: &str,
    program: &Path,
    arguments: &Product,
    time: Duration,
    options: Vec<String>,
) -> Result<Settings, Exit> {
    Ok(Settings {
        suite: suite.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build: build(program).map_err(|error| usage(&format!("cannot read myself: {error}")))?,
        time_seconds: time.as_secs_f64(),
        memory_bytes: arguments.memory(),
        options,
        ..Settings::default()
    })
}

/// Does the runs that are missing, and says how far the batch is.
pub(super) fn carry_out(batch: &Batch, store: &mut Store) -> Result<(), Missed> {
    let missing = batch.missing(store);
    output::tell(&format!(
        "{}, {} to do",
        counted(batch.tasks.len(), "program"),
        counted(missing, "run")
    ));
    let watched = io::stderr().is_terminal();
    batch.run(store, &interrupted(), &|count, record| {
        if watched || record.is_wrong() {
            output::tell(&line(count, missing, record));
        }
    })
}

/// Takes away the results whose programs have changed since, so that these are run again. Says which they are, and
/// which other results are run again.
pub(super) fn forget_changed(store: &mut Store, tasks: &[Task]) -> Result<(), Exit> {
    const SHOWN: usize = 5;
    if let [first, rest @ ..] = store.damaged() {
        let more =
            if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        output::tell(&format!(
            "note: line {first}{more} of results.jsonl could not be read; what is missing is run again"
        ));
    }
    if store.is_torn() {
        output::tell(
            "note: the last line of results.jsonl was cut off when the batch was killed; its run is done again",
        );
    }
    let changed = store
        .forget_changed(tasks)
        .map_err(|error| usage(&format!("{}: {error}", store.folder().display())))?;
    if !changed.is_empty() {
        let more = changed.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = changed.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        output::tell(&format!(
            "note: these have changed since their results were written, and are run again: {names}{more}"
        ));
    }
    Ok(())
}

/// A flag that an interrupt sets; a second interrupt ends the process.
pub(super) fn interrupted() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without a handler an interrupt ends the process as usual.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::abort();
        }
    });
    stop
}

/// The path of this program. `/proc/self/exe` stays the same build even if the file is replaced during a long run.
pub(super) fn program() -> Result<PathBuf, Exit> {
    let same = PathBuf::from("/proc/self/exe");
    if same.exists() {
        return Ok(same);
    }
    std::env::current_exe().map_err(|error| usage(&format!("cannot find myself: {error}")))
}
