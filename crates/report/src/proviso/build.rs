//! Makes the document of the proviso from what a run has left behind.

use std::cell::LazyCell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use base::Span;
use base::tokens::is_word;
use cfa::{Fault, LocId, Loops, Program};
use partial::spc::Texts;
use partial::{Letter, Standing, TargetKind, Took as Search, letters_of, rounds};
use run::Step;
use verify::{Bound, Unknown, Verdict};

use super::document::{
    Check, Coverage, Document, FORMAT, Run, SourcePlace, Stage, Trace, Traces, Unsound,
};
use super::material::Material;
use super::places::{at, is_library, loop_place, short, span};
use super::reasons::Reasons;
use super::repeated::Repeated;
use super::{advice, apart};
use crate::asserting::{self, Macros};
use crate::source::{self, Assertion, Target, file_name};
use crate::{of_proof, of_rest, of_unknown, stages};

/// The document of a run.
#[must_use]
pub fn document(material: &Material<'_>) -> Document {
    let Material { program, outcome, execution, .. } = material;
    let (verdict, reason) = match &outcome.verdict {
        Verdict::Safe(proof) if material.rests => {
            ("TRUE", of_rest(proof, outcome.summarized.len()))
        }
        Verdict::Safe(proof) => ("TRUE", of_proof(proof, outcome.summarized.len())),
        Verdict::Unsafe(_) => ("FALSE", "an execution violates the property".to_owned()),
        Verdict::Unknown(why) => ("UNKNOWN", of_unknown(program, why)),
    };
    // Finding the statements of the program takes long, and most answers have no trace to tell.
    let texts = LazyCell::new(|| Texts::of(program));
    let letters = |steps: &[Step]| letters_of(&texts, program, steps);
    let traces = |list: &[partial::Trace], complete, search: Search| Traces {
        complete,
        first: search.first.map(|time| time.as_secs_f64()),
        seconds: search.time.as_secs_f64(),
        traces: list.iter().map(|trace| told(&letters, program, trace)).collect(),
    };
    let none: &[partial::Trace] = &[];
    let (cones, frontier) = match execution {
        Some(found) => {
            let cones = traces(&found.cones, found.all_cones, found.cone_search);
            (cones, traces(&found.frontier, found.all_frontier, found.frontier_search))
        }
        None => {
            let none = || traces(none, false, Search::default());
            (none(), none())
        }
    };
    let unsound = execution.and_then(|found| found.unsound.as_ref());
    let unsound = unsound.map(|unsound| Unsound {
        rounds: unsound.rounds,
        least: unsound.least,
        recursive: cfa::Calls::of(&program.cfa).any_recursive(),
        library: Loops::of(&program.cfa).loops.iter().any(|known| is_library(program, known.head)),
        without_loops: Loops::of(&program.cfa).loops.is_empty(),
        trace: told(&letters, program, &unsound.trace),
    });
    let reasons = Reasons::of(material);
    let assumptions = program.cfa.assumptions.iter();
    let repeated = Repeated::bounded(material);
    Document {
        proviso: FORMAT,
        files: material.files.clone(),
        options: material.options.clone(),
        verdict: verdict.to_owned(),
        reason,
        stages: outcome.stages.iter().map(|report| stage(report, &repeated)).collect(),
        checks: rows(&reasons, material),
        summarized: outcome.summarized.iter().map(|head| loop_place(program, *head)).collect(),
        proved: proved(&letters, material),
        beyond: beyond(material, &repeated),
        cones,
        frontier,
        unsound,
        coverage: material.coverage.map(|found| covered(program, found)),
        automaton: None,
        assumptions: assumptions.map(|each| each.told(&program.sources)).collect(),
        next: advice::next(material, &reasons),
        blockers: reasons.blockers().to_vec(),
        folder: material.chosen.clone(),
    }
}

fn stage(report: &verify::StageReport, repeated: &Repeated) -> Stage {
    let within = |rounds| match repeated.is_recursion() || repeated.has_summaries() {
        true => repeated.at_most(rounds),
        false => (!repeated.is_nothing()).then(|| stages::each_loop(rounds)),
    };
    Stage {
        name: report.name.to_owned(),
        found: stages::found(report, &within),
        ended: report.unknown.as_ref().map_or("answered", Unknown::name).to_owned(),
        seconds: report.time.as_secs_f64(),
    }
}

/// The letters of some steps.
type Letters<'l> = &'l dyn Fn(&[Step]) -> Vec<Letter>;

fn told(letters: Letters<'_>, program: &Program, trace: &partial::Trace) -> Trace {
    let kind = match trace.kind {
        TargetKind::Frontier => "frontier",
        TargetKind::Unsupported => "unsupported",
        TargetKind::Undecided => "undecided",
        TargetKind::Cone => "cone",
        TargetKind::End => "end",
        TargetKind::Violation => "violation",
    };
    let steps = letters(&trace.steps);
    let last = steps.iter().rev().find_map(place);
    Trace {
        kind: kind.to_owned(),
        place: match trace.kind {
            // The place of such a trace is that of the check that comes next.
            TargetKind::Undecided => at(program, trace.location).or(last).unwrap_or_default(),
            _ => last.or_else(|| at(program, trace.location)).unwrap_or_default(),
        },
        rounds: rounds(program, &trace.steps),
        steps,
        inputs: interp::write_inputs(program, &trace.drawn),
        run: Some(Arc::new(Run { drawn: trace.drawn.clone(), taken: trace.taken })),
    }
}

fn covered(program: &Program, found: &partial::Coverage) -> Coverage {
    let tests = found.tests.iter().map(|drawn| interp::write_inputs(program, drawn));
    Coverage {
        lines: found.lines.len(),
        covered: found.covered(),
        seen: found.seen.len(),
        branches: found.branches.len(),
        branches_covered: found.covered_branches(),
        exact: found.exact,
        tests: tests.collect(),
    }
}

fn place(letter: &Letter) -> Option<String> {
    Some(format!("{}:{}", file_name(letter.file.as_ref()?), letter.line?))
}

/// The table of checks, in the order of the source.
fn rows(reasons: &Reasons<'_>, material: &Material<'_>) -> Vec<Check> {
    let program = material.program;
    let place = |span: Option<Span>| span.map(|span| (span.file, span.start));
    let (calls, macros) = (cfa::Calls::of(&program.cfa), Macros::of(program));
    let checks = material.checks.iter().map(|check| {
        let span = check_span(program, &calls, check);
        (place(span), row(reasons, material, &macros, (check, span)))
    });
    let mut rows: Vec<_> = checks.collect();
    apart::tell_apart(program, material.checks, &mut rows);
    for span in material.settled {
        let whole = source::with_arguments(program, *span).unwrap_or(*span);
        let row = Check {
            place: short(program, *span),
            text: written(program, whole).unwrap_or_else(|| "error".to_owned()),
            status: "proved".to_owned(),
            property: REACHABILITY.to_owned(),
            at: Some(SourcePlace::of(program, whole)),
            ..Check::default()
        };
        rows.push((place(Some(*span)), row));
    }
    for cut in program.cfa.cut_off.iter().filter(|cut| cut.error) {
        if source::is_borrowed(program, cut.span.file) {
            continue;
        }
        let (status, reason) = match &material.outcome.verdict {
            Verdict::Safe(_) => ("proved", None),
            Verdict::Unsafe(_) => ("open", None),
            Verdict::Unknown(_) => ("not reached", Some(reasons.of_cut_off())),
        };
        let whole = source::with_arguments(program, cut.span).unwrap_or(cut.span);
        let row = Check {
            place: short(program, cut.span),
            text: written(program, whole).unwrap_or_else(|| "error".to_owned()),
            status: status.to_owned(),
            reason: reason.unwrap_or_default(),
            property: REACHABILITY.to_owned(),
            at: Some(SourcePlace::of(program, whole)),
            ..Check::default()
        };
        rows.push((place(Some(cut.span)), row));
    }
    rows.sort_by_key(|(place, _)| *place);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Where a check stands. A check inside of a model of the library stands where the program calls the model.
fn check_span(program: &Program, calls: &cfa::Calls, check: &partial::Check) -> Option<Span> {
    let here = called(program, check).or_else(|| span(program, check.error));
    let own = here.filter(|span| !source::is_borrowed(program, span.file));
    own.or_else(|| outer_call(program, calls, check.location(program))).or(here)
}

/// The first call of the program itself, in the order of the model, that leads to a location of a function.
fn outer_call(program: &Program, calls: &cfa::Calls, location: LocId) -> Option<Span> {
    let cfa = &program.cfa;
    let mut seen = BTreeSet::new();
    let mut todo = VecDeque::from([cfa.locations[location].function]);
    while let Some(function) = todo.pop_front() {
        if !seen.insert(function) {
            continue;
        }
        for call in calls.sites(function) {
            let edge = &cfa.edges[*call];
            match edge.span.filter(|span| !source::is_borrowed(program, span.file)) {
                Some(span) => return Some(span),
                None => todo.push_back(cfa.locations[edge.source].function),
            }
        }
    }
    None
}

/// The place of the call that a check stands for. None for a call through a pointer: such a call is inside a
/// dispatcher of the model, where it has no place.
fn called(program: &Program, check: &partial::Check) -> Option<Span> {
    let call = check.call.and_then(|call| program.cfa.edges[call].span);
    call.filter(|span| !source::is_borrowed(program, span.file))
}

/// The text of a place in one line, if it has a text. The text of a macro includes its arguments.
fn written(program: &Program, span: Span) -> Option<String> {
    if let Some(used) = source::macro_use(program, span) {
        return Some(used);
    }
    let text = match source::balanced(program, span) {
        "" => String::from_utf8_lossy(program.sources.slice(span)).into_owned(),
        text => text.to_owned(),
    };
    let text = crate::tokens::in_one_line(&text);
    (!text.is_empty()).then_some(text)
}

/// A row of the table of checks, for a check that stands at a place.
fn row(
    reasons: &Reasons<'_>,
    material: &Material<'_>,
    macros: &Macros<'_>,
    (check, span): (&partial::Check, Option<Span>),
) -> Check {
    let program = reasons.program();
    let call = called(program, check);
    let location = &program.cfa.locations[check.error];
    let target = source::target(macros, check.error);
    let is_assert = matches!(target, Some(Target::Call("assert" | asserting::ASSERT_FAIL)));
    let is_ended = |known: &&cfa::Function| {
        let is_own = known.span.is_some() && !known.name.starts_with('@');
        location.fault == Some(Fault::Leak) && is_own && known.span == span
    };
    let ended = program.cfa.functions.iter().find(is_ended);
    let text = match source::assertion(macros, check.error).filter(|_| is_assert) {
        // The end of a function has no text of its own: the place of such a check is that of the function.
        None if ended.is_some() => ended.map(|known| format!("the end of `{}`", known.name)),
        Some(said) => {
            let said = match said {
                Assertion::Condition(said) => format!("assert({})", crate::trace::cut(&said)),
                Assertion::Use(said) => crate::trace::cut(&said),
            };
            let call = call.and_then(|call| written(program, call));
            Some(call.map_or(said.clone(), |call| format!("{call}: {said}")))
        }
        // If the place is a declared name, the checked expression is the initialiser behind it.
        None => span.and_then(|span| {
            // If the text is only a name, it is the name of a function, and its arguments are added.
            let is_name = |text: String| text.chars().all(is_word);
            let arguments = || source::with_arguments(program, span);
            let is_known = written(program, span).is_some_and(is_name);
            let whole = source::with_initialiser(program, span)
                .or_else(|| arguments().filter(|_| is_known));
            written(program, whole.filter(|_| location.fault.is_some()).unwrap_or(span))
        }),
    };
    let name = location.name.as_deref().unwrap_or("error");
    let text = text.map(|text| match location.fault {
        Some(fault) => format!("{}: {text}", fault.property()),
        None => text,
    });
    let open = matches!(check.standing, Standing::Open | Standing::NotReached);
    Check {
        place: span.map_or_else(String::new, |span| short(program, span)),
        text: text.unwrap_or_else(|| name.to_owned()),
        label: 0,
        status: match check.standing {
            Standing::Proved => "proved",
            Standing::Open => "open",
            Standing::NotReached => "not reached",
            Standing::Violated => "violated",
        }
        .to_owned(),
        reason: match open {
            true => reasons.of_check(check),
            false if material.assumed.contains(check) => "by the assumption automaton".to_owned(),
            false => String::new(),
        },
        implicit: location.fault.is_some(),
        property: location.fault.map_or(REACHABILITY, |fault| fault.property()).to_owned(),
        at: span.map(|span| SourcePlace::of(program, source::whole_use(program, span))),
    }
}

/// The property that asserts and error calls belong to.
const REACHABILITY: &str = "unreach-call";

/// What is proved, in sentences.
fn proved(letters: Letters<'_>, material: &Material<'_>) -> Vec<String> {
    if let Verdict::Safe(_) = material.outcome.verdict {
        // A number of rounds says less than the proof, so it is left out.
        let rest = "every execution, apart from those that the assumption automaton calls analysed";
        let proved = if material.rests { rest } else { "every execution" };
        return vec![proved.to_owned()];
    }
    let mut proved = material.earlier.to_vec();
    if material.outcome.is_proved_in_part {
        proved.push("every execution that ends".to_owned());
        return proved;
    }
    let outcomes = [Some(material.outcome), material.plain];
    let bounds = outcomes.into_iter().flatten().filter_map(|outcome| outcome.bound.as_ref());
    proved.extend(bounds.filter_map(|bound| bounded(material, bound)));
    let cones = material.execution.iter().flat_map(|found| &found.cones);
    let repeats = LazyCell::new(|| {
        let cfa = &material.program.cfa;
        (Loops::of(cfa), cfa::Calls::of(cfa).any_recursive())
    });
    for trace in cones.filter(|trace| !is_within_bound(material, &repeats, trace)) {
        let decided = decisions(&letters(&trace.steps));
        match decided.split_last() {
            None => proved.extend(whole(material)),
            Some((last, [])) => proved.push(format!("every execution that begins with {last}")),
            Some((last, before)) => {
                let before: Vec<&str> = before.iter().map(|part| &**part).collect();
                proved.push(format!(
                    "every execution that begins with {}, then {last}",
                    before.join(", ")
                ));
            }
        }
    }
    let mut known = BTreeSet::new();
    proved.retain(|sentence| known.insert(sentence.clone()));
    proved
}

/// Whether a safe cone says nothing beyond the number of rounds that were followed: the cone goes round loops, not more often than
/// they were followed, and no loop follows behind the cone. `repeats` has the loops, and whether functions call themselves.
fn is_within_bound<F: FnOnce() -> (Loops, bool)>(
    material: &Material<'_>,
    repeats: &LazyCell<(Loops, bool), F>,
    cone: &partial::Trace,
) -> bool {
    let (program, found) = (material.program, material.execution);
    let bound = material.outcome.bound.as_ref().filter(|bound| bound.cuts.is_empty());
    let Some(most) = bound.and_then(|bound| bound.rounds) else { return false };
    let is_beginning = found.is_some_and(|found| found.is_without_end() || found.ends_later);
    let made = rounds(program, &cone.steps);
    if is_beginning || made == 0 || made > most {
        return false;
    }
    let (loops, is_recursive) = &**repeats;
    let ahead = partial::reachable(program, cone.location);
    !is_recursive && !loops.loops.iter().any(|known| ahead[known.head])
}

/// What bounded model checking has proved.
fn bounded(material: &Material<'_>, bound: &Bound) -> Option<String> {
    let rounds = bound.rounds?;
    // If every execution makes more rounds, no execution was followed to its end.
    let is_beginning =
        material.execution.is_some_and(|found| found.is_without_end() || found.ends_later);
    let who = match is_beginning {
        true => "the beginning of every execution,",
        false => "every execution",
    };
    let up_to = stages::up_to_cuts(bound);
    Some(match Repeated::bounded(material).at_most(rounds) {
        Some(limit) => format!("{who} {limit}{up_to}"),
        None => format!("every execution{up_to}"),
    })
}

/// What was not explored beyond a bound, in words, where no execution is known that gets beyond the bound. Said only if loops were
/// summarised: an execution that makes all rounds of summarised loops may be too long to be followed.
fn beyond(material: &Material<'_>, repeated: &Repeated) -> String {
    let is_open = matches!(material.outcome.verdict, Verdict::Unknown(_));
    let found = material.execution.filter(|found| {
        found.frontier.is_empty()
            && !found.nothing
            && !found.everything
            && found.violation.is_none()
    });
    let is_bounded = material.outcome.bound.as_ref().is_some_and(|bound| bound.rounds.is_some());
    let is_told = is_open && found.is_some() && is_bounded && repeated.has_summaries();
    repeated.later().filter(|_| is_told).unwrap_or_default()
}

/// What is said of a safe cone that all executions come to: with the reason why the answer is not TRUE all the
/// same.
fn whole(material: &Material<'_>) -> Option<String> {
    let Verdict::Unknown(why) = &material.outcome.verdict else { return None };
    let is_undecided = material.execution.is_some_and(|found| found.undecided().next().is_some());
    Some(match is_undecided {
        true => "every execution, as far as it passes the checks that are open".to_owned(),
        false => {
            let why = of_unknown(material.program, why);
            format!("every execution that was followed; the answer is not TRUE because of: {why}")
        }
    })
}

/// The decisions of a trace, each with its line. Decisions that are repeated without other decisions in between are
/// given once, with the number of times.
pub(super) fn decisions(steps: &[Letter]) -> Vec<String> {
    let decided = steps.iter().filter(|step| step.text.starts_with('[') || step.call.is_some());
    let files: BTreeSet<&str> = steps.iter().filter_map(|step| step.file.as_deref()).collect();
    let has_several = files.iter().filter(|file| !base::is_borrowed(file)).count() > 1;
    let decided: Vec<String> = decided.map(|step| decision(step, has_several)).collect();
    let mut told = Vec::new();
    let mut rest = &decided[..];
    while !rest.is_empty() {
        let (round, times) = first_rounds(rest);
        told.push(match (&rest[..round], times) {
            ([one], 1) => one.clone(),
            ([one], _) => format!("{one} ({times} times)"),
            (several, _) => format!("({}) {times} times", several.join(", ")),
        });
        rest = &rest[round * times..];
    }
    told
}

fn decision(step: &Letter, has_several: bool) -> String {
    match (step.line, &step.file) {
        (Some(line), Some(file)) if has_several || base::is_borrowed(file) => {
            format!("{}:{line} {}", file_name(file), step.text)
        }
        (Some(line), _) => format!("line {line} {}", step.text),
        (None, _) => step.text.clone(),
    }
}

/// Repeated rounds of a loop are told as one only if a round has at most this many decisions.
const LONGEST_ROUND: usize = 4;

/// The first decisions as rounds: how many decisions one round has, and how many equal rounds follow each other. Among the
/// lengths of a round, the one is taken that covers most decisions, and of these the shortest. A decision that is not repeated is a
/// round by itself.
fn first_rounds(decided: &[String]) -> (usize, usize) {
    let times = |round: usize| {
        let rounds = decided.chunks_exact(round);
        rounds.take_while(|other| **other == decided[..round]).count()
    };
    let rounds = (1..=LONGEST_ROUND.min(decided.len())).map(|round| (round, times(round)));
    let repeated = rounds.filter(|(_, times)| *times > 1);
    repeated.rev().max_by_key(|(round, times)| round * times).unwrap_or((1, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(decided: &str) -> String {
        let letter = |text: &str| Letter {
            text: format!("[{text}]"),
            file: None,
            line: None,
            depth: 1,
            call: None,
            exit: None,
        };
        let steps: Vec<Letter> = decided.split(' ').map(letter).collect();
        decisions(&steps).join(", ")
    }

    #[test]
    fn only_what_comes_again_at_once_is_counted() {
        for (decided, expected) in [
            ("a b a", "[a], [b], [a]"),
            ("a a a b", "[a] (3 times), [b]"),
            ("x a b a b a c", "[x], ([a], [b]) 2 times, [a], [c]"),
            ("a a a a", "[a] (4 times)"),
            ("a a b a a b c", "([a], [a], [b]) 2 times, [c]"),
        ] {
            assert_eq!(told(decided), expected, "{decided}");
        }
    }
}
