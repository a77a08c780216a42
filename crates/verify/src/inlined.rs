//! The backward analysis of programs with calls, which are put in place for it.

use cfa::{EdgeId, LocId, Op, Program};
use engines::path;
use passes::{Back, Refused, Rewritten};
use run::{Event, Feasibility, Lesson, Observer, Run, Step, Unknown, Verdict};
use smt::NewSolver;

use crate::backward::{self, Options, Report};

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
    let confirm = |edges: &[EdgeId]| match back.path(edges) {
        Some(path) => path::check(program, &path, solver, &run.budget),
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
