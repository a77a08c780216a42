//! Functions by contracts: a program in which a call does what the contract of its function says, so that
//! each function is looked at once, however often it is called and however deep it calls itself.
//!
//! A contract says what holds when a function is called (`requires`), and what holds of the values before and
//! after when it returns (`ensures`). A call of a function under contract leads to an error where it breaks
//! `requires`; otherwise all variables that the function may write and its results become arbitrary, and
//! `ensures` is assumed. The rewritten program has several parts, each with a start of its own: one is the
//! original with such calls, and there is one for each function under contract, which begins with arbitrary values
//! that satisfy `requires`, goes through the function, and ends in an error if `ensures` fails.
//!
//! If no part reaches an error, neither does the original: look at the first step of an execution at which
//! an error is reached, a call breaks `requires`, or a return breaks `ensures`. All calls that have returned
//! until then keep their contracts, and the call that is active satisfies `requires` (or it is the first one). So the
//! part of that call has the same execution, with one step for each call that has returned, and an error at its end. An
//! error in a part says nothing about the original.
//!
//! Contracts begin as guesses (`candidates`). A caller that finds out that a guess may fail takes it away
//! ([`Contracts::drop`]), until all that are left are kept (Houdini: Flanagan & Leino 2001).

mod affine;
mod candidates;
mod contract;
mod functions;
mod rewrite;
mod samples;

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Calls, FuncId, Program};
use run::{Budget, Claim};
use term::TermId;

pub use contract::Contracts;
use contract::Site;

pub use functions::{Serves, serve};

/// One of the formulas of the contracts at a place of the program.
#[derive(Clone, Copy)]
pub struct Clause {
    function: FuncId,
    is_required: bool,
    /// The formula, and the place where it must hold.
    pub claim: Claim,
}

impl Contracts {
    /// The program with guesses for contracts. `None` if no function gets one.
    #[must_use]
    pub fn of(program: &Program, budget: &Budget) -> Option<Self> {
        let start = program.cfa.start?;
        if program.terms.var_count() != program.cfa.variables.len() {
            return None;
        }
        let effects = functions::effects(program);
        let functions = functions::under_contract(&program.cfa, &effects);
        if functions.is_empty() {
            return None;
        }
        let parts = parts(program, start, &functions);
        let mut contracts = rewrite::rewrite(program, start, &functions, &effects, parts);
        contracts.guess(program, budget);
        for function in functions {
            contracts.write(function);
        }
        Some(contracts)
    }

    /// The number of parts.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.starts.len()
    }

    /// The program that begins where a part begins. The first part begins where the original begins.
    pub fn part(&mut self, part: usize) -> &Program {
        self.program.cfa.start = Some(self.starts[part]);
        &self.program
    }

    /// What the contracts say that a part must keep: wherever one of these formulas fails, the part
    /// leads to an error.
    #[must_use]
    pub fn clauses(&self, part: usize) -> Vec<Clause> {
        let start = self.starts[part];
        let mut clauses = Vec::new();
        let mut add = |function, is_required, location, formulas: &[TermId]| {
            clauses.extend(formulas.iter().map(|formula| {
                let claim = Claim { location, formula: *formula };
                Clause { function, is_required, claim }
            }));
        };
        for (function, contract) in &self.contracts {
            if *function == start {
                let end = self.program.cfa.edges[contract.end].target;
                add(*function, false, end, &contract.ensures);
            }
            for site in &contract.sites {
                if self.parts[&start].contains(&site.caller) {
                    let check = self.program.cfa.edges[site.call].target;
                    add(*function, true, check, &contract.requires);
                }
            }
        }
        clauses
    }

    /// Takes clauses away, and gives the parts that this has changed.
    pub fn drop(&mut self, clauses: &[Clause]) -> Vec<usize> {
        let mut changed = BTreeSet::new();
        for Clause { function, is_required, claim } in clauses {
            let contract = self.contracts.get_mut(function).expect("clauses are of contracts");
            let formulas =
                if *is_required { &mut contract.requires } else { &mut contract.ensures };
            formulas.retain(|formula| *formula != claim.formula);
            changed.insert(*function);
        }
        let mut parts = BTreeSet::new();
        for function in changed {
            self.write(function);
            for (part, start) in self.starts.iter().enumerate() {
                let calls = |site: &Site| self.parts[start].contains(&site.caller);
                if *start == function || self.contracts[&function].sites.iter().any(calls) {
                    parts.insert(part);
                }
            }
        }
        parts.into_iter().collect()
    }
}

/// The functions whose bodies belong to each start: those that it reaches by calls of functions without
/// contracts.
fn parts(
    program: &Program,
    start: FuncId,
    functions: &[FuncId],
) -> BTreeMap<FuncId, BTreeSet<FuncId>> {
    let calls = Calls::of(&program.cfa);
    let part = |start: FuncId| {
        let mut part = BTreeSet::from([start]);
        let mut work = vec![start];
        while let Some(function) = work.pop() {
            let callees = calls.callees(function).iter().copied();
            work.extend(
                callees.filter(|callee| !functions.contains(callee) && part.insert(*callee)),
            );
        }
        (start, part)
    };
    functions.iter().copied().chain([start]).map(part).collect()
}
