//! Functions of the C library that headers declare and that have no model.
//!
//! What the surroundings decide (files, clocks, random numbers) may be anything, so a violation may rest on it. What a
//! function computes of its arguments is one certain value that is not known here: it is approximated, and no violation
//! may rest on it.

use cfa::{AssumptionKind, Check, Choice, Op};
use rucc_types::{TypeId, TypeKind};
use term::{Sort, TermId};

use super::argument::Argument;
use super::function::Lower;
use super::include;
use super::link::Linker;
use super::shape::{Shape, TypeShape};
use super::signature::Key;
use super::storage::Storage;
use super::streams;
use super::unit::{BUNDLED, SYSTEM, Unit};

/// The headers whose functions compute, but for [`INPUTS`]. The functions of other headers ask the system.
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
const INPUTS: [&str; 46] = [
    "arc4random",
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
    "getpt",
    "getwc",
    "getwchar",
    "jrand48",
    "mkdtemp",
    "mkostemp",
    "mkostemp64",
    "mkostemps",
    "mkostemps64",
    "mkstemp",
    "mkstemp64",
    "mkstemps",
    "mkstemps64",
    "mktemp",
    "mrand48",
    "nanosleep",
    "nrand48",
    "posix_openpt",
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

/// Functions of other headers whose results their arguments, or earlier calls, decide.
const COMPUTED: [&str; 17] = [
    "fileno",
    "fileno_unlocked",
    "malloc_usable_size",
    "pthread_equal",
    "pthread_self",
    "sigaddset",
    "sigandset",
    "sigblock",
    "sigdelset",
    "sigemptyset",
    "sigfillset",
    "siggetmask",
    "sigisemptyset",
    "sigismember",
    "sigorset",
    "sigprocmask",
    "sigsetmask",
];

/// Variables that the functions which read options change.
const OPTIONS: [&str; 4] = ["optarg", "opterr", "optind", "optopt"];

/// Variables of the C library that programs may declare themselves.
const VARIABLES: [&str; 18] = [
    "__environ",
    "__progname",
    "daylight",
    "environ",
    "error_message_count",
    "error_one_per_line",
    "getdate_err",
    "h_errno",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "signgam",
    "sys_nerr",
    "timezone",
    "tzname",
];

/// Functions that write to the pointers whose addresses they are given, and to nothing that these pointers point to.
const GIVING: [&str; 12] = [
    "asprintf",
    "backtrace_symbols",
    "getaddrinfo",
    "getifaddrs",
    "getmntinfo",
    "posix_memalign",
    "pthread_join",
    "strtod",
    "strtof",
    "strtold",
    "vasprintf",
    "wcstod",
];

/// Functions that write where constant structures point to.
const VECTORS: [&str; 9] = [
    "getopt",
    "getopt_long",
    "getopt_long_only",
    "preadv",
    "preadv2",
    "preadv64",
    "preadv64v2",
    "process_vm_readv",
    "readv",
];

/// Functions that give back a block which the program has to free, and the argument that must be null for
/// that, if there is one.
const ALLOCATING: [(&str, Option<usize>); 13] = [
    ("asprintf", None),
    ("backtrace_symbols", None),
    ("canonicalize_file_name", None),
    ("get_current_dir_name", None),
    ("getaddrinfo", None),
    ("getcwd", Some(0)),
    ("getifaddrs", None),
    ("posix_memalign", None),
    ("realpath", Some(1)),
    ("tempnam", None),
    ("vasprintf", None),
    ("wcsdup", None),
    ("wordexp", None),
];

impl Unit {
    /// Whether a value of a type may have a pointer in it through which something can be written.
    fn leads_on(&self, ty: TypeId) -> bool {
        match self.bare(ty) {
            TypeKind::Pointer(to) => {
                let is_code = matches!(self.kind(to), TypeShape::Function);
                !is_code && !self.is_const(to) && !self.is_opaque(to)
            }
            TypeKind::Array { elem, .. } => self.leads_on(elem),
            TypeKind::Record(id) => {
                self.types.record_info(id).fields.iter().any(|field| self.leads_on(field.ty))
            }
            _ => false,
        }
    }
}

impl Linker<'_> {
    /// Whether a declaration without a definition is a variable of the C library.
    pub fn is_library_variable(&self, key: Key) -> bool {
        let unit = &self.units[key.0];
        let name = unit.tast[key.1].name.map_or("", |name| unit.name(name));
        self.is_of_library(key) || VARIABLES.contains(&name)
    }

    /// Whether a declaration is in a bundled header, or in a header of the system. A function that is called without a
    /// declaration counts if a bundled header declares it.
    pub fn is_of_library(&self, key: Key) -> bool {
        let unit = &self.units[key.0];
        if unit.undeclared.contains(&key.1) {
            return unit.tast[key.1].name.is_some_and(|name| include::declares(unit.name(name)));
        }
        let Some(span) = unit.span(unit.tast.decl_span(key.1)) else { return false };
        let name = self.program.sources.name(span.file);
        name.starts_with(BUNDLED) || SYSTEM.iter().any(|folder| name.starts_with(folder))
    }

    /// Whether a function is one of the library that computes its results from its arguments. Without a
    /// declaration the type of the result is not known either.
    pub fn is_computed(&self, key: Key, name: &str) -> bool {
        let unit = &self.units[key.0];
        if unit.undeclared.contains(&key.1) || COMPUTED.contains(&name) {
            return self.is_of_library(key);
        }
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
        let mut roots = Vec::new();
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
            has_pointer |= !(is_opaque && streams::needs_file(name));
            if !is_kept {
                self.approximate_object(argument.value, Choice::Approximated(name.into()));
            }
            // The objects to which pointers in the argument's object lead may be written, too.
            let ty = parameters.get(index).copied().unwrap_or(argument.ty);
            if let TypeKind::Pointer(to) = unit.bare(ty)
                && (!is_kept || VECTORS.contains(&name))
                && !(GIVING.contains(&name) && matches!(unit.bare(to), TypeKind::Pointer(_)))
                && unit.leads_on(to)
            {
                roots.push(argument.value);
            }
        }
        if !roots.is_empty() {
            let choice = Choice::Approximated(name.into());
            self.emit(Op::HavocReachable { roots: roots.into(), choice });
        }
        if has_pointer && self.link.options.checks().has(Check::Deref) {
            let text =
                format!("what `{name}` reads and writes is in live objects: not checked, no model");
            self.assume(AssumptionKind::Semantics, text);
        }
        if has_pointer && self.link.shadows.is_some() {
            let text = format!("what `{name}` reads has been set: not checked, no model");
            self.assume(AssumptionKind::Semantics, text);
        }
        if name.starts_with("getopt") {
            self.approximate_options(name);
        }
    }

    /// Blocks that a function of the library without a model makes are not counted, so that nothing can be said
    /// of leaks behind it.
    pub fn not_counted(&mut self, name: &str, arguments: &[Argument], gives_file: bool) {
        let checks = self.link.options.checks();
        if !checks.has(Check::Leak) && !checks.has(Check::Track) {
            return;
        }
        if gives_file {
            let text = format!("what `{name}` opens is closed: not checked");
            self.assume(AssumptionKind::Semantics, text);
        }
        let Some((_, at)) = ALLOCATING.iter().find(|(known, _)| *known == name) else { return };
        let reason = format!("a block that `{name}` allocates, where leaks are looked for");
        let Some(argument) = at.and_then(|at| arguments.get(at)) else {
            return self.unsupported(&reason);
        };
        let zero = self.address_constant(0);
        let is_null = self.terms().eq(argument.value, zero);
        self.unsupported_if(is_null, reason);
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
                // These variables are no structures.
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
        assert!(COMPUTING.is_sorted() && INPUTS.is_sorted() && COMPUTED.is_sorted());
        assert!(COMPUTED.iter().all(|name| include::declares(name)));
        assert!(VARIABLES.is_sorted() && GIVING.is_sorted() && VECTORS.is_sorted());
        assert!(ALLOCATING.is_sorted());
        let texts: Vec<_> = COMPUTING.iter().map(|name| header(name).expect("a header")).collect();
        for name in INPUTS {
            let call = format!("{name}(");
            assert!(texts.iter().any(|text| text.contains(&call)), "no header has {name}");
        }
    }
}
