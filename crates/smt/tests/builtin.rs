//! The built-in solver against brute force: every answer, model and core of small formulas.

use base::Random;
use proptest::prelude::*;
use proviso_smt::{Answer, Builtin, Cores, Models, Solver};
use run::{Budget, Exceeded};
use term::{Op, Sort, TermId, Terms, Value, Var};

struct World {
    terms: Terms,
    words: Vec<Var>,
    bools: Vec<Var>,
    array: Option<Var>,
    width: u32,
}

impl World {
    fn new(width: u32, with_array: bool) -> Self {
        let mut terms = Terms::new();
        let words = (0..2).map(|i| terms.declare(format!("x{i}"), Sort::Bv(width))).collect();
        let bools = vec![terms.declare("p", Sort::Bool)];
        let array = with_array.then(|| {
            let sort = terms.array_sort(Sort::Bv(width), Sort::Bv(width));
            terms.declare("a", sort)
        });
        Self { terms, words, bools, array, width }
    }

    fn word(&mut self, dice: &mut Random, depth: u32) -> TermId {
        use Op::*;
        if depth == 0 || dice.below(6) == 0 {
            return match dice.below(4) {
                0 => self.terms.bv(self.width, dice.below(1 << self.width) as u128),
                at => {
                    let var = self.words[at % self.words.len()];
                    self.terms.var(var)
                }
            };
        }
        const BINARY: &[Op] = &[
            BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvSmod, BvAnd, BvOr, BvXor, BvShl,
            BvLshr, BvAshr,
        ];
        match dice.below(BINARY.len() + 6) {
            n if n < BINARY.len() => {
                let (a, b) = (self.word(dice, depth - 1), self.word(dice, depth - 1));
                self.terms.app(BINARY[n], &[a, b])
            }
            n if n == BINARY.len() => {
                let a = self.word(dice, depth - 1);
                self.terms.app(if dice.below(2) == 0 { BvNot } else { BvNeg }, &[a])
            }
            n if n == BINARY.len() + 1 => {
                let (c, a, b) = (
                    self.formula(dice, depth - 1),
                    self.word(dice, depth - 1),
                    self.word(dice, depth - 1),
                );
                self.terms.ite(c, a, b)
            }
            n if n == BINARY.len() + 2 => {
                let (a, b) = (self.word(dice, depth - 1), self.word(dice, depth - 1));
                let both = self.terms.bv_concat(a, b);
                let low = dice.below(self.width as usize + 1) as u32;
                self.terms.bv_extract(low + self.width - 1, low, both)
            }
            n if n == BINARY.len() + 3 => {
                let a = self.word(dice, depth - 1);
                let wide = if dice.below(2) == 0 {
                    self.terms.bv_sign_extend(self.width + 2, a)
                } else {
                    self.terms.bv_zero_extend(self.width + 2, a)
                };
                self.terms.bv_extract(self.width + 1, 2, wide)
            }
            _ => match self.array {
                Some(array) => {
                    let mut memory = self.terms.var(array);
                    for _ in 0..dice.below(3) {
                        let (i, v) = (self.word(dice, depth - 1), self.word(dice, depth - 1));
                        memory = self.terms.store(memory, i, v);
                    }
                    let i = self.word(dice, depth - 1);
                    self.terms.select(memory, i)
                }
                None => self.word(dice, depth - 1),
            },
        }
    }

    fn formula(&mut self, dice: &mut Random, depth: u32) -> TermId {
        use Op::*;
        const PREDICATES: &[Op] = &[
            Eq,
            BvUlt,
            BvUle,
            BvSlt,
            BvSle,
            BvUaddOverflow,
            BvSaddOverflow,
            BvUsubOverflow,
            BvSsubOverflow,
            BvUmulOverflow,
            BvSmulOverflow,
        ];
        if depth == 0 {
            let var = self.bools[0];
            return self.terms.var(var);
        }
        match dice.below(PREDICATES.len() + 3) {
            n if n < PREDICATES.len() => {
                let (a, b) = (self.word(dice, depth - 1), self.word(dice, depth - 1));
                self.terms.app(PREDICATES[n], &[a, b])
            }
            n if n == PREDICATES.len() => {
                let a = self.formula(dice, depth - 1);
                self.terms.not(a)
            }
            n => {
                let (a, b) = (self.formula(dice, depth - 1), self.formula(dice, depth - 1));
                if n % 2 == 0 { self.terms.and2(a, b) } else { self.terms.or2(a, b) }
            }
        }
    }

    /// Whether some assignment satisfies all formulas.
    fn by_force(&self, formulas: &[TermId]) -> bool {
        let bits = self.width * self.words.len() as u32 + 1;
        let cells = if self.array.is_some() { self.width << self.width } else { 0 };
        (0..1_u64 << (bits + cells)).any(|code| {
            let mask = (1_u64 << self.width) - 1;
            let mut env = |var: Var| -> Option<Value> {
                if let Some(at) = self.words.iter().position(|word| *word == var) {
                    let word = code >> (at as u32 * self.width) & mask;
                    return Some(Value::Bv(term::Bv::new(self.width, u128::from(word))));
                }
                if Some(var) == self.array {
                    let Sort::Array(sort) = self.terms.var_sort(var) else { return None };
                    let mut array =
                        term::ArrayValue::new(sort, Value::Bv(term::Bv::zero(self.width)));
                    for index in 0..1_u32 << self.width {
                        let word = code >> (bits + index * self.width) & mask;
                        let index = Value::Bv(term::Bv::new(self.width, u128::from(index)));
                        array.set(index, Value::Bv(term::Bv::new(self.width, u128::from(word))));
                    }
                    return Some(Value::Array(Box::new(array)));
                }
                Some(Value::Bool(code >> (bits - 1) & 1 == 1))
            };
            formulas
                .iter()
                .all(|formula| self.terms.eval(*formula, &mut env) == Ok(Value::Bool(true)))
        })
    }
}

fn agree(seed: u64, width: u32, with_array: bool, depth: u32) {
    let mut dice = Random::new(seed);
    let mut world = World::new(width, with_array);
    let mut solver = Builtin::new();
    let mut scopes: Vec<Vec<TermId>> = vec![vec![]];
    for _ in 0..6 {
        match dice.below(4) {
            0 => {
                solver.push();
                scopes.push(vec![]);
            }
            1 if scopes.len() > 1 => {
                solver.pop();
                scopes.pop();
            }
            _ => {
                let formula = world.formula(&mut dice, depth);
                solver.assert(&world.terms, formula);
                scopes.last_mut().expect("a scope").push(formula);
            }
        }
        let assumptions: Vec<TermId> =
            (0..dice.below(3)).map(|_| world.formula(&mut dice, depth)).collect();
        let mut formulas: Vec<TermId> = scopes.concat();
        let asserted = formulas.clone();
        formulas.extend(&assumptions);
        let expected = world.by_force(&formulas);
        match solver.check(&world.terms, &assumptions, &Budget::default()) {
            Answer::Sat => {
                assert!(expected, "a model where there is none");
                for formula in &formulas {
                    let terms = &world.terms;
                    let value = terms.eval(*formula, &mut |var| Some(solver.value(terms, var)));
                    assert_eq!(value, Ok(Value::Bool(true)), "the model satisfies each formula");
                }
            }
            Answer::Unsat => {
                assert!(!expected, "no model where there is one");
                let mut core = solver.core().to_vec();
                assert!(
                    core.iter().all(|term| assumptions.contains(term)),
                    "a core of assumptions"
                );
                core.extend(asserted);
                assert!(!world.by_force(&core), "the core is unsatisfiable by itself");
            }
            Answer::Unknown(reason) => panic!("unknown without limits: {reason}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn words_agree_with_brute_force(seed: u64, width in 1_u32..5) {
        agree(seed, width, false, 3);
    }

}

proptest! {
    // Enumerating arrays is slow.
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn arrays_agree_with_brute_force(seed: u64) {
        agree(seed, 2, true, 3);
    }
}

/// The product of two primes just below 2^31, wide enough that nothing wraps: hard to take apart.
fn factoring() -> (Terms, Builtin) {
    let mut terms = Terms::new();
    let (x, y) = (terms.declare("x", Sort::Bv(64)), terms.declare("y", Sort::Bv(64)));
    let (x, y) = (terms.var(x), terms.var(y));
    let (wide_x, wide_y) = (terms.bv_zero_extend(128, x), terms.bv_zero_extend(128, y));
    let product = terms.bv_mul(wide_x, wide_y);
    let number = terms.bv(128, 2_147_483_629_u128 * 2_147_483_587);
    let equal = terms.eq(product, number);
    let one = terms.bv(64, 1);
    let (big_x, big_y) = (terms.bv_ult(one, x), terms.bv_ult(one, y));
    let mut solver = Builtin::new();
    for formula in [equal, big_x, big_y] {
        solver.assert(&terms, formula);
    }
    (terms, solver)
}

#[test]
fn a_stop_flag_ends_a_hard_check() {
    use std::time::Duration;
    let (terms, mut solver) = factoring();
    let limits = Budget::default();
    let asking = limits.clone();
    let asked = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        asking.cancel();
    });
    let answer = solver.check(&terms, &[], &limits);
    asked.join().expect("the thread ends");
    assert_eq!(answer, Answer::Unknown(Exceeded::Interrupted.into()));
}

#[test]
fn a_memory_limit_ends_a_hard_check() {
    // Less than the circuit takes, and a little more than that.
    for bytes in [100_000, 8_000_000] {
        let (terms, mut solver) = factoring();
        let limits = Budget::within_memory(bytes);
        let answer = solver.check(&terms, &[], &limits);
        assert_eq!(answer, Answer::Unknown(Exceeded::Memory.into()), "{bytes}");
    }
}

#[test]
fn a_conflict_limit_is_the_same_every_time() {
    let run = || {
        let mut terms = Terms::new();
        let (x, y) = (terms.declare("x", Sort::Bv(24)), terms.declare("y", Sort::Bv(24)));
        let (x, y) = (terms.var(x), terms.var(y));
        let (a, b) = (terms.bv_mul(x, y), terms.bv_mul(y, x));
        let one = terms.bv(24, 1);
        let a = terms.bv_add(a, one);
        let claim = terms.eq(a, b);
        let mut solver = Builtin::new();
        solver.assert(&terms, claim);
        let limits = Budget::default().with_conflicts(500);
        (solver.check(&terms, &[], &limits), solver.statistics())
    };
    assert_eq!(run(), run());
}

/// A clause that is true by one literal leaves the variables of the others free, whatever they are.
#[test]
fn a_variable_that_does_not_matter_has_the_zero_of_its_sort() {
    let mut terms = Terms::new();
    let p = terms.declare("p", Sort::Bool);
    let (n, m) = (terms.declare("n", Sort::Int), terms.declare("m", Sort::Int));
    let (holds, n, m) = (terms.var(p), terms.var(n), terms.var(m));
    let less = terms.lt(n, m);
    let clause = terms.or2(holds, less);
    let mut solver = Builtin::new();
    solver.assert(&terms, holds);
    assert_eq!(solver.check(&terms, &[], &Budget::default()), Answer::Sat);
    solver.assert(&terms, clause);
    assert_eq!(solver.check(&terms, &[], &Budget::default()), Answer::Sat);
    let value = terms.eval(clause, &mut |var| Some(solver.value(&terms, var)));
    assert_eq!(value, Ok(Value::Bool(true)));
}
