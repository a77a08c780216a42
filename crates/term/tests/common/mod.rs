//! Random expressions, drawn from a list of choices so that failures shrink.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use proviso_term::{
    ArraySort, Bv, Float, Format, Op, Rounding, Sort, TermId, Terms, Value, Var, apply,
};

/// An expression as built, before any simplification.
#[derive(Clone, Debug)]
pub enum Expr {
    Var(Var),
    Const(Value),
    App(Op, Vec<Expr>),
}

pub const WIDTHS: [u32; 10] = [1, 7, 8, 32, 33, 64, 65, 128, 129, 200];

/// A table with a few symbols of every sort, and values for them.
pub struct World {
    pub terms: Terms,
    pub vars: Vec<Var>,
    pub arrays: Vec<Sort>,
    pub env: BTreeMap<Var, Value>,
    choices: std::vec::IntoIter<u32>,
}

impl World {
    pub fn new(choices: Vec<u32>) -> World {
        let mut terms = Terms::new();
        let mut sorts = vec![Sort::Bool, Sort::Int, Sort::Rat];
        sorts.extend(WIDTHS.map(Sort::Bv));
        sorts.extend(Format::ALL.map(Sort::Float));
        let arrays = vec![
            terms.array_sort(Sort::Bv(32), Sort::Bv(8)),
            terms.array_sort(Sort::Bv(1), Sort::Bv(7)),
            terms.array_sort(Sort::Bool, Sort::Bool),
            terms.array_sort(Sort::Int, Sort::Int),
        ];
        sorts.extend(&arrays);
        let mut vars = Vec::new();
        for (index, sort) in sorts.iter().enumerate() {
            for copy in 0..2 {
                vars.push(terms.declare(format!("x{index}_{copy}"), *sort));
            }
        }
        let mut world =
            World { terms, vars, arrays, env: BTreeMap::new(), choices: choices.into_iter() };
        for v in world.vars.clone() {
            let value = world.value(world.terms.var_sort(v));
            world.env.insert(v, value);
        }
        world
    }

    /// A number below `bound`; 0 when the choices have run out.
    pub fn below(&mut self, bound: usize) -> usize {
        self.choices.next().unwrap_or(0) as usize % bound
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub fn sort(&mut self) -> Sort {
        match self.below(12) {
            0..=2 => Sort::Bool,
            3 => Sort::Int,
            4 => Sort::Rat,
            5..=8 => Sort::Bv(self.pick(&WIDTHS)),
            9..=10 => Sort::Float(self.pick(&Format::ALL)),
            _ => self.pick(&self.arrays.clone()),
        }
    }

    fn bits(&mut self) -> u128 {
        (0..4).fold(0, |bits, _| bits << 32 | u128::from(self.choices.next().unwrap_or(0)))
    }

    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::Int => Value::Int(BigInt::from(self.below(9) as i64 - 4)),
            Sort::Rat => {
                let numer = BigInt::from(self.below(9) as i64 - 4);
                Value::Rat(BigRational::new(numer, BigInt::from(self.below(3) as i64 + 1)))
            }
            Sort::Bv(width) => Value::Bv(match self.below(8) {
                0 => Bv::zero(width),
                1 => Bv::new(width, 1),
                2 => Bv::ones(width),
                3 => Bv::signed_min(width),
                4 => Bv::signed_max(width),
                5 => Bv::new(width, self.below(10) as u128),
                6 => Bv::from_signed(width, -(self.below(10) as i128)),
                _ => {
                    let low = Bv::new(width, self.bits());
                    let by = Bv::new(width, u128::from(width / 2));
                    low.shl(&by).xor(&Bv::new(width, self.bits()))
                }
            }),
            Sort::Float(format) => Value::Float(self.float(format)),
            Sort::Array(array) => {
                let (index, element) = self.terms.array_parts(array);
                let mut value = proviso_term::ArrayValue::new(array, self.value(element));
                for _ in 0..self.below(3) {
                    let at = self.value(index);
                    let element = self.value(element);
                    value.set(at, element);
                }
                Value::Array(Box::new(value))
            }
        }
    }

    pub fn float(&mut self, format: Format) -> Float {
        let negative = self.below(2) == 1;
        match self.below(8) {
            0 => Float::zero(format, negative),
            1 => Float::infinity(format, negative),
            2 => Float::nan(format),
            3 => Float::largest(format, negative),
            4 => Float::from_parts(format, negative, 0, self.below(5) as u128),
            5 => {
                let small = Bv::from_signed(8, self.below(9) as i128 - 4);
                Float::from_signed_bv(Rounding::NearestEven, format, &small)
            }
            _ => Float::from_bits(format, self.bits()),
        }
    }

    /// An expression of a sort.
    pub fn expr(&mut self, sort: Sort, depth: u32) -> Expr {
        if depth == 0 || self.below(6) == 0 {
            return self.leaf(sort);
        }
        if self.below(7) == 0 {
            let condition = self.expr(Sort::Bool, depth - 1);
            // Constant arms, as from C's truth values, are the case that matters.
            let inner = if self.below(2) == 0 { 0 } else { depth - 1 };
            let (then, other) = (self.expr(sort, inner), self.expr(sort, inner));
            return Expr::App(Op::Ite, vec![condition, then, other]);
        }
        if self.below(12) == 0
            && let Some(array) =
                self.arrays.clone().into_iter().find_map(|array| self.array_of(array, sort))
        {
            let (index, _) = self.terms.array_parts(array);
            let args = vec![self.expr(Sort::Array(array), depth - 1), self.expr(index, depth - 1)];
            return Expr::App(Op::Select, args);
        }
        let (op, args) = self.operator(sort);
        let args = args.into_iter().map(|sort| self.expr(sort, depth - 1)).collect();
        Expr::App(op, args)
    }

    fn array_of(&self, array: Sort, element: Sort) -> Option<ArraySort> {
        match array {
            Sort::Array(array) if self.terms.array_parts(array).1 == element => Some(array),
            _ => None,
        }
    }

    fn leaf(&mut self, sort: Sort) -> Expr {
        let vars: Vec<Var> =
            self.vars.iter().copied().filter(|v| self.terms.var_sort(*v) == sort).collect();
        if vars.is_empty() || self.below(2) == 0 {
            return Expr::Const(self.value(sort));
        }
        Expr::Var(self.pick(&vars))
    }

    fn rounding(&mut self) -> Rounding {
        self.pick(&Rounding::ALL)
    }

    fn format(&mut self) -> Format {
        self.pick(&Format::ALL)
    }

    /// An operator that gives this sort, with the sorts of its arguments.
    fn operator(&mut self, sort: Sort) -> (Op, Vec<Sort>) {
        let r = self.rounding();
        match sort {
            Sort::Bool => self.predicate(),
            Sort::Int => match self.below(12) {
                0..=2 => (Op::Add, vec![sort; 2]),
                3..=4 => (Op::Sub, vec![sort; 2]),
                5 => (Op::Mul, vec![sort; 2]),
                6 => (Op::Neg, vec![sort]),
                7 => (Op::IntDiv, vec![sort; 2]),
                8 => (Op::IntMod, vec![sort; 2]),
                9 => (Op::IntRem, vec![sort; 2]),
                10 => (Op::ToInt, vec![Sort::Rat]),
                _ => {
                    let width = self.pick(&WIDTHS);
                    let op = self.pick(&[Op::BvToIntUnsigned, Op::BvToIntSigned]);
                    (op, vec![Sort::Bv(width)])
                }
            },
            Sort::Rat => match self.below(6) {
                0 => (Op::ToRat, vec![Sort::Int]),
                1 => (Op::Neg, vec![sort]),
                _ => (self.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Div]), vec![sort; 2]),
            },
            Sort::Bv(width) => self.bits_operator(width, r),
            Sort::Float(format) => match self.below(14) {
                0 => (Op::FpAdd(r), vec![sort; 2]),
                1 => (Op::FpSub(r), vec![sort; 2]),
                2 => (Op::FpMul(r), vec![sort; 2]),
                3 => (Op::FpDiv(r), vec![sort; 2]),
                4 => (Op::FpFma(r), vec![sort; 3]),
                5 => (Op::FpSqrt(r), vec![sort]),
                6 => (Op::FpRound(r), vec![sort]),
                7 => (self.pick(&[Op::FpRem, Op::FpFmod]), vec![sort; 2]),
                8 => (self.pick(&[Op::FpMin, Op::FpMax]), vec![sort; 2]),
                9 | 10 => (self.pick(&[Op::FpAbs, Op::FpNeg]), vec![sort]),
                11 => (Op::FpToFp(r, format), vec![Sort::Float(self.format())]),
                12 => {
                    let width = self.pick(&WIDTHS);
                    let op = self
                        .pick(&[Op::FpFromSignedBv(r, format), Op::FpFromUnsignedBv(r, format)]);
                    (op, vec![Sort::Bv(width)])
                }
                _ => (Op::FpFromBits(format), vec![Sort::Bv(format.width())]),
            },
            Sort::Array(array) => {
                let (index, element) = self.terms.array_parts(array);
                if self.below(4) == 0 {
                    (Op::ConstArray(array), vec![element])
                } else {
                    (Op::Store, vec![sort, index, element])
                }
            }
        }
    }

    fn bits_operator(&mut self, width: u32, r: Rounding) -> (Op, Vec<Sort>) {
        let sort = Sort::Bv(width);
        match self.below(14) {
            0..=6 => {
                let op = self.pick(&[
                    Op::BvAdd,
                    Op::BvSub,
                    Op::BvMul,
                    Op::BvUdiv,
                    Op::BvSdiv,
                    Op::BvUrem,
                    Op::BvSrem,
                    Op::BvSmod,
                    Op::BvAnd,
                    Op::BvOr,
                    Op::BvXor,
                    Op::BvShl,
                    Op::BvLshr,
                    Op::BvAshr,
                    Op::BvAdd,
                    Op::BvSub,
                ]);
                (op, vec![sort; 2])
            }
            7 => (self.pick(&[Op::BvNot, Op::BvNeg]), vec![sort]),
            8 | 9 => {
                let wider: Vec<u32> = WIDTHS.into_iter().filter(|w| *w >= width).collect();
                let from = self.pick(&wider);
                let low = self.below((from - width + 1) as usize) as u32;
                let low = if self.below(2) == 0 { 0 } else { low };
                (Op::BvExtract { high: low + width - 1, low }, vec![Sort::Bv(from)])
            }
            10 | 11 => {
                let narrower: Vec<u32> = WIDTHS.into_iter().filter(|w| *w <= width).collect();
                let from = self.pick(&narrower);
                let op = self.pick(&[Op::BvZeroExtend(width), Op::BvSignExtend(width)]);
                (op, vec![Sort::Bv(from)])
            }
            12 if width > 1 => {
                let low = self.below(width as usize - 1) as u32 + 1;
                (Op::BvConcat, vec![Sort::Bv(width - low), Sort::Bv(low)])
            }
            _ => match self.below(4) {
                0 => (Op::IntToBv(width), vec![Sort::Int]),
                1 => match Format::ALL.into_iter().find(|format| format.width() == width) {
                    Some(format) => (Op::FpToBits, vec![Sort::Float(format)]),
                    None => (Op::BvNot, vec![sort]),
                },
                _ => {
                    let format = self.format();
                    let op = self.pick(&[Op::FpToSignedBv(r, width), Op::FpToUnsignedBv(r, width)]);
                    (op, vec![Sort::Float(format)])
                }
            },
        }
    }

    fn predicate(&mut self) -> (Op, Vec<Sort>) {
        match self.below(12) {
            0 => (Op::Not, vec![Sort::Bool]),
            1 => (self.pick(&[Op::And, Op::Or]), vec![Sort::Bool; 2]),
            2 => {
                let count = self.below(5);
                (self.pick(&[Op::And, Op::Or]), vec![Sort::Bool; count])
            }
            3 | 4 => {
                let sort = self.sort();
                (Op::Eq, vec![sort; 2])
            }
            5 => {
                let sort = self.pick(&[Sort::Int, Sort::Rat]);
                (self.pick(&[Op::Le, Op::Lt]), vec![sort; 2])
            }
            6..=8 => {
                let width = self.pick(&WIDTHS);
                (self.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle]), vec![Sort::Bv(width); 2])
            }
            9 => {
                let width = self.pick(&WIDTHS);
                let op = self.pick(&[
                    Op::BvUaddOverflow,
                    Op::BvSaddOverflow,
                    Op::BvUsubOverflow,
                    Op::BvSsubOverflow,
                    Op::BvUmulOverflow,
                    Op::BvSmulOverflow,
                ]);
                (op, vec![Sort::Bv(width); 2])
            }
            10 => {
                let format = self.format();
                (self.pick(&[Op::FpEq, Op::FpLt, Op::FpLe]), vec![Sort::Float(format); 2])
            }
            _ => {
                let format = self.format();
                let op = self.pick(&[
                    Op::FpIsNan,
                    Op::FpIsInfinite,
                    Op::FpIsZero,
                    Op::FpIsNormal,
                    Op::FpIsSubnormal,
                    Op::FpIsNegative,
                    Op::FpIsPositive,
                ]);
                (op, vec![Sort::Float(format)])
            }
        }
    }

    /// The term of an expression, simplified on the way.
    pub fn build(&mut self, expr: &Expr) -> TermId {
        match expr {
            Expr::Var(v) => self.terms.var(*v),
            Expr::Const(value) => self.terms.constant(value.clone()),
            Expr::App(op, args) => {
                let args: Vec<TermId> = args.iter().map(|arg| self.build(arg)).collect();
                self.terms.app(*op, &args)
            }
        }
    }

    /// The value of an expression, without building any term.
    pub fn meaning(&self, expr: &Expr, env: &BTreeMap<Var, Value>) -> Value {
        match expr {
            Expr::Var(v) => env[v].clone(),
            Expr::Const(value) => value.clone(),
            Expr::App(op, args) => {
                let args: Vec<Value> = args.iter().map(|arg| self.meaning(arg, env)).collect();
                apply(*op, &args.iter().collect::<Vec<_>>())
            }
        }
    }
}
