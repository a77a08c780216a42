//! The tokens of SMT-LIB text.

use std::borrow::Cow;

use crate::parse_error::ParseError;
use crate::print::is_symbol_char;

/// A token. What it holds has been checked to have the form of its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    Open,
    Close,
    /// A symbol without bars, which may be a keyword or operator.
    Symbol(&'a str),
    /// A symbol between bars, which is always a name.
    Quoted(Cow<'a, str>),
    /// Digits.
    Numeral(&'a str),
    /// Digits before and after a point.
    Decimal(&'a str, &'a str),
    /// The digits after `#b`, at least one.
    Binary(&'a str),
    /// The digits after `#x`, at least one.
    Hex(&'a str),
    /// What follows a colon, in commands.
    Keyword(&'a str),
    /// A string as it is written, without the outer quotes.
    String(&'a str),
    End,
}

#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    /// The end of what has been read, between two characters.
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(crate) fn error<T>(
        &self,
        offset: usize,
        message: impl Into<String>,
    ) -> Result<T, ParseError> {
        Err(ParseError { offset, message: message.into() })
    }

    /// The text from a place up to the end of the last token.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn skip_blank(&mut self) {
        loop {
            self.take(char::is_whitespace);
            if !self.rest().starts_with(';') {
                return;
            }
            self.take(|c| c != '\n');
        }
    }

    /// The next token and where it starts.
    pub(crate) fn next(&mut self) -> Result<(usize, Token<'a>), ParseError> {
        self.skip_blank();
        let start = self.at;
        let Some(c) = self.rest().chars().next() else {
            return Ok((start, Token::End));
        };
        let token = match c {
            '(' => {
                self.at += 1;
                Token::Open
            }
            ')' => {
                self.at += 1;
                Token::Close
            }
            '|' => self.quoted(start)?,
            '"' => self.string(start)?,
            ':' => {
                self.at += 1;
                Token::Keyword(self.take(is_symbol_char))
            }
            '#' => {
                let word = &self.rest()[1..];
                let (kind, radix) = match word.chars().next() {
                    Some('b') => ('b', 2),
                    Some('x') => ('x', 16),
                    _ => return self.error(start, "expected `#b` or `#x`"),
                };
                self.at += 2;
                let digits = self.take(|c| c.is_digit(radix));
                if digits.is_empty() || self.rest().starts_with(is_symbol_char) {
                    return self.error(start, "malformed bit-vector constant");
                }
                if kind == 'b' { Token::Binary(digits) } else { Token::Hex(digits) }
            }
            '0'..='9' => self.number(start)?,
            c if is_symbol_char(c) => Token::Symbol(self.take(is_symbol_char)),
            c => return self.error(start, format!("unexpected character {c:?}")),
        };
        Ok((start, token))
    }

    fn number(&mut self, start: usize) -> Result<Token<'a>, ParseError> {
        let whole = self.take(|c| c.is_ascii_digit());
        let token = if self.rest().starts_with('.') {
            self.at += 1;
            let fraction = self.take(|c| c.is_ascii_digit());
            if fraction.is_empty() {
                return self.error(start, "expected digits after the point");
            }
            Token::Decimal(whole, fraction)
        } else {
            Token::Numeral(whole)
        };
        if self.rest().starts_with(is_symbol_char) {
            return self.error(start, "malformed number");
        }
        Ok(token)
    }

    /// Two quotes within a string stand for one.
    fn string(&mut self, start: usize) -> Result<Token<'a>, ParseError> {
        self.at += 1;
        let from = self.at;
        loop {
            self.take(|c| c != '"');
            if self.rest().is_empty() {
                return self.error(start, "a string without its closing quote");
            }
            self.at += 1;
            if !self.rest().starts_with('"') {
                return Ok(Token::String(&self.text[from..self.at - 1]));
            }
            self.at += 1;
        }
    }

    fn quoted(&mut self, start: usize) -> Result<Token<'a>, ParseError> {
        self.at += 1;
        let body = self.rest();
        let mut escaped = false;
        for (index, c) in body.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '|' => {
                    self.at += index + 1;
                    return Ok(Token::Quoted(unescape(&body[..index])));
                }
                _ => {}
            }
        }
        self.error(start, "a name without its closing bar")
    }
}

/// A backslash before a bar or another backslash makes this character stand for itself; any other backslash stands for
/// itself.
fn unescape(body: &str) -> Cow<'_, str> {
    if !body.contains('\\') {
        return Cow::Borrowed(body);
    }
    let mut name = String::with_capacity(body.len());
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next @ ('|' | '\\')) if c == '\\' => {
                name.push(*next);
                chars.next();
            }
            _ => name.push(c),
        }
    }
    Cow::Owned(name)
}
