//! Abstract domains for forward exploration.
//!
//! ```
//! use cfa::Reach;
//! use cpa::{Ended, Plan, Prune, Traversal, cegar};
//! use proviso_domains::value::{Precision, PrecisionScope, Preference, Refine, Values};
//! use run::{Budget, Silent, Unknown};
//!
//! let text = "void reach_error(void); int main(void) { int x = 1; while (x < 5) x *= 2; if (x != 8) reach_error(); }";
//! let program = frontend::load_text("a.c", text, &frontend::Options::default()).program;
//! let (reach, budget) = (Reach::of(&program.cfa), Budget::default());
//! let halt = || -> Option<Unknown> { None };
//! let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: Traversal::Dfs, halt: &halt };
//! let mut check = |path: &[cfa::EdgeId]| {
//!     engines::path::check(&program, path, &|| Box::new(smt::Builtin::new()), &budget)
//! };
//! // Nothing is tracked at first. The path to the error that is then found says that `x` has to be.
//! let mut values = Values::new(&program, Some(Precision::new(PrecisionScope::Global)));
//! let mut refine = Refine::new(&mut check, &budget, Preference::FewestCounters);
//! let (ended, _) = cegar(&mut values, &mut refine, &plan, Prune::Lazy, &Silent);
//! assert!(matches!(ended, Ended::Safe));
//! assert_eq!(values.precision().map(|known| known.tracked().len()), Some(1));
//! ```

mod exact;
mod explain;
pub mod interval;
mod invariant;
pub mod precision;
pub mod predicate;
pub mod product;
pub mod survey;
pub mod value;

/// Hash-consed trees: maps from numbers to values.
pub mod trees {
    pub use crate::value::{Forest, Tree, height};
}

/// Variables that hold what loads find in memory, by the edge and the number of the load.
pub type Mirrors = std::collections::BTreeMap<(cfa::EdgeId, u32), term::Var>;

pub use exact::{Exact, Finding};
pub use explain::{Claim, Explain, graph, lines};
pub use invariant::invariants;
pub use precision::Precision;
