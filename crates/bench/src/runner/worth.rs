//! The figures of a run's report that the suite `partial` compares.

use std::fs;
use std::path::Path;

use report::proviso::document::{Document, Traces};
use serde::{Deserialize, Serialize};

/// The figures of a report: of `proviso.json` in the folder that a run was given.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Worth {
    /// Whether the verification gave the answer, so that nothing was searched for after it.
    pub verified: bool,
    /// How long the verification took on the clock, without the report.
    pub verification_seconds: f64,
    /// Executions that were not analysed.
    pub frontier: Searched,
    /// How many of these executions end before a check that could not be decided.
    pub undecided: usize,
    /// Safe cones.
    pub cones: Searched,
    /// A number of rounds of each loop: an execution with at most this number of rounds was left out.
    pub rounds: Option<u32>,
    /// Lines of the program and which of them are covered, if that was looked for.
    pub coverage: Option<Covered>,
}

/// What a search for traces found.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
pub struct Searched {
    /// How many traces.
    pub traces: usize,
    /// Whether the search came to its end: it has found a trace for every location where a trace can end.
    pub complete: bool,
    /// After how many seconds of the search the first trace was found.
    pub first: Option<f64>,
    /// How many seconds the search took.
    pub seconds: f64,
}

/// Lines of a program, and which of them are covered.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Covered {
    /// How many lines have a statement.
    pub lines: usize,
    /// How many of these lines the analysis has seen. No other line can be covered.
    pub over: usize,
    /// How many of them the executions cover that were found.
    pub under: usize,
    /// How many executions were found.
    pub executions: usize,
}

impl Worth {
    /// Reads the report in a folder, if the run got as far as writing one.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        let text = fs::read_to_string(folder.join("proviso.json")).ok()?;
        serde_json::from_str(&text).ok().map(|document| Self::of(&document))
    }

    /// The figures of a report.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let found = |traces: &Traces| Searched {
            traces: traces.traces.len(),
            complete: traces.complete,
            first: traces.first,
            seconds: traces.seconds,
        };
        let undecided = document.frontier.traces.iter().filter(|trace| trace.kind == "undecided");
        Self {
            // An error that the search after the verification meets is no answer of a stage of the verification.
            verified: document.stages.iter().any(|stage| stage.ended == "answered"),
            verification_seconds: document.stages.iter().map(|stage| stage.seconds).sum(),
            frontier: found(&document.frontier),
            undecided: undecided.count(),
            cones: found(&document.cones),
            rounds: document.unsound.as_ref().map(|unsound| unsound.rounds),
            coverage: document.coverage.as_ref().map(|coverage| Covered {
                lines: coverage.lines,
                over: coverage.seen,
                under: coverage.covered,
                executions: coverage.tests.len(),
            }),
        }
    }
}
