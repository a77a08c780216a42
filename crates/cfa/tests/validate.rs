//! Validation finds what is broken, each by its name.

extern crate proviso_cfa as cfa;

mod common;

use base::{FileId, Id, Span};
use cfa::{
    AllocKind, Choice, Contents, EdgeId, FuncId, Function, LocId, ObjectId, ObjectKind, Op, Patch,
    Program, Reading, Scope, validate,
};
use common::{Small, generator, small, variable};
use proptest::prelude::*;
use term::{Sort, TermId, Var};

/// What is wrong with the small program after a change.
fn after(change: impl FnOnce(&mut Small)) -> String {
    let mut small = small();
    change(&mut small);
    let found: Vec<String> = validate(&small.program).iter().map(ToString::to_string).collect();
    found.join("; ")
}

/// The same with another operation on the first edge, which is in `main`.
fn with_op(op: impl FnOnce(&mut Program, Var) -> Op) -> String {
    after(|small| {
        let op = op(&mut small.program, small.x);
        small.program.cfa.edges[EdgeId::from_index(0)].ops = [op].into();
    })
}

#[test]
fn the_small_program_is_valid() {
    assert_eq!(after(|_| {}), "");
}

#[test]
fn operations_have_sorts() {
    let bv = |p: &mut Program, width| p.terms.bv(width, 1);
    insta::assert_snapshot!(with_op(|p, _| Op::Assume(bv(p, 1))), @"edge e0: a condition is not Boolean");
    insta::assert_snapshot!(with_op(|p, var| Op::Assign { var, value: bv(p, 31) }), @"edge e0: an assignment between different sorts");
    insta::assert_snapshot!(with_op(|p, var| Op::Load { var, address: bv(p, 32) }), @"edge e0: an address does not have 64 bits");
    insta::assert_snapshot!(with_op(|p, _| Op::Store { address: bv(p, 64), value: bv(p, 7) }), @"edge e0: a value that memory cannot hold");
    insta::assert_snapshot!(with_op(|p, _| Op::Store { address: bv(p, 64), value: p.terms.int(5) }), @"edge e0: a value that memory cannot hold");
    insta::assert_snapshot!(with_op(|p, _| Op::Copy { to: bv(p, 64), from: bv(p, 64), length: bv(p, 32) }), @"edge e0: a length does not have 64 bits");
    insta::assert_snapshot!(with_op(|p, _| Op::Fill { address: bv(p, 64), byte: bv(p, 16), length: bv(p, 64) }), @"edge e0: a byte does not have 8 bits");
    insta::assert_snapshot!(with_op(|p, var| Op::Alloc { var, size: bv(p, 64), align: 3, kind: AllocKind::Heap, zeroed: true }), @"edge e0: an address does not have 64 bits; edge e0: an alignment is not a power of two");
    insta::assert_snapshot!(with_op(|p, var| Op::Size { var, address: bv(p, 64) }), @"edge e0: a size does not have 64 bits");
    insta::assert_snapshot!(with_op(|p, _| Op::HavocReachable { roots: [bv(p, 8)].into(), choice: Choice::Uninitialised }), @"edge e0: an address does not have 64 bits");
    insta::assert_snapshot!(with_op(|p, _| Op::Exit(p.terms.bool(true))), @"edge e0: an exit code is not a number");
    insta::assert_snapshot!(with_op(|_, _| Op::Assume(TermId::from_index(9999))), @"edge e0: an operand is not a term");
}

#[test]
fn calls_fit_their_functions() {
    let step = FuncId::from_index(1);
    let call = |arguments: &[TermId], results: &[Var]| Op::Call {
        callee: step,
        arguments: arguments.into(),
        results: results.into(),
    };
    insta::assert_snapshot!(with_op(|_, _| call(&[], &[])), @"edge e0: a call with 0 arguments of a function with 1 parameters");
    insta::assert_snapshot!(with_op(|p, _| call(&[p.terms.bv(8, 0)], &[])), @"edge e0: an argument has another sort than its parameter");
    insta::assert_snapshot!(with_op(|p, x| call(&[p.terms.bv(32, 0)], &[x, x])), @"edge e0: a call assigns a variable twice; edge e0: a call takes 2 results of a function with 1");
    insta::assert_snapshot!(with_op(|p, _| {
        let b = p.declare("b", Sort::Bool, variable(Scope::Global, Reading::Plain));
        call(&[p.terms.bv(32, 0)], &[b])
    }), @"edge e0: a result has another sort than the variable that takes it");
    insta::assert_snapshot!(with_op(|_, _| Op::Call { callee: FuncId::from_index(7), arguments: [].into(), results: [].into() }), @"edge e0: it calls a function that does not exist");
    insta::assert_snapshot!(after(|small| {
        let edge = &mut small.program.cfa.edges[EdgeId::from_index(3)];
        edge.ops = [edge.ops[0].clone(), Op::Abort].into();
    }), @"edge e3: a call is not the only operation");
}

#[test]
fn variables_are_seen_where_they_are() {
    let n = Var::from_index(3);
    insta::assert_snapshot!(with_op(|p, var| Op::Assign { var, value: p.terms.var(n) }), @"edge e0: a term reads a variable that is not visible");
    insta::assert_snapshot!(with_op(|_, _| Op::Havoc { var: n, choice: Choice::Uninitialised }), @"edge e0: it changes a variable of another function");
    insta::assert_snapshot!(with_op(|_, _| Op::Havoc { var: Var::from_index(0), choice: Choice::Uninitialised }), @"edge e0: it changes an address constant");
    insta::assert_snapshot!(with_op(|_, _| Op::Havoc { var: Var::from_index(99), choice: Choice::Uninitialised }), @"edge e0: it changes what is not a variable of the program");
    insta::assert_snapshot!(with_op(|p, var| {
        let foreign = p.terms.declare("foreign", Sort::Bv(32));
        Op::Assign { var, value: p.terms.var(foreign) }
    }), @"edge e0: a term reads a variable that is not visible");
    insta::assert_snapshot!(after(|small| {
        small.program.cfa.functions[small.main].locals.clear();
    }), @"variable v2: its function does not list it");
    insta::assert_snapshot!(after(|small| {
        small.program.cfa.functions[small.main].parameters.push(n);
    }), @"function f0: a parameter is not a local variable of it");
    insta::assert_snapshot!(after(|small| {
        small.program.declare("main::x", Sort::Int, variable(Scope::Global, Reading::Signed));
    }), @"variable v5: the name main::x is taken; variable v5: only bit-vectors are read as signed or as addresses");
}

#[test]
fn objects_hold_together() {
    let object = ObjectId::from_index(0);
    insta::assert_snapshot!(after(|small| {
        let object = &mut small.program.cfa.objects[object];
        (object.align, object.size) = (0, 2);
    }), @"object o0: its alignment is not a power of two; object o0: it has more bytes than its size says");
    insta::assert_snapshot!(after(|small| {
        let value = small.program.terms.var(small.x);
        let patches = [Patch { offset: 6, value }].into();
        small.program.cfa.objects[object].contents = Contents::Bytes([].into(), patches);
    }), @"object o0: a patch reads what is not an address constant; object o0: a patch goes past the end");
    insta::assert_snapshot!(after(|small| {
        small.program.cfa.objects[object].kind = ObjectKind::Code(small.main);
        small.program.cfa.objects[object].name = "p".into();
    }), @"object o0: code has no bytes; object o1: the name p is taken");
    insta::assert_snapshot!(after(|small| {
        small.program.cfa.objects[object].address = Var::from_index(1);
    }), @"variable v0: it is the address of an object that has another one; object o0: its address is not a variable of this kind");
}

#[test]
fn the_graph_holds_together() {
    insta::assert_snapshot!(after(|small| {
        let (main, step) = (small.main, small.step);
        let to = small.program.cfa.functions[step].entry;
        let from = small.program.cfa.functions[main].entry;
        small.program.cfa.add_edge(from, to, [], None);
    }), @"edge e7: it leaves its function");
    insta::assert_snapshot!(after(|small| {
        let error = small.program.cfa.errors().next().unwrap();
        small.program.cfa.add_edge(error, error, [], None);
    }), @"location L7: an edge leaves an error location");
    insta::assert_snapshot!(after(|small| {
        let exit = small.program.cfa.functions[small.main].exit;
        small.program.cfa.add_edge(exit, exit, [], None);
    }), @"function f0: an edge leaves its exit");
    insta::assert_snapshot!(after(|small| {
        small.program.cfa.locations[LocId::from_index(4)].edges.reverse();
    }), @"location L4: its edges are not in order");
    insta::assert_snapshot!(after(|small| {
        small.program.cfa.functions[small.main].exit = LocId::from_index(2);
    }), @"function f0: its entry or exit is not one of its locations; function f0: an edge leaves its exit");
    insta::assert_snapshot!(after(|small| {
        let nowhere = LocId::from_index(1000);
        small.program.cfa.edges[EdgeId::from_index(0)].target = nowhere;
        let none = || Vec::new();
        let name = "main".into();
        small.program.cfa.functions.push(Function { name, entry: nowhere, exit: nowhere, parameters: none(), results: none(), locals: none(), span: None });
        small.program.cfa.start = Some(FuncId::from_index(9));
        small.program.cfa.edges[EdgeId::from_index(1)].span = Some(Span::new(FileId::from_index(9), 0, 0));
    }), @"program: the start is not a function; function f2: the name main is taken; function f2: its entry or exit is not one of its locations; function f2: its entry or exit is not one of its locations; edge e0: it starts or ends at a location that does not exist; edge e1: its place is in a file that does not exist");
}

proptest! {
    #![proptest_config(common::cases(300))]

    #[test]
    fn no_model_is_too_broken(seed: u64) {
        let mut random = common::Random::new(seed);
        let mut program = generator::model(seed);
        let cfa = &mut program.cfa;
        let count = cfa.edges.len();
        for _ in 0..4 {
            let number = random.below(40);
            match random.below(8) {
                0 => cfa.locations.truncate(number),
                1 => cfa.functions.truncate(number % 3),
                2 => cfa.variables.truncate(number),
                3 => cfa.objects.truncate(number % 4),
                4 => cfa.edges.truncate(number),
                5 => cfa.address_width = number as u32,
                6 if count > 0 => {
                    let id = EdgeId::from_index(number % count);
                    if let Some(edge) = cfa.edges.get(id).cloned() {
                        let mut ops = edge.ops.clone();
                        for term in ops.iter_mut().flat_map(|op| op.terms_mut()) {
                            *term = TermId::from_index(random.below(200));
                        }
                        cfa.edges[id].ops = ops;
                    }
                }
                _ => cfa.start = Some(FuncId::from_index(number)),
            }
        }
        drop(validate(&program));
    }
}
