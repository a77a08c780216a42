//! Floats through the solver's front door: values fixed by assumptions, and claims that hold for
//! all floats or have counterexamples.

use base::Random;
use run::Budget;

use proviso_smt::{Answer, Builtin, Cores, Models, Reason, Solver};
use term::{Bv, Float, Format, Op, Rounding, TermId, Terms, Value, apply};

struct World {
    terms: Terms,
    vars: Vec<(String, term::Var)>,
    solver: Builtin,
}

impl World {
    fn new(vars: &[(&str, &str)]) -> Self {
        let mut terms = Terms::new();
        let vars = vars
            .iter()
            .map(|(name, sort)| {
                let sort = terms.parse_sort(sort).expect("a sort");
                ((*name).to_owned(), terms.declare(*name, sort))
            })
            .collect();
        Self { terms, vars, solver: Builtin::new() }
    }

    fn term(&mut self, text: &str) -> TermId {
        let vars = &self.vars;
        let mut resolve = |name: &str| vars.iter().find(|var| var.0 == name).map(|var| var.1);
        self.terms.parse(text, &mut resolve).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn assert(&mut self, text: &str) {
        let term = self.term(text);
        self.solver.assert(&self.terms, term);
    }

    fn check(&mut self) -> Answer {
        self.solver.check(&self.terms, &[], &Budget::default())
    }

    fn value(&mut self, name: &str) -> Value {
        let var = self.vars.iter().find(|var| var.0 == name).expect("declared").1;
        self.solver.value(&self.terms, var)
    }
}

/// The answer to a list of assertions, after declarations.
fn ask(vars: &[(&str, &str)], formulas: &[&str]) -> Answer {
    let mut world = World::new(vars);
    for formula in formulas {
        world.assert(formula);
    }
    world.check()
}

const SINGLE: &[(&str, &str)] = &[("x", "Float32"), ("y", "Float32")];
const DOUBLE: &[(&str, &str)] = &[("x", "Float64"), ("y", "Float64")];
const ZERO: &str = "(fp #b0 #x00 #b00000000000000000000000)";
const ONE: &str = "(fp #b0 #x7f #b00000000000000000000000)";
const TWO: &str = "(fp #b0 #x80 #b00000000000000000000000)";
const DOUBLE_ZERO: &str = "(_ +zero 11 53)";
const DOUBLE_ONE: &str =
    "(fp #b0 #b01111111111 #b0000000000000000000000000000000000000000000000000000)";

/// With the variables at these values, the operator gives what the evaluator says and nothing
/// else.
fn agree(op: Op, operands: &[Vec<Value>]) {
    let mut terms = Terms::new();
    let mut solver = Builtin::new();
    let vars: Vec<TermId> = operands[0]
        .iter()
        .map(|value| {
            let var = terms.declare("x", value.sort());
            terms.var(var)
        })
        .collect();
    let result = terms.app(op, &vars);
    for values in operands {
        let expected = apply(op, &values.iter().collect::<Vec<_>>());
        let expected = terms.constant(expected);
        let mut assumptions: Vec<TermId> = Vec::new();
        for (var, value) in vars.iter().zip(values) {
            let value = terms.constant(value.clone());
            assumptions.push(terms.eq(*var, value));
        }
        let right = terms.eq(result, expected);
        assumptions.push(right);
        let answer = solver.check(&terms, &assumptions, &Budget::default());
        assert_eq!(answer, Answer::Sat, "{op:?} of {values:?}");
        assumptions.pop();
        assumptions.push(terms.not(right));
        let answer = solver.check(&terms, &assumptions, &Budget::default());
        assert_eq!(answer, Answer::Unsat, "{op:?} of {values:?}");
    }
}

/// Operands of a format: signs, ties, neighbours of powers of two, and the ends of the range.
fn operands(format: Format) -> Vec<Float> {
    let bias = (1_u128 << (format.exponent_bits() - 1)) - 1;
    let half = 1_u128 << (format.significand_bits() - 2);
    let parts = [
        (false, 0, 0),
        (true, 0, 0),
        (false, 0, 1),
        (true, 0, u128::MAX),
        (false, 1, 0),
        (false, bias - 1, 0),
        (true, bias - 1, 1),
        (false, bias, half),
        (true, bias, u128::MAX),
        (false, bias + 1, half / 2),
        (false, bias + u128::from(format.significand_bits()), 1),
        (true, u128::MAX - 1, u128::MAX),
        (false, u128::MAX, 0),
        (true, u128::MAX, 0),
        (false, u128::MAX, half),
    ];
    parts
        .map(|(sign, exponent, fraction)| Float::from_parts(format, sign, exponent, fraction))
        .into()
}

/// Every operator on some of the operands, one rounding mode after the other.
fn agree_on(format: Format, step: usize, modes: &[Rounding]) {
    let values = operands(format);
    let one: Vec<Vec<Value>> = values.iter().map(|a| vec![Value::Float(*a)]).collect();
    let pairs: Vec<Vec<Value>> = values
        .iter()
        .flat_map(|a| values.iter().map(|b| vec![Value::Float(*a), Value::Float(*b)]))
        .step_by(step)
        .collect();
    let triples: Vec<Vec<Value>> = (0..60)
        .step_by(step)
        .map(|n| [n * 7, n * 5 + 3, n * 11 + 1].map(|at| values[at % values.len()]))
        .map(|three| three.map(Value::Float).to_vec())
        .collect();
    let numbers: Vec<Vec<Value>> = [0, 1, 0x7fff_ffff, 0x8000_0000, 0x0100_0001, 0xffff]
        .map(|bits| vec![Value::Bv(Bv::new(32, bits))])
        .into();
    for &rounding in modes {
        agree(Op::FpAdd(rounding), &pairs);
        agree(Op::FpSub(rounding), &pairs);
        agree(Op::FpMul(rounding), &pairs);
        agree(Op::FpDiv(rounding), &pairs);
        agree(Op::FpFma(rounding), &triples);
        agree(Op::FpSqrt(rounding), &one);
        agree(Op::FpRound(rounding), &one);
        agree(Op::FpToSignedBv(rounding, 32), &one);
        agree(Op::FpToUnsignedBv(rounding, 8), &one);
        for to in Format::ALL {
            agree(Op::FpToFp(rounding, to), &one);
        }
        agree(Op::FpFromSignedBv(rounding, format), &numbers);
        agree(Op::FpFromUnsignedBv(rounding, format), &numbers);
    }
    for op in [Op::FpMin, Op::FpMax, Op::FpEq, Op::FpLt, Op::FpLe, Op::Eq] {
        agree(op, &pairs);
    }
    if matches!(format, Format::Half | Format::Single) {
        agree(Op::FpRem, &pairs);
        agree(Op::FpFmod, &pairs);
    }
    for op in [
        Op::FpAbs,
        Op::FpNeg,
        Op::FpIsNan,
        Op::FpIsInfinite,
        Op::FpIsZero,
        Op::FpIsNormal,
        Op::FpIsSubnormal,
        Op::FpIsNegative,
        Op::FpIsPositive,
        Op::FpToBits,
    ] {
        agree(op, &one);
    }
}

#[test]
fn halves_are_those_of_the_evaluator_and_no_others() {
    agree_on(Format::Half, 2, &Rounding::ALL);
}

#[test]
fn singles_are_those_of_the_evaluator_and_no_others() {
    agree_on(Format::Single, 7, &Rounding::ALL);
}

#[test]
fn doubles_are_those_of_the_evaluator_and_no_others() {
    agree_on(Format::Double, 11, &[Rounding::NearestEven, Rounding::TowardZero]);
}

#[test]
fn extended_doubles_are_those_of_the_evaluator_and_no_others() {
    agree_on(Format::X87, 17, &[Rounding::NearestEven, Rounding::TowardPositive]);
}

#[test]
fn quads_are_those_of_the_evaluator_and_no_others() {
    agree_on(Format::Quad, 29, &[Rounding::NearestEven]);
}

#[test]
fn bits_that_the_x87_calls_invalid_are_nan() {
    let bits = [
        0,
        1 << 63,
        1 << 79 | 1 << 63,
        1 << 64,
        0x7fff << 64,
        0x7fff << 64 | 1 << 63,
        0x7fff << 64 | 3 << 62,
        0x7fff << 64 | 1 << 63 | 1,
        0x3fff << 64 | 1 << 62,
        0x3fff << 64 | 1 << 63,
    ];
    let operands: Vec<Vec<Value>> = bits.map(|bits| vec![Value::Bv(Bv::new(80, bits))]).into();
    agree(Op::FpFromBits(Format::X87), &operands);
}

#[test]
fn a_variable_is_never_a_second_nan_or_unnormal() {
    for sort in ["Float16", "Float32", "Float64", "(_ FloatingPoint 15 64)", "Float128"] {
        let vars = &[("x", sort), ("y", sort)];
        let two_nans = &["(fp.isNaN x)", "(fp.isNaN y)", "(not (= x y))"];
        assert_eq!(ask(vars, two_nans), Answer::Unsat, "{sort}");
        assert_eq!(ask(vars, &["(fp.isNaN x)", "(= x y)"]), Answer::Sat, "{sort}");
    }
    // Encoding and decoding gives the same value, of any variable.
    let vars = &[("x", "(_ FloatingPoint 15 64)")];
    assert_eq!(ask(vars, &["(not (= x (fp.x87_from_bits (fp.x87_to_bits x))))"]), Answer::Unsat);
    // The leading bit is set with every exponent but zero.
    let leading = "(= ((_ extract 63 63) (fp.x87_to_bits x)) #b1)";
    let low = "(= ((_ extract 78 64) (fp.x87_to_bits x)) #b000000000000000)";
    assert_eq!(ask(vars, &[&format!("(= {leading} {low})")]), Answer::Unsat);
}

#[test]
fn sums_and_products_commute() {
    for vars in [SINGLE, DOUBLE] {
        let sums = "(not (= (fp.add RNE x y) (fp.add RNE y x)))";
        assert_eq!(ask(vars, &[sums]), Answer::Unsat);
        let products = "(not (= (fp.mul RTZ x y) (fp.mul RTZ y x)))";
        assert_eq!(ask(vars, &[products]), Answer::Unsat);
    }
}

#[test]
fn squares_of_fractions_are_at_most_one() {
    let claim = format!("(not (fp.leq (fp.mul RNE x x) {ONE}))");
    let bounds = [format!("(fp.leq {ZERO} x)"), format!("(fp.leq x {ONE})")];
    assert_eq!(ask(SINGLE, &[&bounds[0], &bounds[1], &claim]), Answer::Unsat);
    // Without a bound it is not so.
    assert_eq!(ask(SINGLE, &[&bounds[0], &claim]), Answer::Sat);
}

#[test]
fn roots_are_not_negative() {
    let formulas = [
        format!("(fp.leq {DOUBLE_ZERO} x)"),
        format!("(not (fp.leq {DOUBLE_ZERO} (fp.sqrt RNE x)))"),
    ];
    assert_eq!(ask(DOUBLE, &[&formulas[0], &formulas[1]]), Answer::Unsat);
}

#[test]
fn doubling_is_adding_to_itself() {
    let claim = format!("(not (= (fp.mul RNE x {TWO}) (fp.add RNE x x)))");
    assert_eq!(ask(SINGLE, &[&claim]), Answer::Unsat);
}

#[test]
fn a_difference_is_zero_only_of_equal_numbers() {
    let formulas = [
        "(not (fp.isInfinite x))",
        "(not (fp.isInfinite y))",
        "(not (= (fp.eq (fp.sub RNE x y) (_ +zero 11 53)) (fp.eq x y)))",
    ];
    assert_eq!(ask(DOUBLE, &formulas), Answer::Unsat);
}

#[test]
fn integers_come_back_from_floats_that_hold_them() {
    let word = &[("i", "(_ BitVec 32)")];
    let double = "(not (= i ((_ fp.to_sbv 32) RTZ ((_ to_fp 11 53) RNE i))))";
    assert_eq!(ask(word, &[double]), Answer::Unsat);
    let single = "(not (= i ((_ fp.to_sbv 32) RTZ ((_ to_fp 8 24) RNE i))))";
    let range = ["(bvsle #xff000000 i)", "(bvsle i #x01000000)"];
    assert_eq!(ask(word, &[range[0], range[1], single]), Answer::Unsat);
    assert_eq!(ask(word, &[range[0], single]), Answer::Sat);
}

/// A float made of integers, some of them larger than a single holds.
fn of_integers(terms: &mut Terms, dice: &mut Random, words: &[TermId], depth: u32) -> TermId {
    let mode = Rounding::ALL[dice.below(5)];
    let format = Format::Single;
    if depth == 0 {
        let word = words[dice.below(words.len())];
        return match dice.below(5) {
            0 => terms.fp_from_unsigned_bv(mode, format, word),
            1 => terms.float(Float::from_f32([0.0, -0.0, 1.0, -3.0, 0.5, 65536.0][dice.below(6)])),
            _ => terms.fp_from_signed_bv(mode, format, word),
        };
    }
    let a = of_integers(terms, dice, words, depth - 1);
    match dice.below(5) {
        0 => match dice.below(4) {
            0 => terms.fp_neg(a),
            1 => terms.fp_abs(a),
            2 => terms.fp_round(mode, a),
            _ => {
                let wide = terms.fp_to_fp(mode, Format::Double, a);
                let more = terms.float(Float::from_f64([1.0, -0.0][dice.below(2)]));
                let sum = terms.fp_add(mode, wide, more);
                terms.fp_to_fp(mode, format, sum)
            }
        },
        n => {
            let b = of_integers(terms, dice, words, depth - 1);
            match (n, dice.below(3)) {
                (1, 0) => terms.fp_min(a, b),
                (1, 1) => terms.fp_max(a, b),
                (1, _) => {
                    let less = terms.fp_lt(a, b);
                    let c = of_integers(terms, dice, words, 0);
                    terms.ite(less, b, c)
                }
                (2, _) => terms.fp_sub(mode, a, b),
                (3, _) => terms.fp_mul(mode, a, b),
                _ => terms.fp_add(mode, a, b),
            }
        }
    }
}

#[test]
fn floats_that_are_integers_stay_floats() {
    let mut dice = Random::new(7);
    for _ in 0..250 {
        let mut terms = Terms::new();
        let mut solver = Builtin::new();
        let widths = [3, 11, 16, 24, 25, 26, 32];
        let vars: Vec<_> = widths.map(|width| terms.declare("i", term::Sort::Bv(width))).into();
        let words: Vec<TermId> = vars.iter().map(|var| terms.var(*var)).collect();
        let depth = dice.below(4) as u32;
        let width = [12, 32][dice.below(2)];
        let a = of_integers(&mut terms, &mut dice, &words, depth);
        let b = of_integers(&mut terms, &mut dice, &words, 1);
        let mode = Rounding::ALL[dice.below(5)];
        let mut results = vec![a];
        results.push(terms.fp_to_signed_bv(mode, width, a));
        results.push(terms.fp_to_unsigned_bv(mode, width, a));
        results.extend([terms.fp_lt(a, b), terms.fp_le(a, b), terms.fp_eq(a, b), terms.eq(a, b)]);
        for _ in 0..3 {
            let values: Vec<Value> = widths
                .map(|width| {
                    let small = dice.below(3) == 0;
                    let bits = if small { dice.below(3) } else { dice.below(1 << 31) } as i128;
                    Value::Bv(Bv::from_signed(width, if dice.below(2) == 0 { -bits } else { bits }))
                })
                .into();
            let mut wrong = Vec::new();
            for result in &results {
                let mut env =
                    |var| vars.iter().position(|known| *known == var).map(|at| values[at].clone());
                let expected = terms.eval(*result, &mut env).expect("all variables have values");
                let expected = terms.constant(expected);
                wrong.push(terms.ne(*result, expected));
            }
            let mut assumptions: Vec<TermId> = Vec::new();
            for (word, value) in words.iter().zip(&values) {
                let value = terms.constant(value.clone());
                assumptions.push(terms.eq(*word, value));
            }
            let answer = solver.check(&terms, &assumptions, &Budget::default());
            assert_eq!(answer, Answer::Sat, "the variables are free");
            assumptions.push(terms.or(&wrong));
            let answer = solver.check(&terms, &assumptions, &Budget::default());
            assert_eq!(answer, Answer::Unsat, "{} at {values:?}", terms.display(a));
        }
    }
}

#[test]
fn counting_in_doubles_is_counting() {
    let vars = &[("i", "(_ BitVec 32)"), ("j", "(_ BitVec 32)")];
    let [i, j] = ["i", "j"].map(|name| format!("((_ to_fp 11 53) RNE {name})"));
    let sum = "((_ to_fp 11 53) RNE (bvadd ((_ sign_extend 1) i) ((_ sign_extend 1) j)))";
    assert_eq!(ask(vars, &[&format!("(not (= (fp.add RNE {i} {j}) {sum}))")]), Answer::Unsat);
    let order = format!("(not (= (bvslt i j) (fp.lt {i} {j})))");
    assert_eq!(ask(vars, &[&order]), Answer::Unsat);
    // Rounding down, a difference of equal numbers is the negative zero.
    let five = ["(= i #x00000005)", "(= j #x00000005)"];
    let zero = |mode: &str| format!("(not (fp.isNegative (fp.sub {mode} {i} {j})))");
    assert_eq!(ask(vars, &[five[0], five[1], &zero("RTN")]), Answer::Unsat);
    assert_eq!(ask(vars, &[five[0], five[1], &zero("RNE")]), Answer::Sat);
    // The negative of zero stays negative in another format.
    let negated = "(fp.neg ((_ to_fp 8 24) RNE ((_ extract 7 0) i)))";
    let widened = format!("((_ to_fp 11 53) RNE {negated})");
    let directly = "(fp.neg ((_ to_fp 11 53) RNE ((_ extract 7 0) i)))";
    assert_eq!(ask(vars, &[&format!("(not (= {widened} {directly}))")]), Answer::Unsat);
}

#[test]
fn sums_of_three_depend_on_the_order() {
    let vars = &[("x", "Float64"), ("y", "Float64"), ("z", "Float64")];
    let mut world = World::new(vars);
    for name in ["x", "y", "z"] {
        world.assert(&format!("(fp.leq {DOUBLE_ZERO} {name})"));
        world.assert(&format!("(fp.leq {name} {DOUBLE_ONE})"));
    }
    world.assert("(not (= (fp.add RNE (fp.add RNE x y) z) (fp.add RNE x (fp.add RNE y z))))");
    assert_eq!(world.check(), Answer::Sat);
    let [x, y, z] = ["x", "y", "z"].map(|name| world.value(name).as_float().expect("a float"));
    let (x, y, z) = (x.to_f64(), y.to_f64(), z.to_f64());
    assert!((x + y) + z != x + (y + z), "{x} {y} {z}");
}

#[test]
fn floats_in_arrays_and_choices() {
    let vars = &[("a", "(Array (_ BitVec 8) Float32)"), ("i", "(_ BitVec 8)"), ("x", "Float32")];
    let stored = "(select (store a i x) i)";
    assert_eq!(ask(vars, &[&format!("(not (= {stored} x))")]), Answer::Unsat);
    let other = "(fp.lt (select (store a i x) #x07) (select a #x07))";
    assert_eq!(ask(vars, &[other, "(not (= i #x07))"]), Answer::Unsat);
    assert_eq!(ask(vars, &[other]), Answer::Sat);
    // Indices that are floats: NaN is one index, the zeros are two.
    let vars = &[("a", "(Array Float32 Float32)"), ("x", "Float32"), ("y", "Float32")];
    let differ = "(not (= (select a x) (select a y)))";
    assert_eq!(ask(vars, &[differ, "(fp.isNaN x)", "(fp.isNaN y)"]), Answer::Unsat);
    assert_eq!(ask(vars, &[differ, "(fp.eq x y)"]), Answer::Sat);
    let choice = "(not (fp.leq (ite (fp.lt x y) x y) (fp.min x y)))";
    assert_eq!(ask(SINGLE, &[choice, "(not (fp.isNaN x))", "(not (fp.isNaN y))"]), Answer::Unsat);
}

#[test]
fn a_core_names_the_assumptions_about_floats() {
    let mut world = World::new(SINGLE);
    let assumptions =
        [world.term("(fp.isNormal y)"), world.term("(fp.isNaN x)"), world.term("(fp.leq x y)")];
    let answer = world.solver.check(&world.terms, &assumptions, &Budget::default());
    assert_eq!(answer, Answer::Unsat);
    assert_eq!(world.solver.core(), &assumptions[1..]);
}

#[test]
fn a_variable_that_no_formula_mentions_is_zero() {
    let mut world = World::new(SINGLE);
    world.assert("(fp.isNaN x)");
    assert_eq!(world.check(), Answer::Sat);
    assert_eq!(world.value("x"), Value::Float(Float::nan(Format::Single)));
    assert_eq!(world.value("y"), Value::Float(Float::zero(Format::Single, false)));
}

#[test]
fn remainders_of_wide_formats_are_named() {
    let answer = ask(&[("x", "Float128"), ("y", "Float128")], &["(fp.isZero (fp.fmod x y))"]);
    let Answer::Unknown(Reason::Unsupported(what)) = answer else { panic!("{answer:?}") };
    assert_eq!(what, "the floating-point remainder of Quad");
}

#[test]
fn remainders_are_less_than_the_divisor() {
    let vars = &[("x", "Float16"), ("y", "Float16")];
    let number = "(not (fp.isNaN (fp.fmod x y)))";
    let less = "(fp.lt (fp.abs (fp.fmod x y)) (fp.abs y))";
    assert_eq!(ask(vars, &[number, &format!("(not {less})")]), Answer::Unsat);
    let nearest = "(fp.leq (fp.add RNE (fp.abs (fp.rem x y)) (fp.abs (fp.rem x y))) (fp.abs y))";
    assert_eq!(ask(vars, &[number, &format!("(not {nearest})")]), Answer::Unsat);
    // Twice the rest of 3 by 2 is 2, and no less.
    let strictly = nearest.replace("fp.leq", "fp.lt");
    assert_eq!(ask(vars, &[number, &format!("(not {strictly})")]), Answer::Sat);
}

#[test]
fn a_double_has_a_rest_by_a_constant() {
    let mut world = World::new(DOUBLE);
    let x = world.term("x");
    let five = world.terms.float(Float::from_f64(5.0));
    let three = world.terms.float(Float::from_f64(3.0));
    let rest = world.terms.fp_fmod(x, five);
    let claim = world.terms.eq(rest, three);
    world.solver.assert(&world.terms, claim);
    assert_eq!(world.check(), Answer::Sat);
    let x = world.value("x").as_float().expect("a float").to_f64();
    assert_eq!(x % 5.0, 3.0);
}
