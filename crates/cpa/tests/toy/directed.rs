//! Programs made for one thing each, with refiners that say what the test wants.

use std::cell::RefCell;
use std::collections::BTreeSet;

use base::Id as _;
use cfa::{EdgeId, Reach};
use proviso_cpa::{
    Arg, Cegar, Counter, Ended, NodeId, Path, Plan, Prune, Refinement, Refiner, Statistics, Status,
    Step, Traversal,
};

use crate::domain::{Clock, Halt, Precision, Style, Valuations};
use crate::program::{Act, Toy};

/// A refiner that does what the test says.
struct Script<F>(F);

impl<'a, F> Refiner<Valuations<'a>> for Script<F>
where
    F: FnMut(&Arg<Valuations<'a>>, &Path) -> Result<Refinement<()>, Halt>,
{
    type Evidence = ();

    fn refine(
        &mut self,
        _cpa: &mut Valuations<'a>,
        arg: &Arg<Valuations<'a>>,
        path: &Path,
    ) -> Result<Refinement<()>, Halt> {
        let is_there = |node: &NodeId| arg.node(*node).status != Status::Removed;
        assert!(path.nodes.iter().all(is_there), "a path in the graph");
        (self.0)(arg, path)
    }
}

/// Searches with all variables known, as often as `times` says, and gives how each search ended,
/// the targets that stay, and the sums of events.
fn search<'a>(
    toy: &'a Toy,
    clock: &'a Clock,
    style: Style,
    times: usize,
    script: impl FnMut(&Arg<Valuations<'a>>, &Path) -> Result<Refinement<()>, Halt>,
) -> (Vec<Ended<(), Halt>>, Vec<NodeId>, Statistics) {
    let precision = Precision::default().with(toy.cfa.locations.ids(), &[0, 1, 2]);
    let mut cpa = Valuations { toy, clock, style, precision };
    let reach = Reach::of(&toy.cfa);
    let plan =
        Plan { cfa: &toy.cfa, reach: &reach, traversal: Traversal::Bfs, halt: &|| None::<Halt> };
    let counter = Counter::new(&run::Silent);
    let mut cegar = Cegar::new(&plan, Prune::Lazy, &counter);
    let mut script = Script(script);
    let mut ended = Vec::new();
    for _ in 0..times {
        ended.push(cegar.search(&mut cpa, &mut script));
        assert_eq!(cegar.check(), Ok(()));
    }
    let stay = cegar.arg().unresolved.iter().map(|target| target.node).collect();
    (ended, stay, counter.sums())
}

#[test]
fn all_targets_of_one_expansion_are_looked_at() {
    let toy = Toy::single(&[(0, 1, Act::Choose(1))], 1);
    let clock = Clock::default();
    // The start is one node with three values of the first variable: nine targets.
    let looked_at = RefCell::new(BTreeSet::new());
    let (ended, stay, statistics) = search(&toy, &clock, Style::Split, 1, |_, path| {
        looked_at.borrow_mut().extend(path.nodes.last().copied());
        Ok(Refinement::Unresolved)
    });
    assert!(matches!(ended[..], [Ended::Unresolved]), "{ended:?}");
    assert_eq!((statistics.targets, statistics.expanded), (9, 1));
    assert_eq!(stay.len(), 9);
    assert_eq!(stay.into_iter().collect::<BTreeSet<_>>(), looked_at.into_inner());
    // Any of them may be the one that shows the violation.
    for violation in 0..9 {
        let mut looked_at = 0;
        let (ended, stay, _) = search(&toy, &clock, Style::Split, 1, |_, _| {
            looked_at += 1;
            let is_it = looked_at == violation + 1;
            Ok(if is_it { Refinement::Feasible(()) } else { Refinement::Unresolved })
        });
        assert!(matches!(ended[..], [Ended::Unsafe(())]), "target {violation}: {ended:?}");
        assert_eq!(stay.len(), violation);
    }
}

#[test]
fn a_target_is_looked_at_again_after_a_halt() {
    let toy = Toy::single(&[(0, 1, Act::Choose(1))], 1);
    let clock = Clock::default();
    let mut seen = Vec::new();
    let (ended, stay, statistics) = search(&toy, &clock, Style::Split, 3, |_, path| {
        let target = *path.nodes.last().expect("a target");
        seen.push(target);
        let halts = [1, 5].contains(&seen.len());
        if halts { Err(Halt) } else { Ok(Refinement::Unresolved) }
    });
    let is_right =
        matches!(ended[..], [Ended::Halted(Halt), Ended::Halted(Halt), Ended::Unresolved]);
    assert!(is_right, "{ended:?}");
    assert_eq!((stay.len(), statistics.targets, seen.len()), (9, 9, 11));
    assert_eq!((seen[0], seen[4]), (seen[1], seen[5]), "the halted looks are repeated");
}

#[test]
fn a_merge_takes_back_the_targets_of_an_unfinished_expansion() {
    // The error is found before the loop that leads back to the node and is merged with it.
    let toy =
        Toy::single(&[(0, 1, Act::Set(1, 1)), (1, 2, Act::Is(1, 1)), (1, 1, Act::Set(1, 2))], 2);
    let clock = Clock::default();
    let mut looked_at = Vec::new();
    let (ended, stay, statistics) = search(&toy, &clock, Style::Merged, 1, |arg, path| {
        looked_at.push((path.steps.len(), arg.node(path.nodes[1]).state.len()));
        Ok(Refinement::Unresolved)
    });
    assert!(matches!(ended[..], [Ended::Unresolved]), "{ended:?}");
    // The target below the merged state, and then the way to it once round the loop.
    assert_eq!(looked_at, [(2, 6), (3, 6)]);
    assert_eq!((stay.len(), statistics.targets), (1, 1));
    assert_eq!(statistics.merged, 1);
}

#[test]
fn a_detour_is_tried_again_after_a_halt() {
    let other_way = 1;
    let toy =
        Toy::single(&[(0, 1, Act::Set(1, 1)), (0, 1, Act::Add(1, 1)), (1, 2, Act::Is(1, 1))], 2);
    let clock = Clock::default();
    let mut detours = 0;
    let (ended, _, _) = search(&toy, &clock, Style::Sets, 2, |_, path| {
        if path.steps[0] != Step::Edge(EdgeId::from_index(other_way)) {
            return Ok(Refinement::Unresolved);
        }
        detours += 1;
        if detours == 1 { Err(Halt) } else { Ok(Refinement::Feasible(())) }
    });
    assert!(matches!(ended[..], [Ended::Halted(Halt), Ended::Unsafe(())]), "{ended:?}");
}

#[test]
fn a_refiner_that_keeps_the_target_does_not_lose_it() {
    let toy = Toy::single(&[(0, 1, Act::Choose(1))], 1);
    let clock = Clock::default();
    let mut looked_at = 0;
    let (ended, ..) = search(&toy, &clock, Style::Sets, 1, |_, path| {
        looked_at += 1;
        let keep = Some(path.nodes.len() - 1);
        Ok(if looked_at == 1 { Refinement::Spurious { keep } } else { Refinement::Feasible(()) })
    });
    assert!(matches!(ended[..], [Ended::Unsafe(())]), "{ended:?}");
}
