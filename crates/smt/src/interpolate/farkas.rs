//! Interpolants from Farkas certificates (McMillan 2005).
//!
//! Where the definitions and the constraints of the core are linear, a certificate names factors with which they add up
//! to a contradiction. The part of the sum that comes from before a cut is an interpolant for this cut. A constraint
//! that says that a sum differs from zero is two cases, a negative and a positive sum, each with an interpolant of its
//! own. If the constraint comes after the cut, both interpolants must hold; if it comes before the cut, one of the two
//! holds.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;
use term::{Sort, TermId};

use super::linearise::{Literal, Reading, Sum, definition, formula, literals, reading};
use super::work::{Interpolants, Work};
use crate::linear::{Constraint, Outcome, Relation, System, Unknown};
use crate::{Cores, Models, Reason};

/// How many cases are looked at.
const CASES: usize = 16;

/// How many rows are made between two looks at the limits.
const ROWS_PER_LOOK: usize = 256;

/// A sum compared with zero, and the block that says so.
#[derive(Clone)]
struct Row {
    block: usize,
    sum: Sum,
    relation: Relation,
}

pub(super) fn interpolants<S: Models + Cores>(work: &mut Work<'_, S>) -> Interpolants {
    let no = |why: &str| Reason::Failed(why.to_owned());
    let all = work
        .blocks
        .iter()
        .flat_map(|block| block.definitions.iter().map(|(_, term)| term).chain(&block.constraints));
    let read = reading(work.terms, all)
        .ok_or_else(|| no("numbers are read as signed here and as unsigned there"))?;
    let mut rows = Vec::new();
    let mut splits = Vec::new();
    for (number, block) in work.blocks.iter().enumerate() {
        work.look()?;
        for (var, value) in &block.definitions {
            if let Some(sum) = definition(work.terms, *var, *value, read) {
                rows.push(Row { block: number, sum, relation: Relation::Equal });
            }
        }
        let mut found = Vec::new();
        for constraint in &block.constraints {
            literals(work.terms, *constraint, read, &mut found)
                .ok_or_else(|| no("a constraint is not linear"))?;
        }
        for literal in found {
            match literal {
                Literal::Compared(sum, relation) => {
                    rows.push(Row { block: number, sum, relation });
                }
                Literal::NotZero(sum) => splits.push((number, sum)),
            }
        }
    }
    add_ranges(work, &mut rows, read);
    let mut cases = Cases { reading: read, count: 0 };
    cases.refute(work, &mut rows, &splits)
}

/// Adds rows for the ranges of bit-vectors. A range belongs to the first block that mentions the term.
fn add_ranges<S>(work: &Work<'_, S>, rows: &mut Vec<Row>, reading: Reading) {
    let mut seen = FxHashMap::default();
    for row in rows.iter() {
        for term in row.sum.factors.keys() {
            seen.entry(*term).or_insert(row.block);
        }
    }
    let mut ranged: Vec<(TermId, usize)> = seen.into_iter().collect();
    ranged.sort_unstable();
    for (term, block) in ranged {
        let Sort::Bv(width) = work.terms.sort(term) else { continue };
        let half = BigInt::from(1) << (width - 1);
        let (low, high): (BigInt, BigInt) = match reading {
            Reading::Signed => (-half.clone(), half - 1_u32),
            Reading::Unsigned => (BigInt::zero(), half * 2_u32 - 1_u32),
        };
        let one = BigRational::from_integer(1.into());
        for (factor, bound) in [(one.clone(), -high), (-one, low)] {
            let sum = Sum { factors: [(term, factor)].into(), constant: bound.into() };
            rows.push(Row { block, sum, relation: Relation::LessEqual });
        }
    }
}

struct Cases {
    reading: Reading,
    count: usize,
}

impl Cases {
    /// Interpolants for rows, and for constraints that sums differ from zero.
    fn refute<S: Models + Cores>(
        &mut self,
        work: &mut Work<'_, S>,
        rows: &mut Vec<Row>,
        splits: &[(usize, Sum)],
    ) -> Interpolants {
        let Some(((block, sum), rest)) = splits.split_first() else {
            self.count += 1;
            if self.count > CASES {
                return Err(Reason::Failed("too many cases".to_owned()));
            }
            return self.certify(work, rows);
        };
        let mut sides = Vec::new();
        for sign in [1, -1] {
            let sum = sum.times(&BigRational::from_integer(sign.into()));
            rows.push(Row { block: *block, sum, relation: Relation::Less });
            let found = self.refute(work, rows, rest);
            rows.pop();
            sides.push(found?);
        }
        let mut found = Vec::with_capacity(sides[0].len());
        for (index, (below, above)) in sides[0].iter().zip(&sides[1]).enumerate() {
            let before_cut = *block <= index;
            found.push(if before_cut {
                work.terms.or2(*below, *above)
            } else {
                work.terms.and2(*below, *above)
            });
        }
        Ok(found)
    }

    /// Interpolants for rows, from a certificate.
    fn certify<S: Models + Cores>(&self, work: &mut Work<'_, S>, rows: &[Row]) -> Interpolants {
        let mut system = System::new();
        let mut unknowns: FxHashMap<TermId, Unknown> = FxHashMap::default();
        let mut scaled: Vec<Row> = Vec::with_capacity(rows.len());
        for (tag, row) in rows.iter().enumerate() {
            if tag.is_multiple_of(ROWS_PER_LOOK) {
                work.look()?;
            }
            let integral = row.sum.factors.keys().all(|term| work.terms.sort(*term) != Sort::Rat);
            let mut terms = Vec::with_capacity(row.sum.factors.len());
            for (term, factor) in &row.sum.factors {
                let integer = work.terms.sort(*term) != Sort::Rat;
                let unknown = *unknowns.entry(*term).or_insert_with(|| system.variable(integer));
                terms.push((factor.clone(), unknown));
            }
            let mut row = row.clone();
            // Over the integers, less than a number means at most the number minus one.
            if integral && row.relation == Relation::Less && is_integral(&row.sum) {
                row.sum.constant += BigRational::from_integer(1.into());
                row.relation = Relation::LessEqual;
            }
            let constraint =
                Constraint { terms, relation: row.relation, constant: -&row.sum.constant };
            // No path has so many constraints that the tag is cut off.
            system.assert(&constraint, tag as u32);
            scaled.push(row);
        }
        let certificate = match system.check(work.limits) {
            Outcome::Unsat(certificate) if !certificate.integer => certificate,
            Outcome::Unsat(_) => {
                return Err(Reason::Failed("the contradiction is one of integers".to_owned()));
            }
            Outcome::Sat => {
                return Err(Reason::Failed("the contradiction is not linear".to_owned()));
            }
            Outcome::Unknown(reason) => return Err(reason),
        };
        // The rows before a cut are the rows before the previous cut and the rows of one more block.
        let mut rows: Vec<(&Row, &BigRational)> =
            certificate.farkas.iter().map(|(tag, times)| (&scaled[*tag as usize], times)).collect();
        rows.sort_by_key(|(row, _)| row.block);
        let mut rows = rows.into_iter().peekable();
        let mut sum = Sum::default();
        let mut relation = Relation::Equal;
        let mut found = Vec::new();
        for cut in 1..work.blocks.len() {
            work.look()?;
            while let Some((row, times)) = rows.next_if(|(row, _)| row.block < cut) {
                sum.add(times, &row.sum);
                relation = match (relation, row.relation) {
                    (_, Relation::Less) if times.is_positive() => Relation::Less,
                    (Relation::Equal, Relation::LessEqual | Relation::Less) => Relation::LessEqual,
                    (relation, _) => relation,
                };
            }
            let term = formula(work.terms, sum.clone(), relation, self.reading);
            found.push(term.ok_or_else(|| Reason::Failed("a sum over several sorts".to_owned()))?);
        }
        Ok(found)
    }
}

fn is_integral(sum: &Sum) -> bool {
    sum.constant.is_integer() && sum.factors.values().all(BigRational::is_integer)
}
