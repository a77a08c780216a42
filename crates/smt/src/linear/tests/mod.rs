//! Tests of the linear solver: examples, and properties against naive methods.

mod examples;
mod numbers;
mod properties;
mod reference;
mod speed;

use base::Id;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Certificate, Constraint, Outcome, Relation, System, Unknown};
use run::Budget;

fn number(value: i64) -> BigRational {
    BigRational::from_integer(BigInt::from(value))
}

fn x(index: usize) -> Unknown {
    Unknown::from_index(index)
}

/// A constraint from small integers; the factor at position `i` is that of variable `i`.
fn constraint(factors: &[i64], relation: Relation, constant: i64) -> Constraint {
    let terms = factors.iter().enumerate().map(|(i, factor)| (number(*factor), x(i))).collect();
    Constraint { terms, relation, constant: number(constant) }
}

fn le(factors: &[i64], constant: i64) -> Constraint {
    constraint(factors, Relation::LessEqual, constant)
}

fn ge(factors: &[i64], constant: i64) -> Constraint {
    let negated: Vec<i64> = factors.iter().map(|factor| -factor).collect();
    le(&negated, -constant)
}

fn lt(factors: &[i64], constant: i64) -> Constraint {
    constraint(factors, Relation::Less, constant)
}

fn gt(factors: &[i64], constant: i64) -> Constraint {
    let negated: Vec<i64> = factors.iter().map(|factor| -factor).collect();
    lt(&negated, -constant)
}

fn eq(factors: &[i64], constant: i64) -> Constraint {
    constraint(factors, Relation::Equal, constant)
}

/// A system in which variable `i` is an integer if `integers[i]`; tags are positions.
fn system(integers: &[bool], constraints: &[Constraint]) -> System {
    let mut system = System::new();
    for integer in integers {
        system.variable(*integer);
    }
    for (tag, constraint) in constraints.iter().enumerate() {
        system.assert(constraint, tag as u32);
    }
    system
}

/// Checks, and re-checks whatever evidence the answer has. Tags must be positions.
fn check(system: &mut System, integers: &[bool], constraints: &[Constraint]) -> Outcome {
    let outcome = system.check(&Budget::default());
    match &outcome {
        Outcome::Sat => {
            for constraint in constraints {
                assert!(constraint.satisfied(|x| system.value(x)), "{constraint:?}");
            }
            for (index, integer) in integers.iter().enumerate() {
                assert!(!integer || system.value(x(index)).is_integer());
            }
        }
        Outcome::Unsat(certificate) => evidence(certificate, integers, constraints),
        Outcome::Unknown(_) => {}
    }
    outcome
}

/// A rational certificate must add up; an integer core must be unsatisfiable by itself, though
/// not over the rationals.
fn evidence(certificate: &Certificate, integers: &[bool], constraints: &[Constraint]) {
    if !certificate.integer {
        assert!(certificate.holds(|tag| constraints.get(tag as usize)), "{certificate:?}");
        return;
    }
    let core: Vec<Constraint> =
        certificate.tags().map(|tag| constraints[tag as usize].clone()).collect();
    let again = system(integers, &core).check(&Budget::default());
    assert!(!matches!(again, Outcome::Sat), "{core:?}");
    let rationals = vec![false; integers.len()];
    let relaxed = system(&rationals, constraints).check(&Budget::default());
    assert!(matches!(relaxed, Outcome::Sat));
}

/// Decides a system from scratch, with its evidence checked.
fn decide(integers: &[bool], constraints: &[Constraint]) -> Outcome {
    check(&mut system(integers, constraints), integers, constraints)
}

fn is_unsat(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unsat(_))
}
