//! Counterexample-guided abstraction refinement. Beyer & Löwe 2012, Alg. 2, with the graph cut
//! where the precision has changed (§III-F).

use rustc_hash::FxHashSet;

use run::{Event, NodeId, Notes, Observer, Status, Unresolved};

use crate::arg::{Arg, Path};
use crate::cpa::Cpa;
use crate::explore::{Explored, Plan, explore, open, start};
use crate::waitlist::{Traversal, Waitlist};

/// How much of the graph a refinement throws away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prune {
    /// What is below the last node on the path whose precision has not changed.
    #[default]
    Lazy,
    /// Everything.
    Full,
}

/// What came of looking closely at a path to a target.
#[derive(Clone, Debug)]
pub enum Refinement<E> {
    /// An execution takes the path.
    Feasible(E),
    /// No execution takes the path, and with the precision as it is now the path is not found again (the precision has
    /// grown, or the path was found before it grew). The nodes on the path up to `keep` stay as they are; no node does
    /// if even the first one changes.
    Spurious {
        /// The index of the last node on the path that stays. The target never does.
        keep: Option<usize>,
    },
    /// It could not be found out whether an execution takes the path, or the domain cannot tell why none does: the path
    /// stays, and the program cannot be called safe.
    Unresolved,
}

/// Looks at paths to targets, and grows the precision of the analysis.
pub trait Refiner<C: Cpa> {
    /// What shows that a violation is real.
    type Evidence;

    /// Whether other paths to a target are worth a look: paths that reach the target through a node which a node on
    /// this path covers. A refiner that finds other paths by itself needs none of them.
    fn wants_detours(&self) -> bool {
        true
    }

    /// The order in which nodes are expanded when the graph is begun anew; `None` if the order of the plan stays.
    fn traversal(&self) -> Option<Traversal> {
        None
    }

    /// What the refiner noted about the path that it looked at last, in words; nothing if nobody asked it to.
    fn notes(&mut self) -> Notes {
        Notes::default()
    }

    /// Called after a refinement has cut off nodes, with the node below which everything was cut off (`None` if the
    /// whole graph was) and the number of nodes that were cut off.
    fn has_cut(&mut self, _below: Option<NodeId>, _removed: usize) {}

    /// Looks at a path.
    ///
    /// # Errors
    /// If an operator gives up.
    fn refine(
        &mut self,
        cpa: &mut C,
        arg: &Arg<C>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, C::Halt>;
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Ended<E, H> {
    /// The graph is closed and has no target in it.
    Safe,
    /// A violation is real.
    Unsafe(E),
    /// The graph is closed; the targets that are in it could not be resolved.
    Unresolved,
    /// The run had to end before the program was decided.
    Halted(H),
}

/// Explores and refines until the program is decided. The graph is whole afterwards, however the
/// run ended.
pub fn cegar<C: Cpa, R: Refiner<C>>(
    cpa: &mut C,
    refiner: &mut R,
    plan: &Plan<'_, C::Halt>,
    prune: Prune,
    observer: &dyn Observer,
) -> (Ended<R::Evidence, C::Halt>, Arg<C>) {
    let mut run = Cegar::new(plan, prune, observer);
    let ended = run.search(cpa, refiner);
    (ended, run.arg)
}

/// A run: the graph, and what is still to be done. A run that was halted can go on.
pub struct Cegar<'a, 'p, C: Cpa> {
    arg: Arg<C>,
    waitlist: Waitlist,
    plan: &'a Plan<'p, C::Halt>,
    prune: Prune,
    observer: &'a dyn Observer,
    /// The detours that were looked at: the covered node and the target.
    tried: FxHashSet<(NodeId, NodeId)>,
}

/// A run that was halted, without its plan: it can go on by another one.
pub struct Paused<C: Cpa> {
    arg: Arg<C>,
    waitlist: Waitlist,
    tried: FxHashSet<(NodeId, NodeId)>,
}

/// How many detours are looked at, at most.
const MOST_DETOURS: usize = 256;

impl<'a, 'p, C: Cpa> Cegar<'a, 'p, C> {
    /// A run that has not begun.
    pub fn new(plan: &'a Plan<'p, C::Halt>, prune: Prune, observer: &'a dyn Observer) -> Self {
        let waitlist = Waitlist::new(plan.cfa, plan.reach, plan.traversal);
        let arg = Arg::default();
        Self { arg, waitlist, plan, prune, observer, tried: FxHashSet::default() }
    }

    /// A run that goes on where another one was halted.
    pub fn resume(
        paused: Paused<C>,
        plan: &'a Plan<'p, C::Halt>,
        prune: Prune,
        observer: &'a dyn Observer,
    ) -> Self {
        let Paused { arg, waitlist, tried } = paused;
        Self { arg, waitlist, plan, prune, observer, tried }
    }

    /// Keeps the run for later.
    #[must_use]
    pub fn pause(self) -> Paused<C> {
        Paused { arg: self.arg, waitlist: self.waitlist, tried: self.tried }
    }

    /// The graph, at the end.
    #[must_use]
    pub fn into_arg(self) -> Arg<C> {
        self.arg
    }

    /// The graph.
    #[must_use]
    pub const fn arg(&self) -> &Arg<C> {
        &self.arg
    }

    /// What is wrong with the run, if anything: the graph breaks its rules, or an open node is not in the waitlist.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        self.arg.check()?;
        let waiting: FxHashSet<NodeId> = self.waitlist.nodes().collect();
        let mut open = self.arg.nodes().filter(|(_, node)| node.status == Status::Open);
        match open.find(|(id, _)| !waiting.contains(id)) {
            Some((id, _)) => Err(format!("{id} is open and does not wait")),
            None => Ok(()),
        }
    }

    /// Explores and refines until the program is decided. After a halt, another call goes on where
    /// the last one ended.
    pub fn search<R: Refiner<C>>(
        &mut self,
        cpa: &mut C,
        refiner: &mut R,
    ) -> Ended<R::Evidence, C::Halt> {
        self.try_search(cpa, refiner).unwrap_or_else(Ended::Halted)
    }

    fn try_search<R: Refiner<C>>(
        &mut self,
        cpa: &mut C,
        refiner: &mut R,
    ) -> Result<Ended<R::Evidence, C::Halt>, C::Halt> {
        loop {
            if self.arg.is_empty() {
                start(cpa, self.plan, &mut self.arg, &mut self.waitlist, self.observer)?;
            }
            let mut detour = None;
            let path = match self.arg.next_target() {
                Some(path) => path,
                None => match self.explore(cpa)? {
                    Explored::Targets => continue,
                    Explored::Fixpoint if self.arg.unresolved.is_empty() => return Ok(Ended::Safe),
                    Explored::Fixpoint if !refiner.wants_detours() => return Ok(Ended::Unresolved),
                    Explored::Fixpoint => match self.detour() {
                        Some((path, by)) => {
                            detour = Some(by);
                            path
                        }
                        None => return Ok(Ended::Unresolved),
                    },
                },
            };
            let refinement = refiner.refine(cpa, &self.arg, &path)?;
            self.tried.extend(detour);
            match refinement {
                Refinement::Feasible(evidence) => return Ok(Ended::Unsafe(evidence)),
                Refinement::Unresolved => self.arg.leave(&path),
                Refinement::Spurious { keep } => {
                    let before = self.arg.len();
                    let (below, cut) = self.cut(cpa, refiner, &path, keep);
                    refiner.has_cut(below, before - self.arg.len());
                    cut?;
                }
            }
        }
    }

    fn explore(&mut self, cpa: &mut C) -> Result<Explored, C::Halt> {
        explore(cpa, self.plan, &mut self.arg, &mut self.waitlist, self.observer)
    }

    /// Another path to a target that could not be resolved. A node on the path that was tried covers
    /// other nodes, and the new path gets to one of these instead. Also gives the covered node and the target.
    fn detour(&self) -> Option<(Path, (NodeId, NodeId))> {
        if self.tried.len() >= MOST_DETOURS {
            return None;
        }
        for Unresolved { node: target, unsupported } in &self.arg.unresolved {
            let way = self.arg.path(*target);
            for (index, by) in way.nodes.iter().enumerate().rev() {
                let fresh = |node: &NodeId| !self.tried.contains(&(*node, *target));
                let Some(node) = self.arg.covered(*by).find(fresh) else { continue };
                let mut path = self.arg.path(node);
                path.nodes.extend(&way.nodes[index + 1..]);
                path.steps.extend(&way.steps[index..]);
                path.places.extend(&way.places[index + 1..]);
                path.unsupported.clone_from(unsupported);
                return Some((path, (node, *target)));
            }
        }
        None
    }

    /// Cuts off what a refinement does not keep. Gives the node below which nodes were cut off; `None` if all were.
    fn cut<R: Refiner<C>>(
        &mut self,
        cpa: &mut C,
        refiner: &R,
        path: &Path,
        keep: Option<usize>,
    ) -> (Option<NodeId>, Result<(), C::Halt>) {
        self.observer.on(Event::Refined);
        // The target is cut off even if the refiner would keep it: a target that is expanded is lost.
        let before = path.nodes.len().checked_sub(2);
        let keep = keep.zip(before).map(|(keep, before)| keep.min(before));
        match keep.filter(|_| self.prune == Prune::Lazy) {
            Some(last) => (Some(path.nodes[last]), self.cut_below(cpa, path.nodes[last])),
            None => {
                self.arg.cut(cpa, path.nodes[0], false, &mut Vec::new(), self.observer);
                let plan = self.plan;
                let traversal = refiner.traversal().unwrap_or(plan.traversal);
                self.waitlist = Waitlist::new(plan.cfa, plan.reach, traversal);
                (None, Ok(()))
            }
        }
    }

    /// Cuts off the nodes below a node. This node is expanded again, and so are nodes that were covered by nodes which
    /// are gone, unless other nodes cover them.
    fn cut_below(&mut self, cpa: &mut C, node: NodeId) -> Result<(), C::Halt> {
        let mut orphans = Vec::new();
        self.arg.cut(cpa, node, true, &mut orphans, self.observer);
        // On a detour the node may be a covered one: from now on it is expanded itself.
        let covered = matches!(self.arg.node(node).status, Status::Covered(_));
        open(cpa, &mut self.arg, &mut self.waitlist, node, covered);
        let mut halted = None;
        for orphan in orphans {
            // Even when the run must end, no node may stay covered by one that is gone.
            let covered = halted.is_none()
                && self.arg.cover_again(cpa, orphan).unwrap_or_else(|halt| {
                    halted = Some(halt);
                    false
                });
            if !covered {
                open(cpa, &mut self.arg, &mut self.waitlist, orphan, true);
            }
        }
        halted.map_or(Ok(()), Err)
    }
}
