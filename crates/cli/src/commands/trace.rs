//! The trace of a run: a line for each step.

use std::io::{BufWriter, Stderr, Write};

use cfa::{EdgeId, FuncId, Infix, LocId, ObjectId, Program, Reading};
use interp::{Change, Observer, Origin, Step, show};

/// The longest text of an operation.
const LONGEST: usize = 200;

/// Activations beyond this depth are not indented further.
const DEEPEST: usize = 40;

/// Writes lines to standard error: of a C program those of its source with the values that change, of
/// a model one for each edge that is taken.
pub struct Trace<'a> {
    program: &'a Program,
    lines: Option<report::Lines<'a>>,
    out: BufWriter<Stderr>,
}

impl<'a> Trace<'a> {
    pub fn new(program: &'a Program) -> Self {
        // Models have no memory.
        let lines = (program.cfa.address_width > 0).then(|| report::Lines::new(program));
        Self { program, lines, out: BufWriter::new(std::io::stderr()) }
    }

    /// Whether the step is told as lines of the source.
    fn is_told(&mut self, step: &Step<'_>, returned: Option<FuncId>) -> bool {
        let Some(lines) = &mut self.lines else { return false };
        if let Some(line) = lines.line(step, returned) {
            let _ = writeln!(self.out, "{}", base::plain_line(&line));
        }
        true
    }

    fn line(&mut self, step: &Step<'_>, what: &str) {
        let place = self.place(step.edge);
        let indent = "  ".repeat(step.depth.min(DEEPEST));
        let shown: Vec<String> = step.changes.iter().map(|change| self.change(change)).collect();
        let values =
            if shown.is_empty() { String::new() } else { format!("  [{}]", shown.join(", ")) };
        let _ = writeln!(self.out, "{place}: {indent}{what}{values}");
    }

    /// File and line, or the edge if it is nowhere in the source.
    fn place(&self, edge: EdgeId) -> String {
        match self.program.cfa.edges[edge].span {
            Some(span) => {
                let line = self.program.sources.position(span).line;
                format!("{}:{line}", self.program.sources.name(span.file))
            }
            None => edge.to_string(),
        }
    }

    fn change(&self, change: &Change) -> String {
        let infix = Infix::new(self.program).with_source_names();
        match change {
            Change::Drawn { origin, value, .. } => {
                let value = show(value, interp::reading(self.program, *origin));
                match origin {
                    Origin::Havoc(_) => format!("input {value}"),
                    Origin::Variable(var, _) => format!("{} is {value}", infix.name(*var)),
                    Origin::Memory(_) => format!("memory is {value}"),
                }
            }
            Change::Assigned { var, value: Some(value) } => {
                let reading = self.program.cfa.variables[*var].reading;
                format!("{} = {}", infix.name(*var), show(value, reading))
            }
            Change::Assigned { var, value: None } => format!("{} = ?", infix.name(*var)),
            Change::Stored { address, value } => {
                format!("*{address:#x} = {}", show(value, Reading::Signed))
            }
            Change::Copied { to, from, length } => {
                format!("{length} bytes from {from:#x} to {to:#x}")
            }
            Change::Filled { address, length, byte } => {
                format!("{length} bytes of {byte:#04x} at {address:#x}")
            }
            Change::Havocked { address, length } => {
                format!("{length} bytes at {address:#x} are arbitrary")
            }
            Change::Allocated { address, size } => format!("{size} bytes at {address:#x}"),
            Change::Freed { address } => format!("{address:#x} is free"),
        }
    }
}

impl Observer for Trace<'_> {
    fn placed(&mut self, object: ObjectId, address: u64) {
        if let Some(lines) = &mut self.lines {
            lines.placed(object, address);
        }
    }

    fn taken(&mut self, step: &Step<'_>) {
        if self.is_told(step, None) {
            return;
        }
        let program = self.program;
        let infix = Infix::new(program).with_source_names().limit(LONGEST);
        let ops = program.cfa.edges[step.edge].ops.iter().map(|op| infix.op(op).to_string());
        let ops = ops.collect::<Vec<_>>().join("; ");
        self.line(step, if ops.is_empty() { "skip" } else { &ops });
    }

    fn returned(&mut self, callee: FuncId, step: &Step<'_>) {
        if self.is_told(step, Some(callee)) {
            return;
        }
        let what = format!("return from {}", self.program.cfa.functions[callee].name);
        self.line(step, &what);
    }

    fn passed(&mut self, head: LocId, rounds: u64, _depth: usize) {
        let rounds = std::collections::BTreeMap::from([(head, rounds)]);
        if let Some(told) = report::passed(self.program, &rounds, "taken") {
            let _ = writeln!(self.out, "… {}", base::plain_line(&told));
        }
    }
}
