//! What a run has found out so far, while it goes on: in a file, or when a signal asks for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use base::Span;
use cfa::Program;
use partial::{Analysed, Coverage, Execution, Options, Search};
use report::proviso::NOTHING_ANALYSED;
use report::proviso::document::Document;
use signal_hook::consts::SIGUSR1;
use verify::{Analysis, Bound, Budget, Config, Outcome, Unknown};

use super::partial::{Reported, document, nothing};
use crate::arguments::Check;
use crate::exit::Exit;
use crate::output;

/// How old a file may get before it is written anew. Making the document takes its time, too.
const PERIOD: Duration = Duration::from_millis(500);

/// How long somebody may look for traces for one document.
const SEARCH: Duration = Duration::from_millis(150);

/// How many traces somebody looks for, for one document.
const MOST: usize = 3;

/// How long before a document is made it is asked for what the exploration has found, so that it is there
/// in time.
const ASK: Duration = Duration::from_millis(100);

/// How often it is looked whether the run has ended or a signal has come.
const LOOK: Duration = Duration::from_millis(20);

/// What is shown.
pub struct Shown<'a> {
    /// The program.
    pub program: &'a Program,
    /// The command line.
    pub arguments: &'a Check,
    /// The configuration of the run.
    pub config: &'a Config,
    /// Where asserts and error calls stand besides that no way leads to.
    pub settled: &'a [Span],
}

/// Does something, and shows meanwhile what is known.
pub fn while_shown<T>(shown: &Shown<'_>, work: impl FnOnce() -> T) -> Result<T, Exit> {
    let file = shown.arguments.live.as_deref();
    if let Some(file) = file {
        // Made before the run, so that a name that cannot be written is told at once.
        write(file, &shown.document(Instant::now()))
            .map_err(|error| output::cannot_write(file, &error))?;
    }
    let asked = Arc::new(AtomicBool::new(false));
    // Where signals cannot be listened to, there is no page on demand.
    let listens = signal_hook::flag::register(SIGUSR1, Arc::clone(&asked));
    let done = AtomicBool::new(false);
    let worked = thread::scope(|scope| {
        let watcher = || shown.watch(file, &asked, &done);
        // Without a thread nothing is shown.
        let watcher = thread::Builder::new().name("live".to_owned()).spawn_scoped(scope, watcher);
        let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        done.store(true, Ordering::Relaxed);
        if let Ok(watcher) = watcher {
            watcher.thread().unpark();
        }
        worked
    });
    if let Ok(id) = listens {
        signal_hook::low_level::unregister(id);
    }
    match worked {
        Ok(worked) => Ok(worked),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

impl Shown<'_> {
    fn watch(&self, file: Option<&Path>, asked: &AtomicBool, done: &AtomicBool) {
        let start = Instant::now();
        let mut last = start;
        let progress = &self.config.progress;
        // Since when a page is wanted.
        let mut wanted: Option<Instant> = None;
        let mut is_asked = false;
        while !done.load(Ordering::Relaxed) {
            if file.is_some() && !is_asked && last.elapsed() + ASK >= PERIOD {
                progress.want_graph();
                is_asked = true;
            }
            if file.is_some() && last.elapsed() >= PERIOD {
                is_asked = false;
                let document = self.document(start);
                if let Some(file) = file
                    && !done.load(Ordering::Relaxed)
                {
                    // The next one may succeed.
                    let _ = write(file, &document);
                }
                last = Instant::now();
            }
            if asked.swap(false, Ordering::Relaxed) {
                progress.want_graph();
                wanted = Some(Instant::now());
            }
            if wanted.is_some_and(|since| since.elapsed() >= ASK) {
                wanted = None;
                output::tell(report::proviso::page(&self.document(start)).trim_end());
            }
            thread::park_timeout(LOOK);
        }
    }

    /// The document of the run as it is now.
    fn document(&self, start: Instant) -> Document {
        let Self { program, arguments, config, .. } = self;
        let progress = &config.progress;
        let bound =
            progress.followed().map(|rounds| Bound { rounds: Some(rounds), ..Bound::default() });
        let outcome = Outcome {
            time: start.elapsed(),
            stages: config.journal.stages(),
            graph: progress.latest_graph(),
            earlier_graphs: config.journal.graphs(),
            rewritten: config.journal.rewritten(),
            bound,
            ..nothing(Unknown::Interrupted)
        };
        let analysed = Analysed::of(program, &outcome);
        let solver: smt::NewSolver<'_> = &|| Box::new(smt::Builtin::new());
        let budget = Budget::within(SEARCH);
        let options = Options { analysis: Analysis::Bmc, solver, budget, most: Some(MOST) };
        let execution = Execution::of(&analysed, &options, &mut |_| {});
        let checks = partial::checks(&analysed, &execution, &Budget::within(SEARCH));
        let budget = Budget::within(SEARCH);
        let analysis = Analysis::Bmc;
        let search = Search { program, analysis, solver, budget: &budget, most: None };
        let traces = [&execution.cones[..], &execution.frontier[..]].concat();
        let covers = execution.violation.is_none() && !execution.nothing;
        let coverage = covers.then(|| Coverage::of(&search, &mut *analysed.automaton(), &traces));
        let (execution, coverage) = (Some(&execution), coverage.as_ref());
        let reported =
            Reported { execution, coverage, settled: self.settled, ..Reported::default() };
        let mut document = document(program, arguments, &outcome, &reported, &checks, None);
        "RUNNING".clone_into(&mut document.verdict);
        let (states, refinements) = progress.explored();
        document.reason = format!(
            "still running after {:.1} s, in {} (round {}, {states} abstract states, {refinements} \
             refinements)",
            start.elapsed().as_secs_f64(),
            progress.stage(),
            progress.rounds(),
        );
        document.next.clear();
        for check in document.checks.iter_mut().filter(|check| check.reason == NOTHING_ANALYSED) {
            "not analysed yet".clone_into(&mut check.reason);
        }
        document
    }
}

/// Leaves the last document of a run, as JSON, where it was shown meanwhile.
pub fn finish(file: &Path, json: &str) {
    if let Err(error) = write_text(file, json) {
        output::tell(&format!("error: cannot write {}: {error}", file.display()));
    }
}

/// Writes a file such that whoever reads it finds the old or the new one, whole.
fn write(file: &Path, document: &Document) -> std::io::Result<()> {
    write_text(file, &serde_json::to_string_pretty(document)?)
}

fn write_text(file: &Path, text: &str) -> std::io::Result<()> {
    let mut name = file.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    fs::write(&new, text)?;
    fs::rename(&new, file)
}
