//! Programs with the bodies of functions in place of calls, for analyses that cannot follow calls.

use cfa::{AllocKind, Calls, Edge, EdgeId, LocId, Loops, Op, Program};
use engines::path::Paths;
use passes::{Back, Refused, Rewritten};
use run::{Event, Feasibility, Lesson, Observer, Run, Step, Unknown, Verdict};
use smt::NewSolver;

use crate::backward::{self, Options, Report};

/// The program with its calls put in place, as a proof needs it. `None` if that cannot be done, and if it would hide
/// that an object is accessed after its function has returned: objects live on where calls are put in place.
pub(crate) fn whole(program: &Program) -> Option<Rewritten> {
    match passes::inline(program) {
        Ok(None) => Some(Rewritten::unchanged(program)),
        Ok(Some(_)) if asks_about_ended_objects(program) => None,
        Ok(Some(whole)) => Some(whole),
        Err(_) => None,
    }
}

/// Whether it may be asked of an address if an object is there whose function has returned.
fn asks_about_ended_objects(program: &Program) -> bool {
    let cfa = &program.cfa;
    let Some(start) = cfa.start else { return false };
    let calls = Calls::of(cfa);
    let asks = |op: &Op| matches!(op, Op::Valid { .. } | Op::Size { .. });
    let is_on_stack = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Stack, .. });
    let function = |edge: &Edge| cfa.locations[edge.source].function;
    let has = |edge: &Edge, test: &dyn Fn(&Op) -> bool| edge.ops.iter().any(test);
    // Nothing is asked any more when the one function has returned that the start calls once.
    let start_asks = cfa.edges.iter().any(|edge| function(edge) == start && has(edge, &asks));
    let last = match calls.calls(start) {
        [call] if !start_asks && Loops::of(cfa).innermost(cfa.edges[*call].source).is_none() => {
            cfa.edges[*call].callee().filter(|callee| calls.sites(*callee) == [*call])
        }
        _ => None,
    };
    let ends = |edge: &Edge| {
        let function = function(edge);
        function != start && Some(function) != last && calls.reachable(function)
    };
    cfa.edges.iter().any(|edge| has(edge, &asks))
        && cfa.edges.iter().any(|edge| ends(edge) && has(edge, &is_on_stack))
}

/// Checks a program. Whatever is said is said of the program as it is given, but for what
/// [`backward::Invariants::program`] names.
pub fn backward(
    program: &Program,
    options: &Options,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> (Verdict, Option<Box<Report>>) {
    if let Some(why) = backward::not_modelled(program) {
        return (Verdict::Unknown(why), None);
    }
    let Rewritten { program: plain, back } = match passes::inline(program) {
        Ok(Some(rewritten)) => rewritten,
        Ok(None) => return backward::check(program, options, solver, run),
        Err(refused) => return (Verdict::Unknown(unknown(refused)), None),
    };
    let paths = Paths::of(program);
    let confirm = |edges: &[EdgeId]| match back.path(edges) {
        Some(path) => paths.check(&path, solver, &run.budget),
        None => Feasibility::Unknown(Unknown::NotReplayed("it stands for several".to_owned())),
    };
    let told = Told { program, back: &back, events: run.events };
    let inner = Run { budget: run.budget.clone(), events: &told };
    let (verdict, report) = backward::check_with(&plain, options, solver, &inner, &confirm);
    let verdict = match verdict {
        Verdict::Unknown(Unknown::Unsupported { reason, edge }) => {
            let edge = edge.and_then(|edge| original(&back, edge));
            Verdict::Unknown(Unknown::Unsupported { reason, edge })
        }
        verdict => verdict,
    };
    let report = report.map(|mut report| {
        report.rename(program, &|edge| original(&back, edge));
        if let Some(found) = &mut report.invariants {
            let (from, words) = (found.terms.clone(), std::mem::take(&mut found.words));
            let told = words.iter().filter_map(|(location, formula)| {
                back.invariant(program, *location, *formula, &from, &mut found.terms)
            });
            found.told = told.collect();
            found.words = words;
            found.program = Some(Box::new(plain.clone()));
        }
        report
    });
    (verdict, report)
}

/// The edge that an edge of the program without calls stands for.
fn original(back: &Back, edge: EdgeId) -> Option<EdgeId> {
    back.edge(edge)?.first().copied()
}

fn unknown(refused: Refused) -> Unknown {
    let (reason, edge) = match refused {
        Refused::NoStart => ("a program without a start", None),
        Refused::Recursion => ("the backward analysis does not know recursion", None),
        Refused::TooLarge(edge) => {
            ("calls that are too many or too deep to be put in place", Some(edge))
        }
    };
    Unknown::Unsupported { reason: reason.to_owned(), edge }
}

/// Tells of what happens in the program without calls as it would happen in the one with them.
struct Told<'a> {
    program: &'a Program,
    back: &'a Back,
    events: &'a dyn Observer,
}

impl Observer for Told<'_> {
    fn on(&self, event: Event) {
        self.events.on(event);
    }

    fn wants_lessons(&self) -> bool {
        self.events.wants_lessons()
    }

    fn lesson(&self, plain: &Program, lesson: &Lesson) {
        match self.original(lesson) {
            Some(original) => self.events.lesson(self.program, &original),
            None => self.events.lesson(plain, lesson),
        }
    }
}

impl Told<'_> {
    /// A refinement with the places and steps of the program with calls, if all of them are there.
    fn original(&self, lesson: &Lesson) -> Option<Lesson> {
        let location = |location: LocId| Some(self.back.location(location)?.location);
        let mut original = lesson.clone();
        for (_, at) in &mut original.nodes {
            *at = location(*at)?;
        }
        for (at, _) in &mut original.notes.learned {
            *at = location(*at)?;
        }
        // Calls that have not returned yet.
        let mut open = Vec::new();
        for step in &mut original.steps {
            *step = match self.back.edge(step.edge()?)? {
                [edge] => {
                    let ops = &self.program.cfa.edges[*edge].ops;
                    if let Some(Op::Call { .. }) = ops.first() {
                        open.push(*edge);
                    }
                    Step::Edge(*edge)
                }
                // A step that puts results in place.
                [] => Step::Return(open.pop()?),
                _ => return None,
            };
        }
        Some(original)
    }
}
