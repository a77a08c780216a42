//! The steps of a program: which ones lead on from a location, and where a step begins.

use base::IndexVec;
use cfa::{EdgeId, FuncId, LocId, Program};
use run::Step;

/// The steps that lead on from each location of a program. The automaton says to which call a function
/// returns, so that from an exit there is a step for each call of the function.
pub(crate) struct Ways<'p> {
    program: &'p Program,
    /// The calls of each function.
    calls: IndexVec<FuncId, Vec<EdgeId>>,
}

impl<'p> Ways<'p> {
    pub(crate) fn of(program: &'p Program) -> Self {
        let mut calls = IndexVec::filled(Vec::new(), program.cfa.functions.len());
        for (id, edge) in program.cfa.edges.entries() {
            if let Some(callee) = edge.callee() {
                let list: &mut Vec<EdgeId> = &mut calls[callee];
                list.push(id);
            }
        }
        Self { program, calls }
    }

    /// The steps from a location, each with the location that it leads to.
    pub(crate) fn from(&self, at: LocId) -> Vec<(Step, LocId)> {
        let cfa = &self.program.cfa;
        let function = cfa.locations[at].function;
        if cfa.functions[function].exit == at {
            let back = |call: &EdgeId| (Step::Return(*call), cfa.edges[*call].target);
            return self.calls[function].iter().map(back).collect();
        }
        let on = |id: &EdgeId| (Step::Edge(*id), landing(self.program, *id));
        cfa.locations[at].edges.iter().map(on).collect()
    }
}

/// Where an edge leads: that of a call leads to the entry of the callee.
pub(crate) fn landing(program: &Program, edge: EdgeId) -> LocId {
    let known = &program.cfa.edges[edge];
    known.callee().map_or(known.target, |callee| program.cfa.functions[callee].entry)
}

/// Where a step begins: a return begins at the exit of the function that returns.
pub(crate) fn origin(program: &Program, step: Step) -> LocId {
    let cfa = &program.cfa;
    match step {
        Step::Edge(edge) => cfa.edges[edge].source,
        Step::Return(call) => {
            let callee = cfa.edges[call].callee();
            callee.map_or(cfa.edges[call].target, |callee| cfa.functions[callee].exit)
        }
    }
}
