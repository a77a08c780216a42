//! What the backward analysis found, for reading: what ARMC's `print_all`, `path_a`,
//! `print_error_trace` and `stat` printed.

use std::fmt::Write as _;

use verify::backward::{Iteration, Report, Shown};

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

/// The path from a state of the last fixpoint to an unsafe state, as ARMC's `path_a` printed it; with `concrete`, the
/// path from a concrete state, as ARMC's `path` printed it.
///
/// # Errors
/// Says so if there is no such state.
pub fn path(report: &Report, number: usize, concrete: bool) -> Result<String, String> {
    let (states, kind) = match concrete {
        true => (&report.concrete, "concrete"),
        false => (&report.fixpoint, "abstract"),
    };
    let mut text = format!("Path from the {kind} state {number}:\n");
    let mut next = number;
    loop {
        let state = next.checked_sub(1).and_then(|index| states.get(index));
        let state = state.ok_or_else(|| {
            format!(
                "there is no {kind} state {number}: they have the numbers 1 to {}",
                states.len()
            )
        })?;
        line(&mut text, state);
        match &state.next {
            Some((_, after)) => next = *after,
            None => return Ok(text),
        }
    }
}

/// Each abstract fixpoint, with its new predicates and the result of the test for spuriousness.
#[must_use]
pub fn iterations(report: &Report) -> String {
    let mut text = String::new();
    for (number, iteration) in report.iterations.iter().enumerate() {
        let Iteration { added, fixpoint, steps, reaches_start, concrete } = iteration;
        let _ = writeln!(text, "Iteration {number}, new predicates: {}", added.len());
        for atom in added {
            let _ = writeln!(text, "  {atom}");
        }
        let reaches = if *reaches_start { "reaches" } else { "does not reach" };
        let _ = writeln!(
            text,
            "The abstract fixpoint {reaches} the start: {} states, {steps} steps",
            fixpoint.len()
        );
        fixpoint.iter().for_each(|state| line(&mut text, state));
        if let Some((steps, states, complete)) = concrete {
            let all = if *complete { "; there are no others" } else { "" };
            let _ = writeln!(text, "Concrete predecessors: {states} states, {steps} steps{all}");
        }
    }
    text
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
    let next = match (&state.next, &state.error) {
        (Some((rule, next)), _) => format!("command {rule} to state {next}"),
        (None, Some(name)) => name.clone(),
        (None, None) => "unsafe".to_owned(),
    };
    let Shown { number, level, location, text: conjunction, .. } = state;
    let _ = writeln!(text, "  {number} (step {level}) {location}: {conjunction} [{next}]");
}
