//! What the thesis reports: Tables 6.1 and 6.2, with SICStus Prolog 3.8.7 on an AMD Duron with 1 GHz.

/// A row of both tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thesis {
    /// The program.
    pub name: &'static str,
    /// Clauses and variables.
    pub size: (usize, usize),
    /// R, I, P and G by abstraction function; none where the run did not end.
    pub figures: [Option<[u32; 4]>; 3],
    /// Seconds by abstraction function, and the seconds of DMC, as they are written.
    pub seconds: [&'static str; 4],
}

/// The models that the thesis prints. The others here are written from descriptions of the algorithms and protocols.
pub const PRINTED: [&str; 4] = ["bpr", "inssort", "coffee", "fischer"];

/// The rows, in the order of the tables.
pub const ROWS: [Thesis; 17] = [
    Thesis {
        name: "bpr",
        size: (9, 3),
        figures: [Some([3, 6, 4, 6]), Some([3, 6, 6, 6]), Some([3, 6, 6, 6])],
        seconds: ["0.03", "0.03", "0.03", "↑"],
    },
    Thesis {
        name: "inssort",
        size: (9, 3),
        figures: [None, Some([1, 5, 9, 11]), Some([1, 5, 9, 11])],
        seconds: ["↑", "0.14", "0.12", "0.28"],
    },
    Thesis {
        name: "selsort",
        size: (7, 4),
        figures: [None, Some([2, 5, 10, 14]), Some([2, 5, 10, 14])],
        seconds: ["↑", "0.16", "0.16", "0.12"],
    },
    Thesis {
        name: "coffee",
        size: (10, 6),
        figures: [Some([3, 7, 15, 15]), Some([3, 7, 15, 15]), Some([3, 7, 15, 15])],
        seconds: ["0.49", "0.25", "0.24", "↑"],
    },
    Thesis {
        name: "bakery",
        size: (25, 2),
        figures: [None, Some([4, 14, 21, 25]), Some([4, 14, 21, 25])],
        seconds: ["↑", "0.58", "0.56", "0.11"],
    },
    Thesis {
        name: "ticket",
        size: (19, 4),
        figures: [None, Some([4, 9, 7, 7]), Some([4, 9, 7, 7])],
        seconds: ["↑", "0.43", "0.41", "0.36"],
    },
    Thesis {
        name: "fischer",
        size: (41, 3),
        figures: [Some([1, 1, 4, 4]), Some([1, 1, 4, 4]), Some([1, 1, 4, 4])],
        seconds: ["0.03", "0.02", "0.02", "0.01"],
    },
    Thesis {
        name: "bbuffer",
        size: (5, 6),
        figures: [None, Some([0, 0, 1, 1]), Some([0, 0, 3, 3])],
        seconds: ["↑", "0.02", "0.01", "0.11"],
    },
    Thesis {
        name: "ubuffer",
        size: (9, 4),
        figures: [None, Some([0, 0, 1, 1]), Some([0, 0, 1, 1])],
        seconds: ["↑", "0.03", "0.02", "0.14"],
    },
    Thesis {
        name: "berkeley",
        size: (10, 4),
        figures: [None, Some([0, 0, 3, 3]), Some([0, 0, 3, 3])],
        seconds: ["↑", "0.06", "0.06", "0.8"],
    },
    Thesis {
        name: "dragon",
        size: (15, 5),
        figures: [None, Some([1, 4, 31, 44]), Some([1, 1, 21, 44])],
        seconds: ["↑", "5.66", "1.65", "8.05"],
    },
    Thesis {
        name: "firefly",
        size: (15, 4),
        figures: [None, Some([1, 2, 17, 24]), Some([1, 1, 15, 24])],
        seconds: ["↑", "1.64", "0.93", "0.41"],
    },
    Thesis {
        name: "futurebus+",
        size: (12, 9),
        figures: [None, Some([4, 8, 210, 707]), Some([4, 8, 552, 707])],
        seconds: ["↑", "about 1 hour", "about 1 hour", "38.09"],
    },
    Thesis {
        name: "illinois",
        size: (15, 4),
        figures: [None, Some([2, 2, 31, 66]), Some([2, 2, 50, 66])],
        seconds: ["↑", "4.98", "4.5", "1.11"],
    },
    Thesis {
        name: "mesi",
        size: (9, 4),
        figures: [None, Some([2, 2, 12, 66]), Some([2, 2, 33, 79])],
        seconds: ["↑", "2.13", "1.8", "0.33"],
    },
    Thesis {
        name: "moesi",
        size: (10, 5),
        figures: [None, Some([1, 1, 13, 23]), Some([1, 1, 15, 23])],
        seconds: ["↑", "1.39", "1.11", "0.59"],
    },
    Thesis {
        name: "synapse",
        size: (6, 3),
        figures: [None, Some([0, 0, 5, 5]), Some([0, 0, 5, 5])],
        seconds: ["↑", "0.04", "0.04", "0.01"],
    },
];

impl Thesis {
    /// What the thesis says of a program.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        ROWS.iter().find(|row| row.name == name)
    }
}
