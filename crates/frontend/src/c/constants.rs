//! Objects of functions that are declared `const`, where accesses are checked.
//!
//! Only a program that converts a pointer to a constant into a pointer to something else can write to such objects
//! (`drops_const`). In such a program, a global variable for each declaration of a constant has the address of the
//! object from the end of its initialisation to the end of its life, and every write is compared with it.

use cfa::{Check, Fault, Op, Program, Reading, Scope, Variable};
use rucc_types::TypeId;
use term::{Sort, TermId, Var};

use super::body::Label;
use super::constness::Constant;
use super::function::Lower;
use super::link::Linker;
use super::storage::Storage;

/// Why a run is inconclusive where a function has several activations.
const ACTIVATIONS: &str =
    "constants of several activations of a function, where `const` is cast away";

impl Linker<'_> {
    /// Whether constants of functions are compared with what is written.
    pub fn guards_constants(&self) -> bool {
        let drops = self.facts.iter().any(|facts| facts.drops_const);
        // Another file may declare the object with another type, without `const`.
        let files = self.facts.iter().filter(|facts| facts.is_of_program).count();
        self.options.checks().has(Check::Deref) && (drops || files > 1)
    }

    /// Has every write be compared with the constants that are alive.
    pub fn guard_constants(&mut self) {
        if self.constants.is_empty() {
            return;
        }
        let Program { cfa, terms, .. } = &mut self.program;
        for edge in cfa.edges.iter_mut() {
            if !edge.ops.iter().any(|op| written(op).is_some()) {
                continue;
            }
            let mut ops = Vec::with_capacity(edge.ops.len() + self.constants.len());
            for op in std::mem::take(&mut edge.ops).into_vec() {
                if let Some((at, length)) = written(&op) {
                    let nothing = length.map(|length| {
                        let zero = terms.bv(terms.width(length), 0);
                        terms.eq(length, zero)
                    });
                    for constant in &self.constants {
                        let mut holds = constant.is_elsewhere(terms, at);
                        if let Some(nothing) = nothing {
                            holds = terms.or2(nothing, holds);
                        }
                        ops.push(Op::Check { holds, fault: Fault::InvalidAccess });
                    }
                }
                ops.push(op);
            }
            edge.ops = ops.into();
        }
    }
}

/// The address where an operation writes, and the number of bytes if this number may be zero.
fn written(op: &Op) -> Option<(TermId, Option<TermId>)> {
    match *op {
        Op::Store { address, .. } => Some((address, None)),
        Op::Fill { address, length, .. } | Op::HavocMemory { address, length, .. } => {
            Some((address, Some(length)))
        }
        Op::Copy { to, length, .. } => Some((to, Some(length))),
        _ => None,
    }
}

impl Lower<'_, '_> {
    /// Called before the initialisation of an object that is declared in a function: if the object is a constant, it
    /// may be written for now.
    fn unfix(&mut self, var: Var, ty: TypeId) -> Option<Constant> {
        let is_fixed = self.unit.is_const(ty) && !self.unit.is_volatile(ty);
        let size = self.unit.size(ty).filter(|size| *size > 0 && is_fixed)?;
        if !self.link.guards_constants() || !self.facts.is_of_program {
            return None;
        }
        let constant = match self.fixed.get(&var) {
            Some(constant) => *constant,
            None => {
                let name = self.link.unique("@constant");
                let variable = Variable {
                    scope: Scope::Global,
                    reading: Reading::Address,
                    source_name: None,
                    span: None,
                };
                let sort = Sort::Bv(self.link.width());
                let address = self.link.program.declare(name, sort, variable);
                let value = self.address_constant(0);
                self.link.start.push(Op::Assign { var: address, value });
                let constant = Constant { address, size };
                self.link.constants.push(constant);
                self.fixed.insert(var, constant);
                constant
            }
        };
        let (fixed, own) = (self.terms().var(constant.address), self.terms().var(var));
        let zero = self.address_constant(0);
        let (none, mine) = (self.terms().eq(fixed, zero), self.terms().eq(fixed, own));
        let is_free = self.terms().or2(none, mine);
        let (goes_on, other) = (self.body.label(), self.body.label());
        self.branch_on(is_free, goes_on, other);
        self.body.place_detached(other);
        self.body.end(Op::Unsupported(ACTIVATIONS.into()));
        self.body.place_detached(goes_on);
        self.body.emit(Op::Assign { var: constant.address, value: zero });
        Some(constant)
    }

    /// Called after the initialisation of a constant: the object must not be written any more.
    fn fix(&mut self, var: Var, constant: Constant) {
        let value = self.terms().var(var);
        self.body.emit(Op::Assign { var: constant.address, value });
    }

    /// Called where an object ends: writes are not compared with its address any more.
    pub fn end_constant(&mut self, var: Var) {
        if let Some(constant) = self.fixed.get(&var).copied() {
            let value = self.address_constant(0);
            self.body.emit(Op::Assign { var: constant.address, value });
        }
    }

    /// Where the function goes when it returns.
    pub fn leave(&mut self) -> Label {
        if !self.link.guards_constants() {
            return self.body.exit();
        }
        match self.leaving {
            Some(label) => label,
            None => *self.leaving.insert(self.body.label()),
        }
    }

    /// Ends the constants of the function, where it returns.
    pub fn end_constants(&mut self) {
        let Some(label) = self.leaving.take() else { return };
        self.body.place_detached(label);
        let mut fixed: Vec<Var> = self.fixed.values().map(|constant| constant.address).collect();
        fixed.sort_unstable();
        let value = self.address_constant(0);
        for var in fixed {
            self.body.emit(Op::Assign { var, value });
        }
        let exit = self.body.exit();
        self.body.jump(exit);
    }

    /// Initialises an object of the function, which is not written again if it is a constant.
    pub fn once(&mut self, storage: &Storage, ty: TypeId, initialise: impl FnOnce(&mut Self)) {
        let object = storage.object();
        let constant = object.and_then(|object| self.unfix(object, ty));
        initialise(self);
        if let (Some(object), Some(constant)) = (object, constant) {
            self.fix(object, constant);
        }
    }
}
