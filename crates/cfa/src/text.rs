//! The text form of program models: every field is in it, and [`crate::parse`] reads it back.
//!
//! ```text
//! model 1
//! address-width 64
//! start main
//! global x: (_ BitVec 32) signed "x" @0:4-5
//! object "a" size 40 align 4 data {
//!   address &a: (_ BitVec 64) address
//!   bytes 00ff
//!   patch 8 (bvadd &a #x0000000000000008)
//! }
//! function main() -> (|main::result|) @0:8-90 {
//!   local |main::result|: (_ BitVec 32) signed
//!   entry L0 exit L1
//!   L0 -> L2 @0:20-26 { x := #x00000000 }
//!   L2 -> L1 { assume (= x #x00000000) }
//!   L2 -> L3 {
//!     assume (not (= x #x00000000))
//!     abort
//!   }
//!   L3: error "ERROR"
//! }
//! source "main.c"
//! |int x; …
//! ```
//!
//! White space separates and means nothing else; a `;` starts a comment. Terms and sorts are as
//! SMT-LIB writes them, names too: bare, or between bars (with `\|` and `\\` for what bars cannot
//! hold), or as strings.
//! `@file:start-end` is a place: bytes of one of the sources, which are listed at the end with
//! their text. Variables and edges are numbered in the order in which they stand, except where
//! `[number]` says otherwise; functions and objects always are. A location belongs to the
//! function that mentions it, and is listed by itself if there is something to say about it or
//! if nothing else mentions it. Without `start` the first function starts; `start` alone means
//! that none does.

use std::fmt::{self, Display, Write as _};

use base::{FileId, Id, IndexVec, Span};
use term::{Var, is_symbol_char};

use crate::canonical::Canonical;
use crate::graph::Graph;
use crate::{
    Access, AllocKind, AssumptionKind, Choice, Contents, Edge, EdgeId, FuncId, Function, LocId,
    Location, Object, ObjectKind, Op, Program, Reading, Scope,
};

/// The number of the form that is written and read.
pub(crate) const VERSION: u64 = 1;

/// How many bytes of an object stand on a line.
const BYTES_PER_LINE: usize = 32;

/// The text form of a valid program model.
///
/// Sources that no place refers to are left out, and so are symbols of the term table that are
/// not variables of the program.
#[must_use]
pub fn print(program: &Program) -> String {
    text(program).to_string()
}

/// The text form of a valid program model, to be written piece by piece.
#[must_use]
pub fn text(program: &Program) -> Text<'_> {
    Text { program, places: true }
}

/// The text form of a program model.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    program: &'a Program,
    places: bool,
}

impl Text<'_> {
    /// The text form without places in the source and without the text of the source: for people and for tests that
    /// are not about places.
    #[must_use]
    pub fn without_places(self) -> Self {
        Self { places: false, ..self }
    }
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = if self.places { files(self.program) } else { IndexVec::new() };
        let canonical = Canonical::of(self.program);
        let (next_var, next_edge) = (0, 0);
        Writer { f, program: self.program, canonical: &canonical, files, next_var, next_edge }
            .program()
    }
}

/// The number of each source file in the text: those that some place refers to are numbered.
fn files(program: &Program) -> IndexVec<FileId, Option<usize>> {
    let mut used = IndexVec::filled(None, program.sources.files().count());
    let cfa = &program.cfa;
    let spans = cfa.assumptions.iter().map(|assumption| assumption.span);
    let spans = spans.chain(cfa.variables.iter().map(|variable| variable.span));
    let spans = spans.chain(cfa.objects.iter().map(|object| object.span));
    let spans = spans.chain(cfa.functions.iter().map(|function| function.span));
    let spans = spans.chain(cfa.locations.iter().map(|location| location.span));
    let spans = spans.chain(cfa.edges.iter().map(|edge| edge.span));
    for span in spans.flatten() {
        if span.file.index() < used.len() {
            used[span.file] = Some(0);
        }
    }
    for (number, slot) in used.iter_mut().flatten().enumerate() {
        *slot = number;
    }
    used
}

struct Writer<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    program: &'a Program,
    canonical: &'a Canonical,
    files: IndexVec<FileId, Option<usize>>,
    /// The numbers that the next variable and the next edge have if the text gives no number.
    next_var: usize,
    next_edge: usize,
}

impl Writer<'_, '_> {
    fn program(mut self) -> fmt::Result {
        let cfa = &self.program.cfa;
        writeln!(self.f, "model {VERSION}")?;
        if cfa.address_width != 0 {
            writeln!(self.f, "address-width {}", cfa.address_width)?;
        }
        if let Some(outside) = cfa.outside {
            writeln!(self.f, "outside {} {}", outside.from, outside.to)?;
        }
        match cfa.start {
            Some(start) => writeln!(self.f, "start {}", name(&cfa.functions[start].name))?,
            None => writeln!(self.f, "start")?,
        }
        for assumption in &cfa.assumptions {
            let kind = assumption_word(assumption.kind);
            write!(self.f, "assumption {kind} {}", string(&assumption.text))?;
            self.place(assumption.span)?;
            writeln!(self.f)?;
        }
        for (var, variable) in cfa.variables.entries() {
            if variable.scope == Scope::Global {
                write!(self.f, "global ")?;
                self.variable(var)?;
            }
        }
        for object in &cfa.objects {
            self.object(object)?;
        }
        let function_of = |edge: &Edge| cfa.locations[edge.source].function.index() as u32;
        let edges = cfa.edges.entries().map(|(id, edge)| (function_of(edge), id.index() as u32));
        let edges = Graph::new(cfa.functions.len(), edges);
        let lone = self.locations_to_list();
        for (id, function) in cfa.functions.entries() {
            self.function(id, function, edges.of(id.index() as u32), &lone)?;
        }
        self.sources()
    }

    /// For each function, the locations which no edge leaves that need a line of their own: there is something to say
    /// about them, or nothing else mentions them.
    fn locations_to_list(&self) -> IndexVec<FuncId, Vec<LocId>> {
        let cfa = &self.program.cfa;
        let mut mentioned = IndexVec::filled(false, cfa.locations.len());
        let ends = cfa.functions.iter().flat_map(|function| [function.entry, function.exit]);
        let ends = ends.chain(cfa.edges.iter().map(|edge| edge.target));
        ends.for_each(|location: LocId| mentioned[location] = true);
        let mut lone = IndexVec::filled(Vec::new(), cfa.functions.len());
        for (id, location) in cfa.locations.entries() {
            if location.edges.is_empty() && (self.remarkable(location) || !mentioned[id]) {
                lone[location.function].push(id);
            }
        }
        lone
    }

    /// Whether there is something to say about a location.
    fn remarkable(&self, location: &Location) -> bool {
        location.error || location.name.is_some() || self.place_number(location.span).is_some()
    }

    fn object(&mut self, object: &Object) -> fmt::Result {
        let Object { size, align, .. } = object;
        write!(self.f, "object {} size {size} align {align} ", string(&object.name))?;
        match object.kind {
            ObjectKind::Data => write!(self.f, "data")?,
            ObjectKind::ReadOnly => write!(self.f, "read-only")?,
            ObjectKind::Code(function) => {
                write!(self.f, "code {}", name(&self.program.cfa.functions[function].name))?;
            }
        }
        self.place(object.span)?;
        write!(self.f, " {{\n  address ")?;
        self.variable(object.address)?;
        match &object.contents {
            Contents::Arbitrary => writeln!(self.f, "  arbitrary")?,
            Contents::Bytes(bytes, patches) => {
                for line in bytes.chunks(BYTES_PER_LINE) {
                    write!(self.f, "  bytes ")?;
                    line.iter().try_for_each(|byte| write!(self.f, "{byte:02x}"))?;
                    writeln!(self.f)?;
                }
                for patch in patches {
                    let value = self.canonical.display(patch.value);
                    writeln!(self.f, "  patch {} {value}", patch.offset)?;
                }
            }
        }
        writeln!(self.f, "}}")
    }

    fn function(
        &mut self,
        id: FuncId,
        function: &Function,
        edges: &[u32],
        lone: &IndexVec<FuncId, Vec<LocId>>,
    ) -> fmt::Result {
        let cfa = &self.program.cfa;
        write!(self.f, "function {}(", name(&function.name))?;
        self.names(&function.parameters)?;
        write!(self.f, ")")?;
        if !function.results.is_empty() {
            write!(self.f, " -> (")?;
            self.names(&function.results)?;
            write!(self.f, ")")?;
        }
        self.place(function.span)?;
        writeln!(self.f, " {{")?;
        for local in &function.locals {
            write!(self.f, "  local ")?;
            self.variable(*local)?;
        }
        writeln!(self.f, "  entry {} exit {}", function.entry, function.exit)?;
        for edge in edges.iter().map(|edge| EdgeId::from_index(*edge as usize)) {
            let source = cfa.edges[edge].source;
            let location = &cfa.locations[source];
            if location.edges.first() == Some(&edge) && self.remarkable(location) {
                self.location(source)?;
            }
            self.edge(edge)?;
        }
        for location in &lone[id] {
            self.location(*location)?;
        }
        writeln!(self.f, "}}")
    }

    fn names(&mut self, vars: &[Var]) -> fmt::Result {
        for (index, var) in vars.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(self.f, "{comma}{}", self.var(*var))?;
        }
        Ok(())
    }

    fn var(&self, var: Var) -> String {
        name(self.program.terms.var_name(var))
    }

    /// The rest of a line that declares a variable.
    fn variable(&mut self, var: Var) -> fmt::Result {
        let variable = &self.program.cfa.variables[var];
        if var.index() != self.next_var {
            write!(self.f, "[{}] ", var.index())?;
        }
        self.next_var = var.index() + 1;
        let sort = self.program.terms.var_sort(var);
        write!(self.f, "{}: {}", self.var(var), self.program.terms.display_sort(sort))?;
        match variable.reading {
            Reading::Plain => {}
            Reading::Signed => write!(self.f, " signed")?,
            Reading::Address => write!(self.f, " address")?,
        }
        if let Some(source_name) = &variable.source_name {
            write!(self.f, " {}", string(source_name))?;
        }
        self.place(variable.span)?;
        writeln!(self.f)
    }

    fn location(&mut self, id: LocId) -> fmt::Result {
        let location = &self.program.cfa.locations[id];
        write!(self.f, "  {id}:")?;
        if location.error {
            write!(self.f, " error")?;
        }
        if let Some(fault) = location.fault {
            write!(self.f, " {}", fault.word())?;
        }
        if let Some(name) = &location.name {
            write!(self.f, " {}", string(name))?;
        }
        self.place(location.span)?;
        writeln!(self.f)
    }

    fn edge(&mut self, id: EdgeId) -> fmt::Result {
        let edge = &self.program.cfa.edges[id];
        write!(self.f, "  ")?;
        if id.index() != self.next_edge {
            write!(self.f, "[{}] ", id.index())?;
        }
        self.next_edge = id.index() + 1;
        write!(self.f, "{} -> {}", edge.source, edge.target)?;
        if let Some(name) = &edge.name {
            write!(self.f, " {}", string(name))?;
        }
        self.place(edge.span)?;
        match &*edge.ops {
            [] => {}
            [op] => write!(
                self.f,
                " {{ {} }}",
                OpText { program: self.program, canonical: self.canonical, op }
            )?,
            ops => {
                writeln!(self.f, " {{")?;
                for op in ops {
                    writeln!(
                        self.f,
                        "    {}",
                        OpText { program: self.program, canonical: self.canonical, op }
                    )?;
                }
                write!(self.f, "  }}")?;
            }
        }
        writeln!(self.f)
    }

    fn place_number(&self, span: Option<Span>) -> Option<(usize, Span)> {
        let span = span?;
        Some(((*self.files.get(span.file)?)?, span))
    }

    fn place(&mut self, span: Option<Span>) -> fmt::Result {
        match self.place_number(span) {
            Some((file, span)) => write!(self.f, " @{file}:{}-{}", span.start, span.end),
            None => Ok(()),
        }
    }

    fn sources(&mut self) -> fmt::Result {
        for (file, number) in self.files.entries() {
            if number.is_none() {
                continue;
            }
            writeln!(self.f, "source {}", string(self.program.sources.name(file)))?;
            for line in self.program.sources.text(file).split(|byte| *byte == b'\n') {
                writeln!(self.f, "|{}", source_line(line))?;
            }
        }
        Ok(())
    }
}

/// An operation in the text form.
pub(crate) struct OpText<'a> {
    pub(crate) program: &'a Program,
    pub(crate) canonical: &'a Canonical,
    pub(crate) op: &'a Op,
}

impl Display for OpText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = &self.program.terms;
        let var = |var: Var| name(terms.var_name(var));
        let term = |term| self.canonical.display(term);
        match self.op {
            Op::Assume(holds) => write!(f, "assume {}", term(*holds)),
            Op::Assign { var: v, value } => write!(f, "{} := {}", var(*v), term(*value)),
            Op::Havoc { var: v, choice } => write!(f, "havoc {} {}", var(*v), choice_text(choice)),
            Op::Load { var: v, address } => write!(f, "load {} from {}", var(*v), term(*address)),
            Op::Store { address, value } => {
                write!(f, "store {} at {}", term(*value), term(*address))
            }
            Op::Copy { to, from, length } => {
                write!(f, "copy {} from {} to {}", term(*length), term(*from), term(*to))
            }
            Op::Fill { address, byte, length } => {
                write!(f, "fill {} at {} with {}", term(*length), term(*address), term(*byte))
            }
            Op::HavocMemory { address, length, choice } => {
                let choice = choice_text(choice);
                write!(f, "havoc-memory {} at {} {choice}", term(*length), term(*address))
            }
            Op::HavocReachable { roots, choice } => {
                write!(f, "havoc-reachable (")?;
                list(f, roots.iter().map(|root| term(*root)))?;
                write!(f, ") {}", choice_text(choice))
            }
            Op::Size { var: v, address } => write!(f, "size {} at {}", var(*v), term(*address)),
            Op::Valid { var: v, address, length, access } => {
                let (length, address, access) =
                    (term(*length), term(*address), access_word(*access));
                write!(f, "valid {} {access} {length} at {address}", var(*v))
            }
            Op::Alloc { var: v, size, align, kind, zeroed } => {
                let (kind, zeroed) = (alloc_word(*kind), if *zeroed { " zeroed" } else { "" });
                write!(f, "alloc {} size {} align {align} {kind}{zeroed}", var(*v), term(*size))
            }
            Op::Free { address, kind } => {
                write!(f, "free {} {}", alloc_word(*kind), term(*address))
            }
            Op::Check { holds, fault } => {
                write!(f, "check {} {}", fault.word(), term(*holds))
            }
            Op::Call { callee, arguments, results } => {
                write!(f, "call {}(", name(&self.program.cfa.functions[*callee].name))?;
                list(f, arguments.iter().map(|argument| term(*argument)))?;
                write!(f, ")")?;
                if results.is_empty() {
                    return Ok(());
                }
                write!(f, " -> (")?;
                list(f, results.iter().map(|result| var(*result)))?;
                write!(f, ")")
            }
            Op::Output { function, arguments } => {
                write!(f, "output {}(", string(function))?;
                list(f, arguments.iter().map(|argument| term(*argument)))?;
                write!(f, ")")
            }
            Op::Exit(code) => write!(f, "exit {}", term(*code)),
            Op::Abort => write!(f, "abort"),
            Op::Unsupported(reason) => write!(f, "unsupported {}", string(reason)),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = impl Display>) -> fmt::Result {
    for (index, item) in items.enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{item}")?;
    }
    Ok(())
}

pub(crate) const fn assumption_word(kind: AssumptionKind) -> &'static str {
    match kind {
        AssumptionKind::External => "external",
        AssumptionKind::Semantics => "semantics",
        AssumptionKind::Environment => "environment",
    }
}

pub(crate) const fn alloc_word(kind: AllocKind) -> &'static str {
    match kind {
        AllocKind::Heap => "heap",
        AllocKind::Stack => "stack",
    }
}

pub(crate) const fn access_word(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
        Access::Free => "free",
    }
}

fn choice_text(choice: &Choice) -> String {
    match choice {
        Choice::Input(name) => format!("input {}", string(name)),
        Choice::Uninitialised => "uninitialised".to_owned(),
        Choice::External(name) => format!("external {}", string(name)),
        Choice::Approximated(name) => format!("approximated {}", string(name)),
    }
}

/// A name, with bars or as a string if it needs them.
pub(crate) fn name(name: &str) -> String {
    let mut letters = name.chars();
    let simple =
        letters.next().is_some_and(|c| is_symbol_char(c) && !c.is_ascii_digit() && c != '@');
    if simple && letters.all(is_symbol_char) {
        name.to_owned()
    } else if name.chars().any(char::is_control) {
        string(name)
    } else {
        format!("|{}|", name.replace('\\', "\\\\").replace('|', "\\|"))
    }
}

/// A string in quotes, on one line.
pub(crate) fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {
                // Writing to a string does not fail.
                let _ = write!(quoted, "\\u{{{:x}}}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A line of source text, with escapes for what is not text.
fn source_line(line: &[u8]) -> String {
    let mut shown = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => shown.push_str("\\\\"),
                // The cast is exact: the character is ASCII.
                c if c.is_ascii_control() && c != '\t' => escape(&mut shown, c as u8),
                c => shown.push(c),
            }
        }
        for byte in chunk.invalid() {
            escape(&mut shown, *byte);
        }
    }
    shown
}

fn escape(shown: &mut String, byte: u8) {
    // Writing to a string does not fail.
    let _ = write!(shown, "\\x{byte:02x}");
}
