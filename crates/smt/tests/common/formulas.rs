//! Random formulas, the same for the same seed. Used by the tests of this crate and by
//! `cargo xtask solver-fuzz`.

use base::Random;
use num_bigint::BigInt;
use term::{ArrayValue, Bv, Op, Sort, TermId, Terms, Value, Var};

/// A question: formulas that are asserted, and assumptions.
pub struct Question {
    pub asserted: Vec<TermId>,
    pub assumptions: Vec<TermId>,
}

/// Variables to build formulas from.
pub struct World {
    pub terms: Terms,
    pub vars: Vec<Var>,
    theory: Theory,
    /// The widths of words, the first the usual one.
    widths: [u32; 2],
    array: Option<Sort>,
}

/// What formulas are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Truth values, bit-vectors, arrays of them.
    Words,
    /// Truth values, linear integers and rationals.
    Linear,
}

/// Products and quotients of two variables are as hard as their width.
const HARD_WIDTH: u32 = 8;

impl World {
    /// Words of any width up to 64, mostly small or usual ones.
    pub fn words(dice: &mut Random) -> Self {
        let any = |dice: &mut Random| match dice.below(4) {
            0 => 1 + dice.below(4) as u32,
            1 => 1 + dice.below(64) as u32,
            _ => dice.pick(&[8, 16, 32, 64]),
        };
        let widths = [any(dice), any(dice)];
        let index = if dice.below(2) == 0 { widths[1] } else { 1 + dice.below(4) as u32 };
        let array = (dice.below(3) == 0).then_some(index);
        Self::of(Theory::Words, widths, array, 3)
    }

    /// So few values that all can be tried: at most 12 bits.
    pub fn tiny(dice: &mut Random) -> Self {
        match dice.below(4) {
            0 => Self::of(Theory::Words, [1, 2], Some(2), 1),
            1 => Self::of(Theory::Words, [2, 1], Some(1), 2),
            2 => Self::of(Theory::Words, [3, 2], None, 2),
            _ => Self::of(Theory::Words, [4, 1], None, 2),
        }
    }

    /// Integers and rationals.
    pub fn linear() -> Self {
        Self::of(Theory::Linear, [1, 1], None, 3)
    }

    fn of(theory: Theory, widths: [u32; 2], index: Option<u32>, count: usize) -> Self {
        let mut terms = Terms::new();
        let mut vars = vec![terms.declare("p", Sort::Bool), terms.declare("q", Sort::Bool)];
        let sorts = match theory {
            Theory::Words => [Sort::Bv(widths[0]), Sort::Bv(widths[1])],
            Theory::Linear => [Sort::Int, Sort::Rat],
        };
        vars.extend((0..count).map(|at| terms.declare(format!("x{at}"), sorts[0])));
        vars.push(terms.declare("y", sorts[1]));
        let array = index.map(|index| terms.array_sort(Sort::Bv(index), Sort::Bv(widths[0])));
        vars.extend(array.map(|sort| terms.declare("a", sort)));
        Self { terms, vars, theory, widths, array }
    }

    /// A question, most often one that has no model for every assumption.
    pub fn question(&mut self, dice: &mut Random) -> Question {
        let depth = 1 + dice.below(3) as u32;
        let mut some = |world: &mut Self, most: usize| {
            (0..dice.below(most + 1)).map(|_| world.formula(dice, depth)).collect::<Vec<_>>()
        };
        let asserted = some(self, 3);
        let assumptions = some(self, 3);
        Question { asserted, assumptions }
    }

    fn var(&mut self, dice: &mut Random, sort: Sort) -> Option<TermId> {
        let fitting: Vec<Var> =
            self.vars.iter().copied().filter(|var| self.terms.var_sort(*var) == sort).collect();
        (!fitting.is_empty()).then(|| self.terms.var(dice.pick(&fitting)))
    }

    /// A term of a sort.
    pub fn term(&mut self, dice: &mut Random, sort: Sort, depth: u32) -> TermId {
        match sort {
            Sort::Bool => self.formula(dice, depth),
            Sort::Bv(width) => self.word(dice, width, depth),
            Sort::Array(_) => self.array(dice, sort, depth),
            _ => self.number(dice, sort, depth),
        }
    }

    pub fn formula(&mut self, dice: &mut Random, depth: u32) -> TermId {
        use Op::*;
        const PREDICATES: [Op; 10] = [
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
            return match self.var(dice, Sort::Bool) {
                Some(var) => var,
                None => self.terms.bool(true),
            };
        }
        let less = depth - 1;
        match dice.below(12) {
            0 => {
                let a = self.formula(dice, less);
                self.terms.not(a)
            }
            1 | 2 => {
                let parts: Vec<TermId> =
                    (0..2 + dice.below(2)).map(|_| self.formula(dice, less)).collect();
                let op = dice.pick(&[And, Or]);
                self.terms.app(op, &parts)
            }
            3 => {
                let (a, b) = (self.formula(dice, less), self.formula(dice, less));
                self.terms.eq(a, b)
            }
            4 => {
                let [a, b, c] = [(); 3].map(|()| self.formula(dice, less));
                self.terms.ite(a, b, c)
            }
            _ if self.theory == Theory::Linear => {
                let sort = dice.pick(&[Sort::Int, Sort::Int, Sort::Rat]);
                let (a, b) = (self.number(dice, sort, depth), self.number(dice, sort, less));
                let op = dice.pick(&[Eq, Le, Lt, Le, Lt]);
                self.terms.app(op, &[a, b])
            }
            at => {
                let width = if dice.below(4) == 0 { self.widths[1] } else { self.widths[0] };
                let op = if at < 8 { Eq } else { dice.pick(&PREDICATES) };
                let hard = matches!(op, BvUmulOverflow | BvSmulOverflow) && width > HARD_WIDTH;
                let a = self.word(dice, width, less);
                let b =
                    if hard { self.constant(dice, width) } else { self.word(dice, width, less) };
                self.terms.app(op, &[a, b])
            }
        }
    }

    fn constant(&mut self, dice: &mut Random, width: u32) -> TermId {
        let bits = match dice.below(4) {
            0 => u128::from(dice.next()),
            1 => u128::MAX,
            2 => 1 << (width - 1),
            _ => dice.below(8) as u128,
        };
        self.terms.bv(width, bits)
    }

    fn word(&mut self, dice: &mut Random, width: u32, depth: u32) -> TermId {
        use Op::*;
        const EASY: [Op; 8] = [BvAdd, BvSub, BvAnd, BvOr, BvXor, BvShl, BvLshr, BvAshr];
        const HARD: [Op; 6] = [BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvSmod];
        if depth == 0 || dice.below(6) == 0 {
            if dice.below(4) > 0
                && let Some(var) = self.var(dice, Sort::Bv(width))
            {
                return var;
            }
            return self.constant(dice, width);
        }
        let less = depth - 1;
        match dice.below(16) {
            0..=5 => {
                let (a, b) = (self.word(dice, width, less), self.word(dice, width, less));
                let op = dice.pick(&EASY);
                self.terms.app(op, &[a, b])
            }
            6..=8 => {
                let op = dice.pick(&HARD);
                let a = self.word(dice, width, less);
                if width <= HARD_WIDTH {
                    let b = self.word(dice, width, less);
                    return self.terms.app(op, &[a, b]);
                }
                let b = self.constant(dice, width);
                let op = if width > 16 && dice.below(4) > 0 { BvMul } else { op };
                self.terms.app(op, &[a, b])
            }
            9 => {
                let a = self.word(dice, width, less);
                let op = dice.pick(&[BvNot, BvNeg]);
                self.terms.app(op, &[a])
            }
            10 => {
                let c = self.formula(dice, less);
                let (a, b) = (self.word(dice, width, less), self.word(dice, width, less));
                self.terms.ite(c, a, b)
            }
            11 if width > 1 => {
                let low = 1 + dice.below(width as usize - 1) as u32;
                let a = self.word(dice, width - low, less);
                let b = self.word(dice, low, less);
                self.terms.bv_concat(a, b)
            }
            12 if width > 1 => {
                let narrow = 1 + dice.below(width as usize - 1) as u32;
                let a = self.word(dice, narrow, less);
                let op = dice.pick(&[BvZeroExtend(width), BvSignExtend(width)]);
                self.terms.app(op, &[a])
            }
            13 => {
                let extra = dice.below(4) as u32;
                let low = dice.below(extra as usize + 1) as u32;
                let a = self.word(dice, width + extra, less);
                self.terms.bv_extract(low + width - 1, low, a)
            }
            _ => match self.array {
                Some(sort) if width == self.widths[0] => {
                    let array = self.array(dice, sort, less);
                    let index = self.index(dice, sort, less);
                    self.terms.select(array, index)
                }
                _ => self.word(dice, width, less),
            },
        }
    }

    fn index(&mut self, dice: &mut Random, sort: Sort, depth: u32) -> TermId {
        let Sort::Array(array) = sort else { return self.terms.bool(true) };
        let index = self.terms.array_parts(array).0;
        self.term(dice, index, depth)
    }

    fn array(&mut self, dice: &mut Random, sort: Sort, depth: u32) -> TermId {
        let variable = self.var(dice, sort);
        let Some(base) = variable else { return self.terms.bool(true) };
        if depth == 0 {
            return base;
        }
        let (less, width) = (depth - 1, self.widths[0]);
        match dice.below(6) {
            0 => base,
            1 => {
                let element = self.word(dice, width, less);
                self.terms.const_array(sort, element)
            }
            2 => {
                let c = self.formula(dice, less);
                let (a, b) = (self.array(dice, sort, less), self.array(dice, sort, less));
                self.terms.ite(c, a, b)
            }
            _ => {
                let mut array = self.array(dice, sort, less);
                for _ in 0..1 + dice.below(2) {
                    let index = self.index(dice, sort, less);
                    let element = self.word(dice, width, less);
                    array = self.terms.store(array, index, element);
                }
                array
            }
        }
    }

    /// A linear term.
    fn number(&mut self, dice: &mut Random, sort: Sort, depth: u32) -> TermId {
        let constant = |terms: &mut Terms, number: i64| match sort {
            Sort::Int => terms.int(number),
            _ => terms.rat(BigInt::from(number).into()),
        };
        if depth == 0 || dice.below(5) == 0 {
            if dice.below(4) > 0
                && let Some(var) = self.var(dice, sort)
            {
                return var;
            }
            let number = dice.below(21) as i64 - 10;
            return constant(&mut self.terms, number);
        }
        let less = depth - 1;
        match dice.below(10) {
            0..=3 => {
                let (a, b) = (self.number(dice, sort, less), self.number(dice, sort, less));
                let op = dice.pick(&[Op::Add, Op::Sub]);
                self.terms.app(op, &[a, b])
            }
            4..=6 => {
                let factor = dice.below(11) as i64 - 5;
                let factor = constant(&mut self.terms, factor);
                let a = self.number(dice, sort, less);
                self.terms.mul(factor, a)
            }
            7 => {
                let a = self.number(dice, sort, less);
                self.terms.neg(a)
            }
            8 => {
                let c = self.formula(dice, less);
                let (a, b) = (self.number(dice, sort, less), self.number(dice, sort, less));
                self.terms.ite(c, a, b)
            }
            _ if sort == Sort::Rat => {
                let a = self.number(dice, Sort::Int, less);
                self.terms.app(Op::ToRat, &[a])
            }
            _ => {
                let a = self.number(dice, sort, less);
                let divisor = 2 + dice.below(4) as i64;
                let divisor = constant(&mut self.terms, divisor);
                let op = dice.pick(&[Op::IntDiv, Op::IntMod]);
                self.terms.app(op, &[a, divisor])
            }
        }
    }

    /// Every assignment of the variables, if the world is tiny.
    pub fn assignments(&self) -> impl Iterator<Item = Vec<(Var, Value)>> + '_ {
        let sizes: Vec<u32> =
            self.vars.iter().map(|var| self.bits(self.terms.var_sort(*var))).collect();
        let total: u32 = sizes.iter().sum();
        assert!(total <= 16, "the world is not tiny");
        (0..1_u64 << total).map(move |code| {
            let mut code = code;
            self.vars
                .iter()
                .zip(&sizes)
                .map(|(var, size)| {
                    let value = self.decode(self.terms.var_sort(*var), code);
                    code >>= size;
                    (*var, value)
                })
                .collect()
        })
    }

    fn bits(&self, sort: Sort) -> u32 {
        match sort {
            Sort::Bool => 1,
            Sort::Bv(width) => width,
            Sort::Array(array) => {
                let (index, element) = self.terms.array_parts(array);
                self.bits(element) << self.bits(index)
            }
            _ => 64,
        }
    }

    fn decode(&self, sort: Sort, code: u64) -> Value {
        match sort {
            Sort::Bv(width) => Value::Bv(Bv::new(width, u128::from(code))),
            Sort::Array(array) => {
                let (index, element) = self.terms.array_parts(array);
                let size = self.bits(element);
                let mut map = ArrayValue::new(array, self.decode(element, 0));
                for at in 0..1_u64 << self.bits(index) {
                    let bits = code >> (at as u32 * size);
                    map.set(self.decode(index, at), self.decode(element, bits));
                }
                Value::Array(Box::new(map))
            }
            _ => Value::Bool(code & 1 == 1),
        }
    }
}
