//! An order of locations in which everything that leads to a location comes before it, except for
//! the edges that go round a cycle.
//!
//! This is Bourdoncle's weak topological order (1993): a list of locations and components, where a
//! component is a head followed by such a list again, and every edge that does not go forward
//! leads to the head of a component that its source is in.

use base::IndexVec;
use smallvec::SmallVec;

use crate::graph::{Graph, NONE, components, location, node};
use crate::{Cfa, LocId};

/// Where each location stands in the order of its function.
pub struct Order {
    paths: IndexVec<LocId, SmallVec<[u32; 4]>>,
}

/// A list that is yet to be ordered: locations, and the path of the component that they are in.
struct Part {
    head: Option<u32>,
    members: Vec<u32>,
    path: SmallVec<[u32; 4]>,
}

impl Order {
    /// Orders the locations of all functions.
    #[must_use]
    pub fn of(cfa: &Cfa) -> Self {
        let count = cfa.locations.len();
        let mut order = Self { paths: IndexVec::filled(SmallVec::new(), count) };
        // For each location its index among the members of the last part that it was in. Whether this is the part at
        // work shows when the member with this index is looked up.
        let mut local = vec![NONE; count];
        let mut functions: Vec<Vec<u32>> = vec![Vec::new(); cfa.functions.len()];
        for (id, at) in cfa.locations.entries() {
            functions[base::Id::index(at.function)].push(node(id));
        }
        let mut parts: Vec<Part> = Vec::new();
        for (function, mut members) in cfa.functions.iter().zip(functions) {
            // The search starts at the entry, so that the heads of loops are where control enters.
            let entry = node(function.entry);
            members.sort_unstable_by_key(|at| (*at != entry, *at));
            parts.push(Part { head: None, members, path: SmallVec::new() });
            while let Some(part) = parts.pop() {
                order.arrange(cfa, &part, &mut local, &mut parts);
            }
        }
        order
    }

    /// Gives the members of a part their places, and adds the components among them to `todo`.
    fn arrange(&mut self, cfa: &Cfa, part: &Part, local: &mut [u32], todo: &mut Vec<Part>) {
        for (index, member) in part.members.iter().enumerate() {
            // No function has so many locations that the index is cut off: ids are `u32`.
            local[*member as usize] = index as u32;
        }
        let successors = |index: usize| {
            let leaving = cfa.locations[location(part.members[index])].edges.iter();
            leaving.map(|edge| node(cfa.edges[*edge].target))
        };
        let inside = |target: u32| {
            let index = local[target as usize];
            (part.members.get(index as usize) == Some(&target)).then_some(index)
        };
        let arrows = (0..part.members.len()).flat_map(|index| {
            successors(index).filter_map(inside).map(move |to| (index as u32, to))
        });
        let graph = Graph::new(part.members.len(), arrows);
        let mut place = 0;
        if let Some(head) = part.head {
            self.paths[location(head)] = with(&part.path, 0);
            place = 1;
        }
        let components = components(part.members.len(), &graph);
        let entered = entered(cfa, part, &components, &graph, &inside);
        // The search lists a component before the components that it is reached from, so its list is turned round.
        for component in components.into_iter().rev() {
            let path = with(&part.path, place);
            place += 1;
            let cyclic = component.len() > 1 || graph.of(component[0]).contains(&component[0]);
            if cyclic {
                let first = component.iter().find(|index| entered[**index as usize]);
                let head = *first.unwrap_or(&component[0]);
                let member = |index: &u32| part.members[*index as usize];
                let members =
                    component.iter().filter(|index| **index != head).map(member).collect();
                todo.push(Part { head: Some(member(&head)), members, path });
            } else {
                self.paths[location(part.members[component[0] as usize])] = path;
            }
        }
    }

    /// The places of a location, from outside to inside: the place of the outermost component that the location is in,
    /// the place of the next component within that one, and so on, and at last the place of the location itself. The
    /// head of a component has place zero in it.
    #[must_use]
    pub fn path(&self, location: LocId) -> &[u32] {
        &self.paths[location]
    }

    /// How many components the two locations of an edge have in common, and whether the edge goes
    /// round the innermost of these.
    #[must_use]
    pub fn step(&self, source: LocId, target: LocId) -> (usize, bool) {
        let (from, to) = (self.path(source), self.path(target));
        let most = from.len().min(to.len()) - 1;
        let common = (0..most).take_while(|index| from[*index] == to[*index]).count();
        (common, to[common] <= from[common])
    }

    /// Adds an activation to a trail: the path of its entry, with the number zero behind each component that
    /// the entry is in, for the first round there.
    pub fn enter(&self, trail: &mut Vec<u32>, entry: LocId) {
        self.descend(trail, entry, 0);
    }

    /// Moves the last activation of a trail, which begins at `start`, along an edge. Components that
    /// both locations are in keep their round, and the innermost of them may begin a new one.
    pub fn go(&self, trail: &mut Vec<u32>, start: usize, source: LocId, target: LocId) {
        let (common, around) = self.step(source, target);
        trail.truncate(start + 2 * common);
        if around && let Some(round) = trail.last_mut() {
            *round = round.saturating_add(1);
        }
        self.descend(trail, target, common);
    }

    fn descend(&self, trail: &mut Vec<u32>, location: LocId, common: usize) {
        let path = self.path(location);
        for (index, place) in path.iter().enumerate().skip(common) {
            trail.push(*place);
            if index + 1 < path.len() {
                trail.push(0);
            }
        }
    }
}

/// How often the last activation of a trail, which begins at `start`, has gone round the innermost
/// component that its location is in.
#[must_use]
pub fn round(trail: &[u32], start: usize) -> u32 {
    match trail.len() - start {
        0 | 1 => 0,
        length => trail[start + length - 2],
    }
}

/// The members of a part at which control comes in from outside their component.
fn entered(
    cfa: &Cfa,
    part: &Part,
    components: &[Vec<u32>],
    graph: &Graph,
    inside: &dyn Fn(u32) -> Option<u32>,
) -> Vec<bool> {
    let mut component_of = vec![0; part.members.len()];
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|index| component_of[*index as usize] = number);
    }
    let mut entered = vec![false; part.members.len()];
    for from in 0..part.members.len() {
        for to in graph.of(from as u32) {
            entered[*to as usize] |= component_of[from] != component_of[*to as usize];
        }
    }
    if let Some(head) = part.head {
        let leaving = cfa.locations[location(head)].edges.iter();
        for to in leaving.filter_map(|edge| inside(node(cfa.edges[*edge].target))) {
            entered[to as usize] = true;
        }
    }
    entered
}

fn with(path: &[u32], place: u32) -> SmallVec<[u32; 4]> {
    let mut path = SmallVec::from_slice(path);
    path.push(place);
    path
}
