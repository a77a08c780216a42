//! Certificates by hand: right ones hold, and each wrong one is found out.

#![allow(missing_docs)]

mod common;

use common::{Draft, c};
use proviso_certify::{Certified, Checked, Entry, Kept, Slot};
use run::Budget;

const COUNT: &str = "int main(void) {
  unsigned x = 0;
  while (x < 10) x++;
  __VERIFIER_assert(x == 10);
}";

#[test]
fn an_inductive_invariant_is_certified() {
    let program = c(COUNT);
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "(bvule x@2 #x0000000a)");
    let outcome = draft.holds();
    // The start, a round, the error.
    assert_eq!((outcome.invariants, outcome.obligations), (1, 3));
}

#[test]
fn a_check_that_is_stopped_says_nothing_of_the_proof() {
    let program = c(COUNT);
    for formula in ["(bvule x@2 #x0000000a)", "(bvule x@2 #x00000005)"] {
        let mut draft = Draft::new(&program);
        draft.claim(&["main"], ("main", 0), formula);
        let limits = Budget::default();
        limits.cancel();
        let certified = draft.check_within(&limits).certified;
        assert_eq!(certified, Certified::Open("interrupted".to_owned()), "{formula}");
    }
}

#[test]
fn several_entries_at_a_place_are_a_disjunction() {
    let program = c(COUNT);
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "(bvult x@2 #x00000005)");
    draft.claim(&["main"], ("main", 0), "(and (bvule #x00000005 x@2) (bvule x@2 #x0000000a))");
    draft.holds();
    // One value for each state, as explicit values would have it.
    let mut draft = Draft::new(&program);
    for value in 0..=10 {
        draft.claim(&["main"], ("main", 0), &format!("(= x@2 #x{value:08x})"));
    }
    assert_eq!(draft.holds().queries, 0);
    let mut draft = Draft::new(&program);
    for value in (0..=10).filter(|value| *value != 7) {
        draft.claim(&["main"], ("main", 0), &format!("(= x@2 #x{value:08x})"));
    }
    draft.refuted("the entries at");
}

#[test]
fn what_does_not_hold_at_the_start_is_refuted() {
    let program = c(COUNT);
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "(= x@2 #x0000000a)");
    draft.refuted("do not hold");
}

#[test]
fn what_a_round_does_not_keep_is_refuted() {
    let program = c(COUNT);
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "(bvule x@2 #x00000009)");
    draft.refuted("do not hold");
}

#[test]
fn what_allows_an_error_is_refuted() {
    let program = c(COUNT);
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "true");
    draft.refuted("the error location");
}

#[test]
fn a_place_without_an_entry_must_not_be_reached() {
    let program = c(COUNT);
    Draft::new(&program).refuted("no entry at");
    // A loop that nobody enters needs none.
    let program = c("int main(void) { int x = 1; if (x == 2) for (;;) if (x) reach_error(); }");
    Draft::new(&program).holds();
}

#[test]
fn something_not_modelled_must_not_be_reached() {
    let text = |value: u32| {
        format!("int main(void) {{ int x = {value}; if (x) __asm__(\"nop\" : \"=r\"(x)); }}")
    };
    Draft::new(&c(&text(0))).holds();
    Draft::new(&c(&text(1))).refuted("is not excluded");
}

#[test]
fn an_entry_at_an_error_is_refuted() {
    let program = c("int main(void) { reach_error(); }");
    let mut draft = Draft::new(&program);
    let location = program.cfa.errors().next().expect("an error");
    let formula = draft.certificate.terms.bool(true);
    let calls = draft.calls(&["main"]);
    draft.certificate.entries.push(Entry { location, calls, formula, kept: Vec::new() });
    assert!(matches!(draft.check().certified, Certified::Refuted(_)));
}

const CALLS: &str = "int next(int n) { int i = 0; while (i < n) i++; return i; }
int main(void) {
  int a = next(3);
  int b = next(5);
  __VERIFIER_assert(a == 3 && b == 5);
}";

#[test]
fn calls_are_told_apart() {
    let program = c(CALLS);
    let right = |draft: &mut Draft<'_>| {
        let first = "(and (= n@3 #x00000003) (bvsle #x00000000 i@3) (bvsle i@3 n@3))";
        draft.claim(&["main", "next#0"], ("next", 0), first);
    };
    let mut draft = Draft::new(&program);
    right(&mut draft);
    let second =
        "(and (= a@2 #x00000003) (= n@3 #x00000005) (bvsle #x00000000 i@3) (bvsle i@3 n@3))";
    draft.claim(&["main", "next#1"], ("next", 0), second);
    draft.holds();

    // The second call is not mentioned.
    let mut draft = Draft::new(&program);
    right(&mut draft);
    draft.refuted("no entry at");

    // What the first call gave is forgotten in the second.
    let mut draft = Draft::new(&program);
    right(&mut draft);
    let second = "(and (= n@3 #x00000005) (bvsle #x00000000 i@3) (bvsle i@3 n@3))";
    draft.claim(&["main", "next#1"], ("next", 0), second);
    draft.refuted("the error location");

    // The caller's variable has another value.
    let mut draft = Draft::new(&program);
    right(&mut draft);
    let second =
        "(and (= a@2 #x00000004) (= n@3 #x00000005) (bvsle #x00000000 i@3) (bvsle i@3 n@3))";
    draft.claim(&["main", "next#1"], ("next", 0), second);
    draft.refuted("do not hold");
}

const RECURSION: &str = "int down(int n) { int m = n; if (n > 0) m = m + down(n - 1); return m; }
int main(void) {
  int s = 0;
  while (__VERIFIER_nondet_int()) s = down(3);
  __VERIFIER_assert(s == 0 || s == 6);
}";

#[test]
fn each_activation_has_its_own_variables() {
    let program = c(RECURSION);
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "(or (= s@2 #x00000000) (= s@2 #x00000006))");
    draft.holds();
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "(= s@2 #x00000000)");
    draft.refuted("do not hold");
}

#[test]
fn a_recursion_without_end_is_given_up() {
    let program = c("int down(int n) { return n ? down(n + 1) : 0; }
int main(void) { int x = down(__VERIFIER_nondet_int()); __VERIFIER_assert(x == 0); }");
    Draft::new(&program).open("activations");
}

#[test]
fn an_entry_inside_a_recursion_sees_all_activations() {
    let program = c("int sum(int n) {
  int i = 0;
  while (i < n) i++;
  if (n > 0) i += sum(n - 1);
  return i;
}
int main(void) { int s = sum(2); __VERIFIER_assert(s == 3); }");
    let bound = |n: u32, depth: u32| {
        format!("(= n@{depth} #x{n:08x}) (bvsle #x00000000 i@{depth}) (bvsle i@{depth} n@{depth})")
    };
    let claims = |draft: &mut Draft<'_>, outer: &str| {
        draft.claim(&["main", "sum"], ("sum", 0), &format!("(and {})", bound(2, 3)));
        let second = format!("(and (= i@3 #x00000002) {})", bound(1, 4));
        draft.claim(&["main", "sum", "sum"], ("sum", 0), &second);
        let third = format!("(and (= i@3 {outer}) (= i@4 #x00000001) {})", bound(0, 5));
        draft.claim(&["main", "sum", "sum", "sum"], ("sum", 0), &third);
    };
    let mut draft = Draft::new(&program);
    claims(&mut draft, "#x00000002");
    draft.holds();
    let mut draft = Draft::new(&program);
    claims(&mut draft, "#x00000001");
    assert!(matches!(draft.check().certified, Certified::Refuted(_)));
}

#[test]
fn edges_that_do_not_exclude_each_other_are_both_taken() {
    // A switch over a value that nobody knows, and ways that meet again.
    let program = c("int main(void) {
  int x = 0, k = __VERIFIER_nondet_int();
  switch (k) { case 1: x = 1; break; case 2: x = 2; break; default: x = 3; }
  __VERIFIER_assert(x >= 1 && x <= 3);
}");
    Draft::new(&program).holds();
    let program = c("int main(void) {
  int x = 0, k = __VERIFIER_nondet_int();
  switch (k) { case 1: x = 1; break; case 2: x = 2; break; default: x = 3; }
  __VERIFIER_assert(x != 2);
}");
    Draft::new(&program).refuted("the error location");
}

#[test]
fn ways_that_nobody_can_go_stay_closed_where_they_meet() {
    // Both ways to the error contradict themselves, each in its own way.
    let program = c("int main(void) {
  int p = __VERIFIER_nondet_int(), q = __VERIFIER_nondet_int(), a = 0, b = 0;
  while (__VERIFIER_nondet_int()) {
    a = 0;
    b = 0;
    if (p) a = 1;
    if (q) b = 1;
    if (p && a != 1) goto error;
    if (q && b != 1) goto error;
  }
  return 0;
error:
  reach_error();
}");
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "true");
    draft.holds();
}

#[test]
fn a_certificate_that_speaks_of_nothing_is_refuted() {
    let program = c(CALLS);
    // A local of an activation that is not there.
    let mut draft = Draft::new(&program);
    let n = program.cfa.variables.entries().map(|(var, _)| var);
    let n = n.into_iter().find(|var| program.terms.var_name(*var) == "next::n").expect("n");
    let term = draft.certificate.slot(Slot::Local { depth: 4, var: n });
    let zero = draft.certificate.terms.bv(32, 0);
    let formula = draft.certificate.terms.eq(term, zero);
    let (location, calls) = (draft.head("next", 0), draft.calls(&["main", "next"]));
    let entry = Entry { location, calls, formula, kept: Vec::new() };
    draft.certificate.entries.push(entry.clone());
    draft.refuted("malformed");
    // Calls that do not lead there.
    let mut draft = Draft::new(&program);
    let formula = draft.certificate.terms.bool(true);
    let calls = draft.calls(&["main"]);
    draft.certificate.entries.push(Entry { calls, formula, ..entry });
    draft.refuted("malformed");
}

const CELLS: &str = "int a[4] = {1, 2, 3, 4};
int main(void) {
  int i = 0;
  a[2] = 7;
  while (i < 5) { i++; a[0] = i; }
  __VERIFIER_assert(a[1] == 2 && a[2] == 7 && i == a[0]);
}";

#[test]
fn memory_is_followed_where_addresses_are_known() {
    let program = c(CELLS);
    let object = program.cfa.objects.entries().find(|(_, each)| &*each.name == "a").expect("a").0;
    let round = "(bvsle #x00000000 i@2) (bvsle i@2 #x00000005)
        (or (= i@2 #x00000000) (= |a[0:4]| i@2)) (= |a[8:4]| #x00000007)";
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), &format!("(and {round} (= |a[4:4]| #x00000002))"));
    draft.holds();
    // The same with what has not changed instead of a value.
    let mut draft = Draft::new(&program);
    let kept = Kept { object, except: vec![(0, 4), (8, 12)] };
    draft.claim_with(&["main"], ("main", 0), &format!("(and {round})"), vec![kept]);
    draft.holds();
    // The exceptions leave out what changes.
    let mut draft = Draft::new(&program);
    let kept = Kept { object, except: vec![(8, 12)] };
    draft.claim_with(&["main"], ("main", 0), &format!("(and {round})"), vec![kept]);
    draft.refuted("do not hold");
    // Nothing is said of one element.
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), &format!("(and {round})"));
    draft.refuted("the error location");
    // A wrong value.
    let mut draft = Draft::new(&program);
    let wrong = round.replace("#x00000007", "#x00000008");
    draft.claim(&["main"], ("main", 0), &format!("(and {wrong} (= |a[4:4]| #x00000002))"));
    draft.refuted("do not hold");
}

#[test]
fn a_write_through_an_unknown_pointer_may_change_everything() {
    let program = c("int a = 1; int b = 2;
int main(void) {
  int *p = __VERIFIER_nondet_int() ? &a : &b;
  for (int i = 0; i < 3; i++) *p = 5;
  __VERIFIER_assert(a == 1 || b == 2);
}");
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "(and (= |a[0:4]| #x00000001) (= |b[0:4]| #x00000002))");
    draft.open("pointer");
}

#[test]
fn objects_of_the_run_are_followed_within_a_walk() {
    let program = c("int main(void) {
  int a[3] = {1, 2, 3};
  int *p = a + 1;
  *p = 9;
  __VERIFIER_assert(a[0] == 1 && a[1] == 9 && a[2] == 3);
}");
    Draft::new(&program).holds();
    let program = c("int main(void) {
  int a[3] = {1, 2, 3};
  int *p = a + 1;
  *p = 9;
  __VERIFIER_assert(a[1] == 2);
}");
    Draft::new(&program).open("is not excluded");
}

#[test]
fn two_values_do_not_share_a_symbol() {
    let program = c("int main(void) {
  unsigned x = 0; unsigned y = 1;
  while (__VERIFIER_nondet_int()) { x = 0; y = 1; }
  __VERIFIER_assert(x == y);
}");
    let mut draft = Draft::new(&program);
    draft.claim(&["main"], ("main", 0), "true");
    let named = |name: &str| {
        let mut all = program.cfa.variables.entries();
        all.find(|(_, known)| known.source_name.as_deref() == Some(name)).expect("a variable").0
    };
    let (x, y) = (named("x"), named("y"));
    let terms = &mut draft.certificate.terms;
    let symbol = terms.declare("s", terms.var_sort(x));
    for depth in 1..=2 {
        for var in [x, y] {
            draft.certificate.symbols.insert(Slot::Local { depth, var }, symbol);
        }
    }
    draft.refuted("two values have one symbol");
}

#[test]
fn the_terms_of_another_program_are_not_believed() {
    let text = |value: u32| {
        format!(
            "int main(void) {{
  unsigned x = {value};
  while (__VERIFIER_nondet_int()) {{ }}
  __VERIFIER_assert(x == 2);
}}"
        )
    };
    let (wrong, right) = (c(&text(1)), c(&text(2)));
    let mut draft = Draft::new(&right);
    draft.claim(&["main"], ("main", 0), "(= x@2 #x00000002)");
    draft.program = &wrong;
    draft.refuted("its terms are not those of the program");
}

#[test]
fn no_proof_rests_on_an_access_outside_of_every_object() {
    let program = c("int main(void) { int *p = 0; *p = 1; reach_error(); }");
    let outcome = Draft::new(&program).check();
    let Certified::Open(why) = outcome.certified else { panic!("{:?}", outcome.certified) };
    assert!(why.contains("an access outside of every object"), "{why}");
}

#[test]
fn checks_of_several_parts_hold_together() {
    let nothing = Checked::open(String::new());
    let of = |certified| Checked { certified, obligations: 1, ..nothing.clone() };
    let (open, wrong) = (Certified::Open("?".to_owned()), Certified::Refuted("!".to_owned()));
    for (a, b, both) in [
        (Certified::Holds, Certified::Holds, Certified::Holds),
        (Certified::Holds, open.clone(), open.clone()),
        (open.clone(), Certified::Holds, open.clone()),
        (open.clone(), wrong.clone(), wrong.clone()),
        (wrong.clone(), Certified::Holds, wrong.clone()),
    ] {
        let whole = of(a).and(of(b));
        assert_eq!((whole.certified, whole.obligations), (both, 2));
    }
}
