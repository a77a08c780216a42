//! Guesses for contracts: bounds by constants of the program, relations between values at the call and
//! values at the return, sums that agree with all samples, and each of these under a condition that the
//! function asks about. A guess that a sample refutes is left out.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{FuncId, Op as Operation, Program, Reading};
use run::Budget;
use term::{Bv, Op, Sort, TermId, Terms, Value, Var, View};

use super::affine::{self, Point};
use super::contract::{Contracts, Spoken};
use super::samples::{self, Sample};

/// How many constants of the program are used.
const CONSTANTS: usize = 16;

/// How many conditions are used.
const PREMISES: usize = 24;

/// How many numbers that go into a function are compared with each number that comes out of it.
const RELATED: usize = 4;

/// How many guesses a contract has: of what it requires, and of what it ensures.
const REQUIRED: usize = 48;
const ENSURED: usize = 160;

/// A number that a contract speaks of.
#[derive(Clone, Copy)]
struct Number {
    var: Var,
    term: TermId,
    width: u32,
    signed: bool,
}

impl Contracts {
    /// Guesses the contracts of all functions.
    pub(super) fn guess(&mut self, original: &Program, budget: &Budget) {
        let constants = constants(original);
        let spoken: BTreeMap<FuncId, &Spoken> = self
            .contracts
            .iter()
            .map(|(function, contract)| (*function, &contract.spoken))
            .collect();
        let seen = samples::of_program(original, &spoken, &constants, budget);
        let tried = samples::of_calls(original, &spoken, &constants, budget);
        let none = BTreeSet::new();
        let mut guessed = Vec::new();
        for (function, spoken) in &spoken {
            let seen = seen.get(function).unwrap_or(&none);
            let tried = tried.get(function).unwrap_or(&none);
            let terms = self.program.terms.clone();
            let guess = Guess::of(original, *function, spoken, terms, &self.program, &constants);
            let (terms, requires, ensures) = guess.made(seen, tried, budget);
            self.program.terms = terms;
            guessed.push((*function, requires, ensures));
        }
        for (function, requires, ensures) in guessed {
            if let Some(contract) = self.contracts.get_mut(&function) {
                (contract.requires, contract.ensures) = (requires, ensures);
            }
        }
    }
}

/// The constants that a program compares with, assigns, or passes to functions, in order of their values.
fn constants(program: &Program) -> BTreeSet<Bv> {
    let terms = &program.terms;
    let mut found = BTreeSet::new();
    let mut add = |term: TermId| {
        if let Some(Value::Bv(value)) = terms.value(term)
            && (8..=64).contains(&value.width())
            && found.len() < CONSTANTS
        {
            found.insert(value.clone());
        }
    };
    for op in program.cfa.edges.iter().flat_map(|edge| &edge.ops) {
        match op {
            Operation::Assume(condition) => {
                for term in terms.post_order(&[*condition]) {
                    if let View::App(
                        Op::Eq | Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle,
                        &[a, b],
                    ) = terms.view(term)
                    {
                        add(a);
                        add(b);
                    }
                }
            }
            Operation::Assign { value, .. } => add(*value),
            Operation::Call { arguments, .. } => arguments.iter().copied().for_each(&mut add),
            _ => {}
        }
    }
    found
}

/// For what comes out of a function, the constants that the program assigns to it, if there are several and not too
/// many.
fn values(program: &Program, function: FuncId, spoken: &Spoken) -> BTreeMap<Var, BTreeSet<TermId>> {
    let results = program.cfa.functions[function].results.iter().copied();
    let globals = spoken.globals.iter().map(|(var, _)| (*var, *var));
    let stands: BTreeMap<Var, Var> =
        results.zip(spoken.results.iter().copied()).chain(globals).collect();
    let mut values: BTreeMap<Var, BTreeSet<TermId>> = BTreeMap::new();
    for op in program.cfa.edges.iter().flat_map(|edge| &edge.ops) {
        if let Operation::Assign { var, value } = op
            && let Some(stands) = stands.get(var)
            && program.terms.value(*value).is_some()
        {
            values.entry(*stands).or_default().insert(*value);
        }
    }
    values.retain(|_, values| (2..=CONSTANTS).contains(&values.len()));
    values
}

/// Guesses in the making, about one function.
struct Guess<'a> {
    original: &'a Program,
    function: FuncId,
    spoken: &'a Spoken,
    terms: Terms,
    ins: Vec<Number>,
    outs: Vec<Number>,
    constants: &'a BTreeSet<Bv>,
    /// The constants that something that comes out is set to, where there are several.
    values: BTreeMap<Var, BTreeSet<TermId>>,
}

impl<'a> Guess<'a> {
    fn of(
        original: &'a Program,
        function: FuncId,
        spoken: &'a Spoken,
        mut terms: Terms,
        rewritten: &Program,
        constants: &'a BTreeSet<Bv>,
    ) -> Self {
        let mut number = |var: Var| match terms.var_sort(var) {
            Sort::Bv(width @ 8..=64) => {
                let signed = rewritten.cfa.variables[var].reading == Reading::Signed;
                Some(Number { var, term: terms.var(var), width, signed })
            }
            _ => None,
        };
        let befores = spoken.globals.iter().map(|(_, before)| *before);
        let ins = spoken.parameters.iter().copied().chain(befores);
        let ins = ins.filter_map(&mut number).collect();
        let afters = spoken.globals.iter().map(|(var, _)| *var);
        let outs = spoken.results.iter().copied().chain(afters);
        let outs = outs.filter_map(&mut number).collect();
        let values = values(original, function, spoken);
        Self { original, function, spoken, terms, ins, outs, constants, values }
    }

    /// What is guessed to be required and to be ensured, in a table that has grown: `seen` are activations in
    /// runs of the program, `tried` are others.
    fn made(
        mut self,
        seen: &BTreeSet<Sample>,
        tried: &BTreeSet<Sample>,
        budget: &Budget,
    ) -> (Terms, Vec<TermId>, Vec<TermId>) {
        let seen: Vec<&Sample> = seen.iter().collect();
        let mut requires = self.required();
        self.keep(&mut requires, &seen);
        requires.truncate(REQUIRED);
        // Calls that satisfy what is required count, even if the program never makes such a call.
        let fits = |sample: &&Sample| {
            requires.iter().all(|formula| holds(&self.terms, *formula, sample) != Some(false))
        };
        let returned = |sample: &&Sample| sample.returned;
        let fitting = tried.iter().filter(returned).filter(fits);
        let counting: Vec<&Sample> =
            seen.iter().copied().filter(|sample| sample.returned).chain(fitting).collect();
        let all: Vec<&Sample> =
            tried.iter().filter(returned).chain(counting.iter().copied()).collect();
        let mut ensures = Vec::new();
        let truth = self.terms.bool(true);
        let mut premises = vec![truth];
        premises.extend(self.premises());
        for premise in premises {
            let is_late = premise != truth && budget.exceeded().is_some();
            if ensures.len() >= ENSURED || is_late {
                break;
            }
            let meets = |sample: &&&Sample| holds(&self.terms, premise, sample) == Some(true);
            let there = [&counting, &all]
                .map(|samples| samples.iter().filter(meets).copied().collect::<Vec<&Sample>>());
            let conclusions = self.conclusions(&there);
            let mut guesses: Vec<TermId> = conclusions
                .into_iter()
                .map(|conclusion| self.terms.implies(premise, conclusion))
                .collect();
            self.keep(&mut guesses, &counting);
            ensures.extend(guesses);
        }
        // It is a guess, too, that only calls return whose arguments are within the bounds seen: other calls may never
        // return.
        let mut entered = self.bounds_of_ins();
        self.keep(&mut entered, &counting);
        ensures.splice(0..0, entered);
        let mut known = BTreeSet::new();
        ensures.retain(|formula| known.insert(*formula));
        ensures.truncate(ENSURED);
        (self.terms, requires, ensures)
    }

    /// Drops formulas that fail in a sample, and those that say nothing.
    fn keep(&self, formulas: &mut Vec<TermId>, samples: &[&Sample]) {
        let mut known = BTreeSet::new();
        formulas.retain(|formula| self.terms.value(*formula).is_none() && known.insert(*formula));
        for sample in samples {
            formulas.retain(|formula| holds(&self.terms, *formula, sample) != Some(false));
        }
    }

    /// Bounds of the numbers that go in, and how these numbers compare with each other.
    fn required(&mut self) -> Vec<TermId> {
        let mut formulas = self.bounds_of_ins();
        let ins = self.ins.clone();
        for (index, a) in ins.iter().enumerate() {
            for b in ins[..index].iter().filter(|b| b.width == a.width) {
                formulas.push(self.at_most(*a, a.term, b.term));
                formulas.push(self.at_most(*a, b.term, a.term));
            }
        }
        formulas
    }

    fn bounds_of_ins(&mut self) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for number in self.ins.clone() {
            self.bounds(number, &mut formulas);
        }
        formulas
    }

    /// What may come out: bounds, one of some constants, and relations with what goes in.
    fn conclusions(&mut self, samples: &[Vec<&Sample>; 2]) -> Vec<TermId> {
        let mut formulas = Vec::new();
        let (ins, outs) = (self.ins.clone(), self.outs.clone());
        for out in outs {
            for samples in samples {
                self.fit(out, &ins, samples, &mut formulas);
            }
            for number in self.related(out) {
                self.relations(out, number, &samples[1], &mut formulas);
            }
            if let Some(values) = self.values.get(&out.var).cloned() {
                let equal: Vec<TermId> =
                    values.into_iter().map(|value| self.terms.eq(out.term, value)).collect();
                formulas.push(self.terms.or(&equal));
            }
            self.bounds(out, &mut formulas);
        }
        formulas
    }

    /// The numbers that go in and are compared with a number that comes out: its value before the call, and the first
    /// others.
    fn related(&self, out: Number) -> Vec<Number> {
        let before = self.spoken.globals.iter().find(|(var, _)| *var == out.var);
        let is_before = |number: &&Number| before.is_some_and(|(_, before)| *before == number.var);
        let own = self.ins.iter().filter(is_before);
        let fitting = self.ins.iter().filter(|number| number.width == out.width);
        own.chain(fitting.filter(|number| !is_before(number))).take(RELATED).copied().collect()
    }

    fn fitting(&self, number: Number) -> Vec<Bv> {
        let small = [0u128, 1].map(|small| Bv::new(number.width, small));
        let of_width = self.constants.iter().filter(|value| value.width() == number.width);
        let all: BTreeSet<Bv> = of_width.cloned().chain(small).collect();
        all.into_iter().collect()
    }

    fn bounds(&mut self, number: Number, formulas: &mut Vec<TermId>) {
        for value in self.fitting(number) {
            let constant = self.terms.bv_value(value);
            formulas.push(self.terms.eq(number.term, constant));
            formulas.push(self.at_most(number, number.term, constant));
            formulas.push(self.at_most(number, constant, number.term));
            formulas.push(self.terms.ne(number.term, constant));
        }
    }

    fn relations(
        &mut self,
        out: Number,
        number: Number,
        samples: &[&Sample],
        formulas: &mut Vec<TermId>,
    ) {
        formulas.push(self.terms.eq(out.term, number.term));
        // How far the two numbers were seen to be apart.
        let apart = samples.iter().find_map(|sample| {
            let [Value::Bv(a), Value::Bv(b)] = [out, number]
                .map(|one| sample.values.get(&one.var))
                .map(|value| value.cloned().unwrap_or(Value::Bool(false)))
            else {
                return None;
            };
            Some(a.sub(&b))
        });
        if let Some(apart) = apart {
            let apart = self.terms.bv_value(apart);
            let sum = self.terms.bv_add(number.term, apart);
            formulas.push(self.terms.eq(out.term, sum));
        }
        let one = self.terms.bv(out.width, 1);
        let mut bounds = vec![number.term];
        bounds.push(self.terms.bv_add(number.term, one));
        bounds.push(self.terms.bv_sub(number.term, one));
        for bound in bounds {
            formulas.push(self.at_most(out, out.term, bound));
            formulas.push(self.at_most(out, bound, out.term));
        }
        let [low, other] = [out, number].map(|number| self.terms.bv_and(number.term, one));
        let same = self.terms.eq(low, other);
        formulas.push(same);
        formulas.push(self.terms.not(same));
    }

    /// The sum of multiples of what goes in that agrees with all samples.
    fn fit(
        &mut self,
        out: Number,
        ins: &[Number],
        samples: &[&Sample],
        formulas: &mut Vec<TermId>,
    ) {
        let ins: Vec<Number> = ins.iter().copied().filter(|one| one.width == out.width).collect();
        let value = |sample: &Sample, number: &Number| match sample.values.get(&number.var) {
            Some(Value::Bv(value)) => Some(value.clone()),
            _ => None,
        };
        let points: Vec<Point> = samples
            .iter()
            .filter_map(|sample| {
                let ins: Option<Vec<Bv>> = ins.iter().map(|number| value(sample, number)).collect();
                Some((ins?, value(sample, &out)?))
            })
            .collect();
        let Some((factors, constant)) = affine::fit(&points) else { return };
        let mut sum = self.terms.bv_value(constant);
        for (factor, number) in factors.into_iter().zip(&ins) {
            let factor = self.terms.bv_value(factor);
            let product = self.terms.bv_mul(factor, number.term);
            sum = self.terms.bv_add(sum, product);
        }
        formulas.push(self.terms.eq(out.term, sum));
    }

    /// Conditions about what goes in: those that the function asks about, and that a number is a constant.
    fn premises(&mut self) -> Vec<TermId> {
        let Self { original, spoken, .. } = self;
        let known = &original.cfa.functions[self.function];
        let parameters = known.parameters.iter().zip(&spoken.parameters);
        let globals = spoken.globals.iter().map(|(var, before)| (var, before));
        let stands: BTreeMap<Var, Var> =
            parameters.chain(globals).map(|(var, stands)| (*var, *stands)).collect();
        let mut premises = Vec::new();
        for edge in &original.cfa.edges {
            if original.cfa.locations[edge.source].function != self.function {
                continue;
            }
            for op in &edge.ops {
                let Operation::Assume(condition) = op else { continue };
                let vars = self.terms.vars(*condition);
                if !vars.is_empty() && vars.iter().all(|var| stands.contains_key(var)) {
                    let vars: BTreeMap<Var, TermId> =
                        vars.into_iter().map(|var| (var, self.terms.var(stands[&var]))).collect();
                    premises.push(
                        self.terms.substitute(*condition, &mut |var| vars.get(&var).copied()),
                    );
                }
            }
        }
        for number in self.ins.clone() {
            for value in self.fitting(number) {
                let constant = self.terms.bv_value(value);
                premises.push(self.terms.eq(number.term, constant));
            }
        }
        for number in self.ins.clone() {
            for value in self.fitting(number) {
                let constant = self.terms.bv_value(value);
                premises.push(self.at_most(number, number.term, constant));
                premises.push(self.at_most(number, constant, number.term));
            }
        }
        let mut known = BTreeSet::new();
        premises.retain(|premise| self.terms.value(*premise).is_none() && known.insert(*premise));
        premises.truncate(PREMISES);
        premises
    }

    /// `a <= b`, in the order in which a number is read.
    fn at_most(&mut self, number: Number, a: TermId, b: TermId) -> TermId {
        if number.signed { self.terms.bv_sle(a, b) } else { self.terms.bv_ule(a, b) }
    }
}

/// Whether a formula holds in a sample; `None` if the formula speaks of a value that was not seen.
fn holds(terms: &Terms, formula: TermId, sample: &Sample) -> Option<bool> {
    match terms.eval(formula, &mut |var| sample.values.get(&var).cloned()) {
        Ok(Value::Bool(holds)) => Some(holds),
        _ => None,
    }
}
