//! Runs a program model, step by step and exactly as its semantics says.
//!
//! [`run`] executes one path: wherever the model leaves something open (an input, a value that was
//! never initialised, which of several edges to take), [`Inputs`] decides. What was decided is
//! recorded, and given back as [`Listed`] inputs it gives the same run again.
//!
//! The interpreter shares only `cfa` and `term` with the analyses, for it is what their
//! counterexamples are checked by.

mod bytes;
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
mod store;

pub use ending::{Ending, Invalid};
pub use input_file::{parse_inputs, write_inputs};
pub use inputs::{Drawn, Holder, Inputs, Listed, Origin, Request, Site, Trouble, Zeros};
pub use machine::{Config, Run, run};
pub use observe::{Change, Observer, Step};
pub use random::Random;
pub use shortcut::{Shortcut, Shortcuts};
pub use show::{reading, show};
