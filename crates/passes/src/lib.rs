//! Passes: programs that are made from programs, and the way back.
//!
//! A pass gives a [`Rewritten`]: a new program, and a translation back to the old program. A finding of
//! an analysis about the new program (a place, a path, an invariant, the inputs of an execution) is
//! translated to the old program by [`Back`], or refused by type where there is no translation. Passes
//! follow each other, and [`Back::then`] leads over several of them.
//!
//! Every pass here promises the same: if an execution of the original reaches an error or something
//! unsupported, then so does an execution of the rewritten program, with the same inputs as far as the
//! rewritten program has them. So a proof for the rewritten program is one for the original. An execution
//! of the rewritten program is confirmed by the interpreter on the original, with the inputs that
//! [`Back::decisions`] finds; a caller falls back to the original if an execution is not confirmed.
//!
//! ```
//! let text = "void reach_error(void); extern int in(void);
//!             int main(void) { int x = 3, y = in(); if (x == 4) reach_error(); return y; }";
//! let program = frontend::load_text("a.c", text, &frontend::Options::default()).program;
//! let simpler = proviso_passes::constants(&program);
//! assert!(cfa::error_reachable(&program.cfa) && !cfa::error_reachable(&simpler.program.cfa));
//! // Every edge of the simpler program stands for edges of the original.
//! assert!(simpler.program.cfa.edges.ids().all(|edge| simpler.back.edge(edge).is_some()));
//! ```

mod arrays;
mod back;
mod cells;
mod constants;
mod contracts;
mod dataflow;
mod dead;
mod decisions;
mod draft;
mod flow;
mod inform;
mod inline;
mod loops;
mod nodes;
mod op_place;
mod reads;
mod slice;

use cfa::Program;

pub use arrays::{Elements, arrays};
pub use back::{Back, LocationOrigin, OperationOrigin};
pub use cells::Cells;
pub use constants::constants;
pub use contracts::{Clause, Contracts, Serves, serve};
pub use dead::dead;
pub use inform::inform;
pub use inline::{Refused, inline};
pub use loops::{Summarized, accelerate, annotate, shortcuts, summarize};
pub use nodes::{Nodes, nodes};
pub use slice::slice;

/// A program that was made from another one.
#[derive(Clone)]
pub struct Rewritten {
    /// The new program. Objects and variables have the numbers that they had, and new ones come
    /// after them; so do functions, unless the pass says otherwise.
    pub program: Program,
    /// What the parts of the new program were in the old program.
    pub back: Back,
}

impl std::fmt::Debug for Rewritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rewritten").field("cfa", &self.program.cfa).finish_non_exhaustive()
    }
}

impl Rewritten {
    /// A program as it is.
    #[must_use]
    pub fn unchanged(program: &Program) -> Self {
        Self { program: program.clone(), back: Back::identity(program) }
    }

    /// The result of another pass over this program.
    #[must_use]
    pub fn then(&self, pass: impl FnOnce(&Program) -> Rewritten) -> Self {
        let last = pass(&self.program);
        Self { back: self.back.then(&last.back), program: last.program }
    }
}

/// What pays for every analysis: constants are put in place, and what has no influence on any
/// verdict is left out.
#[must_use]
pub fn simplify(program: &Program) -> Rewritten {
    // Another round would find little more, and each pass costs about as much as reading the program.
    constants(program).then(slice).then(dead)
}

/// As [`simplify`], for runs with little time: `goes_on` is called before each pass, and the result is `None` if it
/// gives `false`.
#[must_use]
pub fn simplify_while(program: &Program, goes_on: &dyn Fn() -> bool) -> Option<Rewritten> {
    let passes = [constants as fn(&Program) -> Rewritten, slice, dead];
    let pass = |made: Option<Rewritten>, pass: fn(&Program) -> Rewritten| {
        goes_on().then(|| made.map_or_else(|| pass(program), |made| made.then(pass)))
    };
    passes.into_iter().try_fold(None, |made, next| pass(made, next).map(Some)).flatten()
}
