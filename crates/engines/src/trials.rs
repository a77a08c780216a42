//! Trial runs: executions with inputs that are drawn at random.
//!
//! They find what lies behind many rounds of loops but asks little of its inputs, such as a wrong element
//! of a large array. They prove nothing.

use cfa::Program;
use interp::{Config, Ending, Random, Runner};
use run::{Counterexample, Replayed, Run, Unknown, Verdict};

use crate::replay::replay;

/// How many runs are tried.
const MOST_RUNS: u64 = 8;

/// How many bytes a run may take, with the record of what was drawn.
const MOST_MEMORY: u64 = 1 << 28;

/// Runs the program some times, each for so many edges at most, until an error is reached.
#[must_use]
pub fn tried(program: &Program, max_steps: u64, run: &Run<'_>) -> Verdict {
    let mut runner = Runner::new(program);
    for seed in 0..MOST_RUNS {
        if let Some(limit) = run.budget.exceeded() {
            return Verdict::Unknown(limit.into());
        }
        // Inputs with many zeros are easier to read, and reach more than others.
        let mut inputs = if seed % 2 == 0 { Random::with_zeros(seed) } else { Random::new(seed) };
        match once(&mut runner, &mut inputs, max_steps, run) {
            Once::Reached(found) => return Verdict::Unsafe(found),
            Once::Decided => break,
            Once::Other => {}
        }
    }
    Verdict::Unknown(Unknown::Exhausted("no trial run reaches an error".to_owned()))
}

/// What came of a run.
enum Once {
    /// It reaches an error, and does so again with what was drawn.
    Reached(Box<Counterexample>),
    /// It reaches none, and nothing was drawn: every other run does the same.
    Decided,
    /// It reaches none.
    Other,
}

fn once(runner: &mut Runner<'_>, inputs: &mut Random, max_steps: u64, run: &Run<'_>) -> Once {
    let (budget, memory) = (Some(&run.budget), MOST_MEMORY);
    let config = Config { max_steps, memory, budget, ..Config::default() };
    let ended = runner.run(&config, inputs);
    match ended.ending {
        Ending::Error { .. } if ended.approximated == 0 => {
            match replay(runner.program(), &ended.drawn, &run.budget) {
                Replayed::Error(found) => Once::Reached(Box::new(found)),
                Replayed::Not(_) => Once::Other,
            }
        }
        _ if ended.drawn.is_empty() => Once::Decided,
        _ => Once::Other,
    }
}
