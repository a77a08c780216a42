//! Which values never change: explicit values of everything, with one state for each place.

use std::collections::{BTreeMap, VecDeque};

use cfa::{EdgeId, Op};
use cpa::{Context, Place, Places, Step};
use run::Budget;
use rustc_hash::FxHashSet;

use crate::value::{Abstract, Post, State, Stop, Values, Work};

/// A program that needs more steps is left as it is.
const MOST_STEPS: usize = 100_000;

/// How many steps are taken from one look at the limits to the next.
const PERIOD: usize = 256;

/// What is known of all executions at each place.
pub(super) struct Reached {
    pub(super) places: Places,
    pub(super) states: BTreeMap<Place, State>,
}

/// A state for each place that executions reach. `None` if that takes too many steps or too much time.
pub(super) fn reached(values: &mut Values<'_>, budget: &Budget) -> Option<Reached> {
    let cfa = &values.program().cfa;
    let mut places = Places::default();
    let start = Place { location: cfa.functions[cfa.start?].entry, stack: places.stacks.empty() };
    let mut states = BTreeMap::from([(start, values.start())]);
    let mut waiting = VecDeque::from([start]);
    let mut listed = FxHashSet::from_iter([start]);
    let (mut steps, mut taken) = (Vec::new(), 0_usize);
    while let Some(from) = waiting.pop_front() {
        listed.remove(&from);
        let state = states[&from];
        places.steps(cfa, from, &mut steps);
        for (step, to) in steps.drain(..) {
            taken += 1;
            if taken > MOST_STEPS || (taken.is_multiple_of(PERIOD) && budget.exceeded().is_some()) {
                return None;
            }
            let Some(after) = post(values, &places, state, step, to) else { continue };
            let joined = match states.get(&to) {
                Some(before) => values.forest().join(*before, after),
                None => after,
            };
            if states.insert(to, joined) != Some(joined) && listed.insert(to) {
                waiting.push_back(to);
            }
        }
    }
    Some(Reached { places, states })
}

/// What is known after a step; `None` if no execution goes on.
fn post(
    values: &mut Values<'_>,
    places: &Places,
    state: State,
    step: Step,
    to: Place,
) -> Option<State> {
    let context = Context { location: to.location, stack: to.stack, stacks: &places.stacks };
    let cfa = &values.program().cfa;
    match step {
        Step::Edge(edge) if cfa.edges[edge].callee().is_none() => {
            let depth = places.stacks.depth(to.stack);
            let function = cfa.locations[to.location].function;
            let mut work = values.open(state, function, depth);
            for (number, op) in (0..).zip(&cfa.edges[edge].ops) {
                perform(values, &mut work, (edge, number), op)?;
            }
            values.forget_ended(&mut work, edge);
            Some(values.close(&work))
        }
        _ => match values.step(context, state, step, false) {
            Post::State(after) => Some(after),
            Post::Blocked | Post::Unsupported(..) | Post::Invalid(_) => None,
        },
    }
}

/// How an operation was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Done {
    /// As explicit values understand it.
    Rightly,
    /// The operation accesses something outside of every object, or is not understood. Predicates go on after it, so
    /// the survey goes on, too, and knows nothing of what the operation may have changed.
    Anyhow,
}

/// Performs an operation; `None` if no execution goes on.
pub(super) fn perform(
    values: &mut Values<'_>,
    work: &mut Work,
    place: (EdgeId, u32),
    op: &Op,
) -> Option<Done> {
    let before = *work;
    match values.perform(work, place, op, false) {
        Ok(()) => Some(Done::Rightly),
        Err(Stop::Blocked) => None,
        Err(Stop::Unsupported(_)) if matches!(op, Op::Unsupported(_)) => None,
        Err(Stop::Invalid | Stop::Unsupported(_)) => {
            *work = before;
            values.forget(work, (&Abstract::Unknown, &None), None);
            for var in op.assigned() {
                values.assign(work, *var, Abstract::Unknown);
            }
            Some(Done::Anyhow)
        }
    }
}
