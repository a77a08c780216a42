//! Arrays by lemmas on demand: a read is free until a model reads something wrong.
//!
//! Reads are followed down their array as the model has it (Brummayer & Biere 2009): past the writes to other indices
//! to a write to the same index, or to a variable, where all reads of one index must agree. A lemma is made of the
//! decisions on this way, so that the same lemma is never made again. Elements may be arrays; a read then has several
//! indices.
//!
//! An equation between arrays that does not hold has an index at which the arrays differ. If an equation holds, both
//! sides are read at every index that is of any interest, see [`equations`].
//!
//! An uninterpreted function is an array variable that is only read: the function is a congruence because all reads of
//! one index agree. A function with several arguments is an array of arrays, or has the arguments in one bit-vector.

mod equations;
mod follow;
mod index;
mod reads;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use term::{ArrayValue, Op, Sort, TermId, Terms, Value, Var, View};

use crate::blast::Blaster;
use crate::circuit::{Circuit, Missing};
use crate::relevance::Relevant;
use equations::remember;
use follow::{End, Read, Turn};
use index::{same, value_of};
pub(crate) use reads::{Arrays, parts};
use reads::{Key, Part, Site};

/// Adds lemmas for the reads that are wrong in the model, and counts these lemmas.
pub(crate) fn refine(
    terms: &Terms,
    blaster: &mut Blaster,
    relevant: &Relevant,
) -> Result<u64, Missing> {
    let instances = equations::instantiate(terms, blaster, relevant)?;
    if instances > 0 {
        return Ok(instances);
    }
    let mut lemmas = 0;
    let mut slots: FxHashMap<(Var, Key), (Site, Read<'_>)> = FxHashMap::default();
    for site in sites(terms, blaster, relevant) {
        blaster.look()?;
        let mut read = Read::new(&site);
        let value = blaster.model_value(&site.value);
        let end = read.follow(terms, blaster)?;
        match end {
            End::Term(term) if value_of(blaster, term) != value => {
                let mut clause = reasons(blaster, &site, &read)?;
                let circuit = blaster.circuit_of(term)?;
                clause.push(blaster.equal(&site.value, &circuit)?);
                lemmas += add(blaster, clause, &[site.owner]);
            }
            End::Constant(constant) if *constant != value => {
                let mut clause = reasons(blaster, &site, &read)?;
                let circuit = blaster.constant(constant)?;
                clause.push(blaster.equal(&site.value, &circuit)?);
                lemmas += add(blaster, clause, &[site.owner]);
            }
            End::Variable(var) => {
                let key = (var, read.key(blaster)?);
                let Some((other, other_read)) = slots.get(&key) else {
                    slots.insert(key, (site, read));
                    continue;
                };
                if blaster.model_value(&other.value) == value {
                    continue;
                }
                let mut clause = reasons(blaster, &site, &read)?;
                clause.extend(reasons(blaster, other, other_read)?);
                for (a, b) in read.rest.iter().zip(&other_read.rest) {
                    if a != b {
                        clause.push(!same(blaster, a, b)?);
                    }
                }
                clause.push(blaster.equal(&site.value, &other.value)?);
                let owners = [site.owner, other.owner];
                lemmas += add(blaster, clause, &owners);
            }
            End::Term(_) | End::Constant(_) => {}
        }
    }
    Ok(lemmas)
}

/// All reads that matter.
fn sites(terms: &Terms, blaster: &Blaster, relevant: &Relevant) -> Vec<Site> {
    let read = |term: &TermId| {
        let View::App(Op::Select, args) = terms.view(*term) else { return None };
        let value = blaster.built(*term)?.clone();
        let indices = vec![Part::Term(args[1])];
        Some(Site { array: args[0], indices, value, owner: *term, condition: None })
    };
    let mut sites: Vec<Site> = relevant.reads.iter().filter_map(read).collect();
    for term in &relevant.equations {
        if let Some(equation) = blaster.arrays.equations.get(term) {
            sites.extend_from_slice(equation.sites(blaster));
        }
    }
    sites
}

/// Adds a lemma, and remembers which terms it is about if it has atoms of arithmetic.
fn add(blaster: &mut Blaster, clause: Vec<Lit>, owners: &[TermId]) -> u64 {
    blaster.gates.sat.clause(&clause);
    remember(blaster, &clause, owners);
    1
}

/// The arrays of a model in which every read is right.
pub(crate) fn model(terms: &Terms, blaster: &Blaster, relevant: &Relevant) -> Vec<(Var, Value)> {
    let mut slots: BTreeMap<Var, Vec<(Key, Value)>> = BTreeMap::new();
    for site in sites(terms, blaster, relevant) {
        let mut read = Read::new(&site);
        if let Ok(End::Variable(var)) = read.follow(terms, blaster)
            && let Ok(key) = read.key(blaster)
        {
            slots.entry(var).or_default().push((key, blaster.model_value(&site.value)));
        }
    }
    let build = |(var, slots): (Var, Vec<(Key, Value)>)| {
        let slots = slots.iter().map(|(key, value)| (key.as_slice(), value)).collect();
        Some((var, build(terms, terms.var_sort(var), slots)?))
    };
    slots.into_iter().filter_map(build).collect()
}

/// What a slot of an array says: indices, the outermost first, and the element there. `None` stands for every index
/// that no slot mentions.
type Slot<'a> = (&'a [Option<Value>], &'a Value);

/// The value that some slots make. A later slot overrides an earlier one.
fn build(terms: &Terms, sort: Sort, slots: Vec<Slot<'_>>) -> Option<Value> {
    let Sort::Array(array) = sort else {
        return slots.last().map(|(_, value)| (*value).clone()).or_else(|| Some(terms.zero(sort)));
    };
    let element = terms.array_parts(array).1;
    let mut anywhere: Vec<Slot<'_>> = Vec::new();
    let mut places: BTreeMap<&Value, Vec<Slot<'_>>> = BTreeMap::new();
    for (key, value) in slots {
        match key.split_first()? {
            (None, rest) => anywhere.push((rest, value)),
            (Some(index), rest) => places.entry(index).or_default().push((rest, value)),
        }
    }
    let mut map = ArrayValue::new(array, build(terms, element, anywhere.clone())?);
    for (index, place) in places {
        let both = anywhere.iter().copied().chain(place).collect();
        map.set(index.clone(), build(terms, element, both)?);
    }
    Some(Value::Array(Box::new(map)))
}

/// The negations of the decisions on the way of a read.
fn reasons(blaster: &mut Blaster, site: &Site, read: &Read<'_>) -> Result<Vec<Lit>, Missing> {
    let mut literals = Vec::with_capacity(read.way.len() + 3);
    literals.extend(site.condition.map(|condition| !condition));
    for turn in &read.way {
        literals.push(match turn {
            Turn::Same(a, b) => !same(blaster, a, b)?,
            Turn::Differ(a, b) => same(blaster, a, b)?,
            Turn::Is(condition, holds) => {
                let Circuit::Bool(literal) = blaster.circuit_of(*condition)? else {
                    return Err("a choice that is not Boolean".to_owned());
                };
                if *holds { !literal } else { literal }
            }
        });
    }
    Ok(literals)
}
