//! The tokens of a C text (`base::tokens`) with their brackets, to find statements, conditions and calls.

use base::tokens::{Token, TokenKind};

/// A text in words.
pub(crate) struct Tokens<'a> {
    text: &'a [u8],
    pub(crate) list: Vec<Token>,
    /// For each bracket the place of its partner in the list.
    partners: Vec<Option<usize>>,
    /// For each word, whether it is between braces.
    inside: Vec<bool>,
    /// For each word, whether the innermost brackets around it are braces without a sign of equality before them. A word
    /// without brackets around it counts, too: the text may be a part of a block.
    statements: Vec<bool>,
}

impl<'a> Tokens<'a> {
    /// Reads a text.
    pub(crate) fn of(text: &'a [u8]) -> Self {
        let list: Vec<Token> = base::tokens::of(text).collect();
        let partners = partners(&list);
        let mut ends: Vec<usize> = Vec::new();
        let mut inside = Vec::with_capacity(list.len());
        for (index, token) in list.iter().enumerate() {
            if ends.last() == Some(&index) {
                ends.pop();
            }
            inside.push(!ends.is_empty());
            if let (TokenKind::Sign(b'{'), Some(end)) = (token.kind, partners[index]) {
                ends.push(end);
            }
        }
        let statements = statements(&list, &partners);
        Self { text, list, partners, inside, statements }
    }

    /// The text of a word.
    pub(crate) fn word(&self, index: usize) -> &'a [u8] {
        self.list.get(index).map_or(b"", |token| &self.text[token.start..token.end])
    }

    /// Whether a word is this character.
    pub(crate) fn is(&self, index: usize, sign: u8) -> bool {
        self.list.get(index).is_some_and(|token| token.kind == TokenKind::Sign(sign))
    }

    /// Whether a word is between braces.
    pub(crate) fn is_inside(&self, index: usize) -> bool {
        self.inside.get(index).copied().unwrap_or_default()
    }

    /// Whether a word is where statements may be: right between braces, and not between those of an initialiser.
    pub(crate) fn is_statement(&self, index: usize) -> bool {
        self.statements.get(index).copied().unwrap_or_default()
    }

    /// The partner of a bracket.
    pub(crate) fn partner(&self, index: usize) -> Option<usize> {
        self.partners.get(index).copied().flatten()
    }

    /// The word that starts at an offset, or the one around it.
    pub(crate) fn at(&self, offset: usize) -> Option<usize> {
        let index = self.list.partition_point(|token| token.end <= offset);
        self.list.get(index).filter(|token| token.start <= offset).map(|_| index)
    }

    /// The words that start between two offsets.
    pub(crate) fn between(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        let place = |offset| self.list.partition_point(|token| token.start < offset);
        place(start)..place(end)
    }
}

fn statements(list: &[Token], partners: &[Option<usize>]) -> Vec<bool> {
    let mut around: Vec<(usize, bool)> = Vec::new();
    let mut found = Vec::with_capacity(list.len());
    for (index, token) in list.iter().enumerate() {
        if around.last().is_some_and(|(end, _)| *end == index) {
            around.pop();
        }
        found.push(around.last().is_none_or(|(_, is_block)| *is_block));
        if let Some(end) = partners[index].filter(|end| *end > index) {
            let is_value = index > 0 && list[index - 1].kind == TokenKind::Sign(b'=');
            around.push((end, token.kind == TokenKind::Sign(b'{') && !is_value));
        }
    }
    found
}

fn partners(list: &[Token]) -> Vec<Option<usize>> {
    let mut partners = vec![None; list.len()];
    let mut open: Vec<(u8, usize)> = Vec::new();
    for (index, token) in list.iter().enumerate() {
        let TokenKind::Sign(sign) = token.kind else { continue };
        let opens = match sign {
            b'(' | b'[' | b'{' => {
                open.push((sign, index));
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => continue,
        };
        if open.last().is_some_and(|(sign, _)| *sign == opens)
            && let Some((_, other)) = open.pop()
        {
            partners[other] = Some(index);
            partners[index] = Some(other);
        }
    }
    partners
}
