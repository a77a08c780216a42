//! Which elements are followed: those that are loaded shortly before an error.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Cfa, EdgeId, LocId, Loops, Op, Program};
use term::{Sort, TermId, Terms, Var, View};

use super::element::Arrays;
use crate::op_place::OpPlace;

/// More variables in indices are not looked at.
const MOST_VARIABLES: usize = 4;

/// More indices are not followed.
const MOST_INDICES: usize = 6;

/// Which indices are followed, and where the values of their variables count.
pub(super) struct Chosen {
    /// For variables in indices, the variable `K` that has its value when an error is reached.
    pub(super) values: BTreeMap<Var, Var>,
    /// The indices that are followed, over the variables `K`.
    pub(super) indices: Vec<Vec<TermId>>,
    /// The variables whose values count at an error.
    pub(super) at_errors: BTreeMap<LocId, BTreeSet<Var>>,
    /// The variables whose values count where an edge sets a flag, on which an error depends.
    pub(super) at_flags: BTreeMap<EdgeId, BTreeSet<Var>>,
    /// The variables of which the value that they had when a flag was last set counts at an error.
    pub(super) after_flags: BTreeMap<LocId, BTreeSet<Var>>,
}

impl Chosen {
    /// Chooses indices. `None` if no element is loaded shortly before an error, or too many are.
    pub(super) fn of(program: &Program, arrays: &Arrays, terms: &mut Terms) -> Option<Self> {
        let view = Before::of(&program.cfa);
        let mut chosen = Self {
            values: BTreeMap::new(),
            indices: Vec::new(),
            at_errors: BTreeMap::new(),
            at_flags: BTreeMap::new(),
            after_flags: BTreeMap::new(),
        };
        let mut sites: BTreeSet<OpPlace> = BTreeSet::new();
        let errors = program.cfa.locations.entries().filter(|(_, known)| known.error);
        for (error, _) in errors {
            let region = view.region(error);
            let loads = loads(&program.cfa, arrays, &region);
            if !loads.is_empty() {
                chosen.at_errors.insert(error, variables(arrays, terms, &loads));
                sites.extend(loads);
                continue;
            }
            let mut all = BTreeSet::new();
            for edge in flags(program, &region) {
                let region = view.region(program.cfa.edges[edge].source);
                let loads = self::loads(&program.cfa, arrays, &region);
                let vars = variables(arrays, terms, &loads);
                all.extend(vars.iter().copied());
                chosen.at_flags.insert(edge, vars);
                sites.extend(loads);
            }
            chosen.after_flags.insert(error, all);
        }
        let vars: BTreeSet<Var> = variables(arrays, terms, &sites);
        if vars.len() > MOST_VARIABLES {
            return None;
        }
        for var in vars {
            let name = format!("@index:{}", terms.var_name(var));
            chosen.values.insert(var, terms.declare(name, terms.var_sort(var)));
        }
        for site in &sites {
            let Some((_, Some(element))) = arrays.accesses.get(site) else { continue };
            let index = element.index.iter().map(|index| {
                let values: BTreeMap<Var, TermId> =
                    chosen.values.iter().map(|(var, value)| (*var, terms.var(*value))).collect();
                terms.substitute(*index, &mut |var| values.get(&var).copied())
            });
            let index = index.collect();
            if !chosen.indices.contains(&index) {
                chosen.indices.push(index);
            }
        }
        (1..=MOST_INDICES).contains(&chosen.indices.len()).then_some(chosen)
    }
}

/// The loads of elements on some edges.
fn loads(cfa: &Cfa, arrays: &Arrays, edges: &BTreeSet<EdgeId>) -> BTreeSet<OpPlace> {
    let is_load = |(edge, number): &OpPlace| {
        edges.contains(edge) && matches!(cfa.edges[*edge].ops[*number as usize], Op::Load { .. })
    };
    let known = arrays.accesses.iter().filter(|(_, (_, element))| element.is_some());
    known.map(|(place, _)| *place).filter(is_load).collect()
}

/// The variables in the indices of some accesses.
fn variables(arrays: &Arrays, terms: &Terms, sites: &BTreeSet<OpPlace>) -> BTreeSet<Var> {
    let elements = sites.iter().filter_map(|site| arrays.accesses.get(site)?.1.as_ref());
    elements.flat_map(|element| &element.index).flat_map(|index| terms.vars(*index)).collect()
}

/// The edges in loops that give a constant to a variable that is asked about on some edges.
fn flags(program: &Program, edges: &BTreeSet<EdgeId>) -> Vec<EdgeId> {
    let Program { cfa, terms, .. } = program;
    let mut asked: BTreeSet<Var> = BTreeSet::new();
    for op in edges.iter().flat_map(|edge| &cfa.edges[*edge].ops) {
        // What is asked may have been computed on the way.
        if let Op::Assume(term) | Op::Assign { value: term, .. } = op {
            asked.extend(terms.vars(*term));
        }
    }
    let loops = Loops::of(cfa);
    let sets = |op: &Op| match op {
        Op::Assign { var, value } => {
            let sort = terms.var_sort(*var);
            asked.contains(var)
                && matches!(terms.view(*value), View::Const(_))
                && matches!(sort, Sort::Bool | Sort::Bv(_))
        }
        _ => false,
    };
    let edges = cfa.edges.entries().filter(|(_, edge)| edge.ops.iter().any(sets));
    edges.filter(|(_, edge)| loops.innermost(edge.source).is_some()).map(|(edge, _)| edge).collect()
}

/// The graph of locations, seen backwards.
pub(crate) struct Before {
    loops: Loops,
    incoming: BTreeMap<LocId, Vec<EdgeId>>,
    sources: BTreeMap<EdgeId, LocId>,
}

impl Before {
    pub(crate) fn of(cfa: &Cfa) -> Self {
        let mut incoming: BTreeMap<LocId, Vec<EdgeId>> = BTreeMap::new();
        for (edge, known) in cfa.edges.entries() {
            incoming.entry(known.target).or_default().push(edge);
        }
        let sources = cfa.edges.entries().map(|(edge, known)| (edge, known.source)).collect();
        Self { loops: Loops::of(cfa), incoming, sources }
    }

    /// The edges on ways to a location that pass no head of a loop.
    pub(crate) fn region(&self, location: LocId) -> BTreeSet<EdgeId> {
        let mut region = BTreeSet::new();
        let mut waiting = vec![location];
        while let Some(location) = waiting.pop() {
            for edge in self.incoming.get(&location).into_iter().flatten() {
                let source = self.sources[edge];
                if region.insert(*edge) && !self.loops.head(source) {
                    waiting.push(source);
                }
            }
        }
        region
    }
}
