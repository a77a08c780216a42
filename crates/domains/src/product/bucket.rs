//! The states of one place: by what predicates say, and within that by values.

use cpa::NodeId;
use run::Unknown;
use rustc_hash::FxHashMap;
use term::TermId;

use crate::predicate::{self, Predicates, Spot};
use crate::product::State;
use crate::value::{self, Cover, Values};

/// States with the same value part.
type Fellows = Vec<(State, NodeId)>;

/// The states of one place.
#[derive(Default)]
pub struct Bucket {
    /// The nodes whose states are at starts of blocks, by what is known there.
    starts: FxHashMap<TermId, Cover>,
    /// What is known at these starts, in the order in which it came, and a state that knows it.
    order: Vec<(TermId, predicate::State)>,
    /// The nodes whose states are inside blocks, by their values.
    inside: FxHashMap<value::State, Fellows>,
}

impl Bucket {
    pub(crate) fn insert(
        &mut self,
        (values, predicates): (&mut Values<'_>, &Predicates<'_>),
        state: &State,
        node: NodeId,
    ) {
        match predicates.spot(state.predicates) {
            Spot::Start(known) => {
                let order = &mut self.order;
                let cover = self.starts.entry(known).or_insert_with(|| {
                    order.push((known, state.predicates));
                    Cover::default()
                });
                cover.insert(values.forest(), state.values, node);
            }
            Spot::Inside(_) => {
                self.inside.entry(state.values).or_default().push((*state, node));
            }
        }
    }

    pub(crate) fn remove(
        &mut self,
        (values, predicates): (&mut Values<'_>, &Predicates<'_>),
        state: &State,
        node: NodeId,
    ) {
        match predicates.spot(state.predicates) {
            Spot::Start(known) => {
                if let Some(cover) = self.starts.get_mut(&known) {
                    cover.remove(values.forest(), state.values, node);
                }
            }
            Spot::Inside(_) => {
                if let Some(fellows) = self.inside.get_mut(&state.values) {
                    fellows.retain(|(_, other)| *other != node);
                    if fellows.is_empty() {
                        self.inside.remove(&state.values);
                    }
                }
            }
        }
    }

    /// A state inside a block that another can be merged with.
    pub(crate) fn partner(
        &self,
        predicates: &Predicates<'_>,
        state: &State,
    ) -> Option<(State, NodeId)> {
        let fellows = self.inside.get(&state.values)?;
        let meets = |other: &State| predicates.can_meet(state.predicates, other.predicates);
        fellows.iter().find(|(other, _)| meets(other)).copied()
    }

    /// A node whose state stands for all that a state stands for.
    pub(crate) fn find(
        &self,
        (values, predicates): (&mut Values<'_>, &mut Predicates<'_>),
        state: &State,
    ) -> Result<Option<NodeId>, Unknown> {
        let known = match predicates.spot(state.predicates) {
            Spot::Start(known) => known,
            Spot::Inside(point) => {
                let fellows = self.inside.get(&state.values).into_iter().flatten();
                let mut same = fellows.filter(|(other, _)| other.predicates == point);
                return Ok(same.next().map(|(_, node)| *node));
            }
        };
        // States with the same predicate part come first: they are compared without the solver.
        let find =
            |values: &mut Values<'_>, cover: &Cover| cover.find(values.forest(), state.values);
        if let Some(node) = self.starts.get(&known).and_then(|cover| find(values, cover)) {
            return Ok(Some(node));
        }
        for (other, knows) in self.order.iter().filter(|(other, _)| *other != known) {
            if let Some(node) = self.starts.get(other).and_then(|cover| find(values, cover))
                && predicates.leq(state.predicates, *knows)?
            {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }
}
