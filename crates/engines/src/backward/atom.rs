//! Atomic formulas in one canonical form, so that equal ids mean the same atom: that is the
//! syntactic equality of the thesis, up to multiples and sides.

use std::cmp::Ordering;

use base::{Id as _, IndexVec};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use rustc_hash::FxHashMap;

use super::linear::{Linear, PlaceNumber};

base::define_id!(
    /// A sum of places with coprime integer factors, the first one positive.
    pub struct FormId, "s"
);
base::define_id!(
    /// An atomic formula: a sum compared with a number.
    pub struct AtomId, "a"
);

/// How a sum compares with a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// At most.
    Le,
    /// Less.
    Lt,
    /// At least.
    Ge,
    /// Greater.
    Gt,
    /// Equal.
    Eq,
    /// Different.
    Ne,
}

impl Relation {
    /// The relation that holds where this one does not.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Relation::Le => Relation::Gt,
            Relation::Lt => Relation::Ge,
            Relation::Ge => Relation::Lt,
            Relation::Gt => Relation::Le,
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
        }
    }

    /// The relation between the negatives of both sides.
    #[must_use]
    const fn mirrored(self) -> Self {
        match self {
            Relation::Le => Relation::Ge,
            Relation::Lt => Relation::Gt,
            Relation::Ge => Relation::Le,
            Relation::Gt => Relation::Lt,
            same => same,
        }
    }

    /// Whether this relation holds between two numbers that compare as `order` says.
    #[must_use]
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Relation::Le => order.is_le(),
            Relation::Lt => order.is_lt(),
            Relation::Ge => order.is_ge(),
            Relation::Gt => order.is_gt(),
            Relation::Eq => order.is_eq(),
            Relation::Ne => order.is_ne(),
        }
    }
}

/// An atomic formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The left side.
    pub form: FormId,
    /// How the sides compare.
    pub relation: Relation,
    /// The right side.
    pub constant: BigRational,
}

impl Atom {
    /// Whether this atom alone implies another atom. Over the rationals, a linear atom implies another one only if
    /// their sums are multiples of each other, and such sums are equal in canonical form.
    #[must_use]
    pub fn implies(&self, other: &Self) -> bool {
        if self.form != other.form {
            return false;
        }
        let order = self.constant.cmp(&other.constant);
        match (self.relation, other.relation) {
            (Relation::Eq, relation) => relation.holds(order),
            (Relation::Le, Relation::Le) | (Relation::Lt, Relation::Le | Relation::Lt) => {
                order.is_le()
            }
            (Relation::Le, Relation::Lt | Relation::Ne) => order.is_lt(),
            (Relation::Lt, Relation::Ne) => order.is_le(),
            (Relation::Ge, Relation::Ge) | (Relation::Gt, Relation::Ge | Relation::Gt) => {
                order.is_ge()
            }
            (Relation::Ge, Relation::Gt | Relation::Ne) => order.is_gt(),
            (Relation::Gt, Relation::Ne) => order.is_ge(),
            (Relation::Ne, Relation::Ne) => order.is_eq(),
            _ => false,
        }
    }
}

/// An atom in machine integers.
pub(super) struct Small {
    /// The sum.
    pub terms: Box<[(PlaceNumber, i64)]>,
    /// The numerator of the constant.
    pub numer: i64,
    /// The denominator of the constant.
    pub denom: i64,
}

/// An atom, or what became of it when all its places went away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Literal {
    /// The atom has no places left and always holds.
    True,
    /// The atom has no places left and never holds.
    False,
    /// An atom over at least one place, so that whether it holds depends on the state.
    Atom(AtomId),
}

/// All atoms of a run.
#[derive(Default)]
pub struct Atoms {
    forms: IndexVec<FormId, Box<[(PlaceNumber, BigInt)]>>,
    form_ids: FxHashMap<Box<[(PlaceNumber, BigInt)]>, FormId>,
    atoms: IndexVec<AtomId, Atom>,
    small: IndexVec<AtomId, Option<Small>>,
    atom_ids: FxHashMap<Atom, AtomId>,
    /// Whether each place holds integers only.
    integers: Vec<bool>,
    /// Between which numbers each place always lies, if that is known.
    ranges: Vec<Option<(BigInt, BigInt)>>,
}

impl Atoms {
    /// No atoms yet; the places are rational or integer as given.
    #[must_use]
    pub fn new(integers: Vec<bool>) -> Self {
        Self { integers, ..Self::default() }
    }

    /// Notes between which numbers places always lie, as machine words do.
    pub(super) fn set_ranges(&mut self, ranges: Vec<Option<(BigInt, BigInt)>>) {
        self.ranges = ranges;
    }

    /// Between which numbers a place always lies, if that is known.
    pub(super) fn range(&self, place: PlaceNumber) -> Option<&(BigInt, BigInt)> {
        self.ranges.get(place as usize)?.as_ref()
    }

    /// An atom by its id.
    #[must_use]
    pub fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms[id]
    }

    /// The sum of an atom.
    #[must_use]
    pub fn form(&self, id: FormId) -> &[(PlaceNumber, BigInt)] {
        &self.forms[id]
    }

    /// The places of an atom, ascending.
    pub fn places(&self, id: AtomId) -> impl Iterator<Item = PlaceNumber> + '_ {
        self.forms[self.atoms[id].form].iter().map(|(place, _)| *place)
    }

    /// Whether all places of an atom hold integers only.
    pub(super) fn is_integral(&self, id: AtomId) -> bool {
        self.places(id).all(|place| self.integers.get(place as usize) == Some(&true))
    }

    /// Whether an atom alone implies another.
    #[must_use]
    pub fn implies(&self, one: AtomId, other: AtomId) -> bool {
        one == other || self.atoms[one].implies(&self.atoms[other])
    }

    /// The left side minus the right side.
    #[must_use]
    pub fn difference(&self, id: AtomId) -> Linear {
        let atom = &self.atoms[id];
        let terms = self.forms[atom.form].iter();
        let factors =
            terms.map(|(place, factor)| (*place, BigRational::from_integer(factor.clone())));
        Linear { factors: factors.collect(), constant: -atom.constant.clone() }
    }

    /// `expression relation 0` in canonical form.
    pub fn literal(&mut self, expression: &Linear, relation: Relation) -> Literal {
        let Some((terms, scale)) = expression.primitive() else {
            let holds = relation.holds(expression.constant.cmp(&BigRational::zero()));
            return if holds { Literal::True } else { Literal::False };
        };
        let mut relation = if scale.is_negative() { relation.mirrored() } else { relation };
        let mut constant = -(&expression.constant * &scale);
        let integral =
            terms.iter().all(|(place, _)| self.integers.get(*place as usize) == Some(&true));
        if integral {
            match (relation, constant.is_integer()) {
                (Relation::Eq, false) => return Literal::False,
                (Relation::Ne, false) => return Literal::True,
                (Relation::Le, false) | (Relation::Lt, false) => {
                    (relation, constant) = (Relation::Le, constant.floor());
                }
                (Relation::Ge, false) | (Relation::Gt, false) => {
                    (relation, constant) = (Relation::Ge, constant.ceil());
                }
                (Relation::Lt, true) => {
                    (relation, constant) = (Relation::Le, constant - BigInt::from(1));
                }
                (Relation::Gt, true) => {
                    (relation, constant) = (Relation::Ge, constant + BigInt::from(1));
                }
                (_, true) => {}
            }
        }
        let form = self.intern(terms.into());
        let atom = Atom { form, relation, constant };
        if let Some(id) = self.atom_ids.get(&atom) {
            return Literal::Atom(*id);
        }
        let id = self.atoms.push(atom.clone());
        self.small.push(self.shrunk(&atom));
        self.atom_ids.insert(atom, id);
        Literal::Atom(id)
    }

    /// The atom in machine integers, if they are enough.
    fn shrunk(&self, atom: &Atom) -> Option<Small> {
        let terms = self.forms[atom.form].iter();
        let terms = terms.map(|(place, factor)| Some((*place, factor.to_i64()?)));
        Some(Small {
            terms: terms.collect::<Option<_>>()?,
            numer: atom.constant.numer().to_i64()?,
            denom: atom.constant.denom().to_i64()?,
        })
    }

    /// An atom in machine integers, if they are enough.
    pub(super) fn small(&self, id: AtomId) -> Option<&Small> {
        self.small[id].as_ref()
    }

    fn intern(&mut self, terms: Box<[(PlaceNumber, BigInt)]>) -> FormId {
        if let Some(id) = self.form_ids.get(&terms) {
            return *id;
        }
        let id = self.forms.push(terms.clone());
        self.form_ids.insert(terms, id);
        id
    }

    /// How many atoms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether there are no atoms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// An atom as text, over names of the places: `x - 2*y <= 3`.
    #[must_use]
    pub fn show(&self, id: AtomId, names: &[Box<str>]) -> String {
        let atom = &self.atoms[id];
        let name = |place: PlaceNumber| names.get(place as usize).map_or("?", |name| &**name);
        // Places with a negative factor go to the right side, as people write them.
        let (mut left, mut right) = (Vec::new(), Vec::new());
        // A common denominator, so that the text has integers only.
        let scale = atom.constant.denom();
        for (place, factor) in &*self.forms[atom.form] {
            let side = if factor.is_positive() { &mut left } else { &mut right };
            let factor = factor.abs() * scale;
            let name = name(*place);
            side.push(if factor == BigInt::from(1) {
                name.to_owned()
            } else {
                format!("{factor}*{name}")
            });
        }
        let constant = atom.constant.numer();
        if !constant.is_zero() || right.is_empty() {
            if right.is_empty() {
                right.push(constant.to_string());
            } else if constant.is_negative() {
                left.push(constant.abs().to_string());
            } else {
                right.push(constant.to_string());
            }
        }
        let relation = match atom.relation {
            Relation::Le => "<=",
            Relation::Lt => "<",
            Relation::Ge => ">=",
            Relation::Gt => ">",
            Relation::Eq => "==",
            Relation::Ne => "!=",
        };
        format!("{} {relation} {}", left.join(" + "), right.join(" + "))
    }

    /// Every atom's id.
    pub fn ids(&self) -> impl Iterator<Item = AtomId> + use<> {
        (0..self.atoms.len()).map(AtomId::from_index)
    }
}
