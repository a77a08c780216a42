//! The execution that takes the values of a witness in their order, and whether this execution is along the witness.
//! Most witnesses name each input, so this execution is found at once, however long it is.

use base::SourceMap;
use cfa::{Choice, EdgeId, FuncId, LocId};
use engines::directed::Directions;
use interp::{
    Change, Drawn, Ending, Holder, Inputs, Listed, Observer, Request, Step, Trouble, Zeros,
};
use smt::NewSolver;
use term::{Bv, Sort, Value, Var};
use verify::Config;

use crate::model::{Automaton, Event};
use crate::weave::GUESS;
use crate::woven::Product;

/// The part of the time for it. Other executions along the witness are looked for in the rest.
const FOLLOWED: f64 = 0.5;

/// The part of the time that is left, and of the memory, for an execution with symbols.
const DIRECTED: f64 = 0.5;

/// How many edges are taken at most; rounds of loops that are taken at once do not count.
const MOST_STEPS: u64 = 100_000_000;

/// An input that the witness does not name is taken to be zero, but only for this many inputs: a loop that reads
/// until it finds another number would never end.
const MOST_UNLISTED: u32 = 10_000;

/// At most this many edges are taken after the execution has passed the place of a step without taking the step,
/// unless the execution is followed with patience: an execution that misses a step mostly lacks a value that the
/// witness does not say.
const FEW_STEPS: u64 = 1_000_000;

/// How an execution ended that was followed.
pub(crate) enum Along {
    /// The execution is along the automaton, and these are its decisions.
    Reached(Vec<Drawn>),
    /// It is none along the automaton, or it is too long.
    Lost,
    /// It has passed the place of a step and has gone on for long since.
    Passing,
}

/// The decisions of the execution along an automaton, up to the last state or an error there. The automaton is in the
/// program `product`.
pub(crate) fn along(
    product: &Product,
    automaton: &Automaton,
    config: &Config,
    is_patient: bool,
) -> Along {
    let Some(listed) = listed(automaton) else { return Along::Lost };
    let mut inputs = Followed { listed, unlisted: 0 };
    let budget = config.budget.share(FOLLOWED);
    let shortcuts = verify::shortcuts(&product.program);
    let config = interp::Config {
        max_steps: MOST_STEPS,
        budget: Some(&budget),
        shortcuts: Some(&shortcuts),
        ..interp::Config::default()
    };
    // No execution leaves a last state that has no steps, so the run can stop there: what follows is shown by a run
    // of the program itself.
    let is_final = automaton.steps.iter().all(|step| step.from != automaton.last);
    let mut passed = Passed {
        state: product.state().filter(|_| is_final && automaton.last != 0),
        last: Value::Bv(Bv::new(32, u128::from(automaton.last))),
        is_done: false,
        places: if is_patient { &[] } else { &product.passed },
        left: None,
    };
    let program = &product.program;
    let output = &mut std::io::sink();
    let ended = interp::run(program, &config, &mut inputs, Some(&mut passed), output);
    match ended.ending {
        Ending::Error { .. } => Along::Reached(ended.drawn),
        _ if passed.is_done => Along::Reached(ended.drawn),
        _ if passed.left == Some(0) => Along::Passing,
        _ => Along::Lost,
    }
}

/// The decisions of an execution that takes each step of the automaton, which is in the program `product`, as soon as
/// the execution is at the place of the step. Such an execution is looked for with symbols for the values that the
/// witness does not say: most of them are values of memory that no operation has set.
pub(crate) fn directed(
    product: &Product,
    config: &Config,
    solver: NewSolver<'_>,
) -> Option<Vec<Drawn>> {
    let directions = Directions {
        onwards: product.steps().into_iter().collect(),
        never: product.passed.iter().copied().collect(),
    };
    let budget = config.budget.share(DIRECTED).share_of_memory(DIRECTED);
    let found = engines::directed::directed(&product.program, &directions, solver, &budget);
    found.map(|found| found.drawn)
}

/// Waits for the last state.
struct Passed<'a> {
    state: Option<Var>,
    last: Value,
    is_done: bool,
    /// The edges on which the place of a step is passed, in order.
    places: &'a [EdgeId],
    /// How many edges may still be taken; set when the execution takes one of the edges in `places`.
    left: Option<u64>,
}

impl Observer for Passed<'_> {
    fn taken(&mut self, step: &Step<'_>) {
        match &mut self.left {
            Some(left) => *left = left.saturating_sub(1),
            None if self.places.binary_search(&step.edge).is_ok() => self.left = Some(FEW_STEPS),
            None => {}
        }
        self.is_done |= step.changes.iter().any(|change| {
            matches!(change, Change::Assigned { var, value: Some(value) }
                if Some(*var) == self.state && *value == self.last)
        });
    }

    fn returned(&mut self, _callee: FuncId, _step: &Step<'_>) {}

    fn is_done(&self) -> bool {
        self.is_done || self.left == Some(0)
    }
}

/// The values that calls return, in the order of the steps.
fn listed(automaton: &Automaton) -> Option<Listed> {
    let values = automaton.steps.iter().filter_map(|step| match &step.event {
        Event::Returned(_, said) => value(said),
        _ => None,
    });
    let text = values.fold(String::new(), |text, value| text + value + "\n");
    let mut sources = SourceMap::new();
    let file = sources.add("<witness>", text.into_bytes())?;
    interp::parse_inputs(&sources, file).ok()
}

/// The number in `\result == 42U`.
fn value(said: &str) -> Option<&str> {
    fn bare(text: &str) -> &str {
        text.trim_matches([' ', '(', ')'])
    }
    let (left, right) = said.split_once("==")?;
    let number = bare(right).trim_end_matches(['u', 'U', 'l', 'L']);
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (bare(left) == "\\result" && is_number).then_some(number)
}

/// The values of a witness; steps that may be left out are taken.
struct Followed {
    listed: Listed,
    unlisted: u32,
}

impl Inputs for Followed {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        // The list has the results of calls only. A variable or memory that no operation has set gets zero here; the
        // analysis that comes next looks for other values.
        if request.holder != Holder::Operation {
            return Zeros.choose(request);
        }
        match (request.origin.choice(request.program), request.sort) {
            (Choice::Input(name), Sort::Bv(width)) if &**name == GUESS => {
                Ok(Value::Bv(Bv::new(width, 1)))
            }
            _ => {
                self.unlisted += u32::from(self.listed.is_exhausted());
                match self.unlisted > MOST_UNLISTED {
                    true => Err(Trouble::Exhausted),
                    false => self.listed.choose(request),
                }
            }
        }
    }

    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        Zeros.choose_edge(location, edges)
    }
}
