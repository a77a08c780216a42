//! Macros that a C text defines, as far as the lines of their definitions say it.

use crate::tokens::{end_of_line, is_word};

/// A line `#define NAME body` or `#define NAME(parameters) body`, with the lines that continue it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition<'a> {
    /// The name of the macro.
    pub name: &'a str,
    /// What stands between the parentheses right behind the name, if there are any.
    pub parameters: Option<&'a str>,
    /// What the macro stands for, as it is written: comments and the ends of continued lines are in it.
    pub body: &'a str,
}

/// The definitions in a text, in its order. Conditions of the preprocessor are not looked at.
pub fn definitions(text: &str) -> impl Iterator<Item = Definition<'_>> {
    // Some editors put a byte order mark before a text.
    let mut rest = text.trim_start_matches('\u{feff}');
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let is_directive = rest.trim_start_matches([' ', '\t']).starts_with('#');
            let end = if is_directive { end_of_line(rest.as_bytes()) } else { line(rest) };
            let (this, next) = rest.split_at(end);
            rest = next.strip_prefix('\n').unwrap_or(next);
            if let Some(found) = Definition::of(this) {
                return Some(found);
            }
        }
        None
    })
}

fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

impl<'a> Definition<'a> {
    /// Reads a line of the preprocessor.
    #[must_use]
    pub fn of(directive: &'a str) -> Option<Self> {
        let rest = directive.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
        let rest = rest.strip_prefix([' ', '\t', '\\'])?.trim_start_matches(is_gap);
        let (name, rest) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        let (parameters, body) = match rest.strip_prefix('(') {
            Some(inside) => {
                let (parameters, body) = inside.split_once(')')?;
                (Some(parameters), body)
            }
            None => (None, rest),
        };
        (!name.is_empty()).then_some(Self { name, parameters, body: body.trim() })
    }

    /// The name of the function, if a macro without parameters stands for a call of this function and for nothing else.
    #[must_use]
    pub fn called(&self) -> Option<String> {
        if self.parameters.is_some() {
            return None;
        }
        let body = plain(self.body);
        let mut call = body.trim();
        while let Some(inner) = call.strip_prefix('(').and_then(closed) {
            call = inner.trim();
        }
        let end = call.find(|c| !is_word(c)).unwrap_or(call.len());
        let (name, arguments) = call.split_at(end);
        let is_name = name.starts_with(|c: char| is_word(c) && !c.is_numeric());
        let is_whole =
            arguments.trim_start().strip_prefix('(').is_some_and(|rest| closed(rest).is_some());
        (is_name && is_whole).then(|| name.to_owned())
    }
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == '\\'
}

/// The text before the parenthesis at the end, if this parenthesis closes an opening one that comes before the text.
fn closed(text: &str) -> Option<&str> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return (at + 1 == text.len()).then(|| &text[..at]),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The body of a macro without comments and ends of lines. Each text in quotes becomes the word `0`.
fn plain(body: &str) -> String {
    let mut plain = String::new();
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '/' if rest.starts_with("//") => rest.len(),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            '"' | '\'' => quoted(rest, c),
            _ => c.len_utf8(),
        };
        plain.push(match c {
            '"' | '\'' => '0',
            '/' if length > 1 => ' ',
            '\\' => ' ',
            c => c,
        });
        rest = &rest[length..];
    }
    plain
}

/// The length of the string or character constant at the beginning of a text.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let end = text[1..].find(|c| {
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_have_names_parameters_and_bodies() {
        let text = "#define N 10\n  # define F(a, b) a \\\n  + b\nint x;\n#define E\n#define M (-1)\n\
                    #defined\n#undef N\n#define BROKEN(a\n";
        let found: Vec<_> =
            definitions(text).map(|found| (found.name, found.parameters, found.body)).collect();
        assert_eq!(
            found,
            [
                ("N", None, "10"),
                ("F", Some("a, b"), "a \\\n  + b"),
                ("E", None, ""),
                ("M", None, "(-1)"),
            ]
        );
    }

    #[test]
    fn macros_that_stand_for_a_call_are_known() {
        for (line, called) in [
            ("#define S exit(0)", Some("exit")),
            ("#define S ((f(a, (b)))) // a call", Some("f")),
            ("#define S \\\n  f(\")\") /* a call */", Some("f")),
            ("#define S ()", None),
            ("#define S (f)(x)", None),
            ("#define S (f()) + (g())", None),
            ("#define S f() + 1", None),
            ("#define S(x) f(x)", None),
            ("#define S (x) x", None),
            ("#define S 1(2)", None),
        ] {
            let found = Definition::of(line).expect("a definition");
            assert_eq!(found.called().as_deref(), called, "{line}");
        }
    }
}
