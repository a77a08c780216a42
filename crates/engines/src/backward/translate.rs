//! From terms to linear arithmetic: numbers by cases, truth values in disjunctive normal form.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use term::{Op, Sort, TermId, Terms, Value, Var, View};

use super::atom::Relation;
use super::cases::{Case, Meaning, bound, choose, combine, compare_with, product, quotient};
use super::linear::Linear;
use super::places::Places;
use super::words;

/// What a term means, given what its variables stand for; or why it is not linear.
pub(super) fn meaning(
    terms: &Terms,
    root: TermId,
    values: &dyn Fn(Var) -> Option<Linear>,
    places: &mut Places<'_>,
) -> Result<Meaning, String> {
    let mut known: FxHashMap<TermId, Meaning> = FxHashMap::default();
    for id in terms.post_order(&[root]) {
        let found = match terms.view(id) {
            View::Const(value) => constant(value)?,
            View::Var(var) => match (values(var), terms.var_sort(var)) {
                (Some(value), Sort::Bool) => stored_truth(&value),
                (Some(value), Sort::Bv(width)) => {
                    Meaning::Word { width, cases: vec![Case { conditions: vec![], value }] }
                }
                (Some(value), _) => Meaning::Number(vec![Case { conditions: vec![], value }]),
                (None, sort) => return Err(foreign(sort)),
            },
            View::App(op, arguments) => {
                let arguments: Vec<&Meaning> =
                    arguments.iter().filter_map(|argument| known.get(argument)).collect();
                apply(op, &arguments, places)?
            }
        };
        known.insert(id, found);
    }
    known.remove(&root).ok_or_else(|| "an expression without meaning".to_owned())
}

/// Why a variable of some sort has no linear value.
pub(super) fn foreign(sort: Sort) -> String {
    match sort {
        Sort::Float(_) => "floating-point numbers are not linear arithmetic".to_owned(),
        Sort::Array(_) => "arrays are not linear arithmetic".to_owned(),
        _ => "a variable that is not of the state".to_owned(),
    }
}

fn constant(value: &Value) -> Result<Meaning, String> {
    let number = match value {
        Value::Bool(value) => return Ok(truth(*value)),
        Value::Int(value) => BigRational::from_integer(value.clone()),
        Value::Rat(value) => value.clone(),
        Value::Bv(value) => {
            let number = BigRational::from_integer(value.to_bigint_signed());
            let case = Case { conditions: vec![], value: Linear::number(number) };
            return Ok(Meaning::Word { width: value.width(), cases: vec![case] });
        }
        other => return Err(foreign(other.sort())),
    };
    Ok(Meaning::Number(vec![Case { conditions: vec![], value: Linear::number(number) }]))
}

fn truth(value: bool) -> Meaning {
    let (always, never) = (vec![vec![]], vec![]);
    if value {
        Meaning::Truth { yes: always, no: never }
    } else {
        Meaning::Truth { yes: never, no: always }
    }
}

/// A truth value that is one or zero.
fn stored_truth(value: &Linear) -> Meaning {
    let one = Linear::number(BigRational::one());
    let yes = value.clone().plus(&-BigRational::one(), &one);
    Meaning::Truth {
        yes: vec![vec![(yes, Relation::Eq)]],
        no: vec![vec![(value.clone(), Relation::Eq)]],
    }
}

fn apply(op: Op, arguments: &[&Meaning], places: &mut Places<'_>) -> Result<Meaning, String> {
    use Meaning::{Number, Truth, Word};
    let one = BigRational::one();
    Ok(match (op, arguments) {
        (Op::Not, [Truth { yes, no }]) => Truth { yes: no.clone(), no: yes.clone() },
        (Op::And | Op::Or, _) => junction(op, arguments)?,
        (Op::Eq, [Truth { yes: a, no: b }, Truth { yes: c, no: d }]) => {
            let mut yes = product(a, c)?;
            yes.extend(product(b, d)?);
            let mut no = product(a, d)?;
            no.extend(product(b, c)?);
            Truth { yes, no }
        }
        (Op::Ite, [Truth { yes, no }, Truth { yes: a, no: b }, Truth { yes: c, no: d }]) => {
            let mut when = product(yes, a)?;
            when.extend(product(no, c)?);
            let mut unless = product(yes, b)?;
            unless.extend(product(no, d)?);
            Truth { yes: when, no: unless }
        }
        (Op::Ite, [Truth { yes, no }, Number(then), Number(other)]) => {
            Number(choose(yes, no, then, other)?)
        }
        (Op::Ite, [Truth { yes, no }, Word { width, cases: then }, Word { cases: other, .. }]) => {
            Word { width: *width, cases: choose(yes, no, then, other)? }
        }
        (Op::Eq, [Number(a), Number(b)]) => compare_with(a, b, Relation::Eq)?,
        (Op::Le, [Number(a), Number(b)]) => compare_with(a, b, Relation::Le)?,
        (Op::Lt, [Number(a), Number(b)]) => compare_with(a, b, Relation::Lt)?,
        (Op::Add, [Number(a), Number(b)]) => {
            Number(combine(a, b, |a, b| Ok(a.clone().plus(&one, b)))?)
        }
        (Op::Sub, [Number(a), Number(b)]) => {
            Number(combine(a, b, |a, b| Ok(a.clone().plus(&-one.clone(), b)))?)
        }
        (Op::Mul, [Number(a), Number(b)]) => {
            Number(combine(a, b, |a, b| match (a.as_number(), b.as_number()) {
                (Some(factor), _) => Ok(b.times(factor)),
                (_, Some(factor)) => Ok(a.times(factor)),
                _ => Err("a product of two variables is not linear".to_owned()),
            })?)
        }
        (Op::Div, [Number(a), Number(b)]) => Number(combine(a, b, |a, b| match b.as_number() {
            Some(divisor) if !divisor.is_zero() => Ok(a.times(&divisor.recip())),
            _ => Err("a quotient by a variable is not linear".to_owned()),
        })?),
        (Op::Neg, [Number(a)]) => {
            let negative = |case: &Case| Case {
                conditions: case.conditions.clone(),
                value: case.value.times(&-one.clone()),
            };
            Number(a.iter().map(negative).collect())
        }
        (Op::ToRat, [Number(a)]) => Number(a.clone()),
        (Op::ToInt, [Number(a)]) => {
            let floors = a.iter().map(|case| quotient(case, &one, places));
            Number(floors.collect::<Result<_, _>>()?)
        }
        (Op::IntDiv | Op::IntMod, [Number(a), Number(b)]) => Number(division(op, a, b, places)?),
        _ => {
            let mut parts: Vec<(u32, &[Case])> = Vec::new();
            for argument in arguments {
                let Word { width, cases } = argument else { return Err(unknown(op)) };
                parts.push((*width, cases));
            }
            words::apply(op, &parts, places)?
        }
    })
}

/// A conjunction or a disjunction.
fn junction(op: Op, arguments: &[&Meaning]) -> Result<Meaning, String> {
    let mut all = vec![vec![]];
    let mut any = Vec::new();
    for argument in arguments {
        let Meaning::Truth { yes, no } = argument else { return Err(unknown(op)) };
        let (each, other) = if op == Op::And { (yes, no) } else { (no, yes) };
        all = product(&all, each)?;
        any.extend(other.iter().cloned());
    }
    bound(any.len())?;
    let (yes, no) = if op == Op::And { (all, any) } else { (any, all) };
    Ok(Meaning::Truth { yes, no })
}

/// The whole quotient or the remainder of a division by a positive number.
fn division(
    op: Op,
    dividends: &[Case],
    divisors: &[Case],
    places: &mut Places<'_>,
) -> Result<Vec<Case>, String> {
    let [Case { conditions, value }] = divisors else { return Err(unknown(op)) };
    let divisor = value.as_number().filter(|number| number.is_positive());
    let Some(divisor) = divisor.filter(|_| conditions.is_empty()) else {
        return Err("a quotient by a variable is not linear".to_owned());
    };
    let mut found = Vec::with_capacity(dividends.len());
    for case in dividends {
        let mut number = quotient(case, divisor, places)?;
        if op == Op::IntMod {
            number.value = case.value.clone().plus(&-divisor.clone(), &number.value);
        }
        found.push(number);
    }
    Ok(found)
}

fn unknown(op: Op) -> String {
    format!("the operator {op:?} is not linear")
}
