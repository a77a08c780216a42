//! Lengths of arrays that are evaluated when an execution gets to them.

use rucc_ast::{ArraySize, Ast, Decl, DeclSpecsId, Derived, Expr, Stmt, StmtId, TypeSpec};
use rucc_diag::Span;
use rucc_sema::{ExprId, Tast};
use rucc_types::{ArrayLen, TypeId, TypeKind, Types, VlaId};
use rustc_hash::FxHashMap;

use super::layout::Difference;

/// The lengths of members of structures that are declared in a statement, by the range of the
/// statement's tokens.
pub(super) type MemberLengths = FxHashMap<(u32, u32), Vec<ExprId>>;

/// How many elements parameters point to at least (`int a[static 5]`), by the range of the tokens of their names.
/// `None` if the length is not written as a number.
pub(super) type Promises = FxHashMap<(u32, u32), Option<u64>>;

/// What the definitions of functions say of their parameters.
pub(super) fn promises(ast: &Ast) -> Promises {
    let mut found = Promises::default();
    for index in 0..ast.counts().decls {
        let Decl::Function { declarator, .. } = ast[rucc_ast::DeclId::from_usize(index)] else {
            continue;
        };
        let Some(Derived::Function { params, .. }) = ast[ast[declarator].derived].first() else {
            continue;
        };
        for parameter in &ast[*params] {
            let declarator = &ast[parameter.declarator];
            let Some(Derived::Array { size: ArraySize::Expr(size), has_static: true, .. }) =
                ast[declarator.derived].first()
            else {
                continue;
            };
            let count = match ast[*size] {
                Expr::Int(number) => u64::try_from(ast[number].value).ok(),
                _ => None,
            };
            found.insert((declarator.name_span.lo, declarator.name_span.hi), count);
        }
    }
    found
}

/// Whether the size of a type depends on the execution.
pub(super) fn is_variable_length(types: &Types, ty: TypeId) -> bool {
    match types.kind(types.canonical(ty)) {
        TypeKind::Array { elem, len } => {
            matches!(len, ArrayLen::Variable(_)) || is_variable_length(types, elem)
        }
        TypeKind::Record(record) => types.record_info(record).variable.is_some(),
        TypeKind::Atomic(inner) => is_variable_length(types, inner),
        _ => false,
    }
}

/// Whether a type is made of one whose size depends on the execution.
pub(super) fn is_variably_modified(types: &Types, ty: TypeId) -> bool {
    match types.kind(types.canonical(ty)) {
        TypeKind::Array { elem, len } => {
            matches!(len, ArrayLen::Variable(_)) || is_variably_modified(types, elem)
        }
        TypeKind::Pointer(inner) => is_variably_modified(types, inner),
        _ => is_variable_length(types, ty),
    }
}

/// The lengths in a type, in the order in which gcc evaluates them: the lengths of the elements first. The lengths of
/// members of structures are evaluated at the declaration of the structure.
pub(super) fn lengths(types: &Types, ty: TypeId, found: &mut Vec<VlaId>) {
    match types.kind(types.canonical(ty)) {
        TypeKind::Array { elem, len } => {
            lengths(types, elem, found);
            if let ArrayLen::Variable(id) = len {
                found.push(id);
            }
        }
        TypeKind::Pointer(inner) | TypeKind::Atomic(inner) => lengths(types, inner, found),
        _ => {}
    }
}

/// Finds the lengths of members of structures, and where they are evaluated: in the statement
/// that declares the structure. A structure that is declared elsewhere, in an expression or among
/// parameters, is refused.
pub(super) fn members(
    ast: &Ast,
    specs: usize,
    tast: &Tast,
    types: &Types,
) -> (MemberLengths, Vec<Difference>) {
    let mut found = Vec::new();
    for (_, record) in types.records() {
        for field in &record.fields {
            lengths(types, field.ty, &mut found);
        }
    }
    let (mut evaluated, mut refused) = (MemberLengths::default(), Vec::new());
    if found.is_empty() {
        return (evaluated, refused);
    }
    // The type checker gives lengths their numbers in the order in which it meets them.
    found.sort_by_key(|id| id.0);
    found.dedup();
    let (statements, everywhere) = declared_records(ast, specs);
    for id in found {
        let length = tast.vla_size(id);
        let place = tast.expr_span(length);
        let holds = |outer: Span| outer.lo <= place.lo && place.hi <= outer.hi;
        let around = statements.iter().filter(|(_, record)| holds(*record));
        match around.min_by_key(|(_, record)| record.hi - record.lo) {
            Some((statement, _)) => {
                let key = (statement.lo, statement.hi);
                evaluated.entry(key).or_default().push(length);
            }
            None if everywhere.iter().any(|record| holds(*record)) => {
                refused.push((place, "a structure of variable size in an expression"));
            }
            // The length belongs to a type that is declared by itself.
            None => {}
        }
    }
    (evaluated, refused)
}

/// The places of structures that are given with their members: first those that a statement declares, each with the
/// place of the statement, and then all of them.
fn declared_records(ast: &Ast, specs: usize) -> (Vec<(Span, Span)>, Vec<Span>) {
    let record = |id: DeclSpecsId| match ast[id].ty {
        TypeSpec::Record { fields: Some(_), .. } => Some(ast[id].span),
        _ => None,
    };
    let in_statement = |index: usize| {
        let id = StmtId::from_usize(index);
        let Stmt::Decl(decl) = ast[id] else { return None };
        let Decl::Var { specs, .. } = ast[decl] else { return None };
        Some((ast.stmt_span(id), record(specs)?))
    };
    let statements = (0..ast.counts().stmts).filter_map(in_statement).collect();
    let all = (0..specs).filter_map(|index| record(DeclSpecsId::from_usize(index))).collect();
    (statements, all)
}
