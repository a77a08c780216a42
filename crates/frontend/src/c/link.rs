//! From checked units to one program: names, globals, functions on demand.
//!
//! The linker keeps what the lowering of functions notes for the whole program (alignments of pointers from outside, names,
//! orders of evaluation), and the lowering asks the linker for globals and other functions. So `function`, `aligned`, `order`,
//! `outside`, `c_types` and this file know each other.

use std::rc::Rc;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Span};
use cfa::{
    AssumptionKind, Check, Choice, Contents, FuncId, Object, ObjectKind, Op, Program, Reading,
    Scope, Variable,
};
use rucc_sema::{DeclFlags, DeclId, DeclKind, Definition, Emission, Linkage, Priority, StrId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, TermId, Var};

use super::agreement::disagreement;
use super::aligned::Alignments;
use super::body::{Body, Ends};
use super::c_types::DeclaredName;
use super::facts::{Facts, ONE_NAN};
use super::library;
use super::marked::Marked;
use super::order::Unordered;
use super::shape::{Shape, TypeShape};
use super::signature::{Key, Shapes, Signature};
use super::storage::{Leaf, Storage};
use super::unit::{self, Unit};
use crate::options::{DataModel, Flags, Globals, Options, OutsidePointers, SignedOverflow};
use crate::setting::Setting;
use crate::task::Property;

/// Everything that outlives the lowering of one function.
pub(super) struct Linker<'o> {
    pub options: &'o Options,
    /// What the program must not do: as asked, or by its asserts (see `lower`).
    pub property: Property,
    pub model: DataModel,
    pub program: Program,
    pub diagnostics: Diagnostics,
    pub units: Vec<Rc<Unit>>,
    pub facts: Vec<Rc<Facts>>,
    /// The declaration that stands for a name with external linkage.
    pub(super) external: FxHashMap<String, Key>,
    /// The declaration that stands for a name with internal linkage, by the number of the unit.
    internal: FxHashMap<(usize, String), Key>,
    /// Objects with linkage whose address some unit takes.
    escaping: FxHashSet<String>,
    globals: FxHashMap<Key, Storage>,
    functions: FxHashMap<Key, Signature>,
    strings: FxHashMap<(usize, StrId), Var>,
    /// Functions whose code has an address, in the order in which it was taken.
    addressed: Vec<(Var, Signature)>,
    addresses: FxHashMap<FuncId, Var>,
    pub dispatchers: Vec<(Shapes, FuncId)>,
    /// Bodies still to be lowered.
    pending: Vec<(Key, Signature)>,
    names: FxHashMap<String, u32>,
    /// What the start does before it calls the entry function.
    pub start: Vec<Op>,
    libraries: FxHashSet<&'static str>,
    /// Functions that run before the entry function.
    constructors: Vec<Key>,
    /// Whether functions run after the entry function, or at `exit`.
    pub has_destructors: bool,
    /// The variables for jumps out of functions, when it is known whether there are such jumps.
    pub(super) jump: Option<Option<super::jump::Jump>>,
    /// The variable with the rounding mode of floats, when it is known whether the program sets the mode.
    pub(super) rounding: Option<Option<Var>>,
    /// The variable for the number of the process, if the program has asked for it.
    process: Option<Var>,
    /// How memory is followed, if somebody asks whether it is set.
    pub shadows: Option<Shadows>,
    /// Objects of functions that are not written after they have been initialised.
    pub constants: Vec<super::constness::Constant>,
    /// How many asserts are there that the property does not speak of.
    pub left_out: u32,
    /// Where an assert or error call stands that no way leads to.
    pub settled: Vec<Span>,
    /// The addresses of objects whose size is not known.
    pub open: Vec<Var>,
    /// The alignment of pointers that somebody outside the program gives.
    pub alignments: Alignments,
    /// The names of the program that variables and objects were made for.
    pub declared: Vec<DeclaredName>,
    /// Expressions whose parts have no order in C, and do something.
    pub unordered: Vec<Unordered>,
    /// How the execution may end in functions.
    pub ends: std::collections::BTreeMap<FuncId, Ends>,
}

/// What a program has of memory that is followed.
#[derive(Clone, Copy)]
pub(super) struct Shadows {
    /// How far the bits are from the bytes that they speak of.
    pub distance: u64,
    /// Whether the function that has just returned has given a value back.
    pub returned: Var,
}

/// Where a unit comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Program,
    Library,
}

impl<'o> Linker<'o> {
    pub fn new(options: &'o Options, model: DataModel, program: Program) -> Self {
        Self {
            options,
            property: options.property.clone(),
            model,
            program,
            diagnostics: Diagnostics::new(),
            units: Vec::new(),
            facts: Vec::new(),
            external: FxHashMap::default(),
            internal: FxHashMap::default(),
            escaping: FxHashSet::default(),
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            strings: FxHashMap::default(),
            addressed: Vec::new(),
            addresses: FxHashMap::default(),
            dispatchers: Vec::new(),
            pending: Vec::new(),
            names: FxHashMap::default(),
            start: Vec::new(),
            libraries: FxHashSet::default(),
            constructors: Vec::new(),
            has_destructors: false,
            jump: None,
            rounding: None,
            process: None,
            shadows: None,
            constants: Vec::new(),
            left_out: 0,
            settled: Vec::new(),
            open: Vec::new(),
            alignments: Alignments::default(),
            declared: Vec::new(),
            unordered: Vec::new(),
            ends: std::collections::BTreeMap::new(),
        }
    }

    pub fn width(&self) -> u32 {
        match self.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// Takes in a unit: its names and facts. What the program defines itself is not taken from
    /// the library.
    pub fn add(&mut self, unit: Unit, origin: Origin) {
        let index = self.units.len();
        // Models of the library are right as far as this goes, whatever they compute with.
        let mut marked = match origin {
            Origin::Program => Marked::by(self.options.checks()),
            Origin::Library => Marked::default(),
        };
        marked.signed |= self.options.signed_overflow == SignedOverflow::Undefined;
        let mut facts = Facts::of(&unit, marked, origin == Origin::Program);
        if origin == Origin::Program && self.options.outside_pointers == OutsidePointers::Any {
            facts.reach_from_outside(&unit);
        }
        for at in 0..unit.tast.counts().decls {
            let decl = DeclId::from_usize(at);
            let entry = &unit.tast[decl];
            let Some(name) = entry.name else { continue };
            if entry.kind == DeclKind::Type || entry.linkage == Linkage::None {
                continue;
            }
            let escapes = facts.escaping_names.contains(unit.name(name));
            let name = unit.symbol(decl).unwrap_or_default();
            if escapes {
                self.escaping.extend(entry.alias.map(|target| unit.text(target)));
                self.escaping.insert(name.clone());
            }
            if entry.body.is_some() && entry.startup.before.is_some() {
                self.constructors.push((index, decl));
            }
            self.has_destructors |= entry.body.is_some() && entry.startup.after.is_some();
            if entry.linkage == Linkage::Internal {
                let known = self.internal.get(&(index, name.clone()));
                let better = known.is_none_or(|key| rank(&unit, decl) > rank(&unit, key.1));
                if better {
                    self.internal.insert((index, name), (index, decl));
                }
                continue;
            }
            self.add_external(name, (index, decl), &unit, origin);
        }
        if origin == Origin::Program {
            self.note_alignments(&unit);
            let block_names = Arc::make_mut(&mut self.program.cfa.block_names);
            for (name, declaration) in &unit.block_names {
                block_names.add(unit.name(*name), *declaration);
            }
            if let Some(at) = facts.float_bits {
                let span = unit.span(unit.tast.expr_span(at));
                self.program.cfa.assume(AssumptionKind::Semantics, ONE_NAN, span);
            }
        }
        if let Some(asm) = unit.tast.file_asms().first() {
            let text = "assembly outside functions changes nothing".to_owned();
            self.program.cfa.assume(AssumptionKind::Semantics, text, unit.span(asm.span));
        }
        self.facts.push(Rc::new(facts));
        self.units.push(Rc::new(unit));
    }

    /// Takes in a name with external linkage of a unit that is not among the units yet.
    fn add_external(&mut self, name: String, key: Key, unit: &Unit, origin: Origin) {
        let (index, decl) = key;
        let Some(&(other, first)) = self.external.get(&name) else {
            self.external.insert(name, key);
            return;
        };
        let held = if other == index { unit } else { &*self.units[other] };
        let (old, new) = (rank(held, first), rank(unit, decl));
        if old >= YIELDING && origin == Origin::Library {
            return;
        }
        if other != index
            && origin == Origin::Program
            && let Some(said) =
                disagreement(&name, (held, first), (unit, decl), &self.program.sources)
        {
            self.diagnostics.push(said);
        }
        if old == DEFINED && new == DEFINED && other != index {
            let message = format!("`{name}` is defined twice");
            let error = match unit.span(unit.tast.decl_span(decl)) {
                Some(span) => Diagnostic::error(span, message),
                None => Diagnostic::error_without_place(message),
            };
            self.diagnostics.push(match held.span(held.tast.decl_span(first)) {
                Some(other) => {
                    let place = self.program.sources.describe(other);
                    error.with_hint(format!("the other definition is at {place}"))
                }
                None => error,
            });
        } else if new > old {
            self.external.insert(name, key);
        }
    }

    /// Notes where rucc gives another alignment than gcc. What it made of the text does not show it
    /// any more, so a word in the text is enough.
    fn note_alignments(&mut self, unit: &Unit) {
        if self.model == DataModel::Ilp32 && unit.mentions("__alignof") {
            let text = "__alignof__ of an eight-byte scalar is four, as _Alignof has it";
            self.program.cfa.assume(AssumptionKind::Semantics, text, None);
        }
    }

    /// The declaration that a use of `decl` in `unit` means.
    pub fn resolve(&self, unit: usize, decl: DeclId) -> Key {
        let entry = &self.units[unit].tast[decl];
        let Some(symbol) = self.units[unit].symbol(decl) else { return (unit, decl) };
        let found = match entry.linkage {
            Linkage::None => None,
            Linkage::Internal => self.internal.get(&(unit, symbol)),
            Linkage::External => self.external.get(&symbol),
        };
        self.behind_aliases(found.copied().unwrap_or((unit, decl)))
    }

    /// What a declaration means if it is another name for something.
    fn behind_aliases(&self, mut key: Key) -> Key {
        // Names in a circle stand for nothing.
        for _ in 0..16 {
            let unit = &self.units[key.0];
            let Some(target) = unit.tast[key.1].alias else { break };
            let target = unit.text(target);
            let internal = self.internal.get(&(key.0, target.clone()));
            let Some(next) = internal.or_else(|| self.external.get(&target)) else { break };
            key = *next;
        }
        key
    }

    /// Whether a declaration has a body, perhaps from the library models.
    pub fn has_body(&mut self, key: Key) -> bool {
        self.units[key.0].tast[key.1].body.is_some()
    }

    /// Loads the library model of a function without a body, if there is one.
    pub fn library_model(&mut self, name: &str) -> Option<Key> {
        let file = library::file_of(name)?;
        if self.libraries.insert(file) {
            let text = library::LIBRARY.iter().find(|(known, _)| *known == file)?.1;
            let id = self.program.sources.add(format!("<proviso>/{file}"), text.as_bytes())?;
            let mut diagnostics = Diagnostics::new();
            let unit = unit::check(
                &mut self.program.sources,
                id,
                self.model,
                &Flags::default(),
                &mut diagnostics,
            );
            debug_assert!(unit.is_some(), "the library model {file} is right: {diagnostics:?}");
            self.add(unit?, Origin::Library);
        }
        if file == "errno.c" {
            let text =
                "errno changes only where the program assigns it, and by strtol and its like"
                    .to_owned();
            self.program.cfa.assume(AssumptionKind::Environment, text, None);
        }
        let key = *self.external.get(name)?;
        self.has_body(key).then_some(key)
    }

    /// A name that no variable, object or function has yet.
    pub fn unique(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}#{count}") }
    }

    /// The variable for the number of the process; zero until the program asks for it.
    pub fn process(&mut self) -> Var {
        if let Some(known) = self.process {
            return known;
        }
        let variable = Variable {
            scope: Scope::Global,
            reading: Reading::Signed,
            source_name: None,
            span: None,
        };
        let var = self.program.declare("@process", Sort::Bv(32), variable);
        let value = self.program.terms.bv(32, 0);
        self.start.push(Op::Assign { var, value });
        self.process = Some(var);
        var
    }

    /// Where a global, or a static local of `owner`, is kept.
    pub fn global(&mut self, key: Key, owner: Option<&str>) -> Storage {
        if let Some(storage) = self.globals.get(&key) {
            return storage.clone();
        }
        let unit = self.units[key.0].clone();
        let entry = unit.tast[key.1].clone();
        let source_name = entry.name.map(|name| unit.name(name).to_owned());
        let plain = source_name.clone().unwrap_or_else(|| "literal".to_owned());
        let scoped = owner.map_or(plain.clone(), |owner| format!("{owner}::{plain}"));
        let name = self.unique(&scoped);
        let span = unit.span(unit.tast.decl_span(key.1));
        self.note_declared(key, span);
        let escapes = match entry.linkage {
            Linkage::None => self.facts[key.0].escapes(key.1),
            _ => unit.symbol(key.1).is_some_and(|symbol| self.escaping.contains(&symbol)),
        };
        let variable = Variable {
            scope: Scope::Global,
            reading: Reading::Plain,
            source_name: source_name.clone().map(Into::into),
            span,
        };
        let storage = match unit.kind(entry.ty) {
            TypeShape::Scalar(shape) if !escapes => {
                let var = self.declare(&name, shape, variable);
                Storage::Var(var, shape)
            }
            TypeShape::Aggregate if !escapes => match super::storage::leaves(&unit, entry.ty) {
                Some(leaves) => {
                    let made = leaves.into_iter().map(|leaf| {
                        let name = self.unique(&format!("{name}{}", leaf.path));
                        let variable = Variable {
                            source_name: variable
                                .source_name
                                .as_ref()
                                .map(|base| format!("{base}{}", leaf.path).into()),
                            ..variable.clone()
                        };
                        let var = self.declare_sort(&name, leaf.sort(), leaf.shape, variable);
                        Leaf { var: Some(var), ..leaf }
                    });
                    Storage::Fields(made.collect())
                }
                None => self.global_object(key, &name, span),
            },
            _ => self.global_object(key, &name, span),
        };
        self.globals.insert(key, storage.clone());
        self.initialise_global(key, &storage);
        storage
    }

    /// All globals for which it has been decided where they are kept, in no order.
    pub fn known_globals(&self) -> impl Iterator<Item = (Key, &Storage)> {
        self.globals.iter().map(|(key, storage)| (*key, storage))
    }

    /// All functions that are part of the program, in no order.
    pub fn known_functions(&self) -> impl Iterator<Item = (Key, FuncId)> {
        self.functions.iter().map(|(key, signature)| (*key, signature.function))
    }

    /// A function that is part of the program.
    pub fn known_function(&self, key: Key) -> Option<FuncId> {
        self.functions.get(&key).map(|signature| signature.function)
    }

    /// Where a global is kept, if that has been decided.
    pub fn known_global(&self, key: Key) -> Option<Storage> {
        self.globals.get(&key).cloned()
    }

    /// Says that a constant which the start of the program writes is taken not to be written otherwise.
    pub fn assume_const(&mut self, is_const: bool, span: Option<Span>) {
        if is_const && self.options.checks().has(Check::Deref) {
            let text = "a constant that is initialised by another one is not written: not checked";
            self.program.cfa.assume(AssumptionKind::Semantics, text.to_owned(), span);
        }
    }

    fn global_object(&mut self, key: Key, name: &str, span: Option<Span>) -> Storage {
        let unit = self.units[key.0].clone();
        let entry = &unit.tast[key.1];
        let size = unit.size(entry.ty).or_else(|| match unit.bare(entry.ty) {
            // C11 6.9.2: an array whose length no declaration says has one element.
            rucc_types::TypeKind::Array { elem, .. } if entry.state == Definition::Tentative => {
                unit.size(elem)
            }
            _ => None,
        });
        let extent = unit.tast.extent(key.1);
        let is_open = size.is_none();
        if is_open {
            let text =
                format!("`{name}` has a type of unknown size: accesses to it are not modelled");
            self.program.cfa.assume(AssumptionKind::Environment, text, span);
        }
        let align = u64::from(entry.alignment.unwrap_or(1)).max(unit.align(entry.ty));
        // Who writes to it is stopped, as by a machine.
        let is_fixed = unit.is_const(entry.ty)
            && !unit.is_volatile(entry.ty)
            && self.is_of_program(key)
            && self.options.checks().has(Check::Deref);
        let kind = if is_fixed { ObjectKind::ReadOnly } else { ObjectKind::Data };
        // A flexible array member makes the object larger than its type.
        let size = size.unwrap_or(1) + extent;
        let contents = Contents::Bytes(Box::new([]), Box::new([]));
        let object =
            self.program.add_object(name, size, align.next_power_of_two(), kind, contents, span);
        let address = self.program.cfa.objects[object].address;
        if is_open {
            self.open.push(address);
        }
        Storage::Memory(address)
    }

    fn initialise_global(&mut self, key: Key, storage: &Storage) {
        let unit = self.units[key.0].clone();
        let entry = &unit.tast[key.1];
        let span = unit.span(unit.tast.decl_span(key.1));
        let has_definition = entry.linkage == Linkage::None || entry.state != Definition::Declared;
        let mut is_defined = has_definition;
        if is_defined && self.options.globals == Globals::Arbitrary && self.is_of_program(key) {
            let is_const = unit.is_const(entry.ty);
            is_defined = is_const;
            if !is_const {
                let setting = self.options.wording.of(Setting::GlobalsArbitrary);
                let text = format!("globals have arbitrary values at the start ({setting})");
                self.program.cfa.assume(AssumptionKind::Environment, text, None);
            }
        } else if !is_defined {
            if self.standard_stream(key, storage) {
                return;
            }
            let name = entry.name.map_or("?", |name| unit.name(name));
            let text = format!(
                "`{name}` is declared and not defined: its value at the start is arbitrary"
            );
            self.program.cfa.assume(AssumptionKind::External, text, span);
            if entry.flags.contains(DeclFlags::WEAK) {
                // Its address is null if nothing defines it.
                let text = format!("the weak symbol `{name}`, which is not defined");
                self.start.push(Op::Unsupported(text.into()));
            }
        }
        let name: Box<str> = entry.name.map_or("?", |name| unit.name(name)).into();
        // What a library has in its variables at the start is not for the surroundings to decide.
        let is_of_library = self.is_library_variable(key);
        let choice = match is_of_library {
            true => Choice::Approximated(name),
            false => Choice::External(name),
        };
        match storage {
            Storage::Memory(address) => {
                let contents = if is_defined { self.contents(key) } else { Contents::Arbitrary };
                let width = self.width();
                let object = self.object_of(*address);
                object.contents = contents;
                let size = object.size;
                if is_of_library && !is_defined && !self.open.contains(address) {
                    let terms = &mut self.program.terms;
                    let (address, length) = (terms.var(*address), terms.bv(width, size.into()));
                    self.start.push(Op::HavocMemory { address, length, choice });
                }
            }
            Storage::Var(var, _) if !is_defined => {
                // With `--globals arbitrary` a global may hold what the program itself has put there before.
                if !has_definition {
                    self.alignments.give(&unit, *var, entry.ty);
                }
                self.start.push(Op::Havoc { var: *var, choice });
            }
            Storage::Fields(leaves) if !is_defined => {
                for leaf in leaves.iter() {
                    let var = leaf.var.expect("storage has variables");
                    self.start.push(Op::Havoc { var, choice: choice.clone() });
                }
            }
            Storage::Var(..) | Storage::Fields(_) => {
                let ops = self.static_assignments(key, storage);
                self.start.extend(ops);
            }
        }
    }

    /// Whether a declaration is in a file of the program itself, and not in a model of the library.
    pub fn is_of_program(&self, key: Key) -> bool {
        let unit = &self.units[key.0];
        let span = unit.span(unit.tast.decl_span(key.1));
        span.is_some_and(|span| !self.program.sources.name(span.file).starts_with("<proviso>"))
    }

    pub fn object_of(&mut self, address: Var) -> &mut Object {
        let Scope::Address(object) = self.program.cfa.variables[address].scope else {
            unreachable!("static storage is an object");
        };
        &mut self.program.cfa.objects[object]
    }

    /// Declares a variable for scalars of `shape`.
    pub fn declare(&mut self, name: &str, shape: Shape, variable: Variable) -> Var {
        self.declare_sort(name, shape.sort(), shape, variable)
    }

    pub fn declare_sort(
        &mut self,
        name: &str,
        sort: Sort,
        shape: Shape,
        mut variable: Variable,
    ) -> Var {
        variable.reading = match shape {
            Shape::Int { signed: true, .. } => Reading::Signed,
            Shape::Pointer { .. } => Reading::Address,
            _ => Reading::Plain,
        };
        self.program.declare(name, sort, variable)
    }

    /// The address of a string literal.
    pub fn string(&mut self, unit: usize, id: StrId) -> Var {
        if let Some(var) = self.strings.get(&(unit, id)) {
            return *var;
        }
        let text = &self.units[unit].tast[id];
        let bytes = text.bytes(&self.units[unit].target);
        let align = u64::from(text.encoding.element_width(&self.units[unit].target) / 8).max(1);
        let name = self.unique("string");
        let size = bytes.len() as u64;
        let contents = Contents::Bytes(bytes.into(), Box::new([]));
        let object =
            self.program.add_object(name, size, align, ObjectKind::ReadOnly, contents, None);
        let var = self.program.cfa.objects[object].address;
        self.strings.insert((unit, id), var);
        var
    }

    /// How to call a function; its body is lowered later.
    pub fn function(&mut self, key: Key) -> Signature {
        if let Some(signature) = self.functions.get(&key) {
            return signature.clone();
        }
        let unit = self.units[key.0].clone();
        let entry = &unit.tast[key.1];
        let name = self.unique(entry.name.map_or("?", |name| unit.name(name)));
        let span = unit.span(unit.tast.decl_span(key.1));
        let function = self.program.cfa.add_function(name.as_str(), span);
        let (shapes, aggregate_result) = self.shapes(key.0, entry.ty);
        let signature = Signature { function, shapes, aggregate_result };
        self.functions.insert(key, signature.clone());
        self.pending.push((key, signature.clone()));
        signature
    }

    /// The lowered parameters and result of a C function type.
    pub fn shapes(&self, unit: usize, ty: rucc_types::TypeId) -> (Shapes, bool) {
        let unit = &self.units[unit];
        let rucc_types::TypeKind::Function(id) = unit.bare(ty) else {
            return (Shapes { parameters: vec![], result: None, variadic: false }, false);
        };
        let signature = unit.types.signature(id);
        let address = Sort::Bv(self.width());
        let sort = |ty| unit.shape(ty).map_or(address, Shape::sort);
        let aggregate =
            matches!(unit.kind(signature.ret), TypeShape::Aggregate | TypeShape::Unsupported(_));
        let mut parameters: Vec<Sort> = signature.params.iter().map(|ty| sort(*ty)).collect();
        if aggregate {
            parameters.insert(0, address);
        }
        if signature.variadic {
            parameters.push(address);
        }
        let result = unit.shape(signature.ret).map(Shape::sort);
        (Shapes { parameters, result, variadic: signature.variadic }, aggregate)
    }

    /// The address of a function's code.
    pub fn function_address(&mut self, signature: &Signature) -> Var {
        if let Some(address) = self.addresses.get(&signature.function) {
            return *address;
        }
        let function = &self.program.cfa.functions[signature.function];
        let (name, span) = (function.name.clone(), function.span);
        let contents = Contents::Bytes(Box::new([]), Box::new([]));
        let kind = ObjectKind::Code(signature.function);
        // Compilers align functions for speed only, and not at all without optimisation.
        let object = self.program.add_object(name, 1, 1, kind, contents, span);
        let address = self.program.cfa.objects[object].address;
        self.addresses.insert(signature.function, address);
        self.addressed.push((address, signature.clone()));
        address
    }

    /// The function that calls whatever function of these shapes its first argument points to.
    pub fn dispatcher(&mut self, shapes: &Shapes) -> FuncId {
        if let Some((_, function)) = self.dispatchers.iter().find(|(known, _)| known == shapes) {
            return *function;
        }
        let name = self.unique("@call");
        let function = self.program.cfa.add_function(name.as_str(), None);
        let mut parameters = vec![Sort::Bv(self.width())];
        parameters.extend(&shapes.parameters);
        for (index, sort) in parameters.into_iter().enumerate() {
            let var = self.local(function, &format!("{name}::{index}"), sort);
            self.program.cfa.functions[function].parameters.push(var);
        }
        if let Some(sort) = shapes.result {
            let var = self.local(function, &format!("{name}::result"), sort);
            self.program.cfa.functions[function].results.push(var);
        }
        self.dispatchers.push((shapes.clone(), function));
        function
    }

    /// A variable of a function that has no name in the source.
    pub fn local(&mut self, function: FuncId, name: &str, sort: Sort) -> Var {
        let variable = Variable {
            scope: Scope::Local(function),
            reading: Reading::Plain,
            source_name: None,
            span: None,
        };
        self.program.declare(name, sort, variable)
    }

    /// Lowers the entry function and everything that it needs, and the start that calls it. Where
    /// `unreach-call` is asked of a program that names no error function, a failing assert counts as
    /// the call of one.
    pub fn lower(&mut self, entry: &str) {
        if !self.names_error_function() {
            self.property = self.property.with_asserts().unwrap_or(self.property.clone());
        }
        let start = self.program.cfa.add_function("@start", None);
        let Some(key) = self.entry(entry) else {
            let message = format!("the program has no function `{entry}`");
            let hint = self.candidates(entry);
            self.diagnostics.push(Diagnostic::error_without_place(message).with_hint(hint));
            return;
        };
        if !self.has_body(key) {
            let message = format!("the function `{entry}` has no body");
            self.diagnostics.push(Diagnostic::error_without_place(message));
            return;
        }
        self.check_pointer_sizes(key);
        if self.options.checks().has(Check::Uninitialised) {
            self.follow_memory();
        }
        // The variables for jumps are set at the start, before anything else.
        self.jump();
        let signature = self.function(key);
        let constructors = self.constructors_in_order();
        while let Some((key, signature)) = self.pending.pop() {
            self.lower_function(key, &signature);
        }
        // A dispatcher calls every function whose address is taken, so it is written when no
        // more can come.
        for (shapes, function) in self.dispatchers.clone() {
            self.lower_dispatcher(&shapes, function);
        }
        self.keep_private();
        self.set_objects();
        self.keep_objects_from_devices();
        self.lower_start(start, key, &signature, &constructors);
        self.guard_constants();
        self.keep_made_from_devices();
        self.enlarge_objects();
        self.write_types();
    }

    /// The function where execution starts: one that all units see, or else one that its unit alone sees.
    fn entry(&mut self, name: &str) -> Option<Key> {
        if let Some(key) = self.external.get(name) {
            return Some(*key);
        }
        let named = self.static_functions().into_iter().filter(|(known, _)| known == name);
        let found: Vec<Key> = named.map(|(_, key)| key).collect();
        if let [first, second, ..] = found[..]
            && let (Some(first), Some(second)) = (self.place(first), self.place(second))
        {
            let message = format!("several files have a static function `{name}`");
            let hint = format!("the other one is at {}", self.program.sources.describe(first));
            self.diagnostics.push(Diagnostic::error(second, message).with_hint(hint));
        }
        found.first().copied()
    }

    fn place(&self, key: Key) -> Option<Span> {
        let unit = &self.units[key.0];
        unit.span(unit.tast.decl_span(key.1))
    }

    /// The functions of the program's own text that their units alone see, with their names, unit by unit.
    pub(super) fn static_functions(&mut self) -> Vec<(String, Key)> {
        let mut all: Vec<(String, Key)> =
            self.internal.iter().map(|((_, name), key)| (name.clone(), *key)).collect();
        all.sort_by_key(|(name, key)| (key.0, name.clone()));
        all.retain(|(_, key)| {
            let is_own =
                self.place(*key).is_some_and(|at| !self.program.sources.is_borrowed(at.file));
            is_own && self.has_body(*key)
        });
        all
    }

    fn names_error_function(&self) -> bool {
        self.names_any(|name| self.property.is_error_function(name))
    }

    /// Whether the program says that something is wrong by assertions only: they count, and it names
    /// no other function whose call is an error, which would be called by an assertion of its own.
    pub fn counts_assertions_alone(&self) -> bool {
        let property = &self.property;
        property.is_error_function("__assert_fail")
            && !self.names_any(|name| property.is_error_function(name) && !is_of_library(name))
    }

    fn names_any(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        let internal = self.internal.keys().map(|(_, name)| name);
        self.external.keys().chain(internal).any(|name| is_wanted(name))
    }

    /// The functions that run before the entry function. Those with a priority come first, by their priorities.
    fn constructors_in_order(&mut self) -> Vec<Signature> {
        let mut keys = self.constructors.clone();
        keys.sort_by_key(|key| match self.units[key.0].tast[key.1].startup.before {
            Some(Priority::Numbered(number)) => (0, number),
            _ => (1, 0),
        });
        keys.into_iter().map(|key| self.function(key)).collect()
    }

    /// Whether a function does on the machine what a call with other shapes asks for: it does not look at
    /// the last arguments, or nobody looks at its result. Where calls are checked, it is a fault.
    fn takes_fewer(&self, target: &Signature, shapes: &Shapes) -> bool {
        let own = &target.shapes;
        !self.options.checks().has(Check::Deref)
            && !own.variadic
            && !shapes.variadic
            && !target.aggregate_result
            && shapes.parameters.starts_with(&own.parameters)
            && (shapes.result == own.result || shapes.result.is_none())
    }

    fn lower_dispatcher(&mut self, shapes: &Shapes, function: FuncId) {
        let mut body = Body::new();
        let parameters = self.program.cfa.functions[function].parameters.clone();
        let results = self.program.cfa.functions[function].results.clone();
        let arguments: Vec<TermId> =
            parameters.iter().map(|var| self.program.terms.var(*var)).collect();
        let mut cases = Vec::new();
        let mut known = Vec::new();
        let mut unfit = Vec::new();
        for (address, target) in self.addressed.clone() {
            let address = self.program.terms.var(address);
            let here = self.program.terms.eq(arguments[0], address);
            known.push(here);
            let takes_fewer = target.shapes != *shapes && self.takes_fewer(&target, shapes);
            if takes_fewer {
                let text = "a function that is called through a pointer to another type of function takes \
                            the first of the arguments, and a result that the type lacks is dropped";
                self.program.cfa.assume(AssumptionKind::Semantics, text, None);
            }
            if target.shapes == *shapes || takes_fewer {
                cases.push((here, body.label(), Some(target.clone())));
            } else {
                unfit.push(here);
            }
        }
        let unfit = self.program.terms.or(&unfit);
        let known = self.program.terms.or(&known);
        let unknown = self.program.terms.not(known);
        cases.push((unfit, body.label(), None));
        let nowhere = body.label();
        let mut fork: Vec<_> =
            cases.iter().map(|(condition, label, _)| (*condition, *label)).collect();
        fork.push((unknown, nowhere));
        body.fork(&self.program.terms, &fork);
        for (_, label, target) in cases {
            body.place_detached(label);
            match target {
                Some(target) => {
                    let count = target.shapes.parameters.len();
                    let arguments = arguments[1..=count].into();
                    let callee = target.function;
                    body.emit(Op::Call { callee, arguments, results: results.clone().into() });
                    body.jump(body.exit());
                }
                None => {
                    let reason = "a call through a pointer to a function of another type";
                    body.end(Op::Unsupported(reason.into()));
                }
            }
        }
        body.place_detached(nowhere);
        let never = self.program.terms.bool(false);
        body.end(Op::Check { holds: never, fault: cfa::Fault::InvalidCall });
        body.finish(&mut self.program.cfa, function);
    }
}

/// Whether an error function is one that the C library calls where an assertion has failed.
fn is_of_library(error_function: &str) -> bool {
    let name = error_function.trim_start_matches('_');
    name.starts_with("assert") || name == "wassert"
}

const DEFINED: u8 = 3;
const YIELDING: u8 = 2;

/// How much a declaration says: a definition wins over one that leaves room for another (weak, or
/// the inline one of a header) over a tentative one over a mere declaration.
fn rank(unit: &Unit, decl: DeclId) -> u8 {
    let entry = &unit.tast[decl];
    let is_defined =
        entry.state == Definition::Defined || entry.body.is_some() || entry.alias.is_some();
    let yields = entry.flags.contains(DeclFlags::WEAK) || entry.inline == Emission::Inline;
    match (is_defined, entry.state) {
        (true, _) if yields => YIELDING,
        (true, _) => DEFINED,
        (false, Definition::Tentative) => 1,
        (false, _) => 0,
    }
}
