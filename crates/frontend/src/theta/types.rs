//! The types of Theta and the sorts that stand for them.

use base::Span;
use term::{Format, Sort, TermId, Terms};

use super::small_float::SmallFormat;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    /// A type that has a sort of its own.
    Sort(Sort),
    /// A float that is narrower than the floats with a sort of their own; its values are kept as doubles.
    Small(SmallFormat),
}

impl Type {
    pub const BOOL: Type = Type::Sort(Sort::Bool);
    pub const INT: Type = Type::Sort(Sort::Int);
    pub const RAT: Type = Type::Sort(Sort::Rat);

    /// The sort of the terms that stand for values of the type.
    pub fn sort(self) -> Sort {
        match self {
            Type::Sort(sort) => sort,
            Type::Small(_) => Sort::Float(Format::Double),
        }
    }

    /// Whether the type is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Type::Sort(Sort::Float(_)) | Type::Small(_))
    }

    /// The width of a bit-vector.
    pub fn width(self) -> Option<u32> {
        match self {
            Type::Sort(sort) => sort.bv_width(),
            Type::Small(_) => None,
        }
    }

    /// The float type with these sizes, if the program model can express it.
    pub fn float(exponent: u32, significand: u32) -> Option<Type> {
        let format = Format::from_parts(exponent, significand);
        let format = format.map(|format| Type::Sort(Sort::Float(format)));
        format.or_else(|| SmallFormat::new(exponent, significand).map(Type::Small))
    }

    /// The type as Theta writes it.
    pub fn describe(self, terms: &Terms) -> String {
        match self {
            Type::Sort(sort) => describe(sort, terms),
            Type::Small(format) => format!("fp[{}:{}]", format.exponent(), format.significand()),
        }
    }
}

fn describe(sort: Sort, terms: &Terms) -> String {
    let mut text = String::new();
    let mut sort = sort;
    // The index of an array is no array, so the description does not nest there.
    while let Sort::Array(array) = sort {
        let (index, element) = terms.array_parts(array);
        text.push_str(&format!("[{}] -> ", describe(index, terms)));
        sort = element;
    }
    text + &match sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Int => "int".to_owned(),
        Sort::Rat => "rat".to_owned(),
        Sort::Bv(width) => format!("bv[{width}]"),
        Sort::Float(format) => {
            format!("fp[{}:{}]", format.exponent_bits(), format.significand_bits())
        }
        Sort::Array(_) => String::new(),
    }
}

/// A term with the type that it has for Theta. `None` stands for a term that is wrong and has been reported, so that it
/// causes no other messages.
pub(super) type Value = Option<Typed>;

/// A term with its type and place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typed {
    pub term: TermId,
    pub ty: Type,
    pub span: Span,
}
