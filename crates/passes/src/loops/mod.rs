//! Loop summaries (Tian, Duan & Duan 2018): a simple loop becomes one step over all of its rounds.
//!
//! A loop is simple if one round can be executed with symbols ([`round`]), if the value of every
//! variable after any number of rounds has a closed form ([`solve`]), for one kind of rounds or for
//! several that follow each other ([`phases`]), and if the number of rounds that the loop completes can be
//! computed from the values at its head ([`guard`]). The summary computes
//! that number, gives every variable its value after so many rounds, and goes on with the round that
//! is not completed as it was: it leaves the loop somewhere, reaches an error, or ends the execution.
//! So breaks, returns and failing checks need no care of their own, and zero rounds are a case like
//! any other.
//!
//! The number of rounds is a term and not a guess, so that a summary asks for no inputs, and an
//! execution of the rewritten program has the inputs of the original. All arithmetic is that of the
//! machine, wrapping around; where a number may jump over its bound by wrapping around, the loop stays
//! beside its summary, and a condition on the values at its head decides between the two. Executions
//! that never leave the loop have no counterpart in the rewritten program: they reach no error.

mod accelerate;
mod annotate;
mod apart;
mod convex;
mod facts;
mod grown;
mod guard;
mod loose;
mod numbers;
mod paths;
mod phases;
mod poly;
mod relations;
mod rewrite;
mod round;
mod solve;
mod summary;
mod whole;

use std::collections::BTreeMap;

use cfa::{LocId, LoopId, Loops, Program};
use interp::{Shortcut, Shortcuts};
use term::Terms;

use crate::Rewritten;
pub use accelerate::accelerate;
pub use annotate::annotate;
use summary::Summary;

/// How often loops are looked for again, since loops around summarised ones may have become simple.
const MOST_DEPTH: u32 = 6;

/// A program with summaries of loops, and which loops these were.
pub struct Summarized {
    /// The program.
    pub rewritten: Rewritten,
    /// The heads of the loops in the program that was given, in order.
    pub heads: Vec<LocId>,
}

/// The program with a summary in place of each loop that has an exact one, inner loops first. `None`
/// if no loop has one.
#[must_use]
pub fn summarize(program: &Program) -> Option<Summarized> {
    let mut all: Option<Summarized> = None;
    for _ in 0..MOST_DEPTH {
        let before = all.as_ref().map_or(program, |all| &all.rewritten.program);
        // A loop may stay beside its summary, for the executions in which a number wraps around.
        let is_done = |head: LocId| {
            all.as_ref().is_some_and(|all| {
                let origin = all.rewritten.back.location(head);
                origin.is_some_and(|origin| all.heads.contains(&origin.location))
            })
        };
        let (terms, summaries) = innermost(before, &is_done);
        if summaries.is_empty() {
            break;
        }
        let heads: Vec<LocId> = summaries.iter().map(|(summary, _)| summary.head).collect();
        let rewritten = rewrite::rewrite(before, terms, &summaries);
        all = Some(match all {
            None => Summarized { rewritten, heads },
            Some(Summarized { rewritten: first, heads: mut known }) => {
                let origins = heads.iter().filter_map(|head| first.back.location(*head));
                known.extend(origins.map(|origin| origin.location));
                known.sort_unstable();
                known.dedup();
                let back = first.back.then(&rewritten.back);
                let rewritten = Rewritten { program: rewritten.program, back };
                Summarized { rewritten, heads: known }
            }
        });
    }
    all
}

/// The loops of a program that a pass may look at, and their heads: the head is no error, and the function does not
/// return from inside of the loop. No loops are given if the program has more loops than `most`.
fn candidates(program: &Program, loops: &Loops, most: usize) -> Vec<(LoopId, LocId)> {
    if loops.loops.len() > most {
        return Vec::new();
    }
    let heads = loops.loops.entries().map(|(id, known)| (id, known.head));
    heads
        .filter(|(id, head)| {
            let location = &program.cfa.locations[*head];
            let exit = program.cfa.functions[location.function].exit;
            !location.error && !loops.body(*id).contains(&exit)
        })
        .collect()
}

/// Summaries of the loops that have no other loops in them, each with the locations of its loop, and
/// the table of the program, which has grown.
fn innermost(
    program: &Program,
    is_done: &dyn Fn(LocId) -> bool,
) -> (Terms, Vec<(Summary, Vec<LocId>)>) {
    let loops = Loops::of(&program.cfa);
    let mut terms = program.terms.clone();
    let mut summaries = Vec::new();
    for (id, head) in candidates(program, &loops, usize::MAX) {
        if is_done(head) {
            continue;
        }
        if let Some(summary) = Summary::of(program, &loops, head, &mut terms) {
            summaries.push((summary, loops.body(id).to_vec()));
        }
    }
    (terms, summaries)
}

/// What the interpreter needs in order to take many rounds of loops at once: all loops of the program
/// that have an exact summary, inner loops first.
#[must_use]
pub fn shortcuts(program: &Program) -> Shortcuts {
    let mut found: Vec<Summary> = Vec::new();
    let mut last: Option<Program> = None;
    for _ in 0..MOST_DEPTH {
        let before = last.as_ref().unwrap_or(program);
        // Locations keep their numbers, and those that were added are no heads of the program.
        let is_done = |head: LocId| {
            program.cfa.locations.get(head).is_none()
                || found.iter().any(|summary| summary.head == head)
        };
        let (terms, summaries) = innermost(before, &is_done);
        if summaries.is_empty() {
            break;
        }
        last = Some(rewrite::rewrite(before, terms, &summaries).program);
        found.extend(summaries.into_iter().map(|(summary, _)| summary));
    }
    let Some(Program { mut terms, .. }) = last else { return Shortcuts::default() };
    let mut loops = BTreeMap::new();
    for summary in found {
        let phases = summary.phases.iter();
        let list: Option<Vec<Shortcut>> = phases
            .map(|phase| phase.shortcut(&mut terms, program, summary.head, summary.edges))
            .collect();
        loops.extend(list.map(|list| (summary.head, list)));
    }
    Shortcuts { terms, loops }
}
