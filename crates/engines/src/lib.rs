//! Engines that answer whether an error is reachable, apart from those that explore forwards with
//! an abstract domain.

mod ask;
pub mod backward;
pub mod bounded;
pub mod induction;
mod model;
mod ordinary;
pub mod path;
mod pending;
mod replay;
mod trials;

pub use replay::{replay, replay_with};
pub use trials::tried;
