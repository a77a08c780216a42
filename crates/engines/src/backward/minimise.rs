//! Fewer predicates for the same proof: predicates are dropped, many at a time and then fewer, for
//! as long as the abstract fixpoint stays safe.

use super::Method;
use run::Unknown;

/// How many fixpoints are computed to find predicates that can be dropped.
const MAX_TRIES: u32 = 200;

impl Method<'_> {
    /// Drops predicates that the proof does not need, keeps the proof with the rest, and says how
    /// many remain.
    pub(super) fn minimise(&mut self) -> Result<usize, Unknown> {
        let mut tries = 0;
        let mut part = self.predicates.all().len();
        while part > 0 && tries < MAX_TRIES {
            let present: Vec<usize> = self.predicates.all().iter().collect();
            for chunk in present.chunks(part) {
                if tries == MAX_TRIES {
                    break;
                }
                tries += 1;
                let mut fewer = self.predicates.clone();
                for number in chunk {
                    fewer.remove(*number);
                }
                let before = std::mem::replace(&mut self.predicates, fewer);
                let found = self.abstract_fixpoint()?;
                if found.init.is_none() {
                    self.last = found;
                } else {
                    self.predicates = before;
                }
            }
            part /= 2;
        }
        Ok(self.predicates.all().len())
    }
}
