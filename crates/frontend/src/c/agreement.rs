//! Whether two units mean the same thing by a name that both of them declare.

use base::{Diagnostic, SourceMap, Span};
use rucc_sema::DeclId;
use rucc_types::{TypeId, TypeKind};

use super::shape::TypeShape;
use super::unit::Unit;

/// A type as one unit knows it.
type Seen<'a> = (&'a Unit, TypeId);

/// The message about a name that two units declare with types that do not fit together; `None` if they fit. The second
/// unit is the later one. An object that both units would lay out differently is an error, and so is a function that
/// takes or returns structures, which both units would pass differently. Other functions are called all the same, with
/// a warning: numbers are converted, and a call with an argument that does not fit ends the run.
pub fn disagreement(
    name: &str,
    (first, one): (&Unit, DeclId),
    (second, other): (&Unit, DeclId),
    sources: &SourceMap,
) -> Option<Diagnostic> {
    let types = ((first, first.tast[one].ty), (second, second.tast[other].ty));
    if agree(types.0, types.1) {
        return None;
    }
    let can_be_called = passes_scalars(types.0) && passes_scalars(types.1);
    let message = format!("`{name}` is declared with another type elsewhere");
    let said = match second.span(second.tast.decl_span(other)) {
        Some(span) if can_be_called => Diagnostic::warning(span, message),
        Some(span) => Diagnostic::error(span, message),
        None => Diagnostic::error_without_place(message),
    };
    let place: Option<Span> = first.span(first.tast.decl_span(one));
    Some(match place {
        Some(place) => {
            said.with_hint(format!("the other declaration is at {}", sources.describe(place)))
        }
        None => said,
    })
}

/// Whether a type is that of a function that takes and returns nothing but numbers and pointers.
fn passes_scalars((unit, ty): Seen<'_>) -> bool {
    let TypeKind::Function(id) = unit.bare(ty) else { return false };
    let signature = unit.types.signature(id);
    let is_scalar = |ty: &TypeId| matches!(unit.kind(*ty), TypeShape::Scalar(_) | TypeShape::Void);
    signature.params.iter().chain([&signature.ret]).all(is_scalar)
}

/// Whether values of both types have the same parts in the same places. Names of members, qualifiers, signs and
/// what pointers point to are left to the programmer.
fn agree(one: Seen<'_>, other: Seen<'_>) -> bool {
    let ((first, left), (second, right)) = (one, other);
    match (first.bare(left), second.bare(right)) {
        (TypeKind::Array { elem: a, .. }, TypeKind::Array { elem: b, .. }) => {
            have_one_size(one, other) && agree((first, a), (second, b))
        }
        (TypeKind::Record(a), TypeKind::Record(b)) => {
            if first.size(left).is_none() || second.size(right).is_none() {
                return true;
            }
            let (a, b) = (first.types.record_info(a), second.types.record_info(b));
            have_one_size(one, other)
                && a.fields.len() == b.fields.len()
                && a.fields.iter().zip(&b.fields).all(|(a, b)| {
                    (a.offset, a.bit, a.bits) == (b.offset, b.bit, b.bits)
                        && agree((first, a.ty), (second, b.ty))
                })
        }
        (TypeKind::Function(a), TypeKind::Function(b)) => {
            let (a, b) = (first.types.signature(a), second.types.signature(b));
            let parameters_agree = !a.prototyped
                || !b.prototyped
                || a.variadic == b.variadic
                    && a.params.len() == b.params.len()
                    && a.params
                        .iter()
                        .zip(&b.params)
                        .all(|(a, b)| agree((first, *a), (second, *b)));
            parameters_agree && agree((first, a.ret), (second, b.ret))
        }
        (a, b) => match (first.kind(left), second.kind(right)) {
            (TypeShape::Scalar(a), TypeShape::Scalar(b)) => {
                (a.sort(), a.stored()) == (b.sort(), b.stored()) && have_one_size(one, other)
            }
            (TypeShape::Void, TypeShape::Void) => true,
            (TypeShape::Unsupported(_), TypeShape::Unsupported(_)) => {
                std::mem::discriminant(&a) == std::mem::discriminant(&b)
                    && have_one_size(one, other)
            }
            _ => false,
        },
    }
}

/// Whether the sizes of two types are the same as far as both units know them.
fn have_one_size(one: Seen<'_>, other: Seen<'_>) -> bool {
    let sizes = one.0.size(one.1).zip(other.0.size(other.1));
    sizes.is_none_or(|(one, other)| one == other)
}
