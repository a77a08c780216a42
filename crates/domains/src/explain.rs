//! The states of a domain as formulas, so that a graph can be read without the domain.

use std::collections::BTreeMap;
use std::time::Instant;

use cfa::{Cfa, FuncId, LocId};
use cpa::{Arg, Cpa, NodeId, Status};
use run::{Budget, Certificate, Claimed, Graph, Kept};
use term::{TermId, Value};

/// What a domain says of one state, while it is put together.
pub struct Claim<'a> {
    /// The certificate that has the terms and symbols of all claims.
    pub certificate: &'a mut Certificate,
    /// The functions that are active, the one where control is first.
    pub functions: &'a [FuncId],
    /// Slots, as terms, with their values.
    pub values: Vec<(TermId, Value)>,
    /// Other formulas that hold, each by itself.
    pub formulas: Vec<TermId>,
    /// Objects that hold their first bytes.
    pub kept: Vec<Kept>,
}

/// A domain that can say its states as formulas. A domain without it has no certificates.
pub trait Explain: Cpa {
    /// A certificate without entries, with the terms and symbols that claims need.
    fn language(&self) -> Certificate;

    /// Claims everything that is known in a state.
    fn claim(&self, claim: &mut Claim<'_>, state: &Self::State);

    /// What is known in a state, for people, a line for each. The functions are those that are active,
    /// the one where control is first.
    fn lines(&self, state: &Self::State, functions: &[FuncId]) -> Vec<String>;
}

/// What the states of nodes know, for people: of `most` nodes at most, and of as many as there is time for until the
/// moment `until`. Nodes that have been cut off come last, so that the lines for a part of the graph are about what is
/// left of the graph. Where a node has lines, its parent has lines, too.
pub fn lines<C: Explain>(
    cpa: &C,
    cfa: &Cfa,
    arg: &Arg<C>,
    most: usize,
    until: Option<Instant>,
) -> BTreeMap<NodeId, Vec<String>> {
    /// How many nodes get lines even if no time is left.
    const LEAST: usize = 100;
    let mut all = BTreeMap::new();
    for (id, node) in arg.nodes().chain(arg.removed()).take(most) {
        if all.len() >= LEAST && until.is_some_and(|until| Instant::now() > until) {
            break;
        }
        let place = arg.place(id);
        let stacks = &arg.places.stacks;
        let functions: Vec<FuncId> = stacks.functions(cfa, place.location, place.stack).collect();
        all.insert(id, cpa.lines(&node.state, &functions));
    }
    all
}

/// The graph of an exploration without its domain. Nodes at locations for which `is_told` holds say what their states
/// know. If the budget ends before all of these states are said, the graph has no claims at all, so that no reader
/// takes some of the claims for all of them.
pub fn graph<C: Explain>(
    cpa: &C,
    cfa: &Cfa,
    arg: &Arg<C>,
    is_told: &dyn Fn(LocId) -> bool,
    budget: &Budget,
) -> Graph {
    let mut language = cpa.language();
    let mut claims = BTreeMap::new();
    for (id, node) in arg.nodes() {
        let place = arg.place(id);
        if node.status != Status::Expanded || !is_told(place.location) {
            continue;
        }
        if budget.exceeded().is_some() {
            claims.clear();
            language.omit("states that there was no time to say");
            break;
        }
        let stacks = &arg.places.stacks;
        let functions: Vec<FuncId> = stacks.functions(cfa, place.location, place.stack).collect();
        let mut claim = Claim {
            certificate: &mut language,
            functions: &functions,
            values: Vec::new(),
            formulas: Vec::new(),
            kept: Vec::new(),
        };
        cpa.claim(&mut claim, &node.state);
        let Claim { values, formulas, kept, .. } = claim;
        let formula = language.terms.and(&formulas);
        claims.insert(id, Claimed { values, formula, kept });
    }
    Graph { claims, language, ..arg.to_graph() }
}
