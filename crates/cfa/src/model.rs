//! Locations, edges, functions, variables and objects.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{IndexVec, SourceMap, Span};
use smallvec::SmallVec;
use term::{Bv, Sort, TermId, Terms, Var};

use crate::{BlockNames, CTypes, EdgeId, Fault, FuncId, LocId, ObjectId, Op};

/// A program model with the terms that it is written in and the text that it came from.
#[derive(Clone, Default)]
pub struct Program {
    /// The table of all terms.
    pub terms: Terms,
    /// The model.
    pub cfa: Cfa,
    /// The text, for messages.
    pub sources: SourceMap,
}

/// The program model. An execution starts at the entry of `start`, with every variable
/// arbitrary and the objects holding their contents.
#[derive(Clone, Default, Debug)]
pub struct Cfa {
    /// The control locations of all functions.
    pub locations: IndexVec<LocId, Location>,
    /// The edges of all functions.
    pub edges: IndexVec<EdgeId, Edge>,
    /// The functions.
    pub functions: IndexVec<FuncId, Function>,
    /// What is known of each variable; the first variables of the term table, in its order.
    pub variables: IndexVec<Var, Variable>,
    /// The objects that exist from the start.
    pub objects: IndexVec<ObjectId, Object>,
    /// Where executions start: the first function added, unless set otherwise.
    pub start: Option<FuncId>,
    /// Width of an address in bits; zero if the program has no memory.
    pub address_width: u32,
    /// The memory that the program does not make and may access; none if every access outside of the program's objects
    /// is invalid.
    pub outside: Option<Outside>,
    /// What was taken for granted when the model was made.
    pub assumptions: Vec<Assumption>,
    /// For programs that keep, for each byte of an object, another byte that says whether the former has been set: the
    /// distance between the two; zero if the program has no such bytes. Reports of executions do not show these bytes,
    /// and analyses treat them like any other bytes.
    pub shadow: u64,
    /// Statements of the source that have no edges, because every way of the model to them ends at something that is
    /// not modelled.
    pub cut_off: Vec<CutOff>,
    /// Locations that executions may reach past something that is not modelled, although no edge of the model leads
    /// past it. The entry of a function is one of these locations if code that has no edges calls the function, or if
    /// the function runs when the program or a block ends.
    pub behind_cuts: Vec<LocId>,
    /// For a variable that holds the result of a call, where this call stands, if the result of the called function is
    /// a choice. The edge with the call may stand for a whole statement with several calls. Not part of the text form.
    pub calls: BTreeMap<Var, Span>,
    /// What is decided by each edge that ends the condition of an `if` or of a loop. Not part of the text form.
    pub decisions: BTreeMap<EdgeId, Decided>,
    /// The case that each edge leads to which leaves the condition of a `switch`. Not part of the text form.
    pub cases: BTreeMap<EdgeId, Case>,
    /// The function whose call violates the property at an error location. The text may have a macro in place of this
    /// call. Not part of the text form.
    pub forbidden: BTreeMap<LocId, Box<str>>,
    /// The meaning of names that blocks of the text declare, place by place. Not part of the text form.
    pub block_names: Arc<BlockNames>,
    /// The types that a C text declares its names with. Not part of the text form.
    pub c_types: Arc<CTypes>,
}

/// What is decided by an edge that ends the condition of an `if` or of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decided {
    /// Where the statement of the condition stands.
    pub statement: Span,
    /// Whether the condition holds.
    pub holds: bool,
}

/// Where an edge that leaves the condition of a `switch` leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Case {
    /// To the case of a value.
    Value {
        /// The value as the text has it: the condition of the edge may say it in another way.
        value: Bv,
        /// How the value is read, by the type of the condition.
        reading: Reading,
    },
    /// To a case of several values: `case 1 ... 9`.
    Range,
    /// To `default`.
    Default,
    /// Behind the `switch`: no case fits, and there is no `default`.
    NoCase,
}

/// A statement of the source behind something that is not modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CutOff {
    /// Where the statement stands.
    pub span: Span,
    /// Whether it is an assert or an error call that violates the property there.
    pub error: bool,
}

/// Memory that the program does not make: the bytes at the addresses `from .. to`, which may be read
/// and written, and are arbitrary at the start. The objects of the program are below it.
///
/// An address that is not computed from that of an object, such as an input, points there, or to
/// nothing: this is what analyses assume of the addresses that a program accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outside {
    /// The first address.
    pub from: u64,
    /// The address behind the last one.
    pub to: u64,
}

impl Outside {
    /// The memory outside for addresses of a width, if there is room for it: the upper half of all
    /// addresses of 64 bits, and the upper quarter of those of 32, but for the last 64 KiB, where
    /// programs keep error codes.
    #[must_use]
    pub const fn of_width(width: u32) -> Option<Self> {
        match width {
            64 => Some(Self { from: 1 << 63, to: u64::MAX - 0xffff }),
            32 => Some(Self { from: 0xc000_0000, to: 0xffff_0000 }),
            _ => None,
        }
    }

    /// Whether an address is in this memory.
    #[must_use]
    pub const fn contains(&self, address: u64) -> bool {
        self.from <= address && address < self.to
    }
}

/// A control location.
#[derive(Clone, Debug)]
pub struct Location {
    /// The function that the location belongs to.
    pub function: FuncId,
    /// Whether reaching the location violates the property.
    pub error: bool,
    /// What has gone wrong at an error location that stands for a fault of the program; none where
    /// the program says itself that something is wrong, by an assertion or a call.
    pub fault: Option<Fault>,
    /// The name of the location in the source, if it has a name there.
    pub name: Option<Box<str>>,
    /// The statement that starts at the location; at the head of a loop, the loop statement.
    pub span: Option<Span>,
    /// The edges that leave the location, in the order in which they were added.
    pub edges: SmallVec<[EdgeId; 2]>,
}

/// A step between two locations: its operations are executed in order, and if an `Assume` among
/// them fails the edge as a whole cannot be taken.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where the edge starts.
    pub source: LocId,
    /// Where the edge ends.
    pub target: LocId,
    /// The operations that the edge executes, in order; none if it does nothing.
    pub ops: Box<[Op]>,
    /// The name of the edge in the source, if it has one.
    pub name: Option<Box<str>>,
    /// The statement, condition or call that it stands for.
    pub span: Option<Span>,
}

/// A function: one entry, one exit, and variables of its own for each activation.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name of the function, unique in the program.
    pub name: Box<str>,
    /// Where an activation starts.
    pub entry: LocId,
    /// Where an activation returns.
    pub exit: LocId,
    /// The variables that the caller assigns.
    pub parameters: Vec<Var>,
    /// The variables that the caller reads at the exit.
    pub results: Vec<Var>,
    /// All variables that each activation has for itself, parameters and results included. They
    /// are arbitrary at the entry, except for the parameters.
    pub locals: Vec<Var>,
    /// The place of the definition.
    pub span: Option<Span>,
}

impl Function {
    /// The name that the source gives to the function: if functions in several files have the same name, a number
    /// stands behind the names of all but the first of them.
    #[must_use]
    pub fn source_name(&self) -> &str {
        self.name.split_once('#').map_or(&*self.name, |(name, _)| name)
    }
}

/// What is known of a variable besides its name and sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Which functions see the variable.
    pub scope: Scope,
    /// How its values are shown to people.
    pub reading: Reading,
    /// The name of the variable in the source, if it has a name there. The name in the term table is unique and may be
    /// longer.
    pub source_name: Option<Box<str>>,
    /// The place of the declaration.
    pub span: Option<Span>,
}

/// Which functions see a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Every function.
    Global,
    /// Each activation of one function has its own.
    Local(FuncId),
    /// The constant address of an object that exists from the start; no operation assigns it.
    Address(ObjectId),
}

/// How a value is shown to people. Bit-vectors do not know whether they are signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// As its sort says; bit-vectors as unsigned numbers.
    Plain,
    /// As a two's complement number.
    Signed,
    /// As an address.
    Address,
}

/// An object that exists from the start.
#[derive(Clone, Debug)]
pub struct Object {
    /// The name of the object, unique among the objects.
    pub name: Box<str>,
    /// The constant that is the address of the object.
    pub address: Var,
    /// Number of bytes.
    pub size: u64,
    /// The address is a multiple of this power of two.
    pub align: u64,
    /// Whether it is data or code.
    pub kind: ObjectKind,
    /// The bytes of the object at the start.
    pub contents: Contents,
    /// The place of the declaration.
    pub span: Option<Span>,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// Data that may be written.
    Data,
    /// Data that the machine refuses to write, such as a string literal.
    ReadOnly,
    /// The code of a function: it has an address and no bytes.
    Code(FuncId),
}

/// The bytes of an object at the start.
#[derive(Clone, Debug)]
pub enum Contents {
    /// These bytes, then zeros up to the size; afterwards the patches are stored over them.
    Bytes(Box<[u8]>, Box<[Patch]>),
    /// Any bytes.
    Arbitrary,
}

/// A value in the contents of an object that depends on addresses.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Where in the object the value stands.
    pub offset: u64,
    /// The value, a term over address constants only.
    pub value: TermId,
}

/// Something taken for granted when the model was made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Assumption {
    /// Its class.
    pub kind: AssumptionKind,
    /// The whole sentence.
    pub text: String,
    /// The first place where it was made.
    pub span: Option<Span>,
}

impl Assumption {
    /// The sentence, with its place if this place is in a text that the user has: users do not have the texts of
    /// library models.
    #[must_use]
    pub fn told(&self, sources: &SourceMap) -> String {
        match self.span.filter(|span| !sources.is_borrowed(span.file)) {
            Some(span) => format!("{} ({})", self.text, sources.describe(span)),
            None => self.text.clone(),
        }
    }
}

/// The classes of assumptions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AssumptionKind {
    /// A function without a body behaves as stated.
    External,
    /// Something of the language or the machine is as stated.
    Semantics,
    /// The environment behaves as stated.
    Environment,
}

impl Program {
    /// Declares a variable of the program. Program variables come before all other symbols of
    /// the term table.
    ///
    /// # Panics
    /// If the term table has symbols that are not variables of the program.
    pub fn declare(&mut self, name: impl Into<Arc<str>>, sort: Sort, variable: Variable) -> Var {
        let scope = variable.scope;
        let var = self.terms.declare(name, sort);
        let listed = self.cfa.variables.push(variable);
        assert_eq!(var, listed, "program variables come first in the term table");
        if let Scope::Local(function) = scope {
            self.cfa.functions[function].locals.push(var);
        }
        var
    }

    /// Adds an object and declares the constant that is its address.
    pub fn add_object(
        &mut self,
        name: impl Into<Box<str>>,
        size: u64,
        align: u64,
        kind: ObjectKind,
        contents: Contents,
        span: Option<Span>,
    ) -> ObjectId {
        let name = name.into();
        let id = self.cfa.objects.next_id();
        let sort = Sort::Bv(self.cfa.address_width);
        let variable = Variable {
            scope: Scope::Address(id),
            reading: Reading::Address,
            source_name: None,
            span,
        };
        let address = self.declare(format!("&{name}"), sort, variable);
        self.cfa.objects.push(Object { name, address, size, align, kind, contents, span })
    }
}

impl Cfa {
    /// Whether an edge is one of the two ways after a check of a fault: the program goes on, or the fault has happened.
    /// No statement of the program decides which way is taken.
    #[must_use]
    pub fn is_check(&self, edge: EdgeId) -> bool {
        let siblings = &self.locations[self.edges[edge].source].edges;
        let fails = |edge: &EdgeId| self.locations[self.edges[*edge].target].fault.is_some();
        siblings.iter().any(fails)
    }

    /// Adds a function with an entry and an exit that no edge connects yet.
    pub fn add_function(&mut self, name: impl Into<Box<str>>, span: Option<Span>) -> FuncId {
        let id = self.functions.next_id();
        let entry = self.add_location(id);
        let exit = self.add_location(id);
        let (parameters, results, locals) = (Vec::new(), Vec::new(), Vec::new());
        self.start.get_or_insert(id);
        let name = name.into();
        self.functions.push(Function { name, entry, exit, parameters, results, locals, span })
    }

    /// Adds a location.
    pub fn add_location(&mut self, function: FuncId) -> LocId {
        let edges = SmallVec::new();
        let (error, fault, name, span) = (false, None, None, None);
        self.locations.push(Location { function, error, fault, name, span, edges })
    }

    /// Adds an edge.
    pub fn add_edge(
        &mut self,
        source: LocId,
        target: LocId,
        ops: impl Into<Box<[Op]>>,
        span: Option<Span>,
    ) -> EdgeId {
        let id = self.edges.push(Edge { source, target, ops: ops.into(), name: None, span });
        self.locations[source].edges.push(id);
        id
    }

    /// The error locations, in order.
    pub fn errors(&self) -> impl Iterator<Item = LocId> + '_ {
        self.locations.entries().filter(|(_, location)| location.error).map(|(id, _)| id)
    }

    /// The functions that the function at the start of the program calls: above all, the entry function.
    #[must_use]
    pub fn entered(&self) -> Vec<FuncId> {
        let from_start = |edge: &&Edge| Some(self.locations[edge.source].function) == self.start;
        let called = self.edges.iter().filter(from_start).filter_map(|edge| match &*edge.ops {
            [Op::Call { callee, .. }] => Some(*callee),
            _ => None,
        });
        called.collect()
    }

    /// Notes an assumption, once.
    pub fn assume(&mut self, kind: AssumptionKind, text: impl Into<String>, span: Option<Span>) {
        let text = text.into();
        if !self.assumptions.iter().any(|known| known.kind == kind && known.text == text) {
            self.assumptions.push(Assumption { kind, text, span });
        }
    }
}
