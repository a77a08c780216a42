//! Proofs that come with everything that the proof checker needs to check them again: those about rewritten programs,
//! and those by claims about functions.

use std::fmt;

use certify::Certificate;
use cfa::Program;
use passes::Rewritten;
use run::{Budget, Proof};
use smt::NewSolver;

/// What passes have made of a program. The passes promise that no error of the program is lost, and a check of a proof
/// about the rewritten program trusts this promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Made {
    /// The program with its calls put in place.
    Inlined,
    /// The inlined program with variables for some elements of arrays.
    Elements,
    /// The inlined program with variables for one of many objects.
    Nodes,
    /// The program with one step in place of each loop that has an exact summary, made simpler.
    Summaries,
    /// The program that is told what is known at the heads of its loops.
    Facts,
    /// The parts of the program in which calls are what contracts say.
    Contracts,
}

impl Made {
    /// What was made, for people: it follows "the program with".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Made::Inlined => "its calls put in place",
            Made::Elements => "one element of each array in place of the array",
            Made::Nodes => "one object in place of many",
            Made::Summaries => "one step in place of each regular loop",
            Made::Facts => "facts about rounds at the heads of its loops",
            Made::Contracts => "contracts in place of calls",
        }
    }
}

/// The given program, or programs that passes have made of the given one, each with a certificate. If all of them
/// reach no error, the given one reaches none.
#[derive(Clone)]
pub struct Evidence {
    /// What was made; none if the evidence is about the program as it was given.
    pub made: Option<Made>,
    /// The programs and their certificates.
    pub parts: Vec<(Program, Certificate)>,
}

impl Evidence {
    /// The evidence that a proof about a rewritten program gives, if the proof has a certificate.
    pub(crate) fn of(made: Made, rewritten: &Rewritten, proof: &Proof) -> Option<Self> {
        let certificate = proof.certificate(&rewritten.program.terms)?;
        Some(Self { made: Some(made), parts: vec![(rewritten.program.clone(), certificate)] })
    }

    /// The evidence of a proof about the program as it was given.
    pub(crate) fn of_given(program: &Program, certificate: Certificate) -> Self {
        Self { made: None, parts: vec![(program.clone(), certificate)] }
    }

    /// Checks all certificates, each on its program. The evidence is wrong if one of the certificates is wrong.
    #[must_use]
    pub fn check(&self, solver: NewSolver<'_>, budget: &Budget) -> certify::Checked {
        let check = |(program, certificate): &(Program, Certificate)| {
            certify::certify(program, certificate.clone(), &mut solver(), budget)
        };
        let whole = self.parts.iter().map(check).reduce(certify::Checked::and);
        whole.unwrap_or_else(|| certify::Checked::open("there is no evidence".to_owned()))
    }
}

impl fmt::Debug for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let certificates: Vec<&Certificate> = self.parts.iter().map(|(_, each)| each).collect();
        f.debug_struct("Evidence").field("made", &self.made).field("parts", &certificates).finish()
    }
}
