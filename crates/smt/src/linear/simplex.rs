//! The general simplex method over bounds with reasons (Dutertre & de Moura 2006, §3).
//!
//! Every column is a variable or the slack of a sum; a row expresses one basic column by nonbasic
//! ones. Constraints are bounds on columns. The values always satisfy the rows; after the first
//! step of [`Simplex::solve`] the nonbasic ones also satisfy their bounds, and pivoting repairs
//! the basic ones.

use super::rational::{Delta, Rational};
use super::tableau::{Column, Tableau};
use crate::Reason;
use run::{Budget, Exceeded};

/// Which bound of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Lower,
    Upper,
}

impl Side {
    pub(super) fn other(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }
}

/// Why a bound holds.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Why {
    /// The constraint of this tag times the factor says `column <= value` for an upper bound and
    /// `-column <= -value` for a lower one, or something from which that follows by rounding.
    Asserted { tag: u32, factor: Rational },
    /// The bound is one side of a branch of the integer search.
    Branch(u32),
    /// The bound follows over the integers from a set of causes that the integer search keeps.
    Derived(u32),
}

/// A bound with its reason.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) value: Delta,
    pub(super) why: Why,
}

/// Bounds that cannot hold together, with the multipliers under which they sum to falsity.
pub(super) type Conflict = Vec<(Why, Rational)>;

/// What solving found.
pub(super) enum Solved {
    Feasible,
    Infeasible(Conflict),
    Stopped(Reason),
}

#[derive(Clone)]
struct Bounds {
    integer: bool,
    lower: Option<Bound>,
    upper: Option<Bound>,
}

#[derive(Clone)]
struct Change {
    column: Column,
    side: Side,
    before: Option<Bound>,
}

/// How many pivots pass between two looks at the limits.
const PIVOTS_PER_LOOK: u64 = 16;

/// The bytes that a factor of the tableau takes, with its share of the index of uses. Large numbers take more.
const BYTES_PER_FACTOR: usize = 48;

/// Columns, their bounds and values, and the tableau.
#[derive(Clone, Default)]
pub(super) struct Simplex {
    pub(super) tableau: Tableau,
    bounds: Vec<Bounds>,
    values: Vec<Delta>,
    /// Columns whose value may be out of bounds: all columns for which it is are among them.
    suspects: Vec<Column>,
    suspected: Vec<bool>,
    trail: Vec<Change>,
    pub(super) pivots: u64,
}

impl Simplex {
    /// A new nonbasic column without bounds.
    pub(super) fn column(&mut self, integer: bool) -> Column {
        self.bounds.push(Bounds { integer, lower: None, upper: None });
        self.values.push(Delta::ZERO);
        self.suspected.push(false);
        self.tableau.column()
    }

    /// A new basic column that equals a sum of columns, each at most once in it.
    pub(super) fn slack(&mut self, terms: &[(Column, Rational)], integer: bool) -> Column {
        let slack = self.column(integer);
        let mut value = Delta::ZERO;
        for (column, factor) in terms {
            value = value.plus(factor, self.value(*column));
        }
        self.values[slack as usize] = value;
        self.tableau.define(slack, terms);
        slack
    }

    pub(super) fn columns(&self) -> u32 {
        // A table of columns is indexed by u32 throughout.
        self.bounds.len() as u32
    }

    pub(super) fn is_integer(&self, column: Column) -> bool {
        self.bounds[column as usize].integer
    }

    pub(super) fn value(&self, column: Column) -> &Delta {
        &self.values[column as usize]
    }

    pub(super) fn values(&self) -> &[Delta] {
        &self.values
    }

    /// Takes over values that satisfy all rows and bounds.
    pub(super) fn adopt(&mut self, values: Vec<Delta>) {
        self.values = values;
    }

    pub(super) fn bound(&self, column: Column, side: Side) -> Option<&Bound> {
        let bounds = &self.bounds[column as usize];
        match side {
            Side::Lower => bounds.lower.as_ref(),
            Side::Upper => bounds.upper.as_ref(),
        }
    }

    /// The value that both bounds of a column leave, if they leave only one.
    pub(super) fn fixed(&self, column: Column) -> Option<&Delta> {
        let bounds = &self.bounds[column as usize];
        match (&bounds.lower, &bounds.upper) {
            (Some(lower), Some(upper)) if lower.value == upper.value => Some(&lower.value),
            _ => None,
        }
    }

    /// Restricts a column. A bound that says no more than the present one changes nothing; a bound that contradicts the
    /// opposite bound is refused, and the two bounds are the conflict.
    pub(super) fn restrict(
        &mut self,
        column: Column,
        side: Side,
        value: Delta,
        why: Why,
    ) -> Result<(), Conflict> {
        let tighter = |than: &Delta, side: Side| match side {
            Side::Lower => value > *than,
            Side::Upper => value < *than,
        };
        if self.bound(column, side).is_some_and(|bound| !tighter(&bound.value, side)) {
            return Ok(());
        }
        if let Some(opposite) = self.bound(column, side.other())
            && tighter(&opposite.value, side)
        {
            return Err(vec![(why, Rational::ONE), (opposite.why.clone(), Rational::ONE)]);
        }
        let bounds = &mut self.bounds[column as usize];
        let slot = match side {
            Side::Lower => &mut bounds.lower,
            Side::Upper => &mut bounds.upper,
        };
        let before = slot.replace(Bound { value, why });
        self.trail.push(Change { column, side, before });
        self.suspect(column);
        Ok(())
    }

    /// How many changes of bounds there have been; [`Simplex::undo`] returns to this point.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back the bounds since a mark. The values stay: with weaker bounds they are no worse.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(change) = self.trail.pop() else { return };
            let bounds = &mut self.bounds[change.column as usize];
            match change.side {
                Side::Lower => bounds.lower = change.before,
                Side::Upper => bounds.upper = change.before,
            }
        }
    }

    fn suspect(&mut self, column: Column) {
        let suspected = &mut self.suspected[column as usize];
        if !*suspected {
            *suspected = true;
            self.suspects.push(column);
        }
    }

    /// The bound that the value of a column violates.
    fn violated(&self, column: Column) -> Option<(Side, &Delta)> {
        let value = self.value(column);
        let bounds = &self.bounds[column as usize];
        if let Some(lower) = &bounds.lower
            && *value < lower.value
        {
            return Some((Side::Lower, &lower.value));
        }
        if let Some(upper) = &bounds.upper
            && *value > upper.value
        {
            return Some((Side::Upper, &upper.value));
        }
        None
    }

    /// Looks for values within all bounds, integrality aside.
    pub(super) fn solve(&mut self, limits: &Budget) -> Solved {
        self.settle_nonbasic();
        // Choosing for sparsity is quick but may cycle; Bland's rule does not, so it takes over.
        let patience = self.pivots + 64 + 2 * self.tableau.rows() as u64;
        loop {
            let bland = self.pivots > patience;
            let Some((leaving, side)) = self.leaving(bland) else { return Solved::Feasible };
            let Some((entering, factor)) = self.entering(leaving, side, bland) else {
                return Solved::Infeasible(self.explain(leaving, side));
            };
            let Some(target) = self.bound(leaving, side).map(|bound| bound.value.clone()) else {
                // There is a bound on this side, since `leaving` violates it.
                return Solved::Feasible;
            };
            let step = target.minus(self.value(leaving)).scaled(&factor.recip());
            self.shift(entering, &step);
            self.tableau.pivot(leaving, entering);
            self.pivots += 1;
            if self.pivots.is_multiple_of(PIVOTS_PER_LOOK) {
                if let Some(reason) = limits.exceeded() {
                    return Solved::Stopped(reason.into());
                }
                let bytes = self.tableau.factors() * BYTES_PER_FACTOR;
                if limits.memory().is_some_and(|most| bytes as u64 > most) {
                    return Solved::Stopped(Exceeded::Memory.into());
                }
            }
        }
    }

    /// Makes a basic column nonbasic in exchange for one of its row, without a change of values.
    pub(super) fn exchange(&mut self, leaving: Column, entering: Column) {
        self.tableau.pivot(leaving, entering);
        self.pivots += 1;
    }

    /// Moves a nonbasic column to a value within its bounds; basic columns may leave their bounds.
    pub(super) fn place(&mut self, column: Column, value: &Rational) {
        let step = Delta::new(value.clone()).minus(self.value(column));
        self.shift(column, &step);
    }

    /// Moves nonbasic columns into their bounds.
    fn settle_nonbasic(&mut self) {
        let mut next = 0;
        while next < self.suspects.len() {
            let column = self.suspects[next];
            next += 1;
            if self.tableau.is_basic(column) {
                continue;
            }
            if let Some((_, target)) = self.violated(column) {
                let step = target.minus(self.value(column));
                self.shift(column, &step);
            }
        }
    }

    /// Adds to the value of a nonbasic column, and changes the basic columns that depend on it.
    fn shift(&mut self, column: Column, step: &Delta) {
        let value = &mut self.values[column as usize];
        *value = value.plus(&Rational::ONE, step);
        self.suspect(column);
        for at in 0..self.tableau.uses(column).len() {
            let row = self.tableau.uses(column)[at];
            let basic = self.tableau.basic(row);
            if let Some(factor) = self.tableau.factor(row, column) {
                let value = &mut self.values[basic as usize];
                *value = value.plus(factor, step);
            }
            self.suspect(basic);
        }
    }

    /// A basic column out of bounds: the smallest for Bland's rule, otherwise the column with the shortest row. Short
    /// rows keep the tableau sparse and its numbers small, which on sparse systems is worth far more than the fewer
    /// pivots that the greatest violation would need; short rows also make short explanations.
    fn leaving(&mut self, bland: bool) -> Option<(Column, Side)> {
        let mut best: Option<(usize, Column, Side)> = None;
        let mut kept = 0;
        for at in 0..self.suspects.len() {
            let column = self.suspects[at];
            let Some((side, _)) = self.violated(column) else {
                self.suspected[column as usize] = false;
                continue;
            };
            let length = if bland { 0 } else { self.tableau.row_of(column).len() };
            if best.is_none_or(|(least, chosen, _)| (length, column) < (least, chosen)) {
                best = Some((length, column, side));
            }
            self.suspects[kept] = column;
            kept += 1;
        }
        self.suspects.truncate(kept);
        best.map(|(_, column, side)| (column, side))
    }

    /// A nonbasic column that can move `leaving` towards the bound on `side`: the smallest for Bland's rule, otherwise
    /// the column whose pivot touches the fewest rows.
    fn entering(&self, leaving: Column, side: Side, bland: bool) -> Option<(Column, Rational)> {
        let mut best: Option<(usize, Column, &Rational)> = None;
        for (column, factor) in self.tableau.row_of(leaving) {
            let upwards = factor.is_positive() == (side == Side::Lower);
            let free = if upwards { Side::Upper } else { Side::Lower };
            if self.bound(*column, free).is_some_and(|bound| *self.value(*column) == bound.value) {
                continue;
            }
            // Rows are sorted by column, so the first that fits is the smallest.
            if bland {
                return Some((*column, factor.clone()));
            }
            let uses = self.tableau.uses(*column).len();
            if best.is_none_or(|(fewest, ..)| uses < fewest) {
                best = Some((uses, *column, factor));
            }
        }
        best.map(|(_, column, factor)| (column, factor.clone()))
    }

    /// The bounds that keep `leaving` from its bound on `side` (Dutertre & de Moura 2006, §3.2): these bounds,
    /// each times its factor, and the row or its negation add up to a contradiction.
    fn explain(&self, leaving: Column, side: Side) -> Conflict {
        let mut conflict = Conflict::new();
        if let Some(bound) = self.bound(leaving, side) {
            conflict.push((bound.why.clone(), Rational::ONE));
        }
        for (column, factor) in self.tableau.row_of(leaving) {
            let upwards = factor.is_positive() == (side == Side::Lower);
            let blocking = if upwards { Side::Upper } else { Side::Lower };
            if let Some(bound) = self.bound(*column, blocking) {
                conflict.push((bound.why.clone(), factor.abs()));
            }
        }
        conflict
    }

    /// A positive number small enough to stand for δ in all bounds (Dutertre & de Moura 2006,
    /// §3.3).
    pub(super) fn epsilon(&self) -> Rational {
        let mut epsilon = Rational::ONE;
        let mut order = |small: &Delta, large: &Delta| {
            if small.delta > large.delta && small.real < large.real {
                let most = &(&large.real - &small.real) / &(&small.delta - &large.delta);
                if most < epsilon {
                    epsilon = most;
                }
            }
        };
        for (bounds, value) in self.bounds.iter().zip(&self.values) {
            if let Some(lower) = &bounds.lower {
                order(&lower.value, value);
            }
            if let Some(upper) = &bounds.upper {
                order(value, &upper.value);
            }
        }
        epsilon
    }
}
