//! Functions of the C library that write: to the standard output, which a run shows; elsewhere,
//! which nothing looks at; and into memory.

use cfa::{Access, AssumptionKind, Check, Choice, Fault, ObjectKind, Op, Scope};
use printf::Length;
use rucc_sema::{Definition, ExprId, ExprKind, Linkage};
use rucc_types::TypeId;
use term::{Sort, TermId, View};

use super::argument::{Argument, Modelled, addresses};
use super::function::Lower;
use super::shape::Shape;

/// The assumption about texts of which only the first byte is checked.
const NO_END: &str = "texts that are printed have an end: not checked";

/// The assumption where it is not known what is printed.
const UNCHECKED: &str = "what is printed is in live objects and has an end: not checked";

/// The assumption about texts whose end is not known to be a byte of zeros.
const UNUSED: &str = "what is printed has been set: not checked";

/// Whether a function of output prints no text and no block of bytes.
fn has_no_text(name: &str) -> bool {
    matches!(
        name,
        "fclose"
            | "fflush"
            | "putchar"
            | "putchar_unlocked"
            | "putwchar"
            | "fputc"
            | "putc"
            | "_IO_putc"
            | "fputc_unlocked"
            | "putc_unlocked"
    )
}

/// The place of the argument of a function that is a format, which further arguments follow.
fn format_at(name: &str) -> Option<usize> {
    match name {
        "printf" | "printk" => Some(0),
        "fprintf" | "dprintf" | "syslog" | "sprintf" | "__printf_chk" => Some(1),
        "snprintf" | "__fprintf_chk" => Some(2),
        _ => None,
    }
}

impl Lower<'_, '_> {
    /// The printf family. Output to the standard output is shown when the program is run. For output into memory the
    /// model says where it goes, but not which bytes are written.
    pub fn output(&mut self, name: &str, arguments: &[Argument], result_ty: TypeId) -> Modelled {
        let written = Choice::Approximated(name.into());
        let is_checked = self.link.options.checks().has(Check::Deref);
        let rest = if is_checked { self.check_printed(name, arguments) } else { None };
        if self.link.shadows.is_some() {
            self.use_printed(name, arguments, result_ty);
        }
        match name {
            "printf" | "puts" | "putchar" => self.print(name, arguments),
            "putchar_unlocked" => self.print("putchar", arguments),
            "puts_unlocked" => self.print("puts", arguments),
            "__printf_chk" => self.print("printf", arguments.get(1..)?),
            "fprintf" => self.print_to(name, arguments.first()?, "printf", arguments.get(1..)?),
            "__fprintf_chk" => {
                self.print_to(name, arguments.first()?, "printf", arguments.get(2..)?);
            }
            "fputs" | "fputs_unlocked" => {
                let [text, file] = arguments else { return None };
                self.print_to(name, file, "fputs", &[*text]);
            }
            "fputc" | "putc" | "_IO_putc" | "fputc_unlocked" | "putc_unlocked" => {
                let [byte, file] = arguments else { return None };
                self.print_to(name, file, "putchar", &[*byte]);
            }
            "fwrite" | "fwrite_unlocked" => {
                let [.., file] = arguments else { return None };
                self.print_to(name, file, "fwrite", arguments.get(..3)?);
            }
            "perror" | "fflush" | "putwchar" | "write" | "fclose" => {}
            "printk" | "vprintf" => self.may_store(name, arguments),
            "vfprintf" | "dprintf" | "syslog" => self.may_store(name, arguments.get(1..)?),
            "sprintf" | "vsprintf" => {
                if is_checked {
                    self.unsupported(&format!("how much `{name}` writes"));
                }
                let address = arguments.first()?.value;
                let var = self.temporary(Sort::Bv(self.link.width()));
                self.emit(Op::Size { var, address });
                let length = self.terms().var(var);
                self.emit(Op::HavocMemory { address, length, choice: written.clone() });
                self.may_store(name, arguments.get(1..)?);
            }
            "snprintf" | "vsnprintf" => {
                let [address, length, ..] = arguments else { return None };
                let length = self.length_argument(length);
                let length = self.within_object(address.value, length);
                self.emit(Op::HavocMemory {
                    address: address.value,
                    length,
                    choice: written.clone(),
                });
                self.may_store(name, arguments.get(2..)?);
            }
            _ => return None,
        }
        if let Some(text) = rest {
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
        let result = self.arbitrary(result_ty, written);
        Some(result.map(|value| self.within_limits(name, arguments, value, result_ty)))
    }

    /// Marks that what is printed may be in no live object: the first byte of texts, and all bytes where their
    /// number is known. Gives back what is left unchecked.
    fn check_printed(&mut self, name: &str, arguments: &[Argument]) -> Option<&'static str> {
        let is_data =
            |lower: &Self| arguments.iter().any(|argument| lower.is_pointer_to_data(argument));
        let format = match name {
            "puts" | "puts_unlocked" | "fputs" | "fputs_unlocked" => {
                self.check_texts(arguments.get(..1).unwrap_or_default());
                return is_data(self).then_some(NO_END);
            }
            "fwrite" | "fwrite_unlocked" => {
                let [from, size, count, _] = arguments else { return Some(UNCHECKED) };
                let (size, count) = (self.length_argument(size), self.length_argument(count));
                // No object has so many bytes that their number wraps around.
                let wraps = self.terms().bv_umul_overflow(size, count);
                let fits = self.terms().not(wraps);
                self.check(fits, Fault::InvalidAccess);
                let length = self.terms().bv_mul(size, count);
                self.check_read(from, length);
                return None;
            }
            "write" => {
                let [_, from, length] = arguments else { return Some(UNCHECKED) };
                let length = self.length_argument(length);
                self.check_read(from, length);
                return None;
            }
            _ if has_no_text(name) => return None,
            _ => match format_at(name) {
                Some(at) => at,
                None => return is_data(self).then_some(UNCHECKED),
            },
        };
        let texts = arguments.get(format).and_then(|format| self.texts(format));
        let Some(texts) = texts else { return Some(UNCHECKED) };
        let behind = arguments.get(format + 1..).unwrap_or_default();
        if texts.count > behind.len() {
            self.unsupported(&format!(
                "a call of `{name}` with fewer arguments than its format names"
            ));
            return None;
        }
        for (at, length) in &texts.written {
            let bytes = match length {
                Length::Bytes(bytes) => *bytes,
                Length::Pointer => u64::from(self.link.width() / 8),
            };
            let length = self.address_constant(bytes);
            self.check_access(&behind[*at], length, Access::Write);
        }
        let whole = texts.whole.iter().filter_map(|at| behind.get(*at));
        let whole: Vec<Argument> = whole.copied().collect();
        self.check_texts(&whole);
        match texts.cut {
            true => Some(UNCHECKED),
            false => (!whole.is_empty()).then_some(NO_END),
        }
    }

    /// Called where uninitialised values are looked for: reads the texts that are printed, so that a byte that was
    /// never set is a fault. A block of bytes that are not all set makes the run inconclusive: C lets a program write
    /// such bytes (those between members).
    fn use_printed(&mut self, name: &str, arguments: &[Argument], result_ty: TypeId) {
        let is_data = arguments.iter().any(|argument| self.is_pointer_to_data(argument));
        match (name, arguments) {
            ("puts" | "puts_unlocked" | "fputs" | "fputs_unlocked" | "perror", [text, ..]) => {
                self.use_texts(&[*text], result_ty);
            }
            ("fwrite" | "fwrite_unlocked", [from, size, count, _]) => {
                let (size, count) = (self.length_argument(size), self.length_argument(count));
                let length = self.terms().bv_mul(size, count);
                self.use_block(name, from, length, result_ty);
            }
            ("write", [_, from, length]) => {
                let length = self.length_argument(length);
                self.use_block(name, from, length, result_ty);
            }
            _ if has_no_text(name) => {}
            _ => {
                let format = format_at(name);
                let texts = format.and_then(|at| self.texts(arguments.get(at)?));
                let behind = format.and_then(|at| arguments.get(at + 1..)).unwrap_or_default();
                let whole = texts.iter().flat_map(|texts| &texts.whole);
                let whole: Vec<Argument> =
                    whole.filter_map(|at| behind.get(*at)).copied().collect();
                self.use_texts(&whole, result_ty);
                if is_data && texts.is_none_or(|texts| texts.cut) {
                    self.assume(AssumptionKind::Semantics, UNUSED.to_owned());
                }
            }
        }
    }

    fn use_texts(&mut self, texts: &[Argument], result_ty: TypeId) {
        for text in texts {
            if self.is_pointer_to_data(text)
                && let Some(key) = self.link.library_model("__proviso_use_text")
            {
                self.call_body(key, &[*text], result_ty);
            }
        }
    }

    fn use_block(&mut self, name: &str, from: &Argument, length: TermId, result_ty: TypeId) {
        let Some(key) = self.link.library_model("__proviso_are_set") else { return };
        let Some(shape) = self.unit.shape(result_ty).filter(|_| self.is_pointer_to_data(from))
        else {
            return;
        };
        let word =
            Shape::Int { width: self.link.width(), signed: false, bytes: self.link.width() / 8 };
        let length = Argument { value: length, ty: result_ty, shape: Some(word), is_stdout: false };
        let Some(are_set) = self.call_body(key, &[*from, length], result_ty) else { return };
        let are_set = self.is_nonzero(are_set, shape);
        let some_are_not = self.terms().not(are_set);
        let reason =
            format!("`{name}` of bytes that are not set, where such values are looked for");
        self.unsupported_if(some_are_not, reason);
    }

    /// The arguments behind a format that are texts.
    fn texts(&self, format: &Argument) -> Option<printf::Texts> {
        let cfa = &self.link.program.cfa;
        let View::Var(var) = self.link.program.terms.view(format.value) else { return None };
        match cfa.variables[var].scope {
            Scope::Address(object) => printf::texts(&cfa.objects[object]),
            Scope::Global | Scope::Local(_) => None,
        }
    }

    fn check_texts(&mut self, texts: &[Argument]) {
        let one = self.address_constant(1);
        for text in texts {
            self.check_read(text, one);
        }
    }

    /// Marks that a number of bytes may be in no live object.
    fn check_read(&mut self, from: &Argument, length: TermId) {
        if self.is_pointer_to_data(from) {
            self.check_access(from, length, Access::Read);
        }
    }

    fn check_access(&mut self, at: &Argument, length: TermId, access: Access) {
        if !matches!(at.shape, Some(Shape::Pointer { .. })) {
            return;
        }
        let var = self.temporary(Sort::Bool);
        self.emit(Op::Valid { var, address: at.value, length, access });
        let is_valid = self.terms().var(var);
        self.check(is_valid, Fault::InvalidAccess);
    }

    /// Whether an argument is a pointer, other than to a string of the program's text.
    fn is_pointer_to_data(&self, argument: &Argument) -> bool {
        let cfa = &self.link.program.cfa;
        let is_literal = match self.link.program.terms.view(argument.value) {
            View::Var(var) => match cfa.variables[var].scope {
                Scope::Address(object) => cfa.objects[object].kind == ObjectKind::ReadOnly,
                Scope::Global | Scope::Local(_) => false,
            },
            _ => false,
        };
        matches!(argument.shape, Some(Shape::Pointer { .. })) && !is_literal && !argument.is_stdout
    }

    /// Output to a file, which is shown if the call names the standard output as such.
    fn print_to(&mut self, name: &str, file: &Argument, function: &str, arguments: &[Argument]) {
        if file.is_stdout {
            self.print(function, arguments);
        } else if function == "printf" {
            self.may_store(name, arguments);
        }
    }

    fn print(&mut self, function: &str, arguments: &[Argument]) {
        let follows = self.link.options.checks().has(Check::Uninitialised);
        if follows && function == "printf" && self.stores(arguments) {
            // The bytes that `%n` stores would have to count as set.
            let reason =
                format!("`{function}` with `%n`, where values that are not set are looked for");
            return self.unsupported(&reason);
        }
        if arguments.iter().all(|argument| argument.shape.is_some()) {
            let arguments = arguments.iter().map(|argument| argument.value).collect();
            self.emit(Op::Output { function: function.into(), arguments });
        } else if function == "printf" {
            self.may_store(function, arguments);
        }
    }

    /// What a format and the arguments after it may write to memory, unless the format is a
    /// constant string without a conversion that stores (`%n`).
    fn may_store(&mut self, name: &str, arguments: &[Argument]) {
        if self.stores(arguments) {
            let choice = Choice::Approximated(name.into());
            self.emit(Op::HavocReachable { roots: addresses(&arguments[1..]), choice });
        }
    }

    /// Whether a format may have a conversion that stores.
    fn stores(&self, arguments: &[Argument]) -> bool {
        let [format, others @ ..] = arguments else { return false };
        let cfa = &self.link.program.cfa;
        let only_prints = match self.link.program.terms.view(format.value) {
            View::Var(var) => match cfa.variables[var].scope {
                Scope::Address(object) => printf::only_prints(&cfa.objects[object]),
                Scope::Global | Scope::Local(_) => false,
            },
            _ => false,
        };
        !only_prints && !others.is_empty()
    }

    /// Whether an expression is the name of the C library's standard output.
    pub fn is_stdout(&self, mut expr: ExprId) -> bool {
        loop {
            match self.unit.tast[expr].kind {
                ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => expr = operand,
                ExprKind::Decl(decl) => {
                    let (unit, decl) = self.link.resolve(self.key.0, decl);
                    let unit = &self.link.units[unit];
                    let entry = &unit.tast[decl];
                    return entry.linkage == Linkage::External
                        && entry.state == Definition::Declared
                        && entry.name.is_some_and(|name| unit.name(name) == "stdout");
                }
                _ => return false,
            }
        }
    }
}
