//! What is known of the variables and the memory of a program while a run is followed.

mod addresses;
mod known;
mod lookup;
mod objects;
mod volatile;
mod words;

use base::Id as _;
use cfa::{AllocKind, Contents, FuncId, Infix, ObjectId, Op, Program, Scope};
use interp::{Change, Origin};
use rustc_hash::FxHashMap;
use term::{Bv, Evaluator, Value, Var};

use super::names;
use crate::execution::{Event, Execution};
use crate::types::{Type, Types};

pub(crate) use objects::{INVALID_FREE, LOWEST, Wrong};
pub(crate) use volatile::VolatileValue;
pub(crate) use words::character;

/// Objects and changes with more bytes than this are not followed.
const MOST: u64 = 1 << 16;

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
    /// The object of the model, if the object exists from the start.
    object: Option<ObjectId>,
    is_heap: bool,
    is_freed: bool,
    /// Where the program's own text made it, if it is on the heap.
    made_at: Option<base::Span>,
    /// Where the program's own text ended it.
    freed_at: Option<base::Span>,
    /// The depth of the activation that the object ends with, if it ends with one.
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
    /// The addresses of these objects, by the variables that stand for them in terms.
    addresses: FxHashMap<Var, Value>,
    /// Address and name of every object in the order in which they began; objects without a name in the
    /// source have none.
    births: Vec<(u64, String)>,
    /// Whether all objects that have begun are known, so that they can be counted.
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
            // Steps were left out, and their changes are not known.
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

    /// Makes the change of an event at this index.
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

    /// Gives a block of the heap the target type of the first pointer to it.
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

    /// Gives a block of the heap the type of another block whose contents are copied to its beginning, as `realloc`
    /// does.
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

    /// Begins an object. It is named after the variable that gets its address, or else by a number.
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
                // Variables inside models of the library mean nothing to a reader of the program.
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

    /// How deep the activation is where the run stands.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    fn held(&self, var: Var) -> Option<&Value> {
        let held = self.frames.get(self.depth)?.get(&var).or_else(|| self.globals.get(&var))?;
        held.as_ref()
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
