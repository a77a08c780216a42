//! Macros that are numbers: `#define N (4 * 8)`.
//!
//! The preprocessor forgets a definition when the next definition of the same name comes. Here a name with two
//! meanings has no value, so that no number is shown under a wrong name.

use base::FileId;
use cfa::Program;
use rustc_hash::FxHashMap;

use crate::tokens::{self, Token};

/// Numbers that are written with more brackets within each other are not read.
const DEEPEST: usize = 32;

/// The value of a constant or of what is computed with constants.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Number {
    value: i128,
    /// Whether the value has the type `int`. Arithmetic differs for other types: unsigned types wrap around.
    is_int: bool,
}

impl Number {
    fn new(value: i128) -> Self {
        Self { value, is_int: i32::try_from(value).is_ok() }
    }

    /// The value of an integer or character constant.
    fn read(token: &str) -> Option<Self> {
        let is_suffixed = token.ends_with(['u', 'U', 'l', 'L']);
        let number = Self::new(tokens::number(token)?);
        Some(Self { is_int: number.is_int && !is_suffixed, ..number })
    }

    /// The result of an operation on two values of `int`, if the result is an `int`, too.
    fn with(self, other: Self, op: impl FnOnce(i32, i32) -> Option<i32>) -> Option<Self> {
        let int = |number: Self| i32::try_from(number.value).ok().filter(|_| number.is_int);
        op(int(self)?, int(other)?).map(|value| Self::new(value.into()))
    }
}

/// The macros without parameters of a program's text and of its headers, with their values.
pub(super) fn numbers(program: &Program) -> FxHashMap<&str, Option<i128>> {
    let mut known: FxHashMap<&str, Option<Number>> = FxHashMap::default();
    // An included file has a higher number than the file that includes it, and its macros are defined before.
    let files: Vec<FileId> = program.sources.files().collect();
    let texts = files.iter().rev().filter_map(|file| {
        let is_model =
            program.sources.is_borrowed(*file) && !program.sources.name(*file).ends_with(".h");
        std::str::from_utf8(program.sources.text(*file)).ok().filter(|_| !is_model)
    });
    let found = texts.flat_map(base::definitions).filter(|found| found.parameters.is_none());
    for definition in found {
        let tokens = tokens::tokens(definition.body);
        let enumerator = |name: &str| program.cfa.c_types.enumerator(name).map(Number::new);
        let named = |name: &str| known.get(name).copied().flatten().or_else(|| enumerator(name));
        let mut body = Body { tokens: &tokens, next: 0, depth: 0, named: &named };
        let value = body.sum().filter(|_| body.next == tokens.len());
        let meaning = known.entry(definition.name).or_insert(value);
        if *meaning != value {
            *meaning = None;
        }
    }
    known.into_iter().map(|(name, number)| (name, number.map(|number| number.value))).collect()
}

/// The body of a macro, as far as it has been read.
struct Body<'a> {
    tokens: &'a [Token<'a>],
    next: usize,
    depth: usize,
    /// The values of names.
    named: &'a dyn Fn(&str) -> Option<Number>,
}

impl Body<'_> {
    fn take(&mut self, text: &str) -> bool {
        let found = self.tokens.get(self.next).is_some_and(|token| token.text == text);
        self.next += usize::from(found);
        found
    }

    fn sum(&mut self) -> Option<Number> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value = value.with(self.product()?, i32::checked_add)?;
            } else if self.take("-") {
                value = value.with(self.product()?, i32::checked_sub)?;
            } else if self.take("<<") {
                value = value.with(self.product()?, |value, distance| {
                    let distance = u32::try_from(distance).ok().filter(|bits| *bits < 31)?;
                    value.checked_mul(1 << distance)
                })?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<Number> {
        let mut value = self.constant()?;
        loop {
            if self.take("*") {
                value = value.with(self.constant()?, i32::checked_mul)?;
            } else if self.take("/") {
                value = value.with(self.constant()?, i32::checked_div)?;
            } else {
                return Some(value);
            }
        }
    }

    fn constant(&mut self) -> Option<Number> {
        self.depth += 1;
        let value = (self.depth <= DEEPEST).then(|| self.constant_inner()).flatten();
        self.depth -= 1;
        value
    }

    fn constant_inner(&mut self) -> Option<Number> {
        if self.take("-") {
            return Number::new(0).with(self.constant()?, i32::checked_sub);
        }
        if self.take("(") {
            let value = self.sum()?;
            return self.take(")").then_some(value);
        }
        let token = *self.tokens.get(self.next)?;
        self.next += 1;
        match token.is_word() {
            true => (self.named)(token.text),
            false => Number::read(token.text),
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
                    #define ZERO (1 / 0)\n#define HUGE (1 << 63) * (1 << 63) * 4\n#define OPEN (1\n\
                    #define FOUR 4u\n#define WRAPS (FOUR - 5)\n#define LESS (0u - 1)\n#define LARGE 0xf0000000u\n";
        program.sources.add("f.c", format!("{text}{deep}").into_bytes());
        let found = numbers(&program);
        let value = |name| found.get(name).copied().flatten();
        for (name, expected) in [
            ("N", 4),
            ("M", 7),
            ("S", 105),
            ("MINUS", -4),
            ("SAME", 3),
            ("FOUR", 4),
            ("LARGE", 0xf000_0000),
        ] {
            assert_eq!(value(name), Some(expected), "{name}");
        }
        for name in [
            "F", "TEXT", "P", "NONE", "TWICE", "ZERO", "HUGE", "OPEN", "DEEP", "OTHER", "WRAPS",
            "LESS",
        ] {
            assert_eq!(value(name), None, "{name}");
        }
    }
}
