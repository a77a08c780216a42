//! The built-in solver: the layers in front of SAT, and SAT.

use base::Id;
use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use term::{Op, TermId, Terms, Valuation, Value, Var, View};

use crate::arrays;
use crate::blast::Blaster;
use crate::circuit::Missing;
use crate::front::{Front, Outcome};
use crate::identities::Identities;
use crate::relevance::{Marks, Relevant};
use crate::theories::{self, Refined};
use crate::{Answer, Cores, Models, Reason, Solver};
use run::Budget;

/// The built-in decision procedure for Booleans, bit-vectors, floats, linear arithmetic over Int and
/// Rat, and arrays of them.
///
/// All formulas of one solver are terms of one table.
pub struct Builtin {
    /// The identity of the table that all formulas are terms of.
    table: Option<u64>,
    scopes: Vec<Scope>,
    instance: Instance,
    answers: FxHashMap<Vec<TermId>, KnownAnswer>,
    models: Vec<Tried>,
    /// How many checks in a row no earlier model has answered.
    fruitless: u32,
    /// The layer that propagates; none where SAT is to be measured without this layer.
    front: Option<Front>,
    last: Last,
    statistics: Statistics,
}

/// How the checks of a solver were answered.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// All checks.
    pub checks: u64,
    /// Checks that were answered by constants among the formulas.
    pub trivial: u64,
    /// Checks that were answered as the same earlier check was.
    pub cached: u64,
    /// Checks that were answered by a model of an earlier check.
    pub remodelled: u64,
    /// Checks that were answered by propagation in front of the SAT solver.
    pub propagated: u64,
    /// Checks that were answered by the SAT solver.
    pub solved: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Lemmas about arrays.
    pub lemmas: u64,
    /// Wrong results of operations that were left open, which lemmas have put right.
    pub operations: u64,
    /// Contradictions and splits of linear arithmetic.
    pub arithmetic: u64,
}

/// What is asserted between a push and its pop.
#[derive(Default)]
struct Scope {
    formulas: Vec<TermId>,
    /// The literal that stands for all formulas of the scope in the current instance, and how many of these formulas
    /// the instance has.
    loaded: Option<(Lit, usize)>,
}

/// A SAT instance with the formulas that it knows.
struct Instance {
    blaster: Blaster,
    /// The literal of each formula that has been turned into a circuit.
    literals: FxHashMap<TermId, Lit>,
    /// Marks for the walk that finds out what matters in a SAT model.
    marks: Marks,
    /// Finds equations between polynomials that follow from other equations.
    identities: Identities,
    /// How large the instance was at the last look whether it is too large.
    looked: usize,
}

#[derive(Clone)]
enum KnownAnswer {
    Sat(Model),
    Unsat(Vec<TermId>),
}

#[derive(Clone, Default)]
struct Model {
    values: FxHashMap<Var, Value>,
}

/// A model that is tried on new checks, and the values of formulas in this model: the formulas of the next check have
/// most parts in common with earlier formulas.
#[derive(Default)]
struct Tried {
    model: Model,
    known: Valuation,
}

impl Tried {
    /// Whether the model satisfies all formulas. A variable that the model lacks is given zero, and keeps this value.
    fn satisfies(
        &mut self,
        terms: &Terms,
        formulas: &[TermId],
        limits: &Budget,
    ) -> Result<bool, Reason> {
        if self.known.len() > MOST_KNOWN {
            self.known = Valuation::new();
        }
        let Self { model, known } = self;
        let mut value = |var: Var| {
            let zero = || terms.zero(terms.var_sort(var));
            model.values.entry(var).or_insert_with(zero).clone()
        };
        // The last formulas come first: earlier models have not been asked about these yet.
        for formula in formulas.iter().rev() {
            if let Some(reason) = limits.exceeded() {
                return Err(reason.into());
            }
            if known.eval(terms, *formula, &mut value) != Value::Bool(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The questions to SAT of one check.
struct Rounds {
    /// The literals that are assumed: for what is asserted, for the assumptions, then `omitted`.
    literals: Vec<Lit>,
    /// How many of the literals are for what is asserted.
    scopes: usize,
    /// Parts of the search space about which nothing is known are left out by assuming these literals: an Unsat that
    /// needs one of these literals is no answer.
    omitted: Vec<Lit>,
    /// The limits that are left: conflicts of all rounds count together.
    limits: Budget,
}

impl Rounds {
    /// Takes conflicts off the limits, and says which limit is exceeded if one is.
    fn spend(&mut self, conflicts: u64) -> Result<(), Reason> {
        if let Some(left) = self.limits.conflicts() {
            let left = left.saturating_sub(conflicts);
            if left == 0 {
                return Err(Reason::Conflicts);
            }
            self.limits = self.limits.with_conflicts(left);
        }
        Ok(self.limits.check()?)
    }
}

/// What came of one question to SAT.
enum Round {
    /// Lemmas were added, and SAT is asked again.
    Again,
    /// A model that the theories have nothing against.
    Model(Relevant),
    /// The answer of the check.
    Done(Answer),
}

enum Last {
    Nothing,
    Sat(Model),
    Unsat(Vec<TermId>),
}

/// How many models are tried on a new check.
const MODELS: usize = 8;

/// How many values of terms are kept for each model.
const MOST_KNOWN: usize = 1 << 17;

/// After this many checks in a row that no earlier model has answered, models are tried on few checks only: evaluating
/// large formulas under every model costs more than the layer in front of SAT.
const FRUITLESS: u32 = 64;

/// After [`FRUITLESS`] such checks, models are tried on only one of this many checks.
const SELDOM: u64 = 16;

/// An instance is begun anew when it is this many times as large as the present formulas need: the SAT solver gives a
/// value to every variable that it has.
const GROWTH: usize = 4;

/// How many assignments may remain unclear before the answer of the check is Unknown.
const OMITTED: usize = 8;

/// A small instance is not worth beginning anew.
const SMALL: usize = 4_000;

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
            table: None,
            scopes: vec![Scope::default()],
            instance: Instance::new(),
            answers: FxHashMap::default(),
            models: Vec::new(),
            fruitless: 0,
            front: Some(Front::default()),
            last: Last::Nothing,
            statistics: Statistics::default(),
        }
    }

    /// A solver that leaves everything to SAT, to compare with.
    #[cfg(test)]
    pub(crate) fn without_front() -> Self {
        Self { front: None, ..Self::new() }
    }

    /// All that is asserted, in order.
    fn formulas(&self) -> impl Iterator<Item = &TermId> {
        self.scopes.iter().flat_map(|scope| &scope.formulas)
    }

    /// An earlier model that satisfies all formulas; variables that it lacks are zero.
    fn try_models(&mut self, terms: &Terms, formulas: &[TermId], limits: &Budget) -> Option<Model> {
        if self.fruitless >= FRUITLESS && !self.statistics.checks.is_multiple_of(SELDOM) {
            return None;
        }
        self.fruitless = self.fruitless.saturating_add(1);
        for tried in self.models.iter_mut().rev() {
            if tried.satisfies(terms, formulas, limits).ok()? {
                self.fruitless = 0;
                return Some(tried.model.clone());
            }
        }
        None
    }

    /// The answer of the layer in front of SAT, if it has one. Its models count only if the
    /// formulas are true in them.
    fn propagate(
        &mut self,
        terms: &Terms,
        asserted: &[TermId],
        assumptions: &[TermId],
        formulas: &[TermId],
        limits: &Budget,
    ) -> Option<Answer> {
        match self.front.as_mut()?.check(terms, asserted, assumptions, limits) {
            Outcome::Unsat(core) => {
                self.last = Last::Unsat(core);
                Some(Answer::Unsat)
            }
            Outcome::Candidate(values) => {
                let mut tried = Tried { model: Model { values }, known: Valuation::new() };
                match tried.satisfies(terms, formulas, limits) {
                    Ok(true) => {
                        self.last = Last::Sat(tried.model);
                        Some(Answer::Sat)
                    }
                    Ok(false) | Err(_) => None,
                }
            }
            Outcome::Unknown => None,
        }
    }

    /// The answer of SAT, which is asked again with lemmas of the theories until a model or an Unsat is certain.
    fn solve(
        &mut self,
        terms: &Terms,
        asserted: &[TermId],
        assumptions: &[TermId],
        limits: &Budget,
    ) -> Answer {
        let roots: Vec<TermId> = self.formulas().chain(assumptions).copied().collect();
        self.renew(terms, &roots);
        self.instance.blaster.gates.limits = limits.clone();
        let mut rounds = match self.load(terms, assumptions) {
            Ok((literals, scopes)) => {
                Rounds { literals, scopes, omitted: Vec::new(), limits: limits.clone() }
            }
            Err(what) => return Answer::Unknown(self.instance.blaster.reason(what)),
        };
        if let Err(what) = self.instance.add_identities(terms, &roots) {
            return Answer::Unknown(self.instance.blaster.reason(what));
        }
        let relevant = loop {
            match self.round(terms, asserted, assumptions, &roots, &mut rounds) {
                Round::Again => {}
                Round::Model(relevant) => break relevant,
                Round::Done(answer) => return answer,
            }
        };
        match self.try_values(terms, asserted, assumptions, &relevant, &rounds.limits) {
            Ok(true) => Answer::Sat,
            // A SAT model in which the terms themselves are not true is an error of this solver, never an answer.
            Ok(false) => Answer::Unknown(Reason::Failed(
                "its model does not satisfy the formulas".to_owned(),
            )),
            Err(reason) => Answer::Unknown(reason),
        }
    }

    /// Begins the instance anew if it has grown too large, or was left in the middle of a circuit.
    fn renew(&mut self, terms: &Terms, roots: &[TermId]) {
        let broken = self.instance.blaster.gates.over().is_some();
        if broken || self.instance.outgrown(terms, roots) {
            self.instance = Instance::new();
            for scope in &mut self.scopes {
                scope.loaded = None;
            }
        }
    }

    /// The literals of what is asserted, then the literals of the assumptions; and how many literals are for what is
    /// asserted.
    fn load(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
    ) -> Result<(Vec<Lit>, usize), Missing> {
        let mut literals = self.load_scopes(terms)?;
        let scopes = literals.len();
        for formula in assumptions {
            literals.push(self.instance.literal(terms, *formula)?);
        }
        Ok((literals, scopes))
    }

    /// Asks SAT once, and the theories about its model.
    fn round(
        &mut self,
        terms: &Terms,
        asserted: &[TermId],
        assumptions: &[TermId],
        roots: &[TermId],
        rounds: &mut Rounds,
    ) -> Round {
        let answer = self.instance.blaster.gates.sat.solve(&rounds.literals, &rounds.limits);
        let mut conflicts = self.instance.blaster.gates.sat.conflicts();
        self.statistics.conflicts += conflicts;
        match answer {
            Answer::Unsat => return Round::Done(self.unsat(assumptions, rounds)),
            Answer::Unknown(reason) => return Round::Done(Answer::Unknown(reason)),
            Answer::Sat => {}
        }
        let Instance { blaster, marks, .. } = &mut self.instance;
        match theories::refine(terms, blaster, marks, roots, &rounds.limits) {
            Ok(Refined::Model(relevant)) => return Round::Model(relevant),
            Ok(Refined::Operations(wrong)) => {
                self.statistics.operations += wrong;
                // The values of the variables may satisfy the formulas, although operations have wrong results in the
                // SAT model.
                let nothing = Relevant::default();
                if blaster.arithmetic.is_empty()
                    && self.try_values(terms, asserted, assumptions, &nothing, &rounds.limits)
                        == Ok(true)
                {
                    return Round::Done(Answer::Sat);
                }
            }
            Ok(Refined::Arrays(lemmas)) => self.statistics.lemmas += lemmas,
            Ok(Refined::Arithmetic(lemmas)) => {
                self.statistics.arithmetic += lemmas;
                conflicts += lemmas;
            }
            Ok(Refined::Unclear(reasons)) => {
                if rounds.omitted.len() == OMITTED {
                    return Round::Done(Answer::Unknown(Reason::Conflicts));
                }
                let omit = blaster.gates.sat.fresh();
                let clause = reasons.into_iter().chain([omit]).map(|reason| !reason);
                blaster.gates.sat.clause(&clause.collect::<Vec<Lit>>());
                rounds.literals.push(omit);
                rounds.omitted.push(omit);
            }
            Err(reason) => return Round::Done(Answer::Unknown(reason)),
        }
        match rounds.spend(conflicts) {
            Ok(()) => Round::Again,
            Err(reason) => Round::Done(Answer::Unknown(reason)),
        }
    }

    /// What an Unsat of SAT means: the answer is Unknown if the Unsat needs a literal that leaves something out.
    fn unsat(&mut self, assumptions: &[TermId], rounds: &Rounds) -> Answer {
        let core = self.instance.blaster.gates.sat.core();
        if rounds.omitted.iter().any(|omitted| core.contains(omitted)) {
            return Answer::Unknown(Reason::Conflicts);
        }
        let responsible = assumptions
            .iter()
            .zip(&rounds.literals[rounds.scopes..])
            .filter(|(_, literal)| core.contains(literal));
        self.last = Last::Unsat(responsible.map(|(term, _)| *term).collect());
        Answer::Unsat
    }

    /// Whether the formulas are true for the values that the SAT model gives to the variables; if so, these values
    /// become the model.
    fn try_values(
        &mut self,
        terms: &Terms,
        asserted: &[TermId],
        assumptions: &[TermId],
        relevant: &Relevant,
        limits: &Budget,
    ) -> Result<bool, Reason> {
        let blaster = &self.instance.blaster;
        let mut model = Model { values: blaster.model().into_iter().collect() };
        model.values.extend(arrays::model(terms, blaster, relevant));
        let formulas: Vec<TermId> = asserted.iter().chain(assumptions).copied().collect();
        let mut tried = Tried { model, known: Valuation::new() };
        let satisfied = tried.satisfies(terms, &formulas, limits)?;
        if satisfied {
            self.last = Last::Sat(tried.model);
        }
        Ok(satisfied)
    }

    /// Brings the asserted formulas into the instance; the literals switch the scopes on.
    fn load_scopes(&mut self, terms: &Terms) -> Result<Vec<Lit>, Missing> {
        let mut literals = Vec::with_capacity(self.scopes.len());
        for scope in &mut self.scopes {
            let instance = &mut self.instance;
            let (switch, loaded) = match scope.loaded {
                Some(loaded) => loaded,
                None => (instance.blaster.gates.sat.fresh(), 0),
            };
            for formula in &scope.formulas[loaded..] {
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
                self.models.push(Tried { model: model.clone(), known: Valuation::new() });
                self.answers.insert(key, KnownAnswer::Sat(model.clone()));
            }
            Last::Unsat(core) => {
                self.answers.insert(key, KnownAnswer::Unsat(core.clone()));
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
            marks: Marks::default(),
            identities: Identities::default(),
            looked: 0,
        }
    }

    /// Whether most of the instance is about formulas that are no longer asked about.
    fn outgrown(&mut self, terms: &Terms, roots: &[TermId]) -> bool {
        let grown = self.blaster.gates.sat.cost();
        if grown < SMALL || grown < self.looked + self.looked / 4 {
            return false;
        }
        self.looked = grown;
        grown > GROWTH * self.blaster.cost(terms, roots)
    }

    /// Adds what is known of equations between polynomials.
    fn add_identities(&mut self, terms: &Terms, roots: &[TermId]) -> Result<(), String> {
        for lemma in self.identities.lemmas(terms, roots) {
            let mut clause = vec![self.blaster.literal(terms, lemma.equation)?];
            for (premise, value) in lemma.premises {
                let literal = self.blaster.literal(terms, premise)?;
                clause.push(if value { !literal } else { literal });
            }
            if let Some((a, b)) = lemma.same {
                clause.push(!self.blaster.same(terms, a, b)?);
            }
            self.blaster.gates.sat.clause(&clause);
        }
        Ok(())
    }

    fn literal(&mut self, terms: &Terms, formula: TermId) -> Result<Lit, String> {
        if let Some(literal) = self.literals.get(&formula) {
            return Ok(*literal);
        }
        let literal = self.blaster.literal(terms, formula)?;
        self.literals.insert(formula, literal);
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
        // Conjuncts are asserted one by one, so that their circuits are shared with other formulas.
        match terms.view(formula) {
            View::App(Op::And, parts) => scope.formulas.extend_from_slice(parts),
            _ => scope.formulas.push(formula),
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId], limits: &Budget) -> Answer {
        let table = *self.table.get_or_insert(terms.identity());
        assert_eq!(table, terms.identity(), "all formulas of a solver are terms of one table");
        self.statistics.checks += 1;
        let mut asserted: Vec<TermId> = self.formulas().copied().collect();
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
                KnownAnswer::Sat(model) => (Last::Sat(model), Answer::Sat),
                KnownAnswer::Unsat(core) => (Last::Unsat(core), Answer::Unsat),
            };
            self.last = last;
            return answer;
        }
        self.last = Last::Nothing;
        if let Some(reason) = limits.exceeded() {
            return Answer::Unknown(reason.into());
        }
        let formulas: Vec<TermId> = asserted.iter().chain(assumptions).copied().collect();
        if let Some(model) = self.try_models(terms, &formulas, limits) {
            self.statistics.remodelled += 1;
            self.last = Last::Sat(model);
            self.remember(key);
            return Answer::Sat;
        }
        if let Some(answer) = self.propagate(terms, &asserted, assumptions, &formulas, limits) {
            self.statistics.propagated += 1;
            self.remember(key);
            return answer;
        }
        self.statistics.solved += 1;
        let answer = self.solve(terms, &asserted, assumptions, limits);
        self.remember(key);
        answer
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

impl Models for Builtin {
    fn value(&mut self, terms: &Terms, var: Var) -> Value {
        let Last::Sat(model) = &self.last else { panic!("the last check did not answer Sat") };
        model.values.get(&var).cloned().unwrap_or_else(|| terms.zero(terms.var_sort(var)))
    }
}

impl Cores for Builtin {
    fn core(&self) -> &[TermId] {
        let Last::Unsat(core) = &self.last else { panic!("the last check did not answer Unsat") };
        core
    }
}
