//! A fixed batch of random questions to the built-in solver, each answer against all assignments.

mod common;

use base::Random;
use common::formulas::World;
use proviso_smt::{Answer, Builtin, Cores, Models, Solver};
use run::Budget;
use rustc_hash::FxHashMap;
use term::{Evaluator, TermId, Value, Var};

/// Whether some assignment satisfies all formulas.
fn satisfiable(world: &World, formulas: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new();
    world.assignments().any(|assignment| {
        let model: FxHashMap<Var, Value> = assignment.into_iter().collect();
        formulas
            .iter()
            .all(|formula| evaluator.eval(&world.terms, *formula, &model) == Ok(Value::Bool(true)))
    })
}

#[test]
fn answers_models_and_cores_agree_with_all_assignments() {
    let mut answers = [0; 2];
    for batch in 0..60 {
        let mut dice = Random::stream(1, batch);
        let mut world = World::tiny(&mut dice);
        let mut solver = Builtin::new();
        for _ in 0..10 {
            let question = world.question(&mut dice);
            let all = [&question.asserted[..], &question.assumptions[..]].concat();
            let terms = &world.terms;
            solver.push();
            question.asserted.iter().for_each(|formula| solver.assert(terms, *formula));
            match solver.check(terms, &question.assumptions, &Budget::default()) {
                Answer::Sat => {
                    answers[0] += 1;
                    for formula in all {
                        let value = terms.eval(formula, &mut |var| Some(solver.value(terms, var)));
                        assert_eq!(value, Ok(Value::Bool(true)), "the model satisfies each");
                    }
                }
                Answer::Unsat => {
                    answers[1] += 1;
                    assert!(!satisfiable(&world, &all), "no model where there is one");
                    let core = [&question.asserted[..], solver.core()].concat();
                    assert!(!satisfiable(&world, &core), "the core has no model");
                }
                Answer::Unknown(reason) => panic!("unknown without limits: {reason}"),
            }
            solver.pop();
        }
    }
    assert!(answers.iter().all(|count| *count > 100), "both answers are usual: {answers:?}");
}

/// Equations over integers have no finite check of Unsat; but no small assignment may satisfy what
/// is said to have no model.
#[test]
fn linear_answers_agree_with_small_assignments() {
    for batch in 0..20 {
        let mut dice = Random::stream(2, batch);
        let mut world = World::linear();
        let mut solver = Builtin::new();
        for _ in 0..10 {
            let question = world.question(&mut dice);
            let all = [&question.asserted[..], &question.assumptions[..]].concat();
            let terms = &world.terms;
            solver.push();
            question.asserted.iter().for_each(|formula| solver.assert(terms, *formula));
            let answer = solver.check(terms, &question.assumptions, &Budget::default());
            let holds = |env: &mut dyn FnMut(Var) -> Value| {
                all.iter().all(|formula| {
                    terms.eval(*formula, &mut |var| Some(env(var))) == Ok(Value::Bool(true))
                })
            };
            match answer {
                Answer::Sat => assert!(holds(&mut |var| solver.value(terms, var))),
                Answer::Unsat => {
                    for _ in 0..2_000 {
                        let mut random = |var: Var| match terms.var_sort(var) {
                            term::Sort::Bool => Value::Bool(dice.below(2) == 1),
                            term::Sort::Int => Value::Int((dice.below(9) as i64 - 4).into()),
                            _ => Value::Rat(
                                num_bigint::BigInt::from(dice.below(9) as i64 - 4).into(),
                            ),
                        };
                        let values: FxHashMap<Var, Value> =
                            world.vars.iter().map(|var| (*var, random(*var))).collect();
                        assert!(
                            !holds(&mut |var| values[&var].clone()),
                            "no model where there is one"
                        );
                    }
                }
                Answer::Unknown(_) => {}
            }
            solver.pop();
        }
    }
}
