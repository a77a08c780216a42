//! Text of others that is shown to people: a control character must not reach a terminal, where it
//! could erase lines, change colours or begin a line that seems to be ours.

use std::borrow::Cow;

/// Whether a terminal or an editor may do something else with a character than show it: control
/// characters, those that separate lines and paragraphs, and those that turn the direction of the
/// text around.
#[must_use]
pub fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            // The character is escaped as in JSON, so that a JSON text stays a JSON text.
            c if is_escaped(c) => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Text of several lines without active characters, which become `\u001b` and the like. Ends of
/// lines and tabulators stay.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_active(c) && c != '\n' && c != '\t')
}

/// Text for one line, such as the name of a file: ends of lines are written as `\u000a`, too.
#[must_use]
pub fn plain_line(text: &str) -> Cow<'_, str> {
    escape(text, is_active)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn active_characters_are_written_out() {
        assert_eq!(plain("a\tb\nc ü"), "a\tb\nc ü");
        assert_eq!(plain("\x1b[2J\r\u{9b}\u{202e}\x7f"), "\\u001b[2J\\u000d\\u009b\\u202e\\u007f");
        assert_eq!(plain_line("a\nb\tc"), "a\\u000ab\\u0009c");
        assert!(matches!(plain_line("plain"), Cow::Borrowed(_)));
        // The separators of lines and of paragraphs, and the characters of Unicode that direct text, by their
        // property `Bidi_Control`.
        let others = ('\u{80}'..char::MAX).filter(|c| !c.is_control() && is_active(*c));
        let expected = "\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\
                        \u{2066}\u{2067}\u{2068}\u{2069}";
        assert_eq!(others.collect::<String>(), expected);
        assert_eq!(plain("a\nb\u{2028}c\u{2029}"), "a\nb\\u2028c\\u2029");
    }
}
