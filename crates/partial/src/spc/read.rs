//! Reading an automaton.

use std::collections::{BTreeMap, BTreeSet};

use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use cfa::Program;

use super::{Move, NAME, Spc, Stated, checks_of, fingerprint, proved_of};

/// Reads the file of an automaton for a program.
///
/// # Errors
/// Says where the file cannot be understood.
pub fn read(
    program: &Program,
    sources: &SourceMap,
    file: FileId,
) -> std::result::Result<Spc, Diagnostics> {
    let text = sources.text(file).clone();
    let mut reader = Reader { text: &text, file, at: 0 };
    let (name, read) = reader.automaton().map_err(|diagnostic| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics
    })?;
    let made_of = name.strip_prefix(NAME);
    let fits = made_of.is_none_or(|made_of| made_of == fingerprint(program));
    let ours = made_of.is_some();
    let is_told = ours && fits;
    let proved = if is_told { told(&proved_of(program), &text) } else { Vec::new() };
    let checks = if is_told { told(&checks_of(program), &text) } else { Vec::new() };
    let checks = checks.iter().flat_map(|list| list.split(' ')).filter_map(|at| at.parse().ok());
    Ok(Spc { fits, ours, proved, checks: checks.collect(), ..read })
}

/// The rests of the comments that begin with a text. This text names the text of the program, so that comments about
/// other versions of the program, whose lines may differ, are not read.
fn told(of: &str, text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    text.lines().filter_map(|line| line.strip_prefix(of)).map(str::to_owned).collect()
}

/// The character that an escape like `\u001b` at the beginning of a text stands for, if files write this character
/// so.
fn written_out(text: &[u8]) -> Option<char> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    let number = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    char::from_u32(number).filter(|c| base::is_active(*c))
}

struct Reader<'a> {
    text: &'a [u8],
    file: FileId,
    at: usize,
}

type Result<T> = std::result::Result<T, Diagnostic>;

impl Reader<'_> {
    fn span(&self, from: usize, to: usize) -> Span {
        // The casts are exact: a source map holds only files with 32-bit offsets.
        Span::new(self.file, from as u32, to.max(from) as u32)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count().max(1);
        let end = (self.at + length).min(self.text.len());
        Err(Diagnostic::error(self.span(self.at.min(end), end), message)
            .with_hint("the automaton must be in CPAchecker's language for automata"))
    }

    /// Passes over white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            if rest.first().is_some_and(u8::is_ascii_whitespace) {
                self.at += 1;
            } else if rest.starts_with(b"//") || rest.starts_with(b"#") {
                let end = rest.iter().position(|byte| *byte == b'\n');
                self.at += end.unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                self.at += end.map_or(rest.len(), |end| end + 4);
            } else {
                return;
            }
        }
    }

    /// The next word; empty if there is none.
    fn peek(&mut self) -> &str {
        self.skip();
        let rest = &self.text[self.at..];
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.iter().take_while(|byte| word(byte)).count();
        std::str::from_utf8(&rest[..length]).unwrap_or("")
    }

    fn word(&mut self, wanted: &str) -> bool {
        let found = self.peek() == wanted;
        if found {
            self.at += wanted.len();
        }
        found
    }

    fn expect(&mut self, wanted: &str) -> Result<()> {
        if self.word(wanted) { Ok(()) } else { self.error(format!("`{wanted}` expected")) }
    }

    fn sign(&mut self, wanted: &str) -> Result<()> {
        self.skip();
        if self.text[self.at..].starts_with(wanted.as_bytes()) {
            self.at += wanted.len();
            return Ok(());
        }
        self.error(format!("`{wanted}` expected"))
    }

    fn name(&mut self) -> Result<(String, Span)> {
        let name = self.peek().to_owned();
        if name.is_empty() {
            return self.error("a name expected");
        }
        let start = self.at;
        self.at += name.len();
        Ok((name, self.span(start, self.at)))
    }

    /// Text up to a sign, which is passed over.
    fn until(&mut self, sign: u8) -> Result<String> {
        let rest = &self.text[self.at..];
        let Some(end) = rest.iter().position(|byte| *byte == sign) else {
            return self.error(format!("`{}` expected after this", char::from(sign)));
        };
        let text = String::from_utf8_lossy(&rest[..end]).into_owned();
        self.at += end + 1;
        Ok(text)
    }

    fn quoted(&mut self) -> Result<String> {
        self.sign("\"")?;
        let mut bytes = Vec::new();
        loop {
            let rest = self.text.get(self.at..);
            if let Some(c) = rest.and_then(written_out) {
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                self.at += 6;
                continue;
            }
            match rest {
                Some([b'"', ..]) => break,
                Some([b'\\', next, ..]) => {
                    bytes.push(match next {
                        b'n' => b'\n',
                        b'r' => b'\r',
                        other => *other,
                    });
                    self.at += 2;
                }
                Some([byte, ..]) if *byte != b'\n' => {
                    bytes.push(*byte);
                    self.at += 1;
                }
                _ => return self.error("`\"` expected"),
            }
        }
        self.at += 1;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn automaton(&mut self) -> Result<(String, Spc)> {
        if !self.word("OBSERVER") && !self.word("CONTROL") {
            return self.error("`OBSERVER AUTOMATON` expected");
        }
        self.expect("AUTOMATON")?;
        let (name, _) = self.name()?;
        while self.word("LOCAL") {
            self.until(b';')?;
        }
        self.expect("INITIAL")?;
        self.expect("STATE")?;
        let initial = self.name()?;
        self.sign(";")?;
        let mut states = Vec::new();
        let mut targets: Vec<Vec<(String, Span)>> = Vec::new();
        while self.word("STATE") {
            let (state, leads) = self.state()?;
            states.push(state);
            targets.push(leads);
        }
        self.expect("END")?;
        self.expect("AUTOMATON")?;
        self.skip();
        if self.at < self.text.len() {
            return self.error("nothing may follow the automaton");
        }
        Ok((name, resolve(states, &targets, &initial)?))
    }

    fn state(&mut self) -> Result<(Stated, Vec<(String, Span)>)> {
        let first = self.word("USEFIRST");
        if !first && !self.word("USEALL") {
            self.word("NONDET");
        }
        let (name, span) = self.name()?;
        self.sign(":")?;
        let mut state = Stated { name, first, moves: Vec::new(), span: Some(span) };
        let mut leads = Vec::new();
        while !matches!(self.peek(), "STATE" | "END" | "") {
            let (step, to) = self.transition()?;
            state.moves.push(step);
            leads.push(to);
        }
        Ok((state, leads))
    }

    fn transition(&mut self) -> Result<(Move, (String, Span))> {
        self.skip();
        let start = self.at;
        let on = if self.word("TRUE") {
            None
        } else if self.word("MATCH") {
            self.skip();
            match self.text.get(self.at) {
                Some(b'"') => Some(self.quoted()?),
                Some(b'{') => {
                    self.at += 1;
                    Some(self.until(b'}')?)
                }
                _ => return self.error("a statement between quotes or braces expected"),
            }
        } else {
            return self.error("`MATCH` or `TRUE` expected; other triggers are not supported");
        };
        let span = Some(self.span(start, self.at));
        self.sign("->")?;
        let mut unclear = false;
        loop {
            if self.word("ASSUME") {
                self.sign("{")?;
                self.until(b'}')?;
                unclear = true;
            } else if self.word("DO") {
                // The transition counts something for its own tool, which does not matter here; the target follows.
                while !matches!(self.peek(), "GOTO" | "STATE" | "END") && self.at < self.text.len()
                {
                    let length = self.peek().len().max(1);
                    self.at += length;
                }
            } else {
                break;
            }
        }
        if !self.word("GOTO") {
            return self.error("`GOTO` expected; other actions are not supported");
        }
        let to = self.name()?;
        self.sign(";")?;
        Ok((Move { on, unclear, to: 0, span }, to))
    }
}

/// Turns names of states into their places.
fn resolve(
    mut states: Vec<Stated>,
    targets: &[Vec<(String, Span)>],
    initial: &(String, Span),
) -> Result<Spc> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (place, state) in states.iter().enumerate() {
        if places.insert(state.name.clone(), place).is_some() {
            let message = format!("there is another state `{}`", state.name);
            return Err(state.span.map_or_else(
                || Diagnostic::error_without_place(message.clone()),
                |span| Diagnostic::error(span, message.clone()),
            ));
        }
    }
    let place = |(name, span): &(String, Span)| {
        let unknown = || Diagnostic::error(*span, format!("there is no state `{name}`"));
        places.get(name).copied().ok_or_else(unknown)
    };
    for (state, leads) in states.iter_mut().zip(targets) {
        for (step, to) in state.moves.iter_mut().zip(leads) {
            step.to = place(to)?;
        }
        mark_unclear(&mut state.moves);
    }
    let (proved, checks) = (Vec::new(), Vec::new());
    Ok(Spc { initial: place(initial)?, states, fits: true, ours: false, proved, checks })
}

/// Marks transitions with the same statement that lead to different states: the statement stands for
/// several steps, and which one of them leads to which state is not known.
fn mark_unclear(moves: &mut [Move]) {
    let mut targets: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (on, to) in moves.iter().filter_map(|each| Some((each.on.clone()?, each.to))) {
        targets.entry(on).or_default().insert(to);
    }
    for each in moves {
        let leads = each.on.as_ref().and_then(|on| targets.get(on)).map_or(0, BTreeSet::len);
        each.unclear |= leads > 1;
    }
}
