//! Declarations, processes and the outlines of edges. The statements of an edge are read later,
//! when every name is known.

use std::ops::Range;

use base::Span;

use super::lexer::{Token, TokenKind, is_keyword};
use super::loader::{Loader, MAX_DEPTH, Stop};
use super::types::Type;

/// What a text declares.
#[derive(Default)]
pub(super) struct Model<'a> {
    pub variables: Vec<Declaration<'a>>,
    pub processes: Vec<Process<'a>>,
}

/// A variable or parameter.
#[derive(Clone, Copy)]
pub(super) struct Declaration<'a> {
    pub name: &'a str,
    pub span: Span,
    /// `None` if the type is not supported, which has been reported.
    pub ty: Option<Type>,
}

/// A process.
pub(super) struct Process<'a> {
    pub main: bool,
    pub name: &'a str,
    pub span: Span,
    pub parameters: Vec<Declaration<'a>>,
    pub variables: Vec<Declaration<'a>>,
    pub locations: Vec<LocationLine<'a>>,
    pub edges: Vec<EdgeOutline<'a>>,
}

/// A location.
pub(super) struct LocationLine<'a> {
    pub role: Role,
    pub name: &'a str,
    pub span: Span,
}

/// What a location is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Init,
    Final,
    Error,
}

/// An edge whose statements are not read yet.
pub(super) struct EdgeOutline<'a> {
    pub source: Token<'a>,
    pub target: Token<'a>,
    /// The range of the tokens of its statements.
    pub body: Range<usize>,
    pub span: Span,
}

impl<'a> Loader<'a> {
    /// Reads the whole text.
    pub fn model(&mut self) -> Model<'a> {
        let mut model = Model::default();
        while self.peek().kind != TokenKind::End {
            if self.item(&mut model).is_err() {
                self.skip_to(|_, token| matches!(token.text, "var" | "main" | "process"));
            }
        }
        model
    }

    fn item(&mut self, model: &mut Model<'a>) -> Result<(), Stop> {
        if self.accept_word("var") {
            let declaration = self.declaration()?;
            model.variables.push(declaration);
            return Ok(());
        }
        let main = self.accept_word("main");
        if !self.accept_word("process") {
            let wanted = if main { "`process`" } else { "`var`, `process` or `main process`" };
            let stop = self.expected(wanted);
            // The token that could not be read is passed over, so that it is not met again.
            self.advance();
            return Err(stop);
        }
        let name = self.name("a name for the process")?;
        let mut process = Process {
            main,
            name: name.text,
            span: name.span,
            parameters: Vec::new(),
            variables: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
        };
        if self.accept("(") && !self.accept(")") {
            process.parameters = self.declarations()?;
            self.expect(")")?;
        }
        self.expect("{")?;
        while !self.accept("}") {
            if self.peek().kind == TokenKind::End {
                self.error(name.span, format!("the process `{}` has no closing brace", name.text));
                break;
            }
            if self.line(&mut process).is_err() {
                self.skip_to(starts_line);
            }
        }
        model.processes.push(process);
        Ok(())
    }

    /// Reads one variable, location or edge of a process.
    fn line(&mut self, process: &mut Process<'a>) -> Result<(), Stop> {
        let first = self.peek();
        if first.is_name() && self.peek_after(1).is_symbol("->") {
            let edge = self.edge()?;
            process.edges.push(edge);
            return Ok(());
        }
        if self.accept_word("var") {
            let declaration = self.declaration()?;
            process.variables.push(declaration);
            return Ok(());
        }
        let role = match first.text {
            "loc" => Some(Role::Plain),
            "init" => Some(Role::Init),
            "final" => Some(Role::Final),
            "error" => Some(Role::Error),
            _ => None,
        };
        if let Some(role) = role {
            if role != Role::Plain {
                self.advance();
            }
            self.expect_word("loc")?;
            let name = self.name("a name for the location")?;
            let span = first.span.to(name.span);
            process.locations.push(LocationLine { role, name: name.text, span });
            return Ok(());
        }
        if first.is_name() {
            self.edge()?;
        }
        let stop = self.expected("a variable, a location or an edge");
        self.advance();
        Err(stop)
    }

    fn edge(&mut self) -> Result<EdgeOutline<'a>, Stop> {
        let source = self.name("a location")?;
        self.expect("->")?;
        let target = self.name("a location")?;
        let span = source.span.to(target.span);
        if !self.accept("{") {
            return Ok(EdgeOutline { source, target, body: 0..0, span });
        }
        let start = self.at;
        let open = self.tokens[start - 1].span;
        while !self.peek().is_symbol("}") {
            if self.peek().kind == TokenKind::End {
                self.error(open, "this brace has no closing one");
                return Err(Stop);
            }
            self.advance();
        }
        let body = start..self.at;
        let span = source.span.to(self.peek().span);
        self.advance();
        Ok(EdgeOutline { source, target, body, span })
    }

    /// Reads `x : int, y : bool`.
    pub fn declarations(&mut self) -> Result<Vec<Declaration<'a>>, Stop> {
        let mut all = vec![self.declaration()?];
        while self.accept(",") {
            all.push(self.declaration()?);
        }
        Ok(all)
    }

    fn declaration(&mut self) -> Result<Declaration<'a>, Stop> {
        let name = self.name("a name for the variable")?;
        self.expect(":")?;
        let ty = self.type_()?;
        Ok(Declaration { name: name.text, span: name.span, ty })
    }

    /// The next token.
    pub fn peek(&self) -> Token<'a> {
        self.peek_after(0)
    }

    /// The token that is `count` tokens behind the next one; the end if there are fewer tokens.
    pub fn peek_after(&self, count: usize) -> Token<'a> {
        let index = self.at + count;
        if index < self.end {
            return self.tokens[index];
        }
        Token { kind: TokenKind::End, ..self.tokens[self.end] }
    }

    /// Passes over the next token.
    pub fn advance(&mut self) {
        self.at = (self.at + 1).min(self.end);
    }

    /// Passes over the next token, and gives a result.
    pub fn advance_with<T>(&mut self, result: T) -> Result<T, Stop> {
        self.advance();
        Ok(result)
    }

    /// Passes over a symbol if it comes next.
    pub fn accept(&mut self, symbol: &str) -> bool {
        let found = self.peek().is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    /// Passes over a word if it comes next.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Passes over a symbol that must come next.
    pub fn expect(&mut self, symbol: &str) -> Result<Token<'a>, Stop> {
        let token = self.peek();
        if self.accept(symbol) { Ok(token) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    /// Passes over a word that must come next.
    pub fn expect_word(&mut self, word: &str) -> Result<(), Stop> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Reads a name.
    pub fn name(&mut self, what: &str) -> Result<Token<'a>, Stop> {
        let token = self.peek();
        if token.is_name() {
            self.advance();
            return Ok(token);
        }
        if token.kind == TokenKind::Word && is_keyword(token.text) {
            let message = format!("expected {what}, found the keyword `{}`", token.text);
            self.error(token.span, message);
            return Err(Stop);
        }
        Err(self.expected(what))
    }

    /// Reports what should have come next.
    pub fn expected(&mut self, what: &str) -> Stop {
        let token = self.peek();
        let found = match token.kind {
            // The end of an edge's statements is the brace after them.
            TokenKind::End if self.tokens[self.end].kind != TokenKind::End => {
                self.tokens[self.end].describe()
            }
            _ => token.describe(),
        };
        self.error(token.span, format!("expected {what}, found {found}"));
        Stop
    }

    /// Runs a part of the parser one level deeper, unless that is too deep.
    pub fn nested<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        if self.depth == MAX_DEPTH {
            let message = format!("this is nested more than {MAX_DEPTH} levels deep");
            self.error(self.peek().span, message);
            return Err(Stop);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Passes over tokens up to the next token for which `starts` holds.
    pub fn skip_to(&mut self, starts: impl Fn(&Self, Token<'a>) -> bool) {
        while self.peek().kind != TokenKind::End && !starts(self, self.peek()) {
            self.advance();
        }
    }
}

/// Whether a variable, location or edge of a process starts here, or the process ends.
fn starts_line(loader: &Loader<'_>, token: Token<'_>) -> bool {
    matches!(token.text, "var" | "loc" | "init" | "final" | "error" | "}")
        || (token.is_name() && loader.peek_after(1).is_symbol("->"))
}
