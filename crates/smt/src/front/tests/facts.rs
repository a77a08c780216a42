//! Facts against models: no fact excludes the value that its term has in a model.

use base::Random;
use term::{TermId, View};

use super::Dice;
use super::world::World;
use crate::front::graph::{Graph, Numbering};
use crate::front::propagate::{Propagation, Stop};
use crate::front::search::SearchEnd;
use crate::front::trail::Origin;
use crate::front::{Fact, MAX_SIZE};
use run::Budget;

/// Propagates a conjunction that is true under a random assignment, and looks at every term.
fn facts_contain_a_model(seed: u64, width: u32, arithmetic: bool) {
    let mut dice = Dice(Random::new(seed));
    let mut world = World::new(width);
    let values = world.assignment(&mut dice);
    let mut formulas: Vec<TermId> = (0..1 + dice.roll(5))
        .map(|_| {
            if arithmetic && dice.roll(3) > 0 {
                world.arithmetic(&mut dice, 2)
            } else {
                world.formula(&mut dice, 3)
            }
        })
        .collect();
    world.satisfied(&mut formulas, &values);
    let mut numbering = Numbering::default();
    let roots = formulas.iter().copied();
    let graph = Graph::new(&world.terms, &mut numbering, roots, MAX_SIZE).expect("a small graph");
    let limits = Budget::default();
    let mut propagation = Propagation::new(&world.terms, &graph, 20_000, &limits);
    for formula in &formulas {
        let node = numbering.of(*formula);
        let fact = Fact::Bool(Some(true));
        assert!(propagation.suppose(node, fact, Origin::Given).is_ok(), "seed {seed}");
    }
    assert!(
        !matches!(propagation.run(), Err(Stop::Conflict(_))),
        "seed {seed}: a contradiction in what has a model"
    );
    for (node, term) in graph.terms.iter().enumerate() {
        let value = world
            .terms
            .eval(*term, &mut |var| values.get(&var).cloned())
            .expect("every variable has a value");
        let text = world.terms.display(*term);
        assert!(
            propagation.facts[node].contains(&value),
            "seed {seed}: {text} is {value}, not in {:?}",
            propagation.facts[node]
        );
        if let View::App(..) = world.terms.view(*term) {
            for other in 0..node {
                let same = propagation.equalities.same(node as u32, other as u32);
                let other = world.terms.eval(graph.terms[other], &mut |v| values.get(&v).cloned());
                assert!(!same || other == Ok(value.clone()), "seed {seed}: {text} equals another");
            }
        }
    }
    assert!(propagation.cycles().is_ok(), "seed {seed}: a cycle in what has a model");
    assert!(
        !matches!(propagation.search(), SearchEnd::Contradiction(_)),
        "seed {seed}: a contradiction in what has a model"
    );
}

#[test]
fn of_small_words() {
    for seed in 0..4_000 {
        facts_contain_a_model(seed, 1 + (seed % 4) as u32, false);
    }
}

#[test]
fn of_words_up_to_64_bits_and_wider() {
    for seed in 0..1_600 {
        let width = [8, 16, 31, 32, 33, 64, 128, 150][(seed % 8) as usize];
        facts_contain_a_model(seed, width, false);
    }
}

#[test]
fn of_numbers() {
    for seed in 0..4_000 {
        facts_contain_a_model(seed, [4, 8, 32][(seed % 3) as usize], true);
    }
}
