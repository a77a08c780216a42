//! Concrete values.

use std::collections::BTreeMap;
use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

use crate::bits::Bv;
use crate::float::Float;
use crate::sort::{ArraySort, Format, Sort};

/// A concrete value of some sort. Equal values mean the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A rational number.
    Rat(BigRational),
    /// A bit-vector.
    Bv(Bv),
    /// A float.
    Float(Float),
    /// A total map.
    Array(Box<ArrayValue>),
}

/// A map that gives the default for all but finitely many indices.
///
/// Canonical, so that equal maps are equal values: no entry equals the default, and if the index sort is finite, the
/// default is the most frequent element, and the least of several elements that are equally frequent. Maps built with
/// [`ArrayValue::new`] and [`ArrayValue::set`] are canonical; [`crate::Terms::constant`] makes other maps canonical.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    /// The sort of the map, an entry of the table of terms in which it is used.
    pub sort: ArraySort,
    /// The element at every index without an entry.
    pub default: Value,
    /// The other elements, by index.
    pub entries: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// The map that gives `default` everywhere.
    #[must_use]
    pub fn new(sort: ArraySort, default: Value) -> ArrayValue {
        ArrayValue { sort, default, entries: BTreeMap::new() }
    }

    /// The element at an index.
    #[must_use]
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Changes the element at an index.
    pub fn set(&mut self, index: Value, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
            self.choose_default();
        }
    }

    /// Makes the map canonical again after its fields have been changed.
    pub(crate) fn normalise(&mut self) {
        let default = &self.default;
        self.entries.retain(|_, element| element != default);
        self.choose_default();
    }

    /// Chooses the default of the canonical form. A default that holds for more than half of the indices is the most
    /// frequent element; otherwise the entries are at least half of the indices, and listing all of them costs little
    /// more.
    fn choose_default(&mut self) {
        let Some(index) = self.entries.keys().next() else { return };
        let Some(count) = index_count(index) else { return };
        if (self.entries.len() as u128) * 2 < count {
            return;
        }
        let mut frequency: BTreeMap<&Value, u128> = BTreeMap::new();
        for element in self.entries.values() {
            *frequency.entry(element).or_default() += 1;
        }
        let defaults = count - self.entries.len() as u128;
        if defaults > 0 {
            frequency.insert(&self.default, defaults);
        }
        let Some(most) = frequency.values().max().copied() else { return };
        let Some(best) = frequency.iter().find(|(_, n)| **n == most).map(|(v, _)| (*v).clone())
        else {
            return;
        };
        if best == self.default {
            return;
        }
        let old = std::mem::replace(&mut self.default, best);
        for index in all_like(index) {
            self.entries.entry(index).or_insert_with(|| old.clone());
        }
        let default = &self.default;
        self.entries.retain(|_, element| element != default);
    }
}

/// How many values the sort of `value` has, if that is known and a number worth comparing with.
fn index_count(value: &Value) -> Option<u128> {
    match value {
        Value::Bool(_) => Some(2),
        Value::Bv(bv) if bv.width() < 64 => Some(1 << bv.width()),
        // Every encoding but the NaNs, and one NaN.
        Value::Float(float) if float.format() == Format::Half => Some((1 << 16) - (1 << 11) + 3),
        // The rest have more values than memory has room for, or infinitely many.
        _ => None,
    }
}

/// Every value of the sort of `value`, for the sorts with an [`index_count`].
fn all_like(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(_) => vec![Value::Bool(false), Value::Bool(true)],
        Value::Bv(bv) => {
            let width = bv.width();
            (0..1u128 << width).map(|bits| Value::Bv(Bv::new(width, bits))).collect()
        }
        // NaN appears many times; the map that takes these in does not mind.
        Value::Float(float) => {
            let format = float.format();
            (0..1u128 << format.width())
                .map(|bits| Value::Float(Float::from_bits(format, bits)))
                .collect()
        }
        _ => Vec::new(),
    }
}

impl Value {
    /// The sort. That of an array is an entry of the table of terms in which it was made.
    #[must_use]
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Rat(_) => Sort::Rat,
            Value::Bv(bv) => Sort::Bv(bv.width()),
            Value::Float(float) => Sort::Float(float.format()),
            Value::Array(array) => Sort::Array(array.sort),
        }
    }

    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, if it is one.
    #[must_use]
    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The rational, if it is one.
    #[must_use]
    pub fn as_rat(&self) -> Option<&BigRational> {
        match self {
            Value::Rat(value) => Some(value),
            _ => None,
        }
    }

    /// The bit-vector, if it is one.
    #[must_use]
    pub fn as_bv(&self) -> Option<&Bv> {
        match self {
            Value::Bv(value) => Some(value),
            _ => None,
        }
    }

    /// The float, if it is one.
    #[must_use]
    pub fn as_float(&self) -> Option<Float> {
        match self {
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The map, if it is one.
    #[must_use]
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(value) => Some(value),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<BigInt> for Value {
    fn from(value: BigInt) -> Value {
        Value::Int(value)
    }
}

impl From<BigRational> for Value {
    fn from(value: BigRational) -> Value {
        Value::Rat(value)
    }
}

impl From<Bv> for Value {
    fn from(value: Bv) -> Value {
        Value::Bv(value)
    }
}

impl From<Float> for Value {
    fn from(value: Float) -> Value {
        Value::Float(value)
    }
}

/// Scalars as SMT-LIB writes them. A map prints as `[0 -> 5, 1 -> 7, _ -> 0]`, since its sort has
/// no name without the table; [`crate::Terms::display`] writes it out.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) if value.is_negative() => write!(f, "(- {})", value.magnitude()),
            Value::Int(value) => write!(f, "{value}"),
            Value::Rat(value) => {
                let (numer, denom) = (value.numer(), value.denom());
                match (numer.is_negative(), denom.is_one()) {
                    (false, true) => write!(f, "{numer}.0"),
                    (true, true) => write!(f, "(- {}.0)", numer.magnitude()),
                    (false, false) => write!(f, "(/ {numer}.0 {denom}.0)"),
                    (true, false) => write!(f, "(/ (- {}.0) {denom}.0)", numer.magnitude()),
                }
            }
            Value::Bv(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value}"),
            Value::Array(array) => {
                write!(f, "[")?;
                for (index, element) in &array.entries {
                    write!(f, "{index} -> {element}, ")?;
                }
                write!(f, "_ -> {}]", array.default)
            }
        }
    }
}
