//! A small builder of program models, and runs of them.

// Each test file uses a part of it.
#![allow(dead_code, missing_docs)]

use cfa::{
    AllocKind, Choice, Contents, EdgeId, FuncId, LocId, ObjectKind, Op, Program, Reading, Scope,
    Variable,
};
use proviso_interp::{Config, Ending, Inputs, Run, Zeros};
use term::{Bv, Sort, TermId, Value, Var};

/// A program with one function at work; `at` is the location where it goes on.
pub struct Model {
    pub program: Program,
    pub function: FuncId,
    pub at: LocId,
}

pub const B8: Sort = Sort::Bv(8);
pub const B32: Sort = Sort::Bv(32);
pub const B64: Sort = Sort::Bv(64);

impl Model {
    /// A program with addresses of 64 bits and a function `main`.
    pub fn new() -> Self {
        Self::with_addresses(64)
    }

    pub fn with_addresses(width: u32) -> Self {
        let mut program = Program::default();
        program.cfa.address_width = width;
        let function = program.cfa.add_function("main", None);
        let at = program.cfa.functions[function].entry;
        Self { program, function, at }
    }

    /// Goes on in a new function.
    pub fn function(&mut self, name: &str) -> FuncId {
        self.function = self.program.cfa.add_function(name, None);
        self.at = self.program.cfa.functions[self.function].entry;
        self.function
    }

    /// Goes on in a function that is there already, at its entry.
    pub fn go_to(&mut self, function: FuncId) {
        self.function = function;
        self.at = self.program.cfa.functions[function].entry;
    }

    pub fn global(&mut self, name: &str, sort: Sort) -> Var {
        self.declare(name, sort, Scope::Global)
    }

    pub fn local(&mut self, name: &str, sort: Sort) -> Var {
        self.declare(name, sort, Scope::Local(self.function))
    }

    pub fn parameter(&mut self, name: &str, sort: Sort) -> Var {
        let var = self.local(name, sort);
        self.program.cfa.functions[self.function].parameters.push(var);
        var
    }

    pub fn result(&mut self, name: &str, sort: Sort) -> Var {
        let var = self.local(name, sort);
        self.program.cfa.functions[self.function].results.push(var);
        var
    }

    fn declare(&mut self, name: &str, sort: Sort, scope: Scope) -> Var {
        let known = Variable { scope, reading: Reading::Signed, source_name: None, span: None };
        self.program.declare(name, sort, known)
    }

    /// An object; gives the term that is its address.
    pub fn object(
        &mut self,
        name: &str,
        size: u64,
        kind: ObjectKind,
        contents: Contents,
    ) -> TermId {
        let object = self.program.add_object(name, size, 8, kind, contents, None);
        let address = self.program.cfa.objects[object].address;
        self.var(address)
    }

    pub fn data(&mut self, name: &str, bytes: &[u8]) -> TermId {
        let contents = Contents::Bytes(bytes.into(), [].into());
        self.object(name, bytes.len() as u64, ObjectKind::Data, contents)
    }

    /// A string literal.
    pub fn string(&mut self, text: &[u8]) -> TermId {
        let bytes = [text, &[0]].concat();
        let name = format!("string{}", self.program.cfa.objects.len());
        let contents = Contents::Bytes(bytes.clone().into(), [].into());
        self.object(&name, bytes.len() as u64, ObjectKind::ReadOnly, contents)
    }

    pub fn var(&mut self, var: Var) -> TermId {
        self.program.terms.var(var)
    }

    pub fn bv(&mut self, width: u32, number: i128) -> TermId {
        self.program.terms.bv_value(Bv::from_signed(width, number))
    }

    pub fn location(&mut self) -> LocId {
        self.program.cfa.add_location(self.function)
    }

    pub fn edge(&mut self, from: LocId, to: LocId, ops: impl Into<Box<[Op]>>) -> EdgeId {
        self.program.cfa.add_edge(from, to, ops, None)
    }

    /// An edge to a new location, where the function goes on.
    pub fn step(&mut self, ops: impl Into<Box<[Op]>>) -> EdgeId {
        let next = self.location();
        let edge = self.edge(self.at, next, ops);
        self.at = next;
        edge
    }

    /// An edge to the exit.
    pub fn finish(&mut self) {
        let exit = self.program.cfa.functions[self.function].exit;
        self.edge(self.at, exit, []);
    }

    /// Ends the function with a result, the value of the term.
    pub fn finish_with(&mut self, value: TermId) {
        let sort = self.program.terms.sort(value);
        let result = self.result("result", sort);
        self.step([Op::Assign { var: result, value }]);
        self.finish();
    }

    /// An error location.
    pub fn error(&mut self) -> LocId {
        let location = self.location();
        self.program.cfa.locations[location].error = true;
        location
    }

    pub fn run(&self) -> Run {
        self.run_with(&mut Zeros)
    }

    pub fn run_with(&self, inputs: &mut dyn Inputs) -> Run {
        let config = Config { max_steps: 1_000_000, ..Config::default() };
        proviso_interp::run(&self.program, &config, inputs, None, &mut std::io::sink())
    }

    pub fn output(&self) -> (Run, Vec<u8>) {
        let mut bytes = Vec::new();
        let config = Config { max_steps: 1_000_000, ..Config::default() };
        let run = proviso_interp::run(&self.program, &config, &mut Zeros, None, &mut bytes);
        (run, bytes)
    }
}

pub fn assign(var: Var, value: TermId) -> Op {
    Op::Assign { var, value }
}

pub fn input(var: Var) -> Op {
    Op::Havoc { var, choice: Choice::Input("input".into()) }
}

pub fn alloc(var: Var, size: TermId, kind: AllocKind) -> Op {
    Op::Alloc { var, size, align: 16, kind, zeroed: false }
}

pub fn bits(width: u32, number: i128) -> Value {
    Value::Bv(Bv::from_signed(width, number))
}

pub fn returned(width: u32, number: i128) -> Ending {
    Ending::Returned(Some(bits(width, number)))
}
