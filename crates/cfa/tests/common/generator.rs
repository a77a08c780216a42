//! Random valid models with operations of every kind.

use base::{FileId, Id as _, Span};
use cfa::{
    Access, AllocKind, Assumption, AssumptionKind, Choice, Contents, Fault, FuncId, LocId,
    ObjectKind, Op, Patch, Program, Reading, Scope, Variable,
};
use term::{Bv, Float, Format, Op as O, Rounding, Sort, TermId, Value, Var};

use super::Random;

const NAMES: [&str; 10] =
    ["x", "main", "a b", "p|q", "back\\slash", "λ", "true", "L0", "assume", "@"];

/// A valid model that depends on the seed only.
pub fn model(seed: u64) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        program: Program::default(),
        files: Vec::new(),
        sorts: Vec::new(),
    };
    generator.sources();
    generator.declarations();
    generator.bodies();
    generator.program
}

struct Generator {
    random: Random,
    program: Program,
    files: Vec<FileId>,
    sorts: Vec<Sort>,
}

impl Generator {
    fn sources(&mut self) {
        // The text of the model will be the first file when it is read back.
        self.program.sources.add("test.model", Vec::new());
        for index in 0..1 + self.random.below(2) {
            let length = self.random.below(60);
            let bytes: Vec<u8> =
                (0..length).map(|_| self.random.pick(b"ab\n\r\t|\\\"\xff\x00\xc3\xa9;")).collect();
            let file = self.program.sources.add(format!("file \"{index}\".c"), bytes).unwrap();
            self.files.push(file);
            // Only files that are referred to survive.
            let span = Some(Span::new(file, 0, 1));
            let text = format!("file {index} \\ exists\n\u{1}\t");
            let kinds =
                [AssumptionKind::External, AssumptionKind::Semantics, AssumptionKind::Environment];
            let kind = self.random.pick(&kinds);
            self.program.cfa.assumptions.push(Assumption { kind, text, span });
        }
    }

    fn span(&mut self) -> Option<Span> {
        if self.random.once_in(2) {
            return None;
        }
        let file = self.random.pick(&self.files);
        let start = self.random.below(50) as u32;
        Some(Span::new(file, start, start + self.random.below(9) as u32))
    }

    fn text(&mut self) -> Box<str> {
        self.random.pick(&NAMES).into()
    }

    fn some_text(&mut self) -> Option<Box<str>> {
        let text = self.text();
        self.random.once_in(2).then_some(text)
    }

    fn unique(&mut self) -> String {
        let number = self.program.terms.var_count() + self.program.cfa.functions.len();
        let name = self.text();
        if self.random.once_in(2) { format!("{name}{number}") } else { format!("{number}:{name}") }
    }

    fn declarations(&mut self) {
        self.program.cfa.address_width = self.random.pick(&[0, 32, 64]);
        if self.random.once_in(2) {
            self.program.cfa.outside = cfa::Outside::of_width(self.program.cfa.address_width);
        }
        let int_to_byte = self.program.terms.array_sort(Sort::Int, Sort::Bv(8));
        let nested = self.program.terms.array_sort(Sort::Bv(8), int_to_byte);
        self.sorts = vec![Sort::Bool, Sort::Int, Sort::Rat, int_to_byte, nested];
        self.sorts.extend([1, 8, 32, 33, 64, 80, 128].map(Sort::Bv));
        self.sorts.extend(Format::ALL.map(Sort::Float));
        for _ in 0..1 + self.random.below(3) {
            let (name, span) = (self.unique(), self.span());
            self.program.cfa.add_function(name, span);
        }
        let functions: Vec<FuncId> = self.program.cfa.functions.ids().collect();
        self.program.cfa.start =
            if self.random.once_in(5) { None } else { Some(self.random.pick(&functions)) };
        for _ in 0..30 {
            match self.random.below(5) {
                0 if self.program.cfa.address_width > 0 => self.object(),
                1 => drop(self.variable(Scope::Global)),
                _ => {
                    let function = self.random.pick(&functions);
                    let var = self.variable(Scope::Local(function));
                    let function = &mut self.program.cfa.functions[function];
                    if self.random.once_in(4) {
                        function.parameters.push(var);
                    }
                    if self.random.once_in(4) {
                        function.results.push(var);
                    }
                    if self.random.once_in(6) {
                        // The order of the lists is nobody's business.
                        function.locals.reverse();
                        function.parameters.reverse();
                    }
                }
            }
        }
    }

    fn variable(&mut self, scope: Scope) -> Var {
        let sort = match self.random.pick(&self.sorts.clone()) {
            // Addresses and numbers are what programs have most of.
            _ if self.random.once_in(3) => Sort::Bv(self.program.cfa.address_width.max(32)),
            sort => sort,
        };
        let reading = match sort {
            Sort::Bv(_) => self.random.pick(&[Reading::Plain, Reading::Signed, Reading::Address]),
            _ => Reading::Plain,
        };
        let (source_name, span) = (self.some_text(), self.span());
        let name = self.unique();
        self.program.declare(name, sort, Variable { scope, reading, source_name, span })
    }

    fn object(&mut self) {
        let (name, span) = (self.unique(), self.span());
        let align = 1 << self.random.below(5);
        let functions: Vec<FuncId> = self.program.cfa.functions.ids().collect();
        let code = ObjectKind::Code(self.random.pick(&functions));
        let kind = self.random.pick(&[ObjectKind::Data, ObjectKind::ReadOnly, code]);
        let nothing = Contents::Bytes([].into(), [].into());
        if kind == code {
            let size = self.random.below(2) as u64;
            self.program.add_object(name, size, align, kind, nothing, span);
            return;
        }
        let length = self.random.below(80);
        let size = 64 + length as u64;
        let bytes: Box<[u8]> = (0..length).map(|_| self.random.next() as u8).collect();
        let contents = match self.random.below(4) {
            0 => Contents::Arbitrary,
            1 => nothing,
            _ => Contents::Bytes(bytes, self.patches(size)),
        };
        self.program.add_object(name, size, align, kind, contents, span);
    }

    fn patches(&mut self, size: u64) -> Box<[Patch]> {
        let width = self.program.cfa.address_width;
        let addresses: Vec<Var> =
            self.program.cfa.objects.iter().map(|object| object.address).collect();
        let mut patches = Vec::new();
        for address in addresses.into_iter().take(2) {
            let offset = self.random.below(size as usize - 8) as u64;
            let (address, by) = (self.program.terms.var(address), self.random.next());
            let by = self.program.terms.bv(width, u128::from(by));
            let value = self.program.terms.bv_add(address, by);
            patches.push(Patch { offset, value });
        }
        patches.into()
    }

    fn bodies(&mut self) {
        let functions: Vec<FuncId> = self.program.cfa.functions.ids().collect();
        for function in &functions {
            for _ in 0..self.random.below(6) {
                let location = self.program.cfa.add_location(*function);
                let (name, span) = (self.some_text(), self.span());
                let location = &mut self.program.cfa.locations[location];
                (location.name, location.span) = (name, span);
                location.error = self.random.once_in(5);
                if location.error && self.random.once_in(2) {
                    location.fault = Some(self.random.pick(&Fault::ALL));
                }
            }
        }
        let locations: Vec<LocId> = self.program.cfa.locations.ids().collect();
        for _ in 0..self.random.below(25) {
            let cfa = &self.program.cfa;
            let source = self.random.pick(&locations);
            let function = cfa.locations[source].function;
            let here: Vec<LocId> = locations
                .iter()
                .copied()
                .filter(|id| cfa.locations[*id].function == function)
                .collect();
            let target = self.random.pick(&here);
            if cfa.locations[source].error || cfa.functions[function].exit == source {
                continue;
            }
            let ops: Vec<Op> = if self.random.once_in(5) {
                vec![self.call(function)]
            } else {
                (0..self.random.below(4)).map(|_| self.op(function)).collect()
            };
            let span = self.span();
            let edge = self.program.cfa.add_edge(source, target, ops, span);
            if edge.index().is_multiple_of(5) {
                let name = format!("\\\"{edge}\"|");
                self.program.cfa.edges[edge].name = Some(name.into());
            }
        }
    }

    /// The variables that a function may change.
    fn changeable(&self, function: FuncId) -> Vec<Var> {
        let variables = self.program.cfa.variables.entries();
        let mine = variables
            .filter(|(_, v)| v.scope == Scope::Global || v.scope == Scope::Local(function));
        mine.map(|(var, _)| var).collect()
    }

    fn pick_var(&mut self, function: FuncId, wanted: impl Fn(Sort) -> bool) -> Option<Var> {
        let mut vars = self.changeable(function);
        vars.retain(|var| wanted(self.program.terms.var_sort(*var)));
        (!vars.is_empty()).then(|| self.random.pick(&vars))
    }

    fn choice(&mut self) -> Choice {
        let name = self.text();
        match self.random.below(4) {
            0 => Choice::Input(name),
            1 => Choice::Uninitialised,
            2 => Choice::External(name),
            _ => Choice::Approximated(name),
        }
    }

    fn call(&mut self, function: FuncId) -> Op {
        let functions: Vec<FuncId> = self.program.cfa.functions.ids().collect();
        let callee = self.random.pick(&functions);
        let parameters = self.program.cfa.functions[callee].parameters.clone();
        let sorts: Vec<Sort> =
            parameters.iter().map(|var| self.program.terms.var_sort(*var)).collect();
        let arguments = sorts.into_iter().map(|sort| self.term(function, sort, 2)).collect();
        let mut results: Vec<Var> = Vec::new();
        for result in self.program.cfa.functions[callee].results.clone() {
            let sort = self.program.terms.var_sort(result);
            let taken = results.clone();
            let mut vars = self.changeable(function);
            vars.retain(|var| self.program.terms.var_sort(*var) == sort && !taken.contains(var));
            if vars.is_empty() {
                results.clear();
                break;
            }
            results.push(self.random.pick(&vars));
        }
        if results.len() != self.program.cfa.functions[callee].results.len() {
            results.clear();
        }
        Op::Call { callee, arguments, results: results.into() }
    }

    fn op(&mut self, f: FuncId) -> Op {
        let width = self.program.cfa.address_width;
        let word = Sort::Bv(width);
        let memory = width > 0;
        let stored = |sort: Sort| cfa::stored_bytes(sort).is_some();
        match self.random.below(18) {
            0 => Op::Assume(self.term(f, Sort::Bool, 4)),
            1 | 2 => match self.pick_var(f, |_| true) {
                Some(var) => {
                    let sort = self.program.terms.var_sort(var);
                    Op::Assign { var, value: self.term(f, sort, 4) }
                }
                None => Op::Abort,
            },
            3 => match self.pick_var(f, |_| true) {
                Some(var) => Op::Havoc { var, choice: self.choice() },
                None => Op::Abort,
            },
            4 if memory => match self.pick_var(f, stored) {
                Some(var) => Op::Load { var, address: self.term(f, word, 2) },
                None => Op::Abort,
            },
            5 if memory => {
                let sorts: Vec<Sort> =
                    self.sorts.iter().copied().filter(|sort| stored(*sort)).collect();
                let sort = self.random.pick(&sorts);
                Op::Store { address: self.term(f, word, 2), value: self.term(f, sort, 2) }
            }
            6 if memory => Op::Copy {
                to: self.term(f, word, 2),
                from: self.term(f, word, 2),
                length: self.term(f, word, 2),
            },
            7 if memory => Op::Fill {
                address: self.term(f, word, 2),
                byte: self.term(f, Sort::Bv(8), 2),
                length: self.term(f, word, 2),
            },
            8 if memory => Op::HavocMemory {
                address: self.term(f, word, 2),
                length: self.term(f, word, 2),
                choice: self.choice(),
            },
            9 if memory => {
                let roots = (0..self.random.below(3)).map(|_| self.term(f, word, 1)).collect();
                Op::HavocReachable { roots, choice: self.choice() }
            }
            10 if memory => match self.pick_var(f, |sort| sort == word) {
                Some(var) if self.random.once_in(2) => {
                    Op::Size { var, address: self.term(f, word, 1) }
                }
                _ => match self.pick_var(f, |sort| sort == Sort::Bool) {
                    Some(var) => Op::Valid {
                        var,
                        address: self.term(f, word, 1),
                        length: self.term(f, word, 1),
                        access: self.random.pick(&[Access::Read, Access::Write, Access::Free]),
                    },
                    None => Op::Abort,
                },
            },
            11 if memory => match self.pick_var(f, |sort| sort == word) {
                Some(var) => Op::Alloc {
                    var,
                    size: self.term(f, word, 2),
                    align: 1 << self.random.below(8),
                    kind: self.random.pick(&[AllocKind::Heap, AllocKind::Stack]),
                    zeroed: self.random.once_in(2),
                },
                None => Op::Abort,
            },
            12 if memory => Op::Free {
                address: self.term(f, word, 1),
                kind: self.random.pick(&[AllocKind::Heap, AllocKind::Stack]),
            },
            13 => {
                let fault = self.random.pick(&Fault::ALL);
                Op::Check { holds: self.term(f, Sort::Bool, 3), fault }
            }
            14 => {
                let count = self.random.below(3);
                let arguments = (0..count).map(|_| {
                    let sort = self.random.pick(&self.sorts.clone());
                    self.term(f, sort, 2)
                });
                let arguments = arguments.collect();
                Op::Output { function: self.text(), arguments }
            }
            15 => Op::Exit(self.term(f, Sort::Bv(32), 2)),
            16 => Op::Unsupported(self.text()),
            _ => Op::Abort,
        }
    }

    /// A term of a sort that reads what the function sees.
    pub fn term(&mut self, f: FuncId, sort: Sort, depth: u32) -> TermId {
        if depth == 0 || self.random.once_in(6) {
            return self.leaf(f, sort);
        }
        let d = depth - 1;
        let rounding = self.random.pick(&Rounding::ALL);
        let (op, sorts): (O, Vec<Sort>) = match (sort, self.random.below(8)) {
            (_, 0) => (O::Ite, vec![Sort::Bool, sort, sort]),
            (Sort::Bool, 1) => (O::Not, vec![sort]),
            (Sort::Bool, 2) => {
                (self.random.pick(&[O::And, O::Or]), vec![sort; 2 + self.random.below(3)])
            }
            (Sort::Bool, 3) => {
                let any = self.random.pick(&self.sorts.clone());
                (O::Eq, vec![any, any])
            }
            (Sort::Bool, 4 | 5) => {
                let ops = [
                    O::BvUlt,
                    O::BvUle,
                    O::BvSlt,
                    O::BvSle,
                    O::BvUaddOverflow,
                    O::BvSaddOverflow,
                    O::BvUsubOverflow,
                    O::BvSsubOverflow,
                    O::BvUmulOverflow,
                    O::BvSmulOverflow,
                ];
                (self.random.pick(&ops), vec![Sort::Bv(self.random.pick(&[1, 8, 32])); 2])
            }
            (Sort::Bool, 6) => {
                let sort = self.random.pick(&[Sort::Int, Sort::Rat]);
                (self.random.pick(&[O::Le, O::Lt]), vec![sort; 2])
            }
            (Sort::Bool, _) => {
                let float = Sort::Float(self.random.pick(&Format::ALL));
                match self.random.below(2) {
                    0 => (self.random.pick(&[O::FpEq, O::FpLt, O::FpLe]), vec![float; 2]),
                    _ => (self.random.pick(&[O::FpIsNan, O::FpIsZero, O::FpIsNormal]), vec![float]),
                }
            }
            (Sort::Int, 1) => (O::Neg, vec![sort]),
            (Sort::Int, 2) => {
                (self.random.pick(&[O::BvToIntUnsigned, O::BvToIntSigned]), vec![Sort::Bv(8)])
            }
            (Sort::Int, 3) => (O::ToInt, vec![Sort::Rat]),
            (Sort::Int, _) => {
                let ops = [O::Add, O::Sub, O::Mul, O::IntDiv, O::IntMod, O::IntRem];
                (self.random.pick(&ops), vec![sort; 2])
            }
            (Sort::Rat, 1) => (O::ToRat, vec![Sort::Int]),
            (Sort::Rat, _) => (self.random.pick(&[O::Add, O::Sub, O::Mul, O::Div]), vec![sort; 2]),
            (Sort::Bv(_), 1) => (self.random.pick(&[O::BvNot, O::BvNeg]), vec![sort]),
            (Sort::Bv(width), 2) if width > 8 => {
                let op = self.random.pick(&[O::BvZeroExtend(width), O::BvSignExtend(width)]);
                (op, vec![Sort::Bv(8)])
            }
            (Sort::Bv(width), 3) if width > 8 => {
                (O::BvConcat, vec![Sort::Bv(width - 8), Sort::Bv(8)])
            }
            (Sort::Bv(width), 4) if width < 100 => {
                let low = self.random.below(3) as u32;
                (O::BvExtract { high: low + width - 1, low }, vec![Sort::Bv(128)])
            }
            (Sort::Bv(width), 5) => {
                let format = Format::ALL.into_iter().find(|format| format.width() == width);
                match format {
                    Some(format) => (O::FpToBits, vec![Sort::Float(format)]),
                    None => (O::FpToSignedBv(rounding, width), vec![Sort::Float(Format::Double)]),
                }
            }
            (Sort::Bv(8), 6) => (O::Select, vec![self.sorts[3], Sort::Int]),
            (Sort::Bv(_), _) => {
                let ops = [
                    O::BvAdd,
                    O::BvSub,
                    O::BvMul,
                    O::BvUdiv,
                    O::BvSdiv,
                    O::BvUrem,
                    O::BvSrem,
                    O::BvSmod,
                    O::BvAnd,
                    O::BvOr,
                    O::BvXor,
                    O::BvShl,
                    O::BvLshr,
                    O::BvAshr,
                ];
                (self.random.pick(&ops), vec![sort; 2])
            }
            (Sort::Float(_), 1) => (self.random.pick(&[O::FpAbs, O::FpNeg]), vec![sort]),
            (Sort::Float(format), 2) => {
                let from = self.random.pick(&Format::ALL);
                (O::FpToFp(rounding, format), vec![Sort::Float(from)])
            }
            (Sort::Float(format), 3) => (O::FpFromBits(format), vec![Sort::Bv(format.width())]),
            (Sort::Float(format), 4) => {
                let ops =
                    [O::FpFromSignedBv(rounding, format), O::FpFromUnsignedBv(rounding, format)];
                (self.random.pick(&ops), vec![Sort::Bv(32)])
            }
            (Sort::Float(_), 5) => (O::FpFma(rounding), vec![sort; 3]),
            (Sort::Float(_), 6) => (O::FpSqrt(rounding), vec![sort]),
            (Sort::Float(_), _) => {
                let ops = [
                    O::FpAdd(rounding),
                    O::FpSub(rounding),
                    O::FpMul(rounding),
                    O::FpDiv(rounding),
                    O::FpRem,
                    O::FpFmod,
                    O::FpMin,
                    O::FpMax,
                ];
                (self.random.pick(&ops), vec![sort; 2])
            }
            (Sort::Array(array), 1) => {
                (O::ConstArray(array), vec![self.program.terms.array_parts(array).1])
            }
            (Sort::Array(array), _) => {
                let (index, element) = self.program.terms.array_parts(array);
                (O::Store, vec![sort, index, element])
            }
        };
        let arguments: Vec<TermId> = sorts.into_iter().map(|sort| self.term(f, sort, d)).collect();
        self.program.terms.try_app(op, &arguments).unwrap()
    }

    fn leaf(&mut self, f: FuncId, sort: Sort) -> TermId {
        let addresses = self.program.cfa.objects.iter().map(|object| object.address);
        let mut vars: Vec<Var> = addresses.chain(self.changeable(f)).collect();
        vars.retain(|var| self.program.terms.var_sort(*var) == sort);
        if !vars.is_empty() && !self.random.once_in(4) {
            let var = self.random.pick(&vars);
            return self.program.terms.var(var);
        }
        let bits = u128::from(self.random.next()) << self.random.below(64);
        let terms = &mut self.program.terms;
        match sort {
            Sort::Bool => terms.bool(bits & 1 == 0),
            Sort::Int => terms.int((bits % 1000) as i64 - 500),
            Sort::Rat => {
                let (top, bottom) = (terms.int((bits % 99) as i64 - 50), terms.int(7));
                let (top, bottom) = (terms.to_rat(top), terms.to_rat(bottom));
                terms.div(top, bottom)
            }
            Sort::Bv(width) => terms.constant(Value::Bv(Bv::new(width, bits))),
            Sort::Float(format) => {
                let mask = u128::MAX >> (128 - format.width());
                terms.float(Float::from_bits(format, bits & mask))
            }
            Sort::Array(array) => {
                let element = terms.array_parts(array).1;
                let element = self.leaf(f, element);
                self.program.terms.try_app(O::ConstArray(array), &[element]).unwrap()
            }
        }
    }
}
