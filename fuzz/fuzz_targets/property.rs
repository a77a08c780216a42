//! Properties in SV-COMP's form.

#![no_main]

use frontend::task::Property;
use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{deep, render, source};

fuzz_target!(|data: &[u8]| {
    deep(|| {
        let (sources, file) = source("fuzz.prp", data);
        match Property::parse(&sources, file) {
            Ok(property) => {
                let _ = (property.name(), property.is_reachability(), property.is_default());
                // What a property keeps as its text says the same.
                let (sources, file) = source("again.prp", property.text.as_bytes());
                let again = Property::parse(&sources, file).expect("it was read before");
                assert_eq!((&property.kind, &property.entry), (&again.kind, &again.entry));
            }
            Err(diagnostics) => {
                assert!(diagnostics.has_errors());
                render(&diagnostics, &sources);
            }
        }
    });
});
