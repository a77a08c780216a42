//! Blocks, and objects that end with them.
//!
//! All objects of a function are made when it is entered. Where accesses are checked, an object of an inner block whose
//! address a pointer may keep is made anew when the block is left: a later access through the pointer is an access to
//! an object that has ended, and when the block is entered again, by its start or by a jump into it, its object is
//! alive.

use cfa::{AllocKind, AssumptionKind, Op};
use rucc_sema::{DeclId, LabelId};
use term::Var;

use super::blocks::{Block, BlockJump, Scoped};
use super::body::Label;
use super::function::Lower;
use super::keeping::Uses;

impl Lower<'_, '_> {
    /// Notes that an object is declared in the block at hand.
    pub fn scoped(&mut self, decl: DeclId, var: Var) {
        let uses = self.facts.uses(decl);
        if uses == Uses::default() {
            return;
        }
        let entry = self.unit.tast[decl].clone();
        // The outermost block ends with the function, and so do its objects. An object of variable length ends earlier
        // if a jump goes back before its declaration.
        let is_variable = self.unit.size(entry.ty).is_none();
        if self.scopes.depth() >= 2 || is_variable {
            let text =
                "a local object is at no address at which an object of a block that has ended was";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
        if !uses.keeps || !self.link.options.ends_invalid_accesses() {
            return;
        }
        self.scopes.has_variable |= is_variable;
        let may_end = self.facts.has_labels && is_variable;
        if self.scopes.depth() < 2 && !may_end {
            return;
        }
        let align = u64::from(entry.alignment.unwrap_or(1)).max(self.unit.align(entry.ty));
        let again = self.unit.size(entry.ty).map(|size| {
            let size = self.address_constant(size + self.unit.tast.extent(decl));
            (size, align.next_power_of_two())
        });
        // A compound literal may be evaluated more than once in a block.
        let known = |block: &Block| block.objects.iter().any(|other| other.var == var);
        if let Some(block) = self.scopes.blocks.last_mut().filter(|block| !known(block)) {
            let object = Scoped { var, again };
            block.objects.push(object);
            self.scopes.all.push((block.number, object));
        }
    }

    /// Lowers what is a block by itself, written with braces or not.
    pub fn in_block(&mut self, inside: impl FnOnce(&mut Self)) {
        self.scopes.enter();
        inside(self);
        self.renew(self.scopes.depth() - 1);
        self.scopes.leave();
    }

    /// Ends the block of a statement expression. The value of the expression is still needed, so the objects of the
    /// block live until the block around it ends.
    pub fn leave_expression(&mut self) {
        let ended = self.scopes.blocks.pop().map_or_else(Vec::new, |block| block.objects);
        if ended.is_empty() {
            return;
        }
        let text = "objects of a statement expression are not used after it";
        self.assume(AssumptionKind::Semantics, text.to_owned());
        if self.scopes.depth() >= 2
            && let Some(block) = self.scopes.blocks.last_mut()
        {
            // At the end of the outer block it is not known whether an object of variable length has been made.
            block.objects.extend(ended.into_iter().filter(|object| object.again.is_some()));
        }
    }

    /// Makes the objects of all blocks anew but those of the `outer` outermost blocks.
    pub fn renew(&mut self, outer: usize) {
        let inner = self.scopes.blocks.get(outer..).unwrap_or_default();
        let ended: Vec<Scoped> = inner.iter().flat_map(|block| &block.objects).copied().collect();
        self.end_objects(&ended);
    }

    /// Ends objects, and makes an object anew if a jump may come back to its block.
    fn end_objects(&mut self, objects: &[Scoped]) {
        for Scoped { var, again } in objects {
            self.end_constant(*var);
            let (address, kind) = (self.terms().var(*var), AllocKind::Stack);
            self.emit(Op::Free { address, kind });
            if let Some((size, align)) = *again {
                self.emit(Op::Alloc { var: *var, size, align, kind, zeroed: false });
            }
        }
    }

    /// Ends the objects of all blocks but those with the numbers `around`, where `longjmp` arrives. The objects have
    /// been made, by the function or when their block was left. An object of variable length may not have been made, so
    /// it is not ended.
    pub fn end_all_but(&mut self, around: &[usize]) {
        if self.scopes.has_variable {
            let text = "arrays of variable length that `longjmp` leaves are not used afterwards";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
        let left = self.scopes.all.iter().filter(|(number, _)| !around.contains(number));
        let made = |object: &Scoped| object.again.is_some();
        let ended: Vec<Scoped> = left.map(|(_, object)| *object).filter(made).collect();
        self.end_objects(&ended);
    }

    /// Lists the assumption about an array that a function returns by value: it lives until the expression ends, and is
    /// kept for longer here.
    pub fn assume_dropped(&mut self) {
        let text = "an array that a function returns by value is at an address of its own, and \
                    pointers into it are not used after the expression";
        self.assume(AssumptionKind::Semantics, text.to_owned());
    }

    /// Notes in which blocks a label is.
    pub fn label_here(&mut self, label: LabelId) {
        let blocks = &self.scopes.blocks;
        let blocks = blocks.iter().map(|block| (block.number, block.objects.len())).collect();
        self.scopes.labels.insert(label, blocks);
    }

    /// Where a jump to a label goes first: it may leave blocks, which is known only when all labels are.
    pub fn goto(&mut self, to: LabelId, target: Label) {
        if self.scopes.blocks.iter().all(|block| block.objects.is_empty()) {
            return self.body.jump(target);
        }
        let from = self.body.label();
        self.body.jump(from);
        let (blocks, span) = (self.scopes.blocks.clone(), self.body.span());
        self.scopes.jumps.push(BlockJump { from, to, blocks, span });
    }

    /// Ends the objects of the blocks that jumps leave; the code for this is behind everything else in the function. An
    /// object of variable length ends, too, where a jump goes back before its declaration.
    pub fn end_jumps(&mut self) {
        for BlockJump { from, to, blocks, span } in std::mem::take(&mut self.scopes.jumps) {
            let around = self.scopes.labels.get(&to).cloned().unwrap_or_default();
            let mut ended: Vec<Scoped> = Vec::new();
            for block in &blocks {
                match around.iter().find(|(number, _)| *number == block.number) {
                    Some((_, before)) => {
                        let later = block.objects.iter().skip(*before);
                        ended.extend(later.filter(|object| object.again.is_none()));
                    }
                    None => ended.extend(&block.objects),
                }
            }
            self.body.place_detached(from);
            self.body.set_span(span);
            self.end_objects(&ended);
            let target = self.label(to);
            self.body.jump(target);
        }
    }
}
