//! Which objects are arrays, and which of their elements operations access.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Cfa, LocId, Op, Points, Program};
use domains::survey::{Access, Survey, Where};
use domains::value::ObjectSite;
use term::{Op as Operator, TermId, Terms, Var, View, WordSum};

use super::bases::Bases;
use crate::op_place::OpPlace;

/// An access of an object: how far into it, and how many bytes, if that can be said.
type Found = (OpPlace, Option<(WordSum, u64)>);

/// The arrays of a program, and what is accessed in them.
pub(super) struct Arrays {
    /// How each array is divided.
    pub(super) shapes: BTreeMap<ObjectSite, Shape>,
    /// The accesses of arrays: at an element, or anywhere in them.
    pub(super) accesses: BTreeMap<OpPlace, (ObjectSite, Option<Element>)>,
}

/// How an array is divided into elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// How many bytes lie between neighbours, for each dimension, the largest first.
    pub(super) strides: Vec<u64>,
    /// The sort of words that indices are, and how they are made as long as addresses.
    pub(super) index: Index,
}

/// What indices are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Index {
    /// Words as long as an address.
    Whole(u32),
    /// Shorter words that are extended by their sign, or by zeros.
    Extended { width: u32, signed: bool },
}

/// A part of an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element {
    /// The index of the element in each dimension.
    pub(super) index: Vec<TermId>,
    pub(super) field: Field,
}

/// Some bytes of each element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Field {
    pub(super) first: u64,
    pub(super) length: u64,
}

impl Field {
    pub(super) fn overlaps(self, other: Field) -> bool {
        self.first < other.first + other.length && other.first < self.first + self.length
    }
}

impl Index {
    pub(super) fn width(self) -> u32 {
        match self {
            Index::Whole(width) | Index::Extended { width, .. } => width,
        }
    }
}

impl Arrays {
    /// Finds arrays: objects that are made once and accessed at places that differ. `None` if there are none.
    pub(super) fn of(survey: &Survey<'_>, points: &Points, terms: &mut Terms) -> Option<Self> {
        let program = survey.program();
        let mut found: BTreeMap<ObjectSite, Vec<Found>> = BTreeMap::new();
        let mut is_array: BTreeSet<ObjectSite> = BTreeSet::new();
        let addresses = addresses(program, terms);
        let bases = Bases::of(program);
        for (place, access) in &survey.accesses {
            let (Access::Read(at) | Access::Write(at, _)) = access else { continue };
            let Some(site) = located(survey, points, *place) else { continue };
            if matches!(at, Where::In(_)) {
                is_array.insert(site);
            }
            let sum = addresses.get(place).and_then(|(address, length)| {
                let mut sum = WordSum::of(terms, *address)?;
                match at {
                    Where::At(_, offset) => {
                        sum.parts.clear();
                        sum.constant = *offset;
                    }
                    _ => take_base(terms, &bases, *place, site, &mut sum)?,
                }
                Some((sum, *length))
            });
            found.entry(site).or_default().push((*place, sum));
        }
        let mut arrays = Self { shapes: BTreeMap::new(), accesses: BTreeMap::new() };
        for (site, accesses) in found {
            if !is_array.contains(&site) || !is_made_once(&program.cfa, site) {
                continue;
            }
            let sums: Vec<&WordSum> =
                accesses.iter().filter_map(|(_, sum)| Some(&sum.as_ref()?.0)).collect();
            let Some(shape) = Shape::of(&program.cfa, terms, &sums) else { continue };
            for (place, sum) in &accesses {
                let element =
                    sum.as_ref().and_then(|(sum, length)| shape.element(terms, sum, *length));
                arrays.accesses.insert(*place, (site, element));
            }
            arrays.shapes.insert(site, shape);
        }
        (!arrays.shapes.is_empty()).then_some(arrays)
    }
}

/// The one object that an operation accesses. Both the values of pointers and what they are computed from
/// have to say so: an address that is computed from those of two objects may be in either.
pub(super) fn located(survey: &Survey<'_>, points: &Points, place: OpPlace) -> Option<ObjectSite> {
    let (Access::Read(at) | Access::Write(at, _)) = survey.accesses.get(&place)? else {
        return None;
    };
    let (Where::At(name, _) | Where::In(name)) = *at else { return None };
    let site = survey.site(name);
    let program = survey.program();
    let (Op::Load { address, .. }
    | Op::Store { address, .. }
    | Op::Copy { to: address, .. }
    | Op::Fill { address, .. }
    | Op::HavocMemory { address, .. }) = &program.cfa.edges[place.0].ops[place.1 as usize]
    else {
        return None;
    };
    let pointees = points.pointees(program, *address);
    (pointees.sites == [site]).then_some(site)
}

/// The address of each load and store, over the variables as they are then, and how many bytes it is about.
/// Variables that were assigned on the same edge are replaced by what they were assigned.
fn addresses(program: &Program, terms: &mut Terms) -> BTreeMap<OpPlace, (TermId, u64)> {
    let mut found = BTreeMap::new();
    for (edge, known) in program.cfa.edges.entries() {
        let mut values: BTreeMap<Var, TermId> = BTreeMap::new();
        for (number, op) in (0..).zip(&known.ops) {
            let accessed = match op {
                Op::Load { var, address } => Some((*address, terms.var_sort(*var))),
                Op::Store { address, value } => Some((*address, terms.sort(*value))),
                _ => None,
            };
            if let Some((address, length)) =
                accessed.and_then(|(address, sort)| Some((address, cfa::stored_bytes(sort)?)))
            {
                let address = terms.substitute(address, &mut |var| values.get(&var).copied());
                found.insert((edge, number), (address, length));
            }
            let value = match op {
                Op::Assign { value, .. } => {
                    Some(terms.substitute(*value, &mut |var| values.get(&var).copied()))
                }
                _ => None,
            };
            for var in op.assigned() {
                values.remove(var);
                values.retain(|_, value| terms.vars(*value).binary_search(var).is_err());
                if let Some(value) =
                    value.filter(|value| terms.vars(*value).binary_search(var).is_err())
                {
                    values.insert(*var, value);
                }
            }
        }
    }
    found
}

/// Takes the address of the object out of a sum, so that the offset is left. `None` if the address is not in the sum.
fn take_base(
    terms: &Terms,
    bases: &Bases,
    place: OpPlace,
    site: ObjectSite,
    sum: &mut WordSum,
) -> Option<()> {
    let is_base = |term: TermId| match terms.view(term) {
        View::Var(var) => bases.holds(place, var, site),
        _ => false,
    };
    let mut found = sum.parts.iter().filter(|(part, factor)| **factor == 1 && is_base(**part));
    let part = *found.next()?.0;
    sum.parts.remove(&part);
    Some(())
}

/// Whether an execution makes at most one object at a site: the site is not in a loop.
pub(crate) fn is_made_once(cfa: &Cfa, site: ObjectSite) -> bool {
    let ObjectSite::Alloc(edge, _) = site else { return true };
    let (from, to) = (cfa.edges[edge].source, cfa.edges[edge].target);
    let mut seen: BTreeSet<LocId> = BTreeSet::from([to]);
    let mut waiting = vec![to];
    while let Some(location) = waiting.pop() {
        for edge in &cfa.locations[location].edges {
            let target = cfa.edges[*edge].target;
            if seen.insert(target) {
                waiting.push(target);
            }
        }
    }
    !seen.contains(&from)
}

impl Shape {
    /// The shape that fits the offsets at which an object is accessed.
    fn of(cfa: &Cfa, terms: &Terms, sums: &[&WordSum]) -> Option<Self> {
        let width = cfa.address_width;
        let factors = |sum: &WordSum| -> BTreeSet<i64> {
            sum.parts.values().map(|factor| sum.signed(*factor)).collect()
        };
        let all: BTreeSet<BTreeSet<i64>> =
            sums.iter().map(|sum| factors(sum)).filter(|factors| !factors.is_empty()).collect();
        let largest_first = |set: &BTreeSet<i64>| -> Option<Vec<u64>> {
            let list: Vec<u64> =
                set.iter().rev().filter_map(|factor| u64::try_from(*factor).ok()).collect();
            let divides =
                |pair: &[u64]| pair[0].is_multiple_of(pair[1]) && pair[0] / pair[1] < 1 << 31;
            (list.len() == set.len() && list.windows(2).all(divides)).then_some(list)
        };
        let same = all.first().filter(|_| all.len() == 1).and_then(largest_first);
        let strides = match same {
            Some(strides) => strides,
            None => {
                let common = all
                    .iter()
                    .flatten()
                    .fold(0, |common, factor| gcd(common, factor.unsigned_abs()));
                vec![common]
            }
        };
        if strides.contains(&0) {
            return None;
        }
        let shape = Self { strides, index: Index::Whole(width) };
        let extended = sums.iter().filter_map(|sum| shape.extension(terms, sum));
        let extended: Vec<Option<Index>> = extended.collect();
        let index = match extended.split_first() {
            Some((Some(first), rest))
                if rest.iter().all(|other| *other == Some(*first))
                    && shape.is_apart(*first, width) =>
            {
                *first
            }
            _ => Index::Whole(width),
        };
        Some(Self { index, ..shape })
    }

    /// Whether different indices of the first dimension have different offsets. Indices longer than C's `int` are
    /// left to words as long as an address.
    fn is_apart(&self, index: Index, width: u32) -> bool {
        index.width() <= 32 && u128::from(self.strides[0]) << index.width() <= 1 << width
    }

    /// How the indices of an access are extended to the width of addresses, if all are extended in the same way;
    /// `Some(None)` if they are not, and `None` for an access without indices.
    fn extension(&self, terms: &Terms, sum: &WordSum) -> Option<Option<Index>> {
        let mut kinds = sum.parts.iter().map(|(part, factor)| {
            let whole = self.strides.contains(factor);
            match terms.view(*part) {
                View::App(Operator::BvSignExtend(_), [short]) if whole => {
                    Some(Index::Extended { width: terms.width(*short), signed: true })
                }
                View::App(Operator::BvZeroExtend(_), [short]) if whole => {
                    Some(Index::Extended { width: terms.width(*short), signed: false })
                }
                _ => None,
            }
        });
        let first = kinds.next()?;
        let is_alone = sum.parts.values().collect::<BTreeSet<_>>().len() == sum.parts.len();
        // A constant would have to be added before the index is extended.
        let is_inside = sum.constant < *self.strides.last()?;
        Some(first.filter(|first| is_alone && is_inside && kinds.all(|kind| kind == Some(*first))))
    }

    /// The element that an access of `length` bytes at an offset is in. `None` if the access is not inside of one
    /// element.
    fn element(&self, terms: &mut Terms, sum: &WordSum, length: u64) -> Option<Element> {
        let mut constant = sum.signed(sum.constant);
        let mut parts: Vec<(TermId, i64)> =
            sum.parts.iter().map(|(part, factor)| (*part, sum.signed(*factor))).collect();
        let mut index = Vec::with_capacity(self.strides.len());
        for (number, stride) in self.strides.iter().enumerate() {
            let stride = i64::try_from(*stride).ok()?;
            let is_last = number + 1 == self.strides.len();
            let belongs =
                |factor: i64| if is_last { factor % stride == 0 } else { factor == stride };
            let (mine, others): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|(_, factor)| belongs(*factor));
            parts = others;
            // The rest of the constant is an offset in the element, or a small index of the next dimension.
            let half = if is_last { 0 } else { stride / 2 };
            let whole = constant.checked_add(half)?.div_euclid(stride);
            constant = constant.checked_sub(whole.checked_mul(stride)?)?;
            let mine: Vec<(TermId, i64)> =
                mine.into_iter().map(|(part, factor)| (part, factor / stride)).collect();
            index.push(self.index_of(terms, &mine, whole)?);
        }
        let first = u64::try_from(constant).ok()?;
        let is_inside = parts.is_empty() && first.checked_add(length)? <= *self.strides.last()?;
        is_inside.then_some(Element { index, field: Field { first, length } })
    }

    fn index_of(
        &self,
        terms: &mut Terms,
        parts: &[(TermId, i64)],
        constant: i64,
    ) -> Option<TermId> {
        match (self.index, parts) {
            (Index::Whole(width), _) => Some(build(terms, width, parts, constant)),
            (Index::Extended { width, signed }, []) => {
                let least = if signed { -(1_i64 << (width - 1)) } else { 0 };
                let range = least..least + (1_i64 << width);
                range.contains(&constant).then(|| build(terms, width, &[], constant))
            }
            (Index::Extended { .. }, [(part, 1)]) if constant == 0 => match terms.view(*part) {
                View::App(_, [short]) => Some(*short),
                _ => None,
            },
            _ => None,
        }
    }

    /// Under this condition on an index, no other index that meets the condition has the same offset.
    pub(super) fn is_plain(&self, terms: &mut Terms, index: &[TermId]) -> TermId {
        let mut all = Vec::new();
        for (number, index) in index.iter().enumerate() {
            let width = terms.width(*index);
            let most = match (number, self.index) {
                (0, Index::Extended { .. }) => continue,
                (0, Index::Whole(width)) => (1_u128 << width) / u128::from(self.strides[0]),
                _ => u128::from(self.strides[number - 1] / self.strides[number]),
            };
            if most >= 1 << width {
                continue;
            }
            let most = terms.bv(width, most);
            all.push(terms.bv_ult(*index, most));
        }
        terms.and(&all)
    }
}

/// The sum of terms with factors and a constant, as a term.
fn build(terms: &mut Terms, width: u32, parts: &[(TermId, i64)], constant: i64) -> TermId {
    let word = |terms: &mut Terms, number: i64| {
        let mask = u64::MAX >> (64 - width);
        terms.bv(width, u128::from(number.cast_unsigned() & mask))
    };
    let mut all = (constant != 0 || parts.is_empty()).then(|| word(terms, constant));
    for (part, factor) in parts {
        let product = if *factor == 1 {
            *part
        } else {
            let factor = word(terms, *factor);
            terms.bv_mul(*part, factor)
        };
        all = Some(all.map_or(product, |sum| terms.bv_add(product, sum)));
    }
    all.expect("a sum has a constant or a part")
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
