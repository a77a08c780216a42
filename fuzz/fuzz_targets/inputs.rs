//! Files of inputs, and a model that asks for values of every kind of sort.

#![no_main]

use cfa::Program;
use interp::{Ending, Trouble};
use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{deep, render, run, source};

const MODEL: &str = r#"
model 1
address-width 64
start main
global b: Bool
global i: Int
global r: Real
global x: (_ BitVec 8) signed "x"
global y: (_ BitVec 64)
global f: (_ FloatingPoint 8 24)
global g: (_ FloatingPoint 11 53)
global h: (_ FloatingPoint 15 113)
global a: (Array (_ BitVec 8) Int)
global n: (Array Int (Array Bool (_ FloatingPoint 11 53)))
global never: (_ BitVec 32)
global sum: (_ BitVec 32)
function main() {
  entry L0 exit L1
  L0 -> L2 { havoc b input "b" }
  L0 -> L2 { havoc i input "i" }
  L2 -> L3 { havoc r input "r" havoc x input "x" havoc y input "y" }
  L3 -> L4 { havoc f input "f" havoc g input "g" havoc h input "h" }
  L4 -> L5 { havoc a input "a" havoc n input "n" }
  L5 -> L1 { sum := (bvadd never #x00000001) }
}
"#;

fuzz_target!(|data: &[u8]| {
    deep(|| check(data));
});

fn check(data: &[u8]) {
    let (sources, file) = source("fuzz.inputs", data);
    let mut listed = match interp::parse_inputs(&sources, file) {
        Ok(listed) => listed,
        Err(diagnostics) => {
            assert!(diagnostics.has_errors());
            return render(&diagnostics, &sources);
        }
    };
    let program = model();
    let first = run(&program, &mut listed);
    if let Ending::Inputs(Trouble::Unfit { span, .. }) = &first.ending {
        let _ = span.map(|span| sources.describe(span));
        return;
    }
    let text = interp::write_inputs(&program, &first.drawn);
    let (sources, file) = source("again", text.as_bytes());
    let mut again = interp::parse_inputs(&sources, file).expect("it was written");
    assert_eq!(first, run(&program, &mut again), "{text}");
    assert!(again.is_exhausted());
}

fn model() -> Program {
    let (sources, file) = source("model", MODEL);
    cfa::parse(sources, file).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"))
}
