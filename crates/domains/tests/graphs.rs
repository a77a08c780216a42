//! Exact sizes of abstract reachability graphs, and what is tracked, on small programs.

#![allow(missing_docs)]

mod common;

use common::{Done, Setting, c, run, theta};
use cpa::{Arg, Ended, Path, Plan, Prune, Refinement, Refiner, Status, Traversal};
use proviso_domains::value::{Precision, PrecisionScope, Preference, Tracked, Values};
use run::Unknown;

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
    for scope in [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global] {
        let done = run(&program, Setting { scope, ..Setting::default() });
        assert_eq!(verdict(&done), "safe");
        assert_eq!(done.statistics.refinements, 1);
        let mut tracked = done.values.precision().expect("a precision").tracked();
        let only = tracked.pop().expect("something is tracked");
        assert!(tracked.is_empty());
        let Tracked::Variable(var) = only else { panic!("{only:?}") };
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
    let located = run(&program, Setting { scope: PrecisionScope::Location, ..Setting::default() });
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

/// A path that contradicts itself twice: at the condition on `flag`, and at the one on `x`.
const TWICE: &str = "void reach_error(void);
    int main(void) {
      int flag = 0, x;
      if (flag > 0) { x = 1; if (x == 2) reach_error(); }
      return 0;
    }";

#[test]
fn alg_4_keeps_what_the_rest_of_the_path_needs() {
    let program = c(TWICE);
    // After the first assignment, the rest of the path contradicts itself without the flag, so that Alg. 4 takes it
    // out; what stays is x.
    let expected = [
        (Preference::First, "variable main::flag"),
        (Preference::Last, "variable main::x"),
        (Preference::Whole, "variable main::x"),
    ];
    for (preference, tracked) in expected {
        let done = run(&program, Setting { preference, ..Setting::default() });
        assert_eq!(verdict(&done), "safe", "{preference:?}");
        assert_eq!(done.statistics.refinements, 1, "{preference:?}");
        assert_eq!(done.tracked(), ["everywhere:", tracked], "{preference:?}");
    }
    // Where the later contradiction needs what comes before the first one, both ways take the same.
    let program = c(&TWICE.replace("x = 1;", "x = flag;"));
    for preference in [Preference::First, Preference::Whole] {
        let done = run(&program, Setting { preference, ..Setting::default() });
        assert_eq!(verdict(&done), "safe", "{preference:?}");
        assert!(done.tracked().contains(&"variable main::flag".to_owned()), "{preference:?}");
    }
}

#[test]
fn conditions_that_leave_one_value_assign_it() {
    let conditions = [
        ("int", "x >= 5 && x <= 5", "x == 5"),
        ("int", "!(x < 5 || x > 5)", "x == 5"),
        ("int", "x > 4 && x < 7 && x != 6", "x == 5"),
        ("unsigned", "x >= 5 && x < 6", "x == 5"),
        ("unsigned char", "x >= 254 && x != 254", "x == 255"),
        ("signed char", "x <= -128 + 1 && x != -128", "x == -127"),
        ("int", "x + 1 >= 5 && x + 1 <= 5", "x == 4"),
        // Nothing is left.
        ("int", "x >= 5 && x <= 4", "0"),
        ("int", "x >= 5 && x <= 6 && x != 5 && x != 6", "0"),
    ];
    for (ty, condition, holds) in conditions {
        let text = format!(
            "{NONDET} int main(void) {{ {ty} x = __VERIFIER_nondet_int(); \
             if ({condition}) {{ if (!({holds})) reach_error(); }} return 0; }}"
        );
        let program = c(&text);
        for refined in [false, true] {
            let done = run(&program, Setting { refined, ..Setting::default() });
            assert_eq!(verdict(&done), "safe", "{ty}: {condition}, {refined}");
        }
        // More than one value is left.
        let wider = text.replace("x <= 5", "x <= 6").replace("x < 6", "x < 7");
        if wider != text && condition.starts_with("x >= 5 && x <") && holds != "0" {
            let wider = c(&wider);
            let done = run(&wider, Setting::default());
            assert_eq!(verdict(&done), "unsafe", "{ty}: {condition}");
        }
    }
    // The same for numbers without an end, and for conditions one after the other.
    let model = |conditions: &str| {
        theta(&format!(
            "main process cfa {{ var x : int init loc A loc B error loc E
               A -> B {{ {conditions} }} B -> E {{ assume x /= 5 }} }}"
        ))
    };
    for conditions in ["assume x >= 5 and x <= 5", "assume x >= 5 assume x <= 5"] {
        let program = model(conditions);
        assert_eq!(verdict(&run(&program, Setting::default())), "safe", "{conditions}");
    }
    let program = model("assume x >= 5 and x <= 6");
    assert_eq!(verdict(&run(&program, Setting::default())), "unsafe");
}

/// Leaves every target where it is: the graph of a precision, and nothing more.
struct Never;

impl<'p> Refiner<Values<'p>> for Never {
    type Evidence = ();

    fn wants_detours(&self) -> bool {
        false
    }

    fn refine(
        &mut self,
        _: &mut Values<'p>,
        _: &Arg<Values<'p>>,
        _: &Path,
    ) -> Result<Refinement<()>, Unknown> {
        Ok(Refinement::Unresolved)
    }
}

/// Bajkai 2018, Fig. 2.3a: `a` alternates while `x` counts.
const FIGURE_2_3: &str = "main process cfa {
  var a : bool
  var x : int
  init loc L0
  loc L1
  loc L2
  loc L3
  loc L4
  loc L5
  final loc LF
  error loc LE
  L0 -> L1 { a := false }
  L1 -> L2 { x := 0 }
  L2 -> L3 { assume x < 1000 }
  L3 -> L4 { a := (x mod 2 = 0) }
  L4 -> L2 { x := x + 1 }
  L2 -> L5 { assume not (x < 1000) }
  L5 -> LF { assume not a }
  L5 -> LE { assume a }
}";

#[test]
fn figure_2_3_tracks_a_alone() {
    let program = theta(FIGURE_2_3);
    let mut precision = Precision::new(PrecisionScope::Global);
    let start = program.cfa.functions[program.cfa.start.expect("a start")].entry;
    let vars = program.cfa.variables.ids();
    let a = vars.into_iter().find(|var| program.terms.var_name(*var) == "a").expect("a variable");
    precision.add(&program.cfa, start, Tracked::Variable(a));
    let mut values = Values::new(&program, Some(precision));
    let reach = cfa::Reach::of(&program.cfa);
    let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: Traversal::Bfs, halt: &|| None };
    let (_, arg) = cpa::cegar(&mut values, &mut Never, &plan, Prune::Lazy, &run::Silent);
    let mut told = Vec::new();
    for (id, node) in arg.nodes() {
        let location = &program.cfa.locations[arg.place(id).location];
        let known = values.variables(node.state, &[location.function]);
        let known = known.iter().map(|(_, var, value)| {
            format!(" {}={}", program.terms.var_name(*var), *value == term::Value::Bool(true))
        });
        let covered = if matches!(node.status, Status::Covered(_)) { " covered" } else { "" };
        let name = location.name.as_deref().unwrap_or("?");
        told.push(format!("{name}{}{covered}", known.collect::<String>()));
    }
    // Fig. 2.3b, but for the final location, from where no error can be reached.
    let expected = [
        "L0",
        "L1 a=false",
        "L2 a=false",
        "L3 a=false",
        "L5 a=false",
        "L4",
        "L2",
        "L3",
        "L5",
        "L4 covered",
        "LE a=true",
    ];
    assert_eq!(told, expected);
}

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
                for scope in
                    [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global]
                {
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
            Preference::Whole,
        ] {
            let done = run(&program, Setting { preference, ..Setting::default() });
            assert_eq!(verdict(&done), case.verdict, "{}", case.name);
        }
    }
}
