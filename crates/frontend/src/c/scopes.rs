//! Blocks, and objects that end with them.
//!
//! All objects of a function are made when it is entered. Where accesses are checked, an object of an
//! inner block whose address a pointer keeps is made anew when the block is left: whoever uses the
//! pointer afterwards uses an object that has ended, and whoever enters the block again, by its start
//! or by a jump into it, finds one that lives.

use cfa::{AllocKind, AssumptionKind, Check, Op};
use rucc_sema::DeclId;
use term::{TermId, Var};

use super::function::Lower;

/// An object that is made anew.
#[derive(Clone, Copy)]
struct Scoped {
    var: Var,
    size: TermId,
    align: u64,
}

/// The blocks that a statement is in, from the outside.
#[derive(Default)]
pub(super) struct Scopes {
    blocks: Vec<Vec<Scoped>>,
    /// How many blocks there are around each loop and switch that `break` leaves.
    breaks: Vec<usize>,
    /// How many blocks there are around each loop that `continue` goes on with.
    continues: Vec<usize>,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.blocks.push(Vec::new());
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

    /// How many blocks are not left by a `break`.
    pub fn after_break(&self) -> usize {
        self.breaks.last().copied().unwrap_or(self.blocks.len())
    }

    /// How many blocks are not left by a `continue`.
    pub fn after_continue(&self) -> usize {
        self.continues.last().copied().unwrap_or(self.blocks.len())
    }
}

impl Lower<'_, '_> {
    /// Notes that an object is declared in the block at hand.
    pub fn scoped(&mut self, decl: DeclId, var: Var) {
        // The outermost block ends with the function, and so do its objects.
        if self.scopes.depth() < 2 || !self.link.options.checks().has(Check::Deref) {
            return;
        }
        if self.facts.is_passed(decl) {
            let text =
                "no function keeps the address of an object of an inner block beyond the block";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
        if !self.facts.is_kept(decl) {
            return;
        }
        let entry = self.unit.tast[decl].clone();
        let Some(size) = self.unit.size(entry.ty) else {
            let text = "objects of variable length in inner blocks are not used after the block";
            return self.assume(AssumptionKind::Semantics, text.to_owned());
        };
        let size = self.address_constant(size + self.unit.tast.extent(decl));
        let align = u64::from(entry.alignment.unwrap_or(1)).max(self.unit.align(entry.ty));
        let scoped = Scoped { var, size, align: align.next_power_of_two() };
        // A literal may be evaluated more than once in a block.
        let known = |block: &Vec<Scoped>| block.iter().any(|other| other.var == var);
        if let Some(block) = self.scopes.blocks.last_mut().filter(|block| !known(block)) {
            block.push(scoped);
        }
    }

    /// Lowers what is a block by itself, written with braces or not.
    pub fn in_block(&mut self, inside: impl FnOnce(&mut Self)) {
        self.scopes.enter();
        inside(self);
        self.renew(self.scopes.depth() - 1);
        self.scopes.leave();
    }

    /// Ends the block of a statement expression, whose value is yet to be looked at: its objects live
    /// until the block around it ends.
    pub fn leave_expression(&mut self) {
        let ended = self.scopes.blocks.pop().unwrap_or_default();
        if ended.is_empty() {
            return;
        }
        let text = "objects of a statement expression are not used after it";
        self.assume(AssumptionKind::Semantics, text.to_owned());
        if self.scopes.depth() >= 2
            && let Some(block) = self.scopes.blocks.last_mut()
        {
            block.extend(ended);
        }
    }

    /// Makes the objects anew of all blocks but the outer ones.
    pub fn renew(&mut self, outer: usize) {
        let inner = self.scopes.blocks.get(outer..).unwrap_or_default();
        for Scoped { var, size, align } in inner.concat() {
            let (address, kind) = (self.terms().var(var), AllocKind::Stack);
            self.emit(Op::Free { address, kind });
            self.emit(Op::Alloc { var, size, align, kind, zeroed: false });
        }
    }

    /// What a function returns by value lives until the expression ends, and is kept for longer here.
    pub fn assume_dropped(&mut self) {
        if self.link.options.checks().has(Check::Deref) {
            let text = "pointers into what a function returns are not used after the expression";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
    }

    /// A jump may stay within a block or leave it, which is known only when the label is.
    pub fn scopes_left_by_goto(&mut self) {
        if self.scopes.blocks.iter().any(|block| !block.is_empty()) {
            let text = "objects of a block that `goto` leaves are not used afterwards";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
    }
}
