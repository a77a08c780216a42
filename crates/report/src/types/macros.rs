//! Macros that are numbers: `#define N (4 * 8)`.
//!
//! The preprocessor forgets a definition when the next one of its name comes. Here a name with two
//! meanings has none, so that a number is not told for another one.

use base::FileId;
use cfa::Program;
use rustc_hash::FxHashMap;

use crate::tokens::{self, Token};

/// Numbers that are written with more brackets within each other are not read.
const DEEPEST: usize = 32;

/// The macros without parameters of a program's text and of its headers, with their values.
pub(super) fn numbers(program: &Program) -> FxHashMap<&str, Option<i128>> {
    let mut known = FxHashMap::default();
    // What is included has later numbers, and is defined before.
    let files: Vec<FileId> = program.sources.files().collect();
    let texts = files.iter().rev().filter_map(|file| {
        let is_model =
            program.sources.is_borrowed(*file) && !program.sources.name(*file).ends_with(".h");
        std::str::from_utf8(program.sources.text(*file)).ok().filter(|_| !is_model)
    });
    let found = texts.flat_map(base::definitions).filter(|found| found.parameters.is_none());
    for definition in found {
        let tokens = tokens::tokens(definition.body);
        let enumerator = |name: &str| program.cfa.c_types.enumerator(name);
        let named = |name: &str| known.get(name).copied().flatten().or_else(|| enumerator(name));
        let mut body = Body { tokens: &tokens, next: 0, depth: 0, named: &named };
        let value = body.sum().filter(|_| body.next == tokens.len());
        let meaning = known.entry(definition.name).or_insert(value);
        if *meaning != value {
            *meaning = None;
        }
    }
    known
}

/// The body of a macro, as far as it has been read.
struct Body<'a> {
    tokens: &'a [Token<'a>],
    next: usize,
    depth: usize,
    /// The values of names.
    named: &'a dyn Fn(&str) -> Option<i128>,
}

impl Body<'_> {
    fn take(&mut self, text: &str) -> bool {
        let found = self.tokens.get(self.next).is_some_and(|token| token.text == text);
        self.next += usize::from(found);
        found
    }

    fn sum(&mut self) -> Option<i128> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value = value.checked_add(self.product()?)?;
            } else if self.take("-") {
                value = value.checked_sub(self.product()?)?;
            } else if self.take("<<") {
                let distance = u32::try_from(self.product()?).ok().filter(|bits| *bits < 64)?;
                value = value.checked_mul(1_i128 << distance)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<i128> {
        let mut value = self.constant()?;
        loop {
            if self.take("*") {
                value = value.checked_mul(self.constant()?)?;
            } else if self.take("/") {
                value = value.checked_div(self.constant()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn constant(&mut self) -> Option<i128> {
        self.depth += 1;
        let value = (self.depth <= DEEPEST).then(|| self.constant_inner()).flatten();
        self.depth -= 1;
        value
    }

    fn constant_inner(&mut self) -> Option<i128> {
        if self.take("-") {
            return self.constant()?.checked_neg();
        }
        if self.take("(") {
            let value = self.sum()?;
            return self.take(")").then_some(value);
        }
        let token = *self.tokens.get(self.next)?;
        self.next += 1;
        match token.is_word() {
            true => (self.named)(token.text),
            false => tokens::number(token.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_sums_of_products() {
        let mut program = Program::default();
        let deep = format!("#define DEEP {}1{}\n", "(".repeat(100), ")".repeat(100));
        let text = "#define N 4\n#define M (N * 2 - 1) // seven\n#define S (1 << 3) + 'a'\n\
                    #define F(x) x\n#define TEXT \"a\"\n#define P M M\n#define NONE\n#define MINUS -N\n\
                    #define TWICE 1\n#undef TWICE\n#define TWICE 2\n#define SAME 3\n#define SAME 3\n\
                    #define ZERO (1 / 0)\n#define HUGE (1 << 63) * (1 << 63) * 4\n#define OPEN (1\n";
        program.sources.add("f.c", format!("{text}{deep}").into_bytes());
        let found = numbers(&program);
        let value = |name| found.get(name).copied().flatten();
        for (name, expected) in [("N", 4), ("M", 7), ("S", 105), ("MINUS", -4), ("SAME", 3)] {
            assert_eq!(value(name), Some(expected), "{name}");
        }
        for name in ["F", "TEXT", "P", "NONE", "TWICE", "ZERO", "HUGE", "OPEN", "DEEP", "OTHER"] {
            assert_eq!(value(name), None, "{name}");
        }
    }
}
