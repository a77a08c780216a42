//! Measurements, to be run by hand with `--release -- --ignored --nocapture`.

#![expect(clippy::print_stdout, reason = "a measurement is for reading")]

use base::Random;
use std::time::{Duration, Instant};

use term::{Op, Sort, TermId, Terms};

use super::Dice;
use crate::builtin::Builtin;
use crate::{Answer, Cores, Solver};
use run::Budget;

/// A path of a made-up C program: assignments and conditions over `int` variables.
struct Path {
    now: Vec<TermId>,
    count: usize,
    integers: bool,
}

impl Path {
    fn new(terms: &mut Terms, integers: bool, vars: usize) -> Path {
        let mut path = Path { now: Vec::new(), count: 0, integers };
        for _ in 0..vars {
            let var = path.fresh(terms);
            path.now.push(var);
        }
        path
    }

    fn fresh(&mut self, terms: &mut Terms) -> TermId {
        self.count += 1;
        let sort = if self.integers { Sort::Int } else { Sort::Bv(32) };
        let var = terms.declare(format!("v{}", self.count), sort);
        terms.var(var)
    }

    fn number(&self, terms: &mut Terms, number: i64) -> TermId {
        if self.integers { terms.int(number) } else { terms.bv(32, number as u128) }
    }

    fn less(&self, terms: &mut Terms, strict: bool, a: TermId, b: TermId) -> TermId {
        let op = match (self.integers, strict) {
            (true, true) => Op::Lt,
            (true, false) => Op::Le,
            (false, true) => Op::BvSlt,
            (false, false) => Op::BvSle,
        };
        terms.app(op, &[a, b])
    }

    fn plus(&self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        terms.app(if self.integers { Op::Add } else { Op::BvAdd }, &[a, b])
    }

    fn condition(&self, terms: &mut Terms, dice: &mut Dice) -> TermId {
        let x = self.now[dice.roll(self.now.len())];
        let y = match dice.roll(3) {
            0 => self.now[dice.roll(self.now.len())],
            _ => self.number(terms, dice.roll(20) as i64 - 2),
        };
        let atom = match dice.roll(5) {
            0 => terms.eq(x, y),
            1 => self.less(terms, true, x, y),
            2 => self.less(terms, false, y, x),
            3 if !self.integers => {
                let byte = terms.bv_extract(7, 0, x);
                let wide = terms.bv_sign_extend(32, byte);
                self.less(terms, true, wide, y)
            }
            _ => self.less(terms, false, x, y),
        };
        // A truth value of C, tested again.
        let (one, zero) = (self.number(terms, 1), self.number(terms, 0));
        let as_int = terms.ite(atom, one, zero);
        let tested = terms.ne(as_int, zero);
        if dice.roll(3) == 0 { terms.not(tested) } else { tested }
    }

    fn step(&mut self, terms: &mut Terms, dice: &mut Dice) -> TermId {
        if dice.roll(2) == 0 {
            return self.condition(terms, dice);
        }
        let at = dice.roll(self.now.len());
        let x = self.now[at];
        let y = self.now[dice.roll(self.now.len())];
        let small = dice.roll(7) as i64 - 3;
        let k = self.number(terms, small);
        let value = match dice.roll(7) {
            0 => k,
            1 | 2 => self.plus(terms, x, k),
            3 => self.plus(terms, x, y),
            4 => {
                let condition = self.condition(terms, dice);
                terms.ite(condition, y, k)
            }
            5 if !self.integers => {
                let mask = terms.bv(32, 0xff);
                terms.bv_and(x, mask)
            }
            6 if !self.integers => terms.bv_mul(x, k),
            _ => y,
        };
        let next = self.fresh(terms);
        self.now[at] = next;
        terms.eq(next, value)
    }
}

struct Query {
    terms: Terms,
    asserted: Vec<TermId>,
    assumptions: Vec<TermId>,
}

/// Path conditions, and `state and step and not predicate`.
fn queries(count: u64, integers: bool) -> Vec<Query> {
    (0..count)
        .map(|seed| {
            let mut dice = Dice(Random::new(seed));
            let mut terms = Terms::new();
            let vars = 2 + dice.roll(3);
            let mut path = Path::new(&mut terms, integers, vars);
            let (mut asserted, mut assumptions) = (Vec::new(), Vec::new());
            if seed % 2 == 0 {
                for _ in 0..2 + dice.roll(10) {
                    assumptions.push(path.step(&mut terms, &mut dice));
                }
            } else {
                for _ in 0..1 + dice.roll(4) {
                    assumptions.push(path.condition(&mut terms, &mut dice));
                }
                for _ in 0..1 + dice.roll(3) {
                    asserted.push(path.step(&mut terms, &mut dice));
                }
                let predicate = path.condition(&mut terms, &mut dice);
                assumptions.push(terms.not(predicate));
            }
            Query { terms, asserted, assumptions }
        })
        .collect()
}

fn run(queries: &[Query], make: fn() -> Builtin) -> (Duration, Duration, [u64; 4], usize) {
    let mut counts = [0; 4];
    let mut cores = 0;
    let start = Instant::now();
    let mut solving = Duration::ZERO;
    for query in queries {
        let begin = Instant::now();
        let mut solver = make();
        for formula in &query.asserted {
            solver.assert(&query.terms, *formula);
        }
        match solver.check(&query.terms, &query.assumptions, &Budget::default()) {
            Answer::Sat => counts[0] += 1,
            Answer::Unsat => {
                counts[1] += 1;
                cores += solver.core().len();
            }
            Answer::Unknown(_) => counts[2] += 1,
        }
        counts[3] += solver.statistics().propagated;
        if solver.statistics().solved > 0 {
            solving += begin.elapsed();
        }
    }
    (start.elapsed(), solving, counts, cores)
}

#[test]
#[ignore = "a measurement"]
fn tiny_queries() {
    for integers in [false, true] {
        let queries = queries(4_000, integers);
        for round in 0..3 {
            let (with, solving, found, cores) = run(&queries, Builtin::new);
            let (without, _, plain, plain_cores) = run(&queries, Builtin::without_front);
            println!(
                "integers {integers}, round {round}: {} queries, sat/unsat/unknown/propagated \
                 {found:?} against {plain:?}; {with:?} with ({solving:?} where SAT was needed), \
                 {without:?} without; \
                 core sizes {cores} against {plain_cores}",
                queries.len()
            );
        }
    }
}

/// `i = 0; while (i < n) { i++; s += i & 7; }`, this often round.
fn unrolled(terms: &mut Terms, rounds: usize) -> Vec<TermId> {
    let mut path = Path::new(terms, false, 3);
    let zero = terms.bv(32, 0);
    let mut formulas = vec![terms.eq(path.now[0], zero), terms.eq(path.now[1], zero)];
    let (one, seven) = (terms.bv(32, 1), terms.bv(32, 7));
    let limit = path.now[2];
    for _ in 0..rounds {
        formulas.push(terms.bv_slt(path.now[0], limit));
        let next = path.fresh(terms);
        let more = terms.bv_add(path.now[0], one);
        formulas.push(terms.eq(next, more));
        path.now[0] = next;
        let sum = path.fresh(terms);
        let low = terms.bv_and(next, seven);
        let total = terms.bv_add(path.now[1], low);
        formulas.push(terms.eq(sum, total));
        path.now[1] = sum;
    }
    formulas
}

/// The same without a known start, so that nothing is constant.
fn open(terms: &mut Terms, rounds: usize) -> Vec<TermId> {
    let mut dice = Dice(Random::new(7));
    let mut path = Path::new(terms, false, 6);
    (0..rounds * 3)
        .map(|_| {
            let at = dice.roll(path.now.len());
            let (x, y) = (path.now[at], path.now[dice.roll(path.now.len())]);
            if dice.roll(3) == 0 {
                return terms.bv_sle(x, y);
            }
            let k = terms.bv(32, dice.roll(3) as u128);
            let value = terms.bv_add(y, k);
            let next = path.fresh(terms);
            path.now[at] = next;
            terms.eq(next, value)
        })
        .collect()
}

#[test]
#[ignore = "a measurement"]
fn long_paths() {
    for (name, build) in
        [("counting", unrolled as fn(&mut Terms, usize) -> Vec<TermId>), ("open", open)]
    {
        for rounds in [250, 1_000, 4_000] {
            let mut terms = Terms::new();
            let formulas = build(&mut terms, rounds);
            for make in [Builtin::new as fn() -> Builtin, Builtin::without_front] {
                let mut solver = make();
                let start = Instant::now();
                for formula in &formulas {
                    solver.assert(&terms, *formula);
                }
                let answer = solver.check(&terms, &[], &Budget::default());
                let once = start.elapsed();
                println!(
                    "{name}: {} conjuncts, {answer:?}, propagated {}: {once:?}",
                    formulas.len(),
                    solver.statistics().propagated
                );
            }
        }
        for rounds in [100, 300] {
            let mut terms = Terms::new();
            let formulas = build(&mut terms, rounds);
            for make in [Builtin::new as fn() -> Builtin, Builtin::without_front] {
                let mut solver = make();
                let start = Instant::now();
                for formula in &formulas {
                    solver.push();
                    solver.assert(&terms, *formula);
                    let _ = solver.check(&terms, &[], &Budget::default());
                }
                println!(
                    "{name}: {} checks of growing paths: {:?}, {:?}",
                    formulas.len(),
                    start.elapsed(),
                    solver.statistics()
                );
            }
        }
    }
}
