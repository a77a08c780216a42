//! The parts of values: which member or element some bytes of a value are.

use super::{Type, Types};

impl Types<'_> {
    /// The type of an object of so many bytes: `int t[] = {1, 2};` says by them how many elements there are.
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
        let inside = |part: &Type, start: u64, path: String| {
            let at = offset.checked_sub(start)?;
            let is_inside = at.checked_add(length)? <= self.size(part)?;
            let (inner, ty, before) =
                is_inside.then(|| self.array_at(part, at, length)).flatten()?;
            Some((format!("{path}{inner}"), ty, start + before))
        };
        match ty {
            Type::Array(element, _) => {
                let index = offset.checked_div(self.size(element)?)?;
                let inner = inside(element, index * self.size(element)?, format!("[{index}]"));
                inner.or_else(|| Some((String::new(), ty.clone(), 0)))
            }
            Type::Record(record) => self.members(*record)?.iter().find_map(|member| {
                let name = member.name.as_ref().map_or_else(String::new, |name| format!(".{name}"));
                inside(&member.ty, member.offset, name)
            }),
            _ => None,
        }
    }

    /// What is so many bytes inside of a value: `[1].y` with its type. Without a wanted type it is the
    /// scalar of the wanted size.
    pub(crate) fn path(
        &self,
        ty: &Type,
        offset: u64,
        wanted: Wanted<'_>,
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
                let (path, ty) = self.path(element, offset % size, wanted)?;
                Some((format!("[{index}]{path}"), ty))
            }
            Type::Record(record) => self.members(*record)?.iter().find_map(|member| {
                let inside = offset.checked_sub(member.offset)?;
                if member.bits.is_some() || inside >= self.size(&member.ty)? {
                    return None;
                }
                let (path, ty) = self.path(&member.ty, inside, wanted)?;
                let name = member.name.as_ref().map_or_else(String::new, |name| format!(".{name}"));
                Some((format!("{name}{path}"), ty))
            }),
            _ => None,
        }
    }
}

/// What a path has to lead to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'a> {
    /// Something of a type.
    Type(&'a Type),
    /// Something without parts that has so many bytes.
    Scalar(u64),
    /// Anything that has so many bytes, the larger first.
    Whole(u64),
}
