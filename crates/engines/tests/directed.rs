//! Executions that are described by some of their edges are found, whatever values they need; where there are none, none
//! are found.

#![allow(missing_docs)]

use cfa::{EdgeId, Op, Program};
use proviso_engines::directed::{Directions, directed};
use proviso_engines::replay;
use run::{Budget, Replayed};

/// What begins each program here: a call of `on` leads on, and no execution with a call of `off` is meant.
const BEFORE: &str = "extern void reach_error(void);\nextern int in(void);\nstatic void on(void) { }\n\
                      static void off(void) { }\n";

fn load(text: &str) -> Program {
    let options = frontend::Options::default();
    let loaded = frontend::load_text("a.c", &format!("{BEFORE}{text}"), &options);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

/// The edges that call a function.
fn calls(program: &Program, name: &str) -> impl Iterator<Item = EdgeId> {
    let is_call = |op: &Op| matches!(op, Op::Call { callee, .. } if *program.cfa.functions[*callee].name == *name);
    let edges = program.cfa.edges.entries();
    let found = edges.filter(move |(_, edge)| edge.ops.iter().any(is_call));
    found.map(|(edge, _)| edge).collect::<Vec<_>>().into_iter()
}

/// Whether an execution of a program is found that reaches the error as the calls direct.
fn is_found(text: &str) -> bool {
    let program = load(text);
    let directions = Directions {
        onwards: calls(&program, "on").collect(),
        never: calls(&program, "off").collect(),
    };
    let solver = || Box::new(smt::Builtin::new()) as Box<dyn smt::FullSolver>;
    let found = directed(&program, &directions, &solver, &Budget::default());
    if let Some(found) = &found {
        let replayed = replay(&program, &found.drawn, &Budget::default());
        assert!(matches!(replayed, Replayed::Error(_)), "{replayed:?}");
    }
    found.is_some()
}

/// Each branch of a driver-like program that reads memory which it has not made.
#[test]
fn values_of_memory_outside_are_found() {
    assert!(is_found(
        "struct part { int kind; int left; struct part *next; };\n\
         struct whole { struct part *first; int flags; int count; };\n\
         int main(void) {\n  struct whole *w;\n  struct part *a, *b;\n  if (!w) off(); else on();\n  \
         if (w->flags == 77) on(); else off();\n  a = w->first;\n  if (a->kind == 12) on(); else off();\n  \
         b = a->next;\n  if (b->kind == 13) on(); else off();\n  if (a == b) off(); else on();\n  \
         if (b->left * 3 == a->left + 1) on(); else off();\n  if (a->left < 100) off(); else on();\n  \
         if (w->count != b->left - a->kind) off(); else on();\n  reach_error();\n}\n"
    ));
}

/// Nobody says how often the loop is entered: five rounds it must be.
#[test]
fn rounds_that_nobody_names_are_counted() {
    assert!(is_found(
        "int main(void) {\n  int n = in(), s = 0;\n  for (int i = 0; i < n; i++) s += 3;\n  \
         if (s != 15) off(); else on();\n  reach_error();\n}\n"
    ));
}

/// Of the branches that nobody names, the first decides whether the last condition can hold: ways with the wrong first
/// branch are given up together.
#[test]
fn ways_that_contradict_themselves_are_given_up_together() {
    let branches: String =
        (0..12).map(|number| format!("  if (in() == {number}) k++;\n")).collect();
    assert!(is_found(&format!(
        "int main(void) {{\n  int x = in(), k = 0;\n  if (x < 10) k = 1; else k = 2;\n{branches}  on();\n  \
         if (x == 25) on(); else off();\n  reach_error();\n}}\n"
    )));
}

#[test]
fn where_there_is_no_execution_none_is_found() {
    for text in [
        "int main(void) {\n  int x = in();\n  if (x * x == 2) on(); else off();\n  reach_error();\n}\n",
        "int main(void) {\n  int x = in();\n  if (x == 2) off();\n  if (x != 2) off();\n  reach_error();\n}\n",
        "int main(void) {\n  int *p, *q;\n  if (p == q) on(); else off();\n  *p = 1;\n  if (*q == 2) on(); else \
         off();\n  reach_error();\n}\n",
    ] {
        assert!(!is_found(text), "{text}");
    }
}
