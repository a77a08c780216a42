//! C programs. The first byte chooses the data model and the other options, the rest is the text.

#![no_main]

use frontend::{DataModel, External, Options, SignedOverflow};
use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{check_loaded, deep, seed, source};

fuzz_target!(|data: &[u8]| {
    let Some((choice, text)) = data.split_first() else { return };
    let bit = |number: u8| choice >> number & 1 == 1;
    let options = Options {
        data_model: Some(if bit(0) { DataModel::Lp64 } else { DataModel::Ilp32 }),
        signed_overflow: if bit(1) { SignedOverflow::Undefined } else { SignedOverflow::Wrap },
        external: match (bit(2), bit(3)) {
            (false, _) => External::Pure,
            (true, false) => External::Havoc,
            (true, true) => External::Error,
        },
        malloc_may_fail: bit(3),
        ..Options::default()
    };
    deep(|| {
        let (sources, file) = source("fuzz.c", text);
        check_loaded(&frontend::c::load(sources, &[file], &options), seed(text));
    });
});
