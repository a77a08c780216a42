//! Numbers by cases and truth values in disjunctive normal form: what terms mean in linear arithmetic.

use num_rational::BigRational;
use num_traits::One;

use super::atom::Relation;
use super::linear::Linear;
use super::places::Places;

/// How many cases an expression may have.
const MAX_CASES: usize = 64;

/// Conditions that hold together: each expression compared with zero.
pub(super) type Conditions = Vec<(Linear, Relation)>;

/// A number under conditions.
#[derive(Clone)]
pub(super) struct Case {
    pub conditions: Conditions,
    pub value: Linear,
}

/// What a term means. One of the cases of a number holds in every state; a truth value says when it is true and when
/// it is false. A truth value that is stored is one or zero.
pub(super) enum Meaning {
    Number(Vec<Case>),
    /// A machine word, as a two's complement number.
    Word {
        width: u32,
        cases: Vec<Case>,
    },
    Truth {
        yes: Vec<Conditions>,
        no: Vec<Conditions>,
    },
}

/// A number divided by a positive one and rounded down: an integer `q` with
/// `divisor * q <= number < divisor * (q + 1)`, which is chosen.
pub(super) fn quotient(
    case: &Case,
    divisor: &BigRational,
    places: &mut Places<'_>,
) -> Result<Case, String> {
    let value = Linear::unknown(places.integer()?);
    let rest = case.value.clone().plus(&-divisor.clone(), &value);
    let over = rest.clone().plus(&-BigRational::one(), &Linear::number(divisor.clone()));
    let mut conditions = case.conditions.clone();
    conditions.extend([(rest, Relation::Ge), (over, Relation::Lt)]);
    Ok(Case { conditions, value })
}

/// One of two numbers: the first if a truth value is true, and otherwise the second.
pub(super) fn choose(
    yes: &[Conditions],
    no: &[Conditions],
    then: &[Case],
    other: &[Case],
) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (way, values) in [(yes, then), (no, other)] {
        for conditions in way {
            for case in values {
                let conditions = [&**conditions, &case.conditions].concat();
                cases.push(Case { conditions, value: case.value.clone() });
            }
        }
    }
    bound(cases.len())?;
    Ok(cases)
}

/// Refuses a number of cases that is too large.
pub(super) fn bound(cases: usize) -> Result<(), String> {
    if cases > MAX_CASES { Err("a condition with too many cases".to_owned()) } else { Ok(()) }
}

/// The conditions under which both of two truth values are true.
pub(super) fn product(a: &[Conditions], b: &[Conditions]) -> Result<Vec<Conditions>, String> {
    bound(a.len() * b.len())?;
    Ok(a.iter().flat_map(|a| b.iter().map(move |b| [&**a, &**b].concat())).collect())
}

/// A number that is made of two others, in each pair of their cases.
pub(super) fn combine(
    a: &[Case],
    b: &[Case],
    join: impl Fn(&Linear, &Linear) -> Result<Linear, String>,
) -> Result<Vec<Case>, String> {
    bound(a.len() * b.len())?;
    let mut cases = Vec::new();
    for a in a {
        for b in b {
            let conditions = [&*a.conditions, &b.conditions].concat();
            cases.push(Case { conditions, value: join(&a.value, &b.value)? });
        }
    }
    Ok(cases)
}

/// How two numbers compare.
pub(super) fn compare_with(a: &[Case], b: &[Case], relation: Relation) -> Result<Meaning, String> {
    let differences = combine(a, b, |a, b| Ok(a.clone().plus(&-BigRational::one(), b)))?;
    let with = |relation: Relation| {
        let condition = |case: &Case| {
            let mut conditions = case.conditions.clone();
            conditions.push((case.value.clone(), relation));
            conditions
        };
        differences.iter().map(condition).collect()
    };
    Ok(Meaning::Truth { yes: with(relation), no: with(relation.negated()) })
}
