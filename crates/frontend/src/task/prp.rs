//! The text of `.prp` files.

use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use super::property::{Coverage, Property, PropertyKind};

impl Property {
    /// Reads a `.prp` file. Several statements in one file are one property if they are of one
    /// kind, as those on memory safety are.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn parse(sources: &SourceMap, file: FileId) -> Result<Property, Diagnostics> {
        let bytes = sources.text(file);
        let mut parser = Parser { tokens: tokens(bytes, file), at: 0 };
        let mut found: Option<Property> = None;
        loop {
            if found.is_some() && parser.token().kind == TokenKind::End {
                break;
            }
            let start = parser.token().span;
            let result = parser.statement().and_then(|(kind, entry)| {
                join(&mut found, kind, entry)
                    .map_err(|message| Diagnostic::error(start.to(parser.last()), message))
            });
            if let Err(diagnostic) = result {
                let mut diagnostics = Diagnostics::new();
                diagnostics.push(diagnostic);
                return Err(diagnostics);
            }
        }
        let mut property = found.unwrap_or_default();
        property.text = joined(bytes);
        Ok(property)
    }
}

/// The lines of the text joined into one line, without comments: in one line, a comment would take in what follows.
fn joined(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().map(|line| {
        let comment = [line.find("//"), line.find('#')].into_iter().flatten().min();
        line[..comment.unwrap_or(line.len())].trim()
    });
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Adds a statement to those before it.
fn join(found: &mut Option<Property>, kind: PropertyKind, entry: String) -> Result<(), String> {
    let Some(property) = found else {
        *found = Some(Property { kind, entry, text: String::new() });
        return Ok(());
    };
    if property.entry != entry {
        return Err(format!("executions cannot start in `{}` and `{entry}`", property.entry));
    }
    match (&mut property.kind, kind) {
        (
            PropertyKind::UnreachCall { functions },
            PropertyKind::UnreachCall { functions: more },
        ) => {
            functions.extend(more);
            Ok(())
        }
        (
            PropertyKind::MemSafety { free, deref, memtrack },
            PropertyKind::MemSafety { free: f, deref: d, memtrack: m },
        ) => {
            *free |= f;
            *deref |= d;
            *memtrack |= m;
            Ok(())
        }
        (known, kind) if *known == kind => Ok(()),
        _ => Err("statements of different kinds cannot be checked together".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Word,
    Symbol,
    End,
}

struct Token {
    kind: TokenKind,
    text: String,
    span: Span,
}

fn tokens(bytes: &[u8], file: FileId) -> Vec<Token> {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$');
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        let rest = &bytes[at..];
        let length = match rest {
            [] => break,
            [byte, ..] if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            [b'/', b'/', ..] | [b'#', ..] => {
                at += rest.iter().take_while(|byte| **byte != b'\n').count();
                continue;
            }
            _ => rest.iter().take_while(|byte| word(byte)).count(),
        };
        let kind = if length > 0 { TokenKind::Word } else { TokenKind::Symbol };
        // Beside words, tokens are single characters, whatever bytes these take.
        let length = if length > 0 {
            length
        } else {
            1 + rest[1..].iter().take_while(|byte| **byte & 0xC0 == 0x80).count()
        };
        let text = String::from_utf8_lossy(&rest[..length]).into_owned();
        // The casts are exact: a source map holds no longer files.
        let span = Span::new(file, at as u32, (at + length) as u32);
        tokens.push(Token { kind, text, span });
        at += length;
    }
    let span = Span::new(file, at as u32, at as u32);
    tokens.push(Token { kind: TokenKind::End, text: String::new(), span });
    tokens
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn token(&self) -> &Token {
        // The last token is the end, and nothing passes over it.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn accept(&mut self, text: &str) -> bool {
        let token = self.token();
        let found = token.kind != TokenKind::End && token.text == text;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Diagnostic> {
        if self.accept(text) { Ok(()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let token = self.token();
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", token.text),
        };
        Diagnostic::error(token.span, format!("expected {what}, found {found}"))
    }

    fn word(&mut self, what: &str) -> Result<String, Diagnostic> {
        if self.token().kind != TokenKind::Word {
            return Err(self.expected(what));
        }
        let text = self.token().text.clone();
        self.at += 1;
        Ok(text)
    }

    /// Reads `CHECK( init(main()), LTL(G ! call(reach_error())) )` or its like for coverage.
    fn statement(&mut self) -> Result<(PropertyKind, String), Diagnostic> {
        let cover = self.accept("COVER");
        if !cover && !self.accept("CHECK") {
            return Err(self.expected("`CHECK` or `COVER`"));
        }
        self.expect("(")?;
        self.expect("init")?;
        self.expect("(")?;
        let entry = self.word("the function where executions start")?;
        self.expect("(")?;
        self.expect(")")?;
        self.expect(")")?;
        self.expect(",")?;
        self.expect(if cover { "FQL" } else { "LTL" })?;
        self.expect("(")?;
        let kind = if cover { self.coverage()? } else { self.formula()? };
        self.expect(")")?;
        self.expect(")")?;
        Ok((kind, entry))
    }

    fn formula(&mut self) -> Result<PropertyKind, Diagnostic> {
        if self.accept("F") {
            self.expect("end")?;
            return Ok(PropertyKind::Termination);
        }
        self.expect("G")?;
        if self.accept("!") {
            return self.never();
        }
        let safety = |free, deref, memtrack| PropertyKind::MemSafety { free, deref, memtrack };
        let kind = match &*self.token().text {
            "valid-free" => safety(true, false, false),
            "valid-deref" => safety(false, true, false),
            "valid-memtrack" => safety(false, false, true),
            "valid-memcleanup" => PropertyKind::MemCleanup,
            "def-behavior" => PropertyKind::DefinedBehaviour,
            "assert" => PropertyKind::Assert,
            _ => return Err(self.expected("`!`, `valid-deref` or another property")),
        };
        self.at += 1;
        Ok(kind)
    }

    /// Reads what never happens.
    fn never(&mut self) -> Result<PropertyKind, Diagnostic> {
        let kind = match &*self.token().text {
            "overflow" => PropertyKind::NoOverflow,
            "data-race" => PropertyKind::NoDataRace,
            "deadlock" => PropertyKind::NoDeadlock,
            "call" => {
                self.at += 1;
                self.expect("(")?;
                let function = self.word("a function")?;
                if self.accept("(") {
                    self.expect(")")?;
                }
                self.expect(")")?;
                return Ok(PropertyKind::UnreachCall { functions: vec![function] });
            }
            "label" => {
                self.at += 1;
                self.expect("(")?;
                let label = self.word("a label")?;
                self.expect(")")?;
                return Ok(PropertyKind::UnreachLabel { label });
            }
            _ => return Err(self.expected("`call`, `label`, `overflow` or another event")),
        };
        self.at += 1;
        Ok(kind)
    }

    /// Reads `COVER EDGES(@DECISIONEDGE)` and its like.
    fn coverage(&mut self) -> Result<PropertyKind, Diagnostic> {
        self.expect("COVER")?;
        self.expect("EDGES")?;
        self.expect("(")?;
        self.expect("@")?;
        let goal = match &*self.token().text {
            "DECISIONEDGE" => Coverage::Branches,
            "CONDITIONEDGE" => Coverage::Conditions,
            "BASICBLOCKENTRY" => Coverage::Statements,
            "CALL" => {
                self.at += 1;
                self.expect("(")?;
                let function = self.word("a function")?;
                self.expect(")")?;
                self.expect(")")?;
                return Ok(PropertyKind::Coverage(Coverage::Call(function)));
            }
            _ => return Err(self.expected("`DECISIONEDGE`, `CALL` or another goal")),
        };
        self.at += 1;
        self.expect(")")?;
        Ok(PropertyKind::Coverage(goal))
    }
}
