//! Words that tell checks apart for which the same text of one line stands.

use std::collections::BTreeMap;

use cfa::{LocId, Program};

use super::document::Check;
use super::{access, element};

/// Where the same text stands for several checks of one line, says which element or through what each of them accesses memory,
/// under which condition it fails, or which column it has, and which of them are of reads and which of writes if they do not
/// stand alike.
pub(super) fn tell_apart<P>(program: &Program, checks: &[partial::Check], rows: &mut [(P, Check)]) {
    let mut groups: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (at, (_, row)) in rows.iter().enumerate().take(checks.len()) {
        groups.entry((row.place.clone(), row.text.clone())).or_default().push(at);
    }
    for ((_, text), group) in groups {
        let status = |at: usize| &rows[at].1.status;
        let is_mixed = group.iter().any(|at| status(*at) != status(group[0]));
        let word = |at: &usize| access::word(program, checks[*at].error);
        let words: Vec<_> = group.iter().map(|at| is_mixed.then(|| word(at)).flatten()).collect();
        let differences = match group.len() {
            2..=MOST_ALIKE => {
                let column = |at: &usize| rows[*at].1.at.as_ref().map(|at| at.column);
                let columns = group.iter().map(|at| Some(format!("at column {}", column(at)?)));
                let errors: Vec<LocId> = group.iter().map(|at| checks[*at].error).collect();
                let operands = different(operands(program, &text, &errors));
                let conditions = conditions(program, &errors, &operands);
                let columns = different(columns.collect());
                let said = operands.into_iter().zip(conditions).zip(columns);
                said.map(|((operand, condition), column)| condition.or(operand).or(column))
                    .collect()
            }
            _ => vec![None; group.len()],
        };
        for (at, (word, difference)) in group.into_iter().zip(words.into_iter().zip(differences)) {
            let told: Vec<String> =
                word.map(ToOwned::to_owned).into_iter().chain(difference).collect();
            if !told.is_empty() {
                let label = format!(" ({})", told.join(" "));
                rows[at].1.label = label.len();
                rows[at].1.text.push_str(&label);
            }
        }
    }
}

/// What is accessed where errors of one statement are: `of a[i]`, `through p`.
fn operands(program: &Program, statement: &str, errors: &[LocId]) -> Vec<Option<String>> {
    let accessed = errors.iter().map(|error| access::accessed(program, *error));
    let (through, elements): (Vec<_>, Vec<_>) = accessed
        .map(|found| found.map_or((None, None), |found| (Some(found.through), found.element)))
        .unzip();
    let texts = element::texts(statement, &elements).into_iter();
    texts
        .zip(through)
        .map(|(text, through)| text.map(|text| format!("of {text}")).or(through))
        .collect()
}

/// When each check fails, in words, where what it accesses does not tell it from another one: `where b == 0`.
fn conditions(
    program: &Program,
    errors: &[LocId],
    operands: &[Option<String>],
) -> Vec<Option<String>> {
    let is_told = |operand: &Option<String>| {
        operand.is_some() && operands.iter().filter(|other| *other == operand).count() == 1
    };
    let said = errors.iter().zip(operands).map(|(error, operand)| {
        let condition = (!is_told(operand)).then(|| access::condition(program, *error))??;
        Some(match operand {
            Some(operand) => format!("{operand} where {condition}"),
            None => format!("where {condition}"),
        })
    });
    different(said.collect())
}

/// What is said of several checks, if that tells any of them from the others.
fn different(said: Vec<Option<String>>) -> Vec<Option<String>> {
    match said.iter().all(|text| *text == said[0]) {
        true => vec![None; said.len()],
        false => said,
    }
}

/// More checks than these with one text in one line are counted, and not told apart.
const MOST_ALIKE: usize = 20;
