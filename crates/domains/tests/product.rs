//! Product abstraction: the examples of Bajkai 2018, ch. 3, graph by graph.

#![allow(missing_docs)]

mod common;

use cfa::{EdgeId, Program};
use common::theta;
use cpa::{Arg, Ended, Path, Plan, Prune, Refinement, Refiner, Status, Traversal};
use engines::path;
use proviso_domains::predicate::{self, Abstraction, Blocks, Options, Pieces, Predicates, Style};
use proviso_domains::product::{self, Phases, Product, Reach, Rule, Strategy};
use proviso_domains::value::{Precision, PrecisionScope, Preference, Tracked, Values};
use run::{Budget, Counterexample, Unknown};
use smt::Builtin;

/// What a run of the algorithm looks like: each graph whose targets were looked at, and the last.
#[derive(Default)]
struct Told {
    graphs: Vec<Vec<String>>,
    /// After each refinement: tracked variables, dropouts, and how many predicates there are.
    precisions: Vec<(Vec<String>, Vec<String>, usize)>,
}

fn names(program: &Program, vars: &[term::Var]) -> Vec<String> {
    vars.iter().map(|var| program.terms.var_name(*var).to_owned()).collect()
}

/// The states of a graph in the order in which they were found: location, values, what predicates
/// say, and whether another state covers it.
fn states(product: &Product<'_>, arg: &Arg<Product<'_>>) -> Vec<String> {
    let program = product.values.program();
    let mut lines = Vec::new();
    for (id, node) in arg.nodes() {
        let location = &program.cfa.locations[arg.place(id).location];
        let name = location.name.as_deref().unwrap_or("?");
        let values = product.values.variables(node.state.values, &[location.function]);
        let value = |(_, var, value): &(u32, term::Var, term::Value)| {
            let name = program.terms.var_name(*var);
            match value {
                term::Value::Int(number) => format!(" {name}={number}"),
                other => format!(" {name}={other:?}"),
            }
        };
        let known: String = values.iter().map(value).collect();
        let (formula, _) = product.predicates.known(node.state.predicates);
        let formula = match product.predicates.terms().display(formula).to_string().as_str() {
            "true" => String::new(),
            text => format!(" {}", text.replace("@1", "")),
        };
        let covered = if matches!(node.status, Status::Covered(_)) { " covered" } else { "" };
        lines.push(format!("{name}{known}{formula}{covered}"));
    }
    lines
}

/// A refiner that tells what it sees.
struct Telling<'a, 'b> {
    inner: product::Refine<'a>,
    told: &'b mut Told,
}

impl<'p> Refiner<Product<'p>> for Telling<'_, '_> {
    type Evidence = Box<Counterexample>;

    fn wants_detours(&self) -> bool {
        self.inner.wants_detours()
    }

    fn refine(
        &mut self,
        product: &mut Product<'p>,
        arg: &Arg<Product<'p>>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, Unknown> {
        self.told.graphs.push(states(product, arg));
        let refinement = self.inner.refine(product, arg, path)?;
        let program = product.values.program();
        let tracked = product.values.precision().map(Precision::tracked).unwrap_or_default();
        let variable = |what: &Tracked| match what {
            Tracked::Variable(var) => Some(*var),
            Tracked::Memory(..) => None,
        };
        let tracked: Vec<term::Var> = tracked.iter().filter_map(variable).collect();
        self.told.precisions.push((
            names(program, &tracked),
            names(program, &product.dropouts()),
            product.predicates.predicates(),
        ));
        Ok(refinement)
    }
}

/// Runs product abstraction as the report does: a graph of single edges, built anew after every
/// refinement.
fn run(program: &Program, strategy: Strategy, limit: usize) -> (String, Told) {
    run_as(program, strategy, limit, (Rule::Dropouts, Reach::Everywhere))
}

/// The same with another rule, and where variables with too many values are not tracked any more.
fn run_as(
    program: &Program,
    strategy: Strategy,
    limit: usize,
    (rule, left): (Rule, Reach),
) -> (String, Told) {
    let options = Options {
        abstraction: Abstraction::Cartesian,
        blocks: Blocks::Edge,
        scope: PrecisionScope::Global,
    };
    let budget = Budget::default();
    let solver = Box::new(Builtin::new());
    let predicates = Predicates::new(program, options, solver, budget.clone());
    let values = Values::new(program, Some(Precision::new(PrecisionScope::Global)));
    let mut product = Product::new(values, predicates, strategy, Some(limit)).leaving(left);
    let mut check =
        |edges: &[EdgeId]| path::check(program, edges, &|| Box::new(Builtin::new()), &budget);
    let mut told = Told::default();
    let inner = product::Refine {
        predicates: predicate::Refine::new(&mut check, Style::Auto, Pieces::Atoms),
        budget: &budget,
        preference: Preference::First,
        rule,
        by_values: 0,
        blocks: Phases { single_edges: true, ..Phases::default() },
        told: Default::default(),
    };
    let mut refine = Telling { inner, told: &mut told };
    let reach = cfa::Reach::of(&program.cfa);
    let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: Traversal::Bfs, halt: &|| None };
    let (ended, arg) = cpa::cegar(&mut product, &mut refine, &plan, Prune::Full, &run::Silent);
    told.graphs.push(states(&product, &arg));
    assert!(arg.check().is_ok());
    let verdict = match ended {
        Ended::Safe => "safe",
        Ended::Unsafe(_) => "unsafe",
        Ended::Unresolved => "unresolved",
        Ended::Halted(_) => "halted",
    };
    (verdict.to_owned(), told)
}

/// Fig. 3.1a. Nothing is looked at from the final location, from where no error can be reached.
const FIGURE_3_1: &str = "main process cfa {
  var x : int
  init loc L0
  loc L1
  final loc LF
  error loc LE
  L0 -> LF { assume x = 1 }
  L0 -> L1 { assume not (x = 1) }
  L1 -> LE { assume x = 1 }
  L1 -> LF { assume not (x = 1) }
}";

fn none() -> Vec<String> {
    Vec::new()
}

fn x() -> Vec<String> {
    vec!["x".to_owned()]
}

#[test]
fn example_5_drops_x_and_finds_a_predicate() {
    let program = theta(FIGURE_3_1);
    for strategy in [Strategy::State, Strategy::PathEnum, Strategy::Arg] {
        for limit in [1, 5] {
            let (verdict, told) = run(&program, strategy, limit);
            assert_eq!(verdict, "safe", "{strategy:?}");
            assert_eq!(
                told.graphs,
                [
                    // Nothing is tracked.
                    vec!["L0", "L1", "LE"],
                    // Fig. 3.2a: x has too many values after the second edge.
                    vec!["L0", "L1", "LE"],
                    // Fig. 3.2b.
                    vec!["L0", "L1 (not (= x 1))"],
                ],
                "{strategy:?}"
            );
            assert_eq!(told.precisions, [(x(), none(), 0), (none(), x(), 1)], "{strategy:?}");
        }
    }
}

#[test]
fn figure_3_1_is_beyond_values_that_are_not_enumerated() {
    let program = theta(FIGURE_3_1);
    // Fig. 3.1b: x is tracked, and not known before the last edge. Then nothing but a predicate is
    // left.
    let (verdict, told) = run(&program, Strategy::Path, 5);
    assert_eq!(verdict, "safe");
    assert_eq!(told.graphs[1], ["L0", "L1", "LE x=1"]);
    assert_eq!(told.precisions, [(x(), none(), 0), (x(), none(), 1)]);
    // Asked for once more, x is enumerated, and drops out.
    let (verdict, told) = run(&program, Strategy::Lazy, 5);
    assert_eq!(verdict, "safe");
    assert_eq!(told.graphs[1], ["L0", "L1", "LE x=1"]);
    assert_eq!(told.precisions, [(x(), none(), 0), (x(), none(), 0), (none(), x(), 1)]);
}

#[test]
fn few_values_are_enumerated() {
    let program = theta(
        "main process cfa {
  var x : int
  init loc L0
  loc L1
  error loc LE
  L0 -> L1 { assume x > 0 and x < 5 }
  L1 -> LE { assume x = 5 }
}",
    );
    for strategy in [Strategy::State, Strategy::Arg, Strategy::PathEnum] {
        let (verdict, mut told) = run(&program, strategy, 4);
        assert_eq!(verdict, "safe");
        let last = told.graphs.last_mut().expect("a graph");
        last.sort_unstable();
        assert_eq!(*last, ["L0", "L1 x=1", "L1 x=2", "L1 x=3", "L1 x=4"]);
        assert_eq!(told.precisions, [(x(), none(), 0)]);
        // One value too many.
        let (verdict, told) = run(&program, strategy, 3);
        assert_eq!(verdict, "safe");
        assert_eq!(told.precisions.last().map(|(_, dropouts, _)| dropouts.clone()), Some(x()));
    }
}

/// Fig. 3.3.
const FIGURE_3_3: &str = "main process cfa {
  var x : int
  init loc L0
  loc L1
  loc L2
  loc L3
  final loc LF
  error loc LE
  L0 -> L1 { x := 0 }
  L1 -> L2 { assume x <= 1000 }
  L2 -> L1 { x := x + 1 }
  L1 -> L3 { assume not (x <= 1000) }
  L3 -> LF { assume x > 1000 }
  L3 -> LE { assume not (x > 1000) }
}";

#[test]
fn example_6_drops_x_on_the_path() {
    let program = theta(FIGURE_3_3);
    let (verdict, told) = run(&program, Strategy::Path, 2);
    assert_eq!(verdict, "safe");
    assert_eq!(
        told.graphs,
        [
            vec!["L0", "L1", "L2", "L3", "L1 covered", "LE"],
            // Fig. 3.4a, with k = 2.
            vec![
                "L0",
                "L1 x=0",
                "L2 x=0",
                "L1 x=1",
                "L2 x=1",
                "L1 x=2",
                "L2",
                "L1",
                "L2 covered",
                "L3",
                "LE"
            ],
            // Fig. 3.4b.
            vec![
                "L0",
                "L1 (<= x 1000)",
                "L2 (<= x 1000)",
                "L1",
                "L2 (<= x 1000) covered",
                "L3 (< 1000 x)",
            ],
        ]
    );
    assert_eq!(told.precisions, [(x(), none(), 0), (none(), x(), 1)]);
}

#[test]
fn example_6_in_the_whole_graph() {
    let program = theta(FIGURE_3_3);
    for strategy in [Strategy::Arg, Strategy::PathEnum] {
        let (verdict, told) = run(&program, strategy, 2);
        assert_eq!(verdict, "safe");
        // The third value is one too many already when it is found.
        assert_eq!(
            told.graphs[1],
            ["L0", "L1 x=0", "L2 x=0", "L1 x=1", "L2 x=1", "L1", "L2", "L3", "L1 covered", "LE"]
        );
        assert_eq!(told.precisions, [(x(), none(), 0), (none(), x(), 1)]);
    }
    // A single state has one successor here, so x is followed to its end.
    let (verdict, told) = run(&program, Strategy::State, 2);
    assert_eq!(verdict, "safe");
    assert_eq!(told.precisions, [(x(), none(), 0)]);
    assert_eq!(told.graphs[1].len(), 1 + 1002 + 1001 + 1);
}

/// A loop in which `x` has many values, and another path on which it has one.
const TWO_PATHS: &str = "main process cfa {
  var x : int
  var b : bool
  init loc L0
  loc L1
  loc L2
  loc L3
  loc R1
  error loc LE
  L0 -> L1 { assume b x := 0 }
  L1 -> L2 { assume x <= 1000 }
  L2 -> L1 { x := x + 1 }
  L1 -> L3 { assume not (x <= 1000) }
  L3 -> LE { assume not (x > 1000) }
  L0 -> R1 { assume not b x := 3 }
  R1 -> LE { assume x /= 3 }
}";

/// Beyer & Löwe 2012, §III-F: tracking is switched off "if the number of different values on a path exceeds a certain
/// threshold".
#[test]
fn a_threshold_holds_on_the_path_on_which_it_was_passed() {
    let program = theta(TWO_PATHS);
    let last = |left: Reach| {
        let (verdict, mut told) = run_as(&program, Strategy::Path, 2, (Rule::Preferred, left));
        assert_eq!(verdict, "safe", "{left:?}");
        let (tracked, dropouts, predicates) = told.precisions.pop().expect("a refinement");
        assert!(predicates > 0, "{left:?}");
        assert_eq!(dropouts, x(), "{left:?}");
        (told.graphs.pop().expect("a graph"), tracked)
    };
    let knows = |graph: &[String], start: &str| graph.iter().any(|line| line.starts_with(start));
    let (graph, tracked) = last(Reach::Path);
    assert_eq!(tracked, x());
    // On the other path x is known to the end, and in the loop up to the third value.
    assert!(knows(&graph, "R1 x=3"), "{graph:?}");
    assert!(knows(&graph, "L1 x=2") && !knows(&graph, "L1 x=4"), "{graph:?}");
    let (graph, tracked) = last(Reach::Everywhere);
    assert_eq!(tracked, none());
    assert!(knows(&graph, "R1") && !knows(&graph, "R1 x=3"), "{graph:?}");
}
