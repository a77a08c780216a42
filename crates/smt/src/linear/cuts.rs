//! Gomory's mixed-integer cuts (Dutertre & de Moura 2006, §4).
//!
//! A fractional basic integer column whose row has all nonbasic columns at bounds yields an
//! inequality that every integral solution satisfies and the present vertex does not. Cuts are
//! made only before the first branch, so that they rest on constraints alone and hold in the
//! whole tree.

use super::rational::Rational;
use super::search::{Causes, Halt, Search};
use super::simplex::Side;
use super::tableau::{Column, ColumnSum};

const ROUNDS: u32 = 8;
const CUTS_PER_ROUND: usize = 8;
/// Cuts with larger factors than this slow every later pivot down and cut little.
const WIDEST: u64 = 48;

struct Cut {
    /// Factors and columns; the sum is at least `least`.
    sum: ColumnSum,
    least: Rational,
    causes: Causes,
}

/// Cuts off fractional vertices, in a few rounds.
pub(super) fn add(search: &mut Search<'_>, columns: &[Column]) -> Result<(), Halt> {
    for _ in 0..ROUNDS {
        let mut cuts = Vec::new();
        for column in columns {
            if cuts.len() == CUTS_PER_ROUND {
                break;
            }
            cuts.extend(cut(search, *column));
        }
        if cuts.is_empty() {
            return Ok(());
        }
        for mut cut in cuts {
            // If all columns of a cut are integers, the sum is divided so that its factors are coprime integers. Then
            // the sum is an integer, and its bound can be rounded.
            let integer = cut.sum.iter().all(|(column, _)| search.simplex.is_integer(*column));
            let content = cut.sum.iter().fold(Rational::ZERO, |gcd, term| gcd.gcd(&term.1));
            for (_, factor) in &mut cut.sum {
                *factor = &*factor / &content;
            }
            let mut least = &cut.least / &content;
            if integer {
                least = least.ceil();
            }
            if cut.sum.iter().any(|(_, factor)| factor.bits() > WIDEST) {
                continue;
            }
            let why = search.derive(cut.causes);
            let column = match cut.sum.as_slice() {
                [(column, _)] => *column,
                _ => search.simplex.slack(&cut.sum, integer),
            };
            search.restrict(column, Side::Lower, least, why)?;
        }
        search.solve()?;
    }
    Ok(())
}

/// The cut of a row. Each nonbasic column is its bound plus or minus a nonnegative distance; in
/// `basic + sum of alpha * distance = value`, the distances satisfy
/// `sum of weight(alpha) * distance >= 1`.
fn cut(search: &Search<'_>, basic: Column) -> Option<Cut> {
    let simplex = &search.simplex;
    let value = simplex.value(basic);
    if !simplex.is_integer(basic) || !value.delta.is_zero() || value.real.is_integer() {
        return None;
    }
    let fraction = value.real.fraction();
    let rest = &Rational::ONE - &fraction;

    let mut cut = Cut { sum: ColumnSum::new(), least: Rational::ONE, causes: Causes::new() };
    for (column, factor) in simplex.tableau.row_of(basic) {
        let at = |side| simplex.bound(*column, side).filter(|b| b.value == *simplex.value(*column));
        let (side, bound) = match (at(Side::Lower), at(Side::Upper)) {
            (Some(bound), _) => (Side::Lower, bound),
            (None, Some(bound)) => (Side::Upper, bound),
            (None, None) => return None,
        };
        if !bound.value.delta.is_zero() {
            return None;
        }
        let alpha = if side == Side::Lower { -factor } else { factor.clone() };
        let weight = if simplex.is_integer(*column) {
            let part = alpha.fraction();
            if part <= fraction { &part / &fraction } else { &(&Rational::ONE - &part) / &rest }
        } else if alpha.is_positive() {
            &alpha / &fraction
        } else {
            &alpha.abs() / &rest
        };
        if weight.is_zero() {
            continue;
        }
        // The distance is `column - bound` or `bound - column`.
        let signed = if side == Side::Lower { weight } else { -&weight };
        cut.least = cut.least.plus(&signed, &bound.value.real);
        cut.sum.push((*column, signed));
        search.blame(*column, side, &mut cut.causes);
    }
    // An empty sum says `0 >= 1`; the divisibility test has excluded such rows.
    if cut.sum.is_empty() { None } else { Some(cut) }
}
