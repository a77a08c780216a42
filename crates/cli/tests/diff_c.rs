//! The fixed C programs of `tests/diff-c` must write and return what they do when compiled by
//! gcc. `cargo xtask diff-c --refresh` makes the expected outputs; `cargo xtask diff-c` compares
//! random programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn programs_behave_as_compiled_by_gcc_with_64_bits() {
    check("--64", "out64");
}

#[test]
fn programs_behave_as_compiled_by_gcc_with_32_bits() {
    check("--32", "out32");
}

fn check(model: &str, extension: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/diff-c");
    let mut sources: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of the programs")
        .map(|entry| entry.expect("a file of the folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    assert!(sources.len() >= 40, "only {} programs", sources.len());
    let failures: Vec<String> =
        sources.iter().filter_map(|source| failure(source, model, extension)).collect();
    assert!(failures.is_empty(), "{} programs differ:\n{}", failures.len(), failures.join("\n"));
}

/// What is wrong with the run of one program.
fn failure(source: &Path, model: &str, extension: &str) -> Option<String> {
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let expected = fs::read(source.with_extension(extension)).expect("an expected output");
    let (expected, code) = split_last_line(&expected);
    let run = Command::new(env!("CARGO_BIN_EXE_proviso"))
        .args(["run", model, "--max-steps", "50000000"])
        .arg(source)
        .output()
        .expect("proviso starts");
    let (actual, ending) = split_last_line(&run.stdout);
    let number = ["Run ended: returned ", "Run ended: exited with "]
        .iter()
        .find_map(|words| ending.strip_prefix(words));
    let returned = number.and_then(|number| number.parse::<i64>().ok());
    let Some(returned) = returned else {
        return Some(format!("{name} {model}: {ending}{}", String::from_utf8_lossy(&run.stderr)));
    };
    if actual != expected {
        let (actual, expected) =
            (String::from_utf8_lossy(actual), String::from_utf8_lossy(expected));
        let line =
            actual.lines().zip(expected.lines()).find(|(actual, expected)| actual != expected);
        return Some(match line {
            Some((actual, expected)) => {
                format!("{name} {model}: wrote `{actual}`, compiled `{expected}`")
            }
            None => format!("{name} {model}: one output is longer than the other"),
        });
    }
    let code = code.strip_prefix("exit code ").and_then(|n| n.parse::<i64>().ok());
    let returned = Some(returned.rem_euclid(256));
    (returned != code).then(|| format!("{name} {model}: returned {returned:?}, compiled {code:?}"))
}

/// The text up to the last line, and that line without its end.
fn split_last_line(text: &[u8]) -> (&[u8], String) {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    let start = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    (&text[..start], String::from_utf8_lossy(&body[start..]).into_owned())
}
