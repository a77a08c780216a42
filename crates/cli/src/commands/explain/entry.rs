//! A word that `proviso explain` explains, and where it stands in answers.

/// A word that `proviso explain` explains.
#[derive(PartialEq, Eq, Debug)]
pub struct Entry {
    /// The word, as answers have it.
    pub name: &'static str,
    /// Where the word stands in an answer.
    pub kind: WordKind,
    /// What the word is, in a line.
    pub summary: &'static str,
    /// What the word means.
    pub meaning: &'static str,
    /// Why the thing that the word names happens.
    pub cause: &'static str,
    /// What to do.
    pub advice: &'static str,
    /// Commands that show the thing that the word names, or that follow the advice.
    pub examples: &'static [&'static str],
}

/// Where a word stands in an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordKind {
    /// In brackets behind UNKNOWN.
    Reason,
    /// In brackets behind FALSE.
    Violation,
    /// Anywhere else.
    Term,
}

impl WordKind {
    /// Every kind, in the order of the list.
    pub const ALL: [WordKind; 3] = [WordKind::Reason, WordKind::Violation, WordKind::Term];

    /// The heading of the list of this kind.
    pub const fn heading(self) -> &'static str {
        match self {
            WordKind::Reason => "Reasons of UNKNOWN",
            WordKind::Violation => "Kinds of FALSE",
            WordKind::Term => "Words of the output",
        }
    }

    /// What one word of the kind is.
    pub const fn single(self) -> &'static str {
        match self {
            WordKind::Reason => "a reason of UNKNOWN",
            WordKind::Violation => "a kind of FALSE",
            WordKind::Term => "a word of the output",
        }
    }
}
