//! Chapter 4 of the thesis (Castaño 2018): existential abstract traces and relative soundness, with the
//! answers that it gives, or, where it contradicts its own definitions, with those of the definitions.

mod common;

use std::time::Duration;

use cfa::Program;
use common::{options, read, solver};
use proviso_partial::{
    Abstraction, Analysed, Answer, Automaton, Execution, Letter, Options, Query, Relative, Search,
    abstracted, group, letters, relative, spc,
};
use run::Budget;
use verify::{Analysis, Config, Forward, Outcome, Traversal};

const DOUBLING: &str = include_str!("examples/doubling.c");
const HARNESS: &str = include_str!("examples/harness.c");
const INSERTION: &str = include_str!("examples/insertion.c");
const RING: &str = include_str!("examples/ring.c");

/// Bounded model checking of a program as it is: made simpler, some of these have no error left.
fn unrolled(program: &Program, rounds: u32) -> Outcome {
    let config = Config { analysis: Analysis::Bmc, unroll: Some(rounds), ..Config::default() };
    verify::verify(program, &config, &solver)
}

/// The abstract traces of frontier traces, each once, as the functions that are called.
fn calls(traces: &[Vec<Letter>], abstractions: &[Abstraction]) -> Vec<Vec<String>> {
    let shown: Vec<_> = traces.iter().map(|trace| abstracted(trace, abstractions)).collect();
    let groups = group(&shown);
    assert_eq!(groups.iter().map(|group| group.members.len()).sum::<usize>(), traces.len());
    let names = |letters: Vec<Letter>| letters.into_iter().filter_map(|each| each.call).collect();
    groups.into_iter().map(|group| names(group.letters)).collect()
}

/// All frontier traces, at most so many, and whether there are no others.
fn frontier(program: &Program, outcome: &Outcome, most: usize) -> (Vec<Vec<Letter>>, bool) {
    let analysed = Analysed::of(program, outcome);
    let options = Options { budget: Budget::within(Duration::from_secs(120)), ..options() };
    // Without the search for one trace in each location, which is for another test.
    let mut report = Execution::default();
    let complete = report.enumerate(&analysed, &options, most, &mut |_| {});
    assert!(report.violation.is_none());
    let mut steps: Vec<_> = report.frontier.iter().map(|trace| trace.steps.clone()).collect();
    steps.sort();
    steps.dedup();
    assert_eq!(steps.len(), report.frontier.len(), "every trace is there once");
    (report.frontier.iter().map(|trace| letters(program, &trace.steps)).collect(), complete)
}

fn ask(program: &Program, outcome: &Outcome, query: &str) -> Relative {
    ask_of(program, &mut *Analysed::of(program, outcome).automaton(), query)
}

fn ask_of(program: &Program, automaton: &mut dyn Automaton, query: &str) -> Relative {
    let query = Query::read(program, query, 1, None).expect("functions of the program");
    let budget = Budget::within(Duration::from_secs(60));
    let search =
        Search { program, analysis: Analysis::Bmc, solver: &solver, budget: &budget, most: None };
    let found = relative(&search, automaton, &query);
    if let Answer::No(trace) = &found.answer {
        let realised = query.realised(program, &trace.steps);
        assert!(realised <= query.calls.len(), "the trace counts");
    }
    found
}

/// How many calls of the query the trace of a no makes.
fn refuted(program: &Program, found: &Relative) -> Option<usize> {
    let Answer::No(trace) = &found.answer else { return None };
    let made = letters(program, &trace.steps);
    Some(calls(&[made], &[Abstraction::Depth(1), Abstraction::Calls])[0].len())
}

/// Example 3, Fig. 4.1. The thesis' bound of five, with four rounds analysed up to the fifth arrival at
/// the loop, is three rounds here.
#[test]
fn example_3_has_sixteen_traces_and_one_abstract_trace() {
    let program = read(DOUBLING);
    let outcome = unrolled(&program, 3);
    let (traces, complete) = frontier(&program, &outcome, 100);
    assert_eq!((traces.len(), complete), (16, true), "two branches in each of four rounds");
    let only = [Abstraction::Calls, Abstraction::Without("property".to_owned())];
    assert_eq!(calls(&traces, &only), [["f", "f", "f", "f"]]);
    assert_eq!(calls(&traces, &[]).len(), 16, "without abstraction they differ");
    let (some, complete) = frontier(&program, &outcome, 5);
    assert_eq!((some.len(), complete), (5, false));
}

/// Fig. 4.1: the query names calls of `main`, and `property` is one of them.
#[test]
fn example_3_is_sound_relative_to_three_calls() {
    let program = read(DOUBLING);
    let outcome = unrolled(&program, 3);
    let three = ask(&program, &outcome, "f property f property f property");
    assert_eq!(three.answer, Answer::Yes);
    assert_eq!((three.prefix, three.realised, three.realised_most), (Some(6), 6, true));
    let four = ask(&program, &outcome, "f property f property f property f property");
    assert_eq!(refuted(&program, &four), Some(8));
    // The frontier is the step that comes back to the loop after the fourth call of `property`.
    assert_eq!((four.prefix, four.realised), (Some(7), 8));
}

/// The same with `f` alone to be seen, as the thesis projects.
#[test]
fn example_3_with_calls_of_f_only() {
    let program = read(DOUBLING);
    let outcome = unrolled(&program, 3);
    let search = |calls: &str| {
        let alphabet = ["f".to_owned()];
        let query = Query::read(&program, calls, 1, Some(&alphabet)).expect("a function");
        let budget = Budget::within(Duration::from_secs(60));
        let analysis = Analysis::Bmc;
        let search =
            Search { program: &program, analysis, solver: &solver, budget: &budget, most: None };
        relative(&search, &mut *Analysed::of(&program, &outcome).automaton(), &query)
    };
    assert_eq!(search("f f f").answer, Answer::Yes);
    let four = search("f f f f");
    assert!(matches!(four.answer, Answer::No(_)));
    assert_eq!((four.prefix, four.realised), (Some(3), 4));
}

/// Fig. 4.11.
#[test]
fn figure_4_11_three_calls_of_m1() {
    let program = read(HARNESS);
    let outcome = unrolled(&program, 3);
    let found = ask(&program, &outcome, "m1 m1 m1");
    assert_eq!(found.answer, Answer::Yes);
    assert_eq!((found.prefix, found.realised, found.realised_most), (Some(3), 3, true));
    let outcome = unrolled(&program, 2);
    let found = ask(&program, &outcome, "m1 m1 m1");
    assert_eq!(refuted(&program, &found), Some(3));
    assert_eq!(found.prefix, Some(2));
    // Calls of `m2` can be seen, so that this is another question.
    let found = ask(&program, &outcome, "m1 m2");
    assert_eq!(found.answer, Answer::Yes);
    assert_eq!(found.realised, 2);
}

/// A yes may be about executions that nobody can make.
#[test]
fn a_yes_says_how_much_of_the_query_is_realised() {
    let program = read(
        "int nondet(void); void reach_error(void); int n; void f(void) { n++; } void g(void) {}
         int main(void) {
             f();
             while (nondet()) { if (n == 0) g(); else f(); if (n < 0) reach_error(); }
             return 0;
         }",
    );
    let outcome = unrolled(&program, 2);
    assert!(Query::read(&program, "f h", 1, None).is_err(), "there is no such function");
    let found = ask(&program, &outcome, "f g f");
    assert_eq!(found.answer, Answer::Yes, "`g` is called after an overflow only");
    assert_eq!((found.realised, found.realised_most), (1, true));
}

/// Example 4, Fig. 4.7 and 4.8. The thesis says that its run is sound relative to the frontier's own
/// abstract trace; by Def. 10 the frontier trace itself refutes that.
#[test]
fn example_4_is_sound_relative_to_less_than_the_frontier() {
    let program = read(INSERTION);
    let outcome = unrolled(&program, 2);
    let report = Execution::of(&Analysed::of(&program, &outcome), &options(), &mut |_| {});
    let traces: Vec<_> =
        report.frontier.iter().map(|trace| letters(&program, &trace.steps)).collect();
    let shown = calls(&traces, &[Abstraction::Depth(1), Abstraction::Calls]);
    let pairs = |count| ["insert", "check"].repeat(count);
    let shorter = [&pairs(2)[..], &["insert"]].concat();
    assert_eq!(shown, [pairs(3), shorter.clone()], "as in Fig. 4.8, with 10 rounds there");
    let of = |calls: &[&str]| ask(&program, &outcome, &calls.join(" "));
    assert_eq!(of(&pairs(1)).answer, Answer::Yes);
    assert_eq!(of(&pairs(2)).answer, Answer::Yes);
    for own in [shorter, pairs(3)] {
        let found = of(&own);
        assert!(matches!(found.answer, Answer::No(_)), "{own:?}: {:?}", found.answer);
        assert_eq!((found.prefix, found.realised), (Some(4), own.len()));
    }
}

/// Def. 10 by another way: some execution that counts was not analysed if one of all the frontier
/// traces counts. The automaton is asked as it is, and as a file that was written and read.
#[test]
fn relative_soundness_agrees_with_all_frontier_traces() {
    let mut answers = [0, 0];
    for (text, rounds, names) in [(HARNESS, 1, ["m1", "m2"]), (DOUBLING, 2, ["f", "property"])] {
        let program = read(text);
        let outcome = unrolled(&program, rounds);
        let (traces, complete) = frontier(&program, &outcome, 100);
        assert!(complete);
        let mut made: Vec<Vec<String>> = Vec::new();
        for trace in &traces {
            made.extend(calls(
                std::slice::from_ref(trace),
                &[Abstraction::Depth(1), Abstraction::Calls],
            ));
        }
        let written = spc::write(
            &program,
            &mut *Analysed::of(&program, &outcome).automaton(),
            999,
            &Budget::default(),
        );
        assert!(!written.shortened);
        let mut sources = base::SourceMap::new();
        let file = sources.add("a.spc", written.text.as_bytes()).expect("a short file");
        let again = spc::read(&program, &sources, file).expect("what was written is read");
        let mut queries: Vec<Vec<&str>> = vec![Vec::new()];
        for length in 0..6 {
            let longer = queries.iter().filter(|query| query.len() == length);
            let longer: Vec<_> =
                longer.flat_map(|query| names.map(|name| [&query[..], &[name]].concat())).collect();
            queries.extend(longer);
        }
        for query in queries.iter().filter(|query| query.len() < 4 || query.len() == 6) {
            let refuted = made.iter().any(|calls| {
                calls.len() <= query.len() && calls.iter().zip(query).all(|(a, b)| a == b)
            });
            let found = ask(&program, &outcome, &query.join(" "));
            assert_eq!(found.answer == Answer::Yes, !refuted, "{query:?}");
            let mut file = spc::Foreign::new(&again, &program);
            let from_file = ask_of(&program, &mut file, &query.join(" "));
            assert_eq!(from_file.answer == Answer::Yes, !refuted, "{query:?} of the file");
            assert!(file.astray().is_empty());
            assert_eq!(from_file.prefix, found.prefix, "{query:?}");
            answers[usize::from(refuted)] += 1;
        }
    }
    assert!(answers[0] > 20 && answers[1] > 20, "both answers occur: {answers:?}");
}

/// Depth 3 without the threads, as the thesis looks at its traces in Fig. 4.6.
fn without_threads() -> Vec<Abstraction> {
    let names = ["master", "transmit1", "transmit2", "transmit3", "transmit4"];
    let without = names.map(|name| Abstraction::Without(name.to_owned()));
    [vec![Abstraction::Depth(3)], without.to_vec()].concat()
}

/// Fig. 4.2-4.6, with a program of the same shape. The thesis has 136 traces there, five with the
/// transmitters left out.
#[test]
fn figures_4_2_to_4_6_show_where_the_frontier_is() {
    let program = read(RING);
    let outcome = unrolled(&program, 1);
    let (traces, _) = frontier(&program, &outcome, 24);
    assert_eq!(traces.len(), 24);
    let view = |depth: u32| calls(&traces, &[Abstraction::Calls, Abstraction::Depth(depth)]);
    assert_eq!(view(1), [["init_model", "start_simulation"]]);
    let second = [
        "init_model",
        "start_simulation",
        "update_channels",
        "init_threads",
        "fire_delta_events",
        "activate_threads",
        "reset_delta_events",
        "eval",
    ];
    assert_eq!(view(2), [second]);
    assert!(view(3).len() > 12, "{}", view(3).len());
    let third = calls(&traces, &without_threads());
    assert_eq!(third.len(), 1, "{third:?}");
    let tail: Vec<_> = third[0].iter().skip(7 + 5).collect();
    assert_eq!(tail, ["eval", "exists_runnable_thread", "exists_runnable_thread"]);
}

/// The same after an exploration that was stopped while its paths were of different lengths: few
/// abstract traces, which differ in the rounds of the loop in `eval`.
#[test]
fn a_stopped_exploration_has_several_depths() {
    let program = read(RING);
    let forward =
        Forward { nodes: Some(900), traversal: Some(Traversal::Bfs), ..Forward::default() };
    let config = Config { analysis: Analysis::Value, forward, ..Config::default() };
    let outcome = verify::verify(&program, &config, &solver);
    let (traces, _) = frontier(&program, &outcome, 24);
    let all = calls(&traces, &[Abstraction::Calls, Abstraction::Depth(3)]);
    let few = calls(&traces, &without_threads());
    assert!(few.len() > 1 && few.len() * 2 <= all.len(), "{few:?}");
}
