//! Memory that the program does not make.

#![allow(missing_docs)]

mod common;

use cfa::{Choice, Op, Outside};
use common::{B32, B64, Model, returned};
use proviso_interp::{Ending, Invalid};

const FROM: i128 = 1 << 63;

fn model() -> Model {
    let mut model = Model::new();
    model.program.cfa.outside = Outside::of_width(64);
    model
}

/// Stores, loads at another address, and returns what was loaded.
fn stored_and_loaded(stored: (i128, u32, i128), loaded: i128) -> Ending {
    let mut model = model();
    let (address, width, value) = stored;
    let (address, value) = (model.bv(64, address), model.bv(width, value));
    let x = model.local("x", B32);
    let from = model.bv(64, loaded);
    model.step([Op::Store { address, value }, Op::Load { var: x, address: from }]);
    let x = model.var(x);
    model.finish_with(x);
    model.run().ending
}

#[test]
fn what_is_written_is_read() {
    let at = FROM + 0x1234;
    assert_eq!(stored_and_loaded((at, 32, 77), at), returned(32, 77));
    assert_eq!(
        stored_and_loaded((at, 64, 0x0102_0304_0506_0708), at + 2),
        returned(32, 0x0304_0506)
    );
    // What nobody wrote is asked for; here it is zero.
    assert_eq!(stored_and_loaded((at, 32, 77), at + 4), returned(32, 0));
    assert_eq!(stored_and_loaded((at, 32, 0x0403_0201), at + 3), returned(32, 4));
}

#[test]
fn its_ends_are_those_of_the_stretch() {
    let misuse = |address: i128| match stored_and_loaded((FROM, 32, 1), address) {
        Ending::Invalid { what, .. } => what,
        other => panic!("{other:?}"),
    };
    let end = (1 << 64) - 0x1_0000;
    assert_eq!(stored_and_loaded((FROM, 32, 1), end - 4), returned(32, 0));
    assert_eq!(misuse(end - 3), Invalid::Pointer);
    assert_eq!(misuse(FROM - 1), Invalid::Pointer);
    assert_eq!(misuse(0), Invalid::Null);
    assert_eq!(misuse(-12 + (1 << 64)), Invalid::Pointer);
}

#[test]
fn bytes_become_arbitrary_and_are_copied() {
    let mut model = model();
    let object = model.data("object", &[9; 16]);
    let (at, length) = (model.bv(64, FROM + 100), model.bv(64, 16));
    let x = model.local("x", B64);
    let choice = Choice::Input("bytes".into());
    let byte = model.bv(8, 5);
    model.step([
        Op::Fill { address: at, byte, length },
        Op::Copy { to: object, from: at, length },
        Op::HavocMemory { address: at, length, choice },
        Op::Load { var: x, address: object },
    ]);
    let x = model.var(x);
    model.finish_with(x);
    assert_eq!(model.run().ending, returned(64, 0x0505_0505_0505_0505));
}

#[test]
fn without_it_nothing_is_there() {
    let mut model = Model::new();
    let x = model.local("x", B32);
    let address = model.bv(64, FROM);
    model.step([Op::Load { var: x, address }]);
    model.finish();
    assert!(matches!(model.run().ending, Ending::Invalid { what: Invalid::Pointer, .. }));
}
