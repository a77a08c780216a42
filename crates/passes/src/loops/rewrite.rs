//! The program with steps in place of loops.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{Cfa, EdgeId, LocId, Op, Program};
use term::{Sort, TermId, Terms, Var};

use super::grown::Grown;
use super::guard::Count;
use super::summary::Summary;
use crate::Rewritten;
use crate::back::{LocationOrigin, OperationOrigin};

/// A loop, and the locations of what takes its place.
struct SummarisedLoop<'a> {
    summary: &'a Summary,
    /// The locations from which a round may get out of the loop.
    useful: BTreeSet<LocId>,
    /// Where executions are when all completed rounds are over.
    behind: LocId,
    /// The locations of the round that is not completed.
    last: BTreeMap<LocId, LocId>,
    /// The head of the loop as it was, which stays for executions in which a number may wrap around.
    plain: Option<LocId>,
}

/// Puts summaries in place of loops, each of which has these locations. The table has grown from that
/// of the program, without new symbols.
pub(super) fn rewrite(
    program: &Program,
    terms: Terms,
    summaries: &[(Summary, Vec<LocId>)],
) -> Rewritten {
    let old = &program.cfa;
    let mut grown = Grown::of(program, terms);
    let mut loops: IndexVec<LocId, Option<usize>> = IndexVec::filled(None, old.locations.len());
    let mut places = Vec::new();
    for (number, (summary, body)) in summaries.iter().enumerate() {
        for at in body {
            loops[*at] = Some(number);
            // Not all rounds of the original pass the location here: only the last one does, or all rounds of those few
            // executions for which the loop stays.
            grown.back.locations[*at] = Some(LocationOrigin { location: *at, whole: false });
        }
        let useful = leaving(old, summary.head, body);
        places.push(place(&mut grown, summary, body, useful));
    }
    let mut draft = Draft { old, grown: &mut grown, loops: &loops };
    for (id, edge) in old.edges.entries() {
        match loops[edge.source].map(|number| &places[number]) {
            None => draft.grown.keep(id, edge.source, edge.target, 0),
            Some(place) => draft.last_round(id, place),
        }
    }
    for place in places {
        let head = place.summary.head;
        let ops = step(&mut grown, place.summary);
        let sources = vec![OperationOrigin::Added; ops.len()];
        grown.add_ways(head, place.behind, ops, sources);
        if let Some(plain) = place.plain {
            let wraps = grown.after.terms.not(place.summary.certain);
            grown.add(head, plain, vec![Op::Assume(wraps)]);
        }
    }
    grown.finish()
}

/// Adds the locations of what takes the place of a loop.
fn place<'a>(
    grown: &mut Grown<'_>,
    summary: &'a Summary,
    body: &[LocId],
    useful: BTreeSet<LocId>,
) -> SummarisedLoop<'a> {
    let is_certain = grown.after.terms.is_true(summary.certain);
    let mut copy = |at: LocId| grown.copy(at, false);
    let head = summary.head;
    let behind = copy(head);
    let plain = (!is_certain).then(|| copy(head));
    let others = body.iter().filter(|at| **at != head);
    let last = others.map(|at| (*at, if is_certain { *at } else { copy(*at) })).collect();
    SummarisedLoop { summary, useful, behind, last, plain }
}

/// The edges of a rewritten program in the making.
struct Draft<'a, 'p> {
    old: &'a Cfa,
    grown: &'a mut Grown<'p>,
    /// The loop that each location is in.
    loops: &'a IndexVec<LocId, Option<usize>>,
}

impl Draft<'_, '_> {
    /// Adds an edge of a loop: to the round that is not completed, and to the loop as it was if that
    /// stays.
    fn last_round(&mut self, id: EdgeId, place: &SummarisedLoop<'_>) {
        let edge = &self.old.edges[id];
        let head = place.summary.head;
        if let Some(plain) = place.plain {
            let image = |at: LocId| if at == head { plain } else { at };
            self.grown.keep(id, image(edge.source), image(edge.target), 0);
        }
        if self.is_cut(id, place) {
            return;
        }
        let others = &self.old.locations[edge.source].edges;
        // If all last rounds are left for one reason, no last round goes where the other edge leads, and the condition
        // is not needed.
        let is_alone = place.summary.single
            && others.len() == 2
            && others.iter().any(|other| self.is_cut(*other, place));
        let is_assume = matches!(edge.ops.first(), Some(Op::Assume(_)));
        let source = place.last.get(&edge.source).copied().unwrap_or(place.behind);
        let target = if edge.target == head {
            // An execution ends on the last edge of its last round or in a call there, and never gets
            // back to the head.
            self.grown.add_location(self.old.locations[head].function)
        } else {
            place.last.get(&edge.target).copied().unwrap_or(edge.target)
        };
        self.grown.keep(id, source, target, usize::from(is_alone && is_assume));
    }

    /// Whether a round that is not completed never takes an edge of its loop to the end, nor ends on
    /// it.
    fn is_cut(&self, edge: EdgeId, place: &SummarisedLoop<'_>) -> bool {
        let known = &self.old.edges[edge];
        let stays = self.loops[known.target].is_some()
            && self.loops[known.target] == self.loops[known.source];
        stays
            && !ends(self.old, edge)
            && (known.target == place.summary.head || !place.useful.contains(&known.target))
    }
}

/// The operations of a summary, phase by phase: count the rounds, and give variables their values after these rounds.
fn step(grown: &mut Grown<'_>, summary: &Summary) -> Vec<Op> {
    let mut ops = Vec::new();
    if !grown.after.terms.is_true(summary.certain) {
        ops.push(Op::Assume(summary.certain));
    }
    for phase in &summary.phases {
        let Count { finite, rounds, .. } = phase.count;
        let count = declare(grown, summary.head, grown.after.terms.sort(rounds));
        let terms = &mut grown.after.terms;
        // Otherwise executions stay in the loop for ever.
        if !terms.is_true(finite) {
            ops.push(Op::Assume(finite));
        }
        ops.push(Op::Assign { var: count, value: rounds });
        let rounds: TermId = match terms.value(rounds) {
            Some(_) => rounds,
            None => terms.var(count),
        };
        for (var, value) in phase.values(terms, rounds) {
            if terms.var(var) != value {
                ops.push(Op::Assign { var, value });
            }
        }
    }
    ops
}

/// Declares the variable that counts the rounds of a loop.
fn declare(grown: &mut Grown<'_>, head: LocId, sort: Sort) -> Var {
    let program = &grown.after;
    let function = program.cfa.locations[head].function;
    let name = format!("{}::{head}$rounds", program.cfa.functions[function].name);
    let taken =
        |name: &str| program.cfa.variables.ids().any(|var| program.terms.var_name(var) == name);
    let mut unique = name.clone();
    let mut number = 1;
    while taken(&unique) {
        number += 1;
        unique = format!("{name}{number}");
    }
    grown.declare(function, unique, sort)
}

/// The locations of a loop from which a round may get out of the loop, or to something that ends the
/// execution, without completing.
fn leaving(cfa: &Cfa, head: LocId, body: &[LocId]) -> BTreeSet<LocId> {
    let inside: BTreeSet<LocId> = body.iter().copied().collect();
    let mut leaving: BTreeSet<LocId> = BTreeSet::new();
    loop {
        let before = leaving.len();
        for at in body {
            let gets_out = |edge: &EdgeId| {
                let known = &cfa.edges[*edge];
                !inside.contains(&known.target)
                    || ends(cfa, *edge)
                    || (known.target != head && leaving.contains(&known.target))
            };
            if cfa.locations[*at].edges.iter().any(gets_out) {
                leaving.insert(*at);
            }
        }
        if leaving.len() == before {
            return leaving;
        }
    }
}

/// Whether an edge may end the execution or call a function that does.
fn ends(cfa: &Cfa, edge: EdgeId) -> bool {
    let is_end = |op: &Op| {
        matches!(
            op,
            Op::Exit(_) | Op::Abort | Op::Unsupported(_) | Op::Check { .. } | Op::Call { .. }
        )
    };
    cfa.edges[edge].ops.iter().any(is_end)
}
