//! The types of a C program's variables and functions, and the parts of their values, for words of reports.
//!
//! The front end says what is declared (`cfa::CTypes`). What has no type there is shown as the model
//! has it; nothing but words for people depends on it.

mod macros;
mod paths;

use std::cell::OnceCell;
use std::ops::Deref;

use cfa::{CTypes, Choice, Program, Reading};
use interp::Origin;
use rustc_hash::FxHashMap;
use term::Var;

pub(crate) use cfa::CType as Type;
pub(crate) use paths::Wanted;

/// The table of a program's types, with queries about it.
pub(crate) struct Types<'p> {
    program: &'p Program,
    /// The macros that are numbers; they are looked for when a name is met that is nothing else.
    macros: OnceCell<FxHashMap<&'p str, Option<i128>>>,
}

impl Deref for Types<'_> {
    type Target = CTypes;

    fn deref(&self) -> &CTypes {
        &self.program.cfa.c_types
    }
}

impl<'p> Types<'p> {
    /// The types of a program.
    pub(crate) fn of(program: &'p Program) -> Self {
        Self { program, macros: OnceCell::new() }
    }

    /// The value of an enumerator or of a macro that is a number.
    pub(crate) fn constant(&self, name: &str) -> Option<i128> {
        self.enumerator(name).or_else(|| {
            let macros = self.macros.get_or_init(|| macros::numbers(self.program));
            *macros.get(name)?
        })
    }

    /// How a value is read that was chosen: as the declaration of the function says that gave it.
    pub(crate) fn reading(&self, origin: Origin) -> Reading {
        let returned = match (origin, origin.choice(self.program)) {
            (Origin::Havoc(_), Choice::Input(name) | Choice::External(name)) => self.returned(name),
            _ => None,
        };
        match returned {
            Some(Type::Integer { signed: true, .. } | Type::Character) => Reading::Signed,
            Some(Type::Integer { .. } | Type::Truth) => Reading::Plain,
            Some(Type::Pointer(_)) => Reading::Address,
            _ => interp::reading(self.program, origin),
        }
    }

    /// The declared type of a variable, or of the object whose address it is, and its bits if it is a bit-field.
    pub(crate) fn variable(&self, var: Var) -> Option<(Type, Option<(u32, u32)>)> {
        let known = self.program.cfa.variables.get(var)?;
        let (mut ty, mut bits) = (self.declared(known.span?)?.clone(), None);
        // A name of the model like `q.x[1]` is a part of the variable that is declared as `q`.
        let name = known.source_name.as_deref()?.trim_start_matches('&');
        let mut rest = &name[name.find(['.', '[']).unwrap_or(name.len())..];
        while !rest.is_empty() {
            let end = rest[1..].find(['.', '[']).map_or(rest.len(), |end| end + 1);
            (ty, bits) = match (&ty, rest[..end].strip_prefix('.')) {
                (Type::Record(record), Some(member)) => {
                    let member = self.member(*record, member)?;
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
    pub(crate) fn may_be_bits(&self, var: Var) -> bool {
        self.variable(var).is_none_or(|(_, bits)| bits.is_some())
    }
}
