//! The check: from the start and from every entry, all executions are followed to the next cut; or from the
//! start alone, with loops by their rounds (see `rounds`); or each function by itself, with calls by what is
//! claimed of functions (see `functions`).
//!
//! The checker is the state of one check. `execute`, `address`, `apart`, `rounds`, `functions` and `state` give it
//! further methods, which it calls on every step. So these files know each other.

use std::collections::BTreeMap;
use std::rc::Rc;

use cfa::{EdgeId, LocId, Op, Program, Scope};
use run::{Budget, Certificate, Entry, LoopClaim, Place, Slot, StackId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Solver};
use term::{Sort, TermId, Terms, Var};

use crate::apart::Begun;
use crate::execute::Taken;
use crate::functions::{FunctionClaims, Role};
use crate::guard::Guard;
use crate::memory::Memory;
use crate::place::{Key, Map};
use crate::rounds::Round;
use crate::state::{State, Which};
use crate::{Certified, Checked};

/// How many places are passed from one cut to the next, at most, or in all rounds of loops together.
const MOST_PLACES: usize = 1_000_000;

/// How many activations may be inside each other.
const DEEPEST: u32 = 1000;

/// Why the check ends before its end.
pub(crate) enum Stop {
    /// The checker cannot tell whether the certificate holds, for this reason.
    Open(String),
    /// The certificate is wrong.
    Refuted(String),
}

/// The check at work. It knows the program, the claims, and nothing of how they were found.
pub(crate) struct Checker<'p> {
    pub(crate) program: &'p Program,
    pub(crate) terms: Terms,
    pub(crate) map: Map<'p>,
    pub(crate) symbols: BTreeMap<Var, Slot>,
    /// The symbol for the value that a local has at the start of a walk.
    current: FxHashMap<Which, Var>,
    pub(crate) entries: Vec<Entry>,
    /// The symbols of each entry.
    pub(crate) mentioned: Vec<Rc<[Var]>>,
    /// The claim about a function that each entry belongs to (zero if there are no such claims), and the role of the
    /// entry.
    pub(crate) roles: Vec<(usize, Role)>,
    /// The entries within functions, by the claim that they belong to and their place.
    pub(crate) by_place: FxHashMap<(usize, Place), Vec<usize>>,
    pub(crate) functions: FunctionClaims,
    /// The claim about a function that is being checked.
    pub(crate) within: usize,
    /// How many rounds there may be of a loop of which nothing is claimed, if the certificate is about
    /// rounds.
    pub(crate) rounds: Option<u32>,
    /// Claims about rounds that have not been put at the heads of their loops yet.
    pub(crate) unplaced: Vec<LoopClaim>,
    pub(crate) loop_claims: FxHashMap<Place, LoopClaim>,
    /// Whether errors and claims that fail are passed over: in rounds of an arbitrary state before the last one (see
    /// `rounds`).
    pub(crate) silent: bool,
    /// Values of variables that have not been assigned, in activations of this walk.
    pub(crate) unset: FxHashMap<StackId, FxHashMap<Var, TermId>>,
    /// Symbols that are addresses of objects that began in this walk.
    pub(crate) news: FxHashMap<Var, Begun>,
    /// Whether a term has the address of an object in it.
    pub(crate) mentions: FxHashMap<TermId, bool>,
    /// What holds at the start of the walk, over the symbols there.
    pub(crate) known: Vec<TermId>,
    exclusive: FxHashMap<LocId, bool>,
    malformed: Option<&'static str>,
    omitted: Option<String>,
    solver: &'p mut dyn Solver,
    limits: &'p Budget,
    /// How many places were passed since the last entry.
    passed: usize,
    outcome: Checked,
}

/// A walk: where executions are.
pub(crate) struct Walk {
    pending: BTreeMap<Key, (LocId, State)>,
    /// The position, in the order of places, of the place that was passed last.
    at: Key,
    /// The round that the walk follows, if the walk is one round of a loop.
    pub(crate) round: Option<Round>,
}

impl Walk {
    pub(crate) const fn new(at: Key, round: Option<Round>) -> Self {
        Self { pending: BTreeMap::new(), at, round }
    }
}

impl<'p> Checker<'p> {
    pub(crate) fn new(
        program: &'p Program,
        certificate: Certificate,
        solver: &'p mut dyn Solver,
        limits: &'p Budget,
    ) -> Self {
        let Certificate { terms, symbols, mut entries, rounds, functions, omitted } = certificate;
        // What is wrong with the certificate whatever it claims.
        let mut malformed = None;
        if rounds.is_some() && !(entries.is_empty() && functions.is_empty()) {
            malformed = Some("entries beside claims about rounds");
        } else if !functions.is_empty() && !entries.is_empty() {
            malformed = Some("entries beside claims about functions");
        } else if functions.iter().any(|of| program.cfa.functions.get(of.function).is_none()) {
            malformed = Some("a claim about a function that is none");
        }
        let mut roles = vec![(0, Role::Within); entries.len()];
        let functions = FunctionClaims::new(functions, &mut entries, &mut roles);
        let within = entries.iter().zip(&roles).filter(|(_, (_, role))| *role == Role::Within);
        let valid = within.map(|(entry, _)| entry.location);
        let valid = valid.filter(|at| program.cfa.locations.get(*at).is_some());
        let map = Map::new(&program.cfa, valid, rounds.is_some());
        let locals = symbols.iter().filter_map(|(slot, symbol)| match slot {
            Slot::Local { depth, var } => Some(((*depth, *var), *symbol)),
            Slot::Before { .. } | Slot::Bytes { .. } => None,
        });
        let current = locals.collect();
        let apart: FxHashSet<Var> = symbols.values().copied().collect();
        if !terms.extends(&program.terms) {
            malformed = Some("its terms are not those of the program");
        } else if apart.len() != symbols.len() {
            malformed = Some("two values have one symbol");
        }
        let claimed = rounds.as_ref().map_or(0, |rounds| rounds.loops.len());
        let symbols = symbols.into_iter().map(|(slot, symbol)| (symbol, slot)).collect();
        Self {
            program,
            terms,
            map,
            symbols,
            current,
            outcome: Checked {
                certified: Certified::Open("the check has not ended".to_owned()),
                invariants: entries.len() + claimed,
                obligations: 0,
                queries: 0,
            },
            entries,
            mentioned: Vec::new(),
            roles,
            functions,
            within: 0,
            by_place: FxHashMap::default(),
            rounds: rounds.as_ref().map(|rounds| rounds.most),
            unplaced: rounds.map(|rounds| rounds.loops).unwrap_or_default(),
            loop_claims: FxHashMap::default(),
            silent: false,
            unset: FxHashMap::default(),
            news: FxHashMap::default(),
            mentions: FxHashMap::default(),
            known: Vec::new(),
            exclusive: FxHashMap::default(),
            malformed,
            omitted,
            solver,
            limits,
            passed: 0,
        }
    }

    pub(crate) fn run(mut self) -> Checked {
        self.outcome.certified = match self.check() {
            Ok(()) => Certified::Holds,
            Err(Stop::Open(why)) => Certified::Open(why),
            Err(Stop::Refuted(what)) => Certified::Refuted(what),
        };
        self.outcome
    }

    fn check(&mut self) -> Result<(), Stop> {
        if let Some(what) = self.malformed {
            return Err(Stop::Refuted(what.to_owned()));
        }
        let Some(start) = self.program.cfa.start else { return Ok(()) };
        if !self.functions.is_empty() {
            if self.functions.function(0) != Some(start) {
                return Err(Stop::Refuted("no claim about the start of the program".to_owned()));
            }
            self.look_at_functions()?;
        }
        self.enlist()?;
        self.order_claims();
        self.enter(0);
        let entry = self.program.cfa.functions[start].entry;
        let stack = self.map.empty();
        let first = State {
            stack,
            low: 1,
            guard: Guard::default(),
            values: Rc::default(),
            memory: Rc::new(Memory::initial(self.program)),
            rough: None,
        };
        let mut walk = Walk::new(Key::new(), None);
        self.arrive(&mut walk, entry, first)?;
        self.walk(&mut walk)?;
        for index in 0..self.entries.len() {
            self.look()?;
            let (claim, role) = self.roles[index];
            if role == Role::After {
                continue;
            }
            self.enter(claim);
            if !self.map.is_followed(self.entries[index].location) {
                continue;
            }
            let location = self.entries[index].location;
            if self.program.cfa.locations[location].error {
                return Err(Stop::Refuted(format!("an entry at the error location {location}")));
            }
            let Some(state) = self.open(index) else { continue };
            self.unset.clear();
            self.news.clear();
            self.mentions.clear();
            self.passed = 0;
            let mut walk = Walk::new(Key::new(), None);
            if role == Role::Before {
                self.arrive(&mut walk, location, state)?;
            } else {
                let place = Place { location, stack: state.stack };
                walk.pending.insert(self.map.key(place), (location, state));
            }
            self.walk(&mut walk)?;
        }
        Ok(())
    }

    /// Goes on with the entries of a claim about a function, if there are such claims.
    pub(crate) fn enter(&mut self, claim: usize) {
        self.within = claim;
        if let Some(function) = self.functions.function(claim) {
            self.map.root = Some(function);
        }
    }

    /// Follows executions to the next cuts, or to the end of a round.
    pub(crate) fn walk(&mut self, walk: &mut Walk) -> Result<(), Stop> {
        while let Some((key, (location, state))) = walk.pending.pop_first() {
            walk.at = key;
            if self.rounds.is_some() && self.map.is_head(location) {
                for (location, state) in self.go_round(location, &state)? {
                    self.arrive(walk, location, state)?;
                }
            } else {
                self.step(walk, location, state)?;
            }
        }
        Ok(())
    }

    /// Takes executions one step further.
    pub(crate) fn step(
        &mut self,
        walk: &mut Walk,
        location: LocId,
        state: State,
    ) -> Result<(), Stop> {
        self.passed += 1;
        if self.passed > MOST_PLACES {
            return Err(Stop::Open("too many places between two cuts".to_owned()));
        }
        self.look()?;
        let program = self.program;
        let here = &program.cfa.locations[location];
        if program.cfa.functions[here.function].exit == location {
            if let Some((call, stack)) = self.map.pop(state.stack) {
                let mut state = state;
                self.leave(&mut state, call, stack);
                self.arrive(walk, program.cfa.edges[call].target, state)?;
            } else if !self.functions.is_empty() {
                self.must_return(state)?;
            }
            return Ok(());
        }
        let choices = self.choices(location);
        for (edge, choice) in here.edges.iter().zip(choices) {
            let mut state = state.clone();
            if state.guard.add(&self.terms, choice) {
                self.take(walk, *edge, state)?;
            }
        }
        Ok(())
    }

    /// Ends a check whose limits are exceeded. The terms that a step makes cost more than a look at the clock.
    pub(crate) fn look(&self) -> Result<(), Stop> {
        self.limits.exceeded().map_or(Ok(()), |why| Err(Stop::Open(why.to_string())))
    }

    fn take(&mut self, walk: &mut Walk, id: EdgeId, mut state: State) -> Result<(), Stop> {
        self.look()?;
        let program = self.program;
        let edge = &program.cfa.edges[id];
        if let Some(callee) = edge.callee() {
            if !self.functions.is_empty() {
                return self.rely(walk, id, callee, state);
            }
            let entry = program.cfa.functions[callee].entry;
            if self.map.is_active(state.stack, callee) {
                // A recursion ends only where the conditions of the path cannot hold, so the solver is asked.
                let formulas = state.guard.conditions();
                if self.is_unsat(formulas)?.is_ok() {
                    return Ok(());
                }
            }
            let to = self.map.push(state.stack, id);
            if self.map.depth(to) > DEEPEST {
                return Err(Stop::Open("too many activations inside each other".to_owned()));
            }
            self.call(&mut state, edge, to);
            return self.arrive(walk, entry, state);
        }
        for op in &edge.ops {
            match self.perform(&mut state, op) {
                Taken::On => {}
                Taken::Blocked => return Ok(()),
                Taken::Unsupported(reason) => {
                    return self.exclude(&state, &format!("`{reason}` at edge {id}"));
                }
            }
        }
        self.arrive(walk, edge.target, state)
    }

    /// Takes in executions that get to a location.
    pub(crate) fn arrive(
        &mut self,
        walk: &mut Walk,
        location: LocId,
        state: State,
    ) -> Result<(), Stop> {
        if !self.map.is_followed(location) {
            return Ok(());
        }
        if self.program.cfa.locations[location].error {
            return self.exclude(&state, &format!("the error location {location}"));
        }
        let place = Place { location, stack: state.stack };
        let state = if self.rounds.is_none() {
            if self.map.is_cut(location) {
                return self.keep(place, state);
            }
            state
        } else {
            if self.map.is_tangled(location) {
                return Err(Stop::Open("a loop that is entered in several ways".to_owned()));
            }
            let stays = match &mut walk.round {
                Some(round) => self.stay(round, location, state),
                None => Some(state),
            };
            let Some(state) = stays else { return Ok(()) };
            state
        };
        let key = self.map.key(place);
        if key <= walk.at {
            // States that meet are merged only if all of them come from earlier places.
            return Err(Stop::Open("places that are not passed in order".to_owned()));
        }
        let state = match walk.pending.remove(&key) {
            None => Some(state),
            Some((_, other)) if other.low != state.low => {
                return Err(Stop::Open("activations that do not match".to_owned()));
            }
            Some((_, other)) => self.merge(&other, &state),
        };
        walk.pending.extend(state.map(|state| (key, (location, state))));
        Ok(())
    }

    /// Checks that no execution gets here.
    fn exclude(&mut self, state: &State, what: &str) -> Result<(), Stop> {
        if self.silent {
            return Ok(());
        }
        self.outcome.obligations += 1;
        let formulas = state.guard.conditions();
        match self.is_unsat(formulas)? {
            Ok(()) => Ok(()),
            Err(()) => Err(self.failed(state, format!("{what} is not excluded"))),
        }
    }

    /// Checks that a formula holds in all executions of a state.
    pub(crate) fn oblige(
        &mut self,
        state: &State,
        holds: TermId,
        what: impl Fn() -> String,
    ) -> Result<(), Stop> {
        self.prove(state, holds, || format!("{} does not hold", what()))
    }

    /// As `oblige`; `failure` gives the whole sentence for a formula that does not hold.
    fn prove(
        &mut self,
        state: &State,
        holds: TermId,
        failure: impl Fn() -> String,
    ) -> Result<(), Stop> {
        self.outcome.obligations += 1;
        let mut formulas = state.guard.conditions();
        formulas.push(self.terms.not(holds));
        match self.is_unsat(formulas)? {
            Ok(()) => Ok(()),
            Err(()) => Err(self.failed(state, failure())),
        }
    }

    /// Checks that one of the entries at a place holds.
    fn keep(&mut self, place: Place, state: State) -> Result<(), Stop> {
        let Place { location, .. } = place;
        let indices = self.by_place.get(&(self.within, place)).cloned().unwrap_or_default();
        if indices.is_empty() && !self.map.is_head(location) {
            self.outcome.obligations += 1;
            return match self.is_unsat(state.guard.conditions())? {
                Ok(()) => Ok(()),
                // The certificate cuts cycles elsewhere.
                Err(()) => Err(Stop::Open(format!("a cycle through {location} without an entry"))),
            };
        }
        let is_empty = indices.is_empty();
        self.one_holds(state, &indices, || match is_empty {
            true => format!("no entry at {location} with these calls"),
            false => format!("the entries at {location} do not hold"),
        })
    }

    /// Checks that one of some entries holds in all executions of a state. `failure` gives what is said if no entry
    /// does.
    pub(crate) fn one_holds(
        &mut self,
        mut state: State,
        indices: &[usize],
        failure: impl Fn() -> String,
    ) -> Result<(), Stop> {
        let mut cases = Vec::new();
        for index in indices {
            let case = self.holds(&mut state, *index);
            if self.terms.is_true(case) {
                self.outcome.obligations += 1;
                return Ok(());
            }
            cases.push(case);
        }
        let one = self.terms.or(&cases);
        self.prove(&state, one, failure)
    }

    /// How the check ends where an obligation does not hold: the claim is refuted, or nothing is known because
    /// something was not followed exactly or has no place in the certificate.
    fn failed(&self, state: &State, what: String) -> Stop {
        match (state.rough, &self.omitted) {
            (Some(why), _) => Stop::Open(format!("{what}; it rests on {why}")),
            (None, Some(why)) => Stop::Open(format!("{what}; it rests on {why}")),
            (None, None) => Stop::Refuted(what),
        }
    }

    /// Whether formulas have no common model.
    pub(crate) fn is_unsat(&mut self, mut formulas: Vec<TermId>) -> Result<Result<(), ()>, Stop> {
        formulas.retain(|each| !self.terms.is_true(*each));
        if formulas.iter().any(|each| self.terms.is_false(*each)) {
            return Ok(Ok(()));
        }
        formulas.extend(&self.known);
        formulas.sort_unstable();
        formulas.dedup();
        let facts = self.address_facts(&formulas);
        formulas.extend(facts);
        self.outcome.queries += 1;
        match self.solver.check(&self.terms, &formulas, self.limits) {
            Answer::Unsat => Ok(Ok(())),
            Answer::Sat => Ok(Err(())),
            Answer::Unknown(reason) => Err(Stop::Open(format!("solver: {reason}"))),
        }
    }

    /// A condition for each edge of a location, such that no two hold at once: where the edges
    /// themselves do not exclude each other, symbols choose.
    fn choices(&mut self, location: LocId) -> Vec<TermId> {
        let edges = &self.program.cfa.locations[location].edges;
        if self.excludes(location) {
            return vec![self.terms.bool(true); edges.len()];
        }
        self.choices_of(edges.len())
    }

    /// `count` conditions of which exactly one holds, as symbols choose.
    pub(crate) fn choices_of(&mut self, count: usize) -> Vec<TermId> {
        let mut choices = Vec::new();
        let mut not_before = self.terms.bool(true);
        for index in 0..count {
            if index + 1 == count {
                choices.push(not_before);
                break;
            }
            let chosen = self.fresh(Sort::Bool);
            choices.push(self.terms.and2(not_before, chosen));
            let not = self.terms.not(chosen);
            not_before = self.terms.and2(not_before, not);
        }
        choices
    }

    /// Whether any two edges of a location begin with conditions of which one is the negation of
    /// the other.
    fn excludes(&mut self, location: LocId) -> bool {
        if let Some(known) = self.exclusive.get(&location) {
            return *known;
        }
        let cfa = &self.program.cfa;
        let edges = &cfa.locations[location].edges;
        let first = |edge: &EdgeId| match cfa.edges[*edge].ops.first() {
            Some(Op::Assume(condition)) => Some(*condition),
            _ => None,
        };
        let exclusive = match &edges[..] {
            [] | [_] => true,
            [a, b] => match (first(a), first(b)) {
                (Some(a), Some(b)) => self.terms.not(a) == b,
                _ => false,
            },
            _ => false,
        };
        self.exclusive.insert(location, exclusive);
        exclusive
    }

    /// A value of which nothing is known.
    pub(crate) fn fresh(&mut self, sort: Sort) -> TermId {
        let name = format!("any#{}", self.terms.var_count());
        let symbol = self.terms.declare(name, sort);
        self.terms.var(symbol)
    }

    /// The symbol for the value of a local at the start of a walk.
    pub(crate) fn symbol(&mut self, (depth, var): Which) -> Var {
        let terms = &mut self.terms;
        let symbols = &mut self.symbols;
        *self.current.entry((depth, var)).or_insert_with(|| {
            let name = format!("{}@{depth}", terms.var_name(var));
            let symbol = terms.declare(name, terms.var_sort(var));
            symbols.insert(symbol, Slot::Local { depth, var });
            symbol
        })
    }

    /// Whether a variable is a global.
    pub(crate) fn is_global(&self, var: Var) -> bool {
        self.program.cfa.variables.get(var).is_some_and(|known| known.scope == Scope::Global)
    }
}
