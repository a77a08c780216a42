//! Objects, their bytes and their lives.

#![allow(missing_docs)]

mod common;

use cfa::{AllocKind, Choice, Contents, ObjectKind, Op, Patch};
use common::{B8, B32, B64, Model, alloc, assign, bits, returned};
use proviso_interp::{Drawn, Ending, Invalid, Listed, Origin};
use term::{Float, Format, Sort, TermId, Value, Var};

fn load(var: Var, address: TermId) -> Op {
    Op::Load { var, address }
}

fn store(address: TermId, value: TermId) -> Op {
    Op::Store { address, value }
}

impl Model {
    fn offset(&mut self, address: TermId, by: i128) -> TermId {
        let width = self.program.terms.width(address);
        let by = self.bv(width, by);
        self.program.terms.bv_add(address, by)
    }

    /// Loads a value of the sort from the address and returns it.
    fn returns_loaded(&mut self, address: TermId, sort: Sort) {
        let x = self.local("loaded", sort);
        self.step([load(x, address)]);
        let value = self.var(x);
        self.finish_with(value);
    }

    /// The ending of a run whose last edge misuses memory.
    fn misuse(mut self, op: Op) -> Invalid {
        let edge = self.step([op]);
        self.finish();
        match self.run().ending {
            Ending::Invalid { what, edge: at } if at == edge => what,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn values_are_stored_with_the_lowest_byte_first() {
    let mut model = Model::new();
    let object = model.data("object", &[0; 8]);
    let value = model.bv(32, 0x0102_0304);
    let at = model.offset(object, 2);
    model.step([store(at, value)]);
    model.returns_loaded(object, B64);
    assert_eq!(model.run().ending, returned(64, 0x0000_0102_0304_0000));
}

#[test]
fn wide_values_and_every_float_go_through_memory() {
    for value in [
        bits(8, 0x7f),
        bits(24, -3),
        bits(128, 1 << 100),
        bits(256, -5),
        Value::Float(Float::from_f32(1.5)),
        Value::Float(Float::from_f64(-0.1)),
        Value::Float(Float::from_bits(Format::X87, 0x3fff_c000_0000_0000_0000)),
        Value::Float(Float::from_bits(Format::Quad, 12345 << 64)),
        Value::Float(Float::from_bits(Format::Half, 0x1234)),
    ] {
        let mut model = Model::new();
        let object = model.data("object", &[0xff; 40]);
        let term = model.program.terms.constant(value.clone());
        let at = model.offset(object, 3);
        model.step([store(at, term)]);
        model.returns_loaded(at, value.sort());
        assert_eq!(model.run().ending, Ending::Returned(Some(value)));
    }
}

#[test]
fn truth_values_have_no_bytes() {
    let mut model = Model::new();
    let object = model.data("object", &[0; 8]);
    let x = model.local("x", Sort::Bool);
    let edge = model.step([load(x, object)]);
    let reason = "a load of sort Bool".to_owned();
    assert_eq!(model.run().ending, Ending::Unsupported { reason, edge: Some(edge) });
}

#[test]
fn contents_are_bytes_then_zeros_then_patches() {
    let mut model = Model::new();
    let target = model.data("target", &[42]);
    let patch = Patch { offset: 8, value: target };
    let contents = Contents::Bytes([1, 2].into(), [patch].into());
    let object = model.object("object", 16, ObjectKind::Data, contents);
    let (p, x) = (model.local("p", B64), model.local("x", B8));
    let (second, pointer) = (model.offset(object, 1), model.offset(object, 8));
    model.step([load(p, pointer)]);
    let address = model.var(p);
    let first = model.local("first", Sort::Bv(16));
    model.step([load(x, address), load(first, second)]);
    let (x, first) = (model.var(x), model.var(first));
    let both = model.program.terms.bv_concat(x, first);
    model.finish_with(both);
    assert_eq!(model.run().ending, returned(24, 0x2a_0002));
}

#[test]
fn accesses_stay_inside_their_object() {
    for (offset, what) in
        [(5, Invalid::OutOfBounds), (8, Invalid::OutOfBounds), (-1, Invalid::OutOfBounds)]
    {
        let mut model = Model::new();
        let object = model.data("object", &[0; 8]);
        model.data("next", &[0; 8]);
        let x = model.local("x", B32);
        let at = model.offset(object, offset);
        assert_eq!(model.misuse(load(x, at)), what);
    }
    let mut model = Model::new();
    let object = model.data("object", &[0; 8]);
    let at = model.offset(object, 4);
    model.returns_loaded(at, B32);
    assert_eq!(model.run().ending, returned(32, 0));
}

#[test]
fn null_and_wild_pointers() {
    for (address, what) in [(0, Invalid::Null), (8, Invalid::Null), (-1, Invalid::Pointer)] {
        let mut model = Model::new();
        model.data("object", &[0; 8]);
        let x = model.local("x", B32);
        let at = model.bv(64, address);
        assert_eq!(model.misuse(load(x, at)), what);
    }
}

#[test]
fn read_only_objects_and_code() {
    let mut model = Model::new();
    let text = model.string(b"abc");
    let value = model.bv(8, 1);
    assert_eq!(model.misuse(store(text, value)), Invalid::ReadOnly);

    let mut model = Model::new();
    let kind = ObjectKind::Code(model.function);
    let code = model.object("main", 1, kind, Contents::Bytes([].into(), [].into()));
    let x = model.local("x", B8);
    assert_eq!(model.misuse(load(x, code)), Invalid::Code);
}

#[test]
fn heap_objects_live_until_they_are_freed() {
    let mut model = Model::new();
    let (p, x) = (model.local("p", B64), model.local("x", B32));
    let (size, value) = (model.bv(64, 4), model.bv(32, 77));
    model.step([alloc(p, size, AllocKind::Heap)]);
    let address = model.var(p);
    model.step([store(address, value), load(x, address)]);
    model.step([Op::Free { address, kind: AllocKind::Heap }]);
    let loaded = model.var(x);
    model.finish_with(loaded);
    assert_eq!(model.run().ending, returned(32, 77));
}

fn freed() -> (Model, TermId) {
    let mut model = Model::new();
    let p = model.local("p", B64);
    let size = model.bv(64, 4);
    model.step([alloc(p, size, AllocKind::Heap)]);
    let address = model.var(p);
    model.step([Op::Free { address, kind: AllocKind::Heap }]);
    (model, address)
}

#[test]
fn freed_objects_are_gone() {
    let (mut model, address) = freed();
    let x = model.local("x", B32);
    assert_eq!(model.misuse(load(x, address)), Invalid::UseAfterFree);
    let (model, address) = freed();
    assert_eq!(model.misuse(Op::Free { address, kind: AllocKind::Heap }), Invalid::DoubleFree);
}

#[test]
fn only_what_may_be_freed_is_freed() {
    let heap = AllocKind::Heap;
    let mut model = Model::new();
    let object = model.data("object", &[0; 8]);
    assert_eq!(model.misuse(Op::Free { address: object, kind: heap }), Invalid::Free);

    let mut model = Model::new();
    let p = model.local("p", B64);
    let size = model.bv(64, 4);
    model.step([alloc(p, size, heap)]);
    let address = model.var(p);
    let inside = model.offset(address, 1);
    assert_eq!(model.misuse(Op::Free { address: inside, kind: heap }), Invalid::Free);

    let mut model = Model::new();
    let p = model.local("p", B64);
    let size = model.bv(64, 4);
    model.step([alloc(p, size, AllocKind::Stack)]);
    let address = model.var(p);
    assert_eq!(model.misuse(Op::Free { address, kind: heap }), Invalid::Free);

    let mut model = Model::new();
    let null = model.bv(64, 0);
    assert_eq!(model.misuse(Op::Free { address: null, kind: AllocKind::Stack }), Invalid::Free);

    let mut model = Model::new();
    let null = model.bv(64, 0);
    model.step([Op::Free { address: null, kind: heap }]);
    model.finish();
    assert_eq!(model.run().ending, Ending::Returned(None));
}

#[test]
fn stack_objects_end_with_their_function() {
    let mut model = Model::new();
    let main = model.function;
    let f = model.function("f");
    let p = model.result("p", B64);
    let size = model.bv(64, 4);
    model.step([alloc(p, size, AllocKind::Stack)]);
    model.finish();
    model.go_to(main);
    let (q, x) = (model.local("q", B64), model.local("x", B32));
    model.step([Op::Call { callee: f, arguments: [].into(), results: [q].into() }]);
    let address = model.var(q);
    assert_eq!(model.misuse(load(x, address)), Invalid::UseAfterFree);
}

#[test]
fn objects_of_no_bytes_have_addresses_of_their_own() {
    let mut model = Model::new();
    let (p, q, x) = (model.local("p", B64), model.local("q", B64), model.local("x", B8));
    let size = model.bv(64, 0);
    model.step([alloc(p, size, AllocKind::Heap), alloc(q, size, AllocKind::Heap)]);
    let (one, other) = (model.var(p), model.var(q));
    let equal = model.program.terms.eq(one, other);
    let differ = model.program.terms.not(equal);
    model.step([Op::Assume(differ)]);
    assert_eq!(model.misuse(load(x, one)), Invalid::OutOfBounds);
}

#[test]
fn lengths_of_zero_touch_nothing() {
    let mut model = Model::new();
    let (null, zero, byte) = (model.bv(64, 0), model.bv(64, 0), model.bv(8, 1));
    model.step([Op::Copy { to: null, from: null, length: zero }]);
    model.step([Op::Fill { address: null, byte, length: zero }]);
    model.step([Op::HavocMemory { address: null, length: zero, choice: Choice::Uninitialised }]);
    model.finish();
    assert_eq!(model.run().ending, Ending::Returned(None));
}

#[test]
fn copies_may_overlap_and_cross_objects() {
    let mut model = Model::new();
    let object = model.data("object", &[1, 2, 3, 4, 5, 6, 7, 8]);
    let other = model.data("other", &[9; 8]);
    let (two, four) = (model.offset(object, 2), model.bv(64, 4));
    model.step([Op::Copy { to: two, from: object, length: four }]);
    let four_on = model.offset(object, 4);
    let other_two = model.offset(other, 2);
    model.step([Op::Copy { to: other_two, from: four_on, length: four }]);
    let byte = model.bv(8, 0xee);
    let one = model.bv(64, 1);
    model.step([Op::Fill { address: other, byte, length: one }]);
    let (x, y) = (model.local("x", B64), model.local("y", B64));
    model.step([load(x, object), load(y, other)]);
    let (x, y) = (model.var(x), model.var(y));
    let both = model.program.terms.bv_concat(x, y);
    model.finish_with(both);
    let expected = 0x0807_0403_0201_0201 << 64 | 0x0909_0807_0403_09ee;
    assert_eq!(model.run().ending, returned(128, expected));
}

#[test]
fn a_copy_out_of_bounds_is_invalid() {
    let mut model = Model::new();
    let (object, other) = (model.data("object", &[0; 8]), model.data("other", &[0; 4]));
    let length = model.bv(64, 5);
    assert_eq!(model.misuse(Op::Copy { to: other, from: object, length }), Invalid::OutOfBounds);
}

#[test]
fn bytes_without_a_value_are_asked_for_once() {
    let mut model = Model::new();
    let object = model.object("object", 8, ObjectKind::Data, Contents::Arbitrary);
    let (x, y) = (model.local("x", B32), model.local("y", B64));
    let middle = model.offset(object, 2);
    model.step([load(x, middle), load(y, object)]);
    let y = model.var(y);
    model.finish_with(y);
    let values = |numbers: &[(u32, i128)]| -> Vec<Drawn> {
        let origin = Origin::Memory(None);
        numbers.iter().map(|(width, n)| Drawn::Value { origin, value: bits(*width, *n) }).collect()
    };
    let drawn = values(&[(32, 0x0403_0201), (16, 0x0605), (16, 0x0807)]);
    let run = model.run_with(&mut Listed::replay(&model.program, &drawn));
    assert_eq!(run.drawn, drawn);
    assert_eq!(run.ending, returned(64, 0x0807_0403_0201_0605));
}

#[test]
fn a_copy_of_bytes_without_a_value_equals_the_original() {
    let mut model = Model::new();
    let object = model.object("object", 4, ObjectKind::Data, Contents::Arbitrary);
    let copy = model.data("copy", &[0; 4]);
    let length = model.bv(64, 4);
    model.step([Op::Copy { to: copy, from: object, length }]);
    let (x, y) = (model.local("x", B32), model.local("y", B32));
    model.step([load(x, object), load(y, copy)]);
    let (x, y) = (model.var(x), model.var(y));
    let difference = model.program.terms.bv_sub(x, y);
    model.finish_with(difference);
    let run = model.run_with(&mut proviso_interp::RandomInputs::new(3));
    assert_eq!((run.ending, run.drawn.len()), (returned(32, 0), 1));
}

#[test]
fn havocked_memory_is_asked_for_by_its_name() {
    let mut model = Model::new();
    let object = model.data("object", &[5; 8]);
    let length = model.bv(64, 4);
    let choice = Choice::Input("read".into());
    let edge = model.step([Op::HavocMemory { address: object, length, choice: choice.clone() }]);
    let x = model.local("x", B64);
    model.step([load(x, object)]);
    let x = model.var(x);
    model.finish_with(x);
    let run = model.run();
    assert_eq!(run.ending, returned(64, 0x0505_0505_0000_0000));
    let [Drawn::Value { origin, value }] = &run.drawn[..] else { panic!("{:?}", run.drawn) };
    assert_eq!((origin.choice(&model.program), value), (&choice, &bits(32, 0)));
    assert_eq!(*origin, Origin::Memory(Some(proviso_interp::Site { edge, op: 0 })));
}

#[test]
fn what_an_unknown_function_reaches_becomes_arbitrary() {
    let mut model = Model::new();
    let reached = model.data("reached", &[1; 8]);
    let p = model.local("p", B64);
    let hidden = model.local("hidden", B64);
    let global = model.global("global", B32);
    let size = model.bv(64, 8);
    let (seven, eight) = (model.bv(64, 7), model.bv(64, 8));
    model.step([alloc(p, size, AllocKind::Heap), alloc(hidden, size, AllocKind::Heap)]);
    let (p, hidden) = (model.var(p), model.var(hidden));
    let one = model.bv(32, 1);
    model.step([store(p, seven), store(hidden, eight), store(reached, p), assign(global, one)]);
    let choice = Choice::External("unknown".into());
    model.step([Op::HavocReachable { roots: [].into(), choice: choice.clone() }]);
    let loaded = ["a", "b", "c"].map(|name| model.local(name, B64));
    model.step([load(loaded[0], reached), load(loaded[1], p), load(loaded[2], hidden)]);
    let global = model.var(global);
    let mut all = model.var(loaded[0]);
    for each in [loaded[1], loaded[2]] {
        let term = model.var(each);
        all = model.program.terms.bv_concat(all, term);
    }
    all = model.program.terms.bv_concat(all, global);
    let result = model.local("all", Sort::Bv(224));
    model.step([assign(result, all)]);
    let result = model.var(result);
    model.finish_with(result);
    let run = model.run();
    assert_eq!(run.ending, returned(224, 8 << 32));
    assert_eq!(run.drawn.len(), 3);
    for each in &run.drawn {
        let Drawn::Value { origin, .. } = each else { panic!("{each:?}") };
        assert_eq!(origin.choice(&model.program), &choice);
    }
}

#[test]
fn sizes_count_to_the_end_of_the_object() {
    let mut model = Model::new();
    let object = model.data("object", &[0; 8]);
    let [at, end, none] = ["at", "end", "none"].map(|name| model.local(name, B64));
    let (three, past, null) = (model.offset(object, 3), model.offset(object, 8), model.bv(64, 0));
    model.step([
        Op::Size { var: at, address: three },
        Op::Size { var: end, address: past },
        Op::Size { var: none, address: null },
    ]);
    let (at, end, none) = (model.var(at), model.var(end), model.var(none));
    let rest = model.program.terms.bv_add(end, none);
    let both = model.program.terms.bv_concat(at, rest);
    model.finish_with(both);
    assert_eq!(model.run().ending, returned(128, 5 << 64));
}

/// Allocates and frees over and over, more often than addresses of 32 bits allow without reuse.
#[test]
fn addresses_are_used_again_when_there_are_no_others() {
    let mut model = Model::with_addresses(32);
    let (p, n) = (model.local("p", B32), model.local("n", B32));
    let (zero, one, most, size) =
        (model.bv(32, 0), model.bv(32, 1), model.bv(32, 20_000), model.bv(32, 1 << 20));
    model.step([assign(n, zero)]);
    let head = model.at;
    let (n_term, p_term) = (model.var(n), model.var(p));
    let terms = &mut model.program.terms;
    let less = terms.bv_ult(n_term, most);
    let done = terms.not(less);
    let more = terms.bv_add(n_term, one);
    let free = Op::Free { address: p_term, kind: AllocKind::Heap };
    model.edge(
        head,
        head,
        [Op::Assume(less), alloc(p, size, AllocKind::Heap), free, assign(n, more)],
    );
    let exit = model.program.cfa.functions[model.function].exit;
    model.edge(head, exit, [Op::Assume(done)]);
    assert_eq!(model.run().ending, Ending::Returned(None));
}

#[test]
fn addresses_keep_away_from_the_ends_and_are_aligned() {
    for width in [32, 64] {
        let mut model = Model::with_addresses(width);
        let sort = Sort::Bv(width);
        let vars: Vec<Var> = (0..50).map(|n| model.local(&format!("p{n}"), sort)).collect();
        for (n, var) in vars.iter().enumerate() {
            let size = model.bv(width, n as i128 * 37);
            let align = 1 << (n % 13);
            model.step([Op::Alloc { var: *var, size, align, kind: AllocKind::Heap, zeroed: true }]);
            let address = model.var(*var);
            let (low, high) = (model.bv(width, 4096), model.bv(width, -65536));
            let (rest, zero) = (model.bv(width, align as i128 - 1), model.bv(width, 0));
            let terms = &mut model.program.terms;
            let low_bits = terms.bv_and(address, rest);
            let (above, below, aligned) =
                (terms.bv_ule(low, address), terms.bv_ult(address, high), terms.eq(low_bits, zero));
            model.step([Op::Assume(above), Op::Assume(below), Op::Assume(aligned)]);
        }
        model.finish();
        assert_eq!(model.run().ending, Ending::Returned(None));
    }
}
