//! The command line of `proviso bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::forward::{Prune, Traversal};
use super::{size, time};

/// `proviso bench`
#[derive(Args, Clone, Debug)]
pub struct Bench {
    /// What is run
    #[arg(long, value_enum)]
    pub suite: Suite,
    /// Give up on a run after this time: seconds of processor time (armc and partial: of the clock)
    /// [default: 180; armc and loops: 60; partial: 10]
    #[arg(long, visible_alias = "timelimit", value_name = "SECONDS", value_parser = time)]
    pub time: Option<Duration>,
    /// What the suites on a folder of models are told.
    #[command(flatten)]
    pub product: Product,
}

/// The suites.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suite {
    /// The programs of ARMC's thesis (Rybalchenko 2002, Tables 6.1 and 6.2), with each abstraction
    Armc,
    /// The configurations of the report on product abstraction (Bajkai 2018, Tables 4.1-4.5) on a
    /// folder of models
    Product,
    /// Loop summaries beside none (Tian, Duan & Duan 2018, Table 1) on the packages of SV-COMP that a
    /// folder has
    Loops,
    /// What runs without an answer are worth (Castaño 2018, Tables 3.1-3.5, 5.1 and 5.2) on the SystemC
    /// and driver tasks that a folder has: categories systemc, ldv-* and ntdrivers*, or those of
    /// --category
    Partial,
}

/// What the suites on a folder of models are told.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Suites product, loops and partial")]
pub struct Product {
    /// The models: .c, .i, .cfa, .theta, .pl and .yml below this folder
    ///
    /// Their categories are the folders in it. Expected answers are those of task definitions
    /// (.yml) and of a `manifest.tsv` in this folder or one of the two above it: family, path,
    /// property, true or false, ILP32 or LP64, separated by tabs.
    #[arg(value_name = "DIR", 
          required_if_eq_any([("suite", "product"), ("suite", "loops"), ("suite", "partial")]))]
    pub folder: Option<PathBuf>,
    /// Where results, tables and pictures go; loops: nowhere if nothing is said
    #[arg(long, value_name = "OUT", 
          required_if_eq_any([("suite", "product"), ("suite", "partial")]))]
    pub out: Option<PathBuf>,
    /// Add what is missing to the results in OUT
    #[arg(long)]
    pub resume: bool,
    /// Only models of these categories
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub category: Vec<String>,
    /// Only so many models, evenly spread over all (partial)
    #[arg(long, value_name = "N")]
    pub sample: Option<NonZeroUsize>,
    /// Only these configurations: EXPL, PRED, PROD2_STATE_01, … (product)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub configuration: Vec<String>,
    /// Also the strategies that are not in the report: path-enum and lazy (product)
    #[arg(long)]
    pub further: bool,
    /// So many runs at a time; more than there are processors disturb each other
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Give up on a run that uses more memory than this, in MB if no unit is named
    #[arg(long, visible_alias = "memlimit", value_name = "MB", default_value = "4096",
          value_parser = megabytes)]
    pub memory: u64,
    /// Which abstract state is expanded next, in every run (product)
    #[arg(long, value_enum, default_value_t = Traversal::Rpo)]
    pub traversal: Traversal,
    /// How much of the graph a refinement throws away, in every run (product)
    #[arg(long, value_enum, default_value_t = Prune::Lazy)]
    pub prune: Prune,
    /// The solver of every run
    #[arg(long, value_name = "NAME|PATH", default_value = "builtin")]
    pub solver: String,
}

impl Product {
    /// What every run is told, so that only the configurations differ.
    pub fn options(&self) -> Vec<String> {
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map(|value| value.get_name().to_owned()).unwrap_or_default()
        };
        vec![
            format!("--traversal={}", name(self.traversal.to_possible_value())),
            format!("--prune={}", name(self.prune.to_possible_value())),
            format!("--solver={}", self.solver),
        ]
    }
}

/// A size in megabytes, or with a unit of its own.
fn megabytes(text: &str) -> Result<u64, String> {
    let plain = text.ends_with(|last: char| last.is_ascii_digit());
    size(&if plain { format!("{text}MB") } else { text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_megabytes() {
        let known = [("4096", 4_096_000_000), ("2GB", 2_000_000_000), ("1MiB", 1 << 20)];
        for (text, bytes) in known {
            assert_eq!(megabytes(text), Ok(bytes));
        }
        assert!(megabytes("much").is_err());
    }
}
