//! The values of enumerators.
//!
//! The typed tree has numbers in place of enumerators, and lists enumerators only with enumerations that some type
//! names. So the values are read off the tree of the parser, as far as they are computed with values of `int`.

use rucc_ast::{Ast, BinaryOp, DeclSpecsId, Expr, ExprId, TypeSpec, UnaryOp};
use rucc_base::Symbol;
use rucc_lex::{Encoding, IntConstantType};
use rucc_types::IntKind;
use rustc_hash::FxHashMap;

/// Values that are written with more levels are not read.
const DEEPEST: u32 = 32;

/// The enumerators so far with their values. `None` if blocks give an enumerator several values: which of them is meant
/// at a place is not known here.
type Known = FxHashMap<Symbol, Option<i128>>;

/// The enumerators of a unit with their values. `specs` is how many specifiers its tree has.
pub(super) fn enumerators(ast: &Ast, specs: usize) -> Vec<(Symbol, i128)> {
    let mut found = Vec::new();
    let mut known: Known = FxHashMap::default();
    for id in (0..specs).map(DeclSpecsId::from_usize) {
        let TypeSpec::Enum { enumerators: Some(list), .. } = ast[id].ty else { continue };
        let mut next = Some(0);
        for enumerator in &ast[list] {
            let written = enumerator.value.map(|value| evaluate(ast, value, &known));
            let value = written.unwrap_or(next);
            next = value.and_then(|value| value.checked_add(1));
            found.extend(value.map(|value| (enumerator.name, value)));
            let meaning = known.entry(enumerator.name).or_insert(value);
            if *meaning != value {
                *meaning = None;
            }
        }
    }
    found
}

/// The value of a constant of any type, or of an expression that computes with values of `int`.
fn evaluate(ast: &Ast, value: ExprId, known: &Known) -> Option<i128> {
    match ast[value] {
        Expr::Int(id) => i128::try_from(ast[id].value).ok(),
        _ => computed(ast, value, known, DEEPEST).map(i128::from),
    }
}

fn computed(ast: &Ast, value: ExprId, known: &Known, depth: u32) -> Option<i32> {
    let depth = depth.checked_sub(1)?;
    let of = |operand| computed(ast, operand, known, depth);
    match ast[value] {
        Expr::Name(name) => i32::try_from((*known.get(&name)?)?).ok(),
        Expr::Int(id) if ast[id].ty == IntConstantType::Standard(IntKind::Int) => {
            i32::try_from(ast[id].value).ok()
        }
        Expr::Char(id) if ast[id].encoding == Encoding::Plain => i32::try_from(ast[id].value).ok(),
        Expr::Unary { op, operand } => match op {
            UnaryOp::Plus => of(operand),
            UnaryOp::Minus => of(operand)?.checked_neg(),
            UnaryOp::BitNot => Some(!of(operand)?),
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
                    let distance = u32::try_from(right).ok().filter(|bits| *bits < 31)?;
                    left.checked_mul(1 << distance)
                }
                _ => None,
            }
        }
        _ => None,
    }
}
