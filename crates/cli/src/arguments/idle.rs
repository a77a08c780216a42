//! Options that have no effect with the analysis that was chosen.

use clap::parser::ValueSource;
use clap::{ArgMatches, ValueEnum as _};

use super::analysis::Analysis::{
    self, Auto, Backward, Bmc, Interval, Predicate, Product, Value, ValueItp, ValueItpPredicate,
    ValuePredicate,
};
use super::forward::{Calls, Profile};

/// The analyses that explore abstract states.
const EXPLORE: &[Analysis] =
    &[Auto, Interval, Value, ValueItp, Predicate, ValueItpPredicate, ValuePredicate, Product];

/// The analyses that refine what they track.
const REFINE: &[Analysis] =
    &[Auto, ValueItp, Predicate, ValueItpPredicate, ValuePredicate, Product];

/// The analyses that have predicates.
const PREDICATES: &[Analysis] = &[Auto, Predicate, ValueItpPredicate, ValuePredicate, Product];

/// Options, and the analyses that look at them. An option that is not in this table is looked at by every analysis.
const LOOKED_AT: &[(&str, &[Analysis])] = &[
    ("unroll", &[Bmc]),
    ("no_simplify", &[Auto]),
    ("jobs", &[Auto]),
    ("traversal", EXPLORE),
    ("prune", REFINE),
    ("precision", REFINE),
    ("prefix", &[Auto, ValueItp, ValueItpPredicate, ValuePredicate, Product]),
    ("calls", &[ValueItp]),
    ("abstraction", PREDICATES),
    ("blocks", PREDICATES),
    ("refinement", PREDICATES),
    ("predicates", PREDICATES),
    ("value_limit", &[Auto, ValueItpPredicate, ValuePredicate]),
    ("strategy", &[Product]),
    ("limit", &[Product]),
    ("leave", &[ValueItpPredicate, ValuePredicate]),
    ("arg", EXPLORE),
    (
        "log",
        &[
            Auto,
            Interval,
            Value,
            ValueItp,
            Predicate,
            ValueItpPredicate,
            ValuePredicate,
            Product,
            Backward,
        ],
    ),
    ("save_precision", REFINE),
    ("load_precision", REFINE),
    ("alpha", &[Backward]),
    ("atomics", &[Backward]),
    ("cfp_check", &[Backward]),
    ("direction", &[Backward]),
    ("max_refinements", &[Backward]),
    ("minimise_predicates", &[Backward]),
    ("print", &[Backward]),
    ("print_path", &[Backward]),
    ("print_concrete_path", &[Backward]),
];

/// Options that summaries of functions do not look at.
const WITHOUT_GRAPH: &[&str] = &["traversal", "prune", "arg", "log"];

/// The options of a command line that have no effect, as they are written, each with the option that takes its effect
/// away.
pub fn idle(matches: &ArgMatches, analysis: Analysis) -> Vec<(String, String)> {
    let written = |value: Option<clap::builder::PossibleValue>| {
        value.map(|value| value.get_name().to_owned()).unwrap_or_default()
    };
    let chosen = format!("--analysis {}", written(analysis.to_possible_value()));
    let given = |name: &str| {
        // Not every command has every option.
        matches.try_contains_id(name).is_ok()
            && matches.value_source(name) == Some(ValueSource::CommandLine)
    };
    let looked_at = LOOKED_AT.iter().filter(|(name, by)| given(name) && !by.contains(&analysis));
    let mut idle: Vec<(String, String)> = looked_at
        .map(|(name, _)| (format!("--{}", name.replace('_', "-")), chosen.clone()))
        .collect();
    if let Ok(Some(Calls::Summarize)) = matches.try_get_one::<Calls>("calls") {
        let unread = WITHOUT_GRAPH.iter().filter(|name| given(name));
        idle.extend(unread.map(|name| (format!("--{name}"), "--calls summarize".to_owned())));
    }
    if let Ok(Some(profile)) = matches.try_get_one::<Profile>("profile")
        && !profiled(*profile).contains(&analysis)
    {
        idle.push((format!("--profile {}", written(profile.to_possible_value())), chosen));
    }
    idle
}

/// The analyses that a profile is about.
pub const fn profiled(profile: Profile) -> &'static [Analysis] {
    match profile {
        Profile::Theta => &[Predicate, Product],
        Profile::Explicit => &[ValueItp, Predicate, ValueItpPredicate, ValuePredicate],
        Profile::Method1 => &[Backward],
    }
}

/// Options of a run that every analysis looks at, and that are repeated in a command which goes on from the run. The
/// time, the memory and the folder are chosen anew for such a command.
const KEPT: &[&str] = &["solver", "report_budget", "all_traces", "live"];

/// The words of a command line that say how its analysis is done, and those that hold for every analysis.
pub fn chosen(matches: &ArgMatches, analysis: Analysis) -> (Vec<String>, Vec<String>) {
    let looked_at =
        LOOKED_AT.iter().filter(|(_, by)| by.contains(&analysis)).map(|(name, _)| *name);
    let words = |names: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        names.flat_map(|name| words(matches, name)).collect()
    };
    let manner = words(&mut looked_at.chain(["profile", "summarize_loops"]));
    (manner, words(&mut KEPT.iter().copied()))
}

/// An option as it was given; nothing if it was not.
fn words(matches: &ArgMatches, name: &str) -> Vec<String> {
    let given = matches.try_contains_id(name).is_ok()
        && matches.value_source(name) == Some(ValueSource::CommandLine);
    if !given {
        return Vec::new();
    }
    let option = format!("--{}", name.replace('_', "-"));
    // A flag is written without a value.
    if matches.try_get_one::<bool>(name).is_ok() {
        return vec![option];
    }
    let values = matches.get_raw(name).into_iter().flatten();
    let pair = |value: &std::ffi::OsStr| [option.clone(), value.to_string_lossy().into_owned()];
    values.flat_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::Arguments;
    use super::*;

    /// The options alone.
    fn idle(matches: &ArgMatches, analysis: Analysis) -> Vec<String> {
        super::idle(matches, analysis).into_iter().map(|(option, _)| option).collect()
    }

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
        let line = "proviso check a.c --strategy path --print stats --profile explicit";
        let matches = Arguments::command().try_get_matches_from(line.split(' '));
        let matches = matches.expect("a command line");
        let matches = matches.subcommand_matches("check").expect("the command");
        assert_eq!(idle(matches, ValueItp), ["--strategy", "--print"]);
        assert_eq!(idle(matches, Product), ["--print", "--profile explicit"]);
    }

    #[test]
    fn what_was_chosen_is_told_as_it_was_given() {
        let line = "proviso check a.c --unroll=3 --no-simplify --limit 4 --solver z3 --live l.json";
        let line = format!("{line} --report-budget 500ms --summarize-loops off");
        let matches = Arguments::command().try_get_matches_from(line.split(' '));
        let matches = matches.expect("a command line");
        let matches = matches.subcommand_matches("check").expect("the command");
        let kept = ["--solver", "z3", "--report-budget", "500ms", "--live", "l.json"];
        let kept = kept.map(str::to_owned).to_vec();
        let words =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let bmc = words(&["--unroll", "3", "--summarize-loops", "off"]);
        assert_eq!(chosen(matches, Bmc), (bmc, kept.clone()));
        let auto = words(&["--no-simplify", "--summarize-loops", "off"]);
        assert_eq!(chosen(matches, Auto), (auto, kept.clone()));
        let product = words(&["--limit", "4", "--summarize-loops", "off"]);
        assert_eq!(chosen(matches, Product), (product, kept));
    }
}
