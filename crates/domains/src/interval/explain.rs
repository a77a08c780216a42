//! What intervals know of a state, as formulas.

use cfa::{FuncId, Infix, Reading};
use run::{Certificate, Slot};
use smt::Range;
use term::Var;

use super::Intervals;
use super::state::State;
use crate::explain::{Claim, Explain};

impl Explain for Intervals<'_> {
    fn language(&self) -> Certificate {
        Certificate::new(self.program.terms.clone())
    }

    fn claim(&self, claim: &mut Claim<'_>, state: &State) {
        // Activations are counted from the start.
        let depth = u32::try_from(claim.functions.len()).unwrap_or(u32::MAX);
        for (up, var, number) in self.facts(*state, claim.functions) {
            let Some(range) = self.range_of(number) else { continue };
            let term = if self.is_global(var) {
                claim.certificate.terms.var(var)
            } else {
                claim.certificate.slot(Slot::Local { depth: depth - up, var })
            };
            match range.value() {
                Some(value) => claim.values.push((term, value)),
                None => {
                    let formula = range.formula(&mut claim.certificate.terms, term);
                    claim.formulas.push(formula);
                }
            }
        }
    }

    fn lines(&self, state: &State, functions: &[FuncId]) -> Vec<String> {
        let line = |(up, var, number): (u32, Var, u32)| {
            let name = Infix::new(self.program).name(var).to_owned();
            // A function may be active more than once.
            let again =
                !self.is_global(var) && functions[..up as usize].contains(&functions[up as usize]);
            let name = if again { format!("{name} ({up} calls up)") } else { name };
            Some(self.line(&name, var, self.range_of(number)?))
        };
        self.facts(*state, functions).into_iter().filter_map(line).collect()
    }
}

impl Intervals<'_> {
    fn line(&self, name: &str, var: Var, range: &Range) -> String {
        let infix = Infix::new(self.program);
        if let Some(value) = range.value() {
            return format!("{name} = {}", infix.value(&value, Some(var)));
        }
        let signed = self.program.cfa.variables[var].reading == Reading::Signed;
        let end = |value| infix.value(&value, Some(var)).to_string();
        let said = match range.ends(signed) {
            (Some(low), Some(high)) => format!("{} <= {name} <= {}", end(low), end(high)),
            (Some(low), None) => format!("{} <= {name}", end(low)),
            (None, Some(high)) => format!("{name} <= {}", end(high)),
            (None, None) => format!("{name}: known in part"),
        };
        if range.may_be_nan() { format!("{said}, or NaN") } else { said }
    }
}
