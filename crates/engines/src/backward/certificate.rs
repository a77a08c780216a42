//! What the analysis proved, as claims for the proof checker: one formula at each location that has an invariant. At
//! the other locations, any state may occur.

use std::collections::BTreeMap;

use cfa::{Loops, Program, Scope};
use run::{Certificate, Entry, Slot};

use super::result::Invariants;

impl Invariants {
    /// The program that the invariants are about, and the certificate.
    #[must_use]
    pub fn certificate<'a>(&'a self, program: &'a Program) -> (&'a Program, Certificate) {
        let program = self.program.as_deref().unwrap_or(program);
        let mut certificate = Certificate::new(self.terms.clone());
        let entry =
            |location, formula| Entry { location, calls: Vec::new(), formula, kept: Vec::new() };
        let yes = certificate.terms.bool(true);
        for each in &Loops::of(&program.cfa).loops {
            if !self.list.iter().any(|(location, _)| *location == each.head) {
                certificate.entries.push(entry(each.head, yes));
            }
        }
        for (location, formula) in &self.list {
            if certificate.terms.is_false(*formula) {
                continue;
            }
            let mut locals = BTreeMap::new();
            for var in certificate.terms.vars(*formula) {
                let scope = program.cfa.variables.get(var).map(|known| known.scope);
                if let Some(Scope::Local(_)) = scope {
                    locals.insert(var, certificate.slot(Slot::Local { depth: 1, var }));
                }
            }
            let formula =
                certificate.terms.substitute(*formula, &mut |var| locals.get(&var).copied());
            certificate.entries.push(entry(*location, formula));
        }
        (program, certificate)
    }
}
