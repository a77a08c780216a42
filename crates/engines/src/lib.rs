//! Engines that answer whether an error is reachable, apart from those that explore forwards with
//! an abstract domain.

pub mod bounded;
mod model;
mod replay;
mod verdict;

pub use replay::{Counterexample, Replayed, replay};
pub use verdict::{Budget, Progress, Proof, Unknown, Verdict};
