//! The run of a counterexample, repeated by the interpreter and kept step by step.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::OnceLock;

use cfa::{EdgeId, FuncId, LocId, Loops, ObjectId, Program};
use interp::{
    Change, Config, Drawn, Ending, Holder, Inputs, Listed, Observer, Origin, Request, Shortcuts,
    Step, Trouble,
};
use term::{Bv, Float, Sort, Value};
use verify::Counterexample;

/// If a run is long, this many of its first and of its last steps are kept.
const KEPT: u64 = 50_000;

/// A run that ends in an error.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    pub(crate) events: Vec<Event>,
    pub(crate) inputs: Vec<Input>,
    /// Where the objects are that exist from the start.
    pub(crate) placed: Vec<(ObjectId, u64)>,
    /// The steps between events that are not kept, in order.
    pub(crate) gaps: Vec<Gap>,
    /// How many rounds of loops were taken at once, by the heads of these loops.
    pub(crate) passed: BTreeMap<LocId, u64>,
    /// The objects of the run, which are looked for once.
    extents: OnceLock<Extents>,
}

/// The objects of a run: first addresses in order, each with the last address of any object that begins there or before. An
/// object has the address just past its end, too.
#[derive(Clone, Debug, Default)]
struct Extents {
    ends: Vec<(u64, u64)>,
}

impl Extents {
    /// Makes the table from first addresses and sizes.
    fn of(objects: impl Iterator<Item = (u64, u64)>) -> Self {
        let ends = objects.map(|(start, size)| (start, start.saturating_add(size)));
        let mut ends: Vec<(u64, u64)> = ends.collect();
        ends.sort_unstable();
        let mut last = 0;
        for (_, end) in &mut ends {
            last = last.max(*end);
            *end = last;
        }
        Self { ends }
    }

    fn contain(&self, address: u64) -> bool {
        let before = self.ends.partition_point(|(start, _)| *start <= address);
        before.checked_sub(1).is_some_and(|nearest| address <= self.ends[nearest].1)
    }
}

/// Steps of the run that are not kept.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    /// The number of the event that comes next.
    pub(crate) next: usize,
    /// The smallest depth in these steps, which is the number of activations besides the first.
    pub(crate) floor: usize,
    /// How often heads of loops were left by an edge, by the depth of the activation.
    pub(crate) rounds: BTreeMap<(usize, LocId), u64>,
    /// Whether some rounds in the gap were taken at once.
    pub(crate) at_once: bool,
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
    /// What asked for the value.
    pub origin: Origin,
    /// What holds the value.
    pub holder: Holder,
    /// The value.
    pub value: Value,
}

impl Execution {
    /// Repeats the run of a counterexample.
    #[must_use]
    pub fn of(program: &Program, found: &Counterexample) -> Self {
        Self::repeat(program, found, None).0
    }

    /// The run in which everything that was not set holds this byte, if this run reaches an error as well.
    pub(crate) fn filled(program: &Program, found: &Counterexample, byte: u8) -> Option<Self> {
        let (execution, ending) = Self::repeat(program, found, Some(byte));
        matches!(ending, Ending::Error { .. }).then_some(execution)
    }

    /// Whether a value is an address in an object of the run, or just past it.
    pub(crate) fn points_to_object(&self, program: &Program, value: &Value) -> bool {
        let width = program.cfa.address_width;
        let Value::Bv(bits) = value else { return false };
        let Some(value) = bits.to_u64().filter(|_| bits.width() == width) else { return false };
        let placed = self.placed.iter();
        let placed = placed.map(|(id, start)| (*start, program.cfa.objects[*id].size));
        let changes = self.events.iter().flat_map(|event| &event.changes);
        let allocated = changes.filter_map(|change| match change {
            Change::Allocated { address, size } => Some((*address, *size)),
            _ => None,
        });
        self.extents.get_or_init(|| Extents::of(placed.chain(allocated))).contain(value)
    }

    /// The first steps of the run with these decisions, as many as `steps` says.
    pub(crate) fn beginning(program: &Program, drawn: &[Drawn], steps: u64) -> Self {
        Self::run(program, drawn, (steps, steps), None, None).0
    }

    fn repeat(program: &Program, found: &Counterexample, fill: Option<u8>) -> (Self, Ending) {
        // With other values the run may be longer, and need not end at all.
        let most = found.steps.saturating_mul(4).saturating_add(10_000);
        // The replay has taken some rounds at once, so the repeated run does, too.
        let shortcuts = (found.skipped > 0).then(|| verify::shortcuts(program));
        Self::run(program, &found.drawn, (found.steps, most), shortcuts.as_ref(), fill)
    }

    /// A run that is expected to have `steps` steps, and is stopped after `max_steps`.
    fn run(
        program: &Program,
        drawn: &[Drawn],
        (steps, max_steps): (u64, u64),
        shortcuts: Option<&Shortcuts>,
        fill: Option<u8>,
    ) -> (Self, Ending) {
        let record = Rc::new(RefCell::new(Self::default()));
        let listed = Listed::replay(program, drawn);
        let mut inputs = Recorded { listed, fill, record: Rc::clone(&record) };
        let mut observer = Recorder {
            program,
            loops: Loops::of(&program.cfa),
            steps,
            gap: None,
            around: None,
            windows: WINDOWS,
            record: Rc::clone(&record),
        };
        let config = Config { record: false, max_steps, shortcuts, ..Config::default() };
        let mut sink = std::io::sink();
        let run = interp::run(program, &config, &mut inputs, Some(&mut observer), &mut sink);
        let execution = Self { passed: run.passed, ..record.take() };
        (execution, run.ending)
    }
}

struct Recorded {
    listed: Listed,
    fill: Option<u8>,
    record: Rc<RefCell<Execution>>,
}

impl Inputs for Recorded {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        let filled = self.fill.filter(|_| request.is_uninitialised());
        let value = match filled.and_then(|byte| repeated(request.sort, byte)) {
            Some(value) => value,
            None => self.listed.choose(request)?,
        };
        let Request { origin, holder, .. } = *request;
        self.record.borrow_mut().inputs.push(Input { origin, holder, value: value.clone() });
        Ok(value)
    }

    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        self.listed.choose_edge(location, edges)
    }
}

/// The value of a sort whose bytes are all the same.
fn repeated(sort: Sort, byte: u8) -> Option<Value> {
    let bits = u128::from_le_bytes([byte; 16]);
    match sort {
        Sort::Bool => Some(Value::Bool(byte != 0)),
        Sort::Bv(width) if width <= 128 => Some(Value::Bv(Bv::new(width, bits))),
        Sort::Float(format) => {
            let width = format.width();
            Some(Value::Float(Float::from_bits(format, bits & (u128::MAX >> (128 - width)))))
        }
        _ => None,
    }
}

struct Recorder<'p> {
    program: &'p Program,
    loops: Loops,
    /// How many steps the run is expected to have.
    steps: u64,
    /// The steps since the last event that was kept.
    gap: Option<Gap>,
    /// The loop of which rounds were last taken at once, while its next steps are kept.
    around: Option<Around>,
    /// How many more times the rounds that follow rounds which were taken at once are kept.
    windows: u32,
    record: Rc<RefCell<Execution>>,
}

/// A loop of which rounds were taken at once. Its next rounds are kept, since they may differ.
struct Around {
    depth: usize,
    head: LocId,
    /// This many more of its rounds are kept, and at most this many more steps.
    rounds: u32,
    steps: u32,
}

/// How many rounds are kept after rounds that were taken at once: the last two rounds of the same kind, which the
/// interpreter executes, and the round after them.
const NEXT_ROUNDS: u32 = 3;

/// The rounds of [`NEXT_ROUNDS`] are kept only up to this many steps together.
const NEXT_STEPS: u32 = 1_000;

/// At most this many groups of such rounds are kept in the middle of a long run.
const WINDOWS: u32 = 8;

impl Recorder<'_> {
    /// Whether a step is one of those that follow rounds which were taken at once.
    fn is_around(&mut self, depth: usize, round: Option<LocId>) -> bool {
        let Some(around) = &mut self.around else { return false };
        let is_next = depth == around.depth && round == Some(around.head);
        if depth < around.depth || around.steps == 0 || is_next && around.rounds == 0 {
            self.around = None;
            return false;
        }
        around.rounds -= u32::from(is_next);
        around.steps -= 1;
        true
    }

    fn keep(&mut self, step: &Step<'_>, returned: Option<FuncId>) {
        let head = self.program.cfa.edges[step.edge].source;
        let is_round = returned.is_none() && self.loops.head(head);
        let is_around = self.is_around(step.depth, is_round.then_some(head));
        if step.number > KEPT && step.number + KEPT < self.steps && !is_around {
            self.leave_out(step.depth, is_round.then_some((head, 1)));
            return;
        }
        let mut record = self.record.borrow_mut();
        let next = record.events.len();
        record.gaps.extend(self.gap.take().map(|gap| Gap { next, ..gap }));
        record.events.push(Event {
            number: step.number,
            edge: step.edge,
            depth: step.depth,
            returned,
            changes: step.changes.to_vec(),
        });
    }

    /// Notes a step or rounds of a loop that are not kept.
    fn leave_out(&mut self, depth: usize, rounds: Option<(LocId, u64)>) -> &mut Gap {
        let none = || Gap { next: 0, floor: depth, rounds: BTreeMap::new(), at_once: false };
        let gap = self.gap.get_or_insert_with(none);
        gap.floor = gap.floor.min(depth);
        if let Some((head, count)) = rounds {
            let known = gap.rounds.entry((depth, head)).or_default();
            *known = known.saturating_add(count);
        }
        gap
    }
}

impl Observer for Recorder<'_> {
    fn placed(&mut self, object: ObjectId, address: u64) {
        self.record.borrow_mut().placed.push((object, address));
    }

    fn taken(&mut self, step: &Step<'_>) {
        self.keep(step, None);
    }

    fn returned(&mut self, callee: FuncId, step: &Step<'_>) {
        self.keep(step, Some(callee));
    }

    fn passed(&mut self, head: LocId, rounds: u64, depth: usize) {
        self.leave_out(depth, Some((head, rounds))).at_once = true;
        if self.windows > 0 {
            self.windows -= 1;
            let (rounds, steps) = (NEXT_ROUNDS, NEXT_STEPS);
            self.around = Some(Around { depth, head, rounds, steps });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_the_address_past_its_end() {
        let known = Extents::of([(100, 8), (200, 0), (40, 100), (u64::MAX, 4)].into_iter());
        for address in [40, 100, 140, 200, u64::MAX] {
            assert!(known.contain(address), "{address}");
        }
        for address in [0, 39, 141, 199, 201] {
            assert!(!known.contain(address), "{address}");
        }
        assert!(!Extents::default().contain(0));
    }
}
