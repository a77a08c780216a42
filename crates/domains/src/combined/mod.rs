//! Explicit values with predicates beside them. Beyer & Löwe 2012, §III-F: values are tracked
//! where they explain why a path cannot be taken, predicates only where they do not; a variable
//! with too many values is left to the predicates.

mod refine;

use cfa::LocId;
use cpa::{Context, Cpa, NodeId, Scan, StackId, Step, Successors};
use engines::Unknown;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Value, Var};

use crate::predicate::{self, Predicates};
use crate::value::{self, Tracked, Values};
pub use refine::Refine;

/// What is known of executions at one place, by values and by predicates.
pub type State = (value::State, predicate::State);

/// The two analyses side by side.
pub struct Both<'p> {
    /// Explicit values.
    pub values: Values<'p>,
    /// Predicates.
    pub predicates: Predicates<'p>,
    /// How many values a variable may have at one place.
    limit: Option<usize>,
    /// The values that variables had where blocks end.
    seen: FxHashMap<(LocId, StackId, u32, Var), FxHashSet<Value>>,
    /// Variables that had too many.
    dropped: FxHashSet<Var>,
}

impl<'p> Both<'p> {
    /// The two analyses, with a limit on the number of values that a variable has at one place.
    #[must_use]
    pub fn new(values: Values<'p>, predicates: Predicates<'p>, limit: Option<usize>) -> Self {
        let (seen, dropped) = (FxHashMap::default(), FxHashSet::default());
        Self { values, predicates, limit, seen, dropped }
    }

    /// How many variables are left to the predicates.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped.len()
    }

    fn is_dropped(&self, what: Tracked) -> bool {
        matches!(what, Tracked::Variable(var) if self.dropped.contains(&var))
    }

    /// Counts the values of a state, and forgets those of variables that had too many.
    fn count(&mut self, context: Context<'_>, state: value::State) -> value::State {
        let Some(limit) = self.limit else { return state };
        let at_end = self.predicates.ends_at(context.location);
        if !at_end && self.dropped.is_empty() {
            return state;
        }
        let cfa = &self.values.program().cfa;
        let functions: Vec<_> =
            context.stacks.functions(cfa, context.location, context.stack).collect();
        if at_end {
            for (up, var, value) in self.values.variables(state, &functions) {
                let place = (context.location, context.stack, up, var);
                let values = self.seen.entry(place).or_default();
                values.insert(value);
                if values.len() > limit {
                    self.dropped.insert(var);
                }
            }
        }
        let mut state = state;
        for (fact, _) in self.values.facts(state, &functions) {
            if self.is_dropped(self.values.tracked(fact, &functions)) {
                state = self.values.without(state, &functions, fact);
            }
        }
        state
    }
}

impl Cpa for Both<'_> {
    type State = State;
    type Bucket = Scan<State>;
    type Halt = Unknown;

    fn initial(&mut self, context: Context<'_>) -> Result<State, Unknown> {
        Ok((self.values.initial(context)?, self.predicates.initial(context)?))
    }

    fn post(
        &mut self,
        context: Context<'_>,
        state: &State,
        step: Step,
        found: &mut Successors<State>,
    ) -> Result<(), Unknown> {
        let mut first = Successors::new();
        self.values.post(context, &state.0, step, &mut first)?;
        if first.states.is_empty() && first.unsupported.is_empty() {
            return Ok(());
        }
        let mut second = Successors::new();
        self.predicates.post(context, &state.1, step, &mut second)?;
        // What one of them does not understand is not understood, unless the other excludes it.
        for (values, reason) in &first.unsupported {
            let others = second.states.iter().chain(second.unsupported.iter().map(|(at, _)| at));
            if let Some(other) = others.copied().next() {
                found.unsupported.push(((*values, other), reason.clone()));
            }
        }
        for values in first.states {
            let values = self.count(context, values);
            for (other, reason) in &second.unsupported {
                found.unsupported.push(((values, *other), reason.clone()));
            }
            found.states.extend(second.states.iter().map(|other| (values, *other)));
        }
        Ok(())
    }

    fn merge(
        &mut self,
        bucket: &Scan<State>,
        state: &State,
    ) -> Result<Option<(NodeId, State)>, Unknown> {
        let mut same = bucket.iter().filter(|(other, _)| other.0 == state.0);
        let partner = same.find(|(other, _)| self.predicates.can_meet(state.1, other.1)).copied();
        let Some((other, node)) = partner else { return Ok(None) };
        Ok(Some((node, (state.0, self.predicates.meet(other.1, state.1)))))
    }

    fn stop(&mut self, bucket: &mut Scan<State>, state: &State) -> Result<Option<NodeId>, Unknown> {
        for (other, node) in bucket.iter() {
            if self.values.leq(state.0, other.0) && self.predicates.leq(state.1, other.1)? {
                return Ok(Some(*node));
            }
        }
        Ok(None)
    }

    fn insert(&mut self, bucket: &mut Scan<State>, state: &State, node: NodeId) {
        bucket.insert(state, node);
    }

    fn remove(&mut self, bucket: &mut Scan<State>, _state: &State, node: NodeId) {
        bucket.remove(node);
    }
}
