//! What an inconclusive run is worth (Castaño 2018): which executions it has analysed, which it has
//! not, and examples of both.
//!
//! Everything here reads what a run leaves behind, its graph and how far it has unrolled the program,
//! as an assumption automaton ([`Automaton`]). Questions about executions become reachability in the
//! [`product()`] of program and automaton, so that every engine can answer them.

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
pub use product::{Errors, Fate, Goal, Kind, Product, Target, TooLarge, product};
pub use relative::{Answer, Query, Relative, relative};
pub use rounds::Rounds;
pub use search::{Search, Searched};
pub use spc::Astray;
pub use trace::{Trace, is_recursion};
pub use unsound::{Unsound, last_rounds, rounds};
