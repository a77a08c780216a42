//! What the paper reports: points, solved tasks and seconds for these, on hardware like that of SV-COMP'12.

/// A row of a table of the paper for one tool: points, solved tasks, seconds.
pub type Figures = Option<(i64, u32, f64)>;

/// The categories of SV-COMP'12 without concurrency, in the order of the tables.
pub const CATEGORIES: [&str; 5] =
    ["ControlFlowInt", "DeviceDrivers", "DeviceDrivers64", "HeapManipul", "SystemC"];

/// A table of the paper.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The heading of the table.
    pub heading: &'static str,
    /// The configurations of this program in the table.
    pub configurations: &'static [&'static str],
    /// Other tools in the table.
    pub others: &'static [&'static str],
}

/// The tables of the paper. A figure with the same configurations goes with each.
pub const TABLES: [Table; 3] = [
    Table {
        heading: "Table I: comparison with purely explicit, non-CEGAR approach",
        configurations: &["EXPL", "EXPLitp"],
        others: &[],
    },
    Table {
        heading: "Table II: comparison with predicate-based configurations",
        configurations: &["PRED", "EXPLitp", "EXPL-PRED", "EXPLitp-PRED"],
        others: &[],
    },
    Table {
        heading: "Table III: comparison with three existing tools",
        configurations: &["EXPLitp-PRED"],
        others: &["BLAST", "SATABS", "CPA-MEMO"],
    },
];

/// What the paper says of a column, by category and then of all of them.
pub const OTHERS: [(&str, [Figures; 6]); 8] = [
    (
        "EXPL",
        [
            Some((124, 81, 8400.0)),
            Some((53, 37, 63.0)),
            Some((5, 5, 660.0)),
            Some((1, 3, 5.5)),
            Some((34, 26, 1600.0)),
            Some((217, 152, 11000.0)),
        ],
    ),
    (
        "EXPLitp",
        [
            Some((123, 79, 780.0)),
            Some((53, 37, 69.0)),
            Some((33, 19, 200.0)),
            Some((1, 3, 5.8)),
            Some((34, 26, 1500.0)),
            Some((244, 164, 2500.0)),
        ],
    ),
    (
        "PRED",
        [
            Some((103, 70, 2500.0)),
            Some((71, 46, 80.0)),
            Some((33, 24, 2700.0)),
            Some((8, 6, 12.0)),
            Some((22, 17, 1900.0)),
            Some((237, 163, 7100.0)),
        ],
    ),
    (
        "EXPL-PRED",
        [
            Some((131, 85, 2600.0)),
            Some((71, 46, 82.0)),
            Some((10, 11, 1100.0)),
            Some((6, 5, 11.0)),
            Some((62, 45, 1500.0)),
            Some((280, 192, 5300.0)),
        ],
    ),
    (
        "EXPLitp-PRED",
        [
            Some((141, 91, 830.0)),
            Some((71, 46, 87.0)),
            Some((37, 24, 980.0)),
            Some((8, 6, 12.0)),
            Some((61, 44, 3700.0)),
            Some((318, 211, 5600.0)),
        ],
    ),
    (
        "BLAST",
        [
            Some((71, 51, 9900.0)),
            Some((72, 51, 30.0)),
            Some((55, 33, 1400.0)),
            None,
            Some((33, 23, 4000.0)),
            Some((231, 158, 15000.0)),
        ],
    ),
    (
        "SATABS",
        [
            Some((75, 47, 5400.0)),
            Some((71, 43, 140.0)),
            Some((32, 17, 3200.0)),
            None,
            Some((57, 40, 5000.0)),
            Some((235, 147, 14000.0)),
        ],
    ),
    (
        "CPA-MEMO",
        [
            Some((140, 91, 3200.0)),
            Some((51, 46, 93.0)),
            Some((49, 33, 500.0)),
            Some((4, 9, 16.0)),
            Some((36, 30, 450.0)),
            Some((280, 209, 4300.0)),
        ],
    ),
];
