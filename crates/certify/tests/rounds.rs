//! Certificates about the rounds of loops: right ones hold, and each wrong one is found out.

#![allow(missing_docs)]

mod common;

use cfa::Program;
use common::{Draft, c};
use proviso_certify::{Certified, Entry};

/// Claims of the only loop of `main`.
fn claim(program: &Program, formula: &str, (from, k): (u32, u32)) -> Certified {
    let mut draft = Draft::new(program);
    draft.rounds(&["main"], ("main", 0), formula, (from, k));
    draft.check().certified
}

fn holds(program: &Program, formula: &str, numbers: (u32, u32)) {
    assert_eq!(claim(program, formula, numbers), Certified::Holds, "{formula} {numbers:?}");
}

fn fails(program: &Program, formula: &str, numbers: (u32, u32), what: &str) {
    match claim(program, formula, numbers) {
        Certified::Refuted(why) | Certified::Open(why) => assert!(why.contains(what), "{why}"),
        Certified::Holds => panic!("certified: {formula} {numbers:?}"),
    }
}

const CLAIM: &str = "what is claimed of the rounds";
const ERROR: &str = "the error location";

const COUNT: &str = "int main(void) {
  unsigned x = 0, other = 7;
  while (x < 10) x++;
  __VERIFIER_assert(x == 10 && other == 7);
}";

#[test]
fn an_invariant_is_enough_with_what_no_round_changes() {
    let program = c(COUNT);
    holds(&program, "(bvule x@2 #x0000000a)", (0, 0));
    // One that is weaker excludes no error, one that is stronger is not kept, or does not hold at first.
    fails(&program, "(bvule x@2 #x0000000b)", (0, 0), ERROR);
    fails(&program, "(bvule x@2 #x00000009)", (0, 0), CLAIM);
    fails(&program, "(= x@2 #x0000000a)", (0, 0), CLAIM);
    fails(&program, "true", (0, 0), ERROR);
    fails(&program, "false", (0, 0), CLAIM);
}

#[test]
fn what_does_not_hold_before_the_loop_is_refuted() {
    let program = c(COUNT);
    let certified = claim(&program, "(bvule #x00000001 x@2)", (0, 0));
    assert!(matches!(certified, Certified::Refuted(_)), "{certified:?}");
    // It holds from the second round on.
    holds(&program, "(and (bvule #x00000001 x@2) (bvule x@2 #x0000000a))", (1, 0));
    fails(&program, "(and (bvule #x00000003 x@2) (bvule x@2 #x0000000a))", (2, 0), CLAIM);
}

/// Three variables pass a value on: that none is 5 needs three rounds, or an invariant about all.
const CHAIN: &str = "int main(void) {
  int a = 1, b = 2, c = 3;
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_assert(a != 5);
    int old = a;
    a = b;
    b = c;
    c = old;
  }
}";

#[test]
fn k_rounds_without_an_error_are_enough() {
    let program = c(CHAIN);
    holds(&program, "true", (0, 3));
    holds(&program, "true", (0, 4));
    for k in 0..3 {
        fails(&program, "true", (0, k), ERROR);
    }
    // With more known fewer rounds do.
    holds(&program, "(not (= c@2 #x00000005))", (0, 3));
    let all = "(and (not (= a@2 #x00000005)) (not (= b@2 #x00000005)) (not (= c@2 #x00000005)))";
    holds(&program, all, (0, 0));
}

#[test]
fn formulas_may_need_several_rounds_too() {
    let program = c("int main(void) {
  int a = 1, b = 2;
  while (__VERIFIER_nondet_int()) {
    int old = a;
    a = b;
    b = old;
  }
  __VERIFIER_assert(a != 5);
}");
    // Before each round only if it held before the last two.
    holds(&program, "(not (= a@2 #x00000005))", (0, 1));
    fails(&program, "(not (= a@2 #x00000005))", (0, 0), CLAIM);
    // The first rounds are followed: the claim has to hold before each of them.
    fails(&program, "(= a@2 #x00000001)", (0, 1), CLAIM);
}

#[test]
fn an_error_in_the_first_rounds_is_found() {
    for wrong in 0..4 {
        let program = c(&format!(
            "int main(void) {{
  unsigned i = 0;
  while (__VERIFIER_nondet_int()) {{ __VERIFIER_assert(i != {wrong}); if (i < 9) i++; }}
}}"
        ));
        for (from, k) in [(0, 0), (0, 1), (0, 5), (1, 3), (5, 0)] {
            let bound = "(bvule i@2 #x00000009)";
            assert_ne!(claim(&program, bound, (from, k)), Certified::Holds, "{wrong} {from} {k}");
        }
    }
}

#[test]
fn loops_may_be_followed_to_their_ends() {
    let program = c("int main(void) {
  unsigned s = 0;
  for (unsigned i = 0; i < 3; i++) for (unsigned j = 0; j < 4; j++) s++;
  __VERIFIER_assert(s == 12);
}");
    let most = |most: u32| {
        let mut draft = Draft::new(&program);
        draft.at_most(most);
        draft
    };
    most(4).holds();
    most(40).holds();
    most(3).refuted(CLAIM);
    // What does not end has no such proof.
    let program = c("int main(void) { while (1) { } __VERIFIER_assert(0); }");
    let mut draft = Draft::new(&program);
    draft.at_most(5);
    draft.certificate.rounds.as_mut().expect("rounds").most = 5;
    let certified = draft.check().certified;
    assert_eq!(certified, Certified::Holds, "the loop without an end has no error behind it");
    let program = c("int main(void) { int x = 0; while (1) __VERIFIER_assert(x == 0); }");
    let mut draft = Draft::new(&program);
    draft.at_most(5);
    draft.refuted(CLAIM);
}

#[test]
fn loops_in_loops_have_claims_of_their_own() {
    let program = c("int main(void) {
  unsigned i = 0, j = 0, s = 0;
  while (i < 1000) {
    j = 0;
    while (j < 1000) { j++; s = i; }
    i++;
  }
  __VERIFIER_assert(i == 1000 && s <= 999);
}");
    let outer = "(and (bvule i@2 #x000003e8) (bvule s@2 #x000003e7))";
    let inner = "(and (bvule j@2 #x000003e8) (bvule s@2 #x000003e7))";
    let with = |outer: &str, inner: &str, k: u32| {
        let mut draft = Draft::new(&program);
        draft.rounds(&["main"], ("main", 0), outer, (0, k));
        draft.rounds(&["main"], ("main", 1), inner, (0, k));
        draft
    };
    with(outer, inner, 0).holds();
    with(outer, inner, 1).holds();
    with(outer, "true", 0).fails(CLAIM);
    with("true", inner, 0).fails(CLAIM);
    // The claims at each other's places.
    with(inner, outer, 0).fails(CLAIM);
    // Without one of them.
    let mut draft = Draft::new(&program);
    draft.rounds(&["main"], ("main", 0), outer, (0, 0));
    draft.fails(CLAIM);
}

#[test]
fn claims_may_speak_of_what_was_before_the_loop() {
    let program = c("int main(void) {
  unsigned n = __VERIFIER_nondet_int(), x = n, y = 0;
  if (n > 1000) return 0;
  while (__VERIFIER_nondet_int()) { if (x < 2000) { x++; y++; } }
  __VERIFIER_assert(x == n + y);
}");
    holds(&program, "(= x@2 (bvadd x@2~ y@2))", (0, 0));
    fails(&program, "(= x@2 (bvadd y@2~ y@2))", (0, 0), CLAIM);
    // Entries do not speak of loops.
    let mut draft = Draft::new(&program);
    draft.rounds(&["main"], ("main", 0), "(= x@2 (bvadd x@2~ y@2))", (0, 0));
    let rounds = draft.certificate.rounds.take().expect("rounds");
    let [only] = &rounds.loops[..] else { panic!("one claim") };
    let (location, calls, formula) = (only.head, only.calls.clone(), only.formula);
    draft.certificate.entries.push(Entry { location, calls, formula, kept: Vec::new() });
    draft.refuted("a symbol that means nothing at its place");
}

const CALLS: &str = "int next(int n) { int i = 0; while (i < n) i++; return i; }
int main(void) {
  int a = next(3);
  int b = next(5);
  __VERIFIER_assert(a == 3 && b == 5);
}";

#[test]
fn claims_belong_to_calls() {
    let program = c(CALLS);
    let with = |first: &str, second: &str| {
        let mut draft = Draft::new(&program);
        draft.rounds(&["main", "next#0"], ("next", 0), first, (0, 0));
        draft.rounds(&["main", "next#1"], ("next", 0), second, (0, 0));
        draft
    };
    // What the caller knows is not said again.
    with("(bvsle i@3 #x00000003)", "(bvsle i@3 #x00000005)").holds();
    with("(bvsle i@3 n@3)", "(bvsle i@3 n@3)").holds();
    with("(bvsle i@3 #x00000005)", "(bvsle i@3 #x00000003)").fails("");
    let mut draft = Draft::new(&program);
    draft.rounds(&["main", "next#0"], ("next", 0), "(bvsle i@3 n@3)", (0, 0));
    draft.fails(CLAIM);
    // Twice at one place, and at no loop.
    let mut draft = Draft::new(&program);
    for _ in 0..2 {
        draft.rounds(&["main", "next#0"], ("next", 0), "(bvsle i@3 n@3)", (0, 0));
    }
    draft.refuted("two claims about the rounds of one loop");
    let mut draft = Draft::new(&program);
    draft.rounds(&["main", "next#0"], ("next", 0), "(bvsle i@3 n@3)", (0, 0));
    let rounds = draft.certificate.rounds.as_mut().expect("rounds");
    rounds.loops[0].head = program.cfa.functions[program.cfa.start.expect("a start")].entry;
    rounds.loops[0].calls.clear();
    assert!(matches!(draft.check().certified, Certified::Refuted(_)));
}

#[test]
fn variables_that_nobody_sets_differ_from_call_to_call() {
    // What the first activation left says nothing of the second.
    let program = c("int any(void) { int x; return x; }
int main(void) {
  int first = 0, now = 0, i = 0;
  while (i < 2) { now = any(); if (i == 0) first = now; i++; }
  __VERIFIER_assert(first == now);
}");
    let mut draft = Draft::new(&program);
    draft.at_most(2);
    draft.refuted(ERROR);
}

#[test]
fn memory_that_rounds_change_is_arbitrary_and_the_rest_is_kept() {
    let text = |checked: &str| {
        format!(
            "int kept[2] = {{1, 2}}; int changed[2] = {{3, 4}};
int main(void) {{
  int mine[2] = {{5, 6}}, i = 0;
  while (__VERIFIER_nondet_int()) {{ if (i < 9) i++; changed[1] = i; }}
  __VERIFIER_assert({checked});
}}"
        )
    };
    for right in ["kept[1] == 2", "mine[0] == 5 && mine[1] == 6"] {
        holds(&c(&text(right)), "true", (0, 0));
    }
    for wrong in ["changed[1] == 4", "kept[1] == 3", "changed[0] == 4", "mine[1] == 5"] {
        fails(&c(&text(wrong)), "true", (0, 0), ERROR);
    }
    // A pointer that goes through an object stays in it.
    let program = c("int other = 7;
int main(void) {
  int mine[4];
  int *p = mine;
  while (p < mine + 4) { *p = 1; p++; }
  __VERIFIER_assert(other == 7);
}");
    holds(&program, "true", (0, 0));
    let program = c("int other = 7;
int main(void) {
  int mine[4];
  int *p = mine;
  while (__VERIFIER_nondet_int()) { *p = 1; p = &other; }
  __VERIFIER_assert(other == 7);
}");
    fails(&program, "true", (0, 0), ERROR);
}

#[test]
fn entries_do_not_stand_beside_claims_about_rounds() {
    let program = c(COUNT);
    let mut draft = Draft::new(&program);
    draft.rounds(&["main"], ("main", 0), "(bvule x@2 #x0000000a)", (0, 0));
    draft.claim(&["main"], ("main", 0), "(bvule x@2 #x0000000a)");
    draft.refuted("entries beside claims about rounds");
}

#[test]
fn a_loop_with_two_ways_in_is_not_understood() {
    let program = c("int main(void) {
  int x = 0;
  if (__VERIFIER_nondet_int()) goto middle;
  for (;;) {
    x = 0;
middle:
    __VERIFIER_assert(x == 0);
  }
}");
    let mut draft = Draft::new(&program);
    draft.at_most(3);
    draft.open("entered in several ways");
}
