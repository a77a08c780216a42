//! The run of a counterexample, repeated by the interpreter and kept step by step.

use std::cell::RefCell;
use std::rc::Rc;

use cfa::{EdgeId, FuncId, ObjectId, Program};
use interp::{Change, Config, Holder, Inputs, Listed, Observer, Origin, Request, Step, Trouble};
use term::Value;
use verify::Counterexample;

/// Of a long run the first and the last steps are kept, so many of each.
const KEPT: u64 = 50_000;

/// A run that ends in an error.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    pub(crate) events: Vec<Event>,
    pub(crate) inputs: Vec<Input>,
    /// Where the objects are that exist from the start.
    pub(crate) placed: Vec<(ObjectId, u64)>,
}

/// A step of the run.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// How many edges were taken up to here.
    pub(crate) number: u64,
    pub(crate) edge: EdgeId,
    /// How many activations there are besides the first.
    pub(crate) depth: usize,
    /// The function that returned to the edge; none if the edge was taken.
    pub(crate) returned: Option<FuncId>,
    pub(crate) changes: Vec<Change>,
}

/// A value that came from outside, or was read without having been set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// What asked for it.
    pub origin: Origin,
    /// What holds it.
    pub holder: Holder,
    /// The value.
    pub value: Value,
}

impl Execution {
    /// Repeats the run of a counterexample.
    #[must_use]
    pub fn of(program: &Program, found: &Counterexample) -> Self {
        let record = Rc::new(RefCell::new(Self::default()));
        let mut inputs =
            Recorded { listed: Listed::replay(program, &found.drawn), record: Rc::clone(&record) };
        let mut observer = Recorder { steps: found.steps, record: Rc::clone(&record) };
        let config = Config { record: false, ..Config::default() };
        let mut sink = std::io::sink();
        interp::run(program, &config, &mut inputs, Some(&mut observer), &mut sink);
        record.take()
    }
}

struct Recorded {
    listed: Listed,
    record: Rc<RefCell<Execution>>,
}

impl Inputs for Recorded {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        let value = self.listed.choose(request)?;
        let Request { origin, holder, .. } = *request;
        self.record.borrow_mut().inputs.push(Input { origin, holder, value: value.clone() });
        Ok(value)
    }

    fn choose_edge(&mut self, location: cfa::LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        self.listed.choose_edge(location, edges)
    }
}

struct Recorder {
    steps: u64,
    record: Rc<RefCell<Execution>>,
}

impl Recorder {
    fn keep(&self, step: &Step<'_>, returned: Option<FuncId>) {
        if step.number > KEPT && step.number + KEPT < self.steps {
            return;
        }
        self.record.borrow_mut().events.push(Event {
            number: step.number,
            edge: step.edge,
            depth: step.depth,
            returned,
            changes: step.changes.to_vec(),
        });
    }
}

impl Observer for Recorder {
    fn placed(&mut self, object: ObjectId, address: u64) {
        self.record.borrow_mut().placed.push((object, address));
    }

    fn taken(&mut self, step: &Step<'_>) {
        self.keep(step, None);
    }

    fn returned(&mut self, callee: FuncId, step: &Step<'_>) {
        self.keep(step, Some(callee));
    }
}
