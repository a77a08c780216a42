//! Which object an address points into, and what is known of addresses.

use cfa::{ObjectKind, Scope};
use term::{Op, TermId, View};

use crate::check::Checker;
use crate::memory::Base;

/// How deep sums and choices are looked into.
const DEEP: u32 = 64;

/// Of so many objects it is said that they do not overlap.
const MOST_OBJECTS: usize = 48;

/// Where an address points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// No object is at address zero.
    Null,
    /// So many bytes into an object, or nowhere: an address that is computed from that of an object
    /// by adding a number points into this object or to nothing.
    Into(Base, TermId),
    /// It is not known.
    Unknown,
}

impl Checker<'_> {
    fn base(&self, term: TermId) -> Option<Base> {
        let View::Var(var) = self.terms.view(term) else { return None };
        match self.program.cfa.variables.get(var).map(|known| known.scope) {
            Some(Scope::Address(object)) => Some(Base::Initial(object)),
            Some(_) => None,
            None => self.news.contains(&var).then_some(Base::New(var)),
        }
    }

    /// Whether the address of an object is in a term.
    fn mentions_base(&mut self, term: TermId) -> bool {
        if let Some(known) = self.mentions.get(&term) {
            return *known;
        }
        let found = self.terms.vars(term).into_iter().any(|var| {
            self.news.contains(&var)
                || self
                    .program
                    .cfa
                    .variables
                    .get(var)
                    .is_some_and(|known| matches!(known.scope, Scope::Address(_)))
        });
        self.mentions.insert(term, found);
        found
    }

    /// Where an address points.
    pub(crate) fn target(&mut self, address: TermId) -> Target {
        if self.terms.value(address).is_some() {
            return if self.terms.number(address) == Some(0) {
                Target::Null
            } else {
                Target::Unknown
            };
        }
        match self.decompose(address, 0) {
            Some((base, offset)) => Target::Into(base, offset),
            None => Target::Unknown,
        }
    }

    fn decompose(&mut self, term: TermId, depth: u32) -> Option<(Base, TermId)> {
        if depth > DEEP {
            return None;
        }
        if let Some(base) = self.base(term) {
            let width = self.terms.width(term);
            return Some((base, self.terms.bv(width, 0)));
        }
        let View::App(op, args) = self.terms.view(term) else { return None };
        match (op, args) {
            (Op::BvAdd, &[a, b]) => {
                let (inner, by) = match (self.mentions_base(a), self.mentions_base(b)) {
                    (true, false) => (a, b),
                    (false, true) => (b, a),
                    _ => return None,
                };
                let (base, offset) = self.decompose(inner, depth + 1)?;
                Some((base, self.terms.bv_add(offset, by)))
            }
            (Op::BvSub, &[a, by]) if self.terms.value(by).is_some() => {
                let (base, offset) = self.decompose(a, depth + 1)?;
                Some((base, self.terms.bv_sub(offset, by)))
            }
            _ => None,
        }
    }

    /// What is known of the constant addresses in formulas: none is in the first 4 KiB (where addresses are
    /// short: zero) or in the memory outside, none wraps, all are aligned, and no two objects overlap. Of an
    /// object that would take half of all addresses nothing is said.
    pub(crate) fn address_facts(&mut self, formulas: &[TermId]) -> Vec<TermId> {
        let (cfa, width) = (&self.program.cfa, self.program.cfa.address_width);
        if cfa.objects.is_empty() || width == 0 {
            return Vec::new();
        }
        let mut used = Vec::new();
        for term in self.terms.post_order(formulas) {
            if let Some(Base::Initial(object)) = self.base(term) {
                let room = match cfa.objects[object].kind {
                    ObjectKind::Code(_) => 1,
                    ObjectKind::Data | ObjectKind::ReadOnly => cfa.objects[object].size.max(1),
                };
                if u128::from(room) < 1 << (width - 1) {
                    used.push((term, room, cfa.objects[object].align));
                }
            }
        }
        let terms = &mut self.terms;
        let mut facts = Vec::new();
        let zero = terms.bv(width, 0);
        let lowest = terms.bv(width, if width < 16 { 1 } else { 0x1000 });
        let top = match cfa.outside {
            Some(outside) => terms.bv(width, u128::from(outside.from)),
            None => zero,
        };
        let ends: Vec<(TermId, TermId)> = used
            .iter()
            .map(|(base, room, _)| {
                let room = terms.bv(width, u128::from(*room));
                (*base, terms.bv_add(*base, room))
            })
            .collect();
        for (base, room, align) in &used {
            facts.push(terms.bv_ule(lowest, *base));
            let room = terms.bv(width, u128::from(*room));
            let last = terms.bv_sub(top, room);
            facts.push(terms.bv_ult(*base, last));
            if *align > 1 {
                let mask = terms.bv(width, u128::from(*align - 1));
                let low = terms.bv_and(*base, mask);
                facts.push(terms.eq(low, zero));
            }
        }
        if ends.len() <= MOST_OBJECTS {
            for (index, (base, end)) in ends.iter().enumerate() {
                for (other, other_end) in &ends[index + 1..] {
                    let below = terms.bv_ule(*end, *other);
                    let above = terms.bv_ule(*other_end, *base);
                    facts.push(terms.or2(below, above));
                }
            }
        }
        facts
    }
}
