//! Objects that a program makes many of, represented by one of them: a program in which "for all nodes of a list" is a
//! question about scalars.
//!
//! One object is followed, any of those that some operations make. Its address is arbitrary from the start and never
//! changes, and its parts are variables. A store at that address changes these variables while the object is there, a
//! load at that address reads these variables while the object is there, and every other load reads anything. Objects
//! of which there is only one are followed too. The rewritten program does not use memory.
//!
//! Every execution of the original has a counterpart for each object that may be followed, in which variables hold the
//! same values. An error counts only if the load on which it depends was of the object that is followed. If an
//! execution reaches an error, its counterpart with the right object does, so a proof for the rewritten program is one
//! for the original.
//!
//! The pass understands a program only if it is known for each access which bytes of which objects it may touch, if all
//! these bytes are inside of objects of constant sizes, and if nothing is copied as a whole. An analysis of addresses
//! finds out which bytes an access touches. The analysis assumes that no address is used which was loaded from memory
//! that nobody has set; the rewritten program has an error where such an address is loaded from the object that is
//! followed. If an execution uses such an address, there is a first use: up to there the analysis is right, so the
//! counterpart that follows the object of the first use has the error.

mod again;
mod guards;
mod hints;
mod rewrite;
mod targets;

use std::collections::BTreeSet;

use cfa::{ObjectSite, Op, Program};
use run::Hints;

use crate::Rewritten;
use crate::arrays::is_made_once;
use rewrite::{Plan, Rewriter};
use targets::{Target, Targets, sites};

/// A program with variables for some of its objects, and without memory.
pub struct Nodes {
    /// The program.
    pub rewritten: Rewritten,
    /// What may hold at heads of loops: simple guesses, and others that are added where these are not enough.
    pub hints: [Hints; 3],
}

/// The program with variables for one of many objects. `None` if it has calls, no loads before errors of objects
/// of which there are many, or something that accesses memory in a way that is not understood.
#[must_use]
pub fn nodes(program: &Program) -> Option<Nodes> {
    let cfa = &program.cfa;
    let entry = cfa.functions[cfa.start?].entry;
    if cfa.shadow != 0
        || program.terms.var_count() != cfa.variables.len()
        || cfa.edges.iter().any(|edge| edge.target == entry)
    {
        return None;
    }
    let targets = Targets::of(program)?;
    let mut accessed: BTreeSet<ObjectSite> = BTreeSet::new();
    let mut group: BTreeSet<ObjectSite> = BTreeSet::new();
    for (edge, known) in cfa.edges.entries() {
        for (number, op) in (0..).zip(&known.ops) {
            let (Op::Load { address, .. } | Op::Store { address, .. }) = op else { continue };
            let set = targets.of_term(*address);
            accessed.extend(sites(&set));
            if targets.checked.contains(&(edge, number)) {
                let is_unclear = |target: &Target| matches!(target, Target::In(_));
                if set.iter().any(is_unclear) {
                    return None;
                }
                group.extend(sites(&set));
            }
        }
    }
    let is_single = |site: &ObjectSite| is_made_once(cfa, *site);
    let single: BTreeSet<ObjectSite> = accessed.into_iter().filter(is_single).collect();
    let guards = guards::guards(program, &targets, &single);
    for (edge, number) in guards.values() {
        if let Op::Load { address, .. } = &cfa.edges[*edge].ops[*number as usize] {
            group.extend(sites(&targets.of_term(*address)));
        }
    }
    if group.iter().all(is_single) {
        return None;
    }
    let plan = Plan { targets: &targets, group, single, guards };
    let (rewritten, hints) = Rewriter::new(program, &plan).finish();
    Some(Nodes { rewritten, hints })
}
