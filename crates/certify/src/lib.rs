//! The check of proofs by other code.
//!
//! A [`Certificate`] claims something of places of a program. [`certify`] checks whether this claim holds
//! at the start (initiation), whether every way from one such place to the next keeps the claim
//! (consecution), and whether no way leads to an error or to something that is not modelled (safety). A
//! certificate may also claim something of the rounds of loops, which is checked by k-induction
//! (`rounds`), or of functions, wherever they are called (`functions`). The checker executes the program's
//! operations by its own means and asks an instance of the solver that nobody else uses. Where the checker
//! cannot follow an operation, it checks more executions than there are, never fewer.
//!
//! The checker is one type in several files, which call each other: `check` goes from cut to cut,
//! `rounds` through loops, `functions` over calls of which something is claimed, `execute` through operations,
//! `address` finds the object that a pointer points to, `apart` knows where objects are, and `state` holds the
//! executions that all of these change.
//!
//! ```
//! use proviso_certify::{Certificate, Certified, Entry, certify};
//!
//! let mut sources = base::SourceMap::new();
//! let text = "model 1 address-width 64 start main global x: (_ BitVec 32) function main() {
//!     entry L0 exit L1
//!     L0 -> L2 { x := #x00000000 }
//!     L2 -> L2 { assume (bvult x #x0000000a) x := (bvadd x #x00000001) }
//!     L2 -> L1 { assume (= x #x0000000a) }
//!     L2 -> L3 { assume (bvult #x0000000a x) }
//!     L3: error \"above\" }";
//! let file = sources.add("count.txt", text.as_bytes()).expect("a short file");
//! let program = cfa::parse(sources, file).expect("a model");
//! let loops = cfa::Loops::of(&program.cfa);
//! let location = loops.loops.iter().next().expect("a loop").head;
//! let x = program.cfa.variables.ids().next().expect("a variable");
//! let claim = |most: u128| {
//!     let mut certificate = Certificate::new(program.terms.clone());
//!     let (x, most) = (certificate.terms.var(x), certificate.terms.bv(32, most));
//!     let formula = certificate.terms.bv_ule(x, most);
//!     certificate.entries.push(Entry { location, calls: Vec::new(), formula, kept: Vec::new() });
//!     certify(&program, certificate, &mut smt::Builtin::new(), &run::Budget::default()).certified
//! };
//! assert_eq!(claim(10), Certified::Holds);
//! assert!(matches!(claim(9), Certified::Refuted(_)), "the tenth round leads beyond it");
//! ```

mod access;
mod address;
mod apart;
mod check;
mod claim;
mod execute;
mod functions;
mod guard;
mod memory;
mod place;
mod rounds;
mod state;

use cfa::Program;
use run::Budget;
use smt::Solver;

pub use run::{Certificate, Entry, FunctionClaim, Kept, LoopClaim, Rounds, Slot};

/// What came of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certified {
    /// The certificate proves that no error is reached.
    Holds,
    /// It is not known whether the certificate proves this, for this reason.
    Open(String),
    /// The certificate is wrong: this does not hold.
    Refuted(String),
}

/// What came of a check, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// What came of the check.
    pub certified: Certified,
    /// How many entries the certificate has.
    pub invariants: usize,
    /// How many ways to an entry, an error or something that is not modelled were looked at.
    pub obligations: usize,
    /// How many of these ways needed the solver.
    pub queries: usize,
}

impl Checked {
    /// The outcome where nothing was checked, for this reason.
    #[must_use]
    pub const fn open(why: String) -> Self {
        Self { certified: Certified::Open(why), invariants: 0, obligations: 0, queries: 0 }
    }

    /// What came of two checks that both have to hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            certified: match (self.certified, other.certified) {
                (wrong @ Certified::Refuted(_), _) | (_, wrong @ Certified::Refuted(_)) => wrong,
                (open @ Certified::Open(_), _) | (_, open @ Certified::Open(_)) => open,
                (Certified::Holds, Certified::Holds) => Certified::Holds,
            },
            invariants: self.invariants + other.invariants,
            obligations: self.obligations + other.obligations,
            queries: self.queries + other.queries,
        }
    }
}

/// Checks whether a certificate proves that no execution of a program reaches an error, or anything
/// that is not modelled.
#[must_use]
pub fn certify(
    program: &Program,
    certificate: Certificate,
    solver: &mut dyn Solver,
    limits: &Budget,
) -> Checked {
    check::Checker::new(program, certificate, solver, limits).run()
}
