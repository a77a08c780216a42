//! What the thesis reports, within its limits of 900 s and 12 GB for a verification, and 900 s for
//! each kind of report.

/// How many tasks the thesis has.
pub const TASKS: usize = 68;

/// For how many of its inconclusive tasks the thesis has a complete set of traces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// The table.
    pub table: &'static str,
    /// Our name of the analysis that was inconclusive.
    pub analysis: &'static str,
    /// Whether the traces are safe cones, and not frontier traces.
    pub cones: bool,
    /// How many tasks were inconclusive.
    pub of: usize,
    /// For how many of these tasks the search with explicit values was complete, and the search with predicates.
    pub full: [usize; 2],
    /// The same within 450 s, in per cent (Table 3.5).
    pub within: [f64; 2],
}

/// Tables 3.1-3.5.
pub const SHARES: [Share; 4] = [
    Share {
        table: "3.4",
        analysis: "value-itp",
        cones: false,
        of: 9,
        full: [2, 5],
        within: [22.22, 55.56],
    },
    Share {
        table: "3.1",
        analysis: "value-itp",
        cones: true,
        of: 9,
        full: [4, 5],
        within: [22.22, 22.22],
    },
    Share {
        table: "3.3",
        analysis: "predicate",
        cones: false,
        of: 16,
        full: [13, 9],
        within: [75.0, 50.0],
    },
    Share {
        table: "3.2",
        analysis: "predicate",
        cones: true,
        of: 16,
        full: [13, 12],
        within: [81.25, 75.0],
    },
];

/// What the thesis says of a task on which predicates were inconclusive. A text is empty where the row is not known
/// here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThesisRow {
    /// The task: the beginning of the name of its file, up to a dot.
    pub task: &'static str,
    /// Frontier traces that a search with explicit values found, and one with predicates (Table 3.3).
    pub traces: [&'static str; 2],
    /// The number of lines; lines covered at most; lines covered at least, without and with the heuristic of the
    /// thesis.
    pub coverage: [&'static str; 3],
}

/// Rows of Tables 3.3 and 5.2.
pub const ROWS: [ThesisRow; 5] = [
    ThesisRow { task: "token_ring.03", traces: ["2", "3"], coverage: ["306", "261", "227 (253)"] },
    ThesisRow { task: "token_ring.04", traces: ["29", "136"], coverage: ["", "", ""] },
    ThesisRow {
        task: "kundu",
        traces: ["15", "not finished"],
        coverage: ["266", "256", "250 (252)"],
    },
    ThesisRow { task: "toy", traces: ["10", "23"], coverage: ["", "", ""] },
    ThesisRow { task: "pipeline", traces: ["", ""], coverage: ["", "", "0"] },
];

impl ThesisRow {
    /// Whether a task, named by its path, is one of the versions of this task.
    #[must_use]
    pub fn is_of(&self, task: &str) -> bool {
        let file = task.rsplit('/').next().unwrap_or(task);
        file.strip_prefix(self.task).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}
