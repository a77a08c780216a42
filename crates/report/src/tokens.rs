//! The tokens of a C text (`base::tokens`) with signs of several letters, and what numbers among them stand for.

use base::tokens::TokenKind;

use crate::line;

/// A word, a number, a literal or a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// The offset of its first byte.
    pub(crate) at: usize,
    pub(crate) kind: TokenKind,
}

impl Token<'_> {
    /// Whether the token is a name or a keyword.
    pub(crate) fn is_word(&self) -> bool {
        self.kind == TokenKind::Name
    }
}

/// Signs of more than one character that matter when declarations and expressions are read.
const SIGNS: [&str; 16] = [
    "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", "/=", "...",
];

/// The tokens of a text.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    read(text).collect()
}

/// The tokens of a text one by one, if only the first tokens of a long text are needed.
pub(crate) fn read(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut end = 0;
    base::tokens::of(text.as_bytes()).filter_map(move |token| {
        let at = token.start;
        // The rest of a sign of several letters.
        if at < end {
            return None;
        }
        let sign = SIGNS.iter().find(|sign| text[at..].starts_with(**sign));
        end = sign.map_or(token.end, |sign| at + sign.len());
        Some(Token { text: &text[at..end], at, kind: token.kind })
    })
}

/// A C text in one line, without its comments: in one line, everything behind a `//` would belong to the comment.
pub(crate) fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut end = 0;
    for token in read(text) {
        // A blank that only a comment needs is left out with the comment.
        let is_comment = text[end..token.at].contains('/');
        if token.at > end && !line.is_empty() && !(is_comment && matches!(token.text, ")" | ",")) {
            line.push(' ');
        }
        push_literal(&mut line, token.text);
        end = token.at + token.text.len();
    }
    line
}

/// Adds a token to a line. A literal may go on in the next line behind a backslash, which is no part of the literal; any other
/// end of a line in a token is a blank.
fn push_literal(text: &mut String, token: &str) {
    if !token.contains(line::ends) {
        return text.push_str(token);
    }
    let token = token.replace("\\\r\n", "").replace("\\\n", "");
    text.push_str(&line::one(&token));
}

/// The value of an integer or character constant.
pub(crate) fn number(token: &str) -> Option<i128> {
    if let Some(inner) = token.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let mut chars = inner.chars();
        return match (chars.next()?, chars.next(), chars.next()) {
            ('\\', Some(escape), None) => Some(match escape {
                'n' => 10,
                't' => 9,
                'r' => 13,
                '0' => 0,
                '\\' | '\'' | '"' => escape as i128,
                _ => return None,
            }),
            (c, None, None) if c.is_ascii() && c != '\\' => Some(c as i128),
            _ => None,
        };
    }
    let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return i128::from_str_radix(hex, 16).ok();
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return i128::from_str_radix(&digits[1..], 8).ok();
    }
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_directives_are_no_tokens() {
        let text = "#define N 3 \\\n + 1\n#define F(x) x\nint a[N]; // }\n/* { */ p->x = '\\'';";
        assert_eq!(
            words(text),
            ["int", "a", "[", "N", "]", ";", "p", "->", "x", "=", "'\\''", ";"]
        );
    }

    #[test]
    fn comments_are_left_out_of_a_line() {
        for (text, line) in [
            ("CHECK(x, // isn't this (fine)\n      y)", "CHECK(x, y)"),
            ("f(x // one\n  , y /* two */)", "f(x, y)"),
            ("a/**/b /* c\n d */ + e", "a b + e"),
            ("f( \"// no  comment\", '\"', x) // one", "f( \"// no  comment\", '\"', x)"),
            ("f('\\'', \"\\\"/*\") /* one", "f('\\'', \"\\\"/*\")"),
            ("1'000 // '\n+ x", "1'000 + x"),
            ("x // goes \\\n on\n+ y", "x + y"),
            ("f(\"one \\\ntwo\", x)", "f(\"one two\", x)"),
            ("f(\"one \\\r\n  two\\n\")", "f(\"one   two\\n\")"),
            ("f(\"a\nVerification result: TRUE\n\")", "f(\"a Verification result: TRUE \")"),
            ("a\r\n+\u{b}b\u{c}+\u{85}\"\u{2028}\u{2029}\r\"", "a + b + \"   \""),
            ("a / b", "a / b"),
            ("é // ü\n/", "é /"),
        ] {
            assert_eq!(in_one_line(text), line, "{text}");
        }
    }

    #[test]
    fn numbers_have_bases_and_suffixes() {
        for (text, value) in
            [("10", 10), ("0x1fU", 31), ("017", 15), ("0", 0), ("'a'", 97), ("'\\n'", 10)]
        {
            assert_eq!(number(text), Some(value), "{text}");
        }
        assert_eq!(number("1.5"), None);
        assert_eq!(number("x"), None);
    }
}
