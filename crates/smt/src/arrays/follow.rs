//! Follows a read of an array, as the model decides, through writes and choices down to the place where the read ends.

use term::{ArrayValue, Op, Sort, TermId, Terms, Value, Var, View};

use super::index::{index_value, value_of};
use super::reads::{Key, Part, Site};
use crate::blast::Blaster;
use crate::circuit::Missing;

/// A read on its way down.
pub(super) struct Read<'a> {
    place: ReadSource<'a>,
    /// The indices that the read has not used yet; the next one last.
    pub rest: Vec<Part>,
    /// The decisions that led the read to its place.
    pub way: Vec<Turn>,
}

enum ReadSource<'a> {
    Term(TermId),
    Value(&'a ArrayValue),
}

/// A decision on the way of a read.
pub(super) enum Turn {
    /// Two indices are the same.
    Same(Part, Part),
    /// Two indices differ.
    Differ(Part, Part),
    /// The condition holds, or does not.
    Is(TermId, bool),
}

/// Where a read ends: the term, constant or variable there gives the value with which the read must agree.
pub(super) enum End<'a> {
    Term(TermId),
    Constant(&'a Value),
    /// At a variable, with the indices that are left.
    Variable(Var),
}

impl<'a> Read<'a> {
    pub fn new(site: &Site) -> Read<'a> {
        let rest = site.indices.iter().rev().cloned().collect();
        Read { place: ReadSource::Term(site.array), rest, way: Vec::new() }
    }

    /// The values of the indices that are left, the outermost first.
    pub fn key(&self, blaster: &Blaster) -> Result<Key, Missing> {
        self.rest.iter().rev().map(|part| index_value(blaster, part)).collect()
    }

    fn next(&mut self) -> Result<Part, Missing> {
        self.rest.pop().ok_or_else(|| "an array as an element".to_owned())
    }

    /// Follows the read to the place where it ends in the model.
    pub fn follow(&mut self, terms: &'a Terms, blaster: &Blaster) -> Result<End<'a>, Missing> {
        loop {
            let at = match self.place {
                ReadSource::Term(term) => term,
                ReadSource::Value(array) => match self.look_up(array, blaster)? {
                    Value::Array(inner) => {
                        self.place = ReadSource::Value(inner);
                        continue;
                    }
                    element => return Ok(End::Constant(element)),
                },
            };
            let below = match terms.view(at) {
                View::Var(var) => return Ok(End::Variable(var)),
                View::Const(Value::Array(array)) => {
                    self.place = ReadSource::Value(array);
                    continue;
                }
                View::App(Op::Select, args) => {
                    self.rest.push(Part::Term(args[1]));
                    args[0]
                }
                View::App(Op::Ite, args) => {
                    let holds = value_of(blaster, args[0]) == Value::Bool(true);
                    self.way.push(Turn::Is(args[0], holds));
                    if holds { args[1] } else { args[2] }
                }
                View::App(Op::Store, args) => {
                    let index = self.next()?;
                    let written = Part::Term(args[1]);
                    if index_value(blaster, &index)? == index_value(blaster, &written)? {
                        self.way.push(Turn::Same(index, written));
                        args[2]
                    } else {
                        self.rest.push(index.clone());
                        self.differ(index, written);
                        args[0]
                    }
                }
                View::App(Op::ConstArray(_), args) => {
                    self.next()?;
                    args[0]
                }
                _ => return Err("this array".to_owned()),
            };
            if !matches!(terms.sort(below), Sort::Array(_)) {
                return Ok(End::Term(below));
            }
            self.place = ReadSource::Term(below);
        }
    }

    fn look_up(&mut self, array: &'a ArrayValue, blaster: &Blaster) -> Result<&'a Value, Missing> {
        let index = self.next()?;
        let value = index_value(blaster, &index)?;
        if let Some(value) = &value
            && let Some(element) = array.entries.get(value)
        {
            self.way.push(Turn::Same(index, Part::Constant(value.clone())));
            return Ok(element);
        }
        for entry in array.entries.keys() {
            self.differ(index.clone(), Part::Constant(entry.clone()));
        }
        Ok(&array.default)
    }

    /// Notes that two indices differ. The index [`Part::Elsewhere`] differs from all others, and needs no reason.
    fn differ(&mut self, a: Part, b: Part) {
        if a != Part::Elsewhere {
            self.way.push(Turn::Differ(a, b));
        }
    }
}
