//! Where objects are kept, and where lvalues are.

use std::rc::Rc;

use rucc_types::{RecordKind, TypeId, TypeKind};
use term::{Sort, TermId, Var};

use super::shape::{Shape, TypeShape};
use super::unit::Unit;

/// Where a declared object is kept.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// A scalar whose address nobody takes.
    Var(Var, Shape),
    /// A structure whose address nobody takes, member by member.
    Fields(Rc<[Leaf]>),
    /// An object; the variable is its address.
    Memory(Var),
}

impl Storage {
    /// The variable with the address, if it is an object.
    pub fn object(&self) -> Option<Var> {
        match self {
            Storage::Memory(var) => Some(*var),
            Storage::Var(..) | Storage::Fields(_) => None,
        }
    }
}

/// A scalar member of a structure that is kept member by member.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Bits from the start of the structure.
    pub offset: u64,
    /// How many bits the member has: as many as its type, or the width of the bit-field.
    pub bits: u32,
    /// Whether the member shares its bytes with others. A `_Bool` bit-field is not narrower than its type, so `bits`
    /// alone does not tell this.
    pub is_bit_field: bool,
    pub shape: Shape,
    /// `.a.b`, for names.
    pub path: String,
    pub var: Option<Var>,
}

impl Leaf {
    pub fn sort(&self) -> Sort {
        match self.shape {
            Shape::Int { .. } => Sort::Bv(self.bits),
            other => other.sort(),
        }
    }
}

/// The scalar members of a structure, if it can be kept member by member: no unions and arrays,
/// in which members overlap or are chosen at run time, and not too many.
pub(super) fn leaves(unit: &Unit, ty: TypeId) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    collect(unit, ty, 0, "", &mut found)?;
    (!found.is_empty() && found.len() <= 64).then_some(found)
}

fn collect(unit: &Unit, ty: TypeId, offset: u64, path: &str, found: &mut Vec<Leaf>) -> Option<()> {
    let TypeKind::Record(id) = unit.bare(ty) else { return None };
    let record = unit.types.record_info(id);
    if record.kind == RecordKind::Union || record.reverse || record.layout.is_none() {
        return None;
    }
    for field in &record.fields {
        let at = offset + field.offset * 8 + u64::from(field.bit);
        let name = match field.name {
            Some(name) => format!("{path}.{}", unit.name(name)),
            // An unnamed bit-field is padding, an unnamed structure lends its members.
            None if field.is_bit_field() => continue,
            None => path.to_owned(),
        };
        match unit.kind(field.ty) {
            TypeShape::Scalar(shape) => {
                let bits = match (field.bits, shape) {
                    (Some(bits), _) => bits,
                    (None, Shape::Int { width, .. }) => width,
                    (None, _) => 0,
                };
                let is_bit_field = field.is_bit_field();
                found.push(Leaf { offset: at, bits, is_bit_field, shape, path: name, var: None });
            }
            TypeShape::Aggregate => collect(unit, field.ty, at, &name, found)?,
            _ => return None,
        }
        if found.len() > 64 {
            return None;
        }
    }
    Some(())
}

/// Where an lvalue is.
#[derive(Clone, Debug)]
pub(super) enum Lvalue {
    /// A variable. The variable of a bit-field has fewer bits than its type.
    Var(Var),
    /// Part of a structure that is kept member by member, from a bit on.
    Fields(Rc<[Leaf]>, u64),
    /// Bytes from an address on.
    Memory(TermId),
    /// Bits in memory: from the byte at the address skip `skip` bits and take `bits`.
    Bits { address: TermId, skip: u32, bits: u32 },
}

/// The variable of the member that starts at a bit.
pub(super) fn leaf_at(leaves: &[Leaf], offset: u64) -> Option<Var> {
    leaves.iter().find(|leaf| leaf.offset == offset).and_then(|leaf| leaf.var)
}
