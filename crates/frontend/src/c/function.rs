//! The lowering of one function: its variables, its temporaries, its frame.

use std::rc::Rc;

use base::Span;
use cfa::{AllocKind, AssumptionKind, Op, Reading, Scope, Variable};
use rucc_sema::{CaseId, DeclId, ExprId, LabelId, StmtId};
use rucc_types::TypeId;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, TermId, Terms, Var};

use super::body::{Body, Finished, Label};
use super::facts::Facts;
use super::link::Linker;
use super::shape::{Shape, TypeShape};
use super::signature::{Key, Signature};
use super::storage::{Leaf, Lvalue, Storage, leaves};
use super::unit::Unit;

/// The lowering of one function.
pub(super) struct Lower<'l, 'o> {
    pub link: &'l mut Linker<'o>,
    pub unit: Rc<Unit>,
    pub facts: Rc<Facts>,
    pub key: Key,
    pub signature: Signature,
    pub name: Box<str>,
    pub body: Body,
    locals: FxHashMap<DeclId, Storage>,
    pub labels: FxHashMap<LabelId, Label>,
    pub cases: FxHashMap<CaseId, Label>,
    pub defaults: FxHashMap<StmtId, Label>,
    /// The blocks that the statement at hand is in.
    pub scopes: super::blocks::Scopes,
    /// Where the function goes on after jumps to its calls of `setjmp`.
    pub landing: super::jump::Landing,
    /// Where `break` goes, the innermost last.
    pub breaks: Vec<Label>,
    /// Where `continue` goes, the innermost last.
    pub continues: Vec<Label>,
    /// Whether what comes next may be executed again in the same activation.
    pub repeats: bool,
    /// Lengths of variable-length arrays, evaluated where their declaration was reached.
    pub lengths: FxHashMap<ExprId, Var>,
    /// For variables that are followed, the variable that says whether there is a value.
    pub set: FxHashMap<Var, Var>,
    /// Whether values that are read now are only copied, so that they need not have been set.
    pub copies: bool,
    /// Objects that are not written after their initialisation, by the variables with their addresses.
    pub fixed: FxHashMap<Var, super::constness::Constant>,
    /// Where the function goes when it returns, if it has something to do before.
    pub leaving: Option<Label>,
    /// Variables without a name in the source, which are assigned once in an expression.
    pub temporaries: FxHashSet<Var>,
    /// Whether the value of the next call is a condition, and nothing else.
    pub is_condition: bool,
    /// The variables with the addresses of objects of the frame.
    pub own: FxHashSet<Var>,
    /// Where the call is written that is being lowered.
    pub written: Option<Span>,
}

impl Linker<'_> {
    /// Lowers the body of a function.
    pub fn lower_function(&mut self, key: Key, signature: &Signature) {
        let unit = self.units[key.0].clone();
        let facts = self.facts[key.0].clone();
        let body = Lower::new(self, unit, facts, key, signature).function();
        self.ends.insert(signature.function, body.ends());
        let Finished { settled, landings } = body.finish(&mut self.program.cfa, signature.function);
        self.settled.extend(settled);
        self.landings.extend(landings);
    }
}

impl<'l, 'o> Lower<'l, 'o> {
    pub fn new(
        link: &'l mut Linker<'o>,
        unit: Rc<Unit>,
        facts: Rc<Facts>,
        key: Key,
        signature: &Signature,
    ) -> Self {
        let name = link.program.cfa.functions[signature.function].name.clone();
        Self {
            link,
            unit,
            facts,
            key,
            signature: signature.clone(),
            name,
            body: Body::new(),
            locals: FxHashMap::default(),
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            defaults: FxHashMap::default(),
            scopes: super::blocks::Scopes::default(),
            landing: super::jump::Landing::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            repeats: false,
            lengths: FxHashMap::default(),
            set: FxHashMap::default(),
            copies: false,
            fixed: FxHashMap::default(),
            leaving: None,
            temporaries: FxHashSet::default(),
            own: FxHashSet::default(),
            written: None,
            is_condition: false,
        }
    }

    /// Lowers the definition.
    pub fn function(mut self) -> Body {
        let decl = self.unit.tast[self.key.1].clone();
        self.body.set_span(self.unit.span(self.unit.tast.decl_span(self.key.1)));
        let named = decl.name.map_or("", |name| self.unit.name(name));
        let is_error = self.link.property.is_error_function(named);
        let is_main = named == "main";
        let Some(body) = decl.body.filter(|_| !is_error) else {
            // The function has no body here, or a call of it is the error: a dispatcher may call it, or its address was
            // taken.
            self.declare_frame(&[]);
            self.external_body();
            self.land();
            self.end_constants();
            return self.body;
        };
        let parameters = self.unit.tast[decl.params].to_vec();
        self.declare_frame(&parameters);
        self.stmt(body);
        // The end of `main` returns zero; the end of any other function returns anything.
        let result = self.link.program.cfa.functions[self.signature.function].results.first();
        if is_main
            && let Some(&var) = result
            && let Sort::Bv(width) = self.link.program.terms.var_sort(var)
        {
            let value = self.link.program.terms.bv(width, 0);
            self.body.emit(Op::Assign { var, value });
        } else {
            self.end_without_value();
        }
        let exit = self.leave();
        self.body.jump(exit);
        self.land();
        self.end_jumps();
        self.end_constants();
        self.body
    }

    /// Declares parameters and result, and moves the parameters to where they are kept.
    fn declare_frame(&mut self, parameters: &[DeclId]) {
        let function = self.signature.function;
        let shapes = self.signature.shapes.clone();
        let hidden = usize::from(self.signature.aggregate_result);
        let passed: Vec<Option<Shape>> = match self.unit.bare(self.unit.tast[self.key.1].ty) {
            rucc_types::TypeKind::Function(id) => {
                self.unit.types.signature(id).params.iter().map(|ty| self.unit.shape(*ty)).collect()
            }
            _ => Vec::new(),
        };
        for (index, sort) in shapes.parameters.iter().enumerate() {
            let decl = index.checked_sub(hidden).and_then(|at| parameters.get(at)).copied();
            let entry = decl.map(|decl| self.unit.tast[decl].clone());
            let named = entry
                .as_ref()
                .and_then(|entry| entry.name)
                .map(|name| self.unit.name(name).to_owned());
            let span = decl.and_then(|decl| self.unit.span(self.unit.tast.decl_span(decl)));
            let shape = entry.as_ref().and_then(|entry| self.unit.shape(entry.ty));
            // An old-style definition receives the promoted type of a `char` or `float`.
            let received = index.checked_sub(hidden).and_then(|at| *passed.get(at)?).or(shape);
            let scalar = match (decl, shape) {
                (Some(decl), Some(shape)) => shape.sort() == *sort && !self.facts.escapes(decl),
                _ => false,
            };
            // A parameter that is copied elsewhere leaves its plain name to the copy.
            let name = match (&named, scalar) {
                (Some(name), true) => name.clone(),
                (Some(name), false) => format!("{name}@"),
                (None, _) => format!("{index}"),
            };
            let source_name = named.filter(|_| scalar).map(Into::into);
            let name = self.link.unique(&format!("{}::{name}", self.name));
            // A function of which only the type is known has no declarations of its parameters.
            let shape_or_address = shape.unwrap_or(match *sort {
                Sort::Float(format) => Shape::Float { format },
                _ => Shape::Pointer { width: self.link.width() },
            });
            let variable = Variable {
                scope: Scope::Local(function),
                reading: Reading::Plain,
                source_name,
                span,
            };
            let var = self.link.declare_sort(&name, *sort, shape_or_address, variable);
            self.link.program.cfa.functions[function].parameters.push(var);
            let (Some(decl), Some(entry)) = (decl, entry) else { continue };
            match shape {
                Some(shape) if scalar => {
                    self.link.note_declared((self.key.0, decl), span);
                    self.locals.insert(decl, Storage::Var(var, shape));
                }
                Some(shape) => {
                    let storage = self.local(decl);
                    let value = self.terms().var(var);
                    let value = self.convert(value, received.unwrap_or(shape), shape);
                    let place = self.stored(&storage);
                    self.once(&storage, entry.ty, |lower| {
                        lower.write(&place, value, shape);
                    });
                }
                None => {
                    let storage = self.local(decl);
                    let from = Lvalue::Memory(self.terms().var(var));
                    let place = self.stored(&storage);
                    self.once(&storage, entry.ty, |lower| lower.copy(&place, &from, entry.ty));
                }
            }
        }
        // Lengths in the types of parameters are evaluated on entry, those that the adjustment
        // to a pointer takes away included.
        for &decl in parameters {
            let written = self.unit.tast.adjusted_from(decl).unwrap_or(self.unit.tast[decl].ty);
            self.fix_lengths(written, false);
        }
        if let Some(sort) = shapes.result {
            self.declare_result(sort);
        }
        self.body.flush();
    }

    fn declare_result(&mut self, sort: Sort) {
        let function = self.signature.function;
        let name = self.link.unique(&format!("{}::result", self.name));
        let shape = self.result_type().and_then(|ty| self.unit.shape(ty)).unwrap_or(Shape::INT);
        let variable = Variable {
            scope: Scope::Local(function),
            reading: Reading::Plain,
            source_name: None,
            span: None,
        };
        let var = self.link.declare_sort(&name, sort, shape, variable);
        self.link.program.cfa.functions[function].results.push(var);
    }

    /// What the function returns.
    pub fn result_type(&self) -> Option<TypeId> {
        let entry = &self.unit.tast[self.key.1];
        match self.unit.bare(entry.ty) {
            rucc_types::TypeKind::Function(id) => Some(self.unit.types.signature(id).ret),
            _ => None,
        }
    }

    /// Where an object that a declaration names is kept.
    pub fn storage(&mut self, decl: DeclId) -> Storage {
        use rucc_sema::{Linkage, StorageDuration};
        let entry = &self.unit.tast[decl];
        if entry.linkage != Linkage::None {
            let key = self.link.resolve(self.key.0, decl);
            return self.link.global(key, None);
        }
        if entry.duration != StorageDuration::Automatic {
            let owner = self.name.clone();
            return self.link.global((self.key.0, decl), Some(&owner));
        }
        self.local(decl)
    }

    /// Where an automatic object is kept.
    fn local(&mut self, decl: DeclId) -> Storage {
        if let Some(storage) = self.locals.get(&decl) {
            return storage.clone();
        }
        let entry = self.unit.tast[decl].clone();
        let source_name = entry.name.map(|name| self.unit.name(name).to_owned());
        let plain = source_name.clone().unwrap_or_else(|| "literal".to_owned());
        let span = self.unit.span(self.unit.tast.decl_span(decl));
        self.link.note_declared((self.key.0, decl), span);
        let scope = Scope::Local(self.signature.function);
        let variable = Variable {
            scope,
            reading: Reading::Plain,
            source_name: source_name.clone().map(Into::into),
            span,
        };
        let name = format!("{}::{plain}", self.name);
        let escapes = self.facts.escapes(decl);
        let storage = match self.unit.kind(entry.ty) {
            TypeShape::Scalar(shape) if !escapes => {
                let name = self.link.unique(&name);
                let var = self.link.declare(&name, shape, variable);
                self.follow_unset(var);
                Storage::Var(var, shape)
            }
            kind => {
                let split = if kind == TypeShape::Aggregate && !escapes {
                    leaves(&self.unit, entry.ty)
                } else {
                    None
                };
                match split {
                    Some(leaves) => {
                        let base = self.link.unique(&name);
                        let made: Vec<Leaf> = leaves
                            .into_iter()
                            .map(|leaf| {
                                let name = self.link.unique(&format!("{base}{}", leaf.path));
                                let source_name = source_name
                                    .as_ref()
                                    .map(|base| format!("{base}{}", leaf.path).into());
                                let variable = Variable { source_name, ..variable.clone() };
                                let var = self.link.declare_sort(
                                    &name,
                                    leaf.sort(),
                                    leaf.shape,
                                    variable,
                                );
                                Leaf { var: Some(var), ..leaf }
                            })
                            .collect();
                        for var in made.iter().filter_map(|leaf| leaf.var) {
                            self.follow_unset(var);
                        }
                        Storage::Fields(made.into())
                    }
                    None => self.local_object(decl, &plain, span),
                }
            }
        };
        self.locals.insert(decl, storage.clone());
        storage
    }

    /// An object of the frame. An object of variable length is allocated at its declaration.
    fn local_object(&mut self, decl: DeclId, plain: &str, span: Option<Span>) -> Storage {
        let entry = self.unit.tast[decl].clone();
        let name = self.link.unique(&format!("{}::&{plain}", self.name));
        let variable = Variable {
            scope: Scope::Local(self.signature.function),
            reading: Reading::Address,
            source_name: Some(format!("&{plain}").into()),
            span,
        };
        let var = self.link.program.declare(name, Sort::Bv(self.link.width()), variable);
        if let Some(size) = self.unit.size(entry.ty) {
            let size = self.address_constant(size + self.unit.tast.extent(decl));
            let align = u64::from(entry.alignment.unwrap_or(1))
                .max(self.unit.align(entry.ty))
                .next_power_of_two();
            self.allocate_at_entry(Op::Alloc {
                var,
                size,
                align,
                kind: AllocKind::Stack,
                zeroed: false,
            });
        }
        Storage::Memory(var)
    }

    /// An object of the frame for a value that needs an address.
    pub fn scratch(&mut self, ty: TypeId) -> TermId {
        let size = self.unit.size(ty).unwrap_or(0);
        self.scratch_bytes(size, self.unit.align(ty))
    }

    /// An object of the frame with a number of bytes.
    pub fn scratch_bytes(&mut self, size: u64, align: u64) -> TermId {
        let var = self.temporary(Sort::Bv(self.link.width()));
        let size = self.address_constant(size);
        let kind = AllocKind::Stack;
        self.allocate_at_entry(Op::Alloc { var, size, align, kind, zeroed: false });
        self.terms().var(var)
    }

    /// A new variable without a name in the source.
    pub fn temporary(&mut self, sort: Sort) -> Var {
        let name = format!("{}::${}", self.name, self.temporaries.len() + 1);
        let var = self.link.local(self.signature.function, &name, sort);
        self.temporaries.insert(var);
        var
    }

    /// A term with the value that `term` has now, whatever happens to variables.
    pub fn snapshot(&mut self, term: TermId) -> TermId {
        let variables = &self.link.program.cfa.variables;
        let is_fixed = |var: &Var| {
            self.temporaries.contains(var) || matches!(variables[*var].scope, Scope::Address(_))
        };
        if self.link.program.terms.vars(term).iter().all(is_fixed) {
            return term;
        }
        let sort = self.terms().sort(term);
        let var = self.temporary(sort);
        self.emit(Op::Assign { var, value: term });
        self.terms().var(var)
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.link.program.terms
    }

    pub fn emit(&mut self, op: Op) {
        match self.link.options.devices.is_empty() {
            true => self.emit_plainly(op),
            false => self.emit_beside_devices(op),
        }
    }

    /// Emits an operation that does not access a device.
    pub fn emit_plainly(&mut self, op: Op) {
        match self.link.shadows {
            Some(shadows) => self.emit_followed(shadows, op),
            None => self.body.emit(op),
        }
    }

    pub fn bv(&mut self, width: u32, bits: u128) -> TermId {
        self.terms().bv(width, bits)
    }

    /// A number as wide as an address.
    pub fn address_constant(&mut self, number: u64) -> TermId {
        let width = self.link.width();
        self.bv(width, u128::from(number))
    }

    /// An address moved by a constant.
    pub fn offset(&mut self, address: TermId, bytes: u64) -> TermId {
        let bytes = self.address_constant(bytes);
        self.terms().bv_add(address, bytes)
    }

    /// Something that cannot be expressed where a condition holds: a run that gets here then is inconclusive.
    pub fn unsupported_if(&mut self, condition: TermId, what: String) {
        let (here, join) = (self.body.label(), self.body.label());
        self.branch_on(condition, here, join);
        self.body.place_detached(here);
        self.body.end(Op::Unsupported(what.into()));
        self.body.place_detached(join);
    }

    /// Something that cannot be expressed: a run that gets here is inconclusive.
    pub fn unsupported(&mut self, what: &str) {
        self.emit(Op::Unsupported(what.into()));
    }

    /// As [`Self::unsupported`], where a value is needed.
    pub fn nothing(&mut self, what: &str, shape: Shape) -> TermId {
        self.unsupported(what);
        self.unset(shape)
    }

    /// A value behind something that cannot be expressed: the value of a variable that is never set. A condition on a
    /// constant would be decided here, and the code behind the condition would seem to be out of reach.
    pub fn unset(&mut self, shape: Shape) -> TermId {
        let zero = self.zero(shape);
        let sort = self.terms().sort(zero);
        let var = self.temporary(sort);
        self.terms().var(var)
    }

    /// A condition behind something that cannot be expressed, see [`Self::unset`].
    pub fn unset_condition(&mut self) -> TermId {
        let var = self.temporary(Sort::Bool);
        self.terms().var(var)
    }

    /// Notes an assumption at the place that is being lowered.
    pub fn assume(&mut self, kind: AssumptionKind, text: String) {
        let span = self.body.span();
        self.link.program.cfa.assume(kind, text, span);
    }
}
