//! Violations whose values the witness does not say are confirmed along the witness, without an analysis that could find
//! the error by itself.

#![allow(missing_docs)]

use std::fmt::Write as _;

use proviso_witness::{Task, Validation, read, validate};
use verify::{Analysis, Config};

/// Each condition reads memory that the program has not made, and that nobody has set.
const PROGRAM: &str = "\
extern void reach_error(void);
struct part { int kind; int left; struct part *next; };
struct whole { struct part *first; int flags; int count; };
static int is(struct part *it, int wanted) {
  if (!it) return 0;
  if (it->kind != wanted) return 0;
  return 1;
}
int main(void) {
  struct whole *w;
  struct part *a, *b;
  if (!w) return 0;
  if (w->flags != 77) return 1;
  a = w->first;
  if (!is(a, 12)) return 2;
  b = a->next;
  if (!is(b, 13)) return 3;
  if (a == b) return 4;
  if (b->left * 3 != a->left + 1) return 5;
  if (a->left < 100) return 6;
  if (w->count != b->left - a->kind) return 7;
  reach_error();
  return 0;
}
";

/// The branches of the execution, in its order: each by its line, and whether its condition holds.
const BRANCHES: [(u32, bool); 12] = [
    (12, false),
    (13, false),
    (5, false),
    (6, false),
    (15, false),
    (5, false),
    (6, false),
    (17, false),
    (18, false),
    (19, false),
    (20, false),
    (21, false),
];

/// What is said of a witness that names the branches at these lines, each with whether it is taken.
fn answer(branches: &[(u32, bool)]) -> Validation {
    let options = frontend::Options::default();
    let loaded = frontend::load_text("p.c", PROGRAM, &options);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    let program = loaded.program;
    let mut text = "- entry_type: violation_sequence\n  metadata:\n    format_version: '2.0'\n    task: { \
                    input_file_hashes: { p.c: '00' }, specification: '', data_model: LP64, language: C }\n  content:\n"
        .to_owned();
    for (line, taken) in branches {
        let _ = writeln!(
            text,
            "  - segment:\n    - waypoint: {{ type: branching, action: follow, constraint: {{ value: '{taken}' }}, \
             location: {{ file_name: p.c, line: {line} }} }}"
        );
    }
    text.push_str(
        "  - segment:\n    - waypoint: { type: target, action: follow, location: { file_name: p.c, line: 22 } }\n",
    );
    let mut sources = base::SourceMap::new();
    let file = sources.add("w.yml", text.as_bytes()).expect("a short file");
    let witness = read(&sources, file).expect("a witness");
    // This analysis refuses programs with pointers.
    let config = Config { analysis: Analysis::Backward, ..Config::default() };
    let solver = || Box::new(smt::Builtin::new()) as Box<dyn smt::FullSolver>;
    let task = Task {
        witness: &witness,
        program: &program,
        subject: &loaded.subject,
        options: &options,
        config: &config,
        solver: &solver,
    };
    validate(&task).expect("expressions that can be read")
}

#[test]
fn values_of_memory_that_a_witness_does_not_say_are_found() {
    let Validation::Violation { inputs, .. } = answer(&BRANCHES) else {
        panic!("{:?}", answer(&BRANCHES));
    };
    assert!(inputs.contains("77"), "{inputs}");
}

/// The analysis alone does not find the error, and no execution goes along a witness that says otherwise of a branch.
#[test]
fn other_branches_are_not_confirmed() {
    for at in 0..BRANCHES.len() {
        let mut branches = BRANCHES;
        branches[at].1 = true;
        let said = answer(&branches);
        assert!(matches!(said, Validation::Not(_)), "{at}: {said:?}");
    }
}
