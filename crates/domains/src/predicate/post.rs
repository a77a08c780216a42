//! What a step does to the values of a block.
//!
//! Memory is not followed, except for cells that are variables: whatever is loaded is arbitrary.
//! So a state stands for more executions than there are, never for fewer.
//!
//! This is not the executor of crate `symbolic`, of which only the guards serve here, because a block is explored again
//! after every refinement, and each step in it is computed once (`memo`). That needs steps whose result depends on the
//! point alone at which they begin: symbols are named for what they stand for (`symbols`: a variable at the start of a
//! block, or the operation that chooses a value), so that the same step gives the same term, and predicates speak of
//! the same symbols in all blocks. In `symbolic` every choice makes a new symbol, a state has begun where the program
//! does, and the state has objects with contents, whose addresses decide whether executions go on; each of these would
//! have to be a part of what the memo compares. The precision that is lost here is found again where a path is checked
//! exactly (`crate::exact`).

use std::rc::Rc;

use cfa::{EdgeId, Op, Scope};
use cpa::{StackId, Step};
use term::{Sort, TermId, Var};

use crate::predicate::Predicates;
use crate::predicate::block::{How, Point, PointId};
use crate::predicate::memo::Advanced;
use crate::predicate::symbols::Fresh;
use crate::predicate::work::Work;

/// How a step ends.
pub(crate) enum Taken {
    /// Executions go on.
    On,
    /// No execution takes the step.
    Blocked,
    /// The step meets something that is not modelled.
    Unsupported(String),
}

impl Predicates<'_> {
    /// How many activations there are.
    fn depth(&self, work: &Work) -> u32 {
        self.frames[&work.stack].1
    }

    /// The value of a variable of the activation at a depth, or of a global.
    pub(crate) fn read(&mut self, work: &Work, (depth, var): (u32, Var)) -> TermId {
        if let Some(value) = work.values.get((depth, var)) {
            return value;
        }
        if depth <= work.low {
            let symbol = self.symbols.current(&mut self.terms, (depth, var));
            return self.terms.var(symbol);
        }
        // The activation began in this block, and the variable has not been assigned since.
        let mut stack = work.stack;
        while self.frames[&stack].1 > depth {
            stack = self.frames[&stack].0;
        }
        self.symbols.fresh(&mut self.terms, Fresh::Entry { stack, var })
    }

    /// A term of the program, over the values at the start of the block.
    fn eval(&mut self, work: &Work, term: TermId) -> TermId {
        let depth = self.depth(work);
        let cfa = &self.program.cfa;
        let mut values = rustc_hash::FxHashMap::default();
        for var in self.terms.vars(term) {
            let place = match cfa.variables[var].scope {
                Scope::Address(_) => continue,
                Scope::Global => (0, var),
                Scope::Local(_) => (depth, var),
            };
            let value = self.read(work, place);
            values.insert(var, value);
        }
        self.terms.substitute(term, &mut |var| values.get(&var).copied())
    }

    fn assign(&mut self, work: &mut Work, var: Var, value: TermId) {
        let depth = match self.program.cfa.variables[var].scope {
            Scope::Address(_) => return,
            Scope::Global => 0,
            Scope::Local(_) => self.depth(work),
        };
        Rc::make_mut(&mut work.values).set((depth, var), value);
    }

    fn restrict(&mut self, work: &mut Work, condition: TermId) -> Taken {
        if self.terms.is_false(condition) {
            return Taken::Blocked;
        }
        if !self.terms.is_true(condition) {
            work.conditions.push(condition);
        }
        Taken::On
    }

    /// Takes a step that leads to a place with the given stack.
    pub(crate) fn take(&mut self, work: &mut Work, step: Step, to: StackId) -> Taken {
        let program = self.program;
        let edge = match step {
            Step::Return(call) => {
                self.leave(work, call, to);
                return Taken::On;
            }
            Step::Edge(edge) => edge,
        };
        self.choose(work, edge);
        for (number, op) in program.cfa.edges[edge].ops.iter().enumerate() {
            if let Op::Call { callee, arguments, .. } = op {
                let values: Vec<TermId> =
                    arguments.iter().map(|each| self.eval(work, *each)).collect();
                self.frames.insert(to, (work.stack, self.depth(work) + 1));
                work.stack = to;
                let parameters = &program.cfa.functions[*callee].parameters;
                for (parameter, value) in parameters.iter().zip(values) {
                    self.assign(work, *parameter, value);
                }
                return Taken::On;
            }
            match self.perform(work, (edge, number as u32), op) {
                Taken::On => {}
                other => return other,
            }
        }
        Taken::On
    }

    /// Returns from the topmost activation.
    fn leave(&mut self, work: &mut Work, call: EdgeId, to: StackId) {
        let program = self.program;
        let depth = self.depth(work);
        let Some(Op::Call { callee, results, .. }) = program.cfa.edges[call].ops.last() else {
            return;
        };
        let from = &program.cfa.functions[*callee].results;
        let values: Vec<TermId> = from
            .iter()
            .take(results.len())
            .map(|result| self.read(work, (depth, *result)))
            .collect();
        Rc::make_mut(&mut work.values).retain(|(at, _)| at < depth);
        work.stack = to;
        work.low = work.low.min(depth - 1);
        for (target, value) in results.iter().zip(values) {
            self.assign(work, *target, value);
        }
    }

    /// Says which edge is taken, where the first conditions of the edges do not.
    fn choose(&mut self, work: &mut Work, edge: EdgeId) {
        let source = self.program.cfa.edges[edge].source;
        if self.deterministic[source] {
            return;
        }
        let edges = &self.program.cfa.locations[source].edges;
        for (index, other) in edges.iter().enumerate() {
            if index + 1 == edges.len() {
                break;
            }
            let what = Fresh::Choice { edge: *other, stack: work.stack };
            let chosen = self.symbols.fresh(&mut self.terms, what);
            if *other == edge {
                work.choices.push(chosen);
                break;
            }
            let not = self.terms.not(chosen);
            work.choices.push(not);
        }
    }

    fn perform(&mut self, work: &mut Work, (edge, number): (EdgeId, u32), op: &Op) -> Taken {
        let stack = work.stack;
        let arbitrary = |this: &mut Self, work: &mut Work, var: Var| {
            let what = Fresh::Input { edge, op: number, stack, var };
            let symbol = this.symbols.fresh(&mut this.terms, what);
            this.assign(work, var, symbol);
            symbol
        };
        match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => {
                let condition = self.eval(work, *condition);
                return self.restrict(work, condition);
            }
            Op::Assign { var, value } => {
                let value = self.eval(work, *value);
                self.assign(work, *var, value);
            }
            Op::Load { var, .. } => match self.mirrors.get(&(edge, number)).copied() {
                Some(mirror) => {
                    let value = self.terms.var(mirror);
                    let value = self.eval(work, value);
                    self.assign(work, *var, value);
                }
                None => _ = arbitrary(self, work, *var),
            },
            Op::Havoc { var, .. } | Op::Size { var, .. } | Op::Valid { var, .. } => {
                arbitrary(self, work, *var);
            }
            Op::Alloc { var, .. } => {
                // The address of an object is never zero.
                let address = arbitrary(self, work, *var);
                if let Sort::Bv(width) = self.terms.sort(address) {
                    let zero = self.terms.bv(width, 0);
                    let condition = self.terms.ne(address, zero);
                    return self.restrict(work, condition);
                }
            }
            Op::HavocReachable { .. } => {
                let known = self.program.cfa.variables.entries();
                for (var, _) in known.filter(|(_, known)| known.scope == Scope::Global) {
                    arbitrary(self, work, var);
                }
            }
            // These operations change nothing, or only memory, whose contents are arbitrary in any case.
            Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMemory { .. }
            | Op::Free { .. }
            | Op::Output { .. } => {}
            Op::Exit(_) | Op::Abort => return Taken::Blocked,
            Op::Unsupported(reason) => return Taken::Unsupported(reason.to_string()),
            // A call is the only operation of its edge.
            Op::Call { .. } => {
                return Taken::Unsupported("a call among operations".to_owned());
            }
        }
        Taken::On
    }

    /// The step from a point as a new point of the same block; `None` if it clearly cannot be
    /// taken.
    pub(crate) fn advance(
        &mut self,
        from: PointId,
        step: Step,
        to: StackId,
    ) -> Option<(PointId, Option<String>)> {
        let block = self.graph.points[from].block;
        let key = (self.graph.points[from].key(), step, to);
        let advanced = match self.graph.memo.steps.get(&key) {
            Some(known) => known.clone(),
            None => {
                let advanced = self.compute(from, step, to);
                self.graph.memo.steps.insert(key, advanced.clone());
                advanced
            }
        };
        let Advanced { guard, values, stack, low, unsupported } = advanced?;
        let how = How::Step(from, step);
        let point = Point { block, stack, low, guard, values, how };
        Some((self.graph.add(point), unsupported))
    }

    fn compute(&mut self, from: PointId, step: Step, to: StackId) -> Option<Advanced> {
        let before = &self.graph.points[from];
        let mut guard = before.guard;
        let mut work = Work::at(before);
        let unsupported = match self.take(&mut work, step, to) {
            Taken::Blocked => return None,
            Taken::On => None,
            Taken::Unsupported(reason) => Some(reason),
        };
        for condition in work.choices.into_iter().chain(work.conditions) {
            guard = self.graph.guards.extend(&mut self.terms, guard, condition)?;
        }
        let Work { stack, low, values, .. } = work;
        Some(Advanced { guard, values, stack, low, unsupported })
    }
}
