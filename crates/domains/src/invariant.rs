//! What a closed graph says at the heads of loops, in the variables of the program.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Cfa, FuncId, LocId, Loops, Program, Reading, Scope};
use run::{Claimed, Graph, Invariant, Invariants, NodeId, Slot, Status};
use rustc_hash::FxHashMap;
use term::{Op, Sort, TermId, Terms, Value, Var, View};

/// How many cases a formula may have: nobody reads longer lists of cases.
const MOST_CASES: usize = 8;

/// How many values of a variable are listed. Of a variable with more values, only the range is said.
const MOST_VALUES: usize = 4;

/// Formulas with more cases, or with parts that are nested more deeply, are not put more simply.
const MOST_WAYS: usize = 64;
const MOST_NESTED: usize = 8;

/// What one abstract state says of variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Case {
    /// Variables with names, each with its value.
    values: Vec<(Var, Value)>,
    /// What else is known of variables with names.
    formula: TermId,
}

/// What a closed graph says at the heads of loops. In the graph, executions end at errors and at operations that are
/// not modelled.
///
/// Executions pass the head of a loop only in the state of one of the nodes there, so the cases of these nodes are all
/// cases. Nothing is said of a loop in a function that is called from several places, or of a loop that no path to an
/// error leads through (`relevant` says where such paths lead): the graph may lack some of the executions there.
#[must_use]
pub fn invariants(
    program: &Program,
    graph: &Graph,
    relevant: &dyn Fn(LocId) -> bool,
) -> Invariants {
    let mut terms = graph.language.terms.clone();
    let naming = Naming::of(program, graph);
    // A covered state adds nothing to the state that covers it.
    let mut expanded: BTreeMap<LocId, Vec<NodeId>> = BTreeMap::new();
    for (id, _) in graph.live().filter(|(_, node)| node.status == Status::Expanded) {
        expanded.entry(graph.place(id).location).or_default().push(id);
    }
    let mut list = Vec::new();
    for each in &Loops::of(&program.cfa).loops {
        let location = each.head;
        let function = program.cfa.locations[location].function;
        if !relevant(location) || !has_one_context(&program.cfa, function) {
            continue;
        }
        let mut cases = BTreeSet::new();
        let mut all_said = true;
        for id in expanded.get(&location).into_iter().flatten() {
            match graph.claims.get(id) {
                Some(claimed) => {
                    let depth = graph.places.stacks.depth(graph.place(*id).stack) + 1;
                    cases.insert(naming.case(&mut terms, claimed, function, depth));
                }
                None => all_said = false,
            }
        }
        if all_said && !cases.is_empty() {
            say(program, &mut terms, location, &cases, &mut list);
        }
    }
    Invariants { terms, list }
}

/// Puts the cases of a loop into formulas.
fn say(
    program: &Program,
    terms: &mut Terms,
    location: LocId,
    cases: &BTreeSet<Case>,
    list: &mut Vec<Invariant>,
) {
    let mut said = values_of_each(&program.cfa, terms, cases);
    let formulas = cases.iter().map(|case| case.formula).collect();
    said.push(either(terms, formulas));
    if cases.len() <= MOST_CASES && are_related(cases) {
        let whole = cases.iter().map(|case| case.whole(terms)).collect();
        said.push(either(terms, whole));
    }
    // Formulas that always hold are left out, and no formula is said twice.
    let mut new = BTreeSet::new();
    said.retain(|formula| terms.value(*formula).is_none() && new.insert(*formula));
    let invariant = |formula| Invariant { location, formula, exact: Vec::new() };
    list.extend(said.into_iter().map(invariant));
}

/// The variables of a program that the symbols of claims stand for.
struct Naming<'a> {
    cfa: &'a Cfa,
    locals: FxHashMap<Var, (u32, Var)>,
}

impl<'a> Naming<'a> {
    fn of(program: &'a Program, graph: &Graph) -> Self {
        let local = |(slot, symbol): (&Slot, &Var)| match slot {
            Slot::Local { depth, var } => Some((*symbol, (*depth, *var))),
            Slot::Bytes { .. } | Slot::Before { .. } => None,
        };
        let locals = graph.language.symbols.iter().filter_map(local).collect();
        Self { cfa: &program.cfa, locals }
    }

    /// What a claim says of variables that have a name in the source and that are visible in a function whose
    /// activation has this depth.
    fn case(&self, terms: &mut Terms, claimed: &Claimed, function: FuncId, depth: u32) -> Case {
        let mut values = Vec::new();
        for (slot, value) in &claimed.values {
            let View::Var(symbol) = terms.view(*slot) else { continue };
            let Some(var) = self.name(symbol, function, depth) else { continue };
            let is_plain = !matches!(value, Value::Float(_) | Value::Array(_));
            if is_plain && self.cfa.variables[var].reading != Reading::Address {
                values.push((var, value.clone()));
            }
        }
        let parts = match terms.view(claimed.formula) {
            View::App(Op::And, parts) => parts.to_vec(),
            _ => vec![claimed.formula],
        };
        let told: Vec<TermId> = parts
            .into_iter()
            .filter_map(|part| self.rename(terms, part, function, depth))
            .collect();
        Case { values, formula: terms.and(&told) }
    }

    /// The variable that a symbol stands for, if the function sees it and it has a name.
    fn name(&self, symbol: Var, function: FuncId, depth: u32) -> Option<Var> {
        let (at, var) = match self.locals.get(&symbol) {
            Some((at, var)) => (Some(*at), *var),
            None => (None, symbol),
        };
        let variable = self.cfa.variables.get(var)?;
        let seen = match variable.scope {
            Scope::Global => at.is_none(),
            Scope::Local(owner) => owner == function && at == Some(depth),
            Scope::Address(_) => false,
        };
        (seen && variable.source_name.is_some()).then_some(var)
    }

    /// A formula over symbols as a formula over variables; `None` if a symbol is not the value of a variable with a
    /// name that the function sees.
    fn rename(
        &self,
        terms: &mut Terms,
        formula: TermId,
        function: FuncId,
        depth: u32,
    ) -> Option<TermId> {
        let mut images = FxHashMap::default();
        for symbol in terms.vars(formula) {
            let var = self.name(symbol, function, depth)?;
            images.insert(symbol, terms.var(var));
        }
        Some(terms.substitute(formula, &mut |symbol| images.get(&symbol).copied()))
    }
}

/// The values of each variable, one for every case in which the variable is known.
fn by_variable(cases: &BTreeSet<Case>) -> BTreeMap<Var, Vec<&Value>> {
    let mut values: BTreeMap<Var, Vec<&Value>> = BTreeMap::new();
    for (var, value) in cases.iter().flat_map(|case| &case.values) {
        values.entry(*var).or_default().push(value);
    }
    values
}

/// For each variable that is known in all cases, the formula that says which values it has.
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

/// The formula which says that a term has one of some values, or is between the least and the greatest of them.
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

/// Whether the cases as a whole say more than the values of each variable and the formulas do by themselves: not every
/// combination of values and formulas is a case, or a variable is known in some cases only.
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

/// A formula which says that one of some formulas holds: a disjunction of conjunctions, if that is small enough.
fn either(terms: &mut Terms, formulas: BTreeSet<TermId>) -> TermId {
    let formulas: Vec<TermId> = formulas.into_iter().collect();
    let formula = terms.or(&formulas);
    let formula = without_choices(terms, formula);
    let mut ways = ways(terms, formula, MOST_NESTED);
    if ways.len() > MOST_WAYS {
        return formula;
    }
    // A conjunction that has all parts of another conjunction adds nothing to the disjunction.
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

/// A conjunction: formulas that hold together.
type Way = BTreeSet<TermId>;

/// A disjunction of conjunctions that means the same as a formula. A formula whose disjunction would become too large
/// stays as it is, and so do parts that are nested too deeply.
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

/// The formula with disjunctions of conjunctions in place of the choices between formulas that diagrams are made of:
/// people read these disjunctions more easily.
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
    /// The whole case as a formula.
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
