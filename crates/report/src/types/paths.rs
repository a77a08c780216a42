//! The parts of values: which member or element some bytes of a value are.

use cfa::CRecordId;
use rustc_hash::FxHashSet;

use super::{Type, Types};

/// Pairs of a record and an offset in it where a search has found nothing, so that they are searched once only:
/// members of unions lead to the same pairs in many ways.
type InVain = FxHashSet<(CRecordId, u64)>;

impl Types<'_> {
    /// The type of an object with this many bytes: the size of `int t[] = {1, 2};` says how many elements the array
    /// has.
    pub(crate) fn with_length(&self, ty: Type, bytes: u64) -> Type {
        match ty {
            Type::Array(element, None) => {
                let size = self.size(&element).filter(|size| *size > 0);
                let count =
                    size.filter(|size| bytes.is_multiple_of(*size)).map(|size| bytes / size);
                Type::Array(element, count)
            }
            known => known,
        }
    }

    /// The innermost array in a value that some of its bytes are in, with the path to it and its offset.
    pub(crate) fn array_at(
        &self,
        ty: &Type,
        offset: u64,
        length: u64,
    ) -> Option<(String, Type, u64)> {
        self.array_within(ty, offset, length, &mut InVain::default())
    }

    fn array_within(
        &self,
        ty: &Type,
        offset: u64,
        length: u64,
        in_vain: &mut InVain,
    ) -> Option<(String, Type, u64)> {
        let inside = |part: &Type, start: u64, path: String, in_vain: &mut InVain| {
            let at = offset.checked_sub(start)?;
            let is_inside = at.checked_add(length)? <= self.size(part)?;
            let (inner, ty, before) =
                is_inside.then(|| self.array_within(part, at, length, in_vain)).flatten()?;
            Some((format!("{path}{inner}"), ty, start + before))
        };
        match ty {
            Type::Array(element, _) => {
                let index = offset.checked_div(self.size(element)?)?;
                let start = index * self.size(element)?;
                let inner = inside(element, start, format!("[{index}]"), in_vain);
                inner.or_else(|| Some((String::new(), ty.clone(), 0)))
            }
            Type::Record(record) => {
                if in_vain.contains(&(*record, offset)) {
                    return None;
                }
                let found = self.members(*record)?.iter().find_map(|member| {
                    let name = member.name.as_ref().map(|name| format!(".{name}"));
                    inside(&member.ty, member.offset, name.unwrap_or_default(), in_vain)
                });
                if found.is_none() {
                    in_vain.insert((*record, offset));
                }
                found
            }
            _ => None,
        }
    }

    /// The part of a value at an offset, such as `[1].y`, with its type; `wanted` says which kind of part is meant.
    pub(crate) fn path(
        &self,
        ty: &Type,
        offset: u64,
        wanted: Wanted<'_>,
    ) -> Option<(String, Type)> {
        self.path_within(ty, offset, wanted, &mut InVain::default())
    }

    fn path_within(
        &self,
        ty: &Type,
        offset: u64,
        wanted: Wanted<'_>,
        in_vain: &mut InVain,
    ) -> Option<(String, Type)> {
        let fits = match wanted {
            Wanted::Type(wanted) => ty == wanted,
            // Ten of the bytes of a `long double` are its value.
            Wanted::Scalar(10) => *ty == Type::Float(80),
            Wanted::Scalar(size) => !ty.is_aggregate() && self.size(ty) == Some(size),
            Wanted::Whole(size) => self.size(ty) == Some(size),
        };
        if offset == 0 && fits {
            return Some((String::new(), ty.clone()));
        }
        match ty {
            Type::Array(element, count) => {
                let size = self.size(element).filter(|size| *size > 0)?;
                let index = offset / size;
                if count.is_some_and(|count| index > count) {
                    return None;
                }
                let (path, ty) = self.path_within(element, offset % size, wanted, in_vain)?;
                Some((format!("[{index}]{path}"), ty))
            }
            Type::Record(record) => {
                if in_vain.contains(&(*record, offset)) {
                    return None;
                }
                let found = self.members(*record)?.iter().find_map(|member| {
                    let inside = offset.checked_sub(member.offset)?;
                    if member.bits.is_some() || inside >= self.size(&member.ty)? {
                        return None;
                    }
                    let (path, ty) = self.path_within(&member.ty, inside, wanted, in_vain)?;
                    let name = member.name.as_ref().map(|name| format!(".{name}"));
                    Some((format!("{}{path}", name.unwrap_or_default()), ty))
                });
                if found.is_none() {
                    in_vain.insert((*record, offset));
                }
                found
            }
            _ => None,
        }
    }
}

/// What a path has to lead to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'a> {
    /// Something of a type.
    Type(&'a Type),
    /// A part that has no parts itself and has this many bytes.
    Scalar(u64),
    /// Any part with this many bytes; a larger part before the parts in it.
    Whole(u64),
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cfa::{CMember, CRecord, CTypes, Program};

    use super::*;

    const INT: Type = Type::Integer { bits: 32, signed: true };
    const BYTE: Type = Type::Integer { bits: 8, signed: false };

    /// `struct { int x; unsigned char y[3], low : 4; }`, and an array of three of them.
    fn points() -> (Program, Type, Type) {
        let mut table = CTypes::new(64);
        let member =
            |name: &str, ty, offset, bits| CMember { name: Some(name.into()), ty, offset, bits };
        let bytes = Type::Array(Box::new(BYTE), Some(3));
        let members = vec![
            member("x", INT, 0, None),
            member("y", bytes, 4, None),
            member("low", BYTE, 7, Some((0, 4))),
        ];
        let point = Type::Record(table.records.push(CRecord { size: Some(8), members }));
        let array = Type::Array(Box::new(point.clone()), Some(3));
        let mut program = Program::default();
        program.cfa.c_types = Arc::new(table);
        (program, point, array)
    }

    #[test]
    fn bytes_have_paths() {
        let (program, point, array) = points();
        let types = Types::of(&program);
        let path = |offset, wanted| types.path(&array, offset, wanted).map(|(path, _)| path);
        assert_eq!(path(8, Wanted::Scalar(4)).as_deref(), Some("[1].x"));
        assert_eq!(path(22, Wanted::Scalar(1)).as_deref(), Some("[2].y[2]"));
        // A part of a byte is not the byte.
        assert_eq!(path(23, Wanted::Scalar(1)), None);
        assert_eq!(path(9, Wanted::Scalar(4)), None);
        assert_eq!(path(16, Wanted::Type(&point)).as_deref(), Some("[2]"));
        assert_eq!(path(4, Wanted::Whole(3)).as_deref(), Some("[0].y"));
        assert_eq!(path(u64::MAX, Wanted::Whole(3)), None);
    }

    #[test]
    fn unions_in_unions_are_searched_once() {
        let mut table = CTypes::new(64);
        let mut inner = INT;
        for _ in 0..60 {
            let member = |name: &str| CMember {
                name: Some(name.into()),
                ty: inner.clone(),
                offset: 0,
                bits: None,
            };
            let members = vec![member("a"), member("b")];
            inner = Type::Record(table.records.push(CRecord { size: Some(4), members }));
        }
        let mut program = Program::default();
        program.cfa.c_types = Arc::new(table);
        let types = Types::of(&program);
        assert_eq!(types.path(&inner, 0, Wanted::Scalar(2)), None);
        assert_eq!(types.path(&inner, 1, Wanted::Scalar(1)), None);
        assert_eq!(types.array_at(&inner, 0, 2), None);
        let found = types.path(&inner, 0, Wanted::Scalar(4)).map(|(path, _)| path);
        assert_eq!(found, Some(".a".repeat(60)));
    }

    #[test]
    fn stretches_are_in_the_innermost_array() {
        let (program, point, array) = points();
        let types = Types::of(&program);
        let at = |offset, length| {
            types.array_at(&array, offset, length).map(|(path, _, before)| (path, before))
        };
        assert_eq!(at(13, 2), Some(("[1].y".to_owned(), 12)));
        assert_eq!(at(8, 16), Some((String::new(), 0)));
        assert_eq!(types.array_at(&point, 0, 4), None);
        let open = Type::Array(Box::new(point), None);
        assert_eq!(types.with_length(open.clone(), 24), array);
        assert_eq!(types.with_length(open.clone(), 20), open);
    }
}
