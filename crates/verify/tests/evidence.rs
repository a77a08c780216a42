//! Proofs about programs that passes have made are checked again, and wrong ones are found out.

#![allow(missing_docs)]

use cfa::{Op, Program};
use proviso_verify::{
    Analysis, Certified, Config, Evidence, Forward, Made, Outcome, Verdict, arrays, contracts,
    verify,
};
use run::{Budget, Certificate, Run};
use smt::Builtin;

fn load(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let text = format!("extern int in(void); extern void reach_error(void);\n{text}");
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}\n{text}", loaded.diagnostics.iter().next());
    loaded.program
}

fn solver() -> Box<dyn smt::FullSolver> {
    Box::new(Builtin::new())
}

fn check(evidence: &Evidence) -> Certified {
    evidence.check(&solver, &Budget::default()).certified
}

const ARRAY: &str = "int a[1000]; int main(void) { int i; for (i = 0; i < 1000; i++) a[i] = 7;
    for (i = 0; i < 1000; i++) if (a[i] != 7) reach_error(); return 0; }";

#[test]
fn a_wrong_invariant_of_elements_is_found_out() {
    let program = load(ARRAY);
    let found = arrays::prove(&program, &solver, &Run::unobserved(Budget::default()));
    let right = found.evidence.expect("a proof");
    assert_eq!((right.made, check(&right)), (Made::Elements, Certified::Holds));
    let loops = |evidence: &Evidence| {
        evidence.parts[0].1.rounds.clone().expect("a proof by rounds").loops.len()
    };
    assert!(loops(&right) > 0);
    for number in 0..loops(&right) {
        let changed = |change: &dyn Fn(&mut Certificate)| {
            let mut wrong = Evidence::clone(&right);
            change(&mut wrong.parts[0].1);
            check(&wrong)
        };
        // That no execution gets there.
        let strong = changed(&|certificate| {
            let no = certificate.terms.bool(false);
            let rounds = certificate.rounds.as_mut().expect("a proof by rounds");
            rounds.loops[number].formula = no;
        });
        assert_ne!(strong, Certified::Holds);
        assert!(number > 0 || matches!(strong, Certified::Refuted(_)), "{strong:?}");
        // That nothing is known.
        let weak = changed(&|certificate| {
            let yes = certificate.terms.bool(true);
            let rounds = certificate.rounds.as_mut().expect("a proof by rounds");
            rounds.loops[number].formula = yes;
        });
        assert_ne!(weak, Certified::Holds);
    }
}

const CALLS: &str = "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
    int main(void) { int x = in(), r = f(x); if (r != 91 && (x <= 100 || r != x - 10)) reach_error(); }";

#[test]
fn a_contract_that_a_function_does_not_keep_is_found_out() {
    let program = load(CALLS);
    let run = Run::unobserved(Budget::default());
    assert!(contracts::prove(&program, &solver, &run, None).evidence.is_none());
    let right = contracts::prove(&program, &solver, &run, Some(&run)).evidence.expect("a proof");
    assert_eq!((right.made, right.parts.len()), (Made::Contracts, 2));
    assert_eq!(check(&right), Certified::Holds);
    // The function returns something else: its own part breaks the contract, and that of the start does not know.
    let mut wrong = Evidence::clone(&right);
    let (part, certificate) = &mut wrong.parts[1];
    let start = part.cfa.start.expect("a start");
    let results = part.cfa.functions[start].results.clone();
    let other = part.terms.bv(32, 54_321);
    let mut changed = 0;
    for op in part.cfa.edges.iter_mut().flat_map(|edge| edge.ops.iter_mut()) {
        if let Op::Assign { var, value } = op
            && results.contains(var)
        {
            *value = other;
            changed += 1;
        }
    }
    assert!(changed > 0, "the function has a result");
    let rounds = certificate.rounds.clone().expect("a proof by rounds");
    assert!(rounds.loops.is_empty(), "the function has no loop, and nothing is claimed");
    *certificate = Certificate { rounds: Some(rounds), ..Certificate::new(part.terms.clone()) };
    assert!(matches!(check(&wrong), Certified::Refuted(_)));
    wrong.parts.truncate(1);
    assert_eq!(check(&wrong), Certified::Holds);
}

/// The outcome of the default run with a check of the proof.
fn certified(text: &str) -> Outcome {
    let config = Config { certify: true, analysis: Analysis::Auto, ..Config::recommended() };
    verify(&load(text), &config, &solver)
}

#[test]
fn what_is_trusted_is_told() {
    let plain =
        "int main(void) { int i = 0; while (in() && i < 9) i++; if (i > 9) reach_error(); }";
    // Too many elements for one round after the other.
    let array = ARRAY.replace("1000", "100000");
    let all =
        [(array.as_str(), Some(Made::Elements)), (CALLS, Some(Made::Contracts)), (plain, None)];
    for (text, trusted) in all {
        let outcome = certified(text);
        assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}\n{text}", outcome.verdict);
        let checked = outcome.certification.expect("a check");
        assert_eq!(checked.outcome.certified, Certified::Holds, "{text}");
        assert_eq!(checked.trusted, trusted, "{text}");
    }
}

/// A lock that is taken and given back, in programs of two loops.
const LOCK: &str = "int locked; void lock(void) { if (locked) reach_error(); locked = 1; }
    void unlock(void) { if (!locked) reach_error(); locked = 0; }
    int main(void) { while (in()) { lock(); int n = in(); while (n-- > 0) { unlock(); lock(); } unlock(); } }";

/// The outcome of explicit values with summaries of functions, with a check of the proof.
fn by_summaries(text: &str, certify: bool) -> Outcome {
    let forward = Forward { summarizes_calls: true, ..Forward::default() };
    let config = Config { certify, forward, analysis: Analysis::ValueItp, ..Config::default() };
    verify(&load(text), &config, &solver)
}

#[test]
fn a_proof_with_summaries_of_functions_is_certified_by_one_without() {
    let plain = by_summaries(LOCK, false);
    assert!(matches!(plain.verdict, Verdict::Safe(_)), "{:?}", plain.verdict);
    assert!(plain.graph.is_none(), "nobody asked for it");
    let outcome = by_summaries(LOCK, true);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
    let checked = outcome.certification.expect("a check");
    assert_eq!((checked.outcome.certified, checked.trusted), (Certified::Holds, None));
    // Nothing is called wrong that is.
    let wrong = LOCK.replace("locked = 0", "locked = locked");
    assert!(matches!(by_summaries(&wrong, true).verdict, Verdict::Unsafe(_)));

    let (program, graph) = (load(LOCK), outcome.graph.expect("a graph"));
    let loops = cfa::Loops::of(&program.cfa);
    let right = graph.certificate(&|at| loops.head(at));
    let check = |certificate: Certificate| {
        certify::certify(&program, certificate, &mut Builtin::new(), &Budget::default()).certified
    };
    assert_eq!(check(right.clone()), Certified::Holds);
    assert!(right.entries.len() >= 2, "an entry for each loop");
    for number in 0..right.entries.len() {
        for value in [false, true] {
            let mut wrong = right.clone();
            wrong.entries[number].formula = wrong.terms.bool(value);
            assert!(matches!(check(wrong), Certified::Refuted(_)), "{number} {value}");
        }
        let mut wrong = right.clone();
        wrong.entries.remove(number);
        assert!(matches!(check(wrong), Certified::Refuted(_)), "{number}");
    }
}

/// A list is walked recursively, which has no end call by call.
const RECURSION: &str = "struct node { struct node *next; int mark; }; extern struct node *head(void); int locked;
    static void walk(struct node *at) { if (!at) return; if (locked) reach_error(); locked = 1; at->mark = 0;
        locked = 0; walk(at->next); }
    int main(void) { walk(head()); if (locked) reach_error(); return 0; }";

#[test]
fn a_proof_about_recursion_by_summaries_has_no_certificate() {
    let outcome = by_summaries(RECURSION, true);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
    let checked = outcome.certification.expect("a check").outcome.certified;
    assert!(matches!(checked, Certified::Open(_)), "{checked:?}");
}
