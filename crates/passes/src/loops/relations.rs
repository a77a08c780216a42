//! How far variables may have moved after a number of rounds, and linear relations between them.
//!
//! The ways through a round are told apart, as far as what they add to variables depends on it. On
//! each way a variable moves by a constant, plus multiples of terms about which nothing is known. What
//! lies between the least and the greatest constant bounds how far a variable gets; combinations of
//! variables in which everything but a constant cancels out on every way are linear relations.

use std::collections::{BTreeMap, BTreeSet};

use term::{Bv, Op, TermId, Terms, Var, View, WordSum};

use super::phases::{oldest_choice, replaced};
use super::poly::resized;
use super::solve::bits;

/// How many ways through a round are told apart.
const MOST_WAYS: usize = 64;

/// How many variables are related with each other.
const MOST_RELATED: usize = 12;

/// The greatest factor in relations: relations with greater factors are of no use.
const MOST_FACTOR: i128 = 1 << 16;

/// A variable that changes in rounds.
pub(super) struct Moving {
    pub(super) var: Var,
    /// The value before a round.
    pub(super) first: TermId,
    /// The value after the round.
    pub(super) update: TermId,
    /// How far the variable has moved since the first round.
    pub(super) moved: TermId,
}

/// The values of some variables of one width after a number of rounds, by the values that other variables have then,
/// and other facts about the variables. The number of rounds has not wrapped around if `bounded` holds.
pub(super) fn facts(
    terms: &mut Terms,
    width: u32,
    moving: &[Moving],
    count: TermId,
    bounded: TermId,
) -> (Vec<(Var, TermId)>, Vec<TermId>) {
    let moving: Vec<&Moving> = moving.iter().take(MOST_RELATED).collect();
    let updates: Vec<TermId> = moving.iter().map(|moving| moving.update).collect();
    let (mut values, mut facts) = (Vec::new(), Vec::new());
    for moving in &moving {
        // A variable alone has fewer ways than all of them together.
        let Some(ways) = ways(terms, vec![moving.update]) else { continue };
        let steps: Vec<WordSum> =
            ways.iter().map(|way| step(terms, way[0], moving.first)).collect();
        facts.extend(bounds(terms, width, moving.moved, &steps, count, bounded));
    }
    if let Some(ways) = ways(terms, updates) {
        let steps: Vec<Vec<WordSum>> = ways
            .iter()
            .map(|way| {
                let each = way.iter().zip(&moving);
                each.map(|(update, moving)| step(terms, *update, moving.first)).collect()
            })
            .collect();
        for Relation { mut factors, free } in relations(&steps, moving.len()) {
            let own = factors[free];
            if let (Some(place), 1 | -1) = (free.checked_sub(1), own) {
                // No other relation reads this variable.
                factors[free] = 0;
                factors.iter_mut().for_each(|factor| *factor *= -own);
                let first = moving[place].first;
                let value = combined(terms, first, &moving, &factors, count);
                values.push((moving[place].var, value));
            } else {
                let zero = terms.bv(width, 0);
                let sum = combined(terms, zero, &moving, &factors, count);
                facts.push(terms.eq(sum, zero));
            }
        }
    }
    (values, facts)
}

/// The terms for each way through a round, without choices. `None` if there are too many ways.
fn ways(terms: &mut Terms, updates: Vec<TermId>) -> Option<Vec<Vec<TermId>>> {
    let mut open = vec![updates];
    let mut done: BTreeSet<Vec<TermId>> = BTreeSet::new();
    let mut seen: BTreeSet<Vec<TermId>> = BTreeSet::new();
    while let Some(way) = open.pop() {
        if !seen.insert(way.clone()) {
            continue;
        }
        if seen.len() > 2 * MOST_WAYS {
            return None;
        }
        let Some(condition) = oldest_choice(terms, &way) else {
            done.insert(way);
            continue;
        };
        let negated = terms.not(condition);
        for value in [true, false] {
            let (yes, no) = (terms.bool(value), terms.bool(!value));
            let known = BTreeMap::from([(condition, yes), (negated, no)]);
            let part = way.iter().map(|term| replaced(terms, *term, &known)).collect();
            open.push(part);
        }
    }
    Some(done.into_iter().collect())
}

/// What a round adds to a variable.
fn step(terms: &Terms, update: TermId, first: TermId) -> WordSum {
    WordSum::difference(terms, update, first).expect("variables in relations have at most 64 bits")
}

/// The least and the greatest that a sum may be. `None` if it may be anything.
fn range(terms: &Terms, sum: &WordSum) -> Option<(i128, i128)> {
    let constant = i128::from(sum.signed(sum.constant));
    let (mut least, mut greatest) = (constant, constant);
    for (term, factor) in &sum.parts {
        let most = match terms.view(*term) {
            View::App(Op::BvZeroExtend(_), [narrow]) => {
                (1_i128 << terms.width(*narrow).min(64)) - 1
            }
            View::App(Op::BvAnd, [a, b]) => {
                let mask = bits(terms, *a).or_else(|| bits(terms, *b))?;
                i128::from(mask.to_u64()?)
            }
            _ => return None,
        };
        let end = i128::from(sum.signed(*factor)).checked_mul(most)?;
        least = least.checked_add(end.min(0))?;
        greatest = greatest.checked_add(end.max(0))?;
    }
    Some((least, greatest))
}

/// How far a variable may have moved, and what its lowest bits are.
fn bounds(
    terms: &mut Terms,
    width: u32,
    moved: TermId,
    steps: &[WordSum],
    count: TermId,
    bounded: TermId,
) -> Vec<TermId> {
    let mut facts = Vec::new();
    let ranges: Option<Vec<(i128, i128)>> = steps.iter().map(|step| range(terms, step)).collect();
    let Some(ranges) = ranges else { return facts };
    let (Some(least), Some(greatest)) =
        (ranges.iter().map(|range| range.0).min(), ranges.iter().map(|range| range.1).max())
    else {
        return facts;
    };
    let span = greatest - least;
    let all = (1_i128 << width) - 1;
    if span <= 0 || span > all {
        return facts;
    }
    let narrow = resized(terms, count, width);
    let slowest = terms.bv_value(modulo(least, width));
    let slowest = terms.bv_mul(slowest, narrow);
    // How much farther the variable is than if it had moved by the least step in each round.
    let further = terms.bv_sub(moved, slowest);
    let most = terms.bv_value(modulo(span, width));
    let most = terms.bv_mul(most, narrow);
    let within = terms.bv_ule(further, most);
    // As long as the greatest distance is a number of the width, nothing wraps around.
    let limit = terms.bv(terms.width(count), (all / span).unsigned_abs());
    let few = terms.bv_ule(count, limit);
    let known = terms.and2(bounded, few);
    facts.push(terms.implies(known, within));
    let is_fixed = steps.iter().all(|step| step.parts.is_empty());
    let even = ranges.iter().map(|range| (range.0 - least).trailing_zeros()).min().unwrap_or(0);
    let even = even.min(width);
    if is_fixed && even > 0 {
        let low = terms.bv_extract(even - 1, 0, further);
        let zero = terms.bv(even, 0);
        facts.push(terms.eq(low, zero));
    }
    facts
}

/// A number modulo a power of two.
fn modulo(number: i128, width: u32) -> Bv {
    let all = u128::MAX >> (128 - width);
    Bv::new(width, number.cast_unsigned() & all)
}

/// The sum of a number, of multiples of the number of rounds, whose factor comes first, and of how far
/// variables have moved.
fn combined(
    terms: &mut Terms,
    number: TermId,
    moving: &[&Moving],
    factors: &[i128],
    count: TermId,
) -> TermId {
    let width = terms.width(number);
    let narrow = resized(terms, count, width);
    let parts = [narrow].into_iter().chain(moving.iter().map(|moving| moving.moved));
    let mut sum = number;
    for (part, factor) in parts.zip(factors) {
        // A negative factor is a great word: to subtract a multiple with a small factor is easier to see through.
        let size = terms.bv_value(modulo(factor.saturating_abs(), width));
        let part = terms.bv_mul(part, size);
        sum = if *factor < 0 { terms.bv_sub(sum, part) } else { terms.bv_add(sum, part) };
    }
    sum
}

/// A combination that does not change on any way through a round.
struct Relation {
    /// Factors for the number of rounds and then for variables.
    factors: Vec<i128>,
    /// A place whose factor is zero in all other relations.
    free: usize,
}

/// Combinations that do not change on any way.
fn relations(ways: &[Vec<WordSum>], variables: usize) -> Vec<Relation> {
    let mut rows: BTreeSet<Vec<i128>> = BTreeSet::new();
    for way in ways {
        let row = |of_rounds: i128, number: &dyn Fn(&WordSum) -> u64| {
            let numbers = way.iter().map(|sum| i128::from(sum.signed(number(sum))));
            [of_rounds].into_iter().chain(numbers).collect()
        };
        rows.insert(row(1, &|sum| sum.constant));
        let parts: BTreeSet<TermId> =
            way.iter().flat_map(|sum| sum.parts.keys().copied()).collect();
        for part in parts {
            rows.insert(row(0, &|sum| sum.parts.get(&part).copied().unwrap_or(0)));
        }
    }
    let rows = rows.into_iter().collect();
    null_space(rows, variables + 1).unwrap_or_default()
}

/// Vectors of whole numbers that all rows are orthogonal to, as many as are independent. `None` if
/// numbers get too large.
fn null_space(mut rows: Vec<Vec<i128>>, columns: usize) -> Option<Vec<Relation>> {
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for column in 0..columns {
        let next = pivots.len();
        let Some(found) = (next..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(next, found);
        let pivot = rows[next].clone();
        for (place, row) in rows.iter_mut().enumerate() {
            if place == next || row[column] == 0 {
                continue;
            }
            let (own, other) = (pivot[column], row[column]);
            for (entry, base) in row.iter_mut().zip(&pivot) {
                *entry = entry.checked_mul(own)?.checked_sub(base.checked_mul(other)?)?;
            }
            shorten(row);
        }
        pivots.push((next, column));
    }
    let is_free = |column: &usize| !pivots.iter().any(|(_, pivot)| pivot == column);
    let mut found = Vec::new();
    for free in (0..columns).filter(is_free) {
        // The free column is the product of all pivots over which it is divided.
        let mut vector = vec![0_i128; columns];
        let mut scale = 1_i128;
        for (row, column) in &pivots {
            if rows[*row][free] != 0 {
                scale = scale.checked_mul(rows[*row][*column].checked_abs()?)?;
            }
        }
        vector[free] = scale;
        for (row, column) in &pivots {
            let product = scale.checked_mul(rows[*row][free])?;
            vector[*column] = -(product / rows[*row][*column]);
        }
        shorten(&mut vector);
        if vector.iter().all(|entry| entry.abs() <= MOST_FACTOR) {
            found.push(Relation { factors: vector, free });
        }
    }
    Some(found)
}

/// Divides a vector by the greatest number that divides all of its entries.
fn shorten(vector: &mut [i128]) {
    let divisor = vector.iter().fold(0_i128, |divisor, entry| gcd(divisor, *entry));
    if divisor > 1 {
        vector.iter_mut().for_each(|entry| *entry /= divisor);
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_are_orthogonal() {
        let cases: [(Vec<Vec<i128>>, usize); 4] = [
            (vec![vec![1, 0, 1], vec![0, 1, 1]], 1),
            (vec![vec![2, 3, 1], vec![4, 6, 2]], 2),
            (vec![vec![0, 0, 0, 1]], 3),
            (vec![vec![1, 0], vec![0, 1]], 0),
        ];
        for (rows, dimension) in cases {
            let columns = rows[0].len();
            let found = null_space(rows.clone(), columns).expect("small numbers");
            assert_eq!(found.len(), dimension, "{rows:?}");
            for Relation { factors: vector, .. } in &found {
                assert!(vector.iter().any(|entry| *entry != 0), "{vector:?}");
                for row in &rows {
                    let product: i128 = row.iter().zip(vector).map(|(a, b)| a * b).sum();
                    assert_eq!(product, 0, "{row:?} {vector:?}");
                }
            }
        }
    }
}
