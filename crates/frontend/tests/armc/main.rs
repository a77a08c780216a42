//! ARMC's facts: structure, meaning, messages, robustness.

mod errors;
mod exact;
#[path = "../theta/render.rs"]
#[allow(dead_code)]
mod render;
mod thesis;
mod transitions;
