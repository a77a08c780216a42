//! Budgets end every way into the solver, and leave it fit for the next question.

#![allow(missing_docs)]

use std::time::Instant;

use proviso_smt::{Answer, Block, Builtin, Interpolate, Interpolation, Solver, Style};
use run::{Budget, Exceeded};
use term::{Format, Rounding, Sort, TermId, Terms, Var};

fn stopped() -> Budget {
    let budget = Budget::default();
    budget.cancel();
    budget
}

fn late() -> Budget {
    Budget::until(Some(Instant::now()))
}

fn variable(terms: &mut Terms, name: &str, sort: Sort) -> TermId {
    let var = terms.declare(name, sort);
    terms.var(var)
}

#[test]
fn a_check_that_may_not_begin_does_not() {
    let mut terms = Terms::new();
    let x = variable(&mut terms, "x", Sort::Bv(8));
    let y = variable(&mut terms, "y", Sort::Bv(8));
    let less = terms.bv_ult(x, y);
    let mut solver = Builtin::new();
    assert_eq!(
        solver.check(&terms, &[less], &stopped()),
        Answer::Unknown(Exceeded::Interrupted.into())
    );
    assert_eq!(solver.check(&terms, &[less], &late()), Answer::Unknown(Exceeded::Time.into()));
    assert_eq!(solver.check(&terms, &[less], &Budget::default()), Answer::Sat);
    // What is known already needs no time.
    assert_eq!(solver.check(&terms, &[less], &late()), Answer::Sat);
}

/// `x0 = 0`, then each is one more than the one before; the last is negative.
fn path(terms: &mut Terms, length: usize) -> Vec<Block> {
    let vars: Vec<Var> = (0..length).map(|at| terms.declare(format!("x{at}"), Sort::Int)).collect();
    let mut blocks = Vec::new();
    let mut value = terms.int(0);
    for var in &vars {
        blocks.push(Block { definitions: vec![(*var, value)], constraints: Vec::new() });
        let (here, one) = (terms.var(*var), terms.int(1));
        value = terms.add(here, one);
    }
    let zero = terms.int(0);
    let negative = terms.lt(value, zero);
    blocks.push(Block { definitions: Vec::new(), constraints: vec![negative] });
    blocks
}

#[test]
fn interpolation_ends_in_every_style() {
    for style in [Style::Auto, Style::Farkas, Style::Newton] {
        let mut terms = Terms::new();
        let blocks = path(&mut terms, 20);
        let mut solver = Builtin::new();
        let found = solver.interpolants(&mut terms, &blocks, style, &stopped());
        assert_eq!(found, Interpolation::Unknown(Exceeded::Interrupted.into()), "{style:?}");
        let found = solver.interpolants(&mut terms, &blocks, style, &Budget::default());
        assert!(matches!(found, Interpolation::Interpolants(_)), "{style:?}: {found:?}");
    }
}

#[test]
fn sums_that_share_their_parts_are_not_written_out() {
    // Each sum has the one before it twice: written out, the last has more parts than bytes fit
    // into any memory.
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::Int);
    let y = terms.declare("y", Sort::Int);
    let (mut sum, step) = (terms.var(x), terms.var(y));
    for _ in 0..200 {
        let more = terms.add(sum, step);
        sum = terms.add(sum, more);
    }
    let s = terms.declare("s", Sort::Int);
    let (value, zero) = (terms.var(s), terms.int(0));
    let (less, more) = (terms.lt(value, zero), terms.lt(zero, value));
    let blocks = [
        Block { definitions: vec![(s, sum)], constraints: vec![less] },
        Block { definitions: Vec::new(), constraints: vec![more] },
    ];
    let found = Builtin::new().interpolants(&mut terms, &blocks, Style::Farkas, &Budget::default());
    assert!(matches!(found, Interpolation::Interpolants(_)), "{found:?}");
}

#[test]
fn one_circuit_alone_may_be_too_large_and_the_next_check_is_right() {
    let format = Format::Double;
    let mut terms = Terms::new();
    let x = variable(&mut terms, "x", Sort::Float(format));
    let y = variable(&mut terms, "y", Sort::Float(format));
    let rest = terms.fp_rem(x, y);
    let sum = terms.fp_add(Rounding::NearestEven, x, y);
    let claim = terms.fp_lt(rest, y);
    let other = terms.fp_lt(x, sum);
    let small = Budget::within_memory(1 << 22);
    let mut solver = Builtin::new();
    solver.push();
    solver.assert(&terms, claim);
    assert_eq!(solver.check(&terms, &[other], &small), Answer::Unknown(Exceeded::Memory.into()));
    solver.pop();
    assert_eq!(solver.check(&terms, &[other], &Budget::default()), Answer::Sat);
    let not = terms.not(other);
    assert_eq!(solver.check(&terms, &[other, not], &Budget::default()), Answer::Unsat);
}
