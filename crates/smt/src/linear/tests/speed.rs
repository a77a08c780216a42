//! How fast the solver is; run by hand.

use std::time::Instant;

use base::Random;
use run::Budget;

use super::{Constraint, Outcome, Relation, System, number, x};

/// Sparse constraints; with `slack` at least zero they hold at a hidden integer point.
fn sparse(random: &mut Random, variables: usize, count: usize, slack: i64) -> Vec<Constraint> {
    let point: Vec<i64> = (0..variables).map(|_| random.range(-50, 50)).collect();
    let mut constraints = Vec::new();
    for _ in 0..count {
        let mut terms = Vec::new();
        let mut value = 0;
        for _ in 0..random.range(2, 4) {
            let (factor, index) = (random.range(-5, 5), random.below(variables));
            value += factor * point[index];
            terms.push((number(factor), x(index)));
        }
        let constant = number(value + random.range(slack.min(0), slack.abs()));
        constraints.push(Constraint { terms, relation: Relation::LessEqual, constant });
    }
    constraints
}

#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stderr, reason = "the figures are the result")]
fn throughput() {
    for (integer, slack) in [(false, 3), (false, -3), (true, 3), (true, -3)] {
        for (variables, count) in [(50, 75), (200, 300), (200, 500)] {
            let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
            let constraints = sparse(&mut random, variables, count, slack);
            let mut system = System::new();
            for _ in 0..variables {
                system.variable(integer);
            }
            let start = Instant::now();
            for (tag, constraint) in constraints.iter().enumerate() {
                system.assert(constraint, tag as u32);
            }
            let limits = Budget::until(Some(start + std::time::Duration::from_secs(20)));
            let outcome = match system.check(&limits) {
                Outcome::Sat => "sat".to_owned(),
                Outcome::Unsat(certificate) => {
                    format!(
                        "unsat by {} (integer: {})",
                        certificate.farkas.len(),
                        certificate.integer
                    )
                }
                Outcome::Unknown(reason) => format!("unknown: {reason}"),
            };
            eprintln!(
                "{variables} x {count}, integer {integer}, slack {slack}: {outcome}, {} pivots, {:?}",
                system.pivots(),
                start.elapsed()
            );
        }
    }
}

/// Many checks with one constraint more or fewer, as under a SAT solver.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stderr, reason = "the figures are the result")]
fn incremental() {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    let constraints = sparse(&mut random, 100, 1000, 1);
    let mut system = System::new();
    for _ in 0..100 {
        system.variable(true);
    }
    let start = Instant::now();
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for _ in 0..200 {
        let mark = system.mark();
        for tag in 0..20 {
            let chosen = random.below(1000);
            system.assert(&constraints[chosen], tag);
            match system.check(&Budget::default()) {
                Outcome::Sat => sat += 1,
                Outcome::Unsat(_) => unsat += 1,
                Outcome::Unknown(_) => unknown += 1,
            }
        }
        system.undo(mark);
    }
    eprintln!(
        "4000 checks: {sat} sat, {unsat} unsat, {unknown} unknown, {} pivots, {:?}",
        system.pivots(),
        start.elapsed()
    );
}
