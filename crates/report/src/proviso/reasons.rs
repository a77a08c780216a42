//! Why checks are open, each for itself.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use base::{IndexVec, Span};
use cfa::{EdgeId, LocId, Loops, Program};
use verify::{Unknown, Verdict};

use super::build::{Material, is_library, line, short};
use super::influence::{approximated, without_body};

/// What stands in the way of checks that are open.
pub(super) struct Reasons<'m> {
    material: &'m Material<'m>,
    loops: Loops,
    /// The locations that executions may get to from places that matter: programs have many checks, and
    /// few places where something was left out.
    reached: RefCell<BTreeMap<LocId, IndexVec<LocId, bool>>>,
    recursive: bool,
    /// For each frontier trace, the head of the loop that it ends in, if it has completed a round of that.
    later: Vec<Option<LocId>>,
    /// What stands in the way, with its place.
    blockers: Vec<String>,
    /// The edge of each of them, where it has one.
    places: Vec<Option<EdgeId>>,
    /// So many of them, the first ones, were met by the run. The others are in the program.
    met: usize,
}

/// Of programs with more loops all loops count as leading to a check.
const MOST_LOOPS: usize = 64;

/// What is said of all checks if nothing was analysed.
pub const NOTHING_ANALYSED: &str = "nothing was analysed";

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
            found.extend(without_body(material.program));
        }
        let loops = Loops::of(cfa);
        let mut reasons = Self {
            material,
            later: later_rounds(material, &loops),
            loops,
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

    /// The first thing that is not modelled and stands in the way, and its edge.
    pub(super) fn obstacle(&self) -> Option<(&str, Option<EdgeId>)> {
        let mut all = self.blockers.iter().zip(&self.places);
        let is_model = |(text, edge): &(&String, &Option<EdgeId>)| {
            edge.is_some() || text.starts_with(NOT_MODELLED)
        };
        all.find(is_model).map(|(text, edge)| (&**text, *edge))
    }

    /// Why a check is open that the model does not have, since something before it is not modelled.
    pub(super) fn of_cut_off(&self) -> String {
        let known = self.obstacle().map(|(text, _)| text.to_owned());
        known.unwrap_or_else(|| "behind something that is not modelled".to_owned())
    }

    /// Why a check is open: what was left out that may lead to it.
    pub(super) fn of_check(&self, check: &partial::Check) -> String {
        let program = self.program();
        let Some(execution) = self.material.execution else { return String::new() };
        if execution.nothing {
            return NOTHING_ANALYSED.to_owned();
        }
        let here = check.location(program);
        let traces = execution.frontier.iter().zip(&self.later);
        let traces = traces.filter(|(trace, _)| self.leads(trace.location, here));
        let (frontier, later): (Vec<&partial::Trace>, Vec<Option<LocId>>) = traces.unzip();
        let is_undecided = |trace: &&partial::Trace| trace.kind == partial::Kind::Undecided;
        if !frontier.is_empty() && frontier.iter().all(is_undecided) {
            return "whether it can fail could not be decided".to_owned();
        }
        let all = if frontier.is_empty() { self.blockers.len() } else { self.met };
        if let Some(blocker) = self.blocker(here, all) {
            return blocker.clone();
        }
        let is_here =
            |trace: &&partial::Trace| is_undecided(trace) && self.is_next(trace.location, here);
        if frontier.iter().any(is_here) {
            return "whether it can fail could not be decided".to_owned();
        }
        let mut ends: Vec<LocId> = later.into_iter().flatten().collect();
        let rounds = self.material.outcome.bound.as_ref().and_then(|bound| bound.rounds);
        let is_recursion = ends.is_empty() && rounds.is_some() && self.recursive;
        if ends.len() < frontier.len() && !is_recursion {
            // Other things than later rounds were left out, too.
            return LEFT_OUT.to_owned();
        }
        if ends.is_empty() && rounds.is_some() {
            let heads = self.loops.loops.iter().map(|known| known.head);
            let is_many = self.loops.loops.len() > MOST_LOOPS;
            ends = heads.filter(|head| is_many || self.leads(*head, here)).collect();
        }
        let is_library = ends.iter().any(|head| is_library(program, *head));
        let heads: BTreeSet<u32> =
            ends.into_iter().filter_map(|head| line(program, head)).collect();
        match heads.iter().next() {
            Some(head) if heads.len() == 1 => format!("later rounds of the loop at line {head}"),
            Some(_) => {
                let lines: Vec<String> = heads.iter().take(4).map(u32::to_string).collect();
                format!("later rounds of the loops at lines {}", lines.join(", "))
            }
            None if is_library => "later rounds of a loop inside of a library function".to_owned(),
            None if rounds.is_some() && self.recursive => "deeper recursion".to_owned(),
            None => LEFT_OUT.to_owned(),
        }
    }

    /// Whether one decision at a location leads to another one, past steps that decide nothing.
    fn is_next(&self, from: LocId, to: LocId) -> bool {
        let cfa = &self.program().cfa;
        let mut seen = BTreeSet::new();
        cfa.locations[from].edges.iter().any(|edge| {
            let mut at = cfa.edges[*edge].target;
            while at != to && seen.insert(at) {
                let [only] = cfa.locations[at].edges[..] else { return false };
                at = cfa.edges[only].target;
            }
            at == to
        })
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

/// For each frontier trace, the head of the loop that it ends in, if it has completed a round of that.
fn later_rounds(material: &Material<'_>, loops: &Loops) -> Vec<Option<LocId>> {
    let traces = material.execution.map_or(&[][..], |found| &found.frontier);
    let entered = partial::last_rounds(material.program, traces);
    let later = |(trace, entered): (&partial::Trace, u32)| {
        let head = loops.loops[loops.innermost(trace.location)?].head;
        (entered > 1 || entered == 1 && trace.location == head).then_some(head)
    };
    traces.iter().zip(entered).map(later).collect()
}

/// What words about something begin with that is not modelled.
const NOT_MODELLED: &str = "not modelled";

/// That something is not modelled, with its place.
pub(super) fn not_modelled(program: &Program, what: &str, span: Option<Span>) -> String {
    let at = span.map(|span| format!(" at {}", short(program, span)));
    format!("{NOT_MODELLED}{}: {what}", at.unwrap_or_default())
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
            Some((not_modelled(program, reason, span), *edge))
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
