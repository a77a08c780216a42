//! Linear arithmetic over Int and Rat, on top of SAT.
//!
//! A comparison of sums is an [`Atom`]: a literal that says that a [`Form`] is at most, less than, or equal to a
//! number. Comparisons that say the same share their literal. Terms that are no sums of other terms (choices,
//! quotients, reads, bit-vectors as numbers) are unknowns, and facts that hold of the unknown of such a term are its
//! definition.
//!
//! Nothing here is asserted when it is built. A SAT model says which atoms hold; the atoms that matter
//! ([`crate::relevance`]), with the definitions of the terms in them, are the facts that [`Arithmetic::check`] decides.
//! Each fact has a literal as its reason, so that facts without a common solution are a clause.

mod solve;
mod sum;
mod translate;

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;
use term::TermId;

use crate::gates::Gates;
use crate::linear::{Mark, System, Unknown};
pub(crate) use solve::Verdict;
pub(crate) use sum::{Name, SortedSum};

base::define_id!(
    /// A sum without its constant, made primitive.
    pub struct FormId, "f"
);
base::define_id!(
    /// A comparison that has a literal.
    pub struct AtomId, "a"
);
base::define_id!(
    /// A bound on a form.
    pub struct BoundId, "b"
);

/// The number that a term is.
#[derive(Clone)]
pub(crate) struct Number {
    pub sum: Arc<SortedSum>,
    /// Whether its sort is Int.
    pub integer: bool,
    /// Whether the term is made of variables and constants only, so that it has no definitions in it.
    pub plain: bool,
}

/// Coprime integer factors, the first one positive.
struct Form {
    factors: Vec<(Name, BigInt)>,
    /// Whether all unknowns of the form are integers.
    integer: bool,
    /// The atoms of the form that are orders; each literal implies the next one.
    orders: BTreeMap<(BigRational, Order), Lit>,
    /// The atoms of the form that are equations.
    equations: Vec<Lit>,
}

/// The strict order is the lesser one: `form < 3` implies `form <= 3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Order {
    Less,
    AtMost,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    Greater,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Bound {
    form: FormId,
    comparison: Comparison,
    value: BigRational,
}

/// A literal that says something about a form.
pub(crate) struct Atom {
    pub literal: Lit,
    /// What holds if the literal does.
    pub yes: BoundId,
    /// What holds if the literal does not hold.
    pub no: Otherwise,
}

pub(crate) enum Otherwise {
    Bound(BoundId),
    /// The form differs from the value, and the two literals of [`Otherwise::Split`] have not been made yet.
    Differs,
    /// The form differs from the value, and these two literals say whether the form is less than the value, and
    /// whether it is at most the value.
    Split {
        less: Lit,
        at_most: Lit,
    },
}

/// What holds of the unknown of a term.
pub(crate) enum Definition {
    Always(BoundId),
    /// The first bound holds if the literal does, the second one otherwise.
    Choice(Lit, BoundId, BoundId),
}

/// A fact: a bound and the literal because of which it holds.
pub(crate) type Fact = (Lit, BoundId);

/// The system that was last solved, kept because the next facts are mostly the same.
#[derive(Default)]
struct Loaded {
    system: System,
    unknowns: FxHashMap<Name, Unknown>,
    facts: Vec<(Fact, Mark)>,
    /// The forms that have a row.
    rows: FxHashSet<FormId>,
}

/// The atoms and unknowns of an instance, and the system that was last solved.
#[derive(Default)]
pub(crate) struct Arithmetic {
    /// Whether each unknown is an integer.
    names: Vec<bool>,
    forms: base::IndexVec<FormId, Form>,
    form_ids: FxHashMap<Vec<(Name, BigInt)>, FormId>,
    bounds: base::IndexVec<BoundId, Bound>,
    bound_ids: FxHashMap<Bound, BoundId>,
    atoms: base::IndexVec<AtomId, Atom>,
    atom_ids: FxHashMap<BoundId, AtomId>,
    by_literal: FxHashMap<rustsat::types::Var, AtomId>,
    definitions: FxHashMap<TermId, Vec<Definition>>,
    /// The number, 0 or 1, of each bit that is a part of a number.
    bits: FxHashMap<Lit, Name>,
    loaded: Loaded,
}

/// The most equations of one form for which clauses say that every two of them exclude each other.
const EXCLUDED: usize = 24;

impl Arithmetic {
    /// Whether no number occurs in the instance.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub fn fresh(&mut self, integer: bool) -> Name {
        self.names.push(integer);
        (self.names.len() - 1) as Name
    }

    pub fn atom(&self, literal: Lit) -> Option<(AtomId, &Atom)> {
        let id = *self.by_literal.get(&literal.var())?;
        Some((id, &self.atoms[id]))
    }

    pub fn atom_at(&self, id: AtomId) -> &Atom {
        &self.atoms[id]
    }

    pub fn definitions(&self, term: TermId) -> &[Definition] {
        self.definitions.get(&term).map_or(&[], Vec::as_slice)
    }

    fn define(&mut self, term: TermId, definition: Definition) {
        self.definitions.entry(term).or_default().push(definition);
    }

    /// The literal of `sum compared with 0`.
    pub fn literal(&mut self, gates: &mut Gates, sum: &SortedSum, comparison: Comparison) -> Lit {
        if let Some(value) = sum.as_number() {
            return gates.constant(holds(value, comparison));
        }
        let bound = self.bound_of(sum, comparison);
        if self.forms[bound.form].integer && !bound.value.is_integer() {
            // Bounds of orders have been rounded, so the comparison is an equation, and has no integral solutions.
            return gates.constant(false);
        }
        match bound.comparison {
            Comparison::Greater => !self.order(gates, bound.form, bound.value, Order::AtMost),
            Comparison::AtLeast => !self.below(gates, bound.form, bound.value),
            Comparison::Less => self.order(gates, bound.form, bound.value, Order::Less),
            Comparison::AtMost => self.order(gates, bound.form, bound.value, Order::AtMost),
            Comparison::Equal => self.equation(gates, bound),
        }
    }

    /// The literal of `form < value`.
    fn below(&mut self, gates: &mut Gates, form: FormId, value: BigRational) -> Lit {
        if self.forms[form].integer {
            self.order(gates, form, value - BigRational::one(), Order::AtMost)
        } else {
            self.order(gates, form, value, Order::Less)
        }
    }

    fn order(&mut self, gates: &mut Gates, form: FormId, value: BigRational, order: Order) -> Lit {
        let key = (value.clone(), order);
        if let Some(literal) = self.forms[form].orders.get(&key) {
            return *literal;
        }
        let (yes, no) = match order {
            Order::Less => (Comparison::Less, Comparison::AtLeast),
            Order::AtMost => (Comparison::AtMost, Comparison::Greater),
        };
        let yes = self.intern(Bound { form, comparison: yes, value: value.clone() });
        // An integer that is more than 3 is at least 4.
        let no = if self.forms[form].integer {
            Bound { form, comparison: Comparison::AtLeast, value: value + BigRational::one() }
        } else {
            Bound { form, comparison: no, value }
        };
        let no = self.intern(no);
        let literal = self.new_atom(gates, yes, Otherwise::Bound(no));
        let orders = &mut self.forms[form].orders;
        if let Some((_, before)) = orders.range(..&key).next_back() {
            gates.sat.clause(&[!*before, literal]);
        }
        if let Some((_, after)) = orders.range(&key..).next() {
            gates.sat.clause(&[!literal, *after]);
        }
        orders.insert(key, literal);
        literal
    }

    fn equation(&mut self, gates: &mut Gates, bound: Bound) -> Lit {
        let (form, value) = (bound.form, bound.value.clone());
        let yes = self.intern(bound);
        if let Some(atom) = self.atom_ids.get(&yes) {
            return self.atoms[*atom].literal;
        }
        let literal = self.new_atom(gates, yes, Otherwise::Differs);
        let Form { orders, equations, .. } = &mut self.forms[form];
        if let Some((_, above)) = orders.range((value.clone(), Order::AtMost)..).next() {
            gates.sat.clause(&[!literal, *above]);
        }
        if let Some((_, below)) = orders.range(..(value, Order::AtMost)).next_back() {
            gates.sat.clause(&[!literal, !*below]);
        }
        for other in equations.iter().take(EXCLUDED) {
            gates.sat.clause(&[!literal, !*other]);
        }
        equations.push(literal);
        literal
    }

    fn new_atom(&mut self, gates: &mut Gates, yes: BoundId, no: Otherwise) -> Lit {
        let literal = gates.sat.fresh();
        let id = self.atoms.push(Atom { literal, yes, no });
        self.atom_ids.insert(yes, id);
        self.by_literal.insert(literal.var(), id);
        literal
    }

    /// Makes the literals which say on which side of its value the form of an equation is, if the equation does not
    /// hold.
    pub fn split(&mut self, gates: &mut Gates, id: AtomId) {
        let Atom { literal, yes, .. } = self.atoms[id];
        let Bound { form, value, .. } = self.bounds[yes].clone();
        let less = self.below(gates, form, value.clone());
        let at_most = self.order(gates, form, value, Order::AtMost);
        gates.sat.clause(&[!literal, at_most]);
        gates.sat.clause(&[!literal, !less]);
        gates.sat.clause(&[literal, less, !at_most]);
        self.atoms[id].no = Otherwise::Split { less, at_most };
    }

    /// `sum compared with 0` as a bound, for a sum with unknowns.
    fn bound(&mut self, sum: &SortedSum, comparison: Comparison) -> BoundId {
        let bound = self.bound_of(sum, comparison);
        self.intern(bound)
    }

    fn intern(&mut self, bound: Bound) -> BoundId {
        if let Some(id) = self.bound_ids.get(&bound) {
            return *id;
        }
        let id = self.bounds.push(bound.clone());
        self.bound_ids.insert(bound, id);
        id
    }

    fn bound_of(&mut self, sum: &SortedSum, comparison: Comparison) -> Bound {
        let (factors, scale) = sum.primitive().expect("a bound is on a sum with unknowns");
        let value = -&sum.constant * &scale;
        let comparison = if scale.is_negative() { flipped(comparison) } else { comparison };
        let form = match self.form_ids.get(&factors) {
            Some(id) => *id,
            None => {
                let integer = factors.iter().all(|(name, _)| self.names[*name as usize]);
                let id = self.forms.push(Form {
                    factors: factors.clone(),
                    integer,
                    orders: BTreeMap::new(),
                    equations: Vec::new(),
                });
                self.form_ids.insert(factors, id);
                id
            }
        };
        if !self.forms[form].integer {
            return Bound { form, comparison, value };
        }
        // The form is an integer, so that its bounds can be rounded and need not be strict.
        let one = BigRational::one();
        let (comparison, value) = match comparison {
            Comparison::Less => (Comparison::AtMost, value.ceil() - one),
            Comparison::AtMost => (comparison, value.floor()),
            Comparison::Equal => (comparison, value),
            Comparison::AtLeast => (comparison, value.ceil()),
            Comparison::Greater => (Comparison::AtLeast, value.floor() + one),
        };
        Bound { form, comparison, value }
    }
}

fn holds(value: &BigRational, comparison: Comparison) -> bool {
    match comparison {
        Comparison::Less => value.is_negative(),
        Comparison::AtMost => !value.is_positive(),
        Comparison::Equal => value.is_zero(),
        Comparison::AtLeast => !value.is_negative(),
        Comparison::Greater => value.is_positive(),
    }
}

fn flipped(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Equal => Comparison::Equal,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::Greater => Comparison::Less,
    }
}
