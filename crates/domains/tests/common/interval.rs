//! Runs of the interval analysis.

#![allow(dead_code, missing_docs, reason = "each test uses a part of it")]

use std::sync::LazyLock;

use certify::Certificate;
use cfa::{EdgeId, Program, Reach};
use cpa::{Arg, Ended, Plan, Prune, Traversal};
use domains::Finding;
use domains::interval::{Intervals, Refine};
use engines::path;
use proviso_domains as domains;
use run::{Budget, Counterexample, Unknown};
use smt::Builtin;

use super::Looks;

static UNLIMITED: LazyLock<Budget> = LazyLock::new(Budget::default);

pub struct Done<'p> {
    pub ended: Ended<Box<Counterexample>, Unknown>,
    pub arg: Arg<Intervals<'p>>,
    pub intervals: Intervals<'p>,
    pub findings: Vec<Finding>,
}

impl Done<'_> {
    /// What the graph claims at the heads of loops.
    pub fn certificate(&self, program: &Program) -> Certificate {
        let loops = cfa::Loops::of(&program.cfa);
        let is_head = |at| loops.head(at);
        let (cfa, budget) = (&program.cfa, &*UNLIMITED);
        let graph = domains::graph(&self.intervals, cfa, &self.arg, &is_head, budget);
        graph.certificate(&is_head)
    }

    /// What is known at a location, in each state that stands for others.
    pub fn known(&self, program: &Program, location: cfa::LocId) -> Vec<Vec<String>> {
        let function = program.cfa.locations[location].function;
        let here = |id| self.arg.place(id).location == location;
        let nodes =
            self.arg.nodes().filter(|(id, node)| here(*id) && node.status == cpa::Status::Expanded);
        nodes
            .map(|(_, node)| domains::Explain::lines(&self.intervals, &node.state, &[function]))
            .collect()
    }
}

/// Runs the analysis for so many looks.
pub fn run(program: &Program) -> Done<'_> {
    let reach = Reach::of(&program.cfa);
    let mut intervals = Intervals::new(program, &UNLIMITED);
    let looks = Looks::default();
    let mut check =
        |edges: &[EdgeId]| path::check(program, edges, &|| Box::new(Builtin::new()), &UNLIMITED);
    let mut refine = Refine::new(&mut check);
    let halt = || looks.exceeded();
    let traversal = Traversal::ReversePostOrder;
    let plan = Plan { cfa: &program.cfa, reach: &reach, traversal, halt: &halt };
    let (ended, arg) = cpa::cegar(&mut intervals, &mut refine, &plan, Prune::Lazy, &run::Silent);
    let findings = refine.exact.findings;
    Done { ended, arg, intervals, findings }
}
