//! `cargo xtask diff-c`: the same C program compiled by gcc and run by Proviso must write the
//! same and return the same.

mod batch;
mod csmith;
pub mod judge;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::generate;
use crate::process::{Scratch, parallel};
use crate::tools::{self, TARGETS, Target};
use judge::{Judge, Judgement, Verdict, keep};

/// Where programs come from.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Csmith,
    Own,
}

/// `cargo xtask diff-c`
#[derive(Args, Clone, Debug)]
pub struct DiffC {
    /// How many programs
    #[arg(long, default_value_t = 200)]
    programs: usize,
    /// What they are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first program
    #[arg(long, default_value_t = 0)]
    first: usize,
    /// How many at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Where to put source and outputs of those that differ
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Also put those there that Proviso does not support
    #[arg(long, requires = "keep")]
    keep_unsupported: bool,
    /// Programs of one generator only
    #[arg(long, value_enum)]
    only: Option<Source>,
    /// Own programs of these scenarios only
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    scenario: Vec<String>,
    /// The proviso to test, instead of building one
    #[arg(long, value_name = "PATH")]
    bin: Option<PathBuf>,
    /// Proviso's step limit
    #[arg(long, default_value_t = 200_000_000)]
    steps: u64,
    /// Let gcc write the expected outputs of the programs in tests/diff-c anew, and do nothing else
    #[arg(long)]
    refresh: bool,
    /// With --refresh: generate the programs of tests/diff-c anew first
    #[arg(long, requires = "refresh")]
    renew: bool,
}

/// One comparison, for the table.
struct Row {
    source: Source,
    target: Target,
    verdict: Verdict,
    index: usize,
    how: String,
}

/// Runs the command. True if no program differs.
pub fn run(arguments: &DiffC) -> Result<bool, String> {
    let scratch = Scratch::new().map_err(|error| error.to_string())?;
    tools::need_gcc(&scratch)?;
    if arguments.refresh {
        return batch::refresh(&scratch, arguments.renew);
    }
    let headers = match arguments.only {
        Some(Source::Own) => None,
        _ => Some(tools::need_csmith(&scratch)?),
    };
    let judge = Judge {
        proviso: tools::proviso(arguments.bin.as_deref())?,
        steps: arguments.steps,
        gcc_seconds: 5,
        proviso_seconds: 60,
        flags: headers.iter().map(|headers| csmith::include(headers)).collect(),
    };
    crate::process::limit_children(8 << 30, 64 << 20);
    let results = parallel(arguments.programs, arguments.jobs, |offset| {
        one_program(arguments, &judge, arguments.first + offset)
    });
    let mut rows = Vec::new();
    let mut programs = 0;
    for (_, result) in results {
        programs += 1;
        rows.extend(result.map_err(|error| error.to_string())?);
    }
    Ok(report(arguments, programs, &rows))
}

/// Both data models of program `index`.
fn one_program(arguments: &DiffC, judge: &Judge, index: usize) -> std::io::Result<Vec<Row>> {
    let scratch = Scratch::new()?;
    let source = arguments.only.unwrap_or(if index.is_multiple_of(2) {
        Source::Csmith
    } else {
        Source::Own
    });
    let mut rows = Vec::new();
    for target in TARGETS {
        let (text, how) = match source {
            Source::Csmith => {
                let options = csmith::options(arguments.seed, index as u64);
                let how = format!("csmith {}", options.join(" "));
                (csmith::program(&options, target, &scratch), how)
            }
            Source::Own => {
                let options = generate::Options {
                    headers: index % 5 == 4,
                    exotic: index.is_multiple_of(3),
                    only: arguments.scenario.clone(),
                    ..generate::Options::default()
                };
                (Ok(generate::program(arguments.seed, index as u64, &options)), "own".to_string())
            }
        };
        let (text, judgement) = match text {
            Ok(text) => {
                let path = scratch.path("program.c");
                std::fs::write(&path, &text)?;
                let judgement = judge.judge(&path, target, &scratch);
                (text, judgement)
            }
            Err(reason) => {
                let verdict = Verdict::Skipped(reason);
                (String::new(), Judgement { verdict, expected: Vec::new(), actual: Vec::new() })
            }
        };
        let wanted = match judgement.verdict {
            Verdict::Different(_) => true,
            Verdict::Unsupported(_) => arguments.keep_unsupported,
            _ => false,
        };
        if let Some(folder) = arguments.keep.as_ref().filter(|_| wanted) {
            let name = format!("s{}-{index}-{}", arguments.seed, target.name);
            keep(folder, &name, &text, &judgement)?;
        }
        rows.push(Row { source, target, verdict: judgement.verdict, index, how });
    }
    Ok(rows)
}

fn report(arguments: &DiffC, programs: usize, rows: &[Row]) -> bool {
    let mut reasons: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    println!(
        "{:<8} {:<4} {:>9} {:>6} {:>9} {:>12} {:>8}",
        "source", "data", "programs", "same", "different", "unsupported", "skipped"
    );
    let mut totals = [0usize; 4];
    for source in [Source::Csmith, Source::Own] {
        for target in TARGETS {
            let mut counts = [0usize; 4];
            for row in rows.iter().filter(|row| row.source == source && row.target == target) {
                let (column, reason) = match &row.verdict {
                    Verdict::Same => (0, None),
                    Verdict::Different(reason) => (1, Some(("different", reason))),
                    Verdict::Unsupported(reason) => (2, Some(("unsupported", reason))),
                    Verdict::Skipped(reason) => (3, Some(("skipped", reason))),
                };
                counts[column] += 1;
                totals[column] += 1;
                if let Some((kind, reason)) = reason {
                    *reasons.entry((kind, reason)).or_default() += 1;
                }
            }
            let sum: usize = counts.iter().sum();
            if sum > 0 {
                let name = if source == Source::Csmith { "csmith" } else { "own" };
                println!(
                    "{name:<8} {:<4} {sum:>9} {:>6} {:>9} {:>12} {:>8}",
                    target.name, counts[0], counts[1], counts[2], counts[3]
                );
            }
        }
    }
    for ((kind, reason), count) in &reasons {
        println!("{count:>6}  {kind}: {reason}");
    }
    for row in rows {
        if let Verdict::Different(reason) = &row.verdict {
            println!(
                "different: seed {} program {} {} ({}): {reason}",
                arguments.seed, row.index, row.target.name, row.how
            );
        }
    }
    let [same, different, unsupported, skipped] = totals;
    println!(
        "diff-c: {programs} programs, {} compared, {different} different, {unsupported} unsupported, {skipped} skipped",
        same + different
    );
    different == 0
}
