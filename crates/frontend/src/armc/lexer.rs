//! The tokens of Prolog text.

use base::{FileId, Span};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Pow;

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// An atom, quoted or not; quotes and escapes are gone.
    Atom { text: Box<str>, quoted: bool },
    /// A variable.
    Variable,
    /// A number, without a sign.
    Number(BigRational),
    /// Text in double quotes.
    Text,
    /// A bracket, a comma or a bar.
    Punctuation(u8),
    /// The full stop that ends a clause.
    Stop,
    /// Something that is no token, with what is wrong about it.
    Wrong(&'static str),
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// Whether nothing stands between this token and the token before it.
    pub tight: bool,
}

impl Token {
    /// Whether the token is this bracket, comma or bar.
    pub fn is(&self, symbol: u8) -> bool {
        self.kind == TokenKind::Punctuation(symbol)
    }
}

/// Exponents of numbers past this are refused: a few digits must not cost gigabytes.
const MAX_EXPONENT: u32 = 1000;
/// The most decimal digits of a number: the time for reading a number grows with the square of its digits.
const MAX_DIGITS: usize = 10_000;
const SYMBOLS: &[u8] = b"+-*/\\^<>=~:.?@#&$";

/// Cuts text into tokens; the last one is [`TokenKind::End`].
pub(super) fn tokens(text: &str, file: FileId) -> Vec<Token> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0 };
    let mut tokens = Vec::new();
    loop {
        let before = lexer.at;
        let open = lexer.skip_layout();
        let start = lexer.at;
        let tight = start == before && start > 0;
        let kind = match open {
            Some(problem) => {
                lexer.at = lexer.bytes.len();
                TokenKind::Wrong(problem)
            }
            None => lexer.next(),
        };
        let last = kind == TokenKind::End;
        // The casts are exact: a source map holds no longer files.
        let end = if open.is_some() { start + 2 } else { lexer.at };
        tokens.push(Token { kind, span: Span::new(file, start as u32, end as u32), tight });
        if last {
            return tokens;
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Lexer<'_> {
    /// Passes over blanks and comments, unless a comment has no end.
    fn skip_layout(&mut self) -> Option<&'static str> {
        loop {
            self.skip(|byte| byte.is_ascii_whitespace() || byte == 0x0B);
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"%") {
                self.skip(|byte| byte != b'\n');
            } else if rest.starts_with(b"/*") {
                match self.text[self.at + 2..].find("*/") {
                    Some(length) => self.at += length + 4,
                    None => return Some("this comment has no end"),
                }
            } else {
                return None;
            }
        }
    }

    fn next(&mut self) -> TokenKind {
        let start = self.at;
        let Some(first) = self.bytes.get(start).copied() else { return TokenKind::End };
        match first {
            b'a'..=b'z' => {
                self.skip(is_alphanumeric);
                self.atom(start)
            }
            b'A'..=b'Z' | b'_' => {
                self.skip(is_alphanumeric);
                TokenKind::Variable
            }
            b'0'..=b'9' => self.number(),
            b'\'' => self.quoted(),
            b'"' => match self.delimited(b'"') {
                Ok(_) => TokenKind::Text,
                Err(problem) => TokenKind::Wrong(problem),
            },
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b'|' => {
                self.at += 1;
                TokenKind::Punctuation(first)
            }
            b'!' | b';' => {
                self.at += 1;
                self.atom(start)
            }
            b'.' if self.ends_clause() => {
                self.at += 1;
                TokenKind::Stop
            }
            _ if SYMBOLS.contains(&first) => {
                self.skip(|byte| SYMBOLS.contains(&byte));
                self.atom(start)
            }
            _ => {
                let length = self.text[start..].chars().next().map_or(1, char::len_utf8);
                self.at += length;
                TokenKind::Wrong("this character has no meaning here")
            }
        }
    }

    /// Whether the full stop here is not part of an operator.
    fn ends_clause(&self) -> bool {
        self.bytes.get(self.at + 1).is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'%')
    }

    fn atom(&self, start: usize) -> TokenKind {
        TokenKind::Atom { text: self.text[start..self.at].into(), quoted: false }
    }

    fn quoted(&mut self) -> TokenKind {
        match self.delimited(b'\'') {
            Ok(text) => TokenKind::Atom { text: text.into(), quoted: true },
            Err(problem) => TokenKind::Wrong(problem),
        }
    }

    /// Reads what stands between two quotes; a doubled quote stands for the quote itself.
    fn delimited(&mut self, quote: u8) -> Result<String, &'static str> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let start = self.at;
            self.skip(|byte| byte != quote && byte != b'\\' && byte != b'\n');
            text.push_str(&self.text[start..self.at]);
            match (self.bytes.get(self.at), self.bytes.get(self.at + 1)) {
                (Some(first), Some(second)) if *first == quote && *second == quote => {
                    text.push(char::from(quote));
                    self.at += 2;
                }
                (Some(first), _) if *first == quote => {
                    self.at += 1;
                    return Ok(text);
                }
                (Some(b'\\'), Some(b'\n')) => self.at += 2,
                (Some(b'\\'), Some(escape)) if escape.is_ascii() => {
                    text.push(match escape {
                        b'n' => '\n',
                        b't' => '\t',
                        other => char::from(*other),
                    });
                    self.at += 2;
                }
                (Some(b'\\'), _) => self.at += 1,
                _ => return Err("this quote is not closed on its line"),
            }
        }
    }

    fn number(&mut self) -> TokenKind {
        let start = self.at;
        if let [b'0', mark @ (b'x' | b'o' | b'b'), ..] = &self.bytes[start..] {
            let radix = match mark {
                b'x' => 16,
                b'o' => 8,
                _ => 2,
            };
            self.at += 2;
            self.skip(|byte| char::from(byte).is_digit(radix));
            let number = BigInt::parse_bytes(&self.bytes[start + 2..self.at], radix);
            return match number {
                Some(number) => TokenKind::Number(BigRational::from_integer(number)),
                None => TokenKind::Wrong("this number has no digits"),
            };
        }
        self.skip(|byte| byte.is_ascii_digit());
        let mut digits = self.text[start..self.at].to_owned();
        let mut scale = 0i64;
        if let [b'.', b'0'..=b'9', ..] = &self.bytes[self.at..] {
            self.at += 1;
            let fraction = self.at;
            self.skip(|byte| byte.is_ascii_digit());
            digits.push_str(&self.text[fraction..self.at]);
            scale -= (self.at - fraction) as i64;
        }
        match self.exponent() {
            Some(exponent) => scale += exponent,
            None => return TokenKind::Wrong("the exponent of this number is too large"),
        }
        if digits.len() > MAX_DIGITS {
            return TokenKind::Wrong("this number has too many digits");
        }
        // The token has nothing but digits.
        let whole = digits.parse::<BigInt>().unwrap_or_default();
        let power = BigInt::from(10u8).pow(scale.unsigned_abs());
        TokenKind::Number(if scale < 0 {
            BigRational::new(whole, power)
        } else {
            BigRational::from_integer(whole * power)
        })
    }

    /// Reads `e+10` if it comes next; `None` if the exponent is too large.
    fn exponent(&mut self) -> Option<i64> {
        let rest = &self.bytes[self.at..];
        let (length, negative) = match rest {
            [b'e' | b'E', b'+', b'0'..=b'9', ..] => (2, false),
            [b'e' | b'E', b'-', b'0'..=b'9', ..] => (2, true),
            [b'e' | b'E', b'0'..=b'9', ..] => (1, false),
            _ => return Some(0),
        };
        self.at += length;
        let start = self.at;
        self.skip(|byte| byte.is_ascii_digit());
        let size = self.text[start..self.at].parse::<u32>().ok();
        let size = i64::from(size.filter(|size| *size <= MAX_EXPONENT)?);
        Some(if negative { -size } else { size })
    }

    fn skip(&mut self, accept: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().take_while(|byte| accept(**byte)).count();
    }
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
