//! Linear arithmetic in the built-in solver against brute force over small ranges: every answer,
//! model and core of random formulas with all linear operators, Booleans, words and arrays.

use base::Random;
use std::collections::BTreeMap;

use num_rational::BigRational;
use proptest::prelude::*;
use proviso_smt::{Answer, Builtin, Cores, Models, Solver};
use run::Budget;
use term::{ArrayValue, Bv, Evaluator, Op, Sort, TermId, Terms, Value, Var};

/// The numbers that integer variables may be.
const RANGE: std::ops::RangeInclusive<i64> = -3..=4;
const WIDTH: u32 = 2;

struct World {
    terms: Terms,
    ints: Vec<Var>,
    flag: Var,
    word: Var,
    /// From integers to integers; read at 0 to 2 only where its elements matter.
    array: Option<Var>,
    /// What keeps the variables in their ranges.
    ranges: Vec<TermId>,
    evaluator: Evaluator,
}

impl World {
    fn new(with_array: bool) -> Self {
        let mut terms = Terms::new();
        let ints: Vec<Var> =
            ["x", "y"].iter().map(|name| terms.declare(*name, Sort::Int)).collect();
        let flag = terms.declare("p", Sort::Bool);
        let word = terms.declare("w", Sort::Bv(WIDTH));
        let array = with_array.then(|| {
            let sort = terms.array_sort(Sort::Int, Sort::Int);
            terms.declare("a", sort)
        });
        let mut ranges = Vec::new();
        for var in &ints {
            let x = terms.var(*var);
            let (least, most) = (terms.int(*RANGE.start()), terms.int(*RANGE.end()));
            ranges.push(terms.le(least, x));
            ranges.push(terms.le(x, most));
        }
        Self { terms, ints, flag, word, array, ranges, evaluator: Evaluator::new() }
    }

    fn int(&mut self, dice: &mut Random, depth: u32) -> TermId {
        if depth == 0 || dice.below(6) == 0 {
            return match dice.below(3) {
                0 => self.terms.int(dice.range(-4, 4)),
                at => self.terms.var(self.ints[at - 1]),
            };
        }
        match dice.below(12) {
            0 | 1 => {
                let (a, b) = (self.int(dice, depth - 1), self.int(dice, depth - 1));
                self.terms.add(a, b)
            }
            2 => {
                let (a, b) = (self.int(dice, depth - 1), self.int(dice, depth - 1));
                self.terms.sub(a, b)
            }
            3 => {
                let a = self.int(dice, depth - 1);
                self.terms.neg(a)
            }
            4 => {
                let (factor, a) = (self.terms.int(dice.range(-3, 3)), self.int(dice, depth - 1));
                self.terms.mul(a, factor)
            }
            5..=7 => {
                let op = [Op::IntDiv, Op::IntMod, Op::IntRem][dice.below(3)];
                let a = self.int(dice, depth - 1);
                let divisor = self.terms.int(dice.range(-4, 4));
                self.terms.app(op, &[a, divisor])
            }
            8 => {
                let c = self.formula(dice, depth - 1);
                let (a, b) = (self.int(dice, depth - 1), self.int(dice, depth - 1));
                self.terms.ite(c, a, b)
            }
            9 => {
                let a = self.rat(dice, depth - 1);
                self.terms.to_int(a)
            }
            10 => {
                let a = self.bits(dice, depth - 1);
                if dice.below(2) == 0 {
                    self.terms.bv_to_int_signed(a)
                } else {
                    self.terms.bv_to_int_unsigned(a)
                }
            }
            _ => match self.array {
                Some(array) => {
                    let mut memory = self.terms.var(array);
                    for _ in 0..dice.below(3) {
                        let (i, v) = (self.int(dice, depth - 1), self.int(dice, depth - 1));
                        memory = self.terms.store(memory, i, v);
                    }
                    // The brute force only knows three elements.
                    let index = self.int(dice, depth - 1);
                    let three = self.terms.int(3);
                    let index = self.terms.int_mod(index, three);
                    self.terms.select(memory, index)
                }
                None => self.int(dice, depth - 1),
            },
        }
    }

    fn rat(&mut self, dice: &mut Random, depth: u32) -> TermId {
        let a = self.int(dice, depth.saturating_sub(1));
        let a = self.terms.to_rat(a);
        let number = BigRational::new(dice.range(-5, 5).into(), dice.range(1, 3).into());
        let number = self.terms.rat(number);
        match dice.below(4) {
            0 => self.terms.add(a, number),
            1 => self.terms.mul(a, number),
            2 => self.terms.div(a, number),
            _ => self.terms.sub(number, a),
        }
    }

    fn bits(&mut self, dice: &mut Random, depth: u32) -> TermId {
        match dice.below(3) {
            0 if depth > 0 => {
                let a = self.int(dice, depth - 1);
                self.terms.int_to_bv(WIDTH, a)
            }
            1 if depth > 0 => {
                let (a, b) = (self.bits(dice, depth - 1), self.bits(dice, depth - 1));
                self.terms.bv_add(a, b)
            }
            _ => self.terms.var(self.word),
        }
    }

    fn formula(&mut self, dice: &mut Random, depth: u32) -> TermId {
        if depth == 0 {
            return self.terms.var(self.flag);
        }
        match dice.below(9) {
            n @ 0..=3 => {
                let op = [Op::Eq, Op::Le, Op::Lt, Op::Eq][n];
                let (a, b) = (self.int(dice, depth - 1), self.int(dice, depth - 1));
                self.terms.app(op, &[a, b])
            }
            4 => {
                let op = [Op::Eq, Op::Le, Op::Lt][dice.below(3)];
                let (a, b) = (self.rat(dice, depth - 1), self.rat(dice, depth - 1));
                self.terms.app(op, &[a, b])
            }
            5 => {
                let (a, b) = (self.bits(dice, depth - 1), self.bits(dice, depth - 1));
                self.terms.bv_ult(a, b)
            }
            6 => {
                let a = self.formula(dice, depth - 1);
                self.terms.not(a)
            }
            n => {
                let (a, b) = (self.formula(dice, depth - 1), self.formula(dice, depth - 1));
                if n == 7 { self.terms.and2(a, b) } else { self.terms.or2(a, b) }
            }
        }
    }

    /// Whether some assignment in the ranges satisfies all formulas. Elements of the array are
    /// from -1 to 1; more are not tried, so a No means nothing if there is an array.
    fn by_force(&mut self, formulas: &[TermId]) -> bool {
        let numbers: Vec<i64> = RANGE.collect();
        let arrays = if self.array.is_some() { 27 } else { 1 };
        let count = numbers.len() * numbers.len() * 2 * (1 << WIDTH) * arrays;
        (0..count).any(|mut code| {
            let mut digit = |base: usize| {
                let digit = code % base;
                code /= base;
                digit
            };
            let (x, y) = (numbers[digit(numbers.len())], numbers[digit(numbers.len())]);
            let (flag, word) = (digit(2) == 1, digit(1 << WIDTH));
            let elements = [digit(3), digit(3), digit(3)];
            let mut env = BTreeMap::from([
                (self.ints[0], Value::Int(x.into())),
                (self.ints[1], Value::Int(y.into())),
                (self.flag, Value::Bool(flag)),
                (self.word, Value::Bv(Bv::new(WIDTH, word as u128))),
            ]);
            if let Some(var) = self.array
                && let Sort::Array(sort) = self.terms.var_sort(var)
            {
                let mut array = ArrayValue::new(sort, Value::Int(0.into()));
                for (index, element) in elements.iter().enumerate() {
                    let element = Value::Int((*element as i64 - 1).into());
                    array.set(Value::Int(index.into()), element);
                }
                env.insert(var, Value::Array(Box::new(array)));
            }
            formulas.iter().all(|formula| {
                self.evaluator.eval(&self.terms, *formula, &env) == Ok(Value::Bool(true))
            })
        })
    }
}

fn agree(seed: u64, with_array: bool, depth: u32) {
    let mut dice = Random::new(seed);
    let mut world = World::new(with_array);
    let mut solver = Builtin::new();
    for formula in world.ranges.clone() {
        solver.assert(&world.terms, formula);
    }
    let mut scopes: Vec<Vec<TermId>> = vec![world.ranges.clone()];
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
                assert!(expected || with_array, "a model where there is none");
                for formula in &formulas {
                    let terms = &world.terms;
                    let value = terms.eval(*formula, &mut |var| Some(solver.value(terms, var)));
                    assert_eq!(value, Ok(Value::Bool(true)), "the model satisfies each formula");
                }
            }
            Answer::Unsat => {
                assert!(!expected, "no model where there is one");
                let mut core = solver.core().to_vec();
                assert!(core.iter().all(|term| assumptions.contains(term)));
                core.extend(asserted);
                assert!(!world.by_force(&core), "the core is unsatisfiable by itself");
            }
            Answer::Unknown(reason) => panic!("unknown without limits: {reason}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn numbers_agree_with_brute_force(seed: u64, depth in 2_u32..5) {
        agree(seed, false, depth);
    }
}

proptest! {
    // Enumerating arrays is slow.
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn arrays_of_numbers_agree_with_brute_force(seed: u64) {
        agree(seed, true, 3);
    }
}
