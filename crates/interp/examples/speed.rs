//! Measures how many edges a second the interpreter takes: `cargo run --release --example speed`.

#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use cfa::{AllocKind, Contents, LocId, ObjectKind, Op, Program, Reading, Scope, Variable};
use proviso_interp::{Config, Zeros, run};
use term::{Sort, TermId, Var};

const ROUNDS: u128 = 3_000_000;

fn main() {
    let add_one: Build = |program, x, _| {
        let (x_term, one) = (program.terms.var(x), program.terms.bv(32, 1));
        let more = program.terms.bv_add(x_term, one);
        vec![vec![Op::Assign { var: x, value: more }]]
    };
    measure("x = x + 1", add_one);
    measure("x = (x * 5 ^ x >> 3) & 1023", |program, x, _| {
        let terms = &mut program.terms;
        let (x_term, five, three, mask) =
            (terms.var(x), terms.bv(32, 5), terms.bv(32, 3), terms.bv(32, 1023));
        let product = terms.bv_mul(x_term, five);
        let shifted = terms.bv_lshr(x_term, three);
        let mixed = terms.bv_xor(product, shifted);
        let value = terms.bv_and(mixed, mask);
        vec![vec![Op::Assign { var: x, value }]]
    });
    measure("a[x & 15] += 1", |program, x, object| {
        let terms = &mut program.terms;
        let (x_term, mask, two, one) =
            (terms.var(x), terms.bv(32, 15), terms.bv(32, 2), terms.bv(32, 1));
        let index = terms.bv_and(x_term, mask);
        let offset = terms.bv_shl(index, two);
        let offset = terms.bv_zero_extend(64, offset);
        let address = terms.bv_add(object, offset);
        let more = terms.bv_add(x_term, one);
        vec![vec![Op::Load { var: x, address }], vec![Op::Store { address, value: more }]]
    });
    measure("allocate and free", |program, _, _| {
        let p = local(program, "p", Sort::Bv(64));
        let (address, size) = (program.terms.var(p), program.terms.bv(64, 24));
        let kind = AllocKind::Heap;
        vec![
            vec![Op::Alloc { var: p, size, align: 16, kind, zeroed: false }],
            vec![Op::Free { address, kind }],
        ]
    });
}

type Build = fn(&mut Program, Var, TermId) -> Vec<Vec<Op>>;

fn local(program: &mut Program, name: &str, sort: Sort) -> Var {
    let scope = Scope::Local(program.cfa.start.expect("a start"));
    let known = Variable { scope, reading: Reading::Signed, source_name: None, span: None };
    program.declare(name, sort, known)
}

/// Runs the edges in a loop that counts up.
fn measure(name: &str, build: Build) {
    let mut program = Program::default();
    program.cfa.address_width = 64;
    let main = program.cfa.add_function("main", None);
    let (i, x) = (local(&mut program, "i", Sort::Bv(32)), local(&mut program, "x", Sort::Bv(32)));
    let contents = Contents::Bytes([].into(), [].into());
    let object = program.add_object("a", 64, 8, ObjectKind::Data, contents, None);
    let address = program.cfa.objects[object].address;
    let address = program.terms.var(address);
    let body = build(&mut program, x, address);
    let terms = &mut program.terms;
    let (zero, one, most, i_term) =
        (terms.bv(32, 0), terms.bv(32, 1), terms.bv(32, ROUNDS), terms.var(i));
    let less = terms.bv_ult(i_term, most);
    let done = terms.not(less);
    let more = terms.bv_add(i_term, one);
    let cfa = &mut program.cfa;
    let (entry, exit) = (cfa.functions[main].entry, cfa.functions[main].exit);
    let head = cfa.add_location(main);
    cfa.add_edge(
        entry,
        head,
        [Op::Assign { var: i, value: zero }, Op::Assign { var: x, value: zero }],
        None,
    );
    let mut at: LocId = cfa.add_location(main);
    cfa.add_edge(head, at, [Op::Assume(less)], None);
    cfa.add_edge(head, exit, [Op::Assume(done)], None);
    for ops in body {
        let next = cfa.add_location(main);
        cfa.add_edge(at, next, ops, None);
        at = next;
    }
    cfa.add_edge(at, head, [Op::Assign { var: i, value: more }], None);
    let start = Instant::now();
    let ended = run(&program, &Config::default(), &mut Zeros, None, &mut std::io::sink());
    let seconds = start.elapsed().as_secs_f64();
    let speed = ended.steps as f64 / seconds / 1e6;
    println!("{name}: {} edges in {seconds:.2} s, {speed:.1} million a second", ended.steps);
}
