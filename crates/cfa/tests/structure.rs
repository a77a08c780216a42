//! Dominators, loops, calls and reachability.

extern crate proviso_cfa as cfa;

mod common;

use base::Id as _;
use cfa::{
    Calls, Cfa, Dominators, EdgeId, FuncId, LocId, LoopId, Loops, Op, Reach, error_reachable,
};
use common::{Random, generator, graph, read, small};
use proptest::prelude::*;

fn l(index: usize) -> LocId {
    LocId::from_index(index)
}

/// The loops as text: head, own and inner locations sorted, parent, depth, edges back and out.
fn describe(cfa: &Cfa) -> String {
    let loops = Loops::of(cfa);
    let lines = loops.loops.entries().map(|(id, looped)| {
        let mut body = loops.body(id).to_vec();
        assert_eq!(body[0], looped.head);
        body.sort_unstable();
        let parent = looped.parent.map_or(String::new(), |parent| format!(" in {parent}"));
        let word = if looped.reducible { "" } else { " irreducible" };
        let (back, out) = (&looped.back_edges, loops.exits(cfa, id));
        format!("{id}{parent} head {} body {body:?} back {back:?} out {out:?}{word}", looped.head)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn no_loop() {
    assert_eq!(describe(&graph(4, &[(0, 2), (0, 3), (2, 1), (3, 1)])), "");
}

#[test]
fn one_loop() {
    let cfa = graph(4, &[(0, 2), (2, 3), (3, 2), (2, 1)]);
    insta::assert_snapshot!(describe(&cfa), @"loop0 head L2 body [L2, L3] back [e2] out [e3]");
}

#[test]
fn a_loop_of_one_location() {
    let cfa = graph(3, &[(0, 2), (2, 2), (2, 1)]);
    insta::assert_snapshot!(describe(&cfa), @"loop0 head L2 body [L2] back [e1] out [e2]");
}

#[test]
fn nested_loops() {
    // L2 { L3 { L4 } L5 { L6 } }, and from the innermost straight out.
    let edges =
        [(0, 2), (2, 3), (3, 4), (4, 3), (3, 5), (5, 6), (6, 5), (5, 2), (2, 1), (4, 1), (6, 6)];
    insta::assert_snapshot!(describe(&graph(7, &edges)), @r"
    loop0 head L2 body [L2, L3, L4, L5, L6] back [e7] out [e8, e9]
    loop1 in loop0 head L3 body [L3, L4] back [e3] out [e4, e9]
    loop2 in loop0 head L5 body [L5, L6] back [e6] out [e7]
    loop3 in loop2 head L6 body [L6] back [e10] out [e6]
    ");
    let loops = Loops::of(&graph(7, &edges));
    let depths: Vec<u32> = loops.loops.iter().map(|looped| looped.depth).collect();
    assert_eq!(depths, [0, 1, 1, 2]);
    assert_eq!(loops.innermost(l(6)), Some(LoopId::from_index(3)));
    assert_eq!(loops.innermost(l(0)), None);
    assert!(
        loops.contains(LoopId::from_index(2), l(6)) && !loops.contains(LoopId::from_index(1), l(6))
    );
}

#[test]
fn two_ways_back_make_one_loop() {
    let edges = [(0, 2), (2, 3), (3, 2), (2, 4), (4, 2), (2, 1)];
    insta::assert_snapshot!(describe(&graph(5, &edges)), @"loop0 head L2 body [L2, L3, L4] back [e2, e4] out [e5]");
}

#[test]
fn a_cycle_with_two_ways_in() {
    let edges = [(0, 2), (0, 3), (2, 3), (3, 2), (3, 1)];
    insta::assert_snapshot!(describe(&graph(4, &edges)), @"loop0 head L2 body [L2, L3] back [e3] out [e4] irreducible");
}

#[test]
fn an_irreducible_loop_in_a_reducible_one() {
    let edges = [(0, 2), (2, 3), (2, 4), (3, 4), (4, 3), (4, 2), (2, 1)];
    insta::assert_snapshot!(describe(&graph(5, &edges)), @r"
    loop0 head L2 body [L2, L3, L4] back [e5] out [e6]
    loop1 in loop0 head L3 body [L3, L4] back [e4] out [e5] irreducible
    ");
}

#[test]
fn loops_that_nothing_reaches_count() {
    let cfa = graph(5, &[(0, 1), (3, 4), (4, 3), (4, 1)]);
    insta::assert_snapshot!(describe(&cfa), @"loop0 head L3 body [L3, L4] back [e2] out [e3]");
}

#[test]
fn long_functions_take_no_stack_and_little_time() {
    let count = 300_000;
    // A chain; from each location of the second half back to one of the first: nested loops.
    let mut edges: Vec<(usize, usize)> = vec![(0, 2)];
    edges.extend((2..count - 1).map(|at| (at, at + 1)));
    edges.extend((count / 2..count).map(|at| (at, count - at + 2)));
    let cfa = graph(count, &edges);
    let loops = Loops::of(&cfa);
    assert!(loops.loops.len() > count / 3);
    assert!(loops.loops.iter().all(|looped| looped.reducible));
    assert!(Reach::of(&cfa).reachable(l(count - 1)));
    // Every other location can jump into every loop: nothing is reducible.
    edges.extend((2..count / 2).step_by(2).map(|at| (0, at)));
    assert!(
        Loops::of(&graph(count, &edges)).loops.iter().filter(|looped| !looped.reducible).count()
            > 1000
    );
}

/// What a location reaches without passing another one.
fn reached(cfa: &Cfa, from: LocId, without: &[LocId]) -> Vec<bool> {
    let mut seen = vec![false; cfa.locations.len()];
    let mut work = vec![from];
    while let Some(here) = work.pop() {
        if !without.contains(&here) && !std::mem::replace(&mut seen[here.index()], true) {
            work.extend(cfa.locations[here].edges.iter().map(|edge| cfa.edges[*edge].target));
        }
    }
    seen
}

/// Whether a cycle is left when some locations are taken away.
fn has_cycle(cfa: &Cfa, without: &[LocId]) -> bool {
    let left = |id: &LocId| !without.contains(id);
    cfa.locations.ids().filter(left).any(|from| {
        let next = cfa.locations[from].edges.iter().map(|edge| cfa.edges[*edge].target);
        next.filter(left).any(|next| reached(cfa, next, without)[from.index()])
    })
}

prop_compose! {
    fn any_graph()(seed: u64, locations in 2_usize..14, density in 1_usize..4) -> Cfa {
        let mut random = Random::new(seed);
        let count = random.below(locations * density + 1);
        let edges: Vec<_> = (0..count).map(|_| (random.below(locations), random.below(locations))).collect();
        graph(locations, &edges)
    }
}

proptest! {
    #![proptest_config(common::cases(2000))]

    #[test]
    fn dominators_are_what_they_are_by_definition(cfa in any_graph()) {
        let dominators = Dominators::of(&cfa);
        let entry = l(0);
        let all = reached(&cfa, entry, &[]);
        for below in cfa.locations.ids().filter(|id| all[id.index()]) {
            let mut closest = None;
            for above in cfa.locations.ids().filter(|id| all[id.index()]) {
                let expected = above == below || !reached(&cfa, entry, &[above])[below.index()];
                prop_assert_eq!(dominators.dominates(above, below), expected, "{} {}", above, below);
                if expected && above != below {
                    let closer = |known: LocId| !reached(&cfa, entry, &[known])[above.index()];
                    if closest.is_none_or(closer) {
                        closest = Some(above);
                    }
                }
            }
            prop_assert_eq!(dominators.parent(below), closest);
        }
    }

    #[test]
    fn every_cycle_has_a_head(cfa in any_graph()) {
        let loops = Loops::of(&cfa);
        let heads: Vec<LocId> = loops.loops.iter().map(|looped| looped.head).collect();
        prop_assert!(!has_cycle(&cfa, &heads));
        for (location, head) in cfa.locations.ids().map(|id| (id, loops.head(id))) {
            prop_assert_eq!(head, heads.contains(&location));
        }
    }

    #[test]
    fn loops_nest_and_natural_ones_are_natural(cfa in any_graph()) {
        let loops = Loops::of(&cfa);
        let dominators = Dominators::of(&cfa);
        for (id, looped) in loops.loops.entries() {
            let body = loops.body(id);
            prop_assert!(body.iter().all(|location| loops.contains(id, *location)));
            let members = cfa.locations.ids().filter(|location| loops.contains(id, *location)).count();
            prop_assert_eq!(members, body.len());
            // Everything in a loop is on a cycle through its head.
            for location in body {
                prop_assert!(reached(&cfa, *location, &[])[looped.head.index()]);
                prop_assert!(reached(&cfa, looped.head, &[])[location.index()]);
            }
            prop_assert_eq!(looped.depth, looped.parent.map_or(0, |parent| loops.loops[parent].depth + 1));
            if let Some(parent) = looped.parent {
                prop_assert!(parent < id && loops.loops[parent].head != looped.head);
                prop_assert!(body.iter().all(|location| loops.contains(parent, *location)));
                prop_assert!(loops.encloses(parent, id) && !loops.encloses(id, parent));
            }
            for (other, _) in loops.loops.entries() {
                let shared = body.iter().any(|location| loops.contains(other, *location));
                prop_assert_eq!(shared, loops.encloses(id, other) || loops.encloses(other, id));
            }
            let dominated = body.iter().all(|location| dominators.dominates(looped.head, *location));
            prop_assert_eq!(looped.reducible, dominated);
            if looped.reducible {
                // What reaches the edges back without passing the head.
                let mut expected = vec![looped.head];
                for location in cfa.locations.ids().filter(|location| *location != looped.head) {
                    let to = reached(&cfa, location, &[looped.head]);
                    let returns = |edge: &EdgeId| to[cfa.edges[*edge].source.index()];
                    // Code that nothing reaches may lead into a loop without being in it.
                    if dominators.dominates(looped.head, location) && looped.back_edges.iter().any(returns) {
                        expected.push(location);
                    }
                }
                let mut body = body.to_vec();
                expected.sort_unstable();
                body.sort_unstable();
                prop_assert_eq!(body, expected);
            }
            let exits = loops.exits(&cfa, id);
            let entries = loops.entries(&cfa, id);
            for (edge, ends) in cfa.edges.entries() {
                let (from, to) = (loops.contains(id, ends.source), loops.contains(id, ends.target));
                prop_assert_eq!(exits.contains(&edge), from && !to);
                prop_assert_eq!(entries.contains(&edge), !from && to);
            }
        }
    }

    #[test]
    fn reachability_agrees_with_runs_of_the_stack(seed: u64) {
        let program = generator::model(seed);
        let cfa = &program.cfa;
        let reach = Reach::of(cfa);
        let Some(start) = cfa.start else {
            prop_assert!(!reach.error_reachable());
            return Ok(());
        };
        // All paths with stacks of up to six calls: what they find is reachable. The other
        // direction holds too, unless it takes deeper stacks.
        let ends = |op: &Op| matches!(op, Op::Exit(_) | Op::Abort | Op::Unsupported(_));
        let mut seen = std::collections::BTreeSet::new();
        let mut work = vec![vec![cfa.functions[start].entry]];
        while let Some(stack) = work.pop() {
            if seen.len() > 20_000 || !seen.insert(stack.clone()) {
                continue;
            }
            let here = stack[stack.len() - 1];
            prop_assert!(reach.reachable(here));
            let mut next = |change: &dyn Fn(&mut Vec<LocId>)| {
                let mut stack = stack.clone();
                change(&mut stack);
                if (1..=6).contains(&stack.len()) {
                    work.push(stack);
                }
            };
            for edge in cfa.locations[here].edges.iter().map(|edge| &cfa.edges[*edge]) {
                match edge.callee() {
                    _ if edge.ops.iter().any(ends) => {}
                    Some(callee) => next(&|stack| {
                        stack.pop();
                        stack.extend([edge.target, cfa.functions[callee].entry]);
                    }),
                    None => next(&|stack| {
                        stack.pop();
                        stack.push(edge.target);
                    }),
                }
            }
            if cfa.functions[cfa.locations[here].function].exit == here {
                next(&|stack| stack.truncate(stack.len() - 1));
            }
        }
        if seen.len() <= 20_000 {
            for location in cfa.locations.ids().filter(|location| reach.reachable(*location)) {
                prop_assert!(seen.iter().any(|stack| stack.last() == Some(&location)));
            }
        }
        prop_assert_eq!(error_reachable(cfa), cfa.errors().any(|error| reach.relevant(error)));
        prop_assert_eq!(error_reachable(cfa), reach.relevant(cfa.functions[start].entry));
    }
}

#[test]
fn calls_of_a_small_program() {
    let small = small();
    let calls = Calls::of(&small.program.cfa);
    assert_eq!(calls.callees(small.main), [small.step]);
    assert_eq!(calls.callers(small.step), [small.main]);
    assert_eq!(calls.sites(small.step), [EdgeId::from_index(3)]);
    assert_eq!(calls.calls(small.main), [EdgeId::from_index(3)]);
    assert!(!calls.recursive(small.main) && !calls.recursive(small.step));
    assert_eq!(calls.components(), [vec![small.step], vec![small.main]]);
}

#[test]
fn recursion_is_found() {
    let program = read(
        "model 1
        function main() { entry L0 exit L1 L0 -> L1 { call even() } }
        function even() { entry L2 exit L3 L2 -> L3 { call odd() } L2 -> L3 }
        function odd() { entry L4 exit L5 L4 -> L5 { call even() } }
        function itself() { entry L6 exit L7 L6 -> L7 { call itself() } L6 -> L7 { call odd() } }",
    );
    let calls = Calls::of(&program.cfa);
    let [main, even, odd, itself] = [0, 1, 2, 3].map(FuncId::from_index);
    assert_eq!([main, even, odd, itself].map(|f| calls.recursive(f)), [false, true, true, true]);
    assert_eq!([main, even, odd, itself].map(|f| calls.reachable(f)), [true, true, true, false]);
    assert_eq!(calls.components(), [vec![even, odd], vec![main], vec![itself]]);
    assert_eq!(calls.component(odd), 0);
    assert_eq!(calls.callers(odd), [even, itself]);
}

#[test]
fn distances_go_through_calls_and_returns() {
    let program = read(
        "model 1
        function main() { entry L0 exit L1
            L0 -> L2 { call twice() }
            L2 -> L3 { call never() }
            L2 -> L4
            L4 -> L5 { abort }
            L4 -> L1
            L3: error
            L5: error }
        function twice() { entry L6 exit L7 L6 -> L8 L8 -> L7 L6 -> L9 { call fails() } L9 -> L9 }
        function never() { entry L10 exit L11 L10 -> L10 }
        function fails() { entry L12 exit L13 L12 -> L14 L14 -> L15 L15 -> L16 L16: error }
        function unused() { entry L17 exit L18 L17 -> L18 { call fails() } }",
    );
    let reach = Reach::of(&program.cfa);
    let distance = |at: usize| reach.distance(l(at));
    // Into the second call of the callee: two calls, then three edges.
    assert_eq!(distance(0), Some(5));
    assert_eq!(distance(6), Some(4));
    assert_eq!(distance(12), Some(3));
    // After the callee nothing fails any more: its third way is passed by nobody.
    assert_eq!([1, 2, 4, 7, 8, 9, 10].map(distance), [None; 7]);
    // Errors themselves, reachable or not.
    assert_eq!([3, 5, 16].map(distance), [Some(0); 3]);
    let reachable = |at: usize| reach.reachable(l(at));
    assert_eq!([3, 5, 9, 11, 13, 17].map(reachable), [false; 6]);
    assert_eq!([2, 4, 1, 10, 16].map(reachable), [true; 5]);
    assert_eq!(distance(17), Some(4));
    assert!(!reach.relevant(l(17)) && reach.relevant(l(6)) && !reach.relevant(l(2)));
    let returns: Vec<bool> = program.cfa.functions.ids().map(|id| reach.returns(id)).collect();
    assert_eq!(returns, [true, true, false, false, false]);
    assert!(reach.error_reachable());
}

#[test]
fn distances_return_to_where_a_function_is_called() {
    let program = read(
        "model 1
        function main() { entry L0 exit L1 L0 -> L2 { call id() } L2 -> L3 L3: error }
        function id() { entry L4 exit L5 L4 -> L6 L6 -> L5 }
        function unused() { entry L7 exit L8 L7 -> L9 { call id() } L9: error }",
    );
    let reach = Reach::of(&program.cfa);
    let distances: Vec<_> = program.cfa.locations.ids().map(|id| reach.distance(id)).collect();
    let expected = [4, 9, 1, 0, 3, 1, 2, 3, 9, 0].map(|n| (n != 9).then_some(n));
    assert_eq!(distances, expected);
}

#[test]
fn what_is_not_supported_is_listed() {
    let program = read(
        "model 1
        function main() { entry L0 exit L1 L0 -> L2 { unsupported \"setjmp\" } L2 -> L3 L3: error }",
    );
    let reach = Reach::of(&program.cfa);
    assert!(!reach.error_reachable());
    assert_eq!(reach.inconclusive(), [EdgeId::from_index(0)]);
}

#[test]
fn exponentially_long_paths_have_a_length() {
    let mut text = "model 1\n".to_owned();
    for i in 0..60 {
        let (a, b, c, next) = (3 * i, 3 * i + 1, 3 * i + 2, i + 1);
        text += &format!(
            "function f{i}() {{ entry L{a} exit L{b} L{a} -> L{c} {{ call f{next}() }} L{c} -> L{b} {{ call f{next}() }} }}\n"
        );
    }
    text += "function f60() { entry L180 exit L181 L180 -> L181 }\n";
    text +=
        "function g() { entry L182 exit L183 L182 -> L184 { call f0() } L184: error }\nstart g\n";
    let program = read(&text);
    assert_eq!(Reach::of(&program.cfa).distance(l(182)), Some(u32::MAX - 1));
}
