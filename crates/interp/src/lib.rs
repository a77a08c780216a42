//! Runs a program model, step by step and exactly as its semantics says.
//!
//! [`run`] executes one path: wherever the model leaves something open (an input, a value that was
//! never initialised, which of several edges to take), [`Inputs`] decides. What was decided is
//! recorded, and given back as [`Listed`] inputs it gives the same run again.
//!
//! The interpreter shares only `cfa` and `term` with the analyses, for it is what their
//! counterexamples are checked by.
//!
//! ```
//! use proviso_interp::{Config, Ending, Zeros, run};
//!
//! let mut sources = base::SourceMap::new();
//! let text = "model 1 address-width 64 start main global x: (_ BitVec 32) function main() {
//!     entry L0 exit L1
//!     L0 -> L2 { x := #x00000000 }
//!     L2 -> L2 { assume (bvult x #x0000000a) x := (bvadd x #x00000001) }
//!     L2 -> L1 { assume (= x #x0000000a) }
//!     L2 -> L3 { assume (bvult #x0000000a x) }
//!     L3: error \"above\" }";
//! let file = sources.add("count.txt", text.as_bytes()).expect("a short file");
//! let program = cfa::parse(sources, file).expect("a model");
//! let done = run(&program, &Config::default(), &mut Zeros, None, &mut Vec::new());
//! assert_eq!((done.ending, done.steps), (Ending::Returned(None), 12));
//! ```

mod bytes;
mod candidate;
mod choose;
mod ending;
mod input_file;
mod inputs;
mod literal;
mod log;
mod machine;
mod memory;
mod observe;
mod operations;
mod outside;
mod plan;
mod print;
mod random;
mod reach;
mod shortcut;
mod show;
mod skip;
mod store;

pub use ending::{Ending, Invalid};
pub use input_file::{parse_inputs, write_inputs};
pub use inputs::{Drawn, Holder, Inputs, Listed, Origin, Request, Site, Trouble, Zeros};
pub use machine::{Config, Run, Runner, run};
pub use observe::{Change, Observer, Step};
pub use random::RandomInputs;
pub use shortcut::{Shortcut, Shortcuts};
pub use show::{reading, show};
