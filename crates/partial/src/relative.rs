//! Relative soundness (Castaño 2018, Def. 10): whether all executions were analysed that make a given sequence of
//! calls.
//!
//! A query is an abstract trace: calls, in order. An execution counts if its visible calls are the beginning of that
//! sequence. A depth and an alphabet decide which calls are visible, as the thesis composes a transducer for the
//! depth of the stack with a projection. The composition with the automaton of the trace and the assumption automaton
//! is again an assumption automaton. The frontier of the composition has the executions that count and were not
//! analysed.

use std::collections::BTreeSet;

use cfa::{FuncId, LocId, Program};
use run::{Counterexample, Step};
use verify::Analysis;

use crate::automaton::{Automaton, StateId, States};
use crate::product::{Fate, Goal, Target, TargetKind};
use crate::search::{Search, Searched};
use crate::trace::{Trace, steps_to_error};

/// If more functions than this are active, the execution is not followed, and the answer is no longer known.
const MAX_DEPTH: u32 = 256;

/// An abstract trace, and which calls are visible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// The functions that are called, in order.
    pub calls: Vec<FuncId>,
    /// Calls are visible if at most this many functions are active when they are made: with 1, only calls that `main`
    /// makes.
    pub depth: u32,
    /// Only calls of these functions are visible.
    pub alphabet: BTreeSet<FuncId>,
}

impl Query {
    /// Reads a query: names of functions that are separated by white space, `f g f`. The alphabet is
    /// a list of names; without one it is all functions that have a body.
    ///
    /// # Errors
    /// Says which name is wrong.
    pub fn read(
        program: &Program,
        calls: &str,
        depth: u32,
        alphabet: Option<&[String]>,
    ) -> Result<Self, String> {
        let alphabet = match alphabet {
            Some(names) => {
                names.iter().map(|name| named(program, name)).collect::<Result<_, _>>()?
            }
            None => program.cfa.functions.ids().filter(|id| is_seen(program, *id)).collect(),
        };
        let calls: Vec<FuncId> =
            calls.split_whitespace().map(|name| named(program, name)).collect::<Result<_, _>>()?;
        if let Some(hidden) = calls.iter().find(|id| !BTreeSet::contains(&alphabet, *id)) {
            let name = &program.cfa.functions[*hidden].name;
            return Err(format!("`{name}` is called by the query, but not in the alphabet"));
        }
        Ok(Self { calls, depth, alphabet })
    }

    /// The query cut off after this many of its calls.
    #[must_use]
    pub fn prefix(&self, length: usize) -> Self {
        Self { calls: self.calls.iter().take(length).copied().collect(), ..self.clone() }
    }

    /// The place before the first step.
    fn start(&self, program: &Program) -> Seen {
        let active = program.cfa.start.is_some_and(|start| is_seen(program, start));
        Seen { active: u32::from(active), position: 0 }
    }

    /// The place after a step; none if the step is a visible call that is not the next call of the query.
    fn step(&self, program: &Program, seen: Seen, step: Step) -> Option<Seen> {
        let Seen { active, position } = seen;
        let callee = match step {
            Step::Edge(edge) | Step::Return(edge) => program.cfa.edges[edge].callee(),
        };
        let Some(callee) = callee.filter(|callee| is_seen(program, *callee)) else {
            return Some(seen);
        };
        if let Step::Return(_) = step {
            return Some(Seen { active: active.saturating_sub(1), position });
        }
        let active = active + 1;
        // The function that calls is active itself, and the call of `main` does not count.
        let depth = active - 1;
        let shown = depth > 0 && depth <= self.depth && self.alphabet.contains(&callee);
        if !shown {
            return Some(Seen { active, position });
        }
        let is_next = self.calls.get(position as usize) == Some(&callee);
        is_next.then_some(Seen { active, position: position + 1 })
    }

    /// How many calls of the query a trace makes before it makes another visible call.
    #[must_use]
    pub fn realised(&self, program: &Program, steps: &[Step]) -> usize {
        let mut seen = self.start(program);
        for step in steps {
            match self.step(program, seen, *step) {
                Some(next) => seen = next,
                None => break,
            }
        }
        seen.position as usize
    }
}

/// Whether a function is one of the source, and not the start of the program or the choice among
/// functions that a pointer may point to.
fn is_seen(program: &Program, function: FuncId) -> bool {
    !program.cfa.functions[function].name.starts_with('@')
}

fn named(program: &Program, name: &str) -> Result<FuncId, String> {
    let bare = name.strip_suffix("()").unwrap_or(name);
    let known = program.cfa.functions.entries().find(|(_, known)| &*known.name == bare);
    match known {
        Some((id, _)) if is_seen(program, id) => Ok(id),
        _ => Err(format!("the program calls no function `{bare}` that has a body")),
    }
}

/// The depth counter of the transducer, and the position in the query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Seen {
    /// How many functions of the source are active.
    active: u32,
    /// How many calls of the query were made.
    position: u32,
}

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Every execution that counts was analysed.
    Yes,
    /// No: this execution counts, and its last step was not analysed.
    No(Box<Trace>),
    /// The answer is not known, for this reason.
    Unknown(&'static str),
}

/// What is known about a query.
#[derive(Clone, Debug)]
pub struct Relative {
    /// Whether all executions that count were analysed.
    pub answer: Answer,
    /// How many calls the longest beginning of the query with the answer yes has; none if there is no such beginning.
    pub prefix: Option<usize>,
    /// How many calls of the query, from the first one on, an execution makes. A yes says little if
    /// these are few.
    pub realised: usize,
    /// Whether no execution makes more calls of the query.
    pub realised_most: bool,
    /// An execution that violates the property, if one was met on the way.
    pub violation: Option<Counterexample>,
}

/// Answers a query about what an automaton has analysed.
pub fn relative(search: &Search<'_>, automaton: &mut dyn Automaton, query: &Query) -> Relative {
    let mut asked = Asked { search, automaton, violation: None };
    let answer = asked.answer(query, 0.5);
    let (realised, realised_most) = asked.realised(query, &answer);
    let prefix = match &answer {
        Answer::Yes => Some(query.calls.len()),
        answer => asked.prefix(query, answer),
    };
    Relative { answer, prefix, realised, realised_most, violation: asked.violation }
}

/// Questions about one program and one automaton.
struct Asked<'a> {
    search: &'a Search<'a>,
    automaton: &'a mut dyn Automaton,
    violation: Option<Counterexample>,
}

impl Asked<'_> {
    /// Answers one query with a share of the budget.
    fn answer(&mut self, query: &Query, share: f64) -> Answer {
        match self.automaton.initial() {
            StateId::TRUE => return Answer::Yes,
            // The execution without steps counts for every query, and was not analysed.
            StateId::FALSE => return Answer::No(Box::new(empty(self.search.program))),
            _ => {}
        }
        let budget = self.search.budget.share(share);
        let search = Search { budget: &budget, ..self.search.clone() };
        let first = self.ask(&Search { budget: &budget.share(0.5), ..search.clone() }, query);
        if !matches!(first, Answer::Unknown(_)) || search.analysis == Analysis::Auto {
            return first;
        }
        // The default analysis may prove what an unrolling cannot.
        match self.ask(&Search { analysis: Analysis::Auto, ..search }, query) {
            Answer::Unknown(_) => first,
            second => second,
        }
    }

    fn ask(&mut self, search: &Search<'_>, query: &Query) -> Answer {
        let program = search.program;
        let mut composed = Composed {
            inner: self.automaton,
            program,
            query,
            states: States::default(),
            deep: false,
        };
        let search = Search { most: Some(1), ..search.clone() };
        // A trace that ends in front of a check which nobody could decide was analysed: only the step
        // into the error was not.
        let places = program.cfa.locations.ids();
        let mut known =
            places.map(|location| Target { kind: TargetKind::Undecided, location }).collect();
        let mut found = None;
        let mut keep = |trace: Trace| {
            found.get_or_insert(trace);
        };
        let Searched { complete, violation } =
            search.find(&mut composed, None, Goal::FRONTIER, &mut known, &mut keep);
        if found.is_none()
            && let Some(error) = &violation
        {
            found = unanalysed(program, &mut composed, error, &search);
        }
        let deep = composed.deep;
        let met = violation.is_some();
        self.violation = self.violation.take().or(violation);
        match found {
            Some(trace) => Answer::No(Box::new(trace)),
            None if met => Answer::Unknown("an execution violates the property"),
            None if complete && !deep => Answer::Yes,
            None if deep => Answer::Unknown("calls are nested too deeply"),
            None if search.budget.exceeded().is_some() => Answer::Unknown("time limit"),
            None => Answer::Unknown("the search for an execution did not end"),
        }
    }

    /// How many calls of the query some execution makes, and whether no execution makes more.
    fn realised(&mut self, query: &Query, answer: &Answer) -> (usize, bool) {
        let program = self.search.program;
        let mut least = match answer {
            Answer::No(trace) => query.realised(program, &trace.steps),
            _ => 0,
        };
        let mut most = query.calls.len();
        let mut wanted = most;
        while least < most {
            let budget = self.search.budget.share(0.3);
            match self.realises(query, wanted, &Search { budget: &budget, ..self.search.clone() }) {
                Some(true) => least = wanted,
                Some(false) => most = wanted - 1,
                None if wanted == least + 1 => return (least, false),
                // An execution with fewer calls may be easier to find, but does not tell whether executions with more
                // calls exist.
                None => return (self.shorter(query, least, wanted), false),
            }
            wanted = least + (most - least).div_ceil(2);
        }
        (least, true)
    }

    /// The greatest number of calls that an execution is found to make, by bisection below a number for which the
    /// search found no answer.
    fn shorter(&self, query: &Query, mut least: usize, mut below: usize) -> usize {
        while below - least > 1 {
            let wanted = least + (below - least) / 2;
            let budget = self.search.budget.share(0.3);
            match self.realises(query, wanted, &Search { budget: &budget, ..self.search.clone() }) {
                Some(true) => least = wanted,
                _ => below = wanted,
            }
        }
        least
    }

    /// Whether an execution makes the first `wanted` calls of the query.
    fn realises(&self, query: &Query, wanted: usize, search: &Search<'_>) -> Option<bool> {
        let states = States::default();
        let mut realising =
            Realising { program: search.program, query, wanted, states, deep: false };
        let search = Search { most: Some(1), ..search.clone() };
        let goal =
            Goal { on_true: Fate::Cut, on_false: Fate::Target, at_end: false, errors: false };
        let mut found = false;
        let searched =
            search.find(&mut realising, None, goal, &mut BTreeSet::new(), &mut |_| found = true);
        match found {
            true => Some(true),
            false if searched.complete && !realising.deep => Some(false),
            false => None,
        }
    }

    /// The longest beginning of a query with the answer yes, if the answer for the whole query is not yes.
    fn prefix(&mut self, query: &Query, answer: &Answer) -> Option<usize> {
        let program = self.search.program;
        // The answer for this number of calls is not yes, or is not known.
        let mut beyond = match answer {
            Answer::No(trace) => query.realised(program, &trace.steps),
            _ => query.calls.len(),
        };
        while beyond > 0 {
            let tried = beyond - 1;
            match self.answer(&query.prefix(tried), 0.5) {
                Answer::Yes => return Some(tried),
                Answer::No(trace) => beyond = query.realised(program, &trace.steps).min(tried),
                // Shorter beginnings are easier.
                Answer::Unknown(_) => beyond = tried.div_ceil(2).min(tried),
            }
        }
        None
    }
}

/// The trace of an execution that has not begun.
fn empty(program: &Program) -> Trace {
    let start = program.cfa.start.map(|start| program.cfa.functions[start].entry);
    Trace {
        kind: TargetKind::Frontier,
        location: start.unwrap_or_else(|| base::Id::from_index(0)),
        steps: Vec::new(),
        drawn: Vec::new(),
        taken: 0,
    }
}

/// The part of an execution to an error that counts and was not analysed, if there is one.
fn unanalysed(
    program: &Program,
    composed: &mut Composed<'_>,
    error: &Counterexample,
    search: &Search<'_>,
) -> Option<Trace> {
    let mut steps = steps_to_error(program, error, search.budget);
    let mut state = composed.initial();
    let mut location = error.error;
    let mut length = 0;
    for step in &steps {
        if state.is_final() {
            break;
        }
        let (from, to) = ends(program, *step)?;
        state = composed.step(state, from, *step)?;
        location = to;
        length += 1;
    }
    steps.truncate(length);
    let (drawn, taken) = (error.drawn.clone(), error.steps);
    let trace = Trace { kind: TargetKind::Violation, location, steps, drawn, taken };
    (state == StateId::FALSE).then_some(trace)
}

/// The locations that a step leaves and reaches.
fn ends(program: &Program, step: Step) -> Option<(LocId, LocId)> {
    let cfa = &program.cfa;
    Some(match step {
        Step::Edge(edge) => {
            let edge = &cfa.edges[edge];
            let entered = edge.callee().map(|callee| cfa.functions[callee].entry);
            (edge.source, entered.unwrap_or(edge.target))
        }
        Step::Return(call) => {
            let call = &cfa.edges[call];
            (cfa.functions[call.callee()?].exit, call.target)
        }
    })
}

/// The transducer, the trace and the assumption automaton side by side (Defs. 11-16). Executions that do not count
/// are cut at the first step that shows this, whether or not the step was analysed.
struct Composed<'a> {
    inner: &'a mut dyn Automaton,
    program: &'a Program,
    query: &'a Query,
    states: States<(StateId, Seen)>,
    /// Whether executions were cut because too many functions are active.
    deep: bool,
}

impl Composed<'_> {
    fn state(&mut self, inner: StateId, seen: Seen) -> StateId {
        if inner.is_final() {
            return inner;
        }
        if seen.active > MAX_DEPTH {
            self.deep = true;
            return StateId::TRUE;
        }
        self.states.id((inner, seen))
    }
}

impl Automaton for Composed<'_> {
    fn initial(&mut self) -> StateId {
        let inner = self.inner.initial();
        self.state(inner, self.query.start(self.program))
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let Some((inner, seen)) = self.states.get(from).copied() else { return Some(from) };
        let next = self.inner.step(inner, at, step)?;
        match self.query.step(self.program, seen, step) {
            Some(seen) => Some(self.state(next, seen)),
            None => Some(StateId::TRUE),
        }
    }
}

/// An automaton whose frontier is the executions that make the first calls of a query.
struct Realising<'a> {
    program: &'a Program,
    query: &'a Query,
    wanted: usize,
    states: States<Seen>,
    deep: bool,
}

impl Realising<'_> {
    fn state(&mut self, seen: Seen) -> StateId {
        if seen.position as usize >= self.wanted {
            return StateId::FALSE;
        }
        if seen.active > MAX_DEPTH {
            self.deep = true;
            return StateId::TRUE;
        }
        self.states.id(seen)
    }
}

impl Automaton for Realising<'_> {
    fn initial(&mut self) -> StateId {
        let start = self.query.start(self.program);
        self.state(start)
    }

    fn step(&mut self, from: StateId, _at: LocId, step: Step) -> Option<StateId> {
        let Some(seen) = self.states.get(from).copied() else { return Some(from) };
        match self.query.step(self.program, seen, step) {
            Some(seen) => Some(self.state(seen)),
            None => Some(StateId::TRUE),
        }
    }
}
