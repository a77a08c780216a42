//! The blocks that a statement is in, with the objects that end with them.

use base::Span;
use rucc_sema::LabelId;
use rustc_hash::FxHashMap;
use term::{TermId, Var};

use super::body::Label;

/// An object that ends with its block.
#[derive(Clone, Copy)]
pub(super) struct Scoped {
    pub(super) var: Var,
    /// The size and the alignment with which the object is made anew. `None` for an object of variable length: its
    /// declaration makes it, no jump passes by the declaration, and the object ends where a jump goes back before the
    /// declaration.
    pub(super) again: Option<(TermId, u64)>,
}

/// A block with the objects that end with it.
#[derive(Clone)]
pub(super) struct Block {
    pub(super) number: usize,
    pub(super) objects: Vec<Scoped>,
}

/// A jump whose label may be in other blocks.
pub(super) struct BlockJump {
    pub(super) from: Label,
    pub(super) to: LabelId,
    pub(super) blocks: Vec<Block>,
    pub(super) span: Option<Span>,
}

/// The blocks that a statement is in, from the outside.
#[derive(Default)]
pub(super) struct Scopes {
    pub(super) blocks: Vec<Block>,
    /// How many blocks the function has had so far.
    pub(super) count: usize,
    /// The blocks that each label is in, by their numbers, and how many objects each block has declared
    /// before the label.
    pub(super) labels: FxHashMap<LabelId, Vec<(usize, usize)>>,
    pub(super) jumps: Vec<BlockJump>,
    /// All objects that end with their blocks, each with the number of its block.
    pub(super) all: Vec<(usize, Scoped)>,
    /// Whether there are arrays of variable length, whose addresses may be kept.
    pub(super) has_variable: bool,
    /// How many blocks there are around each loop and switch that `break` leaves.
    pub(super) breaks: Vec<usize>,
    /// How many blocks there are around each loop that `continue` goes on with.
    pub(super) continues: Vec<usize>,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.count += 1;
        self.blocks.push(Block { number: self.count, objects: Vec::new() });
    }

    pub fn leave(&mut self) {
        self.blocks.pop();
    }

    pub fn depth(&self) -> usize {
        self.blocks.len()
    }

    pub fn enter_loop(&mut self) {
        self.breaks.push(self.blocks.len());
        self.continues.push(self.blocks.len());
    }

    pub fn leave_loop(&mut self) {
        self.breaks.pop();
        self.continues.pop();
    }

    pub fn enter_switch(&mut self) {
        self.breaks.push(self.blocks.len());
    }

    pub fn leave_switch(&mut self) {
        self.breaks.pop();
    }

    /// The numbers of the blocks that the statement is in.
    pub fn numbers(&self) -> Vec<usize> {
        self.blocks.iter().map(|block| block.number).collect()
    }

    /// How many blocks are not left by a `break`.
    pub fn after_break(&self) -> usize {
        self.breaks.last().copied().unwrap_or(self.blocks.len())
    }

    /// How many blocks are not left by a `continue`.
    pub fn after_continue(&self) -> usize {
        self.continues.last().copied().unwrap_or(self.blocks.len())
    }
}
