//! Trial runs: executions with inputs that are drawn at random.
//!
//! Trial runs find errors that lie behind many rounds of loops but ask little of the inputs, such as a wrong
//! element of a large array. They prove something only of a program that has one execution.

use cfa::{Op, Program, Scope};
use interp::{Config, Ending, RandomInputs, Runner};
use run::{Counterexample, Proof, Replayed, Run, Unknown, Verdict};

use crate::replay::replay;

/// How many runs are tried.
const MOST_RUNS: u64 = 8;

/// How many times larger the limit on steps is when a run is made again. This happens if the limit cuts the run off
/// before anything was drawn, and the end of the run would prove the program safe.
const LONGER: u64 = 400;

/// How many bytes a run may take, with the record of what was drawn.
const MOST_MEMORY: u64 = 1 << 28;

/// Runs the program some times, each time for at most `max_steps` edges, until an error is reached.
#[must_use]
pub fn tried(program: &Program, max_steps: u64, run: &Run<'_>) -> Verdict {
    let mut runner = Runner::new(program);
    for seed in 0..MOST_RUNS {
        if let Some(limit) = run.budget.exceeded() {
            return Verdict::Unknown(limit.into());
        }
        // Inputs with many zeros are easier to read, and reach more than others.
        let mut inputs =
            if seed % 2 == 0 { RandomInputs::with_zeros(seed) } else { RandomInputs::new(seed) };
        let mut ended = once(&mut runner, &mut inputs, max_steps, run);
        if let Once::Cut = ended
            && !may_depend_on_addresses(program)
        {
            ended = once(&mut runner, &mut inputs, max_steps.saturating_mul(LONGER), run);
        }
        match ended {
            Once::Reached(found) => return Verdict::Unsafe(found),
            Once::Ended { steps } if !may_depend_on_addresses(program) => {
                return Verdict::Safe(Proof::Executed { steps });
            }
            Once::Ended { .. } | Once::Decided | Once::Cut => break,
            Once::Other => {}
        }
    }
    Verdict::Unknown(Unknown::Exhausted("no trial run reaches an error".to_owned()))
}

/// What came of a run.
enum Once {
    /// The run reaches an error, and so does its replay with the inputs that were drawn.
    Reached(Box<Counterexample>),
    /// The run comes to an end of the program without an error, and no input was drawn.
    Ended {
        /// How many steps the run has.
        steps: u64,
    },
    /// The limit on steps cuts the run off before anything was drawn, as it would every other run.
    Cut,
    /// The run reaches no error, and no input was drawn: every other run does the same.
    Decided,
    /// The run reaches no error, but other inputs may lead to one.
    Other,
}

fn once(runner: &mut Runner<'_>, inputs: &mut RandomInputs, max_steps: u64, run: &Run<'_>) -> Once {
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
        _ if !ended.drawn.is_empty() => Once::Other,
        Ending::Returned(_)
        | Ending::Exited { .. }
        | Ending::Aborted { .. }
        | Ending::AssumptionFailed { .. }
            if ended.approximated == 0 =>
        {
            Once::Ended { steps: ended.steps }
        }
        Ending::StepLimit => Once::Cut,
        _ => Once::Decided,
    }
}

/// Whether what a program does may depend on addresses, which the machine chooses without asking for a decision:
/// whether the program uses memory, or computes with an address. Output does not count, since no execution reads the
/// output again.
fn may_depend_on_addresses(program: &Program) -> bool {
    let Program { cfa, terms, .. } = program;
    let is_address = |var| {
        let known = cfa.variables.get(var);
        known.is_none_or(|known| matches!(known.scope, Scope::Address(_)))
    };
    cfa.edges.iter().flat_map(|edge| &edge.ops).any(|op| match op {
        Op::Output { .. } => false,
        _ if op.uses_memory() => true,
        _ => op.terms().any(|term| terms.vars(term).iter().any(|var| is_address(*var))),
    })
}
