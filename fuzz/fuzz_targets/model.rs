//! The text form of program models.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{check_round_trip, check_run, deep, render, seed, source};

fuzz_target!(|data: &[u8]| {
    deep(|| {
        let (sources, file) = source("fuzz.model", data);
        match cfa::parse(sources.clone(), file) {
            Ok(program) => {
                let violations = cfa::validate(&program);
                assert!(violations.is_empty(), "{violations:?}");
                check_round_trip(&program);
                check_run(&program, seed(data));
            }
            Err(diagnostics) => {
                assert!(diagnostics.has_errors());
                render(&diagnostics, &sources);
            }
        }
    });
});
