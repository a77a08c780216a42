//! What an inconclusive run is worth (Castaño 2018): which executions it has analysed, which it has
//! not, and examples of both.
//!
//! Everything here reads what a run leaves behind, its graph and how far it has unrolled the program,
//! as an assumption automaton ([`Automaton`]). Questions about executions become reachability in the
//! [`product()`] of program and automaton, so that every engine can answer them.
//!
//! ```
//! use proviso_partial::{Analysed, Execution, Options, Standing, checks};
//! use verify::{Analysis, Budget, Config, Verdict};
//!
//! let text = "void reach_error(void); extern int in(void);
//!             int main(void) { int n = in(); if (n == 1 && n == 2) reach_error();
//!                              for (int i = 0; i != n; i++) { if (i < 0) reach_error(); } }";
//! let program = frontend::load_text("a.c", text, &frontend::Options::default()).program;
//! let solver = || Box::new(smt::Builtin::new()) as Box<dyn smt::FullSolver>;
//! let config = Config { analysis: Analysis::Bmc, unroll: Some(2), ..Config::default() };
//! let outcome = verify::verify(&program, &config, &solver);
//! assert!(matches!(outcome.verdict, Verdict::Unknown(_)), "two rounds are not all");
//! let analysed = Analysed::of(&program, &outcome);
//! let options = Options { analysis: Analysis::Bmc, solver: &solver, budget: Budget::default(), most: None };
//! let execution = Execution::of(&analysed, &options, &mut |_| {});
//! // The check before the loop is proved all the same.
//! let found = checks(&analysed, &execution, None, &Budget::default());
//! let standings: Vec<Standing> = found.iter().map(|check| check.standing).collect();
//! assert_eq!(standings[0], Standing::Proved);
//! assert_ne!(standings[1], Standing::Proved);
//! ```

mod abstraction;
mod analysed;
mod arrivals;
mod automaton;
mod chance;
mod checks;
mod conditional;
mod cones;
mod coverage;
mod enumerate;
mod execution;
mod letter;
mod lifted;
mod merged;
mod nodes;
mod paths;
mod product;
mod relative;
mod rounds;
mod search;
pub mod spc;
mod trace;
mod unsound;
mod ways;

pub use abstraction::{Abstraction, Group, abstracted, group};
pub use analysed::{Analysed, bounded_loops};
pub use automaton::{Automaton, Everything, Nothing, StateId, Union};
pub use checks::{Check, Standing, all_checks, checks, proved, proved_by, reachable, reached};
pub use conditional::{Continued, go_on};
pub use coverage::{Coverage, Line};
pub use execution::{Execution, Options, Took};
pub use letter::{Letter, letters, letters_of};
pub use lifted::Lifted;
pub use nodes::{Memory, Nodes};
pub use product::{Fate, Goal, Product, Target, TargetKind, TooLarge, product};
pub use relative::{Answer, Query, Relative, relative};
pub use rounds::Rounds;
pub use search::{Search, Searched};
pub use spc::Astray;
pub use trace::{Trace, is_recursion};
pub use unsound::{Unsound, last_rounds, rounds};
