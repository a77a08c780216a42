//! A guess at the addresses of objects: every object gets a constant address, and pointers from outside
//! are far from each other.
//!
//! Most executions are possible at any addresses of objects. With addresses that are constants, nearly
//! all of a formula about memory is decided without a search.

use rustc_hash::FxHashSet;
use term::{TermId, Terms};

use crate::execute::Executor;
use crate::ids::ObjectIndex;

/// Room after each object.
const GAP: u64 = 0x1000;

/// Where the first object is.
const BOTTOM: u64 = 0x1_0000;

/// Room for what a pointer from outside points to.
pub(crate) const ROOM: u64 = 0x10_0000;

impl Executor<'_> {
    /// Notes an address in the memory outside, without what is added to it.
    pub(crate) fn note_root(&mut self, terms: &Terms, address: TermId) {
        let (root, _) = Self::root(terms, address);
        if terms.value(root).is_none() && self.known_roots.insert(root) {
            self.roots.push(root);
        }
    }

    /// The objects whose addresses are in formulas, in order.
    pub fn mentioned(&mut self, terms: &Terms, formulas: &[TermId]) -> Vec<ObjectIndex> {
        let mut seen = FxHashSet::default();
        let mut objects = Vec::new();
        for formula in formulas {
            objects.extend(self.bases(terms, *formula, &mut seen));
        }
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Formulas that say where the objects in other formulas are, and what pointers from outside
    /// are. They are true of some executions only, and imply all that is known of the addresses of
    /// these objects. None if there is not much to guess, or no room, or objects of a size that is
    /// not known.
    pub fn guess(&mut self, terms: &mut Terms, formulas: &[TermId]) -> Option<Vec<TermId>> {
        let width = self.cfa.address_width;
        let objects = self.mentioned(terms, formulas);
        if width < 32 || objects.len() + self.roots.len() < 3 {
            return None;
        }
        let top = match self.cfa.outside {
            Some(outside) => outside.from,
            None => 1 << (width - 1),
        };
        let mut guess = Vec::new();
        let mut next = BOTTOM;
        for object in objects {
            let known = &self.objects.table[object];
            let (base, size) = (known.base, known.bytes?);
            let address = next.checked_next_multiple_of(known.align.max(16))?;
            next = address.checked_add(size)?.checked_add(GAP)?;
            if next >= top {
                return None;
            }
            let address = terms.bv(width, u128::from(address));
            guess.push(terms.eq(base, address));
        }
        if let Some(outside) = self.cfa.outside {
            let mut next = outside.from;
            for root in &self.roots {
                next = next.checked_add(ROOM).filter(|next| *next < outside.to - ROOM)?;
                let address = terms.bv(width, u128::from(next));
                guess.push(terms.eq(*root, address));
            }
        }
        Some(guess)
    }
}
