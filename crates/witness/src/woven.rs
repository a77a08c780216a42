//! A program that was made of a text with a witness in it: what the functions mean that `weave` has put there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::{Diagnostics, FileId, SourceMap, Span};
use cfa::{Choice, EdgeId, FuncId, LocId, Op, Program, Scope};
use frontend::{Options, Subject};
use term::Var;

use crate::places::Places;
use crate::weave::{GUESS, IN, PASSED, Pieces, STATE, STOP, WRONG, Woven};

/// The program with a witness in it.
pub(crate) struct Product {
    pub(crate) program: Program,
    /// The texts with pieces in them, by the paths of their files.
    texts: BTreeMap<String, Woven>,
    /// The error locations of invariants that do not hold, with the numbers of the invariants.
    pub(crate) wrong: BTreeMap<LocId, usize>,
    /// The edges on which an execution is at the place of the next step of the witness and does not take the step, in
    /// order.
    pub(crate) passed: Vec<EdgeId>,
    /// The parts of the witness that belong to one function, and whether the program has them in this function.
    pub(crate) inside: BTreeMap<Span, bool>,
}

/// What the functions that pieces of a witness call depend on.
pub(crate) struct Called<'a> {
    /// How many invariants there are.
    pub(crate) invariants: usize,
    /// The functions in which parts of the witness are, by their numbers.
    pub(crate) functions: &'a [&'a str],
}

/// What the front end says against a program with its pieces.
#[derive(Default)]
pub(crate) struct Refused {
    pub(crate) message: String,
    /// The part of the witness that it is about, if it is about one.
    pub(crate) part: Option<Span>,
    /// The text that it is about.
    pub(crate) word: String,
    /// What was put into the program before that text, for the same part of the witness.
    pub(crate) before: String,
}

/// Makes a program of the files with their pieces.
///
/// # Errors
/// What the front end says of the text, and the part of the witness that it is about, if it is about one.
pub(crate) fn load(
    original: &Program,
    subject: &Subject,
    options: &Options,
    pieces: BTreeMap<FileId, Pieces>,
    called: &Called<'_>,
) -> Result<Product, Refused> {
    let mut sources = SourceMap::new();
    let mut texts: BTreeMap<String, Woven> = BTreeMap::new();
    let mut files = Vec::new();
    let mut pieces = pieces;
    for file in &subject.files {
        let found = pieces.remove(file).unwrap_or_default();
        let first = first_line(files.is_empty(), called);
        let woven = found.into_text(original.sources.text(*file), Some(&first));
        let path = original.sources.path(*file).to_owned();
        let Some(new) = sources.add(path.clone(), woven.text.clone()) else {
            let message = "the program is too long with the witness in it".to_owned();
            return Err(Refused { message, ..Refused::default() });
        };
        files.push(new);
        texts.insert(path, woven);
    }
    let mut options = options.clone();
    for (file, found) in pieces {
        let woven = found.into_text(original.sources.text(file), None);
        let path = original.sources.path(file).to_owned();
        options.flags.replaced.insert(PathBuf::from(&path), woven.text.clone().into());
        texts.insert(path, woven);
    }
    let loaded = frontend::c::load(sources, &files, &options);
    let (wrong, inside) = (BTreeMap::new(), BTreeMap::new());
    let passed = Vec::new();
    let mut product = Product { program: loaded.program, texts, wrong, passed, inside };
    if loaded.diagnostics.has_errors() {
        return Err(product.told(&loaded.diagnostics));
    }
    product.settle(called.functions);
    Ok(product)
}

/// What the pieces of all files use.
fn first_line(is_first: bool, called: &Called<'_>) -> String {
    let mut text = match is_first {
        true => {
            format!(
                "int {STATE} = 0; int {GUESS}(void) {{ return 0; }} void {STOP}(void) {{ }} \
                 void {PASSED}(void) {{ }}"
            )
        }
        false => format!(
            "extern int {STATE}; extern int {GUESS}(void); extern void {STOP}(void); \
             extern void {PASSED}(void);"
        ),
    };
    for number in 0..called.invariants {
        let body = if is_first { " { }" } else { ";" };
        text.push_str(&format!(" void {WRONG}{number}(void){body}"));
    }
    for number in 0..called.functions.len() {
        let body = if is_first { " { return 0; }" } else { ";" };
        text.push_str(&format!(" int {IN}{number}(void){body}"));
    }
    text
}

impl Product {
    /// The first error of the front end that is about a part of the witness, or else its first error.
    fn told(&self, diagnostics: &Diagnostics) -> Refused {
        let errors = diagnostics.iter().filter(|one| one.severity == base::Severity::Error);
        let mut first = None;
        for error in errors {
            let part = error.span.and_then(|span| self.part(span));
            if part.is_some() {
                let word = error.span.map(|span| self.program.sources.slice(span));
                let word = String::from_utf8_lossy(word.unwrap_or_default()).into_owned();
                let before = error.span.map_or("", |span| self.put_before(span)).to_owned();
                return Refused { message: error.message.clone(), part, word, before };
            }
            first.get_or_insert_with(|| error.message.clone());
        }
        Refused { message: first.unwrap_or_default(), ..Refused::default() }
    }

    /// Has the functions of the witness do what their names say.
    fn settle(&mut self, functions: &[&str]) {
        let program = &mut self.program;
        let mut names: BTreeMap<FuncId, String> = BTreeMap::new();
        for (id, function) in program.cfa.functions.ids().zip(program.cfa.functions.iter()) {
            if function.name.starts_with("__proviso_") {
                names.insert(id, function.name.to_string());
            }
        }
        let mut calls = Vec::new();
        let edges: Vec<EdgeId> = program.cfa.edges.ids().collect();
        for edge in edges {
            let [Op::Call { callee, results, .. }] = &*program.cfa.edges[edge].ops else {
                continue;
            };
            let Some(name) = names.get(callee) else { continue };
            if name == GUESS {
                let choice = Choice::Input(GUESS.into());
                let havoc = results.first().map(|var| Op::Havoc { var: *var, choice });
                program.cfa.edges[edge].ops = havoc.into_iter().collect();
            } else if name == STOP {
                let never = program.terms.bool(false);
                program.cfa.edges[edge].ops = Box::new([Op::Assume(never)]);
            } else if name == PASSED {
                program.cfa.edges[edge].ops = Box::default();
                self.passed.push(edge);
            } else if let Some(number) =
                name.strip_prefix(IN).and_then(|number| number.parse::<usize>().ok())
            {
                let source = program.cfa.edges[edge].source;
                let around = program.cfa.locations[source].function;
                let is_there = program.cfa.functions[around].source_name() == functions[number];
                let results = results.clone();
                let span = program.cfa.edges[edge].span;
                let assigned = results.first().map(|var| {
                    let result = program.terms.var(*var);
                    let width = program.terms.width(result);
                    let value = program.terms.bv(width, u128::from(is_there));
                    Op::Assign { var: *var, value }
                });
                program.cfa.edges[edge].ops = assigned.into_iter().collect();
                calls.push((span, is_there));
            } else if let Some(number) =
                name.strip_prefix(WRONG).and_then(|number| number.parse().ok())
            {
                let source = program.cfa.edges[edge].source;
                let error = program.cfa.add_location(program.cfa.locations[source].function);
                program.cfa.locations[error].error = true;
                program.cfa.locations[error].span = program.cfa.edges[edge].span;
                program.cfa.edges[edge].ops = Box::default();
                program.cfa.edges[edge].target = error;
                self.wrong.insert(error, number);
            }
        }
        for (span, is_there) in calls {
            if let Some(part) = span.and_then(|span| self.part(span)) {
                *self.inside.entry(part).or_default() |= is_there;
            }
        }
    }

    /// The variable that holds the state of the automaton, if the program changes it.
    pub(crate) fn state(&self) -> Option<Var> {
        let variables = &self.program.cfa.variables;
        let state = variables.ids().zip(variables.iter()).find(|(_, variable)| {
            variable.scope == Scope::Global && variable.source_name.as_deref() == Some(STATE)
        });
        state.map(|(state, _)| state)
    }

    /// The edges on which the automaton changes its state.
    pub(crate) fn steps(&self) -> Vec<EdgeId> {
        let Some(state) = self.state() else { return Vec::new() };
        let is_step = |op: &Op| matches!(op, Op::Assign { var, .. } if *var == state);
        let edges = self.program.cfa.edges.entries();
        edges.filter(|(_, edge)| edge.ops.iter().any(is_step)).map(|(edge, _)| edge).collect()
    }

    /// Makes faults of the program itself that were not asked for end executions, as they do without a check. Faults
    /// in the expressions of the witness stay errors.
    pub(crate) fn only_own_faults(&mut self, asked: cfa::Checks) {
        let errors: Vec<LocId> = self.program.cfa.errors().collect();
        for error in errors {
            let location = &self.program.cfa.locations[error];
            let is_asked = location.fault.is_none_or(|fault| asked.count(fault));
            let is_own = location.span.is_none_or(|span| self.part(span).is_none());
            if !is_asked && is_own {
                let location = &mut self.program.cfa.locations[error];
                (location.error, location.fault) = (false, None);
            }
        }
    }

    /// Lets only those errors count that are meant, and only in the last state of the automaton.
    ///
    /// # Errors
    /// Why this cannot be checked in the program.
    pub(crate) fn guard(
        &mut self,
        last: u32,
        is_meant: impl Fn(&Self, LocId) -> bool,
    ) -> Result<(), String> {
        let errors: Vec<LocId> = self.program.cfa.errors().collect();
        for error in errors {
            let is_entry =
                self.program.cfa.functions.iter().any(|function| function.entry == error);
            if is_entry || !is_meant(self, error) {
                self.program.cfa.locations[error].error = false;
            }
        }
        let state = self.state();
        let Program { terms, cfa, .. } = &mut self.program;
        let Some(state) = state else {
            // If the last state is the first one, every execution is in the last state.
            if last == 0 {
                return Ok(());
            }
            return Err(
                "no step of the witness is in the part of the program that is executed".to_owned()
            );
        };
        let (state, wanted) = (terms.var(state), terms.bv(32, u128::from(last)));
        let reached = terms.eq(state, wanted);
        let edges: Vec<EdgeId> =
            cfa.edges.ids().filter(|edge| cfa.locations[cfa.edges[*edge].target].error).collect();
        for edge in edges {
            let is_call = matches!(&*cfa.edges[edge].ops, [Op::Call { .. }]);
            if is_call {
                let error = cfa.edges[edge].target;
                let between = cfa.add_location(cfa.locations[error].function);
                cfa.edges[edge].target = between;
                let span = cfa.edges[edge].span;
                cfa.add_edge(between, error, [Op::Assume(reached)], span);
            } else {
                let ops = cfa.edges[edge].ops.iter().cloned().chain([Op::Assume(reached)]);
                cfa.edges[edge].ops = ops.collect();
            }
        }
        Ok(())
    }

    /// The offset in the original text at which a span of this program starts; none if it is not in the program's text.
    pub(crate) fn original(&self, span: Span, places: &Places<'_>) -> Option<(FileId, u32)> {
        let path = self.program.sources.path(span.file);
        let file = places.with_path(path)?;
        let offset = match self.texts.get(path) {
            Some(woven) => woven.original(span.start as usize).0,
            None => span.start as usize,
        };
        // The cast is exact: a source map holds no longer files.
        Some((file, offset as u32))
    }

    /// What was put before a span for the part of the witness that the span is in.
    fn put_before(&self, span: Span) -> &str {
        let woven = self.texts.get(self.program.sources.path(span.file));
        woven.and_then(|woven| woven.put_before(span.start as usize)).unwrap_or_default()
    }

    /// The part of the witness that a span is in.
    pub(crate) fn part(&self, span: Span) -> Option<Span> {
        let woven = self.texts.get(self.program.sources.path(span.file))?;
        woven.original(span.start as usize).1
    }
}
