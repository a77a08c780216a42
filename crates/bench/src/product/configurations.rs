//! The configurations of the report, and configurations with strategies that the report does not have.

use super::paper::{LETTER, REPORT};
use crate::runner::Configuration;

/// The limits of the report.
pub const LIMITS: [u32; 4] = [1, 2, 8, 32];

/// The two configurations that others are compared with.
pub const REFERENCES: [&str; 2] = ["EXPL", "PRED"];

/// A strategy by which the product decides that a variable has too many values (report, §3.3), by its names.
pub(super) struct NamedStrategy {
    /// The name in tables.
    pub name: &'static str,
    /// The name on the command line, and in names of files.
    pub option: &'static str,
}

/// The strategies: the first ones are those of the report.
pub(super) const STRATEGIES: [NamedStrategy; 5] = [
    NamedStrategy { name: "STATE", option: "state" },
    NamedStrategy { name: "PATH", option: "path" },
    NamedStrategy { name: "ARG", option: "arg" },
    NamedStrategy { name: "PATHENUM", option: "path-enum" },
    NamedStrategy { name: "LAZY", option: "lazy" },
];

/// How many of the strategies are those of the report.
pub(super) const REPORTED: usize = 3;

impl NamedStrategy {
    /// The name of the configuration with a limit.
    pub fn configuration(&self, limit: u32) -> String {
        format!("PROD2_{}_{limit:02}", self.name)
    }
}

/// The configurations of the report, as this program does them best, to the letter of the report (`--profile theta`),
/// or both; with `further` also configurations with strategies that the report does not have, which are the same in
/// both ways.
#[must_use]
pub fn configurations_as(ours: bool, letter: bool, further: bool) -> Vec<Configuration> {
    let own = configurations(further).into_iter();
    let (mut all, mut theirs) = (Vec::new(), Vec::new());
    for configuration in own {
        let known = REPORT.iter().any(|(name, ..)| *name == configuration.name);
        // Explicit values alone are the same in both ways, and so is each configuration that the report does not have.
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

/// The configurations of the report, and with `further` those whose strategies the report does not have.
#[must_use]
pub fn configurations(further: bool) -> Vec<Configuration> {
    let plain = |name: &str, analysis: &str| Configuration {
        name: name.to_owned(),
        arguments: vec![format!("--analysis={analysis}")],
    };
    let mut all = vec![plain("EXPL", "value-itp"), plain("PRED", "predicate")];
    let strategies = if further { &STRATEGIES[..] } else { &STRATEGIES[..REPORTED] };
    for strategy in strategies {
        for limit in LIMITS {
            all.push(Configuration {
                name: strategy.configuration(limit),
                arguments: vec![
                    "--analysis=product".to_owned(),
                    format!("--strategy={}", strategy.option),
                    format!("--limit={limit}"),
                ],
            });
        }
    }
    all
}
