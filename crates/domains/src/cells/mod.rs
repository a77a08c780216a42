//! Memory as variables: what is loaded from and stored at known places of known objects.
//!
//! Predicates know nothing of memory. Here a program gets a variable for each stretch of an object
//! that is loaded from somewhere by an address that is always the same; what is stored there is
//! assigned to the variable, too, and what is loaded from there is read from it. Whatever may
//! change the stretch in another way makes the variable arbitrary. So the program with cells has
//! all executions of the other, edge by edge, and maybe more.

mod access;
mod constants;
mod rewrite;

use std::ops::Range;

use base::Id as _;
use certify::Certificate;
use cfa::{Cfa, Op, Program};
use term::{TermId, Var, View};

use crate::value::{Precision, Values};

/// A program with variables for cells of its memory. Locations and edges are those of the program
/// itself.
pub struct Cells {
    program: Program,
    variables: Range<usize>,
}

impl Cells {
    /// Finds the cells of a program. `None` if it has none, or if looking for them takes long.
    #[must_use]
    pub fn of(program: &Program, halt: &dyn Fn() -> bool) -> Option<Self> {
        let known = program.cfa.variables.len();
        // Variables of cells come next in the table.
        if !loads(&program.cfa) || program.terms.var_count() != known {
            return None;
        }
        let mut values = Values::new(program, None);
        let states = constants::reached(&mut values, halt)?;
        let accesses = access::collect(&mut values, states);
        let program = rewrite::rewrite(&mut values, &accesses)?;
        let variables = known..program.cfa.variables.len();
        Some(Self { program, variables })
    }

    /// The program with the variables.
    #[must_use]
    pub const fn program(&self) -> &Program {
        &self.program
    }

    fn is_cell(&self, var: Var) -> bool {
        self.variables.contains(&var.index())
    }

    /// Takes cells out of a precision, which is about the program without them then.
    #[must_use]
    pub fn without(&self, precision: &Precision) -> Precision {
        precision.without(&|var| self.is_cell(var))
    }

    /// Takes out of a certificate what it claims of cells: nobody else knows them.
    pub fn hide(&self, certificate: &mut Certificate) {
        for index in 0..certificate.entries.len() {
            let formula = certificate.entries[index].formula;
            let parts = match certificate.terms.view(formula) {
                View::App(term::Op::And, parts) => parts.to_vec(),
                _ => vec![formula],
            };
            let is_plain = |part: &TermId| {
                !certificate.terms.vars(*part).into_iter().any(|var| self.is_cell(var))
            };
            let plain: Vec<TermId> = parts.iter().copied().filter(is_plain).collect();
            if plain.len() < parts.len() {
                certificate.omit("what is known of memory in other ways");
                certificate.entries[index].formula = certificate.terms.and(&plain);
            }
        }
    }
}

fn loads(cfa: &Cfa) -> bool {
    cfa.edges.iter().flat_map(|edge| &edge.ops).any(|op| matches!(op, Op::Load { .. }))
}
