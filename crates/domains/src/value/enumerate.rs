//! Strongest postconditions with a state for each value that variables may have, where a term
//! cannot be evaluated. Bajkai 2018, ch. 3.

use cfa::{LocId, Op};
use cpa::{Context, Step};
use run::Unknown;
use term::{TermId, Value, Var};

use crate::value::Values;
use crate::value::cell::{Abstract, Cell};
use crate::value::post::{Post, Stop};
use crate::value::precision::Tracked;
use crate::value::state::{State, Work};

/// Something of which a state does not know enough.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Open {
    /// A condition that holds.
    Holds(TermId),
    /// A variable has the value of a term.
    Assigned(Var, TermId),
}

/// The values that variables have together.
pub(crate) type Models = Vec<Vec<(Var, Value)>>;

/// Finds the values that variables may have, given what a state knows; `None` if they are to stay
/// unknown.
pub(crate) type Split<'a> =
    &'a mut dyn FnMut(&Values<'_>, &Work, Open) -> Result<Option<Models>, Unknown>;

impl Values<'_> {
    /// The strongest postconditions of a step, with everything tracked.
    pub(crate) fn step_each(
        &mut self,
        context: Context<'_>,
        state: State,
        step: Step,
        split: Split<'_>,
    ) -> Result<Vec<Post>, Unknown> {
        let cfa = &self.program.cfa;
        let Step::Edge(edge) = step else {
            return Ok(vec![self.step(context, state, step, false)]);
        };
        let taken = &cfa.edges[edge];
        if taken.callee().is_some() {
            return Ok(vec![self.step(context, state, step, false)]);
        }
        let function = cfa.locations[taken.source].function;
        let depth = context.stacks.depth(context.stack);
        let mut found = Vec::new();
        let mut works = vec![self.open(state, function, depth)];
        for (number, op) in (0..).zip(&taken.ops) {
            let mut next = Vec::with_capacity(works.len());
            for before in works {
                let mut work = before;
                match self.perform(&mut work, (edge, number), op, false) {
                    Ok(()) => self.split(&before, work, op, split, &mut next)?,
                    Err(Stop::Blocked) => {}
                    Err(Stop::Invalid) => found.push(Post::Invalid(self.close(&work))),
                    Err(Stop::Unsupported(reason)) => {
                        found.push(Post::Unsupported(self.close(&work), reason));
                    }
                }
            }
            works = next;
        }
        for mut work in works {
            self.forget_ended(&mut work, edge);
            found.push(Post::State(self.close(&work)));
        }
        Ok(found)
    }

    /// Adds the states after an operation to `found`: one state for each of the values that are to be told apart, or a
    /// single one if no values are.
    fn split(
        &mut self,
        before: &Work,
        after: Work,
        op: &Op,
        split: Split<'_>,
        found: &mut Vec<Work>,
    ) -> Result<(), Unknown> {
        let models = match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. }
                if self.eval(&after, *condition).truth().is_none() =>
            {
                split(self, &after, Open::Holds(*condition))?
            }
            Op::Assign { var, value } if self.eval(before, *value).is_open() => {
                split(self, before, Open::Assigned(*var, *value))?
            }
            _ => None,
        };
        let Some(models) = models else {
            found.push(after);
            return Ok(());
        };
        for model in models {
            let mut work = after;
            for (var, value) in model {
                self.settle(&mut work, var, Abstract::Known(value));
            }
            found.push(work);
        }
        Ok(())
    }

    /// The value of a variable of the activation where control is, or of a global.
    pub(crate) fn known(&self, work: &Work, var: Var) -> Option<&Value> {
        match self.variable(work, var) {
            Some(Cell::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether nothing is known of a variable of the activation where control is, or of a global.
    pub(crate) fn is_unknown(&self, work: &Work, var: Var) -> bool {
        matches!(self.variable(work, var), None | Some(Cell::Distance(_) | Cell::Signs(_)))
    }

    /// Whether a variable is tracked at a location.
    pub(crate) fn tracks(&self, location: LocId, var: Var) -> bool {
        self.precision.as_ref().is_none_or(|precision| {
            precision.tracks(&self.program.cfa, location, Tracked::Variable(var))
        })
    }
}
