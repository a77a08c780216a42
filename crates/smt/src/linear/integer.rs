//! The search for integral solutions, once the rational ones are known to exist.
//!
//! The search works on a copy of the simplex, so that rounded bounds, cuts and branches never reach a
//! certificate over the rationals. Bounds are rounded, equations eliminated ([`super::equations`]),
//! cuts added ([`super::cuts`]); what is left is branch and bound, depth first, on an explicit
//! stack. Every derived bound knows its causes, so an exhausted search has a core, and a branch
//! that had no part in a contradiction is not tried the other way.

use std::collections::BTreeSet;

use super::rational::{Delta, Rational};
use super::search::{Cause, Causes, Frame, Halt, Search};
use super::simplex::{Side, Simplex, Why};
use super::tableau::{Column, ColumnSum};
use super::{cuts, equations};
use crate::Reason;
use run::Budget;

/// What the search found.
pub(super) enum IntegerOutcome {
    /// Values of all columns that satisfy everything.
    Solution(Vec<Delta>),
    /// Tags of constraints without a common integral solution.
    Core(BTreeSet<u32>),
    /// The budget or the limits were used up.
    Nothing(Reason),
}

/// Looks for values that are integers for all integer columns. Also says how many pivots the search took.
pub(super) fn search(
    simplex: &Simplex,
    unknowns: &[Column],
    sums: &[(Column, ColumnSum)],
    nodes: u64,
    limits: &Budget,
) -> (IntegerOutcome, u64) {
    let columns = simplex.columns() as usize;
    let mut search = Search {
        simplex: simplex.clone(),
        derived: Vec::new(),
        branches: 0,
        frames: Vec::new(),
        limits,
    };
    let found = match search.run(unknowns, sums, nodes) {
        Ok(()) => {
            // The slacks of cuts and other columns that the search has added come last, and are not known to the
            // caller.
            let mut values = search.simplex.values().to_vec();
            values.truncate(columns);
            IntegerOutcome::Solution(values)
        }
        Err(Halt::Stopped(reason)) => IntegerOutcome::Nothing(reason),
        Err(Halt::Contradiction(causes)) => {
            let tag = |cause| match cause {
                Cause::Tag(tag) => Some(tag),
                // All branches are closed by now.
                Cause::Branch(_) => None,
            };
            IntegerOutcome::Core(causes.into_iter().filter_map(tag).collect())
        }
    };
    (found, search.simplex.pivots - simplex.pivots)
}

impl Search<'_> {
    fn run(
        &mut self,
        unknowns: &[Column],
        sums: &[(Column, ColumnSum)],
        nodes: u64,
    ) -> Result<(), Halt> {
        self.round()?;
        let free = equations::propagate(self, unknowns, sums)?;
        self.solve()?;
        self.divisible()?;
        cuts::add(self, &free)?;
        if self.fractional(&free).is_some() {
            self.settle(&free);
            self.solve()?;
        }
        let mut visited = 0;
        loop {
            let Some(column) = self.fractional(&free) else { return Ok(()) };
            visited += 1;
            if visited > nodes {
                return Err(Halt::Stopped(Reason::Conflicts));
            }
            if let Some(reason) = self.limits.exceeded() {
                return Err(Halt::Stopped(reason.into()));
            }
            self.branch(column);
            // A contradiction closes this node and moves to the next open node, which may be contradictory, too.
            let mut step = self.node();
            while let Err(halt) = step {
                let Halt::Contradiction(causes) = halt else { return Err(halt) };
                self.backtrack(causes)?;
                step = self.node();
            }
        }
    }

    /// Makes the columns to branch on nonbasic and their values integers. If no other column is bounded, this is a
    /// solution. Branching might not find it: each side of a branch can push another column off the integers, without
    /// end.
    fn settle(&mut self, free: &[Column]) {
        for column in free {
            let row = self.simplex.tableau.row_of(*column).iter().map(|(other, _)| *other);
            let movable = |other: &Column| {
                free.binary_search(other).is_err() && self.simplex.fixed(*other).is_none()
            };
            let bounds = |other: &Column| {
                [Side::Lower, Side::Upper]
                    .iter()
                    .filter(|side| self.simplex.bound(*other, **side).is_some())
                    .count()
            };
            if let Some(other) = row.filter(movable).min_by_key(bounds) {
                self.simplex.exchange(*column, other);
            }
            if !self.simplex.tableau.is_basic(*column) {
                // Bounds are integers here, so that the floor is within them.
                let floor = self.simplex.value(*column).floor();
                self.simplex.place(*column, &floor);
            }
        }
    }

    fn node(&mut self) -> Result<(), Halt> {
        self.solve()?;
        self.divisible()
    }

    /// Rounds the bounds of integer columns.
    fn round(&mut self) -> Result<(), Halt> {
        for column in 0..self.simplex.columns() {
            if !self.simplex.is_integer(column) {
                continue;
            }
            for side in [Side::Lower, Side::Upper] {
                let Some(bound) = self.simplex.bound(column, side) else { continue };
                if bound.value.is_integer() {
                    continue;
                }
                let value = match side {
                    Side::Lower => bound.value.ceil(),
                    Side::Upper => bound.value.floor(),
                };
                let why = bound.why.clone();
                self.restrict(column, side, value, why)?;
            }
        }
        Ok(())
    }

    /// A row of integer columns has no solution if the free factors have a common divisor that
    /// does not divide what the fixed columns add up to (Dutertre & de Moura 2006, §4).
    fn divisible(&self) -> Result<(), Halt> {
        for (basic, sum) in self.simplex.tableau.iter() {
            let minus_one = -&Rational::ONE;
            let terms = || sum.iter().map(|(x, factor)| (*x, factor)).chain([(*basic, &minus_one)]);
            if !terms().all(|(column, _)| self.simplex.is_integer(column)) {
                continue;
            }
            let (mut gcd, mut constant) = (Rational::ZERO, Rational::ZERO);
            for (column, factor) in terms() {
                match self.simplex.fixed(column) {
                    Some(value) => constant = constant.plus(factor, &value.real),
                    None => gcd = gcd.gcd(factor),
                }
            }
            // If no column is free, the row holds, since the values satisfy it.
            if gcd.is_zero() || (&constant / &gcd).is_integer() {
                continue;
            }
            let mut causes = Causes::new();
            for (column, factor) in terms() {
                // A fixed column whose factor is a multiple of the divisor plays no part, since the contradiction holds
                // for all of its values.
                if self.simplex.fixed(column).is_some() && !(factor / &gcd).is_integer() {
                    self.blame(column, Side::Lower, &mut causes);
                    self.blame(column, Side::Upper, &mut causes);
                }
            }
            return Err(Halt::Contradiction(causes));
        }
        Ok(())
    }

    /// An integer column whose value is not an integer: a column with the fewest possible values, or the first such
    /// column if none is bounded on both sides.
    fn fractional(&self, columns: &[Column]) -> Option<Column> {
        let mut best: Option<(Option<Rational>, Column)> = None;
        for column in columns {
            if self.simplex.value(*column).is_integer() {
                continue;
            }
            let lower = self.simplex.bound(*column, Side::Lower);
            let upper = self.simplex.bound(*column, Side::Upper);
            let range = match (lower, upper) {
                (Some(lower), Some(upper)) => Some(&upper.value.real - &lower.value.real),
                _ => None,
            };
            let better = match (&best, &range) {
                (None, _) | (Some((None, _)), Some(_)) => true,
                (Some((Some(least), _)), Some(range)) => range < least,
                (Some(_), None) => false,
            };
            if better {
                best = Some((range, *column));
            }
        }
        best.map(|(_, column)| column)
    }

    /// Splits on a variable whose value is not an integer, the nearer side first.
    fn branch(&mut self, column: Column) {
        let value = self.simplex.value(column);
        let below = value.floor();
        let above = &below + &Rational::ONE;
        let rest = &(&value.real - &below) + &(&value.real - &below);
        let sides = [(Side::Upper, below), (Side::Lower, above)];
        let [first, second] = if rest > Rational::ONE {
            let [upper, lower] = sides;
            [lower, upper]
        } else {
            sides
        };
        let mark = self.simplex.mark();
        let branch = self.new_branch();
        let second = (second.0, Delta::new(second.1));
        self.frames.push(Frame { mark, column, second, branch, first: None });
        // The value is strictly within the bounds, which are integers: neither side is empty.
        let restricted = self.restrict(column, first.0, first.1, Why::Branch(branch));
        debug_assert!(restricted.is_ok(), "a branch lies within the bounds");
    }

    fn new_branch(&mut self) -> u32 {
        self.branches += 1;
        self.branches
    }

    /// Closes nodes from the innermost outwards until a node has a side left to try, and opens this side. The error is
    /// the contradiction of the whole tree.
    fn backtrack(&mut self, mut causes: Causes) -> Result<(), Halt> {
        while let Some(mut frame) = self.frames.pop() {
            self.simplex.undo(frame.mark);
            if !causes.remove(&Cause::Branch(frame.branch)) {
                // The contradiction does not need this split at all.
                continue;
            }
            if let Some(first) = frame.first {
                causes.extend(first);
                continue;
            }
            frame.branch = self.new_branch();
            frame.first = Some(causes);
            let (side, value) = frame.second.clone();
            let (column, branch) = (frame.column, frame.branch);
            self.frames.push(frame);
            match self.restrict(column, side, value.real, Why::Branch(branch)) {
                Ok(()) => return Ok(()),
                Err(Halt::Contradiction(found)) => causes = found,
                Err(stopped) => return Err(stopped),
            }
        }
        Err(Halt::Contradiction(causes))
    }
}
