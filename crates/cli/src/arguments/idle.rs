//! Options that have no effect with the analysis that was chosen.

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::Analysis::{
    self, Auto, Backward, Bmc, Predicate, Product, Value, ValueItp, ValueItpPredicate,
};

/// Those that explore abstract states.
const EXPLORE: &[Analysis] = &[Auto, Value, ValueItp, Predicate, ValueItpPredicate, Product];

/// Those that have predicates.
const PREDICATES: &[Analysis] = &[Auto, Predicate, ValueItpPredicate, Product];

/// Options, and the analyses that look at them. All others look at an option that is not here.
const LOOKED_AT: &[(&str, &[Analysis])] = &[
    ("unroll", &[Bmc]),
    ("no_simplify", &[Auto]),
    ("traversal", EXPLORE),
    ("prune", &[Auto, ValueItp, Predicate, ValueItpPredicate, Product]),
    ("precision", &[Auto, ValueItp, Predicate, ValueItpPredicate, Product]),
    ("prefix", &[Auto, ValueItp, ValueItpPredicate, Product]),
    ("abstraction", PREDICATES),
    ("blocks", PREDICATES),
    ("refinement", PREDICATES),
    ("predicates", PREDICATES),
    ("value_limit", &[Auto, ValueItpPredicate]),
    ("strategy", &[Product]),
    ("limit", &[Product]),
    ("save_precision", EXPLORE),
    ("load_precision", EXPLORE),
    ("alpha", &[Backward]),
    ("atomics", &[Backward]),
    ("cfp_check", &[Backward]),
    ("direction", &[Backward]),
    ("max_refinements", &[Backward]),
    ("minimise_predicates", &[Backward]),
    ("print", &[Backward]),
];

/// The options of a command line without effect, as they are written.
pub fn idle(matches: &ArgMatches, analysis: Analysis) -> Vec<String> {
    let given = |name: &str| {
        // Not every command has every option.
        matches.try_contains_id(name).is_ok()
            && matches.value_source(name) == Some(ValueSource::CommandLine)
    };
    LOOKED_AT
        .iter()
        .filter(|(name, by)| given(name) && !by.contains(&analysis))
        .map(|(name, _)| format!("--{}", name.replace('_', "-")))
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::Arguments;
    use super::*;

    #[test]
    fn options_are_known_and_found() {
        let command = Arguments::command();
        let check = command.find_subcommand("check").expect("the command");
        for (name, _) in LOOKED_AT {
            assert!(check.get_arguments().any(|known| known.get_id() == name), "{name}");
        }
        let line = ["proviso", "check", "a.c", "--alpha", "2", "--unroll", "3", "--limit=4"];
        let matches = Arguments::command().try_get_matches_from(line).expect("a command line");
        let matches = matches.subcommand_matches("check").expect("the command");
        assert_eq!(idle(matches, Bmc), ["--limit", "--alpha"]);
        assert_eq!(idle(matches, Analysis::KInduction), ["--unroll", "--limit", "--alpha"]);
        assert_eq!(idle(matches, Backward), ["--unroll", "--limit"]);
        assert_eq!(idle(matches, Product), ["--unroll", "--alpha"]);
    }
}
