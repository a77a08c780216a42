//! Abstract traces (Castaño 2018, §4.2): views of traces that leave some letters out, so that traces which differ
//! only in letters that are left out can be reported together.

use std::collections::BTreeMap;

use crate::letter::Letter;

/// A function that leaves letters out of traces. Each letter knows by itself whether it stays, so
/// abstractions can be applied one after the other, in any order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Abstraction {
    /// Keeps what happens while at most this many functions are active (Def. 8): with 1, the steps of `main` itself.
    /// A call belongs to the function that calls, and an exit to the function that ends.
    Depth(u32),
    /// Only calls: the projection to the set of all calls.
    Calls,
    /// Keeps only calls, without calls of this function. Calls that this function makes stay.
    Without(String),
}

impl Abstraction {
    /// Whether a letter stays.
    #[must_use]
    pub fn keeps(&self, letter: &Letter) -> bool {
        match (self, &letter.call) {
            (Abstraction::Depth(most), _) => letter.depth <= *most,
            (Abstraction::Calls, call) => call.is_some(),
            (Abstraction::Without(function), Some(call)) => call != function,
            (Abstraction::Without(_), None) => false,
        }
    }

    /// The abstract trace of a trace.
    #[must_use]
    pub fn apply(&self, trace: &[Letter]) -> Vec<Letter> {
        trace.iter().filter(|letter| self.keeps(letter)).cloned().collect()
    }
}

/// The abstract trace of a trace under several abstractions.
#[must_use]
pub fn abstracted(trace: &[Letter], abstractions: &[Abstraction]) -> Vec<Letter> {
    let keeps = |letter: &&Letter| abstractions.iter().all(|each| each.keeps(letter));
    trace.iter().filter(keeps).cloned().collect()
}

/// An abstract trace, and the traces that it stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The abstract trace, with the letters of the first of its traces.
    pub letters: Vec<Letter>,
    /// The places of the traces in the list that was given, in order. There is at least one.
    pub members: Vec<usize>,
}

/// Each abstract trace once (Alg. 2), in the order in which they first occur. Two calls are the same
/// letter if they call the same function, two exits if they leave the same function, and other steps
/// if they are the same statement.
#[must_use]
pub fn group(traces: &[Vec<Letter>]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: BTreeMap<Vec<Key<'_>>, usize> = BTreeMap::new();
    for (place, trace) in traces.iter().enumerate() {
        let next = groups.len();
        let at = *known.entry(trace.iter().map(Key::of).collect()).or_insert(next);
        match groups.get_mut(at) {
            Some(group) => group.members.push(place),
            None => groups.push(Group { letters: trace.clone(), members: vec![place] }),
        }
    }
    groups
}

/// What letters are compared by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    Call(&'a str),
    Exit(&'a str),
    Statement(&'a str, Option<&'a str>, Option<u32>),
}

impl<'a> Key<'a> {
    fn of(letter: &'a Letter) -> Self {
        match (&letter.call, &letter.exit) {
            (Some(callee), _) => Key::Call(callee),
            (None, Some(callee)) => Key::Exit(callee),
            (None, None) => Key::Statement(&letter.text, letter.file.as_deref(), letter.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(depth: u32, text: &str) -> Letter {
        let name = |start: &str| text.strip_prefix(start).map(str::to_owned);
        Letter {
            text: text.to_owned(),
            file: None,
            line: None,
            depth,
            call: name("call "),
            exit: name("exit "),
        }
    }

    /// `main` calls `f`, which calls `g` twice.
    fn trace() -> Vec<Letter> {
        let steps = [
            (1, "x = 1"),
            (1, "call f"),
            (2, "call g"),
            (3, "y = 1"),
            (3, "exit g"),
            (2, "call g"),
            (3, "exit g"),
            (2, "z = 1"),
            (2, "exit f"),
            (1, "w = 1"),
        ];
        steps.into_iter().map(|(depth, text)| letter(depth, text)).collect()
    }

    fn texts(letters: &[Letter]) -> Vec<&str> {
        letters.iter().map(|letter| &*letter.text).collect()
    }

    /// Def. 8 as it is written.
    fn stack_depth(trace: &[Letter], mut depth: i64) -> Vec<Letter> {
        let mut kept = Vec::new();
        for letter in trace {
            if depth > 0 {
                kept.push(letter.clone());
            }
            depth += i64::from(letter.exit.is_some()) - i64::from(letter.call.is_some());
        }
        kept
    }

    #[test]
    fn depth_shows_what_the_definition_shows() {
        for depth in 0..5 {
            let shown = Abstraction::Depth(depth).apply(&trace());
            assert_eq!(shown, stack_depth(&trace(), i64::from(depth)), "depth {depth}");
        }
        assert_eq!(texts(&Abstraction::Depth(1).apply(&trace())), ["x = 1", "call f", "w = 1"]);
        assert!(Abstraction::Depth(0).apply(&trace()).is_empty());
    }

    #[test]
    fn calls_are_neither_exits_nor_statements() {
        assert_eq!(texts(&Abstraction::Calls.apply(&trace())), ["call f", "call g", "call g"]);
    }

    #[test]
    fn without_a_function_the_calls_inside_of_it_stay() {
        let shown = Abstraction::Without("f".to_owned()).apply(&trace());
        assert_eq!(texts(&shown), ["call g", "call g"]);
    }

    #[test]
    fn the_order_of_abstractions_is_free() {
        let all = [
            Abstraction::Depth(2),
            Abstraction::Calls,
            Abstraction::Without("f".to_owned()),
            Abstraction::Without("h".to_owned()),
        ];
        let together = abstracted(&trace(), &all);
        let forwards = all.iter().fold(trace(), |trace, each| each.apply(&trace));
        let backwards = all.iter().rev().fold(trace(), |trace, each| each.apply(&trace));
        assert_eq!((&forwards, &backwards), (&together, &together));
        assert_eq!(texts(&together), ["call g", "call g"]);
    }

    #[test]
    fn groups_compare_calls_by_the_callee() {
        let mut other = trace();
        for letter in &mut other {
            letter.line = Some(7);
        }
        let longer = [trace(), vec![letter(1, "call f")]].concat();
        let whole = [trace(), other, longer];
        assert_eq!(group(&whole).len(), 3, "statements are compared by their place");
        let calls: Vec<_> = whole.iter().map(|trace| Abstraction::Calls.apply(trace)).collect();
        let groups = group(&calls);
        let members: Vec<_> = groups.iter().map(|group| &*group.members).collect();
        assert_eq!(members, [&[0, 1][..], &[2]]);
        assert_eq!(groups[0].letters, calls[0], "the first trace stands for the others");
        assert!(group(&[]).is_empty());
    }
}
