//! Variables that hold the address of an object: of its first byte, in all executions.

use std::collections::BTreeMap;

use cfa::{ObjectSite, Op, Program};
use term::{Var, View};

use crate::dataflow;
use crate::op_place::OpPlace;

/// The objects at whose first bytes variables point.
type Held = BTreeMap<Var, ObjectSite>;

/// What is known before each operation.
pub(super) struct Bases {
    /// The addresses of objects that exist from the start: these are constants.
    constants: Held,
    before: BTreeMap<OpPlace, Held>,
}

impl Bases {
    /// Follows addresses and their copies along all ways through a program without calls.
    pub(super) fn of(program: &Program) -> Self {
        let cfa = &program.cfa;
        let objects = cfa.objects.entries();
        let constants: Held =
            objects.map(|(object, known)| (known.address, ObjectSite::Initial(object))).collect();
        let mut before = BTreeMap::new();
        let follow = |place: OpPlace, op: &Op, here: &mut Held| {
            before.insert(place, here.clone());
            perform(program, &constants, place, op, here);
        };
        let keep = |held: &mut Held, here: &Held| {
            held.retain(|var, site| here.get(var) == Some(site));
        };
        dataflow::forward(cfa, Held::new(), follow, keep);
        Self { constants, before }
    }

    /// Whether a variable holds the address of an object before an operation.
    pub(super) fn holds(&self, place: OpPlace, var: Var, site: ObjectSite) -> bool {
        let held = self.before.get(&place).and_then(|held| held.get(&var));
        held.or_else(|| self.constants.get(&var)) == Some(&site)
    }
}

/// Follows an operation.
fn perform(program: &Program, constants: &Held, place: OpPlace, op: &Op, held: &mut Held) {
    let now = match op {
        Op::Alloc { .. } => Some(ObjectSite::Alloc(place.0, place.1)),
        Op::Assign { value, .. } => match program.terms.view(*value) {
            View::Var(from) => held.get(&from).or_else(|| constants.get(&from)).copied(),
            _ => None,
        },
        _ => None,
    };
    for var in op.assigned() {
        held.remove(var);
        if let Some(site) = now {
            held.insert(*var, site);
        }
    }
}
