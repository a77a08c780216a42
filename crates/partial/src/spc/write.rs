//! Writing an automaton.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use cfa::{LocId, Program};
use run::Budget;

use super::{FALSE, NAME, Spc, TRUE, Texts, checks_of, fingerprint, proved_of};
use crate::automaton::{Automaton, StateId};
use crate::ways::Ways;

/// An automaton that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The file.
    pub text: String,
    /// How many states it has besides `__TRUE` and `__FALSE`.
    pub states: usize,
    /// Whether some states were left out because there are too many: what they lead to counts as not
    /// analysed.
    pub shortened: bool,
}

impl Written {
    /// Says in the file what was proved, for whoever goes on from it: a comment for each sentence, and one with
    /// the numbers of the checks.
    pub fn tell(&mut self, program: &Program, proved: &[String], checks: &[usize]) {
        let at = self.text.find('\n').map_or(self.text.len(), |end| end + 1);
        let of = proved_of(program);
        let comment = |said: &String| format!("{of}{}\n", said.replace(['\n', '\r'], " "));
        let mut comments: String = proved.iter().map(comment).collect();
        if !checks.is_empty() {
            let numbers: Vec<String> = checks.iter().map(usize::to_string).collect();
            comments += &format!("{}{}\n", checks_of(program), numbers.join(" "));
        }
        self.text.insert_str(at, &comments);
    }
}

/// An automaton over the steps of a program as a file, with at most so many states, and no more than a
/// budget allows. Only states from
/// which something is left that was not analysed are written; every step of a state has a transition.
#[must_use]
pub fn write(
    program: &Program,
    automaton: &mut dyn Automaton,
    most: usize,
    budget: &Budget,
) -> Written {
    let mut known: BTreeMap<(LocId, StateId), usize> = BTreeMap::new();
    let mut todo: VecDeque<(LocId, StateId)> = VecDeque::new();
    let mut body = String::new();
    let (texts, ways) = (Texts::of(program), Ways::of(program));
    let (mut shortened, mut left_out) = (false, false);
    let (mut any_false, mut any_unclear) = (false, false);
    let (mut most, mut is_over) = (most, false);
    let mut name = |at: LocId, state: StateId, most: usize, todo: &mut VecDeque<_>| -> String {
        match state {
            StateId::TRUE => return TRUE.to_owned(),
            StateId::FALSE => {
                any_false = true;
                return FALSE.to_owned();
            }
            _ => {}
        }
        let next = known.len();
        if let Some(number) = known.get(&(at, state)) {
            return format!("ARG{number}");
        }
        if next >= most {
            shortened = true;
            any_false = true;
            return FALSE.to_owned();
        }
        known.insert((at, state), next);
        todo.push_back((at, state));
        format!("ARG{next}")
    };
    let initial = automaton.initial();
    let entry = program.cfa.start.map(|start| program.cfa.functions[start].entry);
    let first = entry.map_or(TRUE.to_owned(), |entry| name(entry, initial, most, &mut todo));
    let mut number = 0;
    while let Some((at, state)) = todo.pop_front() {
        let _ = writeln!(body, "STATE USEFIRST ARG{number} :");
        number += 1;
        is_over = is_over || number % LOOK == 0 && budget.exceeded().is_some();
        if is_over {
            // A state that has a name is written all the same, but what follows it is not looked at.
            most = 0;
            let _ =
                writeln!(body, "    TRUE -> GOTO {};\n", name(at, StateId::FALSE, 0, &mut todo));
            left_out = true;
            continue;
        }
        let mut moves: Vec<(String, String)> = Vec::new();
        for (step, to) in ways.from(at) {
            let Some(after) = automaton.step(state, at, step) else { continue };
            // An error is where executions end: it is analysed or not, and nothing follows.
            let after = match program.cfa.locations[to].error {
                true if after != StateId::FALSE => StateId::TRUE,
                _ => after,
            };
            let target = name(to, after, most, &mut todo);
            moves.push((escaped(&texts.get(step)), target));
        }
        // Steps have different statements. Were it not so, nobody could tell which one is meant.
        let mut first_of: BTreeMap<&str, &str> = BTreeMap::new();
        let mut unclear: BTreeSet<&str> = BTreeSet::new();
        for (text, target) in &moves {
            if *first_of.entry(text).or_insert(target) != target {
                unclear.insert(text);
            }
        }
        any_unclear |= !unclear.is_empty();
        for (text, target) in &moves {
            let target = if unclear.contains(&**text) { FALSE } else { target };
            let _ = writeln!(body, "    MATCH \"{text}\" -> GOTO {target};");
        }
        body.push_str("    TRUE -> GOTO __TRUE;\n\n");
    }
    let mut file = format!(
        "OBSERVER AUTOMATON {NAME}{}\n\nINITIAL STATE {first};\n\n\
         STATE {TRUE} :\n    TRUE -> GOTO {TRUE};\n\n",
        fingerprint(program)
    );
    if any_false || any_unclear {
        let _ = write!(file, "STATE {FALSE} :\n    TRUE -> GOTO {FALSE};\n\n");
    }
    file.push_str(&body);
    file.push_str("END AUTOMATON\n");
    Written { text: file, states: known.len(), shortened: shortened || left_out }
}

/// An automaton that was read, as a file again: for a run that went on from it and cannot write all that
/// it has found besides.
#[must_use]
pub fn write_again(program: &Program, read: &Spc) -> Written {
    let mut file = format!(
        "OBSERVER AUTOMATON {NAME}{}\n\nINITIAL STATE {};\n\n",
        fingerprint(program),
        read.states[read.initial].name
    );
    let is_final = |name: &str| [TRUE, FALSE].contains(&name);
    if !read.states.iter().any(|state| state.name == FALSE) {
        let _ = write!(file, "STATE {FALSE} :\n    TRUE -> GOTO {FALSE};\n\n");
    }
    for state in &read.states {
        let first = if is_final(&state.name) { "" } else { "USEFIRST " };
        let _ = writeln!(file, "STATE {first}{} :", state.name);
        for each in &state.moves {
            // Nothing was concluded from what is unclear.
            let to = if each.unclear { FALSE } else { &read.states[each.to].name };
            let _ = match &each.on {
                Some(on) => writeln!(file, "    MATCH \"{}\" -> GOTO {to};", escaped(on)),
                None => writeln!(file, "    TRUE -> GOTO {to};"),
            };
        }
        file.push('\n');
    }
    file.push_str("END AUTOMATON\n");
    let states = read.states.iter().filter(|state| !is_final(&state.name)).count();
    Written { text: file, states, shortened: true }
}

/// How many states are written from one look at the budget to the next.
const LOOK: usize = 64;

/// A statement between quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '`' => {}
            c => escaped.push(c),
        }
    }
    escaped
}
