//! The system of constraints: what a caller sees.

use std::collections::BTreeMap;

use base::Id;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::integer::{self, IntegerOutcome};
use super::rational::{Delta, Rational};
use super::simplex::{Conflict, Side, Simplex, Solved, Why};
use super::tableau::{Column, ColumnSum};
use super::{Certificate, Constraint, Relation, Unknown};
use crate::Reason;
use run::Budget;

/// How many nodes the integer search visits unless told otherwise.
const NODES: u64 = 2_000;

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Outcome {
    /// There is a solution; [`System::value`] gives it.
    Sat,
    /// There is no solution, and this certificate says why.
    Unsat(Certificate),
    /// Whether there is a solution is not known.
    Unknown(Reason),
}

/// A point to which [`System::undo`] returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    bounds: usize,
    asserted: usize,
}

/// Variables, and constraints on them that can be taken back.
#[derive(Clone)]
pub struct System {
    simplex: Simplex,
    unknowns: Vec<Column>,
    /// The slack of each sum that a constraint had. Factors of a sum are made coprime integers, the first one positive,
    /// so that constraints on multiples of the same sum are bounds on one column.
    slacks: FxHashMap<ColumnSum, Column>,
    /// The sums of the slacks, in order of creation.
    sums: Vec<(Column, ColumnSum)>,
    asserted: usize,
    /// A contradiction found while asserting, and how many constraints were asserted before it.
    conflict: Option<(usize, Certificate)>,
    epsilon: Rational,
    nodes: u64,
    /// The constraints that are asserted, for checking answers.
    #[cfg(debug_assertions)]
    constraints: Vec<(u32, Constraint)>,
}

impl Default for System {
    fn default() -> System {
        System::new()
    }
}

impl System {
    /// A system without variables and constraints.
    #[must_use]
    pub fn new() -> System {
        System {
            simplex: Simplex::default(),
            unknowns: Vec::new(),
            slacks: FxHashMap::default(),
            sums: Vec::new(),
            asserted: 0,
            conflict: None,
            epsilon: Rational::ONE,
            nodes: NODES,
            #[cfg(debug_assertions)]
            constraints: Vec::new(),
        }
    }

    /// Sets how many nodes branch and bound may visit in one check before it gives up. The
    /// conflict limit of a check lowers this number further.
    pub fn set_node_budget(&mut self, nodes: u64) {
        self.nodes = nodes;
    }

    /// A new variable, over the integers or the rationals. [`System::undo`] does not remove it.
    pub fn variable(&mut self, integer: bool) -> Unknown {
        let unknown = Unknown::from_index(self.unknowns.len());
        self.unknowns.push(self.simplex.column(integer));
        unknown
    }

    /// How many variables there are.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.unknowns.len()
    }

    /// How many pivots all checks have made, as a measure of work. The pivots of the search for integers are counted,
    /// too.
    #[must_use]
    pub fn pivots(&self) -> u64 {
        self.simplex.pivots
    }

    /// Adds a constraint. The tag names the constraint in certificates, so no two constraints that hold at the same
    /// time should have the same tag.
    ///
    /// # Panics
    /// If a variable of the constraint belongs to another system.
    pub fn assert(&mut self, constraint: &Constraint, tag: u32) {
        let before = self.asserted;
        self.asserted += 1;
        #[cfg(debug_assertions)]
        self.constraints.push((tag, constraint.clone()));
        if self.conflict.is_some() {
            return;
        }
        if let Err(conflict) = self.restrict(constraint, tag) {
            self.conflict = Some((before, certificate(conflict)));
        }
    }

    fn restrict(&mut self, constraint: &Constraint, tag: u32) -> Result<(), Conflict> {
        let mut sum: BTreeMap<Column, Rational> = BTreeMap::new();
        for (factor, unknown) in &constraint.terms {
            let factor = Rational::from_big(factor.clone());
            let entry = sum.entry(self.unknowns[unknown.index()]).or_insert(Rational::ZERO);
            *entry = &*entry + &factor;
        }
        sum.retain(|_, factor| !factor.is_zero());
        let constant = Rational::from_big(constraint.constant.clone());

        let Some(first) = sum.values().next() else {
            return trivial(constraint.relation, &constant, tag);
        };
        // The sum is `scale` times the sum that a column stands for.
        let mut scale = sum.values().fold(Rational::ZERO, |gcd, factor| gcd.gcd(factor));
        if first.is_negative() {
            scale = -&scale;
        }
        let mut terms: ColumnSum =
            sum.into_iter().map(|(x, factor)| (x, &factor / &scale)).collect();
        let column = match terms.as_slice() {
            [(column, _)] => *column,
            _ => self.slack(std::mem::take(&mut terms)),
        };

        let factor = scale.recip();
        let value = &constant * &factor;
        let upper = Why::Asserted { tag, factor: factor.clone() };
        let lower = Why::Asserted { tag, factor: -&factor };
        match constraint.relation {
            Relation::Equal => {
                self.simplex.restrict(column, Side::Upper, Delta::new(value.clone()), upper)?;
                self.simplex.restrict(column, Side::Lower, Delta::new(value), lower)
            }
            Relation::LessEqual | Relation::Less => {
                let strict = constraint.relation == Relation::Less;
                let delta = if strict { Rational::ONE } else { Rational::ZERO };
                if scale.is_positive() {
                    let value = Delta { real: value, delta: -&delta };
                    self.simplex.restrict(column, Side::Upper, value, upper)
                } else {
                    let value = Delta { real: value, delta };
                    self.simplex.restrict(column, Side::Lower, value, lower)
                }
            }
        }
    }

    /// The column that equals a sum of at least two variables with coprime integer factors.
    fn slack(&mut self, sum: ColumnSum) -> Column {
        if let Some(column) = self.slacks.get(&sum) {
            return *column;
        }
        let integer = sum.iter().all(|(column, _)| self.simplex.is_integer(*column));
        let column = self.simplex.slack(&sum, integer);
        self.slacks.insert(sum.clone(), column);
        self.sums.push((column, sum));
        column
    }

    /// The point at which the system is now.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark { bounds: self.simplex.mark(), asserted: self.asserted }
    }

    /// Takes back the constraints that were asserted since the mark. Marks are undone in the reverse order of their
    /// making; a mark before which the system is already changes nothing.
    pub fn undo(&mut self, mark: Mark) {
        if mark.asserted > self.asserted {
            return;
        }
        self.simplex.undo(mark.bounds);
        self.asserted = mark.asserted;
        #[cfg(debug_assertions)]
        self.constraints.truncate(mark.asserted);
        if self.conflict.as_ref().is_some_and(|(before, _)| *before >= mark.asserted) {
            self.conflict = None;
        }
    }

    /// Whether the asserted constraints have a common solution.
    pub fn check(&mut self, limits: &Budget) -> Outcome {
        let outcome = self.decide(limits);
        #[cfg(debug_assertions)]
        self.verify(&outcome);
        outcome
    }

    fn decide(&mut self, limits: &Budget) -> Outcome {
        if let Some((_, certificate)) = &self.conflict {
            return Outcome::Unsat(certificate.clone());
        }
        match self.simplex.solve(limits) {
            Solved::Infeasible(conflict) => return Outcome::Unsat(certificate(conflict)),
            Solved::Stopped(reason) => return Outcome::Unknown(reason),
            Solved::Feasible => {}
        }
        let fractional = |column: &Column| {
            self.simplex.is_integer(*column) && !self.simplex.value(*column).is_integer()
        };
        if self.unknowns.iter().any(fractional) {
            let nodes = limits.conflicts().map_or(self.nodes, |most| most.min(self.nodes));
            let (found, pivots) =
                integer::search(&self.simplex, &self.unknowns, &self.sums, nodes, limits);
            self.simplex.pivots += pivots;
            match found {
                IntegerOutcome::Solution(values) => self.simplex.adopt(values),
                IntegerOutcome::Core(tags) => {
                    let farkas = tags.into_iter().map(|tag| (tag, BigRational::one())).collect();
                    return Outcome::Unsat(Certificate { farkas, integer: true });
                }
                IntegerOutcome::Nothing(reason) => return Outcome::Unknown(reason),
            }
        }
        self.epsilon = self.simplex.epsilon();
        Outcome::Sat
    }

    /// The value of a variable in the solution that the last check found. If that check did not
    /// answer Sat, the number means nothing.
    ///
    /// # Panics
    /// If the variable belongs to another system.
    #[must_use]
    pub fn value(&self, unknown: Unknown) -> BigRational {
        let value = self.simplex.value(self.unknowns[unknown.index()]);
        value.real.plus(&self.epsilon, &value.delta).to_big()
    }

    /// Re-checks an answer, in debug builds.
    #[cfg(debug_assertions)]
    fn verify(&self, outcome: &Outcome) {
        match outcome {
            Outcome::Sat => {
                for (tag, constraint) in &self.constraints {
                    debug_assert!(constraint.satisfied(|x| self.value(x)), "{tag} fails");
                }
                for (index, column) in self.unknowns.iter().enumerate() {
                    let value = self.value(Unknown::from_index(index));
                    debug_assert!(!self.simplex.is_integer(*column) || value.is_integer());
                }
            }
            Outcome::Unsat(certificate) if !certificate.integer => {
                let by_tag: FxHashMap<u32, &Constraint> =
                    self.constraints.iter().rev().map(|(tag, c)| (*tag, c)).collect();
                debug_assert!(certificate.holds(|tag| by_tag.get(&tag).copied()));
            }
            Outcome::Unsat(_) | Outcome::Unknown(_) => {}
        }
    }
}

/// Checks a constraint whose sum has no variables.
fn trivial(relation: Relation, constant: &Rational, tag: u32) -> Result<(), Conflict> {
    let holds = match relation {
        Relation::LessEqual => !constant.is_negative(),
        Relation::Less => constant.is_positive(),
        Relation::Equal => constant.is_zero(),
    };
    if holds {
        return Ok(());
    }
    // `0 = 1` sums to `0 <= negative` only with a negative multiplier.
    let factor = if relation == Relation::Equal && constant.is_positive() {
        -&Rational::ONE
    } else {
        Rational::ONE
    };
    Err(vec![(Why::Asserted { tag, factor }, Rational::ONE)])
}

/// The Farkas certificate of a conflict between asserted bounds.
fn certificate(conflict: Conflict) -> Certificate {
    let mut farkas: BTreeMap<u32, BigRational> = BTreeMap::new();
    for (why, multiplier) in conflict {
        // Branches and derived bounds exist only inside the integer search.
        if let Why::Asserted { tag, factor } = why {
            *farkas.entry(tag).or_insert_with(BigRational::zero) +=
                (&multiplier * &factor).to_big();
        }
    }
    farkas.retain(|_, multiplier| !multiplier.is_zero());
    Certificate { farkas: farkas.into_iter().collect(), integer: false }
}
