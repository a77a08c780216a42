//! Random systems, decided by the solver and by the naive methods.

use proptest::prelude::*;

use super::{Constraint, Outcome, Relation, check, constraint, decide, ge, le, system};
use super::{is_unsat, reference};

fn relation() -> impl Strategy<Value = Relation> {
    prop_oneof![
        3 => Just(Relation::LessEqual),
        2 => Just(Relation::Less),
        1 => Just(Relation::Equal),
    ]
}

fn constraints(
    variables: usize,
    most: usize,
    factor: i64,
    constant: i64,
) -> impl Strategy<Value = Vec<Constraint>> {
    let factor = prop_oneof![2 => Just(0), 3 => -factor..=factor];
    let one = (prop::collection::vec(factor, variables), relation(), -constant..=constant);
    let one =
        one.prop_map(|(factors, relation, constant)| constraint(&factors, relation, constant));
    prop::collection::vec(one, 0..=most)
}

/// Constraints that keep the first variables in the box from `-size` to `size`.
fn in_box(integers: usize, size: i64) -> Vec<Constraint> {
    let mut bounds = Vec::new();
    for index in 0..integers {
        let mut factors = vec![0; index + 1];
        factors[index] = 1;
        bounds.extend([le(&factors, size), ge(&factors, -size)]);
    }
    bounds
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rationals_agree_with_elimination(constraints in constraints(3, 8, 6, 12)) {
        let outcome = decide(&[false; 3], &constraints);
        prop_assert!(!matches!(outcome, Outcome::Unknown(_)));
        prop_assert_eq!(!is_unsat(&outcome), reference::rational(3, &constraints));
    }

    #[test]
    fn four_rationals_agree_with_elimination(constraints in constraints(4, 6, 3, 4)) {
        let outcome = decide(&[false; 4], &constraints);
        prop_assert_eq!(!is_unsat(&outcome), reference::rational(4, &constraints));
    }

    #[test]
    fn integers_in_a_box_agree_with_enumeration(constraints in constraints(3, 5, 9, 15)) {
        let mut all = in_box(3, 4);
        all.extend(constraints);
        let outcome = decide(&[true; 3], &all);
        prop_assert!(!matches!(outcome, Outcome::Unknown(_)));
        prop_assert_eq!(!is_unsat(&outcome), reference::mixed(3, 3, 4, &all));
    }

    #[test]
    fn mixed_systems_agree_with_enumeration(constraints in constraints(4, 5, 7, 9)) {
        let mut all = in_box(2, 3);
        all.extend(constraints);
        let outcome = decide(&[true, true, false, false], &all);
        prop_assert!(!matches!(outcome, Outcome::Unknown(_)));
        prop_assert_eq!(!is_unsat(&outcome), reference::mixed(2, 4, 3, &all));
    }

    /// Without a box, an unsatisfiable answer must at least be true in one.
    #[test]
    fn unbounded_integers_are_never_wrong(constraints in constraints(3, 5, 9, 15)) {
        if is_unsat(&decide(&[true; 3], &constraints)) {
            let mut all = in_box(3, 5);
            all.extend(constraints);
            prop_assert!(!reference::mixed(3, 3, 5, &all));
        }
    }

    #[test]
    fn equations_are_never_wrong(
        factors in prop::collection::vec((prop::collection::vec(-7_i64..=7, 4), -9_i64..=9), 1..4),
    ) {
        let all: Vec<_> =
            factors.iter().map(|(f, c)| constraint(f, Relation::Equal, *c)).collect();
        // Elimination decides systems of equations alone.
        let outcome = decide(&[true; 4], &all);
        prop_assert!(!matches!(outcome, Outcome::Unknown(_)));
        if is_unsat(&outcome) {
            prop_assert!(!reference::mixed(4, 4, 3, &all));
        }
    }

    /// A system that was pushed and popped at random answers as a fresh one does.
    #[test]
    fn undo_restores(
        constraints in constraints(4, 24, 5, 6),
        pops in prop::collection::vec(0_usize..6, 24),
        integers in prop::collection::vec(any::<bool>(), 4),
    ) {
        let mut tried = system(&integers, &in_box(4, 3));
        let mut held = in_box(4, 3);
        let mut marks = Vec::new();
        for (constraint, pop) in constraints.into_iter().zip(pops) {
            marks.push((tried.mark(), held.len()));
            tried.assert(&constraint, held.len() as u32);
            held.push(constraint);
            if pop < 4 {
                let outcome = check(&mut tried, &integers, &held);
                prop_assert_eq!(is_unsat(&outcome), is_unsat(&decide(&integers, &held)));
                prop_assert!(!matches!(outcome, Outcome::Unknown(_)));
            }
            let left = marks.len().saturating_sub(pop.saturating_sub(1));
            if pop > 1 && let Some((mark, length)) = marks.get(left).copied() {
                tried.undo(mark);
                held.truncate(length);
                marks.truncate(left);
                let outcome = check(&mut tried, &integers, &held);
                prop_assert_eq!(is_unsat(&outcome), is_unsat(&decide(&integers, &held)));
            }
        }
    }
}
