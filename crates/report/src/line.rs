//! Texts for forms that have one thing in each line: a text with an end of a line in it would look like two things, and the second
//! one like something that the report says.

use std::borrow::Cow;

/// Whether a reader of lines may begin a new one at a character.
pub(crate) fn ends(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A text with a blank in place of each character that may end a line.
pub(crate) fn one(text: &str) -> Cow<'_, str> {
    match text.contains(ends) {
        true => Cow::Owned(text.replace(ends, " ")),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_line() {
        let hostile = "a\nb\r\nc\u{b}d\u{c}e\u{85}f\u{2028}g\u{2029}h";
        assert_eq!(one(hostile), "a b  c d e f g h");
        assert!(matches!(one("a\tb"), Cow::Borrowed("a\tb")));
    }
}
