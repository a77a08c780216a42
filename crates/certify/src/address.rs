//! Which object an address points into.

use cfa::Scope;
use term::{Op, TermId, View};

use crate::check::Checker;
use crate::memory::Base;

/// How deep sums are looked into.
const DEEP: u32 = 64;

/// How many cases an address is split into, by the conditions that choose it.
const MOST_CASES: usize = 16;

/// How many choices are looked at to find the cases.
const MOST_CHOICES: usize = 64;

/// Where an address points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// The address is zero, where no object is.
    Null,
    /// The address is this number of bytes into an object, or points nowhere: an address that is computed from that of
    /// an object by adding a number points into this object or to nothing.
    Into(Base, TermId),
    /// It is not known where the address points.
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

    /// What an address is, case by case: terms that are no choices, each with the condition under which the address is
    /// this term. One of the conditions holds, and no two of them do. If there are too many cases, the address itself
    /// is the only one.
    pub(crate) fn cases(&mut self, address: TermId) -> Vec<(TermId, TermId)> {
        let always = self.terms.bool(true);
        let mut cases: Vec<(TermId, TermId)> = Vec::new();
        let mut waiting = vec![(always, address)];
        let mut looked = 0;
        while let Some((when, term)) = waiting.pop() {
            looked += 1;
            if let Some((condition, one, other)) = self.choice(term, 0) {
                let not = self.terms.not(condition);
                let both = [(condition, one), (not, other)];
                let both = both.map(|(only, term)| (self.terms.and2(when, only), term));
                waiting.extend(both.into_iter().filter(|(when, _)| !self.terms.is_false(*when)));
            } else if let Some((known, _)) = cases.iter_mut().find(|(_, known)| *known == term) {
                *known = self.terms.or2(*known, when);
            } else {
                cases.push((when, term));
            }
            if cases.len() + waiting.len() > MOST_CASES || looked > MOST_CHOICES {
                return vec![(always, address)];
            }
        }
        cases
    }

    /// If an address is a choice, or a choice with a number added: the condition of the choice, and the address in both
    /// cases.
    fn choice(&mut self, term: TermId, depth: u32) -> Option<(TermId, TermId, TermId)> {
        let View::App(op, args) = self.terms.view(term) else { return None };
        if let (Op::Ite, &[condition, one, other]) = (op, args) {
            return Some((condition, one, other));
        }
        let (inner, by) = self.sum(term)?;
        if depth > DEEP {
            return None;
        }
        let (condition, one, other) = self.choice(inner, depth + 1)?;
        let [one, other] = [one, other].map(|address| self.terms.bv_add(address, by));
        Some((condition, one, other))
    }

    /// An address and a number that is added to it, of which a term is the sum.
    fn sum(&mut self, term: TermId) -> Option<(TermId, TermId)> {
        let View::App(op, args) = self.terms.view(term) else { return None };
        match (op, args) {
            (Op::BvAdd, &[a, b]) => match (self.mentions_base(a), self.mentions_base(b)) {
                (true, false) => Some((a, b)),
                (false, true) => Some((b, a)),
                _ => None,
            },
            (Op::BvSub, &[a, by]) if self.terms.value(by).is_some() => {
                Some((a, self.terms.bv_neg(by)))
            }
            _ => None,
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
        let (inner, by) = self.sum(term)?;
        let (base, offset) = self.decompose(inner, depth + 1)?;
        Some((base, self.terms.bv_add(offset, by)))
    }
}
