//! Which branches decide whether a location is reached: control dependence (Ferrante, Ottenstein &
//! Warren 1987) in each function, over the graph of its locations and one end.

use base::IndexVec;
use cfa::{Cfa, Dominators, FuncId, LocId, Op, Reach};
use term::{TermId, Terms};

/// How many pairs of a branch and a location that depends on it are looked at, for each location
/// on average.
const MOST_PAIRS: usize = 32;

/// Control dependence.
pub(super) struct Control {
    /// Whether executions may go on from a location in several ways, or end there.
    branch: IndexVec<LocId, bool>,
    /// The next location that all ways to the end pass; `None` if there is none before the end.
    next: IndexVec<LocId, Option<LocId>>,
    /// The branches that each location depends on.
    controllers: IndexVec<LocId, Vec<LocId>>,
    /// Branches that decide whether a cycle is left, or whose ways to the end have no location in common.
    decisive: Vec<LocId>,
    /// Whether the pairs were too many to be found.
    coarse: bool,
}

impl Control {
    /// Finds the dependences of all functions. The table grows by negations of conditions.
    pub(super) fn of(cfa: &Cfa, terms: &mut Terms, reach: &Reach) -> Self {
        let ways = ways(cfa, terms, reach);
        let next = post_dominators(cfa, &ways);
        let is_branch = |(at, ways): (LocId, &Vec<Option<LocId>>)| {
            ways.len() > 1 || cfa.locations[at].edges.len() > 1
        };
        let mut control = Self {
            branch: ways.entries().map(is_branch).collect(),
            next,
            controllers: IndexVec::filled(Vec::new(), cfa.locations.len()),
            decisive: Vec::new(),
            coarse: false,
        };
        control.coarse = !control.find(&ways);
        control.decisive = control.find_decisive();
        control
    }

    /// Whether executions may go on from a location in several ways, or end there.
    pub(super) fn is_branch(&self, location: LocId) -> bool {
        self.branch[location]
    }

    /// The next location that all ways to the end pass.
    pub(super) fn next(&self, location: LocId) -> Option<LocId> {
        self.next[location]
    }

    /// The branches that a location depends on.
    pub(super) fn controllers(&self, location: LocId) -> &[LocId] {
        &self.controllers[location]
    }

    /// Branches that must stay, whatever depends on them: those that decide whether a cycle is left,
    /// so that executions do not go on behind a cycle that they never leave.
    pub(super) fn decisive(&self) -> &[LocId] {
        &self.decisive
    }

    /// Finds the pairs of a branch and a location that depends on it: goes up from where the branch leads, along the
    /// locations that all ways pass, to the location that all ways from the branch itself pass. False if there are too
    /// many pairs.
    fn find(&mut self, ways: &IndexVec<LocId, Vec<Option<LocId>>>) -> bool {
        let mut left = MOST_PAIRS * (ways.len() + 1);
        for (branch, ways) in ways.entries().filter(|(at, _)| self.branch[*at]) {
            for way in ways {
                let mut at = *way;
                while let Some(here) = at.filter(|_| at != self.next[branch]) {
                    let Some(rest) = left.checked_sub(1) else { return false };
                    left = rest;
                    let list = &mut self.controllers[here];
                    if list.last() == Some(&branch) {
                        break;
                    }
                    list.push(branch);
                    at = self.next[here];
                }
            }
        }
        true
    }

    /// Branches on cycles of the dependence, branches that these depend on, and branches whose ways to the end have no
    /// location in common. Each cycle of locations has such a branch: in the tree of post-dominators, the location of
    /// the cycle that is nearest to the end can be reached from itself on a way that avoids its own post-dominator.
    fn find_decisive(&self) -> Vec<LocId> {
        let branches: Vec<LocId> = self.branch.ids().filter(|at| self.branch[*at]).collect();
        if self.coarse {
            return branches;
        }
        let mut controlled: IndexVec<LocId, u32> = IndexVec::filled(0, self.branch.len());
        for branch in &branches {
            for controller in &self.controllers[*branch] {
                controlled[*controller] += 1;
            }
        }
        let mut acyclic: IndexVec<LocId, bool> = IndexVec::filled(false, self.branch.len());
        let mut waiting: Vec<LocId> =
            branches.iter().copied().filter(|at| controlled[*at] == 0).collect();
        while let Some(at) = waiting.pop() {
            acyclic[at] = true;
            for controller in &self.controllers[at] {
                controlled[*controller] -= 1;
                if controlled[*controller] == 0 {
                    waiting.push(*controller);
                }
            }
        }
        branches.into_iter().filter(|at| !acyclic[*at] || self.next[*at].is_none()).collect()
    }
}

/// The locations that executions may go on to from each location, and `None` if they may end
/// there, each once.
fn ways(cfa: &Cfa, terms: &mut Terms, reach: &Reach) -> IndexVec<LocId, Vec<Option<LocId>>> {
    let mut ways: IndexVec<LocId, Vec<Option<LocId>>> =
        IndexVec::filled(Vec::new(), cfa.locations.len());
    for at in cfa.locations.ids() {
        let list = &mut ways[at];
        for edge in &cfa.locations[at].edges {
            let known = &cfa.edges[*edge];
            let is_end = |op: &Op| matches!(op, Op::Exit(_) | Op::Abort | Op::Unsupported(_));
            let ends = known.ops.iter().any(is_end)
                || known.callee().is_some_and(|callee| !reach.returns(callee));
            list.push((!ends).then_some(known.target));
        }
        if !is_total(cfa, terms, at) {
            list.push(None);
        }
        list.sort_unstable();
        list.dedup();
    }
    ways
}

/// Whether one of the edges of a location can be taken whatever the values are, as far as that is
/// easily seen.
fn is_total(cfa: &Cfa, terms: &mut Terms, at: LocId) -> bool {
    let mut conditions: Vec<TermId> = Vec::new();
    for edge in &cfa.locations[at].edges {
        let ops = &cfa.edges[*edge].ops;
        let is_assume = |op: &&Op| matches!(op, Op::Assume(_));
        let first = ops.iter().take_while(is_assume).count();
        if ops[first..].iter().any(|op| is_assume(&op)) {
            return false;
        }
        match &ops[..first] {
            [] => return true,
            [Op::Assume(condition)] => conditions.push(*condition),
            _ => return false,
        }
    }
    let any = terms.or(&conditions);
    match conditions[..] {
        [one, other] if terms.not(one) == other || terms.not(other) == one => true,
        _ => terms.is_true(any),
    }
}

/// For each location the next one that all ways to the end of its function pass. A location from which no way leads to
/// the end is taken to have such a way.
fn post_dominators(
    cfa: &Cfa,
    ways: &IndexVec<LocId, Vec<Option<LocId>>>,
) -> IndexVec<LocId, Option<LocId>> {
    // The same locations with every way turned round, and an end for each function.
    let mut reverse = Cfa { locations: cfa.locations.clone(), ..Cfa::default() };
    for location in reverse.locations.iter_mut() {
        location.edges.clear();
    }
    let mut ends: IndexVec<FuncId, LocId> = IndexVec::new();
    for (id, function) in cfa.functions.entries() {
        let end = reverse.add_location(id);
        ends.push(end);
        reverse.functions.push(cfa::Function { entry: end, ..function.clone() });
    }
    let mut incoming: IndexVec<LocId, Vec<LocId>> = IndexVec::filled(Vec::new(), ways.len());
    let mut reached: IndexVec<LocId, bool> = IndexVec::filled(false, ways.len());
    let mut waiting = Vec::new();
    for (at, ways) in ways.entries() {
        for way in ways {
            match way {
                Some(to) => {
                    incoming[*to].push(at);
                    reverse.add_edge(*to, at, [], None);
                }
                None => {
                    reverse.add_edge(ends[cfa.locations[at].function], at, [], None);
                    waiting.push(at);
                }
            }
        }
    }
    while let Some(at) = waiting.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            waiting.extend_from_slice(&incoming[at]);
        }
    }
    for at in cfa.locations.ids().filter(|at| !reached[*at]) {
        reverse.add_edge(ends[cfa.locations[at].function], at, [], None);
    }
    let tree = Dominators::of(&reverse);
    let before_end = |at: LocId| tree.parent(at).filter(|next| ways.get(*next).is_some());
    cfa.locations.ids().map(before_end).collect()
}
