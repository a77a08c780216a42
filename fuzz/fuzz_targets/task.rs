//! Task definitions: only what they say, no file that they name is looked at.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{deep, render, source};

fuzz_target!(|data: &[u8]| {
    deep(|| {
        let (sources, file) = source("fuzz.yml", data);
        match frontend::task::read(&sources, file, Path::new("fuzz.yml")) {
            Ok(task) => {
                for property in &task.properties {
                    let _ = sources.describe(property.span);
                }
            }
            Err(diagnostics) => {
                assert!(diagnostics.has_errors());
                render(&diagnostics, &sources);
            }
        }
    });
});
