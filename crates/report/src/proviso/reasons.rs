//! Why checks are open, each for itself.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{EdgeId, FuncId, LocId, Loops, Op, Program};
use verify::{Unknown, Verdict};

use super::influence::{NOT_MODELLED, approximated, not_modelled, without_body};
use super::material::Material;
use super::repeated::{Repeated, bounded};

/// Why checks are open: what stands in their way.
pub(super) struct Reasons<'m> {
    material: &'m Material<'m>,
    loops: Loops,
    /// For places that matter, the locations that executions may reach from there. They are kept, since programs have
    /// many checks, and few places where something was left out.
    reached: RefCell<BTreeMap<LocId, IndexVec<LocId, bool>>>,
    /// The heads of the loops whose rounds a bound limits.
    bounded: BTreeSet<LocId>,
    /// The functions that call themselves.
    recursive: Vec<FuncId>,
    /// What each frontier trace does again when it ends.
    later: Vec<Later>,
    /// What stands in the way, with its place.
    blockers: Vec<String>,
    /// The edge of each of these things, if it has an edge.
    places: Vec<Option<EdgeId>>,
    /// How many of these things, from the first one on, the run has met. The other things are in the program, and the
    /// run may not have met them.
    met: usize,
}

/// Of programs with more loops all loops count as leading to a check.
const MOST_LOOPS: usize = 64;

/// Why a check is open if everything else was proved.
const ENDLESS: &str = "executions that never end may lose memory, too";

/// What is said of all checks if nothing was analysed.
pub const NOTHING_ANALYSED: &str = "nothing was analysed";

/// The reason of a check if no better reason is known.
const LEFT_OUT: &str = "executions that were not explored";

impl<'m> Reasons<'m> {
    pub(super) fn of(material: &'m Material<'m>) -> Self {
        let cfa = &material.program.cfa;
        let mut found = obstacles(material);
        let met = found.len();
        if let Verdict::Unknown(why) = &material.outcome.verdict {
            // A run that was stopped may not have needed the values in memory that such functions fill.
            let stopped = [Unknown::TimeLimit, Unknown::MemoryLimit, Unknown::Interrupted];
            found.extend(approximated(material.program, !stopped.contains(why)));
            found.extend(without_body(material.program));
        }
        let loops = Loops::of(cfa);
        let calls = cfa::Calls::of(cfa);
        let mut reasons = Self {
            material,
            later: later_rounds(material, &loops),
            loops,
            bounded: bounded(material),
            reached: RefCell::default(),
            recursive: cfa.functions.ids().filter(|id| calls.recursive(*id)).collect(),
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
        if self.material.outcome.is_proved_in_part {
            return ENDLESS.to_owned();
        }
        let Some(execution) = self.material.execution else { return String::new() };
        if execution.nothing {
            return NOTHING_ANALYSED.to_owned();
        }
        let here = check.location(program);
        let traces = execution.frontier.iter().zip(&self.later);
        let traces = traces.filter(|(trace, _)| self.leads(trace.location, here));
        let (frontier, later): (Vec<&partial::Trace>, Vec<Later>) = traces.unzip();
        let is_undecided = |trace: &&partial::Trace| trace.kind == partial::TargetKind::Undecided;
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
        if later.contains(&Later::Other) {
            // Not only later rounds were left out.
            return LEFT_OUT.to_owned();
        }
        let left_out = match frontier.is_empty() {
            true => self.unrolled(here),
            false => {
                let heads = later.iter().filter_map(|later| match later {
                    Later::Round(head) => Some(*head),
                    _ => None,
                });
                let repeated = Repeated::with(program, heads);
                let is_deeper = later.contains(&Later::Deeper);
                if is_deeper { repeated.and_recursion() } else { repeated }
            }
        };
        left_out.later().unwrap_or_else(|| LEFT_OUT.to_owned())
    }

    /// What an unrolling may have left out that leads to a location, if there was one.
    fn unrolled(&self, here: LocId) -> Repeated {
        let program = self.program();
        let rounds = self.material.outcome.bound.as_ref().and_then(|bound| bound.rounds);
        if rounds.is_none() {
            return Repeated::default();
        }
        let heads = self.bounded.iter().copied();
        let is_many = self.loops.loops.len() > MOST_LOOPS;
        let heads = heads.filter(|head| is_many || self.leads(*head, here));
        let repeated = Repeated::with(program, heads);
        let entries = self.recursive.iter().map(|function| program.cfa.functions[*function].entry);
        let is_deeper = entries.take(MOST_LOOPS).any(|entry| self.leads(entry, here));
        if is_deeper { repeated.and_recursion() } else { repeated }
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

    /// The first of `most` blockers that stands in the way of a check at a location. Something that is not modelled
    /// stands in the way of checks that may follow it, and of checks that nothing else leads to.
    fn blocker(&self, here: LocId, most: usize) -> Option<&String> {
        let cfa = &self.program().cfa;
        let start = cfa.start.map(|start| cfa.functions[start].entry);
        let is_cut_off = !start.is_some_and(|start| self.leads(start, here));
        // If executions get past something that is not modelled, they go on in the same function.
        let gets_past = |edge: EdgeId| {
            let function = cfa.locations[cfa.edges[edge].source].function;
            let behind = cfa.behind_cuts.iter();
            let mut own = behind.filter(|at| cfa.locations[**at].function == function);
            is_unsupported(&cfa.edges[edge]) && own.any(|at| self.leads(*at, here))
        };
        let is_before = |edge: EdgeId| self.leads(cfa.edges[edge].source, here) || gets_past(edge);
        let stands = |place: &Option<EdgeId>| is_cut_off || place.is_none_or(is_before);
        self.blockers.get(self.places.iter().take(most).position(stands)?)
    }
}

/// What a frontier trace does again when it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Later {
    /// Another round of the loop with this head.
    Round(LocId),
    /// A function that is active already is called again.
    Deeper,
    /// The execution neither begins another round nor calls an active function again.
    Other,
}

/// What each frontier trace does again when it ends.
fn later_rounds(material: &Material<'_>, loops: &Loops) -> Vec<Later> {
    let program = material.program;
    let traces = material.execution.map_or(&[][..], |found| &found.frontier);
    let entered = partial::last_rounds(program, traces);
    let later = |(trace, entered): (&partial::Trace, u32)| {
        let head = loops.innermost(trace.location).map(|known| loops.loops[known].head);
        match head {
            Some(head) if entered > 1 || entered == 1 && trace.location == head => {
                Later::Round(head)
            }
            _ if partial::is_recursion(program, trace) => Later::Deeper,
            _ => Later::Other,
        }
    };
    traces.iter().zip(entered).map(later).collect()
}

/// Whether an edge has something that is not modelled in any state.
fn is_unsupported(edge: &cfa::Edge) -> bool {
    edge.ops.iter().any(|op| matches!(op, Op::Unsupported(_)))
}

/// What the stages met that they could not do.
fn obstacles(material: &Material<'_>) -> Vec<(String, Option<EdgeId>)> {
    let program = material.program;
    let stages = material.outcome.stages.iter();
    // Induction begins with an arbitrary round, which may do what no execution does. So its reasons do not count,
    // unless it is the only analysis: other stages know the rounds before.
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
