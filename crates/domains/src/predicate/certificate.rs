//! What predicates know of a state, for a certificate.

use certify::{Certificate, Slot};

use crate::certificate::Claim;
use crate::predicate::block::How;
use crate::predicate::{Predicates, State};

impl Predicates<'_> {
    /// A certificate with the terms and symbols of this analysis, and no entries yet.
    #[must_use]
    pub fn certificate(&self) -> Certificate {
        let mut certificate = Certificate::new(self.terms.clone());
        let locals = self.symbols.locals();
        certificate
            .symbols
            .extend(locals.map(|(symbol, (depth, var))| (Slot::Local { depth, var }, symbol)));
        certificate
    }

    /// Claims what is known in a state at the start of a block, in a certificate of this analysis.
    pub fn claim(&self, claim: &mut Claim<'_>, state: State) {
        let point = &self.graph.points[state.0];
        if point.how == How::Start {
            claim.formulas.push(self.graph.blocks[point.block].known);
        } else {
            claim.certificate.omit("a state in the middle of a block");
        }
    }
}
