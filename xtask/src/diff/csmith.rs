//! Programs from csmith, with options drawn from the seed.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::process::{Scratch, run};
use crate::tools::Target;
use base::Random;

/// The options of program `index`; they are part of what makes a finding repeatable.
pub fn options(seed: u64, index: u64) -> Vec<String> {
    let mut rng = Random::stream(seed ^ 0x00c5_317b, index);
    let number = rng.next() % 1_000_000_000;
    let mut options = vec!["--seed".to_string(), number.to_string()];
    for (name, percent) in [
        ("bitfields", 60),
        ("packed-struct", 40),
        ("unions", 60),
        ("volatiles", 40),
        ("longlong", 80),
        ("jumps", 70),
        ("pointers", 80),
        ("consts", 60),
        ("arrays", 90),
        ("comma-operators", 70),
        ("embedded-assigns", 70),
        ("compound-assignment", 80),
        ("int8", 80),
        ("inline-function", 20),
    ] {
        let no = if rng.chance(percent) { "" } else { "no-" };
        options.push(format!("--{no}{name}"));
    }
    if rng.chance(25) {
        options.push("--float".into());
    }
    // What the command line holds is an input, and the two sides would not agree on it.
    options.extend(["--no-argc".into(), "--no-builtins".into()]);
    // Programs of moderate size: findings are easier to read, and more of them run in time.
    for (name, low, high) in [
        ("max-funcs", 1, 6),
        ("max-block-depth", 1, 4),
        ("max-block-size", 2, 4),
        ("max-expr-complexity", 2, 8),
        ("max-struct-fields", 2, 8),
        ("max-array-dim", 1, 3),
        ("max-array-len-per-dim", 2, 8),
    ] {
        options.push(format!("--{name}"));
        options.push(rng.range(low, high).to_string());
    }
    options
}

/// The program's text for one data model, or why there is none.
pub fn program(options: &[String], target: Target, scratch: &Scratch) -> Result<String, String> {
    // csmith reads the widths of the target from a file where it runs, and writes it if absent.
    let platform = format!("integer size = 4\npointer size = {}\n", target.pointer_bytes);
    std::fs::write(scratch.path("platform.info"), platform).map_err(|error| error.to_string())?;
    let mut command = Command::new("csmith");
    command.args(options).current_dir(scratch.folder());
    let ended =
        run(&mut command, scratch, Duration::from_secs(20)).map_err(|error| error.to_string())?;
    if !ended.success() {
        return Err("csmith gave up".into());
    }
    Ok(String::from_utf8_lossy(&ended.stdout).into_owned())
}

/// gcc's flag for csmith's headers.
pub fn include(headers: &Path) -> String {
    format!("-I{}", headers.display())
}
