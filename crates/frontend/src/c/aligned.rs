//! Pointers from outside are aligned as their types ask.
//!
//! C gives a pointer that is not aligned to nobody. Without this, two pointers to integers from outside could point
//! to stretches that overlap by a byte, and a violation could rest on it. What the program itself makes of addresses
//! is not restricted: where it may make some that are not aligned, or write such ones to memory outside, nothing is
//! assumed of those that it reads there.

use cfa::{AssumptionKind, EdgeId, Op, Outside, Points, Program};
use rucc_sema::{ExprId, ExprKind};
use rucc_types::{TypeId, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, TermId, Value, Var, View};

use super::function::Lower;
use super::outside;
use super::signature::Key;
use super::unit::Unit;

/// Functions that give a new object of the program, which is aligned for every type.
const ALLOCATORS: [&str; 7] =
    ["aligned_alloc", "alloca", "calloc", "malloc", "memalign", "realloc", "reallocarray"];

/// What the types of a program say of the addresses that it gets, in bytes.
#[derive(Default)]
pub struct Alignments {
    /// Variables that somebody outside sets.
    given: FxHashMap<Var, u64>,
    /// Variables that hold what functions have given that were called through pointers.
    given_through: FxHashMap<Var, u64>,
    /// Variables that are read from memory.
    read: FxHashMap<Var, u64>,
    /// Values that are written to memory as such pointers.
    written: FxHashSet<TermId>,
    /// Whether the program may make addresses that are not aligned as their types ask.
    makes_others: bool,
}

impl Alignments {
    /// Somebody outside sets a variable of a type.
    pub fn give(&mut self, unit: &Unit, var: Var, ty: TypeId) {
        if matches!(unit.bare(ty), TypeKind::Pointer(_)) {
            self.given.insert(var, unit.asked_of(ty).unwrap_or(1));
        }
    }

    /// The program has a unit.
    pub fn add(&mut self, unit: &Unit) {
        self.makes_others |= unit.has_packed_members();
    }

    /// Has what is given by somebody outside, or read there, be aligned if it points outside.
    pub fn assume(&mut self, program: &mut Program, points: &Points, outside: Outside) {
        self.makes_others |= self.writes_others(program, points);
        let mut first: Option<EdgeId> = None;
        for edge in program.cfa.edges.ids().collect::<Vec<_>>() {
            let known = program.cfa.edges[edge].ops.to_vec();
            let mut ops = Vec::with_capacity(known.len());
            for op in known {
                let got = self.got(program, points, &op);
                ops.push(op);
                if let Some((var, align)) = got {
                    first = first.or(Some(edge));
                    ops.push(Op::Assume(is_aligned(program, var, align, outside)));
                }
            }
            if ops.len() > program.cfa.edges[edge].ops.len() {
                program.cfa.edges[edge].ops = ops.into();
            }
        }
        if let Some(edge) = first {
            let text = match self.makes_others {
                true => "pointers that are given from outside are aligned as their types ask",
                false => {
                    "pointers that are given or read from outside are aligned as their types ask"
                }
            };
            let span = program.cfa.edges[edge].span;
            program.cfa.assume(AssumptionKind::Environment, text, span);
        }
    }

    /// Whether the program writes something to memory outside that may be read as an address there and is not known
    /// to be aligned.
    fn writes_others(&self, program: &Program, points: &Points) -> bool {
        let Program { cfa, terms, .. } = program;
        let is_outside = |address: TermId| points.pointees(program, address).outside;
        cfa.edges.iter().flat_map(|edge| edge.ops.iter()).any(|op| match op {
            Op::Store { address, value } => {
                terms.sort(*value) == Sort::Bv(cfa.address_width)
                    && !self.written.contains(value)
                    && !matches!(terms.view(*value), View::Const(number) if is_round(number))
                    && is_outside(*address)
            }
            Op::Copy { to, .. } => is_outside(*to),
            _ => false,
        })
    }

    /// The variable that an operation sets from outside, and how it is aligned.
    fn got(&self, program: &Program, points: &Points, op: &Op) -> Option<(Var, u64)> {
        let (var, align) = match op {
            Op::Havoc { var, .. } => (*var, *self.given.get(var)?),
            Op::Load { var, address } if !self.makes_others => {
                let align = *self.read.get(var)?;
                points.pointees(program, *address).outside.then_some((*var, align))?
            }
            Op::Assign { var, .. } if !self.makes_others => (*var, *self.given_through.get(var)?),
            _ => return None,
        };
        (align > 1).then_some((var, align))
    }
}

/// Whether a constant is an address that is aligned for every type, such as null.
fn is_round(constant: &Value) -> bool {
    constant.as_bv().and_then(|bits| bits.to_u64()).is_some_and(|address| address % 16 == 0)
}

/// Whether a variable is aligned, or does not point outside.
fn is_aligned(program: &mut Program, var: Var, align: u64, outside: Outside) -> TermId {
    let is_there = outside::is_outside(program, var, outside);
    let terms = &mut program.terms;
    let bits = align.trailing_zeros();
    let address = terms.var(var);
    let low = terms.bv_extract(bits - 1, 0, address);
    let zero = terms.bv(bits, 0_u64.into());
    let (is_multiple, is_elsewhere) = (terms.eq(low, zero), terms.not(is_there));
    terms.or2(is_elsewhere, is_multiple)
}

impl Unit {
    /// How a pointer type asks its pointers to be aligned, if it asks for anything.
    fn asked_of(&self, ty: TypeId) -> Option<u64> {
        let to = self.pointee_as_written(ty)?;
        let is_object = !matches!(self.bare(to), TypeKind::Void | TypeKind::Function(_));
        let align = if is_object { self.align(to) } else { 1 };
        (align > 1 && align.is_power_of_two()).then_some(align)
    }

    /// What a pointer type points to, as it is written: a typedef may ask for less than its type does.
    fn pointee_as_written(&self, ty: TypeId) -> Option<TypeId> {
        match self.as_written(ty) {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// What a function type gives back, as it is written.
    fn result_as_written(&self, ty: TypeId) -> Option<TypeId> {
        match self.as_written(ty) {
            TypeKind::Function(id) => Some(self.types.signature(id).ret),
            _ => None,
        }
    }

    /// A type without the names that it has itself.
    fn as_written(&self, mut ty: TypeId) -> TypeKind {
        loop {
            ty = match self.types.kind(ty) {
                TypeKind::Typedef { underlying: inner, .. } | TypeKind::Atomic(inner) => inner,
                kind => return kind,
            };
        }
    }

    /// Whether a structure has members that are not aligned as their types ask.
    fn has_packed_members(&self) -> bool {
        self.types.records().any(|(_, record)| {
            let align = record.layout.map_or(u64::MAX, |layout| layout.align);
            let mut fields = record.fields.iter().filter(|field| !field.is_bit_field());
            fields.any(|field| {
                let own = self.align(field.ty);
                own > align || field.offset % own != 0
            })
        })
    }
}

impl Lower<'_, '_> {
    /// A function without a body has given a value.
    pub fn note_given(&mut self, function: Key, value: TermId) {
        let View::Var(var) = self.terms().view(value) else { return };
        let unit = self.link.units[function.0].clone();
        if let Some(ty) = unit.result_as_written(unit.tast[function.1].ty) {
            self.link.alignments.give(&unit, var, ty);
        }
    }

    /// What a function has given that is called through a pointer of a type. It gets a variable of its own: the
    /// assumption about it then stands in no step by itself, and is no branch of the program.
    pub fn given_through(&mut self, pointer: TypeId, value: TermId) -> TermId {
        let function = self.unit.pointee_as_written(pointer);
        let ty = function.and_then(|ty| self.unit.result_as_written(ty));
        let Some(align) = ty.and_then(|ty| self.unit.asked_of(ty)) else { return value };
        let var = self.temporary(Sort::Bv(self.link.width()));
        self.emit(Op::Assign { var, value });
        self.link.alignments.given_through.insert(var, align);
        self.terms().var(var)
    }

    /// The program writes a value of a type to memory.
    pub fn note_written(&mut self, value: TermId, ty: TypeId) {
        if self.unit.asked_of(ty).is_some() {
            self.link.alignments.written.insert(value);
        }
    }

    /// The program has read a value of a type from memory.
    pub fn note_read(&mut self, value: TermId, ty: TypeId) {
        if let View::Var(var) = self.terms().view(value)
            && let Some(align) = self.unit.asked_of(ty)
        {
            self.link.alignments.read.insert(var, align);
        }
    }

    /// The program converts a value to a type. A value that somebody outside has just given is aligned as that type
    /// asks, and so is a new object; of other values the program may say what does not hold.
    pub fn note_conversion(&mut self, operand: ExprId, value: TermId, ty: TypeId) {
        let Some(align) = self.unit.asked_of(ty) else { return };
        let callee = self.called_by(operand);
        let var = match self.terms().view(value) {
            View::Var(var) => Some(var),
            View::Const(constant) if is_round(constant) => return,
            View::Const(_) | View::App(..) => None,
        };
        let given = &mut self.link.alignments.given;
        if let Some(known) = var.filter(|_| callee.is_some()).and_then(|var| given.get_mut(&var)) {
            *known = align.max(*known);
            return;
        }
        let is_new = callee.is_some_and(|name| ALLOCATORS.contains(&name.as_str()));
        let before = self.unit.asked_of(self.unit.tast[operand].ty);
        let is_stricter = before.is_none_or(|before| before < align);
        if is_stricter && !is_new && self.link.is_of_program(self.key) {
            self.link.alignments.makes_others = true;
        }
    }

    /// The name of the function without a body that an expression calls.
    fn called_by(&mut self, expr: ExprId) -> Option<String> {
        let ExprKind::Call { callee, .. } = self.unit.tast[expr].kind else { return None };
        let decl = self.called(callee)?;
        let key = self.link.resolve(self.key.0, decl);
        let name = self.unit.tast[decl].name.map(|name| self.unit.name(name).to_owned());
        name.filter(|_| !self.link.has_body(key))
    }
}
