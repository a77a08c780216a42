//! Precisions of explicit values, for a model with objects and allocations.

#![no_main]

use domains::value::{Scope, read, write};
use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{deep, render, source};

const MODEL: &str = r#"
model 1
address-width 64
start main
global x: (_ BitVec 8) signed "x"
function main() {
  local |main::p|: (_ BitVec 64) address "p"
  entry L0 exit L1
  L0 -> L2 { alloc |main::p| size #x0000000000000008 align 8 heap }
  L2 -> L1 { store #x00 at |main::p| }
}
"#;

fuzz_target!(|data: &[u8]| {
    deep(|| check(data));
});

fn check(data: &[u8]) {
    let (sources, file) = source("model", MODEL);
    let mut program =
        cfa::parse(sources, file).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
    for scope in [Scope::Location, Scope::Function, Scope::Global] {
        let Some(file) = program.sources.add("fuzz.precision", data) else { return };
        match read(&program, scope, file) {
            Ok((precision, warnings)) => {
                render(&warnings, &program.sources);
                let text = write(&program, &precision);
                let file = program.sources.add("again", text.as_bytes()).expect("a short file");
                let (again, warnings) = read(&program, scope, file).expect("it was written");
                assert!(warnings.iter().next().is_none() && again == precision, "{text}");
            }
            Err(diagnostics) => {
                assert!(diagnostics.has_errors());
                render(&diagnostics, &program.sources);
            }
        }
    }
}
