//! The backward analysis of programs with calls, which are put in place for it.

use cfa::{EdgeId, Program};
use engines::path;
use passes::{Back, Refused, Rewritten};
use run::{Feasibility, Run, Unknown, Verdict};
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
    let (verdict, report) = backward::check_with(&plain, options, solver, run, &confirm);
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
