//! A closed graph as a certificate that others can check.

use certify::{Certificate, Entry};
use cfa::{Cfa, FuncId, LocId};
use cpa::{Arg, Cpa, Stacks, Status};
use term::TermId;

/// What is put together for one state.
pub struct Claim<'a> {
    /// The certificate, with its symbols.
    pub certificate: &'a mut Certificate,
    /// The functions that are active, the one where control is first.
    pub functions: &'a [FuncId],
    /// What holds, each of it.
    pub formulas: Vec<TermId>,
    /// Objects that hold their first bytes.
    pub kept: Vec<certify::Kept>,
}

/// Adds an entry for each state of a closed graph at a location that is picked out. Those that
/// another state covers need none.
pub fn add_entries<C: Cpa>(
    certificate: &mut Certificate,
    cfa: &Cfa,
    arg: &Arg<C>,
    is_cut: &dyn Fn(LocId) -> bool,
    claim: &mut dyn FnMut(&mut Claim<'_>, &C::State),
) {
    for (id, node) in arg.nodes() {
        let place = arg.place(id);
        if node.status != Status::Expanded || !is_cut(place.location) {
            continue;
        }
        let stacks = &arg.places.stacks;
        let functions: Vec<FuncId> = stacks.functions(cfa, place.location, place.stack).collect();
        let mut here =
            Claim { certificate, functions: &functions, formulas: Vec::new(), kept: Vec::new() };
        claim(&mut here, &node.state);
        let Claim { formulas, kept, .. } = here;
        let formula = certificate.terms.and(&formulas);
        let entry =
            Entry { location: place.location, calls: calls(stacks, place.stack), formula, kept };
        certificate.entries.push(entry);
    }
}

/// The calls of a stack, the first one first.
fn calls(stacks: &Stacks, mut stack: cpa::StackId) -> Vec<cfa::EdgeId> {
    let mut calls = Vec::new();
    while let Some((call, below)) = stacks.pop(stack) {
        calls.push(call);
        stack = below;
    }
    calls.reverse();
    calls
}
