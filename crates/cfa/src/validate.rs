//! What every program model must satisfy: sorts, scopes, and tables that agree.
//!
//! Front ends and passes promise this, analyses rely on it, tests check it.

use std::fmt;

use base::{Id, Span};
use rustc_hash::FxHashSet;
use term::{Sort, TermId, Var};

use crate::scopes::Scopes;
use crate::{
    Contents, Edge, EdgeId, FuncId, LocId, Object, ObjectId, ObjectKind, Op, Program, Reading,
    Scope,
};

/// Something that a program model must not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The part of the model that is wrong.
    pub place: ModelPart,
    /// What is wrong with it.
    pub message: String,
}

/// A part of a program model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ModelPart {
    /// The model as a whole.
    Program,
    /// A variable.
    Variable(Var),
    /// An object.
    Object(ObjectId),
    /// A function.
    Function(FuncId),
    /// A location.
    Location(LocId),
    /// An edge.
    Edge(EdgeId),
}

impl fmt::Display for ModelPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelPart::Program => write!(f, "program"),
            ModelPart::Variable(var) => write!(f, "variable {var}"),
            ModelPart::Object(object) => write!(f, "object {object}"),
            ModelPart::Function(function) => write!(f, "function {function}"),
            ModelPart::Location(location) => write!(f, "location {location}"),
            ModelPart::Edge(edge) => write!(f, "edge {edge}"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Everything that is wrong with a program model, in the order of its tables. If the list is empty, the model is valid.
///
/// Does not panic on any model, however broken.
#[must_use]
pub fn validate(program: &Program) -> Vec<Violation> {
    let listed = vec![false; program.cfa.edges.len()];
    let mut check = Check { program, scopes: Scopes::of(program), listed, found: Vec::new() };
    check.tables();
    check.variables();
    check.objects();
    check.functions();
    check.locations();
    for (id, edge) in program.cfa.edges.entries() {
        check.edge(id, edge);
    }
    check.found
}

struct Check<'a> {
    program: &'a Program,
    scopes: Scopes,
    /// The edges that their source lists.
    listed: Vec<bool>,
    found: Vec<Violation>,
}

impl Check<'_> {
    fn report(&mut self, place: ModelPart, message: impl Into<String>) {
        self.found.push(Violation { place, message: message.into() });
    }

    fn span(&mut self, place: ModelPart, span: Option<Span>) {
        let Some(span) = span else { return };
        if span.file.index() >= self.program.sources.files().count() {
            self.report(place, "its place is in a file that does not exist");
        } else if span.start > span.end {
            self.report(place, "its place ends before it starts");
        }
    }

    fn tables(&mut self) {
        let cfa = &self.program.cfa;
        if cfa.variables.len() > self.program.terms.var_count() {
            self.report(ModelPart::Program, "more variables than the term table has symbols");
        }
        if !cfa.address_width.is_multiple_of(8) || cfa.address_width > 64 {
            self.report(ModelPart::Program, "an address does not have whole bytes, eight at most");
        }
        if let Some(outside) = cfa.outside {
            let last = u64::MAX.checked_shr(64 - cfa.address_width.min(64)).unwrap_or(0);
            if outside.from == 0 || outside.from >= outside.to || outside.to > last {
                self.report(ModelPart::Program, "the memory outside does not fit the addresses");
            }
        }
        if cfa.start.is_some_and(|start| cfa.functions.get(start).is_none()) {
            self.report(ModelPart::Program, "the start is not a function");
        }
        for assumption in &cfa.assumptions {
            self.span(ModelPart::Program, assumption.span);
        }
    }

    fn variables(&mut self) {
        let Program { cfa, terms, .. } = self.program;
        let mut names = FxHashSet::default();
        for (var, variable) in cfa.variables.entries().take(terms.var_count()) {
            let place = ModelPart::Variable(var);
            if !names.insert(terms.var_name(var)) {
                self.report(place, format!("the name {} is taken", terms.var_name(var)));
            }
            let sort = terms.var_sort(var);
            if variable.reading != Reading::Plain && !matches!(sort, Sort::Bv(_)) {
                self.report(place, "only bit-vectors are read as signed or as addresses");
            }
            self.span(place, variable.span);
            match variable.scope {
                Scope::Global => {}
                Scope::Local(function) if cfa.functions.get(function).is_none() => {
                    self.report(place, "it is local to a function that does not exist");
                }
                Scope::Local(_) if !self.scopes.is_listed(var) => {
                    self.report(place, "its function does not list it");
                }
                Scope::Local(_) => {}
                Scope::Address(id) => {
                    if cfa.objects.get(id).is_none_or(|object| object.address != var) {
                        self.report(place, "it is the address of an object that has another one");
                    }
                    if sort != Sort::Bv(cfa.address_width) {
                        self.report(place, "an address of another width than addresses have");
                    }
                }
            }
        }
    }

    fn objects(&mut self) {
        let cfa = &self.program.cfa;
        let mut names = FxHashSet::default();
        for (id, object) in cfa.objects.entries() {
            let place = ModelPart::Object(id);
            if !names.insert(&object.name) {
                self.report(place, format!("the name {} is taken", object.name));
            }
            self.span(place, object.span);
            let variable = cfa.variables.get(object.address);
            if variable.is_none_or(|variable| variable.scope != Scope::Address(id)) {
                self.report(place, "its address is not a variable of this kind");
            }
            if !object.align.is_power_of_two() {
                self.report(place, "its alignment is not a power of two");
            }
            if cfa.address_width == 0 {
                self.report(place, "the program has no memory");
            } else if object.size.checked_shr(cfa.address_width).unwrap_or(0) != 0 {
                self.report(place, "it is larger than the memory");
            }
            if let ObjectKind::Code(function) = object.kind
                && cfa.functions.get(function).is_none()
            {
                self.report(place, "it is the code of a function that does not exist");
            }
            self.contents(place, object);
        }
    }

    fn contents(&mut self, place: ModelPart, object: &Object) {
        let code = matches!(object.kind, ObjectKind::Code(_));
        let Contents::Bytes(bytes, patches) = &object.contents else {
            if code {
                self.report(place, "code has no bytes");
            }
            return;
        };
        if code && !(bytes.is_empty() && patches.is_empty()) {
            self.report(place, "code has no bytes");
        }
        if bytes.len() as u64 > object.size {
            self.report(place, "it has more bytes than its size says");
        }
        for patch in patches {
            let Some(sort) = self.scopes.sort(patch.value) else {
                self.report(place, "a patch is not a term");
                continue;
            };
            if !self.scopes.only_addresses(patch.value) {
                self.report(place, "a patch reads what is not an address constant");
            }
            match stored_bytes(sort) {
                Some(length)
                    if patch.offset.checked_add(length).is_some_and(|end| end <= object.size) => {}
                Some(_) => self.report(place, "a patch goes past the end"),
                None => self.report(place, "a patch cannot be stored"),
            }
        }
    }

    fn functions(&mut self) {
        let cfa = &self.program.cfa;
        let mut names = FxHashSet::default();
        for (id, function) in cfa.functions.entries() {
            let place = ModelPart::Function(id);
            if !names.insert(&function.name) {
                self.report(place, format!("the name {} is taken", function.name));
            }
            self.span(place, function.span);
            for end in [function.entry, function.exit] {
                if cfa.locations.get(end).is_none_or(|location| location.function != id) {
                    self.report(place, "its entry or exit is not one of its locations");
                }
            }
            if cfa.locations.get(function.exit).is_some_and(|exit| !exit.edges.is_empty()) {
                self.report(place, "an edge leaves its exit");
            }
            let is_local = |var: &Var| {
                cfa.variables.get(*var).is_some_and(|known| known.scope == Scope::Local(id))
            };
            let lists = [&function.locals, &function.parameters, &function.results];
            for (list, name) in lists.into_iter().zip(["local", "parameter", "result"]) {
                if !list.iter().all(is_local) {
                    self.report(place, format!("a {name} is not a local variable of it"));
                }
                let mut seen = FxHashSet::default();
                if !list.iter().all(|var| seen.insert(*var)) {
                    self.report(place, format!("a {name} is listed twice"));
                }
            }
        }
    }

    fn locations(&mut self) {
        let cfa = &self.program.cfa;
        for (id, location) in cfa.locations.entries() {
            let place = ModelPart::Location(id);
            self.span(place, location.span);
            if cfa.functions.get(location.function).is_none() {
                self.report(place, "its function does not exist");
            }
            if location.fault.is_some() && !location.error {
                self.report(place, "a location with a fault is no error location");
            }
            if location.error && !location.edges.is_empty() {
                self.report(place, "an edge leaves an error location");
            }
            if !location.edges.is_sorted_by(|a, b| a < b) {
                self.report(place, "its edges are not in order");
            }
            for edge in &location.edges {
                if cfa.edges.get(*edge).is_some_and(|edge| edge.source == id) {
                    self.listed[edge.index()] = true;
                } else {
                    self.report(place, "it lists an edge that does not leave it");
                }
            }
        }
    }

    fn edge(&mut self, id: EdgeId, edge: &Edge) {
        let cfa = &self.program.cfa;
        let place = ModelPart::Edge(id);
        self.span(place, edge.span);
        let (Some(source), Some(target)) =
            (cfa.locations.get(edge.source), cfa.locations.get(edge.target))
        else {
            return self.report(place, "it starts or ends at a location that does not exist");
        };
        if source.function != target.function {
            self.report(place, "it leaves its function");
        }
        if !self.listed[id.index()] {
            self.report(place, "its source does not list it");
        }
        let calls = edge.ops.iter().any(|op| matches!(op, Op::Call { .. }));
        if calls && edge.ops.len() > 1 {
            self.report(place, "a call is not the only operation");
        }
        for op in &edge.ops {
            self.op(place, source.function, op);
        }
    }

    fn op(&mut self, place: ModelPart, here: FuncId, op: &Op) {
        let width = self.program.cfa.address_width;
        let mut wrong =
            |message: &str| self.found.push(Violation { place, message: message.to_owned() });
        let scopes = &self.scopes;
        let mut read = |term: TermId| {
            let sort = scopes.sort(term);
            if sort.is_none() {
                wrong("an operand is not a term");
            } else if !scopes.visible(term, here) {
                wrong("a term reads a variable that is not visible");
            }
            sort
        };
        match op {
            Op::Assume(holds) | Op::Check { holds, .. } => {
                if read(*holds).is_some_and(|sort| sort != Sort::Bool) {
                    wrong("a condition is not Boolean");
                }
            }
            Op::Assign { var, value } => {
                let value = read(*value);
                let var = self.assigned(place, here, *var);
                if var.is_some() && value.is_some() && var != value {
                    self.report(place, "an assignment between different sorts");
                }
            }
            Op::Havoc { var, .. } => {
                self.assigned(place, here, *var);
            }
            Op::Load { var, address } => {
                let address = read(*address);
                let var = self.assigned(place, here, *var);
                self.word(place, "an address", address, width);
                self.stored(place, var);
            }
            Op::Store { address, value } => {
                let (address, value) = (read(*address), read(*value));
                self.word(place, "an address", address, width);
                self.stored(place, value);
            }
            Op::Copy { to, from, length } => {
                let (to, from, length) = (read(*to), read(*from), read(*length));
                self.word(place, "an address", to, width);
                self.word(place, "an address", from, width);
                self.word(place, "a length", length, width);
            }
            Op::Fill { address, byte, length } => {
                let (address, byte, length) = (read(*address), read(*byte), read(*length));
                self.word(place, "an address", address, width);
                self.word(place, "a byte", byte, 8);
                self.word(place, "a length", length, width);
            }
            Op::HavocMemory { address, length, .. } => {
                let (address, length) = (read(*address), read(*length));
                self.word(place, "an address", address, width);
                self.word(place, "a length", length, width);
            }
            Op::HavocReachable { roots, .. } => {
                let roots: Vec<_> = roots.iter().map(|root| read(*root)).collect();
                for root in roots {
                    self.word(place, "an address", root, width);
                }
            }
            Op::Size { var, address } => {
                let address = read(*address);
                let var = self.assigned(place, here, *var);
                self.word(place, "an address", address, width);
                self.word(place, "a size", var, width);
            }
            Op::Valid { var, address, length, .. } => {
                let (address, length) = (read(*address), read(*length));
                let var = self.assigned(place, here, *var);
                self.word(place, "an address", address, width);
                self.word(place, "a length", length, width);
                if var.is_some_and(|sort| sort != Sort::Bool) {
                    self.report(place, "whether an access is valid is no truth value");
                }
            }
            Op::Alloc { var, size, align, .. } => {
                let size = read(*size);
                let var = self.assigned(place, here, *var);
                self.word(place, "an address", var, width);
                self.word(place, "a size", size, width);
                if !align.is_power_of_two() {
                    self.report(place, "an alignment is not a power of two");
                }
            }
            Op::Free { address, .. } => {
                let address = read(*address);
                self.word(place, "an address", address, width);
            }
            Op::Call { callee, arguments, results } => {
                let arguments: Vec<_> = arguments.iter().map(|argument| read(*argument)).collect();
                self.call(place, here, *callee, &arguments, results);
            }
            Op::Output { arguments, .. } => arguments.iter().for_each(|argument| {
                read(*argument);
            }),
            Op::Exit(code) => {
                if read(*code).is_some_and(|sort| !matches!(sort, Sort::Bv(_) | Sort::Int)) {
                    wrong("an exit code is not a number");
                }
            }
            Op::Abort | Op::Unsupported(_) => {}
        }
    }

    fn call(
        &mut self,
        place: ModelPart,
        here: FuncId,
        callee: FuncId,
        given: &[Option<Sort>],
        results: &[Var],
    ) {
        let Program { cfa, terms, .. } = self.program;
        let taken: Vec<_> = results.iter().map(|var| self.assigned(place, here, *var)).collect();
        let mut seen = FxHashSet::default();
        if !results.iter().all(|var| seen.insert(*var)) {
            self.report(place, "a call assigns a variable twice");
        }
        let Some(function) = cfa.functions.get(callee) else {
            return self.report(place, "it calls a function that does not exist");
        };
        // Lists of locals that are wrong are reported at the function.
        let sort = |var: &Var| (var.index() < terms.var_count()).then(|| terms.var_sort(*var));
        let agree = |vars: &[Var], sorts: &[Option<Sort>]| {
            let mut pairs = vars.iter().map(sort).zip(sorts);
            pairs.all(|(a, b)| a.is_none() || b.is_none() || a == *b)
        };
        if function.parameters.len() != given.len() {
            let (want, have) = (function.parameters.len(), given.len());
            self.report(
                place,
                format!("a call with {have} arguments of a function with {want} parameters"),
            );
        } else if !agree(&function.parameters, given) {
            self.report(place, "an argument has another sort than its parameter");
        }
        if !results.is_empty() && function.results.len() != results.len() {
            let (want, have) = (function.results.len(), results.len());
            self.report(place, format!("a call takes {have} results of a function with {want}"));
        } else if !agree(&function.results, &taken) {
            self.report(place, "a result has another sort than the variable that takes it");
        }
    }

    /// The sort of a variable that an operation changes, if there is such a variable.
    fn assigned(&mut self, place: ModelPart, here: FuncId, var: Var) -> Option<Sort> {
        let Program { cfa, terms, .. } = self.program;
        let Some(variable) = cfa.variables.get(var).filter(|_| var.index() < terms.var_count())
        else {
            self.report(place, "it changes what is not a variable of the program");
            return None;
        };
        match variable.scope {
            Scope::Address(_) => self.report(place, "it changes an address constant"),
            Scope::Local(function) if function != here => {
                self.report(place, "it changes a variable of another function");
            }
            Scope::Local(_) | Scope::Global => {}
        }
        Some(terms.var_sort(var))
    }

    fn word(&mut self, place: ModelPart, what: &str, sort: Option<Sort>, width: u32) {
        if width == 0 {
            self.report(place, "the program has no memory");
        } else if sort.is_some_and(|sort| sort != Sort::Bv(width)) {
            self.report(place, format!("{what} does not have {width} bits"));
        }
    }

    fn stored(&mut self, place: ModelPart, sort: Option<Sort>) {
        if sort.is_some_and(|sort| stored_bytes(sort).is_none()) {
            self.report(place, "a value that memory cannot hold");
        }
    }
}

/// How many bytes of memory hold a value of a sort, if memory can hold it: bit-vectors of whole
/// bytes, and floats.
#[must_use]
pub fn stored_bytes(sort: Sort) -> Option<u64> {
    match sort {
        Sort::Bv(width) if width % 8 == 0 => Some(u64::from(width / 8)),
        Sort::Float(format) => Some(u64::from(format.width() / 8)),
        _ => None,
    }
}
