//! The command line of `proviso bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::amount::{memory, time};
use super::analysis::Analysis;
use super::forward::{Prune, Traversal};
use super::words::words;
use crate::exit::Exit;
use crate::output;

/// `proviso bench`
#[derive(Args, Clone, Debug)]
pub struct Bench {
    /// The evaluation of a paper, instead of a batch of tasks
    #[arg(long, value_enum)]
    pub suite: Option<Suite>,
    /// Give up on a run after this time: seconds of processor time (armc and partial: of the clock)
    /// [default: 180; batches, armc, loops and explicit: 60; partial: 10]
    #[arg(long, visible_alias = "timelimit", value_name = "SECONDS", allow_hyphen_values = true, value_parser = time)]
    pub time: Option<Duration>,
    /// What a batch is told.
    #[command(flatten)]
    pub batch: Batch,
    /// What batches and the suites on a folder of models are told.
    #[command(flatten)]
    pub product: Product,
}

/// What a batch is told.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Batches (without --suite)")]
pub struct Batch {
    /// A column for each of these analyses [default: auto]
    #[arg(long, conflicts_with = "suite", value_enum, value_name = "NAMES", value_delimiter = ',')]
    pub analysis: Vec<Analysis>,
    /// A column with options of `check`, such as 'fast=--analysis bmc --unroll 10'; can be repeated
    ///
    /// Quotes hold words together. Limits, the property, files and forms of output are those of the batch, and
    /// refused here.
    #[arg(long, conflicts_with = "suite", value_name = "NAME=OPTIONS", value_parser = variant)]
    pub variant: Vec<(String, Vec<String>)>,
    /// A column with another tool, which this file describes; can be repeated
    #[arg(long, conflicts_with = "suite", value_name = "FILE.toml")]
    pub tool: Vec<PathBuf>,
    /// What is asked about the tasks, by the names of SV-COMP
    #[arg(
        long,
        conflicts_with = "suite",
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "unreach-call"
    )]
    pub property: Vec<String>,
    /// Give up on a run after this time on the clock [default: four times --timelimit, and 30 s]
    #[arg(long, conflicts_with = "suite", value_name = "SECONDS", allow_hyphen_values = true, value_parser = time)]
    pub walltimelimit: Option<Duration>,
    /// Compare with the results in this folder, regressions first
    #[arg(long, conflicts_with = "suite", value_name = "DIR")]
    pub compare: Option<PathBuf>,
    /// Hold limits by looking at processes, even where control groups can be made
    #[arg(long, conflicts_with = "suite")]
    pub no_cgroups: bool,
    /// Where runs are carried out
    #[arg(long, conflicts_with = "suite", value_enum, default_value_t = Engine::Local)]
    pub engine: Engine,
    /// So many tasks in an element of the job array (slurm) [default: as makes about 500 elements]
    #[arg(long, conflicts_with = "suite", value_name = "N")]
    pub chunk: Option<NonZeroUsize>,
    /// An option of `sbatch`, such as --partition=long; can be repeated (slurm)
    #[arg(long, conflicts_with = "suite", value_name = "OPTION", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,
    /// Carries out an element of a job array.
    #[arg(long, conflicts_with = "suite", hide = true, value_name = "FOLDER")]
    pub element: Option<PathBuf>,
}

/// Where runs are carried out.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// On this machine
    Local,
    /// As job arrays of Slurm; OUT must be a folder that all nodes see
    Slurm,
}

/// A name and options.
fn variant(text: &str) -> Result<(String, Vec<String>), String> {
    let (name, options) = text.split_once('=').ok_or("a variant is a name, = and options")?;
    if name.is_empty() || name.starts_with('-') {
        return Err("a variant begins with its name".to_owned());
    }
    Ok((name.to_owned(), words(options)?))
}

/// The suites.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suite {
    /// The programs of ARMC's thesis (Rybalchenko 2002, Tables 6.1 and 6.2), with each abstraction
    Armc,
    /// The configurations of the report on product abstraction (Bajkai 2018, Tables 4.1-4.5) on a
    /// folder of models
    Product,
    /// Explicit values with refinement and interpolation beside others (Beyer & Löwe 2012, Tables I-III and
    /// Figs. 3-5) on the families of SV-COMP'12 that a folder has
    Explicit,
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
#[command(next_help_heading = "Batches, and the suites product, explicit, loops and partial")]
pub struct Product {
    /// The tasks: task definitions (.yml), lists of them (.set), lists with answers (.tsv), programs, and
    /// folders of all these; for a suite one folder
    ///
    /// Categories are the folders in a folder. Expected answers are those of task definitions and of a
    /// `manifest.tsv` in the folder or one of the two above it: family, path, property, true or false,
    /// ILP32 or LP64, separated by tabs. A .set has a pattern of files in each line.
    #[arg(value_name = "SET")]
    pub sets: Vec<PathBuf>,
    /// Where results, tables and pictures go; loops: nowhere if nothing is said
    #[arg(long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Add what is missing to the results in OUT
    #[arg(long)]
    pub resume: bool,
    /// Only models of these categories
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub category: Vec<String>,
    /// Only so many models, evenly spread over all
    #[arg(long, value_name = "N")]
    pub sample: Option<NonZeroUsize>,
    /// Only these configurations: EXPL, PRED, PROD2_STATE_01, … (product, explicit)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub configuration: Vec<String>,
    /// How the configurations of the paper are done (armc, product, explicit)
    #[arg(long = "as", value_enum, value_name = "WAY", requires = "suite", default_value_t = Way::Ours)]
    pub way: Way,
    /// Also the strategies that are not in the report, path-enum and lazy, as this program does them (product)
    #[arg(long)]
    pub further: bool,
    /// So many runs at a time; more than there are processors disturb each other
    /// [default: 1; --engine slurm: as many as it allows]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Give up on a run that uses more memory than this, in MB if no unit is named [default: 4096]
    #[arg(long, visible_alias = "memlimit", value_name = "MB", allow_hyphen_values = true, value_parser = megabytes)]
    pub memory: Option<u64>,
    /// Which abstract state is expanded next, in every run (product) [default: rpo]
    #[arg(long, value_enum, requires = "suite")]
    pub traversal: Option<Traversal>,
    /// How much of the graph a refinement throws away, in every run (product)
    /// [default: lazy; full to the letter of the report]
    #[arg(long, value_enum, requires = "suite")]
    pub prune: Option<Prune>,
    /// The solver of every run
    #[arg(long, value_name = "NAME|PATH", default_value = "builtin")]
    pub solver: String,
    /// Where #include looks first in every run, and a folder that task definitions may read from; can be repeated
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
}

/// How the configurations of a paper are done.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// As this program does best
    Ours,
    /// To the letter of the paper (--profile method1, theta or explicit)
    Letter,
    /// Both, beside each other
    Both,
}

impl Product {
    /// Whether configurations are done as this program does best, and whether to the letter of their paper.
    pub fn ways(&self) -> (bool, bool) {
        (self.way != Way::Letter, self.way != Way::Ours)
    }

    /// The memory that a run may use, in bytes.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or(4_096_000_000)
    }

    /// How many runs there are at a time on this machine.
    pub fn local_jobs(&self) -> usize {
        self.jobs.map_or(1, NonZeroUsize::get)
    }

    /// What the runs of all batches and suites are told. Folders have names that are the same everywhere.
    pub fn shared(&self) -> Result<Vec<String>, Exit> {
        let mut options = vec![format!("--solver={}", self.solver)];
        for folder in &self.include {
            let whole = folder.canonicalize().map_err(|error| {
                output::tell(&format!("error: -I {}: {error}", folder.display()));
                Exit::Usage
            })?;
            let Some(name) = whole.to_str() else {
                let name = folder.display();
                output::tell(&format!("error: -I {name}: the name of the folder is not UTF-8"));
                return Err(Exit::Usage);
            };
            options.push(format!("-I{name}"));
        }
        Ok(options)
    }

    /// What every run of the suite product is told, so that only the configurations differ.
    pub fn options(&self) -> Result<Vec<String>, Exit> {
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map(|value| value.get_name().to_owned()).unwrap_or_default()
        };
        let traversal = self.traversal.unwrap_or(Traversal::Rpo);
        let mut options = vec![format!("--traversal={}", name(traversal.to_possible_value()))];
        options
            .extend(self.prune.map(|prune| format!("--prune={}", name(prune.to_possible_value()))));
        options.extend(self.shared()?);
        Ok(options)
    }
}

/// A limit on memory in megabytes, or with a unit of its own.
fn megabytes(text: &str) -> Result<u64, String> {
    let plain = text.ends_with(|last: char| last.is_ascii_digit());
    memory(&if plain { format!("{text}MB") } else { text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_names() {
        let options = ["--analysis", "bmc"].map(str::to_owned).to_vec();
        assert_eq!(variant("fast=--analysis bmc"), Ok(("fast".to_owned(), options)));
        assert!(variant("--analysis=bmc").is_err() && variant("bmc").is_err());
        assert!(variant("fast=-D 'A").is_err());
    }

    #[test]
    fn sizes_are_megabytes() {
        let known = [("4096", 4_096_000_000), ("2GB", 2_000_000_000), ("1MiB", 1 << 20)];
        for (text, bytes) in known {
            assert_eq!(megabytes(text), Ok(bytes));
        }
        assert!(megabytes("much").is_err());
    }
}
