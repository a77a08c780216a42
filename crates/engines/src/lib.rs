//! Engines that answer whether an error is reachable, apart from those that explore forwards with
//! an abstract domain.
//!
//! ```
//! use proviso_engines::induction;
//! use run::{Budget, Run, Verdict};
//!
//! let text = "void reach_error(void);
//!             int main(void) { unsigned x = 0; while (x != 10) x++; if (x > 10) reach_error(); }";
//! let program = frontend::load_text("a.c", text, &frontend::Options::default()).program;
//! let solver = || Box::new(smt::Builtin::new()) as Box<dyn smt::FullSolver>;
//! let proved = induction::prove(&program, &solver, 1, &Run::unobserved(Budget::default()));
//! assert!(matches!(proved.verdict, Verdict::Safe(_)));
//! ```

mod ask;
pub mod backward;
pub mod bounded;
pub mod directed;
pub mod induction;
mod model;
mod ordinary;
pub mod path;
mod pending;
mod replay;
mod shorten;
mod trials;

pub use replay::{replay, replay_with};
pub use shorten::shortened;
pub use trials::tried;
