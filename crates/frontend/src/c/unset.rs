//! Whether variables have been set before they are read, where a check asks for this.
//!
//! Beside each variable of a function whose address nobody takes stands another variable that says whether the first
//! one has a value. For a structure there is such a variable for each member. A structure may be copied before all of
//! its members are set: the copy has the same members set.

use cfa::{Fault, Op, Reading, Scope, Variable};
use rucc_sema::{ExprId, ExprKind, Linkage};
use term::{Sort, Var};

use super::function::Lower;
use super::storage::Storage;

impl Lower<'_, '_> {
    /// Has the function follow whether a variable has a value; at the start of the function the variable has none. Its
    /// initialiser may read the variable itself or copy a value that is not set, and a jump may pass the initialiser
    /// by.
    pub fn follow_unset(&mut self, var: Var) {
        if !self.facts.marked.unset {
            return;
        }
        let scope = Scope::Local(self.signature.function);
        let variable = Variable { scope, reading: Reading::Plain, source_name: None, span: None };
        let name = format!("{}@set", self.link.program.terms.var_name(var));
        let set = self.link.program.declare(name, Sort::Bool, variable);
        let value = self.terms().bool(false);
        self.body.at_entry(Op::Assign { var: set, value });
        self.set.insert(var, set);
    }

    /// Whether an expression names a variable that is followed, or a member of such a variable.
    pub fn is_followed(&mut self, mut expr: ExprId) -> bool {
        while let ExprKind::Member { base, .. } = self.unit.tast[expr].kind {
            expr = base;
        }
        let ExprKind::Decl(decl) = self.unit.tast[expr].kind else { return false };
        let entry = &self.unit.tast[decl];
        if !self.facts.marked.unset || entry.linkage != Linkage::None {
            return false;
        }
        match self.storage(decl) {
            Storage::Var(var, _) => self.set.contains_key(&var),
            Storage::Fields(leaves) => {
                leaves.iter().filter_map(|leaf| leaf.var).any(|var| self.set.contains_key(&var))
            }
            Storage::Memory(_) => true,
        }
    }

    /// Marks that a variable is read, which must have a value.
    pub fn check_set(&mut self, var: Var) {
        if let Some(&set) = self.set.get(&var).filter(|_| !self.copies) {
            let holds = self.terms().var(set);
            self.check(holds, Fault::Uninitialised);
        }
    }

    /// Notes that a variable has a value, or has none any more.
    pub fn note_set(&mut self, var: Var, is_set: bool) {
        if let Some(&set) = self.set.get(&var) {
            let value = self.terms().bool(is_set);
            self.emit(Op::Assign { var: set, value });
        }
    }
}
