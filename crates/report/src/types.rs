//! The types of C declarations, read from the program's own text.
//!
//! The program model knows bits and bytes. People know members, elements and enumerators, so this
//! module reads declarations again, as far as they are plain. What it does not understand has no
//! type here, and is shown as the model has it; nothing but words for people depends on it.

pub(crate) mod layout;
mod parse;
pub(crate) mod tokens;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use base::{FileId, Span};
use cfa::{Choice, Program, Reading};
use interp::Origin;
use rustc_hash::FxHashMap;

use parse::Parser;

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
    is_union: bool,
    members: Vec<Declared>,
    /// Whether an attribute or an alignment may have changed the layout.
    is_odd: bool,
}

/// A member as it is declared. One without a name is a structure whose members belong to the
/// enclosing one, or bits that are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Declared {
    name: Option<String>,
    ty: Type,
    /// The width of a bit-field.
    bits: Option<u32>,
}

/// What a text declares.
#[derive(Default, Debug)]
pub(crate) struct Types {
    /// The width of a pointer and of `long`.
    pub(crate) address_width: u32,
    /// By tag (`struct s`) or by the place of the body. None where a tag has several meanings.
    records: FxHashMap<String, Option<Record>>,
    /// The enumerators with their values, by tag or by the place of the body.
    enumerations: FxHashMap<String, Option<Vec<(String, i128)>>>,
    typedefs: FxHashMap<String, Option<Type>>,
    /// Enumerators and macros that are numbers.
    constants: FxHashMap<String, Option<i128>>,
    /// The layouts of records that were asked for.
    layouts: RefCell<FxHashMap<String, Option<Rc<layout::Layout>>>>,
    /// The types of what functions return.
    returned: FxHashMap<String, Option<Type>>,
    /// The types of variables and objects, by the places of their names.
    declared: FxHashMap<(FileId, u32), Type>,
}

impl Types {
    /// The types that a program declares in its own text, and those of the bundled headers.
    pub(crate) fn of(program: &Program) -> Self {
        let mut types = Self { address_width: program.cfa.address_width, ..Self::default() };
        let variables = program.cfa.variables.iter().filter_map(|variable| variable.span);
        let objects = program.cfa.objects.iter().filter_map(|object| object.span);
        let names: BTreeSet<Span> = variables.chain(objects).collect();
        // What is included has later numbers, and is declared before.
        let files: Vec<FileId> = program.sources.files().collect();
        let is_model = |file: FileId| {
            program.sources.is_borrowed(file) && !program.sources.name(file).ends_with(".h")
        };
        for file in files.into_iter().rev().filter(|file| !is_model(*file)) {
            let Ok(text) = std::str::from_utf8(program.sources.text(file)) else { continue };
            let mut parser = Parser::new(&mut types, text, file);
            parser.declarations();
            for name in names.iter().filter(|name| name.file == file) {
                if let Some(ty) = parser.declared_at(name.start as usize) {
                    parser.types.declared.insert((file, name.start), ty);
                }
            }
        }
        types
    }

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

    fn record(&self, key: &str) -> Option<&Record> {
        self.records.get(key)?.as_ref()
    }
}

/// Notes a meaning of a name; a name with two meanings has none.
fn note<T: PartialEq>(table: &mut FxHashMap<String, Option<T>>, name: &str, meaning: Option<T>) {
    match table.get_mut(name) {
        Some(known) if *known == meaning => {}
        Some(known) => *known = None,
        None => {
            table.insert(name.to_owned(), meaning);
        }
    }
}
