//! Blocks: what executions do between two abstractions, as terms over the values at the start of
//! the block. Beyer, Keremoglu, Wendler 2010 (adjustable-block encoding): where a block ends is
//! the only difference between encoding edges one by one and encoding whole loop bodies.

use std::rc::Rc;

use base::IndexVec;
use cfa::{Cfa, LocId, Loops};
use cpa::{StackId, Step};
use symbolic::{Guard, Guards};
use term::TermId;

use crate::predicate::combination::Combination;
use crate::predicate::diagram::{Before, Diagram};
use crate::predicate::memo::{Key, Memo};
use crate::predicate::values::Values;

base::define_id!(
    /// A block.
    pub struct BlockId, "block"
);
base::define_id!(
    /// A point in a block.
    pub struct PointId, "point"
);

/// Where blocks end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Blocks {
    /// At every location: single-block encoding.
    Edge,
    /// At the heads of loops.
    #[default]
    Loop,
    /// At the heads of loops, where functions start and where calls return.
    LoopAndFunction,
}

impl Blocks {
    /// The next smaller kind of blocks, if there is any.
    pub(crate) fn smaller(self) -> Option<Self> {
        match self {
            Blocks::Loop => Some(Blocks::LoopAndFunction),
            Blocks::LoopAndFunction => Some(Blocks::Edge),
            Blocks::Edge => None,
        }
    }

    /// For each location whether blocks end there.
    pub(crate) fn ends(self, cfa: &Cfa) -> IndexVec<LocId, bool> {
        let mut ends = IndexVec::filled(self == Blocks::Edge, cfa.locations.len());
        for each in &Loops::of(cfa).loops {
            ends[each.head] = true;
        }
        if self == Blocks::LoopAndFunction {
            for edge in &cfa.edges {
                if let Some(callee) = edge.callee() {
                    ends[cfa.functions[callee].entry] = true;
                    ends[edge.target] = true;
                }
            }
        }
        ends
    }
}

/// A block: where it starts, and what is known there.
pub(crate) struct Block {
    pub(crate) location: LocId,
    pub(crate) stack: StackId,
    /// What is known at its start, over the symbols of values there.
    pub(crate) known: TermId,
    /// The predicates that were asked about, over the same symbols.
    pub(crate) predicates: Rc<[TermId]>,
    /// What is known, as a combination of these predicates.
    pub(crate) combination: Combination,
    /// The combination as a diagram, where it is more than literals.
    pub(crate) diagram: Option<Diagram>,
    /// The end of the block before it.
    pub(crate) from: Option<PointId>,
}

impl Block {
    /// What is known at the start of the block.
    pub(crate) fn before(&self) -> Before<'_> {
        let Self { known, predicates, combination, diagram, .. } = self;
        Before { known: *known, predicates, combination, diagram: diagram.as_ref() }
    }
}

/// A point in a block: a location, and how executions get there from the start of the block.
#[derive(Clone)]
pub(crate) struct Point {
    pub(crate) block: BlockId,
    pub(crate) stack: StackId,
    /// The least number of activations since the start of the block: activations above this depth began in the block.
    pub(crate) low: u32,
    pub(crate) guard: Guard,
    pub(crate) values: Rc<Values>,
    pub(crate) how: How,
}

impl Point {
    /// All parts of the point on which the steps after it depend.
    pub(crate) fn key(&self) -> Key {
        Key::new(self.guard, &self.values, self.stack, self.low)
    }
}

/// How a point was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// The point is the start of the block.
    Start,
    /// By a step from another point.
    Step(PointId, Step),
    /// The point stands for these two points, which were merged.
    Merged(PointId, PointId),
}

/// All blocks and points of an analysis.
pub(crate) struct Graph {
    pub(crate) blocks: IndexVec<BlockId, Block>,
    pub(crate) points: IndexVec<PointId, Point>,
    /// For each point that was merged with another point, the point that stands for both.
    pub(crate) merged: IndexVec<PointId, Option<PointId>>,
    pub(crate) guards: Guards,
    pub(crate) memo: Memo,
}

impl Graph {
    pub(crate) fn new(truth: TermId) -> Self {
        Self {
            blocks: IndexVec::new(),
            points: IndexVec::new(),
            merged: IndexVec::new(),
            guards: Guards::new(truth),
            memo: Memo::default(),
        }
    }

    pub(crate) fn add(&mut self, point: Point) -> PointId {
        self.merged.push(None);
        self.points.push(point)
    }

    /// Begins a block.
    pub(crate) fn begin(&mut self, block: Block, depth: u32) -> PointId {
        let stack = block.stack;
        let block = self.blocks.push(block);
        let guard = Guards::always();
        let values = Rc::clone(&self.memo.unchanged);
        self.add(Point { block, stack, low: depth, guard, values, how: How::Start })
    }

    /// The conditions under which executions get from the start of the block to a point.
    pub(crate) fn conditions(&self, point: PointId) -> Vec<TermId> {
        self.guards.beyond(self.points[point].guard, Guards::always())
    }

    /// The point that stands for this one in the end.
    pub(crate) fn stands_for(&self, mut point: PointId) -> PointId {
        while let Some(other) = self.merged[point] {
            point = other;
        }
        point
    }

    /// The blocks up to that of a point, each with the point where executions leave it.
    pub(crate) fn chain(&self, point: PointId) -> Vec<(BlockId, PointId)> {
        let mut chain = Vec::new();
        let mut at = Some(point);
        while let Some(end) = at {
            let block = self.points[end].block;
            chain.push((block, end));
            at = self.blocks[block].from;
        }
        chain.reverse();
        chain
    }
}
