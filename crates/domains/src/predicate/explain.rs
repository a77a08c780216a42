//! What predicates know of a state, as formulas.

use cfa::{FuncId, Infix};
use run::{Certificate, Slot};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, TermId, View};

use crate::explain::{Claim, Explain};
use crate::predicate::block::How;
use crate::predicate::{Predicates, State};

impl Explain for Predicates<'_> {
    fn language(&self) -> Certificate {
        let mut certificate = Certificate::new(self.terms.clone());
        let locals = self.symbols.locals();
        certificate
            .symbols
            .extend(locals.map(|(symbol, (depth, var))| (Slot::Local { depth, var }, symbol)));
        certificate
    }

    /// Only states at the starts of blocks say something.
    fn claim(&self, claim: &mut Claim<'_>, state: &State) {
        let point = &self.graph.points[state.0];
        if point.how == How::Start {
            claim.formulas.push(self.graph.blocks[point.block].known);
        } else {
            claim.certificate.omit("a state in the middle of a block");
        }
    }

    fn lines(&self, state: &State, _functions: &[FuncId]) -> Vec<String> {
        let point = &self.graph.points[state.0];
        if point.how != How::Start {
            return Vec::new();
        }
        let known = self.graph.blocks[point.block].known;
        let parts = match self.terms.view(known) {
            View::App(Op::And, parts) => parts.to_vec(),
            View::Const(_) => Vec::new(),
            _ => vec![known],
        };
        parts.into_iter().map(|part| self.said(part)).collect()
    }
}

impl Predicates<'_> {
    /// A formula over symbols of values, for people: in the names of variables, unless a variable has
    /// more than one value in it.
    pub(crate) fn said(&self, formula: TermId) -> String {
        let mut names = FxHashMap::default();
        let mut taken = FxHashSet::default();
        let mut clear = true;
        for symbol in self.terms.vars(formula) {
            if let Some((_, var)) = self.symbols.place(&self.program.cfa, symbol) {
                clear &= taken.insert(var);
                names.insert(symbol, var);
            }
        }
        let infix = Infix::grown(&self.terms, &self.program.cfa);
        let infix = if clear { infix.with_symbols(&names) } else { infix };
        infix.term(formula).to_string()
    }
}
