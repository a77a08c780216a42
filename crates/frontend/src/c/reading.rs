//! Functions of the C library that read what is outside of the program: their values are inputs.

use cfa::{AssumptionKind, Choice, Contents, ObjectKind, Op, Scope};
use rucc_types::TypeId;
use term::{Format, TermId, View};

use super::argument::{Argument, Modelled};
use super::function::Lower;
use super::scanning::{Conversion, Length, Stores, conversions};
use super::shape::Shape;
use super::storage::Lvalue;

impl Lower<'_, '_> {
    /// Functions that read, and the functions that the models in `library/input.c` call for bytes and lengths.
    pub fn reading(&mut self, name: &str, arguments: &[Argument], result_ty: TypeId) -> Modelled {
        if let Some(of) = name.strip_prefix("__proviso_byte_") {
            let input = format!("{of} byte");
            self.assume_unrelated();
            return Some(Some(match of {
                // Calls of `fread` and `scanf` have looked for bytes that were put back before they get here.
                "read" | "recv" | "fread" | "scanf" => {
                    let least = if of == "scanf" { -1 } else { 0 };
                    self.input_between(result_ty, Choice::Input(input.into()), least, 255)?
                }
                _ => self.byte(&input, arguments.first(), result_ty, -1)?,
            }));
        }
        if let Some(modelled) = self.after_put_back(name, arguments, result_ty) {
            return Some(modelled);
        }
        if let Some(of) = name.strip_prefix("__proviso_length_") {
            let [least, most] = arguments else { return None };
            if !matches!(self.unit.shape(result_ty), Some(Shape::Int { width, .. }) if width == self.link.width())
            {
                return None;
            }
            let input = Choice::Input(format!("{of} length").into());
            let value = self.arbitrary(result_ty, input)?;
            let (least, most) = (self.length_argument(least), self.length_argument(most));
            let zero = self.address_constant(0);
            let terms = self.terms();
            let (enough, negative) = (terms.bv_sle(least, value), terms.bv_slt(value, zero));
            let little = terms.bv_ule(value, most);
            let within = terms.or2(negative, little);
            let within = terms.and2(enough, within);
            self.emit(Op::Assume(within));
            return Some(Some(value));
        }
        match name {
            // A byte, or `EOF`.
            "getchar" | "getc" | "fgetc" | "_IO_getc" | "getchar_unlocked" | "getc_unlocked"
            | "fgetc_unlocked" => {
                self.assume_unrelated();
                Some(Some(self.byte(name, arguments.first(), result_ty, -1)?))
            }
            "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => {
                self.refuse_back(None, result_ty);
                self.scan("scanf", arguments, result_ty)
            }
            "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => {
                self.refuse_back(arguments.first(), result_ty);
                self.scan("fscanf", arguments.get(1..)?, result_ty)
            }
            "vscanf" | "vfscanf" | "vsscanf" | "getdents" | "wscanf" | "fwscanf" | "fgetws"
            | "getw" => {
                self.body.end(Op::Unsupported(format!("`{name}`").into()));
                Some(None)
            }
            _ => None,
        }
    }

    /// `scanf`: how many conversions are made is an input, and so is what each of them stores. What is not
    /// converted keeps its value.
    fn scan(&mut self, name: &str, arguments: &[Argument], result_ty: TypeId) -> Modelled {
        let (format, targets) = arguments.split_first()?;
        let understood = self.constant_text(format).and_then(|text| conversions(&text));
        let Some(found) = understood.filter(|found| found.len() <= targets.len()) else {
            let shape = self.unit.shape(result_ty)?;
            return Some(Some(self.nothing(&format!("this format of `{name}`"), shape)));
        };
        self.assume_unrelated();
        let most = i64::try_from(found.len()).ok()?;
        let input = Choice::Input(name.into());
        let count = self.input_between(result_ty, input, -1, most)?;
        let width = self.terms().width(count);
        let end = self.body.label();
        for (index, (conversion, target)) in found.iter().zip(targets).enumerate() {
            let made = self.body.label();
            let index = self.bv(width, index as u128);
            let is_made = self.terms().bv_slt(index, count);
            self.branch_on(is_made, made, end);
            self.body.place_detached(made);
            self.store_conversion(name, conversion, target, result_ty);
        }
        self.body.place(end);
        Some(Some(count))
    }

    fn store_conversion(
        &mut self,
        name: &str,
        conversion: &Conversion,
        target: &Argument,
        result_ty: TypeId,
    ) {
        let shape = match conversion.stores {
            Stores::Integer(length) => {
                let bytes = self.bytes_of(length);
                Shape::Int { width: 8 * bytes, signed: true, bytes }
            }
            Stores::Float(length) => Shape::Float {
                format: match length {
                    Length::Long => Format::Double,
                    Length::LongLong => Format::X87,
                    _ => Format::Single,
                },
            },
            Stores::Bytes { set, most, ends } => {
                return self.scan_bytes(target, set, most, ends, result_ty);
            }
        };
        let var = self.temporary(shape.sort());
        let choice = Choice::Input(format!("{name} {}", conversion.text).into());
        self.emit(Op::Havoc { var, choice });
        let value = self.terms().var(var);
        self.write(&Lvalue::Memory(target.value), value, shape);
        self.body.flush();
    }

    /// Reads bytes of a set, by the model in the library.
    fn scan_bytes(
        &mut self,
        target: &Argument,
        set: [u64; 4],
        most: Option<u64>,
        ends: bool,
        result_ty: TypeId,
    ) {
        let Some(key) = self.link.library_model("__proviso_scan") else {
            return self.unsupported("reading a string with scanf");
        };
        let word = Shape::Int { width: 64, signed: false, bytes: 8 };
        let number =
            |value: TermId, shape: Shape| Argument { value, shape: Some(shape), ..*target };
        let most = self.address_constant(most.unwrap_or(u64::MAX));
        let size = Shape::Pointer { width: self.link.width() };
        let mut arguments = vec![*target, number(most, size)];
        for bits in set {
            let bits = self.bv(64, u128::from(bits));
            arguments.push(number(bits, word));
        }
        let ends = self.bv(32, u128::from(ends));
        arguments.push(number(ends, Shape::INT));
        self.call_body(key, &arguments, result_ty);
    }

    fn assume_unrelated(&mut self) {
        let text = "what is read says nothing of what is read next".to_owned();
        self.assume(AssumptionKind::Environment, text);
    }

    /// The bytes of an argument that is a constant string.
    pub fn constant_text(&self, argument: &Argument) -> Option<Box<[u8]>> {
        let View::Var(var) = self.link.program.terms.view(argument.value) else { return None };
        let cfa = &self.link.program.cfa;
        let Scope::Address(object) = cfa.variables[var].scope else { return None };
        let object = &cfa.objects[object];
        match &object.contents {
            Contents::Bytes(bytes, _) if object.kind == ObjectKind::ReadOnly => {
                Some(bytes.iter().copied().collect())
            }
            _ => None,
        }
    }
}
