//! The solvers of a run: which one, and whether its queries are kept.

use std::sync::atomic::{AtomicU32, Ordering};

use smt::{Builtin, FullSolver, Recorder};

use crate::arguments::SolverOptions;
use crate::exit::Exit;
use crate::output;

/// Makes the solvers that a run asks for.
pub struct Solvers<'a> {
    choice: &'a SolverOptions,
    /// How many have been made.
    count: AtomicU32,
}

impl<'a> Solvers<'a> {
    /// Checks that there is such a solver, and that its queries can be kept.
    pub fn new(choice: &'a SolverOptions) -> Result<Self, Exit> {
        let usage = |message: String| {
            output::tell(&format!("error: {message}"));
            Exit::Usage
        };
        smt::open(&choice.solver).map_err(|error| usage(error.to_string()))?;
        if let Some(folder) = &choice.record_queries {
            std::fs::create_dir_all(folder)
                .map_err(|error| output::cannot_write(folder, &error))?;
        }
        Ok(Self { choice, count: AtomicU32::new(0) })
    }

    /// A new solver. The queries of each go to a folder of their own.
    pub fn open(&self) -> Box<dyn FullSolver> {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let Some(folder) = &self.choice.record_queries else { return self.plain() };
        let folder = folder.join(format!("{number:02}"));
        let name = output::name(&folder);
        match Recorder::new(self.plain(), folder) {
            Ok(recorder) => Box::new(recorder),
            Err(error) => {
                output::note(&format!("note: cannot write {name}: {error}; queries are not kept"));
                self.plain()
            }
        }
    }

    fn plain(&self) -> Box<dyn FullSolver> {
        match smt::open(&self.choice.solver) {
            Ok(solver) => solver,
            Err(error) => {
                output::note(&format!("note: {error}; the built-in solver goes on"));
                Box::new(Builtin::new())
            }
        }
    }
}
