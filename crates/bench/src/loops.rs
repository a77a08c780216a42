//! The evaluation of loop summaries (Tian, Duan & Duan 2018, Table 1 and Fig. 2): which part of 18
//! packages of SV-COMP is answered with summaries of loops and without, beside what the paper says of
//! CPAchecker and of HyVer, and how long an answer takes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use crate::markdown;
use crate::runner::{Configuration, Record, Settings, Verdicts};

/// A package of the paper. Its names are those of SV-COMP, where the paper has others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Package {
    /// The name, which is the category of its tasks.
    pub name: &'static str,
    /// How many programs the paper has.
    pub files: u32,
    /// How many per cent of these programs CPAchecker answers.
    pub cpachecker: f64,
    /// How many per cent of these programs HyVer answers.
    pub hyver: f64,
}

/// Table 1 of the paper, in its order.
pub const PACKAGES: [Package; 18] = [
    Package { name: "bitvector", files: 36, cpachecker: 72.2, hyver: 72.2 },
    Package { name: "bitvector-loops", files: 2, cpachecker: 100.0, hyver: 100.0 },
    Package { name: "bitvector-regression", files: 14, cpachecker: 92.9, hyver: 92.9 },
    Package { name: "ddv-machzwd", files: 13, cpachecker: 100.0, hyver: 100.0 },
    Package { name: "float-benchs", files: 61, cpachecker: 70.5, hyver: 91.8 },
    Package { name: "list-properties", files: 13, cpachecker: 92.3, hyver: 100.0 },
    Package { name: "systemc", files: 33, cpachecker: 63.6, hyver: 100.0 },
    Package { name: "floats-cbmc-regression", files: 32, cpachecker: 87.5, hyver: 87.5 },
    Package { name: "floats-cdfpl", files: 40, cpachecker: 100.0, hyver: 100.0 },
    Package { name: "list-ext-properties", files: 20, cpachecker: 75.0, hyver: 100.0 },
    Package { name: "loops", files: 65, cpachecker: 84.6, hyver: 84.6 },
    Package { name: "loop-lit", files: 16, cpachecker: 81.2, hyver: 87.5 },
    Package { name: "ntdrivers", files: 20, cpachecker: 70.0, hyver: 70.0 },
    Package { name: "ntdrivers-simplified", files: 10, cpachecker: 90.0, hyver: 90.0 },
    Package { name: "product-lines", files: 311, cpachecker: 94.5, hyver: 100.0 },
    Package { name: "loop-acceleration", files: 35, cpachecker: 20.0, hyver: 91.4 },
    Package { name: "loop-new", files: 8, cpachecker: 50.0, hyver: 100.0 },
    Package { name: "loop-invgen", files: 18, cpachecker: 38.9, hyver: 94.0 },
];

/// Without summaries.
const OFF: &str = "OFF";
/// With summaries.
const ALL: &str = "ALL";

/// The default analysis without summaries of loops, and with them.
#[must_use]
pub fn configurations() -> Vec<Configuration> {
    [(OFF, "off"), (ALL, "all")]
        .map(|(name, how)| Configuration {
            name: name.to_owned(),
            arguments: vec![format!("--summarize-loops={how}")],
        })
        .into()
}

/// What came of the programs of a package with one configuration.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Share {
    tried: usize,
    solved: usize,
    /// Processor time of the answers.
    seconds: f64,
}

impl Share {
    fn of<'r>(records: impl Iterator<Item = &'r Record>) -> Self {
        records.fold(Self::default(), |share, record| {
            let solved = record.is_solved();
            Self {
                tried: share.tried + 1,
                solved: share.solved + usize::from(solved),
                seconds: share.seconds + if solved { record.cpu_seconds } else { 0.0 },
            }
        })
    }

    fn percent(self) -> String {
        match self.tried {
            0 => "–".to_owned(),
            tried => format!("{:.1}", 100.0 * self.solved as f64 / tried as f64),
        }
    }

    fn mean(self) -> String {
        match self.solved {
            0 => "–".to_owned(),
            solved => format!("{:.0}", 1000.0 * self.seconds / solved as f64),
        }
    }
}

/// The table. Packages without programs are left out. Contradictions come first.
#[must_use]
pub fn table(settings: &Settings, records: &[Record]) -> String {
    let verdicts = Verdicts::of(records);
    let mut text = "# Loop summaries\n\n".to_owned();
    text += &markdown::contradictions(&verdicts);
    let _ = writeln!(
        text,
        "Tian, Duan & Duan 2018, Table 1: per cent of the programs that are answered, within {} s of \
         processor time and {} MB of memory; and Fig. 2: mean time of an answer in milliseconds. The \
         paper has other programs of these packages, and 4 hours. Proviso {}, build {}.\n",
        settings.time_seconds,
        settings.memory_bytes / 1_000_000,
        settings.version,
        settings.short_build()
    );
    text += "| Package | Files | Without | With | Time without | Time with | Files in the paper | \
             CPAchecker | HyVer |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    let share = |package: Option<&Package>, configuration: &str| {
        Share::of(records.iter().filter(|record| {
            let is_here = package.is_none_or(|package| package.name == record.category);
            is_here && record.configuration == configuration
        }))
    };
    let files = |package: Option<&Package>| {
        let own = records
            .iter()
            .filter(|record| package.is_none_or(|package| package.name == record.category));
        own.map(|record| record.task.as_str()).collect::<BTreeSet<&str>>().len()
    };
    let mut row = |name: &str, package: Option<&Package>| {
        let (off, all) = (share(package, OFF), share(package, ALL));
        let paper = package.map_or(" | | ".to_owned(), |package| {
            let Package { files, cpachecker, hyver, .. } = package;
            format!("{files} | {cpachecker:.1} | {hyver:.1}")
        });
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {paper} |",
            files(package),
            off.percent(),
            all.percent(),
            off.mean(),
            all.mean(),
        );
    };
    for package in PACKAGES.iter().filter(|package| files(Some(package)) > 0) {
        row(package.name, Some(package));
    }
    row("all", None);
    differences(&mut text, records);
    text
}

/// The programs that only one of the two configurations answers, and the programs that no configuration answers.
fn differences(text: &mut String, records: &[Record]) {
    let solved = |task: &str, configuration: &str| {
        let mut own = records.iter().filter(|record| record.task == task);
        own.any(|record| record.configuration == configuration && record.is_solved())
    };
    let tasks: BTreeSet<&str> = records.iter().map(|record| record.task.as_str()).collect();
    let lists = [
        ("Answered only with summaries", (false, true)),
        ("Answered only without summaries", (true, false)),
        ("Not answered", (false, false)),
    ];
    for (heading, wanted) in lists {
        let is_here = |task: &&&str| (solved(task, OFF), solved(task, ALL)) == wanted;
        let names: Vec<&str> = tasks.iter().filter(is_here).copied().collect();
        if !names.is_empty() {
            let _ = writeln!(text, "\n## {heading}\n");
        }
        for name in names {
            let own = records.iter().filter(|record| record.task == name && !record.is_solved());
            let why = own.map(|record| match record.reason.as_str() {
                _ if record.is_wrong() => "wrong answer",
                "" => record.status.name(),
                reason => reason,
            });
            let why: BTreeSet<&str> = why.collect();
            let why = why.into_iter().collect::<Vec<_>>().join("; ");
            let _ = writeln!(text, "- {}: {}", markdown::line(name), markdown::line(&why));
        }
    }
}

/// Writes `tables.md` to a folder.
///
/// # Errors
/// If the file cannot be written.
pub fn report(folder: &Path, settings: &Settings, records: &[Record]) -> io::Result<()> {
    fs::write(folder.join("tables.md"), table(settings, records))
}
