//! Brackets that say nothing, dropped where rucc would refuse a file for its nesting.

use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};
use rustc_hash::FxHashSet;

/// A pair of brackets whose end was read.
#[derive(Clone, Copy)]
struct Pair {
    open: usize,
    close: usize,
    /// Whether these are the braces of a block, and not those of an initialiser.
    is_block: bool,
}

/// A bracket whose end is still to come.
struct Open {
    at: usize,
    close: Punct,
    /// Whether a statement was seen directly between these brackets.
    has_statement: bool,
    /// The pair that ended last directly between these brackets.
    last: Option<Pair>,
}

/// Drops brackets around nothing but brackets if a file is nested more deeply than rucc reads:
/// generated programs have hundreds of `else { { … } }`.
pub(super) fn flatten(tokens: &mut Tokens) {
    if depth(&tokens.tokens) <= rucc_parse::MAX_NESTING {
        return;
    }
    let dropped = needless(&tokens.tokens);
    // How many tokens are dropped before each token.
    let mut before = Vec::with_capacity(tokens.tokens.len() + 1);
    let mut count = 0_u32;
    for at in 0..tokens.tokens.len() {
        before.push(count);
        count += u32::from(dropped.contains(&at));
    }
    before.push(count);
    for pragma in &mut tokens.pragmas {
        pragma.before -= before.get(pragma.before as usize).copied().unwrap_or(count);
    }
    let mut at = 0..;
    tokens.tokens.retain(|_| at.next().is_none_or(|at| !dropped.contains(&at)));
}

/// The punctuation that ends what `punct` opens.
pub(super) fn closing(punct: Punct) -> Option<Punct> {
    match punct {
        Punct::LParen => Some(Punct::RParen),
        Punct::LBracket => Some(Punct::RBracket),
        Punct::LBrace => Some(Punct::RBrace),
        _ => None,
    }
}

/// How many brackets are open at once.
pub(super) fn depth(tokens: &[Token]) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for token in tokens {
        match token.kind {
            TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => depth += 1,
            TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// The brackets that can go: the inner braces of a block that has nothing but another block, and parentheses within two
/// pairs of parentheses. The outermost braces of a function stay apart from the next ones, which may declare the name
/// of a parameter again. Two pairs of parentheses mean more than one pair in an argument with a comma and in an
/// attribute. The value of a statement expression is the value of its last statement, and a block has no value.
fn needless(tokens: &[Token]) -> FxHashSet<usize> {
    let mut dropped = FxHashSet::default();
    let mut open: Vec<Open> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Punct(punct) if closing(punct).is_some() => {
                let close = closing(punct).unwrap_or(punct);
                open.push(Open { at, close, has_statement: false, last: None });
            }
            TokenKind::Punct(punct @ (Punct::RParen | Punct::RBracket | Punct::RBrace)) => {
                let Some(ended) = open.pop().filter(|ended| ended.close == punct) else {
                    // What is not balanced is left for the parser to complain about.
                    return FxHashSet::default();
                };
                let only =
                    ended.last.filter(|last| (last.open, last.close) == (ended.at + 1, at - 1));
                let is_block = punct == Punct::RBrace
                    && (ended.has_statement || only.is_some_and(|inner| inner.is_block));
                if let Some(inner) = only {
                    let is_needless = match punct {
                        Punct::RBrace => is_block && keeps_meaning(tokens, &open, ended.at),
                        Punct::RParen => is_enclosed(tokens, ended.at, at),
                        _ => false,
                    };
                    if is_needless {
                        dropped.extend([inner.open, inner.close]);
                    }
                }
                if let Some(outer) = open.last_mut() {
                    outer.last = Some(Pair { open: ended.at, close: at, is_block });
                }
            }
            kind => {
                if let Some(inside) = open.last_mut() {
                    inside.has_statement |= starts_or_ends_statement(kind);
                }
            }
        }
    }
    dropped
}

/// Whether a block that starts at a token is neither the body of a function nor that of a
/// statement expression.
fn keeps_meaning(tokens: &[Token], around: &[Open], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| tokens[before].kind);
    !around.is_empty() && before != Some(TokenKind::Punct(Punct::LParen))
}

/// Whether parentheses from one token to another stand in parentheses and have in them nothing
/// but parentheses.
fn is_enclosed(tokens: &[Token], open: usize, close: usize) -> bool {
    let is = |at: Option<usize>, punct| {
        at.and_then(|at| tokens.get(at)).is_some_and(|token| token.kind == TokenKind::Punct(punct))
    };
    is(open.checked_sub(1), Punct::LParen)
        && is(Some(open + 1), Punct::LParen)
        && is(Some(close + 1), Punct::RParen)
}

/// Whether a token is in a block, and never directly between the braces of an initialiser.
pub(super) fn starts_or_ends_statement(kind: TokenKind) -> bool {
    use Keyword::{Do, For, Goto, If, Return, Switch, While};
    matches!(
        kind,
        TokenKind::Punct(Punct::Semi)
            | TokenKind::Keyword(If | While | For | Do | Switch | Goto | Return)
    )
}
