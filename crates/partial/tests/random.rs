//! Properties 1-8 of the thesis (Castaño 2018) on random programs, stopped at random points.

#![allow(missing_docs)]

#[path = "../../passes/tests/common/mod.rs"]
mod programs;

mod common;

use cfa::{LocId, Program};
use common::{options, solver};
use interp::{Config as Limits, Ending, Inputs, Listed, Observer, Request, Trouble};
use partial::{Analysed, Automaton, Coverage, Execution, Search, StateId, TargetKind, Trace, spc};
use programs::{Random, Setting, random_program};
use proviso_partial as partial;
use run::{Budget, Step, Verdict};
use verify::{Analysis, Config, Forward, Outcome, Summaries};

const STEPS: u64 = 2000;

/// Follows an execution in an automaton.
struct Follower<'a> {
    program: &'a Program,
    automaton: &'a mut dyn Automaton,
    /// The state after each step, the first one included; `None` where a step is said to be
    /// impossible.
    states: Vec<Option<StateId>>,
    steps: Vec<Step>,
}

impl Follower<'_> {
    fn go(&mut self, at: LocId, step: Step) {
        let last = self.states.last().copied().flatten();
        let next = last.and_then(|state| {
            if state.is_final() { Some(state) } else { self.automaton.step(state, at, step) }
        });
        self.states.push(next);
        self.steps.push(step);
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

/// What was decided, then random values.
struct Then {
    first: Listed,
    left: usize,
    then: interp::RandomInputs,
}

impl Inputs for Then {
    fn choose(&mut self, request: &Request<'_>) -> Result<term::Value, Trouble> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                self.first.choose(request)
            }
            None => self.then.choose(request),
        }
    }

    fn choose_edge(&mut self, at: LocId, edges: &[cfa::EdgeId]) -> Result<usize, Trouble> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                self.first.choose_edge(at, edges)
            }
            None => self.then.choose_edge(at, edges),
        }
    }
}

/// Runs a program, and gives the ending, the states and the steps.
fn watched(
    program: &Program,
    automaton: &mut dyn Automaton,
    inputs: &mut dyn Inputs,
    max_steps: u64,
) -> (Ending, Vec<Option<StateId>>, Vec<Step>) {
    let states = vec![Some(automaton.initial())];
    let mut follower = Follower { program, automaton, states, steps: Vec::new() };
    let config = Limits { max_steps, ..Limits::default() };
    let run = interp::run(program, &config, inputs, Some(&mut follower), &mut std::io::sink());
    (run.ending, follower.states, follower.steps)
}

/// A run that stops early, in one of several ways.
fn stopped(program: &Program, random: &mut Random, summarize: Option<bool>) -> (Outcome, Analysis) {
    let config = random_config(random, summarize);
    let mut outcome = verify::verify(program, &config, &solver);
    if random.once_in(3) {
        // What another run has analysed of the same program counts, too.
        let other = random_config(random, Some(config.summaries.exact));
        let other = Config { simplify: config.simplify, ..other };
        let other = verify::verify(program, &other, &solver);
        let analysed = |outcome: &Outcome| {
            outcome.rewritten.as_ref().map(|made| format!("{:?}", made.program.cfa))
        };
        if analysed(&outcome) == analysed(&other) {
            outcome.earlier_graphs.extend(other.graph);
        }
    }
    (outcome, config.analysis)
}

fn random_config(random: &mut Random, summarize: Option<bool>) -> Config {
    let analysis = random.pick(&[
        Analysis::Bmc,
        Analysis::Auto,
        Analysis::KInduction,
        Analysis::Value,
        Analysis::ValueItp,
        Analysis::Predicate,
        Analysis::ValueItpPredicate,
        Analysis::Product,
    ]);
    let nodes = Some(random.below(25) as u64 + 1);
    let forward = Forward { nodes, ..Forward::default() };
    let looks = 3 + random.below(120) as u64;
    Config {
        analysis,
        unroll: Some(random.below(3) as u32 + 1),
        simplify: random.once_in(2),
        summaries: Summaries {
            exact: summarize.unwrap_or_else(|| random.once_in(2)),
            over: random.once_in(4),
            under: random.once_in(4),
        },
        forward,
        budget: Budget::for_looks(looks),
        ..Config::default()
    }
}

/// No error is where the automaton has not reached `FALSE`, and it never calls a step impossible
/// that an execution takes.
fn check_executions(program: &Program, automaton: &mut dyn Automaton, what: &str) {
    for seed in 0..40 {
        let mut inputs = interp::RandomInputs::new(seed);
        let (ending, states, steps) = watched(program, automaton, &mut inputs, STEPS);
        let lost = states.iter().position(Option::is_none);
        assert_eq!(lost, None, "{what}: a step is called impossible: {steps:?}");
        if let Ending::Error { .. } = ending {
            let last = states.last().copied().flatten();
            assert_eq!(last, Some(StateId::FALSE), "{what}: an error was called analysed");
        }
    }
}

/// A trace replays, and ends where it says.
fn check_trace(program: &Program, automaton: &mut dyn Automaton, trace: &Trace, what: &str) {
    let mut inputs = Listed::replay(program, &trace.drawn);
    let (_, states, steps) = watched(program, automaton, &mut inputs, trace.taken);
    // A call that returns at once is a step more.
    assert!(steps.starts_with(&trace.steps), "{what}: {trace:?}\n{steps:?}");
    let at = trace.steps.len();
    match trace.kind {
        TargetKind::Frontier | TargetKind::Unsupported => {
            assert_eq!(states[at], Some(StateId::FALSE), "{what}: {trace:?}");
            assert!(at == 0 || states[at - 1] != Some(StateId::FALSE), "{what}: {trace:?}");
        }
        TargetKind::Undecided => assert_ne!(states[at], Some(StateId::FALSE), "{what}: {trace:?}"),
        _ => {}
    }
}

/// Whatever follows a safe cone is analysed and no error.
fn check_cone(program: &Program, automaton: &mut dyn Automaton, trace: &Trace, what: &str) {
    for seed in 0..8 {
        let first = Listed::replay(program, &trace.drawn);
        let then = interp::RandomInputs::new(seed);
        let mut inputs = Then { first, left: trace.drawn.len(), then };
        let (ending, states, steps) = watched(program, automaton, &mut inputs, STEPS);
        if !steps.starts_with(&trace.steps) {
            continue;
        }
        assert!(!matches!(ending, Ending::Error { .. }), "{what}: {trace:?}");
        let last = states.last().copied().flatten();
        assert_ne!(last, Some(StateId::FALSE), "{what}: {trace:?}\n{steps:?}");
    }
}

/// An automaton that is written and read again says the same of every execution.
fn check_file(program: &Program, analysed: &Analysed<'_>, what: &str) -> spc::Spc {
    let written = spc::write(program, &mut *analysed.automaton(), 5_000, &Budget::default());
    let mut sources = program.sources.clone();
    let file = sources.add("assumption.spc", written.text.as_bytes()).expect("a short file");
    let read = spc::read(program, &sources, file).expect("what was written can be read");
    let class = |state: &Option<StateId>| match state {
        Some(StateId::TRUE) => 't',
        Some(StateId::FALSE) => 'f',
        _ => '?',
    };
    for seed in 0..6 {
        let mut ours = analysed.automaton();
        let (_, first, _) =
            watched(program, &mut *ours, &mut interp::RandomInputs::new(seed), STEPS);
        let mut theirs = spc::Foreign::new(&read, program);
        let (ending, second, steps) =
            watched(program, &mut theirs, &mut interp::RandomInputs::new(seed), STEPS);
        let first: String = first.iter().map(class).collect();
        let second: String = second.iter().map(class).collect();
        // A step into an error is the end, so nothing follows that could be analysed or not.
        let (mut first, mut second) = (first, second);
        if let Ending::Error { .. } = ending {
            first.pop();
            second.pop();
        }
        // A file that would be too large says less.
        if written.shortened {
            continue;
        }
        assert_eq!(first, second, "{what}: {steps:?}\n{}", written.text);
    }
    read
}

/// Whether a random execution reaches an error.
fn fails(program: &Program) -> bool {
    (0..40).any(|seed| {
        let config = Limits { max_steps: STEPS, ..Limits::default() };
        let mut inputs = interp::RandomInputs::new(seed);
        let run = interp::run(program, &config, &mut inputs, None, &mut std::io::sink());
        matches!(run.ending, Ending::Error { .. })
    })
}

#[derive(Default, Debug)]
struct Seen {
    open: usize,
    frontier: usize,
    cones: usize,
    proved: usize,
    covered: usize,
}

fn check(seed: u64, setting: Setting, seen: &mut Seen) {
    check_program(&random_program(seed, setting), seed, None, seen);
}

fn check_program(program: &Program, seed: u64, summarize: Option<bool>, seen: &mut Seen) {
    let program = program.clone();
    let mut random = Random::new(seed ^ 0x5eed);
    let (outcome, analysis) = stopped(&program, &mut random, summarize);
    let what = format!("program {seed}, {analysis:?}");
    let Verdict::Unknown(_) = outcome.verdict else { return };
    seen.open += 1;
    let analysed = Analysed::of(&program, &outcome);
    check_executions(&program, &mut *analysed.automaton(), &what);
    let budget = Budget::for_looks(1_000);
    let report = Execution::of(&analysed, &partial::Options { budget, ..options() }, &mut |_| {});
    for trace in report.frontier.iter().chain(&report.cones) {
        check_trace(&program, &mut *analysed.automaton(), trace, &what);
    }
    for trace in &report.cones {
        check_cone(&program, &mut *analysed.automaton(), trace, &what);
    }
    if let Some(unsound) = &report.unsound {
        let shortest = report.frontier.first().map(|trace| trace.steps.len());
        let known = unsound.trace.steps.len();
        assert!(shortest.is_some_and(|shortest| shortest <= known), "{what}: not the shortest");
    }
    seen.frontier += report.frontier.len();
    seen.cones += report.cones.len();
    if report.everything {
        assert!(!fails(&program), "{what}: all of it was called analysed");
    }
    if let Some(found) = &report.violation {
        let replayed = engines::replay(&program, &found.drawn, &Budget::default());
        assert!(matches!(replayed, run::Replayed::Error(_)), "{what}");
    }
    let before = check_file(&program, &analysed, &what);
    let other = random.pick(&[Analysis::Bmc, Analysis::Predicate, Analysis::ValueItp]);
    let budget = Budget::for_looks(1_500);
    let config = Config { analysis: other, budget, ..Config::default() };
    let continued = partial::go_on(&program, &before, &config, &solver);
    assert_eq!(continued.astray, Vec::<partial::Astray>::new(), "{what}");
    match &continued.outcome.verdict {
        Verdict::Safe(_) => {
            seen.proved += 1;
            assert!(!fails(&program), "{what}, then {other:?}: a wrong proof");
        }
        Verdict::Unsafe(found) => {
            let replayed = engines::replay(&program, &found.drawn, &Budget::default());
            assert!(matches!(replayed, run::Replayed::Error(_)), "{what}");
        }
        Verdict::Unknown(_) => {
            let outcome = &continued.outcome;
            let rounds = continued.rounds;
            let both =
                Analysed { before: Some(&before), rounds, ..Analysed::of(&program, outcome) };
            let what = format!("{what}, {other:?}");
            check_executions(&program, &mut *both.automaton(), &what);
            let twice = check_file(&program, &both, &what);
            let config = Config { budget: Budget::for_looks(1_500), ..Config::default() };
            let last = partial::go_on(&program, &twice, &config, &solver);
            let proved = matches!(last.outcome.verdict, Verdict::Safe(_));
            assert!(!proved || !fails(&program), "{what}: a wrong proof after two runs");
        }
    }
    if random.once_in(4) {
        let budget = Budget::for_looks(1_000);
        let (analysis, most) = (Analysis::Bmc, None);
        let search = Search { program: &program, analysis, solver: &solver, budget: &budget, most };
        let coverage = Coverage::of(&search, &mut *analysed.automaton(), &report.frontier);
        seen.covered += coverage.tests.len();
    }
}

/// So many seeds from a first one on; `PROVISO_SEEDS` makes them more.
fn seeds(first: u64, count: u64) -> std::ops::Range<u64> {
    let more = std::env::var("PROVISO_SEEDS").ok().and_then(|text| text.parse().ok());
    first..first + more.unwrap_or(count)
}

#[test]
fn what_a_stopped_run_says_is_true() {
    let mut seen = Seen::default();
    let setting = Setting { memory: false, recursion: false };
    for seed in seeds(0, 100) {
        check(seed, setting, &mut seen);
    }
    assert!(seen.open > 20 && seen.frontier > 20, "{seen:?}");
}

#[test]
fn memory_and_recursion_change_nothing() {
    let mut seen = Seen::default();
    let setting = Setting { memory: true, recursion: true };
    for seed in seeds(100_000, 40) {
        check(seed, setting, &mut seen);
    }
    assert!(seen.open > 10, "{seen:?}");
}
/// Loops that have become one step each, before and inside of others.
#[test]
fn summaries_of_loops_change_nothing() {
    let mut seen = Seen::default();
    for text in [
        "extern unsigned char in(void); extern void reach_error(void);
         int main(void) { unsigned char n = in(), i = 0, s = 0, x = 1;
           while (i < n) { i++; s += 2; }
           while (in()) { x = x * 5 + in(); if (x == 77) reach_error(); }
           if (s == 6 && i == 3 && x == 1) reach_error(); return 0; }",
        "extern unsigned char in(void); extern void reach_error(void);
         int f(unsigned char n) { unsigned char i = 0, s = 0;
           while (i < n) { i++; s += 3; if (s == 9 && n == 3) return 1; } return 0; }
         int main(void) { unsigned char x = 1, k = 0;
           while (in() & 1) { x = x * 7 + in(); if (f(x & 7)) k++; if (k == 2) reach_error(); }
           return 0; }",
        "extern unsigned char in(void); extern void reach_error(void);
         int main(void) { unsigned char n = in() & 15, i, j, s = 0, x = in();
           for (i = 0; i < n; i++) { for (j = 0; j < n; j++) { s++; } x = x * 3 + in(); }
           if (x == 9) reach_error(); if (s == 16) reach_error(); return 0; }",
    ] {
        let program = common::read(text);
        for seed in 0..60 {
            check_program(&program, seed, None, &mut seen);
        }
    }
    assert!(seen.open > 40 && seen.frontier > 20, "{seen:?}");
}

/// The end of a loop that has become one step may be left out, for no error follows.
#[test]
fn a_loop_may_be_left_to_where_nothing_matters() {
    check(662, Setting { memory: false, recursion: false }, &mut Seen::default());
}

/// One of several ways that have become one may come after a step that a pass has added.
#[test]
fn ways_that_meet_again_may_follow_a_return() {
    let program = random_program(101_664, Setting { memory: true, recursion: true });
    check_program(&program, 101_664, Some(false), &mut Seen::default());
}

/// A function that the program starts with may be called again; its exit is not the end then.
#[test]
fn the_start_function_may_be_called() {
    let mut seen = Seen::default();
    check(100_685, Setting { memory: true, recursion: true }, &mut seen);
}
