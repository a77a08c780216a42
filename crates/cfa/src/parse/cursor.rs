//! Words, names, strings, numbers and terms in the text form.

use std::borrow::Cow;

use term::is_symbol_char;

/// What is wrong with a stretch of the text.
pub(super) struct Error {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) message: String,
}

pub(super) type Result<T> = std::result::Result<T, Error>;

/// A piece of the text and where it starts.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
}

impl Piece<'_> {
    pub(super) fn end(self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn wrong(self, message: impl Into<String>) -> Error {
        Error { start: self.start, end: self.end(), message: message.into() }
    }
}

/// A name that has been read: its place, and what it is without bars and escapes.
#[derive(Clone)]
pub(super) struct Name<'a> {
    pub(super) piece: Piece<'a>,
    pub(super) text: Cow<'a, str>,
}

/// A place in the text, from which the text is read on.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Where the next token starts.
    pub(super) fn position(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with(';') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// An error about what comes next.
    pub(super) fn expected(&mut self, what: &str) -> Error {
        self.skip_space();
        let found = self.rest().chars().next().map_or("the end".to_owned(), |c| format!("`{c}`"));
        let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
        Error { start: self.at, end, message: format!("expected {what}, found {found}") }
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    /// Takes punctuation if it comes next.
    pub(super) fn eat(&mut self, punctuation: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(punctuation);
        if found {
            self.at += punctuation.len();
        }
        found
    }

    pub(super) fn expect(&mut self, punctuation: &str) -> Result<()> {
        if self.eat(punctuation) { Ok(()) } else { Err(self.expected(&format!("`{punctuation}`"))) }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> Piece<'a> {
        self.skip_space();
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        let piece = Piece { text: &rest[..length], start: self.at };
        self.at += length;
        piece
    }

    /// The bare word that comes next; empty if none does.
    pub(super) fn word(&mut self) -> Piece<'a> {
        self.take_while(is_symbol_char)
    }

    /// The letters and digits that come next; empty if none do.
    pub(super) fn letters(&mut self) -> Piece<'a> {
        self.take_while(|c| c.is_ascii_alphanumeric())
    }

    /// Takes a word if it comes next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let before = self.clone();
        let found = self.word().text == word;
        if !found {
            *self = before;
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Reads one of these words, and gives what the word stands for.
    pub(super) fn choose<T: Copy>(&mut self, what: &str, words: &[(&str, T)]) -> Result<T> {
        let before = self.clone();
        let word = self.word();
        let found = words.iter().find(|(name, _)| *name == word.text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            *self = before;
            let names: Vec<_> = words.iter().map(|(name, _)| format!("`{name}`")).collect();
            if word.text.is_empty() {
                self.expected(what)
            } else {
                word.wrong(format!("expected {what}: {}", names.join(", ")))
            }
        })
    }

    pub(super) fn number(&mut self) -> Result<u64> {
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.text.is_empty() {
            return Err(self.expected("a number"));
        }
        digits.text.parse().map_err(|_| digits.wrong("a number that is too large"))
    }

    pub(super) fn small_number(&mut self) -> Result<u32> {
        let start = self.position();
        let number = self.number()?;
        let piece = self.since(start);
        u32::try_from(number).map_err(|_| piece.wrong("a number that is too large"))
    }

    /// A name: bare, between bars, or a string.
    pub(super) fn name(&mut self, what: &str) -> Result<Name<'a>> {
        let start = self.position();
        match self.peek() {
            Some('"') => {
                let text = Cow::Owned(self.string()?);
                Ok(Name { piece: self.since(start), text })
            }
            Some('|') => {
                self.at = self.after_bars(start)?;
                let inside = &self.text[start + 1..self.at - 1];
                let text =
                    if inside.contains('\\') { without_escapes(inside) } else { inside.into() };
                Ok(Name { piece: self.since(start), text })
            }
            _ => {
                let piece = self.word();
                if piece.text.is_empty() || piece.text.starts_with(|c: char| c.is_ascii_digit()) {
                    self.at = start;
                    return Err(self.expected(what));
                }
                Ok(Name { piece, text: Cow::Borrowed(piece.text) })
            }
        }
    }

    /// Where a name between bars ends that starts at a place.
    fn after_bars(&self, start: usize) -> Result<usize> {
        let mut bytes = self.text.bytes().enumerate().skip(start + 1);
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'|' => return Ok(at + 1),
                b'\\' => drop(bytes.next()),
                _ => {}
            }
        }
        Err(Error { start, end: start + 1, message: "a name without end".to_owned() })
    }

    /// A string in quotes.
    pub(super) fn string(&mut self) -> Result<String> {
        let start = self.position();
        self.expect("\"")?;
        let mut text = String::new();
        let mut letters = self.text[self.at..].char_indices();
        while let Some((offset, c)) = letters.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Ok(text);
                }
                '\n' => break,
                '\\' => {
                    let escaped = match letters.next().map(|(_, c)| c) {
                        Some('n') => Some('\n'),
                        Some('t') => Some('\t'),
                        Some(c @ ('"' | '\\')) => Some(c),
                        Some('u') => unicode_escape(&mut letters),
                        _ => None,
                    };
                    let place = self.at + offset;
                    let Some(escaped) = escaped else {
                        let message = "an escape that is not known".to_owned();
                        return Err(Error { start: place, end: place + 1, message });
                    };
                    text.push(escaped);
                }
                c => text.push(c),
            }
        }
        Err(Error { start, end: start + 1, message: "a string without end".into() })
    }

    /// The text of a term or sort: one word, one name between bars, or all up to the parenthesis
    /// that closes it.
    pub(super) fn term(&mut self, what: &str) -> Result<Piece<'a>> {
        let start = self.position();
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        let mut at = start;
        loop {
            match bytes.get(at) {
                Some(b'(') => {
                    depth += 1;
                    at += 1;
                }
                Some(b')') if depth > 0 => {
                    depth -= 1;
                    at += 1;
                }
                Some(b'|') => at = self.after_bars(at)?,
                Some(b';') if depth > 0 => {
                    at += self.text[at..].find('\n').unwrap_or(self.text.len() - at);
                }
                Some(byte) if depth > 0 && (byte.is_ascii_whitespace() || *byte == b':') => at += 1,
                Some(byte) if *byte == b'#' || is_symbol_char(char::from(*byte)) => {
                    let in_word = |c: char| c == '#' || is_symbol_char(c);
                    let rest = &self.text[at..];
                    at += rest.find(|c| !in_word(c)).unwrap_or(rest.len());
                }
                None if depth > 0 => {
                    let message = "a parenthesis that is not closed".to_owned();
                    return Err(Error { start, end: start + 1, message });
                }
                _ => {
                    self.at = at;
                    return Err(self.expected(if depth > 0 { "a term" } else { what }));
                }
            }
            if depth == 0 {
                self.at = at;
                return Ok(self.since(start));
            }
        }
    }

    /// Bytes as hexadecimal digits.
    pub(super) fn hexadecimal(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        let word = self.word();
        let digits: Option<Vec<u32>> = word.text.chars().map(|c| c.to_digit(16)).collect();
        match digits {
            // Two hexadecimal digits fit a byte.
            Some(digits) if !digits.is_empty() && digits.len() % 2 == 0 => {
                bytes.extend(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8));
                Ok(())
            }
            _ => Err(word.wrong("expected bytes, each as two hexadecimal digits")),
        }
    }

    /// The text from a place that has been read up to here.
    pub(super) fn since(&self, start: usize) -> Piece<'a> {
        Piece { text: &self.text[start..self.at], start }
    }

    /// Whether nothing but space and a comment follows on this line.
    pub(super) fn ends_line(&self) -> bool {
        let rest = self.rest().trim_start_matches([' ', '\t', '\r']);
        rest.is_empty() || rest.starts_with(['\n', ';'])
    }

    /// Skips what stands between braces and gives the place where it starts.
    pub(super) fn skip_block(&mut self) -> Result<usize> {
        let open = self.position();
        self.expect("{")?;
        let start = self.at;
        loop {
            match self.peek() {
                Some('}') => {
                    self.at += 1;
                    return Ok(start);
                }
                Some('"') => drop(self.string()?),
                Some('|') => drop(self.name("a name")?),
                Some(c) => self.at += c.len_utf8(),
                None => {
                    let message = "a brace that is not closed".to_owned();
                    return Err(Error { start: open, end: open + 1, message });
                }
            }
        }
    }

    /// The next line as it is, if it starts with a bar; the cursor is at the end of a line or in
    /// the space before it.
    pub(super) fn bar_line(&mut self) -> Option<Piece<'a>> {
        let rest = self.rest();
        let space = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let line = rest[space..].strip_prefix('\n')?.strip_prefix('|')?;
        let start = self.at + space + 2;
        let length = line.find('\n').unwrap_or(line.len());
        self.at = start + length;
        Some(Piece { text: &line[..length], start })
    }
}

/// A name without the backslashes before its bars and backslashes.
fn without_escapes(name: &str) -> Cow<'_, str> {
    let mut plain = String::with_capacity(name.len());
    let mut letters = name.chars();
    while let Some(c) = letters.next() {
        plain.extend(if c == '\\' { letters.next() } else { Some(c) });
    }
    Cow::Owned(plain)
}

/// What follows `\u` in a string: `{`, up to six hexadecimal digits, `}`.
fn unicode_escape(letters: &mut std::str::CharIndices<'_>) -> Option<char> {
    let mut code = 0_u32;
    if letters.next()?.1 != '{' {
        return None;
    }
    for _ in 0..7 {
        match letters.next()?.1 {
            '}' => return char::from_u32(code),
            c => code = code.checked_mul(16)?.checked_add(c.to_digit(16)?)?,
        }
    }
    None
}
