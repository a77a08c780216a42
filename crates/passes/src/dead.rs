//! Leaves out what has no influence on errors: locations that lead to no error, edges to such locations, and
//! assignments to local variables whose value is not read.

use std::collections::BTreeSet;

use base::IndexVec;
use cfa::{Cfa, EdgeId, LocId, Op, Program, Reach, Scope};
use term::Var;

use crate::Rewritten;
use crate::draft::{Draft, Revised};
use crate::flow::is_inside;
use crate::reads::Reads;

/// How many steps are taken back from reads, for each edge of the program on average, before the
/// assignments that are left to be looked at are kept.
const MOST_STEPS: usize = 32;

/// The program without locations and edges that are not between its start and an error or
/// something unsupported, and without assignments to local variables that are not read afterwards.
///
/// Executions that reach an error do so as before.
#[must_use]
pub fn dead(program: &Program) -> Rewritten {
    let cfa = &program.cfa;
    let reach = Reach::of(cfa);
    let mut draft = Draft::of(program, program.terms.clone());
    for (edge, _) in cfa.edges.entries() {
        if is_needed(cfa, &reach, edge) {
            let mut same = Revised::same(program, edge);
            let end = same.ops.iter().position(|(op, _)| is_end(op));
            same.ops.truncate(end.map_or(same.ops.len(), |end| end + 1));
            draft.edges[edge] = Some(same);
        }
    }
    for location in cfa.locations.ids() {
        // A location that is kept only for the sake of a call or a function is not passed by all executions that pass
        // it in the original, unless there are no such executions.
        draft.whole[location] = reach.matters(location) || !reach.reachable(location);
    }
    remove_unread(&mut draft);
    draft.finish()
}

fn is_end(op: &Op) -> bool {
    matches!(op, Op::Exit(_) | Op::Abort | Op::Unsupported(_))
}

/// Whether an edge is on the way to an error or to something unsupported, or does something on its
/// way to the end of the program that may be outside of the model.
fn is_needed(cfa: &Cfa, reach: &Reach, edge: EdgeId) -> bool {
    let known = &cfa.edges[edge];
    if !reach.matters(known.source) {
        return false;
    }
    if let Some(end) = known.ops.iter().position(is_end) {
        let is_plain = |op: &Op| {
            matches!(
                op,
                Op::Assume(_)
                    | Op::Check { .. }
                    | Op::Assign { .. }
                    | Op::Havoc { .. }
                    | Op::Size { .. }
                    | Op::Valid { .. }
            )
        };
        return matches!(known.ops[end], Op::Unsupported(_))
            || !known.ops[..end].iter().all(is_plain);
    }
    match known.callee() {
        Some(callee) => reach.matters(cfa.functions[callee].entry),
        None => reach.matters(known.target),
    }
}

/// An operation of an edge.
type At = (EdgeId, usize);

/// Where local variables are read and assigned.
struct Uses<'a> {
    cfa: &'a Cfa,
    reads: IndexVec<Var, Vec<At>>,
    writes: IndexVec<Var, Vec<At>>,
    /// The edges that end at each location.
    incoming: IndexVec<LocId, Vec<EdgeId>>,
    /// The variable for which a location was last found to be between a value and a read.
    live: IndexVec<LocId, Option<Var>>,
    /// How many steps may still be taken.
    left: usize,
}

/// Takes out the assignments to local variables whose value is not read.
fn remove_unread(draft: &mut Draft<'_>) {
    let program = draft.original;
    let cfa = &program.cfa;
    let mut uses = Uses::of(program, draft);
    let mut dropped: BTreeSet<At> = BTreeSet::new();
    for var in cfa.variables.ids() {
        let droppable: Vec<At> = uses.writes[var]
            .iter()
            .copied()
            .filter(|(edge, op)| is_droppable(program, &cfa.edges[*edge].ops[*op]))
            .collect();
        // A variable that is assigned once and read somewhere is hardly ever assigned in vain.
        let is_read = !uses.reads[var].is_empty() || is_result(cfa, var);
        if droppable.is_empty() || (uses.writes[var].len() == 1 && is_read) {
            continue;
        }
        let Some((needed, places)) = uses.needed(var) else { break };
        let unread: Vec<At> = droppable.into_iter().filter(|at| !needed.contains(at)).collect();
        if unread.is_empty() {
            continue;
        }
        dropped.extend(unread);
        if places.is_empty() {
            draft.same[var] = false;
        } else {
            draft.partial.insert(var, places);
        }
    }
    for (edge, op) in dropped {
        if let Some(revised) = &mut draft.edges[edge] {
            // Numbers are those of the original, whatever has been taken out before.
            revised.ops.retain(|(_, number)| number.is_none_or(|number| number as usize != op));
        }
    }
}

/// Whether an operation does nothing but assign a variable.
fn is_droppable(program: &Program, op: &Op) -> bool {
    match op {
        Op::Assign { .. } | Op::Havoc { .. } | Op::Size { .. } | Op::Valid { .. } => true,
        Op::Load { var, address } => {
            let length = cfa::stored_bytes(program.terms.var_sort(*var));
            length.is_some_and(|length| is_inside(program, *address, length))
        }
        _ => false,
    }
}

fn is_result(cfa: &Cfa, var: Var) -> bool {
    match cfa.variables[var].scope {
        Scope::Local(function) => cfa.functions[function].results.contains(&var),
        Scope::Global | Scope::Address(_) => false,
    }
}

impl<'a> Uses<'a> {
    fn of(program: &'a Program, draft: &Draft<'_>) -> Self {
        let cfa = &program.cfa;
        let mut reads = Reads::default();
        let mut uses = Self {
            cfa,
            reads: IndexVec::filled(Vec::new(), cfa.variables.len()),
            writes: IndexVec::filled(Vec::new(), cfa.variables.len()),
            incoming: IndexVec::filled(Vec::new(), cfa.locations.len()),
            live: IndexVec::filled(None, cfa.locations.len()),
            left: MOST_STEPS * (cfa.edges.len() + 1),
        };
        let is_local = |var: Var| {
            cfa.variables.get(var).is_some_and(|known| matches!(known.scope, Scope::Local(_)))
        };
        for (id, edge) in cfa.edges.entries().filter(|(id, _)| draft.edges[*id].is_some()) {
            uses.incoming[edge.target].push(id);
            for (number, op) in edge.ops.iter().enumerate() {
                for term in op.terms() {
                    for var in reads.of(&program.terms, term).iter().filter(|var| is_local(**var)) {
                        if uses.reads[*var].last() != Some(&(id, number)) {
                            uses.reads[*var].push((id, number));
                        }
                    }
                }
                for var in op.assigned().iter().filter(|var| is_local(**var)) {
                    uses.writes[*var].push((id, number));
                }
            }
        }
        uses
    }

    /// The operations that assign a variable a value which is read, and the locations, in order,
    /// at which it has such a value. `None` if that takes too long to find.
    fn needed(&mut self, var: Var) -> Option<(BTreeSet<At>, Vec<LocId>)> {
        let (mut needed, mut places) = (BTreeSet::new(), Vec::new());
        let mut waiting: Vec<LocId> = Vec::new();
        for at in std::mem::take(&mut self.reads[var]) {
            self.before(var, at, &mut needed, &mut waiting);
        }
        if is_result(self.cfa, var)
            && let Scope::Local(function) = self.cfa.variables[var].scope
        {
            waiting.push(self.cfa.functions[function].exit);
        }
        while let Some(at) = waiting.pop() {
            if self.live[at] == Some(var) {
                continue;
            }
            self.live[at] = Some(var);
            places.push(at);
            for edge in std::mem::take(&mut self.incoming[at]) {
                self.left = self.left.checked_sub(1)?;
                let end = self.cfa.edges[edge].ops.len();
                self.before(var, (edge, end), &mut needed, &mut waiting);
                self.incoming[at].push(edge);
            }
        }
        places.sort_unstable();
        Some((needed, places))
    }

    /// Goes back from a point of an edge to the operation that assigns the variable, or to the
    /// source of the edge.
    fn before(
        &self,
        var: Var,
        (edge, end): At,
        needed: &mut BTreeSet<At>,
        waiting: &mut Vec<LocId>,
    ) {
        let known = &self.cfa.edges[edge];
        let assigns = |op: &Op| op.assigned().contains(&var);
        match known.ops[..end].iter().rposition(assigns) {
            Some(op) => {
                needed.insert((edge, op));
            }
            None => waiting.push(known.source),
        }
    }
}
