//! Words that tell checks with the same text in the same line apart.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{LocId, Program};

use super::access::Accesses;
use super::document::Check;
use super::element;

/// If several checks of one line have the same text, adds words to each: which element it accesses, or through which
/// pointer; under which condition it fails; or its column. If the checks are not all of reads or all of writes, the
/// words say which check is of a read and which of a write.
pub(super) fn tell_apart<P>(program: &Program, checks: &[partial::Check], rows: &mut [(P, Check)]) {
    let mut groups: BTreeMap<(String, String, String), Vec<usize>> = BTreeMap::new();
    for (at, (_, row)) in rows.iter().enumerate().take(checks.len()) {
        // Files in different folders may have one name.
        let file = row.at.as_ref().map_or_else(String::new, |at| at.file.clone());
        groups.entry((file, row.place.clone(), row.text.clone())).or_default().push(at);
    }
    let accesses = Accesses::of(program);
    for ((_, _, text), group) in groups {
        let status = |at: usize| &rows[at].1.status;
        let is_mixed = group.iter().any(|at| status(*at) != status(group[0]));
        let word = |at: &usize| accesses.word(checks[*at].error);
        let words: Vec<_> = group.iter().map(|at| is_mixed.then(|| word(at)).flatten()).collect();
        let differences = match group.len() {
            2..=MOST_ALIKE => {
                let column = |at: &usize| rows[*at].1.at.as_ref().map(|at| at.column);
                let columns: Vec<Option<u32>> = group.iter().map(column).collect();
                let errors: Vec<LocId> = group.iter().map(|at| checks[*at].error).collect();
                let operands = different(operands(&accesses, &text, &errors));
                let conditions = conditions(&accesses, &errors, &operands);
                let said = operands.into_iter().zip(conditions);
                let said = said.map(|(operand, condition)| condition.or(operand)).collect();
                with_columns(said, &columns)
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

/// The memory that the checks with these errors access, in words: `of a[i]`, `through p`.
fn operands(accesses: &Accesses<'_>, statement: &str, errors: &[LocId]) -> Vec<Option<String>> {
    let accessed = errors.iter().map(|error| accesses.accessed(*error));
    let (through, elements): (Vec<_>, Vec<_>) = accessed
        .map(|found| found.map_or((None, None), |found| (Some(found.through), found.element)))
        .unzip();
    let texts = element::texts(statement, &elements).into_iter();
    texts
        .zip(through)
        .map(|(text, through)| text.map(|text| format!("of {text}")).or(through))
        .collect()
}

/// The condition under which each check fails, in words: `where b == 0`. A check that its memory already tells from
/// the other checks gets none.
fn conditions(
    accesses: &Accesses<'_>,
    errors: &[LocId],
    operands: &[Option<String>],
) -> Vec<Option<String>> {
    let is_told = |operand: &Option<String>| {
        operand.is_some() && operands.iter().filter(|other| *other == operand).count() == 1
    };
    let said = errors.iter().zip(operands).map(|(error, operand)| {
        let condition = (!is_told(operand)).then(|| accesses.condition(*error))??;
        Some(match operand {
            Some(operand) => format!("{operand} where {condition}"),
            None => format!("where {condition}"),
        })
    });
    different(said.collect())
}

/// The words for several checks with columns. A column is added for a check without words, and for a check with the
/// same words as a check in another column.
fn with_columns(said: Vec<Option<String>>, columns: &[Option<u32>]) -> Vec<Option<String>> {
    let mut alike: BTreeMap<&Option<String>, BTreeSet<Option<u32>>> = BTreeMap::new();
    for (words, column) in said.iter().zip(columns) {
        alike.entry(words).or_default().insert(*column);
    }
    let has_several = columns.iter().any(|column| *column != columns[0]);
    let told = said.iter().zip(columns).map(|(words, column)| {
        let is_told = alike[words].len() > 1 || words.is_none() && has_several;
        let column = column.filter(|_| is_told);
        let column = column.map(|column| format!("at column {column}"));
        let parts: Vec<String> = words.iter().cloned().chain(column).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    });
    told.collect()
}

/// The words for several checks; no words if they are the same for all checks.
fn different(said: Vec<Option<String>>) -> Vec<Option<String>> {
    match said.iter().all(|text| *text == said[0]) {
        true => vec![None; said.len()],
        false => said,
    }
}

/// More checks than these with one text in one line are counted, and not told apart.
const MOST_ALIKE: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_tell_apart_what_words_do_not() {
        let said = ["of a", "of b", "of a", "of c", "of c"].map(|text| Some(text.to_owned()));
        let columns = [3, 3, 9, 5, 5].map(Some);
        let told = with_columns(said.to_vec(), &columns);
        let told: Vec<&str> = told.iter().filter_map(Option::as_deref).collect();
        assert_eq!(told, ["of a at column 3", "of b", "of a at column 9", "of c", "of c"]);
        let told =
            with_columns(vec![None, None, Some("of a".to_owned())], &[Some(1), None, Some(1)]);
        assert_eq!(told, [Some("at column 1".to_owned()), None, Some("of a".to_owned())]);
    }
}
