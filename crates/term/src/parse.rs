//! Reading the text form, without recursion over terms: they may be deeper than the stack.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Pow;
use rustc_hash::FxHashMap;

use crate::bits::Bv;
use crate::float::Float;
use crate::lexer::{Lexer, Token};
use crate::parse_app::Head;
use crate::parse_error::ParseError;
use crate::sort::{Format, MAX_WIDTH, Rounding, Sort};
use crate::table::{TermId, Terms, Var};

/// How deep array sorts may nest in text.
const MAX_SORT_DEPTH: u32 = 100;

impl Terms {
    /// The term that an SMT-LIB text stands for, simplified. `resolve` finds the symbols.
    ///
    /// Reads what [`Terms::display`] writes, and gives back the same term; and of the standard also `=>`, `xor`,
    /// `distinct`, `>`, chains of comparisons, and the like.
    ///
    /// # Errors
    /// If the text is not a well-sorted term over symbols that `resolve` knows.
    pub fn parse(
        &mut self,
        text: &str,
        resolve: &mut dyn FnMut(&str) -> Option<Var>,
    ) -> Result<TermId, ParseError> {
        let mut parser = Parser::new(self, text, resolve);
        let term = parser.term()?;
        parser.expect_end()?;
        Ok(term)
    }

    /// The sort that an SMT-LIB text stands for.
    ///
    /// # Errors
    /// If the text stands for no sort, or for a sort that terms do not have.
    pub fn parse_sort(&mut self, text: &str) -> Result<Sort, ParseError> {
        let mut lexer = Lexer::new(text);
        let sort = self.sort_from(&mut lexer, 0)?;
        match lexer.next()? {
            (_, Token::End) => Ok(sort),
            (at, _) => lexer.error(at, "expected the end"),
        }
    }

    pub(crate) fn sort_from(
        &mut self,
        lexer: &mut Lexer<'_>,
        depth: u32,
    ) -> Result<Sort, ParseError> {
        let (start, token) = lexer.next()?;
        let sort = match token {
            Token::Symbol("Bool") => return Ok(Sort::Bool),
            Token::Symbol("Int") => return Ok(Sort::Int),
            Token::Symbol("Real") => return Ok(Sort::Rat),
            Token::Symbol("Float16") => return Ok(Sort::Float(Format::Half)),
            Token::Symbol("Float32") => return Ok(Sort::Float(Format::Single)),
            Token::Symbol("Float64") => return Ok(Sort::Float(Format::Double)),
            Token::Symbol("Float128") => return Ok(Sort::Float(Format::Quad)),
            Token::Open if depth < MAX_SORT_DEPTH => match lexer.next()?.1 {
                Token::Symbol("Array") => {
                    let index = self.sort_from(lexer, depth + 1)?;
                    let element = self.sort_from(lexer, depth + 1)?;
                    if matches!(index, Sort::Array(_)) {
                        return lexer.error(start, "arrays indexed by arrays are not supported");
                    }
                    self.array_sort(index, element)
                }
                Token::Symbol("_") => match lexer.next()?.1 {
                    Token::Symbol("BitVec") => match small_numeral(lexer)? {
                        width @ 1..=MAX_WIDTH => Sort::Bv(width),
                        _ => return lexer.error(start, "no such width"),
                    },
                    Token::Symbol("FloatingPoint") => {
                        let (eb, sb) = (small_numeral(lexer)?, small_numeral(lexer)?);
                        match Format::from_parts(eb, sb) {
                            Some(format) => Sort::Float(format),
                            None => return lexer.error(start, "no such floating-point format"),
                        }
                    }
                    _ => return lexer.error(start, "expected a sort"),
                },
                _ => return lexer.error(start, "expected a sort"),
            },
            Token::Open => return lexer.error(start, "a sort that nests too deep"),
            _ => return lexer.error(start, "expected a sort"),
        };
        expect(lexer, Token::Close, "`)`")?;
        Ok(sort)
    }
}

pub(crate) fn expect(
    lexer: &mut Lexer<'_>,
    wanted: Token<'_>,
    what: &str,
) -> Result<usize, ParseError> {
    match lexer.next()? {
        (at, token) if token == wanted => Ok(at),
        (at, _) => lexer.error(at, format!("expected {what}")),
    }
}

pub(crate) fn small_numeral(lexer: &mut Lexer<'_>) -> Result<u32, ParseError> {
    match lexer.next()? {
        (at, Token::Numeral(digits)) => match digits.parse() {
            Ok(number) => Ok(number),
            Err(_) => lexer.error(at, "too large a number"),
        },
        (at, _) => lexer.error(at, "expected a numeral"),
    }
}

/// A part of the text that has begun and not yet ended.
pub(crate) enum Frame<'a> {
    /// An operator and the arguments so far.
    App { offset: usize, head: Head<'a>, rounding: Option<Rounding>, args: Vec<TermId> },
    /// The bindings of a `let` so far. They take effect together, at the body.
    Let { bound: Vec<(String, TermId)> },
    /// One binding, whose term is being read.
    Binding { name: String },
    /// The body of a `let`, with what its names meant before.
    Body { hidden: Vec<(String, Option<TermId>)> },
}

pub(crate) struct Parser<'a, 'r> {
    pub(crate) terms: &'r mut Terms,
    pub(crate) lexer: Lexer<'a>,
    resolve: &'r mut dyn FnMut(&str) -> Option<Var>,
    /// The terms that names stand for by a `let`, a definition or a declaration of the text; `resolve` is not asked
    /// about these names.
    pub(crate) scope: FxHashMap<String, TermId>,
    stack: Vec<Frame<'a>>,
    /// Whether an operator was applied where SMT-LIB leaves its value open and [`crate::Op`]
    /// does not.
    pub(crate) open_meaning: bool,
}

impl<'a, 'r> Parser<'a, 'r> {
    pub(crate) fn new(
        terms: &'r mut Terms,
        text: &'a str,
        resolve: &'r mut dyn FnMut(&str) -> Option<Var>,
    ) -> Self {
        Self {
            terms,
            lexer: Lexer::new(text),
            resolve,
            scope: FxHashMap::default(),
            stack: Vec::new(),
            open_meaning: false,
        }
    }

    fn expect_end(&mut self) -> Result<(), ParseError> {
        expect(&mut self.lexer, Token::End, "the end").map(|_| ())
    }

    pub(crate) fn term(&mut self) -> Result<TermId, ParseError> {
        loop {
            let (offset, token) = self.lexer.next()?;
            let complete = match token {
                Token::Open => self.open(offset)?,
                Token::Close => Some(self.close(offset)?),
                Token::Symbol(name) => self.symbol(offset, name)?,
                Token::Quoted(name) => Some(self.name(offset, &name)?),
                Token::Numeral(digits) => Some(self.numeral(offset, digits)?),
                Token::Decimal(whole, fraction) => Some(self.decimal(offset, whole, fraction)?),
                Token::Binary(digits) => Some(self.bits(offset, digits, 2)?),
                Token::Hex(digits) => Some(self.bits(offset, digits, 16)?),
                Token::Keyword(_) | Token::String(_) => {
                    return self.lexer.error(offset, "expected a term");
                }
                Token::End => return self.lexer.error(offset, "the text ends within a term"),
            };
            if let Some(term) = complete
                && let Some(root) = self.complete(term)?
            {
                return Ok(root);
            }
        }
    }

    /// Hands a finished term to the innermost frame; gives the term back if there is no frame.
    fn complete(&mut self, term: TermId) -> Result<Option<TermId>, ParseError> {
        loop {
            match self.stack.pop() {
                None => return Ok(Some(term)),
                Some(Frame::App { offset, head, rounding, mut args }) => {
                    args.push(term);
                    self.stack.push(Frame::App { offset, head, rounding, args });
                    return Ok(None);
                }
                Some(Frame::Binding { name }) => {
                    expect(&mut self.lexer, Token::Close, "`)` after a binding")?;
                    if let Some(Frame::Let { bound }) = self.stack.last_mut() {
                        bound.push((name, term));
                    }
                    self.binding()?;
                    return Ok(None);
                }
                Some(Frame::Body { hidden }) => {
                    expect(&mut self.lexer, Token::Close, "`)` after the body of `let`")?;
                    for (name, before) in hidden.into_iter().rev() {
                        match before {
                            Some(before) => self.scope.insert(name, before),
                            None => self.scope.remove(&name),
                        };
                    }
                }
                // A `let` is on top only between its bindings, where no term is read.
                Some(Frame::Let { .. }) => {
                    let (at, _) = self.lexer.next()?;
                    return self.lexer.error(at, "a term where a binding was expected");
                }
            }
        }
    }

    /// The next binding of the `let` on top, or its body.
    fn binding(&mut self) -> Result<(), ParseError> {
        let (offset, token) = self.lexer.next()?;
        match token {
            Token::Open => {
                let name = match self.lexer.next()? {
                    (_, Token::Symbol(name)) => name.to_owned(),
                    (_, Token::Quoted(name)) => name.into_owned(),
                    (at, _) => return self.lexer.error(at, "expected a name to bind"),
                };
                self.stack.push(Frame::Binding { name });
                Ok(())
            }
            Token::Close => {
                if let Some(Frame::Let { bound }) = self.stack.pop() {
                    let mut hidden = Vec::with_capacity(bound.len());
                    for (name, term) in bound {
                        let before = self.scope.insert(name.clone(), term);
                        hidden.push((name, before));
                    }
                    self.stack.push(Frame::Body { hidden });
                }
                Ok(())
            }
            _ => self.lexer.error(offset, "expected a binding or `)`"),
        }
    }

    /// After an opening parenthesis: an operator, a `let`, or a constant with parameters.
    fn open(&mut self, offset: usize) -> Result<Option<TermId>, ParseError> {
        let (at, token) = self.lexer.next()?;
        let head = match token {
            Token::Symbol("let") => {
                expect(&mut self.lexer, Token::Open, "the bindings")?;
                self.stack.push(Frame::Let { bound: Vec::new() });
                self.binding()?;
                return Ok(None);
            }
            Token::Symbol("_") => return self.indexed_constant(offset).map(Some),
            Token::Symbol(name) => Head::Plain(name),
            Token::Open => match self.lexer.next()? {
                (_, Token::Symbol("_")) => self.indexed_head()?,
                (_, Token::Symbol("as")) => {
                    match self.lexer.next()? {
                        (_, Token::Symbol("const")) => {}
                        (at, _) => return self.lexer.error(at, "expected `const`"),
                    }
                    let sort = self.terms.sort_from(&mut self.lexer, 0)?;
                    expect(&mut self.lexer, Token::Close, "`)`")?;
                    match sort {
                        Sort::Array(sort) => Head::ConstArray(sort),
                        _ => return self.lexer.error(at, "expected an array sort"),
                    }
                }
                (at, _) => return self.lexer.error(at, "expected `_` or `as`"),
            },
            _ => return self.lexer.error(at, "expected an operator"),
        };
        self.stack.push(Frame::App { offset, head, rounding: None, args: Vec::new() });
        Ok(None)
    }

    /// `name 1 2)` after `(_`.
    fn indexed_head(&mut self) -> Result<Head<'a>, ParseError> {
        let name = match self.lexer.next()? {
            (_, Token::Symbol(name)) => name,
            (at, _) => return self.lexer.error(at, "expected the name of an operator"),
        };
        let first = small_numeral(&mut self.lexer)?;
        match self.lexer.next()? {
            (_, Token::Close) => Ok(Head::Indexed(name, first, None)),
            (at, Token::Numeral(digits)) => {
                let Ok(second) = digits.parse() else {
                    return self.lexer.error(at, "too large a number");
                };
                expect(&mut self.lexer, Token::Close, "`)`")?;
                Ok(Head::Indexed(name, first, Some(second)))
            }
            (at, _) => self.lexer.error(at, "expected a numeral or `)`"),
        }
    }

    /// `bv5 32)`, `NaN 8 24)` and the like after `(_`.
    fn indexed_constant(&mut self, offset: usize) -> Result<TermId, ParseError> {
        let name = match self.lexer.next()? {
            (_, Token::Symbol(name)) => name,
            (at, _) => return self.lexer.error(at, "expected the name of a constant"),
        };
        let first = small_numeral(&mut self.lexer)?;
        if let Some(digits) = name.strip_prefix("bv") {
            expect(&mut self.lexer, Token::Close, "`)`")?;
            let number = match BigUint::parse_bytes(digits.as_bytes(), 10) {
                Some(number) if (1..=MAX_WIDTH).contains(&first) => number,
                _ => return self.lexer.error(offset, "malformed bit-vector constant"),
            };
            return Ok(self.terms.bv_value(Bv::from_biguint(first, &number)));
        }
        let second = small_numeral(&mut self.lexer)?;
        expect(&mut self.lexer, Token::Close, "`)`")?;
        let Some(format) = Format::from_parts(first, second) else {
            return self.lexer.error(offset, "no such floating-point format");
        };
        let value = match name {
            "NaN" => Float::nan(format),
            "+oo" => Float::infinity(format, false),
            "-oo" => Float::infinity(format, true),
            "+zero" => Float::zero(format, false),
            "-zero" => Float::zero(format, true),
            _ => return self.lexer.error(offset, format!("unknown constant `{name}`")),
        };
        Ok(self.terms.float(value))
    }

    fn close(&mut self, offset: usize) -> Result<TermId, ParseError> {
        match self.stack.pop() {
            Some(Frame::App { offset, head, rounding, args }) => {
                self.open_meaning |= self.terms.leaves_open(head, &args);
                match self.terms.apply_head(head, rounding, &args) {
                    Ok(term) => Ok(term),
                    Err(message) => self.lexer.error(offset, message),
                }
            }
            _ => self.lexer.error(offset, "expected a term"),
        }
    }

    fn symbol(&mut self, offset: usize, name: &str) -> Result<Option<TermId>, ParseError> {
        if let Some(Frame::App { rounding: rounding @ None, args, head, .. }) =
            self.stack.last_mut()
            && args.is_empty()
            && head.takes_rounding()
            && let Some(mode) = Rounding::from_name(name)
        {
            *rounding = Some(mode);
            return Ok(None);
        }
        match name {
            "true" => Ok(Some(self.terms.bool(true))),
            "false" => Ok(Some(self.terms.bool(false))),
            _ => self.name(offset, name).map(Some),
        }
    }

    fn name(&mut self, offset: usize, name: &str) -> Result<TermId, ParseError> {
        if let Some(term) = self.scope.get(name) {
            return Ok(*term);
        }
        match (self.resolve)(name) {
            Some(v) => Ok(self.terms.var(v)),
            None => self.lexer.error(offset, format!("unknown symbol `{name}`")),
        }
    }

    fn numeral(&mut self, offset: usize, digits: &str) -> Result<TermId, ParseError> {
        match BigInt::parse_bytes(digits.as_bytes(), 10) {
            Some(number) => Ok(self.terms.int(number)),
            None => self.lexer.error(offset, "malformed number"),
        }
    }

    fn decimal(
        &mut self,
        offset: usize,
        whole: &str,
        fraction: &str,
    ) -> Result<TermId, ParseError> {
        let digits = format!("{whole}{fraction}");
        match BigInt::parse_bytes(digits.as_bytes(), 10) {
            Some(number) => {
                let scale: BigInt = Pow::pow(BigInt::from(10), fraction.len());
                Ok(self.terms.rat(BigRational::new(number, scale)))
            }
            None => self.lexer.error(offset, "malformed number"),
        }
    }

    fn bits(&mut self, offset: usize, digits: &str, radix: u32) -> Result<TermId, ParseError> {
        let width = u32::try_from(digits.len()).ok().and_then(|n| n.checked_mul(radix.ilog2()));
        match (width, BigUint::parse_bytes(digits.as_bytes(), radix)) {
            (Some(width @ 1..=MAX_WIDTH), Some(number)) => {
                Ok(self.terms.bv_value(Bv::from_biguint(width, &number)))
            }
            _ => self.lexer.error(offset, "malformed or too wide a bit-vector constant"),
        }
    }
}
