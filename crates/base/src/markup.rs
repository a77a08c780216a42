//! Text of others within HTML and XML.

use crate::plain::plain;

/// Text as a part of an element or of an attribute: nothing in it is read as markup, and it has no active characters
/// ([`plain`]) and no characters that XML forbids.
#[must_use]
pub fn markup(text: &str) -> String {
    let plain = plain(text);
    let mut escaped = String::with_capacity(plain.len() + 16);
    for c in plain.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_as_markup() {
        assert_eq!(markup("]]>\u{1b}[0m\u{ffff}\"&\n"), "]]&gt;\\u001b[0m\u{fffd}&quot;&amp;\n");
    }
}
