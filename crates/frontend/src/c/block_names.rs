//! Names that are declared in blocks, with the stretches of text in which they mean what is declared.
//!
//! The type checker resolves all names and keeps no record of scopes, so the scopes are read off the tree of
//! the parser: a name belongs to the innermost block whose tokens are around its own.

use cfa::BlockName;
use rucc_ast::{
    Ast, Decl, DeclId, DeclSpecsId, DeclaratorId, Derived, ForInit, Stmt, StmtId, TypeSpec,
};
use rucc_base::Symbol;
use rucc_diag::Span;

/// A declared name and the range of its token.
type Named = (Symbol, Span);

/// A stretch of tokens at whose end the scopes of the names declared in it end.
#[derive(Clone, Copy)]
struct Block {
    tokens: Span,
    /// The declaration in the head of a loop, whose names mean the same in the whole loop.
    head: Option<Span>,
}

/// The names that a unit declares in blocks. `specs` is how many specifiers its tree has, and `place`
/// says where a range of tokens stands in the text.
pub(super) fn block_names(
    ast: &Ast,
    specs: usize,
    place: impl Fn(Span) -> Option<base::Span>,
) -> Vec<(Symbol, BlockName)> {
    let mut found = Vec::new();
    let mut blocks = blocks(ast);
    // A block comes before the blocks inside of it.
    blocks.sort_by_key(|block| (block.tokens.lo, std::cmp::Reverse(block.tokens.hi)));
    let mut declared = declared(ast, specs);
    declared.sort_by_key(|(_, tokens)| tokens.lo);
    declared.dedup();

    let mut blocks = blocks.into_iter().peekable();
    let mut around: Vec<Block> = Vec::new();
    for (name, tokens) in declared {
        while let Some(block) = blocks.next_if(|block| block.tokens.lo <= tokens.lo) {
            around.push(block);
        }
        while around.pop_if(|block| block.tokens.hi <= tokens.lo).is_some() {}
        let Some(block) = around.last() else { continue };
        let (Some(declared), Some(whole)) = (place(tokens), place(block.tokens)) else { continue };
        let is_head = block.head.is_some_and(|head| head.lo <= tokens.lo && tokens.hi <= head.hi);
        let from = if is_head { whole.start } else { declared.end };
        if declared.file == whole.file {
            found.push((name, BlockName { declared, from, until: whole.end }));
        }
    }
    found
}

/// Everything that ends scopes: definitions of functions, blocks and loops with a head.
fn blocks(ast: &Ast) -> Vec<Block> {
    let counts = ast.counts();
    let functions = (0..counts.decls).map(DeclId::from_usize).filter_map(|id| match ast[id] {
        Decl::Function { .. } => Some(Block { tokens: ast.decl_span(id), head: None }),
        _ => None,
    });
    let statements = (0..counts.stmts).map(StmtId::from_usize).filter_map(|id| {
        let head = match ast[id] {
            Stmt::Compound(_) => None,
            Stmt::For { init: ForInit::Decl(decl), .. } => Some(ast.decl_span(decl)),
            Stmt::For { .. } => None,
            _ => return None,
        };
        Some(Block { tokens: ast.stmt_span(id), head })
    });
    functions.chain(statements).collect()
}

/// All names that declarations, definitions of functions and enumerations declare. The parameters of
/// a function without a body are left out: no statement can name them.
fn declared(ast: &Ast, specs: usize) -> Vec<Named> {
    let mut found = Vec::new();
    let mut declare = |declarator: DeclaratorId| {
        let declarator = &ast[declarator];
        found.extend(declarator.name.map(|name| (name, declarator.name_span)));
    };
    for id in (0..ast.counts().decls).map(DeclId::from_usize) {
        match ast[id] {
            Decl::Var { declarators, .. } => {
                ast[declarators].iter().for_each(|each| declare(each.declarator));
            }
            Decl::Function { declarator, .. } => {
                if let Some(Derived::Function { params, .. }) = ast[ast[declarator].derived].first()
                {
                    ast[*params].iter().for_each(|each| declare(each.declarator));
                }
            }
            _ => {}
        }
    }
    for id in (0..specs).map(DeclSpecsId::from_usize) {
        if let TypeSpec::Enum { enumerators: Some(list), .. } = ast[id].ty {
            found.extend(ast[list].iter().map(|each| (each.name, each.span)));
        }
    }
    found
}
