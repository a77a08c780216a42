//! Which element of an array a check is about, in the words of its statement: where one statement accesses several
//! elements, the table of checks tells them apart.

use std::collections::{BTreeMap, BTreeSet};

use cfa::Program;
use rustc_hash::FxHashMap;
use term::{Bv, Evaluator, Sort, TermId, Value, Var};

use crate::tokens::{self, Token};

/// Indices with more signs or parentheses within each other are not computed.
const DEEPEST: usize = 32;

/// The most variables of an index.
const MOST_NAMES: usize = 6;

/// An access whose address is made of one address and of variables with names.
pub(super) struct Indexed {
    /// The array, or the pointer to its first element.
    pub(super) array: String,
    /// The variables of the index.
    names: BTreeSet<String>,
    /// The distance of the access from the array, if the variables have the values of each of the two [`trials`].
    offsets: [i128; 2],
}

impl Indexed {
    /// The access at an address that is computed from `base`, whose name is `array`, and an index. None if the index
    /// is a constant, or has a part without a name, such as the value of another element.
    pub(super) fn of(program: &Program, address: TermId, base: Var, array: &str) -> Option<Self> {
        let vars: Vec<Var> =
            program.terms.vars(address).into_iter().filter(|var| *var != base).collect();
        let name = |var: &Var| program.cfa.variables.get(*var)?.source_name.as_deref();
        let named = vars.iter().map(|var| name(var).map(|name| (*var, name.to_owned())));
        let named: Vec<(Var, String)> = named.collect::<Option<_>>()?;
        let names: BTreeSet<String> = named.iter().map(|(_, name)| name.clone()).collect();
        // If two variables have the same name, the names do not tell the index.
        if names.is_empty() || names.len() < named.len() || names.len() > MOST_NAMES {
            return None;
        }
        let value = |var: Var, value: i128| match program.terms.var_sort(var) {
            Sort::Bv(width) => Some((var, Value::Bv(Bv::new(width, value as u128)))),
            _ => None,
        };
        let offset = |trial: &BTreeMap<&str, i128>| {
            let values = named.iter().map(|(var, name)| value(*var, trial[&**name]));
            let values: FxHashMap<Var, Value> =
                values.chain([value(base, 0)]).collect::<Option<_>>()?;
            let found = Evaluator::new().eval(&program.terms, address, &values).ok()?;
            let bits = found.as_bv()?;
            let unused = 128_u32.checked_sub(bits.width())?;
            // The casts keep the bits: the offset is a number with a sign.
            Some((bits.to_u128()? << unused) as i128 >> unused)
        };
        let [first, second] = trials(&names).map(|trial| offset(&trial));
        let offsets = [first?, second?];
        Some(Self { array: array.to_owned(), names, offsets })
    }
}

/// Different values for variables, so small that every type has them. The model computes indices without a sign, so
/// that a negative difference becomes a large number. Therefore there are two trials: in the second trial the values
/// are larger, and in reverse order.
fn trials(names: &BTreeSet<String>) -> [BTreeMap<&str, i128>; 2] {
    let with = |values: [i128; MOST_NAMES]| names.iter().map(|name| &**name).zip(values).collect();
    [with([40, 53, 66, 79, 92, 105]), with([120, 107, 94, 81, 68, 55])]
}

/// Whether offsets are those of elements with these indices: each is its index times the size of an element.
fn are_those_of<'i>(offsets: &BTreeSet<i128>, indices: impl Iterator<Item = &'i i128>) -> bool {
    let mut size = None;
    offsets.iter().zip(indices).all(|(offset, index)| match (offset, index) {
        (0, 0) => true,
        (_, 0) => false,
        _ if offset % index != 0 || offset / index <= 0 => false,
        _ => *size.get_or_insert(offset / index) == offset / index,
    })
}

/// The texts of the elements that some accesses of one statement are about: `a[i + 1]`.
pub(super) fn texts(statement: &str, accesses: &[Option<Indexed>]) -> Vec<Option<String>> {
    let elements = elements(statement);
    let all = || accesses.iter().flatten();
    let known = |name: &String| all().any(|one| one.array == *name || one.names.contains(name));
    let text = |access: &Indexed| {
        // An element may have further names that no access has: such a name may be a constant, which the address does
        // not show.
        let may_be = |element: &&Element<'_>| {
            let names = element.names();
            let mut more = names.difference(&access.names);
            element.array == access.array && names.is_superset(&access.names) && !more.any(known)
        };
        let fitting: Vec<&Element<'_>> = elements.iter().filter(may_be).collect();
        if let [one] = fitting[..] {
            return Some(one.text.clone());
        }
        let alike: Vec<&Indexed> =
            all().filter(|one| one.array == access.array && one.names == access.names).collect();
        // Offsets and indices have the same order, since every element has a positive size.
        trials(&access.names).iter().enumerate().find_map(|(trial, values)| {
            let indices: Option<BTreeMap<i128, &Element<'_>>> =
                fitting.iter().map(|element| Some((element.index(values)?, *element))).collect();
            let offsets: BTreeSet<i128> = alike.iter().map(|one| one.offsets[trial]).collect();
            let indices = indices.filter(|indices| {
                indices.len() == fitting.len()
                    && indices.len() == offsets.len()
                    && are_those_of(&offsets, indices.keys())
            })?;
            let rank = offsets.iter().position(|offset| *offset == access.offsets[trial])?;
            indices.into_values().nth(rank).map(|element| element.text.clone())
        })
    };
    accesses.iter().map(|access| access.as_ref().and_then(text)).collect()
}

/// An element that a statement names.
struct Element<'t> {
    array: &'t str,
    /// The text of the element with the name of the array, in one line.
    text: String,
    /// What is between the brackets.
    inside: Vec<Token<'t>>,
}

impl Element<'_> {
    /// The names of the index.
    fn names(&self) -> BTreeSet<String> {
        let names = self.inside.iter().filter(|token| token.is_word());
        names.map(|token| token.text.to_owned()).collect()
    }

    /// The index, if its names have these values.
    fn index(&self, values: &BTreeMap<&str, i128>) -> Option<i128> {
        let mut rest = &self.inside[..];
        sum(&mut rest, values, DEEPEST).filter(|_| rest.is_empty())
    }
}

/// The elements of arrays that a text names, each once. Elements of arrays of arrays are left out.
fn elements(text: &str) -> Vec<Element<'_>> {
    let tokens = tokens::tokens(text);
    let mut found: Vec<Element<'_>> = Vec::new();
    for (at, array) in tokens.iter().enumerate() {
        if !array.is_word() || tokens.get(at + 1).is_none_or(|next| next.text != "[") {
            continue;
        }
        let mut depth = 0_usize;
        let end = tokens[at + 1..].iter().position(|token| {
            match token.text {
                "[" => depth += 1,
                "]" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some(end) = end.map(|end| at + 1 + end) else { break };
        let is_whole = |token: &Token<'_>| !matches!(token.text, "[" | "." | "->");
        let before = at.checked_sub(1).map(|before| tokens[before]);
        let is_member = before.is_some_and(|before| matches!(before.text, "." | "->"));
        if is_member || !tokens.get(end + 1).is_none_or(is_whole) {
            continue;
        }
        let inside = tokens[at + 2..end].to_vec();
        let is_same = |known: &Element<'_>| {
            let texts = known.inside.iter().map(|token| token.text);
            known.array == array.text && texts.eq(inside.iter().map(|token| token.text))
        };
        let text = text[array.at..=tokens[end].at].split_whitespace().collect::<Vec<_>>().join(" ");
        if !found.iter().any(is_same) {
            found.push(Element { array: array.text, text, inside });
        }
    }
    found
}

/// The value of a sum or difference at the beginning of some tokens, which are then taken away.
fn sum(rest: &mut &[Token<'_>], values: &BTreeMap<&str, i128>, depth: usize) -> Option<i128> {
    let mut value = product(rest, values, depth)?;
    while let Some((sign, after)) = rest.split_first() {
        let sign: fn(i128, i128) -> Option<i128> = match sign.text {
            "+" => i128::checked_add,
            "-" => i128::checked_sub,
            _ => break,
        };
        *rest = after;
        value = sign(value, product(rest, values, depth)?)?;
    }
    Some(value)
}

/// The value of a product at the beginning of some tokens.
fn product(rest: &mut &[Token<'_>], values: &BTreeMap<&str, i128>, depth: usize) -> Option<i128> {
    let mut value = factor(rest, values, depth)?;
    while let Some((sign, after)) = rest.split_first()
        && sign.text == "*"
    {
        *rest = after;
        value = value.checked_mul(factor(rest, values, depth)?)?;
    }
    Some(value)
}

/// The value of a number, of a name or of parentheses at the beginning of some tokens.
fn factor(rest: &mut &[Token<'_>], values: &BTreeMap<&str, i128>, depth: usize) -> Option<i128> {
    let depth = depth.checked_sub(1)?;
    let (first, after) = rest.split_first()?;
    *rest = after;
    match first.text {
        "-" => factor(rest, values, depth)?.checked_neg(),
        "(" => {
            let value = sum(rest, values, depth)?;
            let (last, after) = rest.split_first()?;
            *rest = after;
            (last.text == ")").then_some(value)
        }
        name if first.is_word() => values.get(name).copied(),
        number => tokens::number(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(array: &str, names: &[&str], offset: i128) -> Option<Indexed> {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Some(Indexed { array: array.to_owned(), names, offsets: [offset; 2] })
    }

    fn told(statement: &str, accesses: &[Option<Indexed>]) -> String {
        let texts = texts(statement, accesses).into_iter();
        texts.map(|text| text.unwrap_or_else(|| "?".to_owned())).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn names_of_the_index_tell_elements_apart() {
        let accesses = [access("a", &["i"], 160), access("a", &["j"], 160)];
        assert_eq!(told("s = a[i] + a[j & 7];", &accesses), "a[i], a[j & 7]");
        assert_eq!(told("a[i] += a[j] + a [ i ];", &accesses), "a[i], a[j]");
        assert_eq!(told("a[i] += a[i * j];", &accesses[..1]), "?");
        let both = [access("a", &["i"], 160), access("a", &["i", "j"], 999)];
        assert_eq!(told("a[i] += a[i * j];", &both), "a[i], a[i * j]");
    }

    #[test]
    fn offsets_tell_elements_apart_that_have_the_same_names() {
        let below = || access("a", &["i"], 156);
        let here = || access("a", &["i"], 160);
        let above = || access("a", &["i"], 164);
        let swapped = [above(), here()];
        assert_eq!(told("a[i] = a[i + 1];", &swapped), "a[i + 1], a[i]");
        let three = [below(), here(), above()];
        assert_eq!(told("x(a[1 + i], a[i], a[i-1])", &three), "a[i-1], a[i], a[1 + i]");
        // What a macro adds is not known, nor which of three elements two accesses are.
        assert_eq!(told("a[i] = a[i + N];", &swapped), "?, ?");
        assert_eq!(told("a[i] = a[i + 1] + a[i - 1];", &swapped), "?, ?");
        assert_eq!(told("a[i] = a[i + 1] + a[i % 3];", &three), "?, ?, ?");
    }

    #[test]
    fn indices_that_wrap_tell_nothing_apart() {
        let wrapped = |index: i64| i128::from(index as u32) * 4;
        let of = |names: &[&str], first: i64, second: i64| {
            let offsets = [wrapped(first), wrapped(second)];
            access("a", names, 0).map(|access| Indexed { offsets, ..access })
        };
        let both = [of(&["i"], 100, 180), of(&["i"], 40 - 60, 120 - 60)];
        assert_eq!(told("a[i - 60] = a[i + 60];", &both), "a[i + 60], a[i - 60]");
        let both = [of(&["i", "j"], 193, 327), of(&["i", "j"], 40 - 53, 120 - 107)];
        assert_eq!(told("a[i - j] = a[i + j + 100];", &both), "a[i + j + 100], a[i - j]");
        let never = [of(&["i"], 40 + 60, 120 + 60), of(&["i"], 40 - 130, 120 - 130)];
        assert_eq!(told("a[i - 130] = a[i + 60];", &never), "?, ?");
        let octal = [access("a", &["i"], 4 * 48), access("a", &["i"], 4 * 49)];
        assert_eq!(told("a[i + 010] = a[i + 9];", &octal), "a[i + 010], a[i + 9]");
    }

    #[test]
    fn many_signs_and_parentheses_are_left_alone() {
        let deep = format!("a[i + 1] = a[{}i{}];", "-(".repeat(100_000), ")".repeat(100_000));
        let both = [access("a", &["i"], 160), access("a", &["i"], 164)];
        assert_eq!(told(&deep, &both), "?, ?");
    }

    #[test]
    fn parts_of_larger_elements_are_left_alone() {
        let both = [access("m", &["i", "j"], 9), access("m", &["i", "j"], 8)];
        assert_eq!(told("m[i][j] + m[j][i] + s.m[i + j] + m[i + j].x", &both), "?, ?");
    }
}
