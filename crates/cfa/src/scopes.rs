//! Whose variables each term reads, for all terms of a program at once.

use base::{Id, IndexVec};
use term::{Sort, TermId, Var, View};

use crate::{FuncId, Program, Scope};

/// What a term reads. Arguments have smaller ids than the terms that they are in, so that one pass over the table finds
/// what every term reads, however deep the terms are.
pub(crate) struct Scopes {
    terms: IndexVec<TermId, Reads>,
    /// The variables that some function lists as its local.
    listed: IndexVec<Var, bool>,
}

#[derive(Clone, Copy)]
struct Reads {
    sort: Sort,
    locals: Locals,
    /// Whether there is a variable that is no address constant.
    changing: bool,
    /// Whether there is a symbol that is no variable of the program.
    foreign: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Locals {
    None,
    Of(FuncId),
    OfSeveral,
}

impl Locals {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, only) | (only, Self::None) => only,
            (a, b) if a == b => a,
            _ => Self::OfSeveral,
        }
    }
}

impl Scopes {
    pub(crate) fn of(program: &Program) -> Self {
        let Program { terms, cfa, .. } = program;
        let mut table: IndexVec<TermId, Reads> = IndexVec::new();
        for id in (0..terms.len()).map(TermId::from_index) {
            let sort = terms.sort(id);
            let mut reads = Reads { sort, locals: Locals::None, changing: false, foreign: false };
            match terms.view(id) {
                View::Const(_) => {}
                View::Var(var) => match cfa.variables.get(var).map(|variable| variable.scope) {
                    Some(Scope::Global) => reads.changing = true,
                    Some(Scope::Local(function)) => {
                        reads.changing = true;
                        reads.locals = Locals::Of(function);
                    }
                    Some(Scope::Address(_)) => {}
                    None => reads.foreign = true,
                },
                View::App(_, arguments) => {
                    for argument in arguments {
                        let inner = table[*argument];
                        reads.locals = reads.locals.and(inner.locals);
                        reads.changing |= inner.changing;
                        reads.foreign |= inner.foreign;
                    }
                }
            }
            table.push(reads);
        }
        let mut listed = IndexVec::filled(false, cfa.variables.len());
        for (id, function) in cfa.functions.entries() {
            for local in &function.locals {
                if cfa.variables.get(*local).is_some_and(|known| known.scope == Scope::Local(id)) {
                    listed[*local] = true;
                }
            }
        }
        Self { terms: table, listed }
    }

    /// The sort of a term, if there is such a term.
    pub(crate) fn sort(&self, term: TermId) -> Option<Sort> {
        self.terms.get(term).map(|reads| reads.sort)
    }

    /// Whether all that a term reads is global or local to a function.
    pub(crate) fn visible(&self, term: TermId, function: FuncId) -> bool {
        let reads = &self.terms[term];
        !reads.foreign && (reads.locals == Locals::None || reads.locals == Locals::Of(function))
    }

    /// Whether a term reads nothing but address constants.
    pub(crate) fn only_addresses(&self, term: TermId) -> bool {
        let reads = &self.terms[term];
        !reads.foreign && !reads.changing
    }

    /// Whether the function that a variable is local to lists it.
    pub(crate) fn is_listed(&self, var: Var) -> bool {
        self.listed[var]
    }
}
