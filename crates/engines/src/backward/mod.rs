//! Abstraction refinement as ARMC does it: Method I of Rybalchenko, "A model checker based on
//! abstraction refinement", 2002, chapters 3 to 5.
//!
//! From the unsafe states an abstract fixpoint is computed backwards, over the free lattice of a set of atomic
//! predicates. If the fixpoint does not reach the start, the program is safe, and the complement of the fixpoint is
//! the invariant. If it does, the concrete predecessors say whether the error is real; if the error is not real,
//! another application of the syntactic `pre` gives more predicates.
//!
//! Three things follow ARMC's published figures rather than the thesis' Figure 3.3, unless the letter of the thesis is
//! asked for. The set of predicates is empty at first, so that the first refinement takes the atoms of the unsafe
//! states and those of their predecessors; the refinement that finds the error to be real counts; and a fixpoint ends
//! as soon as it reaches the start.

pub mod alpha;
pub mod atom;
pub mod bits;
mod cases;
mod certificate;
mod concrete;
pub mod entail;
mod fixpoint;
mod forward;
mod lesson;
pub mod linear;
mod minimise;
pub mod order;
mod places;
mod pre;
mod project;
mod refine;
mod result;
mod sample;
mod simplify;
mod system;
mod translate;
mod words;

use std::collections::BTreeSet;

use certify::Certified;
use cfa::{EdgeId, Op, Program, Reach};

pub use order::Alpha;
pub use result::{Figures, Invariants, Iteration, Report, Row, Shown};

use crate::path::Paths;
use alpha::Predicates;
use concrete::Concrete;
use fixpoint::{Engine, Fixpoint};
use pre::Pre;
use refine::Refinement;
use run::{Event, Feasibility, Proof, Replayed, Unknown, Verdict};
use smt::NewSolver;
use system::TransitionSystem;

/// How many refinements are tried unless told otherwise.
pub const MAX_REFINEMENTS: u32 = 40;

/// How many concrete states at the start are tried as errors.
const MAX_TRACES: usize = 20;

/// Which way the abstract fixpoint is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// From the unsafe states.
    #[default]
    Backward,
    /// From the start.
    Forward,
}

/// What can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The abstraction function.
    pub alpha: Alpha,
    /// Whether each location has predicates of its own (`atomics`).
    pub local: bool,
    /// Whether a concrete fixpoint that the test for spuriousness meets is taken (`cfp_chk`).
    pub concrete_fixpoint: bool,
    /// Which way the abstract fixpoint is computed.
    pub direction: Direction,
    /// How many refinements are tried at most.
    pub max_refinements: u32,
    /// Whether to look for predicates that a proof does not need.
    pub minimise: bool,
    /// Whether Figure 3.3 is followed to the letter: predicates are those of the unsafe states at first, every
    /// fixpoint is whole, the test for spuriousness comes before the refinement, and no concrete fixpoint is
    /// taken.
    pub to_the_letter: bool,
    /// Whether all iterations and concrete states are kept, so that they can be printed.
    pub record: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            alpha: Alpha::Three,
            local: false,
            concrete_fixpoint: true,
            direction: Direction::Backward,
            max_refinements: MAX_REFINEMENTS,
            minimise: false,
            to_the_letter: false,
            record: false,
        }
    }
}

/// Checks a program without calls. There is a report if the program is linear and has an error that may be reached.
pub fn check(
    program: &Program,
    options: &Options,
    solver: NewSolver<'_>,
    run: &run::Run<'_>,
) -> (Verdict, Option<Box<Report>>) {
    let paths = Paths::of(program);
    let confirm = |edges: &[EdgeId]| paths.check(edges, solver, &run.budget);
    check_with(program, options, solver, run, &confirm)
}

/// Why nothing is decided if a path leads to an operation that is not modelled: nobody knows what comes after such an
/// operation, and it may be an error.
#[must_use]
pub fn not_modelled(program: &Program) -> Option<Unknown> {
    let edge = Reach::of(&program.cfa).inconclusive().first().copied()?;
    let unsupported = program.cfa.edges[edge].ops.iter().find_map(|op| match op {
        Op::Unsupported(reason) => Some(reason.to_string()),
        _ => None,
    });
    Some(Unknown::Unsupported { reason: unsupported.unwrap_or_default(), edge: Some(edge) })
}

/// Does what [`check`] does, with `confirm` to say whether a path to an error is feasible: a path of this program may
/// stand for a path of another program that this one was made from.
pub fn check_with(
    program: &Program,
    options: &Options,
    solver: NewSolver<'_>,
    run: &run::Run<'_>,
    confirm: &dyn Fn(&[EdgeId]) -> Feasibility,
) -> (Verdict, Option<Box<Report>>) {
    if let Some(why) = not_modelled(program) {
        return (Verdict::Unknown(why), None);
    }
    let (system, atoms) = match system::build(program) {
        Ok(built) => built,
        Err(why) => return (Verdict::Unknown(why), None),
    };
    if system.errors.is_empty() {
        return (Verdict::Safe(Proof::NoPath), None);
    }
    let pre = Pre::new(&system);
    let (alpha, whole) = (options.alpha, options.to_the_letter);
    let engine = Engine { pre, system: &system, atoms, alpha, whole, run };
    let mut method = Method {
        program,
        options,
        confirm,
        engine,
        predicates: Predicates::new(options.local),
        refinements: 0,
        last: Fixpoint::default(),
        concrete: Concrete::default(),
        needed: None,
        proved: None,
        confirmed: None,
        by_concrete: false,
        iterations: Vec::new(),
        recorded: BTreeSet::new(),
    };
    let mut verdict = method.one();
    let report = method.report(&verdict);
    // A proof counts only after other code has checked it.
    if let Verdict::Safe(_) = verdict {
        let checked = report.invariants.as_ref().map(|found| {
            let (program, certificate) = found.certificate(program);
            certify::certify(program, certificate, &mut solver(), &run.budget).certified
        });
        let failed = match checked {
            Some(Certified::Holds) => None,
            Some(Certified::Open(why)) => Some(match run.budget.exceeded() {
                Some(limit) => limit.into(),
                None => Unknown::Exhausted(format!("a proof that is not certified: {why}")),
            }),
            Some(Certified::Refuted(what)) => Some(Unknown::Refuted(what)),
            None => Some(Unknown::Internal),
        };
        verdict = failed.map_or(verdict, Verdict::Unknown);
    }
    (verdict, Some(Box::new(report)))
}

/// A run of Method I.
struct Method<'a> {
    program: &'a Program,
    options: &'a Options,
    /// Whether a path is feasible.
    confirm: &'a dyn Fn(&[EdgeId]) -> Feasibility,
    engine: Engine<'a>,
    predicates: Predicates,
    refinements: u32,
    /// The last abstract fixpoint, or the concrete one if that is the proof.
    last: Fixpoint,
    concrete: Concrete,
    /// How many predicates the proof needs, if predicates were minimised.
    needed: Option<usize>,
    /// The figures of the proof, before anything was minimised.
    proved: Option<Figures>,
    /// The concrete state at the start from which the error was confirmed.
    confirmed: Option<usize>,
    /// Whether the concrete fixpoint is the proof.
    by_concrete: bool,
    /// The iterations so far, if they are kept, and the predicates in them.
    iterations: Vec<Iteration>,
    recorded: BTreeSet<usize>,
}

impl Method<'_> {
    fn one(&mut self) -> Verdict {
        match self.iterate() {
            Ok(verdict) => verdict,
            Err(why) => Verdict::Unknown(why),
        }
    }

    fn iterate(&mut self) -> Result<Verdict, Unknown> {
        let negations = self.options.direction == Direction::Forward;
        let mut refinement = Refinement::new(negations);
        let letter = self.options.to_the_letter;
        if letter {
            refinement.begin(&mut self.engine, &mut self.predicates);
        }
        loop {
            self.last = self.abstract_fixpoint()?;
            self.record();
            if self.last.init.is_none() {
                self.proved = Some(self.figures());
                if self.options.minimise {
                    self.needed = self.minimise().ok();
                }
                return Ok(self.safe());
            }
            if letter && self.reaches_start()? {
                return self.confirm_and_tell(&mut refinement);
            }
            if self.refinements == self.options.max_refinements {
                let count = self.refinements;
                return Err(Unknown::Exhausted(format!("no fixpoint after {count} refinements")));
            }
            self.refinements += 1;
            self.engine.run.events.on(Event::Fixpoint(self.refinements));
            refinement.step(&mut self.engine, &mut self.predicates)?;
            if !letter && self.reaches_start()? {
                return self.confirm_and_tell(&mut refinement);
            }
            self.tell_excluded(&mut refinement);
            if letter {
                continue;
            }
            if self.concrete.complete && self.options.concrete_fixpoint {
                self.last = std::mem::take(&mut self.concrete.found);
                self.by_concrete = true;
                return Ok(self.safe());
            }
        }
    }

    /// The test for spuriousness: whether the start is reached within as many concrete steps as the abstract fixpoint
    /// has.
    fn reaches_start(&mut self) -> Result<bool, Unknown> {
        let mut steps = self.last.steps;
        if self.options.direction == Direction::Forward {
            // Forwards, the number of abstract steps says little about the length of a path to an error.
            steps = steps.max(self.refinements);
        }
        self.concrete.advance(&mut self.engine, steps)?;
        self.record_concrete();
        Ok(!self.concrete.starts.is_empty())
    }

    fn abstract_fixpoint(&mut self) -> Result<Fixpoint, Unknown> {
        match self.options.direction {
            Direction::Backward => self.engine.fixpoint(&mut self.predicates),
            Direction::Forward => self.engine.forward(&mut self.predicates),
        }
    }

    fn safe(&self) -> Verdict {
        let refinements = self.refinements;
        Verdict::Safe(Proof::Abstraction { refinements })
    }

    fn confirm_and_tell(&mut self, refinement: &mut Refinement) -> Result<Verdict, Unknown> {
        let verdict = self.confirm();
        self.tell_concrete(refinement);
        verdict
    }

    /// Whether an error is really reached from the start: an exact solver finds inputs for the path, and the
    /// interpreter follows them. Over the rationals a path can exist that no execution with integers takes.
    fn confirm(&mut self) -> Result<Verdict, Unknown> {
        let why = if self.engine.pre.is_coarse {
            "the errors that were found come of predecessors that had too many cases"
        } else {
            "the errors that were found are possible over the rationals only"
        };
        let mut why = Unknown::Exhausted(why.to_owned());
        for start in self.concrete.starts.iter().copied().take(MAX_TRACES) {
            let edges = edges(self.engine.system, &self.concrete.found, start);
            match (self.confirm)(&edges) {
                Feasibility::Feasible(Replayed::Error(found)) => {
                    self.confirmed = Some(start);
                    return Ok(Verdict::Unsafe(Box::new(found)));
                }
                Feasibility::Feasible(Replayed::Not(what)) => why = Unknown::NotReplayed(what),
                Feasibility::Infeasible => {}
                Feasibility::Unknown(unknown) => why = unknown,
            }
        }
        Err(why)
    }
}

/// The edges from a state to the error.
fn edges(system: &TransitionSystem, found: &Fixpoint, from: usize) -> Vec<EdgeId> {
    let mut edges = Vec::new();
    for index in found.path(from) {
        let state = &found.states[index];
        match (state.next, state.error) {
            (Some((rule, _)), _) => edges.push(system.rules[rule].edge),
            (None, Some(error)) => edges.extend(system.errors[error].edge),
            (None, None) => {}
        }
    }
    edges
}
