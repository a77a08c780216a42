//! `sscanf`: what it stores is what the text says, so nothing of it is an input.

use cfa::{Choice, Op};
use rucc_types::TypeId;
use term::{Sort, TermId};

use super::argument::{Argument, Modelled};
use super::function::Lower;
use super::scanning::{Directive, Length, directives};
use super::shape::{Shape, TypeShape};
use super::storage::Lvalue;

impl Lower<'_, '_> {
    /// `sscanf`. A format that is not understood gives values that are not modelled.
    pub fn parse(&mut self, arguments: &[Argument], result_ty: TypeId) -> Modelled {
        let [text, format, targets @ ..] = arguments else { return None };
        let understood = self.constant_text(format).and_then(|text| directives(&text));
        let stores = |found: &Vec<Directive>| found.iter().filter(|each| each.stores()).count();
        match understood.filter(|found| stores(found) <= targets.len()) {
            Some(found) if self.unit.shape(result_ty) == Some(Shape::INT) => {
                Some(Some(self.directives(&found, text, targets, result_ty)))
            }
            _ => self.parse_anyhow(targets, result_ty),
        }
    }

    /// Reads the text directive by directive. Before each directive it is known how many values have been stored, and
    /// the first directive that fails ends the call.
    fn directives(
        &mut self,
        found: &[Directive],
        text: &Argument,
        targets: &[Argument],
        result_ty: TypeId,
    ) -> TermId {
        let start = self.snapshot(text.value);
        let cursor = self.temporary(Sort::Bv(self.link.width()));
        self.emit(Op::Assign { var: cursor, value: start });
        let result = self.temporary(Sort::Bv(32));
        let end = self.body.label();
        let mut targets = targets.iter();
        let mut count = 0_u32;
        for directive in found {
            let target = if directive.stores() { targets.next() } else { None };
            let at = self.terms().var(cursor);
            let at = Argument { value: at, ..*text };
            if let (Directive::Position(length), Some(target)) = (directive, target) {
                let moved = self.terms().bv_sub(at.value, start);
                let bytes = self.bytes_of(*length);
                let shape = Shape::Int { width: 8 * bytes, signed: true, bytes };
                let moved = self.resize(moved, 8 * bytes, true);
                self.write(&Lvalue::Memory(target.value), moved, shape);
                continue;
            }
            let Some(used) = self.directive(directive, &at, target.unwrap_or(text), result_ty)
            else {
                self.unsupported("sscanf");
                break;
            };
            let used = self.snapshot(used);
            let (zero, ended) = (self.bv(32, 0), self.bv(32, (-2_i32) as u32 as u128));
            let fits = self.terms().bv_sle(zero, used);
            let (goes_on, fails) = (self.body.label(), self.body.label());
            self.branch_on(fits, goes_on, fails);
            self.body.place_detached(fails);
            let made = self.bv(32, u128::from(count));
            let value = if count == 0 {
                let at_end = self.terms().eq(used, ended);
                let none = self.bv(32, u128::from(u32::MAX));
                self.terms().ite(at_end, none, made)
            } else {
                made
            };
            self.emit(Op::Assign { var: result, value });
            self.body.jump(end);
            self.body.place_detached(goes_on);
            let used = self.resize(used, self.link.width(), true);
            let value = self.terms().bv_add(at.value, used);
            self.emit(Op::Assign { var: cursor, value });
            count += u32::from(target.is_some());
        }
        let value = self.bv(32, u128::from(count));
        self.emit(Op::Assign { var: result, value });
        self.body.place(end);
        self.terms().var(result)
    }

    /// Reads one directive by the model in the library: how many bytes it takes, or why it fails.
    fn directive(
        &mut self,
        directive: &Directive,
        at: &Argument,
        target: &Argument,
        result_ty: TypeId,
    ) -> Option<TermId> {
        let size = Shape::Pointer { width: self.link.width() };
        let word = Shape::Int { width: 64, signed: false, bytes: 8 };
        let number =
            |value: TermId, shape: Shape| Argument { value, shape: Some(shape), ..*target };
        let mut arguments = vec![*at];
        let name = match *directive {
            Directive::Position(_) => return None,
            Directive::Space => "__proviso_text_space",
            Directive::Byte(byte) => {
                let byte = self.bv(32, u128::from(byte));
                arguments.push(number(byte, Shape::INT));
                "__proviso_text_byte"
            }
            Directive::Number { base, signed, most, length, stores } => {
                let bits = if length == Length::LongLong { 64 } else { self.link.width() };
                let bytes = if stores { self.bytes_of(length) } else { 0 };
                let most = self.address_constant(most.unwrap_or(u64::MAX));
                arguments.push(number(most, size));
                for value in [base, u32::from(signed), bits, bytes] {
                    let value = self.bv(32, u128::from(value));
                    arguments.push(number(value, Shape::INT));
                }
                arguments.push(*target);
                "__proviso_text_number"
            }
            Directive::Bytes { set, most, skips, ends, stores } => {
                let most = self.address_constant(most.unwrap_or(u64::MAX));
                arguments.push(number(most, size));
                for bits in set {
                    let bits = self.bv(64, u128::from(bits));
                    arguments.push(number(bits, word));
                }
                for flag in [skips, ends, stores] {
                    let flag = self.bv(32, u128::from(flag));
                    arguments.push(number(flag, Shape::INT));
                }
                arguments.push(*target);
                "__proviso_text_bytes"
            }
        };
        let key = self.link.library_model(name)?;
        self.call_body(key, &arguments, result_ty)
    }

    /// How many bytes an integer has by the letters before its conversion.
    pub fn bytes_of(&self, length: Length) -> u32 {
        match length {
            Length::Char => 1,
            Length::Short => 2,
            Length::Plain => 4,
            Length::Long | Length::Size => self.link.width() / 8,
            Length::LongLong => 8,
        }
    }

    /// Gives the targets and the result values that are not modelled.
    fn parse_anyhow(&mut self, targets: &[Argument], result_ty: TypeId) -> Modelled {
        // A target without a matching text is not written, and the result says how many targets are written.
        let input = Choice::Approximated("sscanf".into());
        for argument in targets {
            let target = rucc_types::pointee(&self.unit.types, argument.ty);
            match target.map(|ty| (ty, self.unit.kind(ty))) {
                Some((
                    ty,
                    TypeShape::Scalar(Shape::Int { bytes: 2.., .. } | Shape::Float { .. }),
                )) => {
                    self.havoc(&Lvalue::Memory(argument.value), ty, &input);
                }
                // How much of a string is written is not known.
                _ => self.unsupported("reading a string with sscanf"),
            }
        }
        Some(self.arbitrary(result_ty, input))
    }
}

impl Directive {
    /// Whether the directive takes an argument, to store a value there.
    fn stores(&self) -> bool {
        match self {
            Directive::Space | Directive::Byte(_) => false,
            Directive::Number { stores, .. } | Directive::Bytes { stores, .. } => *stores,
            Directive::Position(_) => true,
        }
    }
}
