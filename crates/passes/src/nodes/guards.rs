//! Finds the load on which an error depends: among the loads from a node that all ways to the error pass,
//! the last load.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Cfa, Dominators, EdgeId, LocId, ObjectSite, Op, Program};

use super::targets::{Target, Targets};
use crate::arrays::Before;
use crate::op_place::OpPlace;

/// The load whose object counts for each error. Errors without such a load count whatever object is followed.
pub(super) fn guards(
    program: &Program,
    targets: &Targets<'_>,
    single: &BTreeSet<ObjectSite>,
) -> BTreeMap<LocId, OpPlace> {
    let cfa = &program.cfa;
    let (before, dominators) = (Before::of(cfa), Dominators::of(cfa));
    let mut incoming: BTreeMap<LocId, usize> = BTreeMap::new();
    for edge in &cfa.edges {
        *incoming.entry(edge.target).or_default() += 1;
    }
    let mut found = BTreeMap::new();
    for error in cfa.errors() {
        let passes = |edge: &EdgeId| {
            let to = cfa.edges[*edge].target;
            incoming[&to] == 1 && dominators.dominates(to, error)
        };
        let region = before.region(error);
        let on_the_way = region.into_iter().filter(passes);
        let loads = on_the_way.flat_map(|edge| loads(cfa, edge));
        let depth = |place: &OpPlace| {
            let to = cfa.edges[place.0].target;
            std::iter::successors(Some(to), |at| dominators.parent(*at)).count()
        };
        let last = loads
            .filter(|place| is_of_many(program, targets, single, *place))
            .max_by_key(|place| (depth(place), place.1));
        found.extend(last.map(|place| (error, place)));
    }
    found
}

fn loads(cfa: &Cfa, edge: EdgeId) -> impl Iterator<Item = OpPlace> {
    let is_load = |op: &Op| matches!(op, Op::Load { .. });
    let loads = (0..).zip(&cfa.edges[edge].ops).filter(move |(_, op)| is_load(op));
    loads.map(move |(number, _)| (edge, number))
}

/// Whether a load is at a known place of objects of which there may be many.
fn is_of_many(
    program: &Program,
    targets: &Targets<'_>,
    single: &BTreeSet<ObjectSite>,
    (edge, number): OpPlace,
) -> bool {
    let Op::Load { address, .. } = &program.cfa.edges[edge].ops[number as usize] else {
        return false;
    };
    let set = targets.of_term(*address);
    let is_plain = |target: &Target| match target {
        Target::At(..) | Target::Unset(_) => true,
        Target::Number(number) => super::targets::is_in_no_object(*number),
        Target::In(_) | Target::Any => false,
    };
    let is_many = |target: &Target| matches!(target, Target::At(site, _) if !single.contains(site));
    set.iter().all(is_plain) && set.iter().any(is_many)
}
