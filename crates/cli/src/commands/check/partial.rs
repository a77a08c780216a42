//! What a run without an answer was worth: the search for traces, and the files that tell of them.

use std::time::Duration;

use cfa::Program;
use partial::{Analysed, Execution, Options, Standing, Trace};
use report::proviso::{Material, document::Document};
use verify::{Analysis, Budget, Outcome, Unknown, Verdict};

use super::files::Files;
use crate::arguments::Check;
use crate::exit::Exit;

/// How many states an automaton that is written may have.
const MAX_STATES: usize = 200_000;

/// How long a report may take after an interrupt: whoever asked a run to stop does not wait for long.
const AFTER_INTERRUPT: Duration = Duration::from_millis(300);

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
    whole.share(1.0 - kept / all).share_of_memory(0.9)
}

/// What the report may use.
fn budget(arguments: &Check, outcome: &Outcome, whole: &Budget) -> Budget {
    match &outcome.verdict {
        // The budget of the run was cancelled.
        Verdict::Unknown(Unknown::Interrupted) => Budget::within(AFTER_INTERRUPT),
        // What is not needed of the time limit is not for the report alone.
        _ => whole.at_most(reserve(arguments).max(Duration::from_millis(10))),
    }
}

/// What was found out about a run after it.
pub struct Found {
    /// The document.
    pub document: Document,
    /// An error that was met on the way: then the answer is FALSE.
    pub violation: Option<verify::Counterexample>,
}

/// Finds out what a run without an answer was worth.
pub fn report(
    program: &Program,
    arguments: &Check,
    outcome: &Outcome,
    whole: &Budget,
    files: Option<&Files>,
    solver: smt::NewSolver<'_>,
) -> Result<Found, Exit> {
    let budget = budget(arguments, outcome, whole);
    let analysed = Analysed::of(program, outcome);
    let options =
        Options { analysis: Analysis::Bmc, solver, budget: budget.share(0.9), most: None };
    let mut written = Ok(());
    let mut counts = [0_u32; 2];
    let mut tell = |trace: &Trace| {
        let is_cone = trace.kind == partial::Kind::Cone;
        let count = &mut counts[usize::from(is_cone)];
        *count += 1;
        if let (Some(files), Ok(())) = (files, &written) {
            let name = if is_cone { "cone" } else { "frontier" };
            let inputs = interp::write_inputs(program, &trace.drawn);
            written = files.write(&format!("{name}-{count}.txt"), &inputs);
        }
    };
    let execution = Execution::of(&analysed, &options, &mut tell);
    written?;
    let checks = partial::checks(program, &mut *analysed.automaton(), &budget);
    let document = document(program, arguments, outcome, Some(&execution), &checks, files);
    if let Some(files) = files {
        let automaton = partial::spc::write(program, &mut *analysed.automaton(), MAX_STATES);
        files.write("assumption.spc", &automaton.text)?;
    }
    Ok(Found { document, violation: execution.violation })
}

/// The document of a run.
pub fn document(
    program: &Program,
    arguments: &Check,
    outcome: &Outcome,
    execution: Option<&Execution>,
    checks: &[partial::Check],
    files: Option<&Files>,
) -> Document {
    let input = &arguments.input;
    report::proviso::document(&Material {
        program,
        outcome,
        execution,
        checks,
        coverage: None,
        files: input.files.iter().map(|file| file.display().to_string()).collect(),
        options: input.words(),
        timelimit: arguments.timelimit,
        folder: files.map(|files| files.name()),
        analysis: clap::ValueEnum::to_possible_value(&arguments.analysis)
            .map_or_else(String::new, |value| value.get_name().to_owned()),
    })
}

/// The checks of a program with an answer.
pub fn answered(program: &Program, outcome: &Outcome) -> Vec<partial::Check> {
    match &outcome.verdict {
        Verdict::Unsafe(found) => {
            let mut checks = partial::all_checks(program, Standing::Open);
            let reached = partial::reached(program, found);
            for check in &mut checks {
                let here = check.error == found.error;
                if here && (check.call.is_none() || check.call == reached) {
                    check.standing = Standing::Violated;
                }
            }
            checks
        }
        _ => partial::all_checks(program, Standing::Proved),
    }
}
