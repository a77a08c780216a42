//! What the backward analysis found, for reading: what ARMC's `print_all`, `path_a`,
//! `print_error_trace` and `stat` printed.

use std::fmt::Write as _;

use verify::backward::{Report, Shown};

/// The predicates.
#[must_use]
pub fn atoms(report: &Report) -> String {
    let mut text = String::new();
    for (location, atoms) in &report.atoms {
        let place = if location.is_empty() { String::new() } else { format!(" at {location}") };
        let _ = writeln!(text, "Predicates{place}: {}", atoms.len());
        for atom in atoms {
            let _ = writeln!(text, "  {atom}");
        }
    }
    text
}

/// The states of the last fixpoint, with the command and the state that each leads to.
#[must_use]
pub fn fixpoint(report: &Report) -> String {
    let mut text = format!("Abstract states: {}\n", report.fixpoint.len());
    for state in &report.fixpoint {
        line(&mut text, state);
    }
    text
}

/// The way from the start to an unsafe state.
#[must_use]
pub fn trace(report: &Report) -> String {
    let mut text = String::new();
    for (name, trace) in
        [("Abstract", &report.abstract_trace), ("Concrete", &report.concrete_trace)]
    {
        if trace.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{name} trace: {} states", trace.len());
        for state in trace {
            line(&mut text, state);
        }
    }
    if text.is_empty() { "No trace.\n".to_owned() } else { text }
}

/// The figures of the thesis' Table 6.1, and how the predicates are spread over the locations.
#[must_use]
pub fn statistics(report: &Report) -> String {
    let figures = &report.figures;
    let mut text = format!(
        "C = {} (commands), V = {} (variables)\n\
         R = {} (refinements), I = {} (steps of the last fixpoint)\n\
         P = {} (predicates in it), G = {} (predicates generated)\n",
        figures.commands,
        figures.variables,
        figures.refinements,
        figures.steps,
        figures.used,
        figures.generated,
    );
    if let Some(needed) = figures.needed {
        let _ = writeln!(text, "{needed} predicates are enough for the proof");
    }
    for row in &report.rows {
        let (used, generated) = (row.used, row.generated);
        let _ = writeln!(text, "  {}: {used} of {generated} predicates used", row.location);
    }
    text
}

fn line(text: &mut String, state: &Shown) {
    let next = match state.next {
        Some((rule, next)) => format!("command {rule} to state {next}"),
        None => "unsafe".to_owned(),
    };
    let Shown { number, level, location, text: conjunction, .. } = state;
    let _ = writeln!(text, "  {number} (step {level}) {location}: {conjunction} [{next}]");
}
