//! Reading types.

use base::Span;
use term::{MAX_WIDTH, Sort};

use super::lexer::TokenKind;
use super::loader::{Loader, Stop};
use super::types::Type;

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
        if token.kind != TokenKind::Number {
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
