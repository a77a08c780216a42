//! Queries as files: written, read back, and read by another solver.

mod common;

use base::Random;
use common::Folder;
use common::formulas::World;
use proviso_smt::{Answer, Builtin, Models, Pipe, Query, Recorder, Said, Solver, open};
use run::Budget;
use term::{Command, Format, Op, Rounding, Sort, Status, Terms, Value};

fn status(answer: &Answer) -> Status {
    match answer {
        Answer::Sat => Status::Sat,
        Answer::Unsat => Status::Unsat,
        Answer::Unknown(_) => Status::Unknown,
    }
}

/// The answers of a solver to a file, each with what the file says.
fn replay(text: &str, solver: &mut dyn Solver) -> Vec<(Answer, Option<Status>)> {
    let mut terms = Terms::new();
    let query = Query::parse(&mut terms, text).expect("what we write we read");
    let mut answers = Vec::new();
    query.replay(&terms, solver, &mut Budget::default, &mut |_, said| {
        if let Said::Answer { check, answer, .. } = said {
            answers.push((answer, check.status));
        }
    });
    answers
}

#[test]
fn each_check_is_a_file_that_gives_the_same_answer() {
    let folder = Folder::new();
    let mut answers = Vec::new();
    for batch in 0..4 {
        let mut dice = Random::stream(3, batch);
        let mut world = World::words(&mut dice);
        // The second recorder goes on where the first ended.
        let mut solver = Recorder::new(Builtin::new(), folder.path()).expect("a folder");
        for _ in 0..5 {
            let question = world.question(&mut dice);
            solver.push();
            question.asserted.iter().for_each(|formula| solver.assert(&world.terms, *formula));
            let limits = Budget::default();
            answers.push(solver.check(&world.terms, &question.assumptions, &limits));
            solver.pop();
        }
        assert!(solver.trouble().is_none());
    }
    for (number, expected) in answers.iter().enumerate() {
        let path = folder.path().join(format!("{:06}.smt2", number + 1));
        let text = std::fs::read_to_string(path).expect("a file for each check");
        let pairs = vec![(expected.clone(), Some(status(expected)))];
        assert_eq!(replay(&text, &mut Builtin::new()), pairs, "{text}");
        if let Ok(mut other) = Pipe::new("z3") {
            assert_eq!(replay(&text, &mut other), pairs, "{text}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), answers.len());
}

#[test]
fn names_and_operators_come_back() {
    let mut terms = Terms::new();
    let float = terms.declare("a|b", Sort::Float(Format::X87));
    let (n, m) = (terms.declare("n", Sort::Int), terms.declare("n", Sort::Int));
    let (x, n, m) = (terms.var(float), terms.var(n), terms.var(m));
    let rest = terms.app(Op::FpFmod, &[x, x]);
    let (bits, quotient) = (terms.fp_to_bits(rest), terms.int_div(n, m));
    let integer = terms.fp_to_signed_bv(Rounding::TowardZero, 80, x);
    let claims = [terms.eq(bits, integer), terms.lt(quotient, n)];
    let answer = Answer::Unsat;
    let text = proviso_smt::query(&terms, &claims, &[], &answer).expect("a script");
    let mut other = Terms::new();
    let query = Query::parse(&mut other, &text).expect("what we write we read");
    assert!(query.exact && query.is_ours());
    let names: Vec<String> = query
        .script
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::Declare(var) => Some(query.name(&other, *var)),
            _ => None,
        })
        .collect();
    // The one without a name of ours stands for the encoding.
    assert_eq!(names, ["a|b", "b!1", "n", "n"], "{text}");
}

#[test]
fn an_open_meaning_makes_no_unsat() {
    let text =
        "(declare-const x Int)(assert (= (div x 0) 1))(check-sat)(assert (= 1 2))(check-sat)";
    for (answer, _) in replay(text, &mut Builtin::new()) {
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    }
    let text = "(assert (= 1 2))(check-sat)";
    assert_eq!(replay(text, &mut Builtin::new()), [(Answer::Unsat, None)]);
}

#[test]
fn solvers_are_opened_by_name() {
    assert!(open("no-such-solver").is_err());
    let mut solver = open("builtin").expect("it is always there");
    let mut terms = Terms::new();
    let p = terms.declare("p", Sort::Bool);
    let holds = terms.var(p);
    solver.assert(&terms, holds);
    assert_eq!(solver.check(&terms, &[], &Budget::default()), Answer::Sat);
    assert_eq!(solver.value(&terms, p), Value::Bool(true));
}
