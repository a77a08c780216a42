//! What a run has found out so far, while it goes on: in a file, or when a signal asks for it.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use base::Span;
use cfa::Program;
use partial::{Analysed, Coverage, Execution, Options, Search};
use report::proviso::NOTHING_ANALYSED;
use report::proviso::document::Document;
use signal_hook::consts::SIGUSR1;
use verify::{Analysis, Bound, Budget, Config, Outcome, Unknown};

use super::partial::{Reported, document};
use super::progress::explored;
use crate::arguments::Check;
use crate::exit::Exit;
use crate::output::{self, WholeFile};

/// The time from the beginning of one document to the beginning of the next one. What a document says is as old as its
/// beginning, and the document stays until the next one is written. So a document gets as old as this time and the
/// time to make two documents, which must be less than a second on a machine that has other things to do.
const PERIOD: Duration = Duration::from_millis(350);

/// How long each search for one document may take at most: for traces, for checks, and for what is covered.
const SEARCH: Duration = Duration::from_millis(80);

/// How long each search may take at least, however slow the machine is.
const SHORTEST: Duration = Duration::from_millis(5);

/// A document that took longer leaves less time for the searches of the next one.
const LONG: Duration = Duration::from_millis(250);

/// How many traces are looked for, for one document.
const MOST: usize = 3;

/// How long before a document is made the exploration is asked for its graph, so that the graph is there in time.
const ASK: Duration = Duration::from_millis(100);

/// How long to wait between two looks at whether the run has ended or a signal has come.
const LOOK: Duration = Duration::from_millis(20);

/// The run that is shown.
pub struct Shown<'a> {
    /// The program.
    pub program: &'a Program,
    /// The command line.
    pub arguments: &'a Check,
    /// The configuration of the run.
    pub config: &'a Config,
    /// Where further asserts and error calls stand, those to which no way leads.
    pub settled: &'a [Span],
    /// The file that shows the run, if a file was named.
    pub file: Option<&'a LiveFile>,
}

/// Does something, and shows meanwhile what is known.
pub fn while_shown<T>(shown: &Shown<'_>, work: impl FnOnce() -> T) -> Result<T, Exit> {
    let file = shown.file;
    if let Some(file) = file {
        // The first document is written before the run, so that a name that cannot be written is told at once.
        if let Some(document) = shown.document(Instant::now(), SEARCH, &AtomicBool::new(false)) {
            file.write(&document).map_err(|error| output::cannot_write(file.0.named(), &error))?;
        }
    }
    let asked = Arc::new(AtomicBool::new(false));
    // Where signals cannot be listened to, there is no page on demand.
    let listens = signal_hook::flag::register(SIGUSR1, Arc::clone(&asked));
    let worked = beside(|done| shown.watch(file, &asked, done), work);
    if let Ok(id) = listens {
        signal_hook::low_level::unregister(id);
    }
    match worked {
        Ok(worked) => Ok(worked),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The last document that a report has kept.
pub type Kept = Mutex<Option<Document>>;

/// Makes the report of a run that has ended. Meanwhile the file of `--live` is written anew in every period with
/// what is known: making the report may take longer than a period.
pub fn while_reported<T>(file: Option<&LiveFile>, kept: &Kept, work: impl FnOnce() -> T) -> T {
    let Some(file) = file else { return work() };
    let show = |done: &AtomicBool| {
        let mut written: Option<Instant> = None;
        while !done.load(Ordering::Relaxed) {
            if written.is_none_or(|written| written.elapsed() >= PERIOD) {
                let known = kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if let Some(known) = known {
                    let reason = format!("making the report; it stopped: {}", known.reason);
                    let _ = file.write(&Document { verdict: RUNNING.to_owned(), reason, ..known });
                    written = Some(Instant::now());
                }
            }
            thread::park_timeout(LOOK);
        }
    };
    match beside(show, work) {
        Ok(worked) => worked,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Does `work`. Meanwhile `other` runs in a thread of its own, which is told when it is to end.
fn beside<T>(
    other: impl FnOnce(&AtomicBool) + Send,
    work: impl FnOnce() -> T,
) -> thread::Result<T> {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        // Without a thread nothing is shown.
        let other =
            thread::Builder::new().name("live".to_owned()).spawn_scoped(scope, || other(&done));
        let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        done.store(true, Ordering::Relaxed);
        if let Ok(other) = other {
            other.thread().unpark();
        }
        worked
    })
}

/// The verdict of a document while the run goes on.
const RUNNING: &str = "RUNNING";

impl Shown<'_> {
    fn watch(&self, file: Option<&LiveFile>, asked: &AtomicBool, done: &AtomicBool) {
        let start = Instant::now();
        // When the last document was begun, and how long the searches for the next one may take.
        let (mut begun, mut search) = (start, SEARCH);
        let progress = &self.config.progress;
        // Since when a page is wanted.
        let mut wanted: Option<Instant> = None;
        let mut is_asked = false;
        while !done.load(Ordering::Relaxed) {
            if file.is_some() && !is_asked && begun.elapsed() + ASK >= PERIOD {
                progress.want_graph();
                is_asked = true;
            }
            if let Some(file) = file.filter(|_| begun.elapsed() >= PERIOD) {
                is_asked = false;
                begun = Instant::now();
                if let Some(document) = self.document(start, search, done) {
                    // If this document cannot be written, the next one may be.
                    let _ = file.write(&document);
                }
                search = next_search(search, begun.elapsed());
            }
            if asked.swap(false, Ordering::Relaxed) {
                progress.want_graph();
                wanted = Some(Instant::now());
            }
            if wanted.is_some_and(|since| since.elapsed() >= ASK) {
                wanted = None;
                let document = self.document(start, search, &AtomicBool::new(false));
                if let Some(mut document) = document {
                    // The commands for after the run are left out, since a reader of this page waits for the run. The
                    // file keeps them: it may be all that is left of the run.
                    document.next.clear();
                    output::tell(report::proviso::page(&document).trim_end());
                }
            }
            thread::park_timeout(LOOK);
        }
    }

    /// The document of the run as it is now; each of its searches may take as long as `search`. `None` if the run ends
    /// before the document is made, since nobody waits for the document then.
    fn document(&self, start: Instant, search: Duration, done: &AtomicBool) -> Option<Document> {
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
            ..Outcome::unknown(Unknown::Interrupted)
        };
        let analysed = Analysed::of(program, &outcome);
        let solver: smt::NewSolver<'_> = &|| Box::new(smt::Builtin::new());
        let budget = Budget::within(search);
        let options = Options { analysis: Analysis::Bmc, solver, budget, most: Some(MOST) };
        let is_wanted = || !done.load(Ordering::Relaxed);
        let execution = is_wanted().then(|| Execution::of(&analysed, &options, &mut |_| {}))?;
        let checks = || partial::checks(&analysed, &execution, None, &Budget::within(search));
        let checks = is_wanted().then(checks)?;
        let budget = Budget::within(search);
        let analysis = Analysis::Bmc;
        let covering = Search { program, analysis, solver, budget: &budget, most: None };
        let traces = [&execution.cones[..], &execution.frontier[..]].concat();
        // Where documents take long, coverage is left out first.
        let in_time = is_wanted() && search >= SEARCH / 2;
        let covers = in_time && execution.violation.is_none() && !execution.nothing;
        let coverage = covers.then(|| Coverage::of(&covering, &mut *analysed.automaton(), &traces));
        let (execution, coverage) = (Some(&execution), coverage.as_ref());
        let reported =
            Reported { execution, coverage, settled: self.settled, ..Reported::default() };
        let mut document = document(program, arguments, &outcome, &reported, &checks, None);
        RUNNING.clone_into(&mut document.verdict);
        document.reason = format!(
            "still running after {:.1} s, in {} (round {}, {})",
            start.elapsed().as_secs_f64(),
            progress.stage(),
            progress.rounds(),
            explored(progress),
        );
        for check in document.checks.iter_mut().filter(|check| check.reason == NOTHING_ANALYSED) {
            "not analysed yet".clone_into(&mut check.reason);
        }
        is_wanted().then_some(document)
    }
}

/// How long each search for the next document may take, if the last document took as long as `took`.
fn next_search(search: Duration, took: Duration) -> Duration {
    match took {
        _ if took > LONG => (search / 2).max(SHORTEST),
        _ if took < LONG / 2 => (search * 2).min(SEARCH),
        _ => search,
    }
}

/// The file that shows a run while it goes on.
pub struct LiveFile(WholeFile);

impl LiveFile {
    /// The file that a name leads to.
    pub fn of(named: &Path) -> Result<Self, Exit> {
        WholeFile::of(named).map(Self)
    }

    /// Leaves the last document of a run, as JSON, where it was shown meanwhile.
    pub fn finish(&self, json: &str) {
        self.0.finish(json);
    }

    /// Writes a document such that a reader of the file finds the old or the new document, whole.
    fn write(&self, document: &Document) -> io::Result<()> {
        self.0.write(&super::files::json(document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_documents_leave_less_time_for_searches() {
        let millis = Duration::from_millis;
        assert_eq!(next_search(millis(80), millis(300)), millis(40));
        assert_eq!(next_search(millis(6), millis(3000)), SHORTEST);
        assert_eq!(next_search(millis(40), millis(200)), millis(40));
        assert_eq!(next_search(millis(40), millis(90)), millis(80));
        assert_eq!(next_search(millis(80), millis(10)), SEARCH);
    }
}
