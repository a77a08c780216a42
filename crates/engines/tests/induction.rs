//! Programs with an error have no proof, whatever the number of rounds.

#![allow(missing_docs)]

use std::path::Path;

use proviso_engines::induction;
use run::{Budget, Run, Verdict};

/// The C programs of a page for which it says FALSE, with the default options.
fn violated(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in page.split("\n```c").skip(1) {
        let Some((options, rest)) = part.split_once('\n') else { continue };
        let Some((program, after)) = rest.split_once("\n```\n") else { continue };
        // Options that change the model are not understood here; without checks it is as it is.
        let options = options.replace("--check none", "");
        let mut options = options.split_whitespace().filter(|word| word.starts_with("--"));
        let plain = options.all(|option| matches!(option, "--analysis" | "--timelimit"));
        if plain && after.trim_start().starts_with("> FALSE\n") {
            found.push(program.to_owned());
        }
    }
    found
}

/// How often an attempt looks at its budget before it is given up: the same on every machine.
const LOOKS: u64 = 20_000;

#[test]
fn an_error_is_never_proved_away() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/specs");
    let mut count = 0;
    for page in ["control.md", "functions.md", "loops.md", "memory.md", "pointers.md", "rounds.md"]
    {
        let text = std::fs::read_to_string(folder.join(page)).expect("a page");
        for text in violated(&text) {
            let mut sources = base::SourceMap::new();
            let file = sources.add("test.c", text.as_bytes()).expect("a short file");
            // Pages are about accesses as well, and then a pointer from outside may point to anything.
            let outside_pointers = frontend::OutsidePointers::Any;
            let options = frontend::Options { outside_pointers, ..Default::default() };
            let loaded = frontend::c::load(sources, &[file], &options);
            assert!(!loaded.diagnostics.has_errors(), "{text}");
            for k in 0..3 {
                let solver = || -> Box<dyn smt::FullSolver> { Box::new(smt::Builtin::new()) };
                let run = Run::unobserved(Budget::for_looks(LOOKS));
                let verdict = induction::prove(&loaded.program, &solver, k, &run).verdict;
                assert!(!matches!(verdict, Verdict::Safe(_)), "{page}, k = {k}\n{text}");
                count += 1;
            }
        }
    }
    assert!(count >= 150, "only {count} attempts");
}
