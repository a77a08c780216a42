//! Answers against SAT: the same, with models that satisfy and cores that are unsatisfiable.

use base::Random;
use term::{TermId, Value};

use super::Dice;
use super::world::World;
use crate::builtin::Builtin;
use crate::front::{Front, Outcome};
use crate::{Answer, Solver};
use run::Budget;

/// Gives whether the layer answered.
fn agrees(seed: u64, width: u32) -> bool {
    let mut dice = Dice(Random::new(seed));
    let mut world = World::new(width);
    let mut draw = |most: usize| -> Vec<TermId> {
        (0..dice.roll(most)).map(|_| bits_only(&mut world, &mut dice)).collect()
    };
    let (asserted, assumptions) = (draw(3), draw(5));
    agrees_on(seed, &world, &asserted, &assumptions)
}

fn agrees_on(seed: u64, world: &World, asserted: &[TermId], assumptions: &[TermId]) -> bool {
    let mut sat = Builtin::without_front();
    for formula in asserted {
        sat.assert(&world.terms, *formula);
    }
    match Front::default().check(&world.terms, asserted, assumptions, &Budget::default()) {
        Outcome::Unknown => return false,
        Outcome::Unsat(core) => {
            assert!(core.iter().all(|term| assumptions.contains(term)), "seed {seed}");
            let answer = sat.check(&world.terms, &core, &Budget::default());
            assert_eq!(answer, Answer::Unsat, "seed {seed}: a core has a model");
        }
        Outcome::Candidate(values) => {
            let wrong = asserted.iter().chain(assumptions).find(|formula| {
                let value = world.terms.eval(**formula, &mut |var| values.get(&var).cloned());
                value != Ok(Value::Bool(true))
            });
            if let Some(wrong) = wrong {
                panic!("seed {seed}: the model does not satisfy {}", world.terms.display(*wrong));
            }
        }
    }
    true
}

/// A formula that the SAT solver knows: without numbers.
fn bits_only(world: &mut World, dice: &mut Dice) -> TermId {
    loop {
        let formula = world.formula(dice, 3);
        let numbers = world
            .terms
            .vars(formula)
            .into_iter()
            .any(|var| matches!(world.terms.var_sort(var), term::Sort::Int | term::Sort::Rat));
        if !numbers && !has_numbers(world, formula) {
            return formula;
        }
    }
}

fn has_numbers(world: &World, formula: TermId) -> bool {
    let order = world.terms.post_order(&[formula]);
    order.iter().any(|t| matches!(world.terms.sort(*t), term::Sort::Int | term::Sort::Rat))
}

#[test]
fn agree_with_sat_on_small_words() {
    let answered = (0..4_000).filter(|seed| agrees(*seed, 1 + (seed % 4) as u32)).count();
    assert!(answered > 2_000, "{answered} of 4000 answered");
}

#[test]
fn agree_with_sat_on_wider_words() {
    let answered = (0..600).filter(|seed| agrees(*seed, [8, 12][(seed % 2) as usize])).count();
    assert!(answered > 300, "{answered} of 600 answered");
}

/// Equations and comparisons between few terms, so that classes merge and cycles close.
#[test]
fn agree_with_sat_on_equalities_and_orders() {
    let mut unsat = 0;
    for seed in 0..3_000 {
        let mut dice = Dice(Random::new(seed));
        let mut world = World::new(2 + (seed % 2) as u32);
        let sort = term::Sort::Bv(world.width);
        let mut pool: Vec<TermId> = (0..6)
            .map(|at| {
                let var = world.terms.declare(format!("e{at}"), sort);
                world.terms.var(var)
            })
            .collect();
        for at in 0..4 {
            let (a, b) = (pool[at], pool[5 - dice.roll(2)]);
            pool.push(world.terms.bv_mul(a, b));
        }
        let atoms: Vec<TermId> = (0..4 + dice.roll(7))
            .map(|_| {
                let (a, b) = (pool[dice.roll(pool.len())], pool[dice.roll(pool.len())]);
                match dice.roll(8) {
                    0..4 => world.terms.eq(a, b),
                    4 => world.terms.ne(a, b),
                    5 => world.terms.bv_ult(a, b),
                    6 => world.terms.bv_ule(a, b),
                    _ => world.terms.bv_sle(a, b),
                }
            })
            .collect();
        agrees_on(seed, &world, &[], &atoms);
        let outcome = Front::default().check(&world.terms, &[], &atoms, &Budget::default());
        unsat += usize::from(matches!(outcome, Outcome::Unsat(_)));
    }
    assert!(unsat > 500, "{unsat} of 3000 contradictions found");
}

#[test]
fn deep_terms_need_no_deep_stack() {
    let mut terms = term::Terms::new();
    let (x, p) = (terms.declare("x", term::Sort::Bv(32)), terms.declare("p", term::Sort::Bool));
    let (x, p) = (terms.var(x), terms.var(p));
    let mut word = x;
    for _ in 0..60_000 {
        let product = terms.bv_mul(word, word);
        word = terms.bv_xor(product, x);
    }
    let three = terms.bv(32, 3);
    let truth = terms.bv_ult(word, three);
    let zero = terms.bv(32, 0);
    let start = terms.eq(x, zero);
    match Front::default().check(&terms, &[], &[start, truth], &Budget::default()) {
        Outcome::Candidate(values) => {
            let value = terms.eval(truth, &mut |var| values.get(&var).cloned());
            assert_eq!(value, Ok(Value::Bool(true)));
        }
        Outcome::Unsat(_) => panic!("it has a model"),
        Outcome::Unknown => panic!("all follows from one constant"),
    }
    let not = terms.not(truth);
    let Outcome::Unsat(mut core) =
        Front::default().check(&terms, &[], &[p, not, truth], &Budget::default())
    else {
        panic!("a contradiction between two assumptions")
    };
    core.sort_unstable();
    let mut expected = vec![not, truth];
    expected.sort_unstable();
    assert_eq!(core, expected, "nothing else is needed");
}

#[test]
fn cores_name_what_is_needed() {
    let mut terms = term::Terms::new();
    let vars: Vec<TermId> = ["x", "y", "z", "u"]
        .iter()
        .map(|name| {
            let var = terms.declare(*name, term::Sort::Bv(32));
            terms.var(var)
        })
        .collect();
    let &[x, y, z, u] = vars.as_slice() else { unreachable!("four variables") };
    let (five, nine) = (terms.bv(32, 5), terms.bv(32, 9));
    let formulas = [
        terms.bv_slt(x, y),
        terms.bv_ult(u, nine),
        terms.bv_sle(y, z),
        terms.eq(u, five),
        terms.bv_sle(z, x),
        terms.bv_ule(x, nine),
    ];
    let Outcome::Unsat(core) = Front::default().check(&terms, &[], &formulas, &Budget::default())
    else {
        panic!("a cycle of comparisons")
    };
    assert_eq!(core, [formulas[0], formulas[2], formulas[4]]);
    // Congruence: equal arguments, different results.
    let (a, b) = (terms.bv_mul(x, z), terms.bv_mul(y, z));
    let formulas = [terms.eq(x, u), terms.eq(z, five), terms.eq(u, y), terms.ne(a, b)];
    let Outcome::Unsat(core) = Front::default().check(&terms, &[], &formulas, &Budget::default())
    else {
        panic!("a product of equals")
    };
    assert_eq!(core, [formulas[0], formulas[2], formulas[3]]);
}
