//! Exact sizes of abstract reachability graphs, and what is tracked, on small programs.

#![allow(missing_docs)]

mod common;

use common::{Done, Setting, c, run};
use cpa::{Ended, Prune, Traversal};
use proviso_domains::value::{Preference, Scope};

const NONDET: &str = "extern int __VERIFIER_nondet_int(void); void reach_error(void);\n";

fn verdict(done: &Done<'_>) -> &'static str {
    match done.ended {
        Ended::Safe => "safe",
        Ended::Unsafe(_) => "unsafe",
        Ended::Unresolved => "unresolved",
        Ended::Halted(_) => "halted",
    }
}

/// Beyer & Löwe 2012, Fig. 1.
const FIGURE_1: &str = "extern int system_call(); void reach_error(void);
    int main(int x) {
      int flag, ticks, result;
      flag = 0; ticks = 0;
      while (1) {
        ticks = ticks + 1;
        result = system_call();
        if (result == 0 || ticks > x) { break; }
      }
      if (flag > 0) { reach_error(); }
    }";

#[test]
fn figure_1_needs_one_variable_and_one_refinement() {
    let program = c(FIGURE_1);
    for scope in [Scope::Location, Scope::Function, Scope::Global] {
        let done = run(&program, Setting { scope, ..Setting::default() });
        assert_eq!(verdict(&done), "safe");
        assert_eq!(done.statistics.refinements, 1);
        let mut tracked = done.values.precision().expect("a precision").tracked();
        let only = tracked.pop().expect("something is tracked");
        assert!(tracked.is_empty());
        let proviso_domains::value::Tracked::Variable(var) = only else { panic!("{only:?}") };
        assert_eq!(program.terms.var_name(var), "main::flag");
    }
}

#[test]
fn figure_1_without_refinement_goes_through_all_values() {
    let small = Setting { refined: false, ..Setting::default() };
    // A limit on time would make the test slow: a smaller counter wraps around soon enough.
    let narrow = c(&FIGURE_1.replace("int flag, ticks", "unsigned char ticks; int flag"));
    let done = run(&narrow, small);
    assert_eq!(verdict(&done), "safe");
    assert!(done.statistics.added > 1000);
    assert_eq!(verdict(&run(&narrow, Setting::default())), "safe");
    assert_eq!(run(&narrow, Setting::default()).statistics.refinements, 1);
}

/// Two branches that both lead to a condition on `a`, as in Beyer & Löwe 2012, Fig. 2 and §III-F.
const FIGURE_2: &str = "void reach_error(void); extern int __VERIFIER_nondet_int(void);
    int main(void) {
      int a = 0; int b = __VERIFIER_nondet_int();
      if (b) { if (a != 0) goto error; }
      else { if (a != 0) goto error; }
      return 0;
      error: reach_error();
    }";

#[test]
fn figure_2_gives_precisions_by_location() {
    let program = c(FIGURE_2);
    let located = run(&program, Setting { scope: Scope::Location, ..Setting::default() });
    assert_eq!(verdict(&located), "safe");
    // The other branch is not refined with the first one: it takes a refinement of its own.
    assert_eq!(located.statistics.refinements, 2);
    let scoped = run(&program, Setting::default());
    assert_eq!(verdict(&scoped), "safe");
    assert_eq!(scoped.statistics.refinements, 1);
    assert_eq!(scoped.tracked(), ["everywhere:", "variable main::a"]);
    let lines = located.tracked();
    assert!(
        lines
            .iter()
            .filter(|line| *line != "variable main::a")
            .all(|line| line.starts_with("location "))
    );
    assert_eq!(lines.iter().filter(|line| *line == "variable main::a").count(), FIGURE_2_PLACES);
}

/// From the assignment of `a` to the conditions: after it, after the input, and before each of the two.
const FIGURE_2_PLACES: usize = 4;

struct Case {
    name: &'static str,
    text: &'static str,
    verdict: &'static str,
    /// Nodes at the end and refinements with refinement, nodes without.
    nodes: usize,
    refinements: u64,
    all: usize,
}

const CASES: [Case; 12] = [
    Case {
        name: "straight",
        text: "int main(void) { int x = 1; if (x == 2) reach_error(); return 0; }",
        verdict: "safe",
        nodes: 3,
        refinements: 1,
        all: 3,
    },
    Case {
        name: "error",
        text: "int main(void) { int x = 1; x = x + 1; if (x == 2) reach_error(); return 0; }",
        verdict: "unsafe",
        nodes: 5,
        refinements: 0,
        all: 5,
    },
    Case {
        name: "count to 10",
        text: "int main(void) { int i = 0; while (i < 10) i++; if (i != 10) reach_error(); return 0; }",
        verdict: "safe",
        nodes: 24,
        refinements: 1,
        all: 24,
    },
    Case {
        name: "equality learned",
        text: "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 5) { if (x != 5) reach_error(); } return 0; }",
        verdict: "safe",
        nodes: 4,
        refinements: 1,
        all: 4,
    },
    Case {
        name: "equality through a cast",
        text: "int main(void) { unsigned char x = __VERIFIER_nondet_int(); if (x == 5 && !(x == 6)) { if (x + 1 != 6) reach_error(); } return 0; }",
        verdict: "safe",
        nodes: 4,
        refinements: 1,
        all: 4,
    },
    Case {
        name: "lock",
        text: "int main(void) { int lock = 0; while (__VERIFIER_nondet_int()) { if (lock != 0) reach_error(); lock = 1; lock = 0; } return 0; }",
        verdict: "safe",
        nodes: 8,
        refinements: 1,
        all: 8,
    },
    Case {
        name: "call by value",
        text: "int id(int x) { x = x + 1; return x - 1; } int main(void) { int y = 3; int z = id(y); if (y != 3 || z != 3) reach_error(); return 0; }",
        verdict: "safe",
        nodes: 8,
        refinements: 1,
        all: 8,
    },
    Case {
        name: "array cell",
        text: "int a[4]; int main(void) { a[2] = 7; if (a[2] != 7 || a[1] != 0) reach_error(); return 0; }",
        verdict: "safe",
        nodes: 6,
        refinements: 2,
        all: 6,
    },
    Case {
        name: "field on the heap",
        text: "void *malloc(unsigned long); struct s { int a, b; }; int main(void) { struct s *p = malloc(sizeof *p); p->a = 1; p->b = __VERIFIER_nondet_int(); if (p->a != 1) reach_error(); return 0; }",
        verdict: "safe",
        nodes: 6,
        refinements: 1,
        all: 6,
    },
    Case {
        name: "pointer to a local",
        text: "void set(int *p) { *p = 4; } int main(void) { int x = 0; set(&x); if (x != 4) reach_error(); return 0; }",
        verdict: "safe",
        nodes: 8,
        refinements: 1,
        all: 8,
    },
    Case {
        name: "weak update",
        text: "int a[4]; int main(void) { int i = __VERIFIER_nondet_int() & 3; a[i] = 1; if (a[0] != 0 && a[0] != 1) reach_error(); return 0; }",
        verdict: "unresolved",
        nodes: 8,
        refinements: 0,
        all: 8,
    },
    Case {
        name: "relation",
        text: "int main(void) { unsigned x = __VERIFIER_nondet_int(); unsigned y = x & 7; if (y > x) reach_error(); return 0; }",
        verdict: "unresolved",
        nodes: 5,
        refinements: 0,
        all: 5,
    },
];

#[test]
fn sizes_of_graphs() {
    let mut seen = Vec::new();
    for case in &CASES {
        let program = c(&format!("{NONDET}{}", case.text));
        let refined = run(&program, Setting::default());
        assert_eq!(verdict(&refined), case.verdict, "{}", case.name);
        refined.arg.check().unwrap_or_else(|wrong| panic!("{}: {wrong}", case.name));
        let all = run(&program, Setting { refined: false, ..Setting::default() });
        assert_eq!(verdict(&all), case.verdict, "{}", case.name);
        all.arg.check().unwrap_or_else(|wrong| panic!("{}: {wrong}", case.name));
        seen.push((case.name, refined.arg.len(), refined.statistics.refinements, all.arg.len()));
    }
    let expected: Vec<_> =
        CASES.iter().map(|case| (case.name, case.nodes, case.refinements, case.all)).collect();
    assert_eq!(seen, expected);
}

#[test]
fn every_setting_agrees() {
    for case in &CASES {
        let program = c(&format!("{NONDET}{}", case.text));
        for traversal in
            [Traversal::Dfs, Traversal::Bfs, Traversal::ReversePostOrder, Traversal::ErrorDistance]
        {
            for prune in [Prune::Lazy, Prune::Full] {
                for scope in [Scope::Location, Scope::Function, Scope::Global] {
                    let setting = Setting { traversal, prune, scope, ..Setting::default() };
                    let done = run(&program, setting);
                    assert_eq!(verdict(&done), case.verdict, "{}", case.name);
                }
            }
        }
        for preference in [
            Preference::First,
            Preference::Last,
            Preference::ShortestInterpolant,
            Preference::LongestInterpolant,
            Preference::FewestVariables,
        ] {
            let done = run(&program, Setting { preference, ..Setting::default() });
            assert_eq!(verdict(&done), case.verdict, "{}", case.name);
        }
    }
}
