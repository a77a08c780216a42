//! The operators of an analysis.

use cfa::LocId;
use std::fmt::Debug;
use std::hash::Hash;

use run::{NodeId, StackId, Stacks, Step};

/// Where a step leads.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The location after the step.
    pub location: LocId,
    /// The call stack after the step.
    pub stack: StackId,
    /// All call stacks.
    pub stacks: &'a Stacks,
}

/// What a step leads to.
#[derive(Clone, Debug)]
pub struct Successors<S> {
    /// The abstract successors. None: no execution takes the step.
    pub states: Vec<S>,
    /// The states in which the step meets something that is not modelled, and what that is. How executions go on from
    /// there is not known.
    pub unsupported: Vec<(S, String)>,
}

impl<S> Successors<S> {
    /// No successors yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { states: Vec::new(), unsupported: Vec::new() }
    }
}

impl<S> Default for Successors<S> {
    fn default() -> Self {
        Self::new()
    }
}

/// An analysis: an abstract domain and its operators. Location and call stack are not part of a state. The graph keeps
/// states by location and call stack, so two states are compared only where they can meet.
///
/// The precision is the analysis' own: it is grown by a [`crate::Refiner`] between explorations.
pub trait Cpa {
    /// What is known of executions at one place.
    type State: Clone + Eq + Hash + Debug;
    /// The states of one place, kept such that a covering one is found fast.
    type Bucket: Default;
    /// Why an operator gave up.
    type Halt;

    /// What is known at the start of the program, with the precision applied.
    ///
    /// # Errors
    /// If the operator gives up.
    fn initial(&mut self, context: Context<'_>) -> Result<Self::State, Self::Halt>;

    /// The successors of a state along a step, with the precision of the place that it leads to
    /// applied. Every execution from the state that takes the step is in one of them.
    ///
    /// # Errors
    /// If the operator gives up.
    fn post(
        &mut self,
        context: Context<'_>,
        state: &Self::State,
        step: Step,
        found: &mut Successors<Self::State>,
    ) -> Result<(), Self::Halt>;

    /// A node with which the state is to be merged, and the state that is to replace that node's:
    /// one that stands for all that the two stand for. Nothing is merged unless this is overridden.
    ///
    /// # Errors
    /// If the operator gives up.
    fn merge(
        &mut self,
        _bucket: &Self::Bucket,
        _state: &Self::State,
    ) -> Result<Option<(NodeId, Self::State)>, Self::Halt> {
        Ok(None)
    }

    /// A node whose state stands for all executions that this state stands for.
    ///
    /// # Errors
    /// If the operator gives up.
    fn stop(
        &mut self,
        bucket: &mut Self::Bucket,
        state: &Self::State,
    ) -> Result<Option<NodeId>, Self::Halt>;

    /// Adds a node to those of its place.
    fn insert(&mut self, bucket: &mut Self::Bucket, state: &Self::State, node: NodeId);

    /// Removes a node that was added.
    fn remove(&mut self, bucket: &mut Self::Bucket, state: &Self::State, node: NodeId);
}
