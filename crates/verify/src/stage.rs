//! Running one stage of a strategy.

use std::sync::Arc;
use std::time::Instant;

use cfa::{Loops, Program};
use engines::bounded::{Bounded, Until};
use engines::{backward, induction, replay_with};
use passes::Rewritten;
use run::{Bound, Budget, Event, Invariant, Invariants, Replayed, Run, Unknown, Verdict};
use smt::NewSolver;
use term::{TermId, Value, Var, View};

use crate::evidence::Made;
use crate::findings::Findings;
use crate::guesses::told;
use crate::interval::intervals;
use crate::journal::StageReport;
use crate::knowledge::Knowledge;
use crate::predicate::predicate;
use crate::product::product;
use crate::strategy::{Engine, Stage};
use crate::told::{VIOLATION_STEPS, invariants_of, reason_of};
use crate::value_analysis::{summarised, value, value_in_parts};
use crate::{Config, arrays, contracts, inlined, nodes, prepare};

impl Stage {
    /// Runs the engine within its share, and notes what came of it.
    pub(crate) fn run<'p>(
        &self,
        program: &'p Program,
        config: &Config,
        known: &mut Knowledge<'p>,
        solver: NewSolver<'_>,
        whole: &Run<'_>,
    ) -> Findings {
        let name = self.engine.name();
        whole.events.on(Event::Stage(name));
        let start = Instant::now();
        let cpu = whole.budget.used_cpu();
        let run = whole.with(whole.budget.share(self.time).share_of_memory(self.memory));
        let forward = &config.forward;
        let mut found = match self.engine {
            Engine::Unroll(until) => unroll(program, until, known, solver, &run),
            Engine::Induct(k) => induct(program, known.ranges.as_deref(), k, solver, &run),
            Engine::InductWithSummaries(k) => {
                induct_with_summaries(program, config, k, solver, &run)
            }
            Engine::InductWithFacts(k) => {
                induct_with_facts(program, known.ranges.as_deref(), k, solver, &run)
            }
            Engine::UnrollFast(until) => unroll_fast(program, until, solver, &run, whole),
            Engine::Try(steps) => Findings::new(engines::tried(program, steps, &run)),
            Engine::Arrays => arrays::prove(program, solver, &run),
            Engine::Nodes => nodes::prove(program, solver, &run),
            Engine::Contracts => {
                contracts::prove(program, solver, &run, config.certify.then_some(whole))
            }
            Engine::Intervals { checks_paths } => {
                let found = intervals(program, forward, checks_paths, solver, &run);
                let tells = !found.invariants.list.is_empty();
                // A proof by induction that is to be certified must not rest on facts from intervals.
                let tells = tells && !config.certify;
                known.ranges = tells.then(|| Arc::clone(&found.invariants));
                found
            }
            Engine::Values => value(program, forward, false, solver, &run),
            Engine::ValuesInParts => {
                value_in_parts(program, forward, &mut known.values, solver, &run)
            }
            Engine::RefinedValues => value(program, forward, true, solver, &run),
            Engine::Functions => {
                summarised(program, forward, solver, &run, config.certify.then_some(whole))
            }
            Engine::Predicates => predicate(program, forward, solver, &run),
            Engine::Product(how) => product(program, forward, how, solver, &run),
            Engine::Backward => {
                let (verdict, report) = inlined::backward(program, &config.backward, solver, &run);
                let invariants = report.as_ref().map(|report| Arc::new(of_heads(program, report)));
                Findings {
                    invariants: invariants.unwrap_or_default(),
                    backward: report,
                    ..Findings::new(verdict)
                }
            }
        };
        if run.budget.is_beaten() && matches!(found.verdict, Verdict::Unknown(Unknown::Interrupted))
        {
            let why = "another stage has answered".to_owned();
            found.verdict = Verdict::Unknown(Unknown::Exhausted(why));
        }
        let report = StageReport {
            name,
            unknown: match &found.verdict {
                Verdict::Unknown(why) => Some(why.clone()),
                Verdict::Safe(_) | Verdict::Unsafe(_) => None,
            },
            is_violation: matches!(found.verdict, Verdict::Unsafe(_)),
            time: start.elapsed(),
            cpu: whole.budget.used_cpu().saturating_sub(cpu),
            invariants: found.invariants.list.len(),
            graph: found.graph.as_ref().map(|graph| graph.counts()),
            refinements: found.statistics.map(|statistics| statistics.graph.refinements),
            bound: found.bound.clone().map(|bound| Bound { example: Vec::new(), ..bound }),
        };
        config.journal.add(report, found.graph.as_ref());
        found
    }

    /// Whether no other stage is to be tried after this one.
    pub(crate) fn ends(&self, found: &Findings, whole: &Budget) -> bool {
        match &found.verdict {
            Verdict::Safe(_) | Verdict::Unsafe(_) => true,
            // After a contradiction, no answer of a later stage can be relied on.
            Verdict::Unknown(Unknown::Interrupted | Unknown::Refuted(_)) => true,
            // A stage that had only a part of the memory leaves the rest to others.
            Verdict::Unknown(Unknown::MemoryLimit) if self.memory < 1.0 => false,
            Verdict::Unknown(Unknown::MemoryLimit) => true,
            Verdict::Unknown(_) => whole.exceeded().is_some(),
        }
    }
}

/// k-induction on the program in which the known ranges are assumed, or on the program as it is if no ranges are
/// known.
fn induct(
    program: &Program,
    ranges: Option<&Invariants>,
    k: u32,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let Some(ranges) = ranges else {
        let proved = induction::prove(program, solver, k, run);
        return Findings { invariants: proved.invariants, ..Findings::new(proved.verdict) };
    };
    let informed = &passes::inform(Rewritten::unchanged(program), ranges);
    let proved = induction::prove(&informed.program, solver, k, run);
    match proved.verdict {
        Verdict::Safe(proof) => told(program, (Made::Facts, informed), &proof, &proved.invariants),
        Verdict::Unknown(why) => {
            let invariants = Arc::new(invariants_of(program, &informed.back, &proved.invariants));
            let verdict = Verdict::Unknown(reason_of(&informed.back, why));
            Findings { invariants, ..Findings::new(verdict) }
        }
        verdict => Findings::new(verdict),
    }
}

/// k-induction on the program with one step in place of each loop that has an exact summary.
fn induct_with_summaries(
    program: &Program,
    config: &Config,
    k: u32,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let unknown = |why: &str| Findings::new(Verdict::Unknown(Unknown::Exhausted(why.to_owned())));
    let simplified = Config { simplify: true, ..config.clone() };
    let prepared = prepare::rewritten(program, &simplified);
    let Some(prepared) = prepared.filter(|prepared| !prepared.summarized.is_empty()) else {
        return unknown("no loop has an exact summary");
    };
    let rewritten = &*prepared.rewritten;
    let proved = induction::prove(&rewritten.program, solver, k, run);
    match proved.verdict {
        Verdict::Safe(proof) => {
            told(program, (Made::Summaries, rewritten), &proof, &proved.invariants)
        }
        Verdict::Unknown(why) => Findings::new(Verdict::Unknown(reason_of(&rewritten.back, why))),
        Verdict::Unsafe(_) => unknown("induction finds no errors"),
    }
}

/// k-induction on the program in which facts about the rounds of its loops are assumed.
fn induct_with_facts(
    program: &Program,
    ranges: Option<&Invariants>,
    k: u32,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    // Facts are found before ranges are assumed: assumptions within rounds make it harder to find facts about the
    // rounds.
    let annotated = passes::annotate(program).map(|annotated| match ranges {
        Some(ranges) => passes::inform(annotated, ranges),
        None => annotated,
    });
    let Some(annotated) = annotated else {
        let why = "nothing is known of the rounds of loops".to_owned();
        return Findings::new(Verdict::Unknown(Unknown::Exhausted(why)));
    };
    // Facts are often enough, and guesses cost more the more conditions a program has.
    let mut proved = induction::prove_without_guesses(&annotated.program, solver, k, run);
    if matches!(proved.verdict, Verdict::Unknown(Unknown::Exhausted(_))) {
        proved = induction::prove(&annotated.program, solver, k, run);
    }
    let verdict = match proved.verdict {
        Verdict::Safe(proof) => {
            return told(program, (Made::Facts, &annotated), &proof, &proved.invariants);
        }
        Verdict::Unknown(why) => Verdict::Unknown(reason_of(&annotated.back, why)),
        verdict => verdict,
    };
    let invariants = Arc::new(invariants_of(program, &annotated.back, &proved.invariants));
    Findings { invariants, ..Findings::new(verdict) }
}

/// The part of the time that is left in which an execution of many rounds is replayed.
const REPLAYED: f64 = 0.5;

/// Bounded model checking with many rounds of loops at once. An error counts only if the given program reaches it,
/// too, round by round.
fn unroll_fast(
    program: &Program,
    until: Until,
    solver: NewSolver<'_>,
    run: &Run<'_>,
    whole: &Run<'_>,
) -> Findings {
    let unknown = |why: &str| Findings::new(Verdict::Unknown(Unknown::Exhausted(why.to_owned())));
    let Some(fast) = passes::accelerate(program) else {
        return unknown("no loop has rounds that can be taken at once");
    };
    match Bounded::new(&fast.program, solver).check(until, run) {
        Verdict::Unsafe(found) => {
            // An error that was found is worth more time than the search was.
            let (budget, max_steps) = (whole.budget.share(REPLAYED), VIOLATION_STEPS);
            let config = interp::Config { budget: Some(&budget), max_steps, ..Default::default() };
            let drawn = fast.back.decisions(&fast.program, &found.drawn, program, &config);
            match replay_with(program, &drawn, &budget, None) {
                Replayed::Error(found) => Findings::new(Verdict::Unsafe(Box::new(found))),
                Replayed::Not(why) => Findings::new(Verdict::Unknown(Unknown::NotReplayed(why))),
            }
        }
        Verdict::Unknown(why) => Findings::new(Verdict::Unknown(reason_of(&fast.back, why))),
        Verdict::Safe(_) => unknown("many rounds at once reach no error"),
    }
}

/// Bounded model checking, taken up where an earlier stage ended.
fn unroll<'p>(
    program: &'p Program,
    until: Until,
    known: &mut Knowledge<'p>,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let mut unrolling = known.unrolling.take().unwrap_or_else(|| Bounded::new(program, solver));
    let verdict = unrolling.check(until, run);
    let bound = Some(unrolling.bound());
    // An unrolling that has used up the memory is of no use to later stages, and takes memory that they need.
    if unrolling.is_whole() && !matches!(verdict, Verdict::Unknown(Unknown::MemoryLimit)) {
        known.unrolling = Some(unrolling);
    }
    Findings { bound, ..Findings::new(verdict) }
}

/// What the backward analysis proved of heads of loops, in words of the source.
fn of_heads(program: &Program, report: &backward::Report) -> Invariants {
    let Some(found) = &report.invariants else { return Invariants::default() };
    let loops = Loops::of(&program.cfa);
    let named = |formula: TermId| {
        let vars = found.terms.vars(formula);
        let named = |var: &Var| {
            program.cfa.variables.get(*var).is_some_and(|known| known.source_name.is_some())
        };
        // The formula `false` says that no execution gets to the place.
        let nothing = matches!(found.terms.view(formula), View::Const(Value::Bool(false)));
        nothing || !vars.is_empty() && vars.iter().all(named)
    };
    let told = found.told.iter().filter(|(at, formula)| loops.head(*at) && named(*formula));
    let told = told.map(|(location, formula)| Invariant {
        location: *location,
        formula: *formula,
        exact: Vec::new(),
    });
    Invariants { terms: found.terms.clone(), list: told.collect() }
}
