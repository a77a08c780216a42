//! The table of terms: every term is stored once, so that equal ids mean equal terms.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{IndexVec, define_id};
use hashbrown::HashTable;
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHasher;

use crate::bits::Bv;
use crate::float::Float;
use crate::op::Op;
use crate::sort::{ArraySort, Sort};
use crate::sort_error::SortError;
use crate::value::{ArrayValue, Value};

define_id!(
    /// A term of a table.
    pub struct TermId, "t"
);
define_id!(
    /// A declared symbol of a table: a name and a sort.
    pub struct Var, "v"
);
define_id!(
    /// A constant of a table.
    pub struct ConstId, "c"
);

/// One level of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View<'a> {
    /// A symbol.
    Var(Var),
    /// A constant.
    Const(&'a Value),
    /// An operator and its arguments.
    App(Op, &'a [TermId]),
}

/// The top of a term. Arguments lie in one pool, since most terms have one or two.
#[derive(Clone, Copy)]
enum Node {
    Var(Var),
    Const(ConstId),
    App { op: Op, start: u32, len: u32 },
}

#[derive(Clone, Copy)]
struct Entry {
    node: Node,
    sort: Sort,
}

#[derive(Clone)]
struct Symbol {
    /// Shared by the copies of a table.
    name: Arc<str>,
    sort: Sort,
    term: Option<TermId>,
}

/// The table of terms.
///
/// Terms are typed and immutable. The constructors simplify, so a term need not have the operator
/// that it was built with. Ids grow in order of construction: an argument's id is less than that
/// of the term it is in.
#[derive(Clone, Default)]
pub struct Terms {
    entries: IndexVec<TermId, Entry>,
    pool: Vec<TermId>,
    constants: IndexVec<ConstId, Value>,
    /// The term of each constant, by the same ids as `constants`.
    constant_terms: IndexVec<ConstId, TermId>,
    symbols: IndexVec<Var, Symbol>,
    array_sorts: IndexVec<ArraySort, (Sort, Sort)>,
    app_table: HashTable<TermId>,
    constant_table: HashTable<ConstId>,
    array_table: HashTable<ArraySort>,
    /// How many simplification rules are at work inside each other.
    pub(crate) depth: u32,
    identity: Identity,
}

/// A number that no other table has, copies included.
struct Identity(u64);

impl Default for Identity {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Clone for Identity {
    fn clone(&self) -> Self {
        Self::default()
    }
}

fn hash(item: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    item.hash(&mut hasher);
    hasher.finish()
}

impl Terms {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A number that tells this table from every other table of the process. A term id means nothing in another table,
    /// not even in a copy that has grown on its own: code that keeps ids can check by this number that it is asked
    /// about the table of these ids.
    #[must_use]
    pub fn identity(&self) -> u64 {
        self.identity.0
    }

    /// Whether this table has grown from another one: every id of the other table means the same here.
    #[must_use]
    pub fn extends(&self, other: &Self) -> bool {
        other.entries.len() <= self.entries.len()
            && other.symbols.len() <= self.symbols.len()
            && other.array_sorts.entries().all(|(id, sort)| self.array_sorts.get(id) == Some(sort))
            && other.symbols.entries().all(|(id, symbol)| {
                let same = &self.symbols[id];
                same.sort == symbol.sort && same.name == symbol.name
            })
            && other.entries.entries().all(|(id, entry)| {
                self.entries[id].sort == entry.sort && self.view(id) == other.view(id)
            })
    }

    /// The zero of a sort: false, 0, `+0.0`, an array of zeros.
    #[must_use]
    pub fn zero(&self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::ZERO),
            Sort::Rat => Value::Rat(BigInt::ZERO.into()),
            Sort::Bv(width) => Value::Bv(Bv::zero(width)),
            Sort::Float(format) => Value::Float(Float::zero(format, false)),
            Sort::Array(array) => {
                let default = self.zero(self.array_parts(array).1);
                Value::Array(Box::new(ArrayValue::new(array, default)))
            }
        }
    }

    /// A new symbol. Names may repeat; keeping them apart is the caller's business.
    pub fn declare(&mut self, name: impl Into<Arc<str>>, sort: Sort) -> Var {
        self.symbols.push(Symbol { name: name.into(), sort, term: None })
    }

    /// The name of a symbol.
    #[must_use]
    pub fn var_name(&self, v: Var) -> &str {
        &self.symbols[v].name
    }

    /// The sort of a symbol.
    #[must_use]
    pub fn var_sort(&self, v: Var) -> Sort {
        self.symbols[v].sort
    }

    /// How many symbols there are.
    #[must_use]
    pub fn var_count(&self) -> usize {
        self.symbols.len()
    }

    /// The term that is just this symbol.
    pub fn var(&mut self, v: Var) -> TermId {
        let Symbol { sort, term, .. } = self.symbols[v];
        if let Some(term) = term {
            return term;
        }
        let term = self.entries.push(Entry { node: Node::Var(v), sort });
        self.symbols[v].term = Some(term);
        term
    }

    /// The sort of arrays from `index` to `element`.
    ///
    /// # Panics
    /// If the index sort is an array sort: constants of such a sort would have no canonical form.
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        assert!(!matches!(index, Sort::Array(_)), "an index is not an array");
        let Self { array_sorts, array_table, .. } = self;
        let parts = (index, element);
        let found = array_table.entry(
            hash(&parts),
            |id| array_sorts[*id] == parts,
            |id| hash(&array_sorts[*id]),
        );
        Sort::Array(match found {
            hashbrown::hash_table::Entry::Occupied(entry) => *entry.get(),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let id = array_sorts.next_id();
                entry.insert(id);
                array_sorts.push(parts)
            }
        })
    }

    /// Index sort and element sort.
    #[must_use]
    pub fn array_parts(&self, a: ArraySort) -> (Sort, Sort) {
        self.array_sorts[a]
    }

    pub(crate) fn array_sort_count(&self) -> usize {
        self.array_sorts.len()
    }

    /// The sort of a term.
    #[must_use]
    pub fn sort(&self, t: TermId) -> Sort {
        self.entries[t].sort
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If the term is no bit-vector.
    #[must_use]
    pub fn width(&self, t: TermId) -> u32 {
        match self.entries[t].sort {
            Sort::Bv(width) => width,
            sort => panic!("{sort:?} is not a bit-vector sort"),
        }
    }

    /// The top level of a term.
    #[must_use]
    pub fn view(&self, t: TermId) -> View<'_> {
        match self.entries[t].node {
            Node::Var(v) => View::Var(v),
            Node::Const(c) => View::Const(&self.constants[c]),
            Node::App { op, start, len } => {
                View::App(op, &self.pool[start as usize..(start + len) as usize])
            }
        }
    }

    /// How many terms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the table has no terms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a constant term.
    #[must_use]
    pub fn value(&self, t: TermId) -> Option<&Value> {
        match self.entries[t].node {
            Node::Const(c) => Some(&self.constants[c]),
            _ => None,
        }
    }

    /// The constant term of a value. A map whose fields were set by hand becomes canonical.
    pub fn constant(&mut self, v: Value) -> TermId {
        let v = match v {
            Value::Array(mut array) => {
                array.normalise();
                Value::Array(array)
            }
            v => v,
        };
        let Self { entries, constants, constant_terms, constant_table, .. } = self;
        let found =
            constant_table.entry(hash(&v), |id| constants[*id] == v, |id| hash(&constants[*id]));
        match found {
            hashbrown::hash_table::Entry::Occupied(entry) => constant_terms[*entry.get()],
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let sort = v.sort();
                let id = constants.next_id();
                entry.insert(id);
                constants.push(v);
                let term = entries.push(Entry { node: Node::Const(id), sort });
                constant_terms.push(term);
                term
            }
        }
    }

    /// A truth value.
    pub fn bool(&mut self, b: bool) -> TermId {
        self.constant(Value::Bool(b))
    }

    /// An integer.
    pub fn int(&mut self, number: impl Into<BigInt>) -> TermId {
        self.constant(Value::Int(number.into()))
    }

    /// A rational.
    pub fn rat(&mut self, number: BigRational) -> TermId {
        self.constant(Value::Rat(number))
    }

    /// The bit-vector of the low `width` bits of a number.
    ///
    /// # Panics
    /// If the width is zero.
    pub fn bv(&mut self, width: u32, bits: u128) -> TermId {
        self.constant(Value::Bv(Bv::new(width, bits)))
    }

    /// A bit-vector.
    pub fn bv_value(&mut self, value: Bv) -> TermId {
        self.constant(Value::Bv(value))
    }

    /// A float.
    pub fn float(&mut self, value: Float) -> TermId {
        self.constant(Value::Float(value))
    }

    /// The number that a term is, if it is a constant bit-vector that fits.
    #[must_use]
    pub fn number(&self, t: TermId) -> Option<u64> {
        self.value(t)?.as_bv()?.to_u64()
    }

    /// Whether the term is the constant `true`.
    #[must_use]
    pub fn is_true(&self, t: TermId) -> bool {
        self.value(t) == Some(&Value::Bool(true))
    }

    /// Whether the term is the constant `false`.
    #[must_use]
    pub fn is_false(&self, t: TermId) -> bool {
        self.value(t) == Some(&Value::Bool(false))
    }

    /// Applies an operator and simplifies, if the operator takes these arguments.
    ///
    /// # Errors
    /// If the operator does not take them.
    pub fn try_app(&mut self, op: Op, args: &[TermId]) -> Result<TermId, SortError> {
        let sort = self.result_sort(op, args)?;
        Ok(self.simplified(op, args, sort))
    }

    /// Applies an operator and simplifies.
    ///
    /// # Panics
    /// If the operator does not take these arguments.
    pub fn app(&mut self, op: Op, args: &[TermId]) -> TermId {
        match self.try_app(op, args) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }

    /// The term with exactly this operator and these arguments.
    pub(crate) fn intern(&mut self, op: Op, args: &[TermId], sort: Sort) -> TermId {
        let key = (op, args);
        let Self { entries, pool, app_table, .. } = self;
        let found = app_table.entry(
            hash(&key),
            |id| app_key(entries, pool, *id) == key,
            |id| hash(&app_key(entries, pool, *id)),
        );
        match found {
            hashbrown::hash_table::Entry::Occupied(entry) => *entry.get(),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let fits =
                    |n: usize| u32::try_from(n).expect("a table of fewer than 2^32 arguments");
                let (start, len) = (fits(pool.len()), fits(args.len()));
                fits(pool.len() + args.len());
                entry.insert(entries.next_id());
                pool.extend_from_slice(args);
                entries.push(Entry { node: Node::App { op, start, len }, sort })
            }
        }
    }

    /// The term with exactly this operator and these arguments, if there is one yet.
    pub(crate) fn find(&self, op: Op, args: &[TermId]) -> Option<TermId> {
        let key = (op, args);
        self.app_table
            .find(hash(&key), |id| app_key(&self.entries, &self.pool, *id) == key)
            .copied()
    }
}

/// Operator and arguments of a term that is an application.
fn app_key<'a>(
    entries: &IndexVec<TermId, Entry>,
    pool: &'a [TermId],
    id: TermId,
) -> (Op, &'a [TermId]) {
    match entries[id].node {
        Node::App { op, start, len } => (op, &pool[start as usize..(start + len) as usize]),
        // Only applications are in the table of applications.
        Node::Var(_) | Node::Const(_) => (Op::Not, &[]),
    }
}
