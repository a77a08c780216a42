//! Where objects are: what the model says of their addresses.
//!
//! The address of an object is arbitrary, but not in the first 4 KiB, aligned, below the memory outside, and such
//! that the object does not wrap. When an object begins, it does not overlap with any object that is alive then. Two
//! objects that are never alive at the same time may have the same address. Of an object that would take half of all
//! addresses or more, and of an object that begins in the program and has no bytes, nothing but the alignment is said,
//! and that it is not in the first 4 KiB.

use std::rc::Rc;

use cfa::ObjectKind;
use term::{TermId, Var};

use crate::check::Checker;
use crate::memory::{Base, Memory};

/// Of how many objects it is said that they do not overlap.
const MOST_OBJECTS: usize = 48;

/// How many objects are remembered that are alive when another one begins. If more objects are alive, none is
/// remembered.
const MOST_ALIVE: usize = 1000;

/// What is known of an object from the moment on in which it began.
pub(crate) struct Begun {
    /// Holds in all executions in which the object has begun. Of other executions nothing is said: there the address is
    /// the address of nothing.
    pub(crate) has_begun: TermId,
    pub(crate) size: TermId,
    pub(crate) align: u64,
    /// The objects that began earlier in the program and are surely alive then, in order.
    alive: Rc<[Base]>,
}

/// An object whose address is in a formula.
#[derive(Clone, Copy)]
struct Placed {
    base: Base,
    /// The first byte of the object.
    start: TermId,
    /// The byte after the last byte of the object.
    end: TermId,
    room: TermId,
    align: u64,
    /// The condition that the object has begun.
    has_begun: TermId,
    /// The condition that the object has bytes, and fewer than half of all addresses: of objects of other sizes nothing
    /// is said.
    is_usual: TermId,
}

impl Checker<'_> {
    /// What is known of the addresses of objects in formulas.
    pub(crate) fn address_facts(&mut self, formulas: &[TermId]) -> Vec<TermId> {
        let (cfa, width) = (&self.program.cfa, self.program.cfa.address_width);
        if width == 0 || (cfa.objects.is_empty() && self.news.is_empty()) {
            return Vec::new();
        }
        let mut placed = Vec::new();
        for term in self.terms.post_order(formulas) {
            if let Some(base) = self.base(term) {
                placed.extend(self.placed_at(base, term));
            }
        }
        let mut facts = Vec::new();
        for each in &placed {
            self.own_facts(each, &mut facts);
        }
        if placed.len() <= MOST_OBJECTS {
            for (index, first) in placed.iter().enumerate() {
                for second in &placed[index + 1..] {
                    facts.extend(self.are_apart(first, second));
                }
            }
        }
        facts
    }

    fn placed_at(&mut self, base: Base, start: TermId) -> Option<Placed> {
        let width = self.program.cfa.address_width;
        let yes = self.terms.bool(true);
        let (room, align, has_begun, is_usual) = match base {
            Base::Initial(id) => {
                let object = &self.program.cfa.objects[id];
                let room = match object.kind {
                    ObjectKind::Code(_) => 1,
                    ObjectKind::Data | ObjectKind::ReadOnly => object.size.max(1),
                };
                if u128::from(room) >= 1 << (width - 1) {
                    return None;
                }
                (self.terms.bv(width, u128::from(room)), object.align, yes, yes)
            }
            Base::New(symbol) => {
                let Begun { has_begun, size, align, .. } = *self.news.get(&symbol)?;
                let zero = self.terms.bv(width, 0);
                (size, align, has_begun, self.terms.bv_slt(zero, size))
            }
        };
        let end = self.terms.bv_add(start, room);
        Some(Placed { base, start, end, room, align, has_begun, is_usual })
    }

    /// What is known of one address.
    fn own_facts(&mut self, object: &Placed, facts: &mut Vec<TermId>) {
        let width = self.program.cfa.address_width;
        let terms = &mut self.terms;
        let lowest = terms.bv(width, if width < 16 { 1 } else { 0x1000 });
        let is_above = terms.bv_ule(lowest, object.start);
        facts.push(terms.implies(object.has_begun, is_above));
        let top = self.program.cfa.outside.map_or(0, |outside| u128::from(outside.from));
        let top = terms.bv(width, top);
        let last = terms.bv_sub(top, object.room);
        let is_below = terms.bv_ult(object.start, last);
        let when = terms.and2(object.has_begun, object.is_usual);
        facts.push(terms.implies(when, is_below));
        if object.align > 1 {
            let zero = terms.bv(width, 0);
            let mask = terms.bv(width, u128::from(object.align - 1));
            let low = terms.bv_and(object.start, mask);
            let is_aligned = terms.eq(low, zero);
            facts.push(terms.implies(object.has_begun, is_aligned));
        }
    }

    /// The formula that two objects do not overlap; none unless one of them was surely alive when the other one began.
    fn are_apart(&mut self, first: &Placed, second: &Placed) -> Option<TermId> {
        if !self.is_before(first.base, second.base) && !self.is_before(second.base, first.base) {
            return None;
        }
        let terms = &mut self.terms;
        let below = terms.bv_ule(first.end, second.start);
        let above = terms.bv_ule(second.end, first.start);
        let apart = terms.or2(below, above);
        let when = [first.has_begun, second.has_begun, first.is_usual, second.is_usual];
        let when = terms.and(&when);
        Some(terms.implies(when, apart))
    }

    /// Whether an object was surely alive when another one began.
    fn is_before(&self, early: Base, late: Base) -> bool {
        match (early, late) {
            (Base::Initial(_), _) => true,
            (Base::New(_), Base::Initial(_)) => false,
            (Base::New(_), Base::New(late)) => {
                let late = self.news.get(&late);
                late.is_some_and(|late| late.alive.binary_search(&early).is_ok())
            }
        }
    }

    /// Notes an object that begins, whose address is a symbol. The result holds in all executions in which the object
    /// begins.
    pub(crate) fn begin(
        &mut self,
        symbol: Var,
        size: TermId,
        align: u64,
        before: &Memory,
    ) -> TermId {
        let has_begun = self.fresh(term::Sort::Bool);
        // An object that is not surely alive may have ended, and the new object may be in its place.
        let alive = before
            .objects
            .iter()
            .filter(|(base, object)| matches!(base, Base::New(_)) && object.alive == Some(true));
        let mut alive: Vec<Base> = alive.map(|(base, _)| *base).take(MOST_ALIVE + 1).collect();
        if alive.len() > MOST_ALIVE {
            alive.clear();
        }
        self.news.insert(symbol, Begun { has_begun, size, align, alive: alive.into() });
        has_begun
    }
}
