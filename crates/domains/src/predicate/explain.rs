//! What predicates know of a state, as formulas.

use run::{Certificate, Slot};

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
}
