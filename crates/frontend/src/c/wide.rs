//! The type of wide characters, which gcc has as `long` on i386 and rucc as `int`.
//!
//! Both have 32 bits and a sign, so no value differs. Only a choice by type (`_Generic`) can tell the two types apart,
//! and rucc has settled its outcome when it hands over its tree. So a file with wide characters and a choice by type is
//! refused at the choice.

use rucc_ast::{Ast, Expr, ExprId};
use rucc_diag::Span;
use rucc_lex::Encoding;

/// Where a unit for i386 chooses by type, if it has wide characters too. `names_type` says whether
/// the text has the name of their type and that name comes from the preprocessor.
pub(super) fn choice(ast: &Ast, names_type: bool) -> Option<Span> {
    let mut has_wide = names_type;
    let mut choice = None;
    for at in 0..ast.counts().exprs {
        let id = ExprId::from_usize(at);
        match ast[id] {
            Expr::Char(value) => has_wide |= ast[value].encoding == Encoding::Wide,
            Expr::Str(value) => has_wide |= ast[value].encoding == Encoding::Wide,
            Expr::Generic { .. } | Expr::TypesCompatible { .. } => {
                choice = choice.or(Some(ast.expr_span(id)));
            }
            _ => {}
        }
    }
    choice.filter(|_| has_wide)
}
