//! ARMC's facts.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{check_loaded, deep, seed, source};

fuzz_target!(|data: &[u8]| {
    deep(|| {
        let (sources, file) = source("fuzz.pl", data);
        check_loaded(&frontend::armc::load(sources, file), seed(data));
    });
});
