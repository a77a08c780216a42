//! Theta's text format: structure, meaning, messages, robustness.

mod errors;
mod expressions;
mod render;
mod structure;
