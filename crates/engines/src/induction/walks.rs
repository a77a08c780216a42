//! Guesses about variables that change by the same amount in each round: counters in proportion, pointers that
//! go through an object.

use std::collections::BTreeMap;

use cfa::Scope;
use symbolic::{Changes, State};
use term::{Op, Sort, TermId, Value, Var, View};

use super::Induction;
use super::candidates::{COMPARED, is_number};
use run::Unknown;

/// By how many bytes pointers are guessed to move.
const UNITS: [u128; 4] = [1, 2, 4, 8];

impl Induction<'_, '_> {
    /// The variables to which a round adds a constant, and the constants.
    pub(super) fn constant_steps(
        &mut self,
        head: &State,
        changes: &Changes,
    ) -> Result<BTreeMap<Var, TermId>, Unknown> {
        let mut steps = BTreeMap::new();
        let (Some(back), _) = self.try_round(head.clone(), false)? else { return Ok(steps) };
        let function = self.program.cfa.locations[head.location].function;
        for var in changes.vars() {
            let local = match self.program.cfa.variables[var].scope {
                Scope::Global => true,
                Scope::Local(owner) => owner == function,
                Scope::Address(_) => false,
            };
            if !local || !is_number(self.terms.var_sort(var)) {
                continue;
            }
            let term = self.terms.var(var);
            let before = self.executor.evaluate(&mut self.terms, head, term);
            let after = self.executor.evaluate(&mut self.terms, &back, term);
            let View::App(Op::BvAdd | Op::Add, &[a, b]) = self.terms.view(after) else { continue };
            let step = if a == before { b } else { a };
            if (a == before || b == before) && self.terms.value(step).is_some() {
                steps.insert(var, step);
            }
        }
        Ok(steps)
    }

    /// Guesses that variables which grow in greater steps stay in proportion to variables which grow in steps of one.
    pub(super) fn guess_multiples(
        &mut self,
        entry: &State,
        steps: &BTreeMap<Var, TermId>,
        changed: &[Var],
        guesses: &mut Vec<TermId>,
    ) {
        let mut walked = Vec::new();
        for (var, step) in steps.iter().filter(|(var, _)| changed.contains(var)).take(COMPARED) {
            let now = self.terms.var(*var);
            let first = self.executor.evaluate(&mut self.terms, entry, now);
            let sort = self.terms.sort(now);
            let zero = self.terms.app(sub(sort), &[*step, *step]);
            let opposite = self.terms.app(sub(sort), &[zero, *step]);
            let down = match self.terms.value(*step) {
                Some(Value::Bv(step)) => step.sign(),
                _ => false,
            };
            // How far the variable has gone since the loop was entered, counted upwards.
            let (far, size) = match down {
                true => (self.terms.app(sub(sort), &[first, now]), opposite),
                false => (self.terms.app(sub(sort), &[now, first]), *step),
            };
            walked.push((sort, far, size));
        }
        for (sort, far, size) in &walked {
            let one = match sort {
                Sort::Bv(width) => self.terms.bv(*width, 1),
                _ => self.terms.int(1),
            };
            if *size == one {
                continue;
            }
            let unit = walked.iter().filter(|(other, _, size)| other == sort && *size == one);
            for (_, count, _) in unit {
                let mul = if *sort == Sort::Int { Op::Mul } else { Op::BvMul };
                let expected = self.terms.app(mul, &[*count, *size]);
                guesses.push(self.terms.eq(*far, expected));
            }
        }
    }

    /// Guesses that pointers stay in their objects or just past them, and go in step with counters.
    pub(super) fn guess_pointers(
        &mut self,
        entry: &State,
        changes: &Changes,
        changed: &[Var],
        guesses: &mut Vec<TermId>,
    ) {
        for (var, object) in changes.anchors().filter(|(var, _)| changed.contains(var)) {
            let Some((base, size)) = self.executor.extent(object) else { continue };
            let pointer = self.terms.var(var);
            let first = self.executor.evaluate(&mut self.terms, entry, pointer);
            let offset = self.terms.bv_sub(pointer, base);
            guesses.push(self.terms.bv_ule(offset, size));
            let start = self.terms.bv_sub(first, base);
            guesses.push(self.terms.bv_ule(start, offset));
            guesses.push(self.terms.bv_ule(offset, start));
            let width = self.terms.width(pointer);
            for unit in UNITS {
                let mask = self.terms.bv(width, unit - 1);
                let walked = self.terms.bv_sub(offset, start);
                let low = self.terms.bv_and(walked, mask);
                let zero = self.terms.bv(width, 0);
                guesses.push(self.terms.eq(low, zero));
            }
            for counter in changed.iter().take(COMPARED) {
                let known = matches!(self.terms.var_sort(*counter), Sort::Bv(8..=64));
                let pointer = changes.anchors().any(|(pointer, _)| pointer == *counter);
                if !known || pointer || self.terms.width(offset) < 32 {
                    continue;
                }
                let now = self.terms.var(*counter);
                let first = self.executor.evaluate(&mut self.terms, entry, now);
                let steps = self.terms.bv_sub(now, first);
                if self.terms.width(steps) > width {
                    continue;
                }
                let steps = self.terms.bv_sign_extend(width, steps);
                for unit in UNITS {
                    let unit = self.terms.bv(width, unit);
                    let walked = self.terms.bv_mul(steps, unit);
                    let there = self.terms.bv_add(start, walked);
                    guesses.push(self.terms.eq(offset, there));
                }
            }
        }
    }
}

fn sub(sort: Sort) -> Op {
    if sort == Sort::Int { Op::Sub } else { Op::BvSub }
}
