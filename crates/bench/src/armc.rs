//! The programs of Rybalchenko's thesis, "A model checker based on abstraction refinement" (2002),
//! each with all three abstraction functions: Tables 6.1 and 6.2 for our models.
//!
//! `bpr`, `inssort`, `coffee` and `fischer` are those that the thesis prints; the others are written
//! from descriptions of the algorithms and protocols, so their figures need not be the thesis'.

use std::fmt;
use std::time::{Duration, Instant};

use cfa::Program;
use engines::backward::{self, Alpha, Figures, Options};
use smt::Builtin;
use verify::{Budget, Run, Unknown, Verdict};

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
    /// Refinements and steps in Table 6.1, by abstraction function; none where it did not end.
    pub thesis: [Option<(u32, u32)>; 3],
}

macro_rules! model {
    ($name:literal, $file:literal, $one:expr, $two:expr, $three:expr) => {
        Model {
            name: $name,
            text: include_str!(concat!("../models/armc/", $file, ".pl")),
            is_unsafe: false,
            thesis: [$one, Some($two), Some($three)],
        }
    };
}

/// The programs, in the order of the tables.
pub const MODELS: [Model; 17] = [
    model!("bpr", "bpr", Some((3, 6)), (3, 6), (3, 6)),
    model!("inssort", "inssort", None, (1, 5), (1, 5)),
    model!("selsort", "selsort", None, (2, 5), (2, 5)),
    Model { is_unsafe: true, ..model!("coffee", "coffee", Some((3, 7)), (3, 7), (3, 7)) },
    model!("bakery", "bakery", None, (4, 14), (4, 14)),
    model!("ticket", "ticket", None, (4, 9), (4, 9)),
    model!("fischer", "fischer", Some((1, 1)), (1, 1), (1, 1)),
    model!("bbuffer", "bbuffer", None, (0, 0), (0, 0)),
    model!("ubuffer", "ubuffer", None, (0, 0), (0, 0)),
    model!("berkeley", "berkeley", None, (0, 0), (0, 0)),
    model!("dragon", "dragon", None, (1, 4), (1, 1)),
    model!("firefly", "firefly", None, (1, 2), (1, 1)),
    model!("futurebus+", "futurebus", None, (4, 8), (4, 8)),
    model!("illinois", "illinois", None, (2, 2), (2, 2)),
    model!("mesi", "mesi", None, (2, 2), (2, 2)),
    model!("moesi", "moesi", None, (1, 1), (1, 1)),
    model!("synapse", "synapse", None, (0, 0), (0, 0)),
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
}

impl Model {
    /// The program; it is well formed, which a test makes sure of.
    ///
    /// # Panics
    /// If it is not.
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
        let start = Instant::now();
        let run = Run::unobserved(Budget::until(start.checked_add(time)));
        let options = Options { alpha, max_refinements: MAX_REFINEMENTS, ..Options::default() };
        let (verdict, report) =
            backward::check(program, &options, &|| Box::new(Builtin::new()), &run);
        let figures = report.map(|report| report.figures).unwrap_or_default();
        Cell { verdict, figures, time: start.elapsed() }
    }
}

/// Runs the suite, each program for at most so long with each abstraction function.
#[must_use]
pub fn run(time: Duration) -> Tables {
    let row = |model: &Model| {
        let program = model.load();
        (*model, Alpha::ALL.map(|alpha| model.run(&program, alpha, time)))
    };
    Tables { rows: MODELS.iter().map(row).collect() }
}

/// What stands for a run without an answer.
fn open(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unknown(Unknown::Exhausted(_)) => "↑",
        _ => "?",
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Abstraction refinement: C clauses, V variables, R refinements, I steps of the"
        )?;
        writeln!(f, "last fixpoint, P predicates in it, G generated; ↑ no end within the limits")?;
        writeln!(
            f,
            "{:12}{:>7}  {:>18}{:>18}{:>18}   R/I in the thesis",
            "program", "C/V", "alpha1 R/I P/G", "alpha2 R/I P/G", "alpha3 R/I P/G"
        )?;
        for (model, cells) in &self.rows {
            let size = cells[0].figures;
            let size = format!("{}/{}", size.commands, size.variables);
            write!(f, "{:12}{size:>7}  ", model.name)?;
            for cell in cells {
                let Figures { refinements, steps, used, generated, .. } = cell.figures;
                let text = if cell.is_answered() {
                    format!("{refinements}/{steps} {used}/{generated}")
                } else {
                    open(&cell.verdict).to_owned()
                };
                write!(f, "{text:>18}")?;
            }
            let thesis = model.thesis.map(|known| match known {
                Some((refinements, steps)) => format!("{refinements}/{steps}"),
                None => "↑".to_owned(),
            });
            writeln!(f, "   {}", thesis.join(" "))?;
        }
        writeln!(f, "\nTime in seconds")?;
        writeln!(f, "{:12}{:>10}{:>10}{:>10}", "program", "alpha1", "alpha2", "alpha3")?;
        for (model, cells) in &self.rows {
            write!(f, "{:12}", model.name)?;
            for cell in cells {
                let text = if cell.is_answered() {
                    format!("{:.3}", cell.time.as_secs_f64())
                } else {
                    open(&cell.verdict).to_owned()
                };
                write!(f, "{text:>10}")?;
            }
            writeln!(f)?;
        }
        let count = |index: usize| {
            let right = |(model, cells): &&(Model, [Cell; 3])| {
                let verdict = &cells[index].verdict;
                cells[index].is_answered()
                    && matches!(verdict, Verdict::Unsafe(_)) == model.is_unsafe
            };
            format!("{}/{}", self.rows.iter().filter(right).count(), self.rows.len())
        };
        writeln!(f, "\narmc: alpha1 {} alpha2 {} alpha3 {}", count(0), count(1), count(2))
    }
}
