//! The program with steps in place of loops.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{Cfa, EdgeId, LocId, Op, Program, Reading, Scope, Variable};
use interp::Site;
use term::{Sort, TermId, Terms, Var};

use super::Summary;
use super::guard::Count;
use crate::Rewritten;
use crate::back::{Back, Origin, Source};

/// Puts summaries in place of loops, each of which has these locations. The table has grown from that
/// of the program, without new symbols.
pub(super) fn rewrite(
    program: &Program,
    terms: Terms,
    summaries: &[(Summary, Vec<LocId>)],
) -> Rewritten {
    let old = &program.cfa;
    let (cfa, sources) = (old.clone(), program.sources.clone());
    let mut after = Program { terms, cfa, sources };
    after.cfa.edges = IndexVec::new();
    after.cfa.locations.iter_mut().for_each(|location| location.edges.clear());
    let mut back = Back::identity(program);
    (back.edges, back.ops) = (IndexVec::new(), IndexVec::new());
    let mut behind: BTreeMap<LocId, LocId> = BTreeMap::new();
    let mut loops: IndexVec<LocId, Option<usize>> = IndexVec::filled(None, old.locations.len());
    for (number, (summary, body)) in summaries.iter().enumerate() {
        let next = after.cfa.add_location(old.locations[summary.head].function);
        after.cfa.locations[next].span = old.locations[summary.head].span;
        behind.insert(summary.head, next);
        back.locations.push(Some(Origin { location: summary.head, whole: false }));
        for at in body {
            loops[*at] = Some(number);
            // Only the last round passes it.
            back.locations[*at] = Some(Origin { location: *at, whole: false });
        }
    }
    let useful: Vec<BTreeSet<LocId>> =
        summaries.iter().map(|(summary, body)| leaving(old, summary.head, body)).collect();
    for (id, edge) in old.edges.entries() {
        let mut dropped = 0;
        if let Some(number) = loops[edge.source] {
            let summary = &summaries[number].0;
            let stays = loops[edge.target] == Some(number);
            if is_cut(old, summary.head, &useful[number], id, stays) {
                continue;
            }
            let others = &old.locations[edge.source].edges;
            let is_gone = |other: &EdgeId| {
                let stays = loops[old.edges[*other].target] == Some(number);
                is_cut(old, summary.head, &useful[number], *other, stays)
            };
            // Where all last rounds are left for one reason, they do not go where the other edge leads.
            if summary.single && others.len() == 2 && others.iter().any(is_gone) {
                dropped = usize::from(matches!(edge.ops.first(), Some(Op::Assume(_))));
            }
        }
        let source = behind.get(&edge.source).copied().unwrap_or(edge.source);
        let returns = loops[edge.source].is_some_and(|number| {
            loops[edge.target] == Some(number) && edge.target == summaries[number].0.head
        });
        // An execution ends on the last edge of its last round or in a call there, and never gets back
        // to the head.
        let target = if returns {
            back.locations.push(None);
            after.cfa.add_location(old.locations[edge.source].function)
        } else {
            edge.target
        };
        after.cfa.add_edge(source, target, &edge.ops[dropped..], edge.span);
        back.edges.push(Some([id].into()));
        // Edges have fewer than 2^32 operations.
        let ops = (dropped as u32..).take(edge.ops.len() - dropped);
        back.ops.push(ops.map(|op| Source::Op(Site { edge: id, op })).collect());
    }
    for (summary, _) in summaries {
        let ops = step(&mut after, summary);
        back.ops.push(vec![Source::Added; ops.len()].into());
        back.edges.push(None);
        after.cfa.add_edge(summary.head, behind[&summary.head], ops, None);
    }
    back.variables = after.cfa.variables.ids().map(|var| back.variable(var)).collect();
    Rewritten { program: after, back }
}

/// The operations of a summary, phase by phase: count the rounds, and give variables their values after
/// so many.
fn step(program: &mut Program, summary: &Summary) -> Vec<Op> {
    let mut ops = Vec::new();
    for phase in &summary.phases {
        let Count { finite, rounds, .. } = phase.count;
        let count = declare(program, summary.head, program.terms.width(rounds));
        let terms = &mut program.terms;
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
fn declare(program: &mut Program, head: LocId, width: u32) -> Var {
    let function = program.cfa.locations[head].function;
    let name = format!("{}::{head}$rounds", program.cfa.functions[function].name);
    let taken = |name: &str, program: &Program| {
        program.cfa.variables.ids().any(|var| program.terms.var_name(var) == name)
    };
    let mut unique = name.clone();
    let mut number = 1;
    while taken(&unique, program) {
        number += 1;
        unique = format!("{name}{number}");
    }
    let variable = Variable {
        scope: Scope::Local(function),
        reading: Reading::Plain,
        source_name: None,
        span: None,
    };
    program.declare(unique, Sort::Bv(width), variable)
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

/// Whether a round that is not completed never takes an edge of its loop to the end, nor ends on it.
fn is_cut(cfa: &Cfa, head: LocId, leaving: &BTreeSet<LocId>, edge: EdgeId, stays: bool) -> bool {
    let target = cfa.edges[edge].target;
    stays && !ends(cfa, edge) && (target == head || !leaving.contains(&target))
}
