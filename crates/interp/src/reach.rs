//! Which objects a function of unknown effect may change.

use std::collections::BTreeSet;

use cfa::StorageKind;

use crate::memory::{Memory, Stretch};

impl Memory {
    /// The writable objects that exist from the start, those that the roots point into, and those
    /// that pointers in these lead to, as places that cover them. A pointer is any value of the
    /// width of an address, at a multiple of its size, that points into an object.
    pub(crate) fn reachable(&self, roots: &[u64], width: u32) -> Vec<Stretch> {
        let mut found: BTreeSet<u32> = BTreeSet::new();
        let mut work: Vec<u32> = Vec::new();
        for (slot, place, kind) in self.objects() {
            if kind == StorageKind::Data && place.length > 0 {
                found.insert(slot);
                work.push(slot);
            }
        }
        let pointed = roots.iter().filter_map(|root| self.slot_at(*root));
        work.extend(pointed.filter(|slot| found.insert(*slot)));
        let size = u64::from(width / 8).max(1);
        while let Some(slot) = work.pop() {
            let whole = self.whole(slot);
            for offset in (0..whole.length.saturating_sub(size - 1)).step_by(size as usize) {
                let place = Stretch { slot, offset, length: size };
                if self.is_undefined(place) {
                    continue;
                }
                let mut address = [0; 8];
                let bytes = self.read(place);
                address[..bytes.len()].copy_from_slice(&bytes);
                let pointed = self.slot_at(u64::from_le_bytes(address));
                work.extend(pointed.filter(|slot| found.insert(*slot)));
            }
        }
        let writable =
            |slot: &u32| !matches!(self.kind(*slot), StorageKind::ReadOnly | StorageKind::Code);
        found
            .into_iter()
            .filter(writable)
            .map(|slot| self.whole(slot))
            .filter(|place| place.length > 0)
            .collect()
    }
}
