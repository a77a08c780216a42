//! Every exact summary of the loops in a folder of programs, beside runs of the loop.
//!
//! `PROVISO_TASKS` names the folder, since the programs are no part of the project:
//! `PROVISO_TASKS=folder cargo test -p proviso-passes --test corpus -- --ignored --nocapture`.

#![allow(missing_docs)]
#![allow(clippy::print_stdout, reason = "figures are what this test is for")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use base::IndexVec;
use cfa::{Calls, Choice, FuncId, LocId, Loops, Op, Program, Reading, Scope, Variable};
use common::show;
use interp::{Change, Config, Ending, Step};
use proviso_passes as passes;
use term::{Sort, Value, Var};

/// How often each loop is run to its end, and how often that is tried.
const RUNS: usize = 100;
const TRIES: u64 = 400;

/// A loop with more steps than this is not run to its end.
const MOST_STEPS: u64 = 100_000;

/// A loop of a program by itself: what it reads is arbitrary, and when it is left, the values of all
/// variables that it may change are put into others.
struct Alone {
    program: Program,
    /// Where these values are, and where the loop was left.
    results: BTreeSet<Var>,
}

impl Alone {
    fn new(program: &Program, head: LocId) -> Self {
        let loops = Loops::of(&program.cfa);
        let id = loops.headed(head).expect("the head of a loop");
        let body: BTreeSet<LocId> = loops.body(id).iter().copied().collect();
        let function = program.cfa.locations[head].function;
        let called = called(program, &body);
        let mut alone = program.clone();
        let kept: Vec<_> = program
            .cfa
            .edges
            .iter()
            .filter(|edge| {
                body.contains(&edge.source)
                    || called.contains(&program.cfa.locations[edge.source].function)
            })
            .cloned()
            .collect();
        let vars: BTreeSet<Var> = program
            .cfa
            .variables
            .entries()
            .filter(|(_, known)| match known.scope {
                Scope::Local(local) => local == function,
                Scope::Global => true,
                Scope::Address(_) => false,
            })
            .map(|(var, _)| var)
            .collect();
        let used = used(program, kept.iter().flat_map(|edge| &edge.ops));
        let vars: Vec<Var> = vars.intersection(&used).copied().collect();
        let declare = |alone: &mut Program, name: String, sort: Sort| {
            let (scope, reading) = (Scope::Local(function), Reading::Plain);
            alone.declare(name, sort, Variable { scope, reading, source_name: None, span: None })
        };
        let place = declare(&mut alone, "left$place".to_owned(), Sort::Bv(32));
        let mut copies = Vec::new();
        for var in &vars {
            let (name, sort) =
                (program.terms.var_name(*var).to_owned(), program.terms.var_sort(*var));
            copies.push((*var, declare(&mut alone, format!("left${name}"), sort)));
        }
        alone.cfa.edges = IndexVec::new();
        alone.cfa.locations.iter_mut().for_each(|location| location.edges.clear());
        let exit = alone.cfa.functions[function].exit;
        for (number, edge) in kept.iter().enumerate() {
            if !body.contains(&edge.source) || body.contains(&edge.target) {
                alone.cfa.add_edge(edge.source, edge.target, &edge.ops[..], edge.span);
                continue;
            }
            let left = alone.cfa.add_location(function);
            alone.cfa.add_edge(edge.source, left, &edge.ops[..], edge.span);
            let mut ops =
                vec![Op::Assign { var: place, value: alone.terms.bv(32, number as u128) }];
            for (var, copy) in &copies {
                ops.push(Op::Assign { var: *copy, value: alone.terms.var(*var) });
            }
            alone.cfa.add_edge(left, exit, ops, None);
        }
        let start = alone.cfa.add_location(function);
        let chosen = |var: &Var| Op::Havoc { var: *var, choice: Choice::Input("value".into()) };
        alone.cfa.add_edge(start, head, vars.iter().map(chosen).collect::<Vec<_>>(), None);
        alone.cfa.functions[function].entry = start;
        alone.cfa.functions[function].results = Vec::new();
        alone.cfa.start = Some(function);
        let results = copies.iter().map(|(_, copy)| *copy).chain([place]).collect();
        Self { program: alone, results }
    }

    /// How a run ends, and with which values.
    fn run(&self, program: &Program, seed: u64, steps: u64) -> (Ending, BTreeMap<Var, Value>) {
        let config = Config { max_steps: steps, ..Config::default() };
        let mut inputs = interp::RandomInputs::new(seed);
        let mut last = Last { of: &self.results, values: BTreeMap::new() };
        let run = interp::run(program, &config, &mut inputs, Some(&mut last), &mut std::io::sink());
        (run.ending, last.values)
    }
}

/// The functions that a loop calls, and those that they call.
fn called(program: &Program, body: &BTreeSet<LocId>) -> BTreeSet<FuncId> {
    let calls = Calls::of(&program.cfa);
    let inside = program.cfa.edges.iter().filter(|edge| body.contains(&edge.source));
    let mut waiting: Vec<FuncId> = inside.filter_map(cfa::Edge::callee).collect();
    let mut called = BTreeSet::new();
    while let Some(function) = waiting.pop() {
        if called.insert(function) {
            waiting.extend(calls.callees(function));
        }
    }
    called
}

/// The variables that operations read or assign.
fn used<'a>(program: &Program, ops: impl Iterator<Item = &'a Op>) -> BTreeSet<Var> {
    let mut used = BTreeSet::new();
    for op in ops {
        used.extend(op.assigned());
        used.extend(op.terms().flat_map(|term| program.terms.vars(term)));
    }
    used
}

/// The last values of some variables.
struct Last<'a> {
    of: &'a BTreeSet<Var>,
    values: BTreeMap<Var, Value>,
}

impl interp::Observer for Last<'_> {
    fn taken(&mut self, step: &Step<'_>) {
        for change in step.changes {
            if let Change::Assigned { var, value: Some(value) } = change
                && self.of.contains(var)
            {
                self.values.insert(*var, value.clone());
            }
        }
    }

    fn returned(&mut self, _: FuncId, step: &Step<'_>) {
        self.taken(step);
    }
}

#[derive(Default)]
struct Figures {
    files: usize,
    summaries: usize,
    /// Loops of which no run came to its end within the limit.
    endless: usize,
    runs: usize,
    wrong: Vec<String>,
}

/// Compares a loop with its summary.
fn compare(program: &Program, head: LocId, name: &str, figures: &mut Figures) {
    let alone = Alone::new(program, head);
    let Some(found) = passes::summarize(&alone.program) else {
        figures.wrong.push(format!("{name}: the loop at {head} alone has no summary"));
        return;
    };
    let after = &found.rewritten.program;
    figures.summaries += 1;
    let mut ended = 0;
    for seed in 0..TRIES {
        let (ending, values) = alone.run(&alone.program, seed, MOST_STEPS);
        if ending == Ending::StepLimit {
            continue;
        }
        let (short, same) = alone.run(after, seed, 2 * MOST_STEPS);
        let is_same = std::mem::discriminant(&ending) == std::mem::discriminant(&short);
        if !is_same || values != same {
            let what = format!("{name}, {head}, seed {seed}: {ending:?} and {short:?}");
            figures.wrong.push(format!("{what}\n{values:?}\n{same:?}\n{}", show(after)));
            return;
        }
        ended += 1;
        if ended == RUNS {
            break;
        }
    }
    figures.runs += ended;
    figures.endless += usize::from(ended == 0);
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            find(&path, files);
        } else if frontend::Language::of_path(&path).is_some() {
            files.push(path);
        }
    }
}

#[test]
#[ignore = "needs a folder of programs"]
fn summaries_do_what_their_loops_do() {
    let Some(folder) = std::env::var_os("PROVISO_TASKS") else {
        println!("PROVISO_TASKS names no folder: nothing is compared");
        return;
    };
    let mut files = Vec::new();
    find(Path::new(&folder), &mut files);
    files.sort();
    let mut figures = Figures::default();
    for path in files {
        let name = path.display().to_string();
        let data_model = Some(frontend::DataModel::Ilp32);
        let options = frontend::Options { data_model, ..frontend::Options::default() };
        let loaded = frontend::load(&[path], &options);
        if loaded.diagnostics.has_errors() || loaded.program.cfa.start.is_none() {
            continue;
        }
        figures.files += 1;
        // Summaries of the program as it is given serve the interpreter, those of a simpler one the
        // analyses.
        let simple = passes::simplify(&loaded.program).program;
        for program in [&loaded.program, &simple] {
            let Some(found) = passes::summarize(program) else { continue };
            for head in found.heads {
                compare(program, head, &name, &mut figures);
            }
        }
    }
    let Figures { files, summaries, endless, runs, wrong } = figures;
    println!(
        "{files} files, {summaries} summaries ({endless} of loops that did not end), {runs} runs"
    );
    assert!(wrong.is_empty() && runs > 0, "{} wrong: {}", wrong.len(), wrong.join("\n"));
}
