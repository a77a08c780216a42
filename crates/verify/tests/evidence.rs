//! Proofs about programs that passes have made are checked again, and wrong ones are found out.

#![allow(missing_docs)]

use cfa::{Op, Program};
use proviso_verify::{
    Analysis, Certified, Config, Evidence, Forward, Made, Outcome, Verdict, arrays, contracts,
    verify,
};
use run::{Budget, Certificate, Entry, Run};
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
    assert_eq!((right.made, check(&right)), (Some(Made::Elements), Certified::Holds));
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
    assert_eq!((right.made, right.parts.len()), (Some(Made::Contracts), 2));
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

/// The evidence of a proof with summaries of functions, which must be right.
fn claims_about_functions(text: &str) -> Evidence {
    let outcome = by_summaries(text, true);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
    let checked = outcome.certification.expect("a check");
    assert_eq!((checked.outcome.certified, checked.trusted), (Certified::Holds, None));
    Evidence::clone(&outcome.evidence.expect("claims about functions"))
}

/// Changes each formula of claims about functions in turn, and gives what the checker says of it.
fn with_each_changed(right: &Evidence, to: bool) -> Vec<Certified> {
    let entries = |certificate: &mut Certificate, change: &mut dyn FnMut(&mut Entry)| {
        for claim in &mut certificate.functions {
            claim.before.iter_mut().for_each(&mut *change);
            claim.entries.iter_mut().chain(&mut claim.after).for_each(&mut *change);
        }
    };
    let mut count = 0;
    entries(&mut right.parts[0].1.clone(), &mut |_| count += 1);
    let change = |number: usize| {
        let mut wrong = right.clone();
        let certificate = &mut wrong.parts[0].1;
        let formula = certificate.terms.bool(to);
        let mut at = 0;
        entries(certificate, &mut |entry| {
            if at == number {
                entry.formula = formula;
                entry.kept.clear();
            }
            at += 1;
        });
        check(&wrong)
    };
    (0..count).map(change).collect()
}

#[test]
fn a_proof_with_summaries_of_functions_is_certified_function_by_function() {
    let plain = by_summaries(LOCK, false);
    assert!(matches!(plain.verdict, Verdict::Safe(_)), "{:?}", plain.verdict);
    assert!(plain.evidence.is_none(), "nobody asked for it");
    let right = claims_about_functions(LOCK);
    let functions = &right.parts[0].1.functions;
    // The start, `main`, and both functions from the one state in which each is called.
    assert_eq!(functions.len(), 4);
    assert_eq!(functions.iter().filter(|claim| claim.before.is_some()).count(), 3);
    // An entry for each of the two loops, where `main` begins, and where the two functions begin and return.
    for to in [false, true] {
        let changed = with_each_changed(&right, to);
        assert_eq!(changed.len(), 7);
        for changed in changed {
            assert!(matches!(changed, Certified::Refuted(_)), "{changed:?}");
        }
    }
    // A function that does something else breaks its claim.
    let wrong = LOCK.replace("locked = 0", "locked = locked");
    assert!(matches!(by_summaries(&wrong, true).verdict, Verdict::Unsafe(_)));
    let mut wrong = right;
    let (program, _) = &mut wrong.parts[0];
    let zero = program.terms.bv(32, 0);
    let one = program.terms.bv(32, 1);
    for op in program.cfa.edges.iter_mut().flat_map(|edge| edge.ops.iter_mut()) {
        match op {
            Op::Assign { value, .. } if *value == zero => *value = one,
            _ => {}
        }
    }
    assert!(matches!(check(&wrong), Certified::Refuted(_)));
}

/// A list is walked recursively, which has no end call by call.
const RECURSION: &str = "struct node { struct node *next; int mark; }; extern struct node *head(void); int locked;
    static void walk(struct node *at) { if (!at) return; if (locked) reach_error(); locked = 1; at->mark = 0;
        locked = 0; walk(at->next); }
    int main(void) { walk(head()); if (locked) reach_error(); return 0; }";

/// A function is called with something that is known, and with something that is not.
const OVERLAP: &str = "static unsigned square(unsigned x) { return x * x; }
    int main(void) { square(in()); unsigned nine = square(3); if (nine != 9) reach_error(); return 0; }";

/// Both calls are in states of which the checker sees that both claims hold; each branch needs another one of them.
const OVERLAP_IN_PART: &str = "int x, y, z;
    void twice(void) { x = -x; x = -x; y = -y; y = -y; z = -z; z = -z; }
    int main(void) {
        if (in()) { x = 3; z = 1; y = in(); twice(); if (x != 3 || z != 1) reach_error(); }
        else { x = 3; z = 1; y = 7; twice(); if (y != 7) reach_error(); }
        return 0; }";

#[test]
fn claims_about_one_function_may_overlap() {
    claims_about_functions(OVERLAP);
    claims_about_functions(OVERLAP_IN_PART);
}

#[test]
fn a_proof_about_recursion_by_summaries_is_certified() {
    let right = claims_about_functions(RECURSION);
    for changed in with_each_changed(&right, false) {
        assert_ne!(changed, Certified::Holds);
    }
}
