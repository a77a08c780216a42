//! A toy analysis against a plain search of concrete states, on random small programs with calls
//! and recursion. Runs are halted at every single call of an operator: the graph is whole then,
//! and going on gives the answer that an uninterrupted run gives.

#![allow(missing_docs)]

mod directed;
mod domain;
mod program;

use std::cell::Cell;
use std::collections::BTreeSet;

use cfa::{LocId, Reach};
use domain::{Clock, Grow, Halt, Precision, State, Style, Valuations, leq};
use program::{Reached, Toy, Truth, Valuation};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use proviso_cpa::{Arg, Cegar, Counter, Ended, NodeId, Plan, Prune, Status, Traversal};

#[derive(Clone, Copy, Debug)]
struct Setting {
    style: Style,
    traversal: Traversal,
    prune: Prune,
    /// Which variables are in the precision at the start.
    tracked: [bool; 3],
}

fn settings() -> impl Strategy<Value = Setting> {
    let styles = prop::sample::select(vec![Style::Sets, Style::Split, Style::Merged]);
    let traversals = prop::sample::select(vec![
        Traversal::Dfs,
        Traversal::Bfs,
        Traversal::ReversePostOrder,
        Traversal::ErrorDistance,
    ]);
    let prunes = prop::sample::select(vec![Prune::Lazy, Prune::Full]);
    let tracked = prop::array::uniform3(prop::bool::weighted(0.25));
    (styles, traversals, prunes, tracked).prop_map(|(style, traversal, prune, tracked)| Setting {
        style,
        traversal,
        prune,
        tracked,
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Safe,
    Unsafe,
    Unresolved,
}

/// Runs to the end, however often the clock halts, and looks at the graph whenever it does. Gives
/// the verdict and the number of calls.
fn run(
    toy: &Toy,
    truth: &Truth,
    setting: Setting,
    halts: Vec<u32>,
    stubborn: Option<LocId>,
) -> Result<(Verdict, u32), String> {
    let reach = Reach::of(&toy.cfa);
    let most = halts.len();
    let clock = Clock { calls: Cell::new(0), halts };
    let tracked: Vec<usize> = (0..3).filter(|var| setting.tracked[*var]).collect();
    let precision = Precision::default().with(toy.cfa.locations.ids(), &tracked);
    let mut cpa = Valuations { toy, clock: &clock, style: setting.style, precision };
    let mut grow = Grow { truth, stubborn, looked_at: BTreeSet::new() };
    let halt = || clock.tick().err();
    let plan = Plan { cfa: &toy.cfa, reach: &reach, traversal: setting.traversal, halt: &halt };
    let counter = Counter::new(&run::Silent);
    let mut cegar = Cegar::new(&plan, setting.prune, &counter);
    let mut halted = 0;
    let verdict = loop {
        let ended = cegar.search(&mut cpa, &mut grow);
        cegar.check()?;
        is_closed(toy, &reach, cegar.arg())?;
        match ended {
            Ended::Safe => break Verdict::Safe,
            Ended::Unsafe(_) => break Verdict::Unsafe,
            Ended::Unresolved => break Verdict::Unresolved,
            Ended::Halted(Halt) => halted += 1,
        }
        if halted > most {
            return Err("halted more often than it was told to".to_owned());
        }
    };
    if verdict != Verdict::Unsafe {
        is_decided(cegar.arg(), &grow)?;
    }
    let nodes = cegar.arg().len() as u64;
    let statistics = counter.sums();
    if statistics.added - statistics.removed != nodes {
        return Err(format!("{statistics:?} and {nodes} nodes"));
    }
    Ok((verdict, clock.calls.get()))
}

/// No node is open, and each target was looked at and is listed.
fn is_decided(arg: &Arg<Valuations<'_>>, grow: &Grow<'_>) -> Result<(), String> {
    let listed: BTreeSet<NodeId> = arg.unresolved.iter().map(|target| target.node).collect();
    for (id, node) in arg.nodes() {
        let right = match node.status {
            Status::Target => listed.contains(&id) && grow.looked_at.contains(&id),
            Status::Open => false,
            _ => true,
        };
        if !right {
            return Err(format!("{id} is {:?} at the end", node.status));
        }
    }
    Ok(())
}

/// Each concrete successor of an expanded node is in one of its children, and whatever covers a
/// node stands for all that the node stands for.
fn is_closed(toy: &Toy, reach: &Reach, arg: &Arg<Valuations<'_>>) -> Result<(), String> {
    let mut steps = Vec::new();
    let mut places = proviso_cpa::Places::default();
    for (id, node) in arg.nodes() {
        if let Status::Covered(by) = node.status
            && !leq(&node.state, &arg.node(by).state)
        {
            return Err(format!("{by} does not stand for {id}"));
        }
        if node.status != Status::Expanded {
            continue;
        }
        let children: Vec<NodeId> = arg.children(id).collect();
        steps.clear();
        let at = arg.place(id);
        let mut stack = places.stacks.empty();
        for call in program::calls(&arg.places.stacks, at.stack) {
            stack = places.stacks.push(stack, call);
        }
        let at = proviso_cpa::Place { stack, ..at };
        places.steps(&toy.cfa, at, &mut steps);
        for (step, to) in steps.drain(..) {
            if !reach.is_followed(to.location) {
                continue;
            }
            let along = |child: &&NodeId| arg.node(**child).parent == Some((id, step));
            let below: Vec<&State> =
                children.iter().filter(along).map(|child| &arg.node(*child).state).collect();
            for valuation in node.state.iter().flat_map(concrete) {
                let right = match toy.execute(step, places.stacks.depth(to.stack), &valuation) {
                    Reached::States(states) => states.into_iter().all(|one| {
                        let one = State::from([one]);
                        below.iter().any(|state| leq(&one, state))
                    }),
                    Reached::Unsupported => !below.is_empty(),
                };
                if !right {
                    return Err(format!("{id} lacks a successor along {step:?}"));
                }
            }
        }
    }
    Ok(())
}

/// Some of the values that a valuation stands for: all lowest, all highest.
fn concrete(valuation: &Valuation) -> [Valuation; 2] {
    [0, 2].map(|value| valuation.iter().map(|known| known.or(Some(value))).collect())
}

/// What a run must answer.
fn expected(truth: &Truth) -> Verdict {
    if !truth.errors.is_empty() {
        Verdict::Unsafe
    } else if !truth.unsupported.is_empty() {
        Verdict::Unresolved
    } else {
        Verdict::Safe
    }
}

/// So many calls of operators are halted, one run for each.
const MOST_CALLS: u32 = 200;

/// So many programs, the same ones in every run.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2012),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn verdicts_are_those_of_a_plain_search(
        sketch in program::sketches(),
        setting in settings(),
    ) {
        let toy = program::build(&sketch);
        let truth = program::search(&toy);
        let ended = run(&toy, &truth, setting, Vec::new(), None);
        prop_assert_eq!(ended.map(|(verdict, _)| verdict), Ok(expected(&truth)));
    }

    /// An error of which the refiner never says anything keeps a program from being called safe,
    /// and others from nothing.
    #[test]
    fn a_target_that_stays_hides_no_other(
        sketch in program::sketches(),
        setting in settings(),
    ) {
        let toy = program::build(&sketch);
        let truth = program::search(&toy);
        let stubborn = toy.cfa.errors().next();
        let others = truth.errors.iter().any(|(at, _)| Some(*at) != stubborn);
        let ended = run(&toy, &truth, setting, Vec::new(), stubborn);
        prop_assert!(ended.is_ok(), "{:?}", ended);
        let verdict = ended.expect("just looked").0;
        prop_assert_eq!(verdict == Verdict::Unsafe, others);
        prop_assert!(verdict != Verdict::Safe || expected(&truth) == Verdict::Safe);
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_run_goes_on_wherever_it_was_halted(
        sketch in program::sketches(),
        setting in settings(),
        gap in 1_u32..40,
    ) {
        let toy = program::build(&sketch);
        let truth = program::search(&toy);
        let plain = run(&toy, &truth, setting, Vec::new(), None);
        let Ok((verdict, calls)) = plain else {
            return Err(TestCaseError::fail(format!("{plain:?}")));
        };
        prop_assert_eq!(verdict, expected(&truth));
        // The rest of the time is better spent on other programs.
        for call in 1..=calls.min(MOST_CALLS) {
            let ended = run(&toy, &truth, setting, vec![call], None);
            prop_assert_eq!(ended.map(|(verdict, _)| verdict), Ok(verdict), "call {}", call);
        }
        // Again and again, with more room each time so that the run gets on.
        let halts = (1..10).map(|round| gap * round * (round + 1) / 2).collect();
        let ended = run(&toy, &truth, setting, halts, None);
        prop_assert_eq!(ended.map(|(verdict, _)| verdict), Ok(verdict), "gap {}", gap);
    }
}
