//! `cargo xtask growth`: how the cost of a run grows with the size of a program, on programs that are made for it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use crate::process::{Scratch, run};
use crate::tools;

/// `cargo xtask growth`
#[derive(Args, Clone, Debug)]
pub struct Growth {
    /// The proviso to measure, instead of building one
    #[arg(long, value_name = "PATH")]
    bin: Option<PathBuf>,
    /// Seconds for one run
    #[arg(long, default_value_t = 60)]
    timeout: u64,
}

const HEAD: &str = "extern int in(void);\nextern void reach_error(void);\n";

/// Programs of one kind and of any size.
struct Kind {
    /// What there is more of in a larger program.
    what: &'static str,
    analysis: &'static str,
    sizes: [usize; 4],
    text: fn(usize) -> String,
}

const KINDS: [Kind; 7] = [
    Kind {
        what: "states",
        analysis: "value",
        sizes: [10_000, 20_000, 40_000, 80_000],
        text: states,
    },
    Kind { what: "variables", analysis: "value", sizes: [250, 500, 1000, 2000], text: variables },
    Kind { what: "predicates", analysis: "predicate", sizes: [5, 10, 20, 40], text: locks },
    Kind { what: "objects", analysis: "auto", sizes: [25, 50, 100, 200], text: objects },
    Kind { what: "lines", analysis: "auto", sizes: [1000, 2000, 4000, 8000], text: lines },
    Kind { what: "functions", analysis: "auto", sizes: [5, 10, 15, 20], text: calls },
    Kind { what: "rounds", analysis: "bmc", sizes: [50, 100, 200, 400], text: rounds },
];

/// A counter with a state for each of its values.
fn states(size: usize) -> String {
    format!(
        "{HEAD}int main(void) {{\n  int x = 0;\n  while (x < {size}) x++;\n  if (x != {size}) reach_error();\n}}\n"
    )
}

/// Variables that all hold something while a loop goes round.
fn variables(size: usize) -> String {
    let mut text = format!("{HEAD}int main(void) {{\n");
    for number in 0..size {
        let _ = writeln!(text, "  int v{number} = {number};");
    }
    text.push_str("  for (int i = 0; i < 10; i++) {\n");
    for number in 0..size {
        let _ = writeln!(text, "    v{number}++;");
    }
    let _ = writeln!(text, "  }}\n  if (v0 != 10) reach_error();\n}}");
    text
}

/// Locks that are taken and released in turn, each of which needs a predicate.
fn locks(size: usize) -> String {
    let mut text = format!("{HEAD}int main(void) {{\n  while (in()) {{\n");
    for number in 0..size {
        let _ = writeln!(text, "    int want{number} = in(), lock{number} = 0;");
    }
    for number in 0..size {
        let _ = writeln!(text, "    if (want{number}) lock{number} = 1;");
    }
    for number in 0..size {
        let _ = writeln!(text, "    if (want{number} && lock{number} != 1) reach_error();");
    }
    text.push_str("  }\n}\n");
    text
}

/// Blocks of the heap in a list that is walked.
fn objects(size: usize) -> String {
    format!(
        "{HEAD}extern void *malloc(unsigned long);\nstruct node {{ int value; struct node *next; }};\n\
         int main(void) {{\n  struct node *list = 0;\n  for (int i = 0; i < {size}; i++) {{\n    \
         struct node *node = malloc(sizeof *node);\n    node->value = in() & 1;\n    node->next = list;\n    \
         list = node;\n  }}\n  int sum = 0;\n  for (; list; list = list->next) sum += list->value;\n  \
         if (sum > {size}) reach_error();\n}}\n"
    )
}

/// Lines one after another.
fn lines(size: usize) -> String {
    let mut text = format!("{HEAD}int main(void) {{\n  unsigned x = in(), y = 0;\n");
    for number in 0..size {
        let _ = writeln!(text, "  if (x & {}) y += {number};", 1_u32 << (number % 31));
    }
    let _ = writeln!(text, "  if (x == 0 && y != 0) reach_error();\n}}");
    text
}

/// Functions of which each calls the next one three times.
fn calls(size: usize) -> String {
    let mut text = format!("{HEAD}static int f0(int x) {{ return x > 100 ? 100 : x; }}\n");
    for number in 1..=size {
        let below = number - 1;
        let _ = writeln!(
            text,
            "static int f{number}(int x) {{ return f{below}(f{below}(f{below}(x))); }}"
        );
    }
    let _ = writeln!(text, "int main(void) {{ if (f{size}(in()) > 100) reach_error(); }}");
    text
}

/// A loop that bounded model checking unrolls to its end.
fn rounds(size: usize) -> String {
    format!(
        "{HEAD}int main(void) {{\n  unsigned x = 0, s = 0;\n  for (int i = 0; i < {size}; i++) {{\n    \
         if (in()) x += 2; else x += 4;\n    s ^= x;\n  }}\n  if (s & 1) reach_error();\n}}\n"
    )
}

/// Runs the command. Always true: a run without an answer is a figure, not a failure.
pub fn measure(arguments: &Growth) -> Result<bool, String> {
    let proviso = tools::proviso(arguments.bin.as_deref())?;
    println!("| more of | analysis | size | answer | CPU s | MiB |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for kind in &KINDS {
        for size in kind.sizes {
            let row = row(kind, size, &proviso, Duration::from_secs(arguments.timeout));
            println!("{}", row.map_err(|error| error.to_string())?);
        }
    }
    Ok(true)
}

fn row(kind: &Kind, size: usize, proviso: &Path, limit: Duration) -> std::io::Result<String> {
    let scratch = Scratch::new()?;
    let (program, figures) = (scratch.path("program.c"), scratch.path("figures"));
    fs::write(&program, (kind.text)(size))?;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("measure").arg(&figures).arg("--").arg(proviso);
    command.args([
        "check",
        "--property",
        "unreach-call",
        "--analysis",
        kind.analysis,
        "--timelimit",
    ]);
    command.arg(format!("{}s", limit.as_secs())).arg(&program);
    run(&mut command, &scratch, limit + Duration::from_secs(10))?;
    let text = fs::read_to_string(&figures).unwrap_or_default();
    let mut words = text.split_whitespace();
    let answer = match words.next() {
        Some("0") => "TRUE",
        Some("10") => "FALSE",
        _ => "none",
    };
    let mut words = words.map(|word| word.parse().unwrap_or(0.0));
    let (micros, kib): (f64, f64) = (words.next().unwrap_or(0.0), words.next().unwrap_or(0.0));
    Ok(format!(
        "| {} | {} | {size} | {answer} | {:.2} | {:.0} |",
        kind.what,
        kind.analysis,
        micros / 1e6,
        kib / 1024.0
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A larger program is longer, unless only its numbers are larger.
    #[test]
    fn programs_grow() {
        for kind in &KINDS {
            let lengths = kind.sizes.map(|size| (kind.text)(size).len());
            assert!(lengths.is_sorted(), "{}: {lengths:?}", kind.what);
        }
    }
}
