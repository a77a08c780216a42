//! Where addresses may point.

extern crate proviso_cfa as cfa;

mod common;

use cfa::{ObjectSite, Op, Pointees, Points, Program};
use common::read;

const MODEL: &str = "model 1
address-width 64
start main
global [0] pp: (_ BitVec 64) address
object \"px\" size 8 align 8 data {
  address [1] &px: (_ BitVec 64) address
  patch 0 &x
}
object \"x\" size 4 align 4 data {
  address [2] &x: (_ BitVec 64) address
}
object \"a\" size 40 align 4 data {
  address [3] &a: (_ BitVec 64) address
}
function main() -> () {
  local [4] p: (_ BitVec 64) address
  local [5] q: (_ BitVec 64)
  local [6] u: (_ BitVec 64) address
  local [7] i: (_ BitVec 64)
  local [8] h: (_ BitVec 64) address
  local [9] k: (_ BitVec 64)
  local [10] r: (_ BitVec 64)
  local [11] n: (_ BitVec 64) address
  entry L0 exit L1
  [0] L0 -> L2 { pp := &px havoc p external \"find\" havoc i external \"number\" n := #x0000000000000000 }
  [1] L2 -> L3 { store #x00000001 at p }
  [2] L3 -> L4 { load q from pp store #x00000002 at q }
  [3] L4 -> L5 { store #x00000003 at u }
  [4] L5 -> L6 { store #x00000004 at (bvadd &a i) }
  [5] L6 -> L7 { alloc h size #x0000000000000008 align 8 heap store &a at h load k from h store #x01 at k }
  [6] L7 -> L8 { store &x at p load r from u store #x01 at r }
  [7] L8 -> L1 { store #x01 at n }
}
";

/// What the address of the last store on an edge may point to: names, and where from otherwise.
fn stores_to(program: &Program, points: &Points, edge: usize) -> String {
    let edge = &program.cfa.edges.as_slice()[edge];
    let Some(Op::Store { address, .. }) = edge.ops.last() else { panic!("no store at the end") };
    let Pointees { sites, outside, unset, number } = points.pointees(program, *address);
    let mut words: Vec<String> = sites
        .iter()
        .map(|site| match site {
            ObjectSite::Initial(id) => program.cfa.objects[*id].name.to_string(),
            ObjectSite::Alloc(..) => "new".to_owned(),
        })
        .collect();
    words.extend(outside.then(|| "outside".to_owned()));
    words.extend(unset.then(|| "unset".to_owned()));
    words.extend(number.then(|| "number".to_owned()));
    words.join(" ")
}

#[test]
fn addresses_flow_through_variables_and_memory() {
    let program = read(MODEL);
    let points = Points::of(&program);
    let found: Vec<String> = (1..8).map(|edge| stores_to(&program, &points, edge)).collect();
    // A result of a function, what a pointer to a pointer leads to, a variable that was not set, an
    // element of an array, what was stored in a new object or never set there, what may have been
    // stored outside, and a null pointer.
    let expected = ["outside", "x", "outside", "a", "a unset", "x outside", "unset"];
    assert_eq!(found, expected);
}
