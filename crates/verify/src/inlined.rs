//! Programs with the bodies of functions in place of calls, for analyses that cannot follow calls.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{AllocKind, Calls, Cfa, EdgeId, FuncId, LocId, Loops, ObjectSite, Op, Points, Program};
use engines::path::Paths;
use passes::{Back, Refused, Rewritten};
use run::{Event, Feasibility, Lesson, Observer, Run, Step, Unknown, Verdict};
use smt::NewSolver;
use term::{Sort, TermId, View};

use crate::backward::{self, Options, Report};

/// The program with its calls put in place, as a proof needs it. `None` if that cannot be done, and if it would hide
/// that an object has ended: where calls are put in place, objects live on after their functions have returned.
pub(crate) fn whole(program: &Program) -> Option<Rewritten> {
    match passes::inline(program) {
        Ok(None) => Some(Rewritten::unchanged(program)),
        Ok(Some(_)) if asks_about_ended_objects(program) => None,
        Ok(Some(_)) if compares_ended_objects(program) => None,
        Ok(Some(whole)) => Some(whole),
        Err(_) => None,
    }
}

/// Whether the program may ask if an object is at an address, or of which size, after the function of this object has
/// returned.
fn asks_about_ended_objects(program: &Program) -> bool {
    let cfa = &program.cfa;
    let asks = |op: &Op| matches!(op, Op::Valid { .. } | Op::Size { .. });
    let asking: BTreeSet<FuncId> = operations(cfa)
        .filter(|(.., op)| asks(op))
        .map(|(edge, ..)| cfa.locations[cfa.edges[edge].source].function)
        .collect();
    !asking.is_empty() && !ended(cfa, &asking).is_empty()
}

/// An operation with more parts than these counts as one that compares addresses: it would take long to find out what
/// each part points to.
const MOST_PARTS: usize = 2000;

/// Whether the address of an object whose function has returned may be compared with another address, or be computed
/// with in another way. In the given program, a new object may get this address; where calls are put in place, it
/// cannot, since the old object lives on there.
fn compares_ended_objects(program: &Program) -> bool {
    let cfa = &program.cfa;
    if ended(cfa, &cfa.start.into_iter().collect()).is_empty() {
        return false;
    }
    let points = Points::of(program);
    let mut compared: BTreeMap<FuncId, BTreeSet<ObjectSite>> = BTreeMap::new();
    for (edge, _, op) in operations(cfa) {
        let function = cfa.locations[cfa.edges[edge].source].function;
        let terms: Vec<TermId> = op.terms().collect();
        let parts = program.terms.post_order(&terms);
        if parts.len() > MOST_PARTS {
            return true;
        }
        for side in parts.into_iter().flat_map(|term| sides(program, &points, term)) {
            let sites = points.pointees(program, side).sites;
            compared.entry(function).or_default().extend(sites);
        }
    }
    let of_stack = stack_sites(cfa);
    compared.values_mut().for_each(|sites| sites.retain(|site| of_stack.contains(site)));
    compared.retain(|_, sites| !sites.is_empty());
    let ended = ended(cfa, &compared.keys().copied().collect());
    compared.values().flatten().any(|site| ended.contains(site))
}

/// The parts of a term whose values as numbers matter, if these may be addresses. A choice, and the sum of one address
/// and a number, are addresses themselves, of the same object. A comparison with null counts, too: what is compared
/// may be a sum, which is null at one place of the object.
fn sides(program: &Program, points: &Points, term: TermId) -> Vec<TermId> {
    let terms = &program.terms;
    let View::App(op, args) = terms.view(term) else { return Vec::new() };
    let is_address = |arg: &&TermId| !points.pointees(program, **arg).sites.is_empty();
    let is_address_itself = match op {
        term::Op::Ite => true,
        term::Op::BvAdd => args.iter().filter(is_address).count() < 2,
        _ => false,
    };
    if is_address_itself {
        return Vec::new();
    }
    args.iter().copied().filter(|arg| terms.sort(*arg) != Sort::Bool).collect()
}

fn operations(cfa: &Cfa) -> impl Iterator<Item = (EdgeId, u32, &Op)> {
    cfa.edges
        .entries()
        .flat_map(|(id, edge)| (0..).zip(edge.ops.iter()).map(move |(number, op)| (id, number, op)))
}

/// The operations that make objects which end with their functions.
fn stack_sites(cfa: &Cfa) -> BTreeSet<ObjectSite> {
    let is_on_stack = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Stack, .. });
    let sites = operations(cfa).filter(|(.., op)| is_on_stack(op));
    sites.map(|(edge, number, _)| ObjectSite::Alloc(edge, number)).collect()
}

/// The operations that make objects of the stack which may have ended when something is done in one of the functions
/// `doing`. Objects of the start function have not ended then. If nothing is done in the start function itself and it
/// calls just one function, once, neither have the objects of that function.
fn ended(cfa: &Cfa, doing: &BTreeSet<FuncId>) -> BTreeSet<ObjectSite> {
    let Some(start) = cfa.start else { return BTreeSet::new() };
    let calls = Calls::of(cfa);
    let last = match calls.calls(start) {
        [call]
            if !doing.contains(&start)
                && Loops::of(cfa).innermost(cfa.edges[*call].source).is_none() =>
        {
            cfa.edges[*call].callee().filter(|callee| calls.sites(*callee) == [*call])
        }
        _ => None,
    };
    let ends = |site: &ObjectSite| {
        let ObjectSite::Alloc(edge, _) = site else { return false };
        let function = cfa.locations[cfa.edges[*edge].source].function;
        function != start && Some(function) != last && calls.reachable(function)
    };
    stack_sites(cfa).into_iter().filter(ends).collect()
}

/// Checks a program. All results are about the program as it is given, but for the invariants that are about another
/// program, which [`backward::Invariants::program`] names.
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

/// The edge of the given program that an edge of the program without calls stands for.
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

/// Passes on what happens in the program without calls, in terms of the program with calls.
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
