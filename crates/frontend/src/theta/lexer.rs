//! The tokens of Theta's text format.

use base::{FileId, Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// Decimal digits.
    Number,
    /// A bit-vector literal such as `8'd5`, `4'b0101`, `8'xA0`.
    Bits,
    /// An operator or a bracket.
    Symbol,
    /// Something that no token starts with.
    Unknown,
    /// A comment that does not end.
    OpenComment,
    /// The end of the text.
    End,
}

/// A token with its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    pub span: Span,
}

impl Token<'_> {
    /// Whether the token is this symbol.
    pub fn is_symbol(&self, text: &str) -> bool {
        self.kind == TokenKind::Symbol && self.text == text
    }

    /// Whether the token is this word.
    pub fn is_word(&self, text: &str) -> bool {
        self.kind == TokenKind::Word && self.text == text
    }

    /// Whether the token can name something.
    pub fn is_name(&self) -> bool {
        self.kind == TokenKind::Word && !is_keyword(self.text)
    }

    /// The token in words, for messages.
    pub fn describe(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::OpenComment => "a comment without an end".to_owned(),
            TokenKind::Unknown => format!("the character {:?}", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}

/// Words that name nothing. Theta reserves more words, such as `main`, `u` and `s`, but models in use have variables of
/// these names, and the place of such a word tells which of the two it is.
pub(super) fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 28] = [
        "bool", "int", "rat", "bv", "fp", "if", "then", "else", "iff", "imply", "forall", "exists",
        "or", "and", "xor", "not", "mod", "rem", "div", "true", "false", "default", "havoc",
        "assume", "return", "bvnot", "bvneg", "bvpos",
    ];
    KEYWORDS.contains(&word) || super::level::is_operator_word(word)
}

/// Symbols of two characters; all others have one.
const PAIRS: [&str; 7] = ["->", "<-", ":=", "/=", "<=", ">=", "++"];
const SINGLES: &str = "=<>+-*/%()[]{},:;.'";

/// Cuts text into tokens; the last one is [`TokenKind::End`].
pub(super) fn tokens(text: &str, file: FileId) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, file, tokens: Vec::new() };
    while lexer.next() {}
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    file: FileId,
    tokens: Vec<Token<'a>>,
}

impl Lexer<'_> {
    fn next(&mut self) -> bool {
        self.skip_blanks();
        if let Some(open) = self.skip_comment() {
            if open {
                let start = self.at;
                self.at = self.bytes.len();
                self.push(TokenKind::OpenComment, start, start + 2);
            }
            return true;
        }
        let start = self.at;
        let Some(first) = self.bytes.get(start).copied() else {
            self.push(TokenKind::End, start, start);
            return false;
        };
        let kind = match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                TokenKind::Word
            }
            b'0'..=b'9' => {
                self.skip(|byte| byte.is_ascii_digit());
                if self.skip_bits() { TokenKind::Bits } else { TokenKind::Number }
            }
            _ => self.symbol(),
        };
        self.push(kind, start, self.at);
        true
    }

    fn skip_blanks(&mut self) {
        self.skip(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0C));
    }

    /// Passes over a comment; true if it has no end.
    fn skip_comment(&mut self) -> Option<bool> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"//") {
            self.skip(|byte| byte != b'\n' && byte != b'\r');
            return Some(false);
        }
        if !rest.starts_with(b"/*") {
            return None;
        }
        match self.text[self.at + 2..].find("*/") {
            Some(length) => {
                self.at += length + 4;
                Some(false)
            }
            None => Some(true),
        }
    }

    /// Passes over the part of a bit-vector literal after its width.
    fn skip_bits(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        let (mut length, radix) = match rest {
            [b'\'', b'b', b'v', b'0' | b'1', ..] => (3, 2),
            [b'\'', b'b', ..] => (2, 2),
            [b'\'', b'd', b'+' | b'-', ..] => (3, 10),
            [b'\'', b'd', ..] => (2, 10),
            [b'\'', b'x', ..] => (2, 16),
            _ => return false,
        };
        let digits = rest[length..].iter().take_while(|byte| char::from(**byte).is_digit(radix));
        let count = digits.count();
        length += count;
        if count > 0 {
            self.at += length;
        }
        count > 0
    }

    fn symbol(&mut self) -> TokenKind {
        let rest = &self.text[self.at..];
        if PAIRS.iter().any(|pair| rest.starts_with(pair)) {
            self.at += 2;
            return TokenKind::Symbol;
        }
        // A token starts on a character boundary, so the rest begins with a character.
        let Some(first) = rest.chars().next() else { return TokenKind::End };
        self.at += first.len_utf8();
        if SINGLES.contains(first) { TokenKind::Symbol } else { TokenKind::Unknown }
    }

    fn skip(&mut self, accept: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().take_while(|byte| accept(**byte)).count();
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        // The casts are exact: a source map holds no longer files.
        let span = Span::new(self.file, start as u32, end as u32);
        let text = self.text.get(start..end).unwrap_or_default();
        self.tokens.push(Token { kind, text, span });
    }
}
