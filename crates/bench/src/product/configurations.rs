//! The configurations of the report, and those that it does not have.

use super::paper::{LETTER, REPORT};
use crate::runner::Configuration;

/// The limits of the report.
pub const LIMITS: [u32; 4] = [1, 2, 8, 32];

/// The two configurations that others are compared with.
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
    /// The strategies of the report.
    pub const REPORT: [Strategy; 3] = [Strategy::State, Strategy::Path, Strategy::Arg];
    /// The strategies of the report, and ours.
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
