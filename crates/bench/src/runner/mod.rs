//! Runs many tasks, each in a process of its own within limits, and keeps what came of them in
//! files that a later run can take up.

mod batch;
mod check;
pub mod process;
mod record;
mod store;
mod tasks;
mod verdicts;
mod worth;

pub use batch::{Batch, Configuration, Missed, Reports};
pub(crate) use record::quote;
pub use record::{Record, Status};
pub use store::{Refused, Settings, Store, build};
pub use tasks::{Found, Task, find};
pub use verdicts::Verdicts;
pub use worth::{Covered, Found as Searched, Worth};
