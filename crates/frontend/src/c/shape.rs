//! What a C type means for values and for memory.

use rucc_sema::StmtId;
use rucc_types::{FloatKind, TypeId, TypeKind};
use term::{Format, Sort};

use super::unit::Unit;

/// A scalar type: how its values are computed with and how they stand in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// An integer. `width` is the value's: one bit for `_Bool`, N for `_BitInt(N)`.
    Int { width: u32, signed: bool, bytes: u32 },
    /// A pointer; its width is that of an address.
    Pointer { width: u32 },
    /// A float, in `bytes` bytes of memory of which the first hold the value.
    Float { format: Format },
}

impl Shape {
    /// `int`, which many builtins return.
    pub const INT: Shape = Shape::Int { width: 32, signed: true, bytes: 4 };

    /// The sort of the values of the shape.
    pub fn sort(self) -> Sort {
        match self {
            Shape::Int { width, .. } | Shape::Pointer { width } => Sort::Bv(width),
            Shape::Float { format } => Sort::Float(format),
        }
    }

    /// The sort that is loaded and stored.
    pub fn stored(self) -> Sort {
        match self {
            Shape::Int { bytes, .. } => Sort::Bv(bytes * 8),
            other => other.sort(),
        }
    }

    /// Whether smaller values are extended by their sign.
    pub fn signed(self) -> bool {
        matches!(self, Shape::Int { signed: true, .. })
    }

    /// `_Bool`, into which conversion is a comparison with zero.
    pub fn is_bool(self) -> bool {
        matches!(self, Shape::Int { width: 1, signed: false, bytes: 1 })
    }
}

/// Any type, as the lowering sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TypeShape {
    Void,
    Scalar(Shape),
    /// A structure, a union or an array: a run of bytes.
    Aggregate,
    Function,
    /// A type whose values are not modelled, by name.
    Unsupported(&'static str),
}

impl Unit {
    /// The type without names, qualifiers and `_Atomic`.
    pub fn bare(&self, ty: TypeId) -> TypeKind {
        match self.types.kind(self.types.canonical(ty)) {
            TypeKind::Atomic(inner) => self.bare(inner),
            kind => kind,
        }
    }

    /// What the type means.
    pub fn kind(&self, ty: TypeId) -> TypeShape {
        match self.bare(ty) {
            TypeKind::Void => TypeShape::Void,
            TypeKind::Pointer(_) => {
                TypeShape::Scalar(Shape::Pointer { width: self.address_width() })
            }
            TypeKind::Float(kind) => self.float(kind),
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::BitInt { .. } | TypeKind::Enum(_) => {
                let info = rucc_types::integer_info(&self.types, ty, &self.target);
                match (info, self.size(ty)) {
                    (Some(info), Some(size)) => TypeShape::Scalar(Shape::Int {
                        width: info.width,
                        signed: info.signed,
                        bytes: u32::try_from(size).unwrap_or(u32::MAX),
                    }),
                    // GNU C takes an enumeration that is never defined for an `int`.
                    _ => TypeShape::Scalar(Shape::INT),
                }
            }
            TypeKind::Array { .. } | TypeKind::Record(_) => TypeShape::Aggregate,
            TypeKind::Function(_) => TypeShape::Function,
            TypeKind::Complex(_) => TypeShape::Unsupported("complex numbers"),
            TypeKind::Vector { .. } => TypeShape::Unsupported("vector types"),
            TypeKind::Atomic(_) | TypeKind::Typedef { .. } => TypeShape::Unsupported("this type"),
        }
    }

    fn float(&self, kind: FloatKind) -> TypeShape {
        use rucc_base::float::Format as C;
        let format = match rucc_types::float_format(kind, &self.target) {
            C::Half => Format::Half,
            C::Single => Format::Single,
            C::Double => Format::Double,
            C::X87Extended => Format::X87,
            C::Quad => Format::Quad,
            _ => return TypeShape::Unsupported("decimal floating types"),
        };
        TypeShape::Scalar(Shape::Float { format })
    }

    /// The scalar shape of a type, if it is a scalar type.
    pub fn shape(&self, ty: TypeId) -> Option<Shape> {
        match self.kind(ty) {
            TypeShape::Scalar(shape) => Some(shape),
            _ => None,
        }
    }

    /// Whether the program may not write to objects of a type.
    pub fn is_const(&self, ty: TypeId) -> bool {
        let quals = self.types.quals(self.types.canonical(ty));
        quals.has(rucc_types::Qualifiers::CONST)
            || matches!(self.bare(ty), TypeKind::Array { elem, .. } if self.is_const(elem))
    }

    /// Whether a type is a structure or union of which only its library knows more than the name.
    pub fn is_opaque(&self, ty: TypeId) -> bool {
        matches!(self.bare(ty), TypeKind::Record(_)) && self.size(ty).is_none()
    }

    /// Whether an object of a type may change without the program (`volatile`).
    pub fn is_volatile(&self, ty: TypeId) -> bool {
        let quals = self.types.quals(self.types.canonical(ty));
        quals.has(rucc_types::Qualifiers::VOLATILE)
    }

    /// Width of an address in bits.
    pub fn address_width(&self) -> u32 {
        self.target.pointer_width
    }

    /// Size in bytes of a type whose size does not depend on the run. `void` and functions count
    /// one, as GNU C has it.
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        match self.bare(ty) {
            TypeKind::Void | TypeKind::Function(_) => Some(1),
            _ => rucc_types::layout(&self.types, ty, &self.target).ok().map(|layout| layout.size),
        }
    }

    /// Alignment in bytes of a type.
    pub fn align(&self, ty: TypeId) -> u64 {
        rucc_types::align(&self.types, ty, &self.target).unwrap_or(1).max(1)
    }

    /// The place of a statement.
    pub fn stmt_span(&self, stmt: StmtId) -> Option<base::Span> {
        self.span(self.tast.stmt_span(stmt))
    }
}
