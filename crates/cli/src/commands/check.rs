//! `proviso check`: verifies a program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cfa::Program;
use verify::{Analysis, Config, Outcome, Proof, Unknown, Verdict};

use super::tell_assumptions;
use crate::arguments::{self, Check};
use crate::exit::Exit;
use crate::input;
use crate::output;

/// Verifies the program and says what came of it.
pub fn run(arguments: &Check) -> Result<Exit, Exit> {
    let program = input::load(&arguments.input)?;
    tell_assumptions(&program);
    let config = Config {
        analysis: match arguments.analysis {
            arguments::Analysis::Auto => Analysis::Auto,
            arguments::Analysis::Bmc => Analysis::Bmc,
            arguments::Analysis::KInduction => Analysis::KInduction,
        },
        time: Some(arguments.timelimit),
        memory: Some(arguments.memlimit),
        unroll: arguments.unroll,
        stop: watch_interrupt(),
    };
    let outcome = verify::verify(&program, &config);
    if arguments.stats {
        output::tell(&format!("time: {:?}", outcome.time));
    }
    Ok(conclude(&program, &outcome))
}

/// A flag that an interrupt sets; a second interrupt ends the process.
fn watch_interrupt() -> Arc<AtomicBool> {
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

/// Writes the verdict and what it rests on.
fn conclude(program: &Program, outcome: &Outcome) -> Exit {
    let (text, exit) = match &outcome.verdict {
        Verdict::Safe(proof) => {
            (format!("{}\nVerification result: TRUE\n", reason(proof)), Exit::Done)
        }
        Verdict::Unsafe(found) => {
            let inputs = interp::write_inputs(program, &found.drawn);
            let place = program.cfa.locations[found.error].span;
            let place = place
                .map_or_else(String::new, |span| format!(" at {}", program.sources.describe(span)));
            let text = format!(
                "Error reached{place} after {} steps, with these inputs:\n{inputs}\
                 Verification result: FALSE (unreach-call)\n",
                found.steps
            );
            (text, Exit::Violation)
        }
        Verdict::Unknown(why) => {
            let why = describe(program, why);
            (format!("Verification result: UNKNOWN ({why})\n"), Exit::Unknown)
        }
    };
    output::write(&text);
    exit
}

fn reason(proof: &Proof) -> String {
    match proof {
        Proof::NoPath => "No path leads to an error.".to_owned(),
        Proof::Unrolled { rounds: 0 } => "Every execution was followed to its end.".to_owned(),
        Proof::Unrolled { rounds } => {
            format!(
                "Every execution was followed to its end; no loop goes round more than {rounds} times."
            )
        }
        Proof::Inductive { k } => format!("The property is {k}-inductive."),
    }
}

fn describe(program: &Program, why: &Unknown) -> String {
    match why {
        Unknown::TimeLimit => "time limit".to_owned(),
        Unknown::MemoryLimit => "memory limit".to_owned(),
        Unknown::Interrupted => "interrupted".to_owned(),
        Unknown::Unsupported { reason, edge } => {
            let span = edge.and_then(|edge| program.cfa.edges[edge].span);
            let place = span
                .map(|span| format!(" at {}", program.sources.describe(span)))
                .unwrap_or_default();
            format!("unsupported: {reason}{place}")
        }
        Unknown::Solver(reason) => format!("solver: {reason}"),
        Unknown::NotReplayed(instead) => {
            format!("an execution was found that does not replay: {instead}")
        }
        Unknown::Exhausted(what) => what.clone(),
    }
}
