//! Every execution of a random program that reaches an error has a counterpart in the rewritten
//! program, and the other way round.

#![allow(missing_docs)]

mod common;

use std::collections::BTreeMap;

use cfa::{FuncId, LocId, Program, Scope};
use common::{Setting, random_program};
use interp::{Change, Config, Drawn, Ending, Listed, Observer, Run, Step};
use passes::{Back, Rewritten};
use proptest::prelude::*;
use proviso_passes as passes;
use term::{Value, Var};

const STEPS: u64 = 3000;

fn config() -> Config<'static> {
    Config { max_steps: STEPS, ..Config::default() }
}

fn run(program: &Program, seed: u64) -> Run {
    let mut inputs = interp::RandomInputs::new(seed);
    interp::run(program, &config(), &mut inputs, None, &mut std::io::sink())
}

/// What an execution ends with, if it counts: an error, or something that is not modelled.
#[derive(Clone, Debug, PartialEq)]
enum Met {
    Error(LocId),
    Unsupported(String),
}

fn met(ending: &Ending, back: Option<&Back>) -> Option<Met> {
    match ending {
        Ending::Error { location, .. } => Some(Met::Error(match back {
            Some(back) => back.location(*location).expect("errors are not made").location,
            None => *location,
        })),
        Ending::Unsupported { reason, .. } => Some(Met::Unsupported(reason.clone())),
        _ => None,
    }
}

/// How many executions of either program were found to have a counterpart.
fn check(program: &Program, rewritten: &Rewritten, seeds: u64) -> Result<usize, TestCaseError> {
    let Rewritten { program: after, back } = rewritten;
    prop_assert_eq!(cfa::validate(after), []);
    let mut found = 0;
    for seed in 0..seeds {
        let original = run(program, seed);
        if let Some(met_first) = met(&original.ending, None) {
            let followed = back.follow(program, &original.drawn, after, &config());
            prop_assert_eq!(Some(met_first), met(&followed.ending, Some(back)), "follow");
            found += 1;
        }
        let second = run(after, seed);
        if let Some(met_second) = met(&second.ending, Some(back)) {
            let long = Config { max_steps: 100 * STEPS, ..config() };
            let drawn = back.decisions(after, &second.drawn, program, &long);
            let mut inputs = Listed::replay(program, &drawn);
            let replayed = interp::run(program, &long, &mut inputs, None, &mut std::io::sink());
            // A choice between edges in what was left out may have to be made one way.
            let is_edge = |drawn: &Drawn| matches!(drawn, Drawn::Edge { .. });
            if met(&replayed.ending, None).is_none() && drawn.iter().any(is_edge) {
                continue;
            }
            prop_assert_eq!(Some(met_second), met(&replayed.ending, None), "back");
            found += 1;
        }
    }
    Ok(found)
}

type Values = BTreeMap<Var, Value>;

/// The values of variables whenever a run passes a location, as far as they are set.
struct Watch<'p> {
    program: &'p Program,
    globals: Values,
    frames: Vec<Values>,
    visits: BTreeMap<LocId, Vec<Values>>,
}

impl<'p> Watch<'p> {
    fn run(program: &'p Program, drawn: &[Drawn]) -> BTreeMap<LocId, Vec<Values>> {
        let (globals, visits) = (Values::new(), BTreeMap::new());
        let mut watch = Self { program, globals, frames: vec![Values::new()], visits };
        let mut inputs = Listed::replay(program, drawn);
        interp::run(program, &config(), &mut inputs, Some(&mut watch), &mut std::io::sink());
        watch.visits
    }

    fn note(&mut self, changes: &[Change]) {
        for change in changes {
            let Some((var, value)) = change.assigned() else { continue };
            let values = match self.program.cfa.variables[var].scope {
                Scope::Local(_) => self.frames.last_mut().expect("an activation"),
                Scope::Global | Scope::Address(_) => &mut self.globals,
            };
            match value {
                Some(value) => values.insert(var, value.clone()),
                None => values.remove(&var),
            };
        }
    }

    fn visit(&mut self, location: LocId) {
        let mut values = self.globals.clone();
        values.extend(self.frames.last().expect("an activation").clone());
        self.visits.entry(location).or_default().push(values);
    }
}

impl Observer for Watch<'_> {
    fn taken(&mut self, step: &Step<'_>) {
        let edge = &self.program.cfa.edges[step.edge];
        let Some(callee) = edge.callee() else {
            self.note(step.changes);
            return self.visit(edge.target);
        };
        // Arguments are read by the caller, and parameters assigned in the callee.
        let is_drawn = |change: &&Change| matches!(change, Change::Drawn { .. });
        let drawn: Vec<Change> = step.changes.iter().filter(is_drawn).cloned().collect();
        self.note(&drawn);
        self.frames.push(Values::new());
        let is_assigned = |change: &&Change| matches!(change, Change::Assigned { .. });
        let assigned: Vec<Change> = step.changes.iter().filter(is_assigned).cloned().collect();
        self.note(&assigned);
        self.visit(self.program.cfa.functions[callee].entry);
    }

    fn returned(&mut self, _: FuncId, step: &Step<'_>) {
        self.frames.pop();
        self.note(step.changes);
        self.visit(self.program.cfa.edges[step.edge].target);
    }
}

/// Wherever the way back says so, the two programs are in the same state at the same locations.
fn compare(program: &Program, rewritten: &Rewritten, seeds: u64) -> Result<usize, TestCaseError> {
    let Rewritten { program: after, back } = rewritten;
    let mut compared = 0;
    for seed in 0..seeds {
        let original = run(program, seed);
        if met(&original.ending, None).is_none() {
            continue;
        }
        let followed = back.follow(program, &original.drawn, after, &config());
        let first = Watch::run(program, &original.drawn);
        let second = Watch::run(after, &followed.drawn);
        for location in after.cfa.locations.ids() {
            let Some(origin) = back.location(location).filter(|origin| origin.whole) else {
                continue;
            };
            let none = Vec::new();
            let before = first.get(&origin.location).unwrap_or(&none);
            let now = second.get(&location).unwrap_or(&none);
            prop_assert_eq!(before.len(), now.len(), "{} {}", location, origin.location);
            for (before, now) in before.iter().zip(now) {
                for (var, value) in now {
                    let Some(same) = back.variable_at(location, *var) else { continue };
                    if let Some(other) = before.get(&same) {
                        let name = program.terms.var_name(same);
                        prop_assert_eq!(value, other, "{} at {}", name, origin.location);
                        compared += 1;
                    }
                }
            }
        }
    }
    Ok(compared)
}

proptest! {
    // The same programs every time, so that a run does not fail for what the change before it did not do.
    #![proptest_config(ProptestConfig {
        cases: 800,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(14),
        ..ProptestConfig::default()
    })]

    #[test]
    fn constants_keep_executions(seed in any::<u64>(), memory in any::<bool>(), recursion in any::<bool>()) {
        let program = random_program(seed, Setting { memory, recursion });
        check(&program, &passes::constants(&program), 20)?;
    }

    #[test]
    fn dead_code_is_not_missed(seed in any::<u64>(), memory in any::<bool>(), recursion in any::<bool>()) {
        let program = random_program(seed, Setting { memory, recursion });
        let rewritten = passes::dead(&program);
        check(&program, &rewritten, 20)?;
        compare(&program, &rewritten, 8)?;
    }

    #[test]
    fn slices_keep_errors(seed in any::<u64>(), memory in any::<bool>(), recursion in any::<bool>()) {
        let program = random_program(seed, Setting { memory, recursion });
        let rewritten = passes::slice(&program);
        check(&program, &rewritten, 20)?;
        compare(&program, &rewritten, 8)?;
    }

    #[test]
    fn calls_in_place_keep_executions(seed in any::<u64>(), memory in any::<bool>()) {
        let program = random_program(seed, Setting { memory, recursion: false });
        let inlined = passes::inline(&program).expect("no recursion");
        if let Some(rewritten) = inlined {
            check(&program, &rewritten, 20)?;
            compare(&program, &rewritten, 8)?;
            let simple = rewritten.then(passes::simplify);
            check(&program, &simple, 20)?;
        }
    }

    #[test]
    fn simplified_programs_keep_errors(seed in any::<u64>(), memory in any::<bool>(), recursion in any::<bool>()) {
        let program = random_program(seed, Setting { memory, recursion });
        let rewritten = passes::simplify(&program);
        check(&program, &rewritten, 20)?;
        compare(&program, &rewritten, 8)?;
    }
}

#[test]
fn random_programs_are_worth_it() {
    let (mut found, mut compared, mut edges, mut left) = (0, 0, 0, 0);
    for seed in 0..300 {
        let setting = Setting { memory: seed % 2 == 0, recursion: seed % 3 == 0 };
        let program = random_program(seed, setting);
        let rewritten = passes::simplify(&program);
        found += check(&program, &rewritten, 10).expect("counterparts");
        compared += compare(&program, &rewritten, 4).expect("the same states");
        edges += program.cfa.edges.len();
        left += rewritten.program.cfa.edges.len();
    }
    // Many executions reach something, and much of a program can be left out.
    assert!(found > 1000, "{found}");
    assert!(compared > 1000, "{compared}");
    assert!(3 * left < 2 * edges, "{left} of {edges}");
}
