//! The transition system that a program is: guarded commands between locations, and unsafe states.
//!
//! The state is the values of the program's variables; each edge is one command for each case that
//! its conditions distinguish. What is not linear is refused with its reason, and only where it
//! lies between the start and an error.

use std::collections::BTreeMap;

use cfa::{Edge, EdgeId, LocId, Op, Program};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Var};

use super::atom::{AtomId, Atoms, Literal, Relation};
use super::cases::{Case, Conditions, Meaning, product};
use super::entail::Context;
use super::linear::{Linear, PlaceNumber};
use super::places::{CHOICES, Places};
use super::translate::{foreign, meaning};
use super::words;
use run::Unknown;

/// If an edge has more cases than this, each case is checked for whether it is possible at all.
const MANY_CASES: usize = 12;

/// An edge with more cases is refused.
const MAX_CASES: usize = 256;

/// A guarded command.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The location where the command starts.
    pub source: LocId,
    /// The location where the command ends.
    pub target: LocId,
    /// The edge that the command stands for.
    pub edge: EdgeId,
    /// What must hold, of the old state and of the choices.
    pub guard: Vec<AtomId>,
    /// The places that change, and their new values.
    pub update: BTreeMap<PlaceNumber, Linear>,
}

/// States that violate the property.
#[derive(Clone, Debug)]
pub struct Unsafe {
    /// The location of the states.
    pub location: LocId,
    /// The states at the location that satisfy all of these atoms violate the property.
    pub conjunction: Vec<AtomId>,
    /// The edge that leads to an error from exactly these states, if there is such an edge.
    pub edge: Option<EdgeId>,
}

/// A program as guarded commands.
pub struct TransitionSystem {
    /// Where executions start, in any state.
    pub init: LocId,
    /// The commands, in the order of the edges.
    pub rules: Vec<Rule>,
    /// The commands that lead to each location.
    pub into: FxHashMap<LocId, Vec<usize>>,
    /// The commands that leave each location.
    pub from: FxHashMap<LocId, Vec<usize>>,
    /// The states that violate the property.
    pub errors: Vec<Unsafe>,
    /// The variable at each place of the state.
    pub variables: Vec<Var>,
    /// Names of the places.
    pub names: Vec<Box<str>>,
    /// How many edges of the program are steps.
    pub commands: usize,
}

impl TransitionSystem {
    /// The number of the first place that is a choice of a command and not part of the state.
    #[must_use]
    pub fn places(&self) -> PlaceNumber {
        // There are fewer than 2^32 variables, since their ids have 32 bits.
        self.variables.len() as PlaceNumber
    }

    /// The name of a location.
    #[must_use]
    pub fn location(program: &Program, location: LocId) -> String {
        let name = program.cfa.locations[location].name.as_deref();
        name.map_or_else(|| location.to_string(), ToOwned::to_owned)
    }
}

/// Makes the transition system of a program, and the table of its atoms.
pub fn build(program: &Program) -> Result<(TransitionSystem, Atoms), Unknown> {
    let refuse = |reason: &str| Unknown::Unsupported { reason: reason.to_owned(), edge: None };
    let start = program.cfa.start.ok_or_else(|| refuse("a program without a start"))?;
    let init = program.cfa.functions[start].entry;
    let (mut builder, widths) = Builder::new(program, init);
    let relevant = relevant(program, init);
    for (id, edge) in program.cfa.edges.entries() {
        if !relevant.contains(&id) {
            continue;
        }
        let threads = builder.threads(edge, &widths).map_err(|reason| Unknown::Unsupported {
            reason: format!("the backward analysis needs linear arithmetic: {reason}"),
            edge: Some(id),
        })?;
        for thread in threads {
            builder.add(id, edge, &thread);
        }
    }
    // An error location counts as a whole unless only restrictions lead to it.
    for (location, place) in program.cfa.locations.entries() {
        let led = |edge: &Edge| edge.target == location && !is_restriction(program, edge);
        let entered = location == init
            || program.cfa.edges.entries().any(|(id, edge)| relevant.contains(&id) && led(edge));
        if place.error && entered {
            builder.system.errors.push(Unsafe { location, conjunction: vec![], edge: None });
        }
    }
    Ok((builder.system, builder.atoms))
}

/// Whether an edge only says which states of its source are unsafe, as a fact `s/5` with a constraint does: the front
/// end makes an error location for such a fact, and gives the edge the place of this location in the text. Such an
/// edge is no step of the system.
fn is_restriction(program: &Program, edge: &Edge) -> bool {
    let target = &program.cfa.locations[edge.target];
    target.error
        && edge.span.is_some()
        && edge.span == target.span
        && edge.ops.iter().all(|op| matches!(op, Op::Assume(_)))
}

/// The locations that edges lead to from the start.
pub(super) fn reached(program: &Program, init: LocId) -> FxHashSet<LocId> {
    let cfa = &program.cfa;
    let mut reached = FxHashSet::default();
    let mut stack = vec![init];
    while let Some(location) = stack.pop() {
        if reached.insert(location) {
            stack.extend(cfa.locations[location].edges.iter().map(|edge| cfa.edges[*edge].target));
        }
    }
    reached
}

/// The edges between the start and an error location.
fn relevant(program: &Program, init: LocId) -> FxHashSet<EdgeId> {
    let cfa = &program.cfa;
    let forwards = reached(program, init);
    let mut into: FxHashMap<LocId, Vec<EdgeId>> = FxHashMap::default();
    for (id, edge) in cfa.edges.entries() {
        into.entry(edge.target).or_default().push(id);
    }
    let mut backwards = FxHashSet::default();
    let mut found = FxHashSet::default();
    let mut stack: Vec<LocId> = cfa.errors().filter(|error| forwards.contains(error)).collect();
    while let Some(location) = stack.pop() {
        if !backwards.insert(location) {
            continue;
        }
        for id in into.get(&location).into_iter().flatten() {
            let source = cfa.edges[*id].source;
            if forwards.contains(&source) {
                found.insert(*id);
                stack.push(source);
            }
        }
    }
    found
}

/// One case of what an edge does: conditions on the old state, and the new values.
#[derive(Clone)]
struct Thread<'a> {
    conditions: Conditions,
    values: FxHashMap<Var, Linear>,
    places: Places<'a>,
}

struct Builder<'a> {
    program: &'a Program,
    system: TransitionSystem,
    atoms: Atoms,
    places: FxHashMap<Var, PlaceNumber>,
}

impl<'a> Builder<'a> {
    /// A builder without commands, and the widths of those places of the state that hold words.
    fn new(program: &'a Program, init: LocId) -> (Self, Vec<Option<u32>>) {
        let mut variables = Vec::new();
        let mut names = Vec::new();
        let mut integers = Vec::new();
        let mut places = FxHashMap::default();
        let mut widths = Vec::new();
        for (var, _) in program.cfa.variables.entries() {
            let sort = program.terms.var_sort(var);
            if !matches!(sort, Sort::Bool | Sort::Int | Sort::Rat | Sort::Bv(_)) {
                continue;
            }
            places.insert(var, PlaceNumber::try_from(variables.len()).unwrap_or(PlaceNumber::MAX));
            variables.push(var);
            let known = &program.cfa.variables[var];
            let unique = || program.terms.var_name(var).into();
            names.push(known.source_name.clone().unwrap_or_else(unique));
            integers.push(sort != Sort::Rat);
            widths.push(if let Sort::Bv(width) = sort { Some(width) } else { None });
        }
        integers.extend((0..CHOICES).map(|distance| distance % 2 == 1));
        let system = TransitionSystem {
            init,
            rules: Vec::new(),
            into: FxHashMap::default(),
            from: FxHashMap::default(),
            errors: Vec::new(),
            variables,
            names,
            commands: program
                .cfa
                .edges
                .iter()
                .filter(|edge| !is_restriction(program, edge))
                .count(),
        };
        let mut atoms = Atoms::new(integers);
        let bounds = |(var, width): (&Var, &Option<u32>)| match width {
            Some(width) => Some(words::range(*width)),
            None if program.terms.var_sort(*var) == Sort::Bool => Some((0.into(), 1.into())),
            None => None,
        };
        atoms.set_ranges(system.variables.iter().zip(&widths).map(bounds).collect());
        (Self { program, system, atoms, places }, widths)
    }

    /// The cases of what an edge does, or why that is not linear.
    fn threads<'w>(
        &mut self,
        edge: &Edge,
        widths: &'w [Option<u32>],
    ) -> Result<Vec<Thread<'w>>, String> {
        let (conditions, values) = (Conditions::new(), FxHashMap::default());
        let mut threads = vec![Thread { conditions, values, places: Places::new(widths) }];
        for op in &*edge.ops {
            let mut next = Vec::new();
            for thread in threads {
                self.step(op, thread, &mut next)?;
            }
            // Arithmetic that wraps around has many cases of which few are possible.
            if next.len() > MANY_CASES {
                next.retain(|thread| self.guard(thread).is_some());
            }
            if next.len() > MAX_CASES {
                return Err("an edge with too many cases".to_owned());
            }
            threads = next;
        }
        if is_restriction(self.program, edge) && threads.iter().any(|it| it.places.has_choices()) {
            return Err("unsafe states that only a quotient describes".to_owned());
        }
        Ok(threads)
    }

    fn step<'w>(
        &self,
        op: &Op,
        mut thread: Thread<'w>,
        next: &mut Vec<Thread<'w>>,
    ) -> Result<(), String> {
        match op {
            Op::Assume(holds) | Op::Check { holds, .. } => {
                let Meaning::Truth { yes, .. } = self.meaning(*holds, &mut thread)? else {
                    return Err("a condition that is a number".to_owned());
                };
                for conditions in product(std::slice::from_ref(&thread.conditions), &yes)? {
                    next.push(Thread { conditions, ..thread.clone() });
                }
            }
            Op::Assign { var, value } => {
                if !self.places.contains_key(var) {
                    return Err(foreign(self.program.terms.var_sort(*var)));
                }
                let cases = match self.meaning(*value, &mut thread)? {
                    Meaning::Number(cases) | Meaning::Word { cases, .. } => cases,
                    Meaning::Truth { yes, no } => stored(&yes, &no),
                };
                for case in cases {
                    let mut thread = thread.clone();
                    thread.conditions.extend(case.conditions);
                    thread.values.insert(*var, case.value);
                    next.push(thread);
                }
            }
            Op::Havoc { var, .. } => self.choose(*var, thread, next)?,
            Op::Output { .. } => next.push(thread),
            // The execution ends, so the edge is never passed.
            Op::Exit(_) | Op::Abort => {}
            Op::Call { .. } => return Err("calls are not supported".to_owned()),
            Op::Unsupported(reason) => return Err(reason.clone().into()),
            _ => return Err("memory is not linear arithmetic".to_owned()),
        }
        Ok(())
    }

    /// Adds the cases in which a variable takes any value of its sort.
    fn choose<'w>(
        &self,
        var: Var,
        mut thread: Thread<'w>,
        next: &mut Vec<Thread<'w>>,
    ) -> Result<(), String> {
        let sort = self.program.terms.var_sort(var);
        let place = match sort {
            Sort::Rat => thread.places.rational()?,
            Sort::Int | Sort::Bv(_) => thread.places.integer()?,
            Sort::Bool => {
                for value in [BigRational::zero(), BigRational::one()] {
                    let mut thread = thread.clone();
                    thread.values.insert(var, Linear::number(value));
                    next.push(thread);
                }
                return Ok(());
            }
            // No linear expression can depend on this variable; other expressions are refused where they use it.
            _ => {
                next.push(thread);
                return Ok(());
            }
        };
        thread.values.insert(var, Linear::unknown(place));
        if let Sort::Bv(width) = sort {
            thread.places.set_width(&Linear::unknown(place), width);
            thread.conditions.extend(within(place, width));
        }
        next.push(thread);
        Ok(())
    }

    fn meaning(&self, term: term::TermId, thread: &mut Thread<'_>) -> Result<Meaning, String> {
        let Thread { values, places, .. } = thread;
        let value = |var: Var| match values.get(&var) {
            Some(value) => Some(value.clone()),
            None => self.places.get(&var).map(|place| Linear::unknown(*place)),
        };
        meaning(&self.program.terms, term, &value, places)
    }

    /// Whether a guard can hold. The cases of arithmetic that wraps around are often impossible,
    /// which only the ranges of the words show.
    fn is_possible(&self, guard: &[AtomId]) -> bool {
        let limits = run::Budget::default();
        // If the prover does not answer, the command stays.
        let context = Context::new(&self.atoms, guard, &limits);
        context.map_or(true, |context| context.is_satisfiable())
    }

    /// The conditions of a case. `None` if they never hold.
    fn guard(&mut self, thread: &Thread<'_>) -> Option<Vec<AtomId>> {
        let mut guard = Vec::new();
        for (expression, relation) in &thread.conditions {
            match self.atoms.literal(expression, *relation) {
                Literal::True => {}
                Literal::False => return None,
                Literal::Atom(atom) => guard.push(atom),
            }
        }
        guard.sort_unstable();
        guard.dedup();
        self.is_possible(&guard).then_some(guard)
    }

    /// Adds the command of a case, unless its conditions never hold.
    fn add(&mut self, id: EdgeId, edge: &Edge, thread: &Thread<'_>) {
        let Some(guard) = self.guard(thread) else { return };
        if is_restriction(self.program, edge) {
            let error = Unsafe { location: edge.source, conjunction: guard, edge: Some(id) };
            self.system.errors.push(error);
            return;
        }
        let mut update = BTreeMap::new();
        for (place, var) in self.system.variables.iter().enumerate() {
            let place = place as PlaceNumber;
            if let Some(value) = thread.values.get(var).filter(|value| !value.is_unknown(place)) {
                update.insert(place, value.clone());
            }
        }
        let (source, target) = (edge.source, edge.target);
        let index = self.system.rules.len();
        self.system.rules.push(Rule { source, target, edge: id, guard, update });
        self.system.into.entry(target).or_default().push(index);
        self.system.from.entry(source).or_default().push(index);
    }
}

/// The range of the word at a place.
fn within(place: PlaceNumber, width: u32) -> [(Linear, Relation); 2] {
    let (least, greatest) = words::range(width);
    let minus = |number: BigInt| {
        let number = Linear::number(BigRational::from_integer(number));
        Linear::unknown(place).plus(&-BigRational::one(), &number)
    };
    [(minus(least), Relation::Ge), (minus(greatest), Relation::Le)]
}

/// A truth value as the number that is stored for it.
fn stored(yes: &[Conditions], no: &[Conditions]) -> Vec<Case> {
    let case = |conditions: &Conditions, value: BigRational| Case {
        conditions: conditions.clone(),
        value: Linear::number(value),
    };
    let yes = yes.iter().map(|conditions| case(conditions, BigRational::one()));
    let no = no.iter().map(|conditions| case(conditions, BigRational::zero()));
    yes.chain(no).collect()
}
