//! What is known at locations, along all ways from the start of a program without calls.

use std::collections::{BTreeMap, VecDeque};

use cfa::{Cfa, LocId, Op};

use crate::op_place::OpPlace;

/// Follows what is known through all operations, until nothing changes. A place is passed again each time that less is
/// known there; `keep` takes away from its first argument what its second argument does not know.
pub(crate) fn forward<K: Clone + PartialEq>(
    cfa: &Cfa,
    first: K,
    mut follow: impl FnMut(OpPlace, &Op, &mut K),
    keep: impl Fn(&mut K, &K),
) {
    let Some(start) = cfa.start.map(|start| cfa.functions[start].entry) else { return };
    let mut known: BTreeMap<LocId, K> = BTreeMap::from([(start, first)]);
    let mut waiting = VecDeque::from([start]);
    while let Some(from) = waiting.pop_front() {
        for edge in &cfa.locations[from].edges {
            let mut here = known[&from].clone();
            for (number, op) in (0..).zip(&cfa.edges[*edge].ops) {
                follow((*edge, number), op, &mut here);
            }
            let to = cfa.edges[*edge].target;
            let joined = match known.get(&to) {
                Some(before) => {
                    let mut joined = before.clone();
                    keep(&mut joined, &here);
                    joined
                }
                None => here,
            };
            if known.get(&to) != Some(&joined) {
                known.insert(to, joined);
                waiting.push_back(to);
            }
        }
    }
}
