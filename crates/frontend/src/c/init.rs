//! Initialisers, of automatic objects as operations and of static ones as bytes.

use cfa::{
    AllocKind, AssumptionKind, Choice, Contents, FuncId, ObjectKind, Op, Patch, Reading, Scope,
    Variable,
};
use rucc_sema::{DeclId, ExprId, ExprKind, InitEntry};
use term::{Sort, TermId, Value, Var};

use super::body::Body;
use super::entry::parameter_span;
use super::facts::Effect;
use super::function::Lower;
use super::link::Linker;
use super::order::Part;
use super::shape::TypeShape;
use super::signature::{Key, Shapes, Signature};
use super::storage::{Leaf, Lvalue, Storage};

/// The reason why a run is inconclusive at the end of a program with destructors.
pub(super) const DESTRUCTORS: &str = "functions called at exit";

/// The bits of the number of arguments behind the name of the program, where the program looks at them.
const ARGUMENT_BITS: u32 = 2;
/// The most arguments that are given to a program that looks at its arguments.
const MOST_ARGUMENTS: u64 = 1 << ARGUMENT_BITS;
/// The bytes of the string of one argument.
const ARGUMENT_LENGTH: u64 = 16;

impl Lower<'_, '_> {
    /// Gives an object the values that its declaration says. Parts without a value become zero.
    pub fn initialise(&mut self, decl: DeclId, place: &Lvalue) {
        let entry = self.unit.tast[decl].clone();
        let Some(list) = entry.init else { return };
        let entries = self.by_place(self.unit.tast[list].to_vec());
        match self.unit.shape(entry.ty) {
            // Braces around nothing (C23): `int x = {};`.
            Some(shape) if entries.is_empty() => {
                let zero = self.zero(shape);
                self.write(place, zero, shape);
            }
            None if !self.is_whole(&entries, entry.ty) => {
                self.clear(place, entry.ty, self.unit.tast.extent(decl), &entries);
            }
            _ => {}
        }
        let values: Vec<ExprId> = entries.iter().map(|entry| entry.value).collect();
        let mut parts = self.has_order(&values).then(Vec::new);
        for entry in entries {
            let part = self.initialise_part(place, &entry, parts.is_some());
            if let Some(parts) = &mut parts {
                parts.extend(part);
            }
        }
        if let Some(parts) = parts {
            self.note_order(parts);
        }
    }

    /// The entries of an initialiser in the order in which compilers evaluate them: by their places in the object. If
    /// no entry changes anything, or one entry overrides another, the entries stay in the order of the text.
    fn by_place(&self, entries: Vec<InitEntry>) -> Vec<InitEntry> {
        let changes =
            |entry: &InitEntry| self.facts.effect(&self.unit, entry.value) == Effect::Changes;
        if entries.len() < 2 || !entries.iter().any(changes) {
            return entries;
        }
        let bits = |entry: &InitEntry| match entry.is_bit_field() {
            true => u64::from(entry.bit_width),
            false => self.unit.size(self.unit.tast[entry.value].ty).unwrap_or(0).saturating_mul(8),
        };
        let start =
            |entry: &InitEntry| entry.offset.saturating_mul(8) + u64::from(entry.bit_offset);
        let mut sorted = entries.clone();
        sorted.sort_by_key(start);
        let is_apart =
            |two: &[InitEntry]| start(&two[0]).saturating_add(bits(&two[0])) <= start(&two[1]);
        if sorted.windows(2).all(is_apart) { sorted } else { entries }
    }

    /// Whether one value fills the whole object.
    fn is_whole(&self, entries: &[InitEntry], ty: rucc_types::TypeId) -> bool {
        match entries {
            [one] => {
                self.unit.size(self.unit.tast[one.value].ty) == self.unit.size(ty)
                    && one.bit_width == 0
            }
            _ => false,
        }
    }

    /// Zeroes an object, as far as `entries` do not give it values anyway.
    fn clear(
        &mut self,
        place: &Lvalue,
        ty: rucc_types::TypeId,
        extent: u64,
        entries: &[InitEntry],
    ) {
        match place {
            Lvalue::Memory(address) => {
                let length = self.size_term(ty);
                let length = self.offset(length, extent);
                let byte = self.bv(8, 0);
                self.emit(Op::Fill { address: *address, byte, length });
            }
            Lvalue::Fields(leaves, _) => {
                let given = |leaf: &&Leaf| {
                    entries.iter().any(|entry| {
                        entry.offset * 8 + u64::from(entry.bit_offset) == leaf.offset
                            && self.unit.shape(self.unit.tast[entry.value].ty).is_some()
                    })
                };
                let rest: Vec<Leaf> = leaves.iter().filter(|leaf| !given(leaf)).cloned().collect();
                for leaf in rest {
                    let var = leaf.var.expect("storage has variables");
                    let zero = self.zero(leaf.shape);
                    self.write(&Lvalue::Var(var), zero, leaf.shape);
                }
            }
            _ => {}
        }
    }

    /// Gives a part of an object its value. If `is_noted`, returns the operations that have found the value, as a part
    /// of an expression.
    fn initialise_part(
        &mut self,
        place: &Lvalue,
        entry: &InitEntry,
        is_noted: bool,
    ) -> Option<Part> {
        let start = self.body.mark_here();
        if entry.reverse {
            self.unsupported("a structure in another byte order");
        }
        let ty = self.unit.tast[entry.value].ty;
        let bits = entry.is_bit_field().then_some(entry.bit_width);
        let (offset, skip) = (entry.offset + u64::from(entry.bit_offset / 8), entry.bit_offset % 8);
        match self.unit.kind(ty) {
            TypeShape::Scalar(shape) => {
                let part = match place {
                    Lvalue::Var(_) => place.clone(),
                    _ => self.part(place, offset, skip, bits),
                };
                if let Some((byte, from)) = self.byte_of(entry.value, shape) {
                    let done = is_noted.then(|| self.done_since(start, &[byte.0]));
                    self.write_byte(&part, shape, byte, from);
                    return done;
                }
                let value = self.value(entry.value);
                let done = is_noted.then(|| self.done_since(start, &[value]));
                self.write(&part, value, shape);
                done
            }
            TypeShape::Aggregate => {
                let from = self.aggregate(entry.value);
                let done = is_noted.then(|| self.whole_since(start, &from));
                let part = self.part(place, entry.offset, 0, None);
                self.copy(&part, &from, ty);
                done
            }
            TypeShape::Unsupported(what) => {
                self.unsupported(what);
                None
            }
            _ => {
                self.unsupported("this initialiser");
                None
            }
        }
    }
}

impl<'o> Linker<'o> {
    /// A lowering of constant expressions, in the function that runs before all others.
    fn at_start<'l>(&'l mut self, key: Key) -> Lower<'l, 'o> {
        let start = self.program.cfa.start.expect("the start is the first function");
        let shapes = Shapes { parameters: vec![], result: None, variadic: false };
        let signature = Signature { function: start, shapes, aggregate_result: false };
        let (unit, facts) = (self.units[key.0].clone(), self.facts[key.0].clone());
        // Each such lowering has temporaries of its own.
        let name = self.unique("@start");
        let mut lower = Lower::new(self, unit, facts, key, &signature);
        lower.name = name.into();
        // All values that a constant expression reads are constants, so that none has to be checked for being set.
        lower.copies = true;
        lower
    }

    /// The bytes of a static object at the start.
    pub fn contents(&mut self, key: Key) -> Contents {
        let unit = self.units[key.0].clone();
        let Some(list) = unit.tast[key.1].init else {
            return Contents::Bytes(Box::new([]), Box::new([]));
        };
        let mut bytes = Vec::new();
        let mut patches = Vec::new();
        for entry in &unit.tast[list] {
            self.static_part(key, 0, entry, &mut bytes, &mut patches);
        }
        Contents::Bytes(bytes.into(), patches.into())
    }

    fn static_part(
        &mut self,
        key: Key,
        base: u64,
        entry: &InitEntry,
        bytes: &mut Vec<u8>,
        patches: &mut Vec<Patch>,
    ) {
        let unit = self.units[key.0].clone();
        let node = unit.tast[entry.value];
        let offset = base + entry.offset;
        if offset > MOST_BYTES {
            return self.not_constant(key);
        }
        match (unit.kind(node.ty), node.kind) {
            (TypeShape::Aggregate, ExprKind::Str(id)) => {
                let text = unit.tast[id].bytes(&unit.target);
                let size = usize::try_from(unit.size(node.ty).unwrap_or(0)).unwrap_or(0);
                put(bytes, offset, &text[..text.len().min(size)]);
            }
            (TypeShape::Aggregate, ExprKind::CompoundLiteral(decl)) => {
                let Some(list) = unit.tast[decl].init else { return };
                for inner in &unit.tast[list] {
                    self.static_part(key, offset, inner, bytes, patches);
                }
            }
            (TypeShape::Aggregate, ExprKind::Convert { operand, .. } | ExprKind::Cast(operand)) => {
                let inner = InitEntry { value: operand, ..*entry };
                self.static_part(key, base, &inner, bytes, patches);
            }
            _ => self.static_scalar(key, offset, entry, bytes, patches),
        }
    }

    /// A scalar at an offset of a static object.
    fn static_scalar(
        &mut self,
        key: Key,
        offset: u64,
        entry: &InitEntry,
        bytes: &mut Vec<u8>,
        patches: &mut Vec<Patch>,
    ) {
        let unit = self.units[key.0].clone();
        let Some(shape) = unit.shape(unit.tast[entry.value].ty) else {
            return self.not_constant(key);
        };
        let mut lower = self.at_start(key);
        let value = lower.value(entry.value);
        let stored = lower.as_stored(value, shape);
        let is_straight = lower.body.is_straight();
        let ops = std::mem::replace(&mut lower.body, Body::new()).take_operations();
        let only_loads = ops.iter().all(|op| matches!(op, Op::Load { .. }));
        if !(is_straight && only_loads) || entry.reverse {
            return self.not_constant(key);
        }
        let constant = match self.program.terms.value(stored) {
            Some(Value::Bv(bits)) => bits.to_u128(),
            Some(Value::Float(float)) => Some(float.bits()),
            _ => None,
        };
        match constant {
            Some(bits) if entry.is_bit_field() => {
                put_bits(bytes, offset * 8 + u64::from(entry.bit_offset), entry.bit_width, bits);
            }
            Some(bits) => {
                let size = match shape.stored() {
                    Sort::Bv(width) => width / 8,
                    Sort::Float(format) => format.width() / 8,
                    _ => 0,
                };
                put(bytes, offset, &bits.to_le_bytes()[..size as usize]);
            }
            None if entry.is_bit_field() => self.not_constant(key),
            None if self.is_over_addresses(stored) => {
                patches.push(Patch { offset, value: stored });
            }
            None => self.store_at_start(key, offset, ops, stored),
        }
    }

    /// Has the start of the program write a value to a static object. GNU C lets an initialiser read a
    /// constant object, which has its value by then; `ops` read it.
    fn store_at_start(&mut self, key: Key, offset: u64, ops: Vec<Op>, value: TermId) {
        let unit = self.units[key.0].clone();
        let Some(Storage::Memory(address)) = self.known_global(key) else {
            return self.not_constant(key);
        };
        if let Scope::Address(object) = self.program.cfa.variables[address].scope {
            self.program.cfa.objects[object].kind = ObjectKind::Data;
            self.assume_const(true, unit.span(unit.tast.decl_span(key.1)));
        }
        let width = self.width();
        let terms = &mut self.program.terms;
        let (base, offset) = (terms.var(address), terms.bv(width, u128::from(offset)));
        let address = terms.bv_add(base, offset);
        self.start.extend(ops);
        self.start.push(Op::Store { address, value });
    }

    fn is_over_addresses(&self, term: TermId) -> bool {
        let is_address =
            |var: &Var| matches!(self.program.cfa.variables[*var].scope, Scope::Address(_));
        self.program.terms.vars(term).iter().all(is_address)
    }

    fn not_constant(&mut self, key: Key) {
        let unit = self.units[key.0].clone();
        let span = unit.span(unit.tast.decl_span(key.1));
        let name = unit.tast[key.1].name.map_or("?", |name| unit.name(name)).to_owned();
        self.start.push(Op::Unsupported(format!("the initialiser of `{name}`").into()));
        let text = format!("the initialiser of `{name}` is not modelled");
        self.program.cfa.assume(AssumptionKind::Semantics, text, span);
    }

    /// The operations that give its value to a static object that is kept in variables.
    pub fn static_assignments(&mut self, key: Key, storage: &Storage) -> Vec<Op> {
        let mut lower = self.at_start(key);
        let place = lower.stored(storage);
        match storage {
            Storage::Var(_, shape) if lower.unit.tast[key.1].init.is_none() => {
                let zero = lower.zero(*shape);
                lower.write(&place, zero, *shape);
            }
            Storage::Var(..) => lower.initialise(key.1, &place),
            _ => {
                let ty = lower.unit.tast[key.1].ty;
                let entries = lower.unit.tast[key.1]
                    .init
                    .map(|list| lower.unit.tast[list].to_vec())
                    .unwrap_or_default();
                lower.clear(&place, ty, 0, &entries);
                for entry in &entries {
                    lower.initialise_part(&place, entry, false);
                }
            }
        }
        lower.body.take_operations()
    }

    /// The function that initialises the globals, makes `main`'s arguments and calls it.
    pub fn lower_start(
        &mut self,
        start: FuncId,
        entry: Key,
        signature: &Signature,
        constructors: &[Signature],
    ) {
        let mut body = Body::new();
        let unit = self.units[entry.0].clone();
        let span = unit.span(unit.tast.decl_span(entry.1));
        body.set_span(span);
        let ops = std::mem::take(&mut self.start);
        for op in ops {
            body.emit(op);
        }
        body.flush();
        if let Some(what) = self.loaded_otherwise {
            body.emit(Op::Unsupported(what.into()));
            body.flush();
        }
        for constructor in constructors {
            if !constructor.shapes.parameters.is_empty() {
                body.emit(Op::Unsupported("a constructor with parameters".into()));
                self.called_elsewhere.push(constructor.function);
                continue;
            }
            let (callee, arguments) = (constructor.function, Box::new([]));
            body.emit(Op::Call { callee, arguments, results: Box::new([]) });
            body.flush();
            self.no_jump(&mut body);
        }
        let arguments = self.main_arguments(start, signature, &mut body, entry);
        let results: Vec<_> = signature
            .shapes
            .result
            .map(|sort| {
                let var = self.local(start, "@start::result", sort);
                if matches!(sort, Sort::Bv(_)) {
                    self.program.cfa.variables[var].reading = Reading::Signed;
                }
                self.program.cfa.functions[start].results.push(var);
                var
            })
            .into_iter()
            .collect();
        body.flush();
        body.emit(Op::Call { callee: signature.function, arguments, results: results.into() });
        self.no_jump(&mut body);
        if self.has_destructors {
            body.flush();
            body.emit(Op::Unsupported(DESTRUCTORS.into()));
        }
        body.jump(body.exit());
        body.finish(&mut self.program.cfa, start);
    }

    /// `argc` is any positive number, `argv` an array of as many strings. If the entry function
    /// takes other parameters, they are arbitrary.
    fn main_arguments(
        &mut self,
        start: FuncId,
        signature: &Signature,
        body: &mut Body,
        entry: Key,
    ) -> Box<[TermId]> {
        let sorts = signature.shapes.parameters.clone();
        let address = Sort::Bv(self.width());
        let is_main = self.options.entry == "main"
            && matches!(sorts.as_slice(), [Sort::Bv(32), rest @ ..] if rest.iter().all(|sort| *sort == address));
        if is_main {
            return self.argument_strings(start, sorts.len(), body, entry);
        }
        self.entry_arguments(start, signature, body, entry)
    }

    /// The arguments of `main`: `count` of `argc`, `argv` and `envp`. Where the program looks at
    /// `argv`, its arguments are few and short; that is one of the run's assumptions.
    fn argument_strings(
        &mut self,
        start: FuncId,
        count: usize,
        body: &mut Body,
        entry: Key,
    ) -> Box<[TermId]> {
        let unit = self.units[entry.0].clone();
        let used = count >= 2 && self.uses_parameter(&unit, entry, 1);
        if count >= 3 && self.uses_parameter(&unit, entry, 2) {
            body.emit(Op::Unsupported("the environment variables of the program".into()));
        }
        let text = "the first argument of the program is its name".to_owned();
        self.program.cfa.assume(AssumptionKind::Environment, text, None);
        let argc = self.argument_count(start, body, used);
        let null = self.program.terms.bv(self.width(), 0);
        let mut arguments = vec![argc];
        if count >= 2 {
            arguments.push(self.argument_array(start, body, entry, used.then_some(argc)));
        }
        arguments.resize(count, null);
        arguments.into()
    }

    /// `argc`: small where the program looks at `argv`.
    fn argument_count(&mut self, start: FuncId, body: &mut Body, used: bool) -> TermId {
        let width = if used { ARGUMENT_BITS } else { 31 };
        let further = self.local(start, "@start::further", Sort::Bv(width));
        // The name of the program is no input.
        let choice = Choice::Input("further arguments".into());
        body.emit(Op::Havoc { var: further, choice });
        let terms = &mut self.program.terms;
        let further = terms.var(further);
        let further = terms.bv_zero_extend(32, further);
        let one = terms.bv(32, 1);
        let sum = terms.bv_add(further, one);
        if used {
            return sum;
        }
        // Without `argv` any positive number will do. `argc` has no room for one more than the largest input, so this
        // input gives the same number as the input below it.
        let largest = terms.bv(32, (1 << 31) - 1);
        let is_largest = terms.eq(further, largest);
        terms.ite(is_largest, largest, sum)
    }

    /// `argv`, with as many strings in it as there are arguments, if the program looks at them.
    fn argument_array(
        &mut self,
        start: FuncId,
        body: &mut Body,
        entry: Key,
        argc: Option<TermId>,
    ) -> TermId {
        let unit = self.units[entry.0].clone();
        let width = self.width();
        let step = u64::from(width / 8);
        let size = self.program.terms.bv(width, u128::from((MOST_ARGUMENTS + 1) * step));
        let name = self.parameter_name(&unit, entry, Some(1));
        let (span, address) = (parameter_span(&unit, entry, 1), Sort::Bv(width));
        let named = |name: String| Variable {
            scope: Scope::Local(start),
            reading: Reading::Plain,
            source_name: Some(format!("&{name}").into()),
            span,
        };
        let whole = named(format!("{}.{name}", self.options.entry));
        let argv = self.program.declare("@start::argv", address, whole);
        let kind = AllocKind::Stack;
        body.emit(Op::Alloc { var: argv, size, align: step, kind, zeroed: true });
        let argv = self.program.terms.var(argv);
        let Some(argc) = argc else { return argv };
        let text = format!(
            "the program has at most {MOST_ARGUMENTS} arguments, each shorter than {ARGUMENT_LENGTH} bytes"
        );
        self.program.cfa.assume(AssumptionKind::Environment, text, None);
        let null = self.program.terms.bv(width, 0);
        for index in 0..MOST_ARGUMENTS {
            let variable = named(format!("{name}[{index}]"));
            let string = self.argument_string(variable, body, index, ARGUMENT_LENGTH);
            let terms = &mut self.program.terms;
            let offset = terms.bv(width, u128::from(index * step));
            let address = terms.bv_add(argv, offset);
            // Behind the last argument stands a null pointer.
            let at = terms.bv(32, u128::from(index));
            let given = terms.bv_slt(at, argc);
            let value = terms.ite(given, string, null);
            body.emit(Op::Store { address, value });
        }
        argv
    }

    /// An arbitrary string of fewer than `length` bytes.
    fn argument_string(
        &mut self,
        variable: Variable,
        body: &mut Body,
        index: u64,
        length: u64,
    ) -> TermId {
        let width = self.width();
        let label = format!("@start::argument{index}");
        let var = self.program.declare(label.as_str(), Sort::Bv(width), variable);
        let terms = &mut self.program.terms;
        let size = terms.bv(width, u128::from(length));
        body.emit(Op::Alloc { var, size, align: 1, kind: AllocKind::Stack, zeroed: true });
        let address = terms.var(var);
        let length = terms.bv(width, u128::from(length - 1));
        let choice = Choice::Input(format!("argv[{index}]").into());
        body.emit(Op::HavocMemory { address, length, choice });
        address
    }

    /// Whether a function mentions one of its parameters.
    fn uses_parameter(&self, unit: &super::unit::Unit, function: Key, index: usize) -> bool {
        let parameters = &unit.tast[unit.tast[function.1].params];
        let Some(&parameter) = parameters.get(index) else { return false };
        (0..unit.tast.counts().exprs)
            .map(|at| unit.tast[ExprId::from_usize(at)].kind)
            .any(|kind| matches!(kind, ExprKind::Decl(decl) if decl == parameter))
    }
}

/// An initialiser that reaches further into its object is not kept as bytes.
const MOST_BYTES: u64 = 1 << 28;

fn put(bytes: &mut Vec<u8>, offset: u64, value: &[u8]) {
    let Ok(offset) = usize::try_from(offset) else { return };
    if bytes.len() < offset + value.len() {
        bytes.resize(offset + value.len(), 0);
    }
    bytes[offset..offset + value.len()].copy_from_slice(value);
}

fn put_bits(bytes: &mut Vec<u8>, offset: u64, width: u32, value: u128) {
    for bit in 0..u64::from(width) {
        let at = offset + bit;
        let Ok(index) = usize::try_from(at / 8) else { return };
        if bytes.len() <= index {
            bytes.resize(index + 1, 0);
        }
        let mask = 1 << (at % 8);
        if value >> bit & 1 == 1 {
            bytes[index] |= mask;
        } else {
            bytes[index] &= !mask;
        }
    }
}
