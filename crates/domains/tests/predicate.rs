//! Predicate abstraction: exact graphs of small models, and how many refinements it takes.

#![allow(missing_docs)]

mod common;

use cfa::{LocId, Program};
use common::predicate::{Done, Setting, run};
use common::{c, theta};
use cpa::{Arg, Ended, Path, Plan, Prune, Refinement, Refiner, Status, Traversal};
use proviso_domains::predicate::{Abstraction, Blocks, Options, Pieces, Predicates, Style};
use proviso_domains::product::{Product, Strategy};
use proviso_domains::value::{Precision, PrecisionScope, Tracked, Values};
use run::{Budget, Unknown};

fn location(program: &Program, name: &str) -> LocId {
    let mut named = program.cfa.locations.entries();
    named.find(|(_, each)| each.name.as_deref() == Some(name)).expect("a location").0
}

/// The states of the graph in the order in which they were found: location, what is known, and
/// whether another state covers it.
fn states(done: &Done<'_>, program: &Program) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, node) in done.arg.nodes() {
        let at = done.arg.place(id).location;
        let name = program.cfa.locations[at].name.as_deref().unwrap_or("?").to_owned();
        let (known, _) = done.predicates.known(node.state);
        let known = done.predicates.terms().display(known).to_string().replace("@1", "");
        let covered = if matches!(node.status, Status::Covered(_)) { " covered" } else { "" };
        lines.push(format!("{name} {known}{covered}"));
    }
    lines
}

/// Bajkai 2018, Fig. 2.4. The final location leads to no error and is not looked at.
const FIGURE_2_4: &str = "main process cfa {
  var x : int
  init loc L0
  loc L1
  loc L2
  loc L3
  final loc LF
  error loc LE
  L0 -> L1 { x := 0 }
  L1 -> L2 { assume x <= 10 }
  L2 -> L1 { x := x + 1 }
  L1 -> L3 { assume not (x <= 10) }
  L3 -> LF { assume x > 10 }
  L3 -> LE { assume not (x > 10) }
}";

#[test]
fn figure_2_4_has_these_states() {
    let mut program = theta(FIGURE_2_4);
    let x = program.terms.var(base::Id::from_index(0));
    let ten = program.terms.int(10);
    let predicate = program.terms.gt(x, ten);
    for abstraction in [Abstraction::Cartesian, Abstraction::Boolean] {
        let options = Options { abstraction, blocks: Blocks::Edge, scope: PrecisionScope::Global };
        let setting = Setting { options, traversal: Traversal::Bfs, ..Setting::default() };
        let done = run(&program, setting, |predicates| {
            assert!(predicates.track(location(&program, "L0"), predicate));
        });
        assert_eq!(done.verdict(), "safe");
        assert_eq!(done.statistics.refinements, 0);
        assert_eq!(
            states(&done, &program),
            [
                "L0 true",
                "L1 (<= x 10)",
                "L2 (<= x 10)",
                "L1 true",
                "L2 (<= x 10) covered",
                "L3 (< 10 x)",
            ]
        );
    }
}

#[test]
fn figure_2_4_is_proved_from_nothing() {
    let program = theta(FIGURE_2_4);
    for blocks in [Blocks::Edge, Blocks::Loop, Blocks::LoopAndFunction] {
        for abstraction in [Abstraction::Cartesian, Abstraction::Boolean, Abstraction::Split] {
            let options = Options { abstraction, blocks, scope: PrecisionScope::Location };
            let done = run(&program, Setting { options, ..Setting::default() }, |_| {});
            assert_eq!(done.verdict(), "safe", "{options:?}");
            assert!(done.statistics.refinements <= 2, "{options:?}");
        }
    }
}

/// Bajkai 2018, Fig. 2.5, without the final location.
const FIGURE_2_5: &str = "main process cfa {
  var x : int
  var a : bool
  init loc L0
  loc L1
  loc L2
  loc L3
  loc L4
  loc L5
  loc L6
  error loc LE
  L0 -> L1 { x := 0 }
  L1 -> L2 { a := false }
  L2 -> L3 { assume not a }
  L3 -> L4 { assume x < 5 }
  L3 -> L5 { assume not (x < 5) }
  L5 -> L4 { a := true }
  L4 -> L2 { x := x + 1 }
  L2 -> L6 { assume a }
  L6 -> LE { assume not (x = 6) }
}";

/// Leaves all targets as they are.
struct Never;

impl<'p> Refiner<Product<'p>> for Never {
    type Evidence = ();

    fn refine(
        &mut self,
        _: &mut Product<'p>,
        _: &Arg<Product<'p>>,
        _: &Path,
    ) -> Result<Refinement<()>, Unknown> {
        Ok(Refinement::Unresolved)
    }
}

#[test]
fn figure_2_5_has_these_states() {
    let mut program = theta(FIGURE_2_5);
    let (x, a) = (base::Id::from_index(0), base::Id::from_index(1));
    let term = program.terms.var(x);
    let five = program.terms.int(5);
    let predicate = program.terms.ge(term, five);
    let start = location(&program, "L0");
    let mut precision = Precision::new(PrecisionScope::Global);
    precision.add(&program.cfa, start, Tracked::Variable(a));
    let options = Options {
        abstraction: Abstraction::Cartesian,
        blocks: Blocks::Edge,
        scope: PrecisionScope::Global,
    };
    let solver = Box::new(smt::Builtin::new());
    let mut predicates = Predicates::new(&program, options, solver, Budget::default());
    assert!(predicates.track(start, predicate));
    let values = Values::new(&program, Some(precision));
    let mut both = Product::new(values, predicates, Strategy::Path, None);
    let reach = cfa::Reach::of(&program.cfa);
    let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: Traversal::Dfs, halt: &|| None };
    let (ended, arg) = cpa::cegar(&mut both, &mut Never, &plan, Prune::Lazy, &run::Silent);
    assert!(matches!(ended, Ended::Unresolved));
    let mut lines = Vec::new();
    for (id, node) in arg.nodes() {
        let place = arg.place(id);
        let name = program.cfa.locations[place.location].name.as_deref().unwrap_or("?");
        let function = program.cfa.locations[place.location].function;
        let values = both.values.variables(node.state.values, &[function]);
        let known: Vec<String> =
            values.iter().map(|(_, _, value)| format!("a={value:?} ")).collect();
        let (formula, _) = both.predicates.known(node.state.predicates);
        let formula = both.predicates.terms().display(formula).to_string().replace("@1", "");
        let covered = if matches!(node.status, Status::Covered(_)) { " covered" } else { "" };
        lines.push(format!("{name} {}{formula}{covered}", known.concat()));
    }
    assert_eq!(
        lines,
        [
            "L0 true",
            "L1 (< x 5)",
            "L2 a=Bool(false) (< x 5)",
            "L3 a=Bool(false) (< x 5)",
            "L4 a=Bool(false) (< x 5)",
            "L2 a=Bool(false) true",
            "L3 a=Bool(false) true",
            "L4 a=Bool(false) (< x 5) covered",
            "L5 a=Bool(false) (<= 5 x)",
            "L4 a=Bool(true) (<= 5 x)",
            "L2 a=Bool(true) (<= 5 x)",
            "L6 a=Bool(true) (<= 5 x)",
            "LE a=Bool(true) (<= 5 x)",
        ]
    );
}

const COUNT: &str = "void reach_error(void);
    int main(void) { int x = 0; while (x < 1000000) x++; if (x != 1000000) reach_error(); return 0; }";

#[test]
fn counting_to_a_million_takes_a_few_refinements() {
    let program = c(COUNT);
    for style in [Style::Auto, Style::Newton] {
        for pieces in [Pieces::Atoms, Pieces::Conjuncts, Pieces::Whole] {
            let done = run(&program, Setting { style, pieces, ..Setting::default() }, |_| {});
            assert_eq!(done.verdict(), "safe", "{style:?} {pieces:?}");
            assert!(done.statistics.refinements <= 5, "{style:?} {pieces:?}");
        }
    }
}

/// Programs with their answers: activations are kept apart, and nothing is taken for excluded that
/// is not modelled.
const CASES: [(&str, &str, &str); 13] = [
    (
        "call",
        "int f(int a) { return a + 1; } int main(void) { int x = f(1); if (x != 2) reach_error(); return 0; }",
        "safe",
    ),
    (
        "two calls",
        "int f(int a) { int b = a; return b; } int main(void) { if (f(1) == f(2)) reach_error(); return 0; }",
        "safe",
    ),
    (
        "two calls, unset",
        "int f(void) { int b; return b; } int main(void) { int x = f(); int y = f(); if (x != y) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "inputs differ",
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int(); if (x != y) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "inputs in a callee differ",
        "int f(void) { return __VERIFIER_nondet_int(); } int main(void) { int x = f(); int y = f(); if (x != y) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "inputs of a loop differ",
        "int main(void) { int x = __VERIFIER_nondet_int(); for (int i = 0; i < 2; i++) { int y = __VERIFIER_nondet_int(); if (x != y) reach_error(); x = y; } return 0; }",
        "unsafe",
    ),
    (
        "loop in a callee",
        "int g; void f(int n) { while (n > 0) { n--; g++; } } int main(void) { int x = 5; f(x); if (x != 5) reach_error(); return 0; }",
        "safe",
    ),
    (
        "loop in a callee, error",
        "int g; void f(int n) { while (n > 0) { n--; g++; } } int main(void) { f(3); if (g == 3) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "recursion",
        "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; } int main(void) { if (f(3) != 3) reach_error(); return 0; }",
        "safe",
    ),
    (
        "recursion, error",
        "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; } int main(void) { if (f(3) == 3) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "branches",
        "int main(void) { int x = __VERIFIER_nondet_int(), y; if (x > 0) y = 1; else y = 2; while (__VERIFIER_nondet_int()) x++; if (y == 3) reach_error(); return 0; }",
        "safe",
    ),
    (
        "relation",
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 0; while (i < n) { i++; j++; } if (i != j) reach_error(); return 0; }",
        "safe",
    ),
    (
        "lock",
        "int main(void) { int lock = 0; while (__VERIFIER_nondet_int()) { if (lock != 0) reach_error(); lock = 1; if (__VERIFIER_nondet_int()) break; lock = 0; } return 0; }",
        "safe",
    ),
];

#[test]
fn programs_get_their_answers() {
    let head = "extern int __VERIFIER_nondet_int(void); void reach_error(void);\n";
    for (name, text, verdict) in CASES {
        let program = c(&format!("{head}{text}"));
        for abstraction in [Abstraction::Cartesian, Abstraction::Boolean, Abstraction::Split] {
            for blocks in [Blocks::Loop, Blocks::LoopAndFunction, Blocks::Edge] {
                // Abstraction at each call forgets how deep a recursion goes.
                if name.starts_with("recursion") && blocks != Blocks::Loop {
                    continue;
                }
                let options = Options { abstraction, blocks, scope: PrecisionScope::Location };
                let done = run(&program, Setting { options, ..Setting::default() }, |_| {});
                assert_eq!(done.verdict(), verdict, "{name} {options:?}");
            }
        }
    }
}
