//! The words of a C text with their places: as much of C as it takes to find names, numbers, literals and signs.
//!
//! Comments and lines of the preprocessor are no tokens. The text is read as gcc reads it where not all readers of C would
//! do the same: bytes from 0x80 on belong to names, since a name may have letters beyond ASCII (gcc makes a byte that is
//! no letter a part of the name, too, and then refuses the name); and a string or character that its line does not end is
//! over at the end of this line, unless a backslash continues the line.

/// A token of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset behind its last byte.
    pub end: usize,
    /// What it is.
    pub kind: TokenKind,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name or a keyword.
    Name,
    /// A word that begins with a digit. Points and quotes between its digits (C23: `1'000`) are a part of it.
    Number,
    /// A string or a character. A prefix such as `L` is a name before it.
    Quoted,
    /// The beginning of a string or a character, up to the end of the line that does not end it.
    Unended,
    /// Any other byte by itself; it is below 0x80.
    Sign(u8),
}

/// What some editors put before a text in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The tokens of a text, one by one. All of them start and end at whole characters if the text is UTF-8.
#[must_use]
pub fn of(text: &[u8]) -> Tokens<'_> {
    let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    Tokens { text, at, starts_line: true }
}

/// The tokens of a text that have not been read yet.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether there is no token in this line before the offset.
    starts_line: bool,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let rest = &self.text[self.at..];
            self.at += match *rest {
                [] => return None,
                [b'\n', ..] => {
                    self.starts_line = true;
                    1
                }
                // `u8::is_ascii_whitespace` has no vertical tab.
                [b'\x0b', ..] => 1,
                [byte, ..] if byte.is_ascii_whitespace() => 1,
                [b'\\', b'\n', ..] => 2,
                [b'\\', b'\r', b'\n', ..] => 3,
                [b'#', ..] if self.starts_line => end_of_line(rest),
                // A line that is continued continues its comment.
                [b'/', b'/', ..] => end_of_line(rest),
                [b'/', b'*', ..] => comment(rest),
                [first, ..] => {
                    let (length, kind) = token(rest, first);
                    let start = self.at;
                    (self.at, self.starts_line) = (start + length, false);
                    return Some(Token { start, end: self.at, kind });
                }
            };
        }
    }
}

/// Whether a character may be a part of a name.
#[must_use]
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a byte may be a part of a name. Of bytes that are not ASCII it is not asked which character they make.
#[must_use]
pub const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Where the line ends that a text begins with, together with the lines that continue it.
pub(crate) fn end_of_line(text: &[u8]) -> usize {
    let mut before = b' ';
    for (at, byte) in text.iter().enumerate() {
        if *byte == b'\n' && before != b'\\' {
            return at;
        }
        if *byte != b'\r' {
            before = *byte;
        }
    }
    text.len()
}

/// How long the comment is that a text begins with.
fn comment(text: &[u8]) -> usize {
    let end = text[2..].windows(2).position(|two| two == b"*/");
    end.map_or(text.len(), |end| end + 4)
}

/// How long the token is that a text begins with, and what it is.
fn token(text: &[u8], first: u8) -> (usize, TokenKind) {
    match first {
        b'"' | b'\'' => quoted(text, first),
        b'0'..=b'9' => {
            let is_part = |at: &usize| match text[*at] {
                b'.' => true,
                b'\'' => text.get(at + 1).is_some_and(|next| is_word_byte(*next)),
                byte => is_word_byte(byte),
            };
            ((1..text.len()).take_while(is_part).count() + 1, TokenKind::Number)
        }
        _ if is_word_byte(first) => {
            (text.iter().take_while(|byte| is_word_byte(**byte)).count(), TokenKind::Name)
        }
        _ => (1, TokenKind::Sign(first)),
    }
}

/// How long the string or character is that a text begins with, and whether it ends.
fn quoted(text: &[u8], quote: u8) -> (usize, TokenKind) {
    let mut at = 1;
    loop {
        at += match text[at.min(text.len())..] {
            [] => return (text.len(), TokenKind::Unended),
            [b'\n', ..] | [b'\r', b'\n', ..] => return (at, TokenKind::Unended),
            [byte, ..] if byte == quote => return (at + 1, TokenKind::Quoted),
            [b'\\', b'\r', b'\n', ..] => 3,
            [b'\\', ..] => 2,
            _ => 1,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(&str, TokenKind)> {
        of(text.as_bytes()).map(|token| (&text[token.start..token.end], token.kind)).collect()
    }

    fn texts(text: &str) -> Vec<&str> {
        words(text).into_iter().map(|(word, _)| word).collect()
    }

    #[test]
    fn tokens_are_names_numbers_literals_and_signs() {
        assert_eq!(
            words("x->y_1 = 0x1F.5; 'a'"),
            [
                ("x", TokenKind::Name),
                ("-", TokenKind::Sign(b'-')),
                (">", TokenKind::Sign(b'>')),
                ("y_1", TokenKind::Name),
                ("=", TokenKind::Sign(b'=')),
                ("0x1F.5", TokenKind::Number),
                (";", TokenKind::Sign(b';')),
                ("'a'", TokenKind::Quoted),
            ]
        );
    }

    #[test]
    fn comments_and_directives_are_no_tokens() {
        let text = "\u{feff}#define N 3 \\\n + 1\r\n#define F(x) x \\\r\n + x\nint a[N]; // }\\\n }\n/* {\n# */ \
                    #if a\nx /**/ # y\n/";
        assert_eq!(texts(text), ["int", "a", "[", "N", "]", ";", "x", "#", "y", "/"]);
        assert_eq!(texts("a /* b"), ["a"]);
        assert_eq!(texts("a /*/ b"), ["a"]);
    }

    #[test]
    fn a_line_goes_on_behind_a_backslash() {
        assert_eq!(texts("a \\\n b \\\r\n # c\x0b\x0cd"), ["a", "b", "#", "c", "d"]);
        // No line ends here.
        assert_eq!(texts("a \\ b \\"), ["a", "\\", "b", "\\"]);
    }

    #[test]
    fn names_may_have_letters_beyond_ascii() {
        assert_eq!(words("über_ñ1 = é;")[0], ("über_ñ1", TokenKind::Name));
        assert_eq!(words("über_ñ1 = é;")[2], ("é", TokenKind::Name));
        assert_eq!(of(b"a\xff\xfeb c").next().map(|token| token.end), Some(4));
        assert!(is_word('ü') && is_word('_') && is_word('0') && !is_word('-') && !is_word('…'));
    }

    #[test]
    fn literals_end_with_their_line() {
        for (text, first, kind) in [
            ("\"a\\\"b\" c", "\"a\\\"b\"", TokenKind::Quoted),
            ("'\\\\' c", "'\\\\'", TokenKind::Quoted),
            ("\"é\\é\" c", "\"é\\é\"", TokenKind::Quoted),
            ("\"a\\\nb\" c", "\"a\\\nb\"", TokenKind::Quoted),
            ("\"a\\\r\nb\" c", "\"a\\\r\nb\"", TokenKind::Quoted),
            ("\"a\nb\" c", "\"a", TokenKind::Unended),
            ("'a\r\nb' c", "'a", TokenKind::Unended),
            ("\"a\\\"", "\"a\\\"", TokenKind::Unended),
            ("\"a\\", "\"a\\", TokenKind::Unended),
            ("'", "'", TokenKind::Unended),
        ] {
            assert_eq!(words(text).first(), Some(&(first, kind)), "{text}");
        }
        // What follows is read as if the literal had ended.
        assert_eq!(texts("don't\n#if x\ny"), ["don", "'t", "y"]);
    }

    #[test]
    fn digits_may_have_quotes_between_them() {
        assert_eq!(texts("1'000'000u + 2.5f"), ["1'000'000u", "+", "2.5f"]);
        assert_eq!(words("1' '"), [("1", TokenKind::Number), ("' '", TokenKind::Quoted)]);
        assert_eq!(words("'1'0'")[1], ("0", TokenKind::Number));
    }
}
