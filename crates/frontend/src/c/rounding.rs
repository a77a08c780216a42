//! The rounding mode of floats, where the program sets another mode than to the nearest number.

use cfa::{AssumptionKind, Op, Reading, Scope, Variable};
use term::{Format, Rounding, Sort, TermId, Terms, Var};

use super::argument::{Argument, Modelled};
use super::facts::SETS_ROUNDING;
use super::function::Lower;
use super::link::Linker;
use super::shape::Shape;

/// The modes of x86 besides rounding to the nearest, by the numbers that `fenv.h` has for them.
const MODES: [(u128, Rounding); 3] = [
    (0x400, Rounding::TowardNegative),
    (0x800, Rounding::TowardPositive),
    (0xc00, Rounding::TowardZero),
];

/// Functions that follow the rounding mode, although their models in C always round to the nearest.
const NEAREST_ONLY: [&str; 8] =
    ["difftime", "scalbn", "scalbln", "ldexp", "lrint", "llrint", "rint", "nearbyint"];

impl Linker<'_> {
    /// The variable with the rounding mode, if the program names the function that sets it.
    fn rounding(&mut self) -> Option<Var> {
        if let Some(known) = self.rounding {
            return known;
        }
        let is_set = self.facts.iter().any(|facts| facts.sets_rounding);
        let mode = is_set.then(|| {
            let variable = Variable {
                scope: Scope::Global,
                reading: Reading::Signed,
                source_name: None,
                span: None,
            };
            let var = self.program.declare("@rounding", Sort::Bv(32), variable);
            let value = self.program.terms.bv(32, 0);
            self.start.push(Op::Assign { var, value });
            var
        });
        self.rounding = Some(mode);
        mode
    }

    /// Whether the model of a library function does not follow the rounding mode that the program may have set.
    pub fn rounds_otherwise(&mut self, name: &str) -> bool {
        let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
        [name, base].iter().any(|name| NEAREST_ONLY.contains(name)) && self.rounding().is_some()
    }
}

impl Lower<'_, '_> {
    /// The result of an operation on floats in the mode that is set when the operation is done.
    pub fn rounded(&mut self, result: impl Fn(&mut Terms, Rounding) -> TermId) -> TermId {
        let nearest = result(self.terms(), Rounding::NearestEven);
        let mode = if self.facts.is_of_program { self.link.rounding() } else { None };
        let Some(mode) = mode else { return nearest };
        let mode = self.terms().var(mode);
        let value = MODES.iter().fold(nearest, |otherwise, (number, rounding)| {
            let value = result(self.terms(), *rounding);
            let number = self.bv(32, *number);
            let is_set = self.terms().eq(mode, number);
            self.terms().ite(is_set, value, otherwise)
        });
        if value != nearest {
            let text = "floats are computed in the rounding mode that is set, those of constants, too (FENV_ACCESS)";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
        value
    }

    /// A float in another format.
    pub fn reformatted(&mut self, value: TermId, from: Format, to: Format) -> TermId {
        let keeps_all = from.significand_bits() <= to.significand_bits()
            && from.exponent_bits() <= to.exponent_bits();
        if keeps_all {
            return self.terms().fp_to_fp(Rounding::NearestEven, to, value);
        }
        self.rounded(|terms, rounding| terms.fp_to_fp(rounding, to, value))
    }

    /// An integer as a float.
    pub fn floating(&mut self, value: TermId, signed: bool, to: Format) -> TermId {
        let make = |terms: &mut Terms, rounding: Rounding| match signed {
            true => terms.fp_from_signed_bv(rounding, to, value),
            false => terms.fp_from_unsigned_bv(rounding, to, value),
        };
        let is_exact = self.terms().width(value) <= to.significand_bits();
        if is_exact { make(self.terms(), Rounding::NearestEven) } else { self.rounded(make) }
    }

    /// Lowers the calls of `fesetround` and `fegetround`, as the C library of x86 has them.
    pub fn rounding_modes(&mut self, name: &str, arguments: &[Argument]) -> Modelled {
        match (name, arguments) {
            (SETS_ROUNDING, [asked]) => {
                let var = self.link.rounding()?;
                let asked = self.convert(asked.value, asked.shape?, Shape::INT);
                // The argument may depend on the mode, and the result is read when the mode has changed.
                let asked = self.snapshot(asked);
                let all = self.bv(32, 0xc00);
                let kept = self.terms().bv_and(asked, all);
                let is_mode = self.terms().eq(kept, asked);
                let old = self.terms().var(var);
                let value = self.terms().ite(is_mode, asked, old);
                self.emit(Op::Assign { var, value });
                let (failed, done) = (self.bv(32, 1), self.bv(32, 0));
                Some(Some(self.terms().ite(is_mode, done, failed)))
            }
            ("fegetround", []) => Some(Some(match self.link.rounding() {
                Some(var) => self.terms().var(var),
                None => self.bv(32, 0),
            })),
            _ => None,
        }
    }
}
