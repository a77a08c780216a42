//! Elimination of equations over the integers.
//!
//! Fixed integer columns are equations between integer variables. These equations are solved one after the other by
//! substitution; an equation without a unit factor first gets a unit factor by changes of variables as in Euclid's
//! algorithm (Knuth, TAOCP 2, §4.5.2; Griggio 2012, "A practical approach to satisfiability modulo linear integer
//! arithmetic", §4). What remains of an equation may be visibly without solution, and what remains of a bounded sum may
//! be known modulo a number, which tightens its bounds. Branch and bound alone might never end on such equations and
//! sums. Equations with rational variables are used once they have been solved for these variables. The variables that
//! remain are those to branch on.

use std::collections::{BTreeMap, BTreeSet};

use super::rational::Rational;
use super::search::{Causes, Halt, Search};
use super::simplex::Side;
use super::tableau::{Column, ColumnSum};

/// After this many steps the elimination gives up, which is sound: it only strengthens bounds for the search.
const STEPS: usize = 2_000;

/// A sum of columns and fresh variables, plus a constant. It is not a [`super::Sum`] because its numbers are machine
/// integers as long as these are enough, and because it carries its causes.
#[derive(Clone)]
struct Form {
    factors: BTreeMap<Column, Rational>,
    constant: Rational,
    /// What the equations that were substituted rest on.
    causes: Causes,
}

impl Form {
    /// Replaces a variable by a form.
    fn substitute(&mut self, variable: Column, by: &Form) {
        let Some(factor) = self.factors.remove(&variable) else { return };
        for (column, other) in &by.factors {
            let entry = self.factors.entry(*column).or_insert(Rational::ZERO);
            *entry = entry.plus(&factor, other);
            if entry.is_zero() {
                self.factors.remove(column);
            }
        }
        self.constant = self.constant.plus(&factor, &by.constant);
        self.causes.extend(&by.causes);
    }

    fn gcd(&self) -> Rational {
        self.factors.values().fold(Rational::ZERO, |gcd, factor| gcd.gcd(factor))
    }
}

/// Eliminates the equations among integer variables and tightens bounds by what is left. The
/// result is a set of integer columns of which all integer variables are integer combinations in
/// every solution of the equations: it is enough to make these integral.
pub(super) fn propagate(
    search: &mut Search<'_>,
    unknowns: &[Column],
    sums: &[(Column, ColumnSum)],
) -> Result<Vec<Column>, Halt> {
    let simple = unknowns.iter().map(|x| (*x, ColumnSum::from([(*x, Rational::ONE)])));
    let mut equations: Vec<Form> = Vec::new();
    let mut bounded: Vec<(Column, Form)> = Vec::new();
    let mut mixed: Vec<Form> = Vec::new();
    for (column, sum) in simple.chain(sums.iter().cloned()) {
        let mut form = Form {
            factors: sum.into_iter().collect(),
            constant: Rational::ZERO,
            causes: Causes::new(),
        };
        if let Some(value) = search.simplex.fixed(column) {
            form.constant = -&value.real;
            search.blame(column, Side::Lower, &mut form.causes);
            search.blame(column, Side::Upper, &mut form.causes);
            if search.simplex.is_integer(column) {
                equations.push(form);
            } else {
                mixed.push(form);
            }
        } else if search.simplex.is_integer(column)
            && [Side::Lower, Side::Upper].iter().any(|s| search.simplex.bound(column, *s).is_some())
        {
            bounded.push((column, form));
        }
    }
    equations.extend(without_rationals(search, mixed));
    let integer = |column: &Column| search.simplex.is_integer(*column);
    let mut free: BTreeSet<Column> = unknowns.iter().copied().filter(integer).collect();
    for _ in 0..STEPS {
        if let Some(reason) = search.limits.exceeded() {
            return Err(Halt::Stopped(reason.into()));
        }
        let Some(at) = next(&mut equations)? else {
            tighten(search, &bounded)?;
            break;
        };
        let Some((variable, least)) = smallest(&equations[at]) else { break };
        free.remove(&variable);
        let by = if least == Rational::ONE {
            solved(equations.swap_remove(at), variable)
        } else {
            let (fresh, by) = exchanged(search, &equations[at], variable);
            free.insert(fresh);
            by
        };
        for equation in &mut equations {
            equation.substitute(variable, &by);
        }
        for (_, form) in &mut bounded {
            form.substitute(variable, &by);
        }
    }
    Ok(free.into_iter().collect())
}

/// The equations that follow for integers alone: equations with rational variables are solved for these variables.
fn without_rationals(search: &Search<'_>, mut mixed: Vec<Form>) -> Vec<Form> {
    let mut integral = Vec::new();
    for _ in 0..STEPS {
        let Some(mut equation) = mixed.pop() else { break };
        let rational = |(column, _): &(&Column, &Rational)| !search.simplex.is_integer(**column);
        let Some(variable) = equation.factors.iter().find(rational).map(|(column, _)| *column)
        else {
            integral.push(equation);
            continue;
        };
        let Some(factor) = equation.factors.remove(&variable) else { continue };
        let scale = -&factor.recip();
        for factor in equation.factors.values_mut() {
            *factor = &*factor * &scale;
        }
        equation.constant = &equation.constant * &scale;
        for other in &mut mixed {
            other.substitute(variable, &equation);
        }
    }
    integral
}

/// Drops equations that say nothing, makes the factors of the others coprime, and chooses the equation to solve. The
/// error is an equation that no integers satisfy.
fn next(equations: &mut Vec<Form>) -> Result<Option<usize>, Halt> {
    let mut at = 0;
    let mut best: Option<(Rational, usize, usize)> = None;
    while at < equations.len() {
        let equation = &mut equations[at];
        let gcd = equation.gcd();
        if gcd.is_zero() {
            if !equation.constant.is_zero() {
                return Err(Halt::Contradiction(std::mem::take(&mut equation.causes)));
            }
            equations.swap_remove(at);
            continue;
        }
        if !(&equation.constant / &gcd).is_integer() {
            return Err(Halt::Contradiction(std::mem::take(&mut equation.causes)));
        }
        if gcd != Rational::ONE {
            let scale = gcd.recip();
            for factor in equation.factors.values_mut() {
                *factor = &*factor * &scale;
            }
            equation.constant = &equation.constant * &scale;
        }
        if let Some((_, least)) = smallest(equation) {
            let key = (least, equation.factors.len(), at);
            if best.as_ref().is_none_or(|best| key < *best) {
                best = Some(key);
            }
        }
        at += 1;
    }
    // `swap_remove` never moves an equation that was looked at already.
    Ok(best.map(|(_, _, at)| at))
}

/// The variable whose factor is least in absolute value, and this value.
fn smallest(form: &Form) -> Option<(Column, Rational)> {
    form.factors.iter().map(|(x, factor)| (*x, factor.abs())).min_by(|a, b| a.1.cmp(&b.1))
}

/// What an equation with a unit factor of a variable says that the variable equals.
fn solved(mut equation: Form, variable: Column) -> Form {
    let positive = equation.factors.remove(&variable).is_some_and(|f| f.is_positive());
    if positive {
        for factor in equation.factors.values_mut() {
            *factor = -&*factor;
        }
        equation.constant = -&equation.constant;
    }
    equation
}

/// A fresh column in exchange for the variable with the least factor of an equation, such that all other factors become
/// smaller than this factor. With `a` the factor of `x`, the column is `t = x + sum of floor(b / a) * y`, which is as
/// free to be any integer as `x` was.
fn exchanged(search: &mut Search<'_>, equation: &Form, variable: Column) -> (Column, Form) {
    let divisor = equation.factors.get(&variable).cloned().unwrap_or(Rational::ONE);
    let mut sum = ColumnSum::from([(variable, Rational::ONE)]);
    for (column, factor) in &equation.factors {
        let quotient = (factor / &divisor).floor();
        if *column != variable && !quotient.is_zero() {
            sum.push((*column, quotient));
        }
    }
    let fresh = search.simplex.slack(&sum, true);
    let rest = sum.into_iter().skip(1).map(|(column, quotient)| (column, -&quotient));
    let by = Form {
        factors: rest.chain([(fresh, Rational::ONE)]).collect(),
        constant: Rational::ZERO,
        causes: Causes::new(),
    };
    (fresh, by)
}

/// Rounds bounds of sums for which the equations leave only certain residues.
fn tighten(search: &mut Search<'_>, bounded: &[(Column, Form)]) -> Result<(), Halt> {
    for (column, form) in bounded {
        let gcd = form.gcd();
        if gcd == Rational::ONE {
            continue;
        }
        for side in [Side::Lower, Side::Upper] {
            let Some(bound) = search.simplex.bound(*column, side) else { continue };
            // The column is the constant plus a multiple of the divisor, or just the constant.
            let distance = &bound.value.real - &form.constant;
            let value = if gcd.is_zero() {
                let fits = match side {
                    Side::Lower => !distance.is_positive(),
                    Side::Upper => !distance.is_negative(),
                };
                if fits {
                    continue;
                }
                let mut causes = form.causes.clone();
                search.blame(*column, side, &mut causes);
                return Err(Halt::Contradiction(causes));
            } else {
                let steps = &distance / &gcd;
                let steps = if side == Side::Lower { steps.ceil() } else { steps.floor() };
                form.constant.plus(&steps, &gcd)
            };
            if value == bound.value.real {
                continue;
            }
            let mut causes = form.causes.clone();
            search.blame(*column, side, &mut causes);
            let why = search.derive(causes);
            search.restrict(*column, side, value, why)?;
        }
    }
    Ok(())
}
