//! What a closed graph says at the heads of loops, in the variables of the program.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Cfa, FuncId, LocId, Loops, Program, Reading};
use cpa::{Arg, Cpa, Node, Status};
use engines::{Invariant, Invariants};
use rustc_hash::FxHashMap;
use term::{Op, Sort, TermId, Terms, Value, Var, View};

/// Nobody reads longer lists of cases.
const MOST_CASES: usize = 8;

/// Variables with more values are said to be in a range.
const MOST_VALUES: usize = 4;

/// Larger and deeper formulas are not put more simply.
const MOST_WAYS: usize = 64;
const MOST_NESTED: usize = 8;

/// What one state says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Case {
    /// Variables with names, each with its value.
    pub values: Vec<(Var, Value)>,
    /// What else is known of variables with names.
    pub formula: TermId,
}

/// The loops that a closed graph without targets speaks of, each with a case for every state at
/// its head. Executions pass the head in one of the cases only.
///
/// Nothing is said of loops in functions that are called from several places, or that no path to
/// an error leads through: the graph may lack some of the executions there.
pub fn cases<C: Cpa>(
    cfa: &Cfa,
    arg: &Arg<C>,
    relevant: &dyn Fn(LocId) -> bool,
    case: &mut dyn FnMut(&C::State, FuncId) -> Case,
) -> Vec<(LocId, BTreeSet<Case>)> {
    let mut found = Vec::new();
    for each in &Loops::of(cfa).loops {
        let function = cfa.locations[each.head].function;
        if !relevant(each.head) || !has_one_context(cfa, function) {
            continue;
        }
        let at_head = |id| arg.place(id).location == each.head;
        // What another state covers adds nothing.
        let is_case = |node: &Node<C::State>| node.status == Status::Expanded;
        let nodes = arg.nodes().filter(|(id, node)| is_case(node) && at_head(*id));
        let cases: BTreeSet<Case> = nodes.map(|(_, node)| case(&node.state, function)).collect();

        if !cases.is_empty() {
            found.push((each.head, cases));
        }
    }
    found
}

/// Puts cases into formulas. The terms are those of the program, which may have grown.
#[must_use]
pub fn invariants(
    program: &Program,
    mut terms: Terms,
    found: Vec<(LocId, BTreeSet<Case>)>,
) -> Invariants {
    let mut list = Vec::new();
    for (location, cases) in found {
        let mut said = values_of_each(&program.cfa, &mut terms, &cases);
        let formulas = cases.iter().map(|case| case.formula).collect();
        said.push(either(&mut terms, formulas));
        if cases.len() <= MOST_CASES && are_related(&cases) {
            let whole = cases.iter().map(|case| case.whole(&mut terms)).collect();
            said.push(either(&mut terms, whole));
        }
        // What always holds goes without saying, and nothing is said twice.
        let mut new = BTreeSet::new();
        said.retain(|formula| terms.value(*formula).is_none() && new.insert(*formula));
        let invariant = |formula| Invariant { location, formula, exact: Vec::new() };
        list.extend(said.into_iter().map(invariant));
    }
    Invariants { terms, list }
}

/// The values of each variable, one for every case in which it is known.
fn by_variable(cases: &BTreeSet<Case>) -> BTreeMap<Var, Vec<&Value>> {
    let mut values: BTreeMap<Var, Vec<&Value>> = BTreeMap::new();
    for (var, value) in cases.iter().flat_map(|case| &case.values) {
        values.entry(*var).or_default().push(value);
    }
    values
}

/// What values each variable has that is known in all cases.
fn values_of_each(cfa: &Cfa, terms: &mut Terms, cases: &BTreeSet<Case>) -> Vec<TermId> {
    let mut values = by_variable(cases);
    values.retain(|_, values| values.len() == cases.len());
    let mut said = Vec::new();
    for (var, values) in values {
        let term = terms.var(var);
        let signed = cfa.variables[var].reading == Reading::Signed;
        said.push(one_of(terms, term, signed, values));
    }
    said
}

/// That a term has one of some values, or is between the least and the greatest of them.
fn one_of(terms: &mut Terms, term: TermId, signed: bool, mut values: Vec<&Value>) -> TermId {
    values.sort_by_cached_key(|value| match value {
        Value::Bv(bits) if signed => Value::Int(bits.to_bigint_signed()),
        Value::Bv(bits) => Value::Int(bits.to_bigint_unsigned()),
        value => (*value).clone(),
    });
    values.dedup();
    let constants: Vec<TermId> =
        values.iter().map(|value| terms.constant((*value).clone())).collect();
    let is_word = matches!(terms.sort(term), Sort::Bv(_));
    let mut at_most = |a, b| match is_word {
        true if signed => terms.bv_sle(a, b),
        true => terms.bv_ule(a, b),
        false => terms.le(a, b),
    };
    if let [least, .., greatest] = constants[..]
        && constants.len() > MOST_VALUES
    {
        let both = [at_most(least, term), at_most(term, greatest)];
        return terms.and(&both);
    }
    let equal: Vec<TermId> = constants.into_iter().map(|value| terms.eq(term, value)).collect();
    terms.or(&equal)
}

/// Whether cases say more together than of each variable and by their formulas: not every
/// combination of these is a case, or a variable is known in some only.
fn are_related(cases: &BTreeSet<Case>) -> bool {
    let formulas: BTreeSet<TermId> = cases.iter().map(|case| case.formula).collect();
    let mut combinations = formulas.len();
    for (_, mut values) in by_variable(cases) {
        if values.len() < cases.len() {
            return true;
        }
        values.sort_unstable();
        values.dedup();
        combinations = combinations.saturating_mul(values.len());
    }
    cases.len() < combinations
}

/// That one of some formulas holds.
fn either(terms: &mut Terms, formulas: BTreeSet<TermId>) -> TermId {
    let formulas: Vec<TermId> = formulas.into_iter().collect();
    let formula = terms.or(&formulas);
    let formula = without_choices(terms, formula);
    let mut ways = ways(terms, formula, MOST_NESTED);
    if ways.len() > MOST_WAYS {
        return formula;
    }
    // A way that says more than another adds nothing.
    ways.sort_by_key(BTreeSet::len);
    let mut least: Vec<Way> = Vec::new();
    for way in ways {
        if !least.iter().any(|other| other.is_subset(&way)) {
            least.push(way);
        }
    }
    let conjunction = |way: Way| terms.and(&Vec::from_iter(way));
    let told: Vec<TermId> = least.into_iter().map(conjunction).collect();
    terms.or(&told)
}

/// Formulas that hold together.
type Way = BTreeSet<TermId>;

/// A disjunction of conjunctions that means the same as a formula. What would become too large, or
/// is nested too deeply, stays as it is.
fn ways(terms: &Terms, formula: TermId, depth: usize) -> Vec<Way> {
    let as_it_is = || vec![BTreeSet::from([formula])];
    match terms.view(formula) {
        View::App(Op::Or, parts) if depth > 0 => {
            parts.iter().flat_map(|part| ways(terms, *part, depth - 1)).collect()
        }
        View::App(Op::And, parts) if depth > 0 => {
            let mut all = vec![Way::new()];
            for part in parts {
                let part = ways(terms, *part, depth - 1);
                if all.len() * part.len() > MOST_CASES {
                    return as_it_is();
                }
                let pairs = all.iter().flat_map(|a| part.iter().map(move |b| a | b));
                all = pairs.collect();
            }
            all
        }
        _ => as_it_is(),
    }
}

/// The formula with conjunctions for the choices between formulas that diagrams are made of:
/// people read these more easily.
fn without_choices(terms: &mut Terms, formula: TermId) -> TermId {
    let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in terms.post_order(&[formula]) {
        let image = match terms.view(term) {
            View::App(op, arguments) => {
                let arguments: Vec<TermId> = arguments.iter().map(|each| images[each]).collect();
                match (op, &arguments[..], terms.sort(term)) {
                    (Op::Ite, [condition, then, other], Sort::Bool) => {
                        let not = terms.not(*condition);
                        let ways = [terms.and2(*condition, *then), terms.and2(not, *other)];
                        terms.or(&ways)
                    }
                    _ => terms.app(op, &arguments),
                }
            }
            _ => term,
        };
        images.insert(term, image);
    }
    images[&formula]
}

impl Case {
    /// All of it.
    fn whole(&self, terms: &mut Terms) -> TermId {
        let mut parts = vec![self.formula];
        for (var, value) in &self.values {
            let (term, value) = (terms.var(*var), terms.constant(value.clone()));
            parts.push(terms.eq(term, value));
        }
        terms.and(&parts)
    }
}

/// Whether all activations of a function come from one place, and so on up to the start.
fn has_one_context(cfa: &Cfa, function: FuncId) -> bool {
    let mut at = function;
    // A function that calls itself is called from two places, or never starts.
    for _ in 0..=cfa.functions.len() {
        let mut calls = cfa.edges.iter().filter(|edge| edge.callee() == Some(at));
        match (calls.next(), calls.next()) {
            (None, _) => return cfa.start == Some(at),
            (Some(call), None) if cfa.start != Some(at) => at = cfa.locations[call.source].function,
            _ => return false,
        }
    }
    false
}
