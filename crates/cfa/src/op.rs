//! The operations on edges.

use term::{TermId, Var};

use crate::FuncId;

/// One step of a program. Terms in it are pure: they read variables and nothing else.
///
/// Memory is a set of disjoint objects, each a run of bytes at an address that the machine
/// chooses; addresses are bit-vectors of the width of a pointer, values are stored little-endian.
/// An access that is not wholly inside one live object ends the execution as invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Go on only where the condition holds.
    Assume(TermId),
    /// `var := value`.
    Assign {
        /// The variable that changes.
        var: Var,
        /// Its new value, of the variable's sort.
        value: TermId,
    },
    /// `var` takes any value of its sort.
    Havoc {
        /// The variable that changes.
        var: Var,
        /// Who chooses the value.
        choice: Choice,
    },
    /// `var := memory[address ..]`, as many bytes as the variable's sort has. A Boolean or
    /// mathematical sort cannot be loaded.
    Load {
        /// The variable that changes.
        var: Var,
        /// Address of the first byte.
        address: TermId,
    },
    /// `memory[address ..] := value`.
    Store {
        /// Address of the first byte.
        address: TermId,
        /// A bit-vector of whole bytes, or a float.
        value: TermId,
    },
    /// `memory[to .. to + length] := memory[from .. from + length]`, also if the two ranges overlap. A length of zero
    /// touches nothing.
    Copy {
        /// Address of the first byte written.
        to: TermId,
        /// Address of the first byte read.
        from: TermId,
        /// Number of bytes.
        length: TermId,
    },
    /// `memory[address .. address + length] := byte` repeated.
    Fill {
        /// Address of the first byte written.
        address: TermId,
        /// A bit-vector of eight bits.
        byte: TermId,
        /// Number of bytes.
        length: TermId,
    },
    /// The bytes of `memory[address .. address + length]` take any values.
    HavocMemory {
        /// Address of the first byte.
        address: TermId,
        /// Number of bytes.
        length: TermId,
        /// Who chooses the values.
        choice: Choice,
    },
    /// What a function of unknown effect may change: every global variable, every data object that exists from the
    /// start, every object that a root points to, and every object whose address stands in one of these variables and
    /// objects, take any values.
    HavocReachable {
        /// Addresses into objects; those that point nowhere are passed over.
        roots: Box<[TermId]>,
        /// Who chooses the values.
        choice: Choice,
    },
    /// `var :=` the number of bytes from `address` to the end of the live object that `address` points into, or zero if
    /// there is no such object.
    Size {
        /// The variable that changes, of the width of an address.
        var: Var,
        /// An address.
        address: TermId,
    },
    /// `var :=` whether using `length` bytes at `address` as `access` says would be valid: whether an operation with
    /// this access would not end the execution as invalid. A length of zero is valid at every address for reading and
    /// writing.
    Valid {
        /// The Boolean variable that changes.
        var: Var,
        /// An address.
        address: TermId,
        /// Number of bytes; not looked at for [`Access::Free`].
        length: TermId,
        /// The access that is to be valid.
        access: Access,
    },
    /// A new object of `size` bytes; `var` becomes its address, which is never zero.
    Alloc {
        /// The variable that receives the address.
        var: Var,
        /// Number of bytes.
        size: TermId,
        /// The address is a multiple of this power of two.
        align: u64,
        /// Where the object lives.
        kind: AllocKind,
        /// Whether its bytes start as zero; otherwise they are arbitrary.
        zeroed: bool,
    },
    /// Ends the life of the object that starts at `address`. If the kind is heap, the address may be zero, and nothing
    /// is freed then; any other address that is not the start of a live object of this kind ends the execution as
    /// invalid.
    Free {
        /// Address of the object's first byte.
        address: TermId,
        /// The kind of object that must be there.
        kind: AllocKind,
    },
    /// Where the condition fails, the behaviour of the source program is undefined, and the
    /// execution ends here.
    Check {
        /// The condition that must hold.
        holds: TermId,
        /// The fault that has happened if the condition does not hold.
        fault: Fault,
    },
    /// Runs a function: parameters take the arguments, and on return the results are assigned.
    /// A call is the only operation of its edge.
    Call {
        /// The function.
        callee: FuncId,
        /// A term for each parameter.
        arguments: Box<[TermId]>,
        /// A variable of the caller for each result, or none at all if they are dropped.
        results: Box<[Var]>,
    },
    /// Output that no analysis looks at, as `printf` gives it: `function` is its name in C,
    /// the arguments are as they were passed after promotion.
    Output {
        /// `printf`, `puts`, `putchar`.
        function: Box<str>,
        /// For `printf` the address of the format comes first.
        arguments: Box<[TermId]>,
    },
    /// The program ends with an exit code.
    Exit(TermId),
    /// The program ends abnormally, without violating the property.
    Abort,
    /// Something that this program model cannot express. A run that gets here is inconclusive,
    /// with this reason.
    Unsupported(Box<str>),
}

/// Who chooses an arbitrary value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// The environment, through the named input function or a `havoc` of the model.
    Input(Box<str>),
    /// Nobody: the value of something that was not initialised.
    Uninitialised,
    /// The named function, which has no body; by convention it may return anything.
    External(Box<str>),
    /// The named function, which is not arbitrary but whose result is not modelled. A violation
    /// that depends on such a choice is not a violation of the program.
    Approximated(Box<str>),
}

/// What is done to memory at an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Access {
    /// Bytes are read.
    Read,
    /// Bytes are written, so the object must not be read-only.
    Write,
    /// A heap object is freed, as [`Op::Free`] does it: the address is zero or that of the first
    /// byte of a live heap object.
    Free,
}

/// Where an object lives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AllocKind {
    /// Until it is freed.
    Heap,
    /// Until its function returns; the return frees it.
    Stack,
}

/// Undefined behaviour of the source language that ends an execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// Division or remainder by zero.
    DivisionByZero,
    /// Signed arithmetic left the range of its type, and that is undefined by choice; or it is
    /// the division of the smallest value by -1, which always traps.
    SignedOverflow,
    /// A call through a pointer that is the address of no function of a fitting type.
    InvalidCall,
    /// An array with a negative length.
    InvalidLength,
    /// A place that the source says is never reached.
    Unreachable,
    /// Unsigned arithmetic left the range of its type, and that is a fault by choice.
    UnsignedOverflow,
    /// A shift by a distance that is negative or not below the width, or to the left of a negative
    /// value or past the largest one.
    Shift,
    /// A conversion gave another value, and that is a fault by choice; or a float does not fit
    /// the integer that it is converted to.
    Conversion,
    /// Memory was accessed where no live object is.
    InvalidAccess,
    /// Something was freed that is not the start of a live heap object.
    InvalidFree,
    /// A heap object lives on at the end of the program.
    Leak,
    /// A heap object lives on that no pointer leads to.
    Lost,
    /// A value was used that nobody has set.
    Uninitialised,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Fault; 13] = [
        Fault::DivisionByZero,
        Fault::SignedOverflow,
        Fault::InvalidCall,
        Fault::InvalidLength,
        Fault::Unreachable,
        Fault::UnsignedOverflow,
        Fault::Shift,
        Fault::Conversion,
        Fault::InvalidAccess,
        Fault::InvalidFree,
        Fault::Leak,
        Fault::Lost,
        Fault::Uninitialised,
    ];

    /// One word for the text form of a program.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Fault::DivisionByZero => "division-by-zero",
            Fault::SignedOverflow => "signed-overflow",
            Fault::InvalidCall => "invalid-call",
            Fault::InvalidLength => "invalid-length",
            Fault::Unreachable => "unreachable",
            Fault::UnsignedOverflow => "unsigned-overflow",
            Fault::Shift => "shift",
            Fault::Conversion => "conversion",
            Fault::InvalidAccess => "invalid-access",
            Fault::InvalidFree => "invalid-free",
            Fault::Leak => "leak",
            Fault::Lost => "lost",
            Fault::Uninitialised => "uninitialised",
        }
    }

    /// The fault in words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Fault::DivisionByZero => "division by zero",
            Fault::SignedOverflow => "signed overflow",
            Fault::InvalidCall => "invalid call",
            Fault::InvalidLength => "invalid array length",
            Fault::Unreachable => "unreachable code reached",
            Fault::UnsignedOverflow => "unsigned overflow",
            Fault::Shift => "invalid shift",
            Fault::Conversion => "conversion to another value",
            Fault::InvalidAccess => "invalid memory access",
            Fault::InvalidFree => "invalid free",
            Fault::Leak => "memory is not freed at the end",
            Fault::Lost => "memory is lost",
            Fault::Uninitialised => "use of an uninitialised value",
        }
    }
}
