//! Which configurations are shown together: in one table, in one picture.

use super::configurations::{LIMITS, REFERENCES, REPORTED, STRATEGIES, configurations_as};
use super::paper::LETTER;
use super::rank::rank;
use crate::runner::Record;

/// Configurations that are shown together.
pub(super) struct Group {
    /// Part of names of files.
    pub key: String,
    /// The heading of the table.
    pub table: String,
    /// What the pictures show.
    pub figure: String,
    pub configurations: Vec<String>,
}

/// A configuration in both ways in which it may be done.
fn both(name: &str) -> [String; 2] {
    [name.to_owned(), format!("{name}{LETTER}")]
}

/// The tables of the report, as far as there are results for them.
pub(super) fn groups(records: &[Record]) -> Vec<Group> {
    let present = |name: &String| records.iter().any(|record| record.configuration == *name);
    let known: Vec<String> =
        configurations_as(true, true, true).into_iter().map(|known| known.name).collect();
    let references = REFERENCES.iter().flat_map(|name| both(name));
    let references: Vec<String> = references.filter(present).collect();
    let (mut groups, mut best) = (Vec::new(), references.clone());
    for (index, strategy) in STRATEGIES.iter().enumerate() {
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
        let name = strategy.name;
        let number =
            if index < REPORTED { format!("Table 4.{}: ", index + 1) } else { String::new() };
        groups.push(Group {
            key: strategy.option.to_owned(),
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
