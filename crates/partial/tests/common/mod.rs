//! What the tests of this crate share.
#![allow(dead_code, missing_docs, reason = "each test file uses a part")]

use cfa::{Op, Program};
use proviso_partial::spc::Spc;
use proviso_partial::{Analysed, Coverage, Execution, Options, Search, Trace};
use run::{Budget, Step};
use verify::{Analysis, Config, Forward, Outcome};

/// Reads a C program.
pub fn read(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

pub fn solver() -> Box<dyn smt::FullSolver> {
    Box::new(smt::Builtin::new())
}

/// A run with a limit on rounds, or one on nodes.
pub fn stopped(program: &Program, analysis: Analysis, unroll: Option<u32>) -> Outcome {
    let config = Config { analysis, unroll, simplify: true, ..Config::default() };
    verify::verify(program, &config, &solver)
}

/// A run that ends when its graph has so many nodes.
pub fn with_nodes(program: &Program, analysis: Analysis, nodes: u64) -> Outcome {
    let forward = Forward { nodes: Some(nodes), ..Forward::default() };
    let config = Config { analysis, forward, simplify: true, ..Config::default() };
    verify::verify(program, &config, &solver)
}

pub fn options<'a>() -> Options<'a> {
    Options { analysis: Analysis::Bmc, solver: &solver, budget: Budget::default(), most: None }
}

pub fn report(program: &Program, outcome: &Outcome) -> Execution {
    Execution::of(&Analysed::of(program, outcome), &options(), &mut |_| {})
}

/// The branches of a trace: the line, and whether the condition holds.
pub fn lines(program: &Program, trace: &Trace) -> Vec<String> {
    let mut lines = Vec::new();
    for step in &trace.steps {
        let Step::Edge(id) = step else { continue };
        let edge = &program.cfa.edges[*id];
        let (Some(Op::Assume(_)), Some(span)) = (edge.ops.first(), edge.span) else { continue };
        let line = program.sources.position(span).line;
        let first = program.cfa.locations[edge.source].edges[0] == *id;
        lines.push(format!("{line}{}", if first { "[]" } else { "[!]" }));
    }
    lines
}

/// The lines of a trace, each run of steps on one line once.
pub fn all_lines(program: &Program, trace: &Trace) -> Vec<u32> {
    let letters = proviso_partial::letters(program, &trace.steps);
    let mut lines: Vec<u32> = letters.iter().filter_map(|letter| letter.line).collect();
    lines.dedup();
    lines
}

/// The automaton of a file.
pub fn automaton(program: &Program, text: &str) -> Spc {
    let mut sources = program.sources.clone();
    let file = sources.add("test.spc", text.as_bytes()).expect("a short file");
    proviso_partial::spc::read(program, &sources, file).expect("an automaton")
}

fn analysed_before<'a>(program: &'a Program, before: &'a Spc) -> Analysed<'a> {
    Analysed { before: Some(before), ..Analysed::nothing(program) }
}

/// The report of what an automaton calls analysed.
pub fn report_before(program: &Program, before: &Spc) -> Execution {
    Execution::of(&analysed_before(program, before), &options(), &mut |_| {})
}

/// The coverage of what a run has analysed.
pub fn coverage(program: &Program, outcome: &Outcome) -> Coverage {
    covered(program, &Analysed::of(program, outcome))
}

/// The coverage of what an automaton calls analysed.
pub fn coverage_before(program: &Program, before: &Spc) -> Coverage {
    covered(program, &analysed_before(program, before))
}

fn covered(program: &Program, analysed: &Analysed<'_>) -> Coverage {
    let budget = Budget::default();
    let (analysis, most) = (Analysis::Bmc, None);
    let search = Search { program, analysis, solver: &solver, budget: &budget, most };
    Coverage::of(&search, &mut *analysed.automaton(), &[])
}
