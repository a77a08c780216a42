//! Relative soundness (Castaño 2018, Def. 10) on random programs, stopped at random points: a yes is
//! compared with executions, and a no with its own trace.

#![allow(missing_docs)]

#[path = "../../passes/tests/common/mod.rs"]
mod programs;

mod common;

use cfa::{LocId, Program};
use common::solver;
use interp::{Inputs, Listed, Observer};
use partial::{Analysed, Answer, Automaton, Everything, Query, Search, StateId, letters, relative};
use programs::{Random, Setting, random_program};
use proviso_partial as partial;
use run::{Budget, Step, Verdict};
use verify::{Analysis, Config, Forward, Outcome};

/// The steps of an execution, up to the one that an automaton calls not analysed, if there is one.
struct Follower<'a> {
    program: &'a Program,
    automaton: &'a mut dyn Automaton,
    state: StateId,
    steps: Vec<Step>,
}

impl Follower<'_> {
    fn go(&mut self, at: LocId, step: Step) {
        if self.state == StateId::FALSE {
            return;
        }
        self.steps.push(step);
        if !self.state.is_final() {
            let next = self.automaton.step(self.state, at, step);
            self.state = next.expect("an execution takes the step");
        }
    }
}

impl Observer for Follower<'_> {
    fn taken(&mut self, step: &interp::Step<'_>) {
        self.go(self.program.cfa.edges[step.edge].source, Step::Edge(step.edge));
    }

    fn returned(&mut self, callee: cfa::FuncId, step: &interp::Step<'_>) {
        self.go(self.program.cfa.functions[callee].exit, Step::Return(step.edge));
    }
}

/// The steps up to what was not analysed, and whether something was not.
fn followed(
    program: &Program,
    automaton: &mut dyn Automaton,
    inputs: &mut dyn Inputs,
    max_steps: u64,
) -> (Vec<Step>, bool) {
    let state = automaton.initial();
    let mut follower = Follower { program, automaton, state, steps: Vec::new() };
    let config = interp::Config { max_steps, ..interp::Config::default() };
    interp::run(program, &config, inputs, Some(&mut follower), &mut std::io::sink());
    (follower.steps, follower.state == StateId::FALSE)
}

/// The calls of an execution that count, by the letters of its steps.
fn calls(program: &Program, query: &Query, steps: &[Step]) -> Vec<String> {
    let name = |id: &cfa::FuncId| program.cfa.functions[*id].name.to_string();
    let alphabet: Vec<String> = query.alphabet.iter().map(name).collect();
    let near = letters(program, steps).into_iter().filter(|each| each.depth <= query.depth);
    near.filter_map(|each| each.call).filter(|call| alphabet.contains(call)).collect()
}

/// Whether an execution counts: its calls are a beginning of the query.
fn counts(program: &Program, query: &Query, steps: &[Step]) -> bool {
    let name = |id: &cfa::FuncId| program.cfa.functions[*id].name.to_string();
    let wanted: Vec<String> = query.calls.iter().map(name).collect();
    wanted.starts_with(&calls(program, query, steps))
}

fn stopped(program: &Program, random: &mut Random) -> Outcome {
    let analyses = [Analysis::Bmc, Analysis::Value, Analysis::Predicate, Analysis::Auto];
    let nodes = Some(random.below(40) as u64 + 5);
    let config = Config {
        analysis: random.pick(&analyses),
        unroll: Some(random.below(3) as u32 + 1),
        simplify: random.once_in(2),
        forward: Forward { nodes, ..Forward::default() },
        budget: Budget::for_looks(10 + random.below(150) as u64),
        ..Config::default()
    };
    verify::verify(program, &config, &solver)
}

/// A query that some execution realises, or nearly so.
fn query(program: &Program, random: &mut Random) -> Query {
    let depth = random.below(3) as u32 + 1;
    let mut query = Query::read(program, "", depth, None).expect("an empty query");
    if random.once_in(3) {
        query.alphabet.retain(|_| random.once_in(2));
    }
    let mut inputs = interp::RandomInputs::new(random.next());
    let (steps, _) = followed(program, &mut Everything, &mut inputs, 200);
    let made = calls(program, &query, &steps);
    let length = random.below(6).min(made.len());
    let named = |name: &String| {
        let mut functions = program.cfa.functions.entries();
        functions.find(|(_, known)| *known.name == **name).map(|(id, _)| id)
    };
    query.calls = made[..length].iter().filter_map(named).collect();
    query
}

/// Counts yes, no and unknown, and queries with calls among yes and no.
#[derive(Default, Debug)]
struct Seen {
    yes: usize,
    no: usize,
    unknown: usize,
    yes_with_calls: usize,
    no_with_calls: usize,
}

fn check(seed: u64, setting: Setting, seen: &mut Seen) {
    let program = random_program(seed, setting);
    let mut random = Random::new(seed ^ 0xca11);
    let outcome = stopped(&program, &mut random);
    let Verdict::Unknown(_) = outcome.verdict else { return };
    let analysed = Analysed::of(&program, &outcome);
    for _ in 0..6 {
        let query = query(&program, &mut random);
        ask(&program, &analysed, &query, &format!("program {seed}, {query:?}"), seen);
    }
}

/// Asks a question, and looks whether executions agree with the answer.
fn ask(program: &Program, analysed: &Analysed<'_>, query: &Query, what: &str, seen: &mut Seen) {
    let budget = Budget::for_looks(3_000);
    let analysis = Analysis::Bmc;
    let search = Search { program, analysis, solver: &solver, budget: &budget, most: None };
    let found = relative(&search, &mut *analysed.automaton(), query);
    let length = query.calls.len();
    assert!(found.realised <= length, "{what}");
    let proved = found.prefix.map(|prefix| query.prefix(prefix));
    let mut most = 0;
    for number in 0..16 {
        let mut inputs = interp::RandomInputs::new(number);
        let automaton = &mut *analysed.automaton();
        let (steps, open) = followed(program, automaton, &mut inputs, 500);
        most = most.max(query.realised(program, &steps));
        if let Some(proved) = proved.as_ref().filter(|_| open) {
            assert!(!counts(program, proved, &steps), "{what}: the answer for {proved:?} is wrong");
        }
    }
    if found.realised_most {
        assert!(most <= found.realised, "{what}: an execution makes {most} calls");
    }
    match &found.answer {
        Answer::Yes => {
            seen.yes += 1;
            seen.yes_with_calls += usize::from(length > 0 && found.realised > 0);
            assert_eq!(found.prefix, Some(length), "{what}");
        }
        Answer::No(trace) => {
            seen.no += 1;
            seen.no_with_calls += usize::from(query.realised(program, &trace.steps) > 0);
            assert!(found.prefix.is_none_or(|prefix| prefix < length), "{what}");
            let automaton = &mut *analysed.automaton();
            let mut inputs = Listed::replay(program, &trace.drawn);
            let (steps, open) = followed(program, automaton, &mut inputs, trace.taken);
            // What has not begun is a trace without steps.
            let begun = !trace.steps.is_empty() || automaton.initial() != StateId::FALSE;
            let unsupported = trace.kind == partial::TargetKind::Unsupported;
            assert!(!begun || unsupported || (open && steps == trace.steps), "{what}: {trace:?}");
            assert!(counts(program, query, &trace.steps), "{what}: the trace does not count");
        }
        Answer::Unknown(_) => seen.unknown += 1,
    }
}

/// So many seeds from a first one on; `PROVISO_SEEDS` makes them more.
fn seeds(first: u64, count: u64) -> std::ops::Range<u64> {
    let more = std::env::var("PROVISO_SEEDS").ok().and_then(|text| text.parse().ok());
    first..first + more.unwrap_or(count)
}

#[test]
fn answers_are_true() {
    let mut seen = Seen::default();
    for seed in seeds(0, 150) {
        check(seed, Setting { memory: false, recursion: false }, &mut seen);
    }
    assert!(seen.yes_with_calls > 3 && seen.no_with_calls > 3, "{seen:?}");
}

#[test]
fn answers_are_true_with_memory_and_recursion() {
    let mut seen = Seen::default();
    for seed in seeds(100_000, 60) {
        check(seed, Setting { memory: true, recursion: true }, &mut seen);
    }
    assert!(seen.yes + seen.no > 5, "{seen:?}");
}
