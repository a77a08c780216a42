//! What several tests need: random numbers, graphs, random models, a small model.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod generator;

pub use base::Random;
use base::{FileId, SourceMap, Span};
use cfa::{
    Cfa, Choice, Contents, FuncId, LocId, ObjectKind, Op, Patch, Program, Reading, Scope, Variable,
};
use proptest::prelude::ProptestConfig;
use term::{Sort, Var};

/// So many cases; a seed that fails is in the message and need not be stored.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// One function with so many locations, the first of them the entry and the second the exit,
/// and edges between them that do nothing.
pub fn graph(locations: usize, edges: &[(usize, usize)]) -> Cfa {
    let mut cfa = Cfa::default();
    let function = cfa.add_function("f", None);
    for _ in 2..locations {
        cfa.add_location(function);
    }
    let ids: Vec<LocId> = cfa.locations.ids().collect();
    for (from, to) in edges {
        cfa.add_edge(ids[*from], ids[*to], [], None);
    }
    cfa
}

/// Reads a model from its text.
pub fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.model", text.as_bytes().to_vec()).unwrap();
    match cfa::parse(sources.clone(), file) {
        Ok(program) => program,
        Err(diagnostics) => {
            let messages: Vec<String> =
                diagnostics.iter().map(|one| one.render(&sources)).collect();
            panic!("{}\n{text}", messages.join("\n"))
        }
    }
}

/// The first message that a text gets, as `line:column: message`.
pub fn refused(text: &[u8]) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("test.model", text.to_vec()).unwrap();
    let Err(diagnostics) = cfa::parse(sources.clone(), file) else { panic!("accepted") };
    let first = diagnostics.iter().next().unwrap();
    let at = sources.position(first.span.unwrap());
    format!("{}:{}: {}", at.line, at.column, first.message)
}

pub fn variable(scope: Scope, reading: Reading) -> Variable {
    Variable { scope, reading, source_name: None, span: None }
}

/// A function that calls another one in a loop and may fail; with an array and an error.
pub struct Small {
    pub program: Program,
    pub file: FileId,
    pub main: FuncId,
    pub step: FuncId,
    pub x: Var,
}

pub fn small() -> Small {
    let source = "int a[2]; int *p = &a[1];\nint step(int n) { return n + 1; }\nint main() {\n  int x = 0;\n  \
                  while (x < 10) x = step(x);\n  if (x != 10) ERROR: abort();\n}\n";
    let mut program = Program::default();
    let file = program.sources.add("small.c", source.as_bytes().to_vec()).unwrap();
    let at = |text: &str| {
        let start = source.find(text).unwrap() as u32;
        Some(Span::new(file, start, start + text.len() as u32))
    };
    let int = Sort::Bv(32);
    program.cfa.address_width = 64;
    let a = program.add_object(
        "a",
        8,
        4,
        ObjectKind::Data,
        Contents::Bytes([7, 0, 255].into(), [].into()),
        at("int a[2]"),
    );
    let a = program.cfa.objects[a].address;
    let a = program.terms.var(a);
    let four = program.terms.bv(64, 4);
    let value = program.terms.bv_add(a, four);
    let patches = [Patch { offset: 0, value }].into();
    program.add_object("p", 8, 8, ObjectKind::Data, Contents::Bytes([].into(), patches), None);

    let main = program.cfa.add_function("main", at("int main()"));
    let step = program.cfa.add_function("step", at("int step(int n)"));
    let local = |function, name: &str| Variable {
        scope: Scope::Local(function),
        reading: Reading::Signed,
        source_name: Some(name.into()),
        span: None,
    };
    let x = program.declare("main::x", int, Variable { span: at("x = 0"), ..local(main, "x") });
    let n = program.declare("step::n", int, local(step, "n"));
    let result =
        program.declare("step::result", int, variable(Scope::Local(step), Reading::Signed));
    let function = &mut program.cfa.functions[step];
    function.parameters.push(n);
    function.results.push(result);

    let Program { terms, cfa, .. } = &mut program;
    let (xt, nt) = (terms.var(x), terms.var(n));
    let (zero, one, ten) = (terms.bv(32, 0), terms.bv(32, 1), terms.bv(32, 10));
    let (entry, exit) = (cfa.functions[main].entry, cfa.functions[main].exit);
    let (head, body, after) =
        (cfa.add_location(main), cfa.add_location(main), cfa.add_location(main));
    let error = cfa.add_location(main);
    cfa.locations[head].span = at("while (x < 10)");
    cfa.locations[error].error = true;
    cfa.locations[error].name = Some("ERROR".into());
    cfa.add_edge(entry, head, [Op::Assign { var: x, value: zero }], at("x = 0"));
    let less = terms.bv_slt(xt, ten);
    let not_less = terms.not(less);
    cfa.add_edge(head, body, [Op::Assume(less)], at("x < 10"));
    cfa.add_edge(head, after, [Op::Assume(not_less)], at("x < 10"));
    let call = Op::Call { callee: step, arguments: [xt].into(), results: [x].into() };
    cfa.add_edge(body, head, [call], at("x = step(x)"));
    let same = terms.eq(xt, ten);
    let different = terms.not(same);
    cfa.add_edge(after, error, [Op::Assume(different)], at("x != 10"));
    let choice = Choice::Input("__VERIFIER_nondet_int".into());
    let last =
        [Op::Assume(same), Op::Store { address: a, value: xt }, Op::Havoc { var: x, choice }];
    cfa.add_edge(after, exit, last, None);
    let (entry, exit) = (cfa.functions[step].entry, cfa.functions[step].exit);
    let value = terms.bv_add(nt, one);
    cfa.add_edge(entry, exit, [Op::Assign { var: result, value }], at("return n + 1;"));
    let text = "signed overflow wraps around";
    cfa.assume(cfa::AssumptionKind::Semantics, text, at("n + 1"));
    Small { program, file, main, step, x }
}
