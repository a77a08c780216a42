//! Files that are nested more deeply than rucc reads, taken apart before they are parsed.
//!
//! A block or an expression within too many brackets is parsed behind the end of the file, as the condition of a
//! static assertion that nobody checks, and something short stands in its place: braces around nothing, or a
//! number. [`graft`](super::graft) puts its tree where it belongs.

use std::ops::Range;

use rucc_ast::{Ast, Decl, DeclId, DeclaratorId, EnumeratorList, StorageClass};
use rucc_base::{Idx, Symbol};
use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};
use rustc_hash::FxHashSet;

use super::{nesting, repair};

/// How many brackets may be around a block or an expression before it is cut out.
const START: usize = 128;

/// How many brackets a piece may have around each other: somewhat fewer than rucc reads.
const LIMIT: usize = rucc_parse::MAX_NESTING - 16;

/// How many brackets are around a piece that stands behind the file.
const AROUND: usize = 2;

/// Files that are nested more deeply than this are left to rucc, which refuses them, because functions that walk over
/// trees recurse.
pub(super) const DEEPEST: usize = 4096;

/// What stands in the text in place of a piece that was cut out, with the range of the tokens of the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    /// Braces around nothing.
    Block(Span),
    /// A number.
    Expression(Span),
}

/// A file in pieces.
pub(super) struct Pieces {
    /// The file, with a static assertion for each piece at its end.
    pub tokens: Vec<Token>,
    /// What the assertions at the end are for, in their order.
    pub cuts: Vec<Cut>,
}

/// Takes a file apart that is nested too deeply. `None` if it is not nested too deeply, or cannot be taken apart.
pub(super) fn cut(tokens: &Tokens) -> Option<Pieces> {
    let depth = nesting::depth(&tokens.tokens);
    if depth <= rucc_parse::MAX_NESTING || depth > DEEPEST || tokens.ints.is_empty() {
        return None;
    }
    let (&last, list) = tokens.tokens.split_last()?;
    let mut cutter = Cutter::new(list)?;
    let mut whole = Vec::with_capacity(list.len());
    cutter.copy(0..list.len(), 0, &mut whole);
    // A pragma concerns the tokens that follow it, so these must stay where they are.
    let first = cutter.pieces.iter().map(|(_, range, _)| range.start).min()?;
    if tokens.pragmas.iter().any(|pragma| pragma.before as usize > first) {
        return None;
    }
    let mut cuts = Vec::new();
    for (cut, _, piece) in cutter.pieces {
        let place = piece.first()?;
        let at = |kind| Token { kind, value: 0, ..*place };
        let punct = |punct| at(TokenKind::Punct(punct));
        whole.extend([at(TokenKind::Keyword(Keyword::StaticAssert)), punct(Punct::LParen)]);
        whole.push(punct(Punct::LParen));
        whole.extend(&piece);
        whole.extend([punct(Punct::RParen), punct(Punct::RParen), punct(Punct::Semi)]);
        cuts.push(cut);
    }
    whole.push(last);
    Some(Pieces { tokens: whole, cuts })
}

struct Cutter<'t> {
    tokens: &'t [Token],
    /// For each opening bracket, where it ends, and how many brackets are nested from this bracket on.
    pairs: Vec<Option<(usize, usize)>>,
    /// The braces of structures and unions.
    records: FxHashSet<usize>,
    /// Names that may be names of types.
    types: FxHashSet<u32>,
    /// What was cut out, the tokens that it had, and what is left of them.
    pieces: Vec<(Cut, Range<usize>, Vec<Token>)>,
}

impl<'t> Cutter<'t> {
    fn new(tokens: &'t [Token]) -> Option<Self> {
        let mut pairs = vec![None; tokens.len()];
        // Each open bracket, the punctuation that ends it, and how deeply brackets are nested inside of it.
        let mut open: Vec<(usize, Punct, usize)> = Vec::new();
        let (mut records, mut types) = (FxHashSet::default(), FxHashSet::default());
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Keyword(Keyword::Struct | Keyword::Union) => {
                    records.extend(repair::members(tokens, at + 1));
                }
                TokenKind::Keyword(Keyword::Typedef) => {
                    let declared = tokens[at..].iter();
                    let declared = declared.take_while(|token| !is(token, Punct::Semi));
                    let named = declared.filter(|token| token.kind == TokenKind::Ident);
                    types.extend(named.map(|token| token.value));
                }
                TokenKind::Punct(punct) => {
                    if let Some(close) = nesting::closing(punct) {
                        open.push((at, close, 0));
                    } else if matches!(punct, Punct::RParen | Punct::RBracket | Punct::RBrace) {
                        let (start, _, height) = open.pop().filter(|open| open.1 == punct)?;
                        pairs[start] = Some((at, height + 1));
                        if let Some(outer) = open.last_mut() {
                            outer.2 = outer.2.max(height + 1);
                        }
                    }
                }
                _ => {}
            }
        }
        open.is_empty().then_some(Self { tokens, pairs, records, types, pieces: Vec::new() })
    }

    /// Copies tokens that are within `depth` brackets, and cuts out pieces that are nested too deeply.
    fn copy(&mut self, range: Range<usize>, depth: usize, out: &mut Vec<Token>) {
        let mut at = range.start;
        while at < range.end {
            let Some((close, height)) = self.pairs[at] else {
                out.push(self.tokens[at]);
                at += 1;
                continue;
            };
            let is_deep = depth >= START && depth + height > LIMIT;
            if is_deep && self.is_block(at, close) {
                out.extend([self.tokens[at], self.tokens[close]]);
                self.piece(Cut::Block(self.place(at..close + 1)), at..close + 1);
            } else {
                out.push(self.tokens[at]);
                match is_deep && self.has_expressions(at) {
                    true => self.expressions(at + 1..close, depth + 1, out),
                    false => self.copy(at + 1..close, depth + 1, out),
                }
                out.push(self.tokens[close]);
            }
            at = close + 1;
        }
    }

    /// Copies what is between two brackets, and cuts out the expressions between its commas.
    fn expressions(&mut self, range: Range<usize>, depth: usize, out: &mut Vec<Token>) {
        let (mut start, mut at, mut highest) = (range.start, range.start, 0);
        loop {
            let is_end = at >= range.end;
            if !is_end && !is(&self.tokens[at], Punct::Comma) {
                let (last, height) = self.pairs[at].unwrap_or((at, 0));
                (at, highest) = (last + 1, highest.max(height));
                continue;
            }
            let part = start..at.min(range.end);
            if depth + highest > LIMIT && self.is_expression(part.clone()) {
                let place = self.place(part.clone());
                out.push(Token {
                    kind: TokenKind::Int,
                    value: 0,
                    span: place,
                    ..self.tokens[start]
                });
                self.piece(Cut::Expression(place), part);
            } else {
                self.copy(part, depth, out);
            }
            if is_end {
                return;
            }
            out.push(self.tokens[at]);
            (start, at, highest) = (at + 1, at + 1, 0);
        }
    }

    fn piece(&mut self, cut: Cut, range: Range<usize>) {
        let mut out = Vec::new();
        self.copy(range.clone(), AROUND, &mut out);
        self.pieces.push((cut, range, out));
    }

    /// The place of a range of tokens, which must not be empty.
    fn place(&self, range: Range<usize>) -> Span {
        Span::new(self.tokens[range.start].span.lo, self.tokens[range.end - 1].span.hi)
    }

    fn before(&self, at: usize) -> Option<TokenKind> {
        at.checked_sub(1).map(|before| self.tokens[before].kind)
    }

    /// The tokens from one to another that are in no brackets between them.
    fn outside(&self, range: Range<usize>) -> impl Iterator<Item = &Token> {
        let mut at = range.start;
        std::iter::from_fn(move || {
            let token = (at < range.end).then(|| &self.tokens[at])?;
            at = self.pairs[at].map_or(at, |(close, _)| close) + 1;
            Some(token)
        })
    }

    /// Whether braces are those of a block.
    fn is_block(&self, at: usize, close: usize) -> bool {
        use Punct::{Colon, LBrace, LParen, RBrace, RParen, Semi};
        let follows = matches!(
            self.before(at),
            Some(TokenKind::Punct(RParen | LBrace | RBrace | Semi | Colon | LParen))
                | Some(TokenKind::Keyword(Keyword::Else | Keyword::Do))
        );
        is(&self.tokens[at], LBrace)
            && follows
            && !self.records.contains(&at)
            && self
                .outside(at + 1..close)
                .any(|token| nesting::starts_or_ends_statement(token.kind))
    }

    /// Whether what is between two brackets may be expressions: operands, arguments, indices,
    /// conditions.
    fn has_expressions(&self, at: usize) -> bool {
        use Keyword::{If, Return, Switch, While};
        let follows = matches!(
            self.before(at),
            Some(TokenKind::Ident | TokenKind::Punct(_))
                | Some(TokenKind::Keyword(If | While | Switch | Return))
        );
        !is(&self.tokens[at], Punct::LBrace) && follows
    }

    /// Whether tokens are an expression and no declaration or type.
    fn is_expression(&self, range: Range<usize>) -> bool {
        use Punct::{Amp, Bang, LParen, Minus, MinusMinus, Plus, PlusPlus, Star, Tilde};
        let starts = self.tokens[range.clone()].first().is_some_and(|first| match first.kind {
            TokenKind::Ident => !self.types.contains(&first.value),
            TokenKind::Int | TokenKind::Float | TokenKind::Char | TokenKind::Str => true,
            TokenKind::Punct(punct) => matches!(
                punct,
                LParen | Minus | Plus | Bang | Tilde | Star | Amp | PlusPlus | MinusMinus
            ),
            _ => false,
        });
        starts && self.outside(range).all(|token| !is(token, Punct::Semi))
    }
}

fn is(token: &Token, punct: Punct) -> bool {
    token.kind == TokenKind::Punct(punct)
}

/// Whether a name of a type has another meaning somewhere in the file: then a piece may be read otherwise where it
/// stands than where it was. Types that are named inside of functions are not known where pieces stand.
pub(super) fn is_ambiguous(ast: &mut Ast) -> bool {
    let mut types: FxHashSet<Symbol> = FxHashSet::default();
    let mut own: FxHashSet<DeclaratorId> = FxHashSet::default();
    let top_level: FxHashSet<DeclId> = ast.top_level().iter().copied().collect();
    for id in (0..ast.counts().decls).map(DeclId::from_usize) {
        let Decl::Var { specs, declarators } = ast[id] else { continue };
        if ast[specs].storage != Some(StorageClass::Typedef) {
            continue;
        }
        if !top_level.contains(&id) {
            return true;
        }
        for declarator in &ast[declarators] {
            own.insert(declarator.declarator);
            types.extend(ast[declarator.declarator].name);
        }
    }
    let Some(some) = own.iter().next().map(|id| ast[*id]) else { return false };
    let count = ast.add_declarator(some).index();
    let mut declarators = (0..count).map(DeclaratorId::from_usize);
    let is_other = |id: DeclaratorId| {
        !own.contains(&id) && ast[id].name.is_some_and(|name| types.contains(&name))
    };
    if declarators.any(is_other) {
        return true;
    }
    let end = ast.add_enumerator_list(&[]).as_usize_range().end;
    let all = EnumeratorList::new(Idx::from_usize(0), Idx::from_usize(end));
    ast[all].iter().any(|enumerator| types.contains(&enumerator.name))
}
