//! Expressions, read and typed in one pass.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;
use term::{Bv, Float, MAX_WIDTH, Op, Rounding, Sort};

use super::level::is_float_prefix;
use super::lexer::{Token, TokenKind};
use super::loader::{Loader, Stop};
use super::operator::{Infix, infix};
use super::types::{Type, Typed, Value};

/// The most decimal digits of a number: the time for reading a number grows with the square of its digits.
const MAX_DIGITS: usize = 10_000;
/// The level of a whole expression.
const LOWEST: u8 = 0;

impl<'a> Loader<'a> {
    /// Reads an expression.
    pub fn expression(&mut self) -> Result<Value, Stop> {
        self.operation(LOWEST)
    }

    /// Reads an expression whose operators bind at least as tightly as `least`.
    fn operation(&mut self, least: u8) -> Result<Value, Stop> {
        self.nested(|loader| {
            let mut left = loader.prefixed()?;
            // The tightest operator that may follow: `a = b = c` is an error.
            let mut most = u8::MAX;
            loop {
                let token = loader.peek();
                let Some(op) = infix(token).filter(|op| op.level >= least) else { break };
                if op.level > most {
                    break;
                }
                if op.level == most {
                    let message = format!("`{}` needs parentheses here", token.text);
                    loader.error(token.span, message);
                    return Err(Stop);
                }
                left = loader.after(op, token, left)?;
                if !op.chains {
                    most = op.level;
                }
            }
            Ok(left)
        })
    }

    /// Reads an operator and its right side.
    fn after(&mut self, op: Infix, token: Token<'a>, left: Value) -> Result<Value, Stop> {
        self.advance();
        match token.text {
            "and" | "or" => return self.connective(op, token, left),
            "bv_zero_extend" | "bv_sign_extend" => {
                let end = self.peek().span;
                let width = self.bv_type()?;
                let Some((left, width)) = left.zip(width) else { return Ok(None) };
                return Ok(self.extend(token, left, width, end));
            }
            _ => {}
        }
        let rounding = if op.rounds { self.rounding()? } else { Rounding::NearestEven };
        let right = self.operation(if op.right { op.level } else { op.level + 1 })?;
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        Ok(self.binary(token, rounding, left, right))
    }

    /// Reads the rest of a conjunction or disjunction, which becomes one term however long it is.
    fn connective(&mut self, op: Infix, token: Token<'a>, left: Value) -> Result<Value, Stop> {
        let mut operands = vec![left];
        loop {
            let operand = self.operation(op.level + 1)?;
            operands.push(operand);
            if !self.accept_word(token.text) {
                break;
            }
        }
        let span = match (operands.first(), operands.last()) {
            (Some(Some(first)), Some(Some(last))) => first.span.to(last.span),
            _ => token.span,
        };
        let mut terms = Vec::new();
        let mut whole = true;
        for operand in operands {
            match operand.and_then(|operand| self.bool(operand)) {
                Some(term) => terms.push(term),
                None => whole = false,
            }
        }
        let op = if token.text == "and" { Op::And } else { Op::Or };
        Ok(if whole { self.apply(op, &terms, Type::BOOL, span) } else { None })
    }

    /// Reads an operand with the operators before it.
    fn prefixed(&mut self) -> Result<Value, Stop> {
        let token = self.peek();
        match token.text {
            "if" => self.conditional(),
            "forall" | "exists" => self.quantified(),
            "not" => {
                self.advance();
                let operand = self.operation(infix_level("="))?;
                let Some(operand) = operand else { return Ok(None) };
                let span = token.span.to(operand.span);
                let term = self.bool(operand);
                Ok(term.and_then(|term| self.apply(Op::Not, &[term], Type::BOOL, span)))
            }
            "+" | "-" | "bvneg" | "bvpos" | "bvnot" => {
                self.advance();
                let operand = self.operation(TIGHTEST)?;
                Ok(operand.and_then(|operand| self.unary(token, operand)))
            }
            word if is_float_prefix(word) => self.float_prefix(),
            _ => {
                let primary = self.primary()?;
                self.accesses(primary)
            }
        }
    }

    fn conditional(&mut self) -> Result<Value, Stop> {
        let start = self.peek().span;
        self.expect_word("if")?;
        let condition = self.expression()?;
        self.expect_word("then")?;
        let then = self.expression()?;
        self.expect_word("else")?;
        let other = self.expression()?;
        let condition = condition.and_then(|condition| self.bool(condition));
        let (Some(condition), Some(then), Some(other)) = (condition, then, other) else {
            return Ok(None);
        };
        let span = start.to(other.span);
        let Some((then, other, ty)) = self.unify("if", then, other) else { return Ok(None) };
        Ok(self.apply(Op::Ite, &[condition, then, other], ty, span))
    }

    fn quantified(&mut self) -> Result<Value, Stop> {
        let token = self.peek();
        self.advance();
        self.error(token.span, "quantifiers are not supported");
        // The body of a quantifier has variables that are not declared here, so reading ends.
        Err(Stop)
    }

    /// Reads `fpsqrt[RNE] x` and its like.
    fn float_prefix(&mut self) -> Result<Value, Stop> {
        let token = self.peek();
        self.advance();
        let mut target = None;
        let mut signed = false;
        match token.text {
            "fptofp" => target = Some(self.float_sizes()?),
            "fpfrombv" => {
                target = Some(self.float_sizes()?);
                self.expect("[")?;
                signed = self.signedness()?;
                self.expect("]")?;
            }
            "fptobv" => {
                self.expect("[")?;
                let width = self.width()?;
                self.expect("'")?;
                signed = self.signedness()?;
                self.expect("]")?;
                target = Some(width.map(|width| Type::Sort(Sort::Bv(width))));
            }
            _ => {}
        }
        let rounding = self.rounding()?;
        let operand = self.operation(TIGHTEST)?;
        let Some(operand) = operand else { return Ok(None) };
        match target {
            None => Ok(self.float_unary(token, rounding, operand)),
            // The type was wrong, which has been reported.
            Some(None) => Ok(None),
            Some(Some(target)) => {
                Ok(self.float_conversion(token, rounding, target, signed, operand))
            }
        }
    }

    fn signedness(&mut self) -> Result<bool, Stop> {
        let token = self.peek();
        match token.text {
            "u" | "s" => self.advance_with(token.text == "s"),
            _ => Err(self.expected("`u` or `s`")),
        }
    }

    /// Reads `[RNE]` if it comes next.
    fn rounding(&mut self) -> Result<Rounding, Stop> {
        if !self.accept("[") {
            return Ok(Rounding::NearestEven);
        }
        let Some(rounding) = Rounding::from_name(self.peek().text) else {
            return Err(self.expected("a rounding mode: RNE, RNA, RTP, RTN or RTZ"));
        };
        self.advance();
        self.expect("]")?;
        Ok(rounding)
    }

    /// Reads what follows an operand: indices, slices, and what the format has no meaning for.
    fn accesses(&mut self, mut value: Value) -> Result<Value, Stop> {
        loop {
            let token = self.peek();
            if token.is_symbol("[") {
                self.advance();
                value = self.index(value)?;
            } else if token.is_symbol("'") {
                self.error(token.span, "primed expressions have no meaning in a statement");
                return Err(Stop);
            } else if token.is_symbol("(") {
                self.error(token.span, "functions are not supported");
                return Err(Stop);
            } else {
                return Ok(value);
            }
        }
    }

    /// Reads an index, a write or a slice after its opening bracket.
    fn index(&mut self, value: Value) -> Result<Value, Stop> {
        if self.peek().kind == TokenKind::Number && self.peek_after(1).is_symbol(":") {
            let (until, _) = self.size()?;
            self.advance();
            let (from, _) = self.size()?;
            let end = self.expect("]")?.span;
            return Ok(value.and_then(|value| self.slice(value, until, from, end)));
        }
        let index = self.expression()?;
        let element = if self.accept("<-") { Some(self.expression()?) } else { None };
        let end = self.expect("]")?.span;
        let (Some(array), Some(index)) = (value, index) else { return Ok(None) };
        match element {
            None => Ok(self.read(array, index, end)),
            Some(None) => Ok(None),
            Some(Some(element)) => Ok(self.write(array, index, element, end)),
        }
    }

    fn primary(&mut self) -> Result<Value, Stop> {
        let token = self.peek();
        let span = token.span;
        match token.kind {
            TokenKind::Number => self.number(),
            TokenKind::Bits => self.bits_or_float(),
            TokenKind::Word if matches!(token.text, "true" | "false") => {
                self.advance();
                let term = self.program.terms.bool(token.text == "true");
                Ok(Some(Typed { term, ty: Type::BOOL, span }))
            }
            TokenKind::Word if token.is_name() => {
                self.advance();
                let Some((var, ty)) = self.variable(token) else { return Ok(None) };
                let term = self.program.terms.var(var);
                Ok(Some(Typed { term, ty, span }))
            }
            TokenKind::Symbol if token.text == "(" => {
                if self.peek_after(1).is_name() && self.peek_after(2).is_symbol(":") {
                    self.error(span, "function literals are not supported");
                    return Err(Stop);
                }
                self.advance();
                let value = self.expression()?;
                let end = self.expect(")")?.span;
                Ok(value.map(|value| Typed { span: span.to(end), ..value }))
            }
            TokenKind::Symbol if token.text == "[" => self.array_literal(),
            _ => Err(self.expected("an expression")),
        }
    }

    /// Reads `5` or `1%2`.
    fn number(&mut self) -> Result<Value, Stop> {
        let first = self.peek();
        self.advance();
        let numerator = self.integer(first)?;
        if !self.accept("%") {
            let term = self.program.terms.int(numerator);
            return Ok(Some(Typed { term, ty: Type::INT, span: first.span }));
        }
        let second = self.peek();
        if second.kind != TokenKind::Number {
            return Err(self.expected("a number"));
        }
        self.advance();
        let span = first.span.to(second.span);
        let denominator = self.integer(second)?;
        if denominator.is_zero() {
            self.error(span, "the denominator is zero");
            return Ok(None);
        }
        let term = self.program.terms.rat(BigRational::new(numerator, denominator));
        Ok(Some(Typed { term, ty: Type::RAT, span }))
    }

    fn integer(&mut self, token: Token<'a>) -> Result<BigInt, Stop> {
        if token.text.len() > MAX_DIGITS {
            self.error(token.span, format!("a number has at most {MAX_DIGITS} digits"));
            return Err(Stop);
        }
        // The token has nothing but digits.
        Ok(token.text.parse().unwrap_or_default())
    }

    /// Reads `8'd5`, or a float such as `8'b01111111.23'd0`.
    fn bits_or_float(&mut self) -> Result<Value, Stop> {
        let first = self.peek();
        self.advance();
        let high = self.bits(first);
        if !self.accept(".") {
            return Ok(high.map(|bits| {
                let ty = Type::Sort(Sort::Bv(bits.width()));
                Typed { term: self.program.terms.bv_value(bits), ty, span: first.span }
            }));
        }
        let second = self.peek();
        if second.kind != TokenKind::Bits {
            return Err(self.expected("the significand, a bit-vector literal"));
        }
        self.advance();
        let low = self.bits(second);
        let span = first.span.to(second.span);
        let Some((exponent, fraction)) = high.zip(low) else { return Ok(None) };
        let Some(ty) = Type::float(exponent.width(), fraction.width() + 1) else {
            let message = "a float of these sizes is not supported";
            self.error(span, message);
            return Ok(None);
        };
        // Formats have at most 15 and 112 bits, so both parts fit.
        let parts = exponent.to_u128().zip(fraction.to_u128());
        let (exponent, fraction) = parts.unwrap_or_default();
        let value = match ty {
            Type::Small(small) => {
                Float::from_f64(small.literal(false, exponent as u32, fraction as u32))
            }
            Type::Sort(Sort::Float(format)) => Float::from_parts(format, false, exponent, fraction),
            Type::Sort(_) => return Ok(None),
        };
        Ok(Some(Typed { term: self.program.terms.float(value), ty, span }))
    }

    fn bits(&mut self, token: Token<'a>) -> Option<Bv> {
        let (width, rest) = token.text.split_once('\'')?;
        let Some(width @ 1..=MAX_WIDTH) = width.parse::<u32>().ok() else {
            self.error(token.span, format!("a bit-vector has 1 to {MAX_WIDTH} bits"));
            return None;
        };
        let (digits, radix) = match rest.split_at(1) {
            ("b", digits) => (digits.trim_start_matches('v'), 2),
            ("x", digits) => (digits, 16),
            (_, digits) => (digits, 10),
        };
        if radix == 10 && digits.len() > MAX_DIGITS {
            self.error(token.span, format!("a number has at most {MAX_DIGITS} digits"));
            return None;
        }
        let number = BigInt::parse_bytes(digits.as_bytes(), radix)?;
        // Binary and hexadecimal digits are bits, leading zeros included; decimal digits are a number.
        let fits = match radix {
            2 => digits.len() as u64 <= u64::from(width),
            16 => digits.len() as u64 * 4 <= u64::from(width),
            _ => in_range(&number, width),
        };
        if !fits {
            self.error(token.span, format!("the literal does not fit into {width} bits"));
            return None;
        }
        Some(Bv::from_bigint(width, &number))
    }

    /// Reads `[0 <- true, 1 <- false, default <- false]` or `[<int> default <- 0]`.
    fn array_literal(&mut self) -> Result<Value, Stop> {
        let start = self.expect("[")?.span;
        let mut entries = Vec::new();
        let mut index_type = None;
        loop {
            let token = self.peek();
            if token.is_symbol("<") {
                self.advance();
                let ty = self.type_()?;
                self.expect(">")?;
                index_type = Some((ty, token.span));
            }
            if index_type.is_some() || self.peek().is_word("default") {
                break;
            }
            let index = self.expression()?;
            self.expect("<-")?;
            let element = self.expression()?;
            self.expect(",")?;
            entries.push((index, element));
        }
        self.expect_word("default")?;
        self.expect("<-")?;
        let default = self.expression()?;
        let span = start.to(self.expect("]")?.span);
        let (index, index_span) = match (index_type, entries.first()) {
            (Some((ty, span)), _) => (ty, span),
            (None, Some((Some(index), _))) => (Some(index.ty), index.span),
            (None, Some((None, _))) => (None, span),
            (None, None) => {
                let message = "an array literal without entries needs its index type";
                self.error_with_hint(span, message, "write [<int> default <- 0]");
                (None, span)
            }
        };
        let (Some(index), Some(default)) = (index, default) else { return Ok(None) };
        let ty = self.array_of(index, index_span, default.ty, default.span);
        let Some(Type::Sort(Sort::Array(array))) = ty else { return Ok(None) };
        let constant = self.apply(
            Op::ConstArray(array),
            &[default.term],
            Type::Sort(Sort::Array(array)),
            span,
        );
        let mut whole = constant;
        for entry in entries {
            let (Some(at), Some(element)) = entry else { return Ok(None) };
            whole = whole.and_then(|array| self.write(array, at, element, span));
        }
        Ok(whole)
    }
}

/// The level of operators before an operand: they bind more tightly than any operator between operands.
const TIGHTEST: u8 = u8::MAX;

fn infix_level(text: &str) -> u8 {
    super::level::level(text).unwrap_or(LOWEST)
}

/// Whether a number is that of a signed or an unsigned bit-vector of this width.
fn in_range(number: &BigInt, width: u32) -> bool {
    let bits = u64::from(width);
    let magnitude = number.magnitude();
    if number.sign() == num_bigint::Sign::Minus {
        magnitude.bits() < bits || *magnitude == BigUint::from(1u8) << (bits - 1)
    } else {
        magnitude.bits() <= bits
    }
}
