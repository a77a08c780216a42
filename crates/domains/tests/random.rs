//! Random finite programs: verdicts agree with a plain search of the concrete states, whatever the
//! setting, and the graph is closed.

#![allow(missing_docs)]

mod common;

use std::collections::BTreeSet;

use certify::Certified;
use cfa::{Choice, Edge, EdgeId, LocId, Op, Program, Reading, Scope, Variable};
use common::{Done, Setting, certified, interval, predicate, run};
use cpa::{Context, Cpa as _, Ended, Prune, Status, Step, Successors, Traversal};
use proptest::prelude::*;
use proviso_domains::predicate::{Abstraction, Blocks, Options, Pieces, Style};
use proviso_domains::product::{Rule, Strategy as Counting};
use proviso_domains::value::{PrecisionScope, Preference};
use term::{Sort, TermId, Terms, Value, Var};

const WIDTH: u32 = 2;
const VARS: usize = 3;

/// An operation on an edge: what it is, of which variables, with which constant.
type Recipe = (u8, usize, usize, u128);

#[derive(Clone, Debug)]
struct Sketch {
    locations: usize,
    edges: Vec<(usize, usize, Vec<Recipe>)>,
    error: usize,
}

fn sketches() -> impl Strategy<Value = Sketch> {
    (3_usize..8).prop_flat_map(|locations| {
        let op = (0_u8..9, 0..VARS, 0..VARS, 0_u128..4);
        let edge = (0..locations, 0..locations, prop::collection::vec(op, 1..3));
        let edges = prop::collection::vec(edge, locations..2 * locations + 4);
        (Just(locations), edges, 1..locations).prop_map(|(locations, edges, error)| Sketch {
            locations,
            edges,
            error,
        })
    })
}

fn build(sketch: &Sketch) -> (Program, Vec<Var>) {
    let mut program = Program::default();
    let main = program.cfa.add_function("main", None);
    let vars: Vec<Var> = (0..VARS)
        .map(|index| {
            let variable = Variable {
                scope: Scope::Local(main),
                reading: Reading::Plain,
                source_name: None,
                span: None,
            };
            program.declare(format!("v{index}"), Sort::Bv(WIDTH), variable)
        })
        .collect();
    let entry = program.cfa.functions[main].entry;
    let mut locations = vec![entry];
    locations.extend((1..sketch.locations).map(|_| program.cfa.add_location(main)));
    program.cfa.locations[locations[sketch.error]].error = true;
    for (from, to, recipes) in &sketch.edges {
        let ops: Vec<Op> =
            recipes.iter().map(|recipe| op(&mut program.terms, &vars, *recipe)).collect();
        program.cfa.add_edge(locations[*from], locations[*to], ops, None);
    }
    (program, vars)
}

fn op(terms: &mut Terms, vars: &[Var], (kind, a, b, number): Recipe) -> Op {
    let (x, y) = (terms.var(vars[a]), terms.var(vars[b]));
    let number = terms.bv(WIDTH, number);
    let var = vars[a];
    match kind {
        0 => Op::Assume(terms.eq(x, number)),
        1 => Op::Assume(terms.ne(x, number)),
        2 => Op::Assume(terms.bv_ult(x, number)),
        3 => Op::Assume(terms.ne(x, y)),
        4 => Op::Assign { var, value: number },
        5 => Op::Assign { var, value: terms.bv_add(x, number) },
        6 => Op::Assign { var, value: y },
        7 => {
            let sum = terms.bv_add(y, number);
            let same: TermId = terms.eq(x, sum);
            Op::Assume(same)
        }
        _ => Op::Havoc { var, choice: Choice::Input("input".into()) },
    }
}

/// Whether a concrete execution reaches an error.
fn is_unsafe(program: &Program, vars: &[Var]) -> bool {
    reached(program, vars).iter().any(|(at, _)| program.cfa.locations[*at].error)
}

/// The concrete states that executions reach, until they reach an error.
fn reached(program: &Program, vars: &[Var]) -> BTreeSet<(LocId, [u128; VARS])> {
    let start = program.cfa.functions[program.cfa.start.expect("a start")].entry;
    let values = 1_u128 << WIDTH;
    let mut todo: Vec<(LocId, [u128; VARS])> = Vec::new();
    for code in 0..values.pow(VARS as u32) {
        let digit = |place: usize| (code >> (WIDTH as usize * place)) % values;
        todo.push((start, [digit(0), digit(1), digit(2)]));
    }
    let mut seen: BTreeSet<(LocId, [u128; VARS])> = todo.iter().copied().collect();
    while let Some((at, state)) = todo.pop() {
        if program.cfa.locations[at].error {
            continue;
        }
        for id in &program.cfa.locations[at].edges {
            let edge = &program.cfa.edges[*id];
            for after in execute(program, vars, edge, state) {
                if seen.insert((edge.target, after)) {
                    todo.push((edge.target, after));
                }
            }
        }
    }
    seen
}

fn execute(program: &Program, vars: &[Var], edge: &Edge, state: [u128; VARS]) -> Vec<[u128; VARS]> {
    let mut states = vec![state];
    for op in &edge.ops {
        let eval = |state: &[u128; VARS], term: TermId| {
            let value = |var: Var| {
                let index = vars.iter().position(|each| *each == var)?;
                Some(Value::Bv(term::Bv::new(WIDTH, state[index])))
            };
            program.terms.eval(term, &mut |var| value(var)).expect("all variables have values")
        };
        let place = |var: &Var| vars.iter().position(|each| each == var).expect("a variable");
        states = match op {
            Op::Assume(condition) => states
                .into_iter()
                .filter(|state| eval(state, *condition) == Value::Bool(true))
                .collect(),
            Op::Assign { var, value } => states
                .into_iter()
                .map(|mut state| {
                    let Value::Bv(bits) = eval(&state, *value) else { panic!("bits") };
                    state[place(var)] = bits.to_u128().expect("few bits");
                    state
                })
                .collect(),
            Op::Havoc { var, .. } => states
                .into_iter()
                .flat_map(|state| {
                    (0..1_u128 << WIDTH).map(move |value| {
                        let mut state = state;
                        state[place(var)] = value;
                        state
                    })
                })
                .collect(),
            other => panic!("{other:?} is not made here"),
        };
    }
    states
}

/// Every expanded node has all its successors: each is covered by a child.
fn is_closed(done: &mut Done<'_>) -> Result<(), String> {
    done.arg.check()?;
    let program = done.values.program();
    let reach = cfa::Reach::of(&program.cfa);
    let nodes: Vec<_> = done
        .arg
        .nodes()
        .filter(|(_, node)| node.status == Status::Expanded)
        .map(|(id, node)| (id, node.state))
        .collect();
    for (id, state) in nodes {
        let place = done.arg.place(id);
        let edges: Vec<EdgeId> = program.cfa.locations[place.location].edges.to_vec();
        for edge in edges {
            let to = program.cfa.edges[edge].target;
            let children: Vec<_> = done
                .arg
                .children(id)
                .filter(|child| done.arg.node(*child).parent == Some((id, Step::Edge(edge))))
                .map(|child| done.arg.node(child).state)
                .collect();
            let context =
                Context { location: to, stack: place.stack, stacks: &done.arg.places.stacks };
            let mut found = Successors::new();
            let posted = done.values.post(context, &state, Step::Edge(edge), &mut found);
            assert!(posted.is_ok());
            for after in found.states {
                let relevant = reach.relevant(to);
                if relevant && !children.iter().any(|child| done.values.leq(after, *child)) {
                    return Err(format!("{id} lacks a successor along {edge}"));
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn verdicts_are_right(
        sketch in sketches(),
        refined in any::<bool>(),
        traversal in 0_usize..4,
        full in any::<bool>(),
        scope in 0_usize..3,
        preference in 0_usize..6,
    ) {
        let (program, vars) = build(&sketch);
        let setting = Setting {
            refined,
            traversal: [
                Traversal::Dfs,
                Traversal::Bfs,
                Traversal::ReversePostOrder,
                Traversal::ErrorDistance,
            ][traversal],
            prune: if full { Prune::Full } else { Prune::Lazy },
            scope: [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global][scope],
            preference: [
                Preference::First,
                Preference::Last,
                Preference::ShortestInterpolant,
                Preference::LongestInterpolant,
                Preference::FewestVariables,
                Preference::FewestCounters,
            ][preference],
        };
        let truth = is_unsafe(&program, &vars);
        let mut done = run(&program, setting);
        match &done.ended {
            Ended::Safe => {
                prop_assert!(!truth, "safe, and an execution reaches the error");
                prop_assert_eq!(certified(&program, done.certificate()), Certified::Holds);
            }
            Ended::Unsafe(_) => prop_assert!(truth, "unsafe, and no execution reaches the error"),
            // A target that stays is one that explicit values cannot exclude.
            Ended::Unresolved => prop_assert!(!done.findings.is_empty()),
            // Each target that stays costs a query, and there can be hundreds.
            Ended::Halted(why) => {
                prop_assert!(done.findings.len() >= common::MOST_FINDINGS, "{:?}", why);
            }
        }
        if truth {
            // Whatever the graph claims, it proves nothing.
            prop_assert_ne!(certified(&program, done.certificate()), Certified::Holds);
        }
        let graph = is_closed(&mut done);
        prop_assert!(graph.is_ok(), "{:?}", graph);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn verdicts_of_intervals_are_right_and_ranges_have_all_values(sketch in sketches()) {
        let (program, vars) = build(&sketch);
        let reached = reached(&program, &vars);
        let truth = reached.iter().any(|(at, _)| program.cfa.locations[*at].error);
        let done = interval::run(&program);
        match &done.ended {
            Ended::Safe => {
                prop_assert!(!truth, "safe, and an execution reaches the error");
                prop_assert_eq!(certified(&program, done.certificate(&program)), Certified::Holds);
            }
            Ended::Unsafe(_) => prop_assert!(truth, "unsafe, and no execution reaches the error"),
            Ended::Unresolved => prop_assert!(!done.findings.is_empty()),
            Ended::Halted(why) => prop_assert!(false, "{:?}", why),
        }
        prop_assert!(done.arg.check().is_ok());
        let function = program.cfa.start.expect("a start");
        let closed = matches!(done.ended, Ended::Safe | Ended::Unresolved);
        let reach = cfa::Reach::of(&program.cfa);
        for (at, values) in reached.iter().filter(|(at, _)| closed && reach.is_followed(*at)) {
            let mut nodes = done.arg.nodes().filter(|(id, _)| done.arg.place(*id).location == *at);
            let has_all = nodes.any(|(_, node)| {
                vars.iter().zip(values).all(|(var, value)| {
                    let value = Value::Bv(term::Bv::new(WIDTH, *value));
                    let range = done.intervals.variable(node.state, function, *var);
                    range.is_none_or(|range| range.contains(&value))
                })
            });
            prop_assert!(has_all, "{:?} with {:?}", at, values);
        }
    }

    #[test]
    fn verdicts_of_predicates_are_right(
        sketch in sketches(),
        abstraction in 0_usize..3,
        blocks in 0_usize..3,
        scope in 0_usize..3,
        style in 0_usize..3,
        pieces in 0_usize..3,
        full in any::<bool>(),
        traversal in 0_usize..4,
    ) {
        let (program, vars) = build(&sketch);
        let setting = predicate::Setting {
            options: Options {
                abstraction:
                    [Abstraction::Cartesian, Abstraction::Boolean, Abstraction::Split][abstraction],
                blocks: [Blocks::Edge, Blocks::Loop, Blocks::LoopAndFunction][blocks],
                scope: [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global][scope],
            },
            style: [Style::Auto, Style::Farkas, Style::Newton][style],
            pieces: [Pieces::Atoms, Pieces::Conjuncts, Pieces::Whole][pieces],
            prune: if full { Prune::Full } else { Prune::Lazy },
            traversal: [
                Traversal::ReversePostOrder,
                Traversal::Bfs,
                Traversal::Dfs,
                Traversal::ErrorDistance,
            ][traversal],
        };
        let truth = is_unsafe(&program, &vars);
        let done = predicate::run(&program, setting, |_| {});
        match &done.ended {
            Ended::Safe => {
                prop_assert!(!truth, "safe, and an execution reaches the error");
                prop_assert_eq!(certified(&program, done.certificate(&program)), Certified::Holds);
            }
            Ended::Unsafe(_) => prop_assert!(truth, "unsafe, and no execution reaches the error"),
            Ended::Unresolved => prop_assert!(!done.findings.is_empty()),
            Ended::Halted(why) => prop_assert!(false, "{:?}", why),
        }
        prop_assert!(done.arg.check().is_ok());
        if truth {
            prop_assert_ne!(certified(&program, done.certificate(&program)), Certified::Holds);
        }
        let strategies = [
            (Counting::Path, None, Rule::Preferred),
            (Counting::Path, Some(3), Rule::Preferred),
            (Counting::State, Some(1), Rule::Dropouts),
            (Counting::State, Some(3), Rule::Dropouts),
            (Counting::Path, Some(2), Rule::Dropouts),
            (Counting::PathEnum, Some(3), Rule::Dropouts),
            (Counting::Arg, Some(3), Rule::Dropouts),
            (Counting::Lazy, Some(4), Rule::Dropouts),
        ];
        for how in strategies {
            let ended = predicate::run_product(&program, setting, how);
            match &ended {
                Ended::Safe => prop_assert!(!truth, "safe beside values"),
                Ended::Unsafe(_) => prop_assert!(truth, "unsafe beside values"),
                Ended::Unresolved => {}
                Ended::Halted(why) => prop_assert!(false, "{:?}", why),
            }
        }
    }
}
