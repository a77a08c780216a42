//! Conditions of paths, as lists that share their beginnings.

use std::rc::Rc;

use term::{TermId, Terms};

/// What must hold for executions to get to a point of a walk.
#[derive(Clone, Default)]
pub(crate) struct Guard(Option<Rc<Link>>);

struct Link {
    condition: TermId,
    before: Guard,
    length: usize,
}

impl Drop for Link {
    fn drop(&mut self) {
        // Long lists must not be dropped by recursion.
        let mut next = self.before.0.take();
        while let Some(link) = next {
            match Rc::try_unwrap(link) {
                Ok(mut link) => next = link.before.0.take(),
                Err(_) => break,
            }
        }
    }
}

impl Guard {
    fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.length)
    }

    /// Adds a condition. Gives `false` if the condition cannot hold.
    pub(crate) fn add(&mut self, terms: &Terms, condition: TermId) -> bool {
        if terms.is_false(condition) {
            return false;
        }
        if !terms.is_true(condition) {
            let length = self.len() + 1;
            let before = self.clone();
            self.0 = Some(Rc::new(Link { condition, before, length }));
        }
        true
    }

    fn is_same(&self, other: &Guard) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Takes the last condition off.
    fn shorten(&mut self) -> Option<TermId> {
        let link = self.0.take()?;
        self.0 = link.before.0.clone();
        Some(link.condition)
    }

    /// All conditions, in no particular order.
    pub(crate) fn conditions(&self) -> Vec<TermId> {
        let mut rest = self.clone();
        std::iter::from_fn(|| rest.shorten()).collect()
    }

    /// What two guards have in common, and what each has beyond.
    pub(crate) fn split(terms: &mut Terms, a: &Guard, b: &Guard) -> (Guard, TermId, TermId) {
        let (mut a, mut b) = (a.clone(), b.clone());
        let (mut only_a, mut only_b) = (Vec::new(), Vec::new());
        while !a.is_same(&b) {
            if a.len() >= b.len() {
                only_a.extend(a.shorten());
            } else {
                only_b.extend(b.shorten());
            }
        }
        (a, terms.and(&only_a), terms.and(&only_b))
    }
}
