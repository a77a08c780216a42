//! Stages one after the other, and strategies side by side: each lane has a thread, and the first answer ends
//! them all. Every answer is a right one, so the verdict does not depend on who is first.

use std::thread;
use std::time::{Duration, Instant};

use cfa::Program;
use run::{Run, Unknown, Verdict};
use smt::NewSolver;

use crate::config::Config;
use crate::findings::Findings;
use crate::knowledge::Knowledge;
use crate::strategy::{Lane, Stage, When};

/// The stack of a lane: walks over terms recurse. Only what is used of it takes memory.
const STACK: usize = 1 << 28;

/// What the stages of all lanes found; the findings of the stage that answered come last.
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
                // A lane for which the system has no thread is left out: the other lanes do what they can.
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

/// The stages of `auto` share this much of the time first, and then the rest, if enough time is left (see `LONGER`).
/// Each stage takes a part of the time that is left, even if the stage does not help, so without this a stage that
/// answers would come later the more time there is; and most programs that are answered at all are answered within
/// seconds.
const BRIEF: Duration = Duration::from_secs(10);

/// The stages are tried briefly only if at least this many times as much time is left for the second try.
const LONGER: u32 = 2;

/// A stage that came to its end in less than this part of the short time is not tried again.
const MOST_IDLE: f64 = 0.02;

/// While stages are tried briefly, the process may grow to this part of the memory limit at most: other stages follow.
const BRIEF_MEMORY: f64 = 0.5;

/// What came of a stage.
#[derive(Clone, Copy)]
enum Tried {
    /// No other stage is to be tried.
    Ended,
    /// The stage had nothing more to try.
    Done,
    /// The stage ran out of time or memory.
    Stopped,
    /// It was not the turn of the stage.
    LeftOut,
}

/// What the stages of one lane found.
fn one<'p>(
    program: &'p Program,
    config: &Config,
    solver: NewSolver<'_>,
    run: &Run<'_>,
    lane: Lane,
) -> Vec<Findings> {
    let mut known = Knowledge::default();
    let try_one = |known: &mut Knowledge<'p>, stage: &Stage, within: &Run<'_>| match stage.when {
        When::AfterLimit if !known.ran_into_limit() => Tried::LeftOut,
        When::Unfinished if known.values.is_none() => Tried::LeftOut,
        When::WhileUnrolling if known.is_unrolled() => Tried::Ended,
        _ => {
            let found = stage.run(program, config, known, solver, within);
            let ended = stage.ends(&found, &run.budget);
            known.learn(found);
            match ended {
                true => Tried::Ended,
                false if known.ran_into_limit() => Tried::Stopped,
                false => Tried::Done,
            }
        }
    };
    let mut stages = lane.stages;
    let deadline = run.budget.deadline();
    let enough = Instant::now().checked_add(BRIEF * (1 + LONGER));
    if lane.is_brief_first && deadline.is_none_or(|end| enough.is_some_and(|enough| enough <= end))
    {
        let brief = run.with(run.budget.at_most(BRIEF));
        let mut again = Vec::new();
        for stage in stages {
            let start = Instant::now();
            let memory = stage.memory.min(BRIEF_MEMORY);
            let tried = match brief.budget.exceeded() {
                Some(_) => Tried::LeftOut,
                None => try_one(&mut known, &Stage { memory, ..stage.clone() }, &brief),
            };
            match tried {
                Tried::Ended => return known.found,
                Tried::Done if start.elapsed() < BRIEF.mul_f64(MOST_IDLE) => {}
                Tried::Done | Tried::Stopped | Tried::LeftOut => again.push(stage),
            }
        }
        // The longest unrolling takes memory that other stages need more.
        known.unrolling = None;
        stages = Box::new(again.into_iter());
    }
    for stage in stages {
        if let Tried::Ended = try_one(&mut known, &stage, run) {
            break;
        }
    }
    known.found
}
