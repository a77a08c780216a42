//! Calls: direct, through pointers, variadic.

use cfa::{AssumptionKind, Choice, Op, Reading};
use rucc_sema::{Conversion, DeclFlags, DeclId, ExprId, ExprKind, ExprList};
use rucc_types::{TypeId, TypeKind};
use term::{Sort, TermId};

use super::argument::{Argument, addresses};
use super::facts::Effect;
use super::function::Lower;
use super::library;
use super::mathematics;
use super::order::Part;
use super::shape::{Shape, TypeShape};
use super::signature::{Key, Shapes, Signature};
use super::storage::Lvalue;
use super::unit::Unit;
use crate::External;

/// Functions of verifiers that fail where their argument is zero. Programs define them so that they
/// can be compiled.
const OWN_ASSERTIONS: [&str; 3] = ["__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert"];

/// Whether a function has the type of a function that is called without a declaration: no parameters are known, and the
/// result is an `int`.
fn is_undeclared(unit: &Unit, decl: DeclId) -> bool {
    let TypeKind::Function(id) = unit.bare(unit.tast[decl].ty) else { return false };
    let signature = unit.types.signature(id);
    !signature.prototyped && unit.shape(signature.ret) == Some(Shape::INT)
}

impl Lower<'_, '_> {
    /// Lowers a call. Gives back the value, or the address of an aggregate result.
    pub fn call(&mut self, expr: ExprId, callee: ExprId, args: ExprList) -> Option<TermId> {
        self.call_and(expr, callee, args, true)
    }

    /// Lowers a call; `is_used` says whether its value is used.
    pub fn call_and(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: ExprList,
        is_used: bool,
    ) -> Option<TermId> {
        let range = self.unit.tast.expr_span(expr);
        let outer = self.body.set_span(self.unit.span(range));
        let around = std::mem::replace(&mut self.written, self.unit.written(range));
        let args = self.unit.tast[args].to_vec();
        let result_ty = self.unit.tast[expr].ty;
        let is_condition = std::mem::take(&mut self.is_condition) || !is_used;
        let result = match self.called(callee) {
            Some(decl) => {
                if !is_condition {
                    self.note_class(decl);
                }
                self.direct(decl, &args, result_ty)
            }
            None => self.indirect(callee, &args, result_ty),
        };
        if let TypeShape::Scalar(_) = self.unit.kind(result_ty) {
            self.after_value(is_used);
        }
        self.written = around;
        self.body.restore_span(outer);
        result
    }

    /// Lists the assumption that functions such as `isalpha` give 1 for a character of their class, where the program
    /// may use this value as a number.
    fn note_class(&mut self, decl: DeclId) {
        let is_class =
            |name: &str| library::is_class(name.strip_prefix("__builtin_").unwrap_or(name));
        let name = self.unit.tast[decl].name.map_or("", |name| self.unit.name(name));
        let is_named = is_class(name) || self.unit.symbol(decl).is_some_and(|name| is_class(&name));
        if !self.facts.is_of_program || !is_named {
            return;
        }
        let key = self.link.resolve(self.key.0, decl);
        if !(self.link.has_body(key) && self.link.facts[key.0].is_of_program) {
            let text =
                "a class of characters that holds (isalpha) is 1: C says only that it is not zero";
            self.assume(AssumptionKind::Semantics, text.to_owned());
        }
    }

    /// The function that an expression names, if it names one.
    fn called(&self, mut callee: ExprId) -> Option<DeclId> {
        loop {
            match self.unit.tast[callee].kind {
                ExprKind::Convert { kind: Conversion::FunctionDecay, operand } => callee = operand,
                ExprKind::Decl(decl)
                    if self.unit.tast[decl].kind == rucc_sema::DeclKind::Function =>
                {
                    return Some(decl);
                }
                ExprKind::Unary {
                    op: rucc_ast::UnaryOp::AddrOf | rucc_ast::UnaryOp::Deref,
                    operand,
                } => {
                    // `(&f)(…)` and `(*f)(…)`; `*p` of a pointer variable ends below.
                    match self.unit.tast[operand].kind {
                        ExprKind::Decl(_)
                        | ExprKind::Convert { kind: Conversion::FunctionDecay, .. } => {
                            callee = operand;
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }

    fn direct(&mut self, decl: DeclId, args: &[ExprId], result_ty: TypeId) -> Option<TermId> {
        let key = self.link.resolve(self.key.0, decl);
        let name = self.link.units[key.0].tast[key.1].name;
        let name =
            name.map_or_else(String::new, |name| self.link.units[key.0].name(name).to_owned());
        let arguments = self.arguments(args);
        if self.link.has_body(key) && !self.link.property.is_error_function(&name) {
            if OWN_ASSERTIONS.contains(&name.as_str()) && self.link.counts_assertions_alone() {
                self.assertion(&name, &arguments);
            }
            return self.call_body(key, &arguments, result_ty);
        }
        if is_undeclared(&self.link.units[key.0], key.1) && mathematics::is_known(&name) {
            // Compilers know the type of such a function; without a declaration it would return an `int` here.
            let reason = format!("a call of `{name}`, which is not declared");
            return self.unit.shape(result_ty).map(|shape| self.nothing(&reason, shape));
        }
        if let Some(result) = self.environment(&name, &arguments, result_ty) {
            return result;
        }
        // The program may have a name of its own for a symbol of the library.
        let symbol = self.link.units[key.0].symbol(key.1).filter(|symbol| *symbol != name);
        if let Some(symbol) = &symbol
            && let Some(result) = self.environment(symbol, &arguments, result_ty)
        {
            return result;
        }
        for known in [Some(&name), symbol.as_ref()].into_iter().flatten() {
            let plain = known.strip_prefix("__builtin_").unwrap_or(known);
            if let Some(key) = self.link.library_model(plain)
                && (!library::reads(plain)
                    || self.link.function(key).shapes.parameters.len() == arguments.len())
            {
                return self.call_body(key, &arguments, result_ty);
            }
        }
        self.external(key, &name, &arguments, result_ty)
    }

    pub fn call_body(
        &mut self,
        key: Key,
        arguments: &[Argument],
        result_ty: TypeId,
    ) -> Option<TermId> {
        let signature = self.link.function(key);
        let shapes = signature.shapes.clone();
        let passed = self.pass(&shapes, signature.aggregate_result, arguments, result_ty);
        let aggregate = signature.aggregate_result.then(|| passed[0]);
        self.invoke(signature.function, passed, &shapes, result_ty).or(aggregate)
    }

    fn indirect(&mut self, callee: ExprId, args: &[ExprId], result_ty: TypeId) -> Option<TermId> {
        let ty = self.unit.tast[callee].ty;
        let all: Vec<ExprId> = std::iter::once(callee).chain(args.iter().copied()).collect();
        let has_order = self.has_order(&all);
        let start = self.body.mark_here();
        let pointer = self.value(callee);
        let changes = args.iter().any(|arg| self.facts.effect(&self.unit, *arg) == Effect::Changes);
        let pointer = if changes { self.snapshot(pointer) } else { pointer };
        let parts = has_order.then(|| vec![self.done_since(start, &[pointer])]);
        let arguments = self.arguments_beside(args, parts);
        let function_ty = match self.unit.bare(ty) {
            TypeKind::Pointer(inner) => inner,
            _ => ty,
        };
        let (mut shapes, aggregate) = self.link.shapes(self.key.0, function_ty);
        let prototyped = match self.unit.bare(function_ty) {
            TypeKind::Function(id) => self.unit.types.signature(id).prototyped,
            _ => false,
        };
        if !prototyped {
            // Without a prototype the arguments say what the parameters are.
            let address = Sort::Bv(self.link.width());
            let sorts = arguments.iter().map(|arg| arg.shape.map_or(address, Shape::sort));
            shapes.parameters = aggregate.then_some(address).into_iter().chain(sorts).collect();
            shapes.variadic = false;
        }
        let mut passed = vec![pointer];
        passed.extend(self.pass(&shapes, aggregate, &arguments, result_ty));
        let dispatcher = self.link.dispatcher(&shapes);
        let aggregate = aggregate.then(|| passed[1]);
        self.invoke(dispatcher, passed, &shapes, result_ty).or(aggregate)
    }

    /// Evaluates arguments from left to right.
    pub fn arguments(&mut self, args: &[ExprId]) -> Vec<Argument> {
        let parts = self.has_order(args).then(Vec::new);
        self.arguments_beside(args, parts)
    }

    /// As [`Self::arguments`], beside `parts` of the expression that have been evaluated already; `None` where the
    /// order of evaluation does not matter.
    fn arguments_beside(&mut self, args: &[ExprId], mut parts: Option<Vec<Part>>) -> Vec<Argument> {
        let mut evaluated = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate() {
            let start = self.body.mark_here();
            let later = &args[index + 1..];
            let changes =
                later.iter().any(|later| self.facts.effect(&self.unit, *later) == Effect::Changes);
            let ty = self.unit.tast[arg].ty;
            let is_stdout = self.is_stdout(arg);
            let argument = match self.unit.kind(ty) {
                TypeShape::Scalar(shape) => {
                    let value = self.value(arg);
                    let value = if changes { self.snapshot(value) } else { value };
                    Argument { value, ty, shape: Some(shape), is_stdout }
                }
                TypeShape::Aggregate => {
                    let place = self.aggregate(arg);
                    let mut value = self.in_memory(&place, ty);
                    if changes {
                        let copy = self.scratch(ty);
                        self.copy(&Lvalue::Memory(copy), &Lvalue::Memory(value), ty);
                        value = copy;
                    }
                    Argument { value, ty, shape: None, is_stdout }
                }
                TypeShape::Unsupported(what) => {
                    self.unsupported(what);
                    Argument { value: self.address_constant(0), ty, shape: None, is_stdout }
                }
                _ => {
                    self.effect(arg);
                    Argument { value: self.address_constant(0), ty, shape: None, is_stdout }
                }
            };
            if let Some(parts) = &mut parts {
                parts.push(self.done_since(start, &[argument.value]));
            }
            evaluated.push(argument);
        }
        if let Some(parts) = parts {
            self.note_order(parts);
        }
        evaluated
    }

    /// Arguments, converted to the types of the parameters of a function.
    fn pass(
        &mut self,
        shapes: &Shapes,
        aggregate: bool,
        arguments: &[Argument],
        result_ty: TypeId,
    ) -> Vec<TermId> {
        let mut passed = Vec::with_capacity(shapes.parameters.len());
        if aggregate {
            let result = self.scratch(result_ty);
            self.forget(result, self.unit.size(result_ty).unwrap_or(0));
            passed.push(result);
        }
        let named = shapes.parameters.len() - usize::from(shapes.variadic) - passed.len();
        for index in 0..named {
            let sort = shapes.parameters[passed.len()];
            let term = match arguments.get(index) {
                Some(argument) => self.coerce(argument, sort),
                None => {
                    let var = self.temporary(sort);
                    self.emit(Op::Havoc { var, choice: Choice::Uninitialised });
                    if self.link.shadows.is_some() {
                        self.unsupported("a call with fewer arguments than parameters");
                    }
                    self.terms().var(var)
                }
            };
            passed.push(term);
        }
        if shapes.variadic {
            let rest = arguments.get(named..).unwrap_or(&[]).to_vec();
            passed.push(self.pack(&rest));
        }
        passed
    }

    /// An argument with the sort of a parameter: a call and a definition may disagree about the type.
    fn coerce(&mut self, argument: &Argument, sort: Sort) -> TermId {
        let have = self.terms().sort(argument.value);
        match (have, sort) {
            (have, want) if have == want => argument.value,
            (Sort::Bv(_), Sort::Bv(width)) => {
                let signed = argument.shape.is_some_and(Shape::signed);
                self.resize(argument.value, width, signed)
            }
            _ => {
                self.unsupported("an argument of another type than the parameter");
                let var = self.temporary(sort);
                self.terms().var(var)
            }
        }
    }

    fn invoke(
        &mut self,
        callee: cfa::FuncId,
        passed: Vec<TermId>,
        shapes: &Shapes,
        result_ty: TypeId,
    ) -> Option<TermId> {
        let result = shapes.result.map(|sort| self.temporary(sort));
        self.body.flush();
        let arguments = passed.into_boxed_slice();
        self.emit(Op::Call { callee, arguments, results: result.into_iter().collect() });
        self.body.flush();
        self.after_call();
        match (result, self.unit.kind(result_ty)) {
            (Some(var), TypeShape::Scalar(shape)) => {
                let value = self.terms().var(var);
                let have = self.terms().sort(value);
                match (have, shape.sort()) {
                    (have, want) if have == want => Some(value),
                    (Sort::Bv(_), Sort::Bv(width)) => {
                        Some(self.resize(value, width, shape.signed()))
                    }
                    _ => Some(self.nothing("a result of another type than declared", shape)),
                }
            }
            (None, TypeShape::Scalar(shape)) => {
                // Declared with a result, defined without one: the result is arbitrary.
                self.note_no_value();
                let var = self.temporary(shape.sort());
                self.emit(Op::Havoc { var, choice: Choice::Uninitialised });
                Some(self.terms().var(var))
            }
            _ => None,
        }
    }

    /// The address of a function, whose body is then part of the program.
    pub fn function_address(&mut self, decl: DeclId) -> TermId {
        // The pointer may be called anywhere, and how the values of these calls are used is not known.
        self.note_class(decl);
        let mut key = self.link.resolve(self.key.0, decl);
        if !self.link.has_body(key) {
            let name = self.link.units[key.0].tast[key.1].name;
            let name = name.map(|name| self.link.units[key.0].name(name).to_owned());
            if name.as_ref().is_some_and(|name| self.link.rounds_otherwise(name)) {
                self.unsupported("another rounding mode");
            } else if let Some(model) = name.and_then(|name| self.link.library_model(&name)) {
                key = model;
            } else if self.unit.tast[decl].flags.contains(DeclFlags::WEAK) {
                // The address is null if nothing defines the symbol, and a library may define it.
                self.unsupported("the address of a weak symbol that is not defined");
            }
        }
        let signature = self.link.function(key);
        let address = self.link.function_address(&signature);
        self.terms().var(address)
    }

    /// The body of a function whose definition is not in the program, for calls through pointers.
    pub fn external_body(&mut self) {
        let Signature { function, shapes, .. } = self.signature.clone();
        let parameters = self.link.program.cfa.functions[function].parameters.clone();
        let decl = &self.unit.tast[self.key.1];
        let name = decl.name.map_or_else(String::new, |name| self.unit.name(name).to_owned());
        let ty = decl.ty;
        let TypeKind::Function(id) = self.unit.bare(ty) else { return };
        let types = self.unit.types.signature(id).params.clone();
        let result_ty = self.unit.types.signature(id).ret;
        let hidden = usize::from(self.signature.aggregate_result);
        let arguments: Vec<Argument> = types
            .iter()
            .zip(parameters.iter().skip(hidden))
            .map(|(ty, var)| Argument {
                value: self.link.program.terms.var(*var),
                ty: *ty,
                shape: self.unit.shape(*ty),
                is_stdout: false,
            })
            .collect();
        let value = match self.environment(&name, &arguments, result_ty) {
            Some(value) => value,
            None => self.external(self.key, &name, &arguments, result_ty),
        };
        let result = self.link.program.cfa.functions[function].results.first().copied();
        match (result, value) {
            (Some(var), Some(value)) if shapes.result.is_some() => {
                self.emit(Op::Assign { var, value })
            }
            (None, Some(address)) if self.signature.aggregate_result => {
                let to = Lvalue::Memory(self.terms().var(parameters[0]));
                self.copy(&to, &Lvalue::Memory(address), result_ty);
            }
            _ => {}
        }
        let exit = self.body.exit();
        self.body.jump(exit);
    }

    /// A function of which nothing is known but its type.
    fn external(
        &mut self,
        key: Key,
        name: &str,
        arguments: &[Argument],
        result_ty: TypeId,
    ) -> Option<TermId> {
        let is_computed = self.link.is_computed(key, name);
        let is_of_library = self.link.is_of_library(key);
        // The surroundings do not choose the address of data that belongs to a library, so no violation may rest on it.
        let gives_data = match self.unit.bare(result_ty) {
            TypeKind::Pointer(to) => !self.unit.is_opaque(to),
            _ => false,
        };
        let choice = if is_computed || is_of_library && gives_data {
            Choice::Approximated(name.into())
        } else {
            Choice::External(name.into())
        };
        if is_of_library {
            let gives_file =
                matches!(self.unit.bare(result_ty), TypeKind::Pointer(_)) && !gives_data;
            self.not_counted(name, arguments, gives_file);
        }
        match self.link.options.external {
            External::Error => {
                let reason = format!("a call of `{name}`, which has no body");
                self.body.end(Op::Unsupported(reason.into()));
                return None;
            }
            _ if self.link.units[key.0].tast[key.1].flags.contains(DeclFlags::NORETURN) => {
                let text = format!("`{name}` has no body: it ends the program, as it is declared");
                self.assume(AssumptionKind::External, text);
                self.body.end(Op::Abort);
                return None;
            }
            External::Pure if is_computed => self.written_by_library(key, name, arguments),
            External::Pure if is_of_library => {
                let text = match self.filled_by_system(key, name, arguments) {
                    true => {
                        "it returns anything and fills the object that it is given with anything"
                    }
                    false => {
                        self.written_by_library(key, name, arguments);
                        "it returns anything"
                    }
                };
                let text = format!("`{name}` is not modelled: {text}");
                self.assume(AssumptionKind::Environment, text);
            }
            External::Pure => {
                let text = format!("`{name}` has no body: it returns anything and changes nothing");
                self.assume(AssumptionKind::External, text);
            }
            External::Havoc => {
                let text = format!(
                    "`{name}` has no body: it returns anything and changes what it can reach"
                );
                self.assume(AssumptionKind::External, text);
                let roots = addresses(arguments);
                self.emit(Op::HavocReachable { roots, choice: choice.clone() });
            }
        }
        let value = self.arbitrary(result_ty, choice)?;
        self.note_given(key, value);
        if is_of_library {
            self.assume_answer(name, arguments, value, result_ty);
        }
        Some(value)
    }

    /// An arbitrary value of a type, or the address of an arbitrary aggregate.
    pub fn arbitrary(&mut self, ty: TypeId, choice: Choice) -> Option<TermId> {
        match self.unit.kind(ty) {
            TypeShape::Scalar(shape) => {
                let var = self.temporary(shape.sort());
                if let Shape::Int { signed: true, .. } = shape {
                    self.link.program.cfa.variables[var].reading = Reading::Signed;
                }
                if let Some(span) = self.written {
                    self.link.program.cfa.calls.insert(var, span);
                }
                self.emit(Op::Havoc { var, choice });
                Some(self.terms().var(var))
            }
            TypeShape::Aggregate => {
                let address = self.scratch(ty);
                let length = self.size_term(ty);
                self.emit(Op::HavocMemory { address, length, choice });
                Some(address)
            }
            _ => None,
        }
    }

    /// Puts the arguments behind the named ones into memory, one after another.
    fn pack(&mut self, arguments: &[Argument]) -> TermId {
        if arguments.is_empty() {
            return self.address_constant(0);
        }
        let sizes: Vec<u64> = arguments.iter().map(|arg| self.slot(arg.ty)).collect();
        let area = self.scratch_bytes(sizes.iter().sum(), 16);
        let mut offset = 0;
        for (argument, size) in arguments.iter().zip(sizes) {
            let place = Lvalue::Memory(self.offset(area, offset));
            match argument.shape {
                Some(shape) => {
                    self.write(&place, argument.value, shape);
                }
                None => self.copy(&place, &Lvalue::Memory(argument.value), argument.ty),
            }
            offset += size;
        }
        area
    }

    /// How many bytes a variadic argument takes.
    fn slot(&self, ty: TypeId) -> u64 {
        self.unit.size(ty).unwrap_or(0).next_multiple_of(u64::from(self.link.width() / 8)).max(1)
    }

    /// Where the next variadic argument is; the list moves on.
    pub fn argument_address(&mut self, list: ExprId, ty: TypeId) -> TermId {
        let list = self.value(list);
        let pointer = Shape::Pointer { width: self.link.width() };
        let next = self.read(&Lvalue::Memory(list), pointer);
        let size = self.slot(ty);
        let after = self.offset(next, size);
        self.write(&Lvalue::Memory(list), after, pointer);
        next
    }

    /// `va_arg` of a scalar.
    pub fn next_argument(&mut self, list: ExprId, ty: TypeId, shape: Shape) -> TermId {
        let address = self.argument_address(list, ty);
        self.read(&Lvalue::Memory(address), shape)
    }

    /// `va_start`, `va_copy` and `va_end`.
    pub fn variadic(&mut self, expr: ExprId) {
        let pointer = Shape::Pointer { width: self.link.width() };
        match self.unit.tast[expr].kind {
            ExprKind::VaStart { list } => {
                let list = self.value(list);
                let parameters =
                    &self.link.program.cfa.functions[self.signature.function].parameters;
                match (self.signature.shapes.variadic, parameters.last().copied()) {
                    (true, Some(rest)) => {
                        let rest = self.terms().var(rest);
                        self.write(&Lvalue::Memory(list), rest, pointer);
                    }
                    _ => self.unsupported("va_start in a function that is not variadic"),
                }
            }
            ExprKind::VaCopy { dst, src } => {
                let (to, from) = self.pair(dst, src);
                let rest = self.read(&Lvalue::Memory(from), pointer);
                self.write(&Lvalue::Memory(to), rest, pointer);
            }
            ExprKind::VaEnd { list } => self.effect(list),
            _ => {}
        }
    }
}
