//! Limits and interrupts: a run that does not end by itself is ended, with everything that is
//! known by then.

use std::process;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use report::proviso::document::Document;
use verify::{Budget, Exceeded, Journal, Limits, Unknown, Watch};

use super::files::{Files, Folder};
use super::form;
use crate::arguments::{Arguments, Check, Command, Form, Stats, Validate};
use crate::exit::Exit;
use crate::output::{self, HandedOver};

/// The limits of a run at work: they are watched over until this is dropped.
pub struct Limited {
    /// What the run may use.
    pub budget: Budget,
    /// What its stages have found.
    pub journal: Arc<Journal>,
    known: Arc<Known>,
    watch: Watch,
}

/// What a run has made by the time when it is ended.
struct Known {
    /// The document that is shown if there is no better one yet.
    document: Mutex<Option<Document>>,
    /// The folder that was asked for.
    folder: Option<Folder>,
}

impl Limited {
    /// Sets the limits that the command line states, for a process that started at a moment.
    pub fn new(arguments: &Check, start: Instant) -> Self {
        let folder = Folder::asked_for(arguments);
        let how = (arguments.stats, arguments.format);
        Self::within(limits(arguments), start, how, UNKNOWN, folder)
    }

    /// The limits of a search for coverage, which has no result to leave.
    pub fn of_coverage(arguments: &Check, start: Instant) -> Self {
        let how = (arguments.stats, arguments.format);
        Self::within(limits(arguments), start, how, UNKNOWN, None)
    }

    /// The limits of a validation.
    pub fn of_validation(arguments: &Validate, start: Instant) -> Self {
        let memory = Some(memory(arguments.memlimit));
        let limits = Limits { time: Some(arguments.timelimit), cpu: None, memory };
        Self::within(limits, start, (None, Form::Text), "Witness: not confirmed", None)
    }

    fn within(
        limits: Limits,
        start: Instant,
        (stats, form): (Option<Stats>, Form),
        answer: &'static str,
        folder: Option<Folder>,
    ) -> Self {
        let budget = Budget::new(limits, start);
        let journal = Arc::<Journal>::default();
        let known = Arc::new(Known { document: Mutex::default(), folder });
        let last =
            Last { journal: Arc::clone(&journal), known: Arc::clone(&known), stats, form, answer };
        let watch = watch(&budget, last);
        Self { budget, journal, known, watch }
    }

    /// Notes that the run has stopped and its results are being written: after an interrupt there is a little more
    /// time for this.
    pub fn writes(&self) {
        self.watch.writes();
    }

    /// Keeps a document for the case that the run is ended now.
    pub fn keep(&self, document: Document) {
        *self.known.document.lock().unwrap_or_else(PoisonError::into_inner) = Some(document);
    }

    /// The folder that was asked for, without the files of an earlier run.
    pub fn files(&self) -> Result<Option<Arc<Files>>, Exit> {
        self.known.folder.as_ref().map(Folder::files).transpose()
    }

    /// Leaves the result of a run that a fault of this program has ended.
    pub fn leave_fault(&self) {
        self.known.leave(Unknown::Internal.name(), Exit::Internal);
    }
}

/// The limits that the command line states.
fn limits(arguments: &Check) -> Limits {
    Limits {
        time: Some(arguments.timelimit),
        cpu: arguments.cputimelimit,
        memory: Some(memory(arguments.memlimit)),
    }
}

/// The memory that a run may use, given what the user allows. Where the system limits the addresses of a process,
/// stacks and reserves of the allocator take their part of them, and a table is there twice while it grows.
fn memory(allowed: u64) -> u64 {
    verify::room().map_or(allowed, |room| allowed.min(room / 3))
}

/// What is known when a run is ended.
#[derive(Clone)]
struct Last {
    journal: Arc<Journal>,
    known: Arc<Known>,
    stats: Option<Stats>,
    form: Form,
    /// The last line of a run without an answer, up to the reason.
    answer: &'static str,
}

/// How long a run that is ended waits for its files, so that a slow disk does not hold it up.
const WRITING: Duration = Duration::from_millis(300);

const UNKNOWN: &str = "Verification result: UNKNOWN";

/// The key for an interrupt reaches both processes of a run that has two, and the first process passes the interrupt
/// on to the other one within this time. So the other process takes a second interrupt within this time for the same.
const ECHO: Duration = Duration::from_millis(200);

/// Has a budget watched, and interrupts cancel it. A second interrupt ends the process at once. Where only the
/// output is left to be written and nobody reads it, the next interrupt ends the process without it.
fn watch(budget: &Budget, last: Last) -> Watch {
    let (interrupted, known) = (budget.clone(), last.clone());
    let mut first: Option<Instant> = None;
    // Without a handler an interrupt ends the process as usual.
    let _ = ctrlc::set_handler(move || {
        output::give_up();
        let is_echo = output::is_worker() && first.is_some_and(|first| first.elapsed() < ECHO);
        first.get_or_insert_with(Instant::now);
        if !is_echo && interrupted.cancel_again() {
            // Perhaps nobody reads the output, so this thread must be free for the next interrupt.
            let (ended, here) = (known.clone(), known.clone());
            let ends = thread::Builder::new().spawn(move || ended.end(Exceeded::Interrupted));
            if ends.is_err() {
                here.end(Exceeded::Interrupted);
            }
        }
    });
    Watch::start(budget, move |limit| last.end(limit))
}

impl Last {
    /// Ends the process with the last line printed, unless another thread is about to print it.
    fn end(&self, limit: Exceeded) {
        let stages = self.journal.stages();
        let known = self.known.document();
        let reason = Unknown::from(limit).name();
        let line = format!("{} ({reason})", self.answer);
        let text = match self.form {
            Form::Text => {
                let page = known.as_ref().map(report::proviso::page);
                let stages = (self.answer == UNKNOWN).then(|| report::stages(&stages));
                format!("{}{line}\n", page.or(stages).unwrap_or_default())
            }
            other => form::text(&form::ended(known, reason, Exit::Unknown), other),
        };
        let before = || {
            output::tell_unwritten();
            form::tell(self.form, &line);
        };
        if !output::try_conclude_after(&text, Exit::Unknown, &before) {
            return;
        }
        // The statistics help to find a loop that forgot to look at its budget.
        match self.stats {
            Some(Stats::Text) => output::tell(report::overrun(&stages, verify::peak()).trim_end()),
            Some(Stats::Json) => output::tell(&report::overrun_json(&stages, verify::peak())),
            None => {}
        }
        // The last line came before: what goes wrong with the files must not cost the answer.
        self.known.leave(reason, Exit::Unknown);
        process::exit(Exit::Unknown.code());
    }
}

impl Known {
    fn document(&self) -> Option<Document> {
        self.document.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes the result to the folder that was asked for, within a bounded time. From then on the run itself writes
    /// nothing there.
    fn leave(self: &Arc<Self>, reason: &'static str, exit: Exit) {
        if self.folder.is_none() {
            return;
        }
        let (tell, told) = mpsc::channel();
        let known = Arc::clone(self);
        let write = move || {
            known.write(reason, exit);
            let _ = tell.send(());
        };
        match thread::Builder::new().spawn(write) {
            Ok(_) => drop(told.recv_timeout(WRITING)),
            Err(_) => self.write(reason, exit),
        }
    }

    fn write(&self, reason: &str, exit: Exit) {
        // A failure has been told.
        if let Some(Ok(files)) = self.folder.as_ref().map(Folder::files) {
            files.ended(&form::ended(self.document(), reason, exit));
        }
    }
}

/// Leaves the result of a run that the system has ended, whose last line says UNKNOWN.
pub fn leave_for_the_dead(arguments: &Arguments, line: &str, handed: &HandedOver) {
    let check = match &arguments.command {
        Command::Check(check) => check,
        Command::Continue(command) => &command.check,
        _ => return,
    };
    let Some(folder) = Folder::asked_for(check) else { return };
    let files = match handed.is_prepared {
        // The run may have been ended after it had written its answer.
        true if handed.said.is_some() && folder.has_result() => return,
        true => Ok(Arc::new(folder.taken_over())),
        false => folder.files(),
    };
    if let Ok(files) = files {
        files.ended(&form::ended(None, form::reason(line), Exit::Unknown));
    }
}
