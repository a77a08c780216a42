//! What a text declares: types, structures and unions, enumerators, and what functions return.

use std::cell::RefCell;
use std::rc::Rc;

use base::{FileId, Span};
use cfa::{Choice, Program, Reading};
use interp::Origin;
use rustc_hash::FxHashMap;

/// A type of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    /// An integer of so many bits.
    Integer { bits: u32, signed: bool },
    /// `char`, whose values are often characters.
    Character,
    /// `_Bool`.
    Truth,
    /// A floating type of so many bits.
    Float(u32),
    /// An enumeration, by its key in [`Types`].
    Enumeration(String),
    /// A structure or union, by its key in [`Types`].
    Record(String),
    /// A pointer.
    Pointer(Box<Type>),
    /// An array, with the number of its elements if that is known.
    Array(Box<Type>, Option<u64>),
    /// A function, `void`, or anything else that has no values.
    Other,
}

impl Type {
    /// Whether values of the type have parts.
    pub(crate) fn is_aggregate(&self) -> bool {
        matches!(self, Type::Record(_) | Type::Array(..))
    }
}

/// A structure or union.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Record {
    pub(super) is_union: bool,
    pub(super) members: Vec<Declared>,
    /// Whether an attribute or an alignment may have changed the layout.
    pub(super) is_odd: bool,
}

/// A member as it is declared. One without a name is a structure whose members belong to the
/// enclosing one, or bits that are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Declared {
    pub(super) name: Option<String>,
    pub(super) ty: Type,
    /// The width of a bit-field.
    pub(super) bits: Option<u32>,
}

/// What a text declares.
#[derive(Default, Debug)]
pub(crate) struct Types {
    /// The width of a pointer and of `long`.
    pub(crate) address_width: u32,
    /// By tag (`struct s`) or by the place of the body. None where a tag has several meanings.
    pub(super) records: FxHashMap<String, Option<Record>>,
    /// The enumerators with their values, by tag or by the place of the body.
    pub(super) enumerations: FxHashMap<String, Option<Vec<(String, i128)>>>,
    pub(super) typedefs: FxHashMap<String, Option<Type>>,
    /// Enumerators and macros that are numbers.
    pub(super) constants: FxHashMap<String, Option<i128>>,
    /// The layouts of records that were asked for.
    pub(super) layouts: RefCell<FxHashMap<String, Option<Rc<Layout>>>>,
    /// The types of what functions return.
    pub(super) returned: FxHashMap<String, Option<Type>>,
    /// The types of variables and objects, by the places of their names.
    pub(super) declared: FxHashMap<(FileId, u32), Type>,
}

/// A structure or union with the places of its members.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) members: Vec<Member>,
    pub(super) size: u64,
    pub(super) align: u64,
}

/// Where a member is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    pub(crate) name: Option<String>,
    pub(crate) ty: Type,
    /// Bytes before it.
    pub(crate) offset: u64,
    /// The bits that a bit-field has, counted from the lowest of the byte at the offset.
    pub(crate) bits: Option<(u32, u32)>,
}

impl Types {
    /// The type of what is declared at the place of its name.
    pub(crate) fn declared(&self, name: Span) -> Option<&Type> {
        self.declared.get(&(name.file, name.start))
    }

    /// The type of what a function returns.
    pub(crate) fn returned(&self, function: &str) -> Option<&Type> {
        self.returned.get(function)?.as_ref()
    }

    /// How a value is read that was chosen: as the declaration of the function says that gave it.
    pub(crate) fn reading(&self, program: &Program, origin: Origin) -> Reading {
        let returned = match (origin, origin.choice(program)) {
            (Origin::Havoc(_), Choice::Input(name) | Choice::External(name)) => {
                self.returned.get(&**name).and_then(Option::as_ref)
            }
            _ => None,
        };
        match returned {
            Some(Type::Integer { signed: true, .. } | Type::Character) => Reading::Signed,
            Some(Type::Integer { .. } | Type::Truth) => Reading::Plain,
            Some(Type::Pointer(_)) => Reading::Address,
            _ => interp::reading(program, origin),
        }
    }

    /// The enumerator with a value.
    pub(crate) fn enumerator(&self, key: &str, value: i128) -> Option<&str> {
        let all = self.enumerations.get(key)?.as_ref()?;
        all.iter().find(|(_, known)| *known == value).map(|(name, _)| &**name)
    }

    /// The value of an enumerator or of a macro that is a number.
    pub(crate) fn constant(&self, name: &str) -> Option<i128> {
        *self.constants.get(name)?
    }

    /// A structure or union.
    pub(super) fn record(&self, key: &str) -> Option<&Record> {
        self.records.get(key)?.as_ref()
    }
}

/// Notes a meaning of a name; a name with two meanings has none.
pub(super) fn note<T: PartialEq>(
    table: &mut FxHashMap<String, Option<T>>,
    name: &str,
    meaning: Option<T>,
) {
    match table.get_mut(name) {
        Some(known) if *known == meaning => {}
        Some(known) => *known = None,
        None => {
            table.insert(name.to_owned(), meaning);
        }
    }
}
