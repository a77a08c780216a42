//! Which values nobody needs any more.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use term::{Terms, Var};

use crate::{Cfa, EdgeId, LocId, Scope};

/// The local variables without names in the source that are read for the last time on the way to
/// a location, edge by edge. Variables with names are left alone: people may want to know them.
pub struct Liveness {
    last: IndexVec<EdgeId, Box<[Var]>>,
}

/// Variables that are still read.
type Live = BTreeSet<Var>;

impl Liveness {
    /// Finds the last reads of all variables.
    #[must_use]
    pub fn of(cfa: &Cfa, terms: &Terms) -> Self {
        let mut live: IndexVec<LocId, Live> = IndexVec::filled(Live::new(), cfa.locations.len());
        let mut before: BTreeMap<LocId, Vec<EdgeId>> = BTreeMap::new();
        for (id, edge) in cfa.edges.entries() {
            before.entry(edge.target).or_default().push(id);
        }
        for function in cfa.functions.iter() {
            live[function.exit]
                .extend(function.results.iter().filter(|var| is_unnamed(cfa, **var)));
        }
        let mut waiting: Vec<LocId> = cfa.locations.ids().collect();
        while let Some(at) = waiting.pop() {
            for edge in before.get(&at).into_iter().flatten() {
                let source = cfa.edges[*edge].source;
                let read = live_before(cfa, terms, *edge, live[at].clone());
                let known = live[source].len();
                live[source].extend(read);
                if live[source].len() > known {
                    waiting.push(source);
                }
            }
        }
        let last = cfa.edges.entries().map(|(id, edge)| {
            let assigned = edge.ops.iter().flat_map(|op| op.assigned()).copied();
            let mut known: Live = assigned.filter(|var| is_unnamed(cfa, *var)).collect();
            known.extend(live_before(cfa, terms, id, Live::new()));
            known.extend(&live[edge.source]);
            known.difference(&live[edge.target]).copied().collect()
        });
        Self { last: last.collect() }
    }

    /// The variables that nobody reads after an edge before they are assigned again.
    #[must_use]
    pub fn ends(&self, edge: EdgeId) -> &[Var] {
        &self.last[edge]
    }
}

fn is_unnamed(cfa: &Cfa, var: Var) -> bool {
    let known = &cfa.variables[var];
    matches!(known.scope, Scope::Local(_)) && known.source_name.is_none()
}

/// What is read on an edge, or after it.
fn live_before(cfa: &Cfa, terms: &Terms, edge: EdgeId, mut live: Live) -> Live {
    for op in cfa.edges[edge].ops.iter().rev() {
        for var in op.assigned() {
            live.remove(var);
        }
        for term in op.terms() {
            live.extend(terms.vars(term).into_iter().filter(|var| is_unnamed(cfa, *var)));
        }
    }
    live
}
