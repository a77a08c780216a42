//! Loads whose result is known already: a variable still holds the value that the same element had when
//! the element was last loaded or stored.

use std::collections::{BTreeMap, VecDeque};

use cfa::{LocId, Op, Program};
use domains::value::Site;
use term::{TermId, Terms, Var, View};

use super::element::{Arrays, Field};
use crate::op_place::OpPlace;

/// The variables that hold elements, by array, part and index.
type Held = BTreeMap<(Site, Field, Vec<TermId>), Var>;

/// For loads of elements a variable that holds the same, whichever way executions have taken there.
pub(super) fn again(program: &Program, terms: &Terms, arrays: &Arrays) -> BTreeMap<OpPlace, Var> {
    let cfa = &program.cfa;
    let Some(start) = cfa.start.map(|start| cfa.functions[start].entry) else {
        return BTreeMap::new();
    };
    let mut held: BTreeMap<LocId, Held> = BTreeMap::from([(start, Held::new())]);
    let mut waiting = VecDeque::from([start]);
    let mut found = BTreeMap::new();
    while let Some(from) = waiting.pop_front() {
        for edge in &cfa.locations[from].edges {
            let mut here = held[&from].clone();
            for (number, op) in (0..).zip(&cfa.edges[*edge].ops) {
                let same = perform(terms, arrays, (*edge, number), op, &mut here);
                // Less is known each time that a place is passed again.
                match same {
                    Some(var) => found.insert((*edge, number), var),
                    None => found.remove(&(*edge, number)),
                };
            }
            let to = cfa.edges[*edge].target;
            let joined = match held.get(&to) {
                Some(known) => {
                    let mut joined = known.clone();
                    joined.retain(|element, var| here.get(element) == Some(var));
                    joined
                }
                None => here,
            };
            if held.get(&to) != Some(&joined) {
                held.insert(to, joined);
                waiting.push_back(to);
            }
        }
    }
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
        // Whatever else may happen to memory, nothing is known of it afterwards.
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
