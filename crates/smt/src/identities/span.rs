//! Which polynomials are sums of multiples of others.

use std::collections::BTreeMap;

use super::polynomial::{Monomial, Polynomial, ratio};

/// The equations that a polynomial follows from: a bit for each equation.
pub(super) type Premises = u128;

/// Sums of multiples of the polynomials that were put in, one for each leading monomial.
#[derive(Default)]
pub(super) struct Span {
    rows: BTreeMap<Monomial, (Polynomial, Premises)>,
}

impl Span {
    /// Adds a polynomial that is zero under the premises.
    pub fn insert(&mut self, mut polynomial: Polynomial, mut premises: Premises) {
        while let Some((leading, number)) = polynomial.leading() {
            let leading = leading.clone();
            let Some((row, behind)) = self.rows.get_mut(&leading) else {
                self.rows.insert(leading, (polynomial, premises));
                return;
            };
            let (_, pivot) = row.leading().expect("rows are not zero");
            let factor = ratio(number, pivot).unwrap_or_else(|| {
                // The row whose leading coefficient is divisible by the lesser power of two can reduce more
                // polynomials, so it is kept.
                std::mem::swap(row, &mut polynomial);
                std::mem::swap(behind, &mut premises);
                ratio(pivot, number).expect("one divides the other")
            });
            polynomial.add(factor.wrapping_neg(), &[], row);
            premises |= *behind;
        }
    }

    /// Premises under which the polynomial is zero, if the rows show that it is.
    pub fn explains(&self, mut polynomial: Polynomial) -> Option<Premises> {
        let mut premises = 0;
        while let Some((leading, number)) = polynomial.leading() {
            let (row, behind) = self.rows.get(leading)?;
            let (_, pivot) = row.leading().expect("rows are not zero");
            polynomial.add(ratio(number, pivot)?.wrapping_neg(), &[], row);
            premises |= behind;
        }
        Some(premises)
    }
}
