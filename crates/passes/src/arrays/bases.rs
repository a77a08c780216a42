//! Variables that hold the address of an object: of its first byte, in all executions.

use std::collections::{BTreeMap, VecDeque};

use cfa::{LocId, Op, Program, Site};
use term::{Var, View};

use crate::op_place::OpPlace;

/// The objects at whose first bytes variables point.
type Held = BTreeMap<Var, Site>;

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
            objects.map(|(object, known)| (known.address, Site::Initial(object))).collect();
        let mut bases = Self { constants, before: BTreeMap::new() };
        let Some(start) = cfa.start.map(|start| cfa.functions[start].entry) else { return bases };
        let mut held: BTreeMap<LocId, Held> = BTreeMap::from([(start, Held::new())]);
        let mut waiting = VecDeque::from([start]);
        while let Some(from) = waiting.pop_front() {
            for edge in &cfa.locations[from].edges {
                let mut here = held[&from].clone();
                for (number, op) in (0..).zip(&cfa.edges[*edge].ops) {
                    let place = (*edge, number);
                    bases.before.insert(place, here.clone());
                    bases.perform(program, place, op, &mut here);
                }
                let to = cfa.edges[*edge].target;
                let joined = match held.get(&to) {
                    Some(known) => {
                        let mut joined = known.clone();
                        joined.retain(|var, site| here.get(var) == Some(site));
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
        bases
    }

    /// Whether a variable holds the address of an object before an operation.
    pub(super) fn holds(&self, place: OpPlace, var: Var, site: Site) -> bool {
        let held = self.before.get(&place).and_then(|held| held.get(&var));
        held.or_else(|| self.constants.get(&var)) == Some(&site)
    }

    fn perform(&self, program: &Program, place: OpPlace, op: &Op, held: &mut Held) {
        let now = match op {
            Op::Alloc { .. } => Some(Site::Alloc(place.0, place.1)),
            Op::Assign { value, .. } => match program.terms.view(*value) {
                View::Var(from) => held.get(&from).or_else(|| self.constants.get(&from)).copied(),
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
}
