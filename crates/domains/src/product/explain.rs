//! What values and predicates know of a state together, as formulas.

use cfa::FuncId;
use run::Certificate;

use crate::explain::{Claim, Explain};
use crate::product::{Product, State};

impl Explain for Product<'_> {
    fn language(&self) -> Certificate {
        // Values need no terms of their own.
        self.predicates.language()
    }

    fn claim(&self, claim: &mut Claim<'_>, state: &State) {
        self.values.claim(claim, &state.values);
        self.predicates.claim(claim, &state.predicates);
    }

    fn lines(&self, state: &State, functions: &[FuncId]) -> Vec<String> {
        let mut lines = self.values.lines(&state.values, functions);
        lines.extend(self.predicates.lines(&state.predicates, functions));
        lines
    }
}
