//! The fixed programs of `tests/diff-c`, whose expected outputs were made by gcc. The test that
//! uses them is in `crates/cli/tests/diff_c.rs`; it needs no compiler.

use std::fs;
use std::path::Path;

use super::judge::reference;
use crate::generate::{Options, common_names, program};
use crate::layout;
use crate::process::Scratch;
use crate::tools::{TARGETS, root};

/// The seed of the programs. The programs stay as they are when the generator changes, unless someone asks for new
/// ones.
const SEED: u64 = 2024;

/// How many lines a program has that is good to read.
const LENGTHS: std::ops::RangeInclusive<usize> = 45..=130;

/// Writes the expected outputs anew, and with `renew` the programs too.
pub fn refresh(scratch: &Scratch, renew: bool) -> Result<bool, String> {
    let folder = root().join("tests").join("diff-c");
    refresh_in(&folder, scratch, renew).map_err(|error| format!("{}: {error}", folder.display()))?
}

fn refresh_in(
    folder: &Path,
    scratch: &Scratch,
    renew: bool,
) -> std::io::Result<Result<bool, String>> {
    fs::create_dir_all(folder)?;
    if renew {
        for entry in fs::read_dir(folder)? {
            fs::remove_file(entry?.path())?;
        }
        for (name, text) in programs() {
            fs::write(folder.join(format!("{name}.c")), text)?;
        }
    }
    let mut count = 0;
    let mut sources: Vec<_> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    for source in sources {
        for target in TARGETS {
            match reference(&source, target, &[], 10, scratch) {
                Ok((mut output, code)) => {
                    output.extend_from_slice(format!("exit code {code}\n").as_bytes());
                    let bits = target.name.trim_start_matches('m');
                    fs::write(source.with_extension(format!("out{bits}")), output)?;
                }
                Err(reason) => {
                    return Ok(Err(format!("{} {}: {reason}", source.display(), target.name)));
                }
            }
        }
        count += 1;
    }
    println!("diff-c: {count} programs with expected outputs in {}", folder.display());
    Ok(Ok(true))
}

/// One program for each common scenario, and a few that mix them.
fn programs() -> Vec<(String, String)> {
    let mut out = Vec::new();
    for name in common_names() {
        out.push((name.replace('_', "-"), first_of_length(name, 0)));
    }
    for number in 2..6 {
        out.push((format!("soup-{number}"), first_of_length("soup", number * 100)));
    }
    out.push(("layout-expressions".into(), layout::fixed_expressions(SEED)));
    out.push(("layout-records".into(), layout::fixed_records(SEED, 0, 12)));
    out
}

/// The first program from `start` on whose length is in range, with as few scenarios as will do:
/// some are too short to fill a program alone.
fn first_of_length(scenario: &str, start: u64) -> String {
    let mut last = String::new();
    for count in 1..4 {
        for index in start..start + 60 {
            let only = vec![scenario.to_string()];
            let options = Options { only, count: Some(count), ..Options::default() };
            last = program(SEED, index, &options);
            if LENGTHS.contains(&last.lines().count()) {
                return last;
            }
        }
    }
    last
}
