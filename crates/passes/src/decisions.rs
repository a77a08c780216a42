//! From a run of a rewritten program to one of the original.
//!
//! The two runs do not ask for the same values in the same order: the original executes operations
//! that were left out, and asks for values that are read only there. So what the first run decided is
//! kept under the variable or the operation of the original that it was decided for, and the second run finds it there.
//! Whatever the first run did not decide is zero.
//!
//! A value that was not set belongs to the variable that holds it when it is first read. If a function returns such a
//! value and the two runs read it first on different sides of the return, they do not agree on it, and the replay has
//! to show whether that matters. Nor does the first run say which of several edges without conditions to take in a part
//! that was left out; the second run takes the edge that is nearest to an error.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use cfa::{Cfa, EdgeId, FuncId, LocId, Program, Reach, Scope};
use interp::{
    Config, Drawn, Holder, Inputs, Listed, Observer, Origin, Request, Run, Site, Step, Trouble,
    Zeros,
};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use term::{Bv, Float, Sort, Value, Var};

use crate::back::{Back, OperationOrigin};

/// An activation of a function: the edge of its call, none for the first one, and how often this edge was taken before.
/// Calls may be left out, so activations cannot just be counted.
type Activation = (Option<EdgeId>, u32);

/// What a value was chosen for, in words of the original.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Asked {
    Op(Site),
    Variable(Var, Activation, Option<Taker>),
    /// A byte of an object.
    Byte(u64, u64, Option<Taker>),
}

/// The operation that made something arbitrary, and how often its edge had been taken by the time
/// that the value was asked for.
type Taker = (Site, u32);

/// What a run decided.
#[derive(Default)]
struct Tape {
    values: FxHashMap<Asked, VecDeque<Value>>,
    /// The edges that were taken at each location, in order.
    ways: FxHashMap<LocId, VecDeque<EdgeId>>,
}

impl Tape {
    fn keep(&mut self, asked: Asked, value: Value) {
        self.values.entry(asked).or_default().push_back(value);
    }

    fn next(&mut self, asked: Asked) -> Option<Value> {
        self.values.get_mut(&asked)?.pop_front()
    }
}

/// How a run of a program is told in words of the original.
struct Teller<'a> {
    running: &'a Cfa,
    original: &'a Cfa,
    /// The way to the original, unless it is the program that runs.
    back: Option<&'a Back>,
    /// How often the run took each edge.
    taken: FxHashMap<EdgeId, u32>,
    /// The activations of the run. They are counted from one; zero stands for what is global.
    activations: Vec<Activation>,
}

impl<'a> Teller<'a> {
    fn new(running: &'a Program, original: &'a Program, back: Option<&'a Back>) -> Self {
        let activations = vec![Activation::default(); 2];
        let (running, original) = (&running.cfa, &original.cfa);
        Self { running, original, back, taken: FxHashMap::default(), activations }
    }

    fn source(&self, site: Site) -> OperationOrigin {
        self.back.map_or(OperationOrigin::Op(site), |back| back.op(site))
    }

    fn taker(&self, site: Option<Site>) -> Option<Taker> {
        match self.source(site?) {
            OperationOrigin::Op(site) => Some((site, self.times(site.edge))),
            OperationOrigin::Local(_)
            | OperationOrigin::Rounds
            | OperationOrigin::EachRound(_)
            | OperationOrigin::Added => None,
        }
    }

    /// What a value is chosen for: of several bytes, the first one. `None` if the original does not have it.
    fn asked(&self, request: &Request<'_>) -> Option<Asked> {
        match (request.origin, request.holder) {
            (Origin::Havoc(at), _) => match self.source(at) {
                OperationOrigin::Op(site) => Some(Asked::Op(site)),
                OperationOrigin::Local(var) => {
                    Some(Asked::Variable(var, self.entered(at.edge), None))
                }
                OperationOrigin::Rounds
                | OperationOrigin::EachRound(_)
                | OperationOrigin::Added => None,
            },
            (Origin::Variable(var, at), holder) => {
                let var = self.back.map_or(Some(var), |back| back.variable(var))?;
                let activation = match (self.original.variables[var].scope, holder) {
                    (Scope::Local(_), Holder::Variable { activation }) => {
                        let index = usize::try_from(activation).unwrap_or(usize::MAX);
                        self.activations.get(index).copied().unwrap_or_default()
                    }
                    _ => Activation::default(),
                };
                Some(Asked::Variable(var, activation, self.taker(at)))
            }
            (Origin::Memory(at), Holder::Memory { object, offset }) => {
                Some(Asked::Byte(object, offset, self.taker(at)))
            }
            (Origin::Memory(_), _) => None,
        }
    }

    /// The activation that begins with an edge that is a call, or was one.
    fn entered(&self, edge: EdgeId) -> Activation {
        let call = self.edges(edge).last().copied();
        (call, call.map_or(0, |call| self.times(call)))
    }

    /// How often an edge of the original has been taken.
    fn times(&self, edge: EdgeId) -> u32 {
        self.taken.get(&edge).copied().unwrap_or(0)
    }

    /// The edges of the original that an edge stands for.
    fn edges(&self, edge: EdgeId) -> Vec<EdgeId> {
        match self.back {
            Some(back) => back.edge(edge).unwrap_or_default().to_vec(),
            None => vec![edge],
        }
    }

    /// Notes that an edge was taken. Gives the edges of the original that it stands for.
    fn take(&mut self, edge: EdgeId) -> Vec<EdgeId> {
        let edges = self.edges(edge);
        if self.running.edges[edge].callee().is_some() {
            self.activations.push(self.entered(edge));
        }
        for edge in &edges {
            *self.taken.entry(*edge).or_default() += 1;
        }
        edges
    }
}

impl Back {
    /// The decisions of a run of the original that does what a run of the rewritten program did, as far as it can be
    /// made to. Whether the original reaches an error with these decisions has to be shown by a replay. Shortcuts in
    /// `config` are those of the original.
    #[must_use]
    pub fn decisions(
        &self,
        rewritten: &Program,
        drawn: &[Drawn],
        original: &Program,
        config: &Config<'_>,
    ) -> Vec<Drawn> {
        let teller = Teller::new(rewritten, original, Some(self));
        // The shortcuts say something of the loops of the original, and not of those of the rewritten program.
        let plain = Config { shortcuts: None, ..*config };
        let tape = record(rewritten, drawn, teller, &plain);
        play(original, tape, Teller::new(original, original, None), config).drawn
    }

    /// A run of the rewritten program that does what a run of the original did, as far as it can be
    /// made to.
    #[must_use]
    pub fn follow(
        &self,
        original: &Program,
        drawn: &[Drawn],
        rewritten: &Program,
        config: &Config<'_>,
    ) -> Run {
        let tape = record(original, drawn, Teller::new(original, original, None), config);
        play(rewritten, tape, Teller::new(rewritten, original, Some(self)), config)
    }
}

/// Repeats a run and keeps what it decides.
fn record(program: &Program, drawn: &[Drawn], teller: Teller<'_>, config: &Config<'_>) -> Tape {
    let (listed, tape) = (Listed::replay(program, drawn), Tape::default());
    let recorder = Rc::new(RefCell::new(Recorder { listed, tape, teller, rounds: 0, room: ROOM }));
    let (mut inputs, mut observer) = (Shared(recorder.clone()), Shared(recorder.clone()));
    let config = Config { record: false, ..*config };
    interp::run(program, &config, &mut inputs, Some(&mut observer), &mut std::io::sink());
    std::mem::take(&mut recorder.borrow_mut().tape)
}

/// Runs a program with decisions that were kept.
fn play(program: &Program, tape: Tape, teller: Teller<'_>, config: &Config<'_>) -> Run {
    let player = Rc::new(RefCell::new(Player { tape, teller, reach: None }));
    let (mut inputs, mut observer) = (Shared(player.clone()), Shared(player));
    let config = Config { record: true, ..*config };
    interp::run(program, &config, &mut inputs, Some(&mut observer), &mut std::io::sink())
}

/// Inputs and observer at once.
struct Shared<T>(Rc<RefCell<T>>);

impl<T: Inputs> Inputs for Shared<T> {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        self.0.borrow_mut().choose(request)
    }

    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        self.0.borrow_mut().choose_edge(location, edges)
    }
}

impl<T: Observer> Observer for Shared<T> {
    fn taken(&mut self, step: &Step<'_>) {
        self.0.borrow_mut().taken(step);
    }

    fn returned(&mut self, callee: FuncId, step: &Step<'_>) {
        self.0.borrow_mut().returned(callee, step);
    }
}

/// Keeps what a run decides.
struct Recorder<'a> {
    listed: Listed,
    tape: Tape,
    teller: Teller<'a>,
    /// How many rounds are taken at once by the edge at hand.
    rounds: usize,
    /// How many values may still be kept for rounds that are taken at once.
    room: usize,
}

/// How many values are kept for rounds that are taken at once.
const ROOM: usize = 10_000_000;

/// A number of rounds; zero if the number is too large.
fn rounds(value: &Value) -> usize {
    let number = value.as_bv().and_then(Bv::to_u64);
    number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

impl Recorder<'_> {
    /// Keeps the value that an operation has in each of the rounds that are taken at once. With too many
    /// rounds some are left out, and the replay does not find the error.
    fn repeat(&mut self, site: Site, value: &Value) {
        let times = self.rounds.min(self.room);
        self.room -= times;
        for _ in 0..times {
            self.tape.keep(Asked::Op(site), value.clone());
        }
    }
}

impl Inputs for Recorder<'_> {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        let value = self.listed.choose(request)?;
        if let Origin::Havoc(at) = request.origin {
            match self.teller.source(at) {
                OperationOrigin::Rounds => self.rounds = rounds(&value),
                OperationOrigin::EachRound(site) => self.repeat(site, &value),
                _ => {}
            }
        }
        match self.teller.asked(request) {
            Some(Asked::Byte(object, offset, site)) => {
                for (place, byte) in (offset..).zip(bytes(&value)) {
                    let byte = Value::Bv(Bv::new(8, u128::from(byte)));
                    self.tape.keep(Asked::Byte(object, place, site), byte);
                }
            }
            Some(asked) => self.tape.keep(asked, value.clone()),
            None => {}
        }
        Ok(value)
    }

    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        self.listed.choose_edge(location, edges)
    }
}

impl Observer for Recorder<'_> {
    fn taken(&mut self, step: &Step<'_>) {
        for edge in self.teller.take(step.edge) {
            let source = self.teller.original.edges[edge].source;
            self.tape.ways.entry(source).or_default().push_back(edge);
        }
    }

    fn returned(&mut self, _: FuncId, _: &Step<'_>) {}
}

/// Runs a program as the tape says.
struct Player<'a> {
    tape: Tape,
    teller: Teller<'a>,
    /// How far errors are, as soon as that was needed once.
    reach: Option<Reach>,
}

impl Inputs for Player<'_> {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        let found = match self.teller.asked(request) {
            Some(Asked::Byte(object, offset, site)) => {
                let length = cfa::stored_bytes(request.sort).unwrap_or(0);
                let places = offset..offset.saturating_add(length);
                let bytes = places.map(|place| {
                    let byte = self.tape.next(Asked::Byte(object, place, site));
                    // The cast is exact: a byte on the tape has eight bits.
                    byte.and_then(|byte| byte.as_bv()?.to_u64()).unwrap_or(0) as u8
                });
                Some(value(request.sort, &bytes.collect::<Vec<u8>>()))
            }
            Some(asked) => self.tape.next(asked),
            None => None,
        };
        match found {
            Some(value) if value.sort() == request.sort => Ok(value),
            _ => Zeros.choose(request),
        }
    }

    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        let place = match self.teller.back {
            Some(back) => back.location(location).map(|origin| origin.location),
            None => Some(location),
        };
        let wanted = place.and_then(|place| self.tape.ways.get(&place)?.front());
        let stands = |edge: &EdgeId| self.teller.edges(*edge).first() == wanted;
        if let Some(place) = edges.iter().position(stands).filter(|_| wanted.is_some()) {
            return Ok(place);
        }
        let cfa = self.teller.running;
        let reach = self.reach.get_or_insert_with(|| Reach::of(cfa));
        let distance = |edge: &EdgeId| reach.distance(cfa.edges[*edge].target).unwrap_or(u32::MAX);
        let nearest = (0..).zip(edges).min_by_key(|(_, edge)| distance(edge));
        Ok(nearest.map_or(0, |(place, _)| place))
    }
}

impl Observer for Player<'_> {
    fn taken(&mut self, step: &Step<'_>) {
        for edge in self.teller.take(step.edge) {
            let source = self.teller.original.edges[edge].source;
            if let Some(ways) = self.tape.ways.get_mut(&source) {
                ways.pop_front();
            }
        }
    }

    fn returned(&mut self, _: FuncId, _: &Step<'_>) {}
}

/// The bytes of a value, the lowest first.
fn bytes(value: &Value) -> Vec<u8> {
    let (length, mut bytes) = match value {
        Value::Bv(bits) => (bits.width() / 8, bits.to_biguint().to_bytes_le()),
        Value::Float(float) => (float.format().width() / 8, float.bits().to_le_bytes().to_vec()),
        _ => return Vec::new(),
    };
    bytes.resize(length as usize, 0);
    bytes
}

/// The value of a sort that memory can hold, from its bytes.
fn value(sort: Sort, bytes: &[u8]) -> Value {
    match sort {
        Sort::Float(format) => {
            let mut room = [0; 16];
            room[..bytes.len()].copy_from_slice(bytes);
            Value::Float(Float::from_bits(format, u128::from_le_bytes(room)))
        }
        // The cast is exact: the bytes are those of a value, whose width is a `u32`.
        _ => Value::Bv(Bv::from_biguint(8 * bytes.len() as u32, &BigUint::from_bytes_le(bytes))),
    }
}
