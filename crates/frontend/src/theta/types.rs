//! The types of Theta and the sorts that stand for them.

use base::Span;
use term::{Format, MAX_WIDTH, Sort, TermId, Terms};

use super::lexer::Kind;
use super::small_float::SmallFormat;
use super::{Loader, Stop};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    /// One that has a sort of its own.
    Sort(Sort),
    /// A float narrower than those that have; its values are doubles.
    Small(SmallFormat),
}

impl Type {
    pub const BOOL: Type = Type::Sort(Sort::Bool);
    pub const INT: Type = Type::Sort(Sort::Int);
    pub const RAT: Type = Type::Sort(Sort::Rat);

    /// The sort of the terms that stand for its values.
    pub fn sort(self) -> Sort {
        match self {
            Type::Sort(sort) => sort,
            Type::Small(_) => Sort::Float(Format::Double),
        }
    }

    /// Whether it is a float.
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

    /// The float type with these sizes, if the program model has it.
    pub fn float(exponent: u32, significand: u32) -> Option<Type> {
        let format = Format::from_parts(exponent, significand);
        let format = format.map(|format| Type::Sort(Sort::Float(format)));
        format.or_else(|| SmallFormat::new(exponent, significand).map(Type::Small))
    }

    /// As Theta writes it.
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
    // Index sorts are no arrays, so this does not nest.
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

/// A term with the type that it has for Theta. `None` stands for one that is wrong and has been
/// reported, so that it causes no other messages.
pub(super) type Value = Option<Typed>;

/// A term with its type and place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typed {
    pub term: TermId,
    pub ty: Type,
    pub span: Span,
}

impl Loader<'_> {
    /// Reads a type; `None` if it is well-formed but not supported.
    pub fn type_(&mut self) -> Result<Option<Type>, Stop> {
        self.nested(Self::type_inside)
    }

    fn type_inside(&mut self) -> Result<Option<Type>, Stop> {
        let token = self.peek();
        match token.text {
            "bool" => self.advance_with(Some(Type::BOOL)),
            "int" => self.advance_with(Some(Type::INT)),
            "rat" => self.advance_with(Some(Type::RAT)),
            "bv" => Ok(self.bv_type()?.map(|width| Type::Sort(Sort::Bv(width)))),
            "fp" => {
                self.advance();
                self.float_sizes()
            }
            "[" => self.array_type(),
            "(" => self.function_type(),
            _ => Err(self.expected("a type")),
        }
    }

    /// Reads `bv[8]`.
    pub fn bv_type(&mut self) -> Result<Option<u32>, Stop> {
        self.expect_word("bv")?;
        self.expect("[")?;
        let width = self.width()?;
        self.expect("]")?;
        Ok(width)
    }

    /// Reads the width of a bit-vector.
    pub fn width(&mut self) -> Result<Option<u32>, Stop> {
        let (size, span) = self.size()?;
        match size {
            Some(width @ 1..=MAX_WIDTH) => Ok(Some(width)),
            _ => {
                self.error(span, format!("a bit-vector has 1 to {MAX_WIDTH} bits"));
                Ok(None)
            }
        }
    }

    /// Reads `[8:24]` or `[8,24]`.
    pub fn float_sizes(&mut self) -> Result<Option<Type>, Stop> {
        let start = self.expect("[")?.span;
        let (exponent, _) = self.size()?;
        if !self.accept(":") && !self.accept(",") {
            return Err(self.expected("`:`"));
        }
        let (significand, _) = self.size()?;
        let span = start.to(self.expect("]")?.span);
        let ty = exponent.zip(significand).and_then(|(e, s)| Type::float(e, s));
        if ty.is_none() {
            let hint = "fp[5:11], fp[8:24], fp[11:53], fp[15:64], fp[15:113] are, and all with an \
                        exponent of 2 to 5 and a significand of 2 to 11 bits";
            self.error_with_hint(span, "this floating-point format is not supported", hint);
        }
        Ok(ty)
    }

    /// Reads a size, which is `None` if it does not fit.
    pub fn size(&mut self) -> Result<(Option<u32>, Span), Stop> {
        let token = self.peek();
        if token.kind != Kind::Number {
            return Err(self.expected("a number"));
        }
        self.advance();
        Ok((token.text.parse().ok(), token.span))
    }

    fn array_type(&mut self) -> Result<Option<Type>, Stop> {
        self.expect("[")?;
        let index_span = self.peek().span;
        let index = self.type_()?;
        self.expect("]")?;
        self.expect("->")?;
        let element_span = self.peek().span;
        let element = self.type_()?;
        let (Some(index), Some(element)) = (index, element) else { return Ok(None) };
        Ok(self.array_of(index, index_span, element, element_span))
    }

    /// The type of arrays, if there is one.
    pub fn array_of(&mut self, index: Type, at: Span, element: Type, el: Span) -> Option<Type> {
        let parts = [(index, at), (element, el)];
        for (part, span) in parts {
            if let Type::Small(_) = part {
                let name = part.describe(&self.program.terms);
                self.error(span, format!("arrays of {name} are not supported"));
                return None;
            }
        }
        if matches!(index, Type::Sort(Sort::Array(_))) {
            self.error(at, "arrays as indices are not supported");
            return None;
        }
        Some(Type::Sort(self.program.terms.array_sort(index.sort(), element.sort())))
    }

    fn function_type(&mut self) -> Result<Option<Type>, Stop> {
        let start = self.expect("(")?.span;
        loop {
            self.type_()?;
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        self.expect("->")?;
        let end = self.peek().span;
        self.type_()?;
        self.error(start.to(end), "function types are not supported");
        Ok(None)
    }
}
