//! Batch runs and what is made of them: programs that travel inside the binary (`armc`), folders of models with a
//! list of configurations (`product`, `loops`, `partial`), and any tasks with any configurations and other tools
//! (`results`). Each suite is a module of its own; what suites share is `runner` (processes, limits, results) and
//! `plot` (pictures).

pub mod armc;
pub mod explicit;
pub mod loops;
mod markdown;
pub mod partial;
pub mod plot;
pub mod product;
pub mod results;
pub mod runner;
