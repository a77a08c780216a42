//! What each pass makes of small programs, and how it leads back.

#![allow(missing_docs)]

mod common;

use base::Id as _;
use cfa::{EdgeId, LocId, Program};
use common::{c, read, show};
use interp::{Config, Drawn, Ending, Listed, RandomInputs};
use passes::{OperationOrigin, Refused, Rewritten, constants, dead, inline, simplify, slice};
use proviso_passes as passes;
use term::Var;

fn var(program: &Program, name: &str) -> Var {
    let mut vars = program.cfa.variables.ids();
    vars.find(|var| program.terms.var_name(*var) == name).expect("a variable of this name")
}

fn l(index: usize) -> LocId {
    LocId::from_index(index)
}

fn e(index: usize) -> EdgeId {
    EdgeId::from_index(index)
}

const CONSTANTS: &str = "model 1
    start main
    global g: (_ BitVec 8)
    function main() -> () {
      local x: (_ BitVec 8)
      local y: (_ BitVec 8)
      entry L0 exit L1
      L0 -> L2 { g := #x05 x := #x02 }
      L2 -> L3 { assume (= y #x07) }
      L3 -> L4 { call f(x) -> (y) }
      L4 -> L5 { assume (bvult y g) }
      L4 -> L6 { assume (bvule g y) }
      L5 -> L4 { y := (bvadd y x) check division-by-zero (not (= x #x00)) }
      L6: error
    }
    function f(p) -> (r) {
      local p: (_ BitVec 8)
      local r: (_ BitVec 8)
      entry L7 exit L8
      L7 -> L9 { assume (= p #x02) }
      L7 -> L8 { assume (not (= p #x02)) r := #xff }
      L9 -> L8 { r := (bvadd p #x01) }
    }";

#[test]
fn constants_go_through_calls_and_loops() {
    let program = read(CONSTANTS);
    let Rewritten { program: after, back } = constants(&program);
    insta::assert_snapshot!(show(&after), @r#"
    start main
    global g: (_ BitVec 8)
    function main() {
      local x: (_ BitVec 8)
      local y: (_ BitVec 8)
      entry L0 exit L1
      L0 -> L2 {
        g := #x05
        x := #x02
      }
      L2 -> L3 { assume (= y #x07) }
      L3 -> L4 { call f(#x02) -> (y) }
      L4 -> L5 { assume (bvult y #x05) }
      L4 -> L6 { assume (bvule #x05 y) }
      L5 -> L4 { y := (bvadd y #x02) }
      L6: error
    }
    function f(p) -> (r) {
      local p: (_ BitVec 8)
      local r: (_ BitVec 8)
      entry L7 exit L8
      L7 -> L9
      L9 -> L8 { r := #x03 }
    }
    "#);
    // Conditions that hold always are left out, and so is the edge that is never taken.
    assert_eq!(back.path(&[e(0), e(2)]), Some(vec![e(0), e(2)]));
}

const DEAD: &str = "model 1
    start main
    function main() -> () {
      local x: (_ BitVec 8)
      local y: (_ BitVec 8)
      entry L0 exit L1
      L0 -> L2 { x := #x01 havoc y input \"a\" }
      L2 -> L3 { assume (= y #x00) x := #x02 }
      L2 -> L5 { assume (not (= y #x00)) havoc x input \"b\" }
      L3 -> L4 { assume (= x #x02) x := #x03 }
      L4 -> L6 { assume (= y #x00) }
      L5 -> L1 { x := #x00 }
      L4 -> L7 { abort }
      L6: error
    }";

#[test]
fn what_leads_nowhere_is_left_out() {
    let program = read(DEAD);
    let Rewritten { program: after, back } = dead(&program);
    insta::assert_snapshot!(show(&after), @r#"
    start main
    function main() {
      local x: (_ BitVec 8)
      local y: (_ BitVec 8)
      entry L0 exit L1
      L0 -> L2 { havoc y input "a" }
      L2 -> L3 {
        assume (= y #x00)
        x := #x02
      }
      L3 -> L4 { assume (= x #x02) }
      L4 -> L5 { assume (= y #x00) }
      L5: error
    }
    "#);
    let x = var(&program, "x");
    let at = |location: LocId| {
        after
            .cfa
            .locations
            .ids()
            .find(|new| back.location(*new).is_some_and(|origin| origin.location == location))
    };
    // It holds what it held where its value is read afterwards.
    assert_eq!(back.variable_at(at(l(3)).expect("it stays"), x), Some(x));
    assert_eq!(back.variable_at(at(l(4)).expect("it stays"), x), None);
    // Executions go on to the exit, which is there because every function has one.
    assert!(!back.location(at(l(1)).expect("it stays")).expect("it was there").whole);
    assert_eq!(at(l(5)), None);
    let mut terms = after.terms.clone();
    let (value, two) = (terms.var(x), terms.bv(8, 2));
    let two = terms.eq(value, two);
    let mut into = program.terms.clone();
    let mut said = |location| {
        let found =
            back.invariant(&program, at(location).expect("it stays"), two, &terms, &mut into);
        found.map(|(place, formula)| (place, into.display(formula).to_string()))
    };
    assert_eq!(said(l(3)), Some((l(3), "(= x #x02)".to_owned())));
    assert_eq!(said(l(4)), None);
    assert_eq!(said(l(1)), None);
}

const SLICE: &str = "model 1
    start main
    global g: (_ BitVec 8)
    global log: (_ BitVec 8)
    function main() -> () {
      local x: (_ BitVec 8)
      local y: (_ BitVec 8)
      local z: (_ BitVec 8)
      entry L0 exit L1
      L0 -> L2 { havoc x input \"a\" havoc y input \"b\" havoc z input \"c\" }
      L2 -> L3 { assume (= y #x00) }
      L2 -> L4 { assume (not (= y #x00)) }
      L3 -> L5 { log := #x01 }
      L4 -> L5 { log := (bvadd log y) }
      L5 -> L6 { call quiet(y) -> (y) }
      L6 -> L7 { call loud(x, y) -> () }
      L7 -> L8 { assume (bvult x #x09) }
      L8 -> L7 { x := (bvadd x #x01) y := (bvadd y x) }
      L7 -> L9 { assume (bvule #x09 x) }
      L9 -> L10 { assume (= z g) }
      L10: error
    }
    function quiet(a) -> (b) {
      local a: (_ BitVec 8)
      local b: (_ BitVec 8)
      entry L11 exit L12
      L11 -> L13 { assume (= a #x03) }
      L11 -> L12 { assume (not (= a #x03)) b := #x01 }
      L13 -> L12 { b := a }
    }
    function loud(c, d) -> () {
      local c: (_ BitVec 8)
      local d: (_ BitVec 8)
      entry L14 exit L15
      L14 -> L15 { g := c log := d }
    }";

#[test]
fn what_has_no_influence_is_left_out() {
    let program = read(SLICE);
    let Rewritten { program: after, back } = slice(&program);
    insta::assert_snapshot!(show(&after), @r#"
    start main
    global g: (_ BitVec 8)
    global log: (_ BitVec 8)
    function main() {
      local x: (_ BitVec 8)
      local y: (_ BitVec 8)
      local z: (_ BitVec 8)
      entry L0 exit L1
      L0 -> L2 {
        havoc x input "a"
        havoc z input "c"
      }
      L2 -> L5
      L3 -> L5
      L4 -> L5
      L5 -> L6
      L6 -> L7 { call loud(x, #x00) }
      L7 -> L8 { assume (bvult x #x09) }
      L8 -> L7 { x := (bvadd x #x01) }
      L7 -> L9 { assume (bvule #x09 x) }
      L9 -> L10 { assume (= g z) }
      L10: error
    }
    function quiet(a) -> (b) {
      local a: (_ BitVec 8)
      local b: (_ BitVec 8)
      entry L11 exit L12
      L11 -> L12
      L13 -> L12
    }
    function loud(c, d) {
      local c: (_ BitVec 8)
      local d: (_ BitVec 8)
      entry L14 exit L15
      L14 -> L15 { g := c }
    }
    "#);
    for (name, stays) in
        [("x", true), ("y", false), ("z", true), ("g", true), ("log", false), ("d", false)]
    {
        let var = var(&program, name);
        assert_eq!(back.variable(var), stays.then_some(var), "{name}");
    }
    // Which way the original goes round the branch that is left out, nobody knows.
    assert_eq!(back.path(&[e(0)]), Some(vec![e(0)]));
    assert_eq!(back.path(&[e(0), e(1)]), None);
}

#[test]
fn a_loop_that_may_never_end_stays() {
    let program = read(
        "model 1
        start main
        function main() -> () {
          local x: (_ BitVec 8)
          local y: (_ BitVec 8)
          entry L0 exit L1
          L0 -> L2 { assume (= x #x00) }
          L0 -> L3 { assume (not (= x #x00)) }
          L2 -> L2 { y := #x00 }
          L3 -> L4 { assume (= y #x01) }
          L3 -> L3 { assume (not (= y #x01)) }
          L4: error
        }",
    );
    let after = slice(&program).program;
    insta::assert_snapshot!(show(&after), @r#"
    start main
    function main() {
      local x: (_ BitVec 8)
      local y: (_ BitVec 8)
      entry L0 exit L1
      L0 -> L2 { assume (= x #x00) }
      L0 -> L3 { assume (not (= x #x00)) }
      L2 -> L2 { y := #x00 }
      L3 -> L4 { assume (= y #x01) }
      L3 -> L3 { assume (not (= y #x01)) }
      L4: error
    }
    "#);
}

#[test]
fn accesses_and_what_is_unsupported_stay() {
    let program = read(
        "model 1
        address-width 64
        start main
        object \"a\" size 4 align 1 data {
          address &a: (_ BitVec 64) address
        }
        function main() -> () {
          local x: (_ BitVec 8)
          local y: (_ BitVec 8)
          local z: (_ BitVec 8)
          local i: (_ BitVec 64)
          entry L0 exit L1
          L0 -> L2 { load x from (bvadd &a #x0000000000000003) load y from (bvadd &a #x0000000000000004) load z from (bvadd &a i) }
          L2 -> L3 { assume (= x #x00) }
          L2 -> L4 { assume (not (= x #x00)) }
          L3 -> L4 { unsupported \"it\" }
        }",
    );
    let after = slice(&program).program;
    insta::assert_snapshot!(show(&after), @r#"
    address-width 64
    start main
    object "a" size 4 align 1 data {
      address &a: (_ BitVec 64) address
    }
    function main() {
      local x: (_ BitVec 8)
      local y: (_ BitVec 8)
      local z: (_ BitVec 8)
      local i: (_ BitVec 64)
      entry L0 exit L1
      L0 -> L2 {
        load x from (bvadd &a #x0000000000000003)
        load y from (bvadd &a #x0000000000000004)
        load z from (bvadd &a i)
      }
      L2 -> L3 { assume (= x #x00) }
      L2 -> L4 { assume (not (= x #x00)) }
      L3 -> L4 { unsupported "it" }
    }
    "#);
}

/// Runs a program with random inputs until an error is reached.
fn to_error(program: &Program) -> Vec<Drawn> {
    for seed in 0..2000 {
        let mut inputs = RandomInputs::new(seed);
        let run = interp::run(program, &Config::default(), &mut inputs, None, &mut std::io::sink());
        if matches!(run.ending, Ending::Error { .. }) {
            return run.drawn;
        }
    }
    panic!("no error")
}

#[test]
fn inputs_are_found_again() {
    let program = c("extern int __VERIFIER_nondet_int(void); void reach_error(void);
        int noise(int n) { int sum = 0; if (n > 3) sum = __VERIFIER_nondet_int(); return sum; }
        int pick(void) { int x; if (__VERIFIER_nondet_int() > 0) x = 2; return x; }
        int main(void) {
          int unused = __VERIFIER_nondet_int();
          noise(unused); noise(__VERIFIER_nondet_int());
          int first = pick(); noise(first);
          int second = pick();
          if (unused > 100) unused = __VERIFIER_nondet_int();
          if (first > 2 && second < 0 && __VERIFIER_nondet_int() > 0) reach_error();
          return unused; }");
    let Rewritten { program: after, back } = simplify(&program);
    assert_eq!(cfa::validate(&after), []);
    assert!(2 * after.cfa.edges.len() < 2 * program.cfa.edges.len());
    let drawn = to_error(&after);
    let found = back.decisions(&after, &drawn, &program, &Config::default());
    assert!(found.len() > drawn.len());
    let mut inputs = Listed::replay(&program, &found);
    let run = interp::run(&program, &Config::default(), &mut inputs, None, &mut std::io::sink());
    assert!(matches!(run.ending, Ending::Error { .. }), "{:?}", run.ending);
    let drawn = to_error(&program);
    let run = back.follow(&program, &drawn, &after, &Config::default());
    assert!(matches!(run.ending, Ending::Error { .. }), "{:?}", run.ending);
}

#[test]
fn an_error_that_cannot_be_reached_leaves_nothing() {
    let program = c("extern int __VERIFIER_nondet_int(void); void reach_error(void);
        int mode = 1;
        int main(void) { for (int i = 0; i < 10; i++) if (mode != 1) reach_error(); return 0; }");
    let after = simplify(&program).program;
    assert!(after.cfa.edges.is_empty() && after.cfa.errors().next().is_none());
}

#[test]
fn calls_are_put_in_place() {
    let program = read(CONSTANTS);
    let Rewritten { program: after, back } =
        inline(&program).expect("no recursion").expect("calls");
    insta::assert_snapshot!(show(&after), @r#"
    start main
    global g: (_ BitVec 8)
    function main() {
      local x: (_ BitVec 8)
      local y: (_ BitVec 8)
      local p: (_ BitVec 8)
      local r: (_ BitVec 8)
      entry L0 exit L1
      L0 -> L2 {
        g := #x05
        x := #x02
      }
      L2 -> L3 { assume (= y #x07) }
      L3 -> L7 {
        p := x
        havoc r uninitialised
      }
      L8 -> L4 { y := r }
      L7 -> L9 { assume (= p #x02) }
      L7 -> L8 {
        assume (not (= p #x02))
        r := #xff
      }
      L9 -> L8 { r := (bvadd p #x01) }
      L4 -> L5 { assume (bvult y g) }
      L4 -> L6 { assume (bvule g y) }
      L5 -> L4 {
        y := (bvadd x y)
        check division-by-zero (not (= x #x00))
      }
      L6: error
    }
    "#);
    // A return is no step of the original.
    let call = after.cfa.edges.ids().find(|edge| back.edge(*edge) == Some(&[e(2)]));
    let call = call.expect("the call");
    let returns = after.cfa.edges.ids().find(|edge| back.edge(*edge) == Some(&[]));
    let path = [call, returns.expect("the return")];
    assert_eq!(back.path(&path), Some(vec![e(2)]));
    let r = var(&program, "r");
    assert_eq!(back.op(interp::Site { edge: call, op: 1 }), OperationOrigin::Local(r));
    // Variables of the caller are not visible in the callee.
    let mut terms = after.terms.clone();
    let inner = after.cfa.edges[call].target;
    let mut said = |name: &str| {
        let (value, zero) = (terms.var(var(&program, name)), terms.bv(8, 0));
        let formula = terms.eq(value, zero);
        back.invariant(&program, inner, formula, &terms, &mut program.terms.clone()).is_some()
    };
    assert_eq!(["g", "p", "r", "x"].map(&mut said), [true, true, true, false]);
}

#[test]
fn what_cannot_be_put_in_place_is_refused() {
    let refused = |text: &str| inline(&c(text)).err();
    let loops = "int f(int x) { return x ? f(x - 1) : 0; } int main(void) { return f(3); }";
    assert_eq!(refused(loops), Some(Refused::Recursion));
    let mut deep = "int f0(void) { return 1; }".to_owned();
    for index in 1..20 {
        let before = index - 1;
        deep += &format!("int f{index}(void) {{ return f{before}() + f{before}(); }}");
    }
    deep += "int main(void) { return f19(); }";
    assert!(matches!(refused(&deep), Some(Refused::TooLarge(_))));
}
