//! Names that tell variables apart which the source calls the same.

use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use cfa::{FuncId, Object, Program, Scope};
use term::Var;

use crate::{scope, source};

/// The names that several variables have.
#[derive(Default)]
pub(crate) struct Names {
    /// The variables and objects that exist from the start: for each name in the source, the full names, which begin
    /// with the function of a static variable, and the places.
    lasting: BTreeMap<String, BTreeSet<(String, Span)>>,
    /// The variables and objects of activations: the places of their declarations by function and name.
    local: BTreeMap<(FuncId, String), BTreeSet<Span>>,
}

impl Names {
    /// The names of a program's own text.
    pub(crate) fn of(program: &Program) -> Self {
        let mut names = Self::default();
        for (var, known) in program.cfa.variables.entries() {
            let (Some(name), Some(span)) = (known.source_name.as_deref(), known.span) else {
                continue;
            };
            let base = scope::base_name(name).to_owned();
            if source::is_borrowed(program, span.file) {
                continue;
            }
            match known.scope {
                Scope::Global => {
                    let full = scoped(program.terms.var_name(var), &base);
                    names.lasting.entry(base).or_default().insert((full, span));
                }
                Scope::Local(function) => {
                    names.local.entry((function, base)).or_default().insert(span);
                }
                Scope::Address(_) => {}
            }
        }
        for object in &program.cfa.objects {
            let own = object.span.filter(|span| !source::is_borrowed(program, span.file));
            if let Some(span) = own {
                let base = plain(&object.name).to_owned();
                let full = scoped(&object.name, &base);
                names.lasting.entry(base).or_default().insert((full, span));
            }
        }
        names
    }

    /// The name of a variable that exists from the start, if no place says which variable is meant: `counter`, or
    /// `f::counter` if another variable has this name.
    pub(crate) fn of_variable(&self, program: &Program, var: Var) -> Option<String> {
        let known = program.cfa.variables.get(var)?;
        let name = known.source_name.as_deref()?;
        let base = scope::base_name(name);
        let full = known.span.and_then(|span| self.lasting(program, base, span));
        Some(full.map_or_else(|| name.to_owned(), |full| full + &name[base.len()..]))
    }

    /// An object that exists from the start, in the same way.
    pub(crate) fn of_object(&self, program: &Program, object: &Object) -> String {
        let base = plain(&object.name);
        let name = shown(program, base, object.span);
        let full = object.span.filter(|_| name == base);
        full.and_then(|span| self.lasting(program, base, span)).unwrap_or(name)
    }

    /// The variable that a name means in a statement, if the name alone does not say it: `f::counter`, `x (line 7)`.
    pub(crate) fn meant(
        &self,
        program: &Program,
        name: &str,
        (function, statement): (FuncId, Span),
    ) -> Option<String> {
        let declared = scope::declared(program, name, statement)?;
        // A local variable may hide another one, or a global.
        let is_hiding = self.lasting.contains_key(name);
        let own = self.local.get(&(function, name.to_owned()));
        let own = own.filter(|spans| spans.contains(&declared));
        match own {
            Some(spans) if spans.len() < 2 && !is_hiding => None,
            Some(_) => Some(format!("{name} {}", place(program, declared, false))),
            None => self.lasting(program, name, declared),
        }
    }

    /// The name of what exists from the start and is declared at a place, if others have the short one.
    fn lasting(&self, program: &Program, base: &str, declared: Span) -> Option<String> {
        let all = self.lasting.get(base).filter(|all| all.len() > 1)?;
        let (full, _) = all.iter().find(|(_, span)| *span == declared)?;
        let mut alike = all.iter().filter(|(other, _)| other == full);
        if alike.clone().count() < 2 {
            return Some(full.clone());
        }
        let is_elsewhere = alike.any(|(_, span)| span.file != declared.file);
        Some(format!("{full} {}", place(program, declared, is_elsewhere)))
    }
}

/// `(line 7)`, or `(b.c:7)` if the names are in different files.
pub(super) fn place(program: &Program, declared: Span, is_elsewhere: bool) -> String {
    let line = program.sources.position(declared).line;
    match is_elsewhere {
        true => format!("({}:{line})", program.sources.name(declared.file)),
        false => format!("(line {line})"),
    }
}

/// The name that the source gives to an object: its own one may begin with a function and end in a number.
pub(super) fn plain(object: &str) -> &str {
    let name = object.rsplit("::").next().unwrap_or(object);
    name.split('#').next().unwrap_or(name)
}

/// What the model calls structures and arrays that the source has without a name: `(struct point){1, 2}`.
const LITERAL: &str = "literal";

/// The name of an object as people read it: one without a name in the source has its place instead.
pub(super) fn shown(program: &Program, name: &str, declared: Option<Span>) -> String {
    let is_literal = |span: &Span| name == LITERAL && source::text(program, *span) != LITERAL;
    let Some(span) = declared.filter(is_literal) else { return name.to_owned() };
    let at = program.sources.position(span);
    let variables = program.cfa.variables.iter();
    let variables = variables.filter(|known| known.source_name.as_deref() == Some("&literal"));
    let objects = program.cfa.objects.iter().filter(|object| plain(&object.name) == LITERAL);
    let mut others = variables.filter_map(|it| it.span).chain(objects.filter_map(|it| it.span));
    let is_beside = |other: Span| {
        let other_at = program.sources.position(other);
        other != span && other.file == span.file && other_at.line == at.line
    };
    match others.any(is_beside) {
        true => format!("(literal at line {}, column {})", at.line, at.column),
        false => format!("(literal at line {})", at.line),
    }
}

/// `f::counter` of `f#2::counter#3`, and `counter` of `counter#2`.
fn scoped(unique: &str, base: &str) -> String {
    match unique.rsplit_once("::") {
        Some((function, _)) => {
            format!("{}::{base}", function.split('#').next().unwrap_or(function))
        }
        None => base.to_owned(),
    }
}
