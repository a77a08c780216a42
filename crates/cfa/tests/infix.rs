//! Terms and operations as people read them.

extern crate proviso_cfa as cfa;

mod common;

use cfa::{Infix, Op, Program, Reading, Scope, Variable};
use term::{Sort, TermId};

fn program() -> Program {
    let mut program = Program::default();
    let array = program.terms.array_sort(Sort::Int, Sort::Int);
    let float = Sort::Float(term::Format::Single);
    for (name, sort, reading) in [
        ("x", Sort::Bv(32), Reading::Signed),
        ("y", Sort::Bv(32), Reading::Signed),
        ("u", Sort::Bv(32), Reading::Plain),
        ("p", Sort::Bv(32), Reading::Address),
        ("b", Sort::Bool, Reading::Plain),
        ("c", Sort::Bool, Reading::Plain),
        ("i", Sort::Int, Reading::Plain),
        ("a", array, Reading::Plain),
        ("f", float, Reading::Plain),
    ] {
        let source_name = (name == "x").then(|| "height".into());
        program.declare(
            name,
            sort,
            Variable { scope: Scope::Global, reading, source_name, span: None },
        );
    }
    program
}

/// A term that is written in SMT-LIB, in infix notation.
fn show(text: &str) -> String {
    let mut program = program();
    let term = parse(&mut program, text);
    Infix::new(&program).term(term).to_string()
}

fn parse(program: &mut Program, text: &str) -> TermId {
    let names: Vec<_> = program
        .cfa
        .variables
        .ids()
        .map(|var| (program.terms.var_name(var).to_owned(), var))
        .collect();
    let find = |name: &str| names.iter().find(|(known, _)| known == name).map(|(_, var)| *var);
    program.terms.parse(text, &mut { find }).unwrap()
}

#[test]
fn operators_bind_as_in_c() {
    for (text, expected) in [
        ("(bvmul (bvadd x y) u)", "(x + y) * u"),
        ("(bvadd (bvmul x y) u)", "x * y + u"),
        ("(bvsub x (bvsub y u))", "x - (y - u)"),
        ("(bvsub (bvsub x y) u)", "x - y - u"),
        ("(bvneg (bvadd x y))", "-(x + y)"),
        ("(bvand x (bvor y u))", "x & (y | u)"),
        ("(bvshl (bvxor x y) u)", "(x ^ y) << u"),
        ("(and b (or c (= i 3)))", "b && (c || i == 3)"),
        ("(or (and b c) (= i 3))", "b && c || i == 3"),
        ("(ite b (ite c x y) u)", "b ? (c ? x : y) : u"),
        ("(not (and b c))", "!(b && c)"),
    ] {
        // The table may have another order of arguments, or another form of the same.
        let shown = show(text);
        let mut letters: Vec<char> = shown.chars().collect();
        let mut wanted: Vec<char> = expected.chars().collect();
        letters.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(letters, wanted, "{shown} for {expected}");
    }
}

#[test]
fn constants_are_read_as_what_they_meet() {
    insta::assert_snapshot!(show("(bvadd x #xffffffff)"), @"x - 1");
    insta::assert_snapshot!(show("(bvadd u #xffffffff)"), @"u + 4294967295");
    insta::assert_snapshot!(show("(bvslt u #xffffffff)"), @"u < -1");
    insta::assert_snapshot!(show("(bvult x #xffffff00)"), @"x <u 4294967040");
    insta::assert_snapshot!(show("(= p #xffffff00)"), @"p == 0xffffff00");
    insta::assert_snapshot!(show("(not (= x #xfffffff0))"), @"x != -16");
    insta::assert_snapshot!(show("(+ i (- 5))"), @"i - 5");
    insta::assert_snapshot!(show("(bvadd x #x80000000)"), @"x - 2147483648");
    insta::assert_snapshot!(show("(* i (- 5))"), @"i * -5");
}

#[test]
fn conversions_and_comparisons() {
    insta::assert_snapshot!(show("((_ sign_extend 32) x)"), @"(int64)x");
    insta::assert_snapshot!(show("((_ zero_extend 32) (bvmul x y))"), @"(uint64)(x * y)");
    insta::assert_snapshot!(show("((_ extract 7 0) x)"), @"(uint8)x");
    insta::assert_snapshot!(show("((_ extract 15 8) x)"), @"x[15:8]");
    insta::assert_snapshot!(show("(bvult u x)"), @"u <u x");
    insta::assert_snapshot!(show("(bvsle #x0000000a x)"), @"x >= 10");
    insta::assert_snapshot!(show("(bvudiv x u)"), @"x /u u");
    insta::assert_snapshot!(show("(bvsrem x y)"), @"x % y");
    insta::assert_snapshot!(show("(not (bvult u x))"), @"x <=u u");
    insta::assert_snapshot!(show("(bvsaddo x y)"), @"add_overflows(x, y)");
    insta::assert_snapshot!(show("(select (store a i 5) 7)"), @"a[i := 5][7]");
    insta::assert_snapshot!(show("(fp.lt f (fp.add RNE f f))"), @"f < f + f");
    insta::assert_snapshot!(show("(not (fp.lt f (fp.neg f)))"), @"!(f < -f)");
    insta::assert_snapshot!(show("((_ to_fp 11 53) RNE f)"), @"(double)f");
    insta::assert_snapshot!(show("((_ fp.to_sbv 32) RTZ f)"), @"(int32)f");
    insta::assert_snapshot!(show("(fp.add RTZ f f)"), @"add_rtz(f, f)");
}

#[test]
fn long_terms_are_cut() {
    let mut program = program();
    let x = program.cfa.variables.ids().next().unwrap();
    let mut term = program.terms.var(x);
    // Written out it has 2^500 leaves.
    for _ in 0..500 {
        term = program.terms.bv_mul(term, term);
    }
    let infix = Infix::new(&program);
    let shown = infix.limit(20).term(term).to_string();
    assert!(shown.ends_with('…') && shown.len() <= 23, "{shown}");
    assert!(infix.term(term).to_string().len() < 5000);
    assert_eq!(infix.with_source_names().limit(3).term(term).to_string().chars().last(), Some('…'));
    let op = Op::Unsupported("äöü".into());
    assert_eq!(infix.limit(14).op(&op).to_string(), "unsupported: …");
}

#[test]
fn source_names_are_shown_on_request() {
    let mut program = program();
    let term = parse(&mut program, "(bvslt x y)");
    assert_eq!(Infix::new(&program).with_source_names().term(term).to_string(), "height < y");
}

#[test]
fn operations_look_like_c() {
    let small = common::small();
    let infix = Infix::new(&small.program).with_source_names();
    let ops = small.program.cfa.edges.iter().flat_map(|edge| &edge.ops);
    let lines: Vec<String> = ops.map(|op| infix.op(op).to_string()).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    x = 0
    [x < 10]
    [x >= 10]
    x = step(x)
    [x != 10]
    [x == 10]
    mem[&a] = x
    x = __VERIFIER_nondet_int()
    step::result = n + 1
    ");
}
