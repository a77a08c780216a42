//! Annotations in ACSL, the specification language of Frama-C. They are only comments for Proviso, so a warning tells
//! the user that they are not checked.

use base::{Diagnostic, FileId, SourceMap, Span};

/// A warning at the first annotation of a file, if it has one.
pub(super) fn annotation(sources: &SourceMap, file: FileId) -> Option<Diagnostic> {
    let (start, end) = first(sources.text(file))?;
    let (start, end) = (u32::try_from(start).ok()?, u32::try_from(end).ok()?);
    let message = "ACSL annotations are not read";
    Some(Diagnostic::warning(Span::new(file, start, end), message))
}

/// Where the first comment stands that begins with `@`.
fn first(text: &[u8]) -> Option<(usize, usize)> {
    let mut at = 0;
    while at < text.len() {
        match &text[at..] {
            [b'/', b'*' | b'/', b'@', ..] => return Some((at, at + 3)),
            [b'/', b'/', ..] => at += length(&text[at..], b"\n"),
            [b'/', b'*', ..] => at += 2 + length(&text[at + 2..], b"*/"),
            [quote @ (b'"' | b'\''), ..] => at = closed(text, at, *quote),
            _ => at += 1,
        }
    }
    None
}

/// How many bytes there are up to the end of the first `mark`.
fn length(text: &[u8], mark: &[u8]) -> usize {
    let found = text.windows(mark.len()).position(|window| window == mark);
    found.map_or(text.len(), |at| at + mark.len())
}

/// The offset behind the literal that begins at a quote. A literal ends with its line at the latest.
fn closed(text: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn annotations_are_comments_that_begin_with_a_sign() {
        for (text, at) in [
            ("int x; /*@ requires x; */", Some(7)),
            ("//@ assert x;\n", Some(0)),
            ("/* @author */ // @", None),
            ("char *s = \"/*@\"; char c = '\"'; //@", Some(31)),
            ("/* //@ */ x", None),
            ("// /*@\n\"\\\"/*@\"", None),
            ("'", None),
            ("/*", None),
        ] {
            assert_eq!(first(text.as_bytes()).map(|(start, _)| start), at, "{text}");
        }
    }
}
