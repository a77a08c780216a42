//! Files of automata: what is wrong is said with its place, and nothing that is read ends in a panic.

#![allow(missing_docs)]

mod common;

use base::{Random, SourceMap};
use proviso_partial::spc::{Foreign, read, write, write_again};
use proviso_partial::{Analysed, Automaton, StateId};
use run::{Budget, Step};
use verify::Analysis;

const RIGHT: &str = include_str!("examples/branches.spc");

fn parse(text: &[u8]) -> Result<proviso_partial::spc::Spc, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("a.spc", text).expect("a short file");
    read(&cfa::Program::default(), &sources, file).map_err(|diagnostics| {
        let messages = diagnostics.iter().map(|one| one.render(&sources));
        messages.collect::<Vec<_>>().join("\n")
    })
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (wrong, message) in [
        ("", "a.spc:1:1"),
        ("OBSERVER AUTOMATON A INITIAL STATE X; END AUTOMATON", "there is no state `X`"),
        ("OBSERVER AUTOMATON A INITIAL STATE X; STATE X : TRUE -> STOP; END AUTOMATON", "`GOTO`"),
        ("OBSERVER AUTOMATON A INITIAL STATE X; STATE X : CHECK(y) -> GOTO X; END", "`MATCH`"),
        (
            "OBSERVER AUTOMATON A INITIAL STATE X; STATE X : STATE X : END AUTOMATON",
            "another state",
        ),
        ("OBSERVER AUTOMATON A INITIAL STATE X; STATE X : MATCH \"a -> GOTO X;\n", "`\"` expected"),
    ] {
        let said = parse(wrong.as_bytes()).expect_err(wrong);
        assert!(said.contains(message), "{wrong}: {said}");
    }
    assert_eq!(parse(RIGHT.as_bytes()).map(|spc| spc.states.len()), Ok(5));
}

#[test]
fn other_forms_of_the_language_are_read() {
    let text = "// a comment\nCONTROL AUTOMATON B\nLOCAL int n = 0;\nINITIAL STATE A;\n/* another */\n\
                STATE USEALL A :\n MATCH {x = 1;} -> ASSUME {x > 0} DO n = n+1 GOTO __FALSE;\n \
                TRUE -> GOTO A;\nSTATE __FALSE :\n TRUE -> ASSUME {false} GOTO __FALSE;\nEND AUTOMATON";
    let spc = parse(text.as_bytes()).expect("it is right");
    assert!(spc.states[0].moves[0].unclear && !spc.states[0].first);
}

#[test]
fn nothing_that_is_read_ends_in_a_panic() {
    let mut random = Random::new(7);
    let mut next = |bound: usize| random.below(bound);
    let mut right = 0;
    for _ in 0..5_000 {
        let mut text = RIGHT.as_bytes().to_vec();
        for _ in 0..=next(3) {
            let at = next(text.len());
            match next(4) {
                0 => drop(text.drain(at..text.len().min(at + next(20)))),
                1 => text.insert(at, b"\"{};:->#/*\\ \nA\xff"[next(15)]),
                2 => text[at] = b"\"{};:->#/*\\ \nA\xff"[next(15)],
                _ => text.truncate(at),
            }
            if text.is_empty() {
                break;
            }
        }
        right += usize::from(parse(&text).is_ok());
    }
    assert!(right > 100, "{right}");
}

/// A condition is matched whether or not it is written with white space, and in the right direction.
#[test]
fn steps_match_statements_of_the_source() {
    let mut sources = SourceMap::new();
    let text = "int nondet(void);\nint main(void) {\n  int x = nondet();\n  if (x>3) { x = 1; }\n  return x;\n}\n";
    let file = sources.add("a.c", text.as_bytes()).expect("a short file");
    let program = frontend::c::load(sources, &[file], &frontend::Options::default()).program;
    let automaton = "OBSERVER AUTOMATON A INITIAL STATE A; STATE __TRUE : TRUE -> GOTO __TRUE; \
                     STATE __FALSE : TRUE -> GOTO __FALSE; STATE USEFIRST A : MATCH \"[x > 3]\" -> GOTO \
                     __FALSE; MATCH \"[!(x > 3)]\" -> GOTO __TRUE; TRUE -> GOTO A; END AUTOMATON";
    let spc = parse(automaton.as_bytes()).expect("it is right");
    let mut foreign = Foreign::new(&spc, &program);
    let start = foreign.initial();
    let mut ends = Vec::new();
    for (id, edge) in program.cfa.edges.entries() {
        let after = foreign.step(start, edge.source, Step::Edge(id)).expect("it can be taken");
        if after.is_final() {
            let holds = program.sources.slice(edge.span.expect("a place")) == b"x>3";
            let first = program.cfa.locations[edge.source].edges[0] == id;
            ends.push((holds, first, after == StateId::FALSE));
        }
    }
    assert_eq!(ends, [(true, true, true), (true, false, false)]);
}

/// A loop of which a run with few rounds analyses a part: its automaton has a state for each step.
const LOOP: &str = "
extern unsigned in(void);
extern void reach_error(void);
int main(void) {
  unsigned h = in(), n = in();
  for (unsigned i = 0; i < n; i++) { h = h * 31 + i; h ^= h >> 7; }
  if (n > 99 && h == 77) reach_error();
  return 0;
}
";

/// A budget that is used up leaves a file that can be read and calls less analysed.
#[test]
fn an_automaton_is_written_as_far_as_there_is_time() {
    let program = common::read(LOOP);
    let outcome = common::stopped(&program, Analysis::Bmc, Some(40));
    let analysed = Analysed::of(&program, &outcome);
    let whole = write(&program, &mut *analysed.automaton(), 10_000, &Budget::default());
    let part = write(&program, &mut *analysed.automaton(), 10_000, &Budget::for_looks(2));
    let states = |written: &proviso_partial::spc::Written| (written.states, written.shortened);
    assert_eq!((states(&whole), states(&part)), ((169, false), (128, true)));
    let read = common::automaton(&program, &part.text);
    assert!(read.fits);
    // After the last state that was looked at nothing counts as analysed.
    let last = read.states.last().expect("a state");
    let to: Vec<&str> = last.moves.iter().map(|each| &*read.states[each.to].name).collect();
    assert_eq!(to, ["__FALSE"]);
    assert_eq!(last.moves[0].on, None);
}

#[test]
fn an_automaton_that_was_read_is_written_again() {
    let program = common::read(LOOP);
    let outcome = common::stopped(&program, Analysis::Bmc, Some(3));
    let analysed = Analysed::of(&program, &outcome);
    let written = write(&program, &mut *analysed.automaton(), 10_000, &Budget::default());
    let first = common::automaton(&program, &written.text);
    let again = write_again(&program, &first);
    assert_eq!((again.states, again.shortened), (written.states, true));
    let mut second = common::automaton(&program, &again.text);
    for state in second.states.iter_mut() {
        state.span = None;
    }
    let mut first = first;
    for state in first.states.iter_mut() {
        state.span = None;
    }
    assert_eq!(first, second);
}

/// A terminal that shows the file must not obey what a string of the source says.
#[test]
fn control_characters_are_written_out_and_read_back() {
    let sent = LOOP.replace(
        "if (n > 99",
        "const char *bell = \"\u{1b}]0;x\u{7}\u{202e}\"; if (bell[0] && n > 99",
    );
    let program = common::read(&sent);
    let outcome = common::stopped(&program, Analysis::Bmc, Some(3));
    let analysed = Analysed::of(&program, &outcome);
    let written = write(&program, &mut *analysed.automaton(), 10_000, &Budget::default());
    let text = "OBSERVER AUTOMATON A\nINITIAL STATE X;\nSTATE X :\n MATCH \"a\\u001b\\u202e\\\\u0041\" -> GOTO X;\nEND AUTOMATON\n";
    let read = common::automaton(&program, text);
    assert_eq!(read.states[0].moves[0].on.as_deref(), Some("a\u{1b}\u{202e}\\u0041"));
    for text in [written.text, write_again(&program, &read).text] {
        assert!(text.chars().all(|c| c == '\n' || !base::is_active(c)), "{text}");
    }
    let again = common::automaton(&program, &write_again(&program, &read).text);
    let state = again.states.iter().find(|state| state.name == "X").expect("the state");
    assert_eq!(state.moves[0].on, read.states[0].moves[0].on);
}
