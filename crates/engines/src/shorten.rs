//! Counterexamples that are easy to read: fewer steps first, then smaller inputs.
//!
//! The engines take the first execution that they find. Here parts of what it has decided are left out, or made
//! smaller, and the interpreter says whether the same error is still reached. The shorter execution has been replayed,
//! as the given one has.

use cfa::{Program, Reading};
use interp::{Config, Listed, Runner};
use num_bigint::BigInt;
use num_traits::{Signed as _, Zero as _};
use run::{Budget, Counterexample, Drawn, Replayed};
use term::{Bv, Value};

use crate::replay::judge;

/// How many steps all executions that are tried may take together. What a run costs before its first step counts as
/// one step for each edge of the program.
const MOST_STEPS: u64 = 2_000_000;

/// An execution that reaches the same error in as many steps or fewer, and with inputs that are no larger.
#[must_use]
pub fn shortened(program: &Program, found: Counterexample, budget: &Budget) -> Counterexample {
    // Rounds that were taken at once are shown as a number, which tells more than an execution with fewer rounds.
    if found.skipped > 0 {
        return found;
    }
    let mut search = Search { runner: Runner::new(program), budget, found, left: MOST_STEPS };
    search.leave_out();
    search.make_zero();
    search.make_smaller();
    search.found
}

struct Search<'a> {
    runner: Runner<'a>,
    budget: &'a Budget,
    /// The best execution so far.
    found: Counterexample,
    /// How many steps may still be tried.
    left: u64,
}

impl Search<'_> {
    /// Leaves stretches of decisions out, long ones first.
    fn leave_out(&mut self) {
        let mut length = self.found.drawn.len() / 2;
        while length > 0 {
            let mut at = 0;
            while at < self.found.drawn.len() {
                let end = (at + length).min(self.found.drawn.len());
                let drawn = [&self.found.drawn[..at], &self.found.drawn[end..]].concat();
                let most = self.found.steps.saturating_sub(1);
                match self.attempt(&drawn, most) {
                    Tried::Reached => {}
                    Tried::Not => at = end,
                    Tried::Ended => return,
                }
            }
            length /= 2;
        }
    }

    /// Makes values zero, long stretches of them first.
    fn make_zero(&mut self) {
        let mut length = self.found.drawn.len();
        while length > 0 {
            let mut at = 0;
            while at < self.found.drawn.len() {
                let end = (at + length).min(self.found.drawn.len());
                let mut drawn = self.found.drawn.clone();
                let mut is_less = false;
                for one in &mut drawn[at..end] {
                    is_less |= set_zero(one);
                }
                if is_less && let Tried::Ended = self.attempt(&drawn, self.found.steps) {
                    return;
                }
                at = end;
            }
            length /= 2;
        }
    }

    /// Makes values that cannot be zero as small as halving and a search below make them.
    fn make_smaller(&mut self) {
        let mut at = 0;
        while at < self.found.drawn.len() {
            match self.replace(at) {
                Tried::Reached => {}
                Tried::Not => at += 1,
                Tried::Ended => return,
            }
        }
    }

    /// Replaces a value by the smallest one with which the error is still reached, among some.
    fn replace(&mut self, at: usize) -> Tried {
        for value in self.smaller(at) {
            let mut drawn = self.found.drawn.clone();
            let Drawn::Value { value: known, .. } = &mut drawn[at] else { break };
            *known = value;
            match self.attempt(&drawn, self.found.steps) {
                Tried::Not => {}
                done => return done,
            }
        }
        Tried::Not
    }

    /// Smaller values for a decision, the smallest first.
    fn smaller(&self, at: usize) -> Vec<Value> {
        match &self.found.drawn[at] {
            Drawn::Value { origin, value: Value::Bv(bits) } if !bits.is_zero() => {
                let is_signed = origin.reading(self.runner.program()) == Reading::Signed;
                smaller_words(bits, is_signed).into_iter().map(Value::Bv).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Runs the program with these decisions, and keeps the execution if it reaches the error in at most `most` steps.
    fn attempt(&mut self, drawn: &[Drawn], most: u64) -> Tried {
        let program = self.runner.program();
        let cost = program.cfa.edges.len() as u64;
        if self.left < cost + most || self.budget.exceeded().is_some() {
            return Tried::Ended;
        }
        let mut inputs = Listed::replay(program, drawn);
        let config = Config { max_steps: most, budget: Some(self.budget), ..Config::default() };
        let run = self.runner.run(&config, &mut inputs);
        self.left -= cost + run.steps.min(most);
        match judge(program, run) {
            Replayed::Error(found) if found.error == self.found.error && found.steps <= most => {
                self.found = found;
                Tried::Reached
            }
            _ => Tried::Not,
        }
    }
}

/// What came of an attempt.
enum Tried {
    /// The shorter execution reaches the error.
    Reached,
    /// The shorter execution does not reach the error.
    Not,
    /// Nothing more may be tried.
    Ended,
}

/// Makes the value of a decision zero, if it is a word or a truth value. Says whether the value was not zero before.
fn set_zero(drawn: &mut Drawn) -> bool {
    let Drawn::Value { value, .. } = drawn else { return false };
    let zero = match value {
        Value::Bool(true) => Value::Bool(false),
        Value::Bv(bits) if !bits.is_zero() => Value::Bv(Bv::zero(bits.width())),
        _ => return false,
    };
    *value = zero;
    true
}

/// Smaller words that are not zero, the smallest first: one, half of the word, three quarters of it, and so on up to
/// its neighbour. A signed word is made smaller by its distance from zero.
fn smaller_words(bits: &Bv, is_signed: bool) -> Vec<Bv> {
    let width = bits.width();
    let number = if is_signed { bits.to_bigint_signed() } else { bits.to_bigint_unsigned() };
    let unit = BigInt::from(if number.is_negative() { -1 } else { 1 });
    let mut words = vec![Bv::from_bigint(width, &unit)];
    let mut less: BigInt = &number / 2;
    while !less.is_zero() {
        words.push(Bv::from_bigint(width, &(&number - &less)));
        less /= 2;
    }
    words.retain(|word| word != bits);
    words
}
