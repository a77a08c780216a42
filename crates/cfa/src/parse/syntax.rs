//! What a text declares, before names are looked up.

use super::cursor::{Cursor, Error, Name, Piece, Result};
use crate::text::VERSION;
use crate::{AssumptionKind, Fault, Outside, Reading};

/// A text as it stands. Operations are left for later: they may name what comes after them.
#[derive(Default)]
pub(super) struct Model<'a> {
    pub(super) address_width: u32,
    pub(super) outside: Option<Outside>,
    /// `None`: nothing is said. `Some(None)`: no function starts.
    pub(super) start: Option<Option<Name<'a>>>,
    pub(super) assumptions: Vec<AssumptionLine<'a>>,
    pub(super) variables: Vec<VariableLine<'a>>,
    pub(super) objects: Vec<ObjectBlock<'a>>,
    pub(super) functions: Vec<FunctionBlock<'a>>,
    pub(super) locations: Vec<LocationLine<'a>>,
    pub(super) edges: Vec<EdgeLine<'a>>,
    pub(super) sources: Vec<SourceBlock<'a>>,
}

/// Bytes of one of the sources.
#[derive(Clone, Copy)]
pub(super) struct SourcePlace<'a> {
    pub(super) piece: Piece<'a>,
    pub(super) file: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

pub(super) struct AssumptionLine<'a> {
    pub(super) kind: AssumptionKind,
    pub(super) text: String,
    pub(super) place: Option<SourcePlace<'a>>,
}

/// Where a variable is declared; functions and objects by their place in the model.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    Program,
    Function(usize),
    Object(usize),
}

pub(super) struct VariableLine<'a> {
    pub(super) name: Name<'a>,
    pub(super) number: u32,
    pub(super) owner: Owner,
    pub(super) sort: Piece<'a>,
    pub(super) reading: Reading,
    pub(super) source_name: Option<String>,
    pub(super) place: Option<SourcePlace<'a>>,
}

pub(super) struct ObjectBlock<'a> {
    pub(super) name: Name<'a>,
    pub(super) size: u64,
    pub(super) align: u64,
    pub(super) kind: KindWords<'a>,
    pub(super) place: Option<SourcePlace<'a>>,
    /// The place of its address in `Model::variables`.
    pub(super) address: usize,
    /// The bytes at the start; `None` if they are arbitrary.
    pub(super) bytes: Option<Vec<u8>>,
    pub(super) patches: Vec<(u64, Piece<'a>)>,
}

pub(super) enum KindWords<'a> {
    Data,
    ReadOnly,
    Code(Name<'a>),
}

pub(super) struct FunctionBlock<'a> {
    pub(super) name: Name<'a>,
    pub(super) parameters: Vec<Name<'a>>,
    pub(super) results: Vec<Name<'a>>,
    pub(super) place: Option<SourcePlace<'a>>,
    pub(super) entry: u32,
    pub(super) exit: u32,
}

/// A mention of a location, with what is said about it.
pub(super) struct LocationLine<'a> {
    pub(super) piece: Piece<'a>,
    pub(super) number: u32,
    pub(super) function: usize,
    pub(super) remarks: Option<Remarks<'a>>,
}

pub(super) struct Remarks<'a> {
    pub(super) error: bool,
    pub(super) fault: Option<Fault>,
    pub(super) name: Option<String>,
    pub(super) place: Option<SourcePlace<'a>>,
}

pub(super) struct EdgeLine<'a> {
    pub(super) piece: Piece<'a>,
    pub(super) number: u32,
    pub(super) source: u32,
    pub(super) target: u32,
    pub(super) name: Option<String>,
    pub(super) place: Option<SourcePlace<'a>>,
    /// Where the operations of the edge start, if there are any: behind the brace.
    pub(super) ops: Option<usize>,
}

pub(super) struct SourceBlock<'a> {
    pub(super) piece: Piece<'a>,
    pub(super) name: String,
    /// `None` if no text is given.
    pub(super) text: Option<Vec<u8>>,
}

/// The faults by their words.
pub(super) fn faults() -> [(&'static str, Fault); 13] {
    Fault::ALL.map(|fault| (fault.word(), fault))
}

/// Reads the whole text.
pub(super) fn model(text: &str) -> Result<Model<'_>> {
    let mut cursor = Cursor::new(text, 0);
    cursor.expect_word("model")?;
    let start = cursor.position();
    if cursor.number()? != VERSION {
        let message = format!("a form that is not known; this program reads form {VERSION}");
        return Err(Error { start, end: start + 1, message });
    }
    let mut parser = Parser { cursor, model: Model::default(), next_variable: 0, next_edge: 0 };
    while !parser.cursor.at_end() {
        parser.item()?;
    }
    Ok(parser.model)
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    model: Model<'a>,
    next_variable: u32,
    next_edge: u32,
}

impl<'a> Parser<'a> {
    fn item(&mut self) -> Result<()> {
        let word = self.cursor.word();
        match word.text {
            "address-width" => self.model.address_width = self.cursor.small_number()?,
            "outside" => {
                let (from, to) = (self.cursor.number()?, self.cursor.number()?);
                self.model.outside = Some(Outside { from, to });
            }
            "start" => self.start()?,
            "assumption" => {
                let kinds = [
                    ("external", AssumptionKind::External),
                    ("semantics", AssumptionKind::Semantics),
                    ("environment", AssumptionKind::Environment),
                ];
                let kind = self.cursor.choose("a class of assumptions", &kinds)?;
                let (text, place) = (self.cursor.string()?, self.place()?);
                self.model.assumptions.push(AssumptionLine { kind, text, place });
            }
            "global" => self.variable(Owner::Program)?,
            "object" => self.object()?,
            "function" => self.function()?,
            "source" => self.source()?,
            "" => return Err(self.cursor.expected("a declaration")),
            _ => {
                let words =
                    "address-width, outside, start, assumption, global, object, function or source";
                return Err(word.wrong(format!("expected {words}")));
            }
        }
        Ok(())
    }

    /// Reads what stands behind `start`. If the word stands alone, the next declaration follows, which could be
    /// mistaken for a name: so a name counts only if it stands on the same line.
    fn start(&mut self) -> Result<()> {
        let start = match self.cursor.ends_line() {
            true => None,
            false => Some(self.cursor.name("a function")?),
        };
        self.model.start = Some(start);
        Ok(())
    }

    fn place(&mut self) -> Result<Option<SourcePlace<'a>>> {
        let from = self.cursor.position();
        if !self.cursor.eat("@") {
            return Ok(None);
        }
        let file = self.cursor.small_number()?;
        self.cursor.expect(":")?;
        let start = self.cursor.small_number()?;
        self.cursor.expect("-")?;
        let end = self.cursor.small_number()?;
        Ok(Some(SourcePlace { piece: self.cursor.since(from), file, start, end }))
    }

    /// The number in `[number]`, or `next` if there is none.
    fn numbered(&mut self, next: u32) -> Result<u32> {
        if !self.cursor.eat("[") {
            return Ok(next);
        }
        let number = self.cursor.small_number()?;
        self.cursor.expect("]")?;
        Ok(number)
    }

    fn variable(&mut self, owner: Owner) -> Result<()> {
        let number = self.numbered(self.next_variable)?;
        self.next_variable = number.saturating_add(1);
        let name = self.cursor.name("the name of a variable")?;
        self.cursor.expect(":")?;
        let sort = self.cursor.term("a sort")?;
        let reading = if self.cursor.eat_word("signed") {
            Reading::Signed
        } else if self.cursor.eat_word("address") {
            Reading::Address
        } else {
            Reading::Plain
        };
        let source_name = self.optional_string()?;
        let place = self.place()?;
        let line = VariableLine { name, number, owner, sort, reading, source_name, place };
        self.model.variables.push(line);
        Ok(())
    }

    fn optional_string(&mut self) -> Result<Option<String>> {
        match self.cursor.peek() {
            Some('"') => self.cursor.string().map(Some),
            _ => Ok(None),
        }
    }

    fn object(&mut self) -> Result<()> {
        let name = self.cursor.name("the name of an object")?;
        self.cursor.expect_word("size")?;
        let size = self.cursor.number()?;
        self.cursor.expect_word("align")?;
        let align = self.cursor.number()?;
        let kinds = [("data", 0), ("read-only", 1), ("code", 2)];
        let kind = match self.cursor.choose("a kind of object", &kinds)? {
            0 => KindWords::Data,
            1 => KindWords::ReadOnly,
            _ => KindWords::Code(self.cursor.name("a function")?),
        };
        let place = self.place()?;
        self.cursor.expect("{")?;
        self.cursor.expect_word("address")?;
        let address = self.model.variables.len();
        self.variable(Owner::Object(self.model.objects.len()))?;
        let (mut bytes, mut patches) = (Vec::new(), Vec::new());
        let mut arbitrary = false;
        while !self.cursor.eat("}") {
            let word = self.cursor.word();
            match word.text {
                "arbitrary" if bytes.is_empty() && patches.is_empty() => arbitrary = true,
                "bytes" if !arbitrary && patches.is_empty() => {
                    self.cursor.hexadecimal(&mut bytes)?
                }
                "patch" if !arbitrary => {
                    patches.push((self.cursor.number()?, self.cursor.term("a term")?));
                }
                "arbitrary" | "bytes" => {
                    return Err(word.wrong("bytes come first, and arbitrary ones stand alone"));
                }
                "" => return Err(self.cursor.expected("`bytes`, `patch`, `arbitrary` or `}`")),
                _ => return Err(word.wrong("expected `bytes`, `patch`, `arbitrary` or `}`")),
            }
        }
        let bytes = (!arbitrary).then_some(bytes);
        let object = ObjectBlock { name, size, align, kind, place, address, bytes, patches };
        self.model.objects.push(object);
        Ok(())
    }

    fn names(&mut self) -> Result<Vec<Name<'a>>> {
        let mut names = Vec::new();
        self.cursor.expect("(")?;
        while !self.cursor.eat(")") {
            if !names.is_empty() {
                self.cursor.expect(",")?;
            }
            names.push(self.cursor.name("the name of a variable")?);
        }
        Ok(names)
    }

    fn function(&mut self) -> Result<()> {
        let name = self.cursor.name("the name of a function")?;
        let parameters = self.names()?;
        let results = if self.cursor.eat("->") { self.names()? } else { Vec::new() };
        let place = self.place()?;
        self.cursor.expect("{")?;
        let id = self.model.functions.len();
        let mut ends = None;
        while !self.cursor.eat("}") {
            if self.cursor.at_end() {
                return Err(name.piece.wrong("a function whose brace is not closed"));
            }
            if self.cursor.eat_word("local") {
                self.variable(Owner::Function(id))?;
            } else if ends.is_none() && self.cursor.eat_word("entry") {
                let entry = self.location(id)?;
                self.cursor.expect_word("exit")?;
                ends = Some((entry, self.location(id)?));
            } else {
                self.edge_or_location(id)?;
            }
        }
        let Some((entry, exit)) = ends else {
            return Err(name.piece.wrong("a function without entry and exit"));
        };
        let function = FunctionBlock { name, parameters, results, place, entry, exit };
        self.model.functions.push(function);
        Ok(())
    }

    /// A mention of a location.
    fn location(&mut self, function: usize) -> Result<u32> {
        let (piece, number) = self.location_number()?;
        self.model.locations.push(LocationLine { piece, number, function, remarks: None });
        Ok(number)
    }

    fn location_number(&mut self) -> Result<(Piece<'a>, u32)> {
        let before = self.cursor.clone();
        let piece = self.cursor.letters();
        let digits = piece.text.strip_prefix('L').filter(|digits| {
            let canonical = *digits == "0" || !digits.starts_with('0');
            canonical && digits.chars().all(|c| c.is_ascii_digit())
        });
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(number) => Ok((piece, number)),
            None => {
                self.cursor = before;
                Err(self.cursor.expected("a location such as `L0`"))
            }
        }
    }

    fn edge_or_location(&mut self, function: usize) -> Result<()> {
        let explicit = self.cursor.peek() == Some('[');
        let number = self.numbered(self.next_edge)?;
        let (piece, source) = self.location_number()?;
        if !explicit && self.cursor.eat(":") {
            let error = self.cursor.eat_word("error");
            let (mut fault, faults) = (None, faults());
            if error
                && let Some((_, found)) = faults.iter().find(|(word, _)| self.cursor.eat_word(word))
            {
                fault = Some(*found);
            }
            let (name, place) = (self.optional_string()?, self.place()?);
            let remarks = Remarks { error, fault, name, place };
            let remarks = Some(remarks);
            self.model.locations.push(LocationLine { piece, number: source, function, remarks });
            return Ok(());
        }
        self.cursor.expect("->")?;
        self.model.locations.push(LocationLine { piece, number: source, function, remarks: None });
        let target = self.location(function)?;
        self.next_edge = number.saturating_add(1);
        let (name, place) = (self.optional_string()?, self.place()?);
        let ops = match self.cursor.peek() {
            Some('{') => Some(self.cursor.skip_block()?),
            _ => None,
        };
        self.model.edges.push(EdgeLine { piece, number, source, target, name, place, ops });
        Ok(())
    }

    fn source(&mut self) -> Result<()> {
        let start = self.cursor.position();
        let name = self.cursor.string()?;
        let piece = self.cursor.since(start);
        let mut text: Option<Vec<u8>> = None;
        while let Some(line) = self.cursor.bar_line() {
            match &mut text {
                Some(text) => text.push(b'\n'),
                None => text = Some(Vec::new()),
            }
            if let Some(text) = &mut text {
                source_line(line, text)?;
            }
        }
        self.model.sources.push(SourceBlock { piece, name, text });
        Ok(())
    }
}

/// Undoes the escapes of a line of source text.
fn source_line(line: Piece<'_>, text: &mut Vec<u8>) -> Result<()> {
    let mut rest = line.text;
    while let Some(at) = rest.find('\\') {
        text.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest.as_bytes()[at + 1..];
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let taken = match escape {
            [b'\\', ..] => {
                text.push(b'\\');
                2
            }
            [b'x', high, low, ..] if digit(high).is_some() && digit(low).is_some() => {
                let value = digit(high).unwrap_or(0) * 16 + digit(low).unwrap_or(0);
                // Two hexadecimal digits fit a byte.
                text.push(value as u8);
                4
            }
            _ => {
                let start = line.start + (line.text.len() - rest.len()) + at;
                let message = "an escape that is not known".to_owned();
                return Err(Error { start, end: start + 1, message });
            }
        };
        rest = &rest[at + taken..];
    }
    text.extend_from_slice(rest.as_bytes());
    Ok(())
}
