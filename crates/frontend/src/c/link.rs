//! From checked units to one program: names, globals, functions on demand.
//!
//! The linker keeps what the lowering of functions notes for the whole program (alignments of pointers from outside,
//! names, orders of evaluation), and the lowering asks the linker for globals and other functions. So `function`,
//! `aligned`, `order`, `outside`, `c_types` and this file know each other.

mod globals;
mod names;
mod pointers;

use std::rc::Rc;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Span};
use cfa::{AssumptionKind, Check, FuncId, LocId, Op, Program, Reading, Scope, Variable};
use rucc_sema::{DeclFlags, DeclId, DeclKind, Linkage, Priority, StrId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Var};

use super::aligned::Alignments;
use super::body::Ends;
use super::c_types::DeclaredName;
use super::facts::{Facts, ONE_NAN};
use super::marked::Marked;
use super::order::Unordered;
use super::shape::{Shape, TypeShape};
use super::signature::{Key, Shapes, Signature};
use super::storage::Storage;
use super::unit::Unit;
use crate::loaded::Settled;
use crate::options::{DataModel, Options, OutsidePointers, SignedOverflow};
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
    /// What the loader does with the program that is not modelled, if anything is.
    pub loaded_otherwise: Option<&'static str>,
    /// The functions that something which is not modelled calls: at the end of the program, or of a block.
    pub called_elsewhere: Vec<FuncId>,
    /// The functions that run when the program ends.
    destructors: Vec<Key>,
    /// The variables for jumps out of functions, when it is known whether there are such jumps.
    pub(super) jump: Option<Option<super::jump::Jump>>,
    /// The variable with the rounding mode of floats, when it is known whether the program sets the mode.
    pub(super) rounding: Option<Option<Var>>,
    /// The variable for the number of the process, if the program has asked for it.
    process: Option<Var>,
    /// How it is followed which bytes of memory are set, if a check asks for this.
    pub shadows: Option<Shadows>,
    /// Objects of functions that are not written after they have been initialised.
    pub constants: Vec<super::constness::Constant>,
    /// How many asserts there are that the property does not speak of.
    pub left_out: u32,
    /// The asserts and error calls that no way leads to.
    pub settled: Vec<Settled>,
    /// The locations behind each `setjmp`.
    pub landings: Vec<LocId>,
    /// The addresses of objects whose size is not known.
    pub open: Vec<Var>,
    /// The alignment of pointers that come from outside the program.
    pub alignments: Alignments,
    /// The names that variables, objects and functions were made for.
    pub declared: Vec<DeclaredName>,
    /// Expressions whose parts have no order in C, and do something.
    pub unordered: Vec<Unordered>,
    /// How the execution may end in functions.
    pub ends: std::collections::BTreeMap<FuncId, Ends>,
}

/// How a program follows which bytes of memory are set (see `shadow`).
#[derive(Clone, Copy)]
pub(super) struct Shadows {
    /// The distance from a byte to the bits that say whether the byte is set.
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
            loaded_otherwise: None,
            called_elsewhere: Vec::new(),
            destructors: Vec::new(),
            jump: None,
            rounding: None,
            process: None,
            shadows: None,
            constants: Vec::new(),
            left_out: 0,
            settled: Vec::new(),
            landings: Vec::new(),
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
        // Models of the library are correct: arithmetic in them is not checked for faults, whatever values they get.
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
            self.note_loading(&unit, decl);
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
            if entry.body.is_some() && entry.startup.after.is_some() {
                self.has_destructors = true;
                self.destructors.push((index, decl));
            }
            if entry.linkage == Linkage::Internal {
                let known = self.internal.get(&(index, name.clone()));
                let better =
                    known.is_none_or(|key| names::rank(&unit, decl) > names::rank(&unit, key.1));
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

    /// Notes that rucc gives another alignment than gcc. rucc's tree no longer shows where `__alignof` was, so the note
    /// is made if the text of the unit has the word.
    fn note_alignments(&mut self, unit: &Unit) {
        if self.model == DataModel::Ilp32 && unit.mentions("__alignof") {
            let text = "__alignof__ of an eight-byte scalar is four, as _Alignof has it";
            self.program.cfa.assume(AssumptionKind::Semantics, text, None);
        }
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

    /// All functions that are part of the program, in no order.
    pub fn known_functions(&self) -> impl Iterator<Item = (Key, FuncId)> {
        self.functions.iter().map(|(key, signature)| (*key, signature.function))
    }

    /// A function that is part of the program.
    pub fn known_function(&self, key: Key) -> Option<FuncId> {
        self.functions.get(&key).map(|signature| signature.function)
    }

    /// Lists the assumption that a constant which the start of the program writes is not written otherwise.
    pub fn assume_const(&mut self, is_const: bool, span: Option<Span>) {
        if is_const && self.options.checks().has(Check::Deref) {
            let text = "a constant that is initialised by another one is not written: not checked";
            self.program.cfa.assume(AssumptionKind::Semantics, text.to_owned(), span);
        }
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
        self.note_declared(key, span);
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
        for key in std::mem::take(&mut self.destructors) {
            let destructor = self.function(key).function;
            self.called_elsewhere.push(destructor);
        }
        while let Some((key, signature)) = self.pending.pop() {
            self.lower_function(key, &signature);
        }
        // A dispatcher calls every function whose address is taken, so dispatchers are written when no further
        // addresses can be taken.
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

    /// Notes what a declaration asks of the loader that is not modelled: to call functions of which the program makes a list,
    /// or to choose which function or object a name means.
    fn note_loading(&mut self, unit: &Unit, decl: DeclId) {
        let section = unit.tast.section(decl).map(|section| unit.text(section));
        let section = section.as_deref().unwrap_or_default();
        let is = |names: &[&str], whole: &str| {
            section == whole || names.iter().any(|name| section.starts_with(name))
        };
        if is(&[".init_array", ".preinit_array", ".ctors"], ".init") {
            self.loaded_otherwise = Some("functions that the loader calls");
        }
        self.has_destructors |= is(&[".fini_array", ".dtors"], ".fini");
        if unit.tast.is_ifunc(decl) {
            self.loaded_otherwise = Some("a function that the loader chooses (ifunc)");
        }
        if unit.tast[decl].flags.contains(DeclFlags::WEAKREF) {
            self.loaded_otherwise =
                Some("a name for a function or object of another name (weakref)");
        }
    }

    /// The functions that run before the entry function. Functions with a priority come first, in the order of
    /// priorities.
    fn constructors_in_order(&mut self) -> Vec<Signature> {
        let mut keys = self.constructors.clone();
        keys.sort_by_key(|key| match self.units[key.0].tast[key.1].startup.before {
            Some(Priority::Numbered(number)) => (0, number),
            _ => (1, 0),
        });
        keys.into_iter().map(|key| self.function(key)).collect()
    }
}
