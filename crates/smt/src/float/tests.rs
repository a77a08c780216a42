//! Every circuit against the evaluator of terms.

use base::Random;
use rustsat::types::Lit;
use term::{Bv, Float, Format, Op, Rounding, Sort, TermId, Terms, Value, apply};

use crate::Answer;
use crate::blast::Blaster;
use crate::circuit::Circuit;
use run::Budget;

/// A deterministic source of operands.
struct Dice(Random);

impl Dice {
    fn word(&mut self) -> u64 {
        self.0.next()
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides)
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.word()) << 64 | u128::from(self.word())
    }

    /// Bits of which many agree with their neighbours, so that ties and carries come up.
    fn rough(&mut self) -> u128 {
        match self.roll(6) {
            0 => 0,
            1 => u128::MAX << self.roll(128),
            2 => u128::MAX >> self.roll(128),
            3 => 1 << self.roll(128),
            4 => self.wide() << self.roll(128),
            _ => self.wide(),
        }
    }

    fn float(&mut self, format: Format) -> Float {
        let bias = (1_u128 << (format.exponent_bits() - 1)) - 1;
        let sign = self.roll(2) == 0;
        let precision = u128::from(format.significand_bits());
        let exponent = match self.roll(8) {
            0 => 0,
            1 => u128::MAX,
            2 => u128::MAX - 1,
            3 => 1 + self.roll(3) as u128,
            4 => bias,
            5 => bias + precision - self.roll(2 * precision as usize) as u128,
            6 => self.wide(),
            _ => bias - 1 + self.roll(4) as u128,
        };
        Float::from_parts(format, sign, exponent, self.rough())
    }

    /// An operand that often lies near another one.
    fn near(&mut self, other: Float) -> Float {
        let format = other.format();
        let (sign, exponent, fraction) = other.parts();
        match self.roll(4) {
            0 => Float::from_parts(format, !sign, exponent, fraction ^ self.rough()),
            1 => Float::from_parts(
                format,
                self.roll(2) == 0,
                exponent.wrapping_sub(self.roll(4) as u128),
                self.rough(),
            ),
            2 => Float::from_parts(format, self.roll(2) == 0, exponent, fraction.wrapping_add(1)),
            _ => self.float(format),
        }
    }

    fn operands(&mut self, sorts: &[Sort]) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for sort in sorts {
            values.push(match (*sort, values.first()) {
                (Sort::Float(_), Some(Value::Float(first))) => Value::Float(self.near(*first)),
                (Sort::Float(format), _) => Value::Float(self.float(format)),
                (Sort::Bv(width), _) => {
                    let number = self.rough() << 64 ^ self.rough();
                    let wide = Bv::new(128, number).concat(&Bv::new(128, self.rough()));
                    Value::Bv(if width <= 128 {
                        Bv::new(width, number)
                    } else {
                        wide.sign_extend(width.max(256)).extract(width - 1, 0)
                    })
                }
                (sort, _) => panic!("no operand of {sort:?}"),
            });
        }
        values
    }
}

/// Values that have gone wrong in other people's circuits.
fn specials(format: Format) -> Vec<Float> {
    let bias = (1_u128 << (format.exponent_bits() - 1)) - 1;
    let precision = u128::from(format.significand_bits());
    let parts = [
        (0, 0),
        (0, 1),
        (0, u128::MAX),
        (0, 1 << (precision - 2)),
        (1, 0),
        (1, 1),
        (bias - precision, 1),
        (bias - 2, u128::MAX),
        (bias - 1, 0),
        (bias - 1, 1),
        (bias - 1, u128::MAX),
        (bias, 0),
        (bias, 1),
        (bias, 1 << (precision - 2)),
        (bias, u128::MAX),
        (bias + 1, 1 << (precision - 3)),
        (bias + 1, 3 << (precision - 3)),
        (bias + precision - 2, 1),
        (bias + precision - 1, u128::MAX),
        (bias + precision, 1),
        (u128::MAX - 1, 0),
        (u128::MAX - 1, u128::MAX),
        (u128::MAX, 0),
        (u128::MAX, 1),
    ];
    let both = |(exponent, fraction): (u128, u128)| {
        [false, true].map(|sign| Float::from_parts(format, sign, exponent, fraction))
    };
    parts.into_iter().flat_map(both).collect()
}

/// Every operator that takes or gives floats of a format, with the sorts that it takes.
fn operators(format: Format) -> Vec<(Op, Vec<Sort>)> {
    let float = Sort::Float(format);
    let mut all = vec![];
    for op in [Op::FpRem, Op::FpFmod, Op::FpMin, Op::FpMax, Op::FpEq, Op::FpLt, Op::FpLe, Op::Eq] {
        let rest = matches!(op, Op::FpRem | Op::FpFmod);
        if !rest || !matches!(format, Format::X87 | Format::Quad) {
            all.push((op, vec![float, float]));
        }
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
        all.push((op, vec![float]));
    }
    all.push((Op::FpFromBits(format), vec![Sort::Bv(format.width())]));
    for rounding in Rounding::ALL {
        for op in [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv] {
            all.push((op(rounding), vec![float, float]));
        }
        all.push((Op::FpFma(rounding), vec![float, float, float]));
        all.push((Op::FpSqrt(rounding), vec![float]));
        all.push((Op::FpRound(rounding), vec![float]));
        for to in Format::ALL {
            all.push((Op::FpToFp(rounding, to), vec![float]));
        }
        for width in [1, 2, 8, 16, 32, 64, 100, 200] {
            all.push((Op::FpFromSignedBv(rounding, format), vec![Sort::Bv(width)]));
            all.push((Op::FpFromUnsignedBv(rounding, format), vec![Sort::Bv(width)]));
            all.push((Op::FpToSignedBv(rounding, width), vec![float]));
            all.push((Op::FpToUnsignedBv(rounding, width), vec![float]));
        }
    }
    all
}

fn literals(circuit: Circuit) -> Vec<Lit> {
    match circuit {
        Circuit::Bool(literal) => vec![literal],
        Circuit::Word(word) | Circuit::Float(_, word) => word,
        Circuit::Number(_) => unreachable!("no operator of floats gives an unbounded number"),
    }
}

/// An operator on variables, whose circuit is built once.
struct Bench {
    op: Op,
    sorts: Vec<Sort>,
    blaster: Blaster,
    inputs: Vec<Circuit>,
    term: TermId,
    output: Circuit,
}

impl Bench {
    /// `cells` says how large an operation is that is left open at first.
    fn new(op: Op, sorts: &[Sort], cells: usize) -> Self {
        let mut terms = Terms::new();
        let mut blaster = Blaster::new();
        blaster.gates.lazy.cells = cells;
        let args: Vec<_> = sorts
            .iter()
            .map(|sort| {
                let var = terms.declare("x", *sort);
                terms.var(var)
            })
            .collect();
        let term = terms.app(op, &args);
        let mut built = |term| blaster.circuit(&terms, term).expect("a circuit");
        let inputs = args.iter().map(|arg| built(*arg)).collect();
        let output = built(term);
        Self { op, sorts: sorts.to_vec(), blaster, inputs, term, output }
    }

    /// Gives the operands to the variables by assumptions, and reads the result.
    fn check(&mut self, values: &[Value]) {
        let mut assumptions = Vec::new();
        for (input, value) in self.inputs.iter().zip(values) {
            let wanted = literals(self.blaster.constant(value).expect("a constant"));
            for (bit, wanted) in literals(input.clone()).into_iter().zip(wanted) {
                let wanted = self.blaster.gates.known(wanted).expect("a constant");
                assumptions.push(if wanted { bit } else { !bit });
            }
        }
        loop {
            let answer = self.blaster.gates.sat.solve(&assumptions, &Budget::default());
            assert_eq!(answer, Answer::Sat, "{:?} of {values:?} has a value", self.op);
            if self.blaster.refute(&[self.term]) == 0 {
                break;
            }
        }
        let expected = apply(self.op, &values.iter().collect::<Vec<_>>());
        let found = self.blaster.model_value(&self.output);
        assert_eq!(found, expected, "{:?} of {values:?}", self.op);
    }
}

/// The result of constants, which folding must find.
fn folded(blaster: &mut Blaster, op: Op, values: &[Value]) {
    let expected = apply(op, &values.iter().collect::<Vec<_>>());
    let circuits: Vec<Circuit> =
        values.iter().map(|value| blaster.constant(value).expect("a constant")).collect();
    let found = match (circuits.as_slice(), op) {
        ([Circuit::Float(format, a)], _) => blaster.unit(*format).unary(op, a),
        ([Circuit::Float(_, a), Circuit::Float(_, b)], Op::Eq) => {
            Ok(Circuit::Bool(blaster.gates.equal(a, b)))
        }
        ([Circuit::Float(format, a), Circuit::Float(_, b)], _) => {
            blaster.unit(*format).binary(op, a, b)
        }
        (
            [Circuit::Float(format, a), Circuit::Float(_, b), Circuit::Float(_, c)],
            Op::FpFma(rounding),
        ) => Ok(Circuit::Float(*format, blaster.unit(*format).fused(rounding, a, b, c))),
        ([Circuit::Word(a)], Op::FpFromBits(to)) => {
            Ok(Circuit::Float(to, blaster.unit(to).decode(a)))
        }
        ([Circuit::Word(a)], Op::FpFromSignedBv(rounding, to)) => {
            Ok(Circuit::Float(to, blaster.unit(to).of_signed(rounding, a)))
        }
        ([Circuit::Word(a)], Op::FpFromUnsignedBv(rounding, to)) => {
            Ok(Circuit::Float(to, blaster.unit(to).of_unsigned(rounding, a)))
        }
        _ => panic!("{op:?} of {values:?}"),
    };
    let found = literals(found.expect("a circuit"));
    let expected_bits = literals(blaster.constant(&expected).expect("a constant"));
    assert_eq!(found, expected_bits, "{op:?} of {values:?} is {expected:?}");
}

fn fold_all(format: Format, rounds: usize) {
    let mut dice = Dice(Random::new(format.width().into()));
    let mut blaster = Blaster::new();
    for (op, sorts) in operators(format) {
        let rounds = if matches!(op, Op::FpRem | Op::FpFmod) { rounds / 8 } else { rounds };
        for _ in 0..rounds {
            let values = dice.operands(&sorts);
            folded(&mut blaster, op, &values);
        }
        if sorts == [Sort::Float(format)] {
            for value in specials(format) {
                folded(&mut blaster, op, &[Value::Float(value)]);
            }
        }
    }
}

fn solve_all(format: Format, rounds: usize, cells: usize) {
    let mut dice = Dice(Random::new(u64::from(format.width()) + 1000));
    let specials = specials(format);
    for (op, sorts) in operators(format) {
        // A double's takes too long to build for a test.
        if matches!(op, Op::FpRem | Op::FpFmod) && format == Format::Double {
            continue;
        }
        let mut bench = Bench::new(op, &sorts, cells);
        for _ in 0..rounds {
            let values = dice.operands(&bench.sorts);
            bench.check(&values);
            if sorts.iter().all(|sort| *sort == Sort::Float(format)) {
                let values: Vec<Value> = sorts
                    .iter()
                    .map(|_| Value::Float(specials[dice.roll(specials.len())]))
                    .collect();
                bench.check(&values);
            }
        }
    }
}

#[test]
fn half_folds() {
    fold_all(Format::Half, 300);
}

#[test]
fn single_folds() {
    fold_all(Format::Single, 200);
}

#[test]
fn double_folds() {
    fold_all(Format::Double, 150);
}

#[test]
fn x87_folds() {
    fold_all(Format::X87, 150);
}

#[test]
fn quad_folds() {
    fold_all(Format::Quad, 40);
}

#[test]
fn half_solves() {
    solve_all(Format::Half, 40, usize::MAX);
}

#[test]
fn single_solves() {
    solve_all(Format::Single, 10, usize::MAX);
}

#[test]
fn double_solves() {
    solve_all(Format::Double, 4, usize::MAX);
}

#[test]
fn x87_solves() {
    solve_all(Format::X87, 2, usize::MAX);
}

/// The operators whose circuits have parts that are left open.
#[test]
fn what_is_left_open_solves() {
    solve_all(Format::Half, 40, 1);
    solve_all(Format::Single, 10, 1);
    solve_all(Format::Double, 4, 1);
    solve_all(Format::X87, 2, 1);
}

#[test]
fn pairs_of_specials_fold() {
    for format in [Format::Half, Format::Single, Format::X87] {
        let mut blaster = Blaster::new();
        let specials = specials(format);
        let rounded = Rounding::ALL.map(|r| [Op::FpAdd(r), Op::FpMul(r), Op::FpDiv(r)]);
        let plain = [Op::FpMin, Op::FpMax, Op::FpEq, Op::FpLt, Op::FpLe];
        let rests: &[Op] = if format == Format::Half { &[Op::FpRem, Op::FpFmod] } else { &[] };
        for op in rounded.concat().into_iter().chain(plain).chain(rests.iter().copied()) {
            for a in &specials {
                for b in &specials {
                    folded(&mut blaster, op, &[Value::Float(*a), Value::Float(*b)]);
                }
            }
        }
    }
}
