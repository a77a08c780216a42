//! Engines that answer whether an error is reachable, apart from those that explore forwards with
//! an abstract domain.

mod ask;
pub mod backward;
pub mod bounded;
pub mod induction;
mod invariant;
mod model;
pub mod path;
mod pending;
mod replay;
mod verdict;

pub use invariant::{Invariant, Invariants};
pub use replay::{Counterexample, Replayed, replay};
pub use verdict::{Budget, NewSolver, Progress, Proof, Unknown, Verdict};
