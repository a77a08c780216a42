//! Random terms, and assignments under which they are true.

use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use term::{Bv, Op, Sort, TermId, Terms, Value, Var};

use super::Dice;

/// A table with a few variables of each sort.
pub(super) struct World {
    pub terms: Terms,
    pub vars: Vec<(Var, Sort)>,
    pub width: u32,
}

pub(super) const WORDS: &[Op] = &[
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
];

pub(super) const PREDICATES: &[Op] = &[
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::BvUaddOverflow,
    Op::BvSaddOverflow,
    Op::BvUsubOverflow,
    Op::BvSsubOverflow,
    Op::BvUmulOverflow,
    Op::BvSmulOverflow,
];

impl World {
    pub fn new(width: u32) -> Self {
        let mut terms = Terms::new();
        let mut vars = Vec::new();
        for (name, sort) in [
            ("x", Sort::Bv(width)),
            ("y", Sort::Bv(width)),
            ("z", Sort::Bv(width)),
            ("p", Sort::Bool),
            ("q", Sort::Bool),
            ("i", Sort::Int),
            ("j", Sort::Int),
            ("k", Sort::Int),
            ("r", Sort::Rat),
            ("s", Sort::Rat),
        ] {
            vars.push((terms.declare(name, sort), sort));
        }
        Self { terms, vars, width }
    }

    fn var(&mut self, dice: &mut Dice, sort: Sort) -> TermId {
        let fitting: Vec<Var> =
            self.vars.iter().filter(|(_, s)| *s == sort).map(|(v, _)| *v).collect();
        let var = fitting[dice.roll(fitting.len())];
        self.terms.var(var)
    }

    /// A constant: a small number, one near an end, or any.
    pub fn number(&self, dice: &mut Dice) -> Bv {
        match dice.roll(4) {
            0 => Bv::new(self.width, dice.roll(9) as u128),
            1 => Bv::new(self.width, dice.roll(9) as u128).neg(),
            2 => Bv::signed_min(self.width).add(&Bv::new(self.width, dice.roll(3) as u128)),
            _ => {
                let mut bits = Bv::new(self.width, dice.bits());
                if self.width > 128 {
                    bits = bits.or(&bits.shl(&Bv::new(self.width, 100)));
                }
                bits
            }
        }
    }

    pub fn word(&mut self, dice: &mut Dice, depth: u32) -> TermId {
        if depth == 0 || dice.roll(6) == 0 {
            if dice.roll(3) == 0 {
                let number = self.number(dice);
                return self.terms.bv_value(number);
            }
            return self.var(dice, Sort::Bv(self.width));
        }
        let depth = depth - 1;
        match dice.roll(WORDS.len() + 7) {
            n if n < WORDS.len() => {
                let (a, b) = (self.word(dice, depth), self.word(dice, depth));
                self.terms.app(WORDS[n], &[a, b])
            }
            n if n == WORDS.len() => {
                let a = self.word(dice, depth);
                self.terms.app(if dice.roll(2) == 0 { Op::BvNot } else { Op::BvNeg }, &[a])
            }
            n if n == WORDS.len() + 1 => {
                let c = self.formula(dice, depth);
                let (a, b) = (self.word(dice, depth), self.word(dice, depth));
                self.terms.ite(c, a, b)
            }
            n if n == WORDS.len() + 2 => {
                let (a, b) = (self.word(dice, depth), self.word(dice, depth));
                let both = self.terms.bv_concat(a, b);
                let low = dice.roll(self.width as usize + 1) as u32;
                self.terms.bv_extract(low + self.width - 1, low, both)
            }
            n if n == WORDS.len() + 3 => {
                let a = self.word(dice, depth);
                let wide = if dice.roll(2) == 0 {
                    self.terms.bv_sign_extend(self.width + 2, a)
                } else {
                    self.terms.bv_zero_extend(self.width + 2, a)
                };
                let low = dice.roll(3) as u32;
                self.terms.bv_extract(low + self.width - 1, low, wide)
            }
            n if n == WORDS.len() + 4 && self.width > 1 => {
                let a = self.word(dice, depth);
                let high = dice.roll(self.width as usize - 1) as u32;
                let part = self.terms.bv_extract(high, 0, a);
                if dice.roll(2) == 0 {
                    self.terms.bv_sign_extend(self.width, part)
                } else {
                    self.terms.bv_zero_extend(self.width, part)
                }
            }
            n if n == WORDS.len() + 5 && self.width <= 64 => {
                let a = self.int(dice, depth);
                self.terms.int_to_bv(self.width, a)
            }
            _ => {
                let a = self.word(dice, depth);
                let number = self.number(dice);
                let number = self.terms.bv_value(number);
                self.terms.app(WORDS[dice.roll(WORDS.len())], &[a, number])
            }
        }
    }

    pub fn int(&mut self, dice: &mut Dice, depth: u32) -> TermId {
        if depth == 0 || dice.roll(5) == 0 {
            if dice.roll(3) == 0 {
                return self.terms.int(dice.roll(13) as i64 - 6);
            }
            return self.var(dice, Sort::Int);
        }
        let depth = depth - 1;
        const OPS: &[Op] = &[Op::Add, Op::Sub, Op::Mul, Op::IntDiv, Op::IntMod, Op::IntRem];
        match dice.roll(OPS.len() + 6) {
            n if n < OPS.len() => {
                let (a, b) = (self.int(dice, depth), self.int(dice, depth));
                self.terms.app(OPS[n], &[a, b])
            }
            n if n == OPS.len() => {
                let a = self.int(dice, depth);
                self.terms.neg(a)
            }
            n if n == OPS.len() + 1 => {
                let c = self.formula(dice, depth);
                let (a, b) = (self.int(dice, depth), self.int(dice, depth));
                self.terms.ite(c, a, b)
            }
            n if n == OPS.len() + 2 => {
                let a = self.rat(dice, depth);
                self.terms.app(Op::ToInt, &[a])
            }
            n if n == OPS.len() + 3 => {
                let a = self.word(dice, depth);
                let op = if dice.roll(2) == 0 { Op::BvToIntSigned } else { Op::BvToIntUnsigned };
                self.terms.app(op, &[a])
            }
            _ => {
                let a = self.int(dice, depth);
                let k = self.terms.int(dice.roll(9) as i64 - 4);
                self.terms.app(OPS[dice.roll(OPS.len())], &[a, k])
            }
        }
    }

    pub fn rat(&mut self, dice: &mut Dice, depth: u32) -> TermId {
        if depth == 0 || dice.roll(5) == 0 {
            if dice.roll(3) == 0 {
                let number = rational(dice);
                return self.terms.rat(number);
            }
            return self.var(dice, Sort::Rat);
        }
        let depth = depth - 1;
        const OPS: &[Op] = &[Op::Add, Op::Sub, Op::Mul, Op::Div];
        match dice.roll(OPS.len() + 3) {
            n if n < OPS.len() => {
                let (a, b) = (self.rat(dice, depth), self.rat(dice, depth));
                self.terms.app(OPS[n], &[a, b])
            }
            n if n == OPS.len() => {
                let a = self.rat(dice, depth);
                self.terms.neg(a)
            }
            n if n == OPS.len() + 1 => {
                let a = self.int(dice, depth);
                self.terms.app(Op::ToRat, &[a])
            }
            _ => {
                let a = self.rat(dice, depth);
                let k = rational(dice);
                let k = self.terms.rat(k);
                self.terms.app(OPS[dice.roll(OPS.len())], &[a, k])
            }
        }
    }

    /// A formula about bit-vectors.
    pub fn formula(&mut self, dice: &mut Dice, depth: u32) -> TermId {
        if depth == 0 {
            return self.var(dice, Sort::Bool);
        }
        let depth = depth - 1;
        match dice.roll(PREDICATES.len() + 7) {
            n if n < PREDICATES.len() => {
                let (a, b) = (self.word(dice, depth), self.word(dice, depth));
                self.terms.app(PREDICATES[n], &[a, b])
            }
            n if n < PREDICATES.len() + 3 => {
                let (a, b) = (self.word(dice, depth), self.word(dice, depth));
                self.terms.eq(a, b)
            }
            n if n == PREDICATES.len() + 3 => {
                let a = self.formula(dice, depth);
                self.terms.not(a)
            }
            n if n == PREDICATES.len() + 4 => {
                let (a, b) = (self.formula(dice, depth), self.formula(dice, depth));
                self.terms.eq(a, b)
            }
            n => {
                let parts: Vec<TermId> =
                    (0..2 + dice.roll(2)).map(|_| self.formula(dice, depth)).collect();
                if n % 2 == 0 { self.terms.and(&parts) } else { self.terms.or(&parts) }
            }
        }
    }

    /// A formula about numbers, or about both.
    pub fn arithmetic(&mut self, dice: &mut Dice, depth: u32) -> TermId {
        let (a, b) = match dice.roll(3) {
            0 => (self.rat(dice, depth), self.rat(dice, depth)),
            _ => (self.int(dice, depth), self.int(dice, depth)),
        };
        match dice.roll(6) {
            0 => self.terms.app(Op::Le, &[a, b]),
            1 => self.terms.app(Op::Lt, &[a, b]),
            2 => self.terms.eq(a, b),
            3 => {
                let atom = self.terms.app(Op::Le, &[a, b]);
                let other = self.formula(dice, depth);
                self.terms.or2(atom, other)
            }
            _ => {
                let k = self.terms.app(Op::Le, &[a, b]);
                self.terms.not(k)
            }
        }
    }

    pub fn assignment(&self, dice: &mut Dice) -> FxHashMap<Var, Value> {
        let mut values = FxHashMap::default();
        for (var, sort) in &self.vars {
            let value = match sort {
                Sort::Bool => Value::Bool(dice.roll(2) == 0),
                Sort::Int => Value::Int(BigInt::from(dice.roll(17) as i64 - 8)),
                Sort::Rat => Value::Rat(rational(dice)),
                _ => Value::Bv(self.number(dice)),
            };
            values.insert(*var, value);
        }
        values
    }

    /// Negates the formulas that are false under an assignment.
    pub fn satisfied(&mut self, formulas: &mut [TermId], values: &FxHashMap<Var, Value>) {
        for formula in formulas {
            let value = self.terms.eval(*formula, &mut |var| values.get(&var).cloned());
            if value == Ok(Value::Bool(false)) {
                *formula = self.terms.not(*formula);
            }
        }
    }
}

fn rational(dice: &mut Dice) -> BigRational {
    BigRational::new(BigInt::from(dice.roll(17) as i64 - 8), BigInt::from(1 + dice.roll(3) as i64))
}
