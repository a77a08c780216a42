//! What must not happen: the property by its name, and checks.

use cfa::{Check, Checks};
use clap::Args;
use clap::builder::PossibleValuesParser;
use frontend::task::Property;

/// Every word of `--check`, in the order of the help.
const WORDS: [&str; 11] = [
    "deref",
    "free",
    "leak",
    "div",
    "overflow",
    "unsigned-overflow",
    "shift",
    "conversion",
    "uninitialised",
    "all",
    "none",
];

/// What must not happen.
#[derive(Args, Clone, Debug)]
pub struct Asked {
    /// The property, by its name in SV-COMP
    ///
    /// Then nothing else counts as an error, but for what --check adds.
    #[arg(help_heading = "Program", long, value_name = "NAME", conflicts_with = "spec",
          value_parser = PossibleValuesParser::new(Property::NAMES))]
    pub property: Option<String>,
    /// Faults that must not happen, besides failing asserts and what the property says [default:
    /// deref,free,div if no property is given]
    ///
    /// all finds most; none leaves asserts and error calls. The guide says what each check finds.
    #[arg(help_heading = "Program", long = "check", value_name = "LIST", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(WORDS))]
    pub checks: Vec<String>,
}

impl Asked {
    /// The checks that are named.
    pub fn checks(&self) -> Checks {
        let mut checks = Checks::NONE;
        for word in &self.checks {
            let named =
                Check::ALL.into_iter().filter(|check| word == "all" || check.name() == word);
            checks = checks.and(Checks::of(&named.collect::<Vec<_>>()));
        }
        checks
    }

    /// The options as words of a command line.
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let property = self.property.iter().map(|name| ("--property", name.clone()));
        let checks = Some(self.checks.join(",")).filter(|list| !list.is_empty());
        property.chain(checks.map(|list| ("--check", list))).collect()
    }
}
