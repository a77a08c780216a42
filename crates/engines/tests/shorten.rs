//! Executions that reach an error become shorter, and their inputs smaller.

#![allow(missing_docs)]

use proviso_engines::{replay, shortened};
use run::{Budget, Counterexample, Drawn, Replayed};
use term::Value;

const PROGRAM: &str = "extern int in(void); extern void reach_error(void);
    int main(void) {
      int x = 0;
      for (int n = 0; n < 50; n++) {
        int a = in();
        if (a > 5) x++;
        if (x == 3) reach_error();
      }
    }";

/// An execution with these inputs.
fn found(program: &cfa::Program, inputs: &[i32]) -> Counterexample {
    let mut listed = String::new();
    for input in inputs {
        listed.push_str(&format!("{input}\n"));
    }
    let (mut sources, text) = (base::SourceMap::new(), listed);
    let file = sources.add("inputs", text.as_bytes()).expect("a short file");
    let mut listed = interp::parse_inputs(&sources, file).expect("numbers");
    let config = interp::Config::default();
    let run = interp::run(program, &config, &mut listed, None, &mut std::io::sink());
    match replay(program, &run.drawn, &Budget::default()) {
        Replayed::Error(found) => found,
        Replayed::Not(what) => panic!("{what}"),
    }
}

fn values(found: &Counterexample) -> Vec<i128> {
    let number = |drawn: &Drawn| match drawn {
        Drawn::Value { value: Value::Bv(bits), .. } => bits.to_i128(),
        _ => None,
    };
    found.drawn.iter().filter_map(number).collect()
}

#[test]
fn rounds_that_do_not_matter_are_left_out() {
    let program = frontend::load_text("a.c", PROGRAM, &frontend::Options::default()).program;
    let long = found(&program, &[1, -7, 900, 0, 0, 3, 77, 5, 5, 5, 5, 2_000_000_000, 1]);
    let short = shortened(&program, long.clone(), &Budget::default());
    assert_eq!(values(&short).len(), 3);
    assert!(values(&short).iter().all(|value| (6..12).contains(value)), "{:?}", values(&short));
    assert!(short.steps < long.steps && short.error == long.error);
    // Nothing more can be left out, and what was found is an execution.
    let again = shortened(&program, short.clone(), &Budget::default());
    assert_eq!((values(&again), again.steps), (values(&short), short.steps));
    assert!(matches!(replay(&program, &short.drawn, &Budget::default()), Replayed::Error(_)));
}

#[test]
fn a_budget_that_is_used_up_leaves_everything_as_it_is() {
    let program = frontend::load_text("a.c", PROGRAM, &frontend::Options::default()).program;
    let long = found(&program, &[1, 900, 0, 77, 5, 200]);
    let budget = Budget::default();
    budget.cancel();
    assert_eq!(values(&shortened(&program, long.clone(), &budget)), values(&long));
}
