//! `proviso check`: verifies a program.

mod files;
mod forward;
mod limits;
mod progress;
mod solvers;

use std::sync::Arc;

use cfa::Program;
use report::Execution;
use verify::{Analysis, Config, Outcome, Unknown, Verdict};

use super::tell_assumptions;
use crate::arguments::{self, Check, Stats};
use crate::exit::Exit;
use crate::input;
use crate::output;
use files::Files;
pub use limits::Limited;
use progress::Watch;
use solvers::Solvers;

/// Verifies the program and says what came of it.
pub fn run(arguments: &Check, limited: &Limited) -> Result<Exit, Exit> {
    let (mut program, subject) = input::load_with_subject(&arguments.input)?;
    // Made before the run, so that a long one is not in vain.
    let files = arguments.output_dir.as_deref().map(Files::prepare).transpose()?;
    let saved = forward::Saved::open(&arguments.forward)?;
    tell_assumptions(&program);
    let property = subject.property.clone();
    let name = property.name();
    if !property.is_reachability() {
        let why = report::of_unknown(&program, &Unknown::Property(name.to_owned()));
        output::conclude(&format!("Verification result: UNKNOWN ({why})\n"));
        return Ok(Exit::Unknown);
    }
    let config = Config {
        analysis: analysis(arguments.analysis),
        forward: forward::options(&arguments.forward, &mut program)?,
        certify: arguments.certify,
        simplify: simplifies(arguments),
        summarize: summarizes(arguments),
        invariants: files.is_some(),
        budget: limited.budget.clone(),
        unroll: arguments.unroll,
        backward: arguments.backward.options(),
        journal: Arc::clone(&limited.journal),
        ..Config::default()
    };
    let watch = Watch::start(Arc::clone(&config.progress));
    let solvers = Solvers::new(&arguments.solver)?;
    let outcome = verify::verify(&program, &config, &|| solvers.open());
    watch.end();
    match arguments.stats {
        Some(Stats::Text) => {
            output::tell(report::statistics(&outcome, verify::peak()).trim_end());
            if let Some(loops) = report::summarized(&program, &outcome) {
                output::tell(&loops);
            }
        }
        Some(Stats::Json) => output::tell(&report::statistics_json(&outcome, verify::peak())),
        None => {}
    }
    if let Some(file) = saved {
        let precision = outcome.precision.clone().unwrap_or_default();
        file.save(&verify::value::write(&program, &precision))?;
    }
    if let Some(found) = &outcome.backward {
        output::write(&arguments::backward::show(&arguments.backward.print, found));
    }
    let subject = report::Subject {
        is_c: subject.language == Some(frontend::Language::C),
        files: subject.files,
        specification: subject.property.text,
        entry: subject.entry,
    };
    let exit = conclude(&program, &subject, name, &outcome, files.as_ref());
    // Taking a large graph apart would take longer than the limits allow, and the system does it
    // at once when the process ends.
    std::mem::forget(outcome);
    std::mem::forget(program);
    exit
}

/// Whether loops are summarised: if the user says so, and with `auto` unless the user says no. Precisions
/// are about the program as it is.
fn summarizes(arguments: &Check) -> bool {
    let forward = &arguments.forward;
    let precision = forward.load_precision.is_some() || forward.save_precision.is_some();
    let wanted = match arguments.summarize_loops {
        Some(wanted) => wanted == arguments::SummarizeLoops::Exact,
        None => arguments.analysis == arguments::Analysis::Auto && !arguments.no_simplify,
    };
    wanted && !precision
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

fn analysis(name: arguments::Analysis) -> Analysis {
    match name {
        arguments::Analysis::Auto => Analysis::Auto,
        arguments::Analysis::Bmc => Analysis::Bmc,
        arguments::Analysis::KInduction => Analysis::KInduction,
        arguments::Analysis::Value => Analysis::Value,
        arguments::Analysis::ValueItp => Analysis::ValueItp,
        arguments::Analysis::Backward => Analysis::Backward,
        arguments::Analysis::Predicate => Analysis::Predicate,
        arguments::Analysis::ValueItpPredicate => Analysis::ValueItpPredicate,
        arguments::Analysis::Product => Analysis::Product,
    }
}

/// Writes the verdict and what it rests on.
fn conclude(
    program: &Program,
    subject: &report::Subject,
    property: &str,
    outcome: &Outcome,
    files: Option<&Files>,
) -> Result<Exit, Exit> {
    let (text, exit) = match &outcome.verdict {
        Verdict::Safe(proof) => {
            let invariants = report::invariants(program, subject, &outcome.invariants);
            if let Some(files) = files.filter(|_| subject.is_c) {
                files.correctness(program, subject, &invariants)?;
            }
            let reason = report::of_proof(proof);
            let list = report::list_invariants(program, &invariants);
            let certified = report::certification(outcome).unwrap_or_default();
            (format!("{reason}\n{list}{certified}Verification result: TRUE\n"), Exit::Done)
        }
        Verdict::Unsafe(found) => {
            let execution = Execution::of(program, found);
            let text = report::counterexample(program, found, &execution);
            if let Some(files) = files {
                files.violation(program, subject, found, &execution, &text)?;
            }
            (format!("{text}Verification result: FALSE ({property})\n"), Exit::Violation)
        }
        Verdict::Unknown(why) => {
            let known = report::stages(&outcome.stages);
            let why = report::of_unknown(program, why);
            (format!("{known}Verification result: UNKNOWN ({why})\n"), Exit::Unknown)
        }
    };
    output::conclude(&text);
    Ok(exit)
}
