//! The machine: its state, and the loop that takes edges.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use cfa::{Choice, Contents, EdgeId, FuncId, LocId, Op, Program, Scope, StorageKind};
use run::Budget;
use term::{Bv, Environment, Evaluator, Sort, TermId, Value, Var, View};

use crate::candidate::Candidate;
use crate::ending::Ending;
use crate::inputs::{Drawn, Holder, Inputs, Origin, Request, Site, Trouble};
use crate::log::Log;
use crate::memory::{Full, Memory};
use crate::observe::{Change, Observer, Step};
use crate::plan::{LocationPlan, Plan};
use crate::shortcut::{Comparison, Shortcuts};
use crate::store::{Cell, Store};

/// How often the stop flag is looked at, in steps.
const LOOK: u64 = 4096;

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// How many edges may be taken.
    pub max_steps: u64,
    /// How many bytes objects, frames and records may take, roughly.
    pub memory: u64,
    /// Whether [`Run::drawn`] is filled.
    pub record: bool,
    /// The run ends soon after one of the limits of this budget is passed.
    pub budget: Option<&'a Budget>,
    /// Loops of which many rounds may be taken at once. These count as steps, but not for the limit.
    pub shortcuts: Option<&'a Shortcuts>,
}

impl Default for Config<'_> {
    fn default() -> Self {
        Self { max_steps: u64::MAX, memory: 1 << 30, record: true, budget: None, shortcuts: None }
    }
}

/// A run that has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// How many edges were taken, or fewer where rounds of loops were taken at once.
    pub steps: u64,
    /// What was decided, in order, if that was to be recorded.
    pub drawn: Vec<Drawn>,
    /// How many values that were read stand for results that are not modelled. If there are any,
    /// the real program may behave differently.
    pub approximated: u64,
    /// How many rounds of loops were taken at once.
    pub skipped: u64,
    /// How many rounds were taken at once of each of these loops, by the heads of the loops.
    pub passed: BTreeMap<LocId, u64>,
}

/// Runs a program until it ends.
pub fn run<'a>(
    program: &'a Program,
    config: &Config<'a>,
    inputs: &'a mut dyn Inputs,
    observer: Option<&'a mut dyn Observer>,
    output: &'a mut dyn Write,
) -> Run {
    let (plan, mut evaluator) = (Plan::new(program), Evaluator::new());
    let observer = observer.map(|observer| observer as &mut dyn Observer);
    machine(program, (&plan, &mut evaluator), config, inputs, observer, output)
}

/// A program that is run many times. The runs share only what depends on nothing but the program: the
/// plan of its edges, and the compiled code of its terms.
pub struct Runner<'p> {
    program: &'p Program,
    plan: Plan,
    evaluator: Evaluator,
}

impl<'p> Runner<'p> {
    /// Makes a program ready for runs.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self { program, plan: Plan::new(program), evaluator: Evaluator::new() }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Runs the program until it ends, without output.
    pub fn run(&mut self, config: &Config<'_>, inputs: &mut dyn Inputs) -> Run {
        let prepared = (&self.plan, &mut self.evaluator);
        machine(self.program, prepared, config, inputs, None, &mut std::io::sink())
    }
}

fn machine<'a>(
    program: &'a Program,
    (plan, evaluator): (&'a Plan, &'a mut Evaluator),
    config: &Config<'a>,
    inputs: &'a mut dyn Inputs,
    observer: Option<&'a mut dyn Observer>,
    output: &'a mut dyn Write,
) -> Run {
    let mut machine = Machine {
        program,
        config: *config,
        plan,
        evaluator,
        store: Store::new(program),
        memory: Memory::new(program.cfa.address_width, program.cfa.outside, config.memory),
        frames: Vec::new(),
        inputs,
        observer,
        output,
        log: None,
        changes: Vec::new(),
        candidates: Vec::new(),
        arguments: Vec::new(),
        returned: Vec::new(),
        edge: None,
        steps: 0,
        activations: 0,
        pause: 0,
        drawn: Vec::new(),
        approximated: 0,
        comparisons: Vec::new(),
        summaries: Evaluator::new(),
        few: BTreeMap::new(),
        distrusted: BTreeSet::new(),
        passed: BTreeMap::new(),
    };
    let ending = match machine.execute() {
        Ok(ending) => ending,
        Err(Stop::End(ending)) => *ending,
        Err(Stop::Blocked) => unreachable!("assumptions are dealt with where the edges are"),
    };
    let Machine { steps, drawn, approximated, passed, .. } = machine;
    let skipped = passed.values().fold(0, |sum: u64, rounds| sum.saturating_add(*rounds));
    Run { ending, steps, drawn, approximated, skipped, passed }
}

/// Why an operation does not go on to the next.
pub(crate) enum Stop {
    /// An assumption failed: the edge cannot be taken.
    Blocked,
    /// The run ends. Boxed, for results that are passed up at every step are to be small.
    End(Box<Ending>),
}

impl From<Ending> for Stop {
    fn from(ending: Ending) -> Self {
        Stop::End(Box::new(ending))
    }
}

pub(crate) type Go<T> = Result<T, Stop>;

pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    config: Config<'a>,
    pub(crate) plan: &'a Plan,
    evaluator: &'a mut Evaluator,
    pub(crate) store: Store,
    pub(crate) memory: Memory,
    pub(crate) frames: Vec<Frame>,
    pub(crate) inputs: &'a mut dyn Inputs,
    pub(crate) observer: Option<&'a mut dyn Observer>,
    output: &'a mut dyn Write,
    /// Set while an edge is tried that may turn out not to be taken.
    pub(crate) log: Option<Log>,
    /// What the current edge did; kept only for an observer.
    pub(crate) changes: Vec<Change>,
    /// Room for the edges that can be taken, kept from step to step.
    pub(crate) candidates: Vec<Candidate>,
    /// Room for arguments, kept from call to call.
    arguments: Vec<Value>,
    /// Room for results.
    returned: Vec<Cell>,
    /// The edge at work.
    pub(crate) edge: Option<EdgeId>,
    pub(crate) steps: u64,
    /// How many activations have started.
    activations: u64,
    /// The number of steps at which limits are looked at next.
    pause: u64,
    drawn: Vec<Drawn>,
    approximated: u64,
    /// The loops whose first rounds are being compared with their shortcuts.
    pub(crate) comparisons: Vec<Comparison>,
    /// The code of terms of shortcuts, which have a table of their own.
    pub(crate) summaries: Evaluator,
    /// For loops that have few rounds left, how often their heads are passed before that is asked again.
    pub(crate) few: BTreeMap<LocId, u64>,
    /// Heads of loops whose rounds did not do what their shortcut says.
    pub(crate) distrusted: BTreeSet<LocId>,
    /// How many rounds of loops were taken at once, by the heads of these loops.
    passed: BTreeMap<LocId, u64>,
}

/// An activation.
pub(crate) struct Frame {
    function: FuncId,
    /// The edge of the call that started the activation; none for the first activation.
    call: Option<EdgeId>,
    /// Where the caller's frame starts.
    base: usize,
    /// How many stack objects there were at the call.
    stack: usize,
    /// How many activations had started, this one included.
    number: u64,
}

impl<'a> Machine<'a> {
    fn execute(&mut self) -> Go<Ending> {
        let Some(start) = self.program.cfa.start else {
            let reason = "a program without a start".to_owned();
            return Ok(Ending::Unsupported { reason, edge: None });
        };
        self.lay_out()?;
        let mut here = self.enter(start, None)?;
        loop {
            let plan = self.plan.locations[here];
            match plan {
                LocationPlan::Error => {
                    return Ok(Ending::Error { location: here, edge: self.edge });
                }
                LocationPlan::Dead => return Ok(Ending::AssumptionFailed { location: here }),
                LocationPlan::Exit => {
                    let Some(call) = self.leave() else { return self.result(start) };
                    here = self.program.cfa.edges[call].target;
                    continue;
                }
                LocationPlan::One(..) | LocationPlan::Branch(..) | LocationPlan::Many => {}
            }
            if self.steps >= self.pause {
                self.look()?;
            }
            if self.observer.as_ref().is_some_and(|observer| observer.is_done()) {
                return Ok(Ending::Stopped);
            }
            if self.config.shortcuts.is_some() {
                self.skip(here, self.frames.last().map_or(0, |frame| frame.number));
            }
            here = match plan {
                LocationPlan::One(edge, guards) => {
                    if !self.guards_hold(edge, guards)? {
                        return Ok(Ending::AssumptionFailed { location: here });
                    }
                    self.take(edge, guards)?
                }
                LocationPlan::Branch(one, other) => {
                    let edge = if self.guards_hold(one, 1)? { one } else { other };
                    self.take(edge, 1)?
                }
                _ => self.choose(here)?,
            };
        }
    }

    pub(crate) fn shortcuts(&self) -> Option<&'a Shortcuts> {
        self.config.shortcuts
    }

    /// Counts rounds that were taken at once, and the edges in them.
    pub(crate) fn pass(&mut self, head: LocId, rounds: u64, edges: u64) {
        if rounds == 0 {
            return;
        }
        if let Some(observer) = &mut self.observer {
            observer.passed(head, rounds, self.frames.len() - 1);
        }
        let passed = self.passed.entry(head).or_default();
        *passed = passed.saturating_add(rounds);
        self.steps = self.steps.saturating_add(edges);
        self.config.max_steps = self.config.max_steps.saturating_add(edges);
    }

    /// Limits, looked at now and then.
    fn look(&mut self) -> Go<()> {
        if self.steps >= self.config.max_steps {
            return Err(Ending::StepLimit.into());
        }
        if self.config.budget.is_some_and(|budget| budget.exceeded().is_some()) {
            return Err(Ending::Stopped.into());
        }
        self.pause = self.config.max_steps.min(self.steps.saturating_add(LOOK));
        Ok(())
    }

    /// Places the objects that exist from the start.
    fn lay_out(&mut self) -> Go<()> {
        let cfa = &self.program.cfa;
        let mut addresses = Vec::with_capacity(cfa.objects.len());
        for (id, object) in cfa.objects.entries() {
            let (size, defined) = match &object.contents {
                // Code has an address and nothing to read.
                _ if matches!(StorageKind::from(object.kind), StorageKind::Code) => (1, true),
                Contents::Bytes(..) => (object.size, true),
                Contents::Arbitrary => (object.size, false),
            };
            let placed = self.memory.allocate(size, object.align, object.kind.into(), defined);
            let (slot, address) = placed.map_err(|Full| self.out_of_memory())?;
            addresses.push((slot, address));
            if let Some(observer) = &mut self.observer {
                observer.placed(id, address);
            }
            let index = self.store.index(object.address);
            let value = Bv::new(cfa.address_width, u128::from(address));
            *self.store.at(index) = Some(Value::Bv(value));
        }
        for (object, (slot, _)) in cfa.objects.iter().zip(&addresses) {
            let Contents::Bytes(bytes, patches) = &object.contents else { continue };
            if matches!(StorageKind::from(object.kind), StorageKind::Code) {
                continue;
            }
            self.memory.initialise(*slot, 0, bytes);
            for patch in patches {
                let value = self.eval(patch.value)?;
                let bytes = self.encode(&value)?;
                self.memory.initialise(*slot, patch.offset, &bytes);
            }
        }
        Ok(())
    }

    /// Starts an activation whose parameters have no values yet.
    fn enter(&mut self, function: FuncId, call: Option<EdgeId>) -> Go<LocId> {
        self.memory.charge(self.frame_bytes(function)).map_err(|Full| self.out_of_memory())?;
        let stack = self.memory.stack_height();
        let base = self.store.push(function);
        self.activations += 1;
        self.frames.push(Frame { function, call, base, stack, number: self.activations });
        Ok(self.program.cfa.functions[function].entry)
    }

    fn frame_bytes(&self, function: FuncId) -> u64 {
        let values = self.store.frame_size(function) * size_of::<Option<Value>>();
        (values + size_of::<Frame>()) as u64
    }

    fn call(&mut self, edge: EdgeId, callee: FuncId, arguments: &[TermId]) -> Go<LocId> {
        let mut values = std::mem::take(&mut self.arguments);
        values.clear();
        for argument in arguments {
            values.push(self.eval(*argument)?);
        }
        let entry = self.enter(callee, Some(edge))?;
        let parameters = &self.program.cfa.functions[callee].parameters;
        for (parameter, value) in parameters.iter().zip(values.drain(..)) {
            self.assign(*parameter, value);
        }
        self.arguments = values;
        Ok(entry)
    }

    /// Ends the activation. Gives the edge of its call, unless it is the first one.
    fn leave(&mut self) -> Option<EdgeId> {
        let Frame { function, call, base, stack, .. } = self.frames.pop()?;
        let call = call?;
        self.edge = Some(call);
        let mut returned = std::mem::take(&mut self.returned);
        let results = &self.program.cfa.functions[function].results;
        let targets = match self.program.cfa.edges[call].ops.last() {
            Some(Op::Call { results, .. }) => &results[..],
            _ => &[],
        };
        for result in results.iter().take(targets.len()) {
            let index = self.store.index(*result);
            let mut cell = Cell::default();
            self.store.exchange(index, &mut cell);
            returned.push(cell);
        }
        self.memory.unwind(stack);
        self.memory.discharge(self.frame_bytes(function));
        self.store.pop(base);
        // A result without a value is passed on without one; a value is asked for when the result is read.
        for (target, value) in targets.iter().zip(returned.drain(..)) {
            self.assign(*target, value);
        }
        self.returned = returned;
        if let Some(observer) = &mut self.observer {
            let depth = self.frames.len() - 1;
            observer.returned(
                function,
                &Step { number: self.steps, edge: call, depth, changes: &self.changes },
            );
            self.changes.clear();
        }
        Some(call)
    }

    /// What the start function returned; its frame is still there.
    fn result(&mut self, start: FuncId) -> Go<Ending> {
        let Some(result) = self.program.cfa.functions[start].results.first().copied() else {
            return Ok(Ending::Returned(None));
        };
        let index = self.store.index(result);
        let value = match self.store.at(index).take() {
            Some(value) => value,
            None => self.draw_variable(result)?,
        };
        Ok(Ending::Returned(Some(value)))
    }

    /// Takes an edge whose first `skip` operations, assumptions, hold. Gives where it leads.
    pub(crate) fn take(&mut self, edge: EdgeId, skip: u32) -> Go<LocId> {
        // Rounds that are taken at once may have been too many to be counted.
        self.steps = self.steps.saturating_add(1);
        self.edge = Some(edge);
        let depth = self.frames.len() - 1;
        let program = self.program;
        let taken = &program.cfa.edges[edge];
        let mut next = Ok(taken.target);
        for at in skip as usize..taken.ops.len() {
            let done = match &taken.ops[at] {
                Op::Call { callee, arguments, .. } => self.call(edge, *callee, arguments),
                op => self.perform(edge, at, op).map(|()| taken.target),
            };
            next = done;
            if next.is_err() {
                break;
            }
        }
        if self.observer.is_some() {
            self.tell(edge, depth);
        }
        next
    }

    /// Shows an observer the edge, and forgets what it did.
    pub(crate) fn tell(&mut self, edge: EdgeId, depth: usize) {
        if let Some(observer) = &mut self.observer {
            observer.taken(&Step { number: self.steps, edge, depth, changes: &self.changes });
            self.changes.clear();
        }
    }

    /// The value of a term. Variables without a value get one.
    #[inline]
    pub(crate) fn eval(&mut self, term: TermId) -> Go<Value> {
        loop {
            // Most terms that programs evaluate are constants and variables, which need no computation.
            match self.program.terms.view(term) {
                View::Const(value) => return Ok(value.clone()),
                View::Var(var) => {
                    if let Some(value) = self.store.get(var) {
                        return Ok(value.clone());
                    }
                }
                View::App(..) => {}
            }
            match self.evaluator.eval(&self.program.terms, term, &self.store) {
                Ok(value) => return Ok(value),
                Err(unbound) => {
                    let value = self.draw_variable(unbound.0)?;
                    let index = self.store.index(unbound.0);
                    *self.store.at(index) = Some(value);
                }
            }
        }
    }

    /// The value of a term. If a variable in the term has no value because it stands for a result that is not
    /// modelled, gives the operation that made the variable arbitrary instead: the value of the term would not be
    /// modelled either, and the program seldom looks at such values.
    pub(crate) fn eval_modelled(&mut self, term: TermId) -> Go<Result<Value, Site>> {
        loop {
            match self.evaluator.eval(&self.program.terms, term, &self.store) {
                Ok(value) => return Ok(Ok(value)),
                Err(unbound) => {
                    let havoc = self.store.havoc_at(self.store.index(unbound.0));
                    let origin = Origin::Variable(unbound.0, havoc);
                    if let (Some(site), Choice::Approximated(_)) =
                        (havoc, origin.choice(self.program))
                    {
                        return Ok(Err(site));
                    }
                    let value = self.draw_variable(unbound.0)?;
                    let index = self.store.index(unbound.0);
                    *self.store.at(index) = Some(value);
                }
            }
        }
    }

    #[inline]
    pub(crate) fn holds(&mut self, condition: TermId) -> Go<bool> {
        Ok(self.eval(condition)? == Value::Bool(true))
    }

    /// Gives a variable a value, or takes it away.
    #[inline]
    pub(crate) fn assign(&mut self, var: Var, cell: impl Into<Cell>) {
        let mut cell = cell.into();
        if self.observer.is_some() {
            self.changes.push(Change::Assigned { var, value: cell.value.clone() });
        }
        let index = self.store.index(var);
        self.store.exchange(index, &mut cell);
        if let Some(log) = &mut self.log {
            log.variable(index, cell);
        }
    }

    /// Asks for the value of a variable that has none.
    fn draw_variable(&mut self, var: Var) -> Go<Value> {
        let havoc = self.store.havoc_at(self.store.index(var));
        let activation = match self.program.cfa.variables[var].scope {
            Scope::Local(_) => self.frames.last().map_or(0, |frame| frame.number),
            Scope::Global | Scope::Address(_) => 0,
        };
        let holder = Holder::Variable { activation };
        self.draw(Origin::Variable(var, havoc), holder, self.program.terms.var_sort(var))
    }

    /// Asks for a value.
    pub(crate) fn draw(&mut self, origin: Origin, holder: Holder, sort: Sort) -> Go<Value> {
        let request = Request { program: self.program, origin, holder, sort };
        let chosen = self.inputs.choose(&request);
        let value = chosen.map_err(Ending::Inputs)?;
        if value.sort() != sort {
            let message =
                format!("a value of sort {} is due", self.program.terms.display_sort(sort));
            return Err(Ending::Inputs(Trouble::Unfit { message, span: None }).into());
        }
        if let Choice::Approximated(_) = origin.choice(self.program) {
            self.approximated += 1;
        }
        if self.config.record {
            self.record(Drawn::Value { origin, value: value.clone() })?;
        }
        if self.observer.is_some() {
            self.changes.push(Change::Drawn { origin, holder, value: value.clone() });
        }
        Ok(value)
    }

    pub(crate) fn record(&mut self, drawn: Drawn) -> Go<()> {
        if self.config.record {
            self.memory.charge(size_of::<Drawn>() as u64).map_err(|Full| self.out_of_memory())?;
            self.drawn.push(drawn);
        }
        Ok(())
    }

    pub(crate) fn note(&mut self, change: impl FnOnce() -> Change) {
        if self.observer.is_some() {
            self.changes.push(change());
        }
    }

    /// Writes output, or keeps it until the edge is taken.
    pub(crate) fn emit(&mut self, bytes: &[u8]) -> Go<()> {
        if let Some(log) = &mut self.log {
            log.output.extend_from_slice(bytes);
            return Ok(());
        }
        self.output.write_all(bytes).map_err(|error| Ending::OutputFailed(error.kind()).into())
    }

    pub(crate) fn out_of_memory(&self) -> Stop {
        Ending::OutOfMemory { edge: self.edge }.into()
    }

    pub(crate) fn unsupported_here(&self, reason: String) -> Stop {
        Ending::Unsupported { reason, edge: self.edge }.into()
    }
}
