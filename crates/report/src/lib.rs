//! What people and other tools read after a run: the counterexample as text, a harness that
//! reproduces it, witnesses, and the reason of a verdict.
//!
//! Every function here gives text; nothing is printed and no file is written.
//!
//! ```
//! use proviso_report::{Execution, counterexample};
//! use verify::{Config, Verdict};
//!
//! let text = "#include <assert.h>\nextern int in(void);\nint main(void) {\n  int x = in();\n  assert(x != 3);\n}\n";
//! let program = frontend::load_text("a.c", text, &frontend::Options::default()).program;
//! let solver = || Box::new(smt::Builtin::new()) as Box<dyn smt::FullSolver>;
//! let outcome = verify::verify(&program, &Config::recommended(), &solver);
//! let Verdict::Unsafe(found) = &outcome.verdict else { panic!("3 violates it") };
//! // The last argument is what the reader calls the option that says where devices are.
//! let told = counterexample(&program, found, &Execution::of(&program, found), "Options::devices");
//! assert!(told.contains("4  int x = in();    x = 3 (input)\n"), "{told}");
//! assert!(told.contains("Error: assertion `x != 3` failed at a.c:5:3: x = 3\n"), "{told}");
//! ```

mod asserting;
pub mod backward;
mod certification;
mod counted;
mod decision;
mod execution;
mod expression;
pub mod graph;
mod harness;
mod html;
mod invariant;
pub mod junit;
mod lcov;
mod line;
mod location;
mod passed;
pub mod proviso;
mod reason;
mod refinement;
pub mod result;
mod sarif;
mod scope;
mod shorten;
mod source;
mod stages;
mod statistics;
mod tokens;
mod trace;
mod types;
mod witness;

use base::{FileId, Span};

pub use certification::certification;
pub use counted::counted;
pub use execution::{Execution, Input};
pub use harness::harness;
pub use html::html;
pub use invariant::{Invariant, invariants, list_invariants};

pub use lcov::lcov;
pub use passed::passed;
pub(crate) use reason::of_rest;
pub use reason::{of_proof, of_unknown};
pub use refinement::{refinement, refinement_json};
pub use sarif::sarif;
pub use shorten::beginning;
pub use stages::{stage, stages};
pub use statistics::{dropouts, overrun, overrun_json, statistics, statistics_json, summarized};
pub use trace::{Lines, counterexample};
pub use witness::{
    Stamp, checked, correctness, could_fail, formula_of, formulas, meaning, violation,
    violation_graph,
};

/// What was verified, as far as reports say it.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The files of the program, without those that they include.
    pub files: Vec<FileId>,
    /// Whether it is C: only then there are witnesses and a harness.
    pub is_c: bool,
    /// The property in SV-COMP's notation; empty if none was given.
    pub specification: String,
    /// The function where execution starts.
    pub entry: String,
    /// The folder for the files of the run, as it was named.
    pub folder: String,
    /// What a compiler must be told to read each of the files in the same way.
    pub options: Vec<Vec<String>>,
    /// Names of files that are no text, as they are shown, with their bytes: commands need these.
    pub odd_names: Vec<(String, Vec<u8>)>,
    /// The options that decide what the program means, beside the property, the sizes of C's types and the function
    /// where execution starts, as words of a command line: a witness says them.
    pub meaning: Vec<String>,
    /// The asserts and error calls for which the program has no error because no way leads to them. Each has its
    /// place and the function whose call would be the error; no function if the error would be a label.
    pub settled: Vec<(Span, Option<Box<str>>)>,
}
