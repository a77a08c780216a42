//! The built-in solver: what is in front of SAT, and SAT.

use base::Id;
use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use term::{Environment, Evaluator, Op, TermId, Terms, Value, Var, View};

use crate::arrays;
use crate::blast::Blaster;
use crate::pipe::zero;
use crate::{Answer, Cores, Limits, Models, Reason, Solver};

/// The built-in decision procedure for Booleans, bit-vectors and arrays of them.
///
/// All formulas of one solver are terms of one table.
pub struct Builtin {
    scopes: Vec<Scope>,
    instance: Instance,
    answers: FxHashMap<Vec<TermId>, Known>,
    models: Vec<Model>,
    evaluator: Evaluator,
    last: Last,
    statistics: Statistics,
}

/// How the checks of a solver were answered.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// All checks.
    pub checks: u64,
    /// Answered by constants among the formulas.
    pub trivial: u64,
    /// Answered as an earlier check was.
    pub cached: u64,
    /// Answered by a model of an earlier check.
    pub remodelled: u64,
    /// Answered by the SAT solver.
    pub solved: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Lemmas about arrays.
    pub lemmas: u64,
}

/// What is asserted between a push and its pop.
#[derive(Default)]
struct Scope {
    formulas: Vec<TermId>,
    /// The literal that stands for all of them in the current instance, and how many of them the
    /// instance has.
    loaded: Option<(Lit, usize)>,
}

/// A SAT instance with the formulas that it knows.
struct Instance {
    blaster: Blaster,
    /// The literal of each formula that has been turned into a circuit.
    literals: FxHashMap<TermId, Lit>,
    /// How much each of them added to the instance.
    costs: FxHashMap<TermId, usize>,
    /// Asserted equations that have given a variable its circuit. The instance is of no use
    /// without them.
    definitions: Vec<TermId>,
}

#[derive(Clone)]
enum Known {
    Sat(Model),
    Unsat(Vec<TermId>),
}

#[derive(Clone, Default)]
struct Model {
    values: FxHashMap<Var, Value>,
}

enum Last {
    Nothing,
    Sat(Model),
    Unsat(Vec<TermId>),
}

/// How many models are tried on a new check.
const MODELS: usize = 8;

/// An instance is begun anew when it has grown to this many times what is needed.
const GROWTH: usize = 4;

/// An instance is not small for having more literals in its clauses than this.
const SMALL: usize = 4_000;

/// A scope of so many formulas is soon brought into another instance.
const FEW: usize = 64;

impl Environment for Model {
    fn get(&self, var: Var) -> Option<&Value> {
        self.values.get(&var)
    }
}

impl Default for Builtin {
    fn default() -> Self {
        Self::new()
    }
}

impl Builtin {
    /// A solver that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            scopes: vec![Scope::default()],
            instance: Instance::new(),
            answers: FxHashMap::default(),
            models: Vec::new(),
            evaluator: Evaluator::new(),
            last: Last::Nothing,
            statistics: Statistics::default(),
        }
    }

    /// How the checks so far were answered.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether an earlier model satisfies all formulas; variables that it lacks are zero.
    fn try_models(&mut self, terms: &Terms, formulas: &[TermId]) -> Option<Model> {
        for index in (0..self.models.len()).rev() {
            let mut model = std::mem::take(&mut self.models[index]);
            let found = self.satisfies(terms, &mut model, formulas).then(|| model.clone());
            self.models[index] = model;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether a model satisfies all formulas, after giving zero to what it lacks.
    fn satisfies(&mut self, terms: &Terms, model: &mut Model, formulas: &[TermId]) -> bool {
        // The newest first: it is the one that no earlier check was about.
        formulas.iter().rev().all(|formula| self.holds(terms, model, *formula))
    }

    fn holds(&mut self, terms: &Terms, model: &mut Model, formula: TermId) -> bool {
        // A clause is true by one of its literals; the others need no value.
        if let View::App(Op::Or, parts) = terms.view(formula) {
            return parts.iter().any(|part| self.holds(terms, model, *part));
        }
        loop {
            match self.evaluator.eval(terms, formula, model) {
                Ok(value) => return value == Value::Bool(true),
                Err(term::Unbound(var)) => match arrays::zero(terms, terms.var_sort(var)) {
                    Some(zero) => {
                        model.values.insert(var, zero);
                    }
                    None => return false,
                },
            }
        }
    }

    fn solve(
        &mut self,
        terms: &Terms,
        asserted: &[TermId],
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Answer {
        // The SAT solver gives a value to everything that it has ever heard of.
        let needed: usize = asserted
            .iter()
            .chain(assumptions)
            .filter_map(|formula| self.instance.costs.get(formula))
            .sum();
        let too_large = self.instance.blaster.gates.sat.size() > GROWTH * needed.max(SMALL);
        let definitions = &self.instance.definitions;
        if too_large || definitions.iter().any(|term| asserted.binary_search(term).is_err()) {
            self.instance = Instance::new();
            for scope in &mut self.scopes {
                scope.loaded = None;
            }
        }
        let mut literals = match self.load_scopes(terms) {
            Ok(literals) => literals,
            Err(what) => return Answer::Unknown(Reason::Unsupported(what)),
        };
        let scopes = literals.len();
        for formula in assumptions {
            match self.instance.literal(terms, *formula) {
                Ok(literal) => literals.push(literal),
                Err(what) => return Answer::Unknown(Reason::Unsupported(what)),
            }
        }
        loop {
            let answer = self.instance.blaster.gates.sat.solve(&literals, limits);
            self.statistics.conflicts += self.instance.blaster.gates.sat.conflicts();
            match answer {
                Answer::Unsat => {
                    let core = self.instance.blaster.gates.sat.core();
                    let responsible = assumptions
                        .iter()
                        .zip(&literals[scopes..])
                        .filter(|(_, literal)| core.contains(literal));
                    self.last = Last::Unsat(responsible.map(|(term, _)| *term).collect());
                    return Answer::Unsat;
                }
                Answer::Unknown(reason) => return Answer::Unknown(reason),
                Answer::Sat => {}
            }
            match arrays::refine(terms, &mut self.instance.blaster) {
                Ok(0) => break,
                Ok(lemmas) => self.statistics.lemmas += lemmas,
                Err(what) => return Answer::Unknown(Reason::Unsupported(what)),
            }
            if let Some(reason) = limits.exceeded() {
                return Answer::Unknown(reason);
            }
        }
        let mut model = Model { values: self.instance.blaster.model().into_iter().collect() };
        model.values.extend(arrays::model(terms, &self.instance.blaster));
        let formulas: Vec<TermId> = asserted.iter().chain(assumptions).copied().collect();
        if !self.satisfies(terms, &mut model, &formulas) {
            // A model that the terms themselves refuse is an error of ours, never an answer.
            return Answer::Unknown(Reason::Failed(
                "its model does not satisfy the formulas".to_owned(),
            ));
        }
        self.last = Last::Sat(model);
        Answer::Sat
    }

    /// Brings the asserted formulas into the instance; the literals switch the scopes on.
    fn load_scopes(&mut self, terms: &Terms) -> Result<Vec<Lit>, String> {
        let mut literals = Vec::with_capacity(self.scopes.len());
        for (depth, scope) in self.scopes.iter_mut().enumerate() {
            let instance = &mut self.instance;
            // An instance that depends on an inner scope is soon begun anew; a small one may.
            let small = scope.formulas.len() <= FEW && instance.blaster.gates.sat.size() < SMALL;
            let define = depth == 0 || small;
            let (switch, loaded) = match scope.loaded {
                Some(loaded) => loaded,
                None => (instance.blaster.gates.sat.fresh(), 0),
            };
            for formula in &scope.formulas[loaded..] {
                if define {
                    instance.define(terms, *formula)?;
                }
                let literal = instance.literal(terms, *formula)?;
                instance.blaster.gates.sat.clause(&[!switch, literal]);
            }
            scope.loaded = Some((switch, scope.formulas.len()));
            literals.push(switch);
        }
        Ok(literals)
    }

    fn remember(&mut self, key: Vec<TermId>) {
        match &self.last {
            Last::Sat(model) => {
                if self.models.len() == MODELS {
                    self.models.remove(0);
                }
                self.models.push(model.clone());
                self.answers.insert(key, Known::Sat(model.clone()));
            }
            Last::Unsat(core) => {
                self.answers.insert(key, Known::Unsat(core.clone()));
            }
            Last::Nothing => {}
        }
    }
}

impl Instance {
    fn new() -> Self {
        Self {
            blaster: Blaster::new(),
            literals: FxHashMap::default(),
            costs: FxHashMap::default(),
            definitions: Vec::new(),
        }
    }

    /// If the formula, which is asserted, is an equation between a variable that is still free
    /// and a term, makes the variable's circuit that of the term.
    fn define(&mut self, terms: &Terms, formula: TermId) -> Result<(), String> {
        let View::App(Op::Eq, args) = terms.view(formula) else { return Ok(()) };
        for (side, other) in [(args[0], args[1]), (args[1], args[0])] {
            if let View::Var(var) = terms.view(side)
                && self.blaster.define(terms, side, var, other)?
            {
                self.definitions.push(formula);
                break;
            }
        }
        Ok(())
    }

    fn literal(&mut self, terms: &Terms, formula: TermId) -> Result<Lit, String> {
        if let Some(literal) = self.literals.get(&formula) {
            return Ok(*literal);
        }
        let before = self.blaster.gates.sat.size();
        let literal = self.blaster.literal(terms, formula)?;
        self.literals.insert(formula, literal);
        self.costs.insert(formula, self.blaster.gates.sat.size() - before);
        Ok(literal)
    }
}

impl Solver for Builtin {
    fn push(&mut self) {
        self.scopes.push(Scope::default());
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "no scope is open");
        if let Some((literal, _)) = self.scopes.pop().and_then(|scope| scope.loaded) {
            self.instance.blaster.gates.sat.clause(&[!literal]);
        }
    }

    fn assert(&mut self, terms: &Terms, formula: TermId) {
        let scope = self.scopes.last_mut().expect("the outermost scope is never closed");
        // Conjuncts apart, so that they are shared with other formulas.
        match terms.view(formula) {
            View::App(Op::And, parts) => scope.formulas.extend_from_slice(parts),
            _ => scope.formulas.push(formula),
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId], limits: &Limits) -> Answer {
        self.statistics.checks += 1;
        let mut asserted: Vec<TermId> =
            self.scopes.iter().flat_map(|scope| &scope.formulas).copied().collect();
        asserted.sort_unstable();
        asserted.dedup();
        asserted.retain(|formula| !terms.is_true(*formula));
        if asserted.iter().any(|formula| terms.is_false(*formula)) {
            self.statistics.trivial += 1;
            self.last = Last::Unsat(Vec::new());
            return Answer::Unsat;
        }
        if let Some(no) = assumptions.iter().find(|formula| terms.is_false(**formula)) {
            self.statistics.trivial += 1;
            self.last = Last::Unsat(vec![*no]);
            return Answer::Unsat;
        }
        let mut key: Vec<TermId> = assumptions.to_vec();
        key.sort_unstable();
        key.dedup();
        let border = key.len();
        key.extend(&asserted);
        key.push(TermId::from_index(border));
        if let Some(known) = self.answers.get(&key) {
            self.statistics.cached += 1;
            let (last, answer) = match known.clone() {
                Known::Sat(model) => (Last::Sat(model), Answer::Sat),
                Known::Unsat(core) => (Last::Unsat(core), Answer::Unsat),
            };
            self.last = last;
            return answer;
        }
        let formulas: Vec<TermId> = asserted.iter().chain(assumptions).copied().collect();
        if let Some(model) = self.try_models(terms, &formulas) {
            self.statistics.remodelled += 1;
            self.last = Last::Sat(model);
            self.remember(key);
            return Answer::Sat;
        }
        self.statistics.solved += 1;
        self.last = Last::Nothing;
        let answer = self.solve(terms, &asserted, assumptions, limits);
        self.remember(key);
        answer
    }
}

impl Models for Builtin {
    fn value(&mut self, terms: &Terms, var: Var) -> Value {
        let Last::Sat(model) = &self.last else { panic!("the last check did not answer Sat") };
        model.values.get(&var).cloned().unwrap_or_else(|| zero(terms, terms.var_sort(var)))
    }
}

impl Cores for Builtin {
    fn core(&self) -> &[TermId] {
        let Last::Unsat(core) = &self.last else { panic!("the last check did not answer Unsat") };
        core
    }
}
