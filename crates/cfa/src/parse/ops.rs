//! The operations of an edge.

use term::{TermId, Var};

use super::build::Builder;
use super::cursor::{Cursor, Result};
use super::syntax::faults;
use crate::{Access, AllocKind, Choice, Op};

const ALLOC_KINDS: [(&str, AllocKind); 2] =
    [("heap", AllocKind::Heap), ("stack", AllocKind::Stack)];

const ACCESSES: [(&str, Access); 3] =
    [("read", Access::Read), ("write", Access::Write), ("free", Access::Free)];

impl Builder {
    /// Reads operations from behind a brace up to the one that closes it.
    pub(super) fn ops(&mut self, text: &str, start: usize) -> Result<Vec<Op>> {
        let mut reader = Reader { builder: self, cursor: Cursor::new(text, start) };
        let mut ops = Vec::new();
        while !reader.cursor.eat("}") {
            ops.push(reader.op()?);
        }
        Ok(ops)
    }
}

struct Reader<'a, 'b> {
    builder: &'b mut Builder,
    cursor: Cursor<'a>,
}

impl Reader<'_, '_> {
    fn op(&mut self) -> Result<Op> {
        let name = self.cursor.name("an operation")?;
        // A variable may be called like an operation.
        if self.cursor.eat(":=") {
            let var = self.builder.names.variable(&name)?;
            return Ok(Op::Assign { var, value: self.term()? });
        }
        Ok(match name.piece.text {
            "assume" => Op::Assume(self.term()?),
            "havoc" => Op::Havoc { var: self.var()?, choice: self.choice()? },
            "load" => Op::Load { var: self.var()?, address: self.term_after("from")? },
            "store" => {
                let value = self.term()?;
                Op::Store { address: self.term_after("at")?, value }
            }
            "copy" => {
                let (length, from) = (self.term()?, self.term_after("from")?);
                Op::Copy { to: self.term_after("to")?, from, length }
            }
            "fill" => {
                let (length, address) = (self.term()?, self.term_after("at")?);
                Op::Fill { address, byte: self.term_after("with")?, length }
            }
            "havoc-memory" => {
                let (length, address) = (self.term()?, self.term_after("at")?);
                Op::HavocMemory { address, length, choice: self.choice()? }
            }
            "havoc-reachable" => {
                let roots = self.list(Self::term)?;
                Op::HavocReachable { roots, choice: self.choice()? }
            }
            "size" => Op::Size { var: self.var()?, address: self.term_after("at")? },
            "valid" => {
                let (var, access) = (self.var()?, self.cursor.choose("an access", &ACCESSES)?);
                let length = self.term()?;
                Op::Valid { var, address: self.term_after("at")?, length, access }
            }
            "alloc" => {
                let (var, size) = (self.var()?, self.term_after("size")?);
                self.cursor.expect_word("align")?;
                let align = self.cursor.number()?;
                let kind = self.cursor.choose("a kind of memory", &ALLOC_KINDS)?;
                let zeroed = self.cursor.eat_word("zeroed");
                Op::Alloc { var, size, align, kind, zeroed }
            }
            "free" => {
                let kind = self.cursor.choose("a kind of memory", &ALLOC_KINDS)?;
                Op::Free { address: self.term()?, kind }
            }
            "check" => {
                let fault = self.cursor.choose("a fault", &faults())?;
                Op::Check { holds: self.term()?, fault }
            }
            "call" => {
                let callee = self.cursor.name("a function")?;
                let callee = self.builder.names.function(&callee)?;
                let arguments = self.list(Self::term)?;
                let results =
                    if self.cursor.eat("->") { self.list(Self::var)? } else { Box::default() };
                Op::Call { callee, arguments, results }
            }
            "output" => {
                let function = self.cursor.string()?.into();
                Op::Output { function, arguments: self.list(Self::term)? }
            }
            "exit" => Op::Exit(self.term()?),
            "abort" => Op::Abort,
            "unsupported" => Op::Unsupported(self.cursor.string()?.into()),
            _ => return Err(name.piece.wrong("expected an operation")),
        })
    }

    fn var(&mut self) -> Result<Var> {
        let name = self.cursor.name("the name of a variable")?;
        self.builder.names.variable(&name)
    }

    fn term(&mut self) -> Result<TermId> {
        let piece = self.cursor.term("a term")?;
        self.builder.term(piece)
    }

    fn term_after(&mut self, word: &str) -> Result<TermId> {
        self.cursor.expect_word(word)?;
        self.term()
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T>) -> Result<Box<[T]>> {
        let mut items = Vec::new();
        self.cursor.expect("(")?;
        while !self.cursor.eat(")") {
            if !items.is_empty() {
                self.cursor.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items.into())
    }

    fn choice(&mut self) -> Result<Choice> {
        let words = [("input", 0), ("uninitialised", 1), ("external", 2), ("approximated", 3)];
        let which = self.cursor.choose("who chooses", &words)?;
        if which == 1 {
            return Ok(Choice::Uninitialised);
        }
        let name = self.cursor.string()?.into();
        Ok(match which {
            0 => Choice::Input(name),
            2 => Choice::External(name),
            _ => Choice::Approximated(name),
        })
    }
}
