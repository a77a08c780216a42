//! Where in the text of a program the places of a witness are.

use base::tokens::TokenKind;
use base::{FileId, SourceMap};

use crate::model::WitnessPlace;
use crate::tokens::Tokens;

/// Where something is put into the text. Offsets are those of bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Site {
    /// Before the statement at this offset, among the statements of a block.
    InBlock(usize),
    /// Before the statement at this offset, which is the whole of a branch or of a body, or has a label.
    Alone(usize),
    /// Before the expression at this offset. The flag says that the text has no expression there.
    Before(usize, bool),
    /// Around the condition between these two offsets, which are the same where a `for` has no condition.
    Condition(usize, usize),
    /// Around the number that a `switch` looks at.
    Switch(usize, usize),
    /// Around a call, before it.
    Call(usize, usize),
    /// Around a call, after it.
    Result(usize, usize),
}

/// A file of a program with its words.
pub(crate) struct Text<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) file: FileId,
    pub(crate) tokens: Tokens<'a>,
}

impl<'a> Text<'a> {
    pub(crate) fn of(sources: &'a SourceMap, file: FileId) -> Self {
        Self { sources, file, tokens: Tokens::of(sources.text(file)) }
    }

    /// The offset of a place, if the file has it; the start of the line where no column is said.
    fn offset(&self, place: &WitnessPlace) -> Option<usize> {
        Self::offset_in(self.sources, self.file, place)
    }

    /// As [`Self::offset`], for a file whose words are not needed.
    pub(crate) fn offset_in(
        sources: &SourceMap,
        file: FileId,
        place: &WitnessPlace,
    ) -> Option<usize> {
        let (start, line) = sources.line(file, place.line)?;
        let start = start as usize;
        // An early form of the format counts columns from zero.
        let Some(column) = place.column.filter(|column| *column > 0) else { return Some(start) };
        let skipped = (column - 1) as usize;
        let is_first = |byte: &u8| *byte & 0xC0 != 0x80;
        let mut firsts = line.iter().enumerate().filter(|(_, byte)| is_first(byte));
        match firsts.nth(skipped) {
            Some((at, _)) => Some(start + at),
            None => {
                let length = line.iter().filter(|byte| is_first(byte)).count();
                (skipped == length).then_some(start + line.len())
            }
        }
    }

    /// The words that a place may mean if something begins at the place: the word that begins at its column, or all
    /// words of its line.
    fn firsts(&self, place: &WitnessPlace) -> Vec<usize> {
        let offset = self.offset(place);
        let has_column = place.column.is_some_and(|column| column > 0);
        let mut words = self.words(place);
        words.retain(|index| !has_column || Some(self.tokens.list[*index].start) == offset);
        words
    }

    /// The words that a place may mean: the one at its column, or all of its line.
    fn words(&self, place: &WitnessPlace) -> Vec<usize> {
        let Some(offset) = self.offset(place) else { return Vec::new() };
        if place.column.is_some_and(|column| column > 0) {
            return self.tokens.at(offset).into_iter().collect();
        }
        let length = self.sources.line(self.file, place.line).map_or(0, |(_, line)| line.len());
        self.tokens.between(offset, offset + length).collect()
    }

    /// Before the statement of a place.
    pub(crate) fn statement(&self, place: &WitnessPlace) -> Option<Site> {
        let index = *self.firsts(place).first()?;
        self.before(index)
    }

    /// The sites where a condition is evaluated that holds whenever the statement of a place is passed. For a loop,
    /// these are before the loop and before each evaluation of its condition, or before each round of a loop with
    /// `do`.
    pub(crate) fn passed(&self, place: &WitnessPlace) -> Vec<Site> {
        let Some(index) = self.firsts(place).first().copied() else { return Vec::new() };
        let Some(before) = self.before(index) else { return Vec::new() };
        let mut first = index;
        while let Some(next) = self.behind_label(first) {
            first = next;
        }
        match (self.tokens.word(first), self.head(first)) {
            // What begins with `for` sets its variables before it looks at its condition.
            (b"for", Some(head)) => vec![before, head],
            (b"while" | b"do", Some(head)) => vec![head],
            _ => vec![before],
        }
    }

    /// The site before the statement that starts with a word. Labels of the statement stay in front, so that a jump
    /// to a label passes the site, too.
    fn before(&self, index: usize) -> Option<Site> {
        let before = index.checked_sub(1)?;
        let sign = |sign| self.tokens.is(before, sign);
        // Words in brackets other than braces begin no statement, and neither does the condition of a loop with `do`.
        if !self.tokens.is_statement(index) || self.closes_do(index) {
            return None;
        }
        let mut first = index;
        while let Some(next) = self.behind_label(first) {
            first = next;
        }
        let at = self.tokens.list.get(first)?.start;
        let is_among = sign(b'{') || sign(b'}') || sign(b';');
        if is_among && first == index {
            return Some(Site::InBlock(at));
        }
        let word = self.tokens.word(before);
        let is_alone = sign(b')') || sign(b':') || word == b"else" || word == b"do";
        (is_among || is_alone).then_some(Site::Alone(at))
    }

    /// Whether a word is the `while` behind the body of a loop with `do`.
    fn closes_do(&self, index: usize) -> bool {
        if self.tokens.word(index) != b"while" {
            return false;
        }
        // Goes back over the statement before the word; everything in brackets is skipped.
        let mut at = index;
        let mut is_last = true;
        while let Some(before) = at.checked_sub(1) {
            at = match self.tokens.list[before].kind {
                TokenKind::Sign(b'}') if is_last => self.tokens.partner(before).unwrap_or(before),
                TokenKind::Sign(b';') if is_last => before,
                TokenKind::Sign(b')' | b']') => self.tokens.partner(before).unwrap_or(before),
                TokenKind::Sign(b';' | b'{' | b'}') => return false,
                TokenKind::Name if self.tokens.word(before) == b"do" => return true,
                _ => before,
            };
            is_last = false;
        }
        false
    }

    /// The word behind a label, if a word starts one.
    fn behind_label(&self, index: usize) -> Option<usize> {
        let is_case = self.tokens.word(index) == b"case";
        let is_name = self.tokens.list.get(index)?.kind == TokenKind::Name;
        let mut at = index + 1;
        while is_case && !self.tokens.is(at, b':') {
            let inner = self.tokens.partner(at).filter(|partner| *partner > at);
            at = inner.unwrap_or(at) + 1;
            // A label is short.
            if at >= self.tokens.list.len() || at > index + 100 {
                return None;
            }
        }
        (is_name && self.tokens.is(at, b':')).then_some(at + 1)
    }

    /// Behind the statement that starts in the line of a place.
    pub(crate) fn after(&self, place: &WitnessPlace) -> Option<Site> {
        let mut words = self.words(place).into_iter();
        let mut index =
            words.find(|index| !self.tokens.is(*index, b'{') && !self.tokens.is(*index, b'}'))?;
        // Skips the words of the statement up to its end; everything in brackets is skipped.
        while !self.tokens.is(index, b';') {
            let token = self.tokens.list.get(index)?;
            index = match token.kind {
                TokenKind::Sign(b'(' | b'[') => self.tokens.partner(index)? + 1,
                TokenKind::Sign(b'{') if index > 0 && self.tokens.is(index - 1, b'=') => {
                    self.tokens.partner(index)? + 1
                }
                TokenKind::Sign(b'{' | b'}') => return None,
                _ => index + 1,
            };
        }
        let next = index + 1;
        // Outside of functions there are no statements.
        if !self.tokens.is_inside(index)
            || self.tokens.word(next) == b"else"
            || self.tokens.word(next) == b"while"
        {
            return None;
        }
        Some(Site::InBlock(self.tokens.list.get(index)?.end))
    }

    /// The conditions at a place.
    pub(crate) fn branches(&self, place: &WitnessPlace) -> Vec<Site> {
        self.firsts(place).into_iter().filter_map(|index| self.branch(index)).collect()
    }

    fn branch(&self, index: usize) -> Option<Site> {
        match self.tokens.word(index) {
            b"if" => {
                let (start, end) = self.brackets(index + 1)?;
                Some(Site::Condition(start, end))
            }
            b"switch" => {
                let (start, end) = self.brackets(index + 1)?;
                Some(Site::Switch(start, end))
            }
            b"while" | b"for" | b"do" => {
                let (start, end) = self.loop_condition(index)?;
                Some(Site::Condition(start, end))
            }
            _ => None,
        }
    }

    /// The labels of the `switch` whose number ends at an offset; a label that is a range has its end, too. None if
    /// the text may not show all labels, because the preprocessor has a word in the body.
    pub(crate) fn cases(&self, end: usize) -> Option<Vec<(String, Option<String>)>> {
        let open = self.tokens.between(end, usize::MAX).start + 1;
        let close = self.tokens.partner(open).filter(|_| self.tokens.is(open, b'{'))?;
        let text = self.sources.text(self.file);
        let body = &text[self.tokens.list[open].start..self.tokens.list[close].end];
        let is_directive = |line: &[u8]| line.trim_ascii_start().starts_with(b"#");
        if body.split(|byte| *byte == b'\n').any(is_directive) {
            return None;
        }
        let part = |range: std::ops::Range<usize>| {
            let (first, last) = (self.tokens.list.get(range.start)?, range.end.checked_sub(1)?);
            let bytes = text.get(first.start..self.tokens.list[last].end)?;
            Some(String::from_utf8_lossy(bytes).into_owned())
        };
        let mut labels = Vec::new();
        let mut at = open + 1;
        while at < close {
            if self.tokens.word(at) == b"switch" {
                // The cases of a `switch` inside this one do not count.
                let inner = self.tokens.partner(at + 1)? + 1;
                at = self.tokens.partner(inner).filter(|_| self.tokens.is(inner, b'{'))?;
            } else if self.tokens.word(at) == b"case" {
                let behind = self.behind_label(at)?;
                let is_dots = |index: &usize| (0..3).all(|dot| self.tokens.is(index + dot, b'.'));
                labels.push(match (at + 1..behind - 1).find(is_dots) {
                    Some(dots) => (part(at + 1..dots)?, Some(part(dots + 3..behind - 1)?)),
                    None => (part(at + 1..behind - 1)?, None),
                });
                at = behind - 1;
            }
            at += 1;
        }
        Some(labels)
    }

    /// Whether two offsets are those of the same beginning: brackets around an expression, or around its first
    /// operand, begin where the expression does. The front end says that a fault in `(a[i] & 1) != 0` is at `a`, or
    /// at the bracket before `a`: which of the two depends on whether the expression is a condition by itself or an
    /// operand of the text that was put around the condition.
    pub(crate) fn begins_alike(&self, one: usize, other: usize) -> bool {
        one == other || self.bare(one) == self.bare(other)
    }

    /// The offset behind all brackets that open at an offset around an expression, or the offset itself. The brackets
    /// of an `if` and of a call are no such brackets.
    fn bare(&self, offset: usize) -> usize {
        let is_here = |index: &usize| self.tokens.list[*index].start == offset;
        let Some(mut index) = self.tokens.at(offset).filter(is_here) else { return offset };
        let is_name = |before: usize| {
            self.tokens.list[before].kind == TokenKind::Name
                && !matches!(self.tokens.word(before), b"return" | b"else" | b"do" | b"case")
        };
        if index.checked_sub(1).is_some_and(is_name) {
            return offset;
        }
        while self.tokens.is(index, b'(') {
            index += 1;
        }
        self.tokens.list.get(index).map_or(offset, |token| token.start)
    }

    /// The beginnings of the statement that an offset is in, and of the expressions in brackets around the offset.
    pub(crate) fn starts(&self, offset: usize) -> Vec<usize> {
        let Some(index) = self.tokens.at(offset) else { return Vec::new() };
        let mut starts = Vec::new();
        let mut first = index;
        while let Some(before) = first.checked_sub(1) {
            let is_keyword = |index: Option<usize>| {
                let word = index.map_or(&b""[..], |index| self.tokens.word(index));
                matches!(word, b"if" | b"while" | b"for" | b"switch")
            };
            match self.tokens.list[before].kind {
                TokenKind::Sign(b';' | b'}') => break,
                TokenKind::Sign(b'{') if before == 0 || !self.tokens.is(before - 1, b'=') => break,
                TokenKind::Sign(b':') => starts.push(self.tokens.list[first].start),
                TokenKind::Sign(b'(') if is_keyword(before.checked_sub(1)) => {
                    starts.push(self.tokens.list[first].start);
                }
                TokenKind::Sign(b')' | b']') => {
                    let Some(open) = self.tokens.partner(before) else { break };
                    if is_keyword(open.checked_sub(1)) {
                        break;
                    }
                    first = open;
                    continue;
                }
                TokenKind::Name if matches!(self.tokens.word(before), b"else" | b"do") => break,
                _ => {}
            }
            first = before;
        }
        starts.push(self.tokens.list[first].start);
        starts
    }

    /// What is between the brackets that open at a word.
    fn brackets(&self, open: usize) -> Option<(usize, usize)> {
        if !self.tokens.is(open, b'(') {
            return None;
        }
        let close = self.tokens.partner(open)?;
        Some((self.tokens.list[open].end, self.tokens.list[close].start))
    }

    /// The condition of the loop that starts with a word.
    fn loop_condition(&self, index: usize) -> Option<(usize, usize)> {
        match self.tokens.word(index) {
            b"while" => self.brackets(index + 1),
            b"do" if self.tokens.is(index + 1, b'{') => {
                let end = self.tokens.partner(index + 1)?;
                let found = self.tokens.word(end + 1) == b"while";
                found.then(|| self.brackets(end + 2)).flatten()
            }
            b"for" if self.tokens.is(index + 1, b'(') => {
                let close = self.tokens.partner(index + 1)?;
                let mut ends = Vec::new();
                let mut at = index + 2;
                while at < close {
                    if self.tokens.is(at, b';') {
                        ends.push(at);
                    }
                    let inner = self.tokens.partner(at).filter(|partner| *partner > at);
                    at = inner.unwrap_or(at) + 1;
                }
                let [first, second] = ends[..] else { return None };
                Some((self.tokens.list[first].end, self.tokens.list[second].start))
            }
            _ => None,
        }
    }

    /// Where the invariant of a loop is evaluated: at the condition, or before the body of a loop with `do`.
    pub(crate) fn loop_head(&self, place: &WitnessPlace) -> Option<Site> {
        let is_loop = |index: &usize| matches!(self.tokens.word(*index), b"while" | b"for" | b"do");
        let mut loops: Vec<usize> = self.firsts(place).into_iter().filter(is_loop).collect();
        if loops.len() > 1 {
            loops.retain(|index| !self.closes_do(*index));
        }
        // If a line has several loops, the witness does not say which loop is meant.
        let [index] = loops[..] else { return None };
        self.head(index)
    }

    /// The place before the condition of the loop that starts with this word; for `do`, before its body.
    fn head(&self, index: usize) -> Option<Site> {
        if self.tokens.word(index) == b"do" {
            let first = if self.tokens.is(index + 1, b'{') { index + 2 } else { index + 1 };
            return self.before(first);
        }
        let (start, end) = self.loop_condition(index)?;
        let is_empty = self.tokens.between(start, end).is_empty();
        Some(Site::Before(start, is_empty))
    }

    /// The calls at a place: the call that ends at its column, or all calls in its line; only calls of `function` if
    /// a function is named.
    pub(crate) fn calls(
        &self,
        place: &WitnessPlace,
        function: Option<&str>,
    ) -> Vec<(usize, usize)> {
        let has_column = place.column.is_some_and(|column| column > 0);
        let words = self.words(place).into_iter();
        let found = words.filter_map(|index| {
            let close = if has_column { index } else { self.tokens.partner(index + 1)? };
            let open = self.tokens.partner(close).filter(|_| self.tokens.is(close, b')'))?;
            let name = open.checked_sub(1)?;
            if !has_column && name != index || self.tokens.list[name].kind != TokenKind::Name {
                return None;
            }
            let word = self.tokens.word(name);
            let is_keyword =
                matches!(word, b"if" | b"while" | b"for" | b"switch" | b"return" | b"sizeof");
            let is_other = function.is_some_and(|function| function.as_bytes() != word);
            if is_keyword || is_other || self.is_declared_at(name) {
                return None;
            }
            Some((self.tokens.list[self.chain(name)].start, self.tokens.list[close].end))
        });
        found.collect()
    }

    /// Whether a name with brackets behind it is declared where it stands, and not called: only words of a type come before
    /// it, as in `int f(void)` and `struct s *f(void)`.
    fn is_declared_at(&self, name: usize) -> bool {
        let is_word = |index: &usize| self.tokens.list[*index].kind == TokenKind::Name;
        let is_star = |index: &usize| self.tokens.is(*index, b'*');
        let before = (0..name).rev().take_while(|index| is_word(index) || is_star(index)).take(64);
        let before: Vec<usize> = before.collect();
        let begins_statement = |word: &[u8]| matches!(word, b"return" | b"else" | b"do" | b"case");
        if before.iter().any(|index| begins_statement(self.tokens.word(*index))) {
            return false;
        }
        let start = before.last().copied().unwrap_or(name);
        let begins =
            start == 0 || [b';', b'{', b'}'].iter().any(|end| self.tokens.is(start - 1, *end));
        before.first().is_some_and(is_word) || begins && before.iter().any(is_word)
    }

    /// The words at a place that satisfy a condition: the word at its column, or words of its line.
    pub(crate) fn uses(
        &self,
        place: &WitnessPlace,
        is_such: impl Fn(&str) -> bool,
    ) -> Vec<(usize, usize)> {
        let words = self
            .words(place)
            .into_iter()
            .filter(|index| str::from_utf8(self.tokens.word(*index)).is_ok_and(&is_such));
        words.map(|index| (self.tokens.list[index].start, self.tokens.list[index].end)).collect()
    }

    /// The first word of `a->b.c`, given its last.
    fn chain(&self, name: usize) -> usize {
        let mut first = name;
        loop {
            let through = if first >= 2 && self.tokens.is(first - 1, b'.') {
                first - 2
            } else if first >= 3
                && self.tokens.is(first - 1, b'>')
                && self.tokens.is(first - 2, b'-')
            {
                first - 3
            } else {
                return first;
            };
            if self.tokens.list[through].kind != TokenKind::Name {
                return first;
            }
            first = through;
        }
    }

    /// Whether a name stands before a bracket, as it does where a function is declared or called.
    pub(crate) fn has_call(&self, name: &str) -> bool {
        let is_name = |index: usize| self.tokens.word(index) == name.as_bytes();
        (0..self.tokens.list.len()).any(|index| is_name(index) && self.tokens.is(index + 1, b'('))
    }

    /// The start of the body of a function.
    pub(crate) fn body(&self, function: &str) -> Option<Site> {
        let (_, open, _) = self.definition(function)?;
        Some(Site::InBlock(self.tokens.list[open].end))
    }

    /// Whether a place is in the definition of a function; where no column is said, whether its line is.
    pub(crate) fn is_inside(&self, place: &WitnessPlace, function: &str) -> bool {
        let Some((name, _, close)) = self.definition(function) else { return false };
        let Some(offset) = self.offset(place) else { return false };
        let line = |index: usize| {
            self.sources.position_at(self.file, self.tokens.list[index].start as u32).line
        };
        match place.column.is_some_and(|column| column > 0) {
            true => {
                offset <= self.tokens.list[close].start && self.tokens.list[name].start <= offset
            }
            false => (line(name)..=line(close)).contains(&place.line),
        }
    }

    /// The name of a function where it is defined, and the braces around its body, by their places in the list.
    fn definition(&self, function: &str) -> Option<(usize, usize, usize)> {
        let mut at = 0;
        while at < self.tokens.list.len() {
            let close = self.tokens.partner(at).filter(|partner| *partner > at);
            if let Some(close) = close {
                let is_named = at > 0 && self.tokens.word(at - 1) == function.as_bytes();
                if self.tokens.is(at, b'(') && is_named && self.tokens.is(close + 1, b'{') {
                    return Some((at - 1, close + 1, self.tokens.partner(close + 1)?));
                }
                at = close;
            }
            at += 1;
        }
        None
    }
}
