//! What the tests share.

#![allow(dead_code, missing_docs, reason = "each test uses a part of it")]

use certify::{Certificate, Certified};
use cfa::{Loops, Program, Reach};
use cpa::{Arg, Counter, Ended, Plan, Prune, Statistics, Traversal};
use domains::Finding;
use domains::value::{Precision, PrecisionScope, Preference, Refine, Values};
use engines::path;
use proviso_domains as domains;
use run::{Budget, Counterexample, Unknown};
use smt::Builtin;

pub mod interval;
pub mod predicate;

/// What the proof checker says of a certificate.
pub fn certified(program: &Program, certificate: Certificate) -> Certified {
    certify::certify(program, certificate, &mut Builtin::new(), &Budget::default()).certified
}

pub fn c(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

pub fn theta(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.cfa", text.as_bytes()).expect("a short file");
    let loaded = frontend::theta::load(sources, file);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

#[derive(Clone, Copy)]
pub struct Setting {
    pub refined: bool,
    pub traversal: Traversal,
    pub prune: Prune,
    pub scope: PrecisionScope,
    pub preference: Preference,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            refined: true,
            traversal: Traversal::Dfs,
            prune: Prune::Lazy,
            scope: PrecisionScope::Global,
            preference: Preference::FewestCounters,
        }
    }
}

pub struct Done<'p> {
    pub ended: Ended<Box<Counterexample>, Unknown>,
    pub arg: Arg<Values<'p>>,
    pub values: Values<'p>,
    pub statistics: Statistics,
    pub findings: Vec<Finding>,
}

impl Done<'_> {
    /// What the graph claims at the heads of loops.
    pub fn certificate(&self) -> Certificate {
        let cfa = &self.program().cfa;
        let loops = Loops::of(cfa);
        let is_head = |at| loops.head(at);
        let graph = domains::graph(&self.values, cfa, &self.arg, &is_head, &Budget::default());
        graph.certificate(&is_head)
    }

    pub fn tracked(&self) -> Vec<String> {
        let values = self.values.precision().cloned().unwrap_or_default();
        let precision = domains::Precision { values, ..domains::Precision::default() };
        let text = domains::precision::write(self.program(), &precision);
        text.lines().skip(1).map(|line| line.trim().to_owned()).collect()
    }

    pub fn program(&self) -> &Program {
        self.values.program()
    }
}

/// A run ends when so many paths could not be excluded.
pub const MOST_FINDINGS: usize = 40;

/// A run ends when it was asked so often whether it must: at each exploration, and after each 64
/// nodes. Seconds are no measure, for machines differ.
pub const MOST_LOOKS: u32 = 1000;

/// Counts how often a run was asked whether it must end.
#[derive(Default)]
pub struct Looks(std::cell::Cell<u32>);

impl Looks {
    /// Why the run must end now, if it must.
    pub fn exceeded(&self) -> Option<Unknown> {
        self.0.set(self.0.get() + 1);
        (self.0.get() > MOST_LOOKS).then(|| Unknown::Exhausted("many looks".to_owned()))
    }
}

/// Runs the analysis for so many looks.
pub fn run(program: &Program, setting: Setting) -> Done<'_> {
    let reach = Reach::of(&program.cfa);
    let precision = setting.refined.then(|| Precision::new(setting.scope));
    let mut values = Values::new(program, precision);
    let (looks, budget) = (Looks::default(), Budget::default());
    let checks = std::cell::Cell::new(0);
    let mut check = |edges: &[cfa::EdgeId]| {
        checks.set(checks.get() + 1);
        path::check(program, edges, &|| Box::new(Builtin::new()), &budget)
    };
    let halt = || {
        let many = checks.get() >= MOST_FINDINGS;
        looks.exceeded().or_else(|| many.then(|| Unknown::Exhausted("many paths".to_owned())))
    };
    let mut refine = Refine::new(&mut check, &budget, setting.preference);
    let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: setting.traversal, halt: &halt };
    let counter = Counter::new(&run::Silent);
    let (ended, arg) = cpa::cegar(&mut values, &mut refine, &plan, setting.prune, &counter);
    let statistics = counter.sums();
    let findings = refine.exact.findings;
    Done { ended, arg, values, statistics, findings }
}
