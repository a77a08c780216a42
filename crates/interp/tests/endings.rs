//! Every ending, and calls.

#![allow(missing_docs)]

mod common;

use cfa::{AllocKind, Fault, Op};
use common::{B32, B64, Model, alloc, assign, bits, input, returned};
use num_bigint::BigInt;
use proviso_interp::{Config, Ending, Trouble, Zeros};
use term::{Sort, Value};

#[test]
fn returns_without_and_with_a_result() {
    let mut model = Model::new();
    model.finish();
    let run = model.run();
    assert_eq!((run.ending, run.steps), (Ending::Returned(None), 1));

    let mut model = Model::new();
    let value = model.bv(32, -7);
    model.finish_with(value);
    let run = model.run();
    assert_eq!(run.ending.describe(&model.program), "returned -7");
    assert_eq!((run.ending, run.steps), (returned(32, -7), 2));
}

#[test]
fn a_result_that_was_never_set_is_asked_for() {
    let mut model = Model::new();
    model.result("result", B32);
    model.finish();
    let run = model.run();
    assert_eq!(run.ending, returned(32, 0));
    assert_eq!(run.drawn.len(), 1);
}

#[test]
fn reaches_an_error() {
    let mut model = Model::new();
    model.step([]);
    let error = model.error();
    let edge = model.edge(model.at, error, []);
    let run = model.run();
    assert_eq!(run.ending.describe(&model.program), format!("reached error at {error}"));
    assert_eq!(run.ending, Ending::Error { location: error, edge: Some(edge) });
    assert_eq!(run.steps, 2);
}

#[test]
fn an_error_at_the_entry_needs_no_edge() {
    let mut model = Model::new();
    model.program.cfa.locations[model.at].error = true;
    assert_eq!(model.run().ending, Ending::Error { location: model.at, edge: None });
}

#[test]
fn exits_and_aborts() {
    let mut model = Model::new();
    let code = model.bv(32, 3);
    let edge = model.step([Op::Exit(code)]);
    let ending = model.run().ending;
    assert_eq!(ending.describe(&model.program), "exited with 3");
    assert_eq!(ending, Ending::Exited { code: bits(32, 3), edge });

    let mut model = Model::new();
    let edge = model.step([Op::Abort]);
    assert_eq!(model.run().ending, Ending::Aborted { edge });
}

#[test]
fn no_edge_means_that_an_assumption_failed() {
    let mut model = Model::new();
    let location = model.at;
    assert_eq!(model.run().ending, Ending::AssumptionFailed { location });

    let no = model.program.terms.bool(false);
    model.step([Op::Assume(no)]);
    let run = model.run();
    assert_eq!((run.ending, run.steps), (Ending::AssumptionFailed { location }, 0));
}

#[test]
fn faults_name_their_edge() {
    let mut model = Model::new();
    let no = model.program.terms.bool(false);
    let yes = model.program.terms.bool(true);
    model.step([Op::Check { holds: yes, fault: Fault::InvalidLength }]);
    let edge = model.step([Op::Check { holds: no, fault: Fault::DivisionByZero }]);
    model.finish();
    let ending = model.run().ending;
    assert_eq!(ending.describe(&model.program), "division by zero");
    assert_eq!(ending, Ending::Fault { fault: Fault::DivisionByZero, edge });
}

#[test]
fn unsupported_gives_its_reason() {
    let mut model = Model::new();
    let edge = model.step([Op::Unsupported("threads".into())]);
    let ending = model.run().ending;
    assert_eq!(ending.describe(&model.program), "unsupported (threads)");
    assert_eq!(ending, Ending::Unsupported { reason: "threads".to_owned(), edge: Some(edge) });
    assert!(matches!(
        proviso_interp::run(
            &cfa::Program::default(),
            &Config::default(),
            &mut Zeros,
            None,
            &mut std::io::sink()
        )
        .ending,
        Ending::Unsupported { edge: None, .. }
    ));
}

#[test]
fn steps_are_limited_exactly() {
    let mut model = Model::new();
    model.edge(model.at, model.at, []);
    for limit in [0, 1, 17, 4096, 100_000] {
        let config = Config { max_steps: limit, ..Config::default() };
        let run =
            proviso_interp::run(&model.program, &config, &mut Zeros, None, &mut std::io::sink());
        assert_eq!((run.ending, run.steps), (Ending::StepLimit, limit));
    }
}

/// A run that has ended is not stopped by a limit that it just reached.
#[test]
fn the_last_step_may_be_the_last_allowed() {
    let mut model = Model::new();
    model.step([]);
    model.finish();
    for (limit, ending) in [(1, Ending::StepLimit), (2, Ending::Returned(None))] {
        let config = Config { max_steps: limit, ..Config::default() };
        let run =
            proviso_interp::run(&model.program, &config, &mut Zeros, None, &mut std::io::sink());
        assert_eq!(run.ending, ending);
    }
}

#[test]
fn a_run_can_be_stopped() {
    let mut model = Model::new();
    model.edge(model.at, model.at, []);
    let budget = run::Budget::default();
    budget.cancel();
    let config = Config { budget: Some(&budget), ..Config::default() };
    let run = proviso_interp::run(&model.program, &config, &mut Zeros, None, &mut std::io::sink());
    assert_eq!(run.ending, Ending::Stopped);
}

/// `f(n)`: zero if `n` is zero, otherwise `f(n - 1) + n`.
fn sum_of(count: i128) -> Model {
    let mut model = Model::new();
    let main = model.function;
    let f = model.function("f");
    let n = model.parameter("n", B32);
    let sum = model.result("sum", B32);
    let inner = model.local("inner", B32);
    let (entry, exit) = (model.at, model.program.cfa.functions[f].exit);
    let (zero, one, n) = (model.bv(32, 0), model.bv(32, 1), model.var(n));
    let terms = &mut model.program.terms;
    let is_zero = terms.eq(n, zero);
    let not_zero = terms.not(is_zero);
    let less = terms.bv_sub(n, one);
    let inner_term = terms.var(inner);
    let more = terms.bv_add(inner_term, n);
    let (called, back) = (model.location(), model.location());
    model.edge(entry, exit, [Op::Assume(is_zero), assign(sum, zero)]);
    model.edge(entry, called, [Op::Assume(not_zero)]);
    model.edge(
        called,
        back,
        [Op::Call { callee: f, arguments: [less].into(), results: [inner].into() }],
    );
    model.edge(back, exit, [assign(sum, more)]);
    model.go_to(main);
    let total = model.local("total", B32);
    let count = model.bv(32, count);
    model.step([Op::Call { callee: f, arguments: [count].into(), results: [total].into() }]);
    let total = model.var(total);
    model.finish_with(total);
    model
}

#[test]
fn activations_have_variables_of_their_own() {
    let run = sum_of(10).run();
    assert_eq!(run.ending, returned(32, 55));
    assert_eq!(run.steps, 10 * 3 + 1 + 3);
}

#[test]
fn recursion_is_as_deep_as_memory_allows() {
    assert_eq!(sum_of(100_000).run().ending, returned(32, 705_082_704));
    let model = sum_of(-1);
    let config = Config { memory: 1 << 24, ..Config::default() };
    let run = proviso_interp::run(&model.program, &config, &mut Zeros, None, &mut std::io::sink());
    assert!(matches!(run.ending, Ending::OutOfMemory { edge: Some(_) }));
}

#[test]
fn a_dropped_or_missing_result_asks_for_nothing() {
    let mut model = Model::new();
    let main = model.function;
    let f = model.function("f");
    model.result("r", B32);
    model.finish();
    model.go_to(main);
    let x = model.local("x", B32);
    model.step([Op::Call { callee: f, arguments: [].into(), results: [].into() }]);
    model.step([Op::Call { callee: f, arguments: [].into(), results: [x].into() }]);
    let seven = model.bv(32, 7);
    model.finish_with(seven);
    let run = model.run();
    assert_eq!(run.ending, returned(32, 7));
    assert!(run.drawn.is_empty());
}

#[test]
fn a_missing_result_is_asked_for_when_it_is_read() {
    let mut model = Model::new();
    let main = model.function;
    let f = model.function("f");
    model.result("r", B32);
    model.finish();
    model.go_to(main);
    let x = model.local("x", B32);
    let one = model.bv(32, 1);
    model.step([assign(x, one)]);
    model.step([Op::Call { callee: f, arguments: [].into(), results: [x].into() }]);
    let value = model.var(x);
    model.finish_with(value);
    let run = model.run();
    assert_eq!(run.ending, returned(32, 0));
    assert_eq!(run.drawn.len(), 1);
}

#[test]
fn integers_that_grow_without_end_end_the_run() {
    let mut model = Model::new();
    let x = model.global("x", Sort::Int);
    let two = model.program.terms.int(2);
    model.step([assign(x, two)]);
    let term = model.var(x);
    let square = model.program.terms.mul(term, term);
    let edge = model.edge(model.at, model.at, [assign(x, square)]);
    assert_eq!(model.run().ending, Ending::OutOfMemory { edge: Some(edge) });
}

#[test]
fn mathematical_values_are_returned() {
    let mut model = Model::new();
    let value = model.program.terms.int(BigInt::from(10).pow(30));
    model.finish_with(value);
    let ending = model.run().ending;
    assert_eq!(ending.describe(&model.program), format!("returned 1{}", "0".repeat(30)));
    assert_eq!(ending, Ending::Returned(Some(Value::Int(BigInt::from(10).pow(30)))));
}

#[test]
fn inputs_of_a_wrong_sort_end_the_run() {
    struct Wrong;
    impl proviso_interp::Inputs for Wrong {
        fn choose(&mut self, _: &proviso_interp::Request<'_>) -> Result<Value, Trouble> {
            Ok(Value::Bool(true))
        }
        fn choose_edge(&mut self, _: cfa::LocId, edges: &[cfa::EdgeId]) -> Result<usize, Trouble> {
            let count = edges.len();
            Ok(count)
        }
    }
    let mut model = Model::new();
    let x = model.local("x", B32);
    model.step([input(x)]);
    model.finish();
    assert!(matches!(model.run_with(&mut Wrong).ending, Ending::Inputs(Trouble::Unfit { .. })));

    let mut model = Model::new();
    model.edge(model.at, model.at, []);
    model.edge(model.at, model.at, []);
    assert!(matches!(model.run_with(&mut Wrong).ending, Ending::Inputs(Trouble::Unfit { .. })));
}

#[test]
fn output_that_cannot_be_written_ends_the_run() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut model = Model::new();
    let text = model.string(b"x");
    model.step([Op::Output { function: "puts".into(), arguments: [text].into() }]);
    model.finish();
    let run =
        proviso_interp::run(&model.program, &Config::default(), &mut Zeros, None, &mut Closed);
    assert_eq!(run.ending, Ending::OutputFailed(std::io::ErrorKind::BrokenPipe));
}

#[test]
fn too_great_objects_and_too_many_end_the_run() {
    let mut model = Model::new();
    let p = model.local("p", B64);
    let huge = model.bv(64, -1);
    let edge = model.step([alloc(p, huge, AllocKind::Heap)]);
    assert_eq!(model.run().ending, Ending::OutOfMemory { edge: Some(edge) });

    let mut model = Model::new();
    let p = model.local("p", B64);
    let size = model.bv(64, 1 << 20);
    let edge = model.edge(model.at, model.at, [alloc(p, size, AllocKind::Heap)]);
    let run = model.run();
    assert_eq!(run.ending, Ending::OutOfMemory { edge: Some(edge) });
    assert_eq!(run.steps, 1024);
}
