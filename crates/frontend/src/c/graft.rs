//! Puts the trees of pieces that `deep` has cut out of a file back into the tree of the file.
//!
//! Nodes of a tree of rucc's cannot be changed, only added: all nodes above a piece are added anew.

use rucc_ast::{
    Ast, Decl, DeclId, Expr, ExprId, ForInit, Init, InitDeclarator, InitId, InitItem, Stmt, StmtId,
};
use rucc_diag::Span;
use rustc_hash::FxHashMap;

use super::deep::Cut;

/// The declarations of a file that was parsed in pieces; `None` if a piece was parsed as something else
/// than it was cut out as.
pub(super) fn graft(ast: &mut Ast, cuts: &[Cut]) -> Option<Vec<DeclId>> {
    let all = ast.top_level().to_vec();
    let (main, behind) = all.split_at(all.len().checked_sub(cuts.len())?);
    let mut pieces = FxHashMap::default();
    for (cut, decl) in cuts.iter().zip(behind) {
        let Decl::StaticAssert { cond, .. } = ast[*decl] else { return None };
        let (place, piece) = match (*cut, ast[cond]) {
            (Cut::Block(place), Expr::StmtExpr(block)) => (place, Piece::Block(block)),
            (Cut::Expression(place), _) => (place, Piece::Expression(cond)),
            (Cut::Block(_), _) => return None,
        };
        pieces.insert(range(place), piece);
    }
    let mut graft = Graft { ast, pieces };
    let grafted = main.iter().map(|id| graft.decl(*id).unwrap_or(*id)).collect();
    // Each piece is put in its place once.
    graft.pieces.is_empty().then_some(grafted)
}

#[derive(Clone, Copy)]
enum Piece {
    Block(StmtId),
    Expression(ExprId),
}

struct Graft<'a> {
    ast: &'a mut Ast,
    /// Pieces that have not been put in their places, by these places.
    pieces: FxHashMap<(u32, u32), Piece>,
}

/// Each function copies a node with the pieces put into it, or gives `None` if no piece belongs below the node.
impl Graft<'_> {
    fn decl(&mut self, id: DeclId) -> Option<DeclId> {
        let decl = match self.ast[id] {
            Decl::Function { specs, declarator, params, body } => {
                Decl::Function { specs, declarator, params, body: self.stmt(body)? }
            }
            Decl::Var { specs, declarators } => {
                let mut list: Vec<InitDeclarator> = self.ast[declarators].to_vec();
                let mut is_changed = false;
                for declarator in &mut list {
                    let init = declarator.init.and_then(|init| self.init(init));
                    is_changed |= init.is_some();
                    declarator.init = init.or(declarator.init);
                }
                if !is_changed {
                    return None;
                }
                Decl::Var { specs, declarators: self.ast.add_init_declarator_list(&list) }
            }
            _ => return None,
        };
        let span = self.ast.decl_span(id);
        Some(self.ast.decl(decl, span))
    }

    fn init(&mut self, id: InitId) -> Option<InitId> {
        let init = match self.ast[id] {
            Init::Expr(expr) => Init::Expr(self.expr(expr)?),
            Init::List(items) => {
                let mut list: Vec<InitItem> = self.ast[items].to_vec();
                let mut is_changed = false;
                for item in &mut list {
                    let init = self.init(item.init);
                    is_changed |= init.is_some();
                    item.init = init.unwrap_or(item.init);
                }
                if !is_changed {
                    return None;
                }
                Init::List(self.ast.add_init_item_list(&list))
            }
        };
        Some(self.ast.add_init(init))
    }

    fn stmt(&mut self, id: StmtId) -> Option<StmtId> {
        let span = self.ast.stmt_span(id);
        let stmt = match self.ast[id] {
            Stmt::Compound(items) => {
                let items = self.ast[items].to_vec();
                if items.is_empty()
                    && let Some(Piece::Block(block)) = self.take(span)
                {
                    return Some(self.stmt(block).unwrap_or(block));
                }
                let items = self.each(&items, Self::stmt)?;
                Stmt::Compound(self.ast.add_stmt_list(&items))
            }
            Stmt::Expr(expr) => Stmt::Expr(self.expr(expr)?),
            Stmt::Decl(decl) => Stmt::Decl(self.decl(decl)?),
            Stmt::GotoExpr(expr) => Stmt::GotoExpr(self.expr(expr)?),
            Stmt::Return(Some(expr), attrs) => Stmt::Return(Some(self.expr(expr)?), attrs),
            Stmt::If { cond, then, otherwise } => {
                let parts = (self.expr(cond), self.stmt(then), self.optional_stmt(otherwise));
                if let (None, None, None) = parts {
                    return None;
                }
                let (cond, then) = (parts.0.unwrap_or(cond), parts.1.unwrap_or(then));
                Stmt::If { cond, then, otherwise: parts.2.or(otherwise) }
            }
            Stmt::Switch { scrutinee, body } => {
                let (scrutinee, body) = self.headed(scrutinee, body)?;
                Stmt::Switch { scrutinee, body }
            }
            Stmt::While { cond, body } => {
                let (cond, body) = self.headed(cond, body)?;
                Stmt::While { cond, body }
            }
            Stmt::DoWhile { body, cond } => {
                let (cond, body) = self.headed(cond, body)?;
                Stmt::DoWhile { body, cond }
            }
            Stmt::For { init, cond, step, body } => self.for_loop(init, cond, step, body)?,
            Stmt::Label { name, body, attrs } => {
                Stmt::Label { name, body: Some(self.optional_stmt(body)?), attrs }
            }
            Stmt::Case { lo, hi, body } => {
                Stmt::Case { lo, hi, body: Some(self.optional_stmt(body)?) }
            }
            Stmt::Default { body } => Stmt::Default { body: Some(self.optional_stmt(body)?) },
            _ => return None,
        };
        Some(self.ast.stmt(stmt, span))
    }

    fn for_loop(
        &mut self,
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) -> Option<Stmt> {
        let first = match init {
            ForInit::None => None,
            ForInit::Expr(expr) => self.expr(expr).map(ForInit::Expr),
            ForInit::Decl(decl) => self.decl(decl).map(ForInit::Decl),
        };
        let parts = (first, self.optional(cond), self.optional(step), self.stmt(body));
        if let (None, None, None, None) = parts {
            return None;
        }
        let (init, cond, step) = (parts.0.unwrap_or(init), parts.1.or(cond), parts.2.or(step));
        Some(Stmt::For { init, cond, step, body: parts.3.unwrap_or(body) })
    }

    fn expr(&mut self, id: ExprId) -> Option<ExprId> {
        let span = self.ast.expr_span(id);
        let expr = match self.ast[id] {
            Expr::Int(_) => {
                let Some(Piece::Expression(expr)) = self.take(span) else { return None };
                return Some(self.expr(expr).unwrap_or(expr));
            }
            Expr::Index { base, index } => {
                let (base, index) = self.pair(base, index)?;
                Expr::Index { base, index }
            }
            Expr::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = self.pair(lhs, rhs)?;
                Expr::Binary { op, lhs, rhs }
            }
            Expr::Assign { op, lhs, rhs } => {
                let (lhs, rhs) = self.pair(lhs, rhs)?;
                Expr::Assign { op, lhs, rhs }
            }
            Expr::Comma { lhs, rhs } => {
                let (lhs, rhs) = self.pair(lhs, rhs)?;
                Expr::Comma { lhs, rhs }
            }
            Expr::Call { callee, args } => {
                let list = self.ast[args].to_vec();
                let parts = (self.expr(callee), self.each(&list, Self::expr));
                if let (None, None) = parts {
                    return None;
                }
                let args = parts.1.map_or(args, |list| self.ast.add_expr_list(&list));
                Expr::Call { callee: parts.0.unwrap_or(callee), args }
            }
            Expr::Cond { cond, then, otherwise } => {
                let parts = (self.expr(cond), self.optional(then), self.expr(otherwise));
                if let (None, None, None) = parts {
                    return None;
                }
                let (cond, then) = (parts.0.unwrap_or(cond), parts.1.or(then));
                Expr::Cond { cond, then, otherwise: parts.2.unwrap_or(otherwise) }
            }
            Expr::Member { base, name, arrow } => {
                Expr::Member { base: self.expr(base)?, name, arrow }
            }
            Expr::Unary { op, operand } => Expr::Unary { op, operand: self.expr(operand)? },
            Expr::Cast { ty, operand } => Expr::Cast { ty, operand: self.expr(operand)? },
            Expr::CompoundLiteral { ty, init } => {
                Expr::CompoundLiteral { ty, init: self.init(init)? }
            }
            Expr::SizeofExpr(operand) => Expr::SizeofExpr(self.expr(operand)?),
            Expr::StmtExpr(block) => Expr::StmtExpr(self.stmt(block)?),
            Expr::Extension(operand) => Expr::Extension(self.expr(operand)?),
            // A piece in an expression of another kind is not found, and the file is refused.
            _ => return None,
        };
        Some(self.ast.expr(expr, span))
    }

    fn optional(&mut self, id: Option<ExprId>) -> Option<ExprId> {
        id.and_then(|id| self.expr(id))
    }

    fn optional_stmt(&mut self, id: Option<StmtId>) -> Option<StmtId> {
        id.and_then(|id| self.stmt(id))
    }

    fn pair(&mut self, left: ExprId, right: ExprId) -> Option<(ExprId, ExprId)> {
        match (self.expr(left), self.expr(right)) {
            (None, None) => None,
            (new_left, new_right) => Some((new_left.unwrap_or(left), new_right.unwrap_or(right))),
        }
    }

    fn headed(&mut self, head: ExprId, body: StmtId) -> Option<(ExprId, StmtId)> {
        match (self.expr(head), self.stmt(body)) {
            (None, None) => None,
            (new_head, new_body) => Some((new_head.unwrap_or(head), new_body.unwrap_or(body))),
        }
    }

    fn each<T: Copy>(
        &mut self,
        list: &[T],
        mut one: impl FnMut(&mut Self, T) -> Option<T>,
    ) -> Option<Vec<T>> {
        let new: Vec<Option<T>> = list.iter().map(|id| one(self, *id)).collect();
        let is_changed = new.iter().any(Option::is_some);
        is_changed.then(|| new.iter().zip(list).map(|(new, old)| new.unwrap_or(*old)).collect())
    }

    /// The piece that belongs to a place, if there is one.
    fn take(&mut self, place: Span) -> Option<Piece> {
        self.pieces.remove(&range(place))
    }
}

fn range(span: Span) -> (u32, u32) {
    (span.lo, span.hi)
}
