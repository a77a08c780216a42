//! Intervals: of each variable a range that its values are in (Cousot & Cousot 1976). Machine words have an unsigned
//! and a signed interval and known bits, floats an interval and whether they may be NaN.
//!
//! There is one state for each place, which stands for all executions that get there: two states that meet are joined.
//! At the heads of loops, ends of ranges that grow again and again are widened, first to numbers that the program
//! mentions, then to the end. What conditions say of variables is computed backwards through their terms. Nothing is
//! known of memory.

mod explain;
mod post;
mod refine;
mod state;

use cfa::{Liveness, LocId, Loops, Op, Program};
use cpa::{Context, Cpa, NodeId, Step, Successors};
use run::{Budget, StackId, Unknown};
use rustc_hash::FxHashMap;
use smt::{Landmarks, Range, Ranges};

pub use refine::Refine;
pub use state::State;

use crate::value::{Forest, Layout};

/// How many joins at the head of a loop are not widened: the first rounds of a loop are often special.
const JOINED: u32 = 2;

/// After how many joins at the head of a loop the ends of ranges that still grow are moved as far as possible.
const BY_LANDMARKS: u32 = 12;

/// After how many joins a place that is no head of a loop is treated as a head: a loop may have several ways in.
const ANYWHERE: u32 = 64;

/// The interval analysis of a program.
pub struct Intervals<'p> {
    program: &'p Program,
    budget: &'p Budget,
    layout: Layout,
    liveness: Liveness,
    loops: Loops,
    forest: Forest,
    ranges: Vec<Range>,
    numbers: FxHashMap<Range, u32>,
    reasoner: Ranges,
    landmarks: Landmarks,
    /// For each place where states were joined, the last state and the number of joins. A join cuts off the nodes below
    /// a node. When the head of a loop is found again after that, its state is joined with the last state there:
    /// otherwise, inner loops would be widened anew for each round of the outer loop.
    joined: FxHashMap<(LocId, StackId), (State, u32)>,
    /// Where the last step led to.
    at: Option<(LocId, StackId)>,
}

impl<'p> Intervals<'p> {
    /// The analysis, whose computations look at a budget.
    #[must_use]
    pub fn new(program: &'p Program, budget: &'p Budget) -> Self {
        let cfa = &program.cfa;
        let conditions = cfa.edges.iter().flat_map(|edge| &edge.ops).filter_map(|op| match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => Some(*condition),
            _ => None,
        });
        Self {
            program,
            budget,
            layout: Layout::of(cfa),
            liveness: Liveness::of(cfa, &program.terms),
            loops: Loops::of(cfa),
            forest: Forest::default(),
            ranges: Vec::new(),
            numbers: FxHashMap::default(),
            reasoner: Ranges::default(),
            landmarks: Landmarks::of(&program.terms, conditions),
            joined: FxHashMap::default(),
            at: None,
        }
    }
}

impl Cpa for Intervals<'_> {
    type State = State;
    type Bucket = Option<(NodeId, State)>;
    type Halt = Unknown;

    fn initial(&mut self, _context: Context<'_>) -> Result<State, Unknown> {
        Ok(State::default())
    }

    fn post(
        &mut self,
        context: Context<'_>,
        state: &State,
        step: Step,
        found: &mut Successors<State>,
    ) -> Result<(), Unknown> {
        let at = (context.location, context.stack);
        self.at = Some(at);
        self.step(context, *state, step, found);
        if let Some((known, _)) = self.joined.get(&at).copied().filter(|_| self.loops.head(at.0)) {
            for state in &mut found.states {
                *state = self.join(known, *state);
            }
        }
        self.budget.exceeded().map_or(Ok(()), |limit| Err(limit.into()))
    }

    fn merge(
        &mut self,
        bucket: &Self::Bucket,
        state: &State,
    ) -> Result<Option<(NodeId, State)>, Unknown> {
        let Some((node, known)) = *bucket else { return Ok(None) };
        let joined = self.join(known, *state);
        if joined == known {
            return Ok(None);
        }
        let Some(at) = self.at else { return Ok(None) };
        let joins = self.joined.get(&at).map_or(1, |(_, joins)| joins + 1);
        let at_head = self.loops.head(at.0);
        let widened = match joins {
            joins if joins <= JOINED || !at_head && joins <= ANYWHERE => joined,
            joins if joins <= BY_LANDMARKS || !at_head && joins <= 2 * ANYWHERE => {
                self.widen(known, joined, true)
            }
            _ => self.widen(known, joined, false),
        };
        self.joined.insert(at, (widened, joins));
        Ok(Some((node, widened)))
    }

    fn stop(
        &mut self,
        bucket: &mut Self::Bucket,
        state: &State,
    ) -> Result<Option<NodeId>, Unknown> {
        let Some((node, known)) = *bucket else { return Ok(None) };
        Ok((self.join(known, *state) == known).then_some(node))
    }

    fn insert(&mut self, bucket: &mut Self::Bucket, state: &State, node: NodeId) {
        *bucket = Some((node, *state));
    }

    fn remove(&mut self, bucket: &mut Self::Bucket, _state: &State, node: NodeId) {
        if bucket.is_some_and(|(known, _)| known == node) {
            *bucket = None;
        }
    }
}
