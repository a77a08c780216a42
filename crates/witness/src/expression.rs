//! Expressions of C in a witness: what they may be.

use std::collections::BTreeMap;
use std::ops::Range;

use base::tokens::TokenKind;

use crate::tokens::Tokens;

/// The longest expression that is read.
const MOST_BYTES: usize = 100_000;

/// Why an expression is not used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unfit {
    /// The text is no expression of C without effects.
    Wrong(&'static str),
    /// The expression is of a kind that is not read.
    Unread(&'static str),
}

/// Looks at an expression before it is put into the program: it must be one expression, and must change nothing.
pub(crate) fn check(text: &str) -> Result<(), Unfit> {
    if text.len() > MOST_BYTES {
        return Err(Unfit::Unread("an expression is too long"));
    }
    let tokens = Tokens::of(text.as_bytes());
    if tokens.list.is_empty() {
        return Err(Unfit::Wrong("an expression is empty"));
    }
    if text.contains("/*") || text.contains("//") || text.contains(['\n', '#']) {
        return Err(Unfit::Wrong("an expression has a comment, a line break or a directive in it"));
    }
    for index in 0..tokens.list.len() {
        sign(&tokens, index)?;
    }
    Ok(())
}

fn sign(tokens: &Tokens<'_>, index: usize) -> Result<(), Unfit> {
    let token = tokens.list[index];
    let follows = |sign| tokens.is(index + 1, sign) && tokens.list[index + 1].start == token.end;
    match token.kind {
        TokenKind::Sign(b'(' | b')' | b'[' | b']') if tokens.partner(index).is_none() => {
            Err(Unfit::Wrong("the brackets of an expression have no partners"))
        }
        TokenKind::Sign(b'{' | b'}' | b';') => {
            Err(Unfit::Wrong("an expression has statements in it"))
        }
        TokenKind::Sign(b'\\' | b'@' | b'$' | b'`') => {
            Err(Unfit::Unread("an expression has words of another language than C"))
        }
        TokenKind::Sign(b'=') if follows(b'=') => Ok(()),
        TokenKind::Sign(b'=') => {
            let before =
                index.checked_sub(1).filter(|before| tokens.list[*before].end == token.start);
            let compares = before.is_some_and(|before| {
                let shifts = before > 0
                    && tokens.list[before - 1].end == tokens.list[before].start
                    && (tokens.is(before, b'<') && tokens.is(before - 1, b'<')
                        || tokens.is(before, b'>') && tokens.is(before - 1, b'>'));
                !shifts && [b'=', b'!', b'<', b'>'].iter().any(|sign| tokens.is(before, *sign))
            });
            if compares { Ok(()) } else { Err(Unfit::Wrong("an expression assigns something")) }
        }
        TokenKind::Sign(b'+') if follows(b'+') => {
            Err(Unfit::Wrong("an expression changes something"))
        }
        TokenKind::Sign(b'-') if follows(b'-') => {
            Err(Unfit::Wrong("an expression changes something"))
        }
        TokenKind::Unended => Err(Unfit::Wrong("a string in an expression does not end")),
        TokenKind::Name if tokens.is(index + 1, b'(') => match tokens.word(index) {
            b"sizeof" | b"_Alignof" | b"__alignof__" => Ok(()),
            _ => Err(Unfit::Unread("an expression calls a function")),
        },
        // The expression would change the numbers that `__COUNTER__` gives in the program.
        TokenKind::Name if tokens.word(index) == b"__COUNTER__" => {
            Err(Unfit::Wrong("an expression changes something"))
        }
        // A call of the function that an expression gives, such as `(*f)(1)`, looks like a conversion.
        TokenKind::Sign(b'(') if index > 0 && !may_open(tokens, index - 1) => {
            Err(Unfit::Unread("an expression calls a function"))
        }
        // The model does not mark shifts that C leaves undefined in an expression, so the distance of a shift must be
        // a number that is small enough.
        TokenKind::Sign(shift @ (b'<' | b'>')) if follows(shift) => match tokens.word(index + 2) {
            [b'0'..=b'9'] | [b'1' | b'2', b'0'..=b'9'] | [b'3', b'0' | b'1'] => Ok(()),
            _ => {
                Err(Unfit::Unread("an expression shifts by something else than a number below 32"))
            }
        },
        // Brackets and braces can be written in two signs.
        TokenKind::Sign(b'<') if follows(b'%') || follows(b':') => Err(DIGRAPH),
        TokenKind::Sign(b'%') if follows(b'>') || follows(b':') => Err(DIGRAPH),
        TokenKind::Sign(b':') if follows(b'>') => Err(DIGRAPH),
        _ => Ok(()),
    }
}

const DIGRAPH: Unfit = Unfit::Unread("an expression has digraphs in it");

/// The words of C that name types by themselves.
const TYPES: [&[u8]; 13] = [
    b"int",
    b"unsigned",
    b"signed",
    b"long",
    b"short",
    b"char",
    b"float",
    b"double",
    b"_Bool",
    b"void",
    b"const",
    b"__int128",
    b"volatile",
];

/// Whether a bracket may open behind a word without being that of a call.
fn may_open(tokens: &Tokens<'_>, before: usize) -> bool {
    match tokens.list[before].kind {
        TokenKind::Name => true,
        TokenKind::Number | TokenKind::Quoted | TokenKind::Unended | TokenKind::Sign(b']') => false,
        TokenKind::Sign(b')') => tokens.partner(before).is_some_and(|open| {
            let is_type =
                |index: usize| TYPES.contains(&tokens.word(index)) || tokens.is(index, b'*');
            open + 1 < before && (open + 1..before).all(is_type)
        }),
        TokenKind::Sign(_) => true,
    }
}

/// Whether the evaluation of an expression always ends without ending the execution: an expression that accesses
/// memory, divides, shifts or converts may end the execution, as it may in the program.
pub(crate) fn is_total(text: &str) -> bool {
    let tokens = Tokens::of(text.as_bytes());
    (0..tokens.list.len()).all(|index| {
        let token = tokens.list[index];
        let follows =
            |sign| tokens.is(index + 1, sign) && tokens.list[index + 1].start == token.end;
        match token.kind {
            TokenKind::Sign(b'[' | b'/' | b'%' | b'.') => false,
            TokenKind::Sign(b'<') => !follows(b'<'),
            TokenKind::Sign(b'>') => !follows(b'>') && (index == 0 || !tokens.is(index - 1, b'-')),
            TokenKind::Sign(b'*') => {
                index > 0
                    && matches!(tokens.list[index - 1].kind, TokenKind::Name | TokenKind::Number)
            }
            TokenKind::Name => !TYPES.contains(&tokens.word(index)),
            _ => true,
        }
    })
}

/// An expression in which a variable stands for what a call has returned.
pub(crate) fn with_result(text: &str) -> String {
    text.replace("\\result", "__proviso_r")
}

/// The names in an expression.
pub(crate) fn names(text: &str) -> Vec<String> {
    let tokens = Tokens::of(text.as_bytes());
    let names = (0..tokens.list.len()).filter(|index| tokens.list[*index].kind == TokenKind::Name);
    names.map(|index| String::from_utf8_lossy(tokens.word(index)).into_owned()).collect()
}

/// The names in an expression that can only be those of variables or members of the program, with where each stands.
pub(crate) fn variables(text: &str) -> Vec<(String, Range<usize>)> {
    const OTHERS: [&[u8]; 9] = [
        b"sizeof",
        b"_Alignof",
        b"__alignof__",
        b"struct",
        b"union",
        b"enum",
        b"true",
        b"false",
        b"NULL",
    ];
    let tokens = Tokens::of(text.as_bytes());
    let is_variable = |index: &usize| {
        let word = tokens.word(*index);
        // Words behind a backslash are those of ACSL.
        tokens.list[*index].kind == TokenKind::Name
            && !TYPES.contains(&word)
            && !OTHERS.contains(&word)
            && !tokens.is(index + 1, b'(')
            && index.checked_sub(1).is_none_or(|before| !tokens.is(before, b'\\'))
    };
    let found = (0..tokens.list.len()).filter(is_variable);
    let named = found.map(|index| {
        let (name, token) = (String::from_utf8_lossy(tokens.word(index)), tokens.list[index]);
        (name.into_owned(), token.start..token.end)
    });
    named.collect()
}

/// The macros of a text. A macro whose body is nothing but a call of a function has the name of this function.
pub(crate) type Macros = BTreeMap<String, Option<String>>;

/// The macros that a text defines and whose bodies are more than a number: the name of such a macro in an expression
/// does not show what the expression does.
pub(crate) fn macros(text: &[u8]) -> Macros {
    let plain =
        |kind: TokenKind| matches!(kind, TokenKind::Number | TokenKind::Sign(b'-' | b'(' | b')'));
    let is_plain =
        |body: &str| Tokens::of(body.as_bytes()).list.iter().all(|token| plain(token.kind));
    let text = String::from_utf8_lossy(text);
    let hiding = base::definitions(&text)
        .filter(|found| found.parameters.is_some() || !is_plain(found.body));
    hiding.map(|found| (found.name.to_owned(), found.called())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_without_effects_are_fit() {
        for text in [
            "x == 5",
            "(a <= b) && b >= 0U",
            "a[i] != *p",
            "x < 1 || y > 2 ? 1 : 0",
            "sizeof(x) == 4",
            "x << 31 == 0 || x >> 9 > 1",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_may_end_an_execution_is_known() {
        for text in ["x == 5", "a <= b && 2 * a >= 0", "x != y || !(z > 3)"] {
            assert!(is_total(text), "{text}");
        }
        for text in [
            "*p == 1",
            "a[i] == 1",
            "p->x == 1",
            "1 / x == 1",
            "x << y == 1",
            "x % y",
            "(*p)",
            "(int)x == 1",
        ] {
            assert!(!is_total(text), "{text}");
        }
    }

    #[test]
    fn macros_that_hide_something_are_found() {
        let text = b"#define N 10\n# define STOP exit(0)\n#define F(x) x\nint x;\n#define M (-1)\n";
        let found: Vec<(String, Option<String>)> = macros(text).into_iter().collect();
        let found: Vec<(&str, Option<&str>)> =
            found.iter().map(|(name, called)| (&**name, called.as_deref())).collect();
        assert_eq!(found, [("F", None), ("STOP", Some("exit"))]);
    }

    #[test]
    fn others_are_not() {
        for text in [
            "x = 5",
            "x += 1",
            "x <<= 1",
            "x++",
            "--x",
            "f(x)",
            "1; x",
            "{0}",
            "(x",
            "x)",
            "",
            "x /* */",
            "\\old(x) == 1",
            "(exit)(0)",
            "(*f)(1)",
            "a[0](1)",
            "<% 1 %>",
            "x == '",
            "x == '\\'",
            "1\n#define a",
            "1 << 99 == 0",
            "x >> y",
            "x << -1",
        ] {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
