//! Strings for arrays of more than two dimensions, written without the inner braces: rucc does not read `char
//! a[1][1][5] = {"1234"};`.

use rucc_ast::{
    ArraySize, Ast, Decl, DeclId, DeclaratorId, Derived, Expr, Init, InitId, InitItemList,
};
use rucc_diag::{Diagnostic, Span};
use rucc_lex::{Punct, TokenKind, Tokens};
use rustc_hash::FxHashSet;

use super::repair;

/// rucc's number for a string in the place of something else than an array of characters.
const MISPLACED: &str = "E0638";

/// Puts one more pair of braces around strings that belong to one element. Gives back whether there
/// are any.
pub(super) fn group(tokens: &mut Tokens, ast: &Ast, messages: &[Diagnostic]) -> bool {
    let refused = messages.iter().filter(|message| message.code == Some(MISPLACED));
    let refused: FxHashSet<u32> = refused.map(|message| message.span.lo).collect();
    if refused.is_empty() {
        return false;
    }
    let mut groups = Groups { ast, refused, found: Vec::new() };
    for id in (0..ast.counts().decls).map(DeclId::from_usize) {
        let Decl::Var { declarators, .. } = ast[id] else { continue };
        for declarator in &ast[declarators] {
            if let Some(init) = declarator.init {
                groups.declared(declarator.declarator, init);
            }
        }
    }
    let mut found = groups.found;
    found.sort_unstable_by_key(|place| place.lo);
    found.dedup();
    for place in found.iter().rev() {
        let at = |position| tokens.tokens.partition_point(|token| token.span.lo < position);
        let (start, end) = (at(place.lo), at(place.hi));
        repair::splice(tokens, end..end, &[(TokenKind::Punct(Punct::RBrace), 0)]);
        repair::splice(tokens, start..start, &[(TokenKind::Punct(Punct::LBrace), 0)]);
    }
    !found.is_empty()
}

struct Groups<'a> {
    ast: &'a Ast,
    /// The places where refused strings start.
    refused: FxHashSet<u32>,
    /// Places of strings that belong to one element.
    found: Vec<Span>,
}

impl Groups<'_> {
    fn declared(&mut self, declarator: DeclaratorId, init: InitId) {
        let Init::List(items) = self.ast[init] else { return };
        let mut lengths = Vec::new();
        for derived in &self.ast[self.ast[declarator].derived] {
            let Derived::Array { size, .. } = derived else { return };
            lengths.push(match size {
                ArraySize::Expr(length) => match self.ast[*length] {
                    Expr::Int(number) => usize::try_from(self.ast[number].value).ok(),
                    _ => None,
                },
                _ => None,
            });
        }
        self.list(items, &lengths);
    }

    /// Looks at the braces around the elements of an array with these lengths.
    fn list(&mut self, items: InitItemList, lengths: &[Option<usize>]) {
        // The arrays of the innermost dimension are strings.
        let [_, element @ ..] = lengths else { return };
        let [counts @ .., _] = element else { return };
        if counts.is_empty() {
            return;
        }
        let count = counts.iter().try_fold(1_usize, |all, length| all.checked_mul((*length)?));
        let Some(count) = count.filter(|count| *count > 0) else { return };
        let mut strings = Vec::new();
        let mut found = Vec::new();
        for item in &self.ast[items] {
            match self.ast[item.init] {
                Init::Expr(expr) if matches!(self.ast[expr], Expr::Str(_)) => {
                    // What follows a designator within an element is not looked at.
                    if !self.ast[item.designators].is_empty() {
                        return;
                    }
                    strings.push(item.span);
                }
                // Braces behind strings start a new element only if the strings before them fill whole elements.
                Init::List(inner) if strings.len().is_multiple_of(count) => {
                    found.append(&mut strings);
                    self.list(inner, element);
                }
                _ => return,
            }
        }
        found.append(&mut strings);
        for group in found.chunks(count) {
            if let (Some(first), Some(last)) = (group.first(), group.last())
                && self.refused.contains(&first.lo)
            {
                self.found.push(Span::new(first.lo, last.hi));
            }
        }
    }
}
