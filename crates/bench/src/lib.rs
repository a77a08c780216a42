//! Batch runs over programs that travel inside the binary, and tables of what came of them. Each
//! suite is a module of its own.

pub mod armc;
