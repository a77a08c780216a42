//! One program under one data model: compiled and run by gcc, run by Proviso, compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{Ended, Scratch, run};
use crate::tools::{GCC_FLAGS, Target};

/// What came of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Output and result agree.
    Same,
    /// Output or result differ, or Proviso ended in a way that a program without faults cannot cause.
    Different(String),
    /// Proviso says that it cannot do it, or ran into a limit.
    Unsupported(String),
    /// There is nothing to compare with.
    Skipped(String),
}

/// How programs are compared.
#[derive(Clone, Debug)]
pub struct Judge {
    pub proviso: PathBuf,
    pub steps: u64,
    pub gcc_seconds: u64,
    pub proviso_seconds: u64,
    /// Further flags for gcc: where csmith's headers are.
    pub flags: Vec<String>,
}

/// The verdict and what both sides wrote, for the report.
#[derive(Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    pub expected: Vec<u8>,
    pub actual: Vec<u8>,
}

impl Judgement {
    fn skipped(reason: impl Into<String>) -> Judgement {
        Judgement {
            verdict: Verdict::Skipped(reason.into()),
            expected: Vec::new(),
            actual: Vec::new(),
        }
    }
}

/// Output and exit code of a program compiled by gcc.
pub fn reference(
    source: &Path,
    target: Target,
    flags: &[String],
    seconds: u64,
    scratch: &Scratch,
) -> Result<(Vec<u8>, i32), String> {
    let binary = scratch.path("reference");
    let mut gcc = Command::new("gcc");
    gcc.args(GCC_FLAGS).args(target.gcc).args(flags).arg(source).arg("-o").arg(&binary);
    let compiled =
        run(&mut gcc, scratch, Duration::from_secs(60)).map_err(|error| error.to_string())?;
    if !compiled.success() {
        return Err("gcc rejects it".into());
    }
    let ran = run(&mut Command::new(&binary), scratch, Duration::from_secs(seconds))
        .map_err(|error| error.to_string())?;
    match (ran.status, ran.code()) {
        (None, _) => Err("runs too long".into()),
        (_, None) => Err("ended by a signal under gcc".into()),
        (_, Some(code)) => Ok((ran.stdout, code)),
    }
}

impl Judge {
    /// Compares the two sides on `source`.
    pub fn judge(&self, source: &Path, target: Target, scratch: &Scratch) -> Judgement {
        let (stdout, code) = match reference(source, target, &self.flags, self.gcc_seconds, scratch)
        {
            Ok(result) => result,
            Err(reason) => return Judgement::skipped(reason),
        };
        let preprocessed = scratch.path("program.i");
        let mut gcc = Command::new("gcc");
        gcc.args(["-E", "-P", "-w"])
            .args(target.gcc)
            .args(&self.flags)
            .arg(source)
            .arg("-o")
            .arg(&preprocessed);
        match run(&mut gcc, scratch, Duration::from_secs(60)) {
            Ok(ended) if ended.success() => {}
            _ => return Judgement::skipped("gcc -E failed"),
        }
        let mut proviso = Command::new(&self.proviso);
        proviso
            .arg("run")
            .arg(target.proviso)
            .arg("--max-steps")
            .arg(self.steps.to_string())
            .arg(&preprocessed);
        let ended = match run(&mut proviso, scratch, Duration::from_secs(self.proviso_seconds)) {
            Ok(ended) => ended,
            Err(error) => return Judgement::skipped(error.to_string()),
        };
        let mut verdict = compare(&stdout, code, &ended);
        let stderr = String::from_utf8_lossy(&ended.stderr);
        if matches!(verdict, Verdict::Different(_)) {
            let mut names = without_body(&stderr);
            if stderr.contains("functions that are not modelled") {
                names.extend(self.not_modelled(&preprocessed, target, scratch));
            }
            if !names.is_empty() {
                verdict = Verdict::Unsupported(format!("not modelled: {}", names.join(", ")));
            }
        }
        let mut expected = stdout;
        expected.extend_from_slice(format!("exit code {code}\n").as_bytes());
        let mut actual = ended.stdout;
        if !ended.stderr.is_empty() {
            actual.extend_from_slice(b"--- standard error\n");
            actual.extend_from_slice(&ended.stderr);
        }
        Judgement { verdict, expected, actual }
    }

    /// The functions whose results Proviso makes up, from the text form of the model. Functions that print are left
    /// out, since programs do not look at their results.
    fn not_modelled(&self, source: &Path, target: Target, scratch: &Scratch) -> Vec<String> {
        let mut command = Command::new(&self.proviso);
        command.arg("cfa").arg(target.proviso).arg(source);
        let Ok(ended) = run(&mut command, scratch, Duration::from_secs(60)) else {
            return Vec::new();
        };
        let text = String::from_utf8_lossy(&ended.stdout).into_owned();
        let mut names: Vec<String> = text
            .split("approximated \"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .filter(|name| !["printf", "puts", "putchar"].contains(name))
            .map(str::to_string)
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

/// The functions of which Proviso assumes something because they have no body.
fn without_body(stderr: &str) -> Vec<String> {
    let lines = stderr.lines().filter(|line| line.contains("has no body"));
    lines.filter_map(|line| line.split('`').nth(1)).map(str::to_string).collect()
}

/// Compares what the compiled program wrote and returned with a run of Proviso.
fn compare(stdout: &[u8], code: i32, ended: &Ended) -> Verdict {
    if ended.status.is_none() {
        return Verdict::Unsupported("time limit".into());
    }
    let stderr = String::from_utf8_lossy(&ended.stderr);
    match ended.code() {
        Some(65) => {
            return Verdict::Unsupported(format!("rejected: {}", message(&stderr)));
        }
        Some(0 | 10 | 20) => {}
        Some(70) => return Verdict::Different(format!("crash: {}", message(&stderr))),
        Some(code) => return Verdict::Different(format!("exit code {code}: {}", message(&stderr))),
        None => return Verdict::Different("proviso ended by a signal".into()),
    }
    let Some((output, ending)) = split_ending(&ended.stdout) else {
        return Verdict::Different("no line `Run ended: …`".into());
    };
    let returned = ending
        .strip_prefix("returned ")
        .or_else(|| ending.strip_prefix("exited with "))
        .and_then(|number| number.trim().parse::<i64>().ok());
    let limit =
        ["unsupported", "step limit", "out of memory"].iter().any(|l| ending.starts_with(l));
    if limit {
        // What was written up to the limit must be right all the same.
        return if stdout.starts_with(output) {
            Verdict::Unsupported(class(&ending))
        } else {
            Verdict::Different("output before the limit".into())
        };
    }
    match returned {
        None => Verdict::Different(format!("ended otherwise: {}", class(&ending))),
        Some(_) if output != stdout => {
            Verdict::Different(format!("output{}", first_difference(stdout, output)))
        }
        Some(value) if value.rem_euclid(256) != i64::from(code) => {
            Verdict::Different("exit code".into())
        }
        Some(_) => Verdict::Same,
    }
}

/// The program's own output and the words after `Run ended: `.
fn split_ending(stdout: &[u8]) -> Option<(&[u8], String)> {
    let text = stdout.strip_suffix(b"\n").unwrap_or(stdout);
    let start = text.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let line = String::from_utf8_lossy(&text[start..]);
    let ending = line.strip_prefix("Run ended: ")?.to_string();
    Some((&stdout[..start], ending))
}

/// The label at or after the first line that differs: after each scenario, own programs print a label with its name.
fn first_difference(expected: &[u8], actual: &[u8]) -> String {
    let (expected, actual) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(actual));
    let at = expected.lines().zip(actual.lines()).position(|(e, a)| e != a);
    let rest: Vec<&str> = match at {
        Some(at) => expected.lines().skip(at).collect(),
        None => return ": one is longer".into(),
    };
    let label = rest.iter().find(|line| {
        line.split_once(' ')
            .is_some_and(|(_, sum)| sum.len() == 16 && sum.chars().all(|c| c.is_ascii_hexdigit()))
    });
    match label.and_then(|line| line.split(' ').next()) {
        Some(label) => format!(" in {}", label.trim_end_matches(|c: char| c.is_ascii_digit())),
        None => String::new(),
    }
}

/// The first line of an error message, made comparable.
pub fn message(stderr: &str) -> String {
    let line = stderr
        .lines()
        .find(|line| line.contains("error"))
        .or_else(|| stderr.lines().next())
        .unwrap_or("no message");
    class(line)
}

/// A message without places, numbers and names, so that those of one kind are counted together.
pub fn class(message: &str) -> String {
    let message = message.split(" at ").next().unwrap_or(message);
    let mut out = String::new();
    let mut quote = None;
    for c in message.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => continue,
            None if c == '`' || c == '\'' || c == '‘' => {
                quote = Some(if c == '‘' { '’' } else { c });
                out.push('…');
                continue;
            }
            None if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
                continue;
            }
            None => out.push(c),
        }
    }
    // A place in front: `name.i:#:#: error: …`.
    match out.find("error: ") {
        Some(at) if at == 0 || out[..at].contains(":#") => out[at + 7..].trim().to_string(),
        _ => out.trim().to_string(),
    }
}

/// Copies what a finding needs into `folder`.
pub fn keep(folder: &Path, name: &str, source: &str, judgement: &Judgement) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(format!("{name}.c")), source)?;
    fs::write(folder.join(format!("{name}.expected")), &judgement.expected)?;
    fs::write(folder.join(format!("{name}.actual")), &judgement.actual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_ending() {
        let (output, ending) = split_ending(b"a\nb\nRun ended: returned 3\n").unwrap();
        assert_eq!((output, ending.as_str()), (&b"a\nb\n"[..], "returned 3"));
        assert_eq!(split_ending(b"Run ended: returned 0\n").unwrap().0, b"");
        assert!(split_ending(b"nothing\n").is_none());
    }

    #[test]
    fn messages_of_one_kind_fall_together() {
        assert_eq!(class("p.i:12:3: error: unknown name `x`"), "unknown name …");
        assert_eq!(class("unsupported (goto *p) at p.i:4:2"), "unsupported (goto *p)");
    }
}
