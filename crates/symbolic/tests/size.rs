//! How large the terms of an unrolled program are: in proportion to the program.

#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cfa::Program;
use proviso_symbolic::{Executor, Happening, State};
use term::{TermId, Terms, View};

fn load(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

/// Terms and their arguments, of all that a table has.
fn size(terms: &Terms, roots: &[TermId]) -> usize {
    let args = |term: &TermId| match terms.view(*term) {
        View::App(_, args) => args.len(),
        _ => 0,
    };
    let parts = terms.post_order(roots);
    terms.len() + parts.iter().map(args).sum::<usize>()
}

/// Follows all executions of a program to their ends, and gives the number of terms that there are
/// then, with the arguments of those that say when the error is reached.
fn unrolled(program: &Program) -> usize {
    let mut terms = program.terms.clone();
    let mut executor = Executor::new(&program.cfa, &mut terms);
    let start = executor.start(&mut terms).expect("a start");
    let mut pending: BTreeMap<Vec<u32>, Vec<State>> = BTreeMap::new();
    pending.insert(start.place().to_vec(), vec![start]);
    let mut out = Vec::new();
    while let Some((_, states)) = pending.pop_first() {
        let state = executor.merge_all(&mut terms, states).expect("at least one state");
        executor.step(&mut terms, state, &mut out);
        for state in out.drain(..) {
            pending.entry(state.place().to_vec()).or_default().push(state);
        }
    }
    let errors = executor.events().iter().filter(|event| matches!(event.what, Happening::Error(_)));
    let errors: Vec<_> = errors.map(|event| event.guard).collect();
    assert!(!errors.is_empty(), "the error is reached");
    let formulas = executor.any(&mut terms, &errors);
    size(&terms, &formulas)
}

/// Twice the program takes about twice the room.
fn grows_in_proportion(program: &dyn Fn(u32) -> String, count: u32) {
    let (one, two) = (load(&program(count)), load(&program(2 * count)));
    let (one, two) = (unrolled(&one), unrolled(&two));
    assert!(2 * two <= 5 * one, "{one} for {count}, {two} for twice as many");
}

const START: &str = "extern int __VERIFIER_nondet_int(void); void reach_error(void);";

#[test]
fn of_a_switch_with_many_cases() {
    let program = |cases: u32| {
        let mut text = format!("{START} int main(void) {{ int y = 0; ");
        text += "switch (__VERIFIER_nondet_int()) {";
        for case in 0..cases {
            let value = case * 7 % 1000 + 1;
            let _ = write!(text, "case {case}: y = {value}; break; ");
        }
        text + "default: y = 5; } if (y <= 0) reach_error(); }"
    };
    grows_in_proportion(&program, 400);
}

#[test]
fn of_a_loop_that_is_left_in_any_round() {
    let program = |rounds: u32| {
        format!(
            "{START} int main(void) {{ int i = 0; unsigned x = 0;
               while (i < {rounds}) {{ if (__VERIFIER_nondet_int()) break;
                 x += 1 + (unsigned)__VERIFIER_nondet_int(); if (x == 77) reach_error(); i++; }}
               if (x == 78) reach_error(); }}"
        )
    };
    grows_in_proportion(&program, 200);
}

// Were the choices in an address taken apart anew for each address made from it, this would not end.
#[test]
fn of_a_pointer_that_is_moved_again_and_again() {
    let program = |moves: u32| {
        let mut text = format!("{START} int main(void) {{ char a[200], b[200]; ");
        text += "char *p = __VERIFIER_nondet_int() ? a : b; int s = 0; a[0] = b[0] = 0;";
        for _ in 0..moves {
            text += "if (__VERIFIER_nondet_int()) p = p + 1; s += p == b;";
        }
        text + "if (s == 3) reach_error(); }"
    };
    grows_in_proportion(&program, 40);
}
