//! Claims about functions by hand: right ones hold, and each wrong one is found out.

#![allow(missing_docs)]

mod common;

use cfa::Program;
use common::{Draft, c};
use proviso_certify::Certified;

/// An even number stays even, however often the function calls itself.
const EVEN: &str = "int g;
int down(int n) {
  if (n <= 0) return 0;
  g = g + 2;
  return down(n - 2) + 2;
}
int main(void) {
  g = 0;
  int n = __VERIFIER_nondet_int();
  int r = down(n);
  __VERIFIER_assert(g % 2 == 0);
  __VERIFIER_assert(r % 2 == 0);
}";

const IS_EVEN: &str = "(= ((_ extract 0 0) g) #b0)";
const BOTH_EVEN: &str = "(and (= ((_ extract 0 0) g) #b0) (= ((_ extract 0 0) result@1) #b0))";

/// Claims of which every test needs some: about the start, which calls `main`, and about `__VERIFIER_assert`, whose
/// condition holds.
fn start(draft: &mut Draft<'_>) {
    let cfa = &draft.program.cfa;
    let name = cfa.functions[cfa.start.expect("a start")].name.clone();
    draft.function(&name, None, &[], &["true"]);
    draft.function("main", Some("true"), &[], &["true"]);
    draft.function("__VERIFIER_assert", Some("(not (= holds@1 #x00000000))"), &[], &["true"]);
}

#[test]
fn recursion_is_certified_by_what_is_claimed_of_the_function() {
    let program = c(EVEN);
    let mut draft = Draft::new(&program);
    start(&mut draft);
    draft.function("down", Some(IS_EVEN), &[], &[BOTH_EVEN]);
    let outcome = draft.holds();
    // Two for each function that is called, and one for the start.
    assert_eq!(outcome.invariants, 7);
}

#[test]
fn what_a_call_does_not_keep_to_is_refuted() {
    let program = c(EVEN);
    let with = |before: &str, after: &str| {
        let mut draft = Draft::new(&program);
        start(&mut draft);
        draft.function("down", Some(before), &[], &[after]);
        // So that this claim is checked before those that rely on it.
        let claims = &mut draft.certificate.functions;
        claims[1..].rotate_right(1);
        draft
    };
    // The start has another state.
    let odd = "(= ((_ extract 0 0) g) #b1)";
    with(odd, odd).refuted("any claim about down at the call");
    // The function returns otherwise.
    with(IS_EVEN, "(= g #x00000000)").refuted("no claim about down holds at its return");
    with("true", BOTH_EVEN).refuted("no claim about down holds at its return");
    with(IS_EVEN, "false").refuted("no claim about down holds at its return");
    // Nothing is said of what the caller needs.
    with(IS_EVEN, IS_EVEN).refuted("any claim about __VERIFIER_assert");
    with("true", "true").refuted("any claim about __VERIFIER_assert");
}

#[test]
fn what_is_called_needs_a_claim() {
    let program = c(EVEN);
    let mut draft = Draft::new(&program);
    start(&mut draft);
    draft.refuted("any claim about down");
    let mut draft = Draft::new(&program);
    draft.function("down", Some(IS_EVEN), &[], &[BOTH_EVEN]);
    draft.refuted("no claim about the start");
    // No call may rely on a claim that does not say where the function begins.
    let mut draft = Draft::new(&program);
    start(&mut draft);
    draft.function("down", None, &[], &[BOTH_EVEN]);
    draft.refuted("any claim about down");
}

#[test]
fn several_claims_about_one_function_are_told_apart_by_their_beginnings() {
    let program = c("int next(int n) { int i = 0; while (i < n) i++; return i; }
        int main(void) {
          int n = __VERIFIER_nondet_int() ? 3 : 5;
          __VERIFIER_assert(next(n) >= 3);
        }");
    let draft = |of_five: &str| {
        let mut draft = Draft::new(&program);
        start(&mut draft);
        for (number, after) in [("3", "3"), ("5", of_five)] {
            let before = format!("(= n@1 #x0000000{number})");
            let within = format!("(and {before} (bvsle i@1 n@1))");
            let after = format!("(= result@1 #x0000000{after})");
            draft.function("next", Some(&before), &[(0, &within)], &[&after]);
        }
        draft
    };
    draft("5").holds();
    draft("4").refuted("no claim about next holds at its return");
}

#[test]
fn of_claims_that_hold_at_one_call_that_which_says_more_is_relied_on() {
    let program = c("unsigned square(unsigned x) { return x * x; }
        int main(void) {
          unsigned n = __VERIFIER_nondet_int();
          square(n);
          __VERIFIER_assert(square(3) == 9);
          __VERIFIER_assert(n != 3 || square(n) == 9);
        }");
    let of_three = ("(= x@1 #x00000003)", "(= result@1 #x00000009)");
    for claims in [[("true", "true"), of_three], [of_three, ("true", "true")]] {
        let mut draft = Draft::new(&program);
        start(&mut draft);
        for (before, after) in claims {
            draft.function("square", Some(before), &[], &[after]);
        }
        draft.holds();
    }
}

#[test]
fn one_of_several_exits_is_taken() {
    let program = c("int sign(int n) { return n < 0 ? -1 : 1; }
        int main(void) { __VERIFIER_assert(sign(__VERIFIER_nondet_int()) != 0); }");
    let exits = ["(= result@1 #x00000001)", "(= result@1 #xffffffff)"];
    let draft = |exits: &[&str]| {
        let mut draft = Draft::new(&program);
        start(&mut draft);
        draft.function("sign", Some("true"), &[], exits);
        draft
    };
    draft(&exits).holds();
    draft(&exits[..1]).refuted("no claim about sign holds at its return");
    draft(&[]).refuted("no claim about sign holds at its return");
    draft(&["true", exits[0]]).refuted("any claim about __VERIFIER_assert");
}

#[test]
fn a_parameter_that_nothing_assigns_says_what_the_argument_is() {
    let program = |body: &str| {
        c(&format!(
            "void only(int p) {{ {body} }}
             int main(void) {{ int x = __VERIFIER_nondet_int(); only(x); __VERIFIER_assert(x == 3); }}"
        ))
    };
    fn draft(program: &Program) -> Draft<'_> {
        let mut draft = Draft::new(program);
        start(&mut draft);
        draft.function("only", Some("true"), &[(0, "true")], &["(= p@1 #x00000003)"]);
        draft
    }
    draft(&program("while (p != 3) ;")).holds();
    draft(&program("while (p != 3) p = 3;")).refuted("any claim about __VERIFIER_assert");
}

#[test]
fn variables_that_nobody_has_set_are_others_in_each_activation() {
    let program = c("int any(void) { int x; return x; }
        int main(void) { int a = any(); int b = any(); __VERIFIER_assert(a == b); }");
    let draft = |before: &str, after: &str| {
        let mut draft = Draft::new(&program);
        start(&mut draft);
        draft.function("any", Some(before), &[], &[after]);
        draft
    };
    draft("true", "true").refuted("any claim about __VERIFIER_assert");
    draft("true", "(= x@1 result@1)").refuted("any claim about __VERIFIER_assert");
    draft("(= x@1 #x00000000)", "(= result@1 #x00000000)").refuted("any claim about any");
}

#[test]
fn memory_is_what_claims_say_of_it() {
    let program = c("int a[2];
        void set(int to) { int *p = a; p[1] = to; }
        int main(void) { int *p = a; p[0] = 1; set(7); __VERIFIER_assert(p[0] == 1 && p[1] == 7); }");
    let draft = |before: &str, after: &str| {
        let mut draft = Draft::new(&program);
        start(&mut draft);
        draft.function("set", Some(before), &[], &[after]);
        draft
    };
    let (first, second) = ("(= |a[0:4]| #x00000001)", "(= |a[4:4]| to@1)");
    draft(first, &format!("(and {first} {second})")).holds();
    // The function may change the array: nothing holds of it but what is claimed.
    draft(first, second).refuted("any claim about __VERIFIER_assert");
    draft("true", &format!("(and {first} {second})")).refuted("no claim about set");
}

#[test]
fn what_only_reads_changes_no_memory() {
    let program = c("int a[2];
        int get(int at) { int *p = a; return p[at]; }
        int main(void) { int *p = a; p[0] = 1; get(1); __VERIFIER_assert(p[0] == 1); }");
    let mut draft = Draft::new(&program);
    start(&mut draft);
    draft.function("get", Some("true"), &[], &["true"]);
    draft.holds();
}

#[test]
fn an_object_that_a_function_may_have_ended_is_not_apart_from_later_ones() {
    let program = |body: &str| {
        c(&format!(
            "void *malloc(unsigned long); void free(void *);
             void end(void *p) {{ {body} }}
             int main(void) {{
               void *p = malloc(4);
               end(p);
               void *q = malloc(4);
               __VERIFIER_assert(!p || !q || p != q);
             }}"
        ))
    };
    let certified = |body: &str| {
        let program = program(body);
        let mut draft = Draft::new(&program);
        start(&mut draft);
        draft.function("end", Some("true"), &[], &["true"]);
        draft.check().certified
    };
    assert_eq!(certified(""), Certified::Holds);
    assert!(matches!(certified("free(p);"), Certified::Open(_)));
}

#[test]
fn malformed_claims_are_refuted() {
    let program = c(EVEN);
    let draft = || {
        let mut draft = Draft::new(&program);
        start(&mut draft);
        draft.function("down", Some(IS_EVEN), &[], &[BOTH_EVEN]);
        draft
    };
    let mut with_entries = draft();
    let entry = with_entries.certificate.functions[3].after[0].clone();
    with_entries.certificate.entries.push(entry);
    with_entries.refuted("entries beside claims about functions");
    let mut elsewhere = draft();
    elsewhere.certificate.functions[3].after[0].location =
        program.cfa.functions[program.cfa.start.expect("a start")].exit;
    elsewhere.refuted("calls that do not lead to the location");
    let mut early = draft();
    let before = early.certificate.functions[3].before.clone();
    early.certificate.functions[3].after.extend(before);
    early.refuted("made elsewhere");
}

#[test]
fn claims_that_hold_at_once_are_relied_on_together() {
    let program = c("int x; int y;
        void twice(void) { x = -x; x = -x; y = -y; y = -y; }
        int main(void) {
          x = 3; y = 7; twice();
          __VERIFIER_assert(x == 3 && y == 7);
        }");
    let draft = |x: &str, y: &str| {
        let mut draft = Draft::new(&program);
        start(&mut draft);
        draft.function("twice", Some("(= x #x00000003)"), &[], &[x]);
        draft.function("twice", Some("(= y #x00000007)"), &[], &[y]);
        draft
    };
    draft("(= x #x00000003)", "(= y #x00000007)").holds();
    draft("true", "(= y #x00000007)").open("any claim about __VERIFIER_assert");
    draft("(= x #x00000003)", "true").open("any claim about __VERIFIER_assert");
    draft("(= x #x00000004)", "(= y #x00000007)").fails("does not hold");
    draft("(= x #x00000003)", "false").fails("no claim about twice holds at its return");
}
