//! Which object an address points into.

use cfa::Scope;
use term::{Op, TermId, View};

use crate::check::Checker;
use crate::memory::Base;

/// How deep sums and choices are looked into.
const DEEP: u32 = 64;

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
    pub(crate) fn base(&self, term: TermId) -> Option<Base> {
        let View::Var(var) = self.terms.view(term) else { return None };
        match self.program.cfa.variables.get(var).map(|known| known.scope) {
            Some(Scope::Address(object)) => Some(Base::Initial(object)),
            Some(_) => None,
            None => self.news.contains_key(&var).then_some(Base::New(var)),
        }
    }

    /// Whether the address of an object is in a term.
    fn mentions_base(&mut self, term: TermId) -> bool {
        if let Some(known) = self.mentions.get(&term) {
            return *known;
        }
        let found = self.terms.vars(term).into_iter().any(|var| {
            self.news.contains_key(&var)
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
}
