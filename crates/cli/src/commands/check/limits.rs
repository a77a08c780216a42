//! Limits and interrupts: a run that does not end by itself is ended, with everything that is
//! known by then.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use report::proviso::document::Document;
use verify::{Budget, Exceeded, Journal, Limits, Unknown, Watch};

use super::form;
use crate::arguments::{Check, Form, Stats, Validate};
use crate::exit::Exit;
use crate::output;
use crate::supervise;

/// The limits of a run at work: they are watched over until this is dropped.
pub struct Limited {
    /// What the run may use.
    pub budget: Budget,
    /// What its stages have found.
    pub journal: Arc<Journal>,
    /// The document that is shown if the run is ended before it has made a better one.
    known: Known,
    watch: Watch,
}

/// The last document that a run has made.
type Known = Arc<Mutex<Option<Document>>>;

impl Limited {
    /// Sets the limits that the command line states, for a process that started at a moment.
    pub fn new(arguments: &Check, start: Instant) -> Self {
        let limits = Limits {
            time: Some(arguments.timelimit),
            cpu: arguments.cputimelimit,
            memory: Some(memory(arguments.memlimit)),
        };
        Self::within(limits, start, (arguments.stats, arguments.format), UNKNOWN)
    }

    /// The limits of a validation.
    pub fn of_validation(arguments: &Validate, start: Instant) -> Self {
        let memory = Some(memory(arguments.memlimit));
        let limits = Limits { time: Some(arguments.timelimit), cpu: None, memory };
        Self::within(limits, start, (None, Form::Text), "Witness: not confirmed")
    }

    fn within(
        limits: Limits,
        start: Instant,
        (stats, form): (Option<Stats>, Form),
        answer: &'static str,
    ) -> Self {
        let budget = Budget::new(limits, start);
        let journal = Arc::<Journal>::default();
        let known = Known::default();
        let last =
            Last { journal: Arc::clone(&journal), known: Arc::clone(&known), stats, form, answer };
        let watch = watch(&budget, last);
        Self { budget, journal, known, watch }
    }

    /// The run has stopped, and what came of it is written: after an interrupt there is a little longer for that.
    pub fn writes(&self) {
        self.watch.writes();
    }

    /// Keeps a document for the case that the run is ended now.
    pub fn keep(&self, document: Document) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(document);
    }
}

/// The memory that a run may use, given what the user allows. Where the system limits the addresses of
/// a process, stacks and reserves of the allocator take their part of them, and a table that grows
/// is there twice.
fn memory(allowed: u64) -> u64 {
    verify::room().map_or(allowed, |room| allowed.min(room / 3))
}

/// What is known when a run is ended.
#[derive(Clone)]
struct Last {
    journal: Arc<Journal>,
    known: Known,
    stats: Option<Stats>,
    form: Form,
    /// What is said without an answer, but for the reason.
    answer: &'static str,
}

const UNKNOWN: &str = "Verification result: UNKNOWN";

/// A key that interrupts reaches both processes of a run that has two, and the first one passes it on
/// to the other within this time.
const ECHO: Duration = Duration::from_millis(200);

/// Has a budget watched, and interrupts cancel it. A second interrupt ends the process at once.
fn watch(budget: &Budget, last: Last) -> Watch {
    let (interrupted, known) = (budget.clone(), last.clone());
    let mut first: Option<Instant> = None;
    // Without a handler an interrupt ends the process as usual.
    let _ = ctrlc::set_handler(move || {
        let is_echo = supervise::is_worker() && first.is_some_and(|first| first.elapsed() < ECHO);
        first.get_or_insert_with(Instant::now);
        if !is_echo && interrupted.cancel_again() {
            known.end(Exceeded::Interrupted);
        }
    });
    Watch::start(budget, move |limit| last.end(limit))
}

impl Last {
    /// Ends the process with the last line printed, unless another thread is about to print it.
    fn end(&self, limit: Exceeded) {
        let stages = self.journal.stages();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let reason = Unknown::from(limit).name();
        let line = format!("{} ({reason})", self.answer);
        let text = match self.form {
            Form::Text => {
                let page = known.as_ref().map(report::proviso::page);
                let stages = (self.answer == UNKNOWN).then(|| report::stages(&stages));
                format!("{}{line}\n", page.or(stages).unwrap_or_default())
            }
            other => form::ended(known.unwrap_or_default(), reason, Exit::Unknown, other),
        };
        let before = || {
            output::tell_unwritten();
            form::tell(self.form, &line);
        };
        if !output::try_conclude_after(&text, &before) {
            return;
        }
        // A loop that forgot to look at its budget is to be found by this.
        match self.stats {
            Some(Stats::Text) => output::tell(report::overrun(&stages, verify::peak()).trim_end()),
            Some(Stats::Json) => output::tell(&report::overrun_json(&stages, verify::peak())),
            None => {}
        }
        process::exit(Exit::Unknown.code());
    }
}
