//! Declarations of C, as far as they are plain.

use base::{FileId, Id};

use super::tables::{Declared, Record, Type, Types, note};
use super::tokens::{self, Token};

/// Words that say nothing of the values of a type.
const SILENT: [&str; 21] = [
    "const",
    "volatile",
    "static",
    "extern",
    "register",
    "auto",
    "inline",
    "restrict",
    "_Atomic",
    "typedef",
    "__inline",
    "__inline__",
    "__restrict",
    "__restrict__",
    "__extension__",
    "__volatile__",
    "__const",
    "_Noreturn",
    "_Thread_local",
    "__thread",
    "__signed__",
];

/// Words that say what a type is made of.
const BASIC: [&str; 11] = [
    "unsigned", "signed", "short", "long", "int", "char", "float", "double", "_Bool", "void",
    "bool",
];

/// Nested declarators and bodies beyond this depth are not read.
const DEEPEST: usize = 32;

pub(super) struct Parser<'a, 't> {
    pub(super) types: &'a mut Types,
    tokens: Vec<Token<'t>>,
    file: FileId,
    next: usize,
    depth: usize,
}

impl<'a, 't> Parser<'a, 't> {
    pub(super) fn new(types: &'a mut Types, text: &'t str, file: FileId) -> Self {
        let (tokens, macros) = tokens::tokens(text);
        for (name, body) in macros {
            let (body, _) = tokens::tokens(body);
            let mut value = Parser { types, tokens: body, file, next: 0, depth: 0 };
            let number = value.sum().filter(|_| value.next == value.tokens.len());
            note(&mut types.constants, name, number);
        }
        Parser { types, tokens, file, next: 0, depth: 0 }
    }

    /// Reads all structures, unions, enumerations and names of types.
    pub(super) fn declarations(&mut self) {
        for at in 0..self.tokens.len() {
            self.next = at;
            match self.tokens[at].text {
                "struct" | "union" | "enum" => {
                    self.tagged();
                }
                "typedef" => {
                    let Some(base) = self.specifiers() else { continue };
                    while let Some((Some((name, _)), ty)) = self.declarator(base.clone()) {
                        note(&mut self.types.typedefs, name, Some(ty));
                        if !self.take(",") {
                            break;
                        }
                    }
                }
                _ => self.function(at),
            }
        }
    }

    /// Notes what a function returns, if the token at an index is its name in a declaration.
    fn function(&mut self, at: usize) {
        let token = self.tokens[at];
        let is_called = self.tokens.get(at + 1).is_some_and(|next| next.text == "(");
        let Some(before) = at.checked_sub(1).map(|before| self.tokens[before]) else { return };
        if !token.is_word() || !is_called || !(before.is_word() || before.text == "*") {
            return;
        }
        let Some((start, false)) = self.start(at) else { return };
        self.next = start;
        let Some(mut ty) = self.specifiers() else { return };
        while self.take("*") {
            ty = Type::Pointer(Box::new(ty));
        }
        if self.next == at {
            note(&mut self.types.returned, token.text, Some(ty));
        }
    }

    /// The type of what is declared at an offset.
    pub(super) fn declared_at(&mut self, offset: usize) -> Option<Type> {
        let name = self.tokens.binary_search_by_key(&offset, |token| token.at).ok()?;
        let (start, is_parameter) = self.start(name)?;
        self.next = start;
        let base = self.specifiers()?;
        loop {
            let (declared, ty) = self.declarator(base.clone())?;
            if declared.is_some_and(|(_, at)| at == offset) {
                return Some(match ty {
                    Type::Array(element, _) if is_parameter => Type::Pointer(element),
                    ty => ty,
                });
            }
            self.skip_initialiser();
            if !self.take(",") {
                return None;
            }
        }
    }

    /// The type of what begins at an offset and has no name: `(struct point){1, 2}`.
    pub(super) fn literal_at(&mut self, offset: usize) -> Option<Type> {
        let open = self.tokens.binary_search_by_key(&offset, |token| token.at).ok()?;
        self.next = open;
        if !self.take("(") {
            return None;
        }
        let base = self.specifiers()?;
        let (declared, ty) = self.declarator(base)?;
        (declared.is_none() && self.peek() == ")").then_some(ty)
    }

    /// A type without a name.
    #[cfg(test)]
    pub(super) fn type_name(mut self) -> Option<Type> {
        let base = self.specifiers()?;
        let (declared, ty) = self.declarator(base)?;
        (declared.is_none() && self.next == self.tokens.len()).then_some(ty)
    }

    /// Where the declaration of a name starts, and whether the name is a parameter.
    fn start(&self, name: usize) -> Option<(usize, bool)> {
        let mut at = name;
        // The first token behind the last comma that is not inside of brackets.
        let mut comma = None;
        while at > 0 {
            match self.tokens[at - 1].text {
                ";" | "{" | ":" => return Some((at, false)),
                "}" => {
                    let open = self.opening(at - 1)?;
                    if !self.is_body(open) {
                        // An initialiser of an earlier name, or the end of a statement.
                        match open.checked_sub(1).map(|before| self.tokens[before].text) {
                            Some("=") => {}
                            _ => return Some((at, false)),
                        }
                    }
                    at = open;
                    continue;
                }
                ")" | "]" => {
                    at = self.opening(at - 1)?;
                    continue;
                }
                "(" => {
                    let before = at.checked_sub(2).map(|before| self.tokens[before].text);
                    if before == Some("for") {
                        return Some((at, false));
                    }
                    if self.tokens[at].text != "*" {
                        return Some((comma.unwrap_or(at), true));
                    }
                }
                "," if comma.is_none() => comma = Some(at),
                _ => {}
            }
            at -= 1;
        }
        Some((0, false))
    }

    /// Whether a brace opens the body of a structure, union or enumeration.
    fn is_body(&self, open: usize) -> bool {
        let word = |back: usize| open.checked_sub(back).map(|at| self.tokens[at].text);
        let is_key = |text: Option<&str>| matches!(text, Some("struct" | "union" | "enum"));
        is_key(word(1)) || is_key(word(2))
    }

    /// The bracket that the one at an index closes.
    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for at in (0..=close).rev() {
            match self.tokens[at].text {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn peek(&self) -> &'t str {
        self.tokens.get(self.next).map_or("", |token| token.text)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.next += usize::from(found);
        found
    }

    /// Passes over a bracket and all that is inside.
    fn skip_brackets(&mut self) {
        let mut depth = 0_u32;
        while self.next < self.tokens.len() {
            match self.peek() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.next += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_initialiser(&mut self) {
        if !self.take("=") {
            return;
        }
        while !matches!(self.peek(), "" | "," | ";" | ")") {
            match self.peek() {
                "(" | "[" | "{" => self.skip_brackets(),
                _ => self.next += 1,
            }
        }
    }

    /// The type that a declaration begins with.
    fn specifiers(&mut self) -> Option<Type> {
        let mut words: Vec<&str> = Vec::new();
        let mut named = None;
        while let Some(token) = self.tokens.get(self.next) {
            match token.text {
                text if SILENT.contains(&text) => self.next += 1,
                "__attribute__" | "_Alignas" => {
                    self.next += 1;
                    self.skip_brackets();
                }
                "struct" | "union" | "enum" if named.is_none() && words.is_empty() => {
                    named = Some(self.tagged()?);
                }
                text if BASIC.contains(&text) && named.is_none() => {
                    words.push(text);
                    self.next += 1;
                }
                text if token.is_word() && named.is_none() && words.is_empty() => {
                    named = Some(self.typedef(text)?);
                    self.next += 1;
                }
                _ => break,
            }
        }
        match named {
            Some(ty) => Some(ty),
            None => self.basic(&words),
        }
    }

    fn basic(&self, words: &[&str]) -> Option<Type> {
        let has = |word: &str| words.contains(&word);
        let longs = words.iter().filter(|word| **word == "long").count();
        let signed = !has("unsigned");
        let bits = match longs {
            _ if words.is_empty() => return None,
            _ if has("void") => return Some(Type::Other),
            _ if has("_Bool") || has("bool") => return Some(Type::Truth),
            _ if has("char") => match signed && !has("signed") {
                true => return Some(Type::Character),
                false => 8,
            },
            _ if has("float") => return Some(Type::Float(32)),
            0 if has("double") => return Some(Type::Float(64)),
            _ if has("double") => return Some(Type::Float(80)),
            _ if has("short") => 16,
            0 => 32,
            1 => self.types.address_width,
            _ => 64,
        };
        Some(Type::Integer { bits, signed })
    }

    fn typedef(&self, name: &str) -> Option<Type> {
        if let Some(known) = self.types.typedefs.get(name) {
            return known.clone();
        }
        let (bits, signed) = match name {
            "int8_t" => (8, true),
            "uint8_t" => (8, false),
            "int16_t" => (16, true),
            "uint16_t" => (16, false),
            "int32_t" => (32, true),
            "uint32_t" => (32, false),
            "int64_t" | "intmax_t" => (64, true),
            "uint64_t" | "uintmax_t" => (64, false),
            "size_t" | "uintptr_t" => (self.types.address_width, false),
            "ssize_t" | "ptrdiff_t" | "intptr_t" => (self.types.address_width, true),
            _ => return None,
        };
        Some(Type::Integer { bits, signed })
    }

    /// A structure, union or enumeration, by its tag or with its body.
    fn tagged(&mut self) -> Option<Type> {
        let kind = self.peek();
        self.next += 1;
        let mut is_odd = false;
        while self.take("__attribute__") {
            is_odd = true;
            self.skip_brackets();
        }
        let named = self.tokens.get(self.next).filter(|token| token.is_word()).copied();
        self.next += usize::from(named.is_some());
        let is_body = self.peek() == "{";
        let key = match (named, self.tokens.get(self.next)) {
            (Some(name), _) => format!("{kind} {}", name.text),
            (None, Some(body)) if is_body => {
                format!("{kind} @{}:{}", self.file.index(), body.at)
            }
            _ => return None,
        };
        if is_body {
            self.depth += 1;
            let read = self.depth <= DEEPEST;
            match kind {
                "enum" if read => self.enumerators(&key),
                _ if read => self.body(&key, kind == "union", is_odd),
                _ => self.skip_brackets(),
            }
            self.depth -= 1;
        }
        Some(match kind {
            "enum" => Type::Enumeration(key),
            _ => Type::Record(key),
        })
    }

    fn enumerators(&mut self, key: &str) {
        self.next += 1;
        let mut all: Vec<(String, i128)> = Vec::new();
        let mut value = Some(0);
        while let Some(token) = self.tokens.get(self.next).filter(|token| token.is_word()) {
            let name = token.text;
            self.next += 1;
            if self.take("=") {
                value = self.sum();
            }
            note(&mut self.types.constants, name, value);
            if let Some(known) = value {
                all.push((name.to_owned(), known));
                value = known.checked_add(1);
            }
            if !self.take(",") {
                break;
            }
        }
        let whole = self.take("}");
        note(&mut self.types.enumerations, key, whole.then_some(all));
    }

    fn body(&mut self, key: &str, is_union: bool, is_odd: bool) {
        let mut record = Record { is_union, is_odd, members: Vec::new() };
        self.next += 1;
        let mut whole = true;
        while !matches!(self.peek(), "" | "}") {
            whole &= self.member(&mut record).is_some();
            while !matches!(self.peek(), "" | ";" | "}") {
                match self.peek() {
                    "(" | "[" | "{" => self.skip_brackets(),
                    "__attribute__" => {
                        record.is_odd = true;
                        self.next += 1;
                    }
                    _ => self.next += 1,
                }
            }
            self.take(";");
        }
        self.take("}");
        record.is_odd |= self.peek() == "__attribute__";
        note(&mut self.types.records, key, whole.then_some(record));
    }

    /// The members of one declaration.
    fn member(&mut self, record: &mut Record) -> Option<()> {
        record.is_odd |= self.peek() == "_Alignas";
        let base = self.specifiers()?;
        loop {
            let (name, ty) = self.declarator(base.clone())?;
            let bits = match self.take(":") {
                true => Some(u32::try_from(self.sum()?).ok()?),
                false => None,
            };
            let name = name.map(|(name, _)| name.to_owned());
            record.members.push(Declared { name, ty, bits });
            if !self.take(",") {
                break;
            }
        }
        (self.peek() == ";").then_some(())
    }

    /// A declarator: the name with its place, and the type that it has.
    #[allow(clippy::type_complexity)]
    fn declarator(&mut self, base: Type) -> Option<(Option<(&'t str, usize)>, Type)> {
        self.depth += 1;
        let found = (self.depth <= DEEPEST).then(|| self.declarator_inner(base)).flatten();
        self.depth -= 1;
        found
    }

    #[allow(clippy::type_complexity)]
    fn declarator_inner(&mut self, mut base: Type) -> Option<(Option<(&'t str, usize)>, Type)> {
        loop {
            if self.take("*") {
                base = Type::Pointer(Box::new(base));
            } else if SILENT.contains(&self.peek()) {
                self.next += 1;
            } else {
                break;
            }
        }
        let inner = self.tokens.get(self.next + 1).map_or("", |token| token.text);
        if self.peek() == "(" && matches!(inner, "*" | "(") {
            let start = self.next + 1;
            self.skip_brackets();
            let ty = self.suffixes(base)?;
            let end = std::mem::replace(&mut self.next, start);
            let found = self.declarator(ty);
            self.next = end;
            return found;
        }
        let mut name = None;
        if let Some(token) = self.tokens.get(self.next).filter(|token| token.is_word()) {
            name = Some((token.text, token.at));
            self.next += 1;
        }
        Some((name, self.suffixes(base)?))
    }

    /// The lengths of arrays and the parameters of functions behind a name.
    fn suffixes(&mut self, base: Type) -> Option<Type> {
        if self.peek() == "(" {
            self.skip_brackets();
            return Some(Type::Other);
        }
        let mut lengths = Vec::new();
        while self.peek() == "[" {
            let start = self.next;
            self.next += 1;
            let length = self.sum().filter(|_| self.peek() == "]");
            lengths.push(length.and_then(|length| u64::try_from(length).ok()));
            self.next = start;
            self.skip_brackets();
        }
        let ty =
            lengths.into_iter().rev().fold(base, |ty, length| Type::Array(Box::new(ty), length));
        Some(ty)
    }

    /// A sum of products of constants.
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
            true => self.types.constant(token.text),
            false => tokens::number(token.text),
        }
    }
}

#[cfg(test)]
mod tests;
