//! Random inputs, the same for the same seed on every machine.

use base::Random;
use cfa::{EdgeId, LocId, Outside};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use term::{ArrayValue, Bv, Float, Format, Rounding, Sort, Terms, Value};

use crate::inputs::{Inputs, Request, Trouble};

/// Random decisions. Values are drawn from a mix of all values, small ones and those at the ends
/// of ranges, for programs seldom look at anything else.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    numbers: Random,
    /// Whether every other value is zero.
    zeros: bool,
}

impl RandomInputs {
    /// The sequence of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { numbers: Random::new(seed), zeros: false }
    }

    /// The sequence of a seed in which every other value is zero, by chance: programs ask most values from
    /// outside whether they are zero, and seldom anything else.
    #[must_use]
    pub fn with_zeros(seed: u64) -> Self {
        Self { zeros: true, ..Self::new(seed) }
    }

    fn bits(&mut self, width: u32) -> Bv {
        let one = Bv::new(width, 1);
        if self.zeros && self.numbers.next() & 1 == 0 {
            return Bv::new(width, 0);
        }
        match self.numbers.below(8) {
            0 | 1 => {
                let words: Vec<u32> =
                    (0..width.div_ceil(32)).map(|_| self.numbers.next() as u32).collect();
                Bv::from_biguint(width, &BigUint::new(words))
            }
            2 | 3 => Bv::new(width, self.numbers.below(17) as u128),
            4 => Bv::new(width, self.numbers.below(17) as u128).neg(),
            5 => Bv::new(width, self.numbers.below(1000) as u128),
            6 => match self.numbers.below(6) {
                0 => Bv::signed_max(width),
                1 => Bv::signed_min(width),
                2 => Bv::ones(width),
                3 => Bv::signed_max(width).sub(&one),
                4 => Bv::signed_min(width).add(&one),
                _ => Bv::ones(width).sub(&one),
            },
            _ => {
                let power = one.shl(&Bv::new(width, self.numbers.below(width as usize) as u128));
                match self.numbers.below(3) {
                    0 => power,
                    1 => power.sub(&one),
                    _ => power.add(&one),
                }
            }
        }
    }

    fn integer(&mut self) -> BigInt {
        match self.numbers.below(8) {
            0 => self.bits(64).to_bigint_signed(),
            1 => self.bits(32).to_bigint_signed(),
            2 => self.bits(16).to_bigint_signed(),
            _ => BigInt::from(self.numbers.range(-16, 16)),
        }
    }

    fn float(&mut self, format: Format) -> Float {
        match self.numbers.below(8) {
            0 | 1 => {
                let bits = u128::from(self.numbers.next()) << 64 | u128::from(self.numbers.next());
                Float::from_bits(format, bits)
            }
            2 => match self.numbers.below(6) {
                0 => Float::nan(format),
                1 => Float::infinity(format, false),
                2 => Float::infinity(format, true),
                3 => Float::zero(format, true),
                4 => Float::largest(format, false),
                // The least positive number.
                _ => Float::from_bits(format, 1),
            },
            _ => {
                let number = self.bits(16);
                let whole = Float::from_signed_bv(Rounding::NearestEven, format, &number);
                let parts = Bv::new(16, 1 << self.numbers.below(4));
                whole.div(
                    Rounding::NearestEven,
                    Float::from_signed_bv(Rounding::NearestEven, format, &parts),
                )
            }
        }
    }

    fn value(&mut self, terms: &Terms, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.numbers.next() & 1 == 1),
            Sort::Int => Value::Int(self.integer()),
            Sort::Rat => {
                let below = [1, 1, 2, 3, 10][self.numbers.below(5)];
                Value::Rat(BigRational::new(self.integer(), BigInt::from(below)))
            }
            Sort::Bv(width) => Value::Bv(self.bits(width)),
            Sort::Float(format) => Value::Float(self.float(format)),
            Sort::Array(array) => {
                let (index, element) = terms.array_parts(array);
                let mut map = ArrayValue::new(array, self.value(terms, element));
                for _ in 0..self.numbers.below(4) {
                    let at = self.value(terms, index);
                    let element = self.value(terms, element);
                    map.set(at, element);
                }
                Value::Array(Box::new(map))
            }
        }
    }
}

/// If the value is an address in the memory outside, rounds it so that it is aligned for every type: most programs
/// assume that pointers from outside are aligned.
fn aligned(outside: Option<Outside>, value: Value) -> Value {
    match (outside, &value) {
        (Some(outside), Value::Bv(bits))
            if bits.to_u64().is_some_and(|address| outside.contains(address)) =>
        {
            let unused = Bv::new(bits.width(), 15);
            Value::Bv(bits.and(&unused.not()))
        }
        _ => value,
    }
}

impl Inputs for RandomInputs {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        let value = self.value(&request.program.terms, request.sort);
        Ok(aligned(request.program.cfa.outside, value))
    }

    fn choose_edge(&mut self, _location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        Ok(self.numbers.below(edges.len()))
    }
}
