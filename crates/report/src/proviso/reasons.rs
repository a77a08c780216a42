//! Why checks are open, each for itself.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{EdgeId, LocId, Loops, Program};
use verify::{Unknown, Verdict};

use super::build::{Material, line, short};
use super::influence::approximated;

/// What stands in the way of checks that are open.
pub(super) struct Reasons<'m> {
    material: &'m Material<'m>,
    loops: Loops,
    /// The locations that executions may get to from places that matter: programs have many checks, and
    /// few places where something was left out.
    reached: RefCell<BTreeMap<LocId, IndexVec<LocId, bool>>>,
    recursive: bool,
    /// What stands in the way, with its place.
    blockers: Vec<String>,
    /// The edge of each of them, where it has one.
    places: Vec<Option<EdgeId>>,
    /// So many of them, the first ones, were met by the run. The others are in the program.
    met: usize,
}

/// Of programs with more loops all loops count as leading to a check.
const MOST_LOOPS: usize = 64;

/// What is said where nothing better is known.
const LEFT_OUT: &str = "executions that were not explored";

impl<'m> Reasons<'m> {
    pub(super) fn of(material: &'m Material<'m>) -> Self {
        let cfa = &material.program.cfa;
        let mut found = obstacles(material);
        let met = found.len();
        if let Verdict::Unknown(why) = &material.outcome.verdict {
            // A run that was stopped may have had no use for what stands in memory.
            let stopped = [Unknown::TimeLimit, Unknown::MemoryLimit, Unknown::Interrupted];
            found.extend(approximated(material.program, !stopped.contains(why)));
        }
        let mut reasons = Self {
            material,
            loops: Loops::of(cfa),
            reached: RefCell::default(),
            recursive: cfa::Calls::of(cfa).any_recursive(),
            blockers: Vec::new(),
            places: Vec::new(),
            met: 0,
        };
        for (number, (text, edge)) in found.into_iter().enumerate() {
            if !reasons.blockers.contains(&text) {
                reasons.blockers.push(text);
                reasons.places.push(edge);
            }
            if number < met {
                reasons.met = reasons.blockers.len();
            }
        }
        reasons
    }

    pub(super) fn program(&self) -> &'m Program {
        self.material.program
    }

    /// What stands in the way, with its place.
    pub(super) fn blockers(&self) -> &[String] {
        &self.blockers
    }

    /// Why a check is open: what was left out that may lead to it.
    pub(super) fn of_check(&self, check: &partial::Check) -> String {
        let program = self.program();
        let Some(execution) = self.material.execution else { return String::new() };
        if execution.nothing {
            return "nothing was analysed".to_owned();
        }
        let here = check.location(program);
        let leads = |trace: &&partial::Trace| self.leads(trace.location, here);
        let frontier: Vec<&partial::Trace> = execution.frontier.iter().filter(leads).collect();
        let is_undecided = |trace: &&partial::Trace| trace.kind == partial::Kind::Undecided;
        if !frontier.is_empty() && frontier.iter().all(is_undecided) {
            return "whether it can fail could not be decided".to_owned();
        }
        let all = if frontier.is_empty() { self.blockers.len() } else { self.met };
        if let Some(blocker) = self.blocker(here, all) {
            return blocker.clone();
        }
        let inner = |trace: &&partial::Trace| {
            Some(self.loops.loops[self.loops.innermost(trace.location)?].head)
        };
        let mut ends: Vec<LocId> = frontier.iter().filter_map(inner).collect();
        if !ends.is_empty() && ends.len() < frontier.len() {
            // Other things than rounds were left out, too.
            return LEFT_OUT.to_owned();
        }
        let rounds = self.material.outcome.bound.as_ref().and_then(|bound| bound.rounds);
        if ends.is_empty() && rounds.is_some() {
            let heads = self.loops.loops.iter().map(|known| known.head);
            let is_many = self.loops.loops.len() > MOST_LOOPS;
            ends = heads.filter(|head| is_many || self.leads(*head, here)).collect();
        }
        let heads: BTreeSet<u32> =
            ends.into_iter().filter_map(|head| line(program, head)).collect();
        match heads.iter().next() {
            Some(head) if heads.len() == 1 => format!("later rounds of the loop at line {head}"),
            Some(_) => {
                let lines: Vec<String> = heads.iter().take(4).map(u32::to_string).collect();
                format!("later rounds of the loops at lines {}", lines.join(", "))
            }
            None if rounds.is_some() && self.recursive => "deeper recursion".to_owned(),
            None => LEFT_OUT.to_owned(),
        }
    }

    /// Whether executions may get from one location to another.
    fn leads(&self, from: LocId, to: LocId) -> bool {
        let mut known = self.reached.borrow_mut();
        let reached = known.entry(from);
        reached.or_insert_with(|| partial::reachable(self.program(), from))[to]
    }

    /// The first of so many things that stands in the way of a check at a location. What is not modelled stands in the
    /// way of what may follow it, and of what only it leads to: nothing leads past it.
    fn blocker(&self, here: LocId, most: usize) -> Option<&String> {
        let cfa = &self.program().cfa;
        let start = cfa.start.map(|start| cfa.functions[start].entry);
        let is_cut_off = !start.is_some_and(|start| self.leads(start, here));
        let is_before = |edge: EdgeId| self.leads(cfa.edges[edge].source, here);
        let stands = |place: &Option<EdgeId>| is_cut_off || place.is_none_or(is_before);
        self.blockers.get(self.places.iter().take(most).position(stands)?)
    }
}

/// What the stages met that they could not do.
fn obstacles(material: &Material<'_>) -> Vec<(String, Option<EdgeId>)> {
    let program = material.program;
    let stages = material.outcome.stages.iter();
    // What an arbitrary round does is for others to find out: they know the rounds before.
    let counts = |name: &str| name != "k-induction" || material.analysis == "k-induction";
    let stages = stages.filter(|stage| counts(stage.name));
    let reasons = stages.filter_map(|stage| stage.unknown.as_ref());
    let reasons = reasons.chain(match &material.outcome.verdict {
        Verdict::Unknown(why) => Some(why),
        _ => None,
    });
    let obstacle = |reason: &Unknown| match reason {
        Unknown::Unsupported { reason, edge } => {
            let span = edge.and_then(|edge| program.cfa.edges[edge].span);
            let at = span.map(|span| format!(" at {}", short(program, span)));
            Some((format!("{reason}{} is not modelled", at.unwrap_or_default()), *edge))
        }
        Unknown::NotReplayed(why) => {
            let what = "an execution that would violate the property does not replay";
            Some((format!("{what}: {why}"), None))
        }
        Unknown::Solver(why) => Some((format!("the solver gave no answer: {why}"), None)),
        _ => None,
    };
    reasons.filter_map(obstacle).collect()
}
