//! The order of locations.

extern crate proviso_cfa as cfa;

mod common;

use base::Id as _;
use cfa::{LocId, Order};
use common::{Random, cases, graph};
use proptest::prelude::*;

#[test]
fn nested_loops_are_components_in_components() {
    // L2 { L3 { L4 } L5 }, then L1.
    let cfa = graph(6, &[(0, 2), (2, 3), (3, 4), (4, 3), (3, 5), (5, 2), (2, 1)]);
    let order = Order::of(&cfa);
    let path = |index: usize| order.path(LocId::from_index(index)).to_vec();
    assert_eq!(path(0), [0]);
    assert_eq!(path(2), [1, 0], "a head comes first in its component");
    assert_eq!(path(3), [1, 1, 0]);
    assert_eq!(path(4), [1, 1, 1]);
    assert_eq!(path(5), [1, 2]);
    assert_eq!(path(1), [2]);
    let step = |from: usize, to: usize| order.step(LocId::from_index(from), LocId::from_index(to));
    assert_eq!(step(2, 3), (1, false), "into the inner loop, within the outer one");
    assert_eq!(step(4, 3), (2, true), "round the inner loop");
    assert_eq!(step(5, 2), (1, true), "round the outer loop");
    assert_eq!(step(2, 1), (0, false), "out");
}

proptest! {
    #![proptest_config(cases(400))]

    /// Places are distinct, and an edge that does not go forward leads to the head of a component
    /// that its source is in: what merging states in this order rests on.
    #[test]
    fn edges_go_forward_or_to_a_head(seed: u64) {
        let mut random = Random::new(seed);
        let locations = 2 + random.below(14);
        let count = random.below(3 * locations);
        let edges: Vec<(usize, usize)> =
            (0..count).map(|_| (random.below(locations), random.below(locations))).collect();
        let cfa = graph(locations, &edges);
        let order = Order::of(&cfa);
        let mut paths: Vec<Vec<u32>> =
            cfa.locations.ids().map(|location| order.path(location).to_vec()).collect();
        for edge in &cfa.edges {
            let (common, around) = order.step(edge.source, edge.target);
            let (from, to) = (order.path(edge.source), order.path(edge.target));
            prop_assert_eq!(&from[..common], &to[..common]);
            if around {
                prop_assert!(common > 0, "only components have cycles");
                prop_assert_eq!(to.len(), common + 1);
                prop_assert_eq!(to[common], 0, "the target is the head");
            } else {
                prop_assert!(to > from);
            }
        }
        paths.sort();
        paths.dedup();
        prop_assert_eq!(paths.len(), locations);
    }
}
