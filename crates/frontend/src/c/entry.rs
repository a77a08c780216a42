//! The arguments with which the program starts: those of `main`, or of a function that is checked by
//! itself.

use base::{Diagnostic, Span};
use cfa::{AllocKind, AssumptionKind, Choice, FuncId, Op, Reading, Scope, Variable};
use rucc_types::{TypeId, TypeKind};
use term::{Sort, TermId};

use super::body::Body;
use super::c_types::ARGUMENT_LIST_TAG;
use super::link::Linker;
use super::shape::{Shape, TypeShape};
use super::signature::{Key, Signature};
use super::unit::Unit;
use crate::Setting;

/// The most elements that a pointer of an entry function can be said to point to.
const MOST: u64 = 1 << 20;

impl Linker<'_> {
    /// Arbitrary arguments for a function other than `main`. What a pointer points to is an object of
    /// its type with arbitrary contents, or several in a row where the options say so.
    pub(super) fn entry_arguments(
        &mut self,
        start: FuncId,
        signature: &Signature,
        body: &mut Body,
        entry: Key,
    ) -> Box<[TermId]> {
        let unit = self.units[entry.0].clone();
        let (types, result) = match unit.bare(unit.tast[entry.1].ty) {
            TypeKind::Function(id) => {
                let signature = unit.types.signature(id);
                (signature.params.to_vec(), Some(signature.ret))
            }
            _ => (Vec::new(), None),
        };
        let hidden = usize::from(signature.aggregate_result);
        let mut arguments: Vec<TermId> = Vec::new();
        for (index, sort) in signature.shapes.parameters.clone().into_iter().enumerate() {
            let ty = match index.checked_sub(hidden) {
                Some(index) => types.get(index).copied(),
                // The hidden parameter says where the result goes.
                None => result,
            };
            let name = self.parameter_name(&unit, entry, index.checked_sub(hidden));
            if let Some(what) = ty.and_then(|ty| unmodelled(&unit, ty)) {
                body.emit(Op::Unsupported(format!("an argument `{name}`: {what}").into()));
            }
            let pointee = ty.and_then(|ty| self.pointee(&unit, ty));
            arguments.push(match pointee {
                Some((pointee, by_value)) if sort == Sort::Bv(self.width()) => {
                    let parameter = index.checked_sub(hidden);
                    let pointer = parameter.filter(|_| !by_value);
                    let count = pointer.map_or(1, |at| self.elements(&unit, entry, at, &name));
                    let size = unit.size(pointee).unwrap_or(1).saturating_mul(count).max(1);
                    let align = unit.align(pointee);
                    if !by_value {
                        let bytes = if size == 1 { "byte" } else { "bytes" };
                        let text = format!("`{name}` points to an object of {size} {bytes}");
                        self.program.cfa.assume(AssumptionKind::Environment, text, None);
                    }
                    // An argument that is passed by value is no object of the caller.
                    let input =
                        if by_value { format!("argument {name}") } else { format!("*{name}") };
                    let source_name =
                        parameter.map(|_| format!("&{}.{name}", self.options.entry).into());
                    let variable = Variable {
                        scope: Scope::Local(start),
                        reading: Reading::Plain,
                        source_name,
                        span: parameter.and_then(|at| parameter_span(&unit, entry, at)),
                    };
                    self.argument_object(body, variable, (index, &input), size, align)
                }
                _ => {
                    let variable = Variable {
                        scope: Scope::Local(start),
                        reading: Reading::Plain,
                        source_name: None,
                        span: index
                            .checked_sub(hidden)
                            .and_then(|at| parameter_span(&unit, entry, at)),
                    };
                    let shape = ty.and_then(|ty| unit.shape(ty));
                    self.argument_value(body, variable, (index, &name), sort, shape)
                }
            });
        }
        arguments.into()
    }

    /// The name of a parameter; its number if it has none.
    pub(super) fn parameter_name(&self, unit: &Unit, entry: Key, index: Option<usize>) -> String {
        let Some(index) = index else { return "result".to_owned() };
        let parameters = &unit.tast[unit.tast[entry.1].params];
        let named = parameters.get(index).and_then(|parameter| unit.tast[*parameter].name);
        named.map_or_else(|| index.to_string(), |name| unit.name(name).to_owned())
    }

    /// The type that a parameter of this type points to, and whether the parameter is passed by value: then its address
    /// is passed. `None` for types that are no pointers, for pointers to functions, and for pointers to types without a
    /// size.
    fn pointee(&self, unit: &Unit, ty: TypeId) -> Option<(TypeId, bool)> {
        if matches!(unit.kind(ty), TypeShape::Aggregate) {
            return Some((ty, true));
        }
        let TypeKind::Pointer(pointee) = unit.bare(ty) else { return None };
        let sized =
            !matches!(unit.kind(pointee), TypeShape::Function) && unit.size(pointee).is_some();
        sized.then_some((pointee, false))
    }

    /// How many objects a pointer points to: as many as the options say, or else the declaration (`a[static 5]`).
    fn elements(&mut self, unit: &Unit, entry: Key, index: usize, name: &str) -> u64 {
        let full = format!("{}.{name}", self.options.entry);
        let setting = self.options.wording.of(Setting::PointerSizes);
        let known = self.options.pointer_sizes.iter().rev().find(|(of, _)| *of == full);
        let said = known.map(|(_, count)| *count);
        let parameter = unit.tast[unit.tast[entry.1].params].get(index);
        let place = parameter.map(|parameter| unit.tast.decl_span(*parameter));
        let promise = place.and_then(|place| unit.promises.get(&(place.lo, place.hi)));
        match (said, promise) {
            (Some(said), Some(Some(least))) if said < *least => {
                let message = format!("{setting}: {said} elements for `{full}`");
                let hint = format!("its declaration promises {least}");
                self.diagnostics.push(Diagnostic::error_without_place(message).with_hint(hint));
                said
            }
            (Some(said), _) => said,
            (None, Some(Some(least))) if *least <= MOST => *least,
            (None, Some(_)) => {
                let message = format!("how many elements `{full}` points to is not known");
                let hint = format!("say so with {setting} {full}=COUNT");
                self.diagnostics.push(Diagnostic::error_without_place(message).with_hint(hint));
                1
            }
            (None, None) => 1,
        }
    }

    /// An object with arbitrary contents that an argument points to. In counterexamples the object is named by the
    /// function and the parameter, as in [`Options::pointer_sizes`](crate::Options::pointer_sizes).
    fn argument_object(
        &mut self,
        body: &mut Body,
        variable: Variable,
        (index, input): (usize, &str),
        size: u64,
        align: u64,
    ) -> TermId {
        let width = self.width();
        let label = format!("@start::{index}");
        let var = self.program.declare(label.as_str(), Sort::Bv(width), variable);
        let size = self.program.terms.bv(width, u128::from(size));
        let align = align.next_power_of_two();
        body.emit(Op::Alloc { var, size, align, kind: AllocKind::Stack, zeroed: true });
        let address = self.program.terms.var(var);
        let choice = Choice::Input(input.into());
        body.emit(Op::HavocMemory { address, length: size, choice });
        address
    }

    fn argument_value(
        &mut self,
        body: &mut Body,
        variable: Variable,
        (index, name): (usize, &str),
        sort: Sort,
        shape: Option<Shape>,
    ) -> TermId {
        let label = format!("@start::{index}");
        let var = match shape {
            Some(shape) => self.declare_sort(&label, sort, shape, variable),
            None => self.program.declare(label.as_str(), sort, variable),
        };
        let choice = Choice::Input(format!("argument {name}").into());
        body.emit(Op::Havoc { var, choice });
        self.program.terms.var(var)
    }

    /// Refuses sizes for pointers that the entry function does not have.
    pub(super) fn check_pointer_sizes(&mut self, entry: Key) {
        let unit = self.units[entry.0].clone();
        let known: Vec<String> = match unit.bare(unit.tast[entry.1].ty) {
            // No option says what the arguments of `main` point to.
            TypeKind::Function(id) if self.options.entry != "main" => {
                let types = unit.types.signature(id).params.to_vec();
                let is_pointer =
                    |ty: &TypeId| self.pointee(&unit, *ty).is_some_and(|(_, by_value)| !by_value);
                let pointers = types.iter().enumerate().filter(|(_, ty)| is_pointer(ty));
                let name = |(index, _)| self.parameter_name(&unit, entry, Some(index));
                pointers.map(name).map(|name| format!("{}.{name}", self.options.entry)).collect()
            }
            _ => Vec::new(),
        };
        let setting = self.options.wording.of(Setting::PointerSizes);
        for (name, count) in &self.options.pointer_sizes {
            if known.contains(name) {
                if *count > MOST {
                    let message = format!("{setting}: {count} elements for `{name}`");
                    let hint = format!("at most {MOST} elements are possible");
                    self.diagnostics.push(Diagnostic::error_without_place(message).with_hint(hint));
                }
                continue;
            }
            let message = format!("{setting}: there is no `{name}`");
            let shown: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            let hint = match shown.is_empty() {
                true => format!(
                    "the entry function `{}` has no pointer to an object whose size can be set",
                    self.options.entry
                ),
                false => format!("name a pointer of the entry function: {}", shown.join(", ")),
            };
            self.diagnostics.push(Diagnostic::error_without_place(message).with_hint(hint));
        }
    }

    /// The hint where there is no function of this name: the functions of the program, the most similar name first.
    pub(super) fn candidates(&mut self, entry: &str) -> String {
        let mut known: Vec<(String, Key)> =
            self.external.iter().map(|(name, key)| (name.clone(), *key)).collect();
        known.extend(self.static_functions());
        let mut names: Vec<String> = Vec::new();
        for (name, key) in known {
            if !name.starts_with("__") && self.has_body(key) {
                names.push(name);
            }
        }
        names.sort_by_key(|name| (strsim::levenshtein(entry, name), name.clone()));
        let shown: Vec<String> = names.iter().take(8).map(|name| format!("`{name}`")).collect();
        match (shown.is_empty(), names.len() > shown.len()) {
            (true, _) => "no function has a body".to_owned(),
            (false, more) => format!(
                "name the function where execution starts with {}: {}{}",
                self.options.wording.of(Setting::Entry),
                shown.join(", "),
                if more { ", …" } else { "" }
            ),
        }
    }
}

/// Where a parameter of the entry function is declared.
pub(super) fn parameter_span(unit: &Unit, entry: Key, index: usize) -> Option<Span> {
    let parameters = &unit.tast[unit.tast[entry.1].params];
    unit.span(unit.tast.decl_span(*parameters.get(index)?))
}

/// Why an argument of a type is not modelled: nothing can stand for the value that a caller would pass.
fn unmodelled(unit: &Unit, ty: TypeId) -> Option<&'static str> {
    if let TypeShape::Unsupported(what) = unit.kind(ty) {
        return Some(what);
    }
    let TypeKind::Pointer(pointee) = unit.bare(ty) else { return None };
    let TypeKind::Record(id) = unit.bare(pointee) else { return None };
    let tag = unit.types.record_info(id).tag.map(|tag| unit.name(tag));
    (tag == Some(ARGUMENT_LIST_TAG)).then_some("arguments of a variadic function")
}
