//! Expressions of a witness, with the place of each letter in the file of the witness: formats write some letters as
//! several other letters, and break lines where the expression has no line break.

use std::iter;
use std::ops::Range;

use base::{FileId, Span};

use crate::tokens::Tokens;

/// An expression that a witness says.
#[derive(Clone, Debug)]
pub struct Said {
    /// The expression itself.
    pub text: String,
    file: FileId,
    /// Pairs of an offset in the text and an offset in the file. From each pair up to the next, both offsets advance
    /// alike. The first pair is that of the first letter.
    stretches: Vec<(u32, u32)>,
    /// Where the expression ends in the file.
    end: u32,
}

/// A letter of an expression, and the range of letters that stand for it in the file.
pub(crate) struct Letter {
    letter: char,
    start: usize,
    end: usize,
}

impl Said {
    /// A text whose letters stand in a file. Both may have different spaces and line breaks between them. None if the file has
    /// other letters.
    pub(crate) fn of(
        file: FileId,
        text: &str,
        mut written: impl Iterator<Item = Letter>,
    ) -> Option<Self> {
        let mut stretches: Vec<(u32, u32)> = Vec::new();
        let mut end = None;
        let mut is_spaced = true;
        for (at, letter) in text.char_indices() {
            let was_spaced = std::mem::replace(&mut is_spaced, letter.is_whitespace());
            let here = match (end, is_spaced) {
                // Spaces are taken for the end of the letter before them.
                (Some(end), true) if !was_spaced => end,
                (_, true) => continue,
                (_, false) => {
                    let next = written.find(|next| !next.letter.is_whitespace())?;
                    if next.letter != letter {
                        return None;
                    }
                    end = Some(next.end);
                    next.start
                }
            };
            let (at, here) = (u32::try_from(at).ok()?, u32::try_from(here).ok()?);
            if stretches.last().is_none_or(|(from, to)| to + (at - from) != here) {
                stretches.push((at, here));
            }
        }
        Some(Self { text: text.to_owned(), file, stretches, end: u32::try_from(end?).ok()? })
    }

    /// An expression that is empty, or whose letters the file has in another form, with the place where it begins.
    pub(crate) fn without_letters(file: FileId, start: u32) -> Self {
        Self { text: String::new(), file, stretches: Vec::new(), end: start }
    }

    /// A part of the expression.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        // The casts are exact: a source map holds no longer files.
        let (from, until) = (range.start as u32, range.end as u32);
        let inside = self.stretches.iter().filter(|(at, _)| (from + 1..until).contains(at));
        let inside = inside.map(|(at, here)| (at - from, *here));
        let stretches = iter::once((0, start)).chain(inside).collect();
        Self { text: self.text[range].to_owned(), file: self.file, stretches, end }
    }

    /// Where the file has the whole expression.
    pub(crate) fn span(&self) -> Span {
        self.place(0..self.text.len())
    }

    /// Where the file has a word that is in the expression, or else several words.
    pub(crate) fn find(&self, words: &str) -> Option<Span> {
        let tokens = Tokens::of(self.text.as_bytes());
        let is_it = |index: &usize| tokens.word(*index) == words.as_bytes();
        let token = (0..tokens.list.len()).find(is_it).map(|index| tokens.list[index]);
        let start = token.map(|token| token.start).or_else(|| self.text.find(words))?;
        (!words.is_empty()).then(|| self.place(start..start + words.len()))
    }

    /// Where the file has a part of the expression.
    pub(crate) fn place(&self, range: Range<usize>) -> Span {
        let start = self.offset(range.start);
        Span::new(self.file, start, self.offset(range.end).max(start))
    }

    /// The offset in the file of what is at an offset in the text.
    fn offset(&self, at: usize) -> u32 {
        if at >= self.text.len() {
            return self.end;
        }
        let before = self.stretches.partition_point(|(from, _)| *from as usize <= at);
        match self.stretches.get(before.saturating_sub(1)) {
            Some((from, to)) if before > 0 => to + (at as u32 - from),
            // Spaces before the first letter are taken for it.
            Some((_, to)) => *to,
            None => self.end,
        }
    }
}

/// The letters of a scalar of YAML, which starts at an offset of a text.
pub(crate) fn yaml(text: &str, start: usize) -> impl Iterator<Item = Letter> + '_ {
    let rest = text.get(start..).unwrap_or_default();
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
    let mut at = match rest.as_bytes().first() {
        Some(b'"' | b'\'') => start + 1,
        // What follows the head of a block is in the lines below.
        Some(b'|' | b'>') => start + rest.find('\n').unwrap_or(rest.len()),
        _ => start,
    };
    iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let first = rest.chars().next()?;
            let (letter, length) = match (quote, first) {
                (Some('\''), '\'') => (rest.starts_with("''").then_some('\''), 2),
                (Some('"'), '"') => (None, 1),
                (Some('"'), '\\') => match escape(&rest[1..])? {
                    // The line goes on with the next one.
                    (None, length) => {
                        at += 1 + length;
                        continue;
                    }
                    (letter, length) => (letter, 1 + length),
                },
                _ => (Some(first), first.len_utf8()),
            };
            let start = at;
            at += length;
            return letter.map(|letter| Letter { letter, start, end: start + length });
        }
    })
}

/// The letter that a text behind a backslash stands for in YAML, if it is one, and the length of that text.
fn escape(text: &str) -> Option<(Option<char>, usize)> {
    let first = text.chars().next()?;
    let digits = match first {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    let letter = match first {
        'x' | 'u' | 'U' => {
            let code = u32::from_str_radix(text.get(1..=digits)?, 16).ok()?;
            return Some((Some(char::from_u32(code)?), 1 + digits));
        }
        '\n' | '\r' => return Some((None, 1)),
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        other => other,
    };
    Some((Some(letter), first.len_utf8()))
}

const RAW: &str = "<![CDATA[";
const RAW_END: &str = "]]>";

/// The letters of a text in XML, which starts at an offset of the file's text.
pub(crate) fn xml(text: &str, start: usize) -> impl Iterator<Item = Letter> + '_ {
    let mut at = start;
    let mut is_raw = false;
    iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let mark = if is_raw { RAW_END } else { RAW };
            if rest.starts_with(mark) {
                (is_raw, at) = (!is_raw, at + mark.len());
                continue;
            }
            let first = rest.chars().next()?;
            let (letter, length) = match first {
                '&' if !is_raw => {
                    let length = rest.find(';')? + 1;
                    (entity(&rest[1..length - 1])?, length)
                }
                '<' if !is_raw => return None,
                _ => (first, first.len_utf8()),
            };
            let start = at;
            at += length;
            return Some(Letter { letter, start, end: at });
        }
    })
}

/// The letter that a name or a number stands for in XML.
fn entity(name: &str) -> Option<char> {
    if let Some(code) = name.strip_prefix('#') {
        let code = match code.strip_prefix('x') {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => code.parse(),
        };
        return char::from_u32(code.ok()?);
    }
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> FileId {
        base::SourceMap::new().add("witness", &b""[..]).expect("a short file")
    }

    /// What the file has where the expression has a name, and where it has all of the expression.
    fn found<'t>(written: &'t str, said: Option<Said>, name: &str) -> (&'t str, &'t str) {
        let said = said.expect("the same letters");
        let shown = |span: Span| &written[span.start as usize..span.end as usize];
        (shown(said.find(name).expect("a name")), shown(said.span()))
    }

    #[test]
    fn scalars_of_yaml_are_read_letter_by_letter() {
        for (written, text, name, whole) in [
            ("x < yy", "x < yy", "yy", "x < yy"),
            ("x <\n    yy # no", "x < yy", "yy", "x <\n    yy"),
            ("'x == ''a'' && yy'", "x == 'a' && yy", "yy", "x == ''a'' && yy"),
            ("\"x\\t\\x3c \\\"\\u0061\\\"[0] \\\n  + yy\"", "x\t< \"a\"[0] + yy", "yy", ""),
            ("|-\n  x <\n  yy\n", "x <\nyy", "yy", "x <\n  yy"),
            (">  # folded\n  x <\n  yy\n", "x < yy\n", "yy", "x <\n  yy"),
        ] {
            let said = Said::of(file(), text, yaml(written, 0));
            let (named, all) = found(written, said, name);
            let whole = if whole.is_empty() { written.trim_matches('"') } else { whole };
            assert_eq!((named, all), (name, whole), "{written}");
        }
        for (written, text) in [("*alias", "x"), ("'x' y", "x y"), ("\"x\\q\"", "xz"), ("0x1", "1")]
        {
            assert!(Said::of(file(), text, yaml(written, 0)).is_none(), "{written}");
        }
    }

    #[test]
    fn texts_of_xml_are_read_letter_by_letter() {
        for (written, text, whole) in [
            ("x &lt; 1 &amp;&amp; yy &#62; '&#x61;'</data>", "x < 1 && yy > 'a'", ""),
            ("<![CDATA[x < 1 && yy]]></data>", "x < 1 && yy", "x < 1 && yy"),
            ("x &lt; <![CDATA[1 && &yy]]></data>", "x < 1 && &yy", "x &lt; <![CDATA[1 && &yy"),
            ("\n  x &lt;\n  yy\n</data>", "x <\n  yy", "x &lt;\n  yy"),
        ] {
            let (named, all) = found(written, Said::of(file(), text, xml(written, 0)), "yy");
            let whole = if whole.is_empty() { written.trim_end_matches("</data>") } else { whole };
            assert_eq!((named, all), ("yy", whole), "{written}");
        }
        assert!(Said::of(file(), "x y", xml("x</data> y", 0)).is_none());
    }

    #[test]
    fn parts_have_their_places() {
        let written = "a &lt; 1; b &gt; 2;";
        let said = Said::of(file(), "a < 1; b > 2;", xml(written, 0)).expect("the same letters");
        let part = said.part(7..12);
        assert_eq!(part.text, "b > 2");
        let shown = |span: Span| &written[span.start as usize..span.end as usize];
        assert_eq!(shown(part.span()), "b &gt; 2");
        assert_eq!(part.find("b").map(shown), Some("b"));
        assert_eq!(part.find("2").map(shown), Some("2"));
    }
}
