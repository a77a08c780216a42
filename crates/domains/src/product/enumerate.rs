//! The values that variables may have where a term cannot be evaluated.

use run::Unknown;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Bv, Evaluator, Sort, TermId, Terms, Value, Var};

use crate::predicate::{Ask, Said};
use crate::value::{Models, Open, Values, Work};

/// What came of looking for all values.
#[derive(Clone, Debug)]
pub(crate) enum Listed {
    /// These are all values.
    All(Models),
    /// These variables have more values than the limit.
    Many(Vec<Var>),
    /// There is nothing to tell apart, or the solver does not know.
    Unknown,
}

/// Finds values, and remembers them.
#[derive(Default)]
pub(crate) struct Enumerator {
    known: FxHashMap<(TermId, Vec<Var>), Listed>,
    /// Symbols for the values of variables after an assignment.
    next: FxHashMap<Var, Var>,
    evaluator: Evaluator,
}

/// How many combinations of values are tried one by one.
const SMALL: usize = 64;

impl Enumerator {
    /// All values that those variables of a state may have for which `told_apart` holds.
    pub(crate) fn list(
        &mut self,
        (ask, terms): (&mut Ask, &mut Terms),
        values: &Values<'_>,
        (work, open): (&Work, Open),
        limit: usize,
        told_apart: &dyn Fn(Var) -> bool,
    ) -> Result<Listed, Unknown> {
        let (term, assigned) = match open {
            Open::Holds(condition) => (condition, None),
            Open::Assigned(var, value) => (value, Some(var)),
        };
        let wanted =
            |terms: &Terms, var: Var| can_be_listed(terms.var_sort(var)) && told_apart(var);
        if assigned.is_some_and(|var| !wanted(terms, var)) {
            return Ok(Listed::Unknown);
        }
        let mut known = FxHashMap::default();
        for var in terms.vars(term) {
            if let Some(value) = values.known(work, var) {
                known.insert(var, terms.constant(value.clone()));
            }
        }
        let mut formula = terms.substitute(term, &mut |var| known.get(&var).copied());
        let mut vars = terms.vars(formula);
        vars.retain(|var| {
            Some(*var) != assigned && wanted(terms, *var) && values.is_unknown(work, *var)
        });
        let mut after = None;
        if let Some(var) = assigned {
            // The value before the assignment may be in the formula, too.
            let symbol = *self.next.entry(var).or_insert_with(|| {
                let name = format!("{}'", terms.var_name(var));
                terms.declare(name, terms.var_sort(var))
            });
            let image = terms.var(symbol);
            formula = terms.eq(image, formula);
            vars.push(symbol);
            after = Some((symbol, var));
        }
        if vars.is_empty() {
            return Ok(Listed::Unknown);
        }
        let key = (formula, vars);
        let listed = match self.known.get(&key) {
            Some(listed) => listed.clone(),
            None => {
                let listed = self.find(ask, terms, formula, &key.1, limit)?;
                self.known.insert(key, listed.clone());
                listed
            }
        };
        let named =
            |var: Var| after.filter(|(symbol, _)| *symbol == var).map_or(var, |(_, var)| var);
        Ok(match listed {
            Listed::All(mut models) => {
                for (var, _) in models.iter_mut().flatten() {
                    *var = named(*var);
                }
                Listed::All(models)
            }
            Listed::Many(vars) => Listed::Many(vars.into_iter().map(named).collect()),
            Listed::Unknown => Listed::Unknown,
        })
    }

    fn find(
        &mut self,
        ask: &mut Ask,
        terms: &mut Terms,
        formula: TermId,
        vars: &[Var],
        limit: usize,
    ) -> Result<Listed, Unknown> {
        let mut found = Found::new(vars, limit);
        if let Some(combinations) = small(terms, formula, vars) {
            for values in combinations {
                let model: FxHashMap<Var, Value> =
                    vars.iter().copied().zip(values.iter().cloned()).collect();
                let holds = self.evaluator.eval(terms, formula, &model);
                if holds == Ok(Value::Bool(true)) {
                    found.add(values);
                }
            }
            return Ok(found.listed());
        }
        let mut formulas = vec![formula];
        loop {
            match ask.check(terms, &formulas)? {
                Said::Unsat => return Ok(found.listed()),
                Said::Nothing => return Ok(Listed::Unknown),
                Said::Sat(_) => {}
            }
            let values: Vec<Value> = vars.iter().map(|var| ask.solver.value(terms, *var)).collect();
            let equations: Vec<TermId> = vars
                .iter()
                .zip(&values)
                .map(|(var, value)| {
                    let (var, value) = (terms.var(*var), terms.constant(value.clone()));
                    terms.eq(var, value)
                })
                .collect();
            let this = terms.and(&equations);
            formulas.push(terms.not(this));
            found.add(values);
            if found.has_many() {
                return Ok(found.listed());
            }
        }
    }
}

/// The values that were found.
struct Found<'a> {
    vars: &'a [Var],
    limit: usize,
    models: Models,
    seen: Vec<FxHashSet<Value>>,
}

impl<'a> Found<'a> {
    fn new(vars: &'a [Var], limit: usize) -> Self {
        Self { vars, limit, models: Vec::new(), seen: vec![FxHashSet::default(); vars.len()] }
    }

    fn add(&mut self, values: Vec<Value>) {
        for (seen, value) in self.seen.iter_mut().zip(&values) {
            seen.insert(value.clone());
        }
        self.models.push(self.vars.iter().copied().zip(values).collect());
    }

    /// Whether a variable has too many values.
    fn has_many(&self) -> bool {
        self.seen.iter().any(|seen| seen.len() > self.limit)
    }

    fn listed(self) -> Listed {
        if !self.has_many() {
            return Listed::All(self.models);
        }
        let many = self.vars.iter().zip(&self.seen).filter(|(_, seen)| seen.len() > self.limit);
        Listed::Many(many.map(|(var, _)| *var).collect())
    }
}

fn can_be_listed(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Int | Sort::Bv(_))
}

/// All combinations of values of variables, if they are few and the formula speaks of nothing
/// else.
fn small(terms: &Terms, formula: TermId, vars: &[Var]) -> Option<Vec<Vec<Value>>> {
    if terms.vars(formula).iter().any(|var| !vars.contains(var)) {
        return None;
    }
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for var in vars {
        let domain: Vec<Value> = match terms.var_sort(*var) {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Bv(width) if width < usize::BITS && 1 << width <= SMALL => {
                (0..1_u128 << width).map(|bits| Value::Bv(Bv::new(width, bits))).collect()
            }
            _ => return None,
        };
        if all.len() * domain.len() > SMALL {
            return None;
        }
        let longer = |values: Vec<Value>| {
            let values = &values;
            let with = |value: &Value| [values.as_slice(), std::slice::from_ref(value)].concat();
            domain.iter().map(with).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    Some(all)
}
