//! A position of its own for every token.
//!
//! All tokens of a macro stand at its call, so places in the text do not tell expressions apart. So rucc is given the
//! number of each token as the place of the token, and the places in rucc's messages and trees are translated back. The
//! place of a node, in either of rucc's trees, is then the range of its tokens: the same for one expression in both
//! trees, and inside the range of every expression around it.

use rucc_diag::Span;
use rucc_lex::PpToken;

/// Where each token stands in the text, by its number.
pub(super) struct Positions {
    places: Vec<Span>,
    /// Where tokens are written that come out of macros, in a definition or in an argument, with their numbers.
    written: Vec<(usize, Span)>,
}

impl Positions {
    /// Numbers tokens. The token with the index `n` gets the place from `2 n` to `2 n + 1`. `written` has where the
    /// tokens of macros are written.
    pub fn assign(tokens: &mut [PpToken], written: Vec<(usize, Span)>) -> Self {
        let places = tokens.iter().map(|token| token.span).collect();
        for (number, token) in tokens.iter_mut().enumerate() {
            let start = u32::try_from(number).map_or(u32::MAX - 2, |number| number * 2);
            token.span = Span::new(start, start + 1);
        }
        Self { places, written }
    }

    /// Whether all of these tokens can be numbered.
    pub fn suffice_for(tokens: &[PpToken]) -> bool {
        u32::try_from(tokens.len()).is_ok_and(|count| count < u32::MAX / 2 - 1)
    }

    /// A range of tokens as a place in the text.
    pub fn place(&self, range: Span) -> Span {
        if range.is_dummy() {
            return range;
        }
        let at = |position: u32| self.places.get((position / 2) as usize);
        let Some(first) = at(range.lo) else { return Span::DUMMY };
        // A position between two tokens is the end of the first of them.
        let start = if range.lo.is_multiple_of(2) { first.lo } else { first.hi };
        let last = at(range.hi.saturating_sub(1).max(range.lo)).unwrap_or(first);
        Span::new(start, last.hi.max(start))
    }

    /// Where the first and the last token of a range are written, if both come out of macros.
    pub fn written(&self, range: Span) -> Option<(Span, Span)> {
        let find = |position: u32| {
            let number = (position / 2) as usize;
            let index = self.written.binary_search_by_key(&number, |(token, _)| *token).ok()?;
            Some(self.written[index].1)
        };
        let last = range.hi.saturating_sub(1).max(range.lo);
        (!range.is_dummy()).then(|| find(range.lo).zip(find(last))).flatten()
    }
}
