//! Samples of what functions do, from runs of the program and from calls with arguments that are chosen
//! here.

use std::collections::{BTreeMap, BTreeSet};

use base::Random;
use cfa::{EdgeId, FuncId, LocId, Op, Program, Reading, Scope, Variable};
use interp::{Change, Config, Inputs, Observer, RandomInputs, Request, Step, Trouble};
use run::Budget;
use term::{Bv, Sort, Value, Var};

use super::contract::Spoken;

/// How many runs of the program are watched.
const RUNS: u64 = 24;

/// How often each function is called.
const CALLS: usize = 40;

/// How many edges a run takes.
const STEPS: u64 = 2_000;

/// How many edges all calls together take.
const ALL_STEPS: u64 = 150_000;

/// How many bytes a run may take.
const MEMORY: u64 = 1 << 26;

/// How many activations of a function are kept: of those that have returned, and of those that have not.
const KEPT: usize = 120;
const KEPT_OPEN: usize = 40;

/// How many calls of a run are kept that have not returned.
const OUTERMOST: usize = 8;

/// The values of the variables that a contract speaks of, for one activation of its function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Sample {
    /// The values, as far as they are known: those before the call, and those after it if it has returned.
    pub(super) values: BTreeMap<Var, Value>,
    /// Whether the call has returned.
    pub(super) returned: bool,
}

/// Activations of functions.
pub(super) type Samples = BTreeMap<FuncId, BTreeSet<Sample>>;

/// What is seen in runs of the program.
pub(super) fn of_program(
    program: &Program,
    spoken: &BTreeMap<FuncId, &Spoken>,
    constants: &BTreeSet<Bv>,
    budget: &Budget,
) -> Samples {
    let mut samples = Samples::new();
    for seed in 0..RUNS {
        if budget.exceeded().is_some() {
            break;
        }
        watch(program, spoken, &mut Drawing::new(seed, constants, None), STEPS, &mut samples);
    }
    samples
}

/// What is seen when each function is called with some arguments and some values of global variables. The
/// program itself may never call it like that.
pub(super) fn of_calls(
    program: &Program,
    spoken: &BTreeMap<FuncId, &Spoken>,
    constants: &BTreeSet<Bv>,
    budget: &Budget,
) -> Samples {
    let mut driven = program.clone();
    let driver = driven.cfa.add_function("@calls", None);
    let place = driven.cfa.functions[driver].entry;
    driven.cfa.start = Some(driver);
    let mut calls = 0;
    for (number, (function, spoken)) in spoken.iter().enumerate() {
        let parameters = program.cfa.functions[*function].parameters.clone();
        let globals = spoken.globals.iter().map(|(var, _)| *var);
        let vars: Vec<Var> = parameters.iter().copied().chain(globals).collect();
        let results: Vec<Var> = program.cfa.functions[*function].results.clone();
        let results: Vec<Var> = results
            .into_iter()
            .enumerate()
            .map(|(index, var)| {
                let scope = Scope::Local(driver);
                let known =
                    Variable { scope, reading: Reading::Plain, source_name: None, span: None };
                let sort = driven.terms.var_sort(var);
                driven.declare(format!("@calls:{number}:{index}"), sort, known)
            })
            .collect();
        for values in arguments(program, &vars, constants) {
            let terms: Vec<_> =
                values.into_iter().map(|value| driven.terms.constant(value)).collect();
            let (arguments, rest) = terms.split_at(parameters.len());
            let assigned = vars[parameters.len()..].iter().zip(rest);
            let ops: Vec<Op> =
                assigned.map(|(var, value)| Op::Assign { var: *var, value: *value }).collect();
            let cfa = &mut driven.cfa;
            let next = cfa.add_location(driver);
            cfa.add_edge(place, next, ops, None);
            let (callee, arguments) = (*function, arguments.into());
            let call = Op::Call { callee, arguments, results: results.clone().into() };
            cfa.add_edge(next, cfa.functions[driver].exit, [call], None);
            calls += 1;
        }
    }
    let mut samples = Samples::new();
    let steps = (ALL_STEPS / (calls as u64).max(1)).min(STEPS);
    for call in 0..calls {
        if budget.exceeded().is_some() {
            break;
        }
        let mut inputs = Drawing::new(call as u64, constants, Some((place, call)));
        watch(&driven, spoken, &mut inputs, steps, &mut samples);
    }
    samples
}

/// Some values of variables: small numbers and constants of the program, in lists. Each list is given once as it is,
/// and once for each of its values with this value greater by one, so that the effect of the value is seen.
fn arguments(program: &Program, vars: &[Var], constants: &BTreeSet<Bv>) -> Vec<Vec<Value>> {
    let mut drawing = Drawing::new(1, constants, None);
    let mut lists = Vec::new();
    while lists.len() < CALLS {
        let list: Vec<Value> = vars
            .iter()
            .map(|var| match program.terms.var_sort(*var) {
                Sort::Bv(width) => Value::Bv(drawing.number(width)),
                sort => program.terms.zero(sort),
            })
            .collect();
        lists.push(list.clone());
        for (index, value) in list.iter().enumerate() {
            if let Value::Bv(value) = value {
                let mut next = list.clone();
                next[index] = Value::Bv(value.add(&Bv::new(value.width(), 1)));
                lists.push(next);
            }
        }
        if vars.is_empty() {
            break;
        }
    }
    lists
}

/// Runs a program, and notes what functions do.
fn watch(
    program: &Program,
    spoken: &BTreeMap<FuncId, &Spoken>,
    inputs: &mut Drawing<'_>,
    max_steps: u64,
    samples: &mut Samples,
) {
    let mut watch = Watch {
        program,
        spoken,
        globals: BTreeMap::new(),
        frames: vec![Frame::default()],
        samples,
    };
    let config = Config { max_steps, memory: MEMORY, record: false, ..Config::default() };
    interp::run(program, &config, inputs, Some(&mut watch), &mut std::io::sink());
    // Calls that have not returned tell what they were called with. Deep in a recursion all calls are alike.
    for frame in std::mem::take(&mut watch.frames).into_iter().take(OUTERMOST) {
        watch.note(frame, false);
    }
}

#[derive(Default)]
struct Frame {
    function: Option<FuncId>,
    locals: BTreeMap<Var, Value>,
    /// What the contract speaks of, before the call.
    before: BTreeMap<Var, Value>,
}

struct Watch<'a> {
    program: &'a Program,
    spoken: &'a BTreeMap<FuncId, &'a Spoken>,
    globals: BTreeMap<Var, Value>,
    frames: Vec<Frame>,
    samples: &'a mut Samples,
}

impl Watch<'_> {
    fn change(&mut self, changes: &[Change]) {
        for change in changes {
            let Some((var, value)) = change.assigned() else { continue };
            let values = match self.program.cfa.variables[var].scope {
                Scope::Local(_) => match self.frames.last_mut() {
                    Some(frame) => &mut frame.locals,
                    None => continue,
                },
                Scope::Global | Scope::Address(_) => &mut self.globals,
            };
            match value {
                Some(value) => values.insert(var, value.clone()),
                None => values.remove(&var),
            };
        }
    }

    /// Keeps what an activation did.
    fn note(&mut self, frame: Frame, returned: bool) {
        let Some((function, spoken)) =
            frame.function.and_then(|function| Some((function, self.spoken.get(&function)?)))
        else {
            return;
        };
        let kept = self.samples.entry(function).or_default();
        let most = if returned { KEPT } else { KEPT_OPEN };
        if kept.iter().filter(|sample| sample.returned == returned).count() >= most {
            return;
        }
        let mut values = frame.before;
        if returned {
            let results = self.program.cfa.functions[function].results.iter().zip(&spoken.results);
            for (var, stands) in results {
                if let Some(value) = frame.locals.get(var) {
                    values.insert(*stands, value.clone());
                }
            }
            for (var, _) in &spoken.globals {
                if let Some(value) = self.globals.get(var) {
                    values.insert(*var, value.clone());
                }
            }
        }
        kept.insert(Sample { values, returned });
    }
}

impl Observer for Watch<'_> {
    fn taken(&mut self, step: &Step<'_>) {
        let Some(callee) = self.program.cfa.edges[step.edge].callee() else {
            return self.change(step.changes);
        };
        // Arguments are read by the caller, and parameters assigned in the callee.
        let is_assigned = |change: &&Change| matches!(change, Change::Assigned { .. });
        let (assigned, drawn): (Vec<&Change>, Vec<&Change>) =
            step.changes.iter().partition(is_assigned);
        let [assigned, drawn] =
            [assigned, drawn].map(|changes| changes.into_iter().cloned().collect::<Vec<Change>>());
        self.change(&drawn);
        self.frames.push(Frame { function: Some(callee), ..Frame::default() });
        self.change(&assigned);
        let (Some(frame), Some(spoken)) = (self.frames.last_mut(), self.spoken.get(&callee)) else {
            return;
        };
        let parameters = self.program.cfa.functions[callee].parameters.iter();
        for (var, stands) in parameters.zip(&spoken.parameters) {
            if let Some(value) = frame.locals.get(var) {
                frame.before.insert(*stands, value.clone());
            }
        }
        for (var, before) in &spoken.globals {
            if let Some(value) = self.globals.get(var) {
                frame.before.insert(*before, value.clone());
            }
        }
    }

    fn returned(&mut self, _: FuncId, step: &Step<'_>) {
        if let Some(frame) = self.frames.pop() {
            self.note(frame, true);
        }
        self.change(step.changes);
    }
}

/// Inputs that are near the constants with which a program compares them.
struct Drawing<'a> {
    numbers: Random,
    others: RandomInputs,
    constants: &'a BTreeSet<Bv>,
    /// The edge to take at a place.
    chosen: Option<(LocId, usize)>,
}

impl<'a> Drawing<'a> {
    fn new(seed: u64, constants: &'a BTreeSet<Bv>, chosen: Option<(LocId, usize)>) -> Self {
        let (numbers, others) = (Random::stream(seed, 1), RandomInputs::with_zeros(seed));
        Self { numbers, others, constants, chosen }
    }

    fn number(&mut self, width: u32) -> Bv {
        let fitting: Vec<&Bv> =
            self.constants.iter().filter(|value| value.width() == width).collect();
        let number = match (self.numbers.below(2), fitting.is_empty()) {
            (0, false) => fitting[self.numbers.below(fitting.len())].clone(),
            _ => Bv::new(width, self.numbers.below(7) as u128),
        };
        match self.numbers.below(4) {
            0 => number.sub(&Bv::new(width, 1)),
            1 => number.add(&Bv::new(width, 1)),
            _ => number,
        }
    }
}

impl Inputs for Drawing<'_> {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        match request.sort {
            Sort::Bv(width) if self.numbers.below(4) != 0 => Ok(Value::Bv(self.number(width))),
            _ => self.others.choose(request),
        }
    }

    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        match self.chosen {
            Some((place, index)) if place == location && index < edges.len() => Ok(index),
            _ => self.others.choose_edge(location, edges),
        }
    }
}
