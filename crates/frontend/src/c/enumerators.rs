//! The values of enumerators.
//!
//! The typed tree has numbers in their place, and lists them only with enumerations that some type
//! names, so the values are read off the tree of the parser, as far as they are written in plain terms.

use rucc_ast::{Ast, BinaryOp, DeclSpecsId, Expr, ExprId, TypeSpec, UnaryOp};
use rucc_base::Symbol;
use rustc_hash::FxHashMap;

/// Values that are written with more levels are not read.
const DEEPEST: u32 = 32;

/// The enumerators of a unit with their values. `specs` is how many specifiers its tree has.
pub(super) fn enumerators(ast: &Ast, specs: usize) -> Vec<(Symbol, i128)> {
    let mut found = Vec::new();
    let mut known = FxHashMap::default();
    for id in (0..specs).map(DeclSpecsId::from_usize) {
        let TypeSpec::Enum { enumerators: Some(list), .. } = ast[id].ty else { continue };
        let mut next = Some(0);
        for enumerator in &ast[list] {
            let written = enumerator.value.map(|value| evaluate(ast, value, &known, DEEPEST));
            let value = written.unwrap_or(next);
            next = value.and_then(|value| value.checked_add(1));
            // A name without a value here must not have that of another enumerator.
            match value {
                Some(value) => {
                    known.insert(enumerator.name, value);
                    found.push((enumerator.name, value));
                }
                None => drop(known.remove(&enumerator.name)),
            }
        }
    }
    found
}

fn evaluate(ast: &Ast, value: ExprId, known: &FxHashMap<Symbol, i128>, depth: u32) -> Option<i128> {
    let depth = depth.checked_sub(1)?;
    let of = |operand| evaluate(ast, operand, known, depth);
    match ast[value] {
        Expr::Name(name) => known.get(&name).copied(),
        Expr::Int(id) => i128::try_from(ast[id].value).ok(),
        Expr::Char(id) => Some(ast[id].value.into()),
        Expr::Unary { op, operand } => match op {
            UnaryOp::Plus => of(operand),
            UnaryOp::Minus => of(operand)?.checked_neg(),
            _ => None,
        },
        Expr::Binary { op, lhs, rhs } => {
            let (left, right) = (of(lhs)?, of(rhs)?);
            match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Sub => left.checked_sub(right),
                BinaryOp::Mul => left.checked_mul(right),
                BinaryOp::Div => left.checked_div(right),
                BinaryOp::BitOr => Some(left | right),
                BinaryOp::BitAnd => Some(left & right),
                BinaryOp::Shl => {
                    let distance = u32::try_from(right).ok().filter(|bits| *bits < 32)?;
                    left.checked_mul(1 << distance)
                }
                _ => None,
            }
        }
        _ => None,
    }
}
