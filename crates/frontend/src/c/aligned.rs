//! The alignment of pointers from outside the program, which their declared types ask for.
//!
//! If nothing were assumed of the alignment, two pointers to integers from outside could point to stretches that
//! overlap by a byte, and a violation could rest on such an overlap. The assumption is made of results of functions
//! without a body, and of variables that are declared and not defined. Nothing is assumed of pointers that the program
//! converts, or reads from memory outside: the program may have made or written an address there that is not aligned,
//! and its text does not tell whether it has.

use cfa::{AssumptionKind, EdgeId, Op, Outside, Program};
use rucc_types::{TypeId, TypeKind};
use rustc_hash::FxHashMap;
use term::{TermId, Var, View};

use super::function::Lower;
use super::outside;
use super::signature::Key;
use super::unit::Unit;

/// The variables whose values come from outside the program, each with the number of bytes that its type asks addresses
/// to be multiples of.
#[derive(Default)]
pub struct Alignments(FxHashMap<Var, u64>);

impl Alignments {
    /// Notes that the value of a variable comes from outside the program; the variable has this type.
    pub fn give(&mut self, unit: &Unit, var: Var, ty: TypeId) {
        if let Some(align) = unit.asked_of(ty) {
            self.0.insert(var, align);
        }
    }

    /// Assumes that each value from outside the program is aligned, if it is an address in the memory outside.
    pub fn assume(&self, program: &mut Program, outside: Outside) {
        let mut first: Option<EdgeId> = None;
        for edge in program.cfa.edges.ids().collect::<Vec<_>>() {
            let is_given =
                |op: &Op| matches!(op, Op::Havoc { var, .. } if self.0.contains_key(var));
            if !program.cfa.edges[edge].ops.iter().any(is_given) {
                continue;
            }
            first = first.or(Some(edge));
            let mut ops = Vec::new();
            let known = program.cfa.edges[edge].ops.clone();
            for op in &known {
                let given = match op {
                    Op::Havoc { var, .. } => self.0.get_key_value(var),
                    _ => None,
                };
                ops.push(op.clone());
                ops.extend(
                    given
                        .map(|(var, align)| Op::Assume(is_aligned(program, *var, *align, outside))),
                );
            }
            program.cfa.edges[edge].ops = ops.into();
        }
        if let Some(edge) = first {
            let text = "pointers that functions without a body return, and those in variables that are declared and \
                        not defined, are aligned as their declared types ask";
            let span = program.cfa.edges[edge].span;
            program.cfa.assume(AssumptionKind::Environment, text, span);
        }
    }
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
    /// The alignment that a pointer type asks of addresses, if it asks for any. A typedef of the type behind the
    /// pointer may ask for less than this type itself, so the type is taken as it is written.
    fn asked_of(&self, ty: TypeId) -> Option<u64> {
        let TypeKind::Pointer(to) = self.as_written(ty) else { return None };
        let is_object = !matches!(self.bare(to), TypeKind::Void | TypeKind::Function(_));
        let align = if is_object { self.align(to) } else { 1 };
        (align > 1 && align.is_power_of_two()).then_some(align)
    }

    /// A type without the typedefs around it; names inside of it stay.
    fn as_written(&self, mut ty: TypeId) -> TypeKind {
        loop {
            ty = match self.types.kind(ty) {
                TypeKind::Typedef { underlying: inner, .. } | TypeKind::Atomic(inner) => inner,
                kind => return kind,
            };
        }
    }
}

impl Lower<'_, '_> {
    /// Notes that a function without a body has given a value.
    pub fn note_given(&mut self, function: Key, value: TermId) {
        let View::Var(var) = self.terms().view(value) else { return };
        let unit = self.link.units[function.0].clone();
        if let TypeKind::Function(id) = unit.as_written(unit.tast[function.1].ty) {
            self.link.alignments.give(&unit, var, unit.types.signature(id).ret);
        }
    }
}
