//! The types of what a C text declares, with the members of its structures at their real places.
//!
//! The program model knows bits and bytes; people know members, elements and enumerators. Only words for people depend
//! on this table: a value that has no type in the table is shown as the model has it.

use base::{FileId, IndexVec, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids::{CEnumerationId, CRecordId};

/// Types with more bytes than this have no size here, so that computing with places inside of a type does not overflow.
const LARGEST: u64 = 1 << 40;

/// A type of C, without the names and qualifiers that it is written with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CType {
    /// An integer.
    Integer {
        /// How many bits its values have, which is also how many they have in memory.
        bits: u32,
        /// Whether it has negative values.
        signed: bool,
    },
    /// `char`, whose values are often characters.
    Character,
    /// `_Bool`.
    Truth,
    /// A floating type whose values have this many bits.
    Float(u32),
    /// An enumeration.
    Enumeration(CEnumerationId),
    /// A structure or union.
    Record(CRecordId),
    /// A pointer.
    Pointer(Box<CType>),
    /// An array, with the number of its elements if the type says it.
    Array(Box<CType>, Option<u64>),
    /// A function, `void`, or a type whose values are not shown to people.
    Other,
}

impl CType {
    /// Whether values of the type have parts.
    #[must_use]
    pub fn is_aggregate(&self) -> bool {
        matches!(self, CType::Record(_) | CType::Array(..))
    }
}

/// A structure or union.
#[derive(Clone, Default, Debug)]
pub struct CRecord {
    /// The number of bytes. None if the record is declared and not defined, or is laid out only when the program runs:
    /// then the table has no members of it.
    pub size: Option<u64>,
    /// The members in the order of the text, without bit-fields that have no name.
    pub members: Vec<CMember>,
}

/// A member of a structure or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CMember {
    /// None for an anonymous structure or union: its members count as members of the enclosing one.
    pub name: Option<Box<str>>,
    /// The type as it is declared; a bit-field may have fewer bits.
    pub ty: CType,
    /// How many bytes of the record are before the member.
    pub offset: u64,
    /// The lowest bit of a bit-field in the byte at the offset, and how many bits it has.
    pub bits: Option<(u32, u32)>,
}

/// An enumeration.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct CEnumeration {
    /// The number of its bytes.
    pub size: u64,
    /// Whether the bits of its values are numbers with a sign.
    pub signed: bool,
    /// The names of its values, in the order of the text.
    pub enumerators: Vec<(Box<str>, i128)>,
}

/// The types of names and functions of a C text: a side table that the front end writes from its tree.
#[derive(Clone, Default, Debug)]
pub struct CTypes {
    /// The bits of an address.
    pub address_width: u32,
    /// The structures and unions that the types name.
    pub records: IndexVec<CRecordId, CRecord>,
    /// The enumerations that the types name.
    pub enumerations: IndexVec<CEnumerationId, CEnumeration>,
    /// The types by the places where the names are declared. A macro may declare several names at one place; this place
    /// has no type then, unless all these names have the same type.
    declared: FxHashMap<(FileId, u32), Option<CType>>,
    /// The places of names that no other file can name.
    internal: FxHashSet<(FileId, u32)>,
    /// The places of the names of lists of arguments.
    argument_lists: FxHashSet<(FileId, u32)>,
    returned: FxHashMap<Box<str>, CType>,
    /// The values of enumerators by their names; none if several blocks declare a name with different values.
    enumerators: FxHashMap<Box<str>, Option<i128>>,
}

impl CTypes {
    /// A table without types, for addresses of this many bits.
    #[must_use]
    pub fn new(address_width: u32) -> Self {
        Self { address_width, ..Self::default() }
    }

    /// Notes the type of what is declared where a name stands.
    pub fn declare(&mut self, name: Span, ty: CType) {
        let known =
            self.declared.entry((name.file, name.start)).or_insert_with(|| Some(ty.clone()));
        if known.as_ref().is_some_and(|known| *known != ty) {
            *known = None;
        }
    }

    /// The type of what is declared where a name stands.
    #[must_use]
    pub fn declared(&self, name: Span) -> Option<&CType> {
        self.declared.get(&(name.file, name.start))?.as_ref()
    }

    /// Notes that no other file can name the function or object that is declared where a name stands.
    pub fn declare_internal(&mut self, name: Span) {
        self.internal.insert((name.file, name.start));
    }

    /// Whether the function or object that is declared where a name stands is one that no other file can name: it is
    /// declared with `static`, or so was an earlier declaration of it.
    #[must_use]
    pub fn is_internal(&self, name: Span) -> bool {
        self.internal.contains(&(name.file, name.start))
    }

    /// Notes that the type of what is declared where a name stands is `va_list`, or made of it.
    pub fn declare_argument_list(&mut self, name: Span) {
        self.argument_lists.insert((name.file, name.start));
    }

    /// Whether a list of arguments (`va_list`), a pointer to one or an array of them is declared where a name stands: what
    /// the model keeps in a list has no meaning for the program.
    #[must_use]
    pub fn is_argument_list(&self, name: Span) -> bool {
        self.argument_lists.contains(&(name.file, name.start))
    }

    /// Notes what a function returns.
    pub fn declare_function(&mut self, name: &str, returned: CType) {
        self.returned.insert(name.into(), returned);
    }

    /// What a function returns. The function is looked up by its name in the model, or, if it has no body, by its name
    /// in C.
    #[must_use]
    pub fn returned(&self, function: &str) -> Option<&CType> {
        self.returned.get(function)
    }

    /// Notes an enumerator, even if no type names its enumeration.
    pub fn declare_enumerator(&mut self, name: &str, value: i128) {
        match self.enumerators.get_mut(name) {
            Some(known) if *known == Some(value) => {}
            Some(known) => *known = None,
            None => drop(self.enumerators.insert(name.into(), Some(value))),
        }
    }

    /// The value of an enumerator.
    #[must_use]
    pub fn enumerator(&self, name: &str) -> Option<i128> {
        *self.enumerators.get(name)?
    }

    /// The enumerator of an enumeration that has a value.
    #[must_use]
    pub fn named(&self, enumeration: CEnumerationId, value: i128) -> Option<&str> {
        let all = &self.enumerations[enumeration].enumerators;
        all.iter().find(|(_, known)| *known == value).map(|(name, _)| &**name)
    }

    /// The number of bytes of a type.
    #[must_use]
    pub fn size(&self, ty: &CType) -> Option<u64> {
        let size = match ty {
            CType::Integer { bits, .. } => u64::from(*bits / 8),
            CType::Character | CType::Truth => 1,
            // The ten bytes of an 80-bit float are followed by unused bytes.
            CType::Float(80) if self.address_width == 64 => 16,
            CType::Float(80) => 12,
            CType::Float(bits) => u64::from(*bits / 8),
            CType::Enumeration(id) => self.enumerations[*id].size,
            CType::Pointer(_) => u64::from(self.address_width / 8),
            CType::Array(element, count) => self.size(element)?.checked_mul((*count)?)?,
            CType::Record(id) => self.records[*id].size?,
            CType::Other => return None,
        };
        (size <= LARGEST).then_some(size)
    }

    /// The members of a structure or union whose layout is known.
    #[must_use]
    pub fn members(&self, record: CRecordId) -> Option<&[CMember]> {
        let record = &self.records[record];
        record.size.filter(|size| *size <= LARGEST).map(|_| &*record.members)
    }

    /// A member by its name, also a member of a structure or union without a name inside.
    #[must_use]
    pub fn member(&self, record: CRecordId, name: &str) -> Option<CMember> {
        for member in self.members(record)? {
            match (&member.name, &member.ty) {
                (Some(known), _) if **known == *name => return Some(member.clone()),
                (None, CType::Record(inner)) => {
                    if let Some(found) = self.member(*inner, name) {
                        let offset = member.offset + found.offset;
                        return Some(CMember { offset, ..found });
                    }
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: CType = CType::Integer { bits: 32, signed: true };

    #[test]
    fn names_at_one_place_have_a_type_if_they_share_it() {
        let mut sources = base::SourceMap::new();
        let file = sources.add("a.c", &b"PAIR"[..]).expect("a short file");
        let place = Span::new(file, 0, 4);
        let mut types = CTypes::default();
        types.declare(place, INT);
        types.declare(place, INT);
        assert_eq!(types.declared(place), Some(&INT));
        types.declare(place, CType::Truth);
        types.declare(place, INT);
        assert_eq!(types.declared(place), None);
    }

    #[test]
    fn enumerators_with_several_values_have_none() {
        let mut types = CTypes::default();
        types.declare_enumerator("RED", 1);
        types.declare_enumerator("RED", 1);
        types.declare_enumerator("GREEN", 2);
        types.declare_enumerator("GREEN", 3);
        types.declare_enumerator("GREEN", 2);
        assert_eq!((types.enumerator("RED"), types.enumerator("GREEN")), (Some(1), None));
    }

    #[test]
    fn what_is_too_large_or_not_laid_out_has_no_size() {
        let mut types = CTypes::new(64);
        let open = types.records.push(CRecord::default());
        let array = |element, count| CType::Array(Box::new(element), count);
        for ty in [
            CType::Record(open),
            array(INT, None),
            array(INT, Some(u64::MAX)),
            array(INT, Some(1 << 62)),
            array(array(INT, Some(1 << 30)), Some(1 << 30)),
            CType::Other,
        ] {
            assert_eq!(types.size(&ty), None, "{ty:?}");
        }
        assert_eq!(types.members(open), None);
        assert_eq!(types.size(&array(CType::Float(80), Some(3))), Some(48));
    }
}
