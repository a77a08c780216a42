//! Naive decision methods that share nothing with the solver.

use std::collections::BTreeSet;

use base::Id;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::{Constraint, Relation, number};

/// `factors · variables <= constant`, or `<` if strict.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Inequality {
    factors: Vec<BigRational>,
    strict: bool,
    constant: BigRational,
}

fn inequalities(variables: usize, constraints: &[Constraint]) -> BTreeSet<Inequality> {
    let mut all = BTreeSet::new();
    for constraint in constraints {
        let mut factors = vec![BigRational::zero(); variables];
        for (factor, unknown) in &constraint.terms {
            factors[unknown.index()] += factor;
        }
        let strict = constraint.relation == Relation::Less;
        let constant = constraint.constant.clone();
        if constraint.relation == Relation::Equal {
            let factors = factors.iter().map(|factor| -factor).collect();
            all.insert(Inequality { factors, strict, constant: -&constant });
        }
        all.insert(Inequality { factors, strict, constant });
    }
    all
}

/// Fourier–Motzkin elimination: whether the constraints have a rational solution.
pub(super) fn rational(variables: usize, constraints: &[Constraint]) -> bool {
    let mut present = inequalities(variables, constraints);
    for eliminated in 0..variables {
        let mut next = BTreeSet::new();
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for mut row in present {
            let factor = row.factors[eliminated].clone();
            if factor.is_zero() {
                next.insert(row);
                continue;
            }
            for other in &mut row.factors {
                *other /= factor.abs();
            }
            row.constant /= factor.abs();
            if factor.is_positive() { above.push(row) } else { below.push(row) }
        }
        for upper in &above {
            for lower in &below {
                let sum = |(a, b): (&BigRational, &BigRational)| a + b;
                next.insert(Inequality {
                    factors: upper.factors.iter().zip(&lower.factors).map(sum).collect(),
                    strict: upper.strict || lower.strict,
                    constant: &upper.constant + &lower.constant,
                });
            }
        }
        present = next;
    }
    present.iter().all(|row| {
        if row.strict { row.constant.is_positive() } else { !row.constant.is_negative() }
    })
}

/// Enumeration of the integer variables in the box from `-size` to `size`, then elimination of the
/// rest: whether there is a solution with the first `integers` variables in the box.
pub(super) fn mixed(
    integers: usize,
    variables: usize,
    size: i64,
    constraints: &[Constraint],
) -> bool {
    let mut point = vec![-size; integers];
    loop {
        if holds_at(&point, variables, constraints) {
            return true;
        }
        let Some(at) = point.iter().position(|value| *value < size) else { return false };
        point[at] += 1;
        point[..at].fill(-size);
    }
}

fn holds_at(point: &[i64], variables: usize, constraints: &[Constraint]) -> bool {
    let mut rest = Vec::new();
    for constraint in constraints {
        let mut left = constraint.clone();
        left.terms.retain(|(factor, unknown)| match point.get(unknown.index()) {
            Some(value) => {
                left.constant -= factor * number(*value);
                false
            }
            None => true,
        });
        if left.terms.is_empty() && !left.satisfied(|_| BigRational::zero()) {
            return false;
        }
        rest.push(left);
    }
    variables == point.len() || rational(variables, &rest)
}
