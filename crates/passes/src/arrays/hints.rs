//! Guesses at invariants of the elements that are followed.
//!
//! A loop that goes through an array has done its work on the elements before its index, or after it if
//! it goes down. The effect of this work is guessed from the conditions that the program asks about
//! elements and from the values that the program stores; each guess is stated for the elements that are
//! followed.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Op as Step, Program};
use domains::value::ObjectSite;
use run::Hints;
use term::{Op, Sort, TermId, Terms, Var, View};

use super::cell::Cell;
use super::element::{Arrays, Field, Shape};
use super::prophecy::Chosen;

/// Facts beyond these are not guessed.
const MOST_FACTS: usize = 40;

/// How many guesses are made at most.
const MOST_HINTS: usize = 3000;

/// Guesses from the conditions and stores of a program: first that a fact holds of the elements that were passed on the
/// way up, then the same for other ways through the array, and that one of two facts holds.
pub(super) fn hints(
    program: &Program,
    terms: &mut Terms,
    arrays: &Arrays,
    chosen: &Chosen,
    cells: &BTreeMap<ObjectSite, Vec<Cell>>,
    lasts: &BTreeMap<Var, Var>,
) -> [Hints; 2] {
    let (mut single, mut paired, mut first) = (Vec::new(), Vec::new(), BTreeMap::new());
    let unforeseen: Vec<TermId> = lasts
        .iter()
        .map(|(var, last)| {
            let (last, foreseen) = (terms.var(*last), terms.var(chosen.values[var]));
            terms.ne(last, foreseen)
        })
        .collect();
    if !unforeseen.is_empty() {
        // A flag is as it was, or was last set at elements that are not followed.
        let elsewhere = terms.or(&unforeseen);
        for condition in conditions(program, terms) {
            let not = terms.not(condition);
            single.extend([terms.or2(condition, elsewhere), terms.or2(not, elsewhere)]);
        }
    }
    for index in &chosen.indices {
        let mut facts = Vec::new();
        for loaded in &chosen.indices {
            facts.extend(Facts { program, arrays, chosen, cells, index, loaded }.all(terms));
        }
        let mut seen = BTreeSet::new();
        facts.retain(|fact| seen.insert(*fact) && terms.value(*fact).is_none());
        facts.truncate(MOST_FACTS);
        let [upwards, others] = positions(terms, arrays, index, &mut first);
        single.extend(&facts);
        for position in &upwards {
            for fact in &facts {
                single.push(terms.implies(*position, *fact));
            }
        }
        for position in &others {
            for fact in &facts {
                paired.push(terms.implies(*position, *fact));
            }
        }
        for position in upwards.iter().chain(&others) {
            for (number, fact) in facts.iter().enumerate() {
                for other in &facts[..number] {
                    let either = terms.or2(*fact, *other);
                    paired.push(terms.implies(*position, either));
                }
            }
        }
    }
    [single, paired].map(|mut formulas| {
        formulas.retain(|hint| terms.value(*hint).is_none());
        formulas.truncate(MOST_HINTS);
        Hints { formulas, first: first.clone() }
    })
}

/// Conditions that the followed index was passed by an index that the program uses, by its first dimensions
/// or by all: on its way up from zero, or from where it was when a loop was entered; then those on its way
/// down, or in steps of two.
fn positions(
    terms: &mut Terms,
    arrays: &Arrays,
    index: &[TermId],
    first: &mut BTreeMap<Var, TermId>,
) -> [Vec<TermId>; 2] {
    let mut used: BTreeSet<Vec<TermId>> = BTreeSet::new();
    for element in arrays.accesses.values().filter_map(|(_, element)| element.as_ref()) {
        let fits = element.index.len() == index.len()
            && element.index.iter().zip(index).all(|(a, b)| terms.sort(*a) == terms.sort(*b));
        if fits {
            used.extend((1..=index.len()).map(|dimensions| element.index[..dimensions].to_vec()));
        }
    }
    // Elements with an index beyond its dimension are not followed rightly.
    let fits = |shape: &&Shape| {
        shape.strides.len() == index.len()
            && index.iter().all(|term| terms.width(*term) == shape.index.width())
    };
    let shapes: Vec<Shape> = arrays.shapes.values().filter(fits).cloned().collect();
    let plain: Vec<TermId> = shapes.iter().map(|shape| shape.is_plain(terms, index)).collect();
    let plain = terms.and(&plain);
    let (mut upwards, mut others) = (Vec::new(), Vec::new());
    for used in &used {
        if used.iter().all(|term| terms.value(*term).is_some()) {
            continue;
        }
        upwards.push(is_passed(terms, index, used, &|terms, a, b, _| terms.bv_ult(a, b)));
        let starts: Vec<TermId> = used.iter().map(|term| start(terms, *term, first)).collect();
        let up = |terms: &mut Terms, a, b, dimension: usize| {
            let (a, b) = (terms.bv_sub(a, starts[dimension]), terms.bv_sub(b, starts[dimension]));
            terms.bv_ult(a, b)
        };
        let down = |terms: &mut Terms, a, b, dimension: usize| {
            let (a, b) = (terms.bv_sub(starts[dimension], a), terms.bv_sub(starts[dimension], b));
            terms.bv_ult(a, b)
        };
        let up = is_passed(terms, index, used, &up);
        let down = is_passed(terms, index, used, &down);
        upwards.push(up);
        others.push(down);
        if let ([index], [start]) = (index, &starts[..]) {
            // A loop may pass every other element.
            let far = terms.bv_sub(*index, *start);
            let one = terms.bv(terms.width(far), 1);
            let (odd, zero) = (terms.bv_and(far, one), terms.bv(terms.width(far), 0));
            let even = terms.eq(odd, zero);
            others.push(terms.and2(up, even));
        }
    }
    [upwards, others]
        .map(|list| list.into_iter().map(|position| terms.and2(plain, position)).collect())
}

/// A symbol for what a term was when a loop was entered.
fn start(terms: &mut Terms, term: TermId, first: &mut BTreeMap<Var, TermId>) -> TermId {
    let known = first.iter().find(|(_, known)| **known == term).map(|(var, _)| *var);
    let var = known.unwrap_or_else(|| {
        let number = terms.var_count();
        let var = terms.declare(format!("@first:{number}"), terms.sort(term));
        first.insert(var, term);
        var
    });
    terms.var(var)
}

/// Whether an index comes before another one in the order of dimensions.
fn is_passed(
    terms: &mut Terms,
    index: &[TermId],
    other: &[TermId],
    less: &dyn Fn(&mut Terms, TermId, TermId, usize) -> TermId,
) -> TermId {
    let mut passed = terms.bool(false);
    for (dimension, (a, b)) in index.iter().zip(other).enumerate().rev() {
        let less = less(terms, *a, *b, dimension);
        let same = terms.eq(*a, *b);
        let rest = terms.and2(same, passed);
        passed = terms.or2(less, rest);
    }
    passed
}

/// What facts are looked for.
struct Facts<'a> {
    program: &'a Program,
    arrays: &'a Arrays,
    chosen: &'a Chosen,
    cells: &'a BTreeMap<ObjectSite, Vec<Cell>>,
    /// The facts are about elements at this index.
    index: &'a [TermId],
    /// The index that a loaded value is taken to come from, unless a better index is known.
    loaded: &'a [TermId],
}

impl Facts<'_> {
    /// What may hold of the elements at the index.
    fn all(&self, terms: &mut Terms) -> Vec<TermId> {
        let mut meant = self.meant(terms);
        let mut facts = Vec::new();
        // A variable may hold what was loaded last, or be compared with what is loaded.
        self.asked(terms, &meant, &mut facts);
        for _ in 0..COPIES {
            self.follow_copies(terms, &mut meant);
        }
        for ((edge, number), (site, element)) in &self.arrays.accesses {
            let op = &self.program.cfa.edges[*edge].ops[*number as usize];
            let (Step::Store { value, .. }, Some(element)) = (op, element) else { continue };
            let Some(cell) = self.held(*site, element.field, self.index) else { continue };
            let cell = terms.var(cell);
            if terms.sort(*value) != terms.sort(cell) {
                continue;
            }
            // A variable that is stored is in the element afterwards, so what is asked of the variable is asked of the
            // element.
            if let View::Var(var) = terms.view(*value) {
                meant.entry(var).or_insert(cell);
            }
            let value = terms.substitute(*value, &mut |var| meant.get(&var).copied());
            facts.push(terms.eq(cell, value));
        }
        for op in self.program.cfa.edges.iter().flat_map(|edge| &edge.ops) {
            let Step::Assign { var, value } = op else { continue };
            if let (Some(cell), View::Const(_)) = (meant.get(var), terms.view(*value)) {
                facts.push(terms.eq(*cell, *value));
            }
        }
        self.asked(terms, &meant, &mut facts);
        facts
    }

    /// Adds the conditions of the program, said of what variables stand for.
    fn asked(&self, terms: &mut Terms, meant: &BTreeMap<Var, TermId>, facts: &mut Vec<TermId>) {
        for condition in conditions(self.program, terms) {
            let fact = terms.substitute(condition, &mut |var| meant.get(&var).copied());
            if fact != condition {
                let not = terms.not(fact);
                facts.extend([fact, not]);
            }
        }
    }

    /// The variable of a part of the element at an index.
    fn held(&self, site: ObjectSite, field: Field, index: &[TermId]) -> Option<Var> {
        let mut cells = self.cells.get(&site)?.iter().filter(|cell| cell.field == field);
        cells.find(|cell| cell.index == index).map(|cell| cell.var)
    }

    /// What variables stand for when the program is at the index.
    fn meant(&self, terms: &mut Terms) -> BTreeMap<Var, TermId> {
        let mut foreseen: BTreeMap<Var, TermId> = BTreeMap::new();
        for (var, value) in &self.chosen.values {
            foreseen.insert(*var, terms.var(*value));
        }
        let mut meant = foreseen.clone();
        for ((edge, number), (site, element)) in &self.arrays.accesses {
            let Some(element) = element else { continue };
            for (used, index) in element.index.iter().zip(self.index) {
                if let View::Var(var) = terms.view(*used)
                    && terms.sort(*index) == terms.sort(*used)
                {
                    meant.entry(var).or_insert(*index);
                }
            }
            let op = &self.program.cfa.edges[*edge].ops[*number as usize];
            let Step::Load { var, .. } = op else { continue };
            let own: Vec<TermId> = element
                .index
                .iter()
                .map(|used| terms.substitute(*used, &mut |var| foreseen.get(&var).copied()))
                .collect();
            let held = self.held(*site, element.field, &own);
            let held = held.or_else(|| self.held(*site, element.field, self.loaded));
            if let Some(held) = held.filter(|held| terms.var_sort(*held) == terms.var_sort(*var)) {
                meant.insert(*var, terms.var(held));
            }
        }
        meant
    }

    /// Adds variables that hold nothing but copies of what others stand for.
    fn follow_copies(&self, terms: &Terms, meant: &mut BTreeMap<Var, TermId>) {
        let ops = || self.program.cfa.edges.iter().flat_map(|edge| &edge.ops);
        let mut copies: BTreeMap<Var, TermId> = BTreeMap::new();
        let mut others: BTreeSet<Var> = BTreeSet::new();
        for op in ops().filter(|op| !matches!(op, Step::Havoc { .. })) {
            let from = match op {
                Step::Assign { value, .. } => match terms.view(*value) {
                    View::Var(from) => meant.get(&from),
                    _ => None,
                },
                _ => None,
            };
            for var in op.assigned() {
                match from {
                    Some(known) => copies.entry(*var).or_insert(*known),
                    None => {
                        others.insert(*var);
                        continue;
                    }
                };
            }
        }
        for (var, known) in copies.into_iter().filter(|(var, _)| !others.contains(var)) {
            meant.entry(var).or_insert(known);
        }
    }
}

/// How often a loaded value may be copied before something is asked about it.
const COPIES: usize = 2;

/// The comparisons in the terms of a program.
pub(crate) fn conditions(program: &Program, terms: &Terms) -> Vec<TermId> {
    let mut roots = Vec::new();
    for op in program.cfa.edges.iter().flat_map(|edge| &edge.ops) {
        if let Step::Assume(term) | Step::Assign { value: term, .. } = op {
            roots.push(*term);
        }
    }
    let is_comparison = |term: &TermId| {
        terms.sort(*term) == Sort::Bool
            && matches!(terms.view(*term), View::App(op, _) if !matches!(op, Op::And | Op::Or | Op::Not | Op::Ite))
    };
    terms.post_order(&roots).into_iter().filter(is_comparison).collect()
}
