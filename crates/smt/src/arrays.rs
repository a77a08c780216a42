//! Arrays by lemmas on demand: a read is a free word until a model reads something wrong.
//!
//! Reads are followed down their array as the model has it (Brummayer & Biere 2009): past the
//! writes to other indices to the write to this one, or to a variable, where all reads of one
//! index must agree. Equations between arrays are not supported.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use term::{ArrayValue, Op, Sort, TermId, Terms, Value, Var, View};

use crate::blast::{Blaster, Circuit, Missing};

/// A read on its way down.
struct Read {
    array: TermId,
    index: TermId,
    /// The read itself, whose circuit is the value.
    value: TermId,
    /// Why it is where it is.
    way: Vec<Turn>,
}

/// A decision on the way of a read.
#[derive(Clone)]
enum Turn {
    /// The two indices differ.
    Differ(TermId, TermId),
    /// The index is not this constant.
    DifferFrom(TermId, Value),
    /// The index is this constant.
    Equals(TermId, Value),
    /// The condition holds, or does not.
    Is(TermId, bool),
}

/// Where a read ends, and with what it must agree there.
enum End {
    Agrees,
    /// It must equal a term, under the further condition if there is one.
    Wrong(TermId, Option<(TermId, TermId)>),
    WrongConstant(Value),
    Variable(Var),
}

/// Adds lemmas for what the model reads wrong, and counts them.
pub(crate) fn refine(terms: &Terms, blaster: &mut Blaster) -> Result<u64, Missing> {
    let mut lemmas = 0;
    let mut at_variables: FxHashMap<(Var, Value), Read> = FxHashMap::default();
    for select in blaster.selects.clone() {
        let mut read = start(terms, select);
        match follow(terms, blaster, &mut read)? {
            End::Agrees => {}
            End::Wrong(term, same) => {
                let mut clause = reasons(terms, blaster, &read)?;
                if let Some((a, b)) = same {
                    let equal = equal(terms, blaster, a, b)?;
                    clause.push(!equal);
                }
                let agrees = equal(terms, blaster, read.value, term)?;
                clause.push(agrees);
                blaster.gates.sat.clause(&clause);
                lemmas += 1;
            }
            End::WrongConstant(value) => {
                let mut clause = reasons(terms, blaster, &read)?;
                let agrees = equals_constant(terms, blaster, read.value, &value)?;
                clause.push(agrees);
                blaster.gates.sat.clause(&clause);
                lemmas += 1;
            }
            End::Variable(var) => {
                let key = (var, value_of(blaster, read.index));
                match at_variables.get(&key) {
                    Some(other)
                        if value_of(blaster, other.value) != value_of(blaster, read.value) =>
                    {
                        let (other_index, other_value) = (other.index, other.value);
                        let mut clause = reasons(terms, blaster, other)?;
                        clause.extend(reasons(terms, blaster, &read)?);
                        let same = equal(terms, blaster, other_index, read.index)?;
                        let agrees = equal(terms, blaster, other_value, read.value)?;
                        clause.extend([!same, agrees]);
                        blaster.gates.sat.clause(&clause);
                        lemmas += 1;
                    }
                    Some(_) => {}
                    None => {
                        at_variables.insert(key, read);
                    }
                }
            }
        }
    }
    Ok(lemmas)
}

/// The arrays of a model in which every read is right.
pub(crate) fn model(terms: &Terms, blaster: &Blaster) -> Vec<(Var, Value)> {
    let mut arrays: FxHashMap<Var, ArrayValue> = FxHashMap::default();
    let mut order = Vec::new();
    for &select in &blaster.selects {
        let mut read = start(terms, select);
        let Ok(End::Variable(var)) = follow(terms, blaster, &mut read) else { continue };
        let Sort::Array(sort) = terms.var_sort(var) else { continue };
        let Some(default) = zero(terms, terms.array_parts(sort).1) else { continue };
        let array = arrays.entry(var).or_insert_with(|| {
            order.push(var);
            ArrayValue::new(sort, default)
        });
        array.set(value_of(blaster, read.index), value_of(blaster, read.value));
    }
    let taken = |var: Var| arrays.remove(&var).map(|array| (var, Value::Array(Box::new(array))));
    order.into_iter().filter_map(taken).collect()
}

/// The zero of a sort that the solver knows.
pub(crate) fn zero(terms: &Terms, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(false)),
        Sort::Bv(width) => Some(Value::Bv(term::Bv::zero(width))),
        Sort::Float(format) => Some(Value::Float(term::Float::zero(format, false))),
        Sort::Array(array) => {
            let default = zero(terms, terms.array_parts(array).1)?;
            Some(Value::Array(Box::new(ArrayValue::new(array, default))))
        }
        _ => None,
    }
}

/// The terms whose circuits following a read of `array` may ask for.
pub(crate) fn parts(terms: &Terms, array: TermId, found: &mut Vec<TermId>) {
    let mut todo = vec![array];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(at) = todo.pop() {
        if !seen.insert(at) {
            continue;
        }
        match terms.view(at) {
            View::App(Op::Store, args) => {
                todo.push(args[0]);
                found.extend_from_slice(&args[1..]);
            }
            View::App(Op::Ite, args) => {
                found.push(args[0]);
                todo.extend_from_slice(&args[1..]);
            }
            View::App(Op::ConstArray(_), args) => found.push(args[0]),
            _ => {}
        }
    }
}

fn start(terms: &Terms, select: TermId) -> Read {
    match terms.view(select) {
        View::App(Op::Select, args) => {
            Read { array: args[0], index: args[1], value: select, way: Vec::new() }
        }
        _ => unreachable!("only reads are kept as reads"),
    }
}

/// Follows a read to where the model has it end.
fn follow(terms: &Terms, blaster: &Blaster, read: &mut Read) -> Result<End, Missing> {
    let index = value_of(blaster, read.index);
    let value = value_of(blaster, read.value);
    loop {
        match terms.view(read.array) {
            View::Var(var) => return Ok(End::Variable(var)),
            View::Const(Value::Array(array)) => {
                let expected = array.get(&index).clone();
                if expected == value {
                    return Ok(End::Agrees);
                }
                if array.entries.contains_key(&index) {
                    read.way.push(Turn::Equals(read.index, index));
                } else {
                    let others = array.entries.keys().cloned();
                    read.way.extend(others.map(|entry| Turn::DifferFrom(read.index, entry)));
                }
                return Ok(End::WrongConstant(expected));
            }
            View::App(Op::Store, args) => {
                let (below, at, written) = (args[0], args[1], args[2]);
                if value_of(blaster, at) == index {
                    let right = value_of(blaster, written) == value;
                    return Ok(if right {
                        End::Agrees
                    } else {
                        End::Wrong(written, Some((read.index, at)))
                    });
                }
                read.way.push(Turn::Differ(read.index, at));
                read.array = below;
            }
            View::App(Op::Ite, args) => {
                let holds = value_of(blaster, args[0]) == Value::Bool(true);
                read.way.push(Turn::Is(args[0], holds));
                read.array = if holds { args[1] } else { args[2] };
            }
            View::App(Op::ConstArray(_), args) => {
                let right = value_of(blaster, args[0]) == value;
                return Ok(if right { End::Agrees } else { End::Wrong(args[0], None) });
            }
            _ => return Err("this array".to_owned()),
        }
    }
}

fn value_of(blaster: &Blaster, term: TermId) -> Value {
    let circuit = blaster.built(term).expect("parts of reads have circuits");
    blaster.model_value(circuit)
}

/// The negations of the decisions on a read's way.
fn reasons(terms: &Terms, blaster: &mut Blaster, read: &Read) -> Result<Vec<Lit>, Missing> {
    let mut literals = Vec::with_capacity(read.way.len() + 2);
    for turn in &read.way {
        literals.push(match turn {
            Turn::Differ(a, b) => equal(terms, blaster, *a, *b)?,
            Turn::DifferFrom(a, constant) => equals_constant(terms, blaster, *a, constant)?,
            Turn::Equals(a, constant) => !equals_constant(terms, blaster, *a, constant)?,
            Turn::Is(condition, holds) => {
                let literal = blaster.literal(terms, *condition)?;
                if *holds { !literal } else { literal }
            }
        });
    }
    Ok(literals)
}

fn equal(terms: &Terms, blaster: &mut Blaster, a: TermId, b: TermId) -> Result<Lit, Missing> {
    let (a, b) = (blaster.word(terms, a)?, blaster.word(terms, b)?);
    Ok(blaster.gates.equal(&a, &b))
}

fn equals_constant(
    terms: &Terms,
    blaster: &mut Blaster,
    a: TermId,
    value: &Value,
) -> Result<Lit, Missing> {
    let a = blaster.word(terms, a)?;
    let constant = match blaster.constant(value)? {
        Circuit::Bool(literal) => vec![literal],
        Circuit::Word(word) | Circuit::Float(_, word) => word,
    };
    Ok(blaster.gates.equal(&a, &constant))
}
