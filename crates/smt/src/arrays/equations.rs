//! Equations between arrays.
//!
//! If an equation is false, its sides differ at an index of its own. If it is true, both sides have one common value at
//! each index in use: at the indices of all reads and writes that matter, where other equations differ or were read,
//! and at one more index, which stands for all other indices. Such an index exists if there are more indices than
//! terms, so a wide index sort is taken to have one. All indices of a narrow sort are used. For widths in between
//! nothing is said of the other indices, so that what SAT finds may turn out not to be a model.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;
use term::{Bv, Op, Sort, TermId, Terms, Value, View};

use super::index::index_value;
use super::reads::{Equation, Key, Lemma, Part, Site};
use crate::arithmetic::AtomId;
use crate::blast::Blaster;
use crate::circuit::Missing;
use crate::relevance::Relevant;

/// All indices of a bit-vector sort of at most this width are used.
const NARROW: u32 = 4;
/// Words of at least this many bits have more indices than any instance has terms.
const WIDE: u32 = 24;
/// Equations that would need more indices than this are refused.
const MOST: usize = 1 << 14;

impl Equation {
    /// The reads that matter in the present model.
    pub fn sites(&self, blaster: &Blaster) -> &[Site] {
        if blaster.gates.sat.value(self.literal) { &self.agree } else { &self.differ }
    }
}

impl Blaster {
    /// The literal of an equation between arrays.
    pub fn array_equation(&mut self, terms: &Terms, term: TermId) -> Result<Lit, Missing> {
        let View::App(Op::Eq, &[left, right]) = terms.view(term) else {
            return Err("an equation between sorts".to_owned());
        };
        let (sorts, element) = dimensions(terms, terms.sort(left));
        let literal = self.gates.sat.fresh();
        let mut witness = Vec::new();
        for sort in &sorts {
            witness.push(self.fresh(*sort, false)?);
        }
        let values = [self.fresh(element, false)?, self.fresh(element, false)?];
        let same = self.equal(&values[0], &values[1])?;
        let clause = [literal, !same];
        self.gates.sat.clause(&clause);
        remember(self, &clause, &[term]);
        let indices: Vec<Part> = (0..sorts.len()).map(|at| Part::Witness(term, at)).collect();
        let site = |(array, value)| Site {
            array,
            indices: indices.clone(),
            value,
            owner: term,
            condition: Some(!literal),
        };
        let differ = [left, right].into_iter().zip(values).map(site).collect();
        let equation = Equation { literal, witness, differ, agree: Vec::new() };
        self.arrays.equations.insert(term, equation);
        self.arrays.used = true;
        Ok(literal)
    }
}

/// Remembers which terms a clause is about, if the clause has atoms of arithmetic.
pub(super) fn remember(blaster: &mut Blaster, clause: &[Lit], owners: &[TermId]) {
    let atom = |literal: &Lit| blaster.arithmetic.atom(*literal).map(|(atom, _)| atom);
    let atoms: Vec<AtomId> = clause.iter().filter_map(atom).collect();
    if !atoms.is_empty() {
        blaster.arrays.lemmas.push(Lemma { owners: owners.to_vec(), atoms });
    }
}

/// The index sorts of an array, the outermost first, and the sort of its innermost elements.
fn dimensions(terms: &Terms, mut sort: Sort) -> (Vec<Sort>, Sort) {
    let mut indices = Vec::new();
    while let Sort::Array(array) = sort {
        let (index, element) = terms.array_parts(array);
        indices.push(index);
        sort = element;
    }
    (indices, sort)
}

/// Reads both sides of true equations at indices where they were not read yet, and counts them.
pub(super) fn instantiate(
    terms: &Terms,
    blaster: &mut Blaster,
    relevant: &Relevant,
) -> Result<u64, Missing> {
    let mut added = 0;
    let mut parts_of: FxHashMap<Sort, Vec<Part>> = FxHashMap::default();
    for &term in &relevant.equations {
        let View::App(_, &[left, right]) = terms.view(term) else { continue };
        let Some(equation) = blaster.arrays.equations.get(&term) else { continue };
        let literal = equation.literal;
        if !blaster.gates.sat.value(literal) {
            continue;
        }
        let (sorts, element) = dimensions(terms, terms.sort(left));
        // Indices with the same value count as the same index as long as they have this value.
        let mut known: FxHashSet<Key> = FxHashSet::default();
        for site in equation.agree.iter().step_by(2) {
            known.insert(values(blaster, &site.indices)?);
        }
        let mut tuples: Vec<Vec<Part>> = vec![Vec::new()];
        for sort in &sorts {
            if !parts_of.contains_key(sort) {
                parts_of.insert(*sort, in_use(terms, blaster, relevant, *sort)?);
            }
            let parts = &parts_of[sort];
            if tuples.len() * parts.len() > MOST {
                return Err("an equation between arrays with so many indices".to_owned());
            }
            let longer = |tuple: &Vec<Part>| {
                let tuple = tuple.clone();
                parts
                    .iter()
                    .map(move |part| [tuple.as_slice(), std::slice::from_ref(part)].concat())
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        for indices in tuples {
            blaster.look()?;
            if !known.insert(values(blaster, &indices)?) {
                continue;
            }
            let value = blaster.fresh(element, false)?;
            let Some(equation) = blaster.arrays.equations.get_mut(&term) else { continue };
            for array in [left, right] {
                let (indices, value) = (indices.clone(), value.clone());
                let condition = Some(literal);
                equation.agree.push(Site { array, indices, value, owner: term, condition });
            }
            added += 1;
        }
    }
    Ok(added)
}

fn values(blaster: &Blaster, indices: &[Part]) -> Result<Key, Missing> {
    indices.iter().map(|part| index_value(blaster, part)).collect()
}

/// The indices of a sort that matter.
fn in_use(
    terms: &Terms,
    blaster: &Blaster,
    relevant: &Relevant,
    sort: Sort,
) -> Result<Vec<Part>, Missing> {
    match sort {
        Sort::Bool => {
            return Ok([false, true].map(|value| Part::Constant(Value::Bool(value))).into());
        }
        Sort::Bv(width) if width <= NARROW => {
            let constant = |bits| Part::Constant(Value::Bv(Bv::new(width, bits)));
            return Ok((0..1_u128 << width).map(constant).collect());
        }
        _ => {}
    }
    let mut parts = Vec::new();
    if matches!(sort, Sort::Int | Sort::Rat | Sort::Bv(WIDE..)) {
        parts.push(Part::Elsewhere);
    }
    for term in relevant.indices.iter().filter(|term| terms.sort(**term) == sort) {
        parts.push(Part::Term(*term));
    }
    for term in &relevant.constants {
        if let Some(value) = terms.value(*term) {
            entries(value, sort, &mut parts);
        }
    }
    for term in &relevant.equations {
        let Some(equation) = blaster.arrays.equations.get(term) else { continue };
        let View::App(_, &[left, _]) = terms.view(*term) else { continue };
        let sorts = dimensions(terms, terms.sort(left)).0;
        // Among the reads of an equation that holds, some were made for an earlier model and matter only there.
        for site in equation.sites(blaster).iter().step_by(2) {
            let of_sort = site.indices.iter().zip(&sorts).filter(|(_, other)| **other == sort);
            parts.extend(of_sort.map(|(part, _)| part.clone()));
        }
    }
    let mut distinct = FxHashSet::default();
    let mut chosen = Vec::new();
    for part in parts {
        if distinct.insert(index_value(blaster, &part)?) {
            chosen.push(part);
        }
    }
    Ok(chosen)
}

/// The indices of a sort that a constant array mentions.
fn entries(value: &Value, sort: Sort, parts: &mut Vec<Part>) {
    let Value::Array(array) = value else { return };
    let keys = array.entries.keys().filter(|key| key.sort() == sort);
    parts.extend(keys.map(|key| Part::Constant(key.clone())));
    for element in array.entries.values().chain([&array.default]) {
        entries(element, sort, parts);
    }
}
