//! What the text of a program says about a step of the model: which place is assigned, which
//! branch is taken, where a call ends. Where the text is not plain enough, nothing is said.

use std::borrow::Cow;

use base::tokens::{TokenKind, is_word, is_word_byte};
use base::{FileId, Position, Span};
use cfa::{EdgeId, Program};
use partial::spc::unmatched_parentheses;
use rustc_hash::FxHashMap;

use crate::asserting::{ASSERT_FAIL, ASSERTIONS, Macros, fails_its_argument, stands_for_assertion};
use crate::tokens::{self, in_one_line};

/// Whether a place is in a text that the program only borrows, such as a model of the C library.
pub(crate) fn is_borrowed(program: &Program, file: FileId) -> bool {
    program.sources.is_borrowed(file)
}

/// The name of a file without its folders.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The text of a span.
pub(crate) fn text(program: &Program, span: Span) -> &str {
    std::str::from_utf8(program.sources.slice(span)).unwrap_or("")
}

/// This many bytes of a line before and behind a column are looked at: a whole program may stand in one line.
const NEAR: usize = 1000;

/// What is near a column of a line, before it and from it on.
pub(crate) fn around(line: &[u8], column: u32) -> (&[u8], &[u8]) {
    let before = (column as usize).saturating_sub(1);
    let at = match line.get(..before) {
        Some(before) if before.is_ascii() => before.len(),
        _ => {
            let mut starts = (0..line.len()).filter(|at| starts_character(line[*at]));
            starts.nth(before).unwrap_or(line.len())
        }
    };
    let (mut start, mut end) = (at.saturating_sub(NEAR), (at + NEAR).min(line.len()));
    while start > 0 && start < at && !starts_character(line[start]) {
        start += 1;
    }
    while end < line.len() && !starts_character(line[end]) {
        end += 1;
    }
    (&line[start..at], &line[at..end])
}

/// Whether a byte of a text is the first one of a character.
fn starts_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// Whether an input function gives characters.
pub(crate) fn is_character(function: &str) -> bool {
    matches!(function, "__VERIFIER_nondet_char" | "nondet_char")
}

/// The left side of an assignment, or the operand of `++` and `--`.
pub(crate) fn assigned(statement: &str) -> Option<&str> {
    let statement = statement.trim().trim_end_matches(';').trim_end();
    for step in ["++", "--"] {
        let operand = statement.strip_prefix(step).or_else(|| statement.strip_suffix(step));
        if let Some(operand) = operand {
            return Some(operand.trim()).filter(|operand| is_place(operand));
        }
    }
    let bytes = statement.as_bytes();
    let mut depth = 0_u32;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.checked_sub(1)?,
            b'"' | b'\'' | b'{' | b'?' => return None,
            b'=' if depth == 0 => {
                let compared = bytes.get(at + 1) == Some(&b'=')
                    || matches!(bytes[..at].last(), Some(b'=' | b'!'))
                    || matches!(bytes[..at], [.., a, b'<' | b'>'] if !matches!(a, b'<' | b'>'));
                if compared {
                    return None;
                }
                let left = statement[..at].trim_end_matches(is_operator);
                return Some(left.trim()).filter(|left| is_place(left));
            }
            _ => {}
        }
    }
    None
}

fn is_operator(c: char) -> bool {
    "+-*/%&|^<>".contains(c)
}

/// Whether a text can be shown as the name of something that holds a value: `p->next[i].x`, `*p`,
/// but not `int x`.
fn is_place(text: &str) -> bool {
    let mut before = ' ';
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = true;
            continue;
        }
        if gap && is_word(before) && is_word(c) {
            return false;
        }
        (gap, before) = (false, c);
    }
    !text.is_empty() && text.len() <= 40
}

/// The keyword of the `if` or of the loop that stands at a place; none where a macro stands for the statement.
pub(crate) fn keyword_at(program: &Program, statement: Span) -> Option<&str> {
    let text = program.sources.slice(statement);
    let length = text.iter().take_while(|byte| is_word_byte(**byte)).count();
    let keyword = std::str::from_utf8(&text[..length]).ok()?;
    let is_own = !is_borrowed(program, statement.file);
    (is_own && matches!(keyword, "if" | "while" | "for" | "do")).then_some(keyword)
}

/// The `if` that an edge decides, and whether its condition holds.
pub(crate) fn branch(program: &Program, edge: EdgeId) -> Option<(Span, bool)> {
    let decided = program.cfa.decisions.get(&edge)?;
    let is_if = keyword_at(program, decided.statement) == Some("if");
    is_if.then_some((decided.statement, decided.holds))
}

/// The longest condition that is shown beside its line, in letters.
const CONDITION: usize = 40;

/// The condition that an edge decides, if it is hard to find in its line: the line starts with something else than
/// the statement of the condition, or has another statement with a condition.
pub(crate) fn hard_to_find(program: &Program, edge: EdgeId) -> Option<String> {
    let statement = program.cfa.decisions.get(&edge)?.statement;
    let at = program.sources.position(statement);
    let (start, line) = program.sources.line(statement.file, at.line)?;
    let line = std::str::from_utf8(line).ok()?;
    let here = (statement.start.checked_sub(start)?) as usize;
    let is_first = line.get(..here)?.split_whitespace().all(|word| matches!(word, "}" | "else"));
    let words = tokens::tokens(line);
    let deciding = words.iter().filter(|word| matches!(word.text, "if" | "while" | "for")).count();
    if is_first && deciding < 2 {
        return None;
    }
    let text = program.sources.text(statement.file).get(statement.start as usize..)?;
    // A condition that is shown is short, so the beginning of the text is enough.
    let text = text.get(..4 * CONDITION * CONDITION).unwrap_or(text);
    let text = String::from_utf8_lossy(text);
    let words = tokens::tokens(&text);
    let is_for = words.first()?.text == "for";
    let (mut depth, mut from) = (0_usize, None);
    for word in words.iter().skip(1) {
        match (word.text, depth) {
            ("(", 0) => (depth, from) = (1, (!is_for).then_some(word.at + 1)),
            (_, 0) => return None,
            ("(", _) => depth += 1,
            (")", 1) => return shown_condition(&text[from?..word.at]),
            (")", _) => depth -= 1,
            (";", 1) => match from {
                Some(from) => return shown_condition(&text[from..word.at]),
                None => from = Some(word.at + 1),
            },
            _ => {}
        }
    }
    None
}

/// A condition in one line, if it is one and not too long.
fn shown_condition(text: &str) -> Option<String> {
    let text = in_one_line(text);
    (!text.is_empty() && text.chars().count() <= CONDITION).then_some(text)
}

/// The keyword of the statement in whose parentheses the text ends: `if (`, `while (`, `switch (`, `for (…;`.
pub(crate) fn keyword(before: &str) -> Option<&str> {
    let mut open = before.len().checked_sub(1)?;
    let second = before.ends_with(';');
    if second {
        let mut depth = 0_u32;
        open = before.bytes().enumerate().rev().find_map(|(at, byte)| {
            match byte {
                b')' => depth += 1,
                b'(' if depth == 0 => return Some(Some(at)),
                b'(' => depth -= 1,
                b'{' | b'}' => return Some(None),
                _ => {}
            }
            None
        })??;
    }
    let before = before[..=open].strip_suffix('(')?.trim_end();
    let found = &before[before.trim_end_matches(is_word).len()..];
    let fits = if second { found == "for" } else { matches!(found, "if" | "while" | "switch") };
    fits.then_some(found)
}

/// The text of a span with the parentheses that close it: the span of a negation ends with what is
/// inside of them.
pub(crate) fn closed(program: &Program, span: Span) -> &str {
    let inside = text(program, span);
    let (closed, open) = unmatched_parentheses(inside.as_bytes());
    let missing = open.saturating_sub(closed);
    let whole = program.sources.text(span.file);
    let mut end = span.end as usize;
    for _ in 0..missing {
        let space = whole[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if whole.get(end + space) != Some(&b')') {
            return inside;
        }
        end += space + 1;
    }
    std::str::from_utf8(&whole[span.start as usize..end]).unwrap_or(inside)
}

/// The text of a span with the parentheses around its first and last part: the span of an expression begins and
/// ends inside of them.
pub(crate) fn balanced(program: &Program, span: Span) -> &str {
    let whole = program.sources.text(span.file);
    let inside = closed(program, span);
    let (missing, depth) = unmatched_parentheses(inside.as_bytes());
    let mut start = span.start as usize;
    let mut end = start + inside.len();
    let is_space = |byte: &&u8| byte.is_ascii_whitespace();
    for _ in 0..missing {
        start -= whole[..start].iter().rev().take_while(is_space).count();
        match start.checked_sub(1).filter(|before| whole[*before] == b'(') {
            Some(before) => start = before,
            None => return inside,
        }
    }
    for _ in 0..depth {
        end += whole[end..].iter().take_while(is_space).count();
        if whole.get(end) != Some(&b')') {
            return inside;
        }
        end += 1;
    }
    std::str::from_utf8(&whole[start..end]).unwrap_or(inside)
}

/// The closing parenthesis of a call of the function `name`, if the text of a span is such a call.
pub(crate) fn call_end(program: &Program, span: Span, name: &str) -> Option<Position> {
    let arguments = text(program, span).strip_prefix(name)?.trim_start();
    let is_call = arguments.starts_with('(') && arguments.ends_with(')');
    is_call.then(|| program.sources.position_at(span.file, span.end - 1))
}

/// Where the use of a macro stands, if the text of a span is one that stands for a call of a function and nothing else.
pub(crate) fn hidden_call(
    program: &Program,
    span: Span,
    name: &str,
    hiding: &FxHashMap<&str, String>,
) -> Option<Position> {
    let called = hiding.get(text(program, span)).filter(|called| *called == name);
    called.map(|_| program.sources.position(span))
}

/// The macros of a program that stand for a call of a function and nothing else, each with that function.
pub(crate) fn hiding_macros(program: &Program) -> FxHashMap<&str, String> {
    let files = program.sources.files().filter(|file| !is_borrowed(program, *file));
    let texts = files.filter_map(|file| str::from_utf8(program.sources.text(file)).ok());
    let found = texts.flat_map(base::definitions);
    found.filter_map(|found| Some((found.name, found.called()?))).collect()
}

/// The place of a check or an error: that of a macro is its name together with its arguments.
pub(crate) fn whole_use(program: &Program, span: Span) -> Span {
    let is_use = macro_use(program, span).is_some();
    with_arguments(program, span).filter(|_| is_use).unwrap_or(span)
}

/// The span of the name of a macro together with its arguments.
pub(crate) fn with_arguments(program: &Program, span: Span) -> Option<Span> {
    let after = in_place(bytes(program, span.file, span.end));
    let end = span.end + u32::try_from(arguments_end(&after)?).ok()?;
    Some(Span::new(span.file, span.start, end))
}

/// Where the arguments of a macro end that a text begins with.
fn arguments_end(after: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for token in tokens::read(after) {
        match token.text {
            "(" => depth += 1,
            ")" if depth == 1 => return Some(token.at + 1),
            ")" => depth = depth.checked_sub(1)?,
            _ if depth == 0 || token.kind == TokenKind::Unended => return None,
            _ => {}
        }
    }
    None
}

/// The span of a declared name together with what it is initialised with: `x = f(1)`.
pub(crate) fn with_initialiser(program: &Program, span: Span) -> Option<Span> {
    let after = rest(program, span.file, span.end);
    let value = after.trim_start().strip_prefix('=').filter(|rest| !rest.starts_with('='))?;
    let start = after.len() - value.len();
    let mut depth = 0_u32;
    for (at, c) in value.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            ',' | ';' if depth == 0 => {
                let end = span.end + u32::try_from(start + at).ok()?;
                return Some(Span::new(span.file, span.start, end));
            }
            '"' | '\'' | '{' | '}' => return None,
            _ => {}
        }
    }
    None
}

/// Where the statement starts that an edge is the first part of: an expression statement, a jump,
/// or an `if` or a loop by its keyword.
pub(crate) fn statement(program: &Program, edge: EdgeId) -> Option<Span> {
    let span = program.cfa.edges[edge].span?;
    if let Some((statement, _)) = branch(program, edge) {
        return Some(statement);
    }
    let before = program.sources.text(span.file).get(..span.start as usize)?;
    matches!(before.trim_ascii_end().last(), Some(b';' | b'{' | b'}')).then_some(span)
}

/// Where the first statement in the body of a loop with `do` starts, if executions reach this statement only by a new
/// round: it must not be a label, and not another loop, since the rounds of that loop would pass the place, too.
pub(crate) fn first_of_body(text: &str) -> Option<usize> {
    let tokens = tokens::tokens(text);
    // A second `do` at the beginning of the body is another loop, too.
    let mut tokens = tokens.iter().skip(1).skip_while(|token| token.text == "{");
    let (first, second) = (tokens.next()?, tokens.next()?);
    let is_loop = matches!(first.text, "while" | "for" | "do" | "case" | "default" | "}" | ";");
    (!is_loop && second.text != ":" && first.is_word()).then_some(first.at)
}

/// What is reached: the name of the function that is called at the error, or of the label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target<'a> {
    Call(&'a str),
    Label(&'a str),
}

/// The target that the text shows at an error location. If the text has a macro there, the target is the called
/// function; only for an assertion whose argument does not hold is it the macro, which is the name that people know.
pub(crate) fn target<'p>(macros: &Macros<'p>, error: cfa::LocId) -> Option<Target<'p>> {
    let program = macros.program;
    match (written(program, error), called(program, error)) {
        (Some(Target::Call(name)), _)
            if ASSERTIONS.contains(&name) && fails_its_argument(macros, name, error) =>
        {
            Some(Target::Call(name))
        }
        (_, Some(name)) => Some(Target::Call(name)),
        (written, None) => written,
    }
}

/// The function whose call is the error.
pub(crate) fn called(program: &Program, error: cfa::LocId) -> Option<&str> {
    program.cfa.forbidden.get(&error).map(|name| &**name)
}

fn written(program: &Program, error: cfa::LocId) -> Option<Target<'_>> {
    let location = &program.cfa.locations[error];
    at(program, location.span.filter(|_| location.fault.is_none())?)
}

/// What the text at a place calls, or the label there.
pub(crate) fn at(program: &Program, span: Span) -> Option<Target<'_>> {
    let text = from(program, span);
    let name = &text[..text.find(|c| !is_word(c)).unwrap_or(text.len())];
    match text[name.len()..].trim_start().chars().next() {
        _ if name.is_empty() => None,
        Some('(') => Some(Target::Call(name)),
        Some(':') => Some(Target::Label(name)),
        _ => None,
    }
}

/// The text of a file from the start of a span on: the span of a macro is its name alone.
fn from(program: &Program, span: Span) -> &str {
    rest(program, span.file, span.start).trim_start()
}

/// At most this many bytes behind a place are looked at: a statement is shorter, and a file may be long.
const LONGEST: usize = 1 << 16;

/// The text of a file from an offset on, as far as it is text and near.
fn rest(program: &Program, file: FileId, offset: u32) -> &str {
    let rest = bytes(program, file, offset);
    // What is behind a byte that is no text is not looked at.
    match std::str::from_utf8(rest) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// The bytes of a file from an offset on, as far as they are near the offset. They need not be UTF-8.
fn bytes(program: &Program, file: FileId, offset: u32) -> &[u8] {
    let rest = program.sources.text(file).get(offset as usize..).unwrap_or_default();
    &rest[..rest.len().min(LONGEST)]
}

/// A text with a question mark in place of each byte that is no UTF-8: everything else is at the same offset as before.
fn in_place(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let mut text = String::with_capacity(bytes.len());
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|_| '?'));
            }
            Cow::Owned(text)
        }
    }
}

/// What the text tells of an assertion, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Assertion {
    /// What must hold.
    Condition(String),
    /// The use of a macro of the program, with its arguments: what must hold is in the body of the macro.
    Use(String),
}

impl Assertion {
    pub(crate) fn text(&self) -> &str {
        let (Self::Condition(text) | Self::Use(text)) = self;
        text
    }
}

/// The assertion at an error, if the error is that of an assertion: the text between its parentheses without a
/// message at the end, or the use of a macro that asserts something else than its argument.
pub(crate) fn assertion(macros: &Macros<'_>, error: cfa::LocId) -> Option<Assertion> {
    let program = macros.program;
    let Some(Target::Call(name)) = target(macros, error) else { return None };
    if !(ASSERTIONS.contains(&name) || name == ASSERT_FAIL) {
        return None;
    }
    let span = program.cfa.locations[error].span?;
    let text = String::from_utf8_lossy(bytes(program, span.file, span.start));
    let text = text.trim_start();
    let written = &text[..text.find(|c| !is_word(c)).unwrap_or(text.len())];
    let is_known = ASSERTIONS.contains(&written) || written == ASSERT_FAIL;
    if !is_known
        && let Some(used) = macro_use(program, span)
        && !stands_for_assertion(macros, written)
    {
        return Some(Assertion::Use(used));
    }
    let inside = text[written.len()..].trim_start().strip_prefix('(')?;
    let end = argument_end(inside)?;
    let said = match written {
        ASSERT_FAIL => unquoted(&inside[..end])?,
        _ => inside[..end].to_owned(),
    };
    Some(in_one_line(&said)).filter(|text| !text.is_empty()).map(Assertion::Condition)
}

/// The use of a macro with its arguments, as it is written but in one line, if the text of a span is the name of a macro: all
/// that a macro stands for is where its name is. Of macros in macros it is the one that the program names.
pub(crate) fn macro_use(program: &Program, span: Span) -> Option<String> {
    let name = text(program, span);
    let is_name =
        name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(is_word);
    // A function may have the place of its name, too.
    let is_declared = || program.cfa.functions.iter().any(|known| known.span == Some(span));
    let whole = || with_arguments(program, span).unwrap_or(span);
    let used = || String::from_utf8_lossy(program.sources.slice(whole()));
    (is_name && !is_declared()).then(|| in_one_line(&used()))
}

/// The text of a string literal of C, if it is one and has no other escapes than those of quotes.
fn unquoted(literal: &str) -> Option<String> {
    let mut inside = literal.trim().strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut text = String::new();
    while let Some(c) = inside.next() {
        match c {
            '\\' => text.push(inside.next().filter(|c| matches!(c, '"' | '\'' | '\\'))?),
            '"' => return None,
            _ => text.push(c),
        }
    }
    Some(text)
}

/// Where the first of the arguments ends that a text begins with.
fn argument_end(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for token in tokens::read(text) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "," if depth == 0 => return Some(token.at),
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_with_quotes_is_the_text_of_an_assertion() {
        assert_eq!(unquoted(r#" "x > 2" "#).as_deref(), Some("x > 2"));
        assert_eq!(unquoted(r#""c == '\"'""#).as_deref(), Some("c == '\"'"));
        for other in [r#""a" "b""#, "message", r#""\x41""#, "\""] {
            assert_eq!(unquoted(other), None, "{other}");
        }
    }

    #[test]
    fn letters_before_a_bracket_are_no_keyword() {
        for (before, word) in [("if (", Some("if")), ("范围(", None), ("é if (", Some("if"))] {
            assert_eq!(keyword(before), word, "{before}");
        }
    }

    #[test]
    fn what_is_near_a_column_is_all_of_a_short_line() {
        for (line, column, before) in [
            ("x = y;", 1, ""),
            ("x = y;", 5, "x = "),
            ("ü = é;", 5, "ü = "),
            ("x", 9, "x"),
            ("", 0, ""),
        ] {
            let (known, behind) = around(line.as_bytes(), column);
            assert_eq!(
                (known, [known, behind].concat()),
                (before.as_bytes(), line.as_bytes().to_vec())
            );
        }
        let long = "é".repeat(5_000);
        let (before, behind) = around(long.as_bytes(), 2_501);
        assert_eq!([before, behind], ["é".repeat(500).as_bytes(); 2]);
    }

    #[test]
    fn the_first_argument_ends_before_a_comma_outside_of_brackets_and_quotes() {
        for (text, argument) in [
            ("x > 1)", Some("x > 1")),
            ("f(a, b), \"text\")", Some("f(a, b)")),
            ("c == ')' && d[g(1, 2)])", Some("c == ')' && d[g(1, 2)]")),
            ("x == 1'000'000, 2)", Some("x == 1'000'000")),
            ("c == L',')", Some("c == L','")),
            ("é'a')", Some("é'a'")),
            ("x /* , */ > 1 // it's\n, 2)", Some("x /* , */ > 1 // it's\n")),
            ("x > 1", None),
        ] {
            assert_eq!(argument_end(text).map(|end| &text[..end]), argument, "{text}");
        }
    }

    #[test]
    fn the_arguments_of_a_macro_end_with_their_parenthesis() {
        for (text, arguments) in [
            ("(&z);", Some("(&z)")),
            (" (n, f(a, (b)),\n 10) + 1", Some(" (n, f(a, (b)),\n 10)")),
            ("(c, \")\", ')', '\\'');", Some("(c, \")\", ')', '\\'')")),
            ("(x /* isn't ) */ > 1'000 // :)\n);", Some("(x /* isn't ) */ > 1'000 // :)\n)")),
            ("();", Some("()")),
            ("; f(x)", None),
            (") f(x)", None),
            ("(x", None),
            ("(\"x)\n\")", None),
            ("(\"x)\\\n \", 1);", Some("(\"x)\\\n \", 1)")),
            ("('\\\r\na');", Some("('\\\r\na')")),
        ] {
            assert_eq!(arguments_end(text).map(|end| &text[..end]), arguments, "{text}");
        }
    }

    #[test]
    fn the_left_side_of_an_assignment_is_found() {
        for (statement, place) in [
            ("x = 1", Some("x")),
            ("a[i] += f(x = 2);", Some("a[i]")),
            ("p->next->value <<= 1", Some("p->next->value")),
            ("*p = *q", Some("*p")),
            ("i++", Some("i")),
            ("--s.count;", Some("s.count")),
            ("int x = 3", None),
            ("a == b", None),
            ("a <= b", None),
            ("a >= b ? c : d", None),
            ("f(x)", None),
            ("struct s v = { 1 }", None),
        ] {
            assert_eq!(assigned(statement), place, "{statement}");
        }
    }

    #[test]
    fn the_body_of_a_loop_with_do_starts_with_a_statement() {
        for (text, first) in [
            ("do { x++; } while (x < 3);", Some("x++")),
            ("do\n  /* first */ f(x); while (g());", Some("f(x)")),
            ("do { int y = x; } while (x);", Some("int y")),
            ("do { again: x++; } while (x);", None),
            ("do { while (y) y--; } while (x);", None),
            ("do { } while (x);", None),
            ("do ; while (x);", None),
        ] {
            let found = first_of_body(text);
            assert_eq!(found.is_some(), first.is_some(), "{text}");
            assert!(found.is_none_or(|at| text[at..].starts_with(first.unwrap_or(""))), "{text}");
        }
    }
}
