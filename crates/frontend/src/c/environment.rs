//! Functions that every program may call without defining them: SV-COMP's, and those of the C
//! library that are not written in C among the library models.

use cfa::{AllocKind, AssumptionKind, Check, Choice, Fault, Op, Scope};
use rucc_types::TypeId;
use term::{Sort, TermId, View};

use super::argument::{Argument, Modelled};
use super::function::Lower;
use super::init::DESTRUCTORS;
use super::shape::Shape;
use super::storage::Lvalue;

/// The alignment of the objects of `malloc`.
const MALLOC_ALIGN: u64 = 16;

/// The size of a page of memory.
const PAGE: u64 = 4096;

impl Lower<'_, '_> {
    /// Lowers the call of a function without a body by its name.
    pub fn environment(
        &mut self,
        name: &str,
        arguments: &[Argument],
        result_ty: TypeId,
    ) -> Modelled {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        self.check_file(plain, arguments);
        let modelled = self
            .ending(plain, arguments)
            .or_else(|| self.inputs(plain, arguments, result_ty))
            .or_else(|| self.reading(plain, arguments, result_ty))
            .or_else(|| self.memory(plain, arguments))
            .or_else(|| self.of_models(plain, arguments))
            .or_else(|| self.output(plain, arguments, result_ty))
            .or_else(|| self.rounding_modes(plain, arguments))
            .or_else(|| self.mathematics(plain, arguments, result_ty))
            .or_else(|| self.jumps(name, arguments))
            .or_else(|| self.keeping_buffers(plain, arguments))
            .or_else(|| self.beyond(plain))?;
        Some(modelled.map(|value| self.as_declared(plain, value, result_ty)))
    }

    /// The result of a modelled function in the type that the program declares. A program may
    /// declare a function of the library with another type than it has, or not at all, which in
    /// C makes the result an `int`.
    fn as_declared(&mut self, name: &str, value: TermId, result_ty: TypeId) -> TermId {
        let Some(shape) = self.unit.shape(result_ty) else { return value };
        match (self.terms().sort(value), shape.sort()) {
            (have, want) if have == want => value,
            (Sort::Bv(_), Sort::Bv(width)) => self.resize(value, width, shape.signed()),
            _ => self.nothing(&format!("`{name}`, which is declared with another result"), shape),
        }
    }

    /// Functions that end a path or the program, or violate the property.
    fn ending(&mut self, name: &str, arguments: &[Argument]) -> Modelled {
        let property = &self.link.property;
        match name {
            // Where no header has made `assert` a macro, the function fails like the macro.
            "assert" | "__VERIFIER_assert" | "__CPROVER_assert" | "__ESBMC_assert" => {
                let failed =
                    property.is_error_function(name) || property.is_error_function("__assert_fail");
                self.link.left_out += u32::from(!failed);
                // Assertions of other tools do not end a run by themselves.
                if !failed && name != "assert" {
                    return Some(None);
                }
                self.end_unless(arguments, failed.then_some(name))?;
            }
            _ if property.is_error_function(name) => self.body.error(Some(name)),
            "__assert_fail"
            | "__assert"
            | "__assert_func"
            | "__assert_rtn"
            | "__assert_perror_fail" => {
                self.link.left_out += 1;
                self.body.end(Op::Abort);
            }
            "abort" | "__VERIFIER_error" | "__stack_chk_fail" | "trap" => self.body.end(Op::Abort),
            "exit" if self.link.has_destructors => {
                self.body.end(Op::Unsupported(DESTRUCTORS.into()));
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let code = match arguments.first() {
                    Some(Argument { value, shape: Some(Shape::Int { .. }), .. }) => {
                        self.resize(*value, 32, true)
                    }
                    _ => self.bv(32, 0),
                };
                self.body.end(Op::Exit(code));
            }
            "__VERIFIER_assume" | "assume" | "__CPROVER_assume" | "__ESBMC_assume"
            | "__proviso_assume" => {
                let condition = self.argument_condition(arguments)?;
                self.emit(Op::Assume(condition));
                // Models of the library assume only what is always possible.
                if self.facts.is_of_program {
                    self.body.note_stop();
                }
                self.body.flush();
            }
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => {}
            _ => return None,
        }
        Some(None)
    }

    /// Goes on where an argument is not zero; otherwise there is an error by the call of a function,
    /// or the program ends.
    fn end_unless(&mut self, arguments: &[Argument], error: Option<&str>) -> Option<()> {
        let condition = self.argument_condition(arguments)?;
        let (holds, fails) = (self.body.label(), self.body.label());
        self.branch_on(condition, holds, fails);
        self.body.place_detached(fails);
        match error {
            Some(name) => self.body.error(Some(name)),
            None => self.body.end(Op::Abort),
        }
        self.body.place_detached(holds);
        Some(())
    }

    /// An assertion that the program has a body for: the error is that it fails, whatever the body does.
    pub fn assertion(&mut self, name: &str, arguments: &[Argument]) {
        // An assertion without an argument asserts nothing.
        let _ = self.end_unless(arguments, Some(name));
    }

    fn argument_condition(&mut self, arguments: &[Argument]) -> Option<TermId> {
        let argument = arguments.first()?;
        Some(self.is_nonzero(argument.value, argument.shape?))
    }

    /// Functions whose results come from outside.
    fn inputs(&mut self, name: &str, arguments: &[Argument], result_ty: TypeId) -> Modelled {
        let input = Choice::Input(name.into());
        if name == "__VERIFIER_nondet_memory" {
            let [address, length] = arguments else { return None };
            let (address, length) = (address.value, self.length_argument(length));
            self.emit(Op::HavocMemory { address, length, choice: input });
            return Some(None);
        }
        if name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_") {
            return Some(self.arbitrary(result_ty, input));
        }
        match name {
            "time" => {
                let now = self.arbitrary(result_ty, input);
                if let (Some(Argument { value: target, .. }), Some(now)) = (arguments.first(), now)
                {
                    self.store_unless_null(*target, now, self.unit.shape(result_ty)?);
                }
                Some(now)
            }
            "getpid" => Some(Some(self.process(result_ty)?)),
            "getwchar" | "clock" => Some(self.arbitrary(result_ty, input)),
            // The results of these functions point to memory that this program model does not have.
            "getenv" | "secure_getenv" => {
                self.unsupported(name);
                Some(self.arbitrary(result_ty, input))
            }
            "srand" | "srandom" => Some(None),
            "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => self.parse(arguments, result_ty),
            _ => self.random(name, arguments, result_ty),
        }
    }

    /// An input from a range.
    pub fn input_between(
        &mut self,
        ty: TypeId,
        choice: Choice,
        low: i64,
        high: i64,
    ) -> Option<TermId> {
        let Some(Shape::Int { width, .. }) = self.unit.shape(ty) else { return None };
        let value = self.arbitrary(ty, choice)?;
        let (low, high) = (self.bv(width, low as u128), self.bv(width, high as u128));
        let (above, below) = (self.terms().bv_sle(low, value), self.terms().bv_sle(value, high));
        let within = self.terms().and2(above, below);
        self.emit(Op::Assume(within));
        Some(value)
    }

    /// The number of the process: the first call chooses it as an input, and later calls give the same number.
    fn process(&mut self, ty: TypeId) -> Option<TermId> {
        let Some(Shape::Int { width: 32, .. }) = self.unit.shape(ty) else { return None };
        let kept = self.link.process();
        let number = self.terms().var(kept);
        let zero = self.bv(32, 0);
        let is_fresh = self.terms().eq(number, zero);
        let (fresh, join) = (self.body.label(), self.body.label());
        self.branch_on(is_fresh, fresh, join);
        self.body.place_detached(fresh);
        // The number 0 belongs to the kernel, and no process of the program has it.
        let input = Choice::Input("getpid".into());
        let value = self.input_between(ty, input, 1, i64::from(i32::MAX))?;
        self.emit(Op::Assign { var: kept, value });
        self.body.jump(join);
        self.body.place_detached(join);
        // The result is a copy, so that later calls do not change it.
        let result = self.temporary(Sort::Bv(32));
        self.emit(Op::Assign { var: result, value: number });
        Some(self.terms().var(result))
    }

    fn store_unless_null(&mut self, address: TermId, value: TermId, shape: Shape) {
        let null = self.address_constant(0);
        let is_null = self.terms().eq(address, null);
        let (some, join) = (self.body.label(), self.body.label());
        self.branch_on(is_null, join, some);
        self.body.place_detached(some);
        self.write(&Lvalue::Memory(address), value, shape);
        self.body.jump(join);
        self.body.place_detached(join);
    }

    /// A number of bytes from an address on, or as many as the object there has: what is written
    /// may be shorter than the room that the program says there is.
    pub fn within_object(&mut self, address: TermId, length: TermId) -> TermId {
        let var = self.temporary(Sort::Bv(self.link.width()));
        self.emit(Op::Size { var, address });
        let size = self.terms().var(var);
        let fits = self.terms().bv_ule(length, size);
        if self.link.options.checks().has(Check::Deref) && !self.terms().is_true(fits) {
            // Whether more is written than the object has room for depends on a function that is not modelled.
            let (enough, little) = (self.body.label(), self.body.label());
            self.branch_on(fits, enough, little);
            self.body.place_detached(little);
            let reason =
                "how much a function of the library writes to an object that may be too small";
            self.body.end(Op::Unsupported(reason.into()));
            self.body.place_detached(enough);
            return length;
        }
        self.terms().ite(fits, length, size)
    }

    /// Lists what is taken for granted about the two places of a copy, unless they are in different objects
    /// that exist from the start.
    fn assume_apart(&mut self, to: TermId, from: TermId) {
        let object = |address| match self.link.program.terms.view(address) {
            View::Var(var) => match self.link.program.cfa.variables[var].scope {
                Scope::Address(object) => Some(object),
                Scope::Global | Scope::Local(_) => None,
            },
            _ => None,
        };
        let are_apart = object(to).zip(object(from)).is_some_and(|(to, from)| to != from);
        if self.link.options.checks().has(Check::Deref) && !are_apart {
            let text = "what `memcpy` reads and writes does not overlap: not checked".to_owned();
            self.assume(AssumptionKind::Semantics, text);
        }
    }

    /// An argument as a number of bytes.
    pub fn length_argument(&mut self, argument: &Argument) -> TermId {
        let width = self.link.width();
        self.resize(argument.value, width, argument.shape.is_some_and(Shape::signed))
    }

    /// Allocation and blocks of bytes.
    fn memory(&mut self, name: &str, arguments: &[Argument]) -> Modelled {
        match (name, arguments) {
            ("malloc" | "__kmalloc", [size, ..]) => {
                let size = self.length_argument(size);
                Some(Some(self.allocate(size, MALLOC_ALIGN, false)))
            }
            ("valloc", [size]) => {
                let size = self.length_argument(size);
                Some(Some(self.allocate(size, PAGE, false)))
            }
            ("calloc", [count, size]) => {
                let (count, size) = (self.length_argument(count), self.length_argument(size));
                let overflows = self.terms().bv_umul_overflow(count, size);
                let whole = self.terms().bv_mul(count, size);
                Some(Some(
                    self.unless(overflows, |lower| lower.allocate(whole, MALLOC_ALIGN, true)),
                ))
            }
            ("aligned_alloc" | "memalign", [align, size]) => {
                let size = self.length_argument(size);
                let Some(align) = self.alignment_argument(align) else {
                    self.unsupported("an alignment that is not a constant power of two");
                    return Some(Some(self.address_constant(0)));
                };
                Some(Some(self.allocate(size, align, false)))
            }
            ("realloc", [old, size]) => {
                let size = self.length_argument(size);
                Some(Some(self.reallocate(old.value, size)))
            }
            ("reallocarray", [old, count, size]) => {
                let (count, size) = (self.length_argument(count), self.length_argument(size));
                let overflows = self.terms().bv_umul_overflow(count, size);
                let whole = self.terms().bv_mul(count, size);
                let old = old.value;
                Some(Some(self.unless(overflows, |lower| lower.reallocate(old, whole))))
            }
            ("free" | "cfree", [address]) => {
                self.emit(Op::Free { address: address.value, kind: AllocKind::Heap });
                Some(None)
            }
            ("alloca" | "__alloca", [size]) => {
                let size = self.length_argument(size);
                Some(Some(self.allocate_on_stack(size)))
            }
            (
                "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" | "__memcpy",
                [to, from, length, ..],
            ) => {
                if name.contains("memcpy") {
                    self.assume_apart(to.value, from.value);
                }
                let length = self.length_argument(length);
                self.emit(Op::Copy { to: to.value, from: from.value, length });
                Some(Some(to.value))
            }
            ("memset" | "__memset_chk", [address, byte, length, ..]) => {
                let length = self.length_argument(length);
                let byte = self.resize(byte.value, 8, false);
                self.emit(Op::Fill { address: address.value, byte, length });
                Some(Some(address.value))
            }
            _ => None,
        }
    }

    /// Functions that the models of the library call for what cannot be said in C.
    fn of_models(&mut self, name: &str, arguments: &[Argument]) -> Modelled {
        match (name, arguments) {
            ("__proviso_character", [c]) => {
                // The tables of the C library begin at index -128, for programs that pass a negative `char`.
                let width = self.terms().width(c.value);
                let (least, size) = (self.bv(width, 128), self.bv(width, 384));
                let place = self.terms().bv_add(c.value, least);
                let is_there = self.terms().bv_ult(place, size);
                self.check(is_there, Fault::InvalidAccess);
                Some(None)
            }
            // The program does not use `errno`.
            ("__proviso_set_errno", [_]) if !self.link.facts.iter().any(|unit| unit.uses_errno) => {
                Some(None)
            }
            ("__proviso_exchange", [left, right]) => {
                self.exchange(left.value, right.value);
                Some(None)
            }
            ("__proviso_is_set", [at]) => {
                let byte = Shape::Int { width: 8, signed: false, bytes: 1 };
                let is_set = self.is_set(&Lvalue::Memory(at.value), byte);
                let (one, zero) = (self.bv(32, 1), self.bv(32, 0));
                Some(Some(self.terms().ite(is_set, one, zero)))
            }
            _ => None,
        }
    }

    /// An argument that is an alignment.
    fn alignment_argument(&mut self, argument: &Argument) -> Option<u64> {
        let Some(term::Value::Bv(bits)) = self.terms().value(argument.value) else { return None };
        let align = bits.to_u128().and_then(|bits| u64::try_from(bits).ok())?;
        (align.is_power_of_two() && align <= PAGE * PAGE).then_some(align.max(MALLOC_ALIGN))
    }

    /// `malloc`.
    fn allocate(&mut self, size: TermId, align: u64, zeroed: bool) -> TermId {
        let var = self.temporary(Sort::Bv(self.link.width()));
        let alloc = Op::Alloc { var, size, align, kind: AllocKind::Heap, zeroed };
        if !self.link.options.malloc_may_fail {
            self.assume(AssumptionKind::Environment, "memory never runs out".to_owned());
            self.emit(alloc);
            return self.terms().var(var);
        }
        let fails = self.temporary(Sort::Bool);
        self.emit(Op::Havoc { var: fails, choice: Choice::Input("malloc fails".into()) });
        let fails = self.terms().var(fails);
        self.unless(fails, |lower| {
            lower.emit(alloc);
            lower.terms().var(var)
        })
    }

    /// A pointer that is null where the condition holds.
    fn unless(&mut self, condition: TermId, pointer: impl FnOnce(&mut Self) -> TermId) -> TermId {
        if self.terms().is_false(condition) {
            return pointer(self);
        }
        let result = self.temporary(Sort::Bv(self.link.width()));
        let (null, some, join) = (self.body.label(), self.body.label(), self.body.label());
        self.branch_on(condition, null, some);
        self.body.place_detached(null);
        let zero = self.address_constant(0);
        self.emit(Op::Assign { var: result, value: zero });
        self.body.jump(join);
        self.body.place_detached(some);
        let value = pointer(self);
        self.emit(Op::Assign { var: result, value });
        self.body.place(join);
        self.terms().var(result)
    }

    /// `realloc`: a new object in place of the old one; for a size of zero, no object at all.
    fn reallocate(&mut self, old: TermId, size: TermId) -> TermId {
        let old = self.snapshot(old);
        let size = self.snapshot(size);
        let zero = self.address_constant(0);
        let (nothing, something) = (self.terms().eq(size, zero), self.terms().ne(old, zero));
        if !self.terms().is_false(something) {
            let text =
                "`realloc` gives the address of a new object, never the address that it was given";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
        let only_frees = self.terms().and2(nothing, something);
        if !self.terms().is_false(only_frees) {
            // In glibc, `realloc` to no bytes frees the object and gives a null pointer.
            let (frees, moves) = (self.body.label(), self.body.label());
            self.branch_on(only_frees, frees, moves);
            self.body.place_detached(frees);
            self.emit(Op::Free { address: old, kind: AllocKind::Heap });
            let result = self.temporary(Sort::Bv(self.link.width()));
            self.emit(Op::Assign { var: result, value: zero });
            let join = self.body.label();
            self.body.jump(join);
            self.body.place_detached(moves);
            let moved = self.move_object(old, size);
            self.emit(Op::Assign { var: result, value: moved });
            self.body.place(join);
            return self.terms().var(result);
        }
        self.move_object(old, size)
    }

    /// A new object with as much of the old object as fits. The old object is freed.
    fn move_object(&mut self, old: TermId, size: TermId) -> TermId {
        let new = self.allocate(size, MALLOC_ALIGN, false);
        let new = self.snapshot(new);
        let zero = self.address_constant(0);
        let failed = self.terms().eq(new, zero);
        let (moved, join) = (self.body.label(), self.body.label());
        self.branch_on(failed, join, moved);
        self.body.place_detached(moved);
        let var = self.temporary(Sort::Bv(self.link.width()));
        self.emit(Op::Size { var, address: old });
        let had = self.terms().var(var);
        let fits = self.terms().bv_ult(had, size);
        let length = self.terms().ite(fits, had, size);
        self.emit(Op::Copy { to: new, from: old, length });
        self.emit(Op::Free { address: old, kind: AllocKind::Heap });
        self.body.place(join);
        new
    }

    /// `alloca`.
    pub fn allocate_on_stack(&mut self, size: TermId) -> TermId {
        let var = self.temporary(Sort::Bv(self.link.width()));
        self.emit(Op::Alloc { var, size, align: 16, kind: AllocKind::Stack, zeroed: false });
        self.terms().var(var)
    }

    /// Functions that need more than this program model can express.
    fn beyond(&mut self, name: &str) -> Modelled {
        let what = match name {
            // The functions of the library with these names are modelled.
            "setjmp" | "longjmp" => "setjmp and longjmp of the compiler",
            "fork" | "vfork" | "clone" | "_Fork" | "forkpty" | "daemon" => "processes",
            "atexit"
            | "on_exit"
            | "at_quick_exit"
            | "__cxa_atexit"
            | "pthread_atfork"
            | "pthread_cleanup_push" => "functions called at exit",
            "signal" | "sigaction" | "bsd_signal" | "ssignal" | "sysv_signal" | "__sysv_signal"
            | "sigset" => "signal handlers",
            "makecontext" | "setcontext" | "getcontext" | "swapcontext" => "other contexts",
            // These functions call functions of the program, so nothing may be assumed of them.
            "pthread_once"
            | "call_once"
            | "tsearch"
            | "tfind"
            | "tdelete"
            | "twalk"
            | "tdestroy"
            | "lfind"
            | "lsearch"
            | "ftw"
            | "nftw"
            | "scandir"
            | "glob"
            | "dl_iterate_phdr"
            | "fopencookie"
            | "timer_create"
            | "ftw64"
            | "nftw64"
            | "scandir64"
            | "scandirat"
            | "scandirat64"
            | "glob64"
            | "fts_open"
            | "fts64_open"
            | "register_printf_function"
            | "register_printf_specifier"
            | "register_printf_modifier"
            | "register_printf_type"
            | "argp_parse"
            | "mq_notify"
            | "lio_listio"
            | "aio_read"
            | "aio_write"
            | "aio_fsync"
            | "getaddrinfo_a"
            | "svc_run" => "a library function that calls back",
            // A call of `fesetround` gets here if the program has another name for the function.
            "fesetround" | "fesetenv" | "fesetmode" | "feupdateenv" => "another rounding mode",
            _ if self.link.rounds_otherwise(name) => "another rounding mode",
            "qsort_r" => "qsort_r",
            "thrd_create" | "pthread_key_create" => "threads",
            _ if name.starts_with("pthread_create") => "threads",
            _ => return None,
        };
        self.body.end(Op::Unsupported(what.into()));
        Some(None)
    }
}
