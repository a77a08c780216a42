//! Why a verdict is what it is, in a sentence.

use cfa::Program;
use verify::{Proof, Unknown};

use crate::line;

/// Why a program is safe, if `summarized` of its loops were taken as one step each.
#[must_use]
pub fn of_proof(proof: &Proof, summarized: usize) -> String {
    match proof {
        Proof::NoPath => "No path leads to an error.".to_owned(),
        Proof::Executed { .. } => {
            "The program asks for nothing: its only execution ends without an error.".to_owned()
        }
        Proof::Unrolled { rounds } => unrolled(*rounds, summarized),
        Proof::Explored { nodes } => {
            let states = if *nodes == 1 { "state covers" } else { "states cover" };
            format!(
                "No check can fail: {nodes} abstract {states} every execution, without an error."
            )
        }
        Proof::Inductive { k, .. } => {
            format!("Proved by induction over the rounds of loops: the property is {k}-inductive.")
        }
        Proof::Contracts { functions: 1 } => {
            "Proved by induction over calls: 1 function keeps a contract that excludes errors."
                .to_owned()
        }
        Proof::Contracts { functions } => format!(
            "Proved by induction over calls: {functions} functions keep contracts that exclude errors."
        ),
        Proof::Abstraction { refinements: 1 } => {
            "An abstract fixpoint has no error, after 1 refinement.".to_owned()
        }
        Proof::Abstraction { refinements } => {
            format!("An abstract fixpoint has no error, after {refinements} refinements.")
        }
    }
}

/// That every execution was followed to its end, and through how many rounds of loops: a loop that was taken as one
/// step may have any number of them.
fn unrolled(rounds: u32, summarized: usize) -> String {
    let mut text = "Every execution was followed to its end".to_owned();
    match summarized {
        0 => {}
        1 => text.push_str("; one loop was taken as one step over all of its rounds"),
        _ => text.push_str(&format!(
            "; {summarized} loops were taken as one step each over all of their rounds"
        )),
    }
    let other = if summarized > 0 { "other " } else { "" };
    match rounds {
        0 => {}
        1 => text.push_str(&format!("; no {other}loop goes round more than once")),
        _ => text.push_str(&format!("; no {other}loop goes round more than {rounds} times")),
    }
    text + "."
}

/// Why a program is safe of which some executions were left out, since an assumption automaton calls them analysed.
#[must_use]
pub fn of_rest(proof: &Proof, summarized: usize) -> String {
    let others = match proof {
        Proof::NoPath => "No other path leads to an error.".to_owned(),
        Proof::Executed { .. } => "The only other execution ends without an error.".to_owned(),
        // The sentence about an invariant or an abstraction also holds if executions were left out.
        Proof::Inductive { .. } | Proof::Contracts { .. } | Proof::Abstraction { .. } => {
            of_proof(proof, summarized)
        }
        Proof::Unrolled { .. } | Proof::Explored { .. } => {
            let told =
                of_proof(proof, summarized).replace("Every execution", "Every other execution");
            told.replace("every execution", "every other execution")
        }
    };
    format!("Executions that the assumption automaton calls analysed were left out. {others}")
}

/// Why there is no answer: the name of the reason, and what more is known of it.
#[must_use]
pub fn of_unknown(program: &Program, why: &Unknown) -> String {
    let detail = match why {
        Unknown::TimeLimit | Unknown::MemoryLimit | Unknown::Interrupted | Unknown::Internal => {
            return why.name().to_owned();
        }
        Unknown::Unsupported { reason, edge } => {
            let span = edge.and_then(|edge| program.cfa.edges[edge].span);
            match span {
                Some(span) => format!("{reason} at {}", program.sources.describe(span)),
                None => reason.clone(),
            }
        }
        Unknown::Refuted(what) => format!("proof refuted: {what}"),
        Unknown::Solver(detail)
        | Unknown::NotReplayed(detail)
        | Unknown::Exhausted(detail)
        | Unknown::Property(detail) => detail.clone(),
    };
    // The answer is one line.
    let detail = line::one(&detail).replace(char::is_control, " ");
    format!("{}: {detail}", why.name())
}
