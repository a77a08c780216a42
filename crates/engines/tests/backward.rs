//! The backward analysis: orders and abstraction functions obey the thesis' lemmas, small systems
//! give exact figures, and what it cannot do it refuses.

#![allow(missing_docs)]

use base::Id as _;
use cfa::{LocId, Program};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use proviso_engines::backward::alpha::Predicates;
use proviso_engines::backward::atom::{AtomId, Atoms, Literal, Relation};
use proviso_engines::backward::bits::Bits;
use proviso_engines::backward::entail::Context;
use proviso_engines::backward::linear::Linear;
use proviso_engines::backward::order::{conjunction_leq, leq};
use proviso_engines::backward::{self, Alpha, Direction, Options, Report};
use proviso_engines::replay;
use run::{Budget, Replayed, Run, Unknown, Verdict};
use smt::Builtin;

fn load(name: &str, text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add(name, text.as_bytes()).expect("a short file");
    let loaded = match name.rsplit('.').next() {
        Some("pl") => frontend::armc::load(sources, file),
        Some("cfa") => frontend::theta::load(sources, file),
        _ => panic!("{name} is in another language"),
    };
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

/// Runs the analysis, and has every proof and every error checked by other code.
fn check(program: &Program, options: &Options) -> (Verdict, Option<Box<Report>>) {
    let solver = || Box::new(Builtin::new()) as Box<dyn smt::FullSolver>;
    let (verdict, report) =
        backward::check(program, options, &solver, &Run::unobserved(Budget::default()));
    match &verdict {
        Verdict::Safe(_) => {
            if let Some(invariants) = report.as_ref().and_then(|each| each.invariants.as_ref()) {
                let (program, certificate) = invariants.certificate(program);
                let mut solver = Builtin::new();
                let outcome =
                    certify::certify(program, certificate, &mut solver, &Budget::default());
                assert_eq!(outcome.certified, certify::Certified::Holds);
            }
        }
        Verdict::Unsafe(found) => {
            assert!(matches!(
                replay(program, &found.drawn, &Budget::default()),
                Replayed::Error(_)
            ));
        }
        Verdict::Unknown(_) => {}
    }
    (verdict, report)
}

// An atom is `a*x + b*y + c*z relation d`, with factors and a constant that are small.
type Raw = ([i64; 3], u8, i64);

fn atom() -> impl Strategy<Value = Raw> {
    ([-1i64..=1, -1i64..=1, -1i64..=1], 0u8..6, -2i64..=2)
}

fn conjunction() -> impl Strategy<Value = Vec<Raw>> {
    proptest::collection::vec(atom(), 0..4)
}

fn rational(number: i64) -> BigRational {
    BigRational::from_integer(BigInt::from(number))
}

const RELATIONS: [Relation; 6] =
    [Relation::Le, Relation::Lt, Relation::Ge, Relation::Gt, Relation::Eq, Relation::Ne];

/// The atoms of a conjunction; those without a place are left out.
fn intern(atoms: &mut Atoms, raw: &[Raw]) -> Vec<AtomId> {
    let mut found: Vec<AtomId> = raw
        .iter()
        .filter_map(|(factors, relation, constant)| {
            let mut sum = Linear::number(rational(-constant));
            for (place, factor) in (0..).zip(factors) {
                sum.add(&rational(*factor), &Linear::unknown(place));
            }
            match atoms.literal(&sum, RELATIONS[usize::from(*relation)]) {
                Literal::Atom(id) => Some(id),
                _ => None,
            }
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn holds(atoms: &Atoms, id: AtomId, point: &[i64; 3]) -> bool {
    let atom = atoms.atom(id);
    let mut sum = rational(0);
    for (place, factor) in atoms.form(atom.form) {
        // Points are in halves.
        sum += BigRational::new(factor * point[*place as usize], 2.into());
    }
    atom.relation.holds(sum.cmp(&atom.constant))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Lemma 1: `≤_1` implies `≤_2` implies `≤_3`; and each is reflexive.
    #[test]
    fn the_orders_include_each_other(a in conjunction(), b in conjunction()) {
        let mut atoms = Atoms::new(vec![false; 3]);
        let (a, b) = (intern(&mut atoms, &a), intern(&mut atoms, &b));
        let limits = Budget::default();
        let below = Alpha::ALL.map(|k| conjunction_leq(&atoms, k, &a, &b, &limits).unwrap());
        prop_assert!(!below[0] || below[1]);
        prop_assert!(!below[1] || below[2]);
        for k in Alpha::ALL {
            prop_assert!(conjunction_leq(&atoms, k, &a, &a, &limits).unwrap());
        }
    }

    /// The orders are transitive.
    #[test]
    fn the_orders_are_transitive(a in conjunction(), b in conjunction(), c in conjunction()) {
        let mut atoms = Atoms::new(vec![false; 3]);
        // Chances are small that three are in order, so the second gets some of the first's atoms.
        let a = intern(&mut atoms, &a);
        let mut b = intern(&mut atoms, &b);
        b.extend(a.iter().skip(1));
        b.sort_unstable();
        b.dedup();
        let mut c = intern(&mut atoms, &c);
        c.truncate(1);
        let limits = Budget::default();
        for k in Alpha::ALL {
            let leq = |x: &[AtomId], y: &[AtomId]| {
                conjunction_leq(&atoms, k, x, y, &limits).unwrap()
            };
            prop_assert!(!(leq(&a, &b) && leq(&b, &c)) || leq(&a, &c));
        }
    }

    /// Theorem 1: `α_k(φ) ⊑ ψ` if and only if `φ ≤_k ψ`, for every `ψ` over the predicates. What
    /// has no solution is abstracted to nothing, which is below everything, and is left out here.
    #[test]
    fn abstraction_and_concretisation_are_a_galois_connection(
        phi in proptest::collection::vec(conjunction(), 1..3),
        predicates in proptest::collection::vec(atom(), 1..8),
        choice in proptest::collection::vec(0u8..=255, 1..3),
    ) {
        let mut atoms = Atoms::new(vec![false; 3]);
        let here = LocId::from_index(0);
        let list = intern(&mut atoms, &predicates);
        let phi: Vec<Vec<AtomId>> = phi.iter().map(|raw| intern(&mut atoms, raw)).collect();
        let mut known = Predicates::new(false);
        for atom in &list {
            known.add(&atoms, here, *atom);
        }
        let limits = Budget::default();
        // Some conjunctions over the predicates.
        let psi: Vec<Bits> = choice
            .iter()
            .map(|bits| (0..list.len()).filter(|index| bits >> index & 1 == 1).collect())
            .collect();
        for k in Alpha::ALL {
            let mut images = Vec::new();
            for disjunct in &phi {
                let implied = known.implied(&atoms, k, disjunct, known.all(), &limits).unwrap();
                match implied {
                    Some(implied) => images.push(implied),
                    None => return Ok(()),
                }
            }
            // `⊑` of the free lattice: each disjunct has all atoms of one on the right.
            let abstractly =
                images.iter().all(|image| psi.iter().any(|each| each.is_subset(image)));
            let right: Vec<Vec<AtomId>> = psi.iter().map(|each| known.atoms(each)).collect();
            let concretely = leq(&atoms, k, &phi, &right, &limits).unwrap();
            prop_assert_eq!(abstractly, concretely, "alpha{}", k.number());
        }
    }

    /// What is implied holds at every point where the conjunction does, and what has no solution
    /// holds nowhere.
    #[test]
    fn implication_is_sound(a in conjunction(), b in atom()) {
        let mut atoms = Atoms::new(vec![false; 3]);
        let a = intern(&mut atoms, &a);
        let b = intern(&mut atoms, &[b]);
        let limits = Budget::default();
        let mut context = Context::new(&atoms, &a, &limits).unwrap();
        let mut implied = true;
        for atom in &b {
            implied &= context.implies(*atom).unwrap();
        }
        for x in -4..=4 {
            for y in -4..=4 {
                for z in -4..=4 {
                    let at = |id: &AtomId| holds(&atoms, *id, &[x, y, z]);
                    if a.iter().all(at) {
                        prop_assert!(context.is_satisfiable());
                        prop_assert!(!implied || b.iter().all(at));
                    }
                }
            }
        }
    }
}

/// Table 4.1 of the thesis.
#[test]
fn the_abstraction_functions_give_the_examples_of_the_thesis() {
    let mut atoms = Atoms::new(vec![false; 3]);
    let x = [1, 0, 0];
    let (le, ge, eq) = (0, 2, 4);
    let list = intern(&mut atoms, &[(x, le, 10), (x, le, 5), (x, eq, 0)]);
    let here = LocId::from_index(0);
    let limits = Budget::default();
    let count = |atoms: &Atoms, list: &[AtomId], phi: &[AtomId]| {
        let mut known = Predicates::new(false);
        for atom in list {
            known.add(atoms, here, *atom);
        }
        Alpha::ALL.map(|k| {
            known.implied(atoms, k, phi, known.all(), &limits).unwrap().map(|bits| bits.len())
        })
    };
    let five = intern(&mut atoms, &[(x, eq, 5)]);
    assert_eq!(count(&atoms, &list, &five), [Some(0), Some(2), Some(2)]);
    let zero = intern(&mut atoms, &[(x, eq, 0)]);
    assert_eq!(count(&atoms, &list, &zero), [Some(1), Some(3), Some(3)]);
    let both = intern(&mut atoms, &[(x, le, 0), (x, ge, 0)]);
    assert_eq!(count(&atoms, &zero, &both), [Some(0), Some(0), Some(1)]);
}

/// The small system of the thesis' Figure 3.1, whose error is reachable, and a safe one.
fn small(bound: &str) -> Program {
    let text = format!(
        "r(p(init, X), p(plus, Y), {{Y = 0}}, 1).
         r(p(plus, X), p(plus, Y), {{X < 3, Y = X + 1}}, 2).
         r(p(plus, X), p(error, X), {{X >= {bound}}}, 3).
         s(0, p(error, _), {{}}, 1, (0,0)).
         b(p(plus, _), {{}}, 1). b(p(error, _), {{}}, 2)."
    );
    load("small.pl", &text)
}

#[test]
fn small_systems_have_exact_figures() {
    for alpha in Alpha::ALL {
        let options = Options { alpha, ..Options::default() };
        let (verdict, report) = check(&small("3"), &options);
        let Verdict::Unsafe(found) = verdict else { panic!("{verdict:?}") };
        assert_eq!(found.steps, 5);
        let report = report.expect("a report");
        assert_eq!(report.concrete_trace.len(), 6);
        assert_eq!(report.concrete_trace[0].location, "init");
    }
    let (verdict, report) = check(&small("4"), &Options::default());
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    let figures = report.expect("a report").figures;
    assert_eq!((figures.commands, figures.variables), (3, 1));
    assert_eq!((figures.refinements, figures.steps), (1, 1));
}

#[test]
fn every_way_to_run_it_agrees() {
    let programs = [(small("4"), true), (small("3"), false)];
    for (program, safe) in &programs {
        for local in [false, true] {
            for direction in [Direction::Backward, Direction::Forward] {
                for concrete_fixpoint in [false, true] {
                    let options = Options {
                        local,
                        direction,
                        concrete_fixpoint,
                        minimise: true,
                        ..Options::default()
                    };
                    let (verdict, _) = check(program, &options);
                    let right = match verdict {
                        Verdict::Safe(_) => *safe,
                        Verdict::Unsafe(_) => !safe,
                        Verdict::Unknown(_) => false,
                    };
                    assert!(right, "{options:?}: {verdict:?}");
                }
            }
        }
    }
}

#[test]
fn an_abstraction_that_does_not_end_is_unknown() {
    let program = load(
        "up.pl",
        "r(p(init, X), p(up, Y), {Y = 0}, 1).
         r(p(up, X), p(up, Y), {Y = X + 1}, 2).
         s(0, p(up, X), {X =< -1}, 1, (0,0)).
         b(p(up, _), {}, 1).",
    );
    let options = Options { alpha: Alpha::One, max_refinements: 6, ..Options::default() };
    let (verdict, _) = check(&program, &options);
    let Verdict::Unknown(Unknown::Exhausted(why)) = verdict else { panic!("{verdict:?}") };
    assert_eq!(why, "no fixpoint after 6 refinements");
    let (verdict, report) = check(&program, &Options { alpha: Alpha::Two, ..options });
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    assert_eq!(report.expect("a report").figures.refinements, 0);
}

#[test]
fn integers_are_not_rationals() {
    // Over the rationals 2x = 1 has a solution; no integer does.
    let text = |sort: &str| {
        format!(
            "main process P {{ var x : {sort} var y : {sort}
               init loc S loc M error loc E final loc F
               S -> M {{ havoc x y := 2 * x }}
               M -> E {{ assume y = 1 }}
               M -> F {{ assume y /= 1 }} }}"
        )
    };
    let (verdict, _) = check(&load("int.cfa", &text("int")), &Options::default());
    assert!(!matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    let (verdict, _) = check(&load("rat.cfa", &text("rat")), &Options::default());
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}

#[test]
fn truth_values_and_cases_are_split() {
    let program = load(
        "flag.cfa",
        "main process P { var x : int var b : bool
           init loc S loc L error loc E final loc F
           S -> L { x := 0 b := false }
           L -> L { assume x < 10 b := (x > 3) x := (if b then x + 1 else x + 2) }
           L -> E { assume b and x < 4 }
           L -> F { assume not b } }",
    );
    let (verdict, _) = check(&program, &Options::default());
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}

#[test]
fn what_is_not_linear_is_refused() {
    let program = load(
        "product.cfa",
        "main process P { var x : int var y : int init loc S error loc E final loc F
           S -> E { assume x * y = 1 } }",
    );
    let (verdict, report) = check(&program, &Options::default());
    let Verdict::Unknown(Unknown::Unsupported { reason, edge }) = verdict else {
        panic!("{verdict:?}")
    };
    assert!(reason.ends_with("a product of two variables is not linear"), "{reason}");
    assert!(edge.is_some() && report.is_none());
}

/// Code that nothing leads to does not spoil a proof.
#[test]
fn dead_code_is_passed_over() {
    let program = load(
        "dead.cfa",
        "main process P { var x : int
           init loc S loc L loc D error loc E final loc F
           S -> L { x := 0 }
           D -> L { x := 7 }
           L -> L { assume x < 5 x := x + 1 }
           L -> E { assume x > 5 }
           L -> F { assume x = 5 } }",
    );
    let (verdict, _) = check(&program, &Options::default());
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}
