//! Snapshots of what people and tools read about a violation.

#![allow(missing_docs)]

mod faults;
mod harness;
mod inputs;
mod paths;
mod values;
mod witness;

use base::SourceMap;
use cfa::{Checks, Program};
use frontend::{DataModel, Options};
use proviso_report::{Execution, Stamp, Subject};
use verify::{Config, Counterexample, Verdict};

/// A program, and what it was made of.
struct Case {
    program: Program,
    subject: Subject,
}

impl Case {
    fn c(text: &str) -> Self {
        Self::checked(text, Checks::NONE)
    }

    fn checked(text: &str, checks: Checks) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add("program.c", text.as_bytes()).expect("a short text");
        let options = Options { data_model: Some(DataModel::Ilp32), checks, ..Options::default() };
        let loaded = frontend::c::load(sources, &[file], &options);
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
        let entry = "main".to_owned();
        let subject = Subject { files: vec![file], is_c: true, entry, ..Subject::default() };
        Self { program: loaded.program, subject }
    }

    fn theta(text: &str) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add("model.cfa", text.as_bytes()).expect("a short text");
        let loaded = frontend::theta::load(sources, file);
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
        Self { program: loaded.program, subject: Subject::default() }
    }

    fn found(&self) -> Counterexample {
        match verify::verify(&self.program, &Config::default(), &|| Box::new(smt::Builtin::new()))
            .verdict
        {
            Verdict::Unsafe(found) => *found,
            other => panic!("a violation is expected: {other:?}"),
        }
    }

    fn text(&self) -> String {
        let found = self.found();
        let execution = Execution::of(&self.program, &found);
        proviso_report::counterexample(&self.program, &found, &execution, "--mmio")
    }

    fn harness(&self) -> String {
        let found = self.found();
        let execution = Execution::of(&self.program, &found);
        proviso_report::harness(&self.program, &self.subject, &found, &execution)
    }
}

fn stamp() -> Stamp {
    Stamp { time: "2026-11-15T00:00:00Z".to_owned(), version: "0.0.0".to_owned() }
}

/// What several tests take apart: every value is forced, so that no solver's taste shows.
const STRAIGHT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned y = __VERIFIER_nondet_uint();
    if (x != -7)
        return 0;
    if (y == 4000000000u) {
        reach_error();
    }
    return 0;
}
";

/// What the trace of a program says beside each line that is shown, without the code.
fn told(text: &str, checks: Checks) -> Vec<String> {
    let trace = Case::checked(text, checks).text();
    let lines = trace.lines().skip_while(|line| !line.is_empty()).skip(1);
    let lines = lines.take_while(|line| !line.starts_with("Error: "));
    let beside = |line: &str| {
        let number = line.split_whitespace().next()?;
        let values = line.rsplit_once(";  ").or_else(|| line.rsplit_once("  "))?.1;
        number.parse::<u32>().ok().map(|number| format!("{number}: {}", values.trim()))
    };
    lines.filter_map(beside).collect()
}
