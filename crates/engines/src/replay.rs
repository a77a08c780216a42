//! From a model to an execution: the interpreter runs the program with the values that the model
//! gives to the symbols, and says whether an error is reached.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use base::Id as _;
use cfa::{Choice, EdgeId, FuncId, LocId, ObjectId, Program};
use interp::{
    Change, Config, Drawn, Ending, Holder, Inputs, Observer, Origin, Request, Shortcuts, Step,
    Trouble, Zeros,
};
use rustc_hash::FxHashMap;
use smt::Models;
use symbolic::{Executor, Happening, ObjectIndex, Scenario, Source};
use term::{Sort, TermId, Terms, Value};

use crate::ask::is_satisfiable;
use crate::model::Model;
use run::{Budget, Counterexample, Replayed};

/// How often a model with other addresses is asked for, at most.
const MOST_LAYOUTS: usize = 4;

/// Runs the program as the solver's model of the executor's formulas says, along a path if one is
/// given.
///
/// Objects have other addresses in the run than in the model, and inputs may be addresses. If the
/// run goes astray, another model is asked for, in which objects are where the run had them.
pub(crate) fn confirm(
    program: &Program,
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    solver: &mut dyn Models,
    formulas: &[TermId],
    path: Option<&[EdgeId]>,
    budget: &Budget,
) -> Replayed {
    // Another layout does not help where a result is not modelled.
    let is_done = |run: &interp::Run| matches!(run.ending, Ending::Error { .. });
    judge(program, settled(program, executor, terms, solver, formulas, path, &is_done, budget))
}

/// The decisions of an execution that takes a path, as the solver's model of the executor's formulas describes them.
/// The caller must find out whether the execution takes the path to its end.
pub(crate) fn along(
    program: &Program,
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    solver: &mut dyn Models,
    formulas: &[TermId],
    path: &[EdgeId],
    budget: &Budget,
) -> Vec<Drawn> {
    let length = path.len() as u64;
    let is_done = |run: &interp::Run| run.steps >= length;
    settled(program, executor, terms, solver, formulas, Some(path), &is_done, budget).drawn
}

/// The first run that is done, or the last one that was tried.
#[expect(clippy::too_many_arguments, reason = "a formula with all that it is about, and a run")]
fn settled(
    program: &Program,
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    solver: &mut dyn Models,
    formulas: &[TermId],
    path: Option<&[EdgeId]>,
    is_done: &dyn Fn(&interp::Run) -> bool,
    budget: &Budget,
) -> interp::Run {
    let mut known: Vec<(ObjectIndex, u64)> = Vec::new();
    for _ in 0..MOST_LAYOUTS {
        let mut model = Model::of(solver);
        let (run, places) = attempt(program, executor, terms, &mut model, path, budget);
        if is_done(&run) || places == known {
            return run;
        }
        let mut asked = formulas.to_vec();
        let known_bases = executor.mentioned(terms, formulas);
        for (object, address) in &places {
            if known_bases.binary_search(object).is_err() {
                continue;
            }
            let Some((base, _)) = executor.extent(*object) else { continue };
            let here = terms.bv(terms.width(base), u128::from(*address));
            asked.push(terms.eq(base, here));
        }
        match is_satisfiable(executor, terms, solver, &asked, budget) {
            Ok(true) => known = places,
            Ok(false) | Err(_) => return run,
        }
    }
    // Each model has led to a run with objects at other addresses.
    let mut model = Model::of(solver);
    attempt(program, executor, terms, &mut model, path, budget).0
}

/// The decisions of the execution that the solver's model of the executor's formulas describes, with zeros for what the
/// model does not describe; the execution is followed for at most `steps` steps.
pub(crate) fn sample(
    program: &Program,
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    solver: &mut dyn Models,
    steps: u64,
    budget: &Budget,
) -> Vec<Drawn> {
    let mut model = Model::of(solver);
    let scenario = executor.scenario(&mut |condition| model.holds(terms, condition));
    let mut guide = Guide::of(program, &scenario);
    guide.max_steps = steps;
    guided(program, executor, terms, &mut model, guide, budget).0.drawn
}

/// Runs the program once; also says where the run has put objects.
fn attempt(
    program: &Program,
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    model: &mut Model<'_>,
    path: Option<&[EdgeId]>,
    budget: &Budget,
) -> (interp::Run, Vec<(ObjectIndex, u64)>) {
    let scenario = executor.scenario(&mut |condition| model.holds(terms, condition));
    let mut guide = Guide::of(program, &scenario);
    if let Some(path) = path {
        guide.edges = path.iter().copied().collect();
        // A run that has left the path may go on for ever.
        guide.max_steps = guide.max_steps.min(path.len() as u64 + 1);
    }
    guided(program, executor, terms, model, guide, budget)
}

/// Runs the program as a guide says; also says where the run has put objects.
fn guided(
    program: &Program,
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    model: &mut Model<'_>,
    guide: Guide,
    budget: &Budget,
) -> (interp::Run, Vec<(ObjectIndex, u64)>) {
    let max_steps = guide.max_steps;
    let guide = Rc::new(RefCell::new(guide));
    let mut inputs = Guided { program, guide: guide.clone(), executor, terms, model };
    let mut follower = Follower { guide: guide.clone() };
    let config = Config { budget: Some(budget), max_steps, ..Config::default() };
    let mut sink = std::io::sink();
    let run = interp::run(program, &config, &mut inputs, Some(&mut follower), &mut sink);
    let guide = guide.borrow();
    let places = guide.objects.iter().copied().zip(guide.addresses.iter().copied()).collect();
    (run, places)
}

/// Runs the program with these decisions and says whether an error is reached.
#[must_use]
pub fn replay(program: &Program, drawn: &[Drawn], budget: &Budget) -> Replayed {
    replay_with(program, drawn, budget, None)
}

/// As [`replay`], with many rounds at once of loops for which there are shortcuts.
#[must_use]
pub fn replay_with(
    program: &Program,
    drawn: &[Drawn],
    budget: &Budget,
    shortcuts: Option<&Shortcuts>,
) -> Replayed {
    let mut inputs = interp::Listed::replay(program, drawn);
    let config =
        Config { max_steps: MAX_STEPS, budget: Some(budget), shortcuts, ..Config::default() };
    let run = interp::run(program, &config, &mut inputs, None, &mut std::io::sink());
    judge(program, run)
}

/// An execution that a formula describes is not longer than the formula.
const MAX_STEPS: u64 = 1_000_000_000;

/// What a run has shown.
pub(crate) fn judge(program: &Program, run: interp::Run) -> Replayed {
    match run.ending {
        Ending::Error { location, .. } if run.approximated == 0 => {
            let interp::Run { drawn, steps, skipped, .. } = run;
            Replayed::Error(Counterexample { drawn, steps, skipped, error: location })
        }
        // The run depends on results that are not modelled, and with the right results it might have gone anywhere.
        Ending::Error { .. }
        | Ending::AssumptionFailed { .. }
        | Ending::Invalid { .. }
        | Ending::Fault { .. }
        | Ending::Returned(_)
        | Ending::Exited { .. }
        | Ending::Aborted { .. }
            if run.approximated > 0 =>
        {
            Replayed::Not(not_modelled(program, &run.drawn))
        }
        ending => Replayed::Not(ending.describe(program)),
    }
}

/// A sentence that says that a run depends on a result that is not modelled, and on the result of which function.
fn not_modelled(program: &Program, drawn: &[Drawn]) -> String {
    let text = "it depends on a result that is not modelled";
    let name = drawn.iter().find_map(|drawn| match drawn {
        Drawn::Value { origin, .. } => match origin.choice(program) {
            Choice::Approximated(name) => Some(name),
            _ => None,
        },
        _ => None,
    });
    name.map_or_else(|| text.to_owned(), |name| format!("{text}: `{name}`"))
}

/// What a scenario says, as the interpreter will ask for it.
struct Guide {
    /// How many edges are taken at most.
    max_steps: u64,
    inputs: VecDeque<(EdgeId, u32, TermId)>,
    edges: VecDeque<EdgeId>,
    activations: Vec<Source>,
    objects: Vec<ObjectIndex>,
    /// The addresses at which the run has put the first of the objects.
    addresses: Vec<u64>,
    /// The bytes that each operation has made arbitrary, for each time that the operation was executed.
    bytes: FxHashMap<(EdgeId, u32), Vec<Bytes>>,
    /// How often each edge has been taken.
    taken: FxHashMap<EdgeId, usize>,
}

/// Bytes with arbitrary values.
struct Bytes {
    /// The address of the first byte.
    address: TermId,
    symbols: Vec<TermId>,
}

impl Guide {
    fn of(program: &Program, scenario: &Scenario) -> Self {
        let mut guide = Self {
            max_steps: MAX_STEPS,
            inputs: VecDeque::new(),
            edges: VecDeque::new(),
            activations: Vec::new(),
            addresses: Vec::new(),
            bytes: FxHashMap::default(),
            taken: FxHashMap::default(),
            objects: (0..program.cfa.objects.len()).map(ObjectIndex::from_index).collect(),
        };
        for event in &scenario.events {
            match &event.what {
                // The interpreter asks for these values only if the program looks at them, and then the run is no
                // proof.
                Happening::Input { choice: Choice::Approximated(_), .. } => {}
                Happening::Input { edge, symbol, .. } => {
                    guide.inputs.push_back((*edge, event.op, *symbol));
                }
                Happening::Bytes { edge, address, symbols } => {
                    let list = guide.bytes.entry((*edge, event.op)).or_default();
                    list.push(Bytes { address: *address, symbols: symbols.clone() });
                }
                Happening::Edge(edge) => guide.edges.push_back(*edge),
                Happening::Call(source) => guide.activations.push(*source),
                Happening::Object(object) => guide.objects.push(*object),
                Happening::Error(_) | Happening::Unsupported { .. } => {}
            }
        }
        guide
    }
}

struct Guided<'a, 'p, 'm> {
    program: &'a Program,
    guide: Rc<RefCell<Guide>>,
    executor: &'a mut Executor<'p>,
    terms: &'a mut Terms,
    model: &'a mut Model<'m>,
}

impl Guided<'_, '_, '_> {
    /// The memory outside and its first address, if `object` is the number of this memory. Offsets in this memory are
    /// addresses in formulas.
    fn outside(&self, object: u64) -> Option<(ObjectIndex, u64)> {
        let outside = self.program.cfa.outside.filter(|_| object == u64::MAX)?;
        Some((self.executor.region()?, outside.from))
    }

    fn symbol(&mut self, request: &Request<'_>) -> Option<TermId> {
        let mut guide = self.guide.borrow_mut();
        match (request.origin, request.holder) {
            (Origin::Havoc(site), _) => {
                let (edge, op, symbol) = *guide.inputs.front()?;
                if (edge, op) != (site.edge, site.op) {
                    return None;
                }
                guide.inputs.pop_front();
                Some(symbol)
            }
            (Origin::Variable(var, _), Holder::Variable { activation }) => {
                let source = guide.activations.get(usize::try_from(activation).ok()?)?;
                self.executor.symbol(*source, var)
            }
            (_, Holder::Memory { object, offset }) => {
                let (object, offset) = match self.outside(object) {
                    Some((region, from)) => (region, offset.checked_add(from)?),
                    None => (*guide.objects.get(usize::try_from(object).ok()?)?, offset),
                };
                let length = cfa::stored_bytes(request.sort)?;
                let bytes = match request.origin {
                    Origin::Memory(Some(site)) => {
                        let times = guide.taken.get(&site.edge).copied().unwrap_or(0).max(1);
                        let Bytes { address, symbols } =
                            guide.bytes.get(&(site.edge, site.op))?.get(times - 1)?;
                        let mut value = |terms: &Terms, term: TermId| self.model.eval(terms, term);
                        let (found, start) =
                            self.executor.locate(self.terms, *address, &mut value)?;
                        let from = usize::try_from(offset.checked_sub(start)?).ok()?;
                        let length = usize::try_from(length).ok()?;
                        let chosen = symbols.get(from..from.checked_add(length)?)?;
                        if found != object {
                            return None;
                        }
                        let (first, rest) = chosen.split_first()?;
                        let join = |low, high: &TermId| self.terms.bv_concat(*high, low);
                        rest.iter().fold(*first, join)
                    }
                    _ => self.executor.initial_bytes(self.terms, object, offset, length)?,
                };
                Some(match request.sort {
                    Sort::Float(format) => self.terms.fp_from_bits(format, bytes),
                    _ => bytes,
                })
            }
            _ => None,
        }
    }
}

impl Inputs for Guided<'_, '_, '_> {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        match self.symbol(request) {
            Some(symbol) => Ok(self.model.eval(self.terms, symbol)),
            // A value that no formula mentions does not matter.
            None => Zeros.choose(request),
        }
    }

    fn choose_edge(&mut self, _location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        let wanted = self.guide.borrow().edges.front().copied();
        Ok(edges.iter().position(|edge| Some(*edge) == wanted).unwrap_or(0))
    }
}

/// Keeps the list of chosen edges in step with the run.
struct Follower {
    guide: Rc<RefCell<Guide>>,
}

impl Observer for Follower {
    fn placed(&mut self, _object: ObjectId, address: u64) {
        self.guide.borrow_mut().addresses.push(address);
    }

    fn taken(&mut self, step: &Step<'_>) {
        let mut guide = self.guide.borrow_mut();
        for change in step.changes {
            if let Change::Allocated { address, .. } = change {
                guide.addresses.push(*address);
            }
        }
        *guide.taken.entry(step.edge).or_default() += 1;
        if guide.edges.front() == Some(&step.edge) {
            guide.edges.pop_front();
        }
    }

    fn returned(&mut self, _callee: FuncId, _step: &Step<'_>) {}
}
