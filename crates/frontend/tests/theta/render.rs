//! A program as text, for comparison in tests.

use base::Random;
use base::SourceMap;
use cfa::{LocId, Op, Program};
use proviso_frontend::Loaded;

/// Loads text with one of the front ends. What is accepted must be a valid program.
pub fn loaded(text: impl AsRef<[u8]>, load: fn(SourceMap, base::FileId) -> Loaded) -> Loaded {
    let mut sources = SourceMap::new();
    let file = sources.add("model", text.as_ref().to_vec()).expect("a short text");
    let loaded = load(sources, file);
    if !loaded.diagnostics.has_errors() {
        let found = cfa::validate(&loaded.program);
        assert!(found.is_empty(), "{}: {found:?}", String::from_utf8_lossy(text.as_ref()));
    }
    loaded
}

/// The messages as `line:column message`, warnings marked.
pub fn messages(loaded: &Loaded) -> Vec<String> {
    let sources = &loaded.program.sources;
    let line = |diagnostic: &base::Diagnostic| {
        let warning = diagnostic.severity == base::Severity::Warning;
        let mark = if warning { "warning: " } else { "" };
        match diagnostic.span {
            Some(span) => {
                let at = sources.position(span);
                format!("{}:{} {mark}{}", at.line, at.column, diagnostic.message)
            }
            None => format!("{mark}{}", diagnostic.message),
        }
    };
    loaded.diagnostics.iter().map(line).collect()
}

fn location(program: &Program, id: LocId) -> String {
    match &program.cfa.locations[id].name {
        Some(name) => name.to_string(),
        None => id.to_string(),
    }
}

/// The operations of an edge.
pub fn op(program: &Program, op: &Op) -> String {
    let terms = &program.terms;
    match op {
        Op::Assume(condition) => format!("assume {}", terms.display(*condition)),
        Op::Assign { var, value } => {
            format!("{} := {}", terms.var_name(*var), terms.display(*value))
        }
        Op::Havoc { var, .. } => format!("havoc {}", terms.var_name(*var)),
        other => format!("{other:?}"),
    }
}

/// Entry, exit, error locations and all edges.
pub fn program(program: &Program) -> String {
    let cfa = &program.cfa;
    let function = &cfa.functions[cfa.start.expect("a function")];
    let errors: Vec<String> = cfa.errors().map(|id| location(program, id)).collect();
    let mut text = format!(
        "{}: entry {}, exit {}, errors [{}]\n",
        function.name,
        location(program, function.entry),
        location(program, function.exit),
        errors.join(", ")
    );
    for edge in &cfa.edges {
        let ops: Vec<String> = edge.ops.iter().map(|each| op(program, each)).collect();
        let (source, target) = (location(program, edge.source), location(program, edge.target));
        text += &format!("{source} -> {target}: {}\n", ops.join("; "));
    }
    text
}

/// Names and sorts of the variables.
pub fn variables(program: &Program) -> Vec<String> {
    let line = |(var, _): (term::Var, &cfa::Variable)| {
        let sort = program.terms.display_sort(program.terms.var_sort(var));
        format!("{} : {sort}", program.terms.var_name(var))
    };
    program.cfa.variables.entries().map(line).collect()
}

/// A generator of numbers that are the same in every run.
pub struct Numbers(Random);

impl Numbers {
    /// The numbers of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// A number below `bound`, or 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound.max(1))
    }

    /// The text with a few bytes changed, removed, doubled or swapped, or cut off.
    pub fn mutate(&mut self, text: &[u8], pieces: &[&str]) -> Vec<u8> {
        let mut bytes = text.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            let other = self.below(bytes.len());
            match self.below(7) {
                0 => bytes.truncate(at),
                1 if !bytes.is_empty() => bytes[at] = self.below(256) as u8,
                2 if !bytes.is_empty() => {
                    bytes.remove(at);
                }
                3 => {
                    let piece = pieces[self.below(pieces.len())];
                    bytes.splice(at..at, piece.bytes());
                }
                4 if !bytes.is_empty() => bytes.swap(at, other),
                5 => {
                    let (from, to) = (at.min(other), at.max(other).min(at.min(other) + 40));
                    let copy = bytes[from..to].to_vec();
                    bytes.splice(at..at, copy);
                }
                _ => {
                    let (from, to) = (at.min(other), at.max(other).min(at.min(other) + 20));
                    bytes.drain(from..to);
                }
            }
        }
        bytes
    }
}
