//! `cargo xtask layout-oracle`: sizes, alignments, offsets, bit positions, and the types and
//! values of expressions, as gcc and as Proviso see them. The questions are C programs that
//! print the answers, so that they go through the whole of Proviso.

mod expressions;
mod records;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use clap::Args;

use crate::diff::judge::{message, reference};
use crate::generate::indent;
use crate::process::{Scratch, parallel, run as run_process};
use crate::tools::{self, TARGETS, Target};
use base::Random;

/// `cargo xtask layout-oracle`
#[derive(Args, Clone, Debug)]
pub struct LayoutOracle {
    /// How many record types
    #[arg(long, default_value_t = 500)]
    records: usize,
    /// What they are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// The proviso to test, instead of building one
    #[arg(long, value_name = "PATH")]
    bin: Option<PathBuf>,
    /// Also ask what gcc answers by rules of its own (packed inside #pragma pack, aligned bit-fields, wide
    /// characters), one record for each program; what Proviso refuses is counted
    #[arg(long)]
    exotic: bool,
    /// Where to put the programs whose answers differ
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Records in one program.
const CHUNK: usize = 25;

/// How the messages start by which Proviso refuses what it cannot answer as gcc does.
const REFUSALS: [&str; 2] = ["the layout of ", "a choice by type "];

/// One program of questions.
struct Questions {
    name: String,
    text: String,
    records: usize,
    fields: usize,
    expressions: usize,
}

/// What came of one program under one data model.
struct Answers {
    /// Each line that differs: the program, expected, actual.
    different: Vec<String>,
    /// Why nothing could be compared.
    failure: Option<String>,
}

/// Runs the command. True if every answer agrees.
pub fn run(arguments: &LayoutOracle) -> Result<bool, String> {
    let scratch = Scratch::new().map_err(|error| error.to_string())?;
    tools::need_gcc(&scratch)?;
    let proviso = tools::proviso(arguments.bin.as_deref())?;
    let mut programs = vec![expression_program(arguments.seed, 150, 100)];
    if arguments.exotic {
        let asked = expressions::wide(&mut Random::stream(arguments.seed, 0));
        programs.push(expression_questions("wide", asked));
    }
    // Proviso refuses a program as a whole, so a record that it may refuse must have a program of its own.
    let size = if arguments.exotic { 1 } else { CHUNK };
    for chunk in 0..arguments.records.div_ceil(size) {
        let count = size.min(arguments.records - chunk * size);
        programs.push(record_program(arguments.seed, chunk, count, arguments.exotic));
    }
    crate::process::limit_children(8 << 30, 64 << 20);
    let results = parallel(programs.len() * TARGETS.len(), arguments.jobs, |index| {
        let (program, target) = (&programs[index / TARGETS.len()], TARGETS[index % TARGETS.len()]);
        let answers = compare(program, target, &proviso);
        let fine = answers.different.is_empty() && answers.failure.is_none();
        if let (Some(folder), false) = (&arguments.keep, fine) {
            // A program that cannot be kept does not change the answer.
            let _ = std::fs::create_dir_all(folder);
            let _ = std::fs::write(
                folder.join(format!("{}-{}.c", program.name, target.name)),
                &program.text,
            );
        }
        (program, target, answers)
    });
    let (mut records, mut fields, mut expressions, mut different) = (0, 0, 0, 0);
    let mut failures: BTreeMap<String, usize> = BTreeMap::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for (_, (program, target, answers)) in &results {
        for line in &answers.different {
            println!("different: {} {}: {line}", program.name, target.name);
        }
        different += answers.different.len();
        match &answers.failure {
            Some(why) if arguments.exotic && is_refusal(why) => {
                *refused.entry(why.clone()).or_default() += 1;
            }
            Some(why) => *failures.entry(why.clone()).or_default() += 1,
            None => {
                records += program.records;
                fields += program.fields;
                expressions += program.expressions;
            }
        }
    }
    for (failure, count) in &failures {
        println!("{count:>6}  not compared: {failure}");
    }
    for (why, count) in &refused {
        println!("{count:>6}  refused: {why}");
    }
    println!(
        "layout-oracle: {records} records, {fields} fields, {expressions} expressions, {different} different"
    );
    Ok(different == 0 && failures.is_empty())
}

/// A small program on operators and constants.
pub fn fixed_expressions(seed: u64) -> String {
    expression_program(seed, 0, 3).text
}

/// A program on `count` records.
pub fn fixed_records(seed: u64, chunk: usize, count: usize) -> String {
    record_program(seed, chunk, count, false).text
}

fn is_refusal(message: &str) -> bool {
    REFUSALS.iter().any(|start| message.starts_with(start))
}

fn expression_program(seed: u64, floats: usize, percent: u64) -> Questions {
    let asked = expressions::generate(&mut Random::stream(seed, 0), floats, percent);
    expression_questions("expressions", asked)
}

fn expression_questions(name: &str, asked: expressions::Expressions) -> Questions {
    Questions {
        name: name.into(),
        text: assemble(&asked.text, &asked.calls),
        records: 0,
        fields: 0,
        expressions: asked.count,
    }
}

fn record_program(seed: u64, chunk: usize, count: usize, exotic: bool) -> Questions {
    let mut rng = Random::stream(seed, chunk as u64 + 1);
    let asked = records::generate(&mut rng, chunk * CHUNK, count, exotic);
    Questions {
        name: format!("records{chunk}"),
        text: assemble(&asked.text, &asked.calls),
        records: asked.records,
        fields: asked.fields,
        expressions: 0,
    }
}

fn assemble(text: &str, calls: &str) -> String {
    indent(&format!(
        "typedef __typeof__(sizeof(int)) size_t;\nint printf(const char *, ...);\n\
         void *memset(void *, int, size_t);\nvoid *memcpy(void *, const void *, size_t);\n\n\
         {text}int main(void) {{\n{calls}return 0;\n}}\n"
    ))
}

fn compare(program: &Questions, target: Target, proviso: &PathBuf) -> Answers {
    match try_compare(program, target, proviso) {
        Ok(different) => Answers { different, failure: None },
        Err(failure) => Answers { different: Vec::new(), failure: Some(failure) },
    }
}

fn try_compare(
    program: &Questions,
    target: Target,
    proviso: &PathBuf,
) -> Result<Vec<String>, String> {
    let scratch = Scratch::new().map_err(|error| error.to_string())?;
    let source = scratch.path("questions.c");
    std::fs::write(&source, &program.text).map_err(|error| error.to_string())?;
    let (expected, _) = reference(&source, target, &[], 20, &scratch)?;
    let mut command = Command::new(proviso);
    command.arg("run").arg(target.proviso).arg(&source);
    let ended = run_process(&mut command, &scratch, Duration::from_secs(120))
        .map_err(|error| error.to_string())?;
    let (expected, actual) =
        (String::from_utf8_lossy(&expected), String::from_utf8_lossy(&ended.stdout));
    let mut actual: Vec<&str> = actual.lines().collect();
    let ending = actual.pop().unwrap_or("");
    let expected: Vec<&str> = expected.lines().collect();
    let mut different = Vec::new();
    for (at, line) in expected.iter().enumerate() {
        match actual.get(at) {
            Some(other) if other == line => {}
            Some(other) => different.push(format!("gcc `{line}`, proviso `{other}`")),
            None => break,
        }
    }
    if ending != "Run ended: returned 0" || actual.len() != expected.len() {
        let why = if ending.is_empty() {
            message(&String::from_utf8_lossy(&ended.stderr))
        } else {
            crate::diff::judge::class(ending)
        };
        different.truncate(20);
        if different.is_empty() {
            return Err(why);
        }
        different.push(format!("ended early: {why}"));
    }
    Ok(different)
}
