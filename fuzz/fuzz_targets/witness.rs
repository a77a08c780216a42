//! Witnesses in both formats: only what they say, and whether they fit a small program.

#![no_main]

use base::Diagnostics;
use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{deep, render, source, validated};

fuzz_target!(|data: &[u8]| {
    deep(|| {
        let (sources, file) = source("fuzz.yml", data);
        let told = match witness::read(&sources, file) {
            Ok(read) => validated(&read).err(),
            Err(diagnostic) => Some(diagnostic),
        };
        if let Some(diagnostic) = told {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(diagnostic);
            render(&diagnostics, &sources);
        }
    });
});
