//! Runs of predicate abstraction.

#![allow(dead_code, missing_docs, reason = "each test uses a part of it")]

use super::Looks;
use certify::Certificate;
use cfa::{EdgeId, Program, Reach};
use cpa::{Arg, Counter, Ended, Plan, Prune, Statistics, Traversal};
use domains::Finding;
use domains::predicate::{Blocks, Options, Pieces, Predicates, Refine, Style};
use domains::product::{self, Phases, Product, Rule, Strategy};
use domains::value::{Precision, Preference, Values};
use engines::path;
use proviso_domains as domains;
use run::{Budget, Counterexample, Unknown};
use smt::Builtin;

#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub options: Options,
    pub style: Style,
    pub pieces: Pieces,
    pub prune: Prune,
    pub traversal: Traversal,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            options: Options::default(),
            style: Style::Auto,
            pieces: Pieces::Atoms,
            prune: Prune::Lazy,
            traversal: Traversal::ReversePostOrder,
        }
    }
}

pub struct Done<'p> {
    pub ended: Ended<Box<Counterexample>, Unknown>,
    pub arg: Arg<Predicates<'p>>,
    pub predicates: Predicates<'p>,
    pub statistics: Statistics,
    pub findings: Vec<Finding>,
}

impl Done<'_> {
    /// What the graph claims where blocks end.
    pub fn certificate(&self, program: &Program) -> Certificate {
        let loops = cfa::Loops::of(&program.cfa);
        let is_end = |at| loops.head(at);
        let budget = Budget::default();
        let graph = domains::graph(&self.predicates, &program.cfa, &self.arg, &is_end, &budget);
        graph.certificate(&is_end)
    }

    pub fn verdict(&self) -> &'static str {
        match self.ended {
            Ended::Safe => "safe",
            Ended::Unsafe(_) => "unsafe",
            Ended::Unresolved => "unresolved",
            Ended::Halted(_) => "halted",
        }
    }
}

/// Runs the analysis for so many looks, after `prepare`.
pub fn run<'p>(
    program: &'p Program,
    setting: Setting,
    prepare: impl FnOnce(&mut Predicates<'p>),
) -> Done<'p> {
    let reach = Reach::of(&program.cfa);
    let (looks, budget) = (Looks::default(), Budget::default());
    let solver = Box::new(Builtin::new());
    let mut predicates = Predicates::new(program, setting.options, solver, budget.clone());
    prepare(&mut predicates);
    let mut check =
        |edges: &[EdgeId]| path::check(program, edges, &|| Box::new(Builtin::new()), &budget);
    let halt = || looks.exceeded();
    let mut refine = Refine::new(&mut check, setting.style, setting.pieces);
    let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: setting.traversal, halt: &halt };
    let counter = Counter::new(&run::Silent);
    let (ended, arg) = cpa::cegar(&mut predicates, &mut refine, &plan, setting.prune, &counter);
    let statistics = counter.sums();
    let findings = refine.exact.findings;
    Done { ended, arg, predicates, statistics, findings }
}

/// Runs the analysis beside explicit values.
pub fn run_product(
    program: &Program,
    setting: Setting,
    (strategy, limit, rule): (Strategy, Option<usize>, Rule),
) -> Ended<Box<Counterexample>, Unknown> {
    let reach = Reach::of(&program.cfa);
    let (looks, budget) = (Looks::default(), Budget::default());
    let solver = Box::new(Builtin::new());
    let predicates = Predicates::new(program, setting.options, solver, budget.clone());
    let values = Values::new(program, Some(Precision::new(setting.options.scope)));
    let mut both = Product::new(values, predicates, strategy, limit);
    let mut check =
        |edges: &[EdgeId]| path::check(program, edges, &|| Box::new(Builtin::new()), &budget);
    let halt = || looks.exceeded();
    let mut refine = product::Refine {
        predicates: Refine::new(&mut check, setting.style, setting.pieces),
        budget: &budget,
        preference: Preference::FewestCounters,
        rule,
        by_values: 0,
        blocks: Phases {
            single_edges: setting.options.blocks == Blocks::Edge,
            ..Phases::default()
        },
        told: Default::default(),
    };
    let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: setting.traversal, halt: &halt };
    let (ended, arg) = cpa::cegar(&mut both, &mut refine, &plan, setting.prune, &run::Silent);
    assert!(arg.check().is_ok());
    ended
}
