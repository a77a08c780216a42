//! The programs of Rybalchenko's thesis, "A model checker based on abstraction refinement" (2002),
//! each with all three abstraction functions: Tables 6.1 and 6.2 for our models.
//!
//! The thesis prints `bpr`, `inssort`, `coffee` and `fischer`. The other programs are written from descriptions of the
//! algorithms and protocols, so their figures need not be the thesis'.

mod tables;
mod thesis;

use std::time::{Duration, Instant};

use cfa::Program;
use smt::Builtin;
pub use thesis::{PRINTED, ROWS, Thesis};
use verify::backward::{Alpha, Figures, Options};
use verify::{Analysis, Budget, Config, Verdict};

/// How many refinements a program gets. The thesis' programs need at most four; an abstraction that
/// has not found its predicates by then goes on for ever.
const MAX_REFINEMENTS: u32 = 8;

/// A program of the suite.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Its name in the thesis.
    pub name: &'static str,
    /// Its facts.
    pub text: &'static str,
    /// Whether its error is reachable.
    pub is_unsafe: bool,
}

macro_rules! model {
    ($name:literal, $file:literal) => {
        Model {
            name: $name,
            text: include_str!(concat!("../../models/armc/", $file, ".pl")),
            is_unsafe: false,
        }
    };
}

/// The programs, in the order of the tables.
pub const MODELS: [Model; 17] = [
    model!("bpr", "bpr"),
    model!("inssort", "inssort"),
    model!("selsort", "selsort"),
    Model { is_unsafe: true, ..model!("coffee", "coffee") },
    model!("bakery", "bakery"),
    model!("ticket", "ticket"),
    model!("fischer", "fischer"),
    model!("bbuffer", "bbuffer"),
    model!("ubuffer", "ubuffer"),
    model!("berkeley", "berkeley"),
    model!("dragon", "dragon"),
    model!("firefly", "firefly"),
    model!("futurebus+", "futurebus"),
    model!("illinois", "illinois"),
    model!("mesi", "mesi"),
    model!("moesi", "moesi"),
    model!("synapse", "synapse"),
];

/// What came of a program with one abstraction function.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The answer.
    pub verdict: Verdict,
    /// The figures of Table 6.1.
    pub figures: Figures,
    /// How long it took.
    pub time: Duration,
}

impl Cell {
    /// Whether there is an answer.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        !matches!(self.verdict, Verdict::Unknown(_))
    }
}

/// What came of the suite.
#[derive(Clone, Debug)]
pub struct Tables {
    /// For each program, a cell for each abstraction function.
    pub rows: Vec<(Model, [Cell; 3])>,
    /// Whether Figure 3.3 was followed to the letter.
    pub letter: bool,
}

impl Model {
    /// The program of the text. A test makes sure that the text of every model is well formed.
    ///
    /// # Panics
    /// If the text is not well formed.
    #[must_use]
    pub fn load(&self) -> Program {
        let mut sources = base::SourceMap::new();
        let file = sources.add(self.name, self.text.as_bytes()).expect("a short text");
        let loaded = frontend::armc::load(sources, file);
        assert!(!loaded.diagnostics.has_errors(), "{} is well formed", self.name);
        loaded.program
    }

    /// Runs the program with one abstraction function.
    #[must_use]
    pub fn run(&self, program: &Program, alpha: Alpha, time: Duration) -> Cell {
        self.run_as(program, alpha, false, time)
    }

    /// Runs the program with one abstraction function, by Figure 3.3 of the thesis to the letter if that is wanted.
    #[must_use]
    pub fn run_as(&self, program: &Program, alpha: Alpha, letter: bool, time: Duration) -> Cell {
        let start = Instant::now();
        // The tables count the commands of the program as it is given, so that no pass makes it simpler.
        let config = Config {
            analysis: Analysis::Backward,
            budget: Budget::until(start.checked_add(time)),
            backward: Options {
                alpha,
                max_refinements: MAX_REFINEMENTS,
                to_the_letter: letter,
                ..Options::default()
            },
            ..Config::default()
        };
        let outcome = verify::verify(program, &config, &|| Box::new(Builtin::new()));
        let figures = outcome.backward.map(|report| report.figures).unwrap_or_default();
        Cell { verdict: outcome.verdict, figures, time: outcome.time }
    }
}

/// Runs the suite: each program with each abstraction function, at most for `time` each; with `letter` by Figure 3.3 of
/// the thesis to the letter, and otherwise as the thesis' figures were made.
#[must_use]
pub fn run(time: Duration, letter: bool) -> Tables {
    let row = |model: &Model| {
        let program = model.load();
        (*model, Alpha::ALL.map(|alpha| model.run_as(&program, alpha, letter, time)))
    };
    Tables { rows: MODELS.iter().map(row).collect(), letter }
}
