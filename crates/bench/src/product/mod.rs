//! The evaluation of Bajkai's report on product abstraction (2018, chapter 4): explicit values,
//! predicates, and the product of the two with each strategy and limit, on a folder of models.
//! Tables 4.1-4.5, and heat maps and quantile plots like Figs. 4.1-4.8.

mod figures;
mod paper;
mod tables;

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::runner::process::Limits;
use crate::runner::{Configuration, Record, Settings, Verdicts};
pub use paper::{REPORT, reported};
pub use tables::{Row, rank};

/// The limits of the report.
pub const LIMITS: [u32; 4] = [1, 2, 8, 32];

/// The two that others are compared with.
pub const REFERENCES: [&str; 2] = ["EXPL", "PRED"];

/// How the product decides that a variable has too many values (report, §3.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// By the successors of one state.
    State,
    /// By the states on one path.
    Path,
    /// By the whole abstract reachability graph.
    Arg,
    /// By one path, with successors for each value; not in the report.
    PathEnum,
    /// Only where explicit values have failed; not in the report.
    Lazy,
}

impl Strategy {
    /// Those of the report.
    pub const REPORT: [Strategy; 3] = [Strategy::State, Strategy::Path, Strategy::Arg];
    /// Those of the report, and ours.
    pub const ALL: [Strategy; 5] =
        [Strategy::State, Strategy::Path, Strategy::Arg, Strategy::PathEnum, Strategy::Lazy];

    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Strategy::State => "STATE",
            Strategy::Path => "PATH",
            Strategy::Arg => "ARG",
            Strategy::PathEnum => "PATHENUM",
            Strategy::Lazy => "LAZY",
        }
    }

    /// The name on the command line, and in names of files.
    #[must_use]
    pub fn option(self) -> &'static str {
        match self {
            Strategy::State => "state",
            Strategy::Path => "path",
            Strategy::Arg => "arg",
            Strategy::PathEnum => "path-enum",
            Strategy::Lazy => "lazy",
        }
    }

    /// The name of the configuration with a limit.
    #[must_use]
    pub fn configuration(self, limit: u32) -> String {
        format!("PROD2_{}_{limit:02}", self.name())
    }
}

/// What a configuration is called that does what the report says to the letter.
pub const LETTER: &str = "-LETTER";

/// The configurations of the report, as this program does them best, to the letter of the report
/// (`--profile theta`), or both; and with `further` those with the strategies that it does not have, which are the
/// same in all ways.
#[must_use]
pub fn configurations_as(ours: bool, letter: bool, further: bool) -> Vec<Configuration> {
    let own = configurations(further).into_iter();
    let (mut all, mut theirs) = (Vec::new(), Vec::new());
    for configuration in own {
        let known = REPORT.iter().any(|(name, ..)| *name == configuration.name);
        // Explicit values alone are the same in both, and what the report does not have has no letter.
        let is_same = configuration.name == "EXPL" || !known;
        if letter && !is_same {
            let mut arguments = configuration.arguments.clone();
            arguments.push("--profile=theta".to_owned());
            let name = format!("{}{LETTER}", configuration.name);
            theirs.push(Configuration { name, arguments });
        }
        if ours || is_same {
            all.push(configuration);
        }
    }
    all.extend(theirs);
    all
}

/// The configurations of the report, and with `further` those with the strategies that it does not
/// have.
#[must_use]
pub fn configurations(further: bool) -> Vec<Configuration> {
    let plain = |name: &str, analysis: &str| Configuration {
        name: name.to_owned(),
        arguments: vec![format!("--analysis={analysis}")],
    };
    let mut all = vec![plain("EXPL", "value-itp"), plain("PRED", "predicate")];
    let strategies = if further { &Strategy::ALL[..] } else { &Strategy::REPORT };
    for strategy in strategies {
        for limit in LIMITS {
            all.push(Configuration {
                name: strategy.configuration(limit),
                arguments: vec![
                    "--analysis=product".to_owned(),
                    format!("--strategy={}", strategy.option()),
                    format!("--limit={limit}"),
                ],
            });
        }
    }
    all
}

/// The limits of a run. On a busy machine a process may wait for longer than it works; the limit on
/// the clock is for those that do nothing.
#[must_use]
pub fn limits(time: Duration, memory: u64) -> Limits {
    Limits { cpu: time, wall: time * 4 + Duration::from_secs(30), memory }
}

/// Writes `tables.md` and the pictures to a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn report(folder: &Path, settings: &Settings, records: &[Record]) -> io::Result<()> {
    for (name, text) in files(settings, records) {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// The files of a report by name: the same bytes for the same results, in whatever order they came.
#[must_use]
pub fn files(settings: &Settings, records: &[Record]) -> Vec<(String, String)> {
    let mut records = records.to_vec();
    records.sort_by(|a, b| {
        (&a.category, &a.task, &a.configuration).cmp(&(&b.category, &b.task, &b.configuration))
    });
    let groups = groups(&records);
    let verdicts = Verdicts::of(&records);
    let mut files =
        vec![("tables.md".to_owned(), tables::markdown(settings, &records, &groups, &verdicts))];
    for group in &groups {
        let rows = rank(&records, &group.configurations);
        let map = figures::heat_map(group, &rows, &records);
        files.push((format!("heatmap-{}.svg", group.key), map.svg()));
        let plot = figures::quantile(group, &rows, &records, settings.time_seconds);
        files.push((format!("quantile-{}.svg", group.key), plot.svg()));
    }
    files
}

/// Configurations that are shown together.
struct Group {
    /// Part of names of files.
    key: String,
    /// The heading of the table.
    table: String,
    /// What the pictures show.
    figure: String,
    configurations: Vec<String>,
}

/// A configuration in both ways in which it may be done.
fn both(name: &str) -> [String; 2] {
    [name.to_owned(), format!("{name}{LETTER}")]
}

/// The tables of the report, as far as there are results for them.
fn groups(records: &[Record]) -> Vec<Group> {
    let present = |name: &String| records.iter().any(|record| record.configuration == *name);
    let known: Vec<String> =
        configurations_as(true, true, true).into_iter().map(|known| known.name).collect();
    let references = REFERENCES.iter().flat_map(|name| both(name));
    let references: Vec<String> = references.filter(present).collect();
    let (mut groups, mut best) = (Vec::new(), references.clone());
    for (index, strategy) in Strategy::ALL.into_iter().enumerate() {
        let own: Vec<String> = LIMITS
            .iter()
            .flat_map(|limit| both(&strategy.configuration(*limit)))
            .filter(present)
            .collect();
        let is_letter = |name: &str| name.ends_with(LETTER);
        for letter in [false, true] {
            let same: Vec<String> =
                own.iter().filter(|name| is_letter(name) == letter).cloned().collect();
            best.extend(rank(records, &same).into_iter().next().map(|first| first.configuration));
        }
        if own.is_empty() {
            continue;
        }
        let name = strategy.name();
        let number = if index < 3 { format!("Table 4.{}: ", index + 1) } else { String::new() };
        groups.push(Group {
            key: strategy.option().to_owned(),
            table: format!("{number}different limits for {name}"),
            figure: format!("the limits of PROD2_{name} beside PRED and EXPL"),
            configurations: references.iter().cloned().chain(own).collect(),
        });
    }
    groups.push(Group {
        key: "best".to_owned(),
        table: "Table 4.4: the strategies with their best limits".to_owned(),
        figure: "the best limit of each strategy beside PRED and EXPL".to_owned(),
        configurations: best,
    });
    groups.push(Group {
        key: "all".to_owned(),
        table: "Table 4.5: all configurations".to_owned(),
        figure: "all configurations".to_owned(),
        configurations: known.into_iter().filter(present).collect(),
    });
    groups
}
