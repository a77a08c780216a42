//! What a program does, as terms: executions with symbols in place of inputs.
//!
//! A [`State`] maps variables and memory to terms over symbols, under a guard that says for which values
//! of the symbols an execution is in this state. [`Executor::step`] takes a state along the edges of its
//! location, [`Executor::merge`] joins two states of one place into one. Along a single path this gives
//! the path formula in static single assignment; over a whole unrolling it gives a formula of a size
//! linear in the program.
//!
//! Nothing here asks a solver. What a solver must be told besides the guards is in
//! [`Executor::facts`]: the addresses of objects are symbols, and these do not overlap.
//!
//! ```
//! use proviso_symbolic::{Executor, Happening};
//!
//! let text = "void reach_error(void); extern int in(void); int main(void) { if (in() == 7) reach_error(); }";
//! let program = frontend::load_text("a.c", text, &frontend::Options::default()).program;
//! let mut terms = program.terms.clone();
//! let mut executor = Executor::new(&program.cfa, &mut terms);
//! let mut pending = vec![executor.start(&mut terms).expect("the program begins")];
//! while let Some(state) = pending.pop() {
//!     executor.step(&mut terms, state, &mut pending);
//! }
//! let is_error = |event: &&proviso_symbolic::Event| matches!(event.what, Happening::Error(_));
//! let guard = executor.events().iter().find(is_error).expect("an error").guard;
//! let conditions: Vec<String> =
//!     executor.conditions(guard).iter().map(|condition| terms.display(*condition).to_string()).collect();
//! assert!(conditions.iter().any(|text| text.contains("#x00000007")), "{conditions:?}");
//! ```

mod address;
mod choice;
mod contents;
mod event;
mod execute;
mod guard;
mod ids;
mod layout;
mod lifetime;
mod memory;
mod named;
mod object;
mod outline;
mod outside;
mod parts;
mod path;
mod reading;
mod state;
mod stretch;
mod transfer;
mod widen;

pub use choice::is_deterministic;
pub use event::{Event, Happening, Scenario};
pub use execute::Executor;
pub use guard::{Guard, Guards};
pub use ids::{ObjectIndex, Source};
pub use named::Named;
pub use outline::Outline;
pub use path::{Path, Step};
pub use reading::OutsideReading;
pub use state::State;
pub use widen::Changes;
