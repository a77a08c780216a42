//! What a run without an answer was worth: the search for traces, and the files that tell of them.

use std::path::Path;
use std::time::{Duration, Instant};

use base::Span;
use cfa::{AssumptionKind, Program};
use partial::spc::{Spc, Written};
use partial::{
    Analysed, Astray, Continued, Coverage, Execution, Memory, Options, Search, Standing, Trace,
};
use report::proviso::Material;
use report::proviso::document::{Automaton, Document};
use verify::{Analysis, Budget, Config, Outcome, Unknown, Verdict};

use super::files::Files;
use crate::arguments::Check;
use crate::exit::Exit;
use crate::{input, output};

/// How many states an automaton that is written may have.
const MAX_STATES: usize = 200_000;

/// The name of the file that the automaton is written to.
const AUTOMATON: &str = "assumption.spc";

/// How long a report may take after an interrupt. A user who interrupts a run does not wait for long, but wants to
/// read what was not explored; a second interrupt ends the process at once.
const AFTER_INTERRUPT: Duration = Duration::from_secs(1);

/// How much of the time limit is kept back for the report.
pub fn reserve(arguments: &Check) -> Duration {
    let usual = (arguments.timelimit / 10).max(Duration::from_secs(1));
    let asked = arguments.report_budget.unwrap_or(usual);
    asked.min(arguments.timelimit / 2)
}

/// What the verification may use, so that something is left for the report.
pub fn without_reserve(arguments: &Check, whole: &Budget) -> Budget {
    let (all, kept) = (arguments.timelimit.as_secs_f64(), reserve(arguments).as_secs_f64());
    if all <= 0.0 {
        return whole.clone();
    }
    let part = whole.share(1.0 - kept / all).share_of_memory(0.9);
    // Taking large graphs apart after the deadline would use up the time that is kept for the report.
    let end = part.deadline();
    part.leaving_from(end)
}

/// What the report may use.
fn budget(arguments: &Check, outcome: &Outcome, whole: &Budget) -> Budget {
    match &outcome.verdict {
        // The budget of the run was cancelled.
        Verdict::Unknown(Unknown::Interrupted) => Budget::within(AFTER_INTERRUPT),
        // Nobody waits long for the report of a run that gave up at once.
        _ => {
            let usual = (outcome.time / 10).max(Duration::from_secs(2));
            let most = arguments.report_budget.unwrap_or(usual).min(reserve(arguments));
            // To write the result in all of its forms takes a part of the time.
            let most = if arguments.tells_result() { most.mul_f64(0.75) } else { most };
            let budget = whole.at_most(most.max(Duration::from_millis(10)));
            budget.leaving_from(Some(Instant::now()))
        }
    }
}

/// What was found out about a run after it.
pub struct RunReport {
    /// The document.
    pub document: Document,
    /// An error that was met on the way: then the answer is FALSE.
    pub violation: Option<verify::Counterexample>,
    /// What was covered, if that was looked for.
    pub coverage: Option<Coverage>,
}

/// A run that has ended.
pub struct Ended<'a> {
    /// The program.
    pub program: &'a Program,
    /// What came of the run.
    pub outcome: &'a Outcome,
    /// What an earlier run has analysed.
    pub before: Option<&'a Spc>,
    /// How many rounds were followed of the part that an earlier run has left.
    pub rounds: Option<u32>,
    /// What came of the program itself, where `outcome` is about the part that an earlier run has left.
    pub plain: Option<&'a Outcome>,
    /// Where further asserts and error calls stand, those to which no way leads.
    pub settled: &'a [Span],
}

/// Reads what an earlier run has analysed.
pub fn read(path: &Path, program: &mut Program) -> Result<Spc, Exit> {
    let file = frontend::read(path, &mut program.sources)
        .map_err(|diagnostic| input::refuse(&diagnostic, &program.sources))?;
    let read = partial::spc::read(program, &program.sources, file).map_err(|diagnostics| {
        output::show(diagnostics.iter(), &program.sources);
        Exit::BadInput
    })?;
    let name = output::name(path);
    if !read.fits {
        output::note(&format!(
            "warning: {name} was made of another program, or with other options; nothing counts as analysed"
        ));
        return Ok(read);
    }
    let text = format!("what {name} calls analysed violates nothing");
    program.cfa.assume(AssumptionKind::Environment, text, None);
    Ok(read)
}

/// Verifies what an earlier run has not analysed, and warns of what does not fit.
pub fn go_on(
    program: &Program,
    before: &Spc,
    config: &Config,
    solver: smt::NewSolver<'_>,
) -> Continued {
    let continued = partial::go_on(program, before, config, solver);
    if let Some(warning) = strange(program, before, &continued.astray) {
        output::note(&warning);
    }
    if let Some(warning) = unmatched(program, before, &continued.astray) {
        output::note(&warning);
    }
    continued
}

/// What is said of states of an automaton that do not fit the program: how many they are, and where the
/// first one is, in the automaton and in the program.
pub fn strange(program: &Program, before: &Spc, astray: &[Astray]) -> Option<String> {
    let stated = |astray: &Astray| before.states.iter().find(|known| known.name == astray.state);
    let first = astray.first()?;
    let span = stated(first).and_then(|known| known.span);
    let stands = span.map(|span| format!(" ({})", program.sources.describe(span)));
    let location = &program.cfa.locations[first.at];
    let next = location.edges.iter().find_map(|edge| program.cfa.edges[*edge].span);
    let at = location.span.or(next);
    let at = at.map(|span| format!(" at {}", program.sources.describe(span))).unwrap_or_default();
    let name = format!("state {}{}", first.state, stands.unwrap_or_default());
    Some(match astray.len() {
        1 => format!(
            "warning: the program does something else than {name} of the automaton says{at}; what \
             follows counts as not analysed"
        ),
        count => format!(
            "warning: the program does something else than {count} states of the automaton say, the \
             first is {name}{at}; what follows them counts as not analysed"
        ),
    })
}

/// What is said of statements of an automaton that no step of the program matches: how many they are, and where
/// the first one is.
fn unmatched(program: &Program, before: &Spc, astray: &[Astray]) -> Option<String> {
    let found = partial::spc::unmatched(before, program, astray);
    let first = found.first()?;
    let at = first.span.map(|span| format!(" ({})", program.sources.describe(span)));
    let at = at.unwrap_or_default();
    let name = format!("MATCH \"{}\" of state {}{at}", first.on, first.state);
    Some(match found.len() {
        1 => format!(
            "warning: {name} fits no statement of the program; what no other MATCH of the state takes counts as not analysed"
        ),
        count => format!(
            "warning: {count} statements of the automaton fit none of the program; what no other MATCH of their states \
             takes counts as not analysed; the first is {name}"
        ),
    })
}

/// Finds out what a run without an answer was worth. Documents with less in them are kept on the way,
/// for the case that the run is ended before this is done.
pub fn report(
    run: &Ended<'_>,
    arguments: &Check,
    whole: &Budget,
    files: Option<&Files>,
    solver: smt::NewSolver<'_>,
    keep: &dyn Fn(&Document),
) -> RunReport {
    let Ended { program, outcome, before, rounds, plain, settled } = *run;
    let budget = budget(arguments, outcome, whole);
    let memory = Memory::default();
    let memory = Some(&memory);
    let analysed = Analysed { memory, ..Analysed::of(program, outcome) };
    let plainly = plain.map(|plain| Analysed { memory, ..Analysed::of(program, plain) });
    let besides = plainly.as_ref();
    let analysed = Analysed { before, rounds: rounds.or(analysed.rounds), besides, ..analysed };
    let open = partial::all_checks(program, Standing::Open);
    let earlier = before.map_or(&[][..], |before| &before.proved);
    let none = Reported { settled, earlier, plain, ..Reported::default() };
    // The files are not written yet, so the document advises no command that needs them.
    keep(&document(program, arguments, outcome, &none, &open, None));
    let execution = executions(&analysed, arguments, &budget, files, solver);
    let reported = Reported { execution: Some(&execution), ..none };
    let known = document(program, arguments, outcome, &reported, &open, None);
    keep(&known);
    let checks = partial::checks(&analysed, &execution, Some(solver), &budget.share(0.3));
    let written = match files {
        Some(files) => {
            let numbers = partial::proved(program, &checks);
            write_automaton(&analysed, &known.proved, &numbers, &budget.share(0.4), files)
        }
        None => None,
    };
    let folder = files.filter(|_| written.is_some());
    let mut so_far = document(program, arguments, outcome, &reported, &checks, folder);
    so_far.automaton.clone_from(&written);
    keep(&so_far);
    let part = budget.share(0.9);
    let coverage = (execution.violation.is_none() && !execution.nothing).then(|| {
        let analysis = Analysis::Bmc;
        let search = Search { program, analysis, solver, budget: &part, most: None };
        let traces: Vec<Trace> = [&execution.cones[..], &execution.frontier[..]].concat();
        Coverage::of(&search, &mut *analysed.automaton(), &traces)
    });
    if let (Some(files), Some(coverage)) = (files, &coverage) {
        files.coverage(program, coverage);
    }
    let reported = Reported { coverage: coverage.as_ref(), ..reported };
    let mut document = document(program, arguments, outcome, &reported, &checks, files);
    document.automaton = written;
    let met = coverage.as_ref().and_then(|coverage| coverage.violation.clone());
    let violation = execution.violation.or(met);
    RunReport { document, violation, coverage }
}

/// Looks for safe cones and frontier traces, and writes their inputs as they are found.
fn executions(
    analysed: &Analysed<'_>,
    arguments: &Check,
    budget: &Budget,
    files: Option<&Files>,
    solver: smt::NewSolver<'_>,
) -> Execution {
    let program = analysed.program;
    let options =
        Options { analysis: Analysis::Bmc, solver, budget: budget.share(0.7), most: None };
    let mut counts = [0_usize; 2];
    let mut tell = |trace: &Trace| {
        let is_cone = trace.kind == partial::TargetKind::Cone;
        let count = &mut counts[usize::from(is_cone)];
        *count += 1;
        if let Some(files) = files {
            let name = if is_cone { "cone" } else { "frontier" };
            let inputs = interp::write_inputs(program, &trace.drawn);
            files.write(&format!("{name}-{count}.txt"), &inputs);
        }
    };
    // With --all-traces, half of the time is left for further traces that end in the same places.
    let part = if arguments.all_traces.is_some() { 0.5 } else { 1.0 };
    let first = Options { budget: options.budget.share(part), ..options.clone() };
    let mut execution = Execution::of(analysed, &first, &mut tell);
    if let Some(most) = arguments.all_traces {
        execution.enumerate(analysed, &options, most, &mut tell);
    }
    if let Some(files) = files {
        // The inputs are written once more, in the order of the document: the shortest first.
        let lists = [("frontier", &execution.frontier), ("cone", &execution.cones)];
        for ((name, traces), told) in lists.into_iter().zip(counts) {
            for (number, trace) in (1..).zip(traces) {
                let inputs = interp::write_inputs(program, &trace.drawn);
                files.write(&format!("{name}-{number}.txt"), &inputs);
            }
            // Some traces that were told were replaced by shorter ones, so that there may be fewer traces than files.
            for number in traces.len() + 1..=told {
                files.remove(&format!("{name}-{number}.txt"));
            }
        }
    }
    execution
}

/// Writes what was analysed, for `proviso continue`, and what is proved of it in words. Nothing if that cannot
/// be written.
fn write_automaton(
    analysed: &Analysed<'_>,
    proved: &[String],
    checks: &[usize],
    budget: &Budget,
    files: &Files,
) -> Option<Automaton> {
    let mut automaton = analysed.automaton();
    let mut written = partial::spc::write(analysed.program, &mut *automaton, MAX_STATES, budget);
    // What an earlier run has analysed is not to be lost.
    if let Some(before) = analysed.before.filter(|before| before.fits && written.shortened) {
        let again = partial::spc::write_again(analysed.program, before);
        if again.states > written.states {
            written = again;
        }
    }
    written.tell(analysed.program, proved, checks);
    let is_written = files.write(AUTOMATON, &written.text);
    let Written { states, shortened, .. } = written;
    is_written.then(|| Automaton { file: AUTOMATON.to_owned(), states, shortened })
}

/// What was looked for after a run.
#[derive(Clone, Copy, Default)]
pub struct Reported<'a> {
    /// Safe cones and frontier traces.
    pub execution: Option<&'a Execution>,
    /// What was covered.
    pub coverage: Option<&'a Coverage>,
    /// Where further asserts and error calls stand, those to which no way leads.
    pub settled: &'a [Span],
    /// What earlier runs have proved, in sentences.
    pub earlier: &'a [String],
    /// What came of the program itself, where the outcome is about the part that an earlier run has left.
    pub plain: Option<&'a Outcome>,
    /// Whether what earlier runs have analysed was left out.
    pub rests: bool,
    /// The checks that are proved by what earlier runs have analysed.
    pub assumed: &'a [partial::Check],
}

/// The document of a run.
pub fn document(
    program: &Program,
    arguments: &Check,
    outcome: &Outcome,
    reported: &Reported<'_>,
    checks: &[partial::Check],
    files: Option<&Files>,
) -> Document {
    let input = &arguments.input;
    report::proviso::document(&Material {
        program,
        outcome,
        execution: reported.execution,
        checks,
        coverage: reported.coverage,
        settled: reported.settled,
        files: input.files.iter().map(|file| file.display().to_string()).collect(),
        options: input.words(),
        timelimit: arguments.timelimit,
        cputimelimit: arguments.cputimelimit,
        assumption: arguments.from.as_ref().map(|file| file.display().to_string()),
        earlier: reported.earlier,
        rests: reported.rests,
        assumed: reported.assumed,
        plain: reported.plain,
        folder: files.map(|files| files.name()),
        chosen: arguments.output_dir.as_ref().map(|folder| folder.display().to_string()),
        memlimit: arguments.memlimit,
        manner: arguments.manner.clone(),
        kept: arguments.kept.clone(),
        analysis: clap::ValueEnum::to_possible_value(&arguments.analysis)
            .map_or_else(String::new, |value| value.get_name().to_owned()),
    })
}

/// The document of a run that is ended before its first stage has ended.
pub fn nothing_yet(
    program: &Program,
    arguments: &Check,
    before: &Spc,
    settled: &[Span],
) -> Document {
    let outcome = Outcome::unknown(Unknown::TimeLimit);
    let reported = Reported { settled, earlier: &before.proved, ..Reported::default() };
    let open = partial::all_checks(program, Standing::Open);
    let mut document = document(program, arguments, &outcome, &reported, &open, None);
    "a limit was passed before anything new was analysed".clone_into(&mut document.reason);
    document
}

/// The checks of a program with an answer, some of which are proved by what earlier runs have analysed.
pub fn answered(
    program: &Program,
    outcome: &Outcome,
    assumed: &[partial::Check],
) -> Vec<partial::Check> {
    match &outcome.verdict {
        Verdict::Unsafe(found) => {
            let mut checks = partial::all_checks(program, Standing::Open);
            let violated = violated(program, found);
            for check in &mut checks {
                let proved = partial::Check { standing: Standing::Proved, ..check.clone() };
                if violated(check) {
                    check.standing = Standing::Violated;
                } else if assumed.contains(&proved) {
                    check.standing = Standing::Proved;
                }
            }
            checks
        }
        _ => partial::all_checks(program, Standing::Proved),
    }
}

/// Tells the check that an execution violates from others.
fn violated(
    program: &Program,
    found: &verify::Counterexample,
) -> impl Fn(&partial::Check) -> bool + use<> {
    let (error, reached) = (found.error, partial::reached(program, found));
    move |check| check.error == error && (check.call.is_none() || check.call == reached)
}

/// The checks that an answer need not speak of, since what earlier runs have analysed proves them. An empty list if an
/// execution violates one of these checks: then what the earlier runs say is wrong.
pub fn assumed(
    program: &Program,
    outcome: &Outcome,
    before: &Spc,
    whole: &Budget,
) -> Vec<partial::Check> {
    let proved = partial::proved_by(program, before, &whole.share(0.3));
    match &outcome.verdict {
        Verdict::Unsafe(found) if proved.iter().any(violated(program, found)) => Vec::new(),
        _ => proved,
    }
}
