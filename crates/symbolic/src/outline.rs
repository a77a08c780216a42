//! The outline of a program: tables that executors look up. The tables are the same for all executions,
//! so executors of one program share them.

use base::IndexVec;
use cfa::{Cfa, LocId, Order, Scope};
use term::{Terms, Var};

use crate::choice::is_deterministic;

/// The parts of a program in the order and by the numbers that executors use.
pub struct Outline {
    pub(crate) order: Order,
    /// The place of each variable in its frame, or among the globals.
    pub(crate) slots: IndexVec<Var, usize>,
    /// Locations whose edges exclude each other, so that no symbol is needed to choose an edge.
    pub(crate) deterministic: IndexVec<LocId, bool>,
}

impl Outline {
    /// The outline of a program.
    #[must_use]
    pub fn of(cfa: &Cfa, terms: &mut Terms) -> Self {
        let mut slots = IndexVec::filled(0, cfa.variables.len());
        let mut globals = 0;
        for (var, known) in cfa.variables.entries() {
            if known.scope == Scope::Global {
                slots[var] = globals;
                globals += 1;
            }
        }
        for function in &cfa.functions {
            for (place, var) in function.locals.iter().enumerate() {
                slots[*var] = place;
            }
        }
        let deterministic =
            cfa.locations.ids().map(|location| is_deterministic(cfa, terms, location)).collect();
        Self { order: Order::of(cfa), slots, deterministic }
    }
}
