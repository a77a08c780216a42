//! Proviso as a library: load a program, say how much a run may use, verify, read the outcome.
//!
//! ```
//! use std::time::Duration;
//!
//! use proviso::{Budget, Config, Options, Task, Verdict};
//!
//! let text = "extern int nondet_int(void);
//!             int main(void) { int a[4] = {0}, i = nondet_int(); return i <= 4 ? a[i] : 0; }";
//! let task = Task::of_c("index.c", text, &Options::of_checks())?;
//! let budget = Budget::within(Duration::from_secs(60));
//! let outcome = task.verify(&Config { budget, ..Config::recommended() })?;
//! assert!(matches!(outcome.verdict, Verdict::Unsafe(_)));
//! assert!(task.told(&outcome).contains("Error: access out of bounds at index.c:2:"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Task::load`] takes files instead of a text: C, Theta's `.cfa`, ARMC's facts or a task definition. What goes
//! wrong comes back as a value: a text that cannot be read as [`Refused`], with every message and its place; a fault
//! of Proviso as [`Panicked`]. Deep recursion has a stack of its own ([`guarded`]).
//!
//! The command `proviso` is built on the same functions, all of it in one call of [`guarded`]: so it uses
//! [`Task::load_unguarded`], and [`Task::verify_with`] with the solvers that its user names.

mod guard;
mod task;

pub use base::{Diagnostic, Diagnostics, SourceMap};
pub use cfa::{Check, Checks, Program};
pub use frontend::task::Property;
pub use frontend::{
    Assembly, DataModel, External, Flags, Globals, Language, Options, OutsidePointers, Setting,
    SignedOverflow, Subject, Volatile, Wording,
};
pub use guard::{Panicked, guarded};
pub use smt::NewSolver;
pub use task::{Refused, Task};
pub use verify::{
    Analysis, Budget, Config, Counterexample, Invariants, Limits, Outcome, Proof, Unknown, Verdict,
};
