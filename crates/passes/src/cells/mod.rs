//! Memory as variables: what is loaded from and stored at known places of known objects.
//!
//! Predicates know nothing of memory. So this pass gives a program a variable for each cell. A cell is a
//! stretch of an object that some load reads at an address that is always the same. A value that is
//! stored to the cell is assigned to the variable, too, and an operation that may change the cell in
//! another way makes the variable arbitrary. So each execution of the program without cells has one with
//! cells, edge by edge, in which the variable is equal to what memory holds, and a load may be read from
//! the variable.

mod rewrite;

use std::ops::Range;

use base::Id as _;
use cfa::{Cfa, Op, Program};
use domains::Mirrors;
use domains::survey::Survey;
use domains::value::{ObjectSite, Precision, Tracked};
use run::{Budget, Graph};
use term::{TermId, Var, View};

use crate::{Back, Rewritten};

/// A program with variables for cells of its memory. Locations and edges are those of the program
/// itself.
pub struct Cells {
    rewritten: Rewritten,
    variables: Range<usize>,
    mirrors: Mirrors,
}

impl Cells {
    /// Finds the cells of a program. `None` if it has none, or if looking for them takes long.
    #[must_use]
    pub fn of(program: &Program, budget: &Budget) -> Option<Self> {
        let known = program.cfa.variables.len();
        // Variables of cells come next in the table.
        if !loads(&program.cfa) || program.terms.var_count() != known {
            return None;
        }
        let mut survey = Survey::of(program, budget)?;
        let (rewritten, mirrors) = rewrite::rewrite(&mut survey)?;
        let variables = known..rewritten.program.cfa.variables.len();
        Some(Self { rewritten, variables, mirrors })
    }

    /// The program with the variables.
    #[must_use]
    pub const fn program(&self) -> &Program {
        &self.rewritten.program
    }

    /// What the parts of the program with the variables were.
    #[must_use]
    pub const fn back(&self) -> &Back {
        &self.rewritten.back
    }

    /// The variables that hold what loads find in memory.
    #[must_use]
    pub const fn mirrors(&self) -> &Mirrors {
        &self.mirrors
    }

    /// Whether a variable stands for memory.
    #[must_use]
    pub fn is_cell(&self, var: Var) -> bool {
        self.variables.contains(&var.index())
    }

    /// Translates a precision of the program without cells to the program with cells.
    #[must_use]
    pub fn with(&self, program: &Program, precision: &Precision) -> Precision {
        precision.renamed(&|what| renumbered(&program.cfa, &self.program().cfa, what))
    }

    /// Translates a precision of the program with cells to the program without cells.
    #[must_use]
    pub fn without(&self, program: &Program, precision: &Precision) -> Precision {
        precision.renamed(&|what| match what {
            Tracked::Variable(var) if self.is_cell(var) => None,
            what => renumbered(&self.program().cfa, &program.cfa, what),
        })
    }

    /// Takes out of a graph what its states claim of cells, which are known to this pass only.
    pub fn hide(&self, graph: &mut Graph) {
        let Graph { claims, language, .. } = graph;
        let mut hidden = false;
        for claimed in claims.values_mut() {
            let parts = match language.terms.view(claimed.formula) {
                View::App(term::Op::And, parts) => parts.to_vec(),
                _ => vec![claimed.formula],
            };
            let is_plain =
                |term: TermId| !language.terms.vars(term).into_iter().any(|var| self.is_cell(var));
            let plain: Vec<TermId> = parts.iter().copied().filter(|part| is_plain(*part)).collect();
            let values = claimed.values.len();
            claimed.values.retain(|(slot, _)| is_plain(*slot));
            if plain.len() < parts.len() {
                hidden = true;
                claimed.formula = language.terms.and(&plain);
            }
            hidden |= claimed.values.len() < values;
        }
        if hidden {
            language.omit("what is known of memory in other ways");
        }
    }
}

/// Something that is tracked, with the numbers that operations have in another program: the same
/// objects are made on an edge, in the same order.
fn renumbered(from: &Cfa, to: &Cfa, what: Tracked) -> Option<Tracked> {
    let Tracked::Memory(ObjectSite::Alloc(edge, number), aspect) = what else { return Some(what) };
    let is_new = |op: &&Op| matches!(op, Op::Alloc { .. });
    let before = from.edges[edge].ops.iter().take(number as usize).filter(is_new).count();
    let mut numbered = (0..).zip(&to.edges[edge].ops).filter(|(_, op)| is_new(op));
    let (number, _) = numbered.nth(before)?;
    Some(Tracked::Memory(ObjectSite::Alloc(edge, number), aspect))
}

fn loads(cfa: &Cfa) -> bool {
    cfa.edges.iter().flat_map(|edge| &edge.ops).any(|op| matches!(op, Op::Load { .. }))
}
