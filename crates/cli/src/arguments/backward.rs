//! The options of `--analysis backward`.

use clap::{Args, ValueEnum};
use verify::backward;

use super::values::values_of;

/// What `--analysis backward` can be told.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of --analysis backward")]
pub struct BackwardOptions {
    /// The abstraction function (Rybalchenko 2002, §4.2): 1 keeps conjuncts that are predicates, 2
    /// what a conjunct implies, 3 what the conjunction implies
    ///
    /// 3 needs fewest refinements, 1 is cheapest for each.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=3))]
    pub alpha: u32,
    /// Whether each location has predicates of its own
    ///
    /// local asks less at each location, and may need more refinements.
    #[arg(long, value_enum, default_value_t = Atomics::Global)]
    pub atomics: Atomics,
    /// Take the concrete fixpoint if the test for spuriousness meets it
    ///
    /// Switch it off to see what abstraction alone finds.
    #[arg(long, value_name = "BOOL", default_value_t = true, num_args = 0..=1,
          require_equals = true, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub cfp_check: bool,
    /// Which way the abstract fixpoint is computed
    ///
    /// forward is for programs whose start says more than their errors do.
    #[arg(long, value_enum, default_value_t = Direction::Backward)]
    pub direction: Direction,
    /// Give up after so many refinements
    ///
    /// For programs of which no abstraction will do.
    #[arg(long, value_name = "N", default_value_t = backward::MAX_REFINEMENTS)]
    pub max_refinements: u32,
    /// Look for predicates that the proof does not need
    ///
    /// Use it for shorter invariants; it takes further proofs.
    #[arg(long)]
    pub minimise_predicates: bool,
    /// Write to standard output what the analysis found
    ///
    /// What ARMC printed, for readers of the thesis (Rybalchenko 2002, ch. 5).
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub print: Vec<Print>,
    /// Write the path from these states of the last fixpoint to an unsafe one
    ///
    /// The numbers are those of --print fixpoint. ARMC calls this path_a.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub print_path: Vec<usize>,
    /// Write the path from these concrete states of the test for spuriousness to an unsafe one
    ///
    /// ARMC calls this path.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub print_concrete_path: Vec<usize>,
}

/// Where predicates count.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomics {
    /// At the location where they were found
    Local,
    /// Everywhere
    Global,
}

values_of! {
    /// Which way the abstract fixpoint is computed.
    pub enum Direction for backward::Direction {
        /// From the errors to the start
        Backward,
        /// From the start to the errors
        Forward,
    }
}

/// What can be written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Print {
    /// The predicates
    Atoms,
    /// The states of the last fixpoint
    Fixpoint,
    /// The way to the error, abstract and concrete
    Trace,
    /// Refinements, steps and predicates
    Stats,
    /// Each abstract fixpoint, and what came of it
    Iterations,
    /// The predicates, the states of the last fixpoint, the way to the error, and the figures
    All,
}

impl BackwardOptions {
    /// The options of the backward analysis, as the engine is told.
    pub fn options(&self, to_the_letter: bool) -> backward::Options {
        backward::Options {
            alpha: match self.alpha {
                1 => backward::Alpha::One,
                2 => backward::Alpha::Two,
                _ => backward::Alpha::Three,
            },
            local: self.atomics == Atomics::Local,
            concrete_fixpoint: self.cfp_check,
            direction: self.direction.into(),
            max_refinements: self.max_refinements,
            minimise: self.minimise_predicates,
            to_the_letter,
            record: self.print.contains(&Print::Iterations) || !self.print_concrete_path.is_empty(),
        }
    }
}

/// What was found, as the options ask for it, and what they ask for that is not there.
pub fn show(asked: &BackwardOptions, found: &backward::Report) -> (String, Vec<String>) {
    let each = |what: &Print| match what {
        Print::Atoms => report::backward::atoms(found),
        Print::Fixpoint => report::backward::fixpoint(found),
        Print::Trace => report::backward::trace(found),
        Print::Stats => report::backward::statistics(found),
        Print::Iterations => report::backward::iterations(found),
        Print::All => [
            report::backward::atoms(found),
            report::backward::fixpoint(found),
            report::backward::trace(found),
            report::backward::statistics(found),
        ]
        .concat(),
    };
    let mut text: String = asked.print.iter().map(each).collect();
    let mut missing = Vec::new();
    for (numbers, concrete) in [(&asked.print_path, false), (&asked.print_concrete_path, true)] {
        for number in numbers {
            match report::backward::path(found, *number, concrete) {
                Ok(path) => text.push_str(&path),
                Err(why) => missing.push(why),
            }
        }
    }
    (text, missing)
}
