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
    /// Puts comments into the file for runs that go on from it: a comment for each sentence about what was proved,
    /// and a comment with the numbers of the proved checks.
    pub fn tell(&mut self, program: &Program, proved: &[String], checks: &[usize]) {
        let at = self.text.find('\n').map_or(self.text.len(), |end| end + 1);
        let of = proved_of(program);
        let comment =
            |said: &String| format!("{of}{}\n", base::plain_line(&said.replace(['\n', '\r'], " ")));
        let mut comments: String = proved.iter().map(comment).collect();
        if !checks.is_empty() {
            let numbers: Vec<String> = checks.iter().map(usize::to_string).collect();
            comments += &format!("{}{}\n", checks_of(program), numbers.join(" "));
        }
        self.text.insert_str(at, &comments);
    }
}

/// An automaton over the steps of a program as a file, with at most `most` states, and written within a budget. Only
/// states from which a step that was not analysed can be reached are written; such a state has a transition for each
/// step that executions can take.
#[must_use]
pub fn write(
    program: &Program,
    automaton: &mut dyn Automaton,
    most: usize,
    budget: &Budget,
) -> Written {
    let mut names = Names { most, ..Names::default() };
    let mut body = String::new();
    let (texts, ways) = (Texts::of(program), Ways::of(program));
    let initial = automaton.initial();
    let entry = program.cfa.start.map(|start| program.cfa.functions[start].entry);
    let first = entry.map_or(TRUE.to_owned(), |entry| names.of(entry, initial));
    let (mut number, mut is_over) = (0, false);
    while let Some((at, state)) = names.todo.pop_front() {
        let _ = writeln!(body, "STATE USEFIRST ARG{number} :");
        number += 1;
        is_over = is_over || number % LOOK == 0 && budget.exceeded().is_some();
        if is_over {
            // A state that already has a name must be written, but the states that follow it are not looked at.
            names.most = 0;
            names.shortened = true;
            let _ = writeln!(body, "    TRUE -> GOTO {};\n", names.of(at, StateId::FALSE));
            continue;
        }
        let mut moves: Vec<(String, String)> = Vec::new();
        for (step, to) in ways.from(at) {
            let Some(after) = automaton.step(state, at, step) else { continue };
            // Executions end at an error: either the error was analysed or not, and no step follows.
            let after = match program.cfa.locations[to].error {
                true if after != StateId::FALSE => StateId::TRUE,
                _ => after,
            };
            moves.push((escaped(&texts.get(step)), names.of(to, after)));
        }
        names.any_false |= write_moves(&moves, &mut body);
    }
    let mut file = format!(
        "OBSERVER AUTOMATON {NAME}{}\n\nINITIAL STATE {first};\n\n\
         STATE {TRUE} :\n    TRUE -> GOTO {TRUE};\n\n",
        fingerprint(program)
    );
    if names.any_false {
        let _ = write!(file, "STATE {FALSE} :\n    TRUE -> GOTO {FALSE};\n\n");
    }
    file.push_str(&body);
    file.push_str("END AUTOMATON\n");
    Written { text: file, states: names.known.len(), shortened: names.shortened }
}

/// The names of the states of a file.
#[derive(Default)]
struct Names {
    /// The numbers of the states that have a name of their own.
    known: BTreeMap<(LocId, StateId), usize>,
    /// The states with a name of their own that are not written yet.
    todo: VecDeque<(LocId, StateId)>,
    /// At most this many states have a name of their own; all other states are `__FALSE`.
    most: usize,
    /// Whether a state has no name of its own because there are too many.
    shortened: bool,
    /// Whether something leads to `__FALSE`.
    any_false: bool,
}

impl Names {
    fn of(&mut self, at: LocId, state: StateId) -> String {
        if state == StateId::TRUE {
            return TRUE.to_owned();
        }
        if let Some(number) = self.known.get(&(at, state)) {
            return format!("ARG{number}");
        }
        let next = self.known.len();
        if state == StateId::FALSE || next >= self.most {
            self.shortened |= state != StateId::FALSE;
            self.any_false = true;
            return FALSE.to_owned();
        }
        self.known.insert((at, state), next);
        self.todo.push_back((at, state));
        format!("ARG{next}")
    }
}

/// Writes the moves of a state: statements, and the names of the states that they lead to. Gives whether it cannot
/// be told what a statement means, so that it leads to `__FALSE`.
fn write_moves(moves: &[(String, String)], body: &mut String) -> bool {
    // Each step should have its own statement. If two steps share a statement and lead to different states, the
    // statement is ambiguous.
    let mut first_of: BTreeMap<&str, &str> = BTreeMap::new();
    let mut unclear: BTreeSet<&str> = BTreeSet::new();
    for (text, target) in moves {
        if *first_of.entry(text).or_insert(target) != target {
            unclear.insert(text);
        }
    }
    for (text, target) in moves {
        let target = if unclear.contains(&**text) { FALSE } else { target };
        let _ = writeln!(body, "    MATCH \"{text}\" -> GOTO {target};");
    }
    body.push_str("    TRUE -> GOTO __TRUE;\n\n");
    !unclear.is_empty()
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

/// How many states are written before the budget is looked at again.
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
            // A terminal would obey an active character.
            c if base::is_active(c) => escaped.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped
}
