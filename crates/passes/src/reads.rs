//! Which variables terms read.

use base::Id as _;
use term::{TermId, Terms, Var};

/// The variables of terms, looked up once for each term of a table.
#[derive(Default)]
pub(crate) struct Reads {
    known: Vec<Option<Box<[Var]>>>,
}

impl Reads {
    /// The variables that a term reads, in order.
    pub(crate) fn of(&mut self, terms: &Terms, term: TermId) -> &[Var] {
        if self.known.len() <= term.index() {
            self.known.resize(terms.len(), None);
        }
        self.known[term.index()].get_or_insert_with(|| terms.vars(term).into())
    }
}
