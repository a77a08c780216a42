//! Lemmas about equations between polynomials.
//!
//! SAT does not see that `x*(x + 1) - x` is `x*x`, nor that `a = y*r` makes `a*z` be `y*r*z`: circuits of
//! products have no algebra. Here both sides of an equation between words are read as polynomials whose
//! coefficients count modulo a power of two, as the words do. If the difference of the two sides is zero, or a
//! sum of multiples of the differences of other equations, the others imply the equation, whatever else the
//! formulas say: a clause that SAT is given. Operands that a condition chooses are looked at for both of
//! its values, and terms that are no sums or products count as unknowns.

mod polynomial;
mod span;
#[cfg(test)]
mod tests;

use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, TermId, Terms, Value, View};

use polynomial::{Monomial, Polynomial, quotient};
use span::{Premises, Span};

/// A clause: if all premises hold, and the two terms of `same` have the same value, then the equation holds.
#[derive(Debug)]
pub(crate) struct Lemma {
    /// Formulas and their truth values.
    pub premises: Vec<(TermId, bool)>,
    /// Two words that must be the same.
    pub same: Option<(TermId, TermId)>,
    /// The equation that follows.
    pub equation: TermId,
}

/// Finds lemmas, and remembers where it has looked.
#[derive(Default)]
pub(crate) struct Identities {
    /// Formulas and their parts in which equations were looked for.
    seen: FxHashSet<TermId>,
    /// Whether some equation has products.
    has_products: bool,
    /// Equations with what was known to be true when lemmas for them were looked for.
    looked: FxHashSet<(TermId, u64)>,
}

/// Formulas with more equations than this are left to SAT.
const MOST_EQUATIONS: usize = 96;
/// How many equations are looked at for one check.
const MOST_TARGETS: usize = 24;
/// How many conditions of operands are told apart; each condition doubles the work.
const MOST_CONDITIONS: usize = 3;
/// How many multiples of equations are tried for one target.
const MOST_MULTIPLES: usize = 300;
/// How many unknowns and factors a target may have for pairs of them to be tried.
const MOST_UNKNOWNS: usize = 6;
const MOST_FACTORS: usize = 6;
/// Down to which depth sums and products are read.
const DEEPEST: u32 = 48;

impl Identities {
    /// Lemmas about the equations in some formulas that were not given before.
    pub fn lemmas(&mut self, terms: &Terms, roots: &[TermId]) -> Vec<Lemma> {
        self.look_for_products(terms, roots);
        if !self.has_products {
            return Vec::new();
        }
        let equations = equations(terms, roots);
        if equations.len() > MOST_EQUATIONS {
            return Vec::new();
        }
        let asserted = asserted(terms, roots);
        let mut hasher = DefaultHasher::new();
        asserted.hash(&mut hasher);
        let situation = hasher.finish();
        let targets =
            equations.iter().filter(|at| !asserted.contains(at) && has_product(terms, **at));
        let mut lemmas = Vec::new();
        for target in targets.take(MOST_TARGETS) {
            if self.looked.insert((*target, situation)) {
                lemmas.extend(about(terms, *target, &asserted, &equations));
            }
        }
        lemmas
    }

    /// Looks at the parts of the formulas that are new.
    fn look_for_products(&mut self, terms: &Terms, roots: &[TermId]) {
        let mut todo = roots.to_vec();
        while let Some(term) = todo.pop() {
            if self.has_products {
                return;
            }
            if !self.seen.insert(term) {
                continue;
            }
            self.has_products = is_equation(terms, term) && has_product(terms, term);
            if let View::App(_, args) = terms.view(term) {
                todo.extend(args);
            }
        }
    }
}

/// The lemmas about one equation: for each choice of truth values of its conditions a lemma, if one is found.
fn about(terms: &Terms, target: TermId, asserted: &[TermId], equations: &[TermId]) -> Vec<Lemma> {
    let conditions = conditions(terms, target);
    let mut lemmas = Vec::new();
    for choice in 0..1_u32 << conditions.len() {
        let chosen = conditions.iter().enumerate().map(|(at, term)| (*term, choice >> at & 1 == 1));
        let case: FxHashMap<TermId, bool> = chosen.clone().collect();
        let mut reading = Reading { terms, case: &case, read: FxHashMap::default() };
        let Some(goal) = reading.difference(target) else { continue };
        let factors = reading.factors(target);
        let found = [asserted, equations].into_iter().find_map(|known| {
            let known: Vec<TermId> =
                known.iter().copied().filter(|equation| *equation != target).collect();
            let span = spanned(&goal, &mut reading, &known);
            let (same, premises) = explained(&span, &goal, &factors)?;
            Some((same, named(&known, premises)))
        });
        if let Some((same, mut premises)) = found {
            premises.extend(chosen);
            lemmas.push(Lemma { premises, same, equation: target });
        }
    }
    lemmas
}

/// The equations that the bits of the premises stand for.
fn named(equations: &[TermId], premises: Premises) -> Vec<(TermId, bool)> {
    let is_in = |at: &usize| premises >> at & 1 == 1;
    (0..equations.len()).filter(is_in).map(|at| (equations[at], true)).collect()
}

/// Why a polynomial is zero: premises, and perhaps an unknown of the polynomial and a factor that must have the same
/// value.
fn explained(
    span: &Span,
    goal: &Polynomial,
    factors: &[(TermId, Polynomial)],
) -> Option<(Option<(TermId, TermId)>, Premises)> {
    if let Some(premises) = span.explains(goal.clone()) {
        return Some((None, premises));
    }
    let mut unknowns: Vec<TermId> = goal.monomials().flatten().copied().collect();
    unknowns.sort_unstable();
    unknowns.dedup();
    if unknowns.len() > MOST_UNKNOWNS {
        return None;
    }
    let pairs =
        unknowns.iter().flat_map(|unknown| factors.iter().map(move |factor| (*unknown, factor)));
    pairs.filter(|(unknown, factor)| *unknown != factor.0).find_map(|(unknown, factor)| {
        let premises = span.explains(goal.with(unknown, &factor.1)?)?;
        Some((Some((unknown, factor.0)), premises))
    })
}

/// Sums of those multiples of equations that share monomials with the goal, or with one another.
fn spanned(goal: &Polynomial, reading: &mut Reading<'_>, equations: &[TermId]) -> Span {
    let width = goal.width();
    let mut span = Span::default();
    let differences: Vec<(usize, Polynomial)> = equations
        .iter()
        .take(Premises::BITS as usize)
        .enumerate()
        .filter_map(|(at, equation)| Some((at, reading.difference(*equation)?)))
        .filter(|(_, difference)| difference.width() == width && !difference.is_zero())
        .collect();
    let mut wanted: Vec<Monomial> = goal.monomials().cloned().collect();
    let mut known: FxHashSet<Monomial> = wanted.iter().cloned().collect();
    let mut tried: FxHashSet<(usize, Monomial)> = FxHashSet::default();
    let mut next = 0;
    while next < wanted.len() && tried.len() < MOST_MULTIPLES {
        let whole = wanted[next].clone();
        next += 1;
        for (at, difference) in &differences {
            for factor in difference.monomials().filter_map(|part| quotient(&whole, part)) {
                if tried.len() == MOST_MULTIPLES || !tried.insert((*at, factor.clone())) {
                    continue;
                }
                let mut multiple = Polynomial::constant(width, 0);
                multiple.add(1, &factor, difference);
                if !multiple.is_small() {
                    continue;
                }
                let new = multiple.monomials().filter(|monomial| known.insert((*monomial).clone()));
                wanted.extend(new.cloned());
                span.insert(multiple, 1 << at);
            }
        }
    }
    span
}

/// Terms as polynomials, where conditions have values.
struct Reading<'a> {
    terms: &'a Terms,
    case: &'a FxHashMap<TermId, bool>,
    read: FxHashMap<TermId, Polynomial>,
}

impl Reading<'_> {
    /// The left side of an equation without its right side, if that is not too large.
    fn difference(&mut self, equation: TermId) -> Option<Polynomial> {
        let View::App(Op::Eq, [a, b]) = self.terms.view(equation) else { return None };
        let mut difference = self.polynomial(*a, 0);
        difference.add(u64::MAX, &[], &self.polynomial(*b, 0));
        difference.is_small().then_some(difference)
    }

    /// The factors of the products in an equation, but for constants.
    fn factors(&mut self, equation: TermId) -> Vec<(TermId, Polynomial)> {
        let mut found: Vec<TermId> = Vec::new();
        for part in parts(self.terms, equation) {
            if let View::App(Op::BvMul, factors) = self.terms.view(part) {
                found.extend(factors.iter().filter(|factor| self.terms.value(**factor).is_none()));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MOST_FACTORS);
        found.into_iter().map(|factor| (factor, self.polynomial(factor, 0))).collect()
    }

    fn polynomial(&mut self, term: TermId, depth: u32) -> Polynomial {
        if let Some(known) = self.read.get(&term) {
            return known.clone();
        }
        let width = self.terms.width(term);
        let sum = if depth < DEEPEST { self.sum(term, width, depth + 1) } else { None };
        let polynomial =
            sum.filter(Polynomial::is_small).unwrap_or_else(|| Polynomial::term(width, term));
        self.read.insert(term, polynomial.clone());
        polynomial
    }

    /// The polynomial of a constant, a sum, a difference or a product.
    fn sum(&mut self, term: TermId, width: u32, depth: u32) -> Option<Polynomial> {
        let (op, args) = match self.terms.view(term) {
            View::App(op, args) => (op, args),
            View::Const(Value::Bv(bits)) => {
                return Some(Polynomial::constant(width, bits.to_u64()?));
            }
            _ => return None,
        };
        let mut sum = Polynomial::constant(width, 0);
        match (op, args) {
            (Op::BvAdd, [a, b]) => {
                sum.add(1, &[], &self.polynomial(*a, depth));
                sum.add(1, &[], &self.polynomial(*b, depth));
            }
            (Op::BvSub, [a, b]) => {
                sum.add(1, &[], &self.polynomial(*a, depth));
                sum.add(u64::MAX, &[], &self.polynomial(*b, depth));
            }
            (Op::BvNeg, [a]) => sum.add(u64::MAX, &[], &self.polynomial(*a, depth)),
            // Flipping every bit of a word gives the negative of the word minus one.
            (Op::BvNot, [a]) => {
                sum.add(u64::MAX, &[], &self.polynomial(*a, depth));
                sum.add(u64::MAX, &[], &Polynomial::constant(width, 1));
            }
            (Op::BvMul, [a, b]) => {
                return self.polynomial(*a, depth).product(&self.polynomial(*b, depth));
            }
            (Op::BvShl, [a, by]) => {
                let Some(Value::Bv(by)) = self.terms.value(*by) else { return None };
                let by = by.to_u64().filter(|by| *by < u64::from(width))?;
                sum.add(1 << by, &[], &self.polynomial(*a, depth));
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let branch = if *self.case.get(condition)? { then } else { otherwise };
                return Some(self.polynomial(*branch, depth));
            }
            _ => return None,
        }
        Some(sum)
    }
}

/// Whether the term is an equation between words that fit into machine words.
fn is_equation(terms: &Terms, term: TermId) -> bool {
    matches!(terms.view(term), View::App(Op::Eq, [a, _])
        if matches!(terms.sort(*a), Sort::Bv(width) if width <= 64))
}

/// The equations in formulas.
fn equations(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut equations = terms.post_order(roots);
    equations.retain(|term| is_equation(terms, *term));
    equations
}

/// The equations among the conjuncts of formulas.
fn asserted(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut todo = roots.to_vec();
    while let Some(term) = todo.pop() {
        match terms.view(term) {
            View::App(Op::And, parts) => todo.extend(parts),
            _ if is_equation(terms, term) => found.push(term),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The sums, differences, products and choices that an equation is made of, outer terms before their parts.
fn parts(terms: &Terms, equation: TermId) -> Vec<TermId> {
    let mut found = vec![equation];
    let mut seen = FxHashSet::from_iter([equation]);
    let mut next = 0;
    while next < found.len() {
        let operands: &[TermId] = match terms.view(found[next]) {
            View::App(Op::Eq, sides) if next == 0 => sides,
            View::App(
                Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvNot | Op::BvMul | Op::BvShl,
                operands,
            ) => operands,
            View::App(Op::Ite, [_, branches @ ..]) => branches,
            _ => &[],
        };
        found.extend(operands.iter().filter(|operand| seen.insert(**operand)));
        next += 1;
    }
    found
}

fn has_product(terms: &Terms, equation: TermId) -> bool {
    parts(terms, equation).iter().any(|part| matches!(terms.view(*part), View::App(Op::BvMul, _)))
}

/// The first conditions that choose operands in an equation.
fn conditions(terms: &Terms, equation: TermId) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    for part in parts(terms, equation) {
        if let View::App(Op::Ite, [condition, ..]) = terms.view(part)
            && !found.contains(condition)
            && found.len() < MOST_CONDITIONS
        {
            found.push(*condition);
        }
    }
    found
}
