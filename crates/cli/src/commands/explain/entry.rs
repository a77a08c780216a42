//! A word that `proviso explain` explains, and where it stands in answers.

/// A word that `proviso explain` explains.
#[derive(PartialEq, Eq, Debug)]
pub struct Entry {
    /// The word, as answers have it.
    pub name: &'static str,
    /// Where it stands in an answer.
    pub kind: WordKind,
    /// What it is, in a line.
    pub summary: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Why it happens.
    pub cause: &'static str,
    /// What to do.
    pub advice: &'static str,
    /// Commands that show it, or that follow the advice.
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

    /// The heading of its list.
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
