//! Strongest postconditions.

use cfa::{EdgeId, Op, Scope};
use cpa::{Context, Step};
use smallvec::SmallVec;
use term::{Bv, Sort, TermId, Value, Var};

use crate::value::Values;
use crate::value::cell::{Abstract, Cell};
use crate::value::memory::Invalid;
use crate::value::relation::Returned;
use crate::value::state::{Learned, State, Work};
use crate::value::tree::Tree;

/// How a step ends.
pub(crate) enum Post {
    /// No execution takes the step.
    Blocked,
    State(State),
    /// The step meets something that is not modelled, in this state.
    Unsupported(State, String),
    /// The step accesses memory outside of every object, in this state. The access ends the execution.
    Invalid(State),
}

/// Why a step that surely ends all executions is inconclusive: C does not say what a program does after such an access,
/// and the author of the program may have meant something by it.
pub(crate) const INVALID: &str = "an access outside of every object";

/// Why an operation does not go on to the next.
pub(crate) enum Stop {
    Blocked,
    Unsupported(String),
    Invalid,
}

impl From<Invalid> for Stop {
    fn from(_: Invalid) -> Self {
        Stop::Invalid
    }
}

impl Values<'_> {
    /// The strongest postcondition of a step, with everything tracked. If the step is lenient, all its conditions are
    /// passed over, and not only those that contradict the state: a condition that contradicts this state may tell a
    /// weaker state something.
    pub(crate) fn step(
        &mut self,
        context: Context<'_>,
        state: State,
        step: Step,
        lenient: bool,
    ) -> Post {
        let depth = context.stacks.depth(context.stack);
        let cfa = &self.program.cfa;
        match step {
            Step::Return(call) => {
                let Some(callee) = cfa.edges[call].callee() else { return Post::Blocked };
                let work = self.open(state, callee, depth + 1);
                let Some(mut work) = self.leave(work, call, lenient) else {
                    return Post::Blocked;
                };
                self.forget_ended(&mut work, call);
                Post::State(self.close(&work))
            }
            Step::Edge(edge) => {
                let taken = &cfa.edges[edge];
                let function = cfa.locations[taken.source].function;
                if let Some(Op::Call { callee, arguments, .. }) = taken.ops.last() {
                    let mut work = self.open(state, function, depth.saturating_sub(1));
                    let values: Vec<u32> =
                        arguments.iter().map(|argument| self.passed(&work, *argument)).collect();
                    self.forget_ended(&mut work, edge);
                    let below = self.forest.node(&[work.locals, work.below]);
                    let mut inside =
                        Work { locals: Tree::EMPTY, below, function: *callee, depth, ..work };
                    for (parameter, value) in cfa.functions[*callee].parameters.iter().zip(values) {
                        self.set_variable(&mut inside, *parameter, value);
                    }
                    return Post::State(self.close(&inside));
                }
                let mut work = self.open(state, function, depth);
                for (number, op) in (0..).zip(&taken.ops) {
                    match self.perform(&mut work, (edge, number), op, lenient) {
                        Ok(()) => {}
                        Err(Stop::Blocked) => return Post::Blocked,
                        Err(Stop::Invalid) => return Post::Invalid(self.close(&work)),
                        Err(Stop::Unsupported(reason)) => {
                            return Post::Unsupported(self.close(&work), reason);
                        }
                    }
                }
                self.forget_ended(&mut work, edge);
                Post::State(self.close(&work))
            }
        }
    }

    /// Forgets variables that are not read any more after an edge. States that differ in nothing else become equal.
    pub(crate) fn forget_ended(&mut self, work: &mut Work, edge: EdgeId) {
        for index in 0..self.liveness.ends(edge).len() {
            let var = self.liveness.ends(edge)[index];
            if self.fixed.contains(&var) {
                continue;
            }
            self.assign(work, var, Abstract::Unknown);
        }
    }

    /// Returns from a call.
    fn leave(&mut self, work: Work, call: EdgeId, lenient: bool) -> Option<Work> {
        let cfa = &self.program.cfa;
        let callee = work.function;
        let (results, targets) = match cfa.edges[call].ops.last() {
            Some(Op::Call { results, .. }) => (&cfa.functions[callee].results[..], &results[..]),
            _ => (&[][..], &[][..]),
        };
        let values: Vec<Returned> = results
            .iter()
            .take(targets.len())
            .map(|result| self.returned(&work, *result))
            .collect();
        let mut caller = Work {
            locals: self.forest.child(work.below, 0),
            below: self.forest.child(work.below, 1),
            function: cfa.locations[cfa.edges[call].source].function,
            depth: work.depth.saturating_sub(1),
            ..work
        };
        if self.deduces && !lenient {
            self.learn_arguments(&work, &mut caller, call).ok()?;
        }
        if self.layout.owns_objects(callee) {
            self.end_objects(&mut caller, work.depth);
        }
        for (target, value) in targets.iter().zip(values) {
            match value {
                Returned::Value(value) => self.assign(&mut caller, *target, value),
                // The results get values from before the first assignment, but the base of this distance is one of the
                // variables that are assigned here.
                Returned::Distance(distance) if targets.contains(&distance.base) => {
                    self.assign(&mut caller, *target, Abstract::Unknown);
                }
                Returned::Distance(distance) => {
                    self.assign_at_distance(&mut caller, *target, distance);
                }
            }
        }
        Some(caller)
    }

    /// Learns the values of arguments at a return from parameters that the function has not assigned. Only arguments
    /// over locals of the caller are still the same then: a function does not change the variables of its callers.
    fn learn_arguments(&mut self, work: &Work, caller: &mut Work, call: EdgeId) -> Learned {
        let cfa = &self.program.cfa;
        let Some(Op::Call { callee, arguments, .. }) = cfa.edges[call].ops.last() else {
            return Ok(());
        };
        for (parameter, argument) in cfa.functions[*callee].parameters.iter().zip(arguments) {
            let is_local = |var: &Var| matches!(cfa.variables[*var].scope, Scope::Local(_));
            if !self.fixed.contains(parameter)
                || !self.program.terms.vars(*argument).iter().all(is_local)
            {
                continue;
            }
            match self.value_of(work, *parameter) {
                value @ Abstract::Known(_) => self.solve(caller, *argument, value)?,
                Abstract::Signs(signs) => self.limit(caller, *argument, signs)?,
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn perform(
        &mut self,
        work: &mut Work,
        place: (EdgeId, u32),
        op: &Op,
        lenient: bool,
    ) -> Result<(), Stop> {
        match self.perform_valid(work, place, op, lenient) {
            Err(Stop::Invalid) if self.goes_on => self.perform_invalid(work, op),
            done => done,
        }
    }

    /// Performs an access at an address that is a number and not the address of an object, such as a null pointer,
    /// where executions go on behind the access: it reads anything, and writes to any object that the address was meant
    /// to point to.
    fn perform_invalid(&mut self, work: &mut Work, op: &Op) -> Result<(), Stop> {
        let (Op::Load { address, .. }
        | Op::Store { address, .. }
        | Op::Fill { address, .. }
        | Op::Copy { to: address, .. }) = op
        else {
            return Err(Stop::Invalid);
        };
        let reach = match self.eval(work, *address) {
            Abstract::Known(_) => self.reach(*address),
            // Bytes behind the end of an object may belong to any other object.
            _ if self.program.cfa.outside.is_some() => None,
            _ => return Err(Stop::Invalid),
        };
        match op {
            Op::Load { var, .. } => self.assign(work, *var, Abstract::Unknown),
            _ => self.forget(work, (&Abstract::Unknown, &reach), None),
        }
        Ok(())
    }

    fn perform_valid(
        &mut self,
        work: &mut Work,
        place: (EdgeId, u32),
        op: &Op,
        lenient: bool,
    ) -> Result<(), Stop> {
        match op {
            Op::Assume(_) | Op::Check { .. } if lenient => {}
            Op::Assume(condition) | Op::Check { holds: condition, .. } => {
                let before = self.assumed_before(place);
                match self.assume(work, *condition, &before) {
                    Some(after) => *work = after,
                    None => return Err(Stop::Blocked),
                }
            }
            Op::Assign { var, value } => match self.eval(work, *value) {
                Abstract::Unknown => self.assign_distance(work, *var, *value),
                value => self.assign(work, *var, value),
            },
            Op::Havoc { var, .. } => self.assign(work, *var, Abstract::Unknown),
            Op::Load { var, address } => {
                let address = self.eval(work, *address);
                let mut value = self.load(work, &address, self.program.terms.var_sort(*var))?;
                if value == Abstract::Unknown
                    && let Some(mirror) = self.mirrors.get(&place)
                {
                    value = self.value_of(work, *mirror);
                }
                self.assign(work, *var, value);
            }
            Op::Store { address, value } => {
                let sort = self.program.terms.sort(*value);
                let reach = self.reach(*address);
                let address = self.eval(work, *address);
                let value = self.eval(work, *value);
                let Some(length) = cfa::stored_bytes(sort) else {
                    return Err(Stop::Unsupported("a store of this sort".to_owned()));
                };
                self.store(work, (&address, &reach), value, length)?;
            }
            Op::Copy { to, from, length } => {
                let reach = self.reach(*to);
                let [to, from, length] = [to, from, length].map(|term| self.eval(work, *term));
                self.copy(work, (&to, &reach), &from, &length)?;
            }
            Op::Fill { address, byte, length } => {
                let reach = self.reach(*address);
                let [address, byte, length] =
                    [address, byte, length].map(|term| self.eval(work, *term));
                self.fill(work, (&address, &reach), &byte, &length)?;
            }
            Op::HavocMemory { address, length, .. } => {
                let reach = self.reach(*address);
                let [address, length] = [address, length].map(|term| self.eval(work, *term));
                self.fill(work, (&address, &reach), &Abstract::Unknown, &length)?;
            }
            Op::HavocReachable { .. } => {
                self.detach_globals(work);
                work.globals = Tree::EMPTY;
                self.forget(work, (&Abstract::Unknown, &None), None);
            }
            Op::Size { var, address } => {
                let address = self.eval(work, *address);
                let value =
                    match (self.size_from(work, &address), self.program.terms.var_sort(*var)) {
                        (Some(size), Sort::Bv(width)) => {
                            Abstract::Known(Value::Bv(Bv::new(width, u128::from(size))))
                        }
                        _ => Abstract::Unknown,
                    };
                self.assign(work, *var, value);
            }
            Op::Valid { var, address, length, access } => {
                let [address, length] = [address, length].map(|term| self.eval(work, *term));
                let value = match self.is_valid(work, &address, &length, *access) {
                    Some(valid) => Abstract::Known(Value::Bool(valid)),
                    None => Abstract::Unknown,
                };
                self.assign(work, *var, value);
            }
            Op::Alloc { var, size, kind, zeroed, .. } => {
                let size = self.eval(work, *size);
                // The old value of the variable may be the last thing that is known of an object whose name the new
                // object could have.
                self.assign(work, *var, Abstract::Unknown);
                let object = self.allocate(work, place, &size, *kind, *zeroed);
                self.assign(work, *var, object);
            }
            Op::Free { address, kind } => {
                let address = self.eval(work, *address);
                self.free(work, &address, *kind)?;
            }
            Op::Output { function, arguments } => {
                if self.may_store(work, function, arguments) {
                    self.forget(work, (&Abstract::Unknown, &None), None);
                }
            }
            Op::Exit(_) | Op::Abort => return Err(Stop::Blocked),
            Op::Unsupported(reason) => return Err(Stop::Unsupported(reason.to_string())),
            Op::Call { .. } => {
                return Err(Stop::Unsupported("a call among operations".to_owned()));
            }
        }
        Ok(())
    }

    /// The conditions of an edge that stand directly before an operation.
    fn assumed_before(&self, (edge, number): (EdgeId, u32)) -> SmallVec<[TermId; 4]> {
        let before = &self.program.cfa.edges[edge].ops[..number as usize];
        let condition = |op: &Op| match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => Some(*condition),
            _ => None,
        };
        before.iter().rev().map_while(condition).collect()
    }

    pub(crate) fn assign(&mut self, work: &mut Work, var: Var, value: Abstract) {
        self.detach(work, var);
        let id = self.cell_of(value);
        self.set_variable(work, var, id);
    }

    /// Whether a function that writes output may write to memory: a format that is not known may
    /// have a conversion that stores.
    pub(crate) fn may_store(&mut self, work: &Work, function: &str, arguments: &[TermId]) -> bool {
        printf::format(function, arguments).is_some_and(|format| !self.only_prints(work, *format))
    }

    /// The value of a variable.
    pub(crate) fn value_of(&self, work: &Work, var: Var) -> Abstract {
        match self.variable(work, var) {
            Some(Cell::Distance(distance)) => self.resolved(work, distance),
            cell => self.abstract_of(cell),
        }
    }

    /// Whether a format is a constant string without a conversion that stores.
    fn only_prints(&mut self, work: &Work, format: TermId) -> bool {
        let Abstract::Pointer(object, Some(0)) = self.eval(work, format) else { return false };
        let crate::value::object::ObjectSite::Initial(object) = self.names.name(object).site else {
            return false;
        };
        printf::only_prints(&self.program.cfa.objects[object])
    }
}
