//! What the type of an expression decides where rucc's types are not gcc's.
//!
//! For gcc a bit-field has an integer type of its own width, and so has an expression that assigns to a bit-field or
//! steps it, and an expression with commas whose last part is a bit-field. For rucc all of these have the type of the
//! declaration. Values do not differ; `sizeof`, `typeof`, `_Generic` and casts to unions do. For `sizeof` the right
//! size is put into the tokens, which are then read again; a file with one of the other three is refused.
//!
//! gcc evaluates the operand of `sizeof` if its type has a variable length, and the operand of `typeof` if a variable
//! length is anywhere in its type. rucc drops both operands. A file is refused if such an operand does something.

use rucc_ast::{
    Ast, BinaryOp, Decl, DeclId, DeclSpecsId, Expr, ExprId, Init, Stmt, StmtId, TypeSpec,
    TypeofArg, UnaryOp,
};
use rucc_base::{Idx, Symbol};
use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};
use rucc_sema::{ExprKind, Tast};
use rucc_target::TargetInfo;
use rucc_types::{TypeId, TypeKind, Types};
use rustc_hash::{FxHashMap, FxHashSet};

use super::layout::Difference;
use super::{lengths, repair};

/// An operand whose size is another for gcc, with that size in bytes.
pub(super) type Size = (Span, u64);

/// What was found in a unit.
#[derive(Default)]
pub(super) struct Measured {
    pub sizes: Vec<Size>,
    pub refused: Vec<Difference>,
}

/// What is asked of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Size,
    Type,
    /// Which member of a union a value is cast to.
    Cast,
}

/// A bit-field: its width, and the type that it is declared with.
type BitField = (u32, TypeId);

/// The expressions of a unit whose size or type is asked for and differs.
pub(super) fn differences(
    ast: &Ast,
    specs: usize,
    tast: &Tast,
    types: &Types,
    target: &TargetInfo,
) -> Measured {
    let names: FxHashSet<Symbol> = types
        .records()
        .flat_map(|(_, record)| &record.fields)
        .filter(|field| field.is_bit_field())
        .filter_map(|field| field.name)
        .collect();
    let questions = questions(ast, specs);
    let mut wanted: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut asked = Vec::new();
    for (question, expr) in questions {
        let operand = match ast[expr] {
            Expr::Cast { operand, .. } if question == Question::Cast => operand,
            _ => expr,
        };
        let mut found = Leaves::default();
        found.collect(ast, operand, false);
        found.own.retain(|leaf| names.contains(&leaf.1));
        found.promoted.retain(|leaf| names.contains(&leaf.1));
        let has_effect = question != Question::Cast && has_effect(ast, operand);
        let has_leaves = !found.own.is_empty() || !found.promoted.is_empty();
        if !has_effect && !has_leaves {
            continue;
        }
        wanted.insert(range(ast.expr_span(expr)));
        wanted.extend(found.own.iter().chain(&found.promoted).map(|leaf| range(leaf.0)));
        asked.push((question, ast.expr_span(expr), found, has_effect));
    }
    if wanted.is_empty() {
        return Measured::default();
    }
    let typed = Typed::find(&wanted, tast, types);
    let mut measured = Measured::default();
    for (question, place, leaves, has_effect) in asked {
        if question == Question::Cast && !typed.is_record(place) {
            continue;
        }
        if has_effect && typed.is_variable(place, question) {
            measured.refused.push((place, "an operand that is evaluated for its length"));
        }
        measured.bit_fields(question, place, &leaves, &typed, types, target);
    }
    measured
}

impl Measured {
    fn bit_fields(
        &mut self,
        question: Question,
        place: Span,
        leaves: &Leaves,
        typed: &Typed<'_>,
        types: &Types,
        target: &TargetInfo,
    ) {
        let measure = |ty: TypeId| {
            let info = rucc_types::integer_info(types, ty, target)?;
            Some((info, rucc_types::layout(types, ty, target).ok()?.size))
        };
        let mut sizes = Vec::new();
        for &(width, ty) in leaves.own.iter().flat_map(|leaf| typed.fields_at(leaf.0)) {
            let Some((info, whole)) = measure(ty) else { continue };
            let size = u64::from(width.div_ceil(8)).next_power_of_two();
            match question {
                Question::Size => sizes.push((size, size != whole)),
                Question::Type | Question::Cast if width != info.width => {
                    return self.refused.push((place, "the type of a bit-field"));
                }
                Question::Type | Question::Cast => {}
            }
        }
        sizes.dedup();
        match sizes[..] {
            [(size, true)] => self.sizes.push((place, size)),
            [_, _, ..] => self.refused.push((place, "the size of a bit-field")),
            _ => {}
        }
        for &(width, ty) in leaves.promoted.iter().flat_map(|leaf| typed.fields_at(leaf.0)) {
            let Some((info, whole)) = measure(ty) else { continue };
            let is_enum = matches!(types.kind(types.canonical(ty)), TypeKind::Enum(_));
            let differs = question != Question::Size && !info.signed || whole > 4;
            if is_enum && width < info.width && differs {
                return self.refused.push((place, "the type of a bit-field of an enumeration"));
            }
        }
    }
}

/// What the typed tree says of places.
struct Typed<'t> {
    types: &'t Types,
    fields: FxHashMap<(u32, u32), Vec<BitField>>,
    values: FxHashMap<(u32, u32), Vec<TypeId>>,
}

impl<'t> Typed<'t> {
    fn find(wanted: &FxHashSet<(u32, u32)>, tast: &Tast, types: &'t Types) -> Self {
        let mut typed = Self { types, fields: FxHashMap::default(), values: FxHashMap::default() };
        for index in 0..tast.counts().exprs {
            let id = Idx::from_usize(index);
            let place = range(tast.expr_span(id));
            if !wanted.contains(&place) {
                continue;
            }
            typed.values.entry(place).or_default().push(tast[id].ty);
            if let ExprKind::Member { base, field } = tast[id].kind
                && let TypeKind::Record(record) = types.kind(types.canonical(tast[base].ty))
                && let Some(field) = types.record_info(record).fields.get(field as usize)
                && let Some(bits) = field.bits
            {
                typed.fields.entry(place).or_default().push((bits, field.ty));
            }
        }
        typed
    }

    fn fields_at(&self, place: Span) -> &[BitField] {
        self.fields.get(&range(place)).map_or(&[], Vec::as_slice)
    }

    /// Whether the operand at a place has a type for which it is evaluated.
    fn is_variable(&self, place: Span, question: Question) -> bool {
        let types = self.values.get(&range(place)).map_or(&[][..], Vec::as_slice);
        types.iter().any(|ty| match question {
            Question::Size => lengths::is_variable_length(self.types, *ty),
            Question::Type => lengths::is_variably_modified(self.types, *ty),
            Question::Cast => false,
        })
    }

    /// Whether the expression at a place is a structure or a union.
    fn is_record(&self, place: Span) -> bool {
        let types = self.values.get(&range(place)).map_or(&[][..], Vec::as_slice);
        types
            .iter()
            .any(|ty| matches!(self.types.kind(self.types.canonical(*ty)), TypeKind::Record(_)))
    }
}

fn range(span: Span) -> (u32, u32) {
    (span.lo, span.hi)
}

/// Every expression of a unit whose size or type is asked for, and every cast.
fn questions(ast: &Ast, specs: usize) -> Vec<(Question, ExprId)> {
    let mut found = Vec::new();
    for index in 0..ast.counts().exprs {
        let id = ExprId::from_usize(index);
        match ast[id] {
            Expr::SizeofExpr(operand) | Expr::AlignofExpr(operand) => {
                found.push((Question::Size, operand));
            }
            Expr::Generic { control, .. } => found.push((Question::Type, control)),
            Expr::Cast { .. } => found.push((Question::Cast, id)),
            _ => {}
        }
    }
    for index in 0..specs {
        if let TypeSpec::Typeof { operand: TypeofArg::Expr(operand), .. } =
            ast[DeclSpecsId::from_usize(index)].ty
        {
            found.push((Question::Type, operand));
        }
    }
    for index in 0..ast.counts().decls {
        if let Decl::Var { specs, declarators } = ast[DeclId::from_usize(index)]
            && matches!(ast[specs].ty, TypeSpec::Auto(_))
        {
            for init in ast[declarators].iter().filter_map(|declarator| declarator.init) {
                if let Init::Expr(value) = ast[init] {
                    found.push((Question::Type, value));
                }
            }
        }
    }
    found
}

/// The members that an expression has its type from, with their names.
#[derive(Default)]
struct Leaves {
    /// Members that give the expression their own type.
    own: Vec<(Span, Symbol)>,
    /// Members whose values are promoted on the way.
    promoted: Vec<(Span, Symbol)>,
}

impl Leaves {
    fn collect(&mut self, ast: &Ast, at: ExprId, promoted: bool) {
        match ast[at] {
            Expr::Member { name, .. } => {
                let leaves = if promoted { &mut self.promoted } else { &mut self.own };
                leaves.push((ast.expr_span(at), name));
            }
            Expr::Comma { rhs: inner, .. } | Expr::Assign { lhs: inner, .. } => {
                self.collect(ast, inner, promoted);
            }
            Expr::Extension(inner) => self.collect(ast, inner, promoted),
            Expr::Unary { op, operand } => match op {
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                    self.collect(ast, operand, promoted);
                }
                UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                    self.collect(ast, operand, true);
                }
                _ => {}
            },
            Expr::Binary { op: BinaryOp::Shl | BinaryOp::Shr, lhs, .. } => {
                self.collect(ast, lhs, true);
            }
            Expr::Binary { op, lhs, rhs } if !op.is_comparison() && !op.is_short_circuit() => {
                self.collect(ast, lhs, true);
                self.collect(ast, rhs, true);
            }
            Expr::Cond { cond, then, otherwise } => {
                self.collect(ast, then.unwrap_or(cond), true);
                self.collect(ast, otherwise, true);
            }
            Expr::ChooseExpr { then, otherwise, .. } => {
                self.collect(ast, then, promoted);
                self.collect(ast, otherwise, promoted);
            }
            Expr::Generic { assocs, .. } => {
                for choice in &ast[assocs] {
                    self.collect(ast, choice.value, promoted);
                }
            }
            Expr::StmtExpr(body) => {
                if let Some(last) = last_value(ast, body) {
                    self.collect(ast, last, promoted);
                }
            }
            _ => {}
        }
    }
}

/// The expression that a statement expression has its value from.
fn last_value(ast: &Ast, body: StmtId) -> Option<ExprId> {
    match ast[body] {
        Stmt::Compound(stmts) => last_value(ast, *ast[stmts].last()?),
        Stmt::Label { body, .. } => last_value(ast, body?),
        Stmt::Expr(value) => Some(value),
        _ => None,
    }
}

/// Whether evaluating an expression may do something. Lengths in the types that the expression names do not count: they
/// are evaluated for the size.
fn has_effect(ast: &Ast, at: ExprId) -> bool {
    let any = |exprs: &[ExprId]| exprs.iter().any(|expr| has_effect(ast, *expr));
    match ast[at] {
        Expr::Name(_) | Expr::Int(_) | Expr::Float(_) | Expr::Char(_) | Expr::Str(_) => false,
        Expr::Bool(_) | Expr::Nullptr | Expr::LabelAddr(_) => false,
        Expr::SizeofExpr(_) | Expr::SizeofType(_) => false,
        Expr::AlignofExpr(_) | Expr::AlignofType(_) | Expr::Offsetof { .. } => false,
        Expr::TypesCompatible { .. } | Expr::ClassifyExpr(_) | Expr::ClassifyType(_) => false,
        Expr::Index { base, index } => any(&[base, index]),
        Expr::Member { base, .. } => any(&[base]),
        Expr::Unary { op, operand } => {
            let steps = matches!(
                op,
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec
            );
            steps || any(&[operand])
        }
        Expr::Binary { lhs, rhs, .. } | Expr::Comma { lhs, rhs } => any(&[lhs, rhs]),
        Expr::Cond { cond, then, otherwise } => any(&[cond, then.unwrap_or(cond), otherwise]),
        Expr::Cast { operand, .. } | Expr::Extension(operand) => any(&[operand]),
        Expr::ChooseExpr { then, otherwise, .. } => any(&[then, otherwise]),
        Expr::Generic { assocs, .. } => {
            ast[assocs].iter().any(|choice| has_effect(ast, choice.value))
        }
        _ => true,
    }
}

/// Puts values of the right size in the place of operands. Gives back those that could not be
/// replaced.
pub(super) fn replace(tokens: &mut Tokens, mut sizes: Vec<Size>) -> Vec<Difference> {
    sizes.sort_by_key(|(place, _)| (place.lo, u32::MAX - place.hi));
    // An operand inside another one goes with it.
    let mut end = 0;
    sizes.retain(|(place, _)| {
        let is_outside = place.lo >= end;
        end = end.max(place.hi);
        is_outside
    });
    let mut refused = Vec::new();
    for (place, size) in sizes.into_iter().rev() {
        if replace_one(tokens, place, size).is_none() {
            refused.push((place, "the size of a bit-field"));
        }
    }
    refused
}

/// Puts `((unsigned T) sizeof(char))` in the place of an operand.
fn replace_one(tokens: &mut Tokens, place: Span, size: u64) -> Option<()> {
    let keyword = match size {
        1 => Keyword::Char,
        2 => Keyword::Short,
        4 => Keyword::Int,
        8 => Keyword::Long,
        _ => return None,
    };
    let (start, end) = whole(&tokens.tokens, place)?;
    let (open, close) = (TokenKind::Punct(Punct::LParen), TokenKind::Punct(Punct::RParen));
    let mut kinds = vec![open, open, TokenKind::Keyword(Keyword::Unsigned)];
    // `long long` has eight bytes everywhere.
    kinds.extend(std::iter::repeat_n(TokenKind::Keyword(keyword), if size == 8 { 2 } else { 1 }));
    kinds.extend([close, TokenKind::Keyword(Keyword::Sizeof), open]);
    kinds.extend([TokenKind::Keyword(Keyword::Char), close, close]);
    let kinds: Vec<_> = kinds.into_iter().map(|kind| (kind, 0)).collect();
    repair::splice(tokens, start..end, &kinds);
    Some(())
}

/// The tokens at a place. The place of an expression may leave out brackets around its first or
/// last part; the tokens have as many closing ones as opening ones.
fn whole(tokens: &[Token], place: Span) -> Option<(usize, usize)> {
    let mut start = tokens.partition_point(|token| token.span.lo < place.lo);
    let mut end = tokens.partition_point(|token| token.span.lo < place.hi);
    let (mut depth, mut missing) = (0_usize, 0_usize);
    for token in tokens.get(start..end)? {
        match bracket(token) {
            Some(true) => depth += 1,
            Some(false) if depth > 0 => depth -= 1,
            Some(false) => missing += 1,
            None => {}
        }
    }
    for _ in 0..missing {
        start = start.checked_sub(1).filter(|at| bracket(&tokens[*at]) == Some(true))?;
    }
    for _ in 0..depth {
        bracket(tokens.get(end)?).filter(|opens| !opens)?;
        end += 1;
    }
    (start < end).then_some((start, end))
}

/// Whether a token is an opening bracket, or a closing one.
fn bracket(token: &Token) -> Option<bool> {
    let TokenKind::Punct(punct) = token.kind else { return None };
    match punct {
        Punct::LParen | Punct::LBracket | Punct::LBrace => Some(true),
        Punct::RParen | Punct::RBracket | Punct::RBrace => Some(false),
        _ => None,
    }
}
