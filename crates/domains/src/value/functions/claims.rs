//! What an exploration with summaries of functions has found out, as claims about functions that others can check.

use cfa::{LocId, Loops};
use run::{Budget, Certificate, Claimed, Entry, FunctionClaim};

use crate::explain::{Claim, Explain as _};
use crate::value::functions::Search;
use crate::value::state::State;

impl Search<'_, '_> {
    /// A claim for each function from each state on, of an exploration that has found no error and left nothing open.
    pub(super) fn certificate(&self, budget: &Budget) -> Certificate {
        let cfa = &self.values.program.cfa;
        let loops = Loops::of(cfa);
        let mut certificate = self.values.language();
        for instance in &self.instances {
            certificate.functions.push(FunctionClaim {
                function: instance.function,
                before: None,
                entries: Vec::new(),
                after: Vec::new(),
            });
        }
        for node in &self.nodes {
            if budget.exceeded().is_some() {
                certificate.functions.clear();
                certificate.omit("states that there was no time to say");
                break;
            }
            let instance = &self.instances[node.instance];
            let (at, function) = (node.location, &cfa.functions[instance.function]);
            // The start function of the program is not called, unless it is recursive.
            let is_first = node.parent.is_none() && !instance.callers.is_empty();
            if !is_first && !loops.head(at) && at != function.exit {
                continue;
            }
            let entry = self.entry(&mut certificate, at, node.state, instance.function);
            let claim = &mut certificate.functions[base::Id::index(node.instance)];
            if is_first {
                claim.before = Some(entry.clone());
            }
            if loops.head(at) {
                claim.entries.push(entry.clone());
            }
            if at == function.exit {
                claim.after.push(entry);
            }
        }
        certificate
    }

    /// What a state says, of the one activation that it knows.
    fn entry(
        &self,
        certificate: &mut Certificate,
        location: LocId,
        state: State,
        function: cfa::FuncId,
    ) -> Entry {
        let mut claim = Claim {
            certificate,
            functions: &[function],
            values: Vec::new(),
            formulas: Vec::new(),
            kept: Vec::new(),
        };
        self.values.claim(&mut claim, &state);
        let Claim { values, formulas, kept, .. } = claim;
        let formula = certificate.terms.and(&formulas);
        let claimed = Claimed { values, formula, kept };
        let formula = claimed.whole(&mut certificate.terms);
        Entry { location, calls: Vec::new(), formula, kept: claimed.kept }
    }
}
