//! Invariants in the language of the program.

use base::Span;
use cfa::{Infix, LocId, Program};
use rustc_hash::FxHashMap;
use term::{TermId, Terms, View};
use verify::Invariants;

use crate::expression::Writer;
use crate::types::Types;
use crate::{Subject, scope, source};

/// Formulas with a longer text are of no help to a reader.
const LONGEST: usize = 200;

/// Something that holds whenever executions pass a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The location, usually the head of a loop.
    pub location: LocId,
    /// An expression over variables that are in scope at the location: in C, if the program is in C.
    pub expression: String,
}

/// The invariants that can be said in the language of the program, at places in its own text.
#[must_use]
pub fn invariants(program: &Program, subject: &Subject, found: &Invariants) -> Vec<Invariant> {
    let mut said = Vec::new();
    let types = Types::of(program);
    // The formulas are in a table that has grown beyond that of the program.
    let grown = (!subject.is_c && !found.list.is_empty()).then(|| Program {
        terms: found.terms.clone(),
        cfa: program.cfa.clone(),
        sources: program.sources.clone(),
    });
    for invariant in &found.list {
        if length(&found.terms, invariant.formula) > LONGEST {
            continue;
        }
        let place = &program.cfa.locations[invariant.location];
        let expression = match &grown {
            Some(grown) => {
                Some(Infix::new(grown).with_source_names().term(invariant.formula).to_string())
            }
            None => place.span.and_then(|span| in_c(program, found, invariant, (span, &types))),
        };
        let expression = expression.filter(|text| text.len() <= LONGEST);
        let new = expression
            .map(|expression| Invariant { location: invariant.location, expression })
            .filter(|new| !said.contains(new));
        said.extend(new);
    }
    said
}

/// How many parts the text of a formula has; the text has at least about as many characters. A term that occurs in
/// several places counts for each, so that a text that would fill all memory is not even begun.
pub(crate) fn length(terms: &Terms, formula: TermId) -> usize {
    let mut lengths: FxHashMap<TermId, usize> = FxHashMap::default();
    for term in terms.post_order(&[formula]) {
        let parts = match terms.view(term) {
            View::App(_, arguments) => arguments,
            _ => &[],
        };
        let length = parts.iter().fold(1, |sum: usize, part| sum.saturating_add(lengths[part]));
        lengths.insert(term, length);
    }
    lengths[&formula]
}

fn in_c(
    program: &Program,
    found: &Invariants,
    invariant: &verify::Invariant,
    (place, types): (Span, &Types<'_>),
) -> Option<String> {
    if source::is_borrowed(program, place.file) {
        return None;
    }
    let function = program.cfa.locations[invariant.location].function;
    let visible = |var| scope::is_visible(program, var, function, place);
    if !found.terms.vars(invariant.formula).into_iter().all(visible) {
        return None;
    }
    let may_be_bits = |var| types.may_be_bits(var);
    let writer = Writer {
        terms: &found.terms,
        cfa: &program.cfa,
        exact: &invariant.exact,
        may_be_bits: &may_be_bits,
    };
    writer.formula(invariant.formula)
}

/// `invariant: file.c:7:5: i <= n`, a line for each.
#[must_use]
pub fn list_invariants(program: &Program, invariants: &[Invariant]) -> String {
    let mut text = String::new();
    for invariant in invariants {
        let location = &program.cfa.locations[invariant.location];
        let place = match (location.span, &location.name) {
            (Some(span), _) => format!("{}: ", program.sources.describe(span)),
            (None, Some(name)) => format!("{name}: "),
            (None, None) => String::new(),
        };
        text.push_str(&format!("invariant: {place}{}\n", invariant.expression));
    }
    text
}
