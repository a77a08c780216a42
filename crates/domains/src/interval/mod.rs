//! Intervals: of each variable a range that its values are in (Cousot & Cousot 1976). Machine words have an unsigned and a
//! signed interval and known bits, floats an interval and whether they may be NaN.
//!
//! There is one state for each place, which stands for all executions that get there: two states that meet are joined. At the
//! heads of loops, what grows again and again is widened, first to numbers that the program mentions, then to the end. What
//! conditions say of variables is computed backwards through their terms. Nothing is known of memory.

mod explain;
mod post;
mod refine;
mod state;

use cfa::{Liveness, Loops, Op, Program};
use cpa::{Context, Cpa, NodeId, Step, Successors};
use run::{Budget, Unknown};
use rustc_hash::FxHashMap;
use smt::{Landmarks, Range, Ranges};

pub use refine::Refine;
pub use state::State;

use crate::value::{Forest, Layout};

/// Joins at the head of a loop that are not widened: the first rounds of a loop are often special.
const JOINED: u32 = 2;

/// Joins after which ends that still grow are moved as far as they can be.
const BY_LANDMARKS: u32 = 12;

/// Joins at a place that is no head of a loop after which it is treated as such: a loop may have several ways in.
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
    /// How often the state of a node was joined with another one.
    joins: FxHashMap<NodeId, u32>,
    /// Whether the place that the last step led to is the head of a loop.
    at_head: bool,
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
            joins: FxHashMap::default(),
            at_head: false,
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
        self.at_head = self.loops.head(context.location);
        self.step(context, *state, step, found);
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
        let joins = self.joins.entry(node).or_default();
        *joins += 1;
        let widened = match *joins {
            joins if joins <= JOINED || !self.at_head && joins <= ANYWHERE => joined,
            joins if joins <= BY_LANDMARKS || !self.at_head && joins <= 2 * ANYWHERE => {
                self.widen(known, joined, true)
            }
            _ => self.widen(known, joined, false),
        };
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
