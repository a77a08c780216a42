//! Which locations of a program no execution gets to within what was analysed.

use std::collections::BTreeSet;

use cfa::{EdgeId, LocId, Program};
use engines::bounded::{Bounded, Until};
use run::{Budget, Run, Verdict};
use smt::NewSolver;

use crate::automaton::Automaton;
use crate::product::{inevitable, product_to};

/// How many locations the product may have.
const MAX_LOCATIONS: usize = 100_000;

/// The given locations, without those that some execution reaches while an automaton calls the execution analysed.
/// Empty if this takes too long to find out.
pub(crate) fn out_of_reach_of(
    program: &Program,
    automaton: &mut dyn Automaton,
    mut places: BTreeSet<LocId>,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> BTreeSet<LocId> {
    let none = BTreeSet::new();
    let Ok(made) = product_to(program, automaton, &places, MAX_LOCATIONS, budget) else {
        return none;
    };
    let in_time = || budget.exceeded().is_none();
    let Some(simple) = passes::simplify_while(&made.rewritten.program, &in_time) else {
        return none;
    };
    let target = |id: LocId| Some((id, made.targets.get(&simple.back.location(id)?.location)?));
    let targets: Vec<_> = simple.program.cfa.errors().filter_map(target).collect();
    let mut bounded = Bounded::new(&simple.program, solver);
    let run = Run::unobserved(budget.clone());
    let apart = loop {
        match bounded.check(Until::default(), &run) {
            Verdict::Safe(_) => break places,
            Verdict::Unknown(_) => break none,
            // The execution is not replayed: if the program does not have it, the check merely stays open.
            Verdict::Unsafe(execution) => {
                let found = targets.iter().find(|(id, _)| *id == execution.error);
                let Some((_, found)) = found else { break none };
                places.remove(&found.location);
                let same = targets.iter().filter(|(_, each)| each.location == found.location);
                same.for_each(|(id, _)| bounded.set_aside(*id));
            }
        }
    };
    budget.abandon(bounded);
    apart
}

/// The locations where executions decide whether they violate a check, which is given by its error location. Other
/// decisions in the same line belong to the same condition.
pub(crate) fn front(program: &Program, check: LocId) -> BTreeSet<LocId> {
    let cfa = &program.cfa;
    let into = |at: LocId| cfa.edges.entries().filter(move |(_, edge)| edge.target == at);
    let line = |edge: EdgeId| {
        let span = cfa.edges[edge].span?;
        Some((span.file, program.sources.position(span).line))
    };
    let mut found = BTreeSet::new();
    let mut lines = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut todo = vec![check];
    while let Some(at) = todo.pop() {
        if !seen.insert(at) {
            continue;
        }
        let before: Vec<_> = into(at).collect();
        if before.is_empty() {
            found.insert(at);
        }
        for (id, edge) in before {
            if cfa.locations[edge.source].edges.len() > 1 {
                found.insert(edge.source);
                lines.extend(line(id));
            } else if edge.callee().is_none() && inevitable(program, edge.source).is_some() {
                todo.push(edge.source);
            } else {
                found.insert(at);
            }
        }
    }
    let mut todo: Vec<LocId> = found.iter().copied().collect();
    while let Some(at) = todo.pop() {
        for (id, edge) in into(at) {
            let is_same = line(id).is_some_and(|line| lines.contains(&line));
            if is_same && found.insert(edge.source) {
                todo.push(edge.source);
            }
        }
    }
    found
}
