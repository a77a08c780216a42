//! The suite of ARMC's thesis: its figures where the model is the thesis', right answers with
//! proofs that other code has checked, and traces that the interpreter repeats.

#![allow(missing_docs)]

use std::time::Duration;

use certify::Certified;
use cfa::Program;
use engines::backward::{self, Alpha, Direction, Invariants, Options};
use engines::replay;
use proviso_bench::armc::{MODELS, PRINTED, ROWS, Tables, Thesis};
use run::{Budget, Replayed, Run, Verdict};
use smt::{Builtin, FullSolver};

fn solver() -> Box<dyn FullSolver> {
    Box::new(Builtin::new())
}

/// What the proof checker says of invariants.
fn certified(program: &Program, invariants: &Invariants) -> Certified {
    let (program, certificate) = invariants.certificate(program);
    certify::certify(program, certificate, &mut Builtin::new(), &Budget::default()).certified
}

/// The models that the thesis prints: refinements and steps are its own.
#[test]
fn printed_models_have_the_figures_of_the_thesis() {
    assert!(MODELS.iter().map(|model| model.name).eq(ROWS.iter().map(|row| row.name)));
    for model in MODELS.iter().filter(|model| PRINTED.contains(&model.name)) {
        let program = model.load();
        let thesis = Thesis::of(model.name).expect("a row");
        for (alpha, known) in Alpha::ALL.into_iter().zip(thesis.figures) {
            let cell = model.run(&program, alpha, Duration::MAX);
            let found = [cell.figures.refinements, cell.figures.steps];
            let known = known.map(|[refinements, steps, ..]| [refinements, steps]);
            assert_eq!(cell.is_answered().then_some(found), known, "{} {alpha:?}", model.name);
        }
    }
}

/// Predicates of those models, where atoms of one variable make ARMC's forms and ours the same.
#[test]
fn printed_models_have_exact_predicates() {
    let expected = [("bpr", [(4, 6), (6, 6), (6, 6)]), ("fischer", [(4, 4), (4, 4), (4, 4)])];
    for (name, figures) in expected {
        let model = MODELS.iter().find(|model| model.name == name).expect("a model");
        let program = model.load();
        for (alpha, (used, generated)) in Alpha::ALL.into_iter().zip(figures) {
            let cell = model.run(&program, alpha, Duration::MAX);
            assert_eq!((cell.figures.used, cell.figures.generated), (used, generated), "{name}");
        }
    }
}

/// Every answer is right, every invariant is checked by code that shares nothing with the fixpoint,
/// and every trace is replayed. Futurebus+ is left to the binary: unoptimised it takes a minute.
#[test]
fn answers_are_right_and_certified() {
    for model in MODELS.iter().filter(|model| model.name != "futurebus+") {
        let program = model.load();
        for alpha in Alpha::ALL {
            let options = Options { alpha, max_refinements: 5, ..Options::default() };
            let (verdict, report) =
                backward::check(&program, &options, &solver, &Run::unobserved(Budget::default()));
            let what = format!("{} {alpha:?}", model.name);
            match verdict {
                Verdict::Safe(_) => {
                    assert!(!model.is_unsafe, "{what}");
                    let report = report.expect("a report");
                    let invariants = report.invariants.as_ref().expect("invariants");
                    let certified = certified(&program, invariants);
                    assert_eq!(certified, Certified::Holds, "{what}");
                }
                Verdict::Unsafe(found) => {
                    assert!(model.is_unsafe, "{what}");
                    assert!(
                        matches!(
                            replay(&program, &found.drawn, &Budget::default()),
                            Replayed::Error(_)
                        ),
                        "{what}"
                    );
                }
                Verdict::Unknown(why) => assert_eq!(alpha, Alpha::One, "{what}: {why:?}"),
            }
        }
    }
}

/// A checker that accepts everything checks nothing: with anything allowed at one of its places, a proof
/// is refused.
#[test]
fn invariants_that_do_not_hold_are_refused() {
    let model = MODELS.iter().find(|model| model.name == "bakery").expect("a model");
    let program = model.load();
    let options = Options::default();
    let (_, report) =
        backward::check(&program, &options, &solver, &Run::unobserved(Budget::default()));
    let mut invariants = report.expect("a report").invariants.clone().expect("invariants");
    let places = invariants.list.len();
    assert!(places > 2);
    let anything = invariants.terms.bool(true);
    let mut refused = 0;
    for index in 0..places {
        let kept = std::mem::replace(&mut invariants.list[index].1, anything);
        let certified = certified(&program, &invariants);
        refused += usize::from(matches!(certified, Certified::Refuted(_)));
        invariants.list[index].1 = kept;
    }
    assert!(refused > 2, "{refused} of {places}");
}

/// Forwards and with predicates by location the answers are the same, where there are answers.
#[test]
fn other_ways_give_no_other_answers() {
    let small = ["bpr", "coffee", "ticket", "bbuffer", "synapse", "mesi", "fischer"];
    for model in MODELS.iter().filter(|model| small.contains(&model.name)) {
        let program = model.load();
        let mut answers = 0;
        for local in [false, true] {
            for direction in [Direction::Backward, Direction::Forward] {
                let options =
                    Options { local, direction, max_refinements: 6, ..Options::default() };
                let (verdict, report) = backward::check(
                    &program,
                    &options,
                    &solver,
                    &Run::unobserved(Budget::default()),
                );
                answers += usize::from(!matches!(verdict, Verdict::Unknown(_)));
                match verdict {
                    Verdict::Safe(_) => {
                        assert!(!model.is_unsafe, "{} {options:?}", model.name);
                        let report = report.expect("a report");
                        let invariants = report.invariants.as_ref().expect("invariants");
                        let certified = certified(&program, invariants);
                        assert_eq!(certified, Certified::Holds, "{} {options:?}", model.name);
                    }
                    Verdict::Unsafe(_) => assert!(model.is_unsafe, "{} {options:?}", model.name),
                    Verdict::Unknown(_) => {}
                }
            }
        }
        assert!(answers > 1, "{}", model.name);
    }
}

/// The last line is what scripts read.
#[test]
fn the_tables_end_with_the_counts() {
    let chosen = ["bpr", "coffee", "bakery"];
    let rows = MODELS.iter().filter(|model| chosen.contains(&model.name)).map(|model| {
        let program = model.load();
        let cells = Alpha::ALL.map(|alpha| model.run(&program, alpha, Duration::MAX));
        (*model, cells)
    });
    let text = Tables { rows: rows.collect(), letter: false }.to_string();
    assert_eq!(text.lines().last(), Some("armc: alpha1 2/3 alpha2 3/3 alpha3 3/3"));
    let bpr = text.lines().find(|line| line.starts_with("bpr")).expect("a row");
    let words: Vec<&str> = bpr.split_whitespace().collect();
    assert_eq!(words[..8], ["bpr", "9/3", "3/6", "4/6", "3/6", "6/6", "3/6", "6/6"]);
    assert!(bpr.ends_with("as in the thesis"), "{bpr}");
    let coffee = text.lines().find(|line| line.starts_with("coffee")).expect("a row");
    assert!(coffee.ends_with("   b"), "{coffee}");
}

/// A row has every reason that its figures are others for, to the letter of Figure 3.3 too.
#[test]
fn all_reasons_for_other_figures_are_named() {
    let chosen = ["inssort", "coffee"];
    let rows = MODELS.iter().filter(|model| chosen.contains(&model.name)).map(|model| {
        let program = model.load();
        let cells = Alpha::ALL.map(|alpha| model.run_as(&program, alpha, true, Duration::MAX));
        (*model, cells)
    });
    let text = Tables { rows: rows.collect(), letter: true }.to_string();
    let row = |name: &str| text.lines().find(|line| line.starts_with(name)).expect("a row");
    assert!(row("inssort").ends_with("   b, c, d"), "{text}");
    assert!(row("coffee").ends_with("   b, d"), "{text}");
}

/// Figure 3.3 to the letter: the first predicates are those of the unsafe states, and the refinement that would only
/// show that an error is real is not made.
#[test]
fn figure_3_3_to_the_letter() {
    // Refinements and steps with the third abstraction function.
    let expected = [("bpr", 3, 6), ("inssort", 0, 5), ("coffee", 2, 7), ("fischer", 1, 1)];
    for (name, refinements, steps) in expected {
        let model = MODELS.iter().find(|model| model.name == name).expect("a model");
        let cell = model.run_as(&model.load(), Alpha::Three, true, Duration::MAX);
        let found = (cell.figures.refinements, cell.figures.steps);
        assert!(cell.is_answered(), "{name}");
        assert_eq!(matches!(cell.verdict, Verdict::Unsafe(_)), model.is_unsafe, "{name}");
        assert_eq!(found, (refinements, steps), "{name}");
    }
}
