//! What a run spent.

use std::fmt::Write as _;
use std::time::Duration;

use cfa::{LocId, Program};
use serde_json::{Map, Value, json};
use verify::backward::Figures;
use verify::{Certification, Certified, Outcome, StageReport, Statistics};

use crate::certification::trusted;

/// What a run spent, for people: a name and a figure in a line.
#[must_use]
pub fn statistics(outcome: &Outcome, peak: Option<u64>) -> String {
    as_text(entries(outcome, peak))
}

/// The loops that were analysed as one step each, if there are any, in a line.
#[must_use]
pub fn summarized(program: &Program, outcome: &Outcome) -> Option<String> {
    let places = summarized_places(program, outcome);
    (!places.is_empty()).then(|| format!("summarized loops: {}", places.join(", ")))
}

/// The variables that product abstraction left to predicates, if there are any, in a line.
#[must_use]
pub fn dropouts(program: &Program, outcome: &Outcome) -> Option<String> {
    let names = dropout_names(program, outcome);
    (!names.is_empty()).then(|| format!("left to predicates: {}", names.join(", ")))
}

fn dropout_names(program: &Program, outcome: &Outcome) -> Vec<String> {
    let analysed = outcome.rewritten.as_ref().map_or(program, |rewritten| &rewritten.program);
    // Variables that stand for memory are not in the program's table of variables.
    let known = outcome.dropouts.iter().filter(|var| analysed.cfa.variables.get(**var).is_some());
    known.map(|var| analysed.terms.var_name(*var).to_owned()).collect()
}

/// The places of the loops that were analysed as one step each.
fn summarized_places(program: &Program, outcome: &Outcome) -> Vec<String> {
    let place = |head: &LocId| {
        let span = program.cfa.locations[*head].span;
        span.map_or_else(|| head.to_string(), |span| program.sources.describe(span))
    };
    outcome.summarized.iter().map(place).collect()
}

/// What is known of a run that the watchdog ended, for people.
#[must_use]
pub fn overrun(stages: &[StageReport], peak: Option<u64>) -> String {
    as_text(overrun_entries(stages, peak))
}

/// What is known of a run that the watchdog ended, as JSON.
#[must_use]
pub fn overrun_json(stages: &[StageReport], peak: Option<u64>) -> String {
    as_json(overrun_entries(stages, peak))
}

fn overrun_entries(stages: &[StageReport], peak: Option<u64>) -> Vec<Entry> {
    let mut entries = vec![("ended_by_watchdog", json!(true))];
    entries.extend(peak.map(|peak| ("peak_memory_bytes", json!(peak))));
    entries.push(("stages", stages_json(stages)));
    entries
}

/// A figure with its name.
type Entry = (&'static str, Value);

fn as_text(entries: Vec<Entry>) -> String {
    let mut text = String::new();
    for (name, value) in entries {
        let figure = match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let _ = writeln!(text, "{}: {figure}", name.replace('_', " "));
    }
    text
}

/// What a run spent, as JSON, with the places of the loops that were analysed as one step each.
#[must_use]
pub fn statistics_json(program: &Program, outcome: &Outcome, peak: Option<u64>) -> String {
    Value::Object(statistics_map(program, outcome, peak)).to_string()
}

/// What a run spent, as data.
pub(crate) fn statistics_map(
    program: &Program,
    outcome: &Outcome,
    peak: Option<u64>,
) -> Map<String, Value> {
    let mut entries = entries(outcome, peak);
    entries.push(("summarized_loops", json!(summarized_places(program, outcome))));
    entries.push(("left_to_predicates", json!(dropout_names(program, outcome))));
    as_map(entries)
}

fn as_map(entries: Vec<Entry>) -> Map<String, Value> {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn as_json(entries: Vec<Entry>) -> String {
    Value::Object(as_map(entries)).to_string()
}

fn seconds(time: Duration) -> Value {
    json!((time.as_secs_f64() * 1e6).round() / 1e6)
}

/// The stages, each an object.
fn stages_json(stages: &[StageReport]) -> Value {
    let stage = |stage: &StageReport| {
        let mut object = json!({
            "name": stage.name,
            "ended": stage.unknown.as_ref().map_or("answered", |why| why.name()),
            "time_seconds": seconds(stage.time),
            "cpu_seconds": seconds(stage.cpu),
            "invariants": stage.invariants,
        });
        if let Some(refinements) = stage.refinements {
            object["refinements"] = json!(refinements);
        }
        if let Some(graph) = &stage.graph {
            object["states"] = json!({
                "open": graph.open,
                "expanded": graph.expanded,
                "covered": graph.covered,
                "targets": graph.targets,
            });
        }
        if let Some(bound) = &stage.bound {
            object["rounds"] = json!(bound.rounds);
            object["frontier"] = json!(bound.frontier.len());
        }
        object
    };
    Value::Array(stages.iter().map(stage).collect())
}

fn entries(outcome: &Outcome, peak: Option<u64>) -> Vec<Entry> {
    let mut entries = vec![("time_seconds", seconds(outcome.time))];
    if let Some(peak) = peak {
        entries.push(("peak_memory_bytes", json!(peak)));
    }
    entries.push(("loops_summarized", json!(outcome.summarized.len())));
    if let Some(spent) = &outcome.statistics {
        exploration(spent, outcome.time, &mut entries);
    }
    if let Some(found) = &outcome.backward {
        backward(&found.figures, &mut entries);
    }
    if let Some(checked) = &outcome.certification {
        certification(checked, &mut entries);
    }
    entries.push(("stages", stages_json(&outcome.stages)));
    entries
}

/// What an exploration spent; `time` is the time of its stage.
fn exploration(spent: &Statistics, time: Duration, entries: &mut Vec<Entry>) {
    let graph = &spent.graph;
    entries.extend([
        ("states_added", json!(graph.added)),
        ("states_expanded", json!(graph.expanded)),
        ("states_covered", json!(graph.covered)),
        ("states_merged", json!(graph.merged)),
        ("states_removed", json!(graph.removed)),
        ("states_at_end", json!(spent.nodes)),
        ("tree_nodes", json!(spent.trees)),
        ("targets", json!(graph.targets)),
        ("refinements", json!(graph.refinements)),
        ("variables_tracked", spent.variables.map_or(json!("all"), |tracked| json!(tracked))),
        ("path_checks", json!(spent.checks)),
        ("exploration_seconds", seconds(spent.exploring)),
        ("refinement_seconds", seconds(spent.refining)),
        ("path_check_seconds", seconds(spent.checking)),
    ]);
    entries.extend(spent.predicates.map(|predicates| ("predicates", json!(predicates))));
    entries.extend(spent.abstraction.map(|(asked, end)| {
        let words = match asked == end {
            true => asked.name().to_owned(),
            false => format!("{} at the end, asked for: {}", end.name(), asked.name()),
        };
        ("abstraction", json!(words))
    }));
    if let Some(dropouts) = spent.dropouts {
        entries.push(("dropouts", json!(dropouts)));
    }
    solver(spent, time, entries);
}

/// What was asked of the solver, and how much of the time that took.
fn solver(spent: &Statistics, time: Duration, entries: &mut Vec<Entry>) {
    let Some(queries) = &spent.queries else { return };
    let share = |part: Duration, whole: Duration| {
        json!((part.as_secs_f64() / whole.as_secs_f64().max(1e-9) * 1e3).round() / 1e3)
    };
    entries.extend([
        ("queries", json!(queries.asked)),
        ("implications_cached", json!(queries.cached)),
        ("abstractions", json!(queries.abstractions)),
        ("abstractions_cached", json!(queries.repeated)),
        ("predicates_carried_over", json!(queries.carried)),
        ("predicates_refuted_as_before", json!(queries.refuted)),
        ("comparisons_without_query", json!(queries.compared)),
        ("comparisons_by_query", json!(queries.implications)),
        ("solver_seconds", seconds(queries.solving)),
        ("solver_share", share(queries.solving, time)),
        ("solver_checks", json!(queries.answered.checks)),
        ("solver_trivial", json!(queries.answered.trivial)),
        ("solver_cached", json!(queries.answered.cached)),
        ("solver_by_earlier_model", json!(queries.answered.remodelled)),
        ("solver_by_propagation", json!(queries.answered.propagated)),
        ("solver_by_sat", json!(queries.answered.solved)),
        ("sat_conflicts", json!(queries.answered.conflicts)),
    ]);
}

/// The figures of the backward analysis, by the letters of the thesis' Table 6.1.
fn backward(figures: &Figures, entries: &mut Vec<Entry>) {
    entries.extend([
        ("C", json!(figures.commands)),
        ("V", json!(figures.variables)),
        ("R", json!(figures.refinements)),
        ("I", json!(figures.steps)),
        ("P", json!(figures.used)),
        ("G", json!(figures.generated)),
    ]);
    entries.extend(figures.needed.map(|needed| ("predicates_needed", json!(needed))));
}

/// What another check of the proof found.
fn certification(checked: &Certification, entries: &mut Vec<Entry>) {
    let certified = match checked.outcome.certified {
        Certified::Holds => "yes",
        Certified::Open(_) => "no",
        Certified::Refuted(_) => "refuted",
    };
    entries.extend([
        ("certified", json!(certified)),
        ("certificate_invariants", json!(checked.outcome.invariants)),
        ("certificate_obligations", json!(checked.outcome.obligations)),
        ("certificate_queries", json!(checked.outcome.queries)),
        ("certification_seconds", seconds(checked.time)),
    ]);
    entries.extend(trusted(checked).map(|trusted| ("certification_trusts", json!(trusted))));
}
