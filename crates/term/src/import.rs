//! Sorts, values and terms of one table in another.

use rustc_hash::FxHashMap;

use crate::table::{TermId, Terms, Var, View};
use crate::{ArrayValue, Op, Sort, Value};

impl Terms {
    /// A sort of another table in this one. Array sorts nest a few levels deep at most.
    pub fn import_sort(&mut self, other: &Terms, sort: Sort) -> Sort {
        let Sort::Array(array) = sort else { return sort };
        let (index, element) = other.array_parts(array);
        let (index, element) = (self.import_sort(other, index), self.import_sort(other, element));
        self.array_sort(index, element)
    }

    /// A value of a sort of another table in this one.
    pub fn import_value(&mut self, other: &Terms, value: &Value) -> Value {
        let Value::Array(array) = value else { return value.clone() };
        let Sort::Array(sort) = self.import_sort(other, value.sort()) else { return value.clone() };
        let mut new = ArrayValue::new(sort, self.import_value(other, &array.default));
        let entries = array.entries.iter();
        new.entries = entries
            .map(|(at, element)| (self.import_value(other, at), self.import_value(other, element)))
            .collect();
        Value::Array(Box::new(new))
    }

    /// An operator of another table in this one.
    pub fn import_op(&mut self, other: &Terms, op: Op) -> Op {
        match op {
            Op::ConstArray(array) => match self.import_sort(other, Sort::Array(array)) {
                Sort::Array(array) => Op::ConstArray(array),
                _ => op,
            },
            _ => op,
        }
    }

    /// A term of another table in this one, with its symbols replaced by symbols of this one.
    /// `None` if a symbol has no replacement, or one of another sort.
    pub fn import(
        &mut self,
        other: &Terms,
        term: TermId,
        rename: &mut dyn FnMut(Var) -> Option<Var>,
    ) -> Option<TermId> {
        let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut arguments = Vec::new();
        for each in other.post_order(&[term]) {
            let image = match other.view(each) {
                View::Var(var) => {
                    let var = rename(var)?;
                    let sort = self.import_sort(other, other.sort(each));
                    if self.var_sort(var) != sort {
                        return None;
                    }
                    self.var(var)
                }
                View::Const(value) => {
                    let value = self.import_value(other, value);
                    self.constant(value)
                }
                View::App(op, old) => {
                    arguments.clear();
                    arguments.extend(old.iter().map(|argument| images[argument]));
                    let op = self.import_op(other, op);
                    self.app(op, &arguments)
                }
            };
            images.insert(each, image);
        }
        images.get(&term).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_move_between_tables() {
        let mut from = Terms::new();
        let array = from.array_sort(Sort::Bv(8), Sort::Int);
        let (x, y) = (from.declare("x", array), from.declare("y", Sort::Bv(8)));
        let (map, at) = (from.var(x), from.var(y));
        let element = from.app(Op::Select, &[map, at]);
        let two = from.int(2);
        let less = from.app(Op::Lt, &[element, two]);
        let mut into = Terms::new();
        // The tables number their array sorts differently.
        into.array_sort(Sort::Int, Sort::Int);
        let other = into.array_sort(Sort::Bv(8), Sort::Int);
        let (b, a) = (into.declare("b", Sort::Bv(8)), into.declare("a", other));
        let rename = |var| [(x, a), (y, b)].into_iter().find(|pair| pair.0 == var);
        let moved = into.import(&from, less, &mut |var| rename(var).map(|pair| pair.1));
        assert_eq!(
            into.display(moved.expect("both are renamed")).to_string(),
            "(< (select a b) 2)"
        );
        assert_eq!(into.import(&from, less, &mut |var| (var == x).then_some(a)), None);
        assert_eq!(into.import(&from, less, &mut |_| Some(b)), None);
    }
}
