//! Stages one after the other, and strategies side by side: each lane has a thread, and the first answer ends
//! them all. Every answer is a right one, so the verdict does not depend on who is first.

use std::thread;

use cfa::Program;
use run::{Run, Unknown, Verdict};
use smt::NewSolver;

use crate::config::Config;
use crate::findings::Findings;
use crate::knowledge::Knowledge;
use crate::strategy::{Lane, When};

/// The stack of a lane: walks over terms recurse. Only what is used of it takes memory.
const STACK: usize = 1 << 28;

/// What the stages of all lanes found; what the stage found that answered comes last.
pub(crate) fn run(
    program: &Program,
    config: &Config,
    solver: NewSolver<'_>,
    run: &Run<'_>,
    mut lanes: Vec<Lane>,
) -> Vec<Findings> {
    let last = lanes.pop();
    if lanes.is_empty() {
        return last.map_or_else(Vec::new, |only| one(program, config, solver, run, only));
    }
    let budget = run.budget.raced();
    let one = |lane: Lane| {
        let run = Run { budget: budget.clone(), events: &*config.progress };
        let found = one(program, config, solver, &run, lane);
        if found.last().is_some_and(Findings::answers) {
            budget.answer();
        }
        found
    };
    let mut found: Vec<Vec<Findings>> = thread::scope(|scope| {
        let started: Vec<_> = lanes
            .into_iter()
            .map(|lane| {
                let thread = thread::Builder::new().name("lane".to_owned()).stack_size(STACK);
                // A lane that the system has no thread for is left out: the others do what they can.
                thread.spawn_scoped(scope, || one(lane))
            })
            .collect();
        let mut found: Vec<Vec<Findings>> = last.into_iter().map(one).collect();
        for thread in started.into_iter().flatten() {
            found.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        found
    });
    let is_contradiction =
        |last: &Findings| matches!(last.verdict, Verdict::Unknown(Unknown::Refuted(_)));
    if let Some(lane) = found.iter().position(|lane| lane.last().is_some_and(is_contradiction)) {
        return found.swap_remove(lane);
    }
    let answers: Vec<&Verdict> = found
        .iter()
        .filter_map(|lane| Some(&lane.last().filter(|last| last.answers())?.verdict))
        .collect();
    let is_safe = |verdict: &&&Verdict| matches!(verdict, Verdict::Safe(_));
    let safe = answers.iter().filter(is_safe).count();
    if safe > 0 && safe < answers.len() {
        let why = "one stage has a proof, another one an error".to_owned();
        return vec![Findings::new(Verdict::Unknown(Unknown::Refuted(why)))];
    }
    config.journal.put_answer_last();
    found.sort_by_key(|lane| lane.last().is_some_and(Findings::answers));
    found.into_iter().flatten().collect()
}

/// What the stages of one lane found.
fn one(
    program: &Program,
    config: &Config,
    solver: NewSolver<'_>,
    run: &Run<'_>,
    stages: Lane,
) -> Vec<Findings> {
    let mut known = Knowledge::default();
    for stage in stages {
        match stage.when {
            When::Always => {}
            When::AfterLimit if known.ran_into_limit() => {}
            When::AfterLimit => continue,
            When::Unfinished if known.values.is_some() => {}
            When::Unfinished => continue,
            When::WhileUnrolling if known.is_unrolled() => break,
            When::WhileUnrolling => {}
        }
        let found = stage.run(program, config, &mut known, solver, run);
        let ended = stage.ends(&found, &run.budget);
        known.learn(found);
        if ended {
            break;
        }
    }
    known.found
}
