//! What going on from an automaton costs, in abstract states.

#![allow(missing_docs)]

mod common;

use cfa::Program;
use common::{automaton, read, solver, with_nodes};
use partial::{Analysed, Continued, go_on, spc};
use proviso_partial as partial;
use run::{Budget, Verdict};
use verify::{Analysis, Config};

fn predicates() -> Config {
    Config { analysis: Analysis::Predicate, ..Config::default() }
}

/// What another analysis makes of what is left.
fn continued(program: &Program, before: &spc::Spc) -> Continued {
    go_on(program, before, &predicates(), &solver)
}

/// The abstract states of a run that has proved the program.
fn states(outcome: &verify::Outcome) -> usize {
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
    outcome.graph.as_ref().map_or(0, |graph| graph.live().count())
}

/// The automaton of a run with explicit values that ends after so many states.
fn stopped(program: &Program, nodes: u64) -> spc::Spc {
    let outcome = with_nodes(program, Analysis::ValueItp, nodes);
    let analysed = Analysed::of(program, &outcome);
    let mut whole = analysed.automaton();
    let written = spc::write(program, &mut *whole, 5_000, &Budget::default());
    automaton(program, &written.text)
}

/// A branch with a loop that values do not prove, and one that they do.
const TWO: &str = "
extern int in(void);
extern void reach_error(void);
int main(void) {
  int p = in();
  int n = in();
  if (n < 0) n = 0;
  if (p) {
    int k = 0;
    while (k < n) { k++; }
    if (k != n) reach_error();
  } else {
    int flag = 1;
    if (n > 7) flag = 2;
    if (flag == 3) reach_error();
  }
  return 0;
}
";

/// Wherever values were stopped, going on has no more states than starting again.
#[test]
fn going_on_costs_no_more_than_starting_again() {
    let program = read(TWO);
    let plain = states(&verify::verify(&program, &predicates(), &solver));
    let counts: Vec<usize> = [1, 4, 8, 12, 16, 24, 40, 60]
        .into_iter()
        .map(|nodes| states(&continued(&program, &stopped(&program, nodes)).outcome))
        .collect();
    assert_eq!((plain, counts), (21, vec![21, 21, 21, 18, 18, 17, 20, 20]));
}

/// Two states that differ in their names only, and states from which nothing is proved.
const SAME: &str = "
extern int in(void);
extern void reach_error(void);
int main(void) {
  int x = in();
  int y = 0;
  if (x > 5) y = 1; else y = 2;
  if (x > 9) { if (y == 2) reach_error(); } else { while (in()) { if (y == 3) reach_error(); } }
  return 0;
}
";

/// The automaton of [`SAME`] with states for the lines up to 7, and what follows each way of line 7.
fn same(yes: &str, no: &str, more: &str) -> String {
    format!(
        "OBSERVER AUTOMATON A\nINITIAL STATE S;\n\
         STATE __TRUE :\n  TRUE -> GOTO __TRUE;\nSTATE __FALSE :\n  TRUE -> GOTO __FALSE;\n\
         STATE USEFIRST S :\n  MATCH \"[x > 5]\" -> GOTO {yes};\n  MATCH \"[!(x > 5)]\" -> GOTO {no};\n  \
         TRUE -> GOTO S;\n{more}END AUTOMATON\n"
    )
}

/// A state that proves what follows one way of line 8.
fn proves(name: &str) -> String {
    format!(
        "STATE USEFIRST {name} :\n  MATCH \"[x > 9]\" -> GOTO __TRUE;\n  \
         MATCH \"[!(x > 9)]\" -> GOTO __FALSE;\n  TRUE -> GOTO {name};\n"
    )
}

/// A state that proves nothing.
fn proves_nothing(name: &str) -> String {
    proves(name).replace("__TRUE", "__FALSE")
}

#[test]
fn states_with_one_future_are_one() {
    let program = read(SAME);
    let locations = |text: &str| {
        let made = continued(&program, &automaton(&program, text)).outcome.rewritten;
        made.map_or(0, |made| made.program.cfa.locations.len())
    };
    let two = same("A", "B", &(proves("A") + &proves("B")));
    let one = same("A", "A", &proves("A"));
    let different = same("A", "B", &(proves("A") + &proves_nothing("B")));
    assert_eq!([&two, &one, &different].map(|text| locations(text)), [14, 14, 17]);
}

#[test]
fn an_automaton_that_proves_nothing_is_left_out() {
    let program = read(SAME);
    let text = same("A", "B", &(proves_nothing("A") + &proves_nothing("B")));
    let rest = continued(&program, &automaton(&program, &text)).outcome;
    let plain = verify::verify(&program, &predicates(), &solver);
    assert_eq!(states(&rest), states(&plain));
    assert!(rest.rewritten.is_none(), "the program itself is verified");
}

/// Nothing can be saved where no error follows.
#[test]
fn what_is_proved_where_no_error_follows_does_not_matter() {
    let text = "
extern int in(void);
extern void reach_error(void);
int main(void) {
  int x = in();
  if (x == 3) reach_error();
  if (x > 5) return 1;
  return 0;
}
";
    let program = read(text);
    let text = "OBSERVER AUTOMATON A\nINITIAL STATE S;\n\
         STATE __TRUE :\n  TRUE -> GOTO __TRUE;\nSTATE __FALSE :\n  TRUE -> GOTO __FALSE;\n\
         STATE USEFIRST S :\n  MATCH \"[x > 5]\" -> GOTO __TRUE;\n  \
         MATCH \"[x == 3]\" -> GOTO __FALSE;\n  TRUE -> GOTO S;\nEND AUTOMATON\n";
    let rest = continued(&program, &automaton(&program, text)).outcome;
    assert!(matches!(rest.verdict, Verdict::Unsafe(_)), "{:?}", rest.verdict);
    assert!(rest.rewritten.is_none(), "the program itself is verified");
}

/// Values that have followed many rounds prove a little in each of them: that the loop can be left there.
/// To follow the rounds once more would cost more than the loop does.
#[test]
fn rounds_are_not_followed_again() {
    let program = read(
        "
extern int in(void);
extern void reach_error(void);
int main(void) {
  unsigned i = 0, s = 0;
  while (in()) {
    i = i + 1;
    if (in()) s = 2;
    if (i > 5 && s == 3) reach_error();
  }
  if (i > 5 && s == 1) reach_error();
  return 0;
}
",
    );
    let plain = states(&verify::verify(&program, &predicates(), &solver));
    let counts = [20, 50, 100, 200].map(|nodes| {
        let outcome = with_nodes(&program, Analysis::Value, nodes);
        let mut whole = Analysed::of(&program, &outcome).automaton();
        let written = spc::write(&program, &mut *whole, 5_000, &Budget::default());
        let before = automaton(&program, &written.text);
        (before.states.len(), states(&continued(&program, &before).outcome))
    });
    assert_eq!((plain, counts), (42, [(57, 42), (57, 42), (112, 42), (167, 42)]));
}

/// Where neither the rest nor the program is answered, what was analysed of either counts.
#[test]
fn what_was_analysed_of_the_program_itself_is_kept() {
    let program = read(
        "extern void reach_error(void);\nint main(void) {\n  unsigned x = 0, y = 0, z = 0;\n  while (x < 0x0fffffff) \
         {\n    y = 0;\n    while (y < 0x0fffffff) {\n      z = 0;\n      while (z < 0x0fffffff) z++;\n      if (!(z % \
         4)) reach_error();\n      y++;\n    }\n    if (!(y % 2)) reach_error();\n    x++;\n  }\n  if (!(x % 2)) \
         reach_error();\n  return 0;\n}\n",
    );
    let before = stopped(&program, 60);
    let forward = verify::Forward { nodes: Some(200), ..verify::Forward::default() };
    let config = Config { analysis: Analysis::ValueItp, forward, ..Config::default() };
    let went = go_on(&program, &before, &config, &solver);
    assert!(matches!(went.outcome.verdict, Verdict::Unknown(_)), "{:?}", went.outcome.verdict);
    let plain = went.plain.expect("the program itself was tried");
    assert_eq!(went.outcome.stages.len(), 2);
    let analysed = Analysed { before: Some(&before), ..Analysed::of(&program, &went.outcome) };
    let besides = Analysed::of(&program, &plain);
    let both = Analysed { besides: Some(&besides), ..analysed };
    assert_eq!(both.each().len(), analysed.each().len() + besides.each().len());
    let written = |analysed: &Analysed<'_>| {
        spc::write(&program, &mut *analysed.automaton(), 5_000, &Budget::default()).states
    };
    let nothing = Analysed::nothing(&program);
    let only = Analysed { besides: Some(&besides), ..nothing };
    assert_eq!(written(&only), written(&besides));
    assert!(written(&only) > written(&nothing), "the program itself was explored");
}
