//! Lemmas about small words, on all values of their variables.

use proptest::prelude::*;
use run::Budget;
use rustc_hash::FxHashMap;
use term::{Bv, Sort, TermId, Terms, Value, Var};

use super::polynomial::ratio;
use super::{Identities, Lemma};
use crate::{Answer, Builtin, Solver};

const WIDTH: u32 = 3;
const VARS: u32 = 3;

/// A word or a formula by its shape.
#[derive(Clone, Debug)]
enum Shape {
    Var(u32),
    Number(u128),
    Add(Box<[Shape; 2]>),
    Sub(Box<[Shape; 2]>),
    Mul(Box<[Shape; 2]>),
    Not(Box<Shape>),
    Shift(Box<Shape>, u128),
    /// One word if the third is less than the fourth, else the other.
    Choose(Box<[Shape; 4]>),
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf =
        prop_oneof![3 => (0..VARS).prop_map(Shape::Var), 1 => (0..8_u128).prop_map(Shape::Number)];
    leaf.prop_recursive(4, 16, 2, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| Box::new([a, b]));
        let four = [inner.clone(), inner.clone(), inner.clone(), inner.clone()];
        prop_oneof![
            pair.clone().prop_map(Shape::Add),
            pair.clone().prop_map(Shape::Sub),
            pair.prop_map(Shape::Mul),
            inner.clone().prop_map(|a| Shape::Not(Box::new(a))),
            (inner, 0..5_u128).prop_map(|(a, by)| Shape::Shift(Box::new(a), by)),
            four.prop_map(|four| Shape::Choose(Box::new(four))),
        ]
    })
}

impl Shape {
    fn term(&self, terms: &mut Terms, vars: &[Var]) -> TermId {
        let mut of = |shape: &Shape| shape.term(terms, vars);
        match self {
            Shape::Var(at) => terms.var(vars[*at as usize]),
            Shape::Number(number) => terms.bv(WIDTH, *number),
            Shape::Add(both) => {
                let (a, b) = (of(&both[0]), of(&both[1]));
                terms.bv_add(a, b)
            }
            Shape::Sub(both) => {
                let (a, b) = (of(&both[0]), of(&both[1]));
                terms.bv_sub(a, b)
            }
            Shape::Mul(both) => {
                let (a, b) = (of(&both[0]), of(&both[1]));
                terms.bv_mul(a, b)
            }
            Shape::Not(a) => {
                let a = of(a);
                terms.bv_not(a)
            }
            Shape::Shift(a, by) => {
                let a = of(a);
                let by = terms.bv(WIDTH, *by);
                terms.bv_shl(a, by)
            }
            Shape::Choose(four) => {
                let [then, otherwise, a, b] = four.each_ref().map(of);
                let condition = terms.bv_ult(a, b);
                terms.ite(condition, then, otherwise)
            }
        }
    }
}

/// Whether a lemma holds for all values of the variables.
fn is_valid(terms: &Terms, vars: &[Var], lemma: &Lemma) -> bool {
    (0..1_u128 << (WIDTH * VARS)).all(|all| {
        let bits = |at: u32| Value::Bv(Bv::new(WIDTH, all >> (WIDTH * at) & 7));
        let values: FxHashMap<Var, Value> = vars.iter().copied().zip((0..).map(bits)).collect();
        let value = |term: TermId| {
            let known = terms.eval(term, &mut |var| values.get(&var).cloned());
            known.expect("all variables have values")
        };
        let applies = lemma.premises.iter().all(|(term, is)| value(*term) == Value::Bool(*is))
            && lemma.same.is_none_or(|(a, b)| value(a) == value(b));
        !applies || value(lemma.equation) == Value::Bool(true)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn lemmas_are_valid(sides in proptest::collection::vec((shape(), shape()), 1..5), asserted in 0..3_usize) {
        let mut terms = Terms::new();
        let vars: Vec<Var> =
            (0..VARS).map(|at| terms.declare(format!("v{at}"), Sort::Bv(WIDTH))).collect();
        let mut roots: Vec<TermId> = Vec::new();
        for (at, (a, b)) in sides.iter().enumerate() {
            let (a, b) = (a.term(&mut terms, &vars), b.term(&mut terms, &vars));
            let equation = terms.eq(a, b);
            roots.push(if at < asserted { equation } else { terms.not(equation) });
        }
        for lemma in Identities::default().lemmas(&terms, &roots) {
            prop_assert!(is_valid(&terms, &vars, &lemma), "{lemma:?}");
        }
    }

    #[test]
    fn ratios_are_exact(a: u64, b: u64, shift in 0..64_u32) {
        let b = b << shift;
        match ratio(a, b) {
            Some(ratio) => prop_assert_eq!(ratio.wrapping_mul(b), a),
            None => prop_assert!(b == 0 || b.trailing_zeros() > a.trailing_zeros()),
        }
    }
}

/// What the solver says of formulas in SMT-LIB over some words, within a few conflicts.
fn answer(formulas: &[&str]) -> Answer {
    let mut terms = Terms::new();
    let vars = ["a", "b", "k", "p", "r", "x", "y", "z"]
        .map(|name| (name, terms.declare(name, Sort::Bv(32))));
    let mut solver = Builtin::new();
    for formula in formulas {
        let mut symbol =
            |name: &str| vars.iter().find(|(known, _)| *known == name).map(|(_, var)| *var);
        let formula = terms.parse(formula, &mut symbol).expect("a formula");
        solver.assert(&terms, formula);
    }
    solver.check(&terms, &[], &Budget::default().with_conflicts(300))
}

#[test]
fn equations_follow_from_others() {
    let unsat = |formulas: &[&str]| assert_eq!(answer(formulas), Answer::Unsat, "{formulas:?}");
    // Sums and products by themselves.
    unsat(&["(not (= (bvsub (bvmul x (bvadd x #x00000001)) x) (bvmul x x)))"]);
    // A multiple of a premise.
    unsat(&[
        "(= (bvadd (bvmul x z) #x00000001) (bvadd x (bvmul z y)))",
        "(let ((next (bvadd (bvmul x z) #x00000001)))
           (not (= (bvadd (bvmul next z) #x00000001) (bvadd next (bvmul z (bvmul y z))))))",
    ]);
    // A number of which only the fourfold is known.
    unsat(&[
        "(= (bvmul #x00000004 x) (bvmul (bvmul y y) (bvmul (bvadd y #x00000001) (bvadd y #x00000001))))",
        "(let ((y1 (bvadd y #x00000001)) (y2 (bvadd y #x00000002)))
           (not (= (bvmul #x00000004 (bvadd x (bvmul y1 (bvmul y1 y1))))
             (bvmul (bvmul y1 y1) (bvmul y2 y2)))))",
    ]);
    // Operands that a condition chooses.
    unsat(&[
        "(= a (bvadd (bvmul y r) (bvmul x p)))",
        "(let ((less (bvslt a b)))
           (not (= (ite less (bvadd a (bvmul k x)) a)
             (bvadd (bvmul y r) (bvmul x (ite less (bvadd p k) p))))))",
    ]);
    // Two words that the order makes the same.
    unsat(&["(bvsle x y)", "(bvsle y x)", "(not (= (bvmul x y) (bvmul y y)))"]);
    unsat(&[
        "(bvslt y k)",
        "(bvsle k (bvadd y #x00000001))",
        "(let ((next (bvadd y #x00000001))) (not (= (bvmul k next) (bvmul next next))))",
    ]);
}

#[test]
fn what_does_not_follow_has_a_model() {
    let sat = |formulas: &[&str]| assert_eq!(answer(formulas), Answer::Sat, "{formulas:?}");
    // Twice a number does not tell its highest bit.
    sat(&[
        "(= (bvmul #x00000002 x) (bvmul #x00000002 y))",
        "(not (= (bvmul #x00000003 x) (bvmul #x00000003 y)))",
    ]);
    sat(&["(not (= (bvmul x (bvadd x #x00000001)) (bvadd (bvmul x x) #x00000001)))"]);
}
