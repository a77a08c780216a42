//! A program that was made of a text with a witness in it: what the functions of the witness do.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::{Diagnostics, FileId, SourceMap, Span};
use cfa::{Choice, EdgeId, FuncId, LocId, Op, Program, Scope};
use frontend::{Options, Subject};
use term::Var;

use crate::places::Places;
use crate::weave::{GUESS, Pieces, STATE, STOP, WRONG, Woven};

/// The program with a witness in it.
pub(crate) struct Product {
    pub(crate) program: Program,
    /// The texts with pieces in them, by the paths of their files.
    texts: BTreeMap<String, Woven>,
    /// The error locations of invariants that do not hold, with the numbers of the invariants.
    pub(crate) wrong: BTreeMap<LocId, usize>,
}

/// Makes a program of the files with their pieces. `wrong` says how many invariants there are.
///
/// # Errors
/// What the front end says of the text, and the part of the witness that it is about, if it is about one.
pub(crate) fn load(
    original: &Program,
    subject: &Subject,
    options: &Options,
    pieces: BTreeMap<FileId, Pieces>,
    wrong: usize,
) -> Result<Product, (String, Option<Span>)> {
    let mut sources = SourceMap::new();
    let mut texts: BTreeMap<String, Woven> = BTreeMap::new();
    let mut files = Vec::new();
    let mut pieces = pieces;
    for file in &subject.files {
        let found = pieces.remove(file).unwrap_or_default();
        let first = first_line(files.is_empty(), wrong);
        let woven = found.into_text(original.sources.text(*file), Some(&first));
        let path = original.sources.path(*file).to_owned();
        let Some(new) = sources.add(path.clone(), woven.text.clone()) else {
            return Err(("the program is too long with the witness in it".to_owned(), None));
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
    let mut product = Product { program: loaded.program, texts, wrong: BTreeMap::new() };
    if loaded.diagnostics.has_errors() {
        return Err(product.told(&loaded.diagnostics));
    }
    product.settle();
    Ok(product)
}

/// What the pieces of all files use.
fn first_line(is_first: bool, wrong: usize) -> String {
    let mut text = match is_first {
        true => {
            format!("int {STATE} = 0; int {GUESS}(void) {{ return 0; }} void {STOP}(void) {{ }}")
        }
        false => format!("extern int {STATE}; extern int {GUESS}(void); extern void {STOP}(void);"),
    };
    for number in 0..wrong {
        let body = if is_first { " { }" } else { ";" };
        text.push_str(&format!(" void {WRONG}{number}(void){body}"));
    }
    text
}

impl Product {
    /// The first error that the front end tells of, if there is one of a part of the witness.
    fn told(&self, diagnostics: &Diagnostics) -> (String, Option<Span>) {
        let errors = diagnostics.iter().filter(|one| one.severity == base::Severity::Error);
        let mut first = None;
        for error in errors {
            let span = error.span.and_then(|span| self.part(span));
            if span.is_some() {
                return (error.message.clone(), span);
            }
            first.get_or_insert_with(|| error.message.clone());
        }
        (first.unwrap_or_default(), None)
    }

    /// Has the functions of the witness do what their names say.
    fn settle(&mut self) {
        let program = &mut self.program;
        let mut names: BTreeMap<FuncId, String> = BTreeMap::new();
        for (id, function) in program.cfa.functions.ids().zip(program.cfa.functions.iter()) {
            if function.name.starts_with("__proviso_") {
                names.insert(id, function.name.to_string());
            }
        }
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
    }

    /// The variable that holds the state of the automaton, if the program changes it.
    pub(crate) fn state(&self) -> Option<Var> {
        let variables = &self.program.cfa.variables;
        let state = variables.ids().zip(variables.iter()).find(|(_, variable)| {
            variable.scope == Scope::Global && variable.source_name.as_deref() == Some(STATE)
        });
        state.map(|(state, _)| state)
    }

    /// Has errors count only in a state of the automaton, and only those that are meant.
    ///
    /// # Errors
    /// Why that cannot be said of the program.
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
            // Whoever waits for nothing is there.
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

    /// The line in the original text that a span of this program starts in; none if it is not in the program's text.
    pub(crate) fn line(
        &self,
        span: Span,
        original: &SourceMap,
        places: &Places<'_>,
    ) -> Option<(FileId, u32)> {
        let path = self.program.sources.path(span.file);
        let file = places.with_path(path)?;
        let offset = match self.texts.get(path) {
            Some(woven) => woven.original(span.start as usize).0,
            None => span.start as usize,
        };
        // The cast is exact: a source map holds no longer files.
        Some((file, original.position_at(file, offset as u32).line))
    }

    /// The part of the witness that a span is in.
    pub(crate) fn part(&self, span: Span) -> Option<Span> {
        let woven = self.texts.get(self.program.sources.path(span.file))?;
        woven.original(span.start as usize).1
    }
}
