//! Batch runs and what is made of them: programs that travel inside the binary (`armc`), folders of models with a
//! list of configurations (`product`, `loops`, `partial`), and any tasks with any configurations and other tools
//! (`results`). Each suite is a module of its own; what suites share is `runner` (processes, limits, results) and
//! `plot` (pictures).
//!
//! ```
//! use proviso_bench::results::Score;
//! use proviso_bench::runner::Record;
//!
//! // A line of the journal of a batch.
//! let line = r#"{"task": "a.c", "category": "loops", "expected": true, "configuration": "auto",
//!     "status": "answered", "verdict": true, "reason": "", "cpu_seconds": 0.5, "wall_seconds": 0.6,
//!     "peak_bytes": 1000, "refinements": 0, "states": 3}"#;
//! let record: Record = serde_json::from_str(line).expect("a record");
//! let score = Score::of([&record]);
//! assert_eq!((score.points, score.solved(), score.wrong()), (2, 1, 0));
//! ```

pub mod armc;
pub mod explicit;
pub mod loops;
mod markdown;
pub mod partial;
mod plot;
pub mod product;
pub mod results;
pub mod runner;
