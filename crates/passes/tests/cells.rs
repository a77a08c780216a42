//! Programs with variables for cells of memory.

#![allow(missing_docs)]

mod common;

use cfa::{Op, Program};
use common::c;
use domains::value::{Aspect, ObjectSite, Precision, PrecisionScope, Tracked};
use proviso_passes::{Cells, OperationOrigin};
use run::Budget;

const SESSION: &str = "extern int __VERIFIER_nondet_int(void); void *malloc(unsigned long);
    void reach_error(void);
    struct inner { int next; }; struct session { int hit; short state; struct inner *in; };
    int main(void) {
      struct session *s = malloc(sizeof *s);
      s->in = malloc(sizeof *s->in);
      s->hit = __VERIFIER_nondet_int();
      s->in->next = 5;
      s->state = s->in->next;
      if (s->hit && s->state != 5) reach_error();
      return 0; }";

fn ops<'p>(program: &'p Program, test: &'p dyn Fn(&Op) -> bool) -> impl Iterator<Item = &'p Op> {
    program.cfa.edges.iter().flat_map(|edge| &edge.ops).filter(move |op| test(op))
}

fn count(program: &Program, test: &dyn Fn(&Op) -> bool) -> usize {
    ops(program, test).count()
}

#[test]
fn members_of_one_object_are_variables() {
    let program = c(SESSION);
    let cells = Cells::of(&program, &Budget::default()).expect("cells");
    let seen = cells.program();
    assert_eq!(cfa::validate(seen), []);
    let is_load = |op: &Op| matches!(op, Op::Load { .. });
    assert!(count(&program, &is_load) >= 5);
    assert_eq!(cells.mirrors().len(), count(seen, &is_load));
    // `hit`, `state`, `in` and `next`.
    assert_eq!(seen.cfa.variables.len(), program.cfa.variables.len() + 4);
    // What was added has no counterpart.
    let sites = seen.cfa.edges.entries().flat_map(|(edge, known)| {
        (0..known.ops.len() as u32).map(move |op| interp::Site { edge, op })
    });
    let kept = sites.filter(|site| cells.back().op(*site) != OperationOrigin::Added).count();
    assert_eq!(kept, count(&program, &|_| true));
    let new = seen.cfa.variables.ids().filter(|var| cells.back().variable(*var).is_none());
    assert_eq!(new.count(), 4);
    // Memory is written as before.
    let is_store = |op: &Op| matches!(op, Op::Store { .. });
    assert_eq!(count(seen, &is_store), count(&program, &is_store));
}

#[test]
fn a_write_to_an_unknown_place_makes_cells_arbitrary() {
    let text = "extern int __VERIFIER_nondet_int(void);
        int main(void) { int a = 1, b = 2; int *p = &a, *q = &b, *r;
          if (__VERIFIER_nondet_int()) r = p; else r = q;
          *r = 3;
          return *p + *q + *p + *q; }";
    let program = c(text);
    let cells = Cells::of(&program, &Budget::default()).expect("cells");
    let seen = cells.program();
    let known = program.cfa.variables.len();
    let is_cell = |var: &term::Var| base::Id::index(*var) >= known;
    let havocs = |op: &Op| matches!(op, Op::Havoc { var, .. } if is_cell(var));
    let assigns = |op: &Op| matches!(op, Op::Assign { var, .. } if is_cell(var));
    // When the objects begin, and by `*r = 3`.
    assert_eq!((count(seen, &havocs), count(seen, &assigns)), (4, 2));
}

#[test]
fn what_is_made_in_rounds_has_no_cells() {
    let text = "extern int __VERIFIER_nondet_int(void); void *malloc(unsigned long);
        struct node { int value; struct node *next; };
        int main(void) { struct node *list = 0;
          while (__VERIFIER_nondet_int()) {
            struct node *n = malloc(sizeof *n); n->next = list; list = n; }
          while (list) { if (list->value == list->next->value) return 1; list = list->next; }
          return 0; }";
    assert!(Cells::of(&c(text), &Budget::default()).is_none());
}

#[test]
fn loops_are_not_unrolled() {
    let text = "int a[1000]; int main(void) { int *p = a;
        for (int i = 0; i < 1000; i++) { p[i] = i; if (p[0]) return p[0] + p[1]; } return 0; }";
    let program = c(text);
    // The limits are not even asked: there is one state for each place.
    let stopped = Budget::default();
    stopped.cancel();
    let cells = Cells::of(&program, &stopped).expect("cells");
    assert_eq!(cells.program().cfa.variables.len(), program.cfa.variables.len() + 2);
}

#[test]
fn precisions_are_translated() {
    let program = c(SESSION);
    let cells = Cells::of(&program, &Budget::default()).expect("cells");
    let seen = cells.program();
    let mut precision = Precision::new(PrecisionScope::Function);
    let aspect = Aspect::Bytes { offset: 4, length: 2 };
    for (edge, taken) in program.cfa.edges.entries() {
        for (number, op) in (0..).zip(&taken.ops) {
            if let Op::Alloc { var, .. } = op {
                let object = Tracked::Memory(ObjectSite::Alloc(edge, number), aspect);
                precision.add(&program.cfa, taken.source, object);
                precision.add(&program.cfa, taken.source, Tracked::Variable(*var));
            }
        }
    }
    let mut with = cells.with(&program, &precision);
    for what in with.tracked() {
        if let Tracked::Memory(ObjectSite::Alloc(edge, number), _) = what {
            let op = &seen.cfa.edges[edge].ops[number as usize];
            assert!(matches!(op, Op::Alloc { .. }), "{op:?}");
        }
    }
    let cell = base::Id::from_index(program.cfa.variables.len());
    let entry = seen.cfa.functions[seen.cfa.start.expect("a start")].entry;
    with.add(&seen.cfa, entry, Tracked::Variable(cell));
    assert_eq!(cells.without(&program, &with).tracked(), precision.tracked());
}
