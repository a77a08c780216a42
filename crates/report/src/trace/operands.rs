//! The values of the operands of an expression, where a run ends.

use super::place::What;
use super::reader;
use super::state::State;
use crate::tokens;

/// At most this many operands are listed.
const MOST: usize = 6;

/// Signs behind which `*` is no product.
const BEFORE_OPERANDS: [&str; 22] = [
    "(", "[", ",", ";", "=", "+", "-", "*", "/", "%", "<", ">", "!", "~", "&", "|", "^", "?", ":",
    "&&", "||", "==",
];

/// The variables, members and elements in an expression of C with their values, in order, up to a limit. Values that
/// are not certain are left out.
pub(super) fn of(state: &State<'_>, expression: &str) -> Vec<String> {
    let tokens = tokens::tokens(expression);
    let mut told: Vec<String> = Vec::new();
    let mut found = state.found().to_vec();
    let mut at = 0;
    while at < tokens.len() && told.len() <= MOST {
        let before = at.checked_sub(1).map_or("(", |before| tokens[before].text);
        let token = tokens[at];
        let is_first = BEFORE_OPERANDS.contains(&before)
            || matches!(before, "!=" | "<=" | ">=" | "<<" | ">>" | "+=" | "-=" | "return");
        let starts = match token.text {
            "*" | "(" => is_first,
            _ => token.is_word() && !matches!(before, "." | "->"),
        };
        if token.text == "sizeof" {
            // The operand of `sizeof` is not evaluated.
            at += 2;
            continue;
        }
        let read = starts.then(|| reader::read(state, &tokens[at..], false)).flatten();
        let Some((place, length)) = read else {
            at += 1;
            continue;
        };
        // Brackets around a single operand are left out of its text; other expressions in brackets are looked at by
        // themselves.
        let whole = token.text != "(" || !matches!(place.what, What::Number(_));
        // If a volatile object was read, an index may have another value now, so that it is not known which element
        // is meant.
        let is_known = state.found().is_empty() || !place.text.contains('[');
        let value = (whole && is_known).then(|| state.text_found(&place, &mut found)).flatten();
        match value {
            Some(value) => {
                let text = format!("{} = {value}", place.text);
                if !told.contains(&text) {
                    told.push(text);
                }
                at += length;
            }
            None => at += 1,
        }
    }
    if told.len() > MOST {
        told.truncate(MOST);
        told.push("…".to_owned());
    }
    told
}

/// The pointer in a statement whose value is in a stretch of addresses, or just past its end: the first one
/// from the left, the shortest expression.
pub(super) fn pointer_into(
    state: &State<'_>,
    statement: &str,
    extent: (u64, u64),
) -> Option<String> {
    let tokens = tokens::tokens(statement);
    let starts = (0..tokens.len()).filter(|at| {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
        tokens[*at].is_word() && !matches!(before, "." | "->")
    });
    let mut expressions =
        starts.flat_map(|at| (at + 1..=tokens.len().min(at + LONGEST)).map(move |end| (at, end)));
    expressions.find_map(|(at, end)| {
        let (place, length) = reader::read(state, &tokens[at..end], false)?;
        let is_whole = length == end - at && !matches!(place.what, What::Number(_));
        (is_whole && state.points_into(&place, extent)).then_some(place.text)
    })
}

/// Pointers of more tokens are not looked for.
const LONGEST: usize = 12;

/// Values behind a message: `: a = 1, b = 2`, or nothing if there are none.
pub(super) fn listed(values: &[String]) -> String {
    if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) }
}
