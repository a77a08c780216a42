//! Abstractions of random blocks, in one piece and in several.

use std::collections::BTreeSet;

use proptest::prelude::*;
use run::Budget;
use smt::Builtin;
use term::{Sort, TermId, Terms};

use crate::predicate::ask::Ask;
use crate::predicate::combination::{Abstraction, Combination, Exactness, Question};
use crate::predicate::cover::compare;
use crate::predicate::diagram::{Before, Diagrams};

const WIDTH: u32 = 2;
const VARS: usize = 5;

/// A comparison: which, of which variables, with which constant.
type Recipe = (u8, usize, usize, u128);

fn recipe() -> impl Strategy<Value = Recipe> {
    (0_u8..6, 0..VARS, 0..VARS, 0_u128..4)
}

fn recipes(most: usize) -> impl Strategy<Value = Vec<Recipe>> {
    prop::collection::vec(recipe(), 0..most)
}

fn formula(terms: &mut Terms, vars: &[TermId], (kind, a, b, number): Recipe) -> TermId {
    let (x, y) = (vars[a], vars[b]);
    let number = terms.bv(WIDTH, number);
    match kind {
        0 => terms.eq(x, number),
        1 => terms.ne(x, number),
        2 => terms.bv_ult(x, number),
        3 => terms.bv_ult(x, y),
        4 => {
            let sum = terms.bv_add(y, number);
            terms.eq(x, sum)
        }
        _ => {
            let (one, other) = (terms.eq(x, number), terms.bv_ult(y, number));
            terms.or2(one, other)
        }
    }
}

fn variables(terms: &mut Terms) -> Vec<TermId> {
    let vars: Vec<_> =
        (0..VARS).map(|index| terms.declare(format!("v{index}"), Sort::Bv(WIDTH))).collect();
    vars.into_iter().map(|var| terms.var(var)).collect()
}

fn formulas(terms: &mut Terms, vars: &[TermId], list: &[Recipe]) -> Vec<TermId> {
    list.iter().map(|each| formula(terms, vars, *each)).collect()
}

/// Nothing is known.
fn nothing(truth: TermId, combination: &Combination) -> Before<'_> {
    Before { known: truth, predicates: &[], combination, diagram: None }
}

/// All values that a combination allows.
fn allowed(combination: &Combination) -> BTreeSet<Vec<bool>> {
    let count = combination.fixed.len();
    let all = (0..1_u32 << count).map(|code| (0..count).map(|at| code >> at & 1 == 1).collect());
    all.filter(|values: &Vec<bool>| {
        let fixed = combination.fixed.iter().zip(values);
        let by_part = |part: &crate::predicate::combination::Part| {
            let cube: Vec<bool> = part.open.iter().map(|index| values[*index]).collect();
            part.cubes.contains(&cube)
        };
        fixed.clone().all(|(fixed, value)| fixed.is_none_or(|fixed| fixed == *value))
            && combination.parts.iter().all(by_part)
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Two blocks: what is known after the first is what the second starts with. Some predicates
    /// stay the same, some are new.
    #[test]
    fn pieces_say_what_the_whole_says(
        first in recipes(3),
        second in recipes(3),
        old in recipes(5),
        new in recipes(3),
        kept in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..5),
        kind in 0_usize..3,
    ) {
        let kind = [Abstraction::Cartesian, Abstraction::Boolean, Abstraction::Split][kind];
        let mut terms = Terms::new();
        let vars = variables(&mut terms);
        let mut make = |list: &[Recipe]| formulas(&mut terms, &vars, list);
        let (first, second, old, new) = (make(&first), make(&second), make(&old), make(&new));
        let mut ask = Ask::new(Box::new(Builtin::new()), Budget::default());
        let truth = terms.bool(true);
        let start = Combination::anything(0, Exactness::Unclear);
        let before = nothing(truth, &start);
        let before = ask.by_pieces(&mut terms, kind, &first, before, &old).expect("no limit");
        let Some(found) = before else { return Ok(()) };
        let mut asked: Vec<TermId> = Vec::new();
        for (index, negated) in &kept {
            if !old.is_empty() {
                let each = *index.get(&old);
                asked.push(if *negated { terms.not(each) } else { each });
            }
        }
        asked.extend(new);
        let mut diagrams = Diagrams::default();
        for mut state in found.states(kind) {
            let (known, diagram) = diagrams.known(&mut terms, &old, &mut state);
            let diagram = diagram.as_ref();
            let before = Before { known, predicates: &old, combination: &state, diagram };
            let pieces = ask.by_pieces(&mut terms, kind, &second, before, &asked);
            let pieces = pieces.expect("no limit");
            let mut formulas = second.clone();
            formulas.push(known);
            let question = Question { kind, formulas, predicates: asked.clone() };
            let whole = ask.abstraction(&mut terms, &question).expect("no limit");
            prop_assert_eq!(pieces.is_some(), whole.is_some());
            let (Some(pieces), Some(whole)) = (pieces, whole) else { continue };
            prop_assert_eq!(allowed(&pieces), allowed(&whole));
            prop_assert_eq!(pieces.fixed, whole.fixed);
            prop_assert_eq!(pieces.exact, whole.exact);
        }
    }
    /// What is read off two combinations is what the solver says of their formulas.
    #[test]
    fn combinations_compare_as_their_formulas_do(
        first in recipes(4),
        second in recipes(4),
        old in recipes(5),
        more in recipes(2),
        kinds in (0_usize..3, 0_usize..3),
    ) {
        let all = [Abstraction::Cartesian, Abstraction::Boolean, Abstraction::Split];
        let mut terms = Terms::new();
        let vars = variables(&mut terms);
        let mut make = |list: &[Recipe]| formulas(&mut terms, &vars, list);
        let (first, second, old, mut other) = (make(&first), make(&second), make(&old), make(&more));
        other.extend(&old);
        let mut ask = Ask::new(Box::new(Builtin::new()), Budget::default());
        let mut diagrams = Diagrams::default();
        let start = Combination::anything(0, Exactness::Unclear);
        let truth = terms.bool(true);
        let mut states = Vec::new();
        for (conditions, predicates, kind) in
            [(first, &other, all[kinds.0]), (second, &old, all[kinds.1])]
        {
            let before = nothing(truth, &start);
            let found = ask.by_pieces(&mut terms, kind, &conditions, before, predicates);
            let Some(found) = found.expect("no limit") else { return Ok(()) };
            let found = found.states(kind).into_iter().take(6);
            let known = found.map(|mut state| {
                let (known, diagram) = diagrams.known(&mut terms, predicates, &mut state);
                (known, predicates, state, diagram)
            });
            states.extend(known.collect::<Vec<_>>());
        }
        let before = |at: usize| {
            let (known, predicates, combination, diagram) = &states[at];
            Before { known: *known, predicates, combination, diagram: diagram.as_ref() }
        };
        for (a, b) in (0..states.len()).flat_map(|a| (0..states.len()).map(move |b| (a, b))) {
            let said = compare(&mut diagrams, before(a), before(b));
            let asked = ask.implies(&mut terms, states[a].0, states[b].0).expect("no limit");
            prop_assert!(said.is_none_or(|said| said == asked), "{:?} {:?}", states[a].2, states[b].2);
        }
    }
}
