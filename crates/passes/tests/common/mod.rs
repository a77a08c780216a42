//! What the tests share: programs from text, and random programs.

#![allow(dead_code, missing_docs, reason = "each test uses a part of it")]

pub use base::Random;
use base::SourceMap;
use cfa::{
    AllocKind, Choice, Contents, Fault, FuncId, LocId, ObjectKind, Op, Program, Reading, Scope,
    Variable,
};
use term::{Sort, TermId, Var};

/// Reads a model from its text.
pub fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.model", text.as_bytes().to_vec()).expect("a short text");
    match cfa::parse(sources.clone(), file) {
        Ok(program) => {
            assert_eq!(cfa::validate(&program), []);
            program
        }
        Err(diagnostics) => {
            let messages: Vec<String> =
                diagnostics.iter().map(|one| one.render(&sources)).collect();
            panic!("{}\n{text}", messages.join("\n"))
        }
    }
}

/// A model as text, without its head.
pub fn show(program: &Program) -> String {
    assert_eq!(cfa::validate(program), []);
    cfa::print(program).lines().skip(1).collect::<Vec<_>>().join("\n")
}

pub fn c(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

/// So many seeds; `PROVISO_SEEDS` makes them more.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let more = std::env::var("PROVISO_SEEDS").ok().and_then(|text| text.parse().ok());
    0..more.unwrap_or(count)
}

/// The variables of random loops.
pub const VARS: [&str; 4] = ["a", "b", "c", "d"];

/// Orders of bit-vectors, each with the one that holds of the two in turn exactly if it does not.
pub const ORDERS: [(&str, &str); 4] =
    [("bvult", "bvule"), ("bvule", "bvult"), ("bvslt", "bvsle"), ("bvsle", "bvslt")];

/// A bit-vector, often one at the ends of its sort or a small one.
pub fn constant(random: &mut Random, width: u32) -> String {
    let bits = match random.below(6) {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => 1 << (width - 1),
        4 => random.next() % 5,
        _ => random.next(),
    };
    let digits: String =
        (0..width).rev().map(|at| if bits >> at & 1 == 1 { '1' } else { '0' }).collect();
    format!("#b{digits}")
}

/// Declarations of variables of a sort.
pub fn locals(names: &[&str], sort: &str) -> String {
    names.iter().map(|name| format!("local {name}: {sort}\n")).collect()
}

/// Operations that ask for the values of variables.
pub fn inputs(names: &[&str]) -> String {
    names.iter().map(|name| format!("havoc {name} input \"i\"\n")).collect()
}

/// What random programs have.
#[derive(Clone, Copy)]
pub struct Setting {
    pub memory: bool,
    pub recursion: bool,
}

/// A random program that depends on the seed only: a few functions with loops, jumps, calls, memory
/// and errors under conditions that are not rare.
pub fn random_program(seed: u64, setting: Setting) -> Program {
    let mut program = Program::default();
    program.cfa.address_width = 64;
    let mut maker =
        Maker { random: Random::new(seed), program, setting, bytes: Vec::new(), at: None };
    maker.declare();
    for function in maker.program.cfa.functions.ids().collect::<Vec<_>>() {
        maker.body(function);
    }
    assert_eq!(cfa::validate(&maker.program), []);
    maker.program
}

const WIDTH: u32 = 8;

struct Maker {
    random: Random,
    program: Program,
    setting: Setting,
    /// Addresses that stores and loads start from.
    bytes: Vec<Var>,
    /// Where the next statement starts, and its function.
    at: Option<(FuncId, LocId)>,
}

impl Maker {
    fn var(&mut self, name: String, scope: Scope, sort: Sort) -> Var {
        let variable = Variable { scope, reading: Reading::Plain, source_name: None, span: None };
        self.program.declare(name, sort, variable)
    }

    fn declare(&mut self) {
        for name in ["main", "f", "g", "h"] {
            self.program.cfa.add_function(name, None);
        }
        for index in 0..3 {
            self.var(format!("global{index}"), Scope::Global, Sort::Bv(WIDTH));
        }
        for function in self.program.cfa.functions.ids().collect::<Vec<_>>() {
            let name = self.program.cfa.functions[function].name.clone();
            for index in 0..4 {
                let local = Scope::Local(function);
                let var = self.var(format!("{name}{index}"), local, Sort::Bv(WIDTH));
                let known = &mut self.program.cfa.functions[function];
                match index {
                    0 | 1 if &*name != "main" => known.parameters.push(var),
                    2 => known.results.push(var),
                    _ => {}
                }
            }
            let local = Scope::Local(function);
            self.var(format!("{name}pointer"), local, Sort::Bv(64));
        }
        for (name, contents) in
            [("zeros", Contents::Bytes([].into(), [].into())), ("any", Contents::Arbitrary)]
        {
            let object = self.program.add_object(name, 4, 4, ObjectKind::Data, contents, None);
            self.bytes.push(self.program.cfa.objects[object].address);
        }
    }

    fn here(&self) -> (FuncId, LocId) {
        self.at.expect("inside a body")
    }

    /// The variables of the function at hand and the global ones.
    fn vars(&self) -> Vec<Var> {
        let here = Scope::Local(self.here().0);
        let seen = |(var, known): &(Var, &Variable)| {
            (known.scope == Scope::Global || known.scope == here)
                && self.program.terms.var_sort(*var) == Sort::Bv(WIDTH)
        };
        self.program.cfa.variables.entries().filter(seen).map(|(var, _)| var).collect()
    }

    fn pick(&mut self) -> Var {
        let vars = self.vars();
        self.random.pick(&vars)
    }

    fn term(&mut self, depth: u32) -> TermId {
        if depth == 0 || self.random.once_in(3) {
            if self.random.once_in(2) {
                let number = self.random.below(4) as u128;
                return self.program.terms.bv(WIDTH, number);
            }
            let var = self.pick();
            return self.program.terms.var(var);
        }
        let (a, b) = (self.term(depth - 1), self.term(depth - 1));
        let terms = &mut self.program.terms;
        match self.random.below(5) {
            0 => terms.bv_add(a, b),
            1 => terms.bv_sub(a, b),
            2 => terms.bv_and(a, b),
            3 => terms.bv_mul(a, b),
            _ => {
                let condition = self.condition();
                self.program.terms.ite(condition, a, b)
            }
        }
    }

    fn condition(&mut self) -> TermId {
        let (a, b) = (self.term(1), self.term(0));
        let terms = &mut self.program.terms;
        // Few bits, so that no condition is rare.
        let [a, b] = [a, b].map(|term| terms.bv_extract(1, 0, term));
        match self.random.below(3) {
            0 => terms.eq(a, b),
            1 => terms.bv_ult(a, b),
            _ => terms.bv_sle(b, a),
        }
    }

    fn location(&mut self) -> LocId {
        self.program.cfa.add_location(self.here().0)
    }

    fn edge(&mut self, from: LocId, to: LocId, ops: Vec<Op>) {
        self.program.cfa.add_edge(from, to, ops, None);
    }

    /// Goes on by an edge.
    fn step(&mut self, ops: Vec<Op>) {
        let (function, from) = self.here();
        let to = self.location();
        self.edge(from, to, ops);
        self.at = Some((function, to));
    }

    /// Two edges, the second one for when the first cannot be taken.
    fn branch(&mut self) -> [LocId; 2] {
        let (_, from) = self.here();
        let condition = self.condition();
        let other = self.program.terms.not(condition);
        let ends = [self.location(), self.location()];
        self.edge(from, ends[0], vec![Op::Assume(condition)]);
        self.edge(from, ends[1], vec![Op::Assume(other)]);
        ends
    }

    fn body(&mut self, function: FuncId) {
        let (entry, exit) =
            (self.program.cfa.functions[function].entry, self.program.cfa.functions[function].exit);
        self.at = Some((function, entry));
        if function.to_string() == "f0" {
            for (var, known) in self.program.cfa.variables.clone().entries() {
                if known.scope == Scope::Global && !self.random.once_in(4) {
                    let value = self.program.terms.bv(WIDTH, 1);
                    self.step(vec![Op::Assign { var, value }]);
                }
            }
        }
        self.block(2);
        let (_, end) = self.here();
        // A result that is not initialised is read before it is returned, so that it is decided there
        // in every program that is made of this one.
        let results = self.program.cfa.functions[function].results.clone();
        let read = |var: Var| Op::Assign { var, value: self.program.terms.var(var) };
        let ops = results.into_iter().map(read).collect();
        self.edge(end, exit, ops);
        self.jumps(function);
    }

    /// A jump from somewhere in a function to somewhere else, now and then.
    fn jumps(&mut self, function: FuncId) {
        let exit = self.program.cfa.functions[function].exit;
        if !self.random.once_in(3) {
            return;
        }
        let cfa = &self.program.cfa;
        let inner: Vec<LocId> = cfa
            .locations
            .entries()
            .filter(|(id, at)| at.function == function && !at.error && *id != exit)
            .map(|(id, _)| id)
            .collect();
        let (from, to) = (self.random.pick(&inner), self.random.pick(&inner));
        let condition = self.condition();
        self.edge(from, to, vec![Op::Assume(condition)]);
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..2 + self.random.below(5) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let var = self.pick();
        match self.random.below(if depth == 0 { 12 } else { 18 }) {
            0..=2 => {
                let value = self.term(2);
                self.step(vec![Op::Assign { var, value }]);
            }
            3 | 4 => {
                let input = || Choice::Input("input".into());
                let choice = if self.random.once_in(4) { Choice::Uninitialised } else { input() };
                self.step(vec![Op::Havoc { var, choice }]);
            }
            5 => self.error(),
            6 => self.several(var),
            7 => self.memory(var),
            8..=10 => self.call(),
            11 if self.random.once_in(2) => {
                let holds = self.condition();
                self.step(vec![Op::Check { holds, fault: Fault::DivisionByZero }]);
            }
            12..=14 => self.either(depth),
            15 => self.repeat(depth),
            16 => self.ending(),
            _ => {
                let condition = self.condition();
                self.step(vec![Op::Assume(condition)]);
            }
        }
    }

    fn error(&mut self) {
        let (function, _) = self.here();
        let [error, on] = self.branch();
        self.program.cfa.locations[error].error = true;
        self.at = Some((function, on));
    }

    /// One edge with several operations, an assumption among them.
    fn several(&mut self, var: Var) {
        let (one, other) = (self.term(1), self.term(1));
        let condition = self.condition();
        let next = self.pick();
        let choice = Choice::Input("input".into());
        let mut ops = vec![
            Op::Assign { var, value: one },
            Op::Havoc { var: next, choice },
            Op::Assume(condition),
            Op::Assign { var, value: other },
        ];
        if self.random.once_in(2) {
            ops.remove(2);
        }
        self.step(ops);
    }

    fn memory(&mut self, var: Var) {
        if !self.setting.memory {
            return;
        }
        let (function, _) = self.here();
        let base = self.random.pick(&self.bytes.clone());
        let offset = match self.random.below(3) {
            // Mostly inside.
            0 => {
                let term = self.term(1);
                let low = self.program.terms.bv_extract(1, 0, term);
                self.program.terms.bv_zero_extend(64, low)
            }
            1 => {
                let term = self.term(1);
                self.program.terms.bv_zero_extend(64, term)
            }
            _ => self.program.terms.bv(64, self.random.next() as u128 % 4),
        };
        let base = self.program.terms.var(base);
        let address = self.program.terms.bv_add(base, offset);
        let value = self.term(1);
        let name = format!("{}pointer", self.program.cfa.functions[function].name);
        let mut pointers = self.program.cfa.variables.ids();
        let pointer = pointers.find(|var| self.program.terms.var_name(*var) == name);
        let pointer = pointer.expect("each function has one");
        let held = self.program.terms.var(pointer);
        let size = self.program.terms.bv(64, 2);
        match self.random.below(7) {
            0 | 1 => self.step(vec![Op::Load { var, address }]),
            2 | 3 => self.step(vec![Op::Store { address, value }]),
            4 => self.step(vec![
                Op::Alloc { var: pointer, size, align: 1, kind: AllocKind::Heap, zeroed: false },
                Op::Load { var, address: held },
            ]),
            5 => {
                let choice = Choice::External("f".into());
                self.step(vec![Op::HavocReachable { roots: [address].into(), choice }]);
            }
            _ => {
                let choice = Choice::Input("bytes".into());
                self.step(vec![Op::HavocMemory { address, length: size, choice }]);
            }
        }
    }

    fn call(&mut self) {
        let (function, _) = self.here();
        let functions = self.program.cfa.functions.ids();
        let recursion = self.setting.recursion && self.random.once_in(3);
        let callees: Vec<FuncId> =
            functions.filter(|callee| recursion || *callee > function).collect();
        if callees.is_empty() {
            return;
        }
        let callee = self.random.pick(&callees);
        let count = self.program.cfa.functions[callee].parameters.len();
        let arguments = (0..count).map(|_| self.term(1)).collect();
        let results = if self.random.once_in(2) { Vec::new() } else { vec![self.pick()] };
        self.step(vec![Op::Call { callee, arguments, results: results.into() }]);
    }

    fn either(&mut self, depth: u32) {
        let (function, from) = self.here();
        let ends = if self.random.once_in(5) {
            let ends = [self.location(), self.location()];
            self.edge(from, ends[0], Vec::new());
            self.edge(from, ends[1], Vec::new());
            ends
        } else {
            self.branch()
        };
        let end = self.location();
        for start in ends {
            self.at = Some((function, start));
            if !self.random.once_in(4) {
                self.block(depth - 1);
            }
            let (_, last) = self.here();
            self.edge(last, end, Vec::new());
        }
        self.at = Some((function, end));
    }

    fn repeat(&mut self, depth: u32) {
        let (function, head) = self.here();
        let ends = self.branch();
        self.at = Some((function, ends[0]));
        self.block(depth - 1);
        let (_, last) = self.here();
        self.edge(last, head, Vec::new());
        self.at = Some((function, ends[1]));
    }

    fn ending(&mut self) {
        let (function, _) = self.here();
        let [end, on] = self.branch();
        let nowhere = self.location();
        let op = match self.random.below(3) {
            0 => Op::Unsupported("something".into()),
            1 => Op::Abort,
            _ => {
                let code = self.program.terms.bv(32, 1);
                Op::Exit(code)
            }
        };
        self.edge(end, nowhere, vec![op]);
        self.at = Some((function, on));
    }
}
