//! Operations in the notation of C, more or less.

use std::fmt::{self, Display};

use term::{TermId, Var};

use super::{Infix, Shown, write_term};
use crate::text::{access_word, alloc_word};
use crate::{Choice, Op, Reading};

impl<'a> Infix<'a> {
    /// An operation.
    #[must_use]
    pub fn op(self, op: &'a Op) -> impl Display + 'a {
        Shown { limit: self.limit, write: move |out: &mut dyn fmt::Write| write(out, self, op) }
    }
}

/// Writes an operation.
fn write(out: &mut dyn fmt::Write, infix: Infix<'_>, op: &Op) -> fmt::Result {
    let mut line = Line { out, infix };
    match op {
        Op::Assume(holds) => {
            line.text("[")?;
            line.term(*holds)?;
            line.text("]")
        }
        Op::Assign { var, value } => {
            line.target(*var)?;
            line.read_as(*value, infix.reading_of_var(*var))
        }
        Op::Havoc { var, choice } => {
            line.target(*var)?;
            line.choice(choice)
        }
        Op::Load { var, address } => {
            line.target(*var)?;
            line.memory(*address)
        }
        Op::Store { address, value } => {
            line.memory(*address)?;
            line.text(" = ")?;
            line.term(*value)
        }
        Op::Copy { to, from, length } => line.call("memmove", &[*to, *from, *length]),
        Op::Fill { address, byte, length } => line.call("memset", &[*address, *byte, *length]),
        Op::HavocMemory { address, length, choice } => {
            line.text("mem[")?;
            line.read_as(*address, Reading::Address)?;
            line.text(" .. +")?;
            line.term(*length)?;
            line.text("] = ")?;
            line.choice(choice)
        }
        Op::HavocReachable { roots, choice } => {
            line.call("reachable", roots)?;
            line.text(" = ")?;
            line.choice(choice)
        }
        Op::Size { var, address } => {
            line.target(*var)?;
            line.call("size", &[*address])
        }
        Op::Valid { var, address, length, access } => {
            line.target(*var)?;
            line.text("valid_")?;
            line.call(access_word(*access), &[*address, *length])
        }
        Op::Alloc { var, size, kind, zeroed, .. } => {
            line.target(*var)?;
            line.text(alloc_word(*kind))?;
            line.call(if *zeroed { "_alloc_zeroed" } else { "_alloc" }, &[*size])
        }
        Op::Free { address, kind } => {
            line.text(alloc_word(*kind))?;
            line.call("_free", &[*address])
        }
        Op::Check { holds, fault } => {
            line.text("check ")?;
            line.term(*holds)?;
            line.text(" else ")?;
            line.text(fault.describe())
        }
        Op::Call { callee, arguments, results } => {
            for (index, result) in results.iter().enumerate() {
                line.text(if index == 0 { "" } else { ", " })?;
                line.text(infix.name(*result))?;
            }
            line.text(if results.is_empty() { "" } else { " = " })?;
            let function = infix.cfa.functions.get(*callee);
            line.call(function.map_or("?", |function| &function.name), arguments)
        }
        Op::Output { function, arguments } => line.call(function, arguments),
        Op::Exit(code) => line.call("exit", &[*code]),
        Op::Abort => line.text("abort()"),
        Op::Unsupported(reason) => {
            line.text("unsupported: ")?;
            line.text(reason)
        }
    }
}

struct Line<'a> {
    out: &'a mut dyn fmt::Write,
    infix: Infix<'a>,
}

impl Line<'_> {
    fn text(&mut self, text: &str) -> fmt::Result {
        self.out.write_str(text)
    }

    fn term(&mut self, term: TermId) -> fmt::Result {
        self.read_as(term, Reading::Plain)
    }

    fn read_as(&mut self, term: TermId, reading: Reading) -> fmt::Result {
        write_term(self.out, self.infix, term, reading)
    }

    fn target(&mut self, var: Var) -> fmt::Result {
        self.text(self.infix.name(var))?;
        self.text(" = ")
    }

    fn memory(&mut self, address: TermId) -> fmt::Result {
        self.text("mem[")?;
        self.read_as(address, Reading::Address)?;
        self.text("]")
    }

    fn call(&mut self, function: &str, arguments: &[TermId]) -> fmt::Result {
        self.text(function)?;
        self.text("(")?;
        for (index, argument) in arguments.iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " })?;
            self.term(*argument)?;
        }
        self.text(")")
    }

    fn choice(&mut self, choice: &Choice) -> fmt::Result {
        let (text, name) = match choice {
            Choice::Input(name) | Choice::External(name) => ("", name),
            Choice::Uninitialised => return self.text("?"),
            Choice::Approximated(name) => ("approximately ", name),
        };
        self.text(text)?;
        self.text(name)?;
        self.text("()")
    }
}
