//! Sizes of types, and where members are: as gcc places them on x86.

use std::rc::Rc;

use cfa::Program;
use term::Var;

use super::tables::{Declared, Layout, Member, Record, Type, Types};

/// Larger types are not looked at.
const LARGEST: u64 = 1 << 40;

impl Types {
    /// The number of bytes of a type.
    pub(crate) fn size(&self, ty: &Type) -> Option<u64> {
        self.extent(ty).map(|(size, _)| size)
    }

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

    /// Size and alignment.
    fn extent(&self, ty: &Type) -> Option<(u64, u64)> {
        let pointer = u64::from(self.address_width / 8);
        Some(match ty {
            Type::Integer { bits, .. } => self.scalar(u64::from(*bits) / 8),
            Type::Character | Type::Truth => (1, 1),
            Type::Float(bits @ (32 | 64)) => self.scalar(u64::from(*bits) / 8),
            Type::Float(_) if pointer == 8 => (16, 16),
            Type::Float(_) => (12, 4),
            Type::Enumeration(_) => (4, 4),
            Type::Pointer(_) => (pointer, pointer),
            Type::Array(element, count) => {
                let (size, align) = self.extent(element)?;
                (size.checked_mul((*count)?).filter(|size| *size <= LARGEST)?, align)
            }
            Type::Record(key) => {
                let layout = self.layout(key)?;
                (layout.size, layout.align)
            }
            Type::Other => return None,
        })
        .filter(|(_, align)| *align > 0)
    }

    /// Computed once for each record. One that contains itself, as texts with conditions for the
    /// preprocessor may say, has no layout.
    fn layout(&self, key: &str) -> Option<Rc<Layout>> {
        if let Some(known) = self.layouts.borrow().get(key) {
            return known.clone();
        }
        self.layouts.borrow_mut().insert(key.to_owned(), None);
        let layout = self.record(key).and_then(|record| self.place(record)).map(Rc::new);
        self.layouts.borrow_mut().insert(key.to_owned(), layout.clone());
        layout
    }

    fn scalar(&self, size: u64) -> (u64, u64) {
        (size, if self.address_width == 32 { size.min(4) } else { size })
    }

    /// The members of a structure or union with their places.
    pub(crate) fn members(&self, key: &str) -> Option<Vec<Member>> {
        self.layout(key).map(|layout| layout.members.clone())
    }

    fn place(&self, record: &Record) -> Option<Layout> {
        if record.is_odd {
            return None;
        }
        let mut members = Vec::new();
        // In bits.
        let (mut end, mut largest) = (0_u64, 0_u64);
        let mut alignment = 1;
        for declared in &record.members {
            let from = if record.is_union { 0 } else { end };
            let (start, after, align) = self.place_member(declared, from)?;
            let is_named = declared.name.is_some() || declared.bits.is_none();
            if is_named {
                alignment = alignment.max(align);
                let bits = declared.bits.map(|width| ((start % 8) as u32, width));
                let (name, ty) = (declared.name.clone(), declared.ty.clone());
                members.push(Member { name, ty, offset: start / 8, bits });
            }
            end = after;
            largest = largest.max(after);
        }
        let size = largest.div_ceil(8).next_multiple_of(alignment);
        (size <= LARGEST).then_some(Layout { members, size, align: alignment })
    }

    /// The first bit of a member, the one behind it, and its alignment in bytes.
    fn place_member(&self, declared: &Declared, from: u64) -> Option<(u64, u64, u64)> {
        // The last member may be an array without a length, which adds nothing.
        let (size, align) = match &declared.ty {
            Type::Array(element, None) => (0, self.extent(element)?.1),
            ty => self.extent(ty)?,
        };
        let unit = align * 8;
        let Some(width) = declared.bits.map(u64::from) else {
            let start = from.next_multiple_of(unit);
            return Some((start, start + size * 8, align));
        };
        if width == 0 {
            let start = from.next_multiple_of(unit);
            return Some((start, start, align));
        }
        if size == 0 {
            return None;
        }
        let crosses = from / (size * 8) != (from + width - 1) / (size * 8);
        let start = if crosses { from.next_multiple_of(unit) } else { from };
        Some((start, start + width, align))
    }

    /// A member by its name, also one of a structure without a name inside.
    pub(crate) fn member(&self, key: &str, name: &str) -> Option<Member> {
        for member in &self.layout(key)?.members {
            match (&member.name, &member.ty) {
                (Some(known), _) if known == name => return Some(member.clone()),
                (None, Type::Record(inner)) => {
                    if let Some(found) = self.member(inner, name) {
                        let offset = member.offset + found.offset;
                        return Some(Member { offset, ..found });
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The declared type of a variable, or of the object whose address it is, and its bits if it is a bit-field.
    pub(crate) fn variable(
        &self,
        program: &Program,
        var: Var,
    ) -> Option<(Type, Option<(u32, u32)>)> {
        let known = program.cfa.variables.get(var)?;
        let (mut ty, mut bits) = (self.declared(known.span?)?.clone(), None);
        // `q.x[1]` is a part of what is declared as `q`.
        let name = known.source_name.as_deref()?.trim_start_matches('&');
        let mut rest = &name[name.find(['.', '[']).unwrap_or(name.len())..];
        while !rest.is_empty() {
            let end = rest[1..].find(['.', '[']).map_or(rest.len(), |end| end + 1);
            (ty, bits) = match (&ty, rest[..end].strip_prefix('.')) {
                (Type::Record(key), Some(member)) => {
                    let member = self.member(key, member)?;
                    (member.ty, member.bits)
                }
                (Type::Array(element, _), None) => ((**element).clone(), None),
                _ => return None,
            };
            rest = &rest[end..];
        }
        Some((ty, bits))
    }

    /// Whether a variable may be a bit-field of a structure; what is not known may be one.
    pub(crate) fn may_be_bits(&self, program: &Program, var: Var) -> bool {
        self.variable(program, var).is_none_or(|(_, bits)| bits.is_some())
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
            Type::Record(key) => self.layout(key)?.members.iter().find_map(|member| {
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
            Type::Record(key) => self.layout(key)?.members.iter().find_map(|member| {
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
