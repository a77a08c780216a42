//! Where a state keeps each variable.

use base::IndexVec;
use cfa::{AllocKind, Cfa, FuncId, ObjectId, Op, Scope};
use term::Var;

use crate::value::tree::height;

/// Where a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// In the map of globals.
    Global(u32),
    /// In the map of an activation.
    Local(u32),
    /// Nowhere: it is a constant.
    Address(ObjectId),
}

/// The slots of all variables of a program.
pub(crate) struct Layout {
    slots: IndexVec<Var, Slot>,
    /// The variables in the map of globals, in order.
    pub(crate) globals: Vec<Var>,
    pub(crate) global_height: u32,
    local_heights: IndexVec<FuncId, u32>,
    /// Whether activations of the function own objects.
    owners: IndexVec<FuncId, bool>,
}

impl Layout {
    pub(crate) fn of(cfa: &Cfa) -> Self {
        let mut globals = Vec::new();
        let unset = Slot::Global(0);
        let mut slots = IndexVec::filled(unset, cfa.variables.len());
        for (var, variable) in cfa.variables.entries() {
            match variable.scope {
                Scope::Global => {
                    // Indices are fewer than variables, which have `u32` ids; the same is true of the indices of
                    // locals.
                    slots[var] = Slot::Global(globals.len() as u32);
                    globals.push(var);
                }
                Scope::Address(object) => slots[var] = Slot::Address(object),
                Scope::Local(_) => {}
            }
        }
        for function in cfa.functions.iter() {
            for (index, var) in (0..).zip(&function.locals) {
                slots[*var] = Slot::Local(index);
            }
        }
        let local_heights =
            cfa.functions.iter().map(|function| height(function.locals.len())).collect();
        let mut owners = IndexVec::filled(false, cfa.functions.len());
        for edge in cfa.edges.iter() {
            let owns = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Stack, .. });
            owners[cfa.locations[edge.source].function] |= edge.ops.iter().any(owns);
        }
        let global_height = height(globals.len());
        Self { slots, globals, global_height, local_heights, owners }
    }

    pub(crate) fn slot(&self, var: Var) -> Slot {
        self.slots[var]
    }

    pub(crate) fn local_height(&self, function: FuncId) -> u32 {
        self.local_heights[function]
    }

    pub(crate) fn owns_objects(&self, function: FuncId) -> bool {
        self.owners[function]
    }
}
