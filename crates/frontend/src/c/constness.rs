//! Objects that are declared `const`, and expressions that may make a pointer through which such an object can be
//! written.

use rucc_sema::{Conversion, ExprId, ExprKind};
use rucc_types::{RecordKind, TypeId, TypeKind};
use term::{TermId, Terms, Var};

use super::shape::{Shape, TypeShape};
use super::unit::Unit;

/// Functions of the library that are given a pointer to a constant and give back, or store, a pointer without `const`.
const DROPPING: [&str; 30] = [
    "bsearch",
    "index",
    "lfind",
    "memchr",
    "memmem",
    "memrchr",
    "rawmemchr",
    "rindex",
    "strcasestr",
    "strchr",
    "strchrnul",
    "strpbrk",
    "strrchr",
    "strstr",
    "strtod",
    "strtof",
    "strtoimax",
    "strtol",
    "strtold",
    "strtoll",
    "strtoq",
    "strtoul",
    "strtoull",
    "strtoumax",
    "strtouq",
    "wcschr",
    "wcspbrk",
    "wcsrchr",
    "wcsstr",
    "wmemchr",
];

/// An object that is not written after it has been initialised.
#[derive(Clone, Copy)]
pub(super) struct Constant {
    /// The variable that holds the address of the object while the object is alive and initialised, and zero otherwise.
    pub(super) address: Var,
    pub(super) size: u64,
}

impl Constant {
    /// The condition that an address is not in the object. An operation that writes several bytes writes
    /// to one object.
    pub fn is_elsewhere(self, terms: &mut Terms, at: TermId) -> TermId {
        let address = terms.var(self.address);
        let width = terms.width(address);
        let (zero, size) = (terms.bv(width, 0), terms.bv(width, u128::from(self.size)));
        let none = terms.eq(address, zero);
        let offset = terms.bv_sub(at, address);
        let outside = terms.bv_ule(size, offset);
        terms.or2(none, outside)
    }
}

/// Whether an expression may make a pointer through which a constant can be written.
pub(super) fn drops_const(unit: &Unit, expr: ExprId) -> bool {
    let node = unit.tast[expr];
    match node.kind {
        ExprKind::Cast(operand) | ExprKind::Convert { operand, .. } => {
            let kind = match node.kind {
                ExprKind::Convert { kind, .. } => Some(kind),
                _ => None,
            };
            let decays = matches!(
                kind,
                Some(Conversion::ArrayDecay | Conversion::FunctionDecay | Conversion::Lvalue)
            );
            !decays && drops(unit, operand, node.ty)
        }
        ExprKind::VaArg { .. } => pointee(unit, node.ty).is_some(),
        // Members of a union share their bytes.
        ExprKind::Member { base, .. } => {
            let is_union = match unit.bare(unit.tast[base].ty) {
                TypeKind::Record(id) => unit.types.record_info(id).kind == RecordKind::Union,
                _ => false,
            };
            is_union && unit.kind(node.ty) != TypeShape::Scalar(Shape::INT)
        }
        ExprKind::Call { callee, .. } => {
            let ty = unit.tast[callee].ty;
            let called = pointee(unit, ty).unwrap_or(ty);
            match unit.bare(called) {
                TypeKind::Function(id) => !unit.types.signature(id).prototyped,
                _ => true,
            }
        }
        ExprKind::Decl(decl) => {
            unit.tast[decl].name.is_some_and(|name| DROPPING.contains(&unit.name(name)))
        }
        _ => false,
    }
}

/// Whether a conversion to a type may make a pointer through which a constant can be written.
fn drops(unit: &Unit, operand: ExprId, to: TypeId) -> bool {
    let Some(to) = pointee(unit, to) else { return false };
    let from = unit.tast[operand].ty;
    let Some(from) = pointee(unit, from) else {
        // A number that becomes a pointer may be such an address, unless the text says which number it is.
        return !matches!(unit.tast[operand].kind, ExprKind::Const(_));
    };
    let is_function = |ty| matches!(unit.bare(ty), TypeKind::Function(_));
    let is_pointer = |ty| pointee(unit, ty).is_some();
    (unit.is_const(from) && !unit.is_const(to))
        // A pointer can be copied without its type.
        || (is_pointer(from) && !is_pointer(to))
        || (is_pointer(to) && !is_pointer(from))
        || (is_pointer(from) && is_pointer(to) && unit.bare(from) != unit.bare(to))
        || (is_function(to) && unit.bare(from) != unit.bare(to))
}

fn pointee(unit: &Unit, ty: TypeId) -> Option<TypeId> {
    match unit.bare(ty) {
        TypeKind::Pointer(inner) => Some(inner),
        _ => None,
    }
}
