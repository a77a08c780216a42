//! Loads whose result is known already: a variable still holds the value that the same element had when
//! the element was last loaded or stored.

use std::collections::BTreeMap;

use cfa::{Op, Program};
use domains::value::ObjectSite;
use term::{TermId, Terms, Var, View};

use super::element::{Arrays, Field};
use crate::dataflow;
use crate::op_place::OpPlace;

/// The variables that hold elements, by array, part and index.
type Held = BTreeMap<(ObjectSite, Field, Vec<TermId>), Var>;

/// For loads of elements a variable that holds the same value, whichever way executions have taken there.
pub(super) fn again(program: &Program, terms: &Terms, arrays: &Arrays) -> BTreeMap<OpPlace, Var> {
    let mut found = BTreeMap::new();
    let follow = |place: OpPlace, op: &Op, here: &mut Held| {
        // Less is known each time that a place is passed again.
        match perform(terms, arrays, place, op, here) {
            Some(var) => found.insert(place, var),
            None => found.remove(&place),
        };
    };
    let keep = |held: &mut Held, here: &Held| {
        held.retain(|element, var| here.get(element) == Some(var));
    };
    dataflow::forward(&program.cfa, Held::new(), follow, keep);
    found
}

/// Follows an operation; for a load, gives the variable that held the element before.
fn perform(
    terms: &Terms,
    arrays: &Arrays,
    place: OpPlace,
    op: &Op,
    held: &mut Held,
) -> Option<Var> {
    let access = arrays.accesses.get(&place);
    let key = access.and_then(|(site, element)| {
        let element = element.as_ref()?;
        Some((*site, element.field, element.index.clone()))
    });
    let known = match op {
        Op::Load { var, .. } => {
            let known = key.as_ref().and_then(|key| held.get(key)).copied();
            known.filter(|known| terms.var_sort(*known) == terms.var_sort(*var))
        }
        _ => None,
    };
    match op {
        Op::Load { .. }
        | Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Assume(_)
        | Op::Check { .. } => {}
        // Any other operation may change memory: a store to a known array changes only this array.
        Op::Store { .. } => match &key {
            Some((site, ..)) => held.retain(|(other, ..), _| other != site),
            None => held.clear(),
        },
        _ => held.clear(),
    }
    let reads = |index: &[TermId], var: &Var| {
        index.iter().any(|index| terms.vars(*index).binary_search(var).is_ok())
    };
    for var in op.assigned() {
        held.retain(|(_, _, index), holder| holder != var && !reads(index, var));
    }
    let holder = match op {
        Op::Load { var, .. } => Some(*var),
        Op::Store { value, .. } => match terms.view(*value) {
            View::Var(var) => Some(var),
            _ => None,
        },
        _ => None,
    };
    if let (Some(key), Some(holder)) = (key, holder)
        && !reads(&key.2, &holder)
    {
        held.insert(key, holder);
    }
    known
}
