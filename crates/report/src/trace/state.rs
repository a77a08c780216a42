//! What is known of the variables and the memory of a program while a run is followed.

mod known;
mod objects;
mod volatile;

use base::Id as _;
use cfa::{AllocKind, Contents, FuncId, Infix, ObjectId, ObjectKind, Op, Program, Reading, Scope};
use interp::{Change, Origin, show};
use rustc_hash::FxHashMap;
use term::{Bv, Evaluator, Float, Format, Value, Var};

use super::names;
use super::place::{NamedPlace, What};
use crate::execution::{Event, Execution};
use crate::scope;
use crate::types::{Type, Types, Wanted};

pub(crate) use objects::{INVALID_FREE, LOWEST, Wrong};
pub(crate) use volatile::VolatileValue;

/// Objects and changes with more bytes than this are not followed.
const MOST: u64 = 1 << 16;

/// Parts of a structure or an array that are shown at most.
const PARTS: usize = 6;

/// The longest text of a string literal that is shown.
const STRING: usize = 24;

/// An object of the run.
#[derive(Clone, Debug)]
struct Region {
    start: u64,
    /// At least one, so that every object has an address of its own.
    size: u64,
    /// The number of its bytes.
    bytes: u64,
    /// Empty where the source has no name for it.
    name: String,
    ty: Option<Type>,
    /// Where it is declared.
    declared: Option<base::Span>,
    /// Which of the objects it is that exist from the start.
    object: Option<ObjectId>,
    is_heap: bool,
    is_freed: bool,
    /// Where the program's own text made it, if it is on the heap.
    made_at: Option<base::Span>,
    /// Where the program's own text ended it.
    freed_at: Option<base::Span>,
    /// How deep the activation is that it ends with, if it does.
    depth: Option<usize>,
}

/// The state of a run, as far as it is known.
pub(crate) struct State<'p> {
    program: &'p Program,
    pub(crate) types: Types<'p>,
    /// The variables of each activation, the outermost first.
    frames: Vec<FxHashMap<Var, Option<Value>>>,
    globals: FxHashMap<Var, Option<Value>>,
    /// Bytes whose values are known.
    memory: FxHashMap<u64, u8>,
    regions: Vec<Region>,
    /// Where the objects are that exist from the start, by name.
    placed: FxHashMap<String, u64>,
    /// The addresses of these objects as terms name them.
    addresses: FxHashMap<Var, Value>,
    /// Address and name of every object in the order in which they began; objects without a name in the
    /// source have none.
    births: Vec<(u64, String)>,
    /// Whether no object has begun unseen.
    is_counted: bool,
    blocks: u32,
    /// Steps that were followed.
    number: u64,
    /// Where the run stands.
    depth: usize,
    function: Option<FuncId>,
    span: Option<base::Span>,
    /// The last place in the program's own text.
    own_span: Option<base::Span>,
    /// What the present statement has read from volatile objects that others may change, in order.
    found: Vec<VolatileValue>,
}

impl<'p> State<'p> {
    /// The state before the first step.
    pub(crate) fn new(program: &'p Program, execution: &Execution) -> Self {
        let mut state = Self {
            program,
            types: Types::of(program),
            frames: vec![FxHashMap::default()],
            globals: FxHashMap::default(),
            memory: FxHashMap::default(),
            regions: Vec::new(),
            placed: FxHashMap::default(),
            addresses: FxHashMap::default(),
            births: Vec::new(),
            is_counted: true,
            blocks: 0,
            number: 0,
            depth: 0,
            function: None,
            span: None,
            own_span: None,
            found: Vec::new(),
        };
        let width = program.cfa.address_width;
        for (id, start) in &execution.placed {
            let object = &program.cfa.objects[*id];
            state.addresses.insert(object.address, Value::Bv(Bv::new(width, u128::from(*start))));
            state.placed.insert(object.name.to_string(), *start);
            let ty = object.span.and_then(|span| state.types.declared(span)).cloned();
            let bytes = own_size(program, object.size);
            let size = bytes.max(1);
            let ty = ty.map(|ty| state.types.with_length(ty, bytes));
            let ty = ty.filter(|ty| state.types.size(ty).is_none_or(|known| known == bytes));
            let name = match object.span {
                Some(span) => names::shown(program, names::plain(&object.name), Some(span)),
                None => object.name.rsplit("::").next().unwrap_or(&object.name).to_owned(),
            };
            let (is_heap, is_freed, depth) = (false, false, None);
            let (made_at, freed_at) = (None, None);
            state.is_counted &= id.index() == state.births.len();
            state.born(*start, &name);
            let start = *start;
            let region = Region {
                start,
                size,
                bytes,
                name,
                ty,
                declared: object.span,
                object: Some(*id),
                is_heap,
                is_freed,
                made_at,
                freed_at,
                depth,
            };
            state.regions.push(region);
        }
        for (id, start) in &execution.placed {
            state.contents(&program.cfa.objects[*id], *start);
        }
        state
    }

    fn contents(&mut self, object: &cfa::Object, start: u64) {
        let Contents::Bytes(bytes, patches) = &object.contents else { return };
        let size = own_size(self.program, object.size);
        if size > MOST {
            return;
        }
        for offset in 0..size {
            let byte = bytes.get(usize::try_from(offset).unwrap_or(usize::MAX)).copied();
            self.memory.insert(start.wrapping_add(offset), byte.unwrap_or(0));
        }
        for patch in patches {
            let mut evaluator = Evaluator::new();
            match evaluator.eval(&self.program.terms, patch.value, &self.addresses) {
                Ok(value) => self.store(start.wrapping_add(patch.offset), &value),
                Err(_) => self.forget(start, size),
            }
        }
    }

    /// Goes to where an event starts, without its changes.
    pub(crate) fn enter(&mut self, event: &Event) {
        if event.number > self.number + 1 {
            // What happened in between is not known.
            self.is_counted = false;
            self.memory.clear();
            self.globals.clear();
            self.frames.iter_mut().for_each(FxHashMap::clear);
        }
        self.number = event.number;
        self.depth = event.depth;
        if self.frames.len() > event.depth + 1 {
            let ended = |region: &&mut Region| region.depth.is_some_and(|at| at > event.depth);
            self.regions.iter_mut().filter(ended).for_each(|region| region.is_freed = true);
        }
        self.frames.truncate(event.depth + 1);
        self.frames.resize_with(event.depth + 1, FxHashMap::default);
        let edge = &self.program.cfa.edges[event.edge];
        self.function = Some(self.program.cfa.locations[edge.source].function);
        if self.span != edge.span {
            self.found.clear();
        }
        self.span = edge.span;
        let own = edge.span.filter(|span| !self.program.sources.is_borrowed(span.file));
        self.own_span = own.or(self.own_span);
    }

    /// Goes to where a run ends.
    pub(crate) fn stop_at(&mut self, location: cfa::LocId) {
        let location = &self.program.cfa.locations[location];
        if self.function == Some(location.function) {
            self.span = location.span;
        }
    }

    /// Goes back to an activation that has called the present one.
    pub(crate) fn return_to(&mut self, event: &Event) {
        let edge = &self.program.cfa.edges[event.edge];
        self.depth = event.depth;
        self.function = Some(self.program.cfa.locations[edge.source].function);
        self.span = edge.span;
    }

    /// One change of an event, which is the one at this index.
    pub(crate) fn change(&mut self, event: &Event, at: usize) {
        let edge = &self.program.cfa.edges[event.edge];
        let is_call = event.returned.is_none() && matches!(edge.ops.last(), Some(Op::Call { .. }));
        match &event.changes[at] {
            Change::Assigned { var, value } => self.assign(*var, value.clone(), is_call),
            Change::Drawn { origin: Origin::Variable(var, _), value, .. } => {
                self.assign(*var, Some(value.clone()), false);
            }
            Change::Drawn { origin, holder, value } => {
                if let Origin::Havoc(site) = origin {
                    self.find(*site, value);
                }
                if let Some(at) = self.address_of(*holder) {
                    self.store(at, value);
                }
            }
            Change::Stored { address, value } => {
                self.store(*address, value);
                if !self.is_untyped_block(value) {
                    return;
                }
                let size = u64::from(self.program.cfa.address_width / 8);
                let pointer = self.stored_at(*address, size).and_then(|place| place.ty);
                self.note_target(pointer, Some(value));
            }
            Change::Copied { to, from, length } => {
                self.note_moved(*to, *from);
                if *length > MOST {
                    return self.forget(*to, *length);
                }
                let bytes: Vec<Option<u8>> =
                    (0..*length).map(|at| self.byte(from.wrapping_add(at))).collect();
                for (at, byte) in (0..).zip(bytes) {
                    self.set(to.wrapping_add(at), byte);
                }
            }
            Change::Filled { address, length, byte } => {
                if *length > MOST {
                    return self.forget(*address, *length);
                }
                (0..*length).for_each(|at| self.set(address.wrapping_add(at), Some(*byte)));
            }
            Change::Havocked { address, length } => self.forget(*address, *length),
            Change::Allocated { address, size } => self.begin(event, at, *address, *size),
            Change::Freed { address } => {
                let of = |region: &&mut Region| region.start == *address && !region.is_freed;
                if let Some(region) = self.regions.iter_mut().rev().find(of) {
                    region.is_freed = true;
                    region.freed_at = self.own_span;
                }
            }
        }
    }

    fn assign(&mut self, var: Var, value: Option<Value>, is_call: bool) {
        self.note_target(self.ty(var), value.as_ref());
        match self.program.cfa.variables[var].scope {
            Scope::Local(_) => {
                let depth = self.depth + usize::from(is_call);
                self.frames.resize_with(self.frames.len().max(depth + 1), FxHashMap::default);
                self.frames[depth].insert(var, value);
            }
            _ => {
                self.globals.insert(var, value);
            }
        }
    }

    /// Whether a value is the address of a block of the heap whose type is not known yet.
    fn is_untyped_block(&self, value: &Value) -> bool {
        let untyped = |region: &&Region| region.is_heap && region.ty.is_none();
        let blocks = self.regions.iter().rev().filter(untyped);
        address(value).is_some_and(|at| blocks.into_iter().any(|region| region.start == at))
    }

    /// A block of the heap has the type of what the first pointer to it points to.
    fn note_target(&mut self, pointer: Option<Type>, value: Option<&Value>) {
        let Some(address) = value.and_then(address).filter(|at| *at != 0) else { return };
        let Some(Type::Pointer(target)) = pointer else { return };
        let Some(size) = self.types.size(&target).filter(|size| *size > 0) else { return };
        let fits = |region: &&mut Region| {
            region.is_heap && region.start == address && region.ty.is_none() && !region.is_freed
        };
        if let Some(region) = self.regions.iter_mut().rev().find(fits)
            && region.size.is_multiple_of(size)
        {
            region.ty = Some(match region.size / size {
                1 => *target,
                count => Type::Array(target, Some(count)),
            });
        }
    }

    /// A block of the heap that begins with what another one held has its type: `realloc`.
    fn note_moved(&mut self, to: u64, from: u64) {
        let old = self.region(from).filter(|region| region.is_heap && region.start == from);
        let element = match old.and_then(|region| region.ty.clone()) {
            Some(Type::Array(element, _)) => element,
            Some(ty) => Box::new(ty),
            None => return,
        };
        let width = self.program.cfa.address_width;
        self.note_target(Some(Type::Pointer(element)), Some(&Value::Bv(Bv::new(width, to.into()))));
    }

    fn store(&mut self, address: u64, value: &Value) {
        let (bits, width) = match value {
            Value::Bv(bits) => (bits.to_u128(), bits.width()),
            Value::Float(float) => (Some(float.bits()), float.format().width()),
            _ => return,
        };
        for at in 0..u64::from(width.div_ceil(8)) {
            let byte = bits.map(|bits| (bits >> (8 * at.min(15))) as u8);
            self.set(address.wrapping_add(at), byte);
        }
    }

    fn set(&mut self, address: u64, byte: Option<u8>) {
        match byte {
            Some(byte) => {
                self.memory.insert(address, byte);
            }
            None => {
                self.memory.remove(&address);
            }
        }
    }

    fn byte(&self, address: u64) -> Option<u8> {
        self.memory.get(&address).copied()
    }

    fn forget(&mut self, address: u64, length: u64) {
        match length {
            0..=MOST => (0..length).for_each(|at| self.set(address.wrapping_add(at), None)),
            _ => self.memory.clear(),
        }
    }

    /// An object begins: named after the variable whose address it is, or counted.
    fn begin(&mut self, event: &Event, at: usize, address: u64, size: u64) {
        let size = own_size(self.program, size);
        let ops = &self.program.cfa.edges[event.edge].ops;
        let alloc = |op: &Op| match op {
            Op::Alloc { kind, zeroed, .. } => Some((*kind, *zeroed)),
            _ => None,
        };
        let kinds: Vec<(AllocKind, bool)> = ops.iter().filter_map(alloc).collect();
        let zeroed = !kinds.is_empty() && kinds.iter().all(|(_, zeroed)| *zeroed);
        let is_heap = kinds.iter().any(|(kind, _)| *kind == AllocKind::Heap);
        self.forget(address, size);
        if zeroed && size <= MOST {
            (0..size).for_each(|at| self.set(address.wrapping_add(at), Some(0)));
        }
        let named = match event.changes.get(at + 1) {
            Some(Change::Assigned { var, .. }) => {
                let name = Infix::new(self.program).with_source_names().name(*var);
                let ty = self.pointed(*var, size).or_else(|| self.ty(*var));
                // What models of the library have for themselves is no concern of the program.
                let span = self.program.cfa.variables[*var].span;
                let is_own = !span.is_some_and(|span| self.program.sources.is_borrowed(span.file));
                let name = name.strip_prefix('&').filter(|_| is_own);
                name.map(|name| (names::shown(self.program, name, span), ty, span))
            }
            _ => None,
        };
        let (name, ty, declared) = match named {
            Some(named) => named,
            None if is_heap => {
                self.blocks += 1;
                (format!("heap#{}", self.blocks), None, None)
            }
            None => (String::new(), None, None),
        };
        self.born(address, &name);
        let ty = ty.filter(|ty| self.types.size(ty).is_none_or(|known| known == size));
        self.regions.retain(|region| region.start != address);
        let (bytes, size) = (size, size.max(1));
        let (start, is_freed, freed_at) = (address, false, None);
        let depth = Some(event.depth).filter(|_| !is_heap);
        let made_at = self.own_span.filter(|_| is_heap);
        let object = None;
        self.regions.push(Region {
            start,
            size,
            bytes,
            name,
            ty,
            declared,
            object,
            is_heap,
            is_freed,
            made_at,
            freed_at,
            depth,
        });
    }

    /// The declared type of a variable, or of the object whose address it is.
    fn ty(&self, var: Var) -> Option<Type> {
        self.types.variable(var).map(|(ty, _)| ty)
    }

    /// What a name means where the run stands.
    pub(super) fn lookup(&self, name: &str) -> Option<NamedPlace> {
        let frame = self.frames.get(self.depth)?;
        if let Some(place) = self.lookup_in(frame, name) {
            return Some(place);
        }
        if let Some(place) = self.lookup_in(&self.globals, name) {
            return Some(place);
        }
        let is_split = |var: &Var| {
            let known = self.program.cfa.variables[*var].source_name.as_deref().unwrap_or("");
            known.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '[']))
        };
        if frame.keys().chain(self.globals.keys()).any(is_split) {
            let what = What::Split(name.to_owned());
            return Some(NamedPlace { text: name.to_owned(), ty: None, what });
        }
        let function = self.function.map(|id| &*self.program.cfa.functions[id].name);
        let inner = function.map(|function| format!("{function}::{name}"));
        let inner = inner.and_then(|inner| self.placed.get(&inner));
        let address = *inner.or_else(|| self.placed.get(name))?;
        let region = self.regions.iter().find(|region| region.start == address)?;
        let what = What::Memory { address, bits: None };
        Some(NamedPlace { text: name.to_owned(), ty: region.ty.clone(), what })
    }

    fn lookup_in(&self, frame: &FxHashMap<Var, Option<Value>>, name: &str) -> Option<NamedPlace> {
        let named = |var: &Var| {
            let known = self.program.cfa.variables[*var].source_name.as_deref();
            known.is_some_and(|known| known.trim_start_matches('&') == name)
        };
        let mut found: Vec<(Var, &Option<Value>)> =
            frame.iter().filter(|(var, _)| named(var)).map(|(var, held)| (*var, held)).collect();
        if found.len() > 1 {
            let (function, span) = (self.function?, self.span?);
            found.retain(|(var, _)| scope::is_visible(self.program, *var, function, span));
        }
        let [(var, held)] = found[..] else { return None };
        let ty = self.ty(var);
        let known = self.program.cfa.variables[var].source_name.as_deref()?;
        let what = match known.starts_with('&') {
            true => What::Memory { address: address(held.as_ref()?)?, bits: None },
            false => What::Variable(var),
        };
        Some(NamedPlace { text: name.to_owned(), ty, what })
    }

    /// A part of a structure that is not in memory.
    pub(super) fn part(&self, path: String, text: String) -> Option<NamedPlace> {
        self.lookup(&path).map(|place| NamedPlace { text, ..place })
    }

    /// How deep the activation is where the run stands.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    fn held(&self, var: Var) -> Option<&Value> {
        let held = self.frames.get(self.depth)?.get(&var).or_else(|| self.globals.get(&var))?;
        held.as_ref()
    }

    /// The number that a place holds, with its type: arrays are the addresses of their first
    /// elements.
    pub(super) fn number(&self, place: &NamedPlace) -> Option<(i128, Option<Type>)> {
        match (&place.what, &place.ty) {
            (What::Number(number), ty) => Some((*number, ty.clone())),
            (What::Memory { address, .. }, Some(Type::Array(element, _))) => {
                Some((i128::from(*address), Some(Type::Pointer(element.clone()))))
            }
            (What::Variable(var), ty) => {
                let bits = self.held(*var)?.as_bv()?;
                let value = match self.program.cfa.variables[*var].reading {
                    Reading::Signed => bits.to_i128()?,
                    _ => i128::try_from(bits.to_u128()?).ok()?,
                };
                Some((value, ty.clone()))
            }
            (What::Memory { .. }, Some(ty)) if !ty.is_aggregate() => {
                let value = self.value(place)?;
                let bits = value.as_bv()?;
                let is_signed = matches!(ty, Type::Integer { signed: true, .. } | Type::Character);
                let number = match is_signed {
                    true => bits.to_i128()?,
                    false => i128::try_from(bits.to_u128()?).ok()?,
                };
                Some((number, Some(ty.clone())))
            }
            _ => None,
        }
    }

    /// The value of something without parts.
    fn value(&self, place: &NamedPlace) -> Option<Value> {
        let (address, bits) = match &place.what {
            What::Variable(var) => return self.held(*var).cloned(),
            What::Memory { address, bits } => (*address, *bits),
            _ => return None,
        };
        let ty = place.ty.as_ref().filter(|ty| !ty.is_aggregate())?;
        let size = match (ty, bits) {
            (_, Some((low, width))) => u64::from((low + width).div_ceil(8)),
            (Type::Float(80), None) => 10,
            _ => self.types.size(ty)?,
        };
        // What is outside of the object is not the value of the place.
        let region = self.region(address).filter(|region| !region.is_freed)?;
        if address - region.start + size > region.size {
            return None;
        }
        let mut raw = 0_u128;
        for at in (0..size.min(16)).rev() {
            raw = raw << 8 | u128::from(self.byte(address.wrapping_add(at))?);
        }
        Some(match (ty, bits) {
            (_, Some((low, width))) => Value::Bv(Bv::new(width, raw >> low & ((1 << width) - 1))),
            (Type::Float(32), _) => Value::Float(Float::from_bits(Format::Single, raw)),
            (Type::Float(64), _) => Value::Float(Float::from_bits(Format::Double, raw)),
            (Type::Float(80), _) => Value::Float(Float::from_bits(Format::X87, raw)),
            (Type::Float(_), _) => return None,
            _ => Value::Bv(Bv::new(u32::try_from(size * 8).ok()?, raw)),
        })
    }

    /// The value that a place holds, in words.
    pub(crate) fn text(&self, place: &NamedPlace) -> Option<String> {
        match (&place.what, &place.ty) {
            (What::Variable(var), _) => Some(self.show_variable(*var, self.held(*var)?)),
            (What::Memory { address, bits: None }, Some(ty)) if ty.is_aggregate() => {
                self.aggregate(*address, ty)
            }
            (What::Memory { .. }, Some(_)) => {
                let value = self.value(place)?;
                Some(self.show(&value, place.ty.as_ref(), Reading::Signed))
            }
            _ => None,
        }
    }

    /// `{x = 1, y = 2}`, if all that is shown of it is known; of many parts the first ones.
    fn aggregate(&self, address: u64, ty: &Type) -> Option<String> {
        let mut parts = 0;
        self.aggregate_within(address, ty, &mut parts)
    }

    fn part_text(
        &self,
        at: u64,
        ty: &Type,
        bits: Option<(u32, u32)>,
        parts: &mut usize,
    ) -> Option<String> {
        if ty.is_aggregate() {
            return self.aggregate_within(at, ty, parts);
        }
        *parts += 1;
        let what = What::Memory { address: at, bits };
        self.text(&NamedPlace { text: String::new(), ty: Some(ty.clone()), what })
    }

    fn aggregate_within(&self, address: u64, ty: &Type, parts: &mut usize) -> Option<String> {
        let mut texts = Vec::new();
        match ty {
            Type::Array(element, count) => {
                let (count, size) = ((*count)?, self.types.size(element)?);
                if **element == Type::Character
                    && let Some(text) = self.characters(address, count)
                {
                    *parts += 1;
                    return Some(text);
                }
                for index in 0..count {
                    if *parts >= PARTS {
                        texts.push("…".to_owned());
                        break;
                    }
                    let at = address.wrapping_add(index * size);
                    texts.push(self.part_text(at, element, None, parts)?);
                }
            }
            Type::Record(record) => {
                for member in self.types.members(*record)? {
                    if *parts >= PARTS {
                        texts.push("…".to_owned());
                        break;
                    }
                    let at = address.wrapping_add(member.offset);
                    let text = self.part_text(at, &member.ty, member.bits, parts)?;
                    texts.push(match &member.name {
                        Some(name) => format!("{name} = {text}"),
                        None => text,
                    });
                }
            }
            _ => return None,
        }
        Some(format!("{{{}}}", texts.join(", ")))
    }

    /// The value of a variable in words.
    pub(crate) fn show_variable(&self, var: Var, value: &Value) -> String {
        let reading = self.program.cfa.variables[var].reading;
        self.show(value, self.ty(var).as_ref(), reading)
    }

    /// A value in words; where its type is not known, as the reading says.
    pub(crate) fn show(&self, value: &Value, ty: Option<&Type>, reading: Reading) -> String {
        match (ty, value) {
            (Some(Type::Pointer(target)), Value::Bv(_)) => self.pointer(value, Some(target)),
            (Some(Type::Enumeration(enumeration)), Value::Bv(bits)) => {
                let number = bits.to_i128();
                let name = number.and_then(|number| self.types.named(*enumeration, number));
                name.map_or_else(|| show(value, Reading::Signed), str::to_owned)
            }
            (Some(Type::Character), Value::Bv(bits)) => {
                let text = show(value, Reading::Signed);
                match bits.to_i128().and_then(character) {
                    Some(character) => format!("{text} ({character})"),
                    None => text,
                }
            }
            (Some(Type::Integer { signed: false, .. } | Type::Truth), Value::Bv(_)) => {
                show(value, Reading::Plain)
            }
            (Some(Type::Integer { .. }), Value::Bv(_)) => show(value, Reading::Signed),
            // Blocks of bytes are copied in words, whatever the words hold.
            (Some(Type::Float(width @ (32 | 64))), Value::Bv(bits)) if bits.width() == *width => {
                let format = if *width == 32 { Format::Single } else { Format::Double };
                let float = Float::from_bits(format, bits.to_u128().unwrap_or_default());
                show(&Value::Float(float), reading)
            }
            _ if reading == Reading::Address => self.pointer(value, None),
            _ => show(value, reading),
        }
    }

    /// How a value of unknown type is read: what is the address of an object is hardly anything else.
    pub(crate) fn guess(&self, value: &Value) -> Reading {
        let is_wide =
            matches!(value, Value::Bv(bits) if bits.width() == self.program.cfa.address_width);
        let starts = |at: u64| self.regions.iter().any(|region| region.start == at);
        match address(value).filter(|_| is_wide) {
            Some(at) if starts(at) => Reading::Address,
            _ => Reading::Signed,
        }
    }

    fn pointer(&self, value: &Value, target: Option<&Type>) -> String {
        let Some(at) = address(value) else { return show(value, Reading::Address) };
        if at == 0 {
            return "NULL".to_owned();
        }
        self.string(at)
            .or_else(|| self.address_name(at, target))
            .unwrap_or_else(|| show(value, Reading::Address))
    }

    /// A string literal that starts at an address.
    fn string(&self, at: u64) -> Option<String> {
        let region = self.regions.iter().find(|region| region.start == at)?;
        let object = &self.program.cfa.objects[region.object?];
        if object.kind != ObjectKind::ReadOnly || object.span.is_some() {
            return None;
        }
        let mut text = String::from("\"");
        for offset in 0..STRING as u64 {
            match self.byte(at.wrapping_add(offset))? {
                0 => return Some(format!("{text}\"")),
                byte => text.extend(char::from(byte).escape_default()),
            }
        }
        Some(format!("{text}…\""))
    }

    /// An array that holds text: what is behind the first NUL is shown where it is not all zeros, and an
    /// array without a NUL says so.
    fn characters(&self, at: u64, count: u64) -> Option<String> {
        let bytes: Vec<u8> =
            (0..count.min(MOST)).map_while(|offset| self.byte(at.wrapping_add(offset))).collect();
        let is_all = bytes.len() as u64 == count;
        let end = bytes.iter().position(|byte| *byte == 0);
        let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r');
        let first = &bytes[..end.unwrap_or(bytes.len())];
        if !first.iter().all(is_text) || (end.is_none() && !is_all) {
            return None;
        }
        let shown = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let text = quoted(&bytes[..shown]);
        Some(if end.is_none() { format!("{text} without a NUL") } else { text })
    }

    fn region(&self, at: u64) -> Option<&Region> {
        let inside = |region: &&Region| at >= region.start && at - region.start < region.size;
        let behind = |region: &&Region| at >= region.start && at - region.start == region.size;
        let live = || self.regions.iter().rev().filter(|region| !region.is_freed);
        live()
            .find(inside)
            .or_else(|| live().find(behind))
            .or_else(|| self.regions.iter().rev().find(inside))
    }

    /// `&line[4]`, `&line + 4`, `heap#2 + 8`.
    fn address_name(&self, at: u64, target: Option<&Type>) -> Option<String> {
        let region = self.region(at).filter(|region| !region.name.is_empty());
        let Some(region) = region else {
            let region = self.nearest(at)?;
            let sign = if region.is_heap { "" } else { "&" };
            let object = self.string(region.start);
            let object = object.unwrap_or_else(|| format!("{sign}{}", region.name));
            let (way, distance) = match at.checked_sub(region.start) {
                Some(offset) => ('+', offset),
                None => ('-', region.start - at),
            };
            return Some(format!("{object} {way} {distance}"));
        };
        let offset = at - region.start;
        let freed = match (region.is_freed, region.is_heap) {
            (true, true) => " (freed)",
            (true, false) => " (gone)",
            (false, _) => "",
        };
        if let Some(text) = self.string(region.start) {
            return Some(format!("{text} + {offset}"));
        }
        let sign = if region.is_heap { "" } else { "&" };
        if !region.is_heap
            && let (Some(ty), Some(target)) = (&region.ty, target)
            && let Some((path, _)) = self.types.path(ty, offset, Wanted::Type(target))
        {
            return Some(format!("&{}{path}{freed}", region.name));
        }
        Some(match offset {
            0 => format!("{sign}{}{freed}", region.name),
            _ => format!("{sign}{} + {offset}{freed}", region.name),
        })
    }

    /// The place of so many bytes in an object: `pts[1].y`, `heap#2.next`, or `heap#2 + 8`.
    pub(crate) fn stored_at(&self, at: u64, size: u64) -> Option<NamedPlace> {
        let region = self
            .region(at)
            .filter(|region| at - region.start < region.size && !region.name.is_empty())?;
        let offset = at - region.start;
        let what = What::Memory { address: at, bits: None };
        if let Some(ty) = &region.ty
            && let Some((path, ty)) = self.types.path(ty, offset, Wanted::Scalar(size))
        {
            let text = format!("{}{path}", region.name);
            return Some(NamedPlace { text, ty: Some(ty), what });
        }
        let text = match offset {
            0 => region.name.clone(),
            _ => format!("{} + {offset}", region.name),
        };
        Some(NamedPlace { text, ty: None, what })
    }

    /// The place of a whole object, or of a part with as many bytes.
    pub(crate) fn whole_at(&self, at: u64, size: u64) -> Option<NamedPlace> {
        let region = self.region(at).filter(|region| !region.name.is_empty())?;
        let (path, ty) =
            self.types.path(region.ty.as_ref()?, at - region.start, Wanted::Whole(size))?;
        let what = What::Memory { address: at, bits: None };
        Some(NamedPlace { text: format!("{}{path}", region.name), ty: Some(ty), what })
    }
}

/// How many bytes of an object are the program's own: behind them are those that say which are set.
pub(super) fn own_size(program: &Program, size: u64) -> u64 {
    match program.cfa.shadow {
        0 => size,
        shadow => size.checked_sub(shadow).unwrap_or(size),
    }
}

/// A value that may be an address.
fn address(value: &Value) -> Option<u64> {
    match value {
        Value::Bv(bits) => bits.to_u64(),
        _ => None,
    }
}

/// Bytes as a string of C; of many the first ones.
fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for (at, byte) in bytes.iter().enumerate() {
        if at == STRING {
            text.push('…');
            break;
        }
        let is_digit = bytes.get(at + 1).is_some_and(|next| matches!(next, b'0'..=b'7'));
        match byte {
            0 if !is_digit => text.push_str("\\0"),
            b'\'' => text.push('\''),
            b' '..=b'~' | b'\n' | b'\t' | b'\r' => {
                text.extend(char::from(*byte).escape_default());
            }
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

/// A character as C writes it.
pub(crate) fn character(code: i128) -> Option<String> {
    let c = char::from(u8::try_from(code).ok()?);
    Some(match c {
        '\n' => "'\\n'".to_owned(),
        '\t' => "'\\t'".to_owned(),
        '\r' => "'\\r'".to_owned(),
        '\'' | '\\' => format!("'\\{c}'"),
        ' '..='~' => format!("'{c}'"),
        _ => return None,
    })
}
