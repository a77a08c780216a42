//! What a program does, as terms: executions with symbols in place of inputs.
//!
//! A [`State`] maps variables and memory to terms over symbols, under a guard that says for which
//! values of the symbols an execution is there. [`Executor::step`] takes a state along the edges of
//! its location, [`Executor::merge`] joins two states of one place into one. Along a single path
//! this gives the path formula in static single assignment; over a whole unrolling it gives a
//! formula of a size linear in the program.
//!
//! Nothing here asks a solver. What a solver must be told besides the guards is in
//! [`Executor::facts`]: the addresses of objects are symbols, and these do not overlap.

mod address;
mod choice;
mod contents;
mod event;
mod execute;
mod guard;
mod layout;
mod memory;
mod object;
mod outside;
mod path;
mod state;
mod transfer;
mod widen;

pub use choice::is_deterministic;
pub use event::{Event, Happening, Scenario};
pub use execute::Executor;
pub use guard::{Guard, Guards};
pub use object::ObjectIndex;
pub use outside::Reading;
pub use path::{Named, Path, Step};
pub use state::{Source, State};
pub use widen::Changes;
