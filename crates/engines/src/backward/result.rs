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
use super::fixpoint::{Fixpoint, State};
use super::system::{TransitionSystem, reached};
use super::{Direction, Method};
use run::Verdict;

/// Comparisons of wider words are no better than those of integers.
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
    /// How many predicates the proof needs, if somebody looked.
    pub needed: Option<usize>,
}

/// The predicates of one location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name.
    pub location: String,
    /// How many of them the fixpoint has there.
    pub used: usize,
    /// How many there are, those of unsafe states included.
    pub generated: usize,
}

/// A state of a fixpoint or a trace, for reading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Its number, from one.
    pub number: usize,
    /// The step at which it was found.
    pub level: u32,
    /// The name of its location.
    pub location: String,
    /// The conjunction.
    pub text: String,
    /// The number of the command, which is that of its edge from one, and the number of the state
    /// that it leads to.
    pub next: Option<(usize, usize)>,
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
    /// The same in concrete states.
    pub concrete_trace: Vec<Shown>,
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
    /// Those that are there because the fixpoint says so, and that people are told.
    pub told: Vec<(LocId, TermId)>,
    /// Those of them that can be said by comparing signed words with constants.
    pub words: Vec<(LocId, TermId)>,
    /// The program that `list` and `words` are about, if it is not the one that was given.
    pub program: Option<Box<Program>>,
}

impl Report {
    /// Says the commands by other numbers: those of the edges that their edges stand for, and zero
    /// for those that stand for none.
    pub fn renumber(&mut self, stands_for: &dyn Fn(EdgeId) -> Option<EdgeId>) {
        let lists = [&mut self.fixpoint, &mut self.abstract_trace, &mut self.concrete_trace];
        for (command, _) in lists.into_iter().flatten().filter_map(|shown| shown.next.as_mut()) {
            let edge = command.checked_sub(1).and_then(|edge| stands_for(EdgeId::from_index(edge)));
            *command = edge.map_or(0, |edge| edge.index() + 1);
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
        // So is the concrete fixpoint over atoms of its own.
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
    pub(super) fn report(&self, verdict: &Verdict) -> Report {
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
        report.invariants = safe.then(|| self.invariants());
        report
    }

    /// The number of the edge that a command stands for.
    fn command(&self, rule: usize) -> usize {
        self.engine.system.rules[rule].edge.index() + 1
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
        Shown {
            number: index + 1,
            level: state.level,
            location: self.name(state.location),
            text: conjunction_text(&self.engine.atoms, &state.conjunction, self.engine.system),
            next: state.next.map(|(rule, next)| (self.command(rule), next + 1)),
        }
    }

    /// The invariants that the last fixpoint stands for.
    fn invariants(&self) -> Invariants {
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
            // Where no edge leads, nothing is to be said, and nothing is kept.
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
            let any = self.any(&mut terms, states, &mut |terms, atom| Some(self.term(terms, atom)));
            let holds = any.map(|any| if forward { any } else { terms.not(any) });
            list.extend(holds.map(|holds| (location, holds)));
            told.extend(holds.map(|holds| (location, holds)));
            let any = self.any(&mut terms, states, &mut |terms, atom| self.word(terms, atom));
            words.extend(any.map(|any| (location, if forward { any } else { terms.not(any) })));
        }
        Invariants { terms, list, told, words, program: None }
    }

    /// That one of the states holds, if every atom of theirs can be written.
    fn any(
        &self,
        terms: &mut Terms,
        states: &[&State],
        write: &mut dyn FnMut(&mut Terms, AtomId) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut parts = Vec::new();
        for state in states {
            let atoms = state.conjunction.iter();
            let written: Option<Vec<TermId>> = atoms.map(|atom| write(terms, *atom)).collect();
            parts.push(terms.and(&written?));
        }
        Some(terms.or(&parts))
    }

    /// An atom that compares a signed word with a constant, as a comparison of words. Sums of words
    /// would wrap around where those of the atom do not.
    fn word(&self, terms: &mut Terms, id: AtomId) -> Option<TermId> {
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
        Some(match atom.relation {
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
    fn wide(&self, terms: &mut Terms, id: AtomId) -> Option<TermId> {
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
        // Room for the sum and its sign; words have few bits.
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
        Some(match atom.relation {
            Relation::Le => terms.bv_sle(sum, constant),
            Relation::Lt => terms.bv_slt(sum, constant),
            Relation::Ge => terms.bv_sle(constant, sum),
            Relation::Gt => terms.bv_slt(constant, sum),
            Relation::Eq => terms.eq(sum, constant),
            Relation::Ne => terms.ne(sum, constant),
        })
    }

    /// An atom as a term of the program.
    fn term(&self, terms: &mut Terms, id: AtomId) -> TermId {
        if let Some(wide) = self.wide(terms, id) {
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
        match atom.relation {
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
