//! Words for what a program does again and again: rounds of its loops, passes of a `setjmp` that `longjmp` returns to, and
//! activations of functions that call themselves.

use std::collections::BTreeSet;
use std::fmt;

use base::FileId;
use base::tokens::is_word;
use cfa::{LocId, Loops, Program};

use super::material::Material;
use super::places::{is_library, span};
use crate::source::{self, file_name};

/// A line of the program, with the name of its file where the program has several.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Line {
    file: Option<String>,
    number: u32,
}

impl Line {
    /// The line of a location in the program's own text.
    fn of(program: &Program, location: LocId, has_several: bool) -> Option<Self> {
        let span = span(program, location)?;
        if source::is_borrowed(program, span.file) {
            return None;
        }
        let file = has_several.then(|| file_name(program.sources.name(span.file)).to_owned());
        Some(Self { file, number: program.sources.position(span).line })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}

/// What a program does again and again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Repeated {
    /// The lines of the program's own loops.
    loops: BTreeSet<Line>,
    /// How many loops of its own the program has: a line may have several.
    count: usize,
    /// The lines of calls of `setjmp`. The model has a loop there, and the source has none.
    jumps: BTreeSet<Line>,
    /// Whether models of the library have loops.
    library: bool,
    /// Whether functions call themselves.
    recursive: bool,
    /// The lines of the program's own loops that are left out here, since they were summarised.
    without: BTreeSet<Line>,
}

/// At most this many lines are listed.
const MOST_LINES: usize = 4;

impl Repeated {
    /// What all of a program repeats.
    pub(super) fn of(program: &Program) -> Self {
        let heads =
            Loops::of(&program.cfa).loops.iter().map(|known| known.head).collect::<Vec<_>>();
        let recursive = cfa::Calls::of(&program.cfa).any_recursive();
        Self { recursive, ..Self::with(program, heads) }
    }

    /// What executions of a program repeat that a bound limits: loops that have become one step each do not count.
    pub(super) fn bounded(material: &Material<'_>) -> Self {
        let program = material.program;
        let all = Loops::of(&program.cfa);
        let bounded = bounded(material);
        let without =
            all.loops.iter().map(|known| known.head).filter(|head| !bounded.contains(head));
        let without = Self::with(program, without).loops;
        let recursive = cfa::Calls::of(&program.cfa).any_recursive();
        Self { recursive, without, ..Self::with(program, bounded) }
    }

    /// Whether loops are left out that were summarised.
    pub(super) fn has_summaries(&self) -> bool {
        !self.without.is_empty()
    }

    /// Loops with some heads.
    pub(super) fn with(program: &Program, heads: impl IntoIterator<Item = LocId>) -> Self {
        let mut found = Self::default();
        let has_several = has_several_files(program);
        for head in heads {
            let line = Line::of(program, head, has_several);
            if is_library(program, head) {
                found.library = true;
            } else if is_jump(program, head) {
                found.jumps.extend(line);
            } else {
                found.loops.extend(line);
                found.count += 1;
            }
        }
        found
    }

    /// The same repetitions, and functions that call themselves.
    pub(super) fn and_recursion(self) -> Self {
        Self { recursive: true, ..self }
    }

    /// Whether nothing is repeated.
    pub(super) fn is_nothing(&self) -> bool {
        Self { without: BTreeSet::new(), ..self.clone() } == Self::default()
    }

    /// Whether only functions that call themselves repeat anything.
    pub(super) fn is_recursion(&self) -> bool {
        let recursion = Self::default().and_recursion();
        Self { without: BTreeSet::new(), ..self.clone() } == recursion
    }

    /// A limit on what executions repeat, if they repeat anything: `with at most 3 rounds of the loop at line 7`.
    pub(super) fn at_most(&self, rounds: u32) -> Option<String> {
        let times = |one: &str, many: &str| match rounds {
            1 => format!("at most 1 {one}"),
            _ => format!("at most {rounds} {many}"),
        };
        let mut parts = Vec::new();
        let looped = match (self.loops.first(), self.library) {
            (Some(_), false) if self.count == 1 => {
                Some(format!("the loop at {}", listed(&self.loops)))
            }
            _ if self.library && self.count == 0 => {
                Some("each loop inside of library functions".to_owned())
            }
            _ if self.library => {
                let but = self.but().map(|but| format!(", but not of {but}")).unwrap_or_default();
                Some(format!("each loop, those inside of library functions among them{but}"))
            }
            _ => (self.count > 0).then(|| {
                let but = self.but().map(|but| format!(" but {but}")).unwrap_or_default();
                format!("each loop{but}")
            }),
        };
        parts.extend(looped.map(|looped| format!("{} of {looped}", times("round", "rounds"))));
        let jumps = match self.jumps.first() {
            Some(_) if self.jumps.len() == 1 => {
                Some(format!("the `setjmp` at {}", listed(&self.jumps)))
            }
            first => first.map(|_| "each `setjmp`".to_owned()),
        };
        parts.extend(jumps.map(|jumps| format!("{} of {jumps}", times("pass", "passes"))));
        if self.recursive {
            let active = times("activation", "activations");
            parts.push(format!("{active} of each function at a time"));
        }
        joined(&parts).map(|limit| format!("with {limit}"))
    }

    /// The loops that are left out here: `that at line 4`.
    fn but(&self) -> Option<String> {
        Some(match self.without.len() {
            0 => return None,
            1 => format!("that at {}", listed(&self.without)),
            _ => format!("those at {}", listed(&self.without)),
        })
    }

    /// What executions go on with that were not followed: `later rounds of the loop at line 7`.
    pub(super) fn later(&self) -> Option<String> {
        let at = |lines: &BTreeSet<Line>, one: &str, many: &str| match lines.len() {
            1 => format!("the {one} at {}", listed(lines)),
            _ => format!("the {many} at {}", listed(lines)),
        };
        let mut parts = Vec::new();
        if !self.loops.is_empty() {
            parts.push(format!("later rounds of {}", at(&self.loops, "loop", "loops")));
        }
        if !self.jumps.is_empty() {
            let jumps = at(&self.jumps, "`setjmp`", "calls of `setjmp`");
            parts.push(format!("later passes of {jumps}"));
        }
        if self.library && parts.is_empty() {
            parts.push("later rounds of a loop inside of a library function".to_owned());
        }
        if self.recursive {
            parts.push("deeper recursion".to_owned());
        }
        joined(&parts)
    }
}

/// Whether functions of the program are in several files.
fn has_several_files(program: &Program) -> bool {
    let entries = program.cfa.functions.iter().map(|function| function.entry);
    let files = entries.filter_map(|entry| Some(span(program, entry)?.file));
    let own: BTreeSet<FileId> = files.filter(|file| !source::is_borrowed(program, *file)).collect();
    own.len() > 1
}

/// `line 3`, `lines 3, 5`, `a.c:3, b.c:5`.
fn listed(lines: &BTreeSet<Line>) -> String {
    let shown: Vec<String> = lines.iter().take(MOST_LINES).map(Line::to_string).collect();
    let more = if lines.len() > MOST_LINES { ", …" } else { "" };
    let word = match lines.first() {
        Some(Line { file: Some(_), .. }) => "",
        _ if lines.len() == 1 => "line ",
        _ => "lines ",
    };
    format!("{word}{}{more}", shown.join(", "))
}

/// The heads of the loops that the bound on rounds limits.
pub(super) fn bounded(material: &Material<'_>) -> BTreeSet<LocId> {
    let outcome = material.outcome;
    partial::bounded_loops(material.program, outcome.rewritten.as_deref(), &outcome.summarized)
}

/// Parts of a sentence as one: `a, b and c`.
fn joined(parts: &[String]) -> Option<String> {
    Some(match parts.split_last()? {
        (last, []) => last.clone(),
        (last, before) => format!("{} and {last}", before.join(", ")),
    })
}

/// Whether the model has a loop only because `longjmp` returns to a `setjmp`.
fn is_jump(program: &Program, head: LocId) -> bool {
    const NAMES: [&str; 4] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];
    let Some(span) = program.cfa.locations[head].span else { return false };
    let text = source::text(program, span).trim_start();
    NAMES.contains(&&text[..text.find(|c| !is_word(c)).unwrap_or(text.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(numbers: &[u32]) -> BTreeSet<Line> {
        numbers.iter().map(|number| Line { file: None, number: *number }).collect()
    }

    #[test]
    fn lines_of_several_files_have_their_names() {
        let at = |file: &str, number| Line { file: Some(file.to_owned()), number };
        let loops = BTreeSet::from([at("a.c", 3), at("b.c", 2)]);
        let repeated = Repeated { loops, count: 2, ..Repeated::default() };
        let later = "later rounds of the loops at a.c:3, b.c:2";
        assert_eq!(repeated.later().as_deref(), Some(later));
    }

    #[test]
    fn only_what_is_repeated_is_spoken_of() {
        let none = Repeated::default();
        let recursive = none.clone().and_recursion();
        let both = Repeated { loops: lines(&[3]), count: 1, ..recursive.clone() };
        let jumps = Repeated { jumps: lines(&[13]), ..none.clone() };
        let all =
            Repeated { loops: lines(&[3, 9]), count: 2, jumps: lines(&[13]), ..recursive.clone() };
        for (repeated, limit, later) in [
            (&none, None, None),
            (
                &recursive,
                Some("with at most 2 activations of each function at a time"),
                Some("deeper recursion"),
            ),
            (
                &both,
                Some(
                    "with at most 2 rounds of the loop at line 3 and at most 2 activations of each function \
                     at a time",
                ),
                Some("later rounds of the loop at line 3 and deeper recursion"),
            ),
            (
                &jumps,
                Some("with at most 2 passes of the `setjmp` at line 13"),
                Some("later passes of the `setjmp` at line 13"),
            ),
            (
                &all,
                Some(
                    "with at most 2 rounds of each loop, at most 2 passes of the `setjmp` at line 13 and at \
                     most 2 activations of each function at a time",
                ),
                Some(
                    "later rounds of the loops at lines 3, 9, later passes of the `setjmp` at line 13 and \
                     deeper recursion",
                ),
            ),
        ] {
            assert_eq!(repeated.at_most(2).as_deref(), limit);
            assert_eq!(repeated.later().as_deref(), later);
        }
    }

    #[test]
    fn loops_that_were_summarised_are_left_out() {
        let without = || lines(&[4, 6]);
        let none = Repeated { without: lines(&[4]), ..Repeated::default() };
        assert!(none.is_nothing() && none.at_most(2).is_none() && none.later().is_none());
        let one = Repeated { loops: lines(&[3]), count: 1, ..none.clone() };
        assert_eq!(one.at_most(2).as_deref(), Some("with at most 2 rounds of the loop at line 3"));
        let two = Repeated { loops: lines(&[3, 9]), count: 2, ..none };
        let limit = "with at most 2 rounds of each loop but that at line 4";
        assert_eq!(two.at_most(2).as_deref(), Some(limit));
        let library = Repeated { library: true, without: without(), ..two.clone() };
        let limit = "with at most 2 rounds of each loop, those inside of library functions among them, but \
                     not of those at lines 4, 6";
        assert_eq!(library.at_most(2).as_deref(), Some(limit));
        assert_eq!(two.later().as_deref(), Some("later rounds of the loops at lines 3, 9"));
    }
}
