//! Macros of a program that assert something. What the error says of the macro's arguments depends on the body of the
//! macro, since a program may give its macros any name.

use std::cell::OnceCell;

use base::Definition;
use cfa::{LocId, Program};
use rustc_hash::FxHashMap;

use crate::tokens;

/// Functions whose first argument is the asserted condition. The program's own function of such a name counts, too,
/// unless the error is a call in its body.
pub(crate) const ASSERTIONS: [&str; 4] =
    ["assert", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert"];

/// What the macro `assert` calls in preprocessed programs, with the text of the assertion.
pub(crate) const ASSERT_FAIL: &str = "__assert_fail";

/// Whether the argument of an assertion with a name does not hold where an error is reached. A function or a macro of the
/// model of the library is what its name says; a macro of the program has to be read.
pub(crate) fn fails_its_argument(macros: &Macros<'_>, name: &str, error: LocId) -> bool {
    let program = macros.program;
    let called = program.cfa.forbidden.get(&error).map(|called| &**called);
    let Some(reached) = called.or(program.cfa.locations[error].name.as_deref()) else {
        return true;
    };
    if reached == name {
        return true;
    }
    let found = macros.named(name).iter();
    let mut found = found.filter(|found| !is_nothing(found)).peekable();
    match found.peek() {
        Some(_) => found.all(|found| is_plain(found) || fails_where_false(found, reached)),
        None => reached == ASSERT_FAIL,
    }
}

/// Whether a macro of the program is another name of an assertion, or asserts its first argument and does nothing else.
pub(crate) fn stands_for_assertion(macros: &Macros<'_>, name: &str) -> bool {
    let found = macros.named(name);
    !found.is_empty() && found.iter().all(is_plain)
}

/// The macros that the text of a program itself defines. The text is read when the first question comes, and only once.
pub(crate) struct Macros<'p> {
    pub(crate) program: &'p Program,
    by_name: OnceCell<FxHashMap<&'p str, Vec<Definition<'p>>>>,
}

impl<'p> Macros<'p> {
    pub(crate) fn of(program: &'p Program) -> Self {
        Self { program, by_name: OnceCell::new() }
    }

    /// The definitions of a macro.
    fn named(&self, name: &str) -> &[Definition<'p>] {
        let known = self.by_name.get_or_init(|| {
            let sources = &self.program.sources;
            let files = sources.files().filter(|file| !sources.is_borrowed(*file));
            let texts = files.filter_map(|file| str::from_utf8(sources.text(file)).ok());
            let mut known: FxHashMap<&str, Vec<Definition<'_>>> = FxHashMap::default();
            for found in texts.flat_map(base::definitions) {
                known.entry(found.name).or_default().push(found);
            }
            known
        });
        known.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The words of the body of a macro, without the backslashes that end continued lines.
fn words<'a>(found: &Definition<'a>) -> Vec<&'a str> {
    let words = tokens::tokens(found.body).into_iter().map(|token| token.text);
    words.filter(|word| *word != "\\").collect()
}

fn first_parameter<'a>(found: &Definition<'a>) -> Option<&'a str> {
    let first = found.parameters?.split(',').next()?.trim();
    (!first.is_empty()).then_some(first)
}

/// Whether a macro has nothing checked, as under `NDEBUG`.
fn is_nothing(found: &Definition<'_>) -> bool {
    words(found).iter().all(|word| matches!(*word, "(" | ")" | "void" | "0"))
}

fn is_plain(found: &Definition<'_>) -> bool {
    // A semicolon at the end does nothing.
    let words: Vec<&str> = words(found).into_iter().filter(|word| *word != ";").collect();
    if found.parameters.is_none() {
        return matches!(words[..], [name] if ASSERTIONS.contains(&name));
    }
    match words[..] {
        [name, "(", inside, ")"] | [name, "(", "(", inside, ")", ")"] => {
            ASSERTIONS.contains(&name) && Some(inside) == first_parameter(found)
        }
        _ => false,
    }
}

/// Whether the body of a macro calls a function (or has a label) only where the first argument does not hold. Bodies of
/// four kinds are understood: `if (!(x)) f();`, `if (x) ; else f();`, `(x) ? 0 : f()` and `(x) || f()`, with anything in
/// front that does not branch.
fn fails_where_false(found: &Definition<'_>, called: &str) -> bool {
    let words = words(found);
    let Some(parameter) = first_parameter(found) else { return false };
    let is_text = |at: usize| at > 0 && words[at - 1] == "#";
    let uses = (0..words.len()).filter(|at| words[*at] == parameter && !is_text(*at));
    let calls = (0..words.len()).filter(|at| words[*at] == called);
    let ([at], [call]) = (&uses.collect::<Vec<_>>()[..], &calls.collect::<Vec<_>>()[..]) else {
        return false;
    };
    if call < at {
        return false;
    }
    let (before, between) = (&words[..*at], &words[at + 1..*call]);
    // The argument may be any expression, so it must stand in parentheses: those of the `if`, or its own.
    let Some(("(", before)) = before.split_last().map(|(last, rest)| (*last, rest)) else {
        return false;
    };
    let Some((")", between)) = between.split_first().map(|(first, rest)| (*first, rest)) else {
        return false;
    };
    let is_straight = |words: &[&str]| {
        let branches = ["if", "else", "while", "for", "switch", "?", ":", "&&", "||", "!"];
        !words.iter().any(|word| branches.contains(word))
    };
    if let [front @ .., "if", "(", "!"] = before {
        let body = between.strip_prefix(&[")"]);
        return is_straight(front) && body.is_some_and(is_inside);
    }
    if let [front @ .., "if"] = before {
        let other = [&[";", "else"][..], &["{", "}", "else"]];
        let body = other.iter().find_map(|empty| between.strip_prefix(*empty));
        return is_straight(front) && body.is_some_and(is_inside);
    }
    let is_front = before.iter().all(|word| matches!(*word, "(" | ")" | "void"));
    match between {
        ["||", rest @ ..] => is_front && is_straight(rest),
        ["?", rest @ ..] => {
            let other = rest.iter().position(|word| *word == ":");
            is_front
                && other.is_some_and(|at| is_straight(&rest[..at]) && is_straight(&rest[at + 1..]))
        }
        _ => false,
    }
}

/// Whether what follows some words belongs to the statement that they begin with.
fn is_inside(words: &[&str]) -> bool {
    match words {
        ["{", rest @ ..] => {
            let mut depth = 1_u32;
            rest.iter().all(|word| {
                match *word {
                    "{" => depth += 1,
                    "}" => depth -= 1,
                    _ => {}
                }
                depth > 0
            })
        }
        _ => !words.contains(&";"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Definition<'_> {
        Definition::of(line).expect("a definition")
    }

    #[test]
    fn macros_that_assert_their_first_argument_and_nothing_else_are_known() {
        for (line, expected) in [
            ("#define A assert", true),
            ("#define A(x) assert(x)", true),
            ("#define A(x, text) \\\n  assert((x)) // text", true),
            ("#define A(x, y) assert(y)", false),
            ("#define A(p) assert((p)->v > 0)", false),
            ("#define A(x) do { assert(x); } while (0)", false),
            ("#define A() assert(x)", false),
            ("#define A assert(x)", false),
            ("#define A(x) f(x)", false),
            ("#define A(x) assert(x);", true),
        ] {
            assert_eq!(is_plain(&of(line)), expected, "{line}");
        }
    }

    #[test]
    fn bodies_say_whether_the_argument_fails() {
        for (body, expected) in [
            ("if (!(x)) f()", true),
            ("do { if (!(x)) { log(#x); f(); } } while (0)", true),
            ("{ if (!(x)) { goto f; f: abort(); } }", false),
            ("{ if (!(x)) { f: abort(); } }", true),
            ("((x) ? (void)0 : f(#x, __FILE__))", true),
            ("((void)((x) || (f(), 0)))", true),
            ("if (x) ; else f()", true),
            ("if (x) {} else { f(); }", true),
            // What holds where the function is called.
            ("if (x) f()", false),
            ("if (x) { f(); }", false),
            ("((x) ? f() : (void)0)", false),
            ("((x) && (f(), 0))", false),
            // Calls besides the condition, and conditions that are more than the argument.
            ("if (!(x)) log(); f()", false),
            ("if (!(x)) { log(); } f()", false),
            ("if (!(x) && y) f()", false),
            ("if (y) ; else if (!(x)) f()", false),
            ("if (!(x)) f(); else f()", false),
            ("if (!x) f()", false),
            ("x || f()", false),
            ("f(), (x)", false),
            ("check(x)", false),
        ] {
            let line = format!("#define A(x) {body}");
            assert_eq!(fails_where_false(&of(&line), "f"), expected, "{line}");
        }
    }
}
