//! What a run found, as data: figures, predicates, the fixpoint, traces, invariants.

use std::collections::{BTreeMap, BTreeSet};

use base::Id as _;
use cfa::{EdgeId, LocId, Program, Reading};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashSet;
use term::{Bv, Op, Sort, TermId, Terms};

use super::atom::{AtomId, Atoms, Relation};
use super::concrete::Concrete;
use super::fixpoint::{Fixpoint, State};
use super::simplify::simplify;
use super::system::{TransitionSystem, reached};
use super::{Direction, Method};
use run::Verdict;

/// Comparisons of words that are wider than this are no better for a solver than comparisons of integers.
const MAX_WIDTH: u32 = 256;

/// The figures of the thesis' Table 6.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// The transitions of the program, whether they can matter or not: `C`.
    pub commands: usize,
    /// The variables of the state: `V`.
    pub variables: usize,
    /// Refinements: `R`.
    pub refinements: u32,
    /// Steps of the last fixpoint iteration that found something: `I`.
    pub steps: u32,
    /// Different predicates in the last fixpoint: `P`.
    pub used: usize,
    /// Predicates that were generated: `G`.
    pub generated: usize,
    /// How many predicates the proof needs, if predicates were minimised.
    pub needed: Option<usize>,
}

/// The predicates of one location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The name of the location.
    pub location: String,
    /// How many of the predicates the fixpoint has at the location.
    pub used: usize,
    /// How many predicates there are at the location, atoms of unsafe states included.
    pub generated: usize,
}

/// A state of a fixpoint or a trace, for reading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The number of the state, from one.
    pub number: usize,
    /// The step at which the state was found.
    pub level: u32,
    /// The name of the location of the state.
    pub location: String,
    /// The conjunction.
    pub text: String,
    /// What the command is called that leads on, and the number of the state that it leads to.
    pub next: Option<(String, usize)>,
    /// The edge of the command.
    edge: Option<EdgeId>,
    /// The name that the source has for the unsafe states, if this state is one of them.
    pub error: Option<String>,
}

/// What a command is called: the source's own name, or else the number of its edge, from one.
fn command(program: &Program, edge: Option<EdgeId>) -> String {
    let number = |edge: EdgeId| (edge.index() + 1).to_string();
    let name = |edge: EdgeId| program.cfa.edges[edge].name.as_deref().map(ToOwned::to_owned);
    edge.map_or_else(|| "-".to_owned(), |edge| name(edge).unwrap_or_else(|| number(edge)))
}

/// An iteration of the method: a fixpoint, and what it led to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Iteration {
    /// The predicates that this iteration has and the iteration before has not.
    pub added: Vec<String>,
    /// The states of the abstract fixpoint.
    pub fixpoint: Vec<Shown>,
    /// The steps of the fixpoint.
    pub steps: u32,
    /// Whether the fixpoint reaches the start.
    pub reaches_start: bool,
    /// If the concrete predecessors were looked at: how many steps were made, how many states were found, and whether
    /// these are all concrete predecessors.
    pub concrete: Option<(u32, usize, bool)>,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The figures.
    pub figures: Figures,
    /// The predicates by location, if they are kept apart; all under one empty name otherwise.
    pub atoms: Vec<(String, Vec<String>)>,
    /// Where predicates are used.
    pub rows: Vec<Row>,
    /// The last fixpoint, or as much of it as was computed.
    pub fixpoint: Vec<Shown>,
    /// From the start to an unsafe state, if the last fixpoint has it: an abstract trace.
    pub abstract_trace: Vec<Shown>,
    /// The abstract trace in concrete states.
    pub concrete_trace: Vec<Shown>,
    /// Each iteration, if they were asked for.
    pub iterations: Vec<Iteration>,
    /// All concrete states that were found, if they were asked for.
    pub concrete: Vec<Shown>,
    /// The invariants, if the program is safe.
    pub invariants: Option<Invariants>,
}

/// An invariant for each location that has one other than truth.
#[derive(Clone)]
pub struct Invariants {
    /// The table of the terms below: the program's own, and more.
    pub terms: Terms,
    /// Locations, and what holds whenever one is passed.
    pub list: Vec<(LocId, TermId)>,
    /// The invariants that the states of the fixpoint give, in a simpler form for people.
    pub told: Vec<(LocId, TermId)>,
    /// The invariants of `told` that can be said by comparing signed words with constants.
    pub words: Vec<(LocId, TermId)>,
    /// The program that `list` and `words` are about, if it is not the one that was given.
    pub program: Option<Box<Program>>,
}

impl Report {
    /// Gives the commands other names: those of edges of another program. `stands_for` says for which edge of that
    /// program the edge of a command stands.
    pub fn rename(&mut self, program: &Program, stands_for: &dyn Fn(EdgeId) -> Option<EdgeId>) {
        let lists = [
            &mut self.fixpoint,
            &mut self.abstract_trace,
            &mut self.concrete_trace,
            &mut self.concrete,
        ];
        let iterations = self.iterations.iter_mut().map(|each| &mut each.fixpoint);
        for shown in lists.into_iter().chain(iterations).flatten() {
            shown.edge = shown.edge.and_then(stands_for);
            if let Some((name, _)) = &mut shown.next {
                *name = command(program, shown.edge);
            }
        }
    }
}

impl std::fmt::Debug for Invariants {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.list).finish()
    }
}

impl Method<'_> {
    /// The figures as they are now.
    pub(super) fn figures(&self) -> Figures {
        let named = |var: &&term::Var| self.program.cfa.variables[**var].source_name.is_some();
        let used = self.last.atoms();
        // A fixpoint is over the predicates and the atoms of the unsafe states.
        let mut generated: BTreeSet<AtomId> =
            self.predicates.atoms(self.predicates.all()).into_iter().collect();
        for error in &self.engine.system.errors {
            generated.extend(&error.conjunction);
        }
        // A concrete fixpoint also has atoms that are no predicates.
        generated.extend(&used);
        let variables = self.engine.system.variables.iter();
        let named = variables.clone().filter(named).count();
        Figures {
            commands: self.engine.system.commands,
            variables: if named == 0 { variables.len() } else { named },
            refinements: self.refinements,
            steps: self.last.steps,
            used: used.len(),
            generated: generated.len(),
            needed: None,
        }
    }

    /// What the run found.
    pub(super) fn report(&mut self, verdict: &Verdict) -> Report {
        let safe = matches!(verdict, Verdict::Safe(_));
        let figures =
            Figures { needed: self.needed, ..self.proved.unwrap_or_else(|| self.figures()) };
        let mut report = Report { figures, rows: self.rows(), ..Report::default() };
        report.atoms = self.atoms();
        let states = 0..self.last.states.len();
        report.fixpoint = states.map(|index| self.shown(&self.last, index)).collect();
        if let Some(init) = self.last.init {
            let path = self.last.path(init).into_iter();
            report.abstract_trace = path.map(|index| self.shown(&self.last, index)).collect();
            if self.options.direction == Direction::Forward {
                report.abstract_trace.reverse();
            }
        }
        let found = &self.concrete.found;
        if let (Verdict::Unsafe(_), Some(start)) = (verdict, self.confirmed) {
            let path = found.path(start).into_iter();
            report.concrete_trace = path.map(|index| self.shown(found, index)).collect();
        }
        if self.options.record {
            let states = 0..found.states.len();
            report.concrete = states.map(|index| self.shown(found, index)).collect();
        }
        report.iterations = std::mem::take(&mut self.iterations);
        report.invariants = safe.then(|| self.invariants());
        report
    }

    /// Keeps the last abstract fixpoint, if all iterations are to be kept.
    pub(super) fn record(&mut self) {
        if !self.options.record {
            return;
        }
        let predicates = self.predicates.all().iter();
        let new: Vec<usize> = predicates.filter(|number| self.recorded.insert(*number)).collect();
        let show = |number: usize| {
            self.engine.atoms.show(self.predicates.atom(number), &self.engine.system.names)
        };
        let states = 0..self.last.states.len();
        self.iterations.push(Iteration {
            added: new.into_iter().map(show).collect(),
            fixpoint: states.map(|index| self.shown(&self.last, index)).collect(),
            steps: self.last.steps,
            reaches_start: self.last.init.is_some(),
            concrete: None,
        });
    }

    /// Keeps how far the concrete predecessors were followed in the last iteration.
    pub(super) fn record_concrete(&mut self) {
        if let Some(last) = self.iterations.last_mut() {
            let Concrete { found, complete, .. } = &self.concrete;
            last.concrete = Some((found.steps, found.states.len(), *complete));
        }
    }

    fn name(&self, location: LocId) -> String {
        TransitionSystem::location(self.program, location)
    }

    fn rows(&self) -> Vec<Row> {
        let mut used: BTreeMap<LocId, BTreeSet<AtomId>> = BTreeMap::new();
        for state in &self.last.states {
            used.entry(state.location).or_default().extend(&state.conjunction);
        }
        used.iter()
            .map(|(location, used)| {
                let mut all = used.clone();
                all.extend(self.predicates.atoms(&self.predicates.at(*location)));
                Row { location: self.name(*location), used: used.len(), generated: all.len() }
            })
            .collect()
    }

    fn atoms(&self) -> Vec<(String, Vec<String>)> {
        let show = |bits: &super::bits::Bits| {
            let atoms = self.predicates.atoms(bits).into_iter();
            atoms.map(|atom| self.engine.atoms.show(atom, &self.engine.system.names)).collect()
        };
        if !self.options.local {
            return vec![(String::new(), show(self.predicates.all()))];
        }
        let locations: BTreeSet<LocId> =
            self.engine.system.rules.iter().flat_map(|rule| [rule.source, rule.target]).collect();
        let at = |location: LocId| (self.name(location), show(&self.predicates.at(location)));
        locations.into_iter().map(at).filter(|(_, atoms): &(_, Vec<_>)| !atoms.is_empty()).collect()
    }

    fn shown(&self, found: &Fixpoint, index: usize) -> Shown {
        let state = &found.states[index];
        let system = self.engine.system;
        let edge = state.next.map(|(rule, _)| system.rules[rule].edge);
        Shown {
            number: index + 1,
            level: state.level,
            location: self.name(state.location),
            text: conjunction_text(&self.engine.atoms, &state.conjunction, system),
            next: state.next.map(|(_, next)| (command(self.program, edge), next + 1)),
            edge,
            error: state.error.and_then(|error| {
                let target = self.program.cfa.edges[system.errors[error].edge?].target;
                self.program.cfa.locations[target].name.as_deref().map(ToOwned::to_owned)
            }),
        }
    }

    /// The invariants that the last fixpoint stands for.
    fn invariants(&mut self) -> Invariants {
        let simpler = self.simpler();
        let system = self.engine.system;
        let forward = self.options.direction == Direction::Forward && !self.by_concrete;
        let mut terms = self.program.terms.clone();
        let mut list = Vec::new();
        let (mut told, mut words) = (Vec::new(), Vec::new());
        let mut at: BTreeMap<LocId, Vec<&State>> = BTreeMap::new();
        for state in self.last.states.iter().filter(|state| !state.covered) {
            at.entry(state.location).or_default().push(state);
        }
        let errors: FxHashSet<LocId> = self.program.cfa.errors().collect();
        let known: FxHashSet<LocId> =
            system.rules.iter().flat_map(|rule| [rule.source, rule.target]).collect();
        let reached = reached(self.program, system.init);
        for location in self.program.cfa.locations.ids() {
            // No execution gets to a location to which no edges lead. People need not be told this, so only `list`
            // says it.
            if !reached.contains(&location) {
                list.push((location, terms.bool(false)));
                continue;
            }
            let states = at.get(&location).map(Vec::as_slice).unwrap_or_default();
            if errors.contains(&location)
                || (forward && states.is_empty() && known.contains(&location))
            {
                list.push((location, terms.bool(false)));
                continue;
            }
            if states.is_empty() {
                continue;
            }
            let plain: Vec<&[AtomId]> = states.iter().map(|state| &state.conjunction[..]).collect();
            let mut term = |terms: &mut Terms, atom: AtomId, relation: Relation| {
                Some(self.term(terms, atom, relation))
            };
            let holds = self.written(&mut terms, &plain, forward, &mut term);
            list.extend(holds.map(|holds| (location, holds)));
            let simple: Vec<&[AtomId]> = match simpler.get(&location) {
                Some(states) => states.iter().map(|state| &state[..]).collect(),
                None => plain,
            };
            let holds = self.written(&mut terms, &simple, forward, &mut term);
            told.extend(holds.map(|holds| (location, holds)));
            let mut word = |terms: &mut Terms, atom: AtomId, relation: Relation| {
                self.word(terms, atom, relation)
            };
            let holds = self.written(&mut terms, &simple, forward, &mut word);
            words.extend(holds.map(|holds| (location, holds)));
        }
        Invariants { terms, list, told, words, program: None }
    }

    /// The states of the last fixpoint in as few words as can be found, by location. If a limit is passed, the
    /// locations that are left are missing.
    fn simpler(&mut self) -> BTreeMap<LocId, Vec<Vec<AtomId>>> {
        let mut at: BTreeMap<LocId, Vec<Vec<AtomId>>> = BTreeMap::new();
        for state in self.last.states.iter().filter(|state| !state.covered) {
            at.entry(state.location).or_default().push(state.conjunction.clone());
        }
        let budget = &self.engine.run.budget;
        let mut simpler = BTreeMap::new();
        for (location, states) in at {
            match simplify(&mut self.engine.atoms, states, budget) {
                Ok(states) => _ = simpler.insert(location, states),
                Err(_) => break,
            }
        }
        simpler
    }

    /// The formula that one of the states holds, or that none does, if every atom of these states can be written.
    fn written(
        &self,
        terms: &mut Terms,
        states: &[&[AtomId]],
        holds: bool,
        write: &mut dyn FnMut(&mut Terms, AtomId, Relation) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut parts = Vec::new();
        for state in states {
            let mut atoms = Vec::new();
            for atom in *state {
                let relation = self.engine.atoms.atom(*atom).relation;
                let relation = if holds { relation } else { relation.negated() };
                atoms.push(write(terms, *atom, relation)?);
            }
            parts.push(if holds { terms.and(&atoms) } else { terms.or(&atoms) });
        }
        Some(if holds { terms.or(&parts) } else { terms.and(&parts) })
    }

    /// An atom that compares a signed word with a constant, with this relation, as a comparison of words. Sums of words
    /// would wrap around where those of the atom do not.
    fn word(&self, terms: &mut Terms, id: AtomId, relation: Relation) -> Option<TermId> {
        let atoms = &self.engine.atoms;
        let atom = atoms.atom(id);
        let [(place, factor)] = atoms.form(atom.form) else { return None };
        let var = self.engine.system.variables[*place as usize];
        if *factor != BigInt::from(1)
            || self.program.cfa.variables[var].reading != Reading::Signed
            || !atom.constant.is_integer()
        {
            return None;
        }
        let Sort::Bv(width) = terms.var_sort(var) else { return None };
        let number = i128::try_from(atom.constant.to_integer()).ok()?;
        let bits = Bv::from_signed(width, number);
        if bits.to_i128() != Some(number) {
            return None;
        }
        let (value, constant) = (terms.var(var), terms.bv_value(bits));
        Some(match relation {
            Relation::Le => terms.bv_sle(value, constant),
            Relation::Lt => terms.bv_slt(value, constant),
            Relation::Ge => terms.bv_sle(constant, value),
            Relation::Gt => terms.bv_slt(constant, value),
            Relation::Eq => terms.eq(value, constant),
            Relation::Ne => terms.ne(value, constant),
        })
    }

    /// An atom over words, as a comparison of words that are so wide that no sum wraps around: solvers
    /// see through these better than through integers that are made of words.
    fn wide(&self, terms: &mut Terms, id: AtomId, relation: Relation) -> Option<TermId> {
        let atoms = &self.engine.atoms;
        let atom = atoms.atom(id);
        if !atom.constant.is_integer() {
            return None;
        }
        let constant = atom.constant.to_integer();
        let form = atoms.form(atom.form);
        let mut greatest = constant.abs();
        for (place, factor) in form {
            let var = self.engine.system.variables[*place as usize];
            let Sort::Bv(width) = terms.var_sort(var) else { return None };
            greatest += factor.abs() << (width - 1);
        }
        // The word has room for the sum and its sign. The cast is exact, since words have few bits.
        let width = u32::try_from(greatest.bits()).ok().filter(|bits| *bits < MAX_WIDTH)? + 2;
        let number = |terms: &mut Terms, number: &BigInt| {
            let size = terms.bv_value(Bv::from_biguint(width, number.magnitude()));
            if number.is_negative() { terms.bv_neg(size) } else { size }
        };
        let mut sum = number(terms, &BigInt::zero());
        for (place, factor) in form {
            let value = terms.var(self.engine.system.variables[*place as usize]);
            let value = terms.bv_sign_extend(width, value);
            let factor = number(terms, factor);
            let product = terms.bv_mul(value, factor);
            sum = terms.bv_add(sum, product);
        }
        let constant = number(terms, &constant);
        Some(match relation {
            Relation::Le => terms.bv_sle(sum, constant),
            Relation::Lt => terms.bv_slt(sum, constant),
            Relation::Ge => terms.bv_sle(constant, sum),
            Relation::Gt => terms.bv_slt(constant, sum),
            Relation::Eq => terms.eq(sum, constant),
            Relation::Ne => terms.ne(sum, constant),
        })
    }

    /// An atom as a term of the program, with this relation.
    fn term(&self, terms: &mut Terms, id: AtomId, relation: Relation) -> TermId {
        if let Some(wide) = self.wide(terms, id, relation) {
            return wide;
        }
        let atoms = &self.engine.atoms;
        let atom = atoms.atom(id);
        let variables = &self.engine.system.variables;
        let rational =
            atoms.places(id).any(|place| terms.var_sort(variables[place as usize]) == Sort::Rat);
        let number = |terms: &mut Terms, number: &BigRational| {
            if rational { terms.rat(number.clone()) } else { terms.int(number.to_integer()) }
        };
        let mut sum = number(terms, &BigRational::zero());
        for (place, factor) in atoms.form(atom.form) {
            let var = variables[*place as usize];
            let mut value = terms.var(var);
            if terms.var_sort(var) == Sort::Bool {
                let (one, zero) = (terms.int(1), terms.int(0));
                value = terms.ite(value, one, zero);
            }
            if matches!(terms.var_sort(var), Sort::Bv(_)) {
                value = terms.app(Op::BvToIntSigned, &[value]);
            }
            if rational && terms.var_sort(var) != Sort::Rat {
                value = terms.app(Op::ToRat, &[value]);
            }
            let factor = number(terms, &BigRational::from_integer(factor.clone()));
            let product = terms.mul(factor, value);
            sum = terms.add(sum, product);
        }
        let constant = number(terms, &atom.constant);
        match relation {
            Relation::Le => terms.app(Op::Le, &[sum, constant]),
            Relation::Lt => terms.app(Op::Lt, &[sum, constant]),
            Relation::Ge => terms.app(Op::Le, &[constant, sum]),
            Relation::Gt => terms.app(Op::Lt, &[constant, sum]),
            Relation::Eq => terms.eq(sum, constant),
            Relation::Ne => terms.ne(sum, constant),
        }
    }
}

fn conjunction_text(atoms: &Atoms, conjunction: &[AtomId], system: &TransitionSystem) -> String {
    if conjunction.is_empty() {
        return "1".to_owned();
    }
    let parts: Vec<String> =
        conjunction.iter().map(|atom| atoms.show(*atom, &system.names)).collect();
    parts.join(" && ")
}
