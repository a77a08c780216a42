//! Objects with static storage: globals with their values at the start, and string literals.

use base::Span;
use cfa::{AssumptionKind, Choice, Contents, Object, ObjectKind, Op, Reading, Scope, Variable};
use rucc_sema::{DeclFlags, Definition, Linkage, StrId};
use term::Var;

use super::Linker;
use crate::c::shape::TypeShape;
use crate::c::signature::Key;
use crate::c::storage::{self, Leaf, Storage};
use crate::options::Globals;
use crate::setting::Setting;

impl Linker<'_> {
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
            TypeShape::Aggregate if !escapes => match storage::leaves(&unit, entry.ty) {
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

    /// Where a global is kept, if that has been decided.
    pub fn known_global(&self, key: Key) -> Option<Storage> {
        self.globals.get(&key).cloned()
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
        // A write to a constant object is a fault, as on a machine.
        let is_fixed = unit.is_const(entry.ty)
            && !unit.is_volatile(entry.ty)
            && self.is_of_program(key)
            && self.options.ends_invalid_accesses();
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
                // The address of a weak symbol is null if nothing defines the symbol.
                let text = format!("the weak symbol `{name}`, which is not defined");
                self.start.push(Op::Unsupported(text.into()));
            }
        }
        let name: Box<str> = entry.name.map_or("?", |name| unit.name(name)).into();
        // The surroundings do not choose what a variable of a library holds at the start, so no violation may rest on
        // it.
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
}
