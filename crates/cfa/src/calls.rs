//! Who calls whom.

use base::{Id as _, IndexVec};

use crate::graph::{Graph, components};
use crate::{Cfa, Edge, EdgeId, FuncId, Op};

impl Edge {
    /// The function that the edge calls, if it is a call.
    #[must_use]
    pub fn callee(&self) -> Option<FuncId> {
        self.ops.iter().find_map(|op| match op {
            Op::Call { callee, .. } => Some(*callee),
            _ => None,
        })
    }
}

/// The call graph of a program.
pub struct Calls {
    nodes: IndexVec<FuncId, Node>,
    components: Vec<Vec<FuncId>>,
}

#[derive(Clone, Default)]
struct Node {
    callees: Vec<FuncId>,
    callers: Vec<FuncId>,
    calls: Vec<EdgeId>,
    sites: Vec<EdgeId>,
    recursive: bool,
    reachable: bool,
    component: usize,
}

impl Calls {
    /// Finds the calls.
    #[must_use]
    pub fn of(cfa: &Cfa) -> Self {
        let count = cfa.functions.len();
        let mut nodes: IndexVec<FuncId, Node> = IndexVec::filled(Node::default(), count);
        for (id, edge) in cfa.edges.entries() {
            if let Some(callee) = edge.callee() {
                let caller = cfa.locations[edge.source].function;
                nodes[caller].calls.push(id);
                nodes[caller].callees.push(callee);
                nodes[callee].sites.push(id);
                nodes[callee].callers.push(caller);
            }
        }
        for node in nodes.iter_mut() {
            for list in [&mut node.callees, &mut node.callers] {
                list.sort_unstable();
                list.dedup();
            }
        }
        let arrows = nodes.entries().flat_map(|(id, node)| {
            node.callees.iter().map(move |callee| (id.index() as u32, callee.index() as u32))
        });
        let graph = Graph::new(count, arrows);
        let functions = |component: Vec<u32>| -> Vec<FuncId> {
            component.into_iter().map(|node| FuncId::from_index(node as usize)).collect()
        };
        let components: Vec<_> = components(count, &graph).into_iter().map(functions).collect();
        for (index, component) in components.iter().enumerate() {
            for function in component {
                nodes[*function].component = index;
                let calls_itself = nodes[*function].callees.binary_search(function).is_ok();
                nodes[*function].recursive = component.len() > 1 || calls_itself;
            }
        }
        let mut work: Vec<FuncId> = cfa.start.into_iter().collect();
        while let Some(function) = work.pop() {
            if !std::mem::replace(&mut nodes[function].reachable, true) {
                work.extend_from_slice(&nodes[function].callees);
            }
        }
        Self { nodes, components }
    }

    /// The functions that a function calls, in order, each once.
    #[must_use]
    pub fn callees(&self, function: FuncId) -> &[FuncId] {
        &self.nodes[function].callees
    }

    /// The functions that call a function, in order, each once.
    #[must_use]
    pub fn callers(&self, function: FuncId) -> &[FuncId] {
        &self.nodes[function].callers
    }

    /// The edges of a function that are calls.
    #[must_use]
    pub fn calls(&self, function: FuncId) -> &[EdgeId] {
        &self.nodes[function].calls
    }

    /// The edges of any function that call a function.
    #[must_use]
    pub fn sites(&self, function: FuncId) -> &[EdgeId] {
        &self.nodes[function].sites
    }

    /// Whether an activation of a function may contain another activation of the same function.
    #[must_use]
    pub fn recursive(&self, function: FuncId) -> bool {
        self.nodes[function].recursive
    }

    /// Whether a function that is reached by calls from the start of the program is recursive.
    #[must_use]
    pub fn any_recursive(&self) -> bool {
        self.nodes.iter().any(|node| node.reachable && node.recursive)
    }

    /// Whether a function is reached by calls from the start of the program.
    #[must_use]
    pub fn reachable(&self, function: FuncId) -> bool {
        self.nodes[function].reachable
    }

    /// The functions in groups that call each other mutually, callees before callers.
    #[must_use]
    pub fn components(&self) -> &[Vec<FuncId>] {
        &self.components
    }

    /// The place of a function's group in [`Calls::components`].
    #[must_use]
    pub fn component(&self, function: FuncId) -> usize {
        self.nodes[function].component
    }
}
