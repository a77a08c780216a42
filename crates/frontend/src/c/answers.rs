//! What the surroundings answer within limits: random numbers, and objects that the system fills.

use cfa::{AssumptionKind, Choice, Op};
use rucc_types::{TypeId, TypeKind};
use term::{Float, Rounding, TermId};

use super::argument::{Argument, Modelled};
use super::function::Lower;
use super::shape::Shape;
use super::signature::Key;
use super::storage::Lvalue;
use super::unit::Unit;

/// The largest number that `rand` and its like give, also where `long` is longer.
const LARGEST: i64 = 0x7fff_ffff;

/// Functions of the library that fill an object: the parameter that points to the object, and how many elements the
/// object has.
const FILLING: [(&str, usize, u64); 13] = [
    ("clock_gettime", 1, 1),
    ("fstat", 1, 1),
    ("fstat64", 1, 1),
    ("fstatat", 2, 1),
    ("fstatat64", 2, 1),
    ("gettimeofday", 0, 1),
    ("lstat", 1, 1),
    ("lstat64", 1, 1),
    ("pipe", 0, 2),
    ("pipe2", 0, 2),
    ("stat", 1, 1),
    ("stat64", 1, 1),
    ("timespec_get", 0, 1),
];

/// The largest result of a function, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Most {
    Any,
    Number(i64),
    /// The value of an argument.
    Argument(usize),
    /// Three times the value of an argument.
    Thrice(usize),
}

/// The least and the largest result of functions that the system answers.
const RESULTS: [(&str, i64, Most); 194] = [
    ("_IO_putc", -1, Most::Number(255)),
    ("accept", -1, Most::Any),
    ("accept4", -1, Most::Any),
    ("access", -1, Most::Number(0)),
    ("acct", -1, Most::Number(0)),
    ("adjtime", -1, Most::Number(0)),
    ("bind", -1, Most::Number(0)),
    ("bindresvport", -1, Most::Number(0)),
    ("bindresvport6", -1, Most::Number(0)),
    ("chdir", -1, Most::Number(0)),
    ("chmod", -1, Most::Number(0)),
    ("chown", -1, Most::Number(0)),
    ("chroot", -1, Most::Number(0)),
    ("clock_gettime", -1, Most::Number(0)),
    ("close", -1, Most::Number(0)),
    ("close_range", -1, Most::Number(0)),
    ("closedir", -1, Most::Number(0)),
    ("connect", -1, Most::Number(0)),
    ("creat", -1, Most::Any),
    ("creat64", -1, Most::Any),
    ("dup", -1, Most::Any),
    ("dup2", -1, Most::Any),
    ("dup3", -1, Most::Any),
    ("eaccess", -1, Most::Number(0)),
    ("epoll_create", -1, Most::Any),
    ("epoll_create1", -1, Most::Any),
    ("epoll_wait", -1, Most::Argument(2)),
    ("euidaccess", -1, Most::Number(0)),
    ("eventfd", -1, Most::Any),
    ("faccessat", -1, Most::Number(0)),
    ("fallocate", -1, Most::Number(0)),
    ("fallocate64", -1, Most::Number(0)),
    ("fchdir", -1, Most::Number(0)),
    ("fchmod", -1, Most::Number(0)),
    ("fchmodat", -1, Most::Number(0)),
    ("fchown", -1, Most::Number(0)),
    ("fchownat", -1, Most::Number(0)),
    ("fclose", -1, Most::Number(0)),
    ("fdatasync", -1, Most::Number(0)),
    ("fflush", -1, Most::Number(0)),
    ("fileno", -1, Most::Any),
    ("fputc", -1, Most::Number(255)),
    ("fputc_unlocked", -1, Most::Number(255)),
    ("fputs", -1, Most::Any),
    ("fputs_unlocked", -1, Most::Any),
    ("fseek", -1, Most::Number(0)),
    ("fseeko", -1, Most::Number(0)),
    ("fseeko64", -1, Most::Number(0)),
    ("fstat", -1, Most::Number(0)),
    ("fstat64", -1, Most::Number(0)),
    ("fstatat", -1, Most::Number(0)),
    ("fstatat64", -1, Most::Number(0)),
    ("fsync", -1, Most::Number(0)),
    ("ftell", -1, Most::Any),
    ("ftello", -1, Most::Any),
    ("ftello64", -1, Most::Any),
    ("ftruncate", -1, Most::Number(0)),
    ("ftruncate64", -1, Most::Number(0)),
    ("futimens", -1, Most::Number(0)),
    ("futimes", -1, Most::Number(0)),
    ("futimesat", -1, Most::Number(0)),
    ("fwrite", 0, Most::Argument(2)),
    ("fwrite_unlocked", 0, Most::Argument(2)),
    ("getcpu", -1, Most::Number(0)),
    ("getpagesize", 1, Most::Any),
    ("getpeername", -1, Most::Number(0)),
    ("getppid", 0, Most::Any),
    ("getpt", -1, Most::Any),
    ("getrandom", -1, Most::Argument(1)),
    ("getresgid", -1, Most::Number(0)),
    ("getresuid", -1, Most::Number(0)),
    ("getrlimit", -1, Most::Number(0)),
    ("getrusage", -1, Most::Number(0)),
    ("getsockname", -1, Most::Number(0)),
    ("getsockopt", -1, Most::Number(0)),
    ("gettimeofday", -1, Most::Number(0)),
    ("inotify_init", -1, Most::Any),
    ("inotify_init1", -1, Most::Any),
    ("isatty", 0, Most::Number(1)),
    ("isfdtype", -1, Most::Number(1)),
    ("kill", -1, Most::Number(0)),
    ("lchmod", -1, Most::Number(0)),
    ("lchown", -1, Most::Number(0)),
    ("link", -1, Most::Number(0)),
    ("linkat", -1, Most::Number(0)),
    ("listen", -1, Most::Number(0)),
    ("lseek", -1, Most::Any),
    ("lseek64", -1, Most::Any),
    ("lstat", -1, Most::Number(0)),
    ("lstat64", -1, Most::Number(0)),
    ("lutimes", -1, Most::Number(0)),
    ("mkdir", -1, Most::Number(0)),
    ("mkdirat", -1, Most::Number(0)),
    ("mkfifo", -1, Most::Number(0)),
    ("mkfifoat", -1, Most::Number(0)),
    ("mknod", -1, Most::Number(0)),
    ("mknodat", -1, Most::Number(0)),
    ("mkostemp", -1, Most::Any),
    ("mkostemp64", -1, Most::Any),
    ("mkostemps", -1, Most::Any),
    ("mkostemps64", -1, Most::Any),
    ("mkstemp", -1, Most::Any),
    ("mkstemp64", -1, Most::Any),
    ("mkstemps", -1, Most::Any),
    ("mkstemps64", -1, Most::Any),
    ("name_to_handle_at", -1, Most::Number(0)),
    ("nanosleep", -1, Most::Number(0)),
    ("open", -1, Most::Any),
    ("open64", -1, Most::Any),
    ("open_by_handle_at", -1, Most::Any),
    ("openat", -1, Most::Any),
    ("openat64", -1, Most::Any),
    ("pipe", -1, Most::Number(0)),
    ("pipe2", -1, Most::Number(0)),
    ("poll", -1, Most::Argument(1)),
    ("posix_openpt", -1, Most::Any),
    ("ppoll", -1, Most::Argument(1)),
    ("pread", -1, Most::Argument(2)),
    ("pread64", -1, Most::Argument(2)),
    ("preadv", -1, Most::Any),
    ("pselect", -1, Most::Thrice(0)),
    ("putc", -1, Most::Number(255)),
    ("putc_unlocked", -1, Most::Number(255)),
    ("putchar", -1, Most::Number(255)),
    ("putchar_unlocked", -1, Most::Number(255)),
    ("puts", -1, Most::Any),
    ("puts_unlocked", -1, Most::Any),
    ("pwrite", -1, Most::Argument(2)),
    ("pwrite64", -1, Most::Argument(2)),
    ("readlink", -1, Most::Argument(2)),
    ("readlinkat", -1, Most::Argument(3)),
    ("readv", -1, Most::Any),
    ("recvfrom", -1, Most::Argument(2)),
    ("recvmmsg", -1, Most::Argument(2)),
    ("recvmsg", -1, Most::Any),
    ("remove", -1, Most::Number(0)),
    ("rename", -1, Most::Number(0)),
    ("renameat", -1, Most::Number(0)),
    ("renameat2", -1, Most::Number(0)),
    ("rmdir", -1, Most::Number(0)),
    ("sched_getaffinity", -1, Most::Number(0)),
    ("sched_getcpu", -1, Most::Any),
    ("sched_rr_get_interval", -1, Most::Number(0)),
    ("sched_setaffinity", -1, Most::Number(0)),
    ("select", -1, Most::Thrice(0)),
    ("send", -1, Most::Argument(2)),
    ("sendmmsg", -1, Most::Argument(2)),
    ("sendmsg", -1, Most::Any),
    ("sendto", -1, Most::Argument(2)),
    ("setdomainname", -1, Most::Number(0)),
    ("setegid", -1, Most::Number(0)),
    ("setenv", -1, Most::Number(0)),
    ("seteuid", -1, Most::Number(0)),
    ("setgid", -1, Most::Number(0)),
    ("sethostid", -1, Most::Number(0)),
    ("setns", -1, Most::Number(0)),
    ("setpgid", -1, Most::Number(0)),
    ("setpgrp", -1, Most::Number(0)),
    ("setregid", -1, Most::Number(0)),
    ("setresgid", -1, Most::Number(0)),
    ("setresuid", -1, Most::Number(0)),
    ("setreuid", -1, Most::Number(0)),
    ("setsockopt", -1, Most::Number(0)),
    ("setuid", -1, Most::Number(0)),
    ("shutdown", -1, Most::Number(0)),
    ("signalfd", -1, Most::Any),
    ("sockatmark", -1, Most::Number(1)),
    ("socket", -1, Most::Any),
    ("socketpair", -1, Most::Number(0)),
    ("stat", -1, Most::Number(0)),
    ("stat64", -1, Most::Number(0)),
    ("symlink", -1, Most::Number(0)),
    ("symlinkat", -1, Most::Number(0)),
    ("sync_file_range", -1, Most::Number(0)),
    ("syncfs", -1, Most::Number(0)),
    ("sysconf", -1, Most::Any),
    ("tgkill", -1, Most::Number(0)),
    ("timerfd_create", -1, Most::Any),
    ("truncate", -1, Most::Number(0)),
    ("truncate64", -1, Most::Number(0)),
    ("umask", 0, Most::Number(0o777)),
    ("unlink", -1, Most::Number(0)),
    ("unlinkat", -1, Most::Number(0)),
    ("unsetenv", -1, Most::Number(0)),
    ("unshare", -1, Most::Number(0)),
    ("usleep", -1, Most::Number(0)),
    ("utimensat", -1, Most::Number(0)),
    ("vhangup", -1, Most::Number(0)),
    ("wait", -1, Most::Any),
    ("wait3", -1, Most::Any),
    ("wait4", -1, Most::Any),
    ("waitpid", -1, Most::Any),
    ("write", -1, Most::Argument(2)),
    ("writev", -1, Most::Any),
];

/// Members of structures of the system, with their least and largest values.
const MEMBERS: [(&str, i64, i64); 3] =
    [("st_size", 0, i64::MAX), ("tv_nsec", 0, 999_999_999), ("tv_usec", 0, 999_999)];

impl Lower<'_, '_> {
    /// Random numbers: any number in the range of the function. How a function changes the state that it is given is
    /// not modelled, so that no violation may rest on this state.
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
        let text =
            "random numbers are any of their range, whatever they are computed from".to_owned();
        self.assume(AssumptionKind::Environment, text);
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
        self.assume_members(&unit, address, to);
        true
    }

    /// What is known of members of a structure that the system has filled.
    fn assume_members(&mut self, unit: &Unit, address: TermId, ty: TypeId) {
        let TypeKind::Record(id) = unit.bare(ty) else { return };
        for field in unit.types.record_info(id).fields.clone() {
            let at = self.offset(address, field.offset);
            self.assume_members(unit, at, field.ty);
            let name = field.name.map_or("", |name| unit.name(name));
            let known = MEMBERS.iter().find(|(known, ..)| *known == name);
            let (Some((_, low, high)), Some(shape)) = (known, unit.shape(field.ty)) else {
                continue;
            };
            let Shape::Int { width, signed: true, .. } = shape else { continue };
            let value = self.read(&Lvalue::Memory(at), shape);
            let most = (*high).min(i64::MAX >> (64 - width.min(64)));
            let (low, high) = (self.bv(width, *low as u128), self.bv(width, most as u128));
            let terms = self.terms();
            let (above, below) = (terms.bv_sle(low, value), terms.bv_sle(value, high));
            let within = terms.and2(above, below);
            self.emit(Op::Assume(within));
        }
    }

    /// What is known of the result of a function that the system answers.
    pub fn assume_answer(
        &mut self,
        name: &str,
        arguments: &[Argument],
        value: TermId,
        result_ty: TypeId,
    ) {
        if let Some((within, _)) = self.limits(name, arguments, value, result_ty) {
            self.emit(Op::Assume(within));
        }
    }

    /// The result of a function whose result is not modelled, within its limits. Nothing is assumed, so that a run
    /// which does not look at the result does not depend on it.
    pub fn within_limits(
        &mut self,
        name: &str,
        arguments: &[Argument],
        value: TermId,
        result_ty: TypeId,
    ) -> TermId {
        match self.limits(name, arguments, value, result_ty) {
            Some((within, least)) => self.terms().ite(within, value, least),
            None => value,
        }
    }

    /// The condition that `value` is a possible result of a function, and the least possible result.
    fn limits(
        &mut self,
        name: &str,
        arguments: &[Argument],
        value: TermId,
        result_ty: TypeId,
    ) -> Option<(TermId, TermId)> {
        let (_, lowest, most) = RESULTS.iter().find(|(known, ..)| *known == name)?;
        let Some(shape @ Shape::Int { width, .. }) = self.unit.shape(result_ty) else {
            return None;
        };
        // Wide enough for the result and three times what an argument says.
        let wide = self.link.width().max(width) + 3;
        let value = self.resize(value, wide, shape.signed());
        let least = self.bv(wide, *lowest as u128);
        let mut within = self.terms().bv_sle(least, value);
        let most = match most {
            Most::Any => None,
            Most::Number(most) => Some(self.bv(wide, *most as u128)),
            Most::Argument(at) | Most::Thrice(at) => match arguments.get(*at) {
                Some(Argument { value, shape: Some(shape @ Shape::Int { .. }), .. }) => {
                    let times = if matches!(most, Most::Thrice(_)) { 3 } else { 1 };
                    // A negative number of elements sets no limit.
                    let most = self.resize(*value, wide, shape.signed());
                    let times = self.bv(wide, times);
                    let most = self.terms().bv_mul(most, times);
                    let zero = self.bv(wide, 0);
                    let is_number = self.terms().bv_sle(zero, most);
                    let unlimited = self.bv(wide, u128::MAX >> (129 - wide));
                    Some(self.terms().ite(is_number, most, unlimited))
                }
                _ => None,
            },
        };
        if let Some(most) = most {
            let below = self.terms().bv_sle(value, most);
            within = self.terms().and2(within, below);
        }
        Some((within, self.bv(width, *lowest as u128)))
    }
}

#[cfg(test)]
mod tests {
    use super::{FILLING, RESULTS};

    #[test]
    fn functions_that_the_system_answers_are_sorted() {
        assert!(FILLING.is_sorted() && RESULTS.is_sorted_by_key(|(name, ..)| *name));
    }
}
