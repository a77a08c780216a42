//! What the surroundings answer within limits: random numbers, and objects that the system fills.

use cfa::{Choice, Op};
use rucc_types::{TypeId, TypeKind};
use term::{Float, Rounding, TermId};

use super::call::Argument;
use super::environment::Modelled;
use super::function::Lower;
use super::link::Key;
use super::shape::Shape;

/// The largest number that `rand` and its like give, also where `long` is longer.
const LARGEST: i64 = 0x7fff_ffff;

/// Functions of the library that fill an object: the parameter that points to it, and how many elements
/// there are.
const FILLING: [(&str, usize, u64); 7] = [
    ("clock_gettime", 1, 1),
    ("fstat", 1, 1),
    ("gettimeofday", 0, 1),
    ("lstat", 1, 1),
    ("pipe", 0, 2),
    ("stat", 1, 1),
    ("timespec_get", 0, 1),
];

impl Lower<'_, '_> {
    /// Random numbers: any in the range of the function. What a function makes of the state that it is given is
    /// not modelled, so that no violation may rest on it.
    pub fn random(&mut self, name: &str, arguments: &[Argument], result_ty: TypeId) -> Modelled {
        let input = Choice::Input(name.into());
        let state = match name {
            "rand_r" => Some(4),
            "nrand48" | "jrand48" | "erand48" => Some(6),
            _ => None,
        };
        if let Some(bytes) = state {
            let (address, length) = (arguments.first()?.value, self.address_constant(bytes));
            let choice = Choice::Approximated(name.into());
            self.emit(Op::HavocMemory { address, length, choice });
        }
        let value = match name {
            "rand" | "random" | "lrand48" | "nrand48" | "rand_r" => {
                self.input_between(result_ty, input, 0, LARGEST)?
            }
            "mrand48" | "jrand48" => self.input_between(result_ty, input, -LARGEST - 1, LARGEST)?,
            "drand48" | "erand48" => self.fraction(result_ty, input)?,
            _ => return None,
        };
        Some(Some(value))
    }

    /// A float from zero up to, and without, one.
    fn fraction(&mut self, ty: TypeId, choice: Choice) -> Option<TermId> {
        let Some(Shape::Float { format }) = self.unit.shape(ty) else { return None };
        let value = self.arbitrary(ty, choice)?;
        let terms = self.terms();
        let [zero, one] = [0.0, 1.0].map(|bound| {
            let bound = terms.float(Float::from_f64(bound));
            terms.fp_to_fp(Rounding::NearestEven, format, bound)
        });
        let (above, below) = (terms.fp_le(zero, value), terms.fp_lt(value, one));
        let within = terms.and2(above, below);
        self.emit(Op::Assume(within));
        Some(value)
    }

    /// Makes the object arbitrary that a function of the system fills. Gives back whether it fills one.
    pub fn filled_by_system(&mut self, key: Key, name: &str, arguments: &[Argument]) -> bool {
        let Some((_, index, count)) = FILLING.iter().find(|(known, ..)| *known == name) else {
            return false;
        };
        let unit = self.link.units[key.0].clone();
        let TypeKind::Function(id) = unit.bare(unit.tast[key.1].ty) else { return false };
        let parameter = unit.types.signature(id).params.get(*index).copied();
        let Some(TypeKind::Pointer(to)) = parameter.map(|ty| unit.bare(ty)) else { return false };
        let (Some(size), Some(argument)) = (unit.size(to), arguments.get(*index)) else {
            return false;
        };
        let (address, length) = (argument.value, self.address_constant(size * count));
        self.emit(Op::HavocMemory { address, length, choice: Choice::External(name.into()) });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::FILLING;

    #[test]
    fn functions_that_fill_objects_are_sorted() {
        assert!(FILLING.is_sorted());
    }
}
