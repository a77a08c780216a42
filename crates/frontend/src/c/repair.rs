//! Constructs that gcc accepts with a warning and rucc refuses.

use std::ops::Range;

use rucc_ast::{Ast, Expr, ExprId};
use rucc_diag::{Diagnostic, Severity, Span};
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};
use rucc_sema::{Checked, DeclId, Definition, Linkage, Tast};
use rucc_types::{TypeKind, Types};
use rustc_hash::{FxHashMap, FxHashSet};

/// rucc's number for a type that contradicts an earlier declaration.
const CONFLICTING_TYPES: &str = "E0586";

/// rucc's number for a definition of an object whose size is not known.
const UNKNOWN_SIZE: &str = "E0601";

/// rucc's number for braces around the value of a scalar.
const BRACED_SCALAR: &str = "E0636";

/// Puts tokens in the place of others, which must not be beyond the end.
pub(super) fn splice(tokens: &mut Tokens, range: Range<usize>, kinds: &[(TokenKind, u32)]) {
    // Each inserted token gets the place of the first token that it stands for.
    let Some(&first) = tokens.tokens.get(range.start) else { return };
    let inserted = kinds.iter().map(|&(kind, value)| Token { kind, value, ..first });
    tokens.tokens.splice(range.clone(), inserted);
    for pragma in &mut tokens.pragmas {
        let before = pragma.before as usize;
        if before >= range.end && before > range.start {
            let moved = before - range.len() + kinds.len();
            pragma.before = u32::try_from(moved).unwrap_or(u32::MAX);
        } else if before > range.start {
            pragma.before = u32::try_from(range.start).unwrap_or(u32::MAX);
        }
    }
}

/// Puts the semicolon behind the last member of a structure or union where it is missing.
pub(super) fn end_members(tokens: &mut Tokens) {
    let list = &tokens.tokens;
    let mut missing = Vec::new();
    let mut records = FxHashSet::default();
    // For each open brace, whether it is the brace of a structure or union.
    let mut open = Vec::new();
    for (at, token) in list.iter().enumerate() {
        match token.kind {
            TokenKind::Keyword(Keyword::Struct | Keyword::Union) => {
                records.extend(members(list, at + 1));
            }
            TokenKind::Punct(Punct::LBrace) => open.push(records.remove(&at)),
            TokenKind::Punct(Punct::RBrace) => {
                let ends = |kind| matches!(kind, TokenKind::Punct(Punct::Semi | Punct::LBrace));
                let is_ended = at.checked_sub(1).is_none_or(|last| ends(list[last].kind));
                if open.pop() == Some(true) && !is_ended {
                    missing.push(at);
                }
            }
            _ => {}
        }
    }
    for at in missing.into_iter().rev() {
        splice(tokens, at..at, &[(TokenKind::Punct(Punct::Semi), 0)]);
    }
}

/// The index of the opening brace behind `struct` or `union`, its attributes and its tag, if there is a brace.
pub(super) fn members(tokens: &[Token], mut at: usize) -> Option<usize> {
    loop {
        match tokens.get(at)?.kind {
            TokenKind::Ident => at += 1,
            TokenKind::Keyword(Keyword::Attribute) => {
                let mut depth = 0_usize;
                at += 1;
                loop {
                    match tokens.get(at)?.kind {
                        TokenKind::Punct(Punct::LParen) => depth += 1,
                        TokenKind::Punct(Punct::RParen) => depth = depth.checked_sub(1)?,
                        _ => {}
                    }
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            TokenKind::Punct(Punct::LBrace) => return Some(at),
            _ => return None,
        }
    }
}

/// Declares functions at the start that are called before their definition says that they return
/// nothing. Gives back whether there are any.
pub(super) fn declare_called(
    tokens: &mut Tokens,
    ast: &Ast,
    checked: &Checked,
    messages: &[Diagnostic],
) -> bool {
    let conflicts: FxHashSet<(u32, u32)> = messages
        .iter()
        .filter(|message| message.code == Some(CONFLICTING_TYPES))
        .filter(|message| message.message.contains("'; have 'void("))
        .filter_map(|message| message.children.first())
        .map(|earlier| range(earlier.span))
        .collect();
    if conflicts.is_empty() {
        return false;
    }
    // The type checker declares a function without a declaration itself, at the first call of the function.
    let called = (0..ast.counts().exprs).map(ExprId::from_usize).filter_map(|id| match ast[id] {
        Expr::Name(name) => Some((range(ast.expr_span(id)), name)),
        _ => None,
    });
    let called: FxHashMap<_, _> = called.filter(|(place, _)| conflicts.contains(place)).collect();
    let decls = (0..checked.tast.counts().decls).map(DeclId::from_usize);
    let mut names: Vec<u32> = decls
        .filter_map(|id| called.get(&range(checked.tast.decl_span(id))))
        .map(|name| name.raw())
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in &names {
        let punct = |punct| (TokenKind::Punct(punct), 0);
        let declaration = [
            (TokenKind::Keyword(Keyword::Void), 0),
            (TokenKind::Ident, *name),
            punct(Punct::LParen),
            punct(Punct::RParen),
            punct(Punct::Semi),
        ];
        splice(tokens, 0..0, &declaration);
    }
    !names.is_empty()
}

/// Drops the inner braces around the values of scalars (`int x = {{7}};`), one pair for each such
/// value. Gives back whether there are any.
pub(super) fn drop_braces(tokens: &mut Tokens, messages: &[Diagnostic]) -> bool {
    let is_refused = |message: &&Diagnostic| {
        message.code == Some(BRACED_SCALAR) && message.severity == Severity::Error
    };
    let mut braces = Vec::new();
    for message in messages.iter().filter(is_refused) {
        let at = |position| tokens.tokens.partition_point(|token| token.span.lo < position);
        let (open, end) = (at(message.span.lo), at(message.span.hi));
        let Some(close) = end.checked_sub(1).filter(|close| open < *close) else { continue };
        let is = |at: usize, punct| tokens.tokens[at].kind == TokenKind::Punct(punct);
        if is(open, Punct::LBrace) && is(close, Punct::RBrace) {
            braces.extend([open, close]);
        }
    }
    braces.sort_unstable();
    braces.dedup();
    for at in braces.iter().rev() {
        splice(tokens, *at..at + 1, &[]);
    }
    !braces.is_empty()
}

/// Drops the complaint about a tentative definition whose type is complete at the end of the
/// file.
pub(super) fn drop_completed(messages: &mut Vec<Diagnostic>, tast: &Tast, types: &Types) {
    if messages.iter().all(|message| message.code != Some(UNKNOWN_SIZE)) {
        return;
    }
    let is_completed = |id: &DeclId| {
        let decl = &tast[*id];
        let is_record = matches!(types.kind(types.canonical(decl.ty)), TypeKind::Record(_));
        let is_tentative = decl.linkage != Linkage::None && decl.state == Definition::Tentative;
        is_tentative && is_record && rucc_types::is_complete(types, decl.ty)
    };
    let decls = (0..tast.counts().decls).map(DeclId::from_usize).filter(is_completed);
    let completed: FxHashSet<_> = decls.map(|id| range(tast.decl_span(id))).collect();
    messages.retain(|message| {
        message.code != Some(UNKNOWN_SIZE) || !completed.contains(&range(message.span))
    });
}

fn range(span: Span) -> (u32, u32) {
    (span.lo, span.hi)
}
