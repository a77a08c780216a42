//! The reachability algorithm. Beyer & Löwe 2012, Alg. 1.

use cfa::{Cfa, Reach};

use run::{Event, NodeId, Observer, Place, Status, Step};

use crate::arg::Arg;
use crate::cpa::{Context, Cpa, Successors};
use crate::waitlist::{Traversal, Waitlist};

/// The program that is explored, the order of its exploration, and what may end it.
pub struct Plan<'a, H> {
    /// The program.
    pub cfa: &'a Cfa,
    /// Which locations matter.
    pub reach: &'a Reach,
    /// The order in which nodes are expanded.
    pub traversal: Traversal,
    /// Asked again and again: why the run must end now, if it must.
    pub halt: &'a dyn Fn() -> Option<H>,
}

/// How an exploration ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explored {
    /// No node is open.
    Fixpoint,
    /// There are targets in the graph that no refiner has looked at.
    Targets,
}

/// How many nodes are expanded from one look at the limits to the next.
const PERIOD: u32 = 64;

/// Puts the root into an empty graph.
pub(crate) fn start<C: Cpa>(
    cpa: &mut C,
    plan: &Plan<'_, C::Halt>,
    arg: &mut Arg<C>,
    waitlist: &mut Waitlist,
    observer: &dyn Observer,
) -> Result<(), C::Halt> {
    let Some(function) = plan.cfa.start else { return Ok(()) };
    let location = plan.cfa.functions[function].entry;
    let stack = arg.places.stacks.empty();
    let state = cpa.initial(Context { location, stack, stacks: &arg.places.stacks })?;
    let place = arg.places.id(Place { location, stack });
    if plan.cfa.locations[location].error {
        let root = arg.add_target(place, state, None, None);
        observer.on(Event::Added(root));
        observer.on(Event::Target(root));
        return Ok(());
    }
    let root = arg.add(place, state, None, Status::Open);
    observer.on(Event::Added(root));
    arg.enlist(cpa, root);
    waitlist.push(root, location, 0);
    Ok(())
}

/// Expands open nodes until there are none, or targets are reached. Then all successors of the node before the targets
/// are in the graph, so that the exploration can go on.
///
/// # Errors
/// If an operator gives up or the run must end. The graph is whole all the same: a node whose
/// successors are not all there is open.
pub fn explore<C: Cpa>(
    cpa: &mut C,
    plan: &Plan<'_, C::Halt>,
    arg: &mut Arg<C>,
    waitlist: &mut Waitlist,
    observer: &dyn Observer,
) -> Result<Explored, C::Halt> {
    let mut steps = Vec::new();
    let mut found = Successors::new();
    let mut expanded: u32 = 0;
    while let Some(node) = waitlist.pop() {
        if arg.node(node).status != Status::Open {
            continue;
        }
        if expanded.is_multiple_of(PERIOD)
            && let Some(halt) = (plan.halt)()
        {
            open(cpa, arg, waitlist, node, false);
            return Err(halt);
        }
        // A graph in which nothing is expanded tells observers nothing.
        if arg.node(node).parent.is_some() && observer.wants_graph() {
            observer.graph(arg.to_graph());
        }
        expanded = expanded.wrapping_add(1);
        steps.clear();
        let from = arg.place(node);
        arg.places.steps(plan.cfa, from, &mut steps);
        let state = arg.node(node).state.clone();
        arg.set_status(node, Status::Expanded);
        for (step, to) in steps.drain(..) {
            // A merge may have made this node open again, or cut it off.
            if arg.node(node).status != Status::Expanded {
                break;
            }
            if !plan.reach.is_followed(to.location) {
                continue;
            }
            let context =
                Context { location: to.location, stack: to.stack, stacks: &arg.places.stacks };
            let posted = cpa.post(context, &state, step, &mut found);
            if let Err(halt) = posted {
                reopen(cpa, arg, waitlist, observer, node);
                return Err(halt);
            }
            for (state, what) in found.unsupported.drain(..) {
                let place = arg.places.id(to);
                let new = arg.add_target(place, state, Some((node, step)), Some(what));
                observer.on(Event::Added(new));
            }
            for state in found.states.drain(..) {
                if arg.node(node).status != Status::Expanded {
                    break;
                }
                let added = add(cpa, plan, arg, waitlist, observer, (node, step), to, state);
                if let Err(halt) = added {
                    reopen(cpa, arg, waitlist, observer, node);
                    return Err(halt);
                }
            }
        }
        // If the node is not expanded any more, a merge has thrown away what was found here.
        if arg.node(node).status == Status::Expanded {
            observer.on(Event::Expanded(node));
        }
        if !arg.found.is_empty() {
            let is_new = |id: NodeId| arg.node(id).parent.is_some_and(|(above, _)| above == node);
            let new = arg.found.iter().map(|target| target.node).filter(|id| is_new(*id));
            new.for_each(|id| observer.on(Event::Target(id)));
            return Ok(Explored::Targets);
        }
    }
    Ok(Explored::Fixpoint)
}

/// Takes back an expansion that was not finished.
fn reopen<C: Cpa>(
    cpa: &mut C,
    arg: &mut Arg<C>,
    waitlist: &mut Waitlist,
    observer: &dyn Observer,
    node: NodeId,
) {
    let mut orphans = Vec::new();
    arg.cut(cpa, node, true, &mut orphans, observer);
    for orphan in orphans.into_iter().chain([node]) {
        let fresh = orphan != node;
        open(cpa, arg, waitlist, orphan, fresh);
    }
}

/// Makes a node open. With `enlist`, the node is entered among those that may cover others: a node that was covered
/// before, or a new node, is not among them yet.
pub(crate) fn open<C: Cpa>(
    cpa: &mut C,
    arg: &mut Arg<C>,
    waitlist: &mut Waitlist,
    node: NodeId,
    enlist: bool,
) {
    arg.set_status(node, Status::Open);
    if enlist {
        arg.enlist(cpa, node);
    }
    let place = arg.place(node);
    waitlist.push(node, place.location, arg.places.stacks.depth(place.stack));
}

/// Adds a successor: merged, covered, open, or a target.
#[expect(clippy::too_many_arguments, reason = "the state of the algorithm, and what is added")]
fn add<C: Cpa>(
    cpa: &mut C,
    plan: &Plan<'_, C::Halt>,
    arg: &mut Arg<C>,
    waitlist: &mut Waitlist,
    observer: &dyn Observer,
    parent: (NodeId, Step),
    to: Place,
    state: C::State,
) -> Result<(), C::Halt> {
    let place = arg.places.id(to);
    if plan.cfa.locations[to.location].error {
        let new = arg.add_target(place, state, Some(parent), None);
        observer.on(Event::Added(new));
        return Ok(());
    }
    if let Some((old, merged)) = cpa.merge(arg.bucket(place), &state)?
        && merged != arg.node(old).state
    {
        let mut orphans = Vec::new();
        arg.cut(cpa, old, true, &mut orphans, observer);
        arg.replace(cpa, old, merged);
        observer.on(Event::Merged(old));
        open(cpa, arg, waitlist, old, false);
        for orphan in orphans {
            open(cpa, arg, waitlist, orphan, true);
        }
        // The node that is being expanded may be the merged node, or below the merged node.
        if arg.node(parent.0).status != Status::Expanded {
            return Ok(());
        }
    }
    let status = match cpa.stop(arg.bucket(place), &state)? {
        Some(by) => Status::Covered(by),
        None => Status::Open,
    };
    let new = arg.add(place, state, Some(parent), status);
    observer.on(Event::Added(new));
    if let Status::Covered(by) = status {
        observer.on(Event::Covered(new, by));
    } else {
        open(cpa, arg, waitlist, new, true);
    }
    Ok(())
}
