//! `proviso check`: verifies a program.

mod conclude;
mod files;
mod follow;
mod form;
mod forward;
mod limits;
mod live;
mod partial;
mod progress;
mod solvers;

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use ::partial::Continued;
use ::partial::spc::Spc;
use base::Span;
use cfa::Program;
use report::proviso::document::{Document, Traces};
use verify::{Config, Outcome, Precision, Unknown, Verdict};

use crate::arguments::{self, Check, Form, Stats};
use crate::exit::Exit;
use crate::input;
use crate::output::{self, WholeFile};
pub use files::Files;
pub use form::last_words;
pub use limits::{Limited, leave_for_the_dead};
pub use partial::read;
use progress::Watch;
use proviso::Task;
pub use solvers::Solvers;

/// How many nodes have their states told in a result that shows the graph.
const TOLD_NODES: usize = 1000;

/// Verifies the program and says what came of it.
pub fn run(arguments: &Check, limited: &Limited) -> Result<Exit, Exit> {
    let mut run = Run::prepared(arguments, limited)?;
    let mut followed = follow::Followed::open(&arguments.follow)?;
    input::tell_assumptions(&run.task.program);
    if let Some(why) = run.task.undecided() {
        output::tell_unwritten();
        let files = run.files.as_deref();
        let exit = conclude::unanswered(&run.task.program, arguments, run.property(), why, files);
        return Ok(exit);
    }
    // States of nodes are told only if a file or a program reads them.
    let told = verify::Told {
        nodes: followed.told_nodes().max(if arguments.tells_result() { TOLD_NODES } else { 0 }),
        // Drawing the graph takes as long again, and the report needs most of the time that is kept for it.
        time: partial::reserve(arguments) / 8,
    };
    let options = forward::options(&arguments.forward, &mut run.task.program)?;
    // The file is made after a precision was loaded, since that may be the same file.
    let saved = arguments.forward.save_precision.as_deref().map(WholeFile::promised).transpose()?;
    let config = configured(arguments, limited, verify::Forward { told, ..options });
    followed.listen(&config.progress);
    let watch = Watch::start(&config, arguments.timelimit);
    let solvers = Solvers::new(&arguments.solver)?;
    let open = || solvers.open();
    let Continued { mut outcome, rounds, plain, rests, .. } = run.explored(&config, &open)?;
    watch.end();
    limited.writes();
    let program = &run.task.program;
    // The graph is drawn before the report is made, which takes all the time that is left.
    let is_interrupted = matches!(outcome.verdict, Verdict::Unknown(Unknown::Interrupted));
    let draws = !arguments.is_idle("--arg");
    followed.draw(program, &outcome, draws, told.until(config.budget.deadline(), is_interrupted));
    let searched = run.search(&mut outcome, rounds, plain.as_deref(), &open).unwrap_or_default();
    tell_statistics(arguments, program, &outcome);
    keep_precision(arguments, saved.as_ref(), program, &outcome);
    tell_backward(arguments, &outcome);
    let exit = run.conclude(&outcome, searched, rests);
    // Taking a large graph apart would take longer than the limits allow, and the system does it
    // at once when the process ends.
    std::mem::forget((outcome, plain));
    std::mem::forget(run.task);
    Ok(exit)
}

/// The names of files that are not valid text, each as it is shown and as bytes.
fn odd_names(files: &[PathBuf]) -> Vec<(String, Vec<u8>)> {
    let odd = files.iter().filter(|file| file.to_str().is_none());
    let both = |file: &PathBuf| {
        let bytes = file.as_os_str().as_encoded_bytes().to_vec();
        (file.display().to_string(), bytes)
    };
    odd.map(both).collect()
}

/// What the command line asks of a run.
fn configured(arguments: &Check, limited: &Limited, forward: verify::Forward) -> Config {
    Config {
        analysis: arguments.analysis.into(),
        forward,
        certify: arguments.certify,
        simplify: simplifies(arguments),
        budget: partial::without_reserve(arguments, &limited.budget),
        summaries: summaries(arguments),
        // A profile of a paper, and the backward analysis, tell what the algorithm of the paper found.
        shorten: arguments.analysis != arguments::Analysis::Backward
            && arguments.forward.profile.is_none(),
        invariants: arguments.tells_result(),
        jobs: arguments.jobs.into(),
        unroll: arguments.unroll,
        backward: arguments
            .backward
            .options(arguments.forward.profile == Some(arguments::forward::Profile::Method1)),
        journal: Arc::clone(&limited.journal),
        ..Config::default()
    }
}

/// A program that is verified, and where the run tells of it.
struct Run<'a> {
    arguments: &'a Check,
    limited: &'a Limited,
    task: Task,
    /// Where asserts and error calls stand that no way leads to, because conditions are constant.
    settled: Vec<Span>,
    /// What an earlier run has analysed, if this one goes on from it.
    before: Option<Spc>,
    files: Option<Arc<Files>>,
    live: Option<live::LiveFile>,
}

/// What a search after a run without an answer has found.
#[derive(Default)]
struct Searched {
    /// The document, if there still is no answer.
    document: Option<Document>,
    /// The traces that were looked at before an error was met.
    frontier: Traces,
    coverage: Option<::partial::Coverage>,
}

impl<'a> Run<'a> {
    /// Reads the program and what an earlier run has analysed, and makes the files. All this comes before the run, so
    /// that a long run is not in vain.
    fn prepared(arguments: &'a Check, limited: &'a Limited) -> Result<Self, Exit> {
        let mut task = input::load_task(&arguments.input)?;
        warn(arguments);
        output::detail(&format!(
            "read: {} functions, {} locations, {} edges",
            task.program.cfa.functions.len(),
            task.program.cfa.locations.len(),
            task.program.cfa.edges.len()
        ));
        let assumption = arguments.from.as_deref();
        let before = assumption.map(|path| read(path, &mut task.program)).transpose()?;
        let files = limited.files()?;
        let live = arguments.live.as_deref().map(live::LiveFile::of).transpose()?;
        let settled = task.subject.settled.iter().filter(|each| !each.is_cut);
        let settled = settled.map(|each| each.span).collect();
        Ok(Self { arguments, limited, task, settled, before, files, live })
    }

    /// The name of the property.
    fn property(&self) -> &str {
        self.task.subject.property.name()
    }

    /// Verifies the program, or what an earlier run has not analysed of it, and shows meanwhile what is known.
    fn explored(&self, config: &Config, solver: smt::NewSolver<'_>) -> Result<Continued, Exit> {
        let Self { arguments, task, .. } = self;
        let (program, settled) = (&task.program, &self.settled[..]);
        if let Some(before) = &self.before {
            // The work before the first stage may take long; if the run is ended there, even a page without findings
            // tells more than no page.
            self.limited.keep(partial::nothing_yet(program, arguments, before, settled));
        }
        let shown = live::Shown { program, arguments, config, settled, file: self.live.as_ref() };
        live::while_shown(&shown, || match &self.before {
            Some(before) => {
                let mut continued = partial::go_on(program, before, config, solver);
                task.settle(&mut continued.outcome);
                continued
            }
            None => Continued::of_program(task.verify_with(config, solver), Vec::new()),
        })
    }

    /// Finds out what the run was worth, if it has no answer. An error that is met on the way is the answer.
    fn search(
        &self,
        outcome: &mut Outcome,
        rounds: Option<u32>,
        plain: Option<&Outcome>,
        solver: smt::NewSolver<'_>,
    ) -> Option<Searched> {
        let Verdict::Unknown(_) = outcome.verdict else { return None };
        let run = partial::Ended {
            program: &self.task.program,
            outcome,
            before: self.before.as_ref(),
            rounds,
            plain,
            settled: &self.settled,
        };
        let found = self.reported(&run, solver);
        Some(match found.violation {
            // The answer gets a document of its own. The traces that are kept for it say how long the search for them
            // took.
            Some(violation) => {
                outcome.verdict = Verdict::Unsafe(Box::new(violation));
                Searched { frontier: found.document.frontier, ..Searched::default() }
            }
            None => Searched {
                document: Some(found.document),
                coverage: found.coverage,
                ..Searched::default()
            },
        })
    }

    /// Makes the report of a run without an answer, and keeps what is known so far on the way.
    fn reported(&self, run: &partial::Ended<'_>, solver: smt::NewSolver<'_>) -> partial::RunReport {
        let kept = live::Kept::default();
        let keep = |document: &Document| {
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(document.clone());
            self.limited.keep(document.clone());
            if let Some(files) = &self.files {
                files.document(document);
            }
        };
        let files = self.files.as_deref();
        live::while_reported(self.live.as_ref(), &kept, || {
            partial::report(run, self.arguments, &self.limited.budget, files, solver, &keep)
        })
    }

    /// The document of an answer, with the traces that were looked at before it was found. `rests` says whether the
    /// answer rests on what the earlier run has analysed.
    fn answered(&self, outcome: &Outcome, frontier: Traces, rests: bool) -> Document {
        let (program, arguments) = (&self.task.program, self.arguments);
        let settled = &self.settled[..];
        // A proof of the whole program rests on nothing else.
        let is_proved = matches!(outcome.verdict, Verdict::Safe(_)) && !rests;
        let before = self.before.as_ref().filter(|_| !is_proved);
        let assumed = before
            .map(|before| partial::assumed(program, outcome, before, &self.limited.budget))
            .unwrap_or_default();
        let checks = partial::answered(program, outcome, &assumed);
        let none =
            partial::Reported { settled, rests, assumed: &assumed, ..partial::Reported::default() };
        let files = self.files.as_deref();
        let answered = partial::document(program, arguments, outcome, &none, &checks, files);
        Document { frontier, ..answered }
    }

    /// Writes the verdict and what it rests on.
    fn conclude(&self, outcome: &Outcome, searched: Searched, rests: bool) -> Exit {
        let Self { arguments, task, .. } = self;
        let files = self.files.as_deref();
        let subject = report::Subject {
            is_c: task.subject.language == Some(frontend::Language::C),
            files: task.subject.files.clone(),
            specification: task.subject.property.text.clone(),
            entry: task.subject.entry.clone(),
            folder: files.map(Files::name).unwrap_or_default(),
            options: input::compiler_words(&arguments.input),
            odd_names: odd_names(&arguments.input.files),
            meaning: arguments.input.meaning(),
            settled: task
                .subject
                .settled
                .iter()
                .map(|each| (each.span, each.called.clone()))
                .collect(),
        };
        let document =
            searched.document.unwrap_or_else(|| self.answered(outcome, searched.frontier, rests));
        let ended = conclude::Ended {
            program: &task.program,
            arguments,
            subject: &subject,
            property: self.property(),
            outcome,
            document,
            rests_on: arguments.from.as_deref().filter(|_| rests),
            coverage: searched.coverage.as_ref(),
            budget: &self.limited.budget,
            files,
            live: self.live.as_ref(),
        };
        ended.conclude()
    }
}

/// Says what the run spent, if that was asked for.
fn tell_statistics(arguments: &Check, program: &Program, outcome: &Outcome) {
    match arguments.stats {
        Some(Stats::Text) => {
            output::tell(report::statistics(outcome, verify::peak()).trim_end());
            let loops = report::summarized(program, outcome);
            for line in loops.into_iter().chain(report::dropouts(program, outcome)) {
                output::tell(&line);
            }
        }
        Some(Stats::Json) => {
            output::tell(&report::statistics_json(program, outcome, verify::peak()));
        }
        None => {}
    }
}

/// Says what was tracked at the end, and writes it to the file that was opened for it.
fn keep_precision(
    arguments: &Check,
    saved: Option<&WholeFile>,
    program: &Program,
    outcome: &Outcome,
) {
    let precision =
        outcome.precision.as_ref().map(|known| verify::precision::write(program, known));
    if let Some(precision) = &precision {
        output::detail(&format!("precision at the end:\n{}", precision.trim_end()));
    }
    let Some(file) = saved else { return };
    if precision.is_none() && !arguments.is_idle("--save-precision") {
        let why = match outcome.statistics {
            Some(_) => "whatever was explored was tracked in full",
            None => "nothing was explored",
        };
        output::note(&format!("warning: --save-precision has nothing to save: {why}"));
    }
    let none = || verify::precision::write(program, &Precision::default());
    file.finish(&precision.unwrap_or_else(none));
}

/// Prints what was asked for of the backward analysis.
fn tell_backward(arguments: &Check, outcome: &Outcome) {
    let Some(found) = &outcome.backward else { return };
    let (shown, missing) = arguments::backward::show(&arguments.backward, found);
    match arguments.format {
        Form::Text => output::write(&shown),
        _ if shown.is_empty() => {}
        _ => output::tell(shown.trim_end()),
    }
    missing.iter().for_each(|why| output::note(&format!("warning: {why}")));
}

/// Warns of options that have no effect.
fn warn(arguments: &Check) {
    for (option, with) in &arguments.idle {
        output::note(&format!("warning: {option} has no effect with {with}"));
    }
    let wanted = arguments.summarize_loops;
    let wants = wanted.is_some_and(|wanted| wanted != arguments::SummarizeLoops::Off);
    // Where the proof is checked again, summaries are for stages of `auto`.
    let is_idle = arguments.analysis != arguments::Analysis::Auto;
    if wants && arguments.certify && is_idle {
        output::note("warning: --summarize-loops has no effect with --certify");
    } else if wants && summaries(arguments) == verify::Summaries::default() {
        output::note(
            "warning: --summarize-loops has no effect with precisions that are saved or loaded",
        );
    }
}

/// Which summaries of loops are used: those that the user asks for, and all with `auto` if nothing is said. None if a
/// precision is loaded or saved, since precisions are about the program as it is.
fn summaries(arguments: &Check) -> verify::Summaries {
    use arguments::SummarizeLoops::{All, Exact, Off, Over, Under};
    let forward = &arguments.forward;
    let precision = forward.load_precision.is_some() || forward.save_precision.is_some();
    let is_auto = arguments.analysis == arguments::Analysis::Auto;
    let wanted = match arguments.summarize_loops {
        Some(wanted) => wanted,
        None if is_auto && !arguments.no_simplify => All,
        None => Off,
    };
    let none = verify::Summaries::default();
    match wanted {
        _ if precision => none,
        All => verify::Summaries::ALL,
        Exact => verify::Summaries { exact: true, ..none },
        Over => verify::Summaries { over: true, ..none },
        Under => verify::Summaries { under: true, ..none },
        Off => none,
    }
}

/// Whether the program is made simpler first. An analysis that the user asks for by name is run on
/// the program as it is, and so are runs that check a proof again or read or write a precision.
fn simplifies(arguments: &Check) -> bool {
    let forward = &arguments.forward;
    let precision = forward.load_precision.is_some() || forward.save_precision.is_some();
    arguments.analysis == arguments::Analysis::Auto
        && !arguments.no_simplify
        && !arguments.certify
        && !precision
}
