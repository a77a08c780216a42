//! What intervals know of small programs.

#![allow(missing_docs)]

mod common;

use common::{c, certified, interval};
use cpa::Ended;

/// The lines of the loop heads of a program, and whether it is safe.
fn heads(text: &str) -> (Vec<Vec<String>>, bool) {
    let program = c(text);
    let done = interval::run(&program);
    let safe = matches!(done.ended, Ended::Safe);
    if safe {
        let checked = certified(&program, done.certificate(&program));
        assert_eq!(checked, certify::Certified::Holds, "{text}");
    }
    let loops = cfa::Loops::of(&program.cfa);
    let heads = loops.loops.iter().flat_map(|each| done.known(&program, each.head)).collect();
    (heads, safe)
}

#[test]
fn a_counter_stops_at_its_bound() {
    let text = "void reach_error(void); extern int in(void);
                int main(void) { int i = 0; while (in() && i < 100) i += 3;
                                 if (i < 0 || i > 102) reach_error(); return 0; }";
    assert_eq!(heads(text), (vec![vec!["0 <= main::i <= 102".to_owned()]], true));
}

#[test]
fn a_decaying_float_stays_within_its_bound() {
    let text = "void reach_error(void); extern double in(void); extern int more(void);
                int main(void) { double x = 0;
                  while (more()) { double y = in(); if (!(y >= -1.0 && y <= 1.0)) return 0;
                                   x = 0.5 * x + y; if (x > 8.0) x = 8.0; }
                  if (x > 8.0) reach_error(); return 0; }";
    assert!(heads(text).1);
}

#[test]
fn numbers_that_wrap_around_are_not_bounded() {
    let text = "void reach_error(void); extern int in(void);
                int main(void) { unsigned char i = 250; while (in()) i++;
                                 if (i < 250) reach_error(); return 0; }";
    assert!(!heads(text).1);
}

#[test]
fn calls_have_states_of_their_own() {
    let text = "void reach_error(void); extern int in(void);
                static int clamp(int x, int low, int high) {
                  if (x < low) return low; if (x > high) return high; return x; }
                int main(void) { int a = clamp(in(), 0, 9), b = clamp(in(), 20, 29);
                                 while (in()) a = clamp(a + b, 0, 9);
                                 if (a > 9 || b < 20) reach_error(); return 0; }";
    assert_eq!(
        heads(text),
        (vec![vec!["0 <= main::a <= 9".to_owned(), "20 <= main::b <= 29".to_owned()]], true)
    );
}

#[test]
fn nan_is_no_number() {
    let text = "void reach_error(void); extern float in(void);
                int main(void) { float x = in(); if (x < 0.0f || x > 1.0f) return 0;
                                 if (x <= 1.0f) return 0; reach_error(); }";
    assert!(!heads(text).1, "NaN is in no order, and gets past all conditions");
    let text = text.replace("if (x < 0.0f", "if (x != x || x < 0.0f");
    let program = c(&text);
    assert!(matches!(interval::run(&program).ended, Ended::Safe));
}
