//! Solvers behind pipes: obedient ones, if z3 is there, and broken ones that the tests write.

mod common;

use std::time::{Duration, Instant};

use common::Folder;
use proviso_smt::{Answer, Cores, Models, Pipe, Reason, Solver};
use run::{Budget, Exceeded};
use term::{Sort, TermId, Terms, Value};

/// Formulas over words of 8 bits, by text.
fn formulas(terms: &mut Terms, texts: &[&str]) -> Vec<TermId> {
    let vars: Vec<(String, term::Var)> = ["x", "y", "z"]
        .iter()
        .map(|name| ((*name).to_owned(), terms.declare(*name, Sort::Bv(8))))
        .collect();
    let mut resolve = |name: &str| vars.iter().find(|(known, _)| known == name).map(|(_, v)| *v);
    texts.iter().map(|text| terms.parse(text, &mut resolve).expect("a formula")).collect()
}

fn check(solver: &mut Pipe, terms: &Terms) -> Answer {
    solver.check(terms, &[], &Budget::default())
}

/// A solver that is a script of the shell.
fn fake(folder: &Folder, script: &str) -> Pipe {
    Pipe::new(&folder.program("solver", script)).expect("the script is there")
}

#[test]
fn scopes_assumptions_models_and_cores() {
    let Ok(mut solver) = Pipe::new("z3") else { return };
    let mut terms = Terms::new();
    let texts = ["(bvult x y)", "(bvult y z)", "(bvult z x)", "(= y #x05)", "(= x #x07)"];
    let [xy, yz, zx, y5, x7] = formulas(&mut terms, &texts)[..] else { panic!("five formulas") };
    let terms = &terms;
    solver.assert(terms, xy);
    solver.push();
    solver.assert(terms, yz);
    assert_eq!(check(&mut solver, terms), Answer::Sat);
    assert_eq!(solver.check(terms, &[y5, zx], &Budget::default()), Answer::Unsat);
    assert!(solver.core().contains(&zx), "without it there is a model");
    assert_eq!(solver.check(terms, &[y5], &Budget::default()), Answer::Sat);
    let var = terms.vars(y5)[0];
    assert_eq!(solver.value(terms, var), Value::Bv(term::Bv::new(8, 5)));
    solver.pop();
    assert_eq!(solver.check(terms, &[zx, y5, x7], &Budget::default()), Answer::Unsat);
    let mut core = solver.core().to_vec();
    core.sort_unstable();
    assert_eq!(core, [y5, x7]);
    solver.push();
    solver.assert(terms, zx);
    assert_eq!(solver.check(terms, &[yz], &Budget::default()), Answer::Unsat);
    assert_eq!(solver.core(), [yz]);
    solver.pop();
    assert_eq!(check(&mut solver, terms), Answer::Sat);
    assert_eq!(solver.starts(), 1);
}

#[test]
fn a_sort_that_comes_late_starts_a_process_with_another_logic() {
    let Ok(mut solver) = Pipe::new("z3") else { return };
    let mut terms = Terms::new();
    let words = formulas(&mut terms, &["(bvult x y)"]);
    solver.assert(&terms, words[0]);
    assert_eq!(check(&mut solver, &terms), Answer::Sat);
    let number = terms.declare("n", Sort::Int);
    let number = terms.var(number);
    let seven = terms.int(7);
    let claim = terms.lt(seven, number);
    solver.push();
    solver.assert(&terms, claim);
    assert_eq!(check(&mut solver, &terms), Answer::Sat);
    assert_eq!(solver.starts(), 2);
}

#[test]
fn names_that_are_no_symbols_are_no_trouble() {
    let Ok(mut solver) = Pipe::new("z3") else { return };
    let mut terms = Terms::new();
    let mut claims = Vec::new();
    for (number, name) in
        ["x", "x", "bvadd", "true", "a b", "|", "\\", "%", "é", "", "assert", ";", "\"", "(", "a!1"]
            .into_iter()
            .enumerate()
    {
        let var = terms.declare(name, Sort::Bv(8));
        let (term, value) = (terms.var(var), terms.bv(8, number as u128));
        let claim = terms.eq(term, value);
        solver.assert(&terms, claim);
        claims.push((var, Value::Bv(term::Bv::new(8, number as u128))));
    }
    assert_eq!(check(&mut solver, &terms), Answer::Sat);
    for (var, value) in claims {
        assert_eq!(solver.value(&terms, var), value);
    }
}

/// As text without sharing this term would have 2^200 variables.
#[test]
fn shared_subterms_are_written_once() {
    let Ok(mut solver) = Pipe::new("z3") else { return };
    let mut terms = Terms::new();
    let (x, y) = (terms.declare("x", Sort::Bv(8)), terms.declare("y", Sort::Bv(8)));
    let (mut sum, y) = (terms.var(x), terms.var(y));
    for _ in 0..200 {
        let product = terms.bv_xor(sum, y);
        let other = terms.bv_ashr(sum, y);
        sum = terms.bv_add(product, other);
    }
    let three = terms.bv(8, 3);
    let claim = terms.eq(sum, three);
    solver.assert(&terms, claim);
    assert!(!matches!(check(&mut solver, &terms), Answer::Unknown(_)));
}

/// Equations that no solver decides in a second.
fn hard(terms: &mut Terms) -> Vec<TermId> {
    let (x, y) = (terms.declare("x", Sort::Bv(64)), terms.declare("y", Sort::Bv(64)));
    let (x, y) = (terms.var(x), terms.var(y));
    let (wide_x, wide_y) = (terms.bv_zero_extend(128, x), terms.bv_zero_extend(128, y));
    let product = terms.bv_mul(wide_x, wide_y);
    let number = terms.bv(128, 18_446_744_073_709_551_557_u128 * 18_446_744_073_709_551_533);
    let one = terms.bv(64, 1);
    vec![terms.eq(product, number), terms.bv_ult(one, x), terms.bv_ult(one, y)]
}

#[test]
fn limits_end_the_process_and_the_next_check_starts_another() {
    let Ok(mut solver) = Pipe::new("z3") else { return };
    let mut terms = Terms::new();
    let easy = formulas(&mut terms, &["(bvult x y)"])[0];
    let hard = hard(&mut terms);
    solver.assert(&terms, easy);
    solver.push();
    for formula in hard {
        solver.assert(&terms, formula);
    }
    let deadline = Some(Instant::now() + Duration::from_millis(300));
    let limits = Budget::until(deadline);
    assert_eq!(solver.check(&terms, &[], &limits), Answer::Unknown(Exceeded::Time.into()));
    let limits = Budget::default();
    let asking = limits.clone();
    let asked = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        asking.cancel();
    });
    assert_eq!(solver.check(&terms, &[], &limits), Answer::Unknown(Exceeded::Interrupted.into()));
    asked.join().expect("the thread ends");
    let limits = Budget::within_memory(1 << 20);
    assert_eq!(solver.check(&terms, &[], &limits), Answer::Unknown(Exceeded::Memory.into()));
    solver.pop();
    assert_eq!(check(&mut solver, &terms), Answer::Sat);
    assert_eq!(solver.starts(), 4);
}

#[cfg(unix)]
#[test]
fn broken_solvers_never_answer() {
    let echo = "s/(echo \"\\(.*\\)\")/\\1/p";
    let scripts = [
        ("it dies at once", "exit 3".to_owned(), "exit status: 3"),
        ("it complains and dies", "echo 'no licence' >&2; exit 1".to_owned(), "no licence"),
        ("it answers nonsense", format!("sed -un 's/(check-sat)/maybe/p;{echo}'"), "maybe"),
        ("it answers twice", format!("sed -un 's/(check-sat)/unsat\\nsat/p;{echo}'"), "unsat sat"),
        ("it answers nothing", format!("sed -un '{echo}'"), "nothing"),
        (
            "it refuses and goes on",
            format!("sed -un 's/(check-sat)/(error \"what?\")\\nsat/p;{echo}'"),
            "what?",
        ),
        (
            "its model is wrong",
            format!("sed -un 's/(check-sat)/sat/p;s/(get-value.*/(($x #x05) ($y #x05))/p;{echo}'"),
            "does not satisfy",
        ),
        (
            "its model is unreadable",
            format!("sed -un 's/(check-sat)/sat/p;s/(get-value.*/(($x 5) ($y 6))/p;{echo}'"),
            "($x 5)",
        ),
        (
            "its model is short",
            format!("sed -un 's/(check-sat)/sat/p;s/(get-value.*/(($x #x05))/p;{echo}'"),
            "($x #x05)",
        ),
        ("it gives up", format!("sed -un 's/(check-sat)/unknown/p;{echo}'"), "unknown"),
    ];
    let mut terms = Terms::new();
    let claim = formulas(&mut terms, &["(bvult x y)"])[0];
    for (what, script, words) in scripts {
        let folder = Folder::new();
        let mut solver = fake(&folder, &script);
        solver.assert(&terms, claim);
        for _ in 0..2 {
            match check(&mut solver, &terms) {
                Answer::Unknown(Reason::Failed(why)) => {
                    assert!(why.contains(words), "{what}: {why}");
                }
                answer => panic!("{what}: {answer:?}"),
            }
        }
        assert_eq!(solver.starts(), 2, "{what}: it is started again");
    }
}

#[cfg(unix)]
#[test]
fn a_solver_that_hangs_is_ended() {
    let mut terms = Terms::new();
    let claim = formulas(&mut terms, &["(bvult x y)"])[0];
    // One that reads and says nothing, and one that does not even read.
    for script in ["exec sed -n /never/p", "exec sleep 1000"] {
        let folder = Folder::new();
        let mut solver = fake(&folder, script);
        solver.assert(&terms, claim);
        let deadline = Some(Instant::now() + Duration::from_millis(100));
        let limits = Budget::until(deadline);
        let start = Instant::now();
        assert_eq!(solver.check(&terms, &[], &limits), Answer::Unknown(Exceeded::Time.into()));
        drop(solver);
        assert!(start.elapsed() < Duration::from_secs(1000), "nobody waits for it to end");
    }
}

#[cfg(unix)]
#[test]
fn a_solver_that_does_not_stop_writing_is_ended() {
    let mut terms = Terms::new();
    let claim = formulas(&mut terms, &["(bvult x y)"])[0];
    let scripts = [
        // Answers without end.
        ("exec yes sat", true),
        // One answer without end.
        ("exec yes '((('", true),
        // No answer, and space without end.
        ("exec yes ' '", false),
        // Complaints without end, all in one line, and its output stays open.
        ("exec 3>&1; exec tr '\\0' x < /dev/zero >&2", false),
    ];
    for (script, fails) in scripts {
        let folder = Folder::new();
        let mut solver = fake(&folder, script);
        solver.assert(&terms, claim);
        let wait = Duration::from_millis(if fails { 600_000 } else { 300 });
        let limits = Budget::within(wait);
        match solver.check(&terms, &[], &limits) {
            Answer::Unknown(Reason::Failed(_)) if fails => {}
            Answer::Unknown(Reason::Exceeded(Exceeded::Time)) if !fails => {}
            answer => panic!("{script}: {answer:?}"),
        }
        // Also the time that is up ends it, not only the end of its output.
        let limits = Budget::default();
        limits.cancel();
        let answer = solver.check(&terms, &[], &limits);
        assert_eq!(answer, Answer::Unknown(Exceeded::Interrupted.into()), "{script}");
    }
}

#[cfg(unix)]
#[test]
fn a_solver_without_cores_blames_every_assumption() {
    let folder = Folder::new();
    let script = "sed -un 's/(check-sat-assuming.*/unsat/p;s/(get-unsat.*/(error \"no\")/p;\
                  s/(echo \"\\(.*\\)\")/\\1/p'";
    let mut solver = fake(&folder, script);
    let mut terms = Terms::new();
    let claims = formulas(&mut terms, &["(bvult x y)", "(bvult y x)", "(= x #x05)"]);
    assert_eq!(solver.check(&terms, &claims, &Budget::default()), Answer::Unsat);
    assert_eq!(solver.core(), claims);
}

#[cfg(unix)]
#[test]
fn a_model_in_the_solvers_own_words_is_read() {
    let folder = Folder::new();
    let script = "sed -un 's/(check-sat)/sat/p;s/(get-value.*/((|$x| (_ bv1 8)) ($y #b00000010))/p;\
                  s/(echo \\(.*\\))/\\1/p'";
    let mut solver = fake(&folder, script);
    let mut terms = Terms::new();
    let claim = formulas(&mut terms, &["(bvult x y)"])[0];
    solver.assert(&terms, claim);
    assert_eq!(check(&mut solver, &terms), Answer::Sat);
    let vars = terms.vars(claim);
    assert_eq!(solver.value(&terms, vars[1]), Value::Bv(term::Bv::new(8, 2)));
}
