//! Precisions of explicit values, for a model with objects and allocations.

#![no_main]

use domains::precision::{read, write};
use domains::value::PrecisionScope;
use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{PRECISION_MODEL, deep, render, source};

fuzz_target!(|data: &[u8]| {
    deep(|| check(data));
});

fn check(data: &[u8]) {
    let (sources, file) = source("model", PRECISION_MODEL);
    let mut program =
        cfa::parse(sources, file).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
    for scope in [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global] {
        let Some(file) = program.sources.add("fuzz.precision", data) else { return };
        match read(&program, scope, file) {
            Ok((precision, _, warnings)) => {
                render(&warnings, &program.sources);
                let text = write(&program, &precision);
                let file = program.sources.add("again", text.as_bytes()).expect("a short file");
                let (again, _, warnings) = read(&program, scope, file).expect("it was written");
                assert!(warnings.iter().next().is_none() && again == precision, "{text}");
            }
            Err(diagnostics) => {
                assert!(diagnostics.has_errors());
                render(&diagnostics, &program.sources);
            }
        }
    }
}
