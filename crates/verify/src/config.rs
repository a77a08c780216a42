//! What a run is asked to do.

use std::sync::Arc;

use engines::backward;
use run::{Budget, Progress};

use crate::journal::Journal;
use crate::options::Forward;

/// What to do, and what it may use.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The analysis.
    pub analysis: Analysis,
    /// What the run may use. A clone of this budget can cancel the run.
    pub budget: Budget,
    /// How many stages of `auto` may run side by side.
    pub jobs: usize,
    /// How often loops are unrolled at most.
    pub unroll: Option<u32>,
    /// How abstract domains are explored and refined.
    pub forward: Forward,
    /// Whether the proof is to be checked again.
    pub certify: bool,
    /// Whether passes make the program simpler before it is analysed. Not done where the proof is to
    /// be checked again. A precision is about the program that is analysed, so a run on a simpler
    /// program gives none back.
    pub simplify: bool,
    /// Which summaries of loops are used. Where the proof is to be checked again, only stages of `auto` use them.
    pub summaries: Summaries,
    /// Whether invariants are wanted of the loops that have become one step, for a witness. These invariants are
    /// looked for after the proof.
    pub invariants: bool,
    /// Whether an execution that reaches an error is made shorter, and its inputs smaller, before it is told.
    pub shorten: bool,
    /// What the backward analysis is told.
    pub backward: backward::Options,
    /// Where the run says how far it is.
    pub progress: Arc<Progress>,
    /// Where the run notes what its stages found.
    pub journal: Arc<Journal>,
}

/// Which summaries of loops are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summaries {
    /// Loops that have an exact summary become one step before the program is analysed.
    pub exact: bool,
    /// Facts that hold at the heads of other loops after any number of rounds are handed on: with `auto` to a stage of
    /// induction, and otherwise to the analysis.
    pub over: bool,
    /// Edges that take many rounds of a loop at once, along one way through it, are added: with `auto`
    /// for a stage that looks for errors, and otherwise for the analysis.
    pub under: bool,
}

impl Summaries {
    /// All of them.
    pub const ALL: Self = Self { exact: true, over: true, under: true };
}

impl Config {
    /// What serves most programs: stages that suit the program, which is made simpler first, with summaries of its
    /// loops.
    #[must_use]
    pub fn recommended() -> Self {
        Self { simplify: true, summaries: Summaries::ALL, shorten: true, ..Self::default() }
    }
}

/// The analyses by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Analysis {
    /// Whatever suits the program.
    #[default]
    Auto,
    /// Bounded model checking.
    Bmc,
    /// k-induction.
    KInduction,
    /// Intervals (Cousot & Cousot 1976).
    Interval,
    /// Explicit values of everything, without refinement (Beyer & Löwe 2012, CPA-EXPL).
    Value,
    /// Explicit values with refinement by interpolation (Beyer & Löwe 2012, CPA-EXPLitp).
    ValueItp,
    /// Backward abstraction refinement over predicates.
    Backward,
    /// Predicate abstraction with refinement by interpolation (Beyer & Löwe 2012, §II-D).
    Predicate,
    /// Explicit values with refinement, and predicates where values are not enough (Beyer & Löwe
    /// 2012, CPA-EXPLitp-PRED).
    ValueItpPredicate,
    /// Explicit values of everything, and predicates where values are not enough (Beyer & Löwe 2012,
    /// CPA-EXPL-PRED).
    ValuePredicate,
    /// Explicit values, and predicates about variables that have too many values (Bajkai 2018, PROD2).
    Product,
}
