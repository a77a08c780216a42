//! What is known after a step.

use cfa::{Op, Scope};
use cpa::{Context, Step, Successors};
use smt::Range;
use term::{Sort, TermId, Var};

use super::Intervals;
use super::state::{State, Work};

/// Why an operation does not go on to the next.
enum Stop {
    /// No execution gets further.
    Blocked,
    /// Something is not modelled.
    Unsupported(String),
}

impl Intervals<'_> {
    pub(super) fn step(
        &mut self,
        context: Context<'_>,
        state: State,
        step: Step,
        found: &mut Successors<State>,
    ) {
        let cfa = &self.program.cfa;
        let after = match step {
            Step::Return(call) => {
                let Some(Op::Call { callee, results, .. }) = cfa.edges[call].ops.last() else {
                    return;
                };
                let inside = self.open(state, *callee);
                let values: Vec<Option<Range>> = cfa.functions[*callee]
                    .results
                    .iter()
                    .map(|result| self.range(&inside, *result))
                    .collect();
                let caller = cfa.locations[context.location].function;
                let mut work = self.leave(&inside, caller);
                for (result, value) in results.iter().zip(values) {
                    self.set(&mut work, *result, value);
                }
                self.forget_ended(&mut work, call);
                work
            }
            Step::Edge(edge) => {
                let taken = &cfa.edges[edge];
                let mut work = self.open(state, cfa.locations[taken.source].function);
                if let Some(Op::Call { callee, arguments, .. }) = taken.ops.last() {
                    let values: Vec<Range> =
                        arguments.iter().map(|argument| self.eval(&work, *argument)).collect();
                    self.forget_ended(&mut work, edge);
                    let mut inside = self.enter(&work, *callee);
                    for (parameter, value) in cfa.functions[*callee].parameters.iter().zip(values) {
                        self.set(&mut inside, *parameter, Some(value));
                    }
                    inside
                } else {
                    for op in &taken.ops {
                        match self.perform(&mut work, op) {
                            Ok(()) => {}
                            Err(Stop::Blocked) => return,
                            Err(Stop::Unsupported(reason)) => {
                                let state = self.close(&work);
                                found.unsupported.push((state, reason));
                                return;
                            }
                        }
                    }
                    self.forget_ended(&mut work, edge);
                    work
                }
            }
        };
        let after = self.close(&after);
        found.states.push(after);
    }

    /// Forgets variables that are not read any more after an edge.
    fn forget_ended(&mut self, work: &mut Work, edge: cfa::EdgeId) {
        for index in 0..self.liveness.ends(edge).len() {
            let var = self.liveness.ends(edge)[index];
            self.set(work, var, None);
        }
    }

    /// The range of a term.
    fn eval(&mut self, work: &Work, term: TermId) -> Range {
        let mut reasoner = std::mem::take(&mut self.reasoner);
        let mut known = |var: Var| self.range(work, var);
        let range = reasoner.of(&self.program.terms, term, &mut known, self.budget);
        self.reasoner = reasoner;
        range
    }

    /// Goes on where a condition holds, with what it says of variables.
    fn assume(&mut self, work: &mut Work, condition: TermId) -> Result<(), Stop> {
        let mut reasoner = std::mem::take(&mut self.reasoner);
        let mut known = |var: Var| self.range(work, var);
        let narrowed =
            reasoner.narrowed(&self.program.terms, &[condition], &mut known, self.budget);
        self.reasoner = reasoner;
        for (var, range) in narrowed.ok_or(Stop::Blocked)? {
            self.set(work, var, Some(range));
        }
        Ok(())
    }

    fn perform(&mut self, work: &mut Work, op: &Op) -> Result<(), Stop> {
        match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => {
                return self.assume(work, *condition);
            }
            Op::Assign { var, value } => {
                let value = self.eval(work, *value);
                self.set(work, *var, Some(value));
            }
            // What memory holds, and whether it may be used, is not known.
            Op::Havoc { var, .. }
            | Op::Load { var, .. }
            | Op::Size { var, .. }
            | Op::Valid { var, .. } => self.set(work, *var, None),
            Op::Alloc { var, .. } => {
                let range = match self.program.terms.var_sort(*var) {
                    Sort::Bv(width) => Some(Range::not_zero(width)),
                    _ => None,
                };
                self.set(work, *var, range);
            }
            Op::HavocReachable { .. } => self.forget_globals(work),
            // Memory is not followed. An execution that ends at such an operation goes on here.
            Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMemory { .. }
            | Op::Free { .. }
            | Op::Output { .. } => {}
            Op::Exit(_) | Op::Abort => return Err(Stop::Blocked),
            Op::Unsupported(reason) => return Err(Stop::Unsupported(reason.to_string())),
            Op::Call { .. } => {
                return Err(Stop::Unsupported("a call among operations".to_owned()));
            }
        }
        Ok(())
    }

    /// Whether a variable is seen by all functions.
    pub(super) fn is_global(&self, var: Var) -> bool {
        !matches!(self.program.cfa.variables[var].scope, Scope::Local(_))
    }
}
