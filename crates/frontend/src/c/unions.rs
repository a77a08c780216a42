//! Casts of a bit-field's value to a union that has a bit-field of the same type (`(union u) s.f`),
//! which gcc reads and rucc does not.

use rucc_ast::{Ast, Expr, ExprId, TypeSpec};
use rucc_base::Symbol;
use rucc_diag::{Diagnostic, Span};
use rucc_lex::{Punct, TokenKind, Tokens};
use rucc_sema::{Checked, ExprKind};
use rucc_types::{RecordKind, TypeId, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::repair;

/// rucc's number for a cast to a union that has no member of the value's type.
const NOT_PRESENT: &str = "E0647";

/// Names the member in refused casts of bit-fields: `(union u) s.f` becomes `(union u) {.m = s.f}`.
/// Gives back whether there are any.
pub(super) fn name_members(
    tokens: &mut Tokens,
    ast: &Ast,
    checked: &Checked,
    messages: &[Diagnostic],
) -> bool {
    let refused = messages.iter().filter(|message| message.code == Some(NOT_PRESENT));
    let refused: FxHashSet<Span> = refused.map(|message| message.span).collect();
    if refused.is_empty() {
        return false;
    }
    let fields = bit_fields(checked);
    let mut named = Vec::new();
    for id in (0..ast.counts().exprs).map(ExprId::from_usize) {
        let Expr::Cast { ty, operand } = ast[id] else { continue };
        let place = ast.expr_span(id);
        let tag = match ast[ast[ty].specs].ty {
            TypeSpec::Record { tag, .. } => tag,
            _ => None,
        };
        if refused.contains(&place)
            && let Some(&field) = fields.get(&ast.expr_span(operand))
            && let Some(member) = member(checked, tag, field)
        {
            named.push((place, member));
        }
    }
    // What stands further back is changed first, so that places before it stay where they are.
    named.sort_unstable_by_key(|(place, _)| std::cmp::Reverse(place.lo));
    let changes = named.into_iter().map(|(place, member)| put_in_braces(tokens, place, member));
    changes.filter(|changed| *changed).count() > 0
}

/// The width and the declared type of a bit-field.
type BitField = (u32, TypeId);

/// The accesses to bit-fields of a unit.
fn bit_fields(checked: &Checked) -> FxHashMap<Span, BitField> {
    let Checked { tast, types, .. } = checked;
    let accesses = (0..tast.counts().exprs).map(rucc_sema::ExprId::from_usize).filter_map(|id| {
        let ExprKind::Member { base, field } = tast[id].kind else { return None };
        let TypeKind::Record(record) = types.kind(types.canonical(tast[base].ty)) else {
            return None;
        };
        let field = types.record_info(record).fields.get(field as usize)?;
        Some((tast.expr_span(id), (field.bits?, types.canonical(field.ty))))
    });
    accesses.collect()
}

/// The name of the bit-field of this type that unions with this tag have. Without a tag every union of the unit may be
/// meant. `None` where unions have the bit-field under different names.
fn member(checked: &Checked, tag: Option<Symbol>, (width, ty): BitField) -> Option<Symbol> {
    let types = &checked.types;
    let unions = types
        .records()
        .map(|(_, record)| record)
        .filter(|record| record.kind == RecordKind::Union && (tag.is_none() || record.tag == tag));
    // All bit-fields of a union start at its first byte, so any bit-field of the same type will do.
    let firsts = unions.filter_map(|record| {
        let same = |field: &&rucc_types::Field| {
            field.bits == Some(width) && types.canonical(field.ty) == ty
        };
        record.fields.iter().find(same)?.name
    });
    let names: FxHashSet<Symbol> = firsts.collect();
    let mut names = names.into_iter();
    names.next().filter(|_| names.next().is_none())
}

/// Turns the cast at a place into an object with this member. Gives back whether the tokens of the cast were found.
fn put_in_braces(tokens: &mut Tokens, place: Span, member: Symbol) -> bool {
    let at = |position| tokens.tokens.partition_point(|token| token.span.lo < position);
    let Some(behind) = closing(tokens, at(place.lo)) else { return false };
    // The place of the value is without the brackets around it.
    let mut end = at(place.hi);
    if let Some(TokenKind::Punct(Punct::LParen)) = kind(tokens, behind) {
        let Some(closed) = closing(tokens, behind) else { return false };
        end = end.max(closed);
    }
    repair::splice(tokens, end..end, &[(TokenKind::Punct(Punct::RBrace), 0)]);
    let opening = [
        (TokenKind::Punct(Punct::LBrace), 0),
        (TokenKind::Punct(Punct::Dot), 0),
        (TokenKind::Ident, member.raw()),
        (TokenKind::Punct(Punct::Eq), 0),
    ];
    repair::splice(tokens, behind..behind, &opening);
    true
}

fn kind(tokens: &Tokens, index: usize) -> Option<TokenKind> {
    tokens.tokens.get(index).map(|token| token.kind)
}

/// The index behind the bracket that closes the bracket at an index. `None` if there is no bracket at the index.
fn closing(tokens: &Tokens, index: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.tokens.iter().enumerate().skip(index) {
        match token.kind {
            TokenKind::Punct(Punct::LParen) => depth += 1,
            TokenKind::Punct(Punct::RParen) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at > index).then_some(at + 1);
        }
    }
    None
}
