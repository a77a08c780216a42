//! Systems with a name or a point.

use std::time::Instant;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::{Certificate, Constraint, Outcome, Relation, System};
use super::{check, decide, eq, ge, gt, is_unsat, le, lt, number, system, x};
use crate::Reason;
use run::{Budget, Exceeded};

fn certificate(outcome: Outcome) -> Certificate {
    match outcome {
        Outcome::Unsat(certificate) => certificate,
        other => panic!("{other:?}"),
    }
}

#[test]
fn nothing_is_satisfiable() {
    assert_eq!(decide(&[], &[]), Outcome::Sat);
    assert_eq!(decide(&[true, false], &[]), Outcome::Sat);
}

#[test]
fn constraints_without_variables() {
    assert_eq!(decide(&[], &[eq(&[], 0), le(&[], 0), lt(&[], 1)]), Outcome::Sat);
    for falsity in [eq(&[], 1), eq(&[], -1), le(&[], -1), lt(&[], 0)] {
        let found = certificate(decide(&[], &[le(&[], 0), falsity]));
        assert!(!found.integer);
        assert_eq!(found.tags().collect::<Vec<_>>(), [1]);
    }
    // Factors of one variable add up, here to nothing.
    let cancelled = Constraint {
        terms: vec![(number(2), x(0)), (number(-2), x(0))],
        relation: Relation::Equal,
        constant: number(1),
    };
    assert!(is_unsat(&decide(&[false], &[cancelled])));
}

#[test]
fn strict_bounds_leave_room_over_the_rationals_only() {
    let between = [gt(&[1], 0), lt(&[1], 1)];
    assert_eq!(decide(&[false], &between), Outcome::Sat);
    assert!(certificate(decide(&[true], &between)).integer);
    // `x < y < x` and `x < y <= x`.
    assert!(is_unsat(&decide(&[false; 2], &[lt(&[1, -1], 0), lt(&[-1, 1], 0)])));
    assert!(is_unsat(&decide(&[false; 2], &[lt(&[1, -1], 0), le(&[-1, 1], 0)])));
    assert_eq!(decide(&[false; 2], &[le(&[1, -1], 0), le(&[-1, 1], 0)]), Outcome::Sat);
}

#[test]
fn a_certificate_names_only_what_it_needs() {
    // x <= y, y <= z, z + 1 <= x; the rest is noise.
    let constraints = [
        le(&[1, -1, 0], 0),
        le(&[1, 1, 1], 100),
        le(&[0, 1, -1], 0),
        ge(&[1, 0, 0], -100),
        le(&[-1, 0, 1], -1),
    ];
    let found = certificate(decide(&[false; 3], &constraints));
    let one = BigRational::one();
    assert_eq!(found.farkas, [(0, one.clone()), (2, one.clone()), (4, one)]);
}

#[test]
fn equations_may_have_negative_multipliers() {
    let constraints = [eq(&[1, 1], 4), eq(&[1, -1], 2), ge(&[1, 0], 4)];
    let found = certificate(decide(&[false; 2], &constraints));
    assert_eq!(found.farkas.len(), 3);
    // A certificate that was tampered with does not hold.
    let mut wrong = found.clone();
    wrong.farkas[0].1 += BigRational::one();
    assert!(!wrong.holds(|tag| constraints.get(tag as usize)));
    let mut negative = found;
    negative.farkas[2].1 = -BigRational::one();
    assert!(!negative.holds(|tag| constraints.get(tag as usize)));
    let empty = Certificate { farkas: Vec::new(), integer: false };
    assert!(!empty.holds(|tag| constraints.get(tag as usize)));
}

#[test]
fn huge_factors_are_exact() {
    let huge = BigRational::from_integer(BigInt::from(10).pow(30));
    let next = &huge + BigRational::one();
    // 10^30 x - (10^30 + 1) y = 1 has integer solutions, but none with 0 <= y <= 10^30 - 2.
    let equation = Constraint {
        terms: vec![(huge.clone(), x(0)), (-&next, x(1))],
        relation: Relation::Equal,
        constant: BigRational::one(),
    };
    assert_eq!(decide(&[true; 2], std::slice::from_ref(&equation)), Outcome::Sat);
    let low = ge(&[0, 1], 0);
    let high = |constant| Constraint {
        terms: vec![(BigRational::one(), x(1))],
        relation: Relation::LessEqual,
        constant,
    };
    let exact = [equation.clone(), low.clone(), high(&huge - number(1))];
    assert_eq!(decide(&[true; 2], &exact), Outcome::Sat);
    assert!(is_unsat(&decide(&[true; 2], &[equation, low, high(&huge - number(2))])));
}

#[test]
fn huge_rationals_are_exact() {
    let huge = BigRational::from_integer(BigInt::from(10).pow(30));
    let terms = |a: &BigRational, b: &BigRational| vec![(a.clone(), x(0)), (b.clone(), x(1))];
    let less = |terms, constant| Constraint { terms, relation: Relation::Less, constant };
    let tiny = huge.recip();
    let first = less(terms(&huge, &tiny), BigRational::zero());
    let second = less(terms(&-&huge, &-&tiny), tiny.clone());
    assert_eq!(decide(&[false; 2], &[first.clone(), second.clone()]), Outcome::Sat);
    let third = less(terms(&-&huge, &-&tiny), BigRational::zero());
    assert!(is_unsat(&decide(&[false; 2], &[first, second, third])));
}

#[test]
fn divisibility() {
    let no_solution: &[&[Constraint]] = &[
        &[eq(&[2, 4], 1)],
        &[eq(&[6, 10, 15], 1), eq(&[1, 0, 0], 0), eq(&[0, 1, 0], 0)],
        // x + y even and x - y odd.
        &[eq(&[1, 1, -2, 0], 0), eq(&[1, -1, 0, -2], 1)],
        // x = 2a, y = 2b, x - y = 1 as inequalities.
        &[eq(&[1, 0, -2, 0], 0), eq(&[0, 1, 0, -2], 0), ge(&[1, -1], 1), le(&[1, -1], 1)],
        // 3x - 3y between 1 and 2.
        &[ge(&[3, -3], 1), le(&[3, -3], 2)],
        // x = 1 mod 3 and x = 2 mod 6.
        &[eq(&[1, -3, 0], 1), eq(&[1, 0, -6], 2)],
    ];
    for constraints in no_solution {
        let found = certificate(decide(&[true; 4], constraints));
        assert!(found.integer);
        assert_eq!(decide(&[false; 4], constraints), Outcome::Sat);
    }
    assert_eq!(decide(&[true; 3], &[eq(&[6, 10, 15], 1)]), Outcome::Sat);
    // x = 2 mod 3, x = 3 mod 5, x = 2 mod 7, 0 <= x < 105: only 23.
    let chinese = [
        eq(&[1, -3, 0, 0], 2),
        eq(&[1, 0, -5, 0], 3),
        eq(&[1, 0, 0, -7], 2),
        ge(&[1], 0),
        lt(&[1], 105),
    ];
    let mut solved = system(&[true; 4], &chinese);
    assert_eq!(check(&mut solved, &[true; 4], &chinese), Outcome::Sat);
    assert_eq!(solved.value(x(0)), number(23));
}

#[test]
fn a_core_leaves_out_what_is_beside_the_point() {
    let constraints = [
        le(&[0, 0, 1], 7),
        ge(&[2, 0, 0], 1),
        ge(&[0, 1, 1], -3),
        le(&[2, 0, 0], 1),
        eq(&[0, 1, -1], 0),
    ];
    let found = certificate(decide(&[true; 3], &constraints));
    assert_eq!(found.tags().collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn thin_polytopes_without_integers() {
    // 1 <= 3x - 2y <= 1 is a line with integers; between 30x - 20y = 1 and 9 there are none.
    assert_eq!(decide(&[true; 2], &[eq(&[3, -2], 1)]), Outcome::Sat);
    assert!(is_unsat(&decide(&[true; 2], &[ge(&[30, -20], 1), le(&[30, -20], 9)])));
    // A long triangle that misses all integers: y >= 1/2 x + 1/4, y <= 1/2 x + 1/3 - tiny, bounded.
    let strip = [ge(&[-2, 4], 1), le(&[-6, 12], 4), ge(&[1], 0), le(&[1], 1_000_000)];
    assert!(is_unsat(&decide(&[true; 2], &strip)));
    // The simplex 2x + 2y + 2z = odd within a box.
    let parity = [eq(&[2, 2, 2], 7), ge(&[1], 0), ge(&[0, 1], 0), ge(&[0, 0, 1], 0)];
    assert!(is_unsat(&decide(&[true; 3], &parity)));
    // Klee's wedge: 0 < y, y < n x, y < n (1 - x) has vertices at integers and apex at x = 1/2.
    let wedge = [ge(&[0, 1], 1), le(&[-40, 1], 0), le(&[40, 1], 40)];
    assert!(is_unsat(&decide(&[true; 2], &wedge)));
}

#[test]
fn degenerate_vertices_do_not_cycle() {
    // Beale's cycling example, with the optimum as a constraint that cannot be reached.
    let beale = |objective: i64| {
        vec![
            // 1/4 a - 60 b - 1/25 c + 9 d <= 0, times 100.
            le(&[25, -6000, -4, 900], 0),
            le(&[50, -9000, -2, 300], 0),
            le(&[0, 0, 1, 0], 1),
            ge(&[1, 0, 0, 0], 0),
            ge(&[0, 1, 0, 0], 0),
            ge(&[0, 0, 1, 0], 0),
            ge(&[0, 0, 0, 1], 0),
            // 3/4 a - 150 b + 1/50 c - 6 d >= objective / 100, of which 1/20 is the greatest.
            ge(&[75, -15000, 2, -600], objective),
        ]
    };
    assert_eq!(decide(&[false; 4], &beale(5)), Outcome::Sat);
    assert!(is_unsat(&decide(&[false; 4], &beale(6))));
    // Many constraints through one point.
    let mut star: Vec<Constraint> =
        (-6..=6).flat_map(|a| (-6..=6).map(move |b| le(&[a, b, 1], a + b))).collect();
    assert_eq!(decide(&[false; 3], &star), Outcome::Sat);
    star.push(gt(&[0, 0, 1], 0));
    assert!(is_unsat(&decide(&[false; 3], &star)));
}

#[test]
fn klee_minty_is_only_slow() {
    // The greatest value of the last variable is 5^n.
    let n = 8;
    let cube = |more: i64| {
        let mut constraints = Vec::new();
        for i in 0..n {
            let mut factors: Vec<i64> = (0..i).map(|j| 1_i64 << (i - j + 1)).collect();
            factors.push(1);
            constraints.push(le(&factors, 5_i64.pow(i as u32 + 1)));
            let mut single = vec![0; i];
            single.push(1);
            constraints.push(ge(&single, 0));
        }
        let objective: Vec<i64> = (0..n).map(|i| 1_i64 << (n - 1 - i)).collect();
        constraints.push(ge(&objective, 5_i64.pow(n as u32) + more));
        constraints
    };
    assert_eq!(decide(&vec![false; n], &cube(0)), Outcome::Sat);
    assert!(is_unsat(&decide(&vec![false; n], &cube(1))));
}

/// The knapsack cuww1 of Cornuéjols, Urbaniak, Weismantel & Wolsey 1997, on which branch and bound
/// in the given variables needs millions of nodes.
fn knapsack() -> Vec<Constraint> {
    vec![
        eq(&[12223, 12224, 36674, 61119, 85569], 89_643_481),
        ge(&[1], 0),
        ge(&[0, 1], 0),
        ge(&[0, 0, 1], 0),
        ge(&[0, 0, 0, 1], 0),
        ge(&[0, 0, 0, 0, 1], 0),
    ]
}

#[test]
fn a_hard_knapsack_is_easy_in_the_variables_that_elimination_leaves() {
    assert!(certificate(decide(&[true; 5], &knapsack())).integer);
}

#[test]
fn budgets_and_stops_end_as_unknown() {
    let mut tried = system(&[true; 8], &endless());
    let stop = Budget::default();
    stop.cancel();
    assert_eq!(tried.check(&stop), Outcome::Unknown(Exceeded::Interrupted.into()));
    let late = Budget::until(Some(Instant::now()));
    assert_eq!(tried.check(&late), Outcome::Unknown(Exceeded::Time.into()));
    let none = Budget::default().with_conflicts(0);
    assert_eq!(tried.check(&none), Outcome::Unknown(Reason::Conflicts));
    tried.set_node_budget(0);
    assert_eq!(tried.check(&Budget::default()), Outcome::Unknown(Reason::Conflicts));
}

/// x = u mod 2 and u = 1 mod 2, but as cycles of inequalities that no bound shows to be equations,
/// and x even: there is no solution, and no end of branches either.
fn endless() -> Vec<Constraint> {
    let mut constraints = vec![eq(&[1, 0, 0, 0, -2], 0)];
    // Columns: x, u, a, b, c, v, s, t.
    constraints.extend([
        ge(&[1, 1, -2], 0),
        ge(&[0, -1, 0, 0, 0, 1], 0),
        ge(&[-1, 0, 2, 0, 0, -1], 0),
        ge(&[0, 1, 0, -2, 0, 0, 1], 1),
        ge(&[0, 0, 0, 0, 0, 0, -1, 1], 0),
        ge(&[0, -1, 0, 2, 0, 0, 0, -1], -1),
        eq(&[0, 0, 0, 0, 0, 0, 1], 0),
    ]);
    constraints
}

#[test]
fn endless_branching_is_never_wrong() {
    let mut tried = system(&[true; 8], &endless());
    tried.set_node_budget(200);
    assert_ne!(tried.check(&Budget::default()), Outcome::Sat);
    assert_eq!(decide(&[false; 8], &endless()), Outcome::Sat);
}

#[test]
fn marks_take_back_contradictions_and_keep_variables() {
    let mut system = System::new();
    let a = system.variable(false);
    system.assert(&ge(&[1], 3), 0);
    let mark = system.mark();
    system.assert(&le(&[1], 2), 1);
    system.assert(&le(&[1], 1), 2);
    assert!(is_unsat(&system.check(&Budget::default())));
    let inner = system.mark();
    system.assert(&eq(&[], 1), 3);
    system.undo(inner);
    assert!(is_unsat(&system.check(&Budget::default())));
    system.undo(mark);
    assert_eq!(system.check(&Budget::default()), Outcome::Sat);
    let b = system.variable(true);
    system.assert(&lt(&[2, -2], -7), 1);
    system.undo(mark);
    system.assert(&eq(&[2, -2], -7), 1);
    system.assert(&eq(&[1], 4), 2);
    assert!(is_unsat(&system.check(&Budget::default())));
    system.undo(mark);
    system.assert(&eq(&[2, -2], -7), 1);
    assert_eq!(system.check(&Budget::default()), Outcome::Sat);
    assert_eq!(system.value(b) - system.value(a), BigRational::new(7.into(), 2.into()));
    // A mark that was passed already changes nothing.
    system.undo(mark);
    system.undo(inner);
    assert_eq!(system.check(&Budget::default()), Outcome::Sat);
}
