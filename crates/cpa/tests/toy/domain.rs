//! The toy analysis: sets of valuations, of which only the variables in the precision are known.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use cfa::LocId;
use proviso_cpa::{
    Arg, Context, Cpa, NodeId, Path, Refinement, Refiner, Scan, Status, Step, Successors,
};

use crate::program::{LOCAL, Reached, Toy, Truth, Valuation, calls};

pub type State = BTreeSet<Valuation>;

/// An operator was told to give up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Halt;

/// Counts the calls of operators, and has some of them give up.
#[derive(Default)]
pub struct Clock {
    pub calls: Cell<u32>,
    /// The numbers of the calls that give up.
    pub halts: Vec<u32>,
}

impl Clock {
    pub fn tick(&self) -> Result<(), Halt> {
        self.calls.set(self.calls.get() + 1);
        if self.halts.contains(&self.calls.get()) { Err(Halt) } else { Ok(()) }
    }
}

/// How states are put into the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// One state for each step.
    Sets,
    /// One state for each valuation.
    Split,
    /// All states of a place become one.
    Merged,
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Precision(BTreeMap<LocId, BTreeSet<usize>>);

impl Precision {
    fn apply(&self, location: LocId, mut valuation: Valuation) -> Valuation {
        let tracked = self.0.get(&location);
        for (index, value) in valuation.iter_mut().enumerate() {
            if !tracked.is_some_and(|tracked| tracked.contains(&index.min(LOCAL))) {
                *value = None;
            }
        }
        valuation
    }

    /// The precision with more variables at some locations.
    pub fn with(&self, locations: impl Iterator<Item = LocId>, vars: &[usize]) -> Self {
        let mut grown = self.clone();
        locations.for_each(|location| grown.0.entry(location).or_default().extend(vars));
        grown
    }
}

pub struct Valuations<'a> {
    pub toy: &'a Toy,
    pub clock: &'a Clock,
    pub style: Style,
    pub precision: Precision,
}

/// Whether the second state stands for all that the first one stands for.
pub fn leq(state: &State, other: &State) -> bool {
    let within = |valuation: &Valuation, other: &Valuation| {
        valuation.iter().zip(other).all(|(mine, other)| other.is_none() || mine == other)
    };
    state.iter().all(|valuation| other.iter().any(|other| within(valuation, other)))
}

impl Valuations<'_> {
    /// The successors of a state; none if the step is unsupported.
    fn successors(
        &self,
        precision: &Precision,
        (location, depth): (LocId, u32),
        state: &State,
        step: Step,
    ) -> Option<State> {
        let mut found = State::new();
        for valuation in state {
            match self.toy.execute(step, depth, valuation) {
                Reached::States(states) => {
                    found.extend(states.into_iter().map(|one| precision.apply(location, one)));
                }
                Reached::Unsupported => return None,
            }
        }
        Some(found)
    }

    /// The states along a path, with a precision, or exactly without one. They end early where
    /// nothing is left, or where something is unsupported.
    fn follow(&self, precision: Option<&Precision>, arg: &Arg<Self>, path: &Path) -> Vec<State> {
        let exact =
            Precision::default().with(path.places.iter().map(|one| one.location), &[0, 1, 2]);
        let precision = precision.unwrap_or(&exact);
        let first = path.places[0].location;
        let mut states: Vec<State> =
            vec![Toy::initial().into_iter().map(|one| precision.apply(first, one)).collect()];
        for (step, place) in path.steps.iter().zip(&path.places[1..]) {
            let state = states.last().expect("the first state is there");
            let to = (place.location, arg.places.stacks.depth(place.stack));
            match self.successors(precision, to, state, *step) {
                Some(after) if !after.is_empty() => states.push(after),
                _ => break,
            }
        }
        states
    }
}

impl Cpa for Valuations<'_> {
    type State = State;
    type Bucket = Scan<State>;
    type Halt = Halt;

    fn initial(&mut self, context: Context<'_>) -> Result<State, Halt> {
        self.clock.tick()?;
        let initial = Toy::initial().into_iter();
        Ok(initial.map(|one| self.precision.apply(context.location, one)).collect())
    }

    fn post(
        &mut self,
        context: Context<'_>,
        state: &State,
        step: Step,
        found: &mut Successors<State>,
    ) -> Result<(), Halt> {
        let to = (context.location, context.stacks.depth(context.stack));
        match self.successors(&self.precision, to, state, step) {
            None => found.unsupported.push((state.clone(), "a toy".to_owned())),
            Some(after) if self.style == Style::Split => {
                found.states.extend(after.into_iter().map(|one| State::from([one])));
            }
            Some(after) if after.is_empty() => {}
            Some(after) => found.states.push(after),
        }
        // Whoever gives up may have begun to answer.
        self.clock.tick()
    }

    fn merge(
        &mut self,
        bucket: &Scan<State>,
        state: &State,
    ) -> Result<Option<(NodeId, State)>, Halt> {
        if self.style != Style::Merged {
            return Ok(None);
        }
        self.clock.tick()?;
        let union =
            |(other, node): &(State, NodeId)| (*node, other.union(state).cloned().collect());
        Ok(bucket.iter().next().map(union))
    }

    fn stop(&mut self, bucket: &mut Scan<State>, state: &State) -> Result<Option<NodeId>, Halt> {
        self.clock.tick()?;
        Ok(bucket.iter().find(|(other, _)| leq(state, other)).map(|(_, node)| *node))
    }

    fn insert(&mut self, bucket: &mut Scan<State>, state: &State, node: NodeId) {
        assert!(!bucket.iter().any(|(_, other)| *other == node), "{node} is listed");
        bucket.insert(state, node);
    }

    fn remove(&mut self, bucket: &mut Scan<State>, state: &State, node: NodeId) {
        assert!(
            bucket.iter().any(|(s, other)| *other == node && s == state),
            "{node} is not listed"
        );
        bucket.remove(node);
    }
}

/// Grows the precision along a path by one variable, or by all of them.
pub struct Grow<'a> {
    pub truth: &'a Truth,
    /// A path to this location is left alone, whatever may be found out.
    pub stubborn: Option<LocId>,
    /// The targets that were looked at.
    pub looked_at: BTreeSet<NodeId>,
}

impl Grow<'_> {
    /// Whether an execution takes the path. States that were merged have come by several paths;
    /// of those it is asked whether an execution takes any of them.
    fn is_feasible<'a>(
        &self,
        cpa: &Valuations<'a>,
        arg: &Arg<Valuations<'a>>,
        path: &Path,
    ) -> bool {
        let places = path.places.len() - usize::from(path.unsupported.is_some());
        if cpa.follow(None, arg, path).len() >= places {
            return true;
        }
        let last = path.places.last().expect("a target");
        let stack = calls(&arg.places.stacks, last.stack);
        cpa.style == Style::Merged
            && match path.unsupported {
                None => self.truth.errors.contains(&(last.location, stack)),
                Some(_) => {
                    let edge = path.steps.last().and_then(|step| step.edge()).expect("an edge");
                    self.truth.unsupported.contains(&(edge, stack))
                }
            }
    }
}

impl<'a> Refiner<Valuations<'a>> for Grow<'_> {
    type Evidence = Vec<Step>;

    fn refine(
        &mut self,
        cpa: &mut Valuations<'a>,
        arg: &Arg<Valuations<'a>>,
        path: &Path,
    ) -> Result<Refinement<Vec<Step>>, Halt> {
        cpa.clock.tick()?;
        let target = *path.nodes.last().expect("a target");
        self.looked_at.insert(target);
        let is_there = |node: &NodeId| arg.node(*node).status != Status::Removed;
        assert!(path.nodes.iter().all(is_there), "a path in the graph");
        let last = path.places.last().expect("a target");
        if path.unsupported.is_none() && self.stubborn == Some(last.location) {
            return Ok(Refinement::Unresolved);
        }
        if self.is_feasible(cpa, arg, path) {
            return Ok(match path.unsupported {
                Some(_) => Refinement::Unresolved,
                None => Refinement::Feasible(path.steps.clone()),
            });
        }
        let places = path.places.len() - usize::from(path.unsupported.is_some());
        let locations = || path.places.iter().map(|place| place.location);
        for vars in [&[][..], &[0], &[1], &[2], &[0, 1, 2]] {
            let grown = cpa.precision.with(locations(), vars);
            let states = cpa.follow(Some(&grown), arg, path);
            if states.len() >= places {
                continue;
            }
            // The first node that says less than the precision now has it say.
            let is_old = |(index, node): (usize, &NodeId)| {
                !states.get(index).is_some_and(|state| leq(&arg.node(*node).state, state))
            };
            let first = path.nodes.iter().enumerate().position(is_old);
            let first = first.expect("the target is gone");
            let changed = grown != cpa.precision;
            let tree = arg.path(target).nodes == path.nodes && cpa.style != Style::Merged;
            if changed || tree {
                cpa.precision = grown;
                return Ok(Refinement::Spurious { keep: first.checked_sub(1) });
            }
            if cpa.style != Style::Merged {
                return Ok(Refinement::Unresolved);
            }
        }
        let all = cpa.toy.cfa.locations.ids();
        let grown = cpa.precision.with(all, &[0, 1, 2]);
        if grown == cpa.precision {
            return Ok(Refinement::Unresolved);
        }
        cpa.precision = grown;
        Ok(Refinement::Spurious { keep: None })
    }
}
