//! The abstract reachability graph.

use base::{Id as _, IndexVec};

use run::{
    Event, Graph, NodeId, Observer, Place, PlaceId, Places, Stacks, Status, Step, Unresolved,
};

use crate::cpa::{Context, Cpa};

/// An abstract state at a place, and how it was found.
#[derive(Clone, Debug)]
pub struct Node<S> {
    /// Location and call stack.
    pub place: PlaceId,
    /// What the domain knows of the executions that get there.
    pub state: S,
    /// Whether the node still has to be expanded, and if not, why.
    pub status: Status,
    /// The node and the step that it was found by; none for the root.
    pub parent: Option<(NodeId, Step)>,
    /// The newest child; the others follow by `sibling`.
    child: Option<NodeId>,
    sibling: Option<NodeId>,
    /// The node that was last found to be covered by this one; the others follow by `fellow`.
    /// A node in the list may have been cut off since.
    covers: Option<NodeId>,
    fellow: Option<NodeId>,
}

impl<S> Node<S> {
    /// The node without its state.
    fn bare(&self) -> run::Node {
        run::Node { place: self.place, parent: self.parent, status: self.status }
    }
}

/// The graph: a tree of nodes, in which every covered node points to the node that covers it.
pub struct Arg<C: Cpa> {
    /// The places of the nodes.
    pub places: Places,
    nodes: IndexVec<NodeId, Node<C::State>>,
    buckets: IndexVec<PlaceId, C::Bucket>,
    /// The targets that no refiner has looked at yet, in the order in which they were found. Every
    /// target of the graph is here or in `unresolved`.
    pub(crate) found: Vec<Unresolved>,
    /// The targets that were looked at and stay in the graph.
    pub unresolved: Vec<Unresolved>,
    live: usize,
}

/// A way from the root to a node.
#[derive(Clone, Debug)]
pub struct Path {
    /// The nodes, the root first.
    pub nodes: Vec<NodeId>,
    /// The steps between the nodes, one fewer than there are nodes.
    pub steps: Vec<Step>,
    /// The places of the nodes.
    pub places: Vec<Place>,
    /// What the last step met that is not modelled, if it met anything: then this step was not finished.
    pub unsupported: Option<String>,
}

impl Path {
    /// Where a step of the path leads.
    ///
    /// # Panics
    /// If the path has fewer steps.
    #[must_use]
    pub fn context<'a>(&self, stacks: &'a Stacks, step: usize) -> Context<'a> {
        let place = self.places[step + 1];
        Context { location: place.location, stack: place.stack, stacks }
    }
}

impl<C: Cpa> Default for Arg<C> {
    fn default() -> Self {
        Self {
            places: Places::default(),
            nodes: IndexVec::new(),
            buckets: IndexVec::new(),
            found: Vec::new(),
            unresolved: Vec::new(),
            live: 0,
        }
    }
}

impl<C: Cpa> Arg<C> {
    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node<C::State> {
        &self.nodes[id]
    }

    /// The nodes that have not been cut off.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node<C::State>)> {
        self.nodes.entries().filter(|(_, node)| node.status != Status::Removed)
    }

    /// The nodes that have been cut off, as they were.
    pub fn removed(&self) -> impl Iterator<Item = (NodeId, &Node<C::State>)> {
        self.nodes.entries().filter(|(_, node)| node.status == Status::Removed)
    }

    /// How many nodes have not been cut off.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether no node is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// The place of a node.
    #[must_use]
    pub fn place(&self, id: NodeId) -> Place {
        self.places.get(self.nodes[id].place)
    }

    /// The children of a node, the newest first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.nodes[id].child, |child| self.nodes[*child].sibling)
    }

    /// The nodes that a node covers.
    pub fn covered(&self, by: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.nodes[by].covers, |node| self.nodes[*node].fellow)
            .filter(move |node| self.nodes[*node].status == Status::Covered(by))
    }

    /// The way by which a node was found.
    #[must_use]
    pub fn path(&self, target: NodeId) -> Path {
        let mut path = Path {
            nodes: vec![target],
            steps: Vec::new(),
            places: vec![self.place(target)],
            unsupported: None,
        };
        let mut at = target;
        while let Some((parent, step)) = self.nodes[at].parent {
            path.steps.push(step);
            path.nodes.push(parent);
            path.places.push(self.place(parent));
            at = parent;
        }
        path.nodes.reverse();
        path.steps.reverse();
        path.places.reverse();
        path
    }

    /// The nodes of a place that may cover others.
    pub(crate) fn bucket(&mut self, place: PlaceId) -> &mut C::Bucket {
        while self.buckets.len() <= place.index() {
            self.buckets.push(C::Bucket::default());
        }
        &mut self.buckets[place]
    }

    /// Adds a node, below its parent if it has one.
    pub(crate) fn add(
        &mut self,
        place: PlaceId,
        state: C::State,
        parent: Option<(NodeId, Step)>,
        status: Status,
    ) -> NodeId {
        let sibling = parent.and_then(|(parent, _)| self.nodes[parent].child);
        let node =
            Node { place, state, status, parent, child: None, sibling, covers: None, fellow: None };
        let id = self.nodes.push(node);
        if let Some((parent, _)) = parent {
            self.nodes[parent].child = Some(id);
        }
        if let Status::Covered(by) = status {
            self.link(id, by);
        }
        self.live += 1;
        id
    }

    /// Adds a target, below its parent if it has one, with what is not modelled there.
    pub(crate) fn add_target(
        &mut self,
        place: PlaceId,
        state: C::State,
        parent: Option<(NodeId, Step)>,
        unsupported: Option<String>,
    ) -> NodeId {
        let target = self.add(place, state, parent, Status::Target);
        self.found.push(Unresolved { node: target, unsupported });
        target
    }

    /// The way to the target that is to be looked at next. Violations come before targets at something that is not
    /// modelled.
    pub(crate) fn next_target(&self) -> Option<Path> {
        let violation = self.found.iter().find(|target| target.unsupported.is_none());
        let Unresolved { node: target, unsupported } = violation.or(self.found.first())?;
        Some(Path { unsupported: unsupported.clone(), ..self.path(*target) })
    }

    /// Notes that the target of a path was looked at and stays.
    pub(crate) fn leave(&mut self, path: &Path) {
        let target = path.nodes.last();
        if let Some(index) = self.found.iter().position(|each| Some(&each.node) == target) {
            self.unresolved.push(self.found.remove(index));
        }
    }

    fn link(&mut self, node: NodeId, by: NodeId) {
        self.nodes[node].status = Status::Covered(by);
        self.nodes[node].fellow = self.nodes[by].covers.replace(node);
    }

    pub(crate) fn set_status(&mut self, id: NodeId, status: Status) {
        self.nodes[id].status = status;
    }

    /// Enters a node among those that may cover others.
    pub(crate) fn enlist(&mut self, cpa: &mut C, id: NodeId) {
        let place = self.nodes[id].place;
        self.bucket(place);
        cpa.insert(&mut self.buckets[place], &self.nodes[id].state, id);
    }

    /// Gives a node a state that stands for more executions. The nodes below it must have been cut off.
    pub(crate) fn replace(&mut self, cpa: &mut C, id: NodeId, state: C::State) {
        let place = self.nodes[id].place;
        cpa.remove(&mut self.buckets[place], &self.nodes[id].state, id);
        self.nodes[id].state = state;
        self.nodes[id].status = Status::Open;
        cpa.insert(&mut self.buckets[place], &self.nodes[id].state, id);
    }

    /// Cuts off the nodes below a node, and the node too if it is not to be kept. Adds to `orphans` the nodes that stay
    /// in the graph without a cover, because the node that covered them was cut off.
    pub(crate) fn cut(
        &mut self,
        cpa: &mut C,
        top: NodeId,
        keep: bool,
        orphans: &mut Vec<NodeId>,
        observer: &dyn Observer,
    ) {
        let mut removed = Vec::new();
        let mut todo: Vec<NodeId> = if keep { self.children(top).collect() } else { vec![top] };
        while let Some(id) = todo.pop() {
            todo.extend(self.children(id));
            let place = self.nodes[id].place;
            if matches!(self.nodes[id].status, Status::Open | Status::Expanded) {
                cpa.remove(&mut self.buckets[place], &self.nodes[id].state, id);
            }
            self.nodes[id].status = Status::Removed;
            removed.push(id);
            observer.on(Event::Removed(id));
        }
        self.nodes[top].child = None;
        for id in &removed {
            let mut next = self.nodes[*id].covers.take();
            while let Some(covered) = next {
                next = self.nodes[covered].fellow.take();
                if self.nodes[covered].status == Status::Covered(*id) {
                    orphans.push(covered);
                }
            }
        }
        for targets in [&mut self.found, &mut self.unresolved] {
            targets.retain(|target| self.nodes[target.node].status != Status::Removed);
        }
        orphans.sort_unstable();
        self.live -= removed.len();
    }

    /// Looks for another node to cover a node whose cover is gone. Gives whether a cover was found.
    pub(crate) fn cover_again(&mut self, cpa: &mut C, id: NodeId) -> Result<bool, C::Halt> {
        let place = self.nodes[id].place;
        let by = cpa.stop(&mut self.buckets[place], &self.nodes[id].state)?;
        if let Some(by) = by {
            self.link(id, by);
        }
        Ok(by.is_some())
    }

    /// The graph without the states: what is left when the domain is gone. A target that no refiner
    /// has looked at yet is unresolved, too.
    #[must_use]
    pub fn to_graph(&self) -> Graph {
        Graph {
            nodes: self.nodes.iter().map(Node::bare).collect(),
            places: self.places.clone(),
            unresolved: self.unresolved.iter().chain(&self.found).cloned().collect(),
            ..Graph::default()
        }
    }

    /// The graph without states, in the memory that the graph had: the run may have ended because there is no more
    /// memory.
    #[must_use]
    pub fn into_graph(self) -> Graph {
        let Self { places, nodes, buckets, found, mut unresolved, .. } = self;
        drop(buckets);
        unresolved.extend(found);
        let nodes = nodes.into_iter().map(|node| node.bare()).collect();
        Graph { nodes, places, unresolved, ..Graph::default() }
    }

    /// What breaks the rules of the graph, if anything: the nodes are a tree below one root, every
    /// node that is not open has all its successors, or is covered by a node that is there and not
    /// covered itself, or is a target that is listed.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        let mut roots = 0;
        let mut count = 0;
        for (id, node) in self.nodes() {
            count += 1;
            match node.parent {
                Some((parent, _)) => self.check_parent(id, parent)?,
                None => roots += 1,
            }
            if let Status::Covered(by) = node.status {
                let other = &self.nodes[by];
                if other.place != node.place
                    || !matches!(other.status, Status::Open | Status::Expanded)
                {
                    return Err(format!("{id} is covered by {by}, which cannot cover it"));
                }
                if !self.covered(by).any(|covered| covered == id) {
                    return Err(format!("{by} does not know that it covers {id}"));
                }
            }
            if node.status != Status::Expanded && node.child.is_some() {
                return Err(format!("{id} has children and is not expanded"));
            }
        }
        if roots > 1 || count != self.live {
            return Err(format!("{roots} roots, {count} nodes of {}", self.live));
        }
        self.check_targets()
    }

    fn check_parent(&self, id: NodeId, parent: NodeId) -> Result<(), String> {
        // Parents are older than their children, so there are no cycles.
        if parent >= id || self.nodes[parent].status != Status::Expanded {
            return Err(format!("{id} is below {parent}, which is not expanded"));
        }
        if !self.children(parent).any(|child| child == id) {
            return Err(format!("{parent} does not know its child {id}"));
        }
        Ok(())
    }

    fn check_targets(&self) -> Result<(), String> {
        let mut listed: Vec<NodeId> =
            self.found.iter().chain(&self.unresolved).map(|target| target.node).collect();
        listed.sort_unstable();
        let targets = self.nodes().filter(|(_, node)| node.status == Status::Target);
        if !targets.map(|(id, _)| id).eq(listed.iter().copied()) {
            return Err(format!("not each target is listed once: {listed:?}"));
        }
        Ok(())
    }
}
