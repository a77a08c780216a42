//! The life of objects: how objects begin and end, how large they are, and whether a use of memory is valid.

use std::rc::Rc;

use cfa::{AllocKind, EdgeId, StorageKind};
use term::{Sort, TermId, Terms, Var};

use crate::contents::{Contents, Under};
use crate::event::Happening;
use crate::execute::Executor;
use crate::ids::ObjectIndex;
use crate::memory::Memory;
use crate::object::FixedObject;
use crate::state::{Slot, State};

impl Executor<'_> {
    /// Has an object begin, which lives from then on. The symbol is its address, if it has one.
    pub(crate) fn begin(
        &mut self,
        terms: &mut Terms,
        memory: &mut Memory,
        symbol: Option<Var>,
        known: FixedObject,
        under: Under,
    ) -> ObjectIndex {
        let object = self.objects.add(symbol, known);
        self.before.push(memory.clone());
        let alive = terms.bool(true);
        memory.begin(object, alive, Contents::new(under));
        object
    }

    /// The condition that, of two objects, the one that began first was alive when the other one began; where it holds,
    /// the two do not overlap. `None` if the two are the same object, or if the first one had not begun by then on any
    /// way.
    pub(crate) fn together(&self, a: ObjectIndex, b: ObjectIndex) -> Option<TermId> {
        let (early, late) = if a < b { (a, b) } else { (b, a) };
        self.before[late].alive(early)
    }

    pub(crate) fn allocate(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        number: u32,
        var: Var,
        size: TermId,
        (align, kind, zeroed): (u64, AllocKind, bool),
    ) -> Option<()> {
        let name = format!("object#{}", terms.var_count());
        let base = terms.declare(name, Sort::Bv(self.cfa.address_width));
        let address = terms.var(base);
        let initial = (!zeroed).then(|| self.source());
        let known = FixedObject {
            base: address,
            size,
            bytes: terms.number(size),
            align,
            kind: kind.into(),
            unit: None,
            initial,
        };
        let under = initial.map_or_else(|| Under::Bytes(Rc::default()), Under::Open);
        // No term that was looked at before mentions the new symbol, so what is known of such terms stays true.
        let object = self.begin(terms, &mut state.memory, Some(base), known, under);
        if kind == AllocKind::Stack
            && let Some(frame) = state.frames.last_mut()
        {
            Rc::make_mut(&mut frame.objects).push(object);
        }
        self.assign(state, var, Slot::Term(address));
        self.event(state, number, Happening::Object(object));
        Some(())
    }

    pub(crate) fn free(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        kind: StorageKind,
    ) -> Option<()> {
        let zero = terms.bv(self.cfa.address_width, 0);
        let nothing = terms.eq(address, zero);
        let nothing = self.compare(terms, nothing);
        let (targets, foreign) = self.targets(terms, state, address);
        if foreign {
            self.unsupported(state, place.0, place.1, "a free of a pointer of unknown origin");
        }
        let mut valid = if kind == StorageKind::Heap { nothing } else { terms.bool(false) };
        let mut ended = Vec::new();
        for target in targets {
            if Some(target.object) == self.region {
                // Freeing memory that the program did not make is not modelled.
                let inside = self.inside(terms, &target, 1);
                let here = terms.and2(target.condition, inside);
                if let Some(guard) = self.guards.extend(terms, state.guard, here) {
                    let here = State { guard, ..state.clone() };
                    let reason = "a free of a pointer of unknown origin";
                    self.unsupported(&here, place.0, place.1, reason);
                }
                continue;
            }
            let Some(alive) = state.memory.alive(target.object) else { continue };
            if self.objects.table[target.object].kind != kind {
                continue;
            }
            let at_base = terms.eq(target.offset, zero);
            let here = terms.and(&[target.condition, alive, at_base]);
            if !terms.is_false(here) {
                valid = terms.or2(valid, here);
                ended.push((target.object, here));
            }
        }
        self.restrict(terms, state, valid)?;
        let alone = ended.len() == 1 && terms.is_false(nothing);
        for (object, here) in ended {
            let no = terms.bool(false);
            let Some(alive) = state.memory.alive(object) else { continue };
            let not = terms.not(here);
            let rest = if alone { no } else { terms.and2(alive, not) };
            state.memory.change(object, |known| known.alive = rest);
        }
        Some(())
    }

    pub(crate) fn size(&mut self, terms: &mut Terms, state: &State, address: TermId) -> TermId {
        let mut result = terms.bv(self.cfa.address_width, 0);
        let (targets, _) = self.targets(terms, state, address);
        for target in targets {
            let Some(alive) = state.memory.alive(target.object) else { continue };
            let inside = self.inside(terms, &target, 0);
            let here = terms.and(&[target.condition, alive, inside]);
            let rest = terms.bv_sub(self.objects.table[target.object].size, target.offset);
            result = terms.ite(here, rest, result);
        }
        result
    }

    /// Whether a use of memory would be valid. An address of unknown origin that is in no object of the state counts as
    /// invalid.
    pub(crate) fn valid(
        &mut self,
        terms: &mut Terms,
        state: &State,
        address: TermId,
        length: TermId,
        access: cfa::Access,
    ) -> TermId {
        let zero = terms.bv(self.cfa.address_width, 0);
        let nothing = match access {
            cfa::Access::Read | cfa::Access::Write => terms.eq(length, zero),
            cfa::Access::Free => {
                let null = terms.eq(address, zero);
                self.compare(terms, null)
            }
        };
        let mut valid = nothing;
        let (targets, _) = self.targets(terms, state, address);
        for target in targets {
            let known = &self.objects.table[target.object];
            let (kind, size) = (known.kind, known.size);
            let fits = match access {
                cfa::Access::Read => kind != StorageKind::Code,
                cfa::Access::Write => !matches!(kind, StorageKind::Code | StorageKind::ReadOnly),
                cfa::Access::Free => kind == StorageKind::Heap,
            };
            let Some(alive) = state.memory.alive(target.object).filter(|_| fits) else { continue };
            let inside = match access {
                cfa::Access::Free => terms.eq(target.offset, zero),
                _ => match terms.number(length) {
                    Some(length) => self.inside(terms, &target, length),
                    // A stretch of unknown length in the memory outside counts as too long to be used at once.
                    None if Some(target.object) == self.region => terms.bool(false),
                    None => {
                        let enough = terms.bv_ule(length, size);
                        let last = terms.bv_sub(size, length);
                        let below = terms.bv_ule(target.offset, last);
                        terms.and2(enough, below)
                    }
                },
            };
            let here = terms.and(&[target.condition, alive, inside]);
            valid = terms.or2(valid, here);
        }
        valid
    }
}
