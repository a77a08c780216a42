//! The values of variables: globals first, then a frame for each activation.

use std::collections::BTreeMap;

use base::Id;
use cfa::{FuncId, Program, Scope};
use term::{Environment, Value, Var};

use crate::inputs::Site;

/// Marks the slot of a local variable, which counts from the base of the frame.
const LOCAL: u32 = 1 << 31;

pub(crate) struct Store {
    /// Where each variable is, by variable.
    slots: Vec<u32>,
    /// How many local variables each function has.
    sizes: Vec<usize>,
    /// `None` until a value is assigned or asked for.
    values: Vec<Option<Value>>,
    /// Where the current frame starts.
    base: usize,
    /// The operations that last took the values of globals away.
    havocs: BTreeMap<usize, Site>,
}

impl Store {
    /// No frame yet, and no variable has a value.
    pub(crate) fn new(program: &Program) -> Self {
        let mut sizes = vec![0; program.cfa.functions.len()];
        let mut globals = 0;
        let slots = program.cfa.variables.iter().map(|variable| match variable.scope {
            Scope::Global | Scope::Address(_) => {
                globals += 1;
                globals - 1
            }
            Scope::Local(function) => {
                let size: &mut usize = &mut sizes[function.index()];
                *size += 1;
                // The cast is exact: there are fewer variables than `u32` has values, by their ids.
                LOCAL | (*size - 1) as u32
            }
        });
        let slots = slots.collect();
        let globals = globals as usize;
        Self { slots, sizes, values: vec![None; globals], base: globals, havocs: BTreeMap::new() }
    }

    /// How many values a frame of the function has.
    pub(crate) fn frame_size(&self, function: FuncId) -> usize {
        self.sizes[function.index()]
    }

    /// Starts a frame above all others. Gives the base of the last one, for [`Store::pop`].
    pub(crate) fn push(&mut self, function: FuncId) -> usize {
        let old = self.base;
        self.base = self.values.len();
        self.values.resize(self.base + self.frame_size(function), None);
        old
    }

    /// Ends the frame.
    pub(crate) fn pop(&mut self, base: usize) {
        self.values.truncate(self.base);
        self.base = base;
    }

    /// Where the variable of the current activation is.
    #[inline]
    pub(crate) fn index(&self, var: Var) -> usize {
        let slot = self.slots[var.index()];
        if slot & LOCAL == 0 { slot as usize } else { self.base + (slot ^ LOCAL) as usize }
    }

    /// Notes the operation that took the value at an index away.
    pub(crate) fn set_havoc(&mut self, index: usize, by: Site) {
        self.havocs.insert(index, by);
    }

    /// The operation that took the value at an index away; none if there never was one.
    pub(crate) fn havoc_at(&self, index: usize) -> Option<Site> {
        self.havocs.get(&index).copied()
    }

    /// The value at an index.
    #[inline]
    pub(crate) fn at(&mut self, index: usize) -> &mut Option<Value> {
        &mut self.values[index]
    }
}

impl Environment for Store {
    #[inline]
    fn get(&self, var: Var) -> Option<&Value> {
        self.values[self.index(var)].as_ref()
    }
}
