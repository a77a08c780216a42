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
    /// For values that are `None`: the operation that took each value away, if an operation did.
    havocs: BTreeMap<usize, Site>,
}

/// What a variable holds.
#[derive(Clone, Default)]
pub(crate) struct Cell {
    pub(crate) value: Option<Value>,
    /// If there is no value: the operation that took the value away.
    pub(crate) havoc: Option<Site>,
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        Self { value: Some(value), havoc: None }
    }
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
        // Notes about earlier frames in these slots must not be taken for notes about this frame.
        while let Some(last) = self.havocs.last_entry()
            && *last.key() >= self.base
        {
            last.remove();
        }
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

    /// Exchanges what is at an index with what is given: a value or, if there is none, the
    /// operation that took it away.
    #[inline]
    pub(crate) fn exchange(&mut self, index: usize, cell: &mut Cell) {
        std::mem::swap(&mut self.values[index], &mut cell.value);
        // An entry beside a value means nothing, so that assignments need not look for one.
        if cell.value.is_none() || self.values[index].is_none() {
            let old = match cell.havoc {
                Some(site) => self.havocs.insert(index, site),
                None => self.havocs.remove(&index),
            };
            cell.havoc = old.filter(|_| cell.value.is_none());
        }
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
