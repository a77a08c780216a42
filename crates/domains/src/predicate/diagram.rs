//! Sets of combinations as binary decision diagrams over predicates.

use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::util::{AllocResult, OutOfMemory};
use oxidd::{BooleanFunction as _, Function as _, Manager as _, ManagerRef as _, VarNo};
use rustc_hash::FxHashMap;
use term::{TermId, Terms};

use crate::predicate::combination::{Combination, Exactness, Part, conjunction};

/// A set of combinations of predicates.
pub(crate) type Diagram = BDDFunction;

/// What is known at the start of a block, as a formula and as a combination of predicates.
#[derive(Clone, Copy)]
pub(crate) struct Before<'a> {
    pub(crate) known: TermId,
    pub(crate) predicates: &'a [TermId],
    pub(crate) combination: &'a Combination,
    /// The parts of the combination as a diagram.
    pub(crate) diagram: Option<&'a Diagram>,
}

/// All diagrams of an analysis. There are none, and nothing is allocated, until a state is more
/// than a conjunction.
#[derive(Default)]
pub(crate) struct Diagrams {
    manager: Option<BDDManagerRef>,
    variables: FxHashMap<TermId, VarNo>,
    predicates: Vec<TermId>,
    formulas: FxHashMap<Diagram, TermId>,
}

/// How many nodes there can be. Memory is used when nodes are made, but the addresses for all nodes are taken at once.
const NODES: usize = 1 << 22;

/// How many bytes of addresses the diagrams take: their nodes, and the stack of the thread that works on them. A
/// process that does not get these addresses ends without a message.
const ADDRESSES: u64 = (NODES as u64) * 16 + (1 << 30);

/// How many results of operations are kept.
const RESULTS: usize = 1 << 14;

impl Diagrams {
    /// What is known where a combination holds, as a formula and, if it is more than a conjunction,
    /// as a diagram. A part for which there is no room is taken out of the combination.
    pub(crate) fn known(
        &mut self,
        terms: &mut Terms,
        predicates: &[TermId],
        combination: &mut Combination,
    ) -> (TermId, Option<Diagram>) {
        let (places, values): (Vec<TermId>, Vec<bool>) = predicates
            .iter()
            .zip(&combination.fixed)
            .filter_map(|(predicate, value)| value.map(|value| (*predicate, value)))
            .unzip();
        let mut formulas = vec![conjunction(terms, &places, &values)];
        let mut whole: Option<Diagram> = None;
        let mut kept = Vec::new();
        for part in std::mem::take(&mut combination.parts) {
            let together = self.part(predicates, &part).and_then(|diagram| {
                let together = match &whole {
                    Some(whole) => whole.and(&diagram)?,
                    None => diagram.clone(),
                };
                Ok((diagram, together))
            });
            let Ok((diagram, together)) = together else {
                combination.exact = combination.exact.min(Exactness::Literals);
                continue;
            };
            formulas.push(self.formula(terms, &diagram));
            whole = Some(together);
            kept.push(part);
        }
        combination.parts = kept;
        (terms.and(&formulas), whole)
    }

    /// Whether what is known before a block implies that one of some combinations holds, whatever
    /// the predicates mean; `None` if there is no room to tell.
    pub(crate) fn implies(&mut self, before: Before<'_>, other: &Diagram) -> Option<bool> {
        let implies = |this: &mut Self| -> AllocResult<bool> {
            let mut left = match before.diagram {
                Some(diagram) => other.not()?.and(diagram)?,
                None => other.not()?,
            };
            for (predicate, value) in before.predicates.iter().zip(&before.combination.fixed) {
                let Some(value) = value else { continue };
                let literal = this.literal(*predicate, *value)?;
                left = left.and(&literal)?;
            }
            Ok(!left.satisfiable())
        };
        implies(self).ok()
    }

    fn variable(&mut self, predicate: TermId) -> AllocResult<VarNo> {
        if let Some(known) = self.variables.get(&predicate) {
            return Ok(*known);
        }
        let added = self.manager()?.with_manager_exclusive(|manager| manager.add_vars(1));
        self.predicates.push(predicate);
        self.variables.insert(predicate, added.start);
        Ok(added.start)
    }

    fn manager(&mut self) -> AllocResult<&BDDManagerRef> {
        match &mut self.manager {
            Some(manager) => Ok(manager),
            // The rest of the process needs addresses, too: the diagrams take at most half of those that are left.
            None if run::room().is_some_and(|room| room / 2 < ADDRESSES) => Err(OutOfMemory),
            none @ None => Ok(none.insert(oxidd::bdd::new_manager(NODES, RESULTS, 1))),
        }
    }

    fn literal(&mut self, predicate: TermId, value: bool) -> AllocResult<Diagram> {
        let variable = self.variable(predicate)?;
        self.manager()?.with_manager_shared(|manager| {
            if value {
                Diagram::var(manager, variable)
            } else {
                Diagram::not_var(manager, variable)
            }
        })
    }

    /// The combinations of a part.
    fn part(&mut self, predicates: &[TermId], part: &Part) -> AllocResult<Diagram> {
        // Predicates in the order of their variables, so that each step makes one node.
        let mut order: Vec<(VarNo, usize)> = Vec::new();
        for (place, index) in part.open.iter().enumerate() {
            order.push((self.variable(predicates[*index])?, place));
        }
        order.sort_unstable();
        let cubes: Vec<&[bool]> = part.cubes.iter().map(Vec::as_slice).collect();
        self.one_of(&order, &cubes)
    }

    fn one_of(&mut self, order: &[(VarNo, usize)], cubes: &[&[bool]]) -> AllocResult<Diagram> {
        let Some(((variable, place), rest)) = order.split_first().filter(|_| !cubes.is_empty())
        else {
            let constant = !cubes.is_empty();
            return Ok(self.manager()?.with_manager_shared(|manager| {
                if constant { Diagram::t(manager) } else { Diagram::f(manager) }
            }));
        };
        let (yes, no): (Vec<&[bool]>, Vec<&[bool]>) = cubes.iter().partition(|cube| cube[*place]);
        let (yes, no) = (self.one_of(rest, &yes)?, self.one_of(rest, &no)?);
        if yes == no {
            return Ok(yes);
        }
        let variable = *variable;
        let test =
            self.manager()?.with_manager_shared(|manager| Diagram::var(manager, variable))?;
        test.ite(&yes, &no)
    }

    /// A diagram as a formula: a case distinction for each of its nodes.
    fn formula(&mut self, terms: &mut Terms, diagram: &Diagram) -> TermId {
        if let Some(known) = self.formulas.get(diagram) {
            return *known;
        }
        let formula = match diagram.cofactors() {
            None => terms.bool(diagram.valid()),
            Some((yes, no)) => {
                let variable = diagram.with_manager_shared(|manager, edge| {
                    manager.level_to_var(manager.get_node(edge).level())
                });
                let (yes, no) = (self.formula(terms, &yes), self.formula(terms, &no));
                terms.ite(self.predicates[variable as usize], yes, no)
            }
        };
        self.formulas.insert(diagram.clone(), formula);
        formula
    }
}
