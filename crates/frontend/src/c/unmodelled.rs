//! Functions of the C library that headers declare and that have no model.
//!
//! What the surroundings decide (files, clocks, random numbers) may be anything, so a violation
//! that rests on it is one. What a function computes of its arguments is one certain value that is
//! not known here: it is approximated, and no violation may rest on it.

use cfa::{AssumptionKind, Check, Choice, Op};
use rucc_types::TypeKind;
use term::{Sort, TermId};

use super::call::Argument;
use super::function::Lower;
use super::link::{Key, Linker};
use super::place::Storage;
use super::shape::Shape;
use super::unit::{BUNDLED, SYSTEM};

/// The headers whose functions compute, but for [`INPUTS`]. Those of the others ask the system.
const COMPUTING: [&str; 13] = [
    "arpa/inet.h",
    "complex.h",
    "ctype.h",
    "fenv.h",
    "inttypes.h",
    "locale.h",
    "math.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "time.h",
    "wchar.h",
    "wctype.h",
];

/// Functions of these headers whose results the surroundings decide.
const INPUTS: [&str; 36] = [
    "clearenv",
    "clock_getres",
    "clock_gettime",
    "clock_nanosleep",
    "clock_settime",
    "drand48",
    "erand48",
    "fgetwc",
    "fgetws",
    "fputwc",
    "fputws",
    "fwide",
    "fwprintf",
    "fwscanf",
    "getloadavg",
    "getwc",
    "getwchar",
    "jrand48",
    "mkdtemp",
    "mkstemp",
    "mktemp",
    "mrand48",
    "nanosleep",
    "nrand48",
    "putenv",
    "putwc",
    "putwchar",
    "rand_r",
    "realpath",
    "setenv",
    "system",
    "timespec_get",
    "ungetwc",
    "unsetenv",
    "wprintf",
    "wscanf",
];

/// Variables that the functions which read options change.
const OPTIONS: [&str; 4] = ["optarg", "opterr", "optind", "optopt"];

impl Linker<'_> {
    /// Whether a declaration is one of a library: in a bundled header, or in one of the system.
    pub fn is_of_library(&self, key: Key) -> bool {
        let unit = &self.units[key.0];
        let Some(span) = unit.span(unit.tast.decl_span(key.1)) else { return false };
        let name = self.program.sources.name(span.file);
        name.starts_with(BUNDLED) || SYSTEM.iter().any(|folder| name.starts_with(folder))
    }

    /// Whether a function is one of the library that computes its results from its arguments.
    pub fn is_computed(&self, key: Key, name: &str) -> bool {
        let unit = &self.units[key.0];
        let Some(span) = unit.span(unit.tast.decl_span(key.1)) else { return false };
        let file = self.program.sources.name(span.file).strip_prefix(BUNDLED);
        let header = file.and_then(|file| file.strip_prefix('/'));
        header.is_some_and(|header| COMPUTING.contains(&header)) && !INPUTS.contains(&name)
    }
}

impl Lower<'_, '_> {
    /// What a function of the library without a model may write: the objects that its parameters
    /// point to, unless they are pointers to constants.
    pub fn written_by_library(&mut self, key: Key, name: &str, arguments: &[Argument]) {
        let unit = self.link.units[key.0].clone();
        let TypeKind::Function(id) = unit.bare(unit.tast[key.1].ty) else { return };
        let parameters = unit.types.signature(id).params.clone();
        let mut has_pointer = false;
        for (index, argument) in arguments.iter().enumerate() {
            if !matches!(argument.shape, Some(Shape::Pointer { .. })) {
                continue;
            }
            let is_kept = parameters.get(index).is_some_and(|ty| match unit.bare(*ty) {
                TypeKind::Pointer(to) => unit.is_const(to) || unit.is_opaque(to),
                _ => false,
            });
            let is_opaque =
                matches!(unit.bare(argument.ty), TypeKind::Pointer(to) if unit.is_opaque(to));
            has_pointer |= !is_opaque;
            if !is_kept {
                self.approximate_object(argument.value, Choice::Approximated(name.into()));
            }
        }
        if has_pointer && self.link.options.checks().has(Check::Deref) {
            let text =
                format!("what `{name}` reads and writes is in live objects: not checked, no model");
            self.assume(AssumptionKind::Semantics, text);
        }
        if name.starts_with("getopt") {
            self.approximate_options(name);
        }
    }

    /// Makes the variables arbitrary by which the program gets to know its options.
    fn approximate_options(&mut self, name: &str) {
        for variable in OPTIONS {
            let Some(key) = self.link.external.get(variable).copied() else { continue };
            let choice = Choice::Approximated(name.into());
            match self.link.global(key, None) {
                Storage::Var(var, _) => self.emit(Op::Havoc { var, choice }),
                Storage::Memory(address) => {
                    let address = self.terms().var(address);
                    self.approximate_object(address, choice);
                }
                // They have no members.
                Storage::Fields(_) => {}
            }
        }
    }

    /// Makes the rest of the object from an address on arbitrary, unless it is null.
    fn approximate_object(&mut self, address: TermId, choice: Choice) {
        let null = self.address_constant(0);
        let is_null = self.terms().eq(address, null);
        if self.terms().is_true(is_null) {
            return;
        }
        let (some, join) = (self.body.label(), self.body.label());
        self.branch_on(is_null, join, some);
        self.body.place_detached(some);
        let var = self.temporary(Sort::Bv(self.link.width()));
        self.emit(Op::Size { var, address });
        let length = self.terms().var(var);
        self.emit(Op::HavocMemory { address, length, choice });
        self.body.jump(join);
        self.body.place_detached(join);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::include::header;

    #[test]
    fn the_lists_name_what_the_headers_have() {
        assert!(COMPUTING.is_sorted() && INPUTS.is_sorted());
        let texts: Vec<_> = COMPUTING.iter().map(|name| header(name).expect("a header")).collect();
        for name in INPUTS {
            let call = format!("{name}(");
            assert!(texts.iter().any(|text| text.contains(&call)), "no header has {name}");
        }
    }
}
