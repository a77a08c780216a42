//! What a name means at a place of a C text. Only the text is looked at, so the answer is yes only
//! where it is plain.

use base::Span;
use cfa::{FuncId, Program, Scope};
use term::Var;

/// Words after which a name is no declaration.
const NO_TYPES: [&str; 7] = ["return", "else", "case", "goto", "do", "sizeof", "while"];

/// Whether the source name of a variable means this variable where a statement of a function
/// starts, or inside the parentheses behind its keyword.
pub(crate) fn is_visible(program: &Program, var: Var, function: FuncId, place: Span) -> bool {
    let Some(known) = program.cfa.variables.get(var) else { return false };
    let (Some(name), Some(declared)) = (known.source_name.as_deref(), known.span) else {
        return false;
    };
    let name = base_name(name);
    let Some(from) = scope_start(program, var, function, place, declared) else { return false };
    if from >= place.start {
        // Declared by the statement itself, and nothing comes between.
        return true;
    }
    let text = program.sources.text(place.file);
    let between = code(&text[from as usize..place.start as usize]);
    if hidden(&between, name) {
        return false;
    }
    // No other variable of the function may have the name there.
    let others = program.cfa.variables.entries().filter(|(other, known)| {
        let same = known.source_name.as_deref().map(base_name) == Some(name);
        same && *other != var && known.span != Some(declared)
    });
    !others
        .filter(|(_, known)| match known.scope {
            Scope::Local(owner) => owner == function,
            Scope::Global => known.span.is_some_and(|span| owner_of(program, span).is_some()),
            Scope::Address(_) => false,
        })
        .any(|(other, known)| {
            known.span.is_none_or(|span| {
                span.start > declared.start
                    && scope_start(program, other, function, place, span).is_some()
            })
        })
}

/// `&x`, `x.first`, `x[0]`: what is declared is `x`.
fn base_name(name: &str) -> &str {
    let name = name.trim_start_matches('&');
    name.split(['.', '[']).next().unwrap_or(name)
}

/// The function that a place is inside of.
fn owner_of(program: &Program, span: Span) -> Option<FuncId> {
    let functions = program.cfa.functions.entries();
    functions
        .filter_map(|(id, function)| Some((id, function.span?)))
        .find(|(_, whole)| {
            whole.file == span.file && whole.start <= span.start && span.end <= whole.end
        })
        .map(|(id, _)| id)
}

/// From where on other declarations may hide that of a variable, if its scope holds the place.
fn scope_start(
    program: &Program,
    var: Var,
    function: FuncId,
    place: Span,
    declared: Span,
) -> Option<u32> {
    if declared.file != place.file {
        return None;
    }
    let text = program.sources.text(place.file);
    let local = match program.cfa.variables[var].scope {
        Scope::Local(owner) => (owner == function).then_some(true)?,
        Scope::Global => match owner_of(program, declared) {
            Some(owner) => (owner == function).then_some(true)?,
            None => false,
        },
        Scope::Address(_) => return None,
    };
    if !local {
        let start = program.cfa.functions[function].span?.start;
        return (declared.end <= start && start <= place.start).then_some(start);
    }
    if declared.start > place.start {
        // In the head of the loop itself: `for (int i = 0; …)`.
        let head = code(&text[place.start as usize..declared.start as usize]);
        let inner = head.trim_start().strip_prefix("for")?.trim_start().strip_prefix('(')?;
        return (!inner.contains([';', ')', '{', '}', ','])).then_some(declared.start);
    }
    if declared.end > place.start {
        return None;
    }
    let between = code(&text[declared.end as usize..place.start as usize]);
    let parameter = program.cfa.functions[function].parameters.contains(&var);
    holds_until_end(&between, parameter).then_some(declared.end)
}

/// Whether a scope that is open at the start of a text is still open at its end.
fn holds_until_end(text: &str, parameter: bool) -> bool {
    let (mut blocks, mut parentheses) = (0_i32, 0_i32);
    for (index, c) in text.char_indices() {
        match c {
            '{' => blocks += 1,
            '}' => blocks -= 1,
            '(' => parentheses += 1,
            ')' => parentheses -= 1,
            _ => {}
        }
        if blocks < 0 {
            return false;
        }
        if parentheses < 0 {
            if parameter {
                // The body follows, and the place is in it.
                return true;
            }
            // The head of a loop: the scope is the block or the statement that follows.
            return match text[index + 1..].trim_start().strip_prefix('{') {
                Some(body) => holds_until_end(body, true),
                None => is_one_statement(&text[index + 1..]),
            };
        }
    }
    true
}

/// Whether a statement that starts with a text has not ended where the text does.
fn is_one_statement(text: &str) -> bool {
    let (mut blocks, mut parentheses) = (0_i32, 0_i32);
    for c in text.chars() {
        match c {
            '{' => blocks += 1,
            '}' => blocks -= 1,
            '(' => parentheses += 1,
            ')' => parentheses -= 1,
            ';' if blocks == 0 && parentheses == 0 => return false,
            _ => {}
        }
        if blocks < 0 || parentheses < 0 || (c == '}' && blocks == 0) {
            return false;
        }
    }
    true
}

/// Whether a text seems to declare a name in a block that is open at its end.
fn hidden(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(word)
            && !after.starts_with(word)
            && is_declaration(before)
            && holds_until_end(after, false)
    })
}

/// Whether a name after this text would be declared by it.
fn is_declaration(before: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = before.trim_end();
    if before.ends_with(',') {
        return true;
    }
    let pointed = before.trim_end_matches(|c: char| c == '*' || c.is_whitespace());
    let rest = pointed.trim_end_matches(word);
    let ty = &pointed[rest.len()..];
    if ty.is_empty() || NO_TYPES.contains(&ty) {
        return false;
    }
    if pointed.len() == before.len() {
        return true;
    }
    // `T *x` declares, `a = b * x` does not.
    let rest = rest.trim_end();
    let earlier = &rest[rest.trim_end_matches(word).len()..];
    rest.is_empty()
        || rest.ends_with([';', '{', '}', '(', ',', ')'])
        || (!earlier.is_empty() && !NO_TYPES.contains(&earlier))
}

/// A text without comments and literals.
fn code(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut code = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest[2..].find("*/").map_or("", |end| &rest[end + 4..]);
            code.push(' ');
        } else if c == '"' || c == '\'' {
            code.push('0');
            let mut escaped = false;
            let end = rest[1..].find(|each| {
                let ends = each == c && !escaped;
                escaped = each == '\\' && !escaped;
                ends
            });
            rest = end.map_or("", |end| &rest[end + 2..]);
        } else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_end_with_their_blocks() {
        for (text, parameter, holds) in [
            ("; x = 1; ", false, true),
            ("; } ", false, false),
            ("; { int y; } ", false, true),
            ("; i < n; i++) { ", false, true),
            ("; i < n; i++) { f(); } ", false, false),
            ("; i < n; i++) s += i; ", false, false),
            ("; i < n; i++) s += ", false, true),
            ("; i < n; i++) for (j = 0; j < i; j++) ", false, true),
            ("; i < n; i++) if (c) { s++; ", false, true),
            ("; i < n; i++) if (c) { s++; } ", false, false),
            (", int n) { ", true, true),
        ] {
            assert_eq!(holds_until_end(text, parameter), holds, "{text}");
        }
    }

    #[test]
    fn declarations_hide_names_in_open_blocks() {
        for (text, is_hidden) in [
            ("{ int x; ", true),
            ("{ { int x; } ", false),
            ("{ T *x; ", true),
            ("{ int a, x; ", true),
            ("{ struct s const *x = 0; ", true),
            ("{ y = x; ", false),
            ("{ y = z * x; ", false),
            ("{ return x; ", false),
            ("{ int xx; int ax; ", false),
            ("(char x) { ", true),
        ] {
            assert_eq!(hidden(text, "x"), is_hidden, "{text}");
        }
    }

    #[test]
    fn comments_and_literals_are_no_code() {
        assert_eq!(code(b"a /* { */ b // }\nc \"}\\\"\" '{' d"), "a   b \nc 0 0 d");
    }
}
