//! Runs many tasks, each in a process of its own within limits, and keeps what came of them in
//! files that a later run can take up.

mod batch;
mod check;
mod machine;
pub mod process;
mod record;
pub mod slurm;
mod store;
mod tasks;
mod tool;
mod verdicts;
mod worth;

pub use batch::{Batch, Column, Configuration, Hold, Missed, Reports};
pub use machine::describe;
pub(crate) use record::quote;
pub use record::{Record, Status};
pub use store::{Refused, Settings, Store, build, read_results};
pub use tasks::{FoundTasks, NotASet, Task, collect, find};
pub use tool::{NotATool, Tool};
pub use verdicts::Verdicts;
pub use worth::{Covered, Searched, Worth};
