//! Prolog terms, read by operator precedence into one arena.

use base::{Diagnostic, FileId, Span};
use num_rational::BigRational;

use super::lexer::{Token, TokenKind, tokens};

base::define_id!(
    /// A Prolog term in the arena. Arguments come before the term that they are arguments of.
    pub struct NodeId, "n"
);

/// A Prolog term.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A variable; every `_` is a variable of its own.
    Variable(Box<str>),
    /// A number.
    Number(BigRational),
    /// An atom, or text in double quotes.
    Atom(Box<str>),
    /// A functor with arguments. `{a, b}` is the functor `{}` with one argument.
    Compound(Box<str>, Box<[NodeId]>),
    /// A list, with what stands after its bar.
    List(Box<[NodeId]>, Option<NodeId>),
}

/// The terms that have been read.
#[derive(Default)]
pub(super) struct Arena {
    nodes: base::IndexVec<NodeId, (Node, Span)>,
}

impl Arena {
    fn push(&mut self, node: Node, span: Span) -> NodeId {
        self.nodes.push((node, span))
    }

    /// What a term is.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id].0
    }

    /// Where a term stands in the text.
    pub fn span(&self, id: NodeId) -> Span {
        self.nodes[id].1
    }

    /// The arguments of a functor with this name and as many arguments as wanted.
    pub fn arguments<const N: usize>(&self, id: NodeId, name: &str) -> Option<[NodeId; N]> {
        match self.node(id) {
            Node::Compound(found, arguments) if **found == *name => {
                <[NodeId; N]>::try_from(&arguments[..]).ok()
            }
            _ => None,
        }
    }

    /// The name of a term that is an atom.
    pub fn atom(&self, id: NodeId) -> Option<&str> {
        match self.node(id) {
            Node::Atom(name) => Some(name),
            _ => None,
        }
    }

    /// The name of a term that is a variable.
    pub fn variable(&self, id: NodeId) -> Option<&str> {
        match self.node(id) {
            Node::Variable(name) => Some(name),
            _ => None,
        }
    }

    /// The arguments of a functor, or the elements of a list.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let (arguments, tail): (&[NodeId], _) = match self.node(id) {
            Node::Compound(_, arguments) => (arguments, None),
            Node::List(elements, tail) => (elements, *tail),
            _ => (&[], None),
        };
        arguments.iter().copied().chain(tail)
    }

    /// The terms `roots` and all terms below them. Arguments come before the term that they are arguments of.
    pub fn below(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut stack = roots.to_vec();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            found.push(id);
            stack.extend(self.children(id));
        }
        // Ids grow from arguments to functors.
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// How deeply parentheses and other brackets may be nested, so that hostile input cannot exhaust the stack.
const MAX_DEPTH: u32 = 1000;

/// Reads clauses one after the other.
pub(super) struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    text: String,
    /// Every term of the clauses read so far.
    pub arena: Arena,
}

/// The way an operator takes its operands: the greatest priorities of operator, left and right.
struct Infix {
    priority: u16,
    left: u16,
    right: u16,
}

impl Reader {
    /// Reads this text.
    pub fn new(text: String, file: FileId) -> Self {
        Self { tokens: tokens(&text, file), at: 0, depth: 0, text, arena: Arena::default() }
    }

    /// Reads the next clause; `None` at the end. After an error, reading goes on behind the next
    /// full stop.
    pub fn clause(&mut self) -> Option<Result<NodeId, Diagnostic>> {
        if self.token().kind == TokenKind::End {
            return None;
        }
        let result = self.whole_clause();
        if result.is_err() {
            while !matches!(self.token().kind, TokenKind::Stop | TokenKind::End) {
                self.at += 1;
            }
        }
        self.accept_stop();
        self.depth = 0;
        Some(result)
    }

    /// The text at a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn whole_clause(&mut self) -> Result<NodeId, Diagnostic> {
        let (clause, _) = self.term(1200)?;
        if self.token().kind != TokenKind::Stop {
            return Err(self.expected("an operator or the full stop that ends the clause"));
        }
        Ok(clause)
    }

    fn accept_stop(&mut self) {
        if self.token().kind == TokenKind::Stop {
            self.at += 1;
        }
    }

    fn token(&self) -> &Token {
        // The last token is the end, and nothing passes over it.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn peek_after(&self, count: usize) -> &Token {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)]
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let token = self.token();
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Stop => "the end of the clause".to_owned(),
            TokenKind::Wrong(problem) => return Diagnostic::error(token.span, problem),
            _ => format!("`{}`", self.slice(token.span)),
        };
        Diagnostic::error(token.span, format!("expected {what}, found {found}"))
    }

    fn expect(&mut self, symbol: u8) -> Result<Span, Diagnostic> {
        if !self.token().is(symbol) {
            return Err(self.expected(&format!("`{}`", char::from(symbol))));
        }
        let span = self.token().span;
        self.at += 1;
        Ok(span)
    }

    /// Reads a term whose operators have at most this priority.
    fn term(&mut self, most: u16) -> Result<(NodeId, u16), Diagnostic> {
        if self.depth == MAX_DEPTH {
            let message = format!("this is nested more than {MAX_DEPTH} levels deep");
            return Err(Diagnostic::error(self.token().span, message));
        }
        self.depth += 1;
        let (mut left, mut priority) = self.primary(most)?;
        while let Some((name, infix)) = self.infix() {
            if infix.priority > most || priority > infix.left {
                break;
            }
            self.at += 1;
            left = if infix.right == infix.priority {
                self.right_chain(&name, &infix, left)?
            } else {
                let (right, _) = self.term(infix.right)?;
                self.compound(&name, vec![left, right])
            };
            priority = infix.priority;
        }
        self.depth -= 1;
        Ok((left, priority))
    }

    /// Reads the rest of `a, b, c` in a loop: such chains are long, and nesting is bounded.
    fn right_chain(&mut self, name: &str, op: &Infix, left: NodeId) -> Result<NodeId, Diagnostic> {
        let mut operands = vec![left];
        loop {
            let (operand, _) = self.term(op.priority - 1)?;
            operands.push(operand);
            match self.infix() {
                Some((next, _)) if *next == *name => self.at += 1,
                _ => break,
            }
        }
        let last = operands.pop();
        let chain = operands.into_iter().rev();
        let chain = chain
            .fold(last, |right, left| right.map(|right| self.compound(name, vec![left, right])));
        Ok(chain.unwrap_or(left))
    }

    fn compound(&mut self, name: &str, arguments: Vec<NodeId>) -> NodeId {
        let spans = arguments.first().zip(arguments.last());
        let span = spans.map(|(first, last)| self.arena.span(*first).to(self.arena.span(*last)));
        let span = span.unwrap_or(self.token().span);
        self.arena.push(Node::Compound(name.into(), arguments.into()), span)
    }

    /// The operator between two terms that comes next.
    fn infix(&self) -> Option<(Box<str>, Infix)> {
        let name: Box<str> = match &self.token().kind {
            TokenKind::Atom { text, quoted: false } => text.clone(),
            TokenKind::Punctuation(b',') => ",".into(),
            TokenKind::Punctuation(b'|') => ";".into(),
            _ => return None,
        };
        let (priority, left, right) = match &*name {
            ":-" | "-->" => (1200, 1199, 1199),
            ";" => (1100, 1099, 1100),
            "->" => (1050, 1049, 1050),
            "," => (1000, 999, 1000),
            ":=" => (990, 989, 989),
            "=" | "\\=" | "==" | "\\==" | "is" | "=:=" | "=\\=" | "<" | "=<" | ">" | ">="
            | "<=" | "=>" | "=.." | "@<" | "@>" | "@=<" | "@>=" => (700, 699, 699),
            ":" => (550, 549, 550),
            "+" | "-" | "/\\" | "\\/" | "xor" => (500, 500, 499),
            "*" | "/" | "//" | "mod" | "rem" | "div" | "<<" | ">>" => (400, 400, 399),
            "**" => (200, 199, 199),
            "^" => (200, 199, 200),
            _ => return None,
        };
        Some((name, Infix { priority, left, right }))
    }

    /// Reads a term that is not an operator between two others.
    fn primary(&mut self, most: u16) -> Result<(NodeId, u16), Diagnostic> {
        let token = self.token().clone();
        let span = token.span;
        let node = match token.kind {
            TokenKind::Number(number) => Node::Number(number),
            TokenKind::Variable => Node::Variable(self.slice(span).into()),
            TokenKind::Text => Node::Atom(self.slice(span).into()),
            TokenKind::Atom { text, quoted } => return self.name(text, quoted, span, most),
            TokenKind::Punctuation(b'(') => {
                self.at += 1;
                let (inner, _) = self.term(1200)?;
                self.expect(b')')?;
                return Ok((inner, 0));
            }
            TokenKind::Punctuation(b'[') => return Ok((self.list(span)?, 0)),
            TokenKind::Punctuation(b'{') => return Ok((self.braces(span)?, 0)),
            _ => return Err(self.expected("a term")),
        };
        self.at += 1;
        Ok((self.arena.push(node, span), 0))
    }

    /// Reads an atom, a functor with its arguments, or an operator with its operand.
    fn name(
        &mut self,
        text: Box<str>,
        quoted: bool,
        span: Span,
        most: u16,
    ) -> Result<(NodeId, u16), Diagnostic> {
        self.at += 1;
        if self.token().is(b'(') && self.token().tight {
            self.at += 1;
            let arguments = self.arguments(b')')?;
            let end = self.expect(b')')?;
            let node = Node::Compound(text, arguments.into());
            return Ok((self.arena.push(node, span.to(end)), 0));
        }
        if let Some((priority, operand)) =
            prefix(&text).filter(|_| !quoted && self.starts_operand())
        {
            // As an argument, `:- a` and its like need no parentheses.
            let (priority, operand) =
                if priority > most { (most, operand.min(most)) } else { (priority, operand) };
            let (operand, _) = self.term(operand)?;
            let span = span.to(self.arena.span(operand));
            let node = Node::Compound(text, [operand].into());
            return Ok((self.arena.push(node, span), priority));
        }
        Ok((self.arena.push(Node::Atom(text), span), 0))
    }

    /// Whether the token after an operator can be the start of its operand. `- = x` has an atom
    /// on the left, `-(-(1))` has not.
    fn starts_operand(&self) -> bool {
        match &self.token().kind {
            TokenKind::Number(_) | TokenKind::Variable | TokenKind::Text => true,
            TokenKind::Punctuation(symbol) => matches!(symbol, b'(' | b'[' | b'{'),
            TokenKind::Atom { text, quoted: false } => {
                let next = self.peek_after(1);
                self.infix().is_none() || prefix(text).is_some() || (next.is(b'(') && next.tight)
            }
            TokenKind::Atom { .. } => true,
            _ => false,
        }
    }

    fn arguments(&mut self, end: u8) -> Result<Vec<NodeId>, Diagnostic> {
        let mut arguments = Vec::new();
        if self.token().is(end) {
            return Ok(arguments);
        }
        loop {
            let (argument, _) = self.term(999)?;
            arguments.push(argument);
            if !self.token().is(b',') {
                return Ok(arguments);
            }
            self.at += 1;
        }
    }

    fn list(&mut self, start: Span) -> Result<NodeId, Diagnostic> {
        self.at += 1;
        let elements = self.arguments(b']')?;
        let mut tail = None;
        if self.token().is(b'|') {
            self.at += 1;
            tail = Some(self.term(999)?.0);
        }
        let span = start.to(self.expect(b']')?);
        Ok(self.arena.push(Node::List(elements.into(), tail), span))
    }

    fn braces(&mut self, start: Span) -> Result<NodeId, Diagnostic> {
        self.at += 1;
        if self.token().is(b'}') {
            let span = start.to(self.token().span);
            self.at += 1;
            return Ok(self.arena.push(Node::Atom("{}".into()), span));
        }
        let (inner, _) = self.term(1200)?;
        let span = start.to(self.expect(b'}')?);
        Ok(self.arena.push(Node::Compound("{}".into(), [inner].into()), span))
    }
}

/// Priority of an operator before its operand, and of the operand.
fn prefix(name: &str) -> Option<(u16, u16)> {
    match name {
        ":-" | "?-" => Some((1200, 1199)),
        "multifile" | "dynamic" | "discontiguous" | "initialization" => Some((1150, 1149)),
        "\\+" => Some((900, 900)),
        "-" | "+" | "\\" => Some((200, 200)),
        _ => None,
    }
}
