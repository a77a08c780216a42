//! The built-in solver beside another one: answers (`solver-fuzz`) and speed (`solver-bench`).

pub mod bench;
mod cpu;
#[path = "../../../crates/smt/tests/common/formulas.rs"]
#[allow(dead_code, reason = "the tests of the solver use the rest")]
mod formulas;
pub mod fuzz;
mod shrink;
mod workloads;
